// SPDX-License-Identifier: Apache-2.0
// Warp: what the lanes of a warp say to one another, as the machine has it: shuffles and votes. A
// mask names the lanes that take part; all of them call together. A mask that is a constant costs
// nothing, one in a register costs a barrier at every call. Exists only while the compiler
// translates for a GPU; arith/lanes/group.h is the form for algorithms.
#pragma once

#include "config.h"

#if WARPINT_DEVICE_PASS

namespace warpint::limb::warp {

using u32 = std::uint32_t;

inline constexpr u32 all_lanes = 0xffffffffu;

// The caller's place in its warp, 0 ... 31.
__device__ __forceinline__ u32 lane() {
    u32 lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    return lane;
}

// The lanes of the caller's warp that run this very instruction.
__device__ __forceinline__ u32 active() {
    return __activemask();
}

// The value of the lane below in the caller's group of Lanes neighbours; the first gets its own.
template <int Lanes>
__device__ __forceinline__ u32 shuffle_up(u32 mask, u32 value) {
    return __shfl_up_sync(mask, value, 1, Lanes);
}
// The value of lane `source` (modulo Lanes) of the caller's group of Lanes neighbours.
template <int Lanes>
__device__ __forceinline__ u32 shuffle(u32 mask, u32 value, u32 source) {
    return __shfl_sync(mask, value, static_cast<int>(source), Lanes);
}

// Bit i: the condition in lane i of the warp.
__device__ __forceinline__ u32 ballot(u32 mask, bool condition) {
    return __ballot_sync(mask, condition);
}
__device__ __forceinline__ bool any(u32 mask, bool condition) {
    return __any_sync(mask, condition) != 0;
}

// The largest value among the lanes of the mask that have not left the kernel.
__device__ __forceinline__ int maximum(u32 mask, int value) {
#if WARPINT_COMPILED_CAPABILITY >= 80
    return __reduce_max_sync(mask, value);
#else
    const u32 present = __ballot_sync(mask, true);
    const u32 me = lane();
    int largest = value;
    for (u32 step = 1; step < 32; ++step) {
        const int other = __shfl_xor_sync(mask, value, static_cast<int>(step));
        if ((present >> (me ^ step) & 1u) != 0 && other > largest)
            largest = other;
    }
    return largest;
#endif
}

// The same address, of which the compiler does not know that it lies among a kernel's parameters:
// lanes that read different ones do so one after another there (a + c of 16384 bits by one c for
// all 457 M a second on an H200, read like this 659 M).
template <class T>
__device__ __forceinline__ const T *as_memory(const T *address) {
    asm("" : "+l"(address));
    return address;
}

// Two or four limbs at an address that is a multiple of their size.
template <int limbs>
__device__ __forceinline__ void load_vector(u32 *r, const u32 *memory) {
    if constexpr (limbs == 4) {
        const uint4 v = *reinterpret_cast<const uint4 *>(memory);
        r[0] = v.x;
        r[1] = v.y;
        r[2] = v.z;
        r[3] = v.w;
    } else {
        static_assert(limbs == 2);
        const uint2 v = *reinterpret_cast<const uint2 *>(memory);
        r[0] = v.x;
        r[1] = v.y;
    }
}
template <int limbs>
__device__ __forceinline__ void store_vector(u32 *memory, const u32 *a) {
    if constexpr (limbs == 4) {
        *reinterpret_cast<uint4 *>(memory) = make_uint4(a[0], a[1], a[2], a[3]);
    } else {
        static_assert(limbs == 2);
        *reinterpret_cast<uint2 *>(memory) = make_uint2(a[0], a[1]);
    }
}

// Index of the caller among all threads of a grid of one-dimensional blocks.
__device__ __forceinline__ std::size_t thread_index() {
    return static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}

} // namespace warpint::limb::warp

#endif
