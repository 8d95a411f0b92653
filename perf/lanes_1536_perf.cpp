// SPDX-License-Identifier: Apache-2.0
#include "lanes_perf.h"

void measure_lanes_1536(std::size_t count) {
    perf::measure_lanes<1536, 4>(count);
}
