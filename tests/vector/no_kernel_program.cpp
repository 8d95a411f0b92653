// SPDX-License-Identifier: Apache-2.0
// A program whose kernels are for compute capability 7.5 alone, on another GPU: a formula says that
// there is no kernel, nothing is written, and copies work on. Exit code 0: right; 77: not possible
// here.
#include <warpint/vector.h>

#include <cstdio>
#include <string>

using namespace warpint;

int main() {
    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0 ||
        device_info().compute_capability == 75) {
        std::puts("skipped: no GPU, or one of compute capability 7.5");
        return 77;
    }
    const device_vector<BigInt<64>> a(10, BigInt<64>(5));
    device_vector<BigInt<64>> c(3, BigInt<64>(1));
    for (int i = 0; i < 2; ++i) {
        try {
            c = a + 1u;
            std::puts("wrong: a formula ran");
            return 1;
        } catch (const cuda_error &error) {
            std::puts(error.what());
            if (std::string(error.what()).find("no kernel for this GPU") == std::string::npos ||
                error.code() != cudaErrorNoKernelImageForDevice)
                return 1;
        }
    }
    return c.to_host() == std::vector<BigInt<64>>(3, BigInt<64>(1)) && a[9] == 5u ? 0 : 1;
}
