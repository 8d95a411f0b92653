// SPDX-License-Identifier: Apache-2.0
// add_carry, sub_borrow, the *_overflow functions, min, max, abs, mul_high and pow modulo 2^width:
// against the law in unbounded integers at many widths, with every mix of widths, signs and
// built-in operands, and exhaustively at the narrowest.

#include "support/oracle.h"
#include "support/property.h"

#include <warpint/bigint.h>

#include <doctest/doctest.h>

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace {

using test::check_property;
using test::from_integer;
using test::Integer;
using test::is_signed_number;
using test::Operands;
using test::OperandSource;
using test::store_signed;
using test::store_unsigned;
using test::to_integer;
using test::Verdict;
using warpint::BigInt;
using warpint::extract_bits; // for Clang 14, which does not find templates by their arguments
using warpint::SignedBigInt;

/// A result, and the type it has.
struct Outcome {
    Integer value;
    bool flag;
    int bits;
    bool is_signed;
};

template <typename Number>
Outcome outcome(const Number &value, bool flag = false) {
    return {to_integer(value), flag, Number::bits, is_signed_number<Number>};
}

/// mul_low and mul_high with a built-in operand: the halves of the product at the number's width.
template <typename A, typename Builtin>
void check_builtin_halves(long count) {
    constexpr int width = std::numeric_limits<Builtin>::digits + std::is_signed_v<Builtin>;
    const auto draw = [](OperandSource &source) -> Operands {
        return {is_signed_number<A> ? source.signed_number(A::bits) : source.number(A::bits),
                std::is_signed_v<Builtin> ? source.signed_number(width) : source.number(width)};
    };
    check_property(
        "halves of products", A::bits, count, draw, [](Verdict &verdict, const Operands &v) {
            const A a = from_integer<A>(v[0]);
            const Builtin b = std::is_signed_v<Builtin> ? static_cast<Builtin>(v[1].to_long())
                                                        : static_cast<Builtin>(v[1].to_uint64());
            static_assert(std::same_as<A, decltype(mul_low(a, b))>);
            static_assert(std::same_as<A, decltype(mul_high(a, b))>);
            static_assert(std::same_as<A, decltype(mul_low(b, a))>);
            static_assert(std::same_as<A, decltype(mul_high(b, a))>);
            const Integer low = test::stored<A>(v[0] * v[1]);
            const Integer high = test::stored<A>((v[0] * v[1]) >> std::size_t(A::bits));
            verdict.equal("mul_low(a, built-in)", to_integer(mul_low(a, b)), low);
            verdict.equal("mul_low(built-in, a)", to_integer(mul_low(b, a)), low);
            verdict.equal("mul_high(a, built-in)", to_integer(mul_high(a, b)), high);
            verdict.equal("mul_high(built-in, a)", to_integer(mul_high(b, a)), high);
        });
}

/// The results of all functions of two operands.
struct Outcomes {
    Outcome add_carry, sub_borrow, add_overflow, sub_overflow, mul_overflow, min, max;
};

template <typename A, typename B>
Outcomes compute(const A &a, const B &b, bool carry) {
    const auto sum = add_carry(a, b, carry);
    const auto difference = sub_borrow(a, b, carry);
    const auto exact_sum = add_overflow(a, b);
    const auto exact_difference = sub_overflow(a, b);
    const auto exact_product = mul_overflow(a, b);
    static_assert(std::same_as<decltype(sum.value), decltype(a + b)>);
    static_assert(std::same_as<decltype(exact_product.value), decltype(a + b)>);
    return {outcome(sum.value, sum.carry),
            outcome(difference.value, difference.borrow),
            outcome(exact_sum.value, exact_sum.overflow),
            outcome(exact_difference.value, exact_difference.overflow),
            outcome(exact_product.value, exact_product.overflow),
            outcome(min(a, b)),
            outcome(max(a, b))};
}

void judge_overflow(Verdict &verdict, const char *what, const Outcome &got, const Integer &exact) {
    const Integer kept =
        got.is_signed ? store_signed(exact, got.bits) : store_unsigned(exact, got.bits);
    verdict.equal(what, got.value, kept);
    verdict.equal((std::string(what) + " overflows").c_str(), Integer(got.flag),
                  Integer(kept != exact));
}

/// Compares with the law.
void judge(Verdict &verdict, const Outcomes &got, const Integer &a, const Integer &b, bool carry) {
    const int bits = got.add_carry.bits;
    const Integer x = store_unsigned(a, bits); // the bit patterns in the result's type
    const Integer y = store_unsigned(b, bits);
    const Integer sum = x + y + Integer(carry);
    const Integer difference = x - y - Integer(carry);
    verdict.equal("add_carry", store_unsigned(got.add_carry.value, bits),
                  store_unsigned(sum, bits));
    verdict.equal("carry", Integer(got.add_carry.flag), sum >> std::size_t(bits));
    verdict.equal("sub_borrow", store_unsigned(got.sub_borrow.value, bits),
                  store_unsigned(difference, bits));
    verdict.equal("borrow", Integer(got.sub_borrow.flag), Integer(difference.sign() < 0));
    for (const Outcome *result : {&got.add_carry, &got.sub_borrow, &got.min, &got.max}) {
        verdict.is_true("the unused top bits are right",
                        result->is_signed ? fits_signed(result->value, result->bits)
                                          : fits_unsigned(result->value, result->bits));
    }
    judge_overflow(verdict, "add_overflow", got.add_overflow, a + b);
    judge_overflow(verdict, "sub_overflow", got.sub_overflow, a - b);
    judge_overflow(verdict, "mul_overflow", got.mul_overflow, a * b);
    verdict.equal("min", got.min.value, a < b ? a : b);
    verdict.equal("max", got.max.value, a < b ? b : a);
}

Operands draw_operands(OperandSource &source, int bits_a, bool signed_a, int bits_b,
                       bool signed_b) {
    const Integer carry(source.below(2));
    if (source.one_in(2)) { // related bit patterns, read as signed where the type is
        const test::OperandPair pair = source.pair(bits_a, bits_b);
        return {signed_a ? store_signed(pair.a, bits_a) : pair.a,
                signed_b ? store_signed(pair.b, bits_b) : pair.b, carry};
    }
    return {signed_a ? source.signed_number(bits_a) : source.number(bits_a),
            signed_b ? source.signed_number(bits_b) : source.number(bits_b), carry};
}

template <typename A, typename B>
void check_pair(long count) {
    check_property(
        "functions of two numbers, the other of " + std::to_string(B::bits), A::bits, count,
        [](OperandSource &source) {
            return draw_operands(source, A::bits, is_signed_number<A>, B::bits,
                                 is_signed_number<B>);
        },
        [](Verdict &verdict, const Operands &v) {
            const bool carry = v[2].is_odd();
            judge(verdict, compute(from_integer<A>(v[0]), from_integer<B>(v[1]), carry), v[0], v[1],
                  carry);
        });
}

template <int... Widths, typename Check>
void for_widths(Check check) {
    (check.template operator()<Widths>(), ...);
}

/// A number with a built-in integer, on either side.
template <typename A, typename Builtin>
void check_builtin(long count) {
    constexpr int bits = std::is_same_v<Builtin, bool> ? 1 : static_cast<int>(sizeof(Builtin) * 8);
    check_property(
        "functions with a built-in integer of " + std::to_string(bits), A::bits, count,
        [](OperandSource &source) {
            return draw_operands(source, A::bits, is_signed_number<A>, bits,
                                 std::is_signed_v<Builtin>);
        },
        [](Verdict &verdict, const Operands &v) {
            const A a = from_integer<A>(v[0]);
            const Builtin b = std::is_signed_v<Builtin> ? static_cast<Builtin>(v[1].to_long())
                                                        : static_cast<Builtin>(v[1].to_uint64());
            const bool carry = v[2].is_odd();
            judge(verdict, compute(a, b, carry), v[0], v[1], carry);
            judge(verdict, compute(b, a, carry), v[1], v[0], carry);
        });
}

// ---- exhaustive -----------------------------------------------------------------------------

template <typename Number>
constexpr long smallest = is_signed_number<Number> ? -(1l << (Number::bits - 1)) : 0;
template <typename Number>
constexpr long largest = smallest<Number> + (1l << Number::bits) - 1;

/// The number in [-2^k, 2^k) or [0, 2^k) that wraps to the same bits.
template <typename Number>
constexpr long wrapped(long value) {
    const long pattern = value & ((1l << Number::bits) - 1);
    return pattern > largest<Number> ? pattern - (1l << Number::bits) : pattern;
}

template <typename Number>
constexpr bool holds_value(const Number &x, long value) {
    return static_cast<long>(x) == value;
}

/// The number of wrong results for one pair; plain integer arithmetic is the judge.
template <typename A, typename B>
int faults(const A &a, const B &b, long x, long y) {
    using R = decltype(a + b);
    constexpr long mask = (1l << R::bits) - 1;
    int wrong = 0;
    for (int carry = 0; carry < 2; ++carry) {
        const auto sum = add_carry(a, b, carry != 0);
        const long pattern_sum = (x & mask) + (y & mask) + carry;
        wrong += !holds_value(sum.value, wrapped<R>(pattern_sum));
        wrong += sum.carry != (pattern_sum > mask);
        const auto difference = sub_borrow(a, b, carry != 0);
        const long pattern_difference = (x & mask) - (y & mask) - carry;
        wrong += !holds_value(difference.value, wrapped<R>(pattern_difference));
        wrong += difference.borrow != (pattern_difference < 0);
    }
    const auto check = [&wrong](const auto &result, long exact) {
        wrong += !holds_value(result.value, wrapped<R>(exact));
        wrong += result.overflow != (exact < smallest<R> || exact > largest<R>);
    };
    check(add_overflow(a, b), x + y);
    check(sub_overflow(a, b), x - y);
    check(mul_overflow(a, b), x * y);
    wrong += !holds_value(min(a, b), std::min(x, y));
    wrong += !holds_value(max(a, b), std::max(x, y));
    return wrong;
}

template <typename A, typename B>
void exhaust_pair() {
    CAPTURE(A::bits);
    CAPTURE(B::bits);
    long wrong = 0;
    for (long x = smallest<A>; x <= largest<A>; ++x) {
        for (long y = smallest<B>; y <= largest<B>; ++y)
            wrong += faults(A(x), B(y), x, y);
    }
    CHECK(wrong == 0);
}

template <typename A, typename Builtin>
void exhaust_builtin() {
    CAPTURE(A::bits);
    CAPTURE(sizeof(Builtin));
    long wrong = 0;
    for (long x = smallest<A>; x <= largest<A>; ++x) {
        for (long y = std::numeric_limits<Builtin>::min(); y <= std::numeric_limits<Builtin>::max();
             ++y) {
            wrong += faults(A(x), static_cast<Builtin>(y), x, y);
            wrong += faults(static_cast<Builtin>(y), A(x), y, x);
        }
    }
    CHECK(wrong == 0);
}

template <typename A>
void check_abs(long count) {
    check_property(
        "abs", A::bits, count,
        [](OperandSource &source) -> Operands {
            return {is_signed_number<A> ? source.signed_number(A::bits) : source.number(A::bits)};
        },
        [](Verdict &verdict, const Operands &v) {
            const auto result = abs(from_integer<A>(v[0]));
            static_assert(std::same_as<std::remove_const_t<decltype(result)>, BigInt<A::bits>>);
            verdict.equal("abs", to_integer(result), abs(v[0]));
        });
}

template <typename Expected, typename T>
concept is_exactly = std::same_as<Expected, std::remove_cvref_t<T>>;

} // namespace

