// SPDX-License-Identifier: Apache-2.0
#include "power_perf.h"

void measure_wide_powers();

int main() {
    perf::print_machine();
    perf::measure_power<256>(std::size_t{1} << 20);
    perf::measure_power<512>(std::size_t{1} << 19);
    perf::measure_power<1024>(std::size_t{1} << 17);
    measure_wide_powers();
}
