// SPDX-License-Identifier: Apache-2.0
#include "lanes_perf.h"

void measure_lanes_2100(std::size_t count) {
    perf::measure_lanes<2100, 4>(count);
}
