// SPDX-License-Identifier: Apache-2.0
#include "lanes_perf.h"

void measure_lanes_2048(std::size_t count) {
    perf::measure_lanes<2048, 4>(count);
}
