// SPDX-License-Identifier: Apache-2.0
// Copies from global to shared memory that bypass the registers, on GPUs of compute capability 8.0
// and later (elsewhere plain copies), and copies of blocks by the copy engine of 9.0 and later.
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

#if WARPINT_DEVICE_PASS && WARPINT_COMPILED_CAPABILITY >= 90
#define WARPINT_HAS_BLOCK_COPIES 1
#else
#define WARPINT_HAS_BLOCK_COPIES 0
#endif

#if WARPINT_HAS_BLOCK_COPIES
// Copies of blocks from global to shared memory by the copy engine, and barriers in shared memory
// that tell when all their bytes are there: 8 bytes each, by shared addresses. A barrier's phases
// have the parities 0, 1, 0, ...: each ends when `arrivals` threads and the bytes that were
// expected have arrived.
__device__ __forceinline__ void init_barrier(unsigned barrier, unsigned arrivals) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals)
                 : "memory");
}
// Shows the new barriers to the copy engine.
__device__ __forceinline__ void show_barriers() {
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}
__device__ __forceinline__ void arrive(unsigned barrier) {
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(barrier) : "memory");
}
__device__ __forceinline__ void arrive_and_expect(unsigned barrier, unsigned bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes)
                 : "memory");
}
__device__ __forceinline__ void wait_for_phase(unsigned barrier, unsigned parity) {
    unsigned done = 0;
    while (done == 0)
        asm volatile("{ .reg .pred p;\n"
                     "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
                     "selp.u32 %0, 1, 0, p; }"
                     : "=r"(done)
                     : "r"(barrier), "r"(parity)
                     : "memory");
}
// bytes, and both addresses: multiples of 16. The bytes arrive at the barrier.
__device__ __forceinline__ void copy_block(unsigned shared, const void *global, unsigned bytes,
                                           unsigned barrier) {
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], "
                 "%2, [%3];" ::"r"(shared),
                 "l"(global), "r"(bytes), "r"(barrier)
                 : "memory");
}
#endif

// The compiler forgets what it has read from memory: what is read again is loaded again, and need
// not stay in registers in between.
__device__ __forceinline__ void forget_memory() {
#if WARPINT_DEVICE_PASS
    asm volatile("" ::: "memory");
#endif
}

} // namespace warpint::limb

#endif