TEST_CASE("functions of two numbers, same type, against the law") {
    for_widths<1, 7, 31, 32, 33, 64, 96, 131, 256, 521, 2048>([]<int N>() {
        check_pair<BigInt<N>, BigInt<N>>(N > 1000 ? 2000 : 8000);
        check_pair<SignedBigInt<N>, SignedBigInt<N>>(N > 1000 ? 2000 : 8000);
    });
}

TEST_CASE("functions of two numbers, mixed widths and signs, against the law") {
    check_pair<BigInt<1>, SignedBigInt<1>>(8000);
    check_pair<SignedBigInt<1>, BigInt<7>>(8000);
    check_pair<BigInt<33>, SignedBigInt<31>>(8000);
    check_pair<SignedBigInt<33>, BigInt<31>>(8000);
    check_pair<SignedBigInt<32>, BigInt<33>>(8000);
    check_pair<BigInt<64>, SignedBigInt<64>>(8000);
    check_pair<SignedBigInt<64>, BigInt<64>>(8000);
    check_pair<SignedBigInt<96>, BigInt<7>>(8000);
    check_pair<SignedBigInt<131>, BigInt<131>>(8000);
    check_pair<BigInt<256>, SignedBigInt<131>>(8000);
    check_pair<SignedBigInt<521>, BigInt<256>>(8000);
    check_pair<BigInt<521>, BigInt<2048>>(4000);
}

