// SPDX-License-Identifier: Apache-2.0
// The main function of every test program: doctest, after a look at the machine. A CUDA program on
// a machine without a GPU would run the CPU path a second time, so it says so and returns 77, which
// ctest reports as skipped. WARPINT_TEST_CPU_FALLBACK in the environment runs it all the same;
// --require-gpu makes the missing GPU an error.

#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#ifdef WARPINT_TEST_ON_GPU

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <string_view>

static bool has_argument(int argc, char **argv, std::string_view wanted) {
    for (int i = 1; i < argc; ++i) {
        if (argv[i] == wanted) {
            return true;
        }
    }
    return false;
}

int main(int argc, char **argv) {
    constexpr int exit_code_skipped = 77;

    int gpus = 0;
    if (cudaGetDeviceCount(&gpus) != cudaSuccess || gpus == 0) {
        if (has_argument(argc, argv, "--require-gpu")) {
            std::puts("error: no GPU, and --require-gpu was given");
            return 1;
        }
        if (std::getenv("WARPINT_TEST_CPU_FALLBACK") == nullptr) {
            std::puts("skipped: no GPU (WARPINT_TEST_CPU_FALLBACK=1 runs this test on the CPU)");
            return exit_code_skipped;
        }
    }
    return doctest::Context(argc, argv).run();
}

#else

int main(int argc, char **argv) {
    return doctest::Context(argc, argv).run();
}

#endif
