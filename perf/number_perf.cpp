// SPDX-License-Identifier: Apache-2.0
// Plain numbers on the host against other libraries: intx and Boost.Multiprecision at 256 and 512
// bits, GMP's mpn functions from 1024 bits on. Peers that were not found when this was built are
// left out. An argument restricts the lines to the operations whose name contains it.
#include "number_perf.h"

int main(int argc, char **argv) {
    if (argc > 1)
        perf::wanted_operation = argv[1];
    std::printf("# one thread, %s\n# each figure the fastest of %d chunks, contenders in turns; "
                "results compared\n",
                __VERSION__, perf::repetitions);
    perf::measure_intx();
    perf::measure_boost();
    perf::measure_mpn();
    return 0;
}
