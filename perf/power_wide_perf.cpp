// SPDX-License-Identifier: Apache-2.0
#include "power_perf.h"

void measure_wide_powers() {
    perf::measure_power<2048>(std::size_t{1} << 16);
    perf::measure_power<4096>(std::size_t{1} << 16);
}
