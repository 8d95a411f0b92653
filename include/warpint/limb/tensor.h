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

// a b + c of signed words, in one instruction: compilers that know more of c make several.
WARPINT_HOST_DEVICE WARPINT_INLINE std::int64_t multiply_add_wide(std::int32_t a, std::int32_t b,
                                                                  std::int64_t c) {
#if WARPINT_DEVICE_PASS
    std::int64_t r;
    asm("mad.wide.s32 %0, %1, %2, %3;" : "=l"(r) : "r"(a), "r"(b), "l"(c));
    return r;
#else
    return std::int64_t{a} * b + c;
#endif
}

#if WARPINT_DEVICE_PASS && defined(__CUDA_ARCH_FEAT_SM90_ALL)
#define WARPINT_HAS_GROUP_PRODUCTS 1
#else
#define WARPINT_HAS_GROUP_PRODUCTS 0
#endif

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
// c += a b of 16 x 16 and 16 x 8 numbers in half precision, with sums in single precision
// (mma.m16n8k16). A lane has of a: numbers 2 (lane % 4) and + 1 of rows lane / 4 and + 8, then the
// same 8 numbers further; of b: of column lane / 4, likewise. Exact for integers while the sizes of
// every part of a sum stay below 2^24.
__device__ __forceinline__ void multiply_halves(float (&c)[4], u32 a0, u32 a1, u32 a2, u32 a3,
                                                u32 b0, u32 b1) {
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, "
                 "{%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                 : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
}
// Bytes 2 i and 2 i + 1 of a word, less `bias`, in half precision: a byte in the mantissa of 2^10
// is its value. 0 <= bias <= 255.
template <int i, u32 bias>
__device__ __forceinline__ u32 halves_of_bytes(u32 word) {
    constexpr u32 of_2_10 = 0x6400;
    const u32 biased = __byte_perm(word, 0x64646464, i == 0 ? 0x4140 : 0x4342);
    u32 r;
    asm("sub.f16x2 %0, %1, %2;" : "=r"(r) : "r"(biased), "r"((of_2_10 + bias) * 0x10001));
    return r;
}
#endif

#if WARPINT_HAS_GROUP_PRODUCTS
// c += a b, or c = a b if it is the first, of 64 x 32 unsigned bytes in registers and 32 x 2 count
// signed bytes in shared memory, by four warps together (wgmma, for Hopper alone: sm_90a). Warp w
// of the four has rows 16 w to 16 w + 15, each lane of a and of every eight columns of c what it
// has of multiply_bytes. `b` lies in pieces of 8 columns by 16 rows, 128 bytes, column after
// column; a column's two pieces follow one another, then those of the next 8 columns
// (group_matrix). Begun by the call: c and a are not to be touched before finish_group_products.
#define WARPINT_NAMES_8 "%0, %1, %2, %3, %4, %5, %6, %7"
#define WARPINT_NAMES_16 WARPINT_NAMES_8 ", %8, %9, %10, %11, %12, %13, %14, %15"
#define WARPINT_NAMES_24 WARPINT_NAMES_16 ", %16, %17, %18, %19, %20, %21, %22, %23"
#define WARPINT_NAMES_32 WARPINT_NAMES_24 ", %24, %25, %26, %27, %28, %29, %30, %31"
#define WARPINT_NAMES_40 WARPINT_NAMES_32 ", %32, %33, %34, %35, %36, %37, %38, %39"
#define WARPINT_NAMES_48 WARPINT_NAMES_40 ", %40, %41, %42, %43, %44, %45, %46, %47"
#define WARPINT_NAMES_56 WARPINT_NAMES_48 ", %48, %49, %50, %51, %52, %53, %54, %55"
#define WARPINT_NAMES_64 WARPINT_NAMES_56 ", %56, %57, %58, %59, %60, %61, %62, %63"
#define WARPINT_NAMES_72 WARPINT_NAMES_64 ", %64, %65, %66, %67, %68, %69, %70, %71"
#define WARPINT_EIGHT_SUMS(kind, i)                                                                \
    kind(c[i]), kind(c[i + 1]), kind(c[i + 2]), kind(c[i + 3]), kind(c[i + 4]), kind(c[i + 5]),    \
        kind(c[i + 6]), kind(c[i + 7])
