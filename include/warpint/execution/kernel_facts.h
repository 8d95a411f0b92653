// SPDX-License-Identifier: Apache-2.0
// What the driver says of a kernel.
#pragma once

#include "../limb/config.h"

#if WARPINT_CUDA

#include "cuda_support.h"
#include "plan.h"

#include <mutex>
#include <vector>

namespace warpint::execution {

// The device is current. The driver is asked once.
inline KernelFacts kernel_facts(const void *kernel, int device) {
    static auto &mutex = *new std::mutex; // destructors of static objects may ask
    struct Known {
        const void *kernel;
        int device;
        KernelFacts facts;
    };
    static auto &all_known = *new std::vector<Known>; // a program runs a few dozen kernels
    const std::lock_guard lock(mutex);
    for (const Known &known : all_known) {
        if (known.kernel == kernel && known.device == device)
            return known.facts;
    }
    cudaFuncAttributes attributes{};
    check_cuda(cudaFuncGetAttributes(&attributes, kernel), "warpint: no kernel for this GPU");
    int major = 0;
    int minor = 0;
    check_cuda(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device),
               "warpint: cudaDeviceGetAttribute");
    check_cuda(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device),
               "warpint: cudaDeviceGetAttribute");
    // The code that was loaded may have been compiled for an older architecture than the device's.
    const KernelFacts facts{{10 * major + minor, attributes.ptxVersion},
                            attributes.numRegs,
                            static_cast<int>(attributes.localSizeBytes),
                            attributes.maxThreadsPerBlock};
    all_known.push_back({kernel, device, facts});
    return facts;
}

} // namespace warpint::execution

#endif
