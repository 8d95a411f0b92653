// SPDX-License-Identifier: Apache-2.0
// Literals: exact constants without a width. What must not compile is in must_not_compile.cpp.

#include <warpint/constant_time.h>
#include <warpint/modular.h>
#include <warpint/number_theory.h>

#include <doctest/doctest.h>

#include <numeric>
#include <optional>
#include <sstream>
#include <type_traits>
#include <utility>

using namespace warpint;

namespace {

template <class Expected, class Value>
constexpr bool is_exactly(const Value &) {
    return std::is_same_v<Expected, Value>;
}

constexpr BigInt<8> narrow = 200;
constexpr BigInt<256> wide = 7;
constexpr SignedBigInt<64> negative = -7;

// The type: a value has one, however it is spelled.
static_assert(is_exactly<decltype(1000_bi)>(0x3e8_bi) &&
              is_exactly<decltype(1000_bi)>(0b11'1110'1000_bi));
static_assert(is_exactly<decltype(8_bi)>(010_bi) && is_exactly<decltype(8_bi)>(3_bi + 5_bi));
static_assert(is_exactly<decltype(0_bi)>(-0_bi) && is_exactly<decltype(0_bi)>(5_bi - 5_bi));
static_assert(is_exactly<decltype(-1_bi)>(0xffff'ffff_bi - 0x1'0000'0000_bi));
static_assert(std::is_empty_v<decltype(1000_bi)> &&
              std::is_trivially_copyable_v<decltype(1000_bi)>);

// Bits of the narrowest number that holds it.
static_assert((0_bi).bits == 1 && (1_bi).bits == 1 && (2_bi).bits == 2 && (255_bi).bits == 8 &&
              (256_bi).bits == 9);
static_assert((-1_bi).bits == 1 && (-2_bi).bits == 2 && (-128_bi).bits == 8 && (-129_bi).bits == 9);
static_assert((340282366920938463463374607431768211456_bi).bits == 129);
static_assert((-170141183460469231731687303715884105728_bi).bits == 128);

// To numbers that hold the value.
constexpr BigInt<9> exactly_wide_enough = 256_bi;
static_assert(exactly_wide_enough == 256);
constexpr SignedBigInt<8> lowest = -128_bi;
static_assert(lowest == -128);
static_assert(std::is_convertible_v<decltype(255_bi), BigInt<8>> &&
              !std::is_convertible_v<decltype(256_bi), BigInt<8>>);
static_assert(!std::is_constructible_v<BigInt<8>, decltype(256_bi)>);
static_assert(std::is_convertible_v<decltype(127_bi), SignedBigInt<8>> &&
              !std::is_convertible_v<decltype(128_bi), SignedBigInt<8>>);
static_assert(std::is_convertible_v<decltype(-128_bi), SignedBigInt<8>> &&
              !std::is_convertible_v<decltype(-129_bi), SignedBigInt<8>>);
static_assert(!std::is_constructible_v<BigInt<8>, decltype(-1_bi)> &&
              !std::is_constructible_v<BigInt<256>, decltype(-1_bi)>);
static_assert(static_cast<unsigned char>(255_bi) == 255 && static_cast<int>(-5_bi) == -5);
static_assert(!std::is_constructible_v<signed char, decltype(255_bi)> &&
              !std::is_convertible_v<decltype(255_bi), int>);

// Beside a number: as a built-in integer.
static_assert(is_exactly<BigInt<8>>(narrow + 1000_bi) && narrow + 1000_bi == narrow + 1000);
static_assert(is_exactly<BigInt<256>>(wide - 1000_bi) && wide - 1000_bi == wide - 1000);
static_assert(is_exactly<BigInt<8>>(1000_bi - narrow) && 1000_bi - narrow == 1000 - narrow);
static_assert(wide + -5_bi == 2 && (wide & 3_bi) == 3 && (wide | 8_bi) == 15 &&
              (0xff_bi ^ wide) == 0xf8);
static_assert(negative + 2_bi == -5 && is_exactly<SignedBigInt<64>>(negative + 2_bi));
// Exact products grow by the bits of the value.
static_assert(is_exactly<BigInt<18>>(narrow * 1000_bi) && narrow * 1000_bi == 200000);
static_assert(is_exactly<SignedBigInt<12>>(narrow * -5_bi) && narrow * -5_bi == -1000);
// A remainder has the divisor's width, a quotient the dividend's.
static_assert(is_exactly<BigInt<10>>(wide % 1000_bi) && is_exactly<BigInt<256>>(wide / 2_bi) &&
              wide / 2_bi == 3);
static_assert(is_exactly<BigInt<10>>(1000_bi / wide) && 1000_bi / wide == 142 &&
              1000_bi % wide == 6);
static_assert(negative % 5_bi == 3 && negative / 2_bi == -3);
static_assert((wide << 4_bi) == 112 && (wide >> 1000_bi) == 0);

// Comparisons are by value, also among literals and with built-in integers.
static_assert(wide == 7_bi && 7_bi == wide && wide < 0x1'0000'0000'0000'0000'0000'0000_bi &&
              -1_bi < wide);
static_assert(5_bi == 5 && 5 == 5_bi && 5_bi == 5u && -5_bi == -5 && -1_bi != 0xffff'ffffu &&
              5_bi != 6_bi);
static_assert(5_bi < 6 && 5_bi < 6_bi && -6_bi < -5_bi && 7_bi >= 7 && (5_bi <=> 6_bi) < 0);
static_assert(compare(5_bi, 6) == -1 && compare(wide, 7_bi) == 0 && compare(wide, negative) == 1);

// Literals of literals, exact.
static_assert(1000_bi + 100_bi == 1100 && 100_bi - 1000_bi == -900 &&
              -(1000_bi) * 1000_bi == -1000000);
static_assert(0xffff'ffff'ffff'ffff_bi + 1_bi == (BigInt<65>(1) << 64));
static_assert(0xffff'ffff'ffff'ffff_bi * 0xffff'ffff'ffff'ffff_bi ==
              (BigInt<128>(0) - 0x1'ffff'ffff'ffff'ffff_bi));
static_assert(-(-5_bi) == 5 && +5_bi == 5);

// What the library's functions make of them.
static_assert(gcd(wide * 6u, 14_bi) == 14 && min(wide, 5_bi) == 5 && max(5_bi, wide) == 7);
static_assert(pow(wide, 5_bi, 1000_bi) == 807 && mulmod(wide, 10_bi, 64_bi) == 6);
static_assert(*inverse(3_bi, BigInt<64>(7)) == 5 && mul_low(narrow, 3_bi) == 88 &&
              mul_high(narrow, 3_bi) == 2);
static_assert(add_overflow(narrow, 55_bi).value == 255 && !add_overflow(narrow, 55_bi).overflow &&
              add_overflow(narrow, 56_bi).overflow && !add_overflow(narrow, -200_bi).overflow);
static_assert(sub_overflow(narrow, 1000_bi).overflow && add_overflow(1000_bi, narrow).overflow &&
              add_overflow(narrow, 1000_bi).value == narrow + 1000 &&
              !sub_overflow(455_bi, narrow).overflow && sub_overflow(456_bi, narrow).overflow &&
              sub_overflow(negative, 0x1'0000'0000'0000'0000_bi).overflow);
static_assert(!mul_overflow(narrow, 1_bi).overflow && mul_overflow(2_bi, narrow).overflow &&
              add_carry(narrow, 56_bi).carry && sub_borrow(narrow, 201_bi).borrow);

BigInt<64> take(BigInt<64> x) {
    return x;
}
template <class T>
T plus_five(const T &x) {
    return x + 5_bi;
}

} // namespace

TEST_CASE("literals go where a number goes") {
    CHECK(take(1000_bi) == 1000);
    BigInt<64> x{};
    x = 1000_bi;
    x += 24_bi;
    x *= 2_bi;
    x <<= 1_bi;
    x %= 1000_bi;
    CHECK(x == 96);
    CHECK(plus_five(x) == 101); // clang++ 14 would call a consteval operator from a template
    CHECK([](const auto &y) { return y * 2_bi; }(x) == 192);
    CHECK(to_string(1000_bi) == "1000");
    CHECK(to_string(-0xff_bi, 16) == "-ff");
    std::ostringstream stream;
    stream << 1000_bi << ' ' << std::hex << std::showbase << 255_bi;
    CHECK(stream.str() == "1000 0xff");

    const Modulus<64> m(BigInt<64>(1009));
    CHECK((m(5_bi) * 1000_bi + 10_bi).value() == 5010 % 1009);
    CHECK(pow(m(2_bi), 100_bi).value() == pow(BigInt<64>(2), 100, BigInt<64>(1009)));
    using Field = StaticResidue<BigInt<255>(0) - 19>;
    CHECK((Field(5_bi) * 3_bi - 16_bi).value() == BigInt<255>(0) - 20);
    CHECK(select_ct(true, x, 5_bi) == 96);
    CHECK(less_ct(x, 97_bi));
    CHECK(mod_ct(x, 97_bi) == 96);
}

TEST_CASE("built-in integers alone, also beside the standard's functions") {
    static_assert(warpint::gcd(12, 18) == 6 && warpint::lcm(4u, -6) == 12);
    CHECK(std::is_same_v<decltype(warpint::gcd(12, 18)), BigInt<32>>);
    using namespace std;
    CHECK(gcd(12, 18) == 6);
    CHECK(lcm(4, 6) == 12);
    CHECK(gcd(BigInt<64>(12), 18) == 6);
    CHECK(min(BigInt<64>(12), BigInt<64>(18)) == 12);
    CHECK(max(BigInt<64>(12), 18) == 18);
    CHECK(abs(SignedBigInt<64>(-12)) == 12);
    CHECK(popcount(BigInt<64>(12)) == 2);
    CHECK(pow(BigInt<64>(2), 10) == 1024);
    BigInt<64> x = 1, y = 2;
    swap(x, y);
    CHECK(x == 2);
    SignedBigInt<4000> s = -1, t = 2;
    swap(s, t);
    CHECK((s == 2 && t == -1));
}

TEST_CASE("an Optional becomes a std::optional") {
    const std::optional<BigInt<64>> some = inverse(BigInt<64>(3), BigInt<64>(7));
    CHECK((some.has_value() && *some == 5));
    std::optional<BigInt<64>> none = inverse(BigInt<64>(3), BigInt<64>(6));
    CHECK(!none);
    none = inverse(BigInt<64>(5), BigInt<64>(7));
    CHECK(none == BigInt<64>(3));
    const std::optional<SignedBigInt<65>> wider = inverse(BigInt<64>(3), BigInt<64>(7));
    CHECK(wider.value() == 5);
    const Optional<BigInt<256>> padded = inverse(BigInt<64>(3), BigInt<64>(7));
    CHECK(padded.value() == 5);
    CHECK(!Optional<BigInt<256>>(inverse(BigInt<64>(3), BigInt<64>(6))));
    static_assert(!std::is_convertible_v<Optional<BigInt<64>>, std::optional<BigInt<63>>>);
    static_assert(!std::is_convertible_v<Optional<BigInt<64>>, BigInt<64>>);
    CHECK(static_cast<std::optional<BigInt<64>>>(Optional<BigInt<64>>(BigInt<64>(9))).value() == 9);
}