TEST_CASE("functions with built-in integers, against the law") {
    check_builtin<BigInt<7>, std::int64_t>(8000);
    check_builtin<SignedBigInt<1>, std::uint64_t>(8000);
    check_builtin<BigInt<1>, std::uint64_t>(8000);
    check_builtin<SignedBigInt<33>, unsigned>(8000);
    check_builtin<BigInt<64>, std::int64_t>(8000);
    check_builtin<SignedBigInt<64>, std::uint64_t>(8000);
    check_builtin<BigInt<131>, int>(8000);
    check_builtin<SignedBigInt<521>, bool>(8000);
}

TEST_CASE("halves of products with built-in integers, against the law") {
    check_builtin_halves<BigInt<1>, std::uint64_t>(2000);
    check_builtin_halves<BigInt<7>, std::int64_t>(4000);
    check_builtin_halves<SignedBigInt<33>, unsigned>(4000);
    check_builtin_halves<SignedBigInt<64>, std::int64_t>(4000);
    check_builtin_halves<BigInt<64>, std::uint64_t>(4000);
    check_builtin_halves<BigInt<131>, int>(4000);
    check_builtin_halves<BigInt<256>, unsigned char>(4000);
    check_builtin_halves<SignedBigInt<521>, bool>(4000);
    check_builtin_halves<BigInt<2048>, std::int64_t>(1000);
}

