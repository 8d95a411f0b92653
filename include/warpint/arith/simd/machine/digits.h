// SPDX-License-Identifier: Apache-2.0
// The vector of eight digits, and the few verbs that all code with vectors is written in. The
// digits are one of each of eight numbers side by side (arith/simd), or of one number
// (arith/simd/one).
//
// A number of n digits in radix 2^52 is Digits[n]: Digits[i] holds digit i (weight 2^(52 i)) of
// eight numbers. Bits 52 to 63 of a stored digit are unspecified unless it is called clean: lo and
// hi read the low 52 bits of their factors only, so that most results are stored without masking.
//
// Two machines offer the verbs:
//   - x86-64 with AVX-512 IFMA, by vector extensions and builtins of g++ (12 or later), clang (14
//   or
//     later) and nvcc's front end above them. No header of intrinsics (0.46 s a file), and no
//     compiler flag: functions that touch vectors carry a target attribute (WARPINT_SIMD_INLINE,
//     WARPINT_SIMD_CALL) and are called only where engine.h has found the instructions.
//   - any machine, with WARPINT_SIMD_EMULATED defined: arrays of eight words. Slow; for tests, so
//     that the algorithms run on every CPU, under valgrind and under the sanitizers.
// Elsewhere WARPINT_SIMD is 0 and the room declares no algorithms.
//
// For whoever writes here: vectors are passed by value to WARPINT_SIMD_INLINE functions only, by
// pointer to others; lambdas do not inherit the target; whatever takes a vector is a template or
// static, so that nothing is compiled before it is used.
#pragma once

#include "../../../limb/assert.h"
#include "../../../limb/barrier.h"

#include <cstring>

#if defined(WARPINT_SIMD_EMULATED)
#define WARPINT_SIMD 1
#define WARPINT_SIMD_MACHINE emulated
#elif defined(__x86_64__) && defined(__GNUC__) && WARPINT_HAS_INT128
#define WARPINT_SIMD 1
#define WARPINT_SIMD_MACHINE avx512_ifma
#else
#define WARPINT_SIMD 0
#define WARPINT_SIMD_MACHINE none
#endif

#if WARPINT_SIMD

#if !defined(WARPINT_SIMD_EMULATED)
#define WARPINT_SIMD_CALL                                                                          \
    __attribute__((target("avx512f,avx512dq,avx512ifma,avx512vbmi2,bmi2"), noinline))
#define WARPINT_SIMD_INLINE                                                                        \
    __attribute__((target("avx512f,avx512dq,avx512ifma,avx512vbmi2,bmi2"), always_inline)) inline
#elif defined(__GNUC__)
#define WARPINT_SIMD_CALL __attribute__((noinline))
#define WARPINT_SIMD_INLINE __attribute__((always_inline)) inline
#else
#define WARPINT_SIMD_CALL
#define WARPINT_SIMD_INLINE inline
#endif

// Loops over the sums of a window are unrolled completely: the sums live in registers.
#if defined(__clang__)
#define WARPINT_SIMD_UNROLL _Pragma("clang loop unroll(full)")
#define WARPINT_SIMD_UNROLL_SOME _Pragma("clang loop unroll_count(8)")
#elif defined(__GNUC__)
#define WARPINT_SIMD_UNROLL WARPINT_GCC_UNROLL("GCC unroll 64")
#define WARPINT_SIMD_UNROLL_SOME WARPINT_GCC_UNROLL("GCC unroll 8")
#else
#define WARPINT_SIMD_UNROLL
#define WARPINT_SIMD_UNROLL_SOME
#endif

