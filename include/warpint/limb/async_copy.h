// SPDX-License-Identifier: Apache-2.0
// Copies from global to shared memory that bypass the registers, on GPUs of compute capability 8.0
// and later; elsewhere plain copies.
#pragma once

#include "config.h"

#if WARPINT_CUDA

namespace warpint::limb {

// Copies 16 bytes from global to shared memory, both aligned to 16; complete after
// wait_for_copies().
__device__ __forceinline__ void copy_async(uint4 *shared, const uint4 *global) {
#if WARPINT_DEVICE_PASS
#if WARPINT_COMPILED_CAPABILITY >= 80
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(
                     static_cast<unsigned>(__cvta_generic_to_shared(shared))),
                 "l"(global)
                 : "memory");
#else
    *shared = *global;
#endif
#endif
}

// Waits for this thread's copies; other threads see them after a barrier.
__device__ __forceinline__ void wait_for_copies() {
#if WARPINT_DEVICE_PASS && WARPINT_COMPILED_CAPABILITY >= 80
    asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}

// The compiler forgets what it has read from memory: what is read again is loaded again, and need
// not stay in registers in between.
__device__ __forceinline__ void forget_memory() {
#if WARPINT_DEVICE_PASS
    asm volatile("" ::: "memory");
#endif
}

} // namespace warpint::limb

#endif
