// SPDX-License-Identifier: Apache-2.0
// The other side of crossing.h, compiled as CUDA.
#define SIDE cuda_side
#include "side.h"

namespace crossing {

using namespace warpint;

const char *wrong_without_gpu(bool old_driver) {
    int devices = 0;
    const cudaError_t status = cudaGetDeviceCount(&devices);
    if (old_driver && status != cudaErrorInsufficientDriver)
        return "the driver is old";
    if (device_info().gpu)
        return "there is no GPU";
    if (device_info().name != "CPU")
        return "device_info() names the CPU";
    const device_vector<Number> a(50, Number(987654321));
    device_vector<Number> c;
    c = a * a % Number(1000003);
    if (c[7] != Number(987654321) * Number(987654321) % Number(1000003))
        return "a formula";
    if (c.location().on_gpu())
        return "vectors lie in host memory";
    return nullptr;
}

} // namespace crossing