namespace warpint::simd {

inline constexpr int lanes = 8;
inline constexpr int digit_bits = 52;
inline constexpr std::uint64_t digit_mask = (std::uint64_t{1} << digit_bits) - 1;

inline namespace WARPINT_SIMD_MACHINE {

#if defined(WARPINT_SIMD_EMULATED)

struct alignas(64) Digits {
    std::uint64_t lane[lanes];
    std::uint64_t &operator[](int l) { return lane[l]; }
    std::uint64_t operator[](int l) const { return lane[l]; }
};
// What a comparison gives: all ones in the lanes where it holds, else zero. Fenced, so that no
// compiler makes a branch of it.
using Mask = Digits;

#define WARPINT_SIMD_LANEWISE(expression)                                                          \
    Digits r;                                                                                      \
    for (int l = 0; l < lanes; ++l)                                                                \
        r[l] = expression;                                                                         \
    return r;
inline Digits splat(std::uint64_t x) {
    WARPINT_SIMD_LANEWISE(x)
}
inline Digits operator+(const Digits &x, const Digits &y) {
    WARPINT_SIMD_LANEWISE(x[l] + y[l])
}
inline Digits operator-(const Digits &x, const Digits &y) {
    WARPINT_SIMD_LANEWISE(x[l] - y[l])
}
inline Digits operator*(const Digits &x, const Digits &y) {
    WARPINT_SIMD_LANEWISE(x[l] * y[l])
}
inline Digits operator&(const Digits &x, const Digits &y) {
    WARPINT_SIMD_LANEWISE(x[l] & y[l])
}
inline Digits operator|(const Digits &x, const Digits &y) {
    WARPINT_SIMD_LANEWISE(x[l] | y[l])
}
inline Digits operator^(const Digits &x, const Digits &y) {
    WARPINT_SIMD_LANEWISE(x[l] ^ y[l])
}
inline Digits operator~(const Digits &x) {
    WARPINT_SIMD_LANEWISE(~x[l])
}
inline Digits operator<<(const Digits &x, std::uint64_t k) {
    WARPINT_SIMD_LANEWISE(x[l] << k)
}
inline Digits operator>>(const Digits &x, std::uint64_t k) {
    WARPINT_SIMD_LANEWISE(x[l] >> k)
}
inline Digits &operator+=(Digits &x, const Digits &y) {
    return x = x + y;
}
inline Digits &operator&=(Digits &x, const Digits &y) {
    return x = x & y;
}
inline Digits &operator|=(Digits &x, const Digits &y) {
    return x = x | y;
}
// Shifts by k < 64, each lane by its own.
inline Digits shift_left(const Digits &x, const Digits &k) {
    WARPINT_SIMD_LANEWISE(x[l] << k[l])
}
inline Digits shift_right(const Digits &x, const Digits &k) {
    WARPINT_SIMD_LANEWISE(x[l] >> k[l])
}
// x / 2^k, rounded down, of a signed x.
inline Digits shift_right_signed(const Digits &x, int k) {
    WARPINT_SIMD_LANEWISE(static_cast<std::uint64_t>(static_cast<std::int64_t>(x[l]) >> k))
}
// The low word of (high 2^64 + low) / 2^k, rounded down, 0 < k < 64.
template <int k>
inline Digits funnel_right(const Digits &low, const Digits &high) {
    WARPINT_SIMD_LANEWISE(low[l] >> k | high[l] << (64 - k))
}
inline Mask equal(const Digits &x, const Digits &y) {
    WARPINT_SIMD_LANEWISE(
        limb::value_barrier(std::uint64_t{0} - static_cast<std::uint64_t>(x[l] == y[l])))
}
inline Mask less(const Digits &x, const Digits &y) {
    WARPINT_SIMD_LANEWISE(
        limb::value_barrier(std::uint64_t{0} - static_cast<std::uint64_t>(x[l] < y[l])))
}
inline Digits select(const Mask &m, const Digits &x, const Digits &y) {
    WARPINT_SIMD_LANEWISE((m[l] & x[l]) | (~m[l] & y[l]))
}
// Bit l: whether the comparison holds in lane l.
inline unsigned bits(const Mask &m) {
    unsigned r = 0;
    for (int l = 0; l < lanes; ++l)
        r |= static_cast<unsigned>(m[l] & 1u) << l;
    return r;
}
// Bit l: whether bit 63 of lane l is set.
inline unsigned signs_of(const Digits &x) {
    unsigned r = 0;
    for (int l = 0; l < lanes; ++l)
        r |= static_cast<unsigned>(x[l] >> 63) << l;
    return r;
}

namespace detail {
// The product's words by schoolbook, with no 128-bit type and no branch.
inline std::uint64_t product_low(std::uint64_t x, std::uint64_t y) {
    return (x & digit_mask) * (y & digit_mask) & digit_mask;
}
inline std::uint64_t product_high(std::uint64_t x, std::uint64_t y) {
    constexpr std::uint64_t half = (std::uint64_t{1} << 26) - 1;
    const std::uint64_t x0 = x & half;
    const std::uint64_t x1 = (x & digit_mask) >> 26;
    const std::uint64_t y0 = y & half;
    const std::uint64_t y1 = (y & digit_mask) >> 26;
    const std::uint64_t middle = x0 * y1 + x1 * y0 + (x0 * y0 >> 26);
    return x1 * y1 + (middle >> 26);
}
} // namespace detail
// sum + the low, the high 52 bits of the 104-bit product of the low 52 bits of x and y.
inline Digits lo(const Digits &sum, const Digits &x, const Digits &y) {
    WARPINT_SIMD_LANEWISE(sum[l] + detail::product_low(x[l], y[l]))
}
inline Digits hi(const Digits &sum, const Digits &x, const Digits &y) {
    WARPINT_SIMD_LANEWISE(sum[l] + detail::product_high(x[l], y[l]))
}
// floor(2^104 / d) for d in [2^51, 2^52), in error by at most 2.
inline Digits approximate_reciprocal(const Digits &d) {
    WARPINT_SIMD_LANEWISE(
        static_cast<std::uint64_t>(20282409603651670423947251286016.0 / static_cast<double>(d[l])))
}
// floor(sqrt(x)) for x = x1 2^52 + x0 in [2^100, 2^102), digits clean, in error by at most 1.
inline Digits approximate_root(const Digits &x1, const Digits &x0) {
    WARPINT_SIMD_LANEWISE(static_cast<std::uint64_t>(__builtin_sqrt(
        static_cast<double>(x1[l]) * 4503599627370496.0 + static_cast<double>(x0[l]))))
}
// floor(q) for the root q of q^2 + 2^52 d q = 2^52 x, x = x1 2^52 + x0 below 2^52 (d + 1), d in
// [2^51, 2^52), digits clean, in error by at most 2.
inline Digits approximate_root_digit(const Digits &x1, const Digits &x0, const Digits &d) {
    Digits r;
    for (int l = 0; l < lanes; ++l) {
        const auto divisor = static_cast<double>(d[l]);
        const double q =
            (static_cast<double>(x1[l]) * 4503599627370496.0 + static_cast<double>(x0[l])) /
            divisor;
        r[l] = static_cast<std::uint64_t>(q - q * q / (divisor * 4503599627370496.0));
    }
    return r;
}
// Words of one number: of the 16 32-bit limbs at p those that `which` names, zeros for others.
inline Digits load_row(const std::uint32_t *p, unsigned which) {
    Digits r{};
    for (int i = 0; i < 2 * lanes; ++i) {
        if ((which >> i & 1u) != 0)
            r[i / 2] |= std::uint64_t{p[i]} << (32 * (i % 2));
    }
    return r;
}
inline void store_row(std::uint32_t *p, const Digits &x, unsigned which) {
    for (int i = 0; i < 2 * lanes; ++i) {
        if ((which >> i & 1u) != 0)
            p[i] = static_cast<std::uint32_t>(x[i / 2] >> (32 * (i % 2)));
    }
}
// The first `count` >= 0 limbs of a row, or all 16.
inline void store_first(std::uint32_t *p, const Digits &x, int count) {
    store_row(p, x, count >= 2 * lanes ? 0xffffu : (1u << count) - 1u);
}
// Shifts to the left, each lane by its own count; 0 for counts of 64 and more.
inline Digits shift_out_left(const Digits &x, const Digits &k) {
    WARPINT_SIMD_LANEWISE(k[l] < 64 ? x[l] << k[l] : 0)
}
// Lane i + 1 takes lane i of x, and lane 0 the last one of `below`.
inline Digits shift_in(const Digits &x, const Digits &below) {
    WARPINT_SIMD_LANEWISE(l > 0 ? x[l - 1] : below[lanes - 1])
}
// Lane i takes lane index[i] of low, and from index 8 on of high; index modulo 16.
inline Digits permuted(const Digits &low, const Digits &high, const Digits &index) {
    WARPINT_SIMD_LANEWISE((index[l] & 8) == 0 ? low[static_cast<int>(index[l] & 7)]
                                              : high[static_cast<int>(index[l] & 7)])
}
// v[i][l] and v[l][i] change places.
inline void transpose(Digits *v) {
    for (int i = 0; i < lanes; ++i) {
        for (int l = 0; l < i; ++l) {
            const std::uint64_t x = v[i][l];
            v[i][l] = v[l][i];
            v[l][i] = x;
        }
    }
}
// v[i][l] = word i of the 64 bytes at `at` + l stride.
inline void load_transposed(Digits *v, const char *at, std::size_t stride) {
    for (std::size_t l = 0; l < lanes; ++l)
        v[l] = load_row(reinterpret_cast<const std::uint32_t *>(at + l * stride), 0xffff);
    transpose(v);
}
#undef WARPINT_SIMD_LANEWISE

#else

// See the emulation above for what each verb means.
using Digits = unsigned long long __attribute__((vector_size(64)));
using Mask = long long __attribute__((vector_size(64)));

WARPINT_SIMD_INLINE Digits splat(std::uint64_t x) {
    return Digits{x, x, x, x, x, x, x, x};
}
WARPINT_SIMD_INLINE Digits shift_left(Digits x, Digits k) {
    return x << k;
}
WARPINT_SIMD_INLINE Digits shift_right(Digits x, Digits k) {
    return x >> k;
}
WARPINT_SIMD_INLINE Digits shift_right_signed(Digits x, int k) {
    return reinterpret_cast<Digits>(reinterpret_cast<Mask>(x) >> k);
}
WARPINT_SIMD_INLINE Mask equal(Digits x, Digits y) {
    return x == y;
}
WARPINT_SIMD_INLINE Mask less(Digits x, Digits y) {
    return x < y;
}
WARPINT_SIMD_INLINE Digits select(Mask m, Digits x, Digits y) {
    return m ? x : y;
}
WARPINT_SIMD_INLINE unsigned signs_of(Digits x) {
    return static_cast<unsigned char>(__builtin_ia32_cvtq2mask512(reinterpret_cast<Mask>(x)));
}
WARPINT_SIMD_INLINE unsigned bits(Mask m) {
    return static_cast<unsigned char>(__builtin_ia32_cvtq2mask512(m));
}
#if defined(__clang__)
template <int k>
WARPINT_SIMD_INLINE Digits funnel_right(Digits low, Digits high) {
    return reinterpret_cast<Digits>(
        __builtin_ia32_vpshrdq512(reinterpret_cast<Mask>(low), reinterpret_cast<Mask>(high), k));
}
WARPINT_SIMD_INLINE Digits lo(Digits sum, Digits x, Digits y) {
    return reinterpret_cast<Digits>(__builtin_ia32_vpmadd52luq512(
        reinterpret_cast<Mask>(sum), reinterpret_cast<Mask>(x), reinterpret_cast<Mask>(y)));
}
WARPINT_SIMD_INLINE Digits hi(Digits sum, Digits x, Digits y) {
    return reinterpret_cast<Digits>(__builtin_ia32_vpmadd52huq512(
        reinterpret_cast<Mask>(sum), reinterpret_cast<Mask>(x), reinterpret_cast<Mask>(y)));
}
#else
template <int k>
WARPINT_SIMD_INLINE Digits funnel_right(Digits low, Digits high) {
    return reinterpret_cast<Digits>(
        __builtin_ia32_vpshrd_v8di(reinterpret_cast<Mask>(low), reinterpret_cast<Mask>(high), k));
}
WARPINT_SIMD_INLINE Digits lo(Digits sum, Digits x, Digits y) {
    return reinterpret_cast<Digits>(__builtin_ia32_vpmadd52luq512_mask(
        reinterpret_cast<Mask>(sum), reinterpret_cast<Mask>(x), reinterpret_cast<Mask>(y), 255));
}
WARPINT_SIMD_INLINE Digits hi(Digits sum, Digits x, Digits y) {
    return reinterpret_cast<Digits>(__builtin_ia32_vpmadd52huq512_mask(
        reinterpret_cast<Mask>(sum), reinterpret_cast<Mask>(x), reinterpret_cast<Mask>(y), 255));
}
#endif
using Doubles = double __attribute__((vector_size(64)));
WARPINT_SIMD_INLINE Doubles joined(Digits x1, Digits x0) {
    return __builtin_convertvector(x1, Doubles) * 4503599627370496.0 +
           __builtin_convertvector(x0, Doubles);
}
WARPINT_SIMD_INLINE Digits approximate_root(Digits x1, Digits x0) {
    constexpr int current_rounding = 4;
#if defined(__clang__)
    const Doubles root = __builtin_ia32_sqrtpd512(joined(x1, x0), current_rounding);
#else
    const Doubles root =
        __builtin_ia32_sqrtpd512_mask(joined(x1, x0), Doubles{}, -1, current_rounding);
#endif
    return __builtin_convertvector(root, Digits);
}
WARPINT_SIMD_INLINE Digits approximate_root_digit(Digits x1, Digits x0, Digits d) {
    const Doubles divisor = __builtin_convertvector(d, Doubles);
    const Doubles q = joined(x1, x0) / divisor;
    return __builtin_convertvector(q - q * q / (divisor * 4503599627370496.0), Digits);
}
WARPINT_SIMD_INLINE Digits approximate_reciprocal(Digits d) {
    return __builtin_convertvector(
        20282409603651670423947251286016.0 / __builtin_convertvector(d, Doubles), Digits);
}
WARPINT_SIMD_INLINE Digits load_row(const std::uint32_t *p, unsigned which) {
    using Limbs = int __attribute__((vector_size(64)));
    return reinterpret_cast<Digits>(__builtin_ia32_loaddqusi512_mask(
        reinterpret_cast<const int *>(p), Limbs{}, static_cast<unsigned short>(which)));
}
WARPINT_SIMD_INLINE void store_row(std::uint32_t *p, Digits x, unsigned which) {
    using Limbs = int __attribute__((vector_size(64)));
    __builtin_ia32_storedqusi512_mask(reinterpret_cast<int *>(p), reinterpret_cast<Limbs>(x),
                                      static_cast<unsigned short>(which));
}
// By stores without a mask: what one with a mask has written is not forwarded to a load.
WARPINT_SIMD_INLINE void store_first(std::uint32_t *p, Digits x, int count) {
    if (count >= 2 * lanes) {
        __builtin_memcpy(p, &x, 64);
        return;
    }
    if ((count & 8) != 0) {
        __builtin_memcpy(p, &x, 32);
        p += 8;
        x = __builtin_shufflevector(x, x, 4, 5, 6, 7, 4, 5, 6, 7);
    }
    if ((count & 4) != 0) {
        __builtin_memcpy(p, &x, 16);
        p += 4;
        x = __builtin_shufflevector(x, x, 2, 3, 2, 3, 2, 3, 2, 3);
    }
    std::uint64_t last = x[0];
    if ((count & 2) != 0) {
        __builtin_memcpy(p, &last, 8);
        p += 2;
        last = x[1];
    }
    if ((count & 1) != 0) {
        const auto limb = static_cast<std::uint32_t>(last);
        __builtin_memcpy(p, &limb, 4);
    }
}
#if defined(__clang__)
WARPINT_SIMD_INLINE Digits shift_out_left(Digits x, Digits k) {
    return reinterpret_cast<Digits>(
        __builtin_ia32_psllv8di(reinterpret_cast<Mask>(x), reinterpret_cast<Mask>(k)));
}
WARPINT_SIMD_INLINE Digits shift_in(Digits x, Digits below) {
    return __builtin_shufflevector(below, x, 7, 8, 9, 10, 11, 12, 13, 14);
}
WARPINT_SIMD_INLINE Digits permuted(Digits low, Digits high, Digits index) {
    return reinterpret_cast<Digits>(__builtin_ia32_vpermi2varq512(
        reinterpret_cast<Mask>(low), reinterpret_cast<Mask>(index), reinterpret_cast<Mask>(high)));
}
#else
WARPINT_SIMD_INLINE Digits shift_out_left(Digits x, Digits k) {
    return reinterpret_cast<Digits>(__builtin_ia32_psllv8di_mask(
        reinterpret_cast<Mask>(x), reinterpret_cast<Mask>(k), Mask{}, 255));
}
WARPINT_SIMD_INLINE Digits shift_in(Digits x, Digits below) {
    const Mask high = reinterpret_cast<Mask>(x);
    return reinterpret_cast<Digits>(
        __builtin_ia32_alignq512_mask(high, reinterpret_cast<Mask>(below), 7, high, 255));
}
WARPINT_SIMD_INLINE Digits permuted(Digits low, Digits high, Digits index) {
    return __builtin_shuffle(low, high, index);
}
#endif
// 24 shuffles in registers: pairs of words, then the 16-byte units of a 4 x 4 block.
WARPINT_SIMD_INLINE void transpose(Digits *v) {
    Digits a[lanes];
    Digits b[lanes];
    WARPINT_SIMD_UNROLL
    for (int i = 0; i < lanes; i += 2) { // a[i]: even words of the rows i, i + 1; a[i + 1]: odd
        a[i] = __builtin_shufflevector(v[i], v[i + 1], 0, 8, 2, 10, 4, 12, 6, 14);
        a[i + 1] = __builtin_shufflevector(v[i], v[i + 1], 1, 9, 3, 11, 5, 13, 7, 15);
    }
    WARPINT_SIMD_UNROLL
    for (int i = 0; i < lanes; ++i) {
        if (i % 4 < 2) {
            b[i] = __builtin_shufflevector(a[i], a[i + 2], 0, 1, 2, 3, 8, 9, 10, 11);
            b[i + 2] = __builtin_shufflevector(a[i], a[i + 2], 4, 5, 6, 7, 12, 13, 14, 15);
        }
    }
    WARPINT_SIMD_UNROLL
    for (int i = 0; i < 2; ++i) {
        v[i] = __builtin_shufflevector(b[i], b[i + 4], 0, 1, 4, 5, 8, 9, 12, 13);
        v[i + 2] = __builtin_shufflevector(b[i], b[i + 4], 2, 3, 6, 7, 10, 11, 14, 15);
        v[i + 4] = __builtin_shufflevector(b[i + 2], b[i + 6], 0, 1, 4, 5, 8, 9, 12, 13);
        v[i + 6] = __builtin_shufflevector(b[i + 2], b[i + 6], 2, 3, 6, 7, 10, 11, 14, 15);
    }
}
using Half = long long __attribute__((vector_size(32)));
// Of a half in memory, g++ 12 makes two instructions from __builtin_shufflevector.
WARPINT_SIMD_INLINE Digits join_halves(Half low, Half high) {
#if defined(__clang__)
    return reinterpret_cast<Digits>(__builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7));
#else
    const Mask wide = __builtin_shufflevector(low, low, 0, 1, 2, 3, -1, -1, -1, -1);
    return reinterpret_cast<Digits>(__builtin_ia32_inserti64x4_mask(wide, high, 1, wide, 255));
#endif
}
// 16 shuffles: halves of two rows are put together as they are loaded, without one.
WARPINT_SIMD_INLINE void load_transposed(Digits *v, const char *at, std::size_t stride) {
    WARPINT_SIMD_UNROLL
    for (int half = 0; half < 2; ++half) {
        const char *const from = at + 32 * half;
        Digits a[lanes / 2];
        WARPINT_SIMD_UNROLL
        for (std::size_t i = 0; i < lanes / 2; ++i) { // the rows 0, 2; 1, 3; 4, 6; 5, 7
            const char *const row = from + (i / 2 * 4 + i % 2) * stride;
            Half low, high;
            __builtin_memcpy(&low, row, sizeof(Half));
            __builtin_memcpy(&high, row + 2 * stride, sizeof(Half));
            a[i] = join_halves(low, high);
        }
        Digits b[lanes / 2];
        WARPINT_SIMD_UNROLL
        for (int i = 0; i < lanes / 2; i += 2) {
            b[i] = __builtin_shufflevector(a[i], a[i + 1], 0, 8, 2, 10, 4, 12, 6, 14);
            b[i + 1] = __builtin_shufflevector(a[i], a[i + 1], 1, 9, 3, 11, 5, 13, 7, 15);
        }
        WARPINT_SIMD_UNROLL
        for (int i = 0; i < 2; ++i) {
            v[4 * half + i] = __builtin_shufflevector(b[i], b[i + 2], 0, 1, 4, 5, 8, 9, 12, 13);
            v[4 * half + i + 2] =
                __builtin_shufflevector(b[i], b[i + 2], 2, 3, 6, 7, 10, 11, 14, 15);
        }
    }
}

#endif

#if defined(WARPINT_SIMD_EMULATED)
inline Digits clean(const Digits &x) {
    return x & splat(digit_mask);
}
#else
WARPINT_SIMD_INLINE Digits clean(Digits x) {
    return x & splat(digit_mask);
}
#endif

} // namespace WARPINT_SIMD_MACHINE
} // namespace warpint::simd

#endif // WARPINT_SIMD
