// SPDX-License-Identifier: Apache-2.0
// What the driver says of a kernel, in plans.
#pragma once

#include "../../limb/config.h"

#if WARPINT_CUDA

#include "../memory/cuda_support.h"
#include "plan.h"

#include <utility>

namespace warpint::execution {

// What the driver says of a kernel on the device, which is current.
inline KernelFacts kernel_facts(const void *kernel, int device) {
    return asked_once(std::pair(kernel, device), [&] {
        cudaFuncAttributes attributes{};
        check_cuda(cudaFuncGetAttributes(&attributes, kernel), "warpint: no kernel for this GPU");
        const auto ask = [device](cudaDeviceAttr attribute) {
            int value = 0;
            check_cuda(cudaDeviceGetAttribute(&value, attribute, device),
                       "warpint: cudaDeviceGetAttribute");
            return value;
        };
        const int capability =
            10 * ask(cudaDevAttrComputeCapabilityMajor) + ask(cudaDevAttrComputeCapabilityMinor);
        // The code that was loaded may have been compiled for an older architecture than the
        // device's.
        return KernelFacts{{capability, attributes.ptxVersion},
                           attributes.numRegs,
                           static_cast<int>(attributes.localSizeBytes),
                           attributes.maxThreadsPerBlock,
                           ask(cudaDevAttrMultiProcessorCount)};
    });
}

// Plans another kernel than that of a row: its threads read by themselves, one number each.
inline KernelFacts plan_own_kernel(Plan &plan, const void *kernel, int threads, int device) {
    const KernelFacts facts = kernel_facts(kernel, device);
    plan.kernel = kernel;
    plan.family = KernelFamily::thread_per_number;
    plan.lanes_per_number = 1;
    plan.threads_per_block = threads;
    plan.loading = Loading::direct;
    plan.shared_bytes = 0; // beside what the kernel declares
    plan.registers = facts.registers;
    plan.local_bytes = facts.local_bytes;
    return facts;
}

// Whether a block of this kernel may have so many bytes of shared memory, the same number in all
// calls, on the device, which is current; it is asked for once.
template <auto kernel>
bool allows_shared_bytes(int bytes, int device) {
    return asked_once(device, [=] {
        const bool allowed =
            cudaFuncSetAttribute(reinterpret_cast<const void *>(kernel),
                                 cudaFuncAttributeMaxDynamicSharedMemorySize, bytes) == cudaSuccess;
        cudaGetLastError();
        return allowed;
    });
}

} // namespace warpint::execution

#endif
