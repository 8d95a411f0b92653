// SPDX-License-Identifier: Apache-2.0
#include "lanes_perf.h"

void measure_lanes_8192(std::size_t count) {
    perf::measure_lanes<8192, 16>(count);
}
