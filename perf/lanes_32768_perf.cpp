// SPDX-License-Identifier: Apache-2.0
#include "lanes_perf.h"

void measure_lanes_32768(std::size_t count) {
    perf::measure_lanes<32768, 32>(count);
}
