// SPDX-License-Identifier: Apache-2.0
// What products of matrices on a GPU's tensor cores need of the machine, one function each: the
// product of two fragments, reads that the compiler leaves where they are, and a fence for its
// scheduler. Exists only while the compiler translates for a GPU, but for multiply_add.
#pragma once

#include "config.h"

#include <cstdint>

namespace warpint::limb::tensor {

using u32 = std::uint32_t;

// a b + c modulo 2^32, in one instruction.
WARPINT_HOST_DEVICE WARPINT_INLINE u32 multiply_add(u32 a, u32 b, u32 c) {
#if WARPINT_DEVICE_PASS
    u32 r;
    asm("mad.lo.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
    return r;
#else
    return a * b + c;
#endif
}

#if WARPINT_DEVICE_PASS

#if WARPINT_COMPILED_CAPABILITY >= 80
// c += a b, or c = a b if it is the first, of 16 x 32 unsigned bytes and 32 x 8 signed bytes, with
// 32-bit sums, by all lanes of a warp (mma.m16n8k32). A lane has of a: four bytes each of rows
// lane / 4 and + 8, from byte 4 (lane % 4) on, then the same 16 bytes further; of b: four bytes
// of column lane / 4, likewise; of c: columns 2 (lane % 4) and + 1 of row lane / 4, then of row
// + 8.
template <bool first>
__device__ __forceinline__ void multiply_bytes(int (&c)[4], u32 a0, u32 a1, u32 a2, u32 a3, u32 b0,
                                               u32 b1) {
    if constexpr (first) {
        asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.u8.s8.s32 {%0, %1, %2, %3}, "
                     "{%4, %5, %6, %7}, {%8, %9}, {%10, %10, %10, %10};"
                     : "=r"(c[0]), "=r"(c[1]), "=r"(c[2]), "=r"(c[3])
                     : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1), "r"(0));
    } else {
        asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.u8.s8.s32 {%0, %1, %2, %3}, "
                     "{%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                     : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
                     : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
    }
}
#endif

// Words in memory, read where the call stands.
__device__ __forceinline__ u32 load(const u32 *from) {
    u32 word;
    asm volatile("ld.global.u32 %0, [%1];" : "=r"(word) : "l"(from));
    return word;
}
template <int count>
__device__ __forceinline__ void load(u32 (&to)[count], const u32 *from) {
    static_assert(count == 2 || count == 4);
    if constexpr (count == 4) {
        asm volatile("ld.global.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                     : "l"(from));
    } else {
        asm volatile("ld.global.v2.u32 {%0, %1}, [%2];" : "=r"(to[0]), "=r"(to[1]) : "l"(from));
    }
}
// Of shared memory, by its own addresses.
__device__ __forceinline__ u32 shared_address(const void *memory) {
    return static_cast<u32>(__cvta_generic_to_shared(memory));
}
__device__ __forceinline__ void load_shared(u32 (&to)[4], u32 address) {
    asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(address));
}
__device__ __forceinline__ u32 load_shared(u32 address) {
    u32 word;
    asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(word) : "r"(address));
    return word;
}

// No read or write of memory is moved across.
__device__ __forceinline__ void memory_fence() {
    asm volatile("" ::: "memory");
}
// No instruction is moved across: ptxas leaves a read of the clock where it is, whose value might
// be stored. zero: 0, in a way that the compiler does not know.
__device__ __forceinline__ void schedule_fence(u32 zero) {
    u32 clock;
    asm volatile("mov.u32 %0, %%clock;" : "=r"(clock)::"memory");
    if (zero != 0)
        asm volatile("st.volatile.shared.u32 [%0], %1;" ::"r"(0), "r"(clock) : "memory");
}

#endif

} // namespace warpint::limb::tensor
