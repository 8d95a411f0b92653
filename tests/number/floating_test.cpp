// SPDX-License-Identifier: Apache-2.0
// Explicit conversions between numbers and floating-point types. The references are stated over
// GMP's integers: a rounded value lies between its two neighbours, and the conversions that the
// compiler has for 64-bit integers give the same.

#include "support/oracle.h"
#include "support/property.h"

#include <warpint/bigint.h>

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <type_traits>

namespace {

using test::check_property;
using test::from_integer;
using test::Integer;
using test::is_signed_number;
using test::Operands;
using test::OperandSource;
using test::power_of_two;
using test::to_integer;
using test::Verdict;
using warpint::BigInt;
using warpint::SignedBigInt;

template <typename T>
constexpr int digits = std::numeric_limits<T>::digits;
template <typename T>
constexpr int words = (digits<T> + 31) / 32;
template <typename T>
constexpr int max_exponent = std::numeric_limits<T>::max_exponent;

/// |d| = significand 2^exponent with 2^(digits-1) <= significand < 2^digits; d finite, not 0.
struct Parts {
    Integer significand;
    int exponent;
};

template <typename T>
Parts split(T d) {
    int exponent = 0;
    T rest = std::ldexp(std::frexp(std::abs(d), &exponent), digits<T> - 32 * words<T>);
    std::uint32_t significand[words<T>];
    for (int i = words<T> - 1; i >= 0; --i) {
        rest = std::ldexp(rest, 32);
        significand[i] = static_cast<std::uint32_t>(rest);
        rest -= static_cast<T>(significand[i]);
    }
    return {test::unsigned_from_limbs(significand, words<T>), exponent - digits<T>};
}

/// A whole number of at most as many bits as T has digits; a >= 0.
template <typename T>
T from_whole(const Integer &a) {
    std::uint32_t significand[words<T>];
    test::to_limbs(significand, words<T>, a);
    T value = 0;
    for (int i = words<T> - 1; i >= 0; --i)
        value = std::ldexp(value, 32) + static_cast<T>(significand[i]);
    return value;
}

/// a 2^exponent, truncated toward zero; a >= 0.
Integer scaled_by(const Integer &a, int exponent) {
    return exponent >= 0 ? a << static_cast<std::size_t>(exponent)
                         : a >> static_cast<std::size_t>(-exponent);
}

/// d truncated toward zero; d finite.
template <typename T>
Integer truncated(T d) {
    if (d == 0)
        return Integer(0);
    const Parts parts = split(d);
    const Integer magnitude = scaled_by(parts.significand, parts.exponent);
    return d < 0 ? -magnitude : magnitude;
}

/// True if `rounded` is the value of T nearest to `value`, ties to even.
template <typename T>
bool is_nearest(T rounded, const Integer &value) {
    if (value.is_zero())
        return rounded == 0 && !std::signbit(rounded);
    if (std::signbit(rounded) != (value.sign() < 0))
        return false;
    const Integer magnitude = abs(value);
    if (std::isinf(rounded)) {
        return magnitude >=
               power_of_two(max_exponent<T>) - power_of_two(max_exponent<T> - digits<T> - 1);
    }
    if (rounded == 0)
        return false;
    // In units of 2^-unit, in which both neighbours are integers.
    constexpr int unit = digits<T> + 1;
    const Parts parts = split(rounded);
    const Integer &m = parts.significand;
    const Integer exact = magnitude << unit;
    const Integer at = scaled_by(m, parts.exponent + unit);
    const Integer above = scaled_by(m + 1, parts.exponent + unit);
    const Integer below = m == power_of_two(digits<T> - 1)
                              ? scaled_by(m + m - 1, parts.exponent + unit - 1)
                              : scaled_by(m - 1, parts.exponent + unit);
    const Integer distance = abs(exact - at);
    const Integer distance_above = above - exact;
    const Integer distance_below = exact - below;
    if (distance == distance_above || distance == distance_below)
        return !m.is_odd();
    return distance < distance_above && distance < distance_below;
}

/// A number near what rounding gets wrong: halves and their neighbours at a random length, with a
/// significand of T that may be all ones, near the largest value of T and near the number's ends.
template <typename Number, typename T>
Integer draw_number(OperandSource &source) {
    constexpr int bits = Number::bits;
    if (source.one_in(3)) {
        return is_signed_number<Number> ? source.signed_number(bits) : source.number(bits);
    }
    Integer magnitude = source.one_in(3) ? test::all_ones(digits<T>) : source.number(digits<T>);
    magnitude += magnitude + source.below(2); // the half
    const int shift = bits <= digits<T> ? 0
                      : source.one_in(4) && bits >= max_exponent<T>
                          ? max_exponent<T> - digits<T> - 1
                          : source.below(bits);
    magnitude = magnitude << static_cast<std::size_t>(shift);
    switch (source.below(4)) {
    case 0:
        magnitude += 1;
        break;
    case 1:
        magnitude = abs(magnitude - 1);
        break;
    case 2:
        magnitude += source.number(shift + 1);
        break;
    default:
        break;
    }
    return test::stored<Number>(source.one_in(2) ? magnitude : -magnitude);
}

template <typename Number, typename T>
void check_rounding() {
    check_property(
        "to floating", Number::bits, 1500,
        [](OperandSource &source) { return Operands{draw_number<Number, T>(source)}; },
        [](Verdict &verdict, const Operands &v) {
            const Number x = from_integer<Number>(test::stored<Number>(v[0]));
            const Integer value = to_integer(x);
            const T rounded = static_cast<T>(x);
            verdict.is_true("nearest, ties to even", is_nearest(rounded, value));
            if (test::fits_signed(value, 64)) {
                verdict.is_true("as std::int64_t",
                                rounded == static_cast<T>(static_cast<std::int64_t>(x)));
            }
            if (test::fits_unsigned(value, 64)) {
                verdict.is_true("as std::uint64_t",
                                rounded == static_cast<T>(static_cast<std::uint64_t>(x)));
            }
            // What T holds comes back, also from the rounded value where it fits.
            if (std::isinf(rounded))
                return;
            const Integer back = truncated(rounded);
            if (test::stored<Number>(back) == back)
                verdict.equal("Number(T(x))", to_integer(Number(rounded)), back);
            const Integer representable = abs(value);
            const int dropped = representable.bit_width() - digits<T>;
            if (dropped > 0) {
                const Integer kept = scaled_by(scaled_by(representable, -dropped), dropped);
                const Number y = from_integer<Number>(value.sign() < 0 ? -kept : kept);
                verdict.is_true("round trip", Number(static_cast<T>(y)) == y);
            } else {
                verdict.is_true("round trip of a short number", Number(rounded) == x);
            }
        });
}

/// What Number(d) gives, compared with truncation; out of range it throws.
template <typename Number, typename T>
void check_truncation_of(Verdict &verdict, T d) {
    if (std::isfinite(d)) {
        const Integer expected = truncated(d);
        if (test::stored<Number>(expected) == expected) {
            verdict.equal("Number(d)", to_integer(Number(d)), expected);
            if constexpr (std::is_same_v<T, double>) {
                Integer by_gmp;
                mpz_set_d(by_gmp.raw(), d);
                verdict.equal("mpz_set_d", to_integer(Number(d)), by_gmp);
            }
            return;
        }
    }
    bool thrown = false;
    try {
        static_cast<void>(Number(d));
    } catch (const std::domain_error &) {
        thrown = true;
    }
    verdict.is_true("out of range", thrown);
}

template <typename T>
void check_with_neighbours(Verdict &verdict, auto check, T d) {
    const T infinity = std::numeric_limits<T>::infinity();
    for (const T value : {d, std::nextafter(d, infinity), std::nextafter(d, -infinity)}) {
        check(verdict, value);
        check(verdict, -value);
    }
}

template <typename Number, typename T>
void check_truncation() {
    const auto check = [](Verdict &verdict, T d) { check_truncation_of<Number, T>(verdict, d); };
    check_property(
        "from floating", Number::bits, 1500,
        [](OperandSource &source) {
            return Operands{source.number(digits<T>), Integer(source.below(Number::bits + 8)),
                            Integer(source.below(2))};
        },
        [&](Verdict &verdict, const Operands &v) {
            // In [0, 2^(bits + 4)), with a fraction where it is short.
            const T m = from_whole<T>(v[0]);
            const int exponent = static_cast<int>(v[1].to_long()) - digits<T> - 4;
            const T d = std::ldexp(m, exponent);
            check(verdict, v[2].is_zero() ? d : -d);
        });
    Verdict verdict;
    using Limits = std::numeric_limits<T>;
    for (const T d : {T(0), T(0.5), T(1), T(1.5), T(2), Limits::min(), Limits::denorm_min(),
                      Limits::max(), Limits::infinity(), Limits::quiet_NaN()})
        check_with_neighbours(verdict, check, d);
    for (const int exponent : {Number::bits - 2, Number::bits - 1, Number::bits}) {
        const T power = std::ldexp(T(1), exponent);
        check_with_neighbours(verdict, check, power);
        check_with_neighbours(verdict, check, power + 1);
        check_with_neighbours(verdict, check, power - 1);
        check_with_neighbours(verdict, check, power + T(0.5));
        check_with_neighbours(verdict, check, power - T(0.5));
    }
    CHECK_MESSAGE(!verdict.failed(), Number::bits, " bits: ", verdict.message());
}

template <typename Number>
void check_type() {
    check_rounding<Number, float>();
    check_rounding<Number, double>();
    check_rounding<Number, long double>();
    check_truncation<Number, float>();
    check_truncation<Number, double>();
    check_truncation<Number, long double>();
}
template <int... Bits>
void check_widths() {
    (check_type<BigInt<Bits>>(), ...);
    (check_type<SignedBigInt<Bits>>(), ...);
}

// ---- in constant expressions --------------------------------------------------------------------

template <typename T>
constexpr bool holds_in_constant_expressions() {
    using Limits = std::numeric_limits<T>;
    constexpr auto one = BigInt<200>(1);
    constexpr auto odd = (one << digits<T>)+1; // halfway between two values, as odd + 2
    static_assert(static_cast<T>(odd) == static_cast<T>(odd - 1));
    static_assert(static_cast<T>(odd + 1) != static_cast<T>(odd));
    static_assert(static_cast<T>(odd + 2) == static_cast<T>(odd + 3));
    static_assert(static_cast<T>(-SignedBigInt<200>(odd)) == -static_cast<T>(odd));
    static_assert(BigInt<200>(static_cast<T>(one << 199)) == one << 199);
    static_assert(BigInt<64>(T(2.75)) == 2 && SignedBigInt<64>(T(-2.75)) == -2);
    static_assert(BigInt<64>(T(-0.75)) == 0 && SignedBigInt<1>(T(-1.5)) == -1);
    static_assert(
        BigInt<20000>(Limits::max()) ==
        (BigInt<20000>(1) << max_exponent<T>)-(BigInt<20000>(1) << (max_exponent<T> - digits<T>)));
    static_assert(static_cast<T>(BigInt<20000>(Limits::max())) == Limits::max());
    static_assert(static_cast<T>(BigInt<20000>(1) << max_exponent<T>) == Limits::infinity());
    return true;
}
static_assert(holds_in_constant_expressions<double>());
static_assert(holds_in_constant_expressions<long double>());

static_assert(static_cast<float>(~BigInt<127>(0)) == 0x1p127f);
static_assert(static_cast<float>(~BigInt<128>(0)) == std::numeric_limits<float>::infinity());
static_assert(static_cast<float>(SignedBigInt<129>(1) << 128) == // -2^128
              -std::numeric_limits<float>::infinity());
static_assert(BigInt<256>(1e20) == BigInt<256>(100000000) * 1000000000000u);

} // namespace

TEST_CASE("conversions to and from floating-point types: up to 64 bits") {
    check_widths<1, 8, 24, 33, 53, 64>();
}
TEST_CASE("conversions to and from floating-point types: up to 256 bits") {
    check_widths<65, 127, 128, 129, 256>();
}
TEST_CASE("conversions to and from floating-point types: wide numbers") {
    check_widths<521, 1024, 1025, 4096>();
}