TEST_CASE("functions of two numbers, all operands and carries of few bits") {
    const auto with = []<typename A>() {
        exhaust_pair<A, BigInt<5>>();
        exhaust_pair<A, SignedBigInt<5>>();
        exhaust_pair<A, BigInt<6>>();
        exhaust_pair<A, SignedBigInt<6>>();
    };
    with.operator()<BigInt<5>>();
    with.operator()<SignedBigInt<5>>();
    with.operator()<BigInt<6>>();
    with.operator()<SignedBigInt<6>>();
    exhaust_pair<BigInt<7>, BigInt<7>>();
    exhaust_pair<SignedBigInt<7>, SignedBigInt<7>>();
    exhaust_pair<BigInt<7>, SignedBigInt<7>>();
    exhaust_pair<SignedBigInt<7>, BigInt<6>>();
    exhaust_pair<BigInt<1>, SignedBigInt<1>>();
    exhaust_builtin<BigInt<5>, std::int8_t>();
    exhaust_builtin<SignedBigInt<5>, std::uint8_t>();
    exhaust_builtin<BigInt<1>, std::int16_t>();
    exhaust_builtin<SignedBigInt<1>, std::uint16_t>();
    exhaust_builtin<SignedBigInt<7>, bool>();
}

TEST_CASE("a number of several words, added and subtracted word by word") {
    check_property(
        "words of 96 bits", 384, 4000,
        [](OperandSource &source) -> Operands {
            const test::OperandPair pair = source.pair(384, 384);
            return {pair.a, pair.b};
        },
        [](Verdict &verdict, const Operands &v) {
            const auto a = from_integer<BigInt<384>>(v[0]);
            const auto b = from_integer<BigInt<384>>(v[1]);
            BigInt<384> sum = 0, difference = 0;
            bool carry = false, borrow = false;
            for (int position = 0; position < 384; position += 96) {
                const auto x = extract_bits<96>(a, position);
                const auto y = extract_bits<96>(b, position);
                const auto upper = add_carry(x, y, carry);
                const auto lower = sub_borrow(x, y, borrow);
                sum = insert_bits(sum, upper.value, position, 96);
                difference = insert_bits(difference, lower.value, position, 96);
                carry = upper.carry;
                borrow = lower.borrow;
            }
            verdict.is_true("a + b", sum == a + b && carry == (a + b < a));
            verdict.is_true("a - b", difference == a - b && borrow == (a < b));
        });
}

TEST_CASE("abs, against the law") {
    for_widths<1, 7, 32, 33, 131, 2048>([]<int N>() {
        check_abs<BigInt<N>>(1000);
        check_abs<SignedBigInt<N>>(1000);
        const auto lowest = std::numeric_limits<SignedBigInt<N>>::min();
        CHECK(to_integer(abs(lowest)) == test::power_of_two(N - 1));
    });
}

TEST_CASE("results may be stored in an operand") {
    BigInt<131> a = 7, b = 5;
    a = min(a, b);
    CHECK(a == 5);
    a = add_carry(a, a, true).value;
    CHECK(a == 11);
    a = sub_borrow(b, a, true).value;
    CHECK(a == BigInt<131>(0) - 7);
    SignedBigInt<131> c = -9;
    c = max(c, c);
    c = mul_overflow(c, c).value;
    CHECK(c == 81);
}

