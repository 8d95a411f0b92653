// SPDX-License-Identifier: Apache-2.0
#include "lanes_perf.h"

void measure_lanes_4096(std::size_t count) {
    perf::measure_lanes<4096, 8>(count);
}
