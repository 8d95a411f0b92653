// SPDX-License-Identifier: Apache-2.0
// Single-limb arithmetic with carries, for any unsigned limb type (8, 16, 32 or 64 bits).
// All functions are constexpr and run in constant time unless they say otherwise.
#pragma once

#include "assert.h"

namespace warpint::limb {

#if WARPINT_X86_64
namespace detail {

// The processor's own addition and subtraction with carry, by the compiler's names for them:
// <immintrin.h>, which declares functions for them, is ten times as long as this library.
WARPINT_INLINE unsigned char add_word(unsigned char carry, std::uint64_t a, std::uint64_t b,
                                      unsigned long long *sum) {
    return __builtin_ia32_addcarryx_u64(carry, a, b, sum);
}
WARPINT_INLINE unsigned char subtract_word(unsigned char borrow, std::uint64_t a, std::uint64_t b,
                                           unsigned long long *difference) {
#if defined(__clang__)
    return __builtin_ia32_subborrow_u64(borrow, a, b, difference);
#else
    return __builtin_ia32_sbb_u64(borrow, a, b, difference);
#endif
}

} // namespace detail
#endif

// Returns the low limb of a + b + carry; carry (0 or 1) becomes the carry out.
template <class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE Limb add_carry(Limb a, Limb b, Limb &carry) {
#if WARPINT_X86_64
    if constexpr (sizeof(Limb) == 8) {
        if (!__builtin_is_constant_evaluated()) {
            unsigned long long sum = 0;
            carry = detail::add_word(static_cast<unsigned char>(carry), a, b, &sum);
            return static_cast<Limb>(sum);
        }
    }
#endif
    const Limb partial = static_cast<Limb>(a + b);
    const Limb sum = static_cast<Limb>(partial + carry);
    carry = static_cast<Limb>((partial < a) | (sum < partial));
    return sum;
}

// Returns the low limb of a - b - borrow; borrow (0 or 1) becomes the borrow out.
template <class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE Limb sub_borrow(Limb a, Limb b, Limb &borrow) {
#if WARPINT_X86_64
    if constexpr (sizeof(Limb) == 8) {
        if (!__builtin_is_constant_evaluated()) {
            unsigned long long difference = 0;
            borrow = detail::subtract_word(static_cast<unsigned char>(borrow), a, b, &difference);
            return static_cast<Limb>(difference);
        }
    }
#endif
    const Limb partial = static_cast<Limb>(a - b);
    const Limb difference = static_cast<Limb>(partial - borrow);
    borrow = static_cast<Limb>((a < b) | (partial < borrow));
    return difference;
}

// Returns the low limb of a * b + addend + carry and leaves the high limb in carry. The sum always
// fits two limbs: (B-1)^2 + 2 (B-1) = B^2 - 1.
template <class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE Limb multiply_add(Limb a, Limb b, Limb addend,
                                                               Limb &carry) {
    using Wide = double_limb_t<Limb>;
    const Wide wide = static_cast<Wide>(static_cast<Wide>(a) * b + addend + carry);
    carry = static_cast<Limb>(wide >> limb_bits<Limb>);
    return static_cast<Limb>(wide);
}

template <class Limb>
struct QuotientRemainder {
    Limb quotient;
    Limb remainder;
};

// Divides high * B + low by divisor. On input: high < divisor, so the quotient fits one limb.
// Variable time.
template <class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE QuotientRemainder<Limb>
divide_2by1(Limb high, Limb low, Limb divisor) {
    using Wide = double_limb_t<Limb>;
    WARPINT_ASSERT(high < divisor);
#if WARPINT_X86_64
    if constexpr (sizeof(Limb) == 8) {
        if (!__builtin_is_constant_evaluated()) {
            Limb quotient, remainder;
            asm volatile("divq %4"
                         : "=a"(quotient), "=d"(remainder)
                         : "0"(low), "1"(high), "rm"(divisor)
                         : "cc");
            return {quotient, remainder};
        }
    }
#endif
    const Wide wide = static_cast<Wide>((static_cast<Wide>(high) << limb_bits<Limb>) | low);
    return {static_cast<Limb>(wide / divisor), static_cast<Limb>(wide % divisor)};
}

// The upper limb of (high : low) << shift, 0 <= shift < limb width.
template <class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE Limb funnel_left(Limb high, Limb low, int shift) {
#if WARPINT_DEVICE_PASS
    if constexpr (sizeof(Limb) == 4) {
        if (!__builtin_is_constant_evaluated())
            return __funnelshift_l(low, high, static_cast<unsigned>(shift));
    }
#endif
    return shift == 0 ? high
                      : static_cast<Limb>((high << shift) | (low >> (limb_bits<Limb> - shift)));
}

// The lower limb of (high : low) >> shift, 0 <= shift < limb width.
template <class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE Limb funnel_right(Limb high, Limb low, int shift) {
#if WARPINT_DEVICE_PASS
    if constexpr (sizeof(Limb) == 4) {
        if (!__builtin_is_constant_evaluated())
            return __funnelshift_r(low, high, static_cast<unsigned>(shift));
    }
#endif
    return shift == 0 ? low
                      : static_cast<Limb>((low >> shift) | (high << (limb_bits<Limb> - shift)));
}

// Number of leading zero bits; the limb's width for 0.
template <class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE int countl_zero(Limb x) {
#if WARPINT_DEVICE_PASS
    if (!__builtin_is_constant_evaluated()) {
        if constexpr (sizeof(Limb) == 8)
            return __clzll(static_cast<long long>(x));
        return __clz(static_cast<int>(x)) - (32 - limb_bits<Limb>);
    }
#elif defined(__GNUC__)
    if constexpr (sizeof(Limb) == 8) {
#if WARPINT_X86_64 && !defined(__LZCNT__)
        // BSR waits for what its target register held before; compilers do not clear it first, so
        // that elements of a loop may wait for each other.
        if (!__builtin_is_constant_evaluated() && !__builtin_constant_p(x)) {
            std::uint64_t position = 0;
            asm("bsrq %1, %0" : "+r"(position) : "r"(static_cast<std::uint64_t>(x)) : "cc");
            return x == 0 ? 64 : 63 - static_cast<int>(position);
        }
#endif
        return x == 0 ? 64 : __builtin_clzll(x);
    }
    if constexpr (sizeof(Limb) == 4)
        return x == 0 ? 32 : __builtin_clz(x);
#endif
    int zeros = 0;
    for (int shift = limb_bits<Limb> / 2; shift > 0; shift /= 2) {
        if ((x >> (limb_bits<Limb> - shift)) == 0) {
            zeros += shift;
            x = static_cast<Limb>(x << shift);
        }
    }
    return x == 0 ? limb_bits<Limb> : zeros;
}

// Number of trailing zero bits; the limb's width for 0.
template <class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE int countr_zero(Limb x) {
#if WARPINT_DEVICE_PASS
    if (!__builtin_is_constant_evaluated()) {
        if (x == 0)
            return limb_bits<Limb>;
        if constexpr (sizeof(Limb) == 8)
            return __ffsll(static_cast<long long>(x)) - 1;
        return __ffs(static_cast<int>(x)) - 1;
    }
#endif
    return x == 0 ? limb_bits<Limb>
                  : limb_bits<Limb> - 1 - countl_zero(static_cast<Limb>(x & (~x + 1u)));
}

template <class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE int popcount(Limb x) {
#if WARPINT_DEVICE_PASS
    if (!__builtin_is_constant_evaluated()) {
        if constexpr (sizeof(Limb) == 8)
            return __popcll(x);
        return __popc(static_cast<unsigned>(x));
    }
#endif
    // Sums of 1, 2, 4 and 8 bits side by side (H. S. Warren, Hacker's Delight, 5-1), which
    // compilers make one instruction of where there is one. Without it std::popcount is a call.
    using Word = std::conditional_t<(sizeof(Limb) > 4), std::uint64_t, std::uint32_t>;
    constexpr Word ones = static_cast<Word>(~Word{0}) / 255; // of each byte
    Word sum = x;
    sum -= (sum >> 1) & (ones * 0x55);
    sum = (sum & (ones * 0x33)) + ((sum >> 2) & (ones * 0x33));
    sum = (sum + (sum >> 4)) & (ones * 0x0f);
    return static_cast<int>((sum * ones) >> (limb_bits<Word> - 8));
}

// -m^-1 modulo B for odd m, by Newton's iteration x <- x (2 - m x), which doubles the number of
// right bits each time; (3 m) ^ 2 starts with five (Montgomery's trick, see Hurchalla 2022,
// arXiv:2204.04342).
template <class Limb>
WARPINT_HOST_DEVICE constexpr Limb negative_inverse(Limb m) {
    Limb x = static_cast<Limb>((3u * m) ^ 2u);
    for (int right = 5; right < limb_bits<Limb>; right *= 2) {
        x = static_cast<Limb>(1u * x * static_cast<Limb>(2u - static_cast<Limb>(1u * m * x)));
    }
    return static_cast<Limb>(0u - x);
}

} // namespace warpint::limb
