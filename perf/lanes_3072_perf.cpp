// SPDX-License-Identifier: Apache-2.0
#include "lanes_perf.h"

void measure_lanes_3072(std::size_t count) {
    perf::measure_lanes<3072, 8>(count);
}