/// a^e modulo 2^Bits.
template <typename A, int E>
void check_powers() {
    check_property(
        "pow modulo 2^width", A::bits, A::bits > 2048 ? 10 : 60,
        [](OperandSource &source) {
            Operands v = draw_operands(source, A::bits, is_signed_number<A>, E, false);
            if (source.one_in(4))
                v[1] = Integer(source.below(4));
            return v;
        },
        [](Verdict &verdict, const Operands &v) {
            const A a = from_integer<A>(v[0]);
            const BigInt<E> e = from_integer<BigInt<E>>(v[1]);
            const Integer expected = test::stored<A>(test::power_modulo(
                store_unsigned(v[0], A::bits), v[1], test::power_of_two(A::bits)));
            verdict.equal("pow", to_integer(pow(a, e)), expected);
            verdict.equal("pow, signed exponent", to_integer(pow(a, SignedBigInt<E + 1>(e))),
                          expected);
        });
}

TEST_CASE("pow modulo 2^width") {
    check_powers<BigInt<1>, 7>();
    check_powers<SignedBigInt<31>, 64>();
    check_powers<BigInt<64>, 64>();
    check_powers<BigInt<131>, 131>();
    check_powers<SignedBigInt<256>, 33>();
    check_powers<BigInt<2048>, 40>();
    check_powers<BigInt<4099>, 12>();
    static_assert(pow(BigInt<100>(3), 40) == 12157665459056928801u);
    static_assert(pow(SignedBigInt<8>(-2), 7) == -128);
    static_assert(pow(BigInt<8>(2), 8u) == 0);
    static_assert(pow(BigInt<8>(0), 0) == 1);
    CHECK_THROWS_AS(static_cast<void>(pow(BigInt<64>(3), -1)), std::domain_error);
}

TEST_CASE("types, constant expressions and names") {
    static_assert(is_exactly<BigInt<64>, decltype(min(BigInt<64>(), BigInt<64>()))>);
    static_assert(
        is_exactly<SignedBigInt<64>, decltype(max(SignedBigInt<64>(), SignedBigInt<64>()))>);
    static_assert(is_exactly<BigInt<64>, decltype(max(BigInt<64>(), BigInt<33>()))>);
    static_assert(is_exactly<SignedBigInt<65>, decltype(min(BigInt<64>(), SignedBigInt<33>()))>);
    static_assert(is_exactly<SignedBigInt<65>, decltype(min(BigInt<64>(), 5))>);
    static_assert(is_exactly<BigInt<64>, decltype(min(5u, BigInt<64>()))>);
    static_assert(
        !std::invocable<decltype([](auto a) -> decltype(min(a, 1.5)) { return {}; }), BigInt<64>>);

    static_assert(add_carry(BigInt<33>(-1), BigInt<33>(1)).carry);
    static_assert(add_carry(BigInt<33>(-1), 0, true).value == 0);
    static_assert(sub_borrow(BigInt<100>(), BigInt<100>(1)).borrow);
    static_assert(add_overflow(SignedBigInt<8>(127), 1).overflow);
    static_assert(!add_overflow(SignedBigInt<8>(127), -1).overflow);
    static_assert(sub_overflow(BigInt<8>(3), 4).overflow);
    static_assert(mul_overflow(BigInt<100>(1) << 50, BigInt<100>(1) << 50).overflow);
    static_assert(abs(SignedBigInt<8>(-128)) == 128);
    static_assert(max(SignedBigInt<8>(-1), BigInt<8>(0)) == 0);
}

// `using namespace` of both libraries: their functions of the same names live side by side.
namespace both {

using namespace std;
using namespace warpint;

TEST_CASE("warpint beside std") {
    const BigInt<100> x = 3;
    const SignedBigInt<50> y = -4;
    CHECK(min(x, x + 1) == 3);
    CHECK(max(x, y) == 3);
    CHECK(min(x, 2) == 2);
    CHECK(abs(y) == 4);
    CHECK(abs(-4) == 4);
    CHECK(min(4, 3) == 3);
    CHECK(max(4.0, 3.0) == 4.0);
    CHECK(min(string("a"), string("b")) == "a");
    CHECK(min({x, x - 1, x + 1}) == 2);
    CHECK(std::min(x, x - 1) == 2);
    CHECK(std::clamp(x, x - 2, x - 1) == 2);
    static_assert(is_exactly<BigInt<100>, decltype(min(x, x))>);
}

} // namespace both
