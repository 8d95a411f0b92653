// SPDX-License-Identifier: Apache-2.0
#include "lanes_perf.h"

void measure_lanes_16384(std::size_t count) {
    perf::measure_lanes<16384, 32>(count);
}
