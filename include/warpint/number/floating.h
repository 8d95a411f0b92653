// SPDX-License-Identifier: Apache-2.0
// Conversions between numbers and built-in floating-point types, without the mathematical library:
// additions, subtractions and scalings by powers of two that are all exact.
#pragma once

#include "words.h"

#include <cfloat>

#if WARPINT_CUDA // nvcc warns of long double here even where only host code uses it
#pragma nv_diagnostic push
#pragma nv_diag_suppress 20208
#endif

namespace warpint::number {

// A type's significant bits, and the least exponent e for which 2^e exceeds its range.
template <BuiltinFloating T>
struct floating_format {
    static constexpr int digits = DBL_MANT_DIG;
    static constexpr int max_exponent = DBL_MAX_EXP;
};
template <>
struct floating_format<float> {
    static constexpr int digits = FLT_MANT_DIG;
    static constexpr int max_exponent = FLT_MAX_EXP;
};
template <>
struct floating_format<long double> {
    static constexpr int digits = LDBL_MANT_DIG;
    static constexpr int max_exponent = LDBL_MAX_EXP;
};

// x 2^exponent, -max_exponent + 2 <= exponent; no overflow on input.
template <BuiltinFloating T>
WARPINT_HOST_DEVICE constexpr T scale(T x, int exponent) {
    for (; exponent >= 32; exponent -= 32)
        x *= T(4294967296);
    for (; exponent <= -32; exponent += 32)
        x *= 1 / T(4294967296);
    return exponent >= 0 ? x * static_cast<T>(std::uint64_t{1} << exponent)
                         : x / static_cast<T>(std::uint64_t{1} << -exponent);
}

// significand 2^exponent, rounded from a number of `width` bits; infinity beyond T's range.
template <BuiltinFloating T>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE T scale_or_overflow(T significand, int exponent,
                                                                 int width) {
    using Format = floating_format<T>;
    // Compared at the size of the significand, since 2^max_exponent does not exist.
    constexpr T one_more = scale<T>(1, Format::digits);
    const bool overflow =
        width > Format::max_exponent || (width == Format::max_exponent && significand == one_more);
    return overflow ? static_cast<T>(__builtin_huge_valf()) : scale(significand, exponent);
}

// |a| on hosts, from its highest four limbs and whether anything is below them.
template <BuiltinFloating T, int N>
constexpr T round_highest_limbs(const std::uint32_t *a, bool negative) {
    constexpr int digits = floating_format<T>::digits;
    static_assert(N >= 4 && digits <= 64);
    const std::uint32_t fill = negative ? 0xffffffffu : 0u;
    int top = N - 1; // above it |a| is 0, and in it where a goes on with its sign
    for (; top >= 8; top -= 8) {
        std::uint32_t others = a[top] ^ fill;
        for (int i = 1; i <= 8; ++i)
            others |= a[top - i] ^ fill;
        if (others != 0)
            break;
    }
    while (top > 3 && a[top] == fill && a[top - 1] == fill)
        --top;
    const int first = top > 3 ? top - 3 : 0;
    int zeros = 0;
    while (zeros < first && a[zeros] == 0)
        ++zeros;
    const bool has_more = zeros < first;
    const auto word = [a, fill](int i) {
        return std::uint64_t{a[i + 1] ^ fill} << 32 | (a[i] ^ fill);
    };
    std::uint64_t low = word(first);
    std::uint64_t high = word(first + 2);
    if (negative && !has_more) {
        ++low;
        high += low == 0;
    }
    int width = 32 * first + 128;
    if (high == 0) { // only where all of a is here
        high = low;
        low = 0;
        width -= 64;
    }
    if (high == 0)
        return 0;
    const int shift = limb::countl_zero(high);
    width -= shift;
    if (shift != 0) {
        high = high << shift | low >> (64 - shift);
        low <<= shift;
    }
    // Rounded to nearest, ties to even.
    constexpr int dropped = 64 - digits;
    const std::uint64_t significand = high >> dropped;
    std::uint64_t rest = low; // its top bit is the half
    if constexpr (dropped > 0)
        rest = high << digits | (low != 0);
    const bool above_half = rest << 1 != 0 || has_more;
    const bool round_up = rest >> 63 != 0 && (above_half || (significand & 1u) != 0);
    return scale_or_overflow(static_cast<T>(significand) + static_cast<T>(round_up), width - digits,
                             width);
}

template <BuiltinFloating T, int Bits, bool Signed>
WARPINT_HOST_DEVICE constexpr T to_floating(const std::uint32_t *a) {
    using Format = floating_format<T>;
    constexpr int n = limb_count<Bits>;
    if constexpr (Bits <= 64) { // the machine's own conversion
        const bool negative = Signed && (a[n - 1] >> 31) != 0;
        const auto low = to_builtin<std::uint64_t, Bits>(a, negative);
        return Signed ? static_cast<T>(static_cast<std::int64_t>(low)) : static_cast<T>(low);
    } else if constexpr (WARPINT_DEVICE_PASS == 0 && n >= 4 && Format::digits <= 64) {
        const bool negative = Signed && (a[n - 1] >> 31) != 0;
        const T magnitude = round_highest_limbs<T, n>(a, negative);
        return negative ? -magnitude : magnitude;
    } else {
        std::uint32_t x[n];
        arith::copy<n>(x, a);
        bool negative = false;
        if constexpr (Signed) {
            negative = (a[n - 1] >> 31) != 0;
            if (negative) {
                const std::uint32_t zero[n]{};
                limb::sub<n>(x, zero, a);
            }
        }

        // x = significand 2^dropped + rest, the rest rounded to nearest, ties to even.
        const int width = arith::bit_width<n>(x);
        const int dropped = width > Format::digits ? width - Format::digits : 0;
        bool round_up = false;
        if (dropped > 0) {
            const bool above_half = arith::countr_zero<n>(x) < dropped - 1;
            arith::shift_right<n>(x, x, dropped - 1);
            const bool half = (x[0] & 1u) != 0;
            arith::shift_right<n>(x, x, 1);
            round_up = half && (above_half || (x[0] & 1u) != 0);
        }
        T significand = 0;
        for (int i = (Format::digits - 1) / 32; i >= 0; --i)
            significand = significand * T(4294967296) + static_cast<T>(i < n ? x[i] : 0);
        if (round_up)
            significand += 1; // up to 2^digits, which is exact

        const T magnitude = scale_or_overflow(significand, dropped, width);
        return negative ? -magnitude : magnitude;
    }
}

// True if value, truncated toward zero, is a number of Bits bits; false for NaN.
template <int Bits, bool Signed, BuiltinFloating T>
WARPINT_HOST_DEVICE constexpr bool is_in_range(T value) {
    using Format = floating_format<T>;
    constexpr int exponent = Signed ? Bits - 1 : Bits; // the values are below 2^exponent
    constexpr bool all_fit = exponent >= Format::max_exponent;
    constexpr T largest = scale<T>(2 - scale<T>(1, 1 - Format::digits), Format::max_exponent - 1);
    if constexpr (all_fit) {
        return value <= largest && (Signed ? value >= -largest : value > -1);
    } else {
        constexpr T limit = scale<T>(1, exponent);
        if constexpr (!Signed) {
            return value > -1 && value < limit;
        } else if constexpr (exponent < Format::digits) { // limit + 1 is exact
            return value > -limit - 1 && value < limit;
        } else { // value has no fraction near the limit
            return value >= -limit && value < limit;
        }
    }
}

template <int Bits, bool Signed, BuiltinFloating T>
WARPINT_HOST_DEVICE constexpr void assign_floating(std::uint32_t *r, T value) {
    using Format = floating_format<T>;
    constexpr int n = limb_count<Bits>;
    constexpr int most = (Format::max_exponent + 31) / 32; // limbs of the largest finite value
    constexpr int used = n < most ? n : most;
    arith::set_zero<n>(r);
    if (!is_in_range<Bits, Signed>(value)) {
        report_domain_error("warpint: the floating-point value does not fit the number");
        return;
    }
    const bool negative = value < 0;
    T rest = negative ? -value : value;
    if (rest < 1)
        return; // also because the scaling of a tiny value would not be exact

    // Limb by limb from the top: rest 2^(32 i) is what is left of the value.
    int top = used - 1;
    if constexpr (WARPINT_DEVICE_PASS == 0) { // which is seldom the largest value's
        for (top = 0; rest >= T(4294967296); ++top)
            rest *= 1 / T(4294967296);
    } else {
        rest = scale(rest, -32 * top);
    }
    WARPINT_UNROLL(used, limb::chain_limbs)
    for (int i = top; i >= 0; --i) {
        r[i] = static_cast<std::uint32_t>(rest);
        rest = (rest - static_cast<T>(r[i])) * T(4294967296);
    }
    if constexpr (Signed) {
        if (negative) {
            const std::uint32_t zero[n]{};
            limb::sub<n>(r, zero, r);
            normalise<Bits, Signed>(r);
        }
    }
}

} // namespace warpint::number

#if WARPINT_CUDA
#pragma nv_diagnostic pop
#endif