#define WARPINT_SUMS_8(kind) WARPINT_EIGHT_SUMS(kind, 0)
#define WARPINT_SUMS_16(kind) WARPINT_SUMS_8(kind), WARPINT_EIGHT_SUMS(kind, 8)
#define WARPINT_SUMS_24(kind) WARPINT_SUMS_16(kind), WARPINT_EIGHT_SUMS(kind, 16)
#define WARPINT_SUMS_32(kind) WARPINT_SUMS_24(kind), WARPINT_EIGHT_SUMS(kind, 24)
#define WARPINT_SUMS_40(kind) WARPINT_SUMS_32(kind), WARPINT_EIGHT_SUMS(kind, 32)
#define WARPINT_SUMS_48(kind) WARPINT_SUMS_40(kind), WARPINT_EIGHT_SUMS(kind, 40)
#define WARPINT_SUMS_56(kind) WARPINT_SUMS_48(kind), WARPINT_EIGHT_SUMS(kind, 48)
#define WARPINT_SUMS_64(kind) WARPINT_SUMS_56(kind), WARPINT_EIGHT_SUMS(kind, 56)
#define WARPINT_SUMS_72(kind) WARPINT_SUMS_64(kind), WARPINT_EIGHT_SUMS(kind, 64)
#define WARPINT_GROUP_PRODUCT(count, columns, a_and_b)                                             \
    if constexpr (first) {                                                                         \
        asm volatile("wgmma.mma_async.sync.aligned.m64n" #columns                                  \
                     "k32.s32.u8.s8 {" WARPINT_NAMES_##count "}, " a_and_b ", 0;"                  \
                     : WARPINT_SUMS_##count("=r")                                                  \
                     : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b));                                \
    } else {                                                                                       \
        asm volatile("wgmma.mma_async.sync.aligned.m64n" #columns                                  \
                     "k32.s32.u8.s8 {" WARPINT_NAMES_##count "}, " a_and_b ", 1;"                  \
                     : WARPINT_SUMS_##count("+r")                                                  \
                     : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b));                                \
    }
template <bool first, int count>
__device__ __forceinline__ void begin_group_product(int (&c)[count], u32 a0, u32 a1, u32 a2, u32 a3,
                                                    u32 matrix) {
    const std::uint64_t b = std::uint64_t{256 >> 4} << 32 | matrix;
    static_assert(8 <= count && count <= 72 && count % 8 == 0);
    if constexpr (count == 8) {
        WARPINT_GROUP_PRODUCT(8, 16, "{%8, %9, %10, %11}, %12")
    } else if constexpr (count == 16) {
        WARPINT_GROUP_PRODUCT(16, 32, "{%16, %17, %18, %19}, %20")
    } else if constexpr (count == 24) {
        WARPINT_GROUP_PRODUCT(24, 48, "{%24, %25, %26, %27}, %28")
    } else if constexpr (count == 32) {
        WARPINT_GROUP_PRODUCT(32, 64, "{%32, %33, %34, %35}, %36")
    } else if constexpr (count == 40) {
        WARPINT_GROUP_PRODUCT(40, 80, "{%40, %41, %42, %43}, %44")
    } else if constexpr (count == 48) {
        WARPINT_GROUP_PRODUCT(48, 96, "{%48, %49, %50, %51}, %52")
    } else if constexpr (count == 56) {
        WARPINT_GROUP_PRODUCT(56, 112, "{%56, %57, %58, %59}, %60")
    } else if constexpr (count == 64) {
        WARPINT_GROUP_PRODUCT(64, 128, "{%64, %65, %66, %67}, %68")
    } else {
        WARPINT_GROUP_PRODUCT(72, 144, "{%72, %73, %74, %75}, %76")
    }
}
#undef WARPINT_GROUP_PRODUCT
#undef WARPINT_SUMS_72
#undef WARPINT_SUMS_64
#undef WARPINT_SUMS_56
#undef WARPINT_SUMS_48
#undef WARPINT_SUMS_40
#undef WARPINT_SUMS_32
#undef WARPINT_SUMS_24
#undef WARPINT_SUMS_16
#undef WARPINT_SUMS_8
#undef WARPINT_EIGHT_SUMS
#undef WARPINT_NAMES_72
#undef WARPINT_NAMES_64
#undef WARPINT_NAMES_56
#undef WARPINT_NAMES_48
#undef WARPINT_NAMES_40
#undef WARPINT_NAMES_32
#undef WARPINT_NAMES_24
#undef WARPINT_NAMES_16
#undef WARPINT_NAMES_8
// What tells the instruction where its matrix is: a lower word, to which a distance in bytes / 16
// may be added, of a shared address that is a multiple of 16. The pieces that follow one another in
// a column are 128 bytes apart, those of 8 columns 256.
__device__ __forceinline__ u32 group_matrix(u32 address) {
    return (address & 0x3ffff) >> 4 | 128 >> 4 << 16;
}
// Before the first product of registers that were written otherwise.
__device__ __forceinline__ void begin_group_products() {
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}
__device__ __forceinline__ void finish_group_products() {
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
}
// The sums are there only now.
template <int count>
__device__ __forceinline__ void finished(int (&c)[count]) {
    WARPINT_UNROLL_ALWAYS
    for (int i = 0; i < count; ++i)
        asm volatile("" : "+r"(c[i]));
}
// What this thread has written to shared memory is there for the products of its group.
__device__ __forceinline__ void show_to_group_products() {
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
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
