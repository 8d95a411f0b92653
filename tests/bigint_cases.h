// Properties of BigInt<N> and SignedBigInt<N>, templates over the width, instantiated by
// bigint_small_test.cpp, bigint_medium_test.cpp, bigint_curve_test.cpp, bigint_large_test.cpp and
// (the wide ones with properties of their own) bigint_wide_test.cpp.
//
// Every result is compared with the law: the exact value in unbounded integers (test::Integer),
// stored in the result's type. The result's type is checked at compile time.
#pragma once

#include "support/oracle.h"
#include "support/property.h"

#include <warpint/bigint.h>

#include <algorithm>
#include <bit>
#include <compare>
#include <concepts>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <vector>

namespace bigint_cases {

using test::check_property;
using test::from_integer;
using test::Integer;
using test::is_signed_number;
using test::Operands;
using test::OperandSource;
using test::store_signed;
using test::store_unsigned;
using test::stored;
using test::to_integer;
using test::Verdict;
using warpint::BigInt;
using warpint::SignedBigInt;

/// A list of widths known at compile time; `for_each` calls f.template operator()<width>().
template <int... Widths>
struct WidthList {
    template <typename Function>
    static void for_each(Function f) {
        (f.template operator()<Widths>(), ...);
    }
};

/// Draws operands for number types A, B: each unsigned or signed, of any width.
template <typename A, typename B>
Operands draw_pair(OperandSource &source) {
    if constexpr (!is_signed_number<A> && !is_signed_number<B>) {
        test::OperandPair pair = source.pair(A::bits, B::bits);
        return {pair.a, pair.b};
    } else {
        if (source.one_in(2)) { // related bit patterns, read as signed where the type is
            test::OperandPair pair = source.pair(A::bits, B::bits);
            return {stored<A>(pair.a), stored<B>(pair.b)};
        }
        Integer a = is_signed_number<A> ? source.signed_number(A::bits) : source.number(A::bits);
        return {a, is_signed_number<B> ? source.signed_number(B::bits) : source.number(B::bits)};
    }
}

/// Draws a dividend of type A and a divisor of type B (which may be 0 after shrinking only).
template <typename A, typename B>
Operands draw_division(OperandSource &source) {
    test::DivisionPair d = source.division_pair(A::bits, B::bits);
    Integer dividend =
        is_signed_number<A> ? stored<A>(source.one_in(2) ? -d.dividend : d.dividend) : d.dividend;
    Integer divisor =
        is_signed_number<B> ? stored<B>(source.one_in(2) ? -d.divisor : d.divisor) : d.divisor;
    if (is_signed_number<A> && source.one_in(8)) {
        dividend = source.signed_number(A::bits);
    }
    if (is_signed_number<B> && source.one_in(8)) {
        divisor = source.signed_number(B::bits);
    }
    return {dividend, divisor.is_zero() ? stored<B>(Integer(1)) : divisor};
}

/// The law for `result`, whatever its type: it holds the stored exact value.
template <typename Result>
void holds(Verdict &verdict, const char *what, const Result &result, const Integer &exact) {
    verdict.equal(what, to_integer(result), stored<Result>(exact));
}

// ---- + - * & | ^ ~ and compound assignment ---------------------------------------------------

template <typename A, typename B>
void check_ring(const char *name, long count) {
    check_property(name, A::bits, count, draw_pair<A, B>, [](Verdict &verdict, const Operands &v) {
        const A a = from_integer<A>(v[0]);
        const B b = from_integer<B>(v[1]);
        constexpr int wider = std::max(A::bits, B::bits);
        static_assert(decltype(a + b)::bits == wider && decltype(a - b)::bits == wider);
        static_assert(decltype(a & b)::bits == wider && decltype(a | b)::bits == wider);
        static_assert(decltype(a ^ b)::bits == wider && decltype(~a)::bits == A::bits);
        static_assert(decltype(a * b)::bits == A::bits + B::bits);
        static_assert(is_signed_number<decltype(a * b)> ==
                      (is_signed_number<A> || is_signed_number<B>));
        holds(verdict, "a + b", a + b, v[0] + v[1]);
        holds(verdict, "a - b", a - b, v[0] - v[1]);
        holds(verdict, "a & b", a & b, v[0] & v[1]);
        holds(verdict, "a | b", a | b, v[0] | v[1]);
        holds(verdict, "a ^ b", a ^ b, v[0] ^ v[1]);
        holds(verdict, "~a", ~a, ~v[0]);
        holds(verdict, "-a", -a, -v[0]);
        holds(verdict, "+a", +a, v[0]);
        verdict.equal("a * b", to_integer(a * b), v[0] * v[1]); // exact, never truncated

        const auto compound = [&](const char *what, auto assign, const Integer &exact) {
            A x = a;
            assign(x);
            holds(verdict, what, x, exact);
        };
        compound(
            "a += b", [&](A &x) { x += b; }, v[0] + v[1]);
        compound(
            "a -= b", [&](A &x) { x -= b; }, v[0] - v[1]);
        compound(
            "a *= b", [&](A &x) { x *= b; }, v[0] * v[1]);
        compound(
            "a &= b", [&](A &x) { x &= b; }, v[0] & v[1]);
        compound(
            "a |= b", [&](A &x) { x |= b; }, v[0] | v[1]);
        compound(
            "a ^= b", [&](A &x) { x ^= b; }, v[0] ^ v[1]);
        verdict.equal("a is untouched", to_integer(a), v[0]);
        verdict.equal("b is untouched", to_integer(b), v[1]);
    });
}

/// One operand: increments, aliased compound assignment, squares and products of one width.
template <typename A>
void check_unary(const char *name, long count) {
    check_property(name, A::bits, count, draw_pair<A, A>, [](Verdict &verdict, const Operands &v) {
        A x = from_integer<A>(v[0]);
        holds(verdict, "++a", ++x, v[0] + 1);
        holds(verdict, "a++ returns", x++, v[0] + 1);
        holds(verdict, "a++", x, v[0] + 2);
        holds(verdict, "--a", --x, v[0] + 1);
        holds(verdict, "a-- returns", x--, v[0] + 1);
        holds(verdict, "a--", x, v[0]);
        const auto aliased = [&](const char *what, auto assign, const Integer &exact) {
            A y = from_integer<A>(v[0]);
            assign(y, y);
            holds(verdict, what, y, exact);
        };
        aliased(
            "a += a", [](A &y, const A &z) { y += z; }, v[0] + v[0]);
        aliased(
            "a -= a", [](A &y, const A &z) { y -= z; }, Integer(0));
        aliased(
            "a *= a", [](A &y, const A &z) { y *= z; }, v[0] * v[0]);
        aliased(
            "a &= a", [](A &y, const A &z) { y &= z; }, v[0]);
        aliased(
            "a |= a", [](A &y, const A &z) { y |= z; }, v[0]);
        aliased(
            "a ^= a", [](A &y, const A &z) { y ^= z; }, Integer(0));
        aliased(
            "a = a + a * a", [](A &y, const A &z) { y = z + y * z; }, v[0] + v[0] * v[0]);
        if (!v[0].is_zero()) {
            aliased(
                "a /= a", [](A &y, const A &z) { y /= z; }, Integer(1));
            aliased(
                "a %= a", [](A &y, const A &z) { y %= z; }, Integer(0));
        }
        const A a = from_integer<A>(v[0]);
        const A b = from_integer<A>(v[1]);
        static_assert(decltype(sqr(a))::bits == 2 * A::bits);
        static_assert(decltype(mul_low(a, b))::bits == A::bits);
        static_assert(decltype(mul_high(a, b))::bits == A::bits);
        verdict.equal("sqr(a)", to_integer(sqr(a)), v[0] * v[0]);
        holds(verdict, "mul_low(a, b)", mul_low(a, b), v[0] * v[1]);
        holds(verdict, "mul_high(a, b)", mul_high(a, b), (v[0] * v[1]) >> std::size_t(A::bits));
    });
}

// ---- / % divmod --------------------------------------------------------------------------------

template <typename A, typename B>
void check_division(const char *name, long count) {
    check_property(
        name, A::bits, count, draw_division<A, B>, [](Verdict &verdict, const Operands &v) {
            const A a = from_integer<A>(v[0]);
            const B b = from_integer<B>(v[1]);
            static_assert(decltype(a / b)::bits == A::bits && decltype(a % b)::bits == B::bits);
            if (v[1].is_zero()) {
                return;
            }
            const Integer quotient = v[0] / v[1]; // truncated
            const Integer remainder = is_signed_number<B> ? v[0] % v[1] : modulo(v[0], v[1]);
            holds(verdict, "a / b", a / b, quotient);
            verdict.equal("a % b", to_integer(a % b), remainder);
            // divmod keeps a = q b + r, so with the remainder in [0, b) the quotient is rounded
            // down.
            const auto both = divmod(a, b);
            holds(verdict, "divmod(a, b).quotient", both.quotient, (v[0] - remainder) / v[1]);
            verdict.equal("divmod(a, b).remainder", to_integer(both.remainder), remainder);
            A x = a;
            x /= b;
            holds(verdict, "a /= b", x, quotient);
            x = a;
            x %= b;
            holds(verdict, "a %= b", x, remainder);
        });
}

template <typename A>
void check_division_by_zero() {
    const A a = from_integer<A>(Integer(1));
    const A zero = 0;
    const BigInt<64> other_zero = 0;
    A x = a;
    CHECK_THROWS_AS(static_cast<void>(a / zero), std::domain_error);
    CHECK_THROWS_AS(static_cast<void>(a % zero), std::domain_error);
    CHECK_THROWS_AS(static_cast<void>(zero / zero), std::domain_error);
    CHECK_THROWS_AS(static_cast<void>(divmod(a, zero)), std::domain_error);
    CHECK_THROWS_AS(static_cast<void>(a / other_zero), std::domain_error);
    CHECK_THROWS_AS(static_cast<void>(a % 0u), std::domain_error);
    CHECK_THROWS_AS(x /= zero, std::domain_error);
    CHECK_THROWS_AS(x %= zero, std::domain_error);
    CHECK(x == a); // untouched
}

// ---- << >> -------------------------------------------------------------------------------------

template <typename A>
void check_shifts(const char *name, long count) {
    const auto draw = [](OperandSource &source) -> Operands {
        int shift = source.below(A::bits + 70);
        switch (source.below(6)) {
        case 0:
            shift = 32 * source.below(A::bits / 32 + 3);
            break;
        case 1:
            shift = source.below(64);
            break;
        case 2:
            shift = A::bits - 2 + source.below(4);
            break;
        default:
            break;
        }
        return {is_signed_number<A> ? source.signed_number(A::bits) : source.number(A::bits),
                Integer(std::max(0, shift))};
    };
    check_property(name, A::bits, count, draw, [](Verdict &verdict, const Operands &v) {
        const A a = from_integer<A>(v[0]);
        const int shift = static_cast<int>(v[1].to_long());
        static_assert(std::is_same_v<decltype(a << shift), A>);
        static_assert(std::is_same_v<decltype(a >> shift), A>);
        const Integer left = v[0] << std::size_t(shift);
        const Integer right = v[0] >> std::size_t(shift);
        holds(verdict, "a << k", a << shift, left);
        holds(verdict, "a >> k", a >> shift, right);
        holds(verdict, "a << unsigned k", a << static_cast<unsigned>(shift), left);
        holds(verdict, "a >> unsigned k", a >> static_cast<unsigned>(shift), right);
        holds(verdict, "a << BigInt k", a << BigInt<64>(shift), left);
        holds(verdict, "a >> BigInt k", a >> BigInt<64>(shift), right);
        A x = a;
        x <<= shift;
        holds(verdict, "a <<= k", x, left);
        x = a;
        x >>= shift;
        holds(verdict, "a >>= k", x, right);
    });
    const A minus_one = from_integer<A>(Integer(-1)); // all ones
    const A sign = is_signed_number<A> ? minus_one : A{};
    CHECK((minus_one << std::numeric_limits<int>::max()) == A{});
    CHECK((minus_one >> std::numeric_limits<int>::max()) == sign);
    CHECK((minus_one << std::numeric_limits<std::uint64_t>::max()) == A{});
    CHECK((minus_one >> std::numeric_limits<std::uint64_t>::max()) == sign);
    CHECK((minus_one << (BigInt<100>(1) << 99)) == A{});
    CHECK((minus_one >> (BigInt<100>(1) << 99)) == sign);
    CHECK((minus_one << -1) == A{}); // a negative count has no bits left either
    CHECK((minus_one >> -1) == sign);
    CHECK((minus_one << A::bits) == A{});
    CHECK((minus_one >> A::bits) == sign);
}

// ---- comparisons --------------------------------------------------------------------------------

template <typename A, typename B>
void check_order_of(Verdict &verdict, const A &a, const B &b, int order) {
    verdict.is_true("a == b by value", (a == b) == (order == 0));
    verdict.is_true("a != b by value", (a != b) == (order != 0));
    verdict.is_true("a < b by value", (a < b) == (order < 0));
    verdict.is_true("a <= b by value", (a <= b) == (order <= 0));
    verdict.is_true("a > b by value", (a > b) == (order > 0));
    verdict.is_true("a >= b by value", (a >= b) == (order >= 0));
    verdict.is_true("a <=> b by value",
                    ((a <=> b) == 0) == (order == 0) && ((a <=> b) < 0) == (order < 0));
}

template <typename A, typename B>
void check_comparisons(const char *name, long count) {
    const auto draw = [](OperandSource &source) -> Operands {
        Operands v = draw_pair<A, B>(source);
        if (source.one_in(3)) { // the same value, or a neighbour, where both types hold it
            v[1] = stored<B>(v[0] + Integer(source.below(3) - 1));
        }
        return v;
    };
    check_property(name, A::bits, count, draw, [](Verdict &verdict, const Operands &v) {
        const A a = from_integer<A>(v[0]);
        const B b = from_integer<B>(v[1]);
        const int order = compare(v[0], v[1]);
        check_order_of(verdict, a, b, order);
        check_order_of(verdict, b, a, -order);
        check_order_of(verdict, a, a, 0);
    });
}

// ---- bit functions ------------------------------------------------------------------------------

template <int N>
void check_bits(const char *name, long count) {
    const auto draw = [](OperandSource &source) -> Operands {
        return {source.number(N), Integer(source.below(N)), Integer(source.below(N))};
    };
    check_property(name, N, count, draw, [](Verdict &verdict, const Operands &v) {
        const BigInt<N> a = from_integer<BigInt<N>>(v[0]);
        const int index = static_cast<int>(v[1].to_long());
        const Integer mask = test::power_of_two(index);
        verdict.equal("bit_width", to_integer(bit_width(a)), v[0].bit_width());
        verdict.equal("countl_zero", to_integer(countl_zero(a)), N - v[0].bit_width());
        verdict.equal("countr_zero", to_integer(countr_zero(a)),
                      v[0].is_zero() ? N : v[0].trailing_zeros());
        verdict.equal("popcount", to_integer(popcount(a)), v[0].popcount());
        verdict.is_true("has_single_bit", has_single_bit(a) == (v[0].popcount() == 1));
        verdict.is_true("test_bit", test_bit(a, index) == v[0].bit(std::size_t(index)));
        verdict.is_true("test_bit beyond the width", !test_bit(a, N) && !test_bit(a, N + 100));
        holds(verdict, "set_bit", set_bit(a, index), v[0] | mask);
        holds(verdict, "set_bit(false)", set_bit(a, index, false), v[0] & ~mask);
        holds(verdict, "set_bit beyond the width", set_bit(a, N), v[0]);
        const int turn = v[2].to_long() % N;
        const Integer turned_left = (v[0] << std::size_t(turn)) | (v[0] >> std::size_t(N - turn));
        const Integer turned_right = (v[0] >> std::size_t(turn)) | (v[0] << std::size_t(N - turn));
        holds(verdict, "rotl", rotl(a, turn), turned_left);
        holds(verdict, "rotl by more than the width", rotl(a, turn + 3 * N), turned_left);
        holds(verdict, "rotl by a negative count", rotl(a, -turn), turned_right);
        holds(verdict, "rotr", rotr(a, turn), turned_right);
        verdict.is_true("explicit operator bool", static_cast<bool>(a) == !v[0].is_zero());
    });
}

// ---- conversions --------------------------------------------------------------------------------

template <typename A>
void check_conversions(const char *name, long count) {
    check_property(name, A::bits, count, draw_pair<A, A>, [](Verdict &verdict, const Operands &v) {
        const A a = from_integer<A>(v[0]);
        // Built-in integers keep the low bits.
        verdict.equal("uint64_t(a)", static_cast<std::uint64_t>(a), store_unsigned(v[0], 64));
        verdict.equal("int64_t(a)", static_cast<std::int64_t>(a), store_signed(v[0], 64));
        verdict.equal("uint32_t(a)", static_cast<std::uint32_t>(a), store_unsigned(v[0], 32));
        verdict.equal("int32_t(a)", static_cast<std::int32_t>(a), store_signed(v[0], 32));
        verdict.equal("uint8_t(a)", static_cast<std::uint8_t>(a), store_unsigned(v[0], 8));
        verdict.equal("int16_t(a)", static_cast<std::int16_t>(a), store_signed(v[0], 16));
        // Other widths and signs.
        constexpr int narrower = A::bits / 2 + 1;
        constexpr int wider = A::bits + 45;
        holds(verdict, "BigInt<wider>(a)", BigInt<wider>(a), v[0]);
        holds(verdict, "BigInt<narrower>(a)", BigInt<narrower>(a), v[0]);
        holds(verdict, "SignedBigInt<wider>(a)", SignedBigInt<wider>(a), v[0]);
        holds(verdict, "SignedBigInt<narrower>(a)", SignedBigInt<narrower>(a), v[0]);
        holds(verdict, "BigInt<same>(a)", BigInt<A::bits>(a), v[0]);
        holds(verdict, "SignedBigInt<same>(a)", SignedBigInt<A::bits>(a), v[0]);
        // An expression stored in a narrower number keeps its low bits.
        const A stored_product = a * a;
        holds(verdict, "A x = a * a", stored_product, v[0] * v[0]);
        A assigned{};
        assigned = a * a;
        holds(verdict, "x = a * a", assigned, v[0] * v[0]);
    });
    const auto from_builtin = [](const char *what, auto value) {
        Verdict verdict;
        const A a = value;
        holds(verdict, what, a, Integer(value));
        A b{};
        b = value;
        holds(verdict, what, b, Integer(value));
        INFO(verdict.message());
        CHECK_FALSE(verdict.failed());
    };
    from_builtin("uint64_t max", std::numeric_limits<std::uint64_t>::max());
    from_builtin("int64_t min", std::numeric_limits<std::int64_t>::min());
    from_builtin("int64_t max", std::numeric_limits<std::int64_t>::max());
    from_builtin("uint32_t max", std::numeric_limits<std::uint32_t>::max());
    from_builtin("int min", std::numeric_limits<int>::min());
    from_builtin("-1", -1);
    from_builtin("-2", static_cast<std::int8_t>(-2));
    from_builtin("unsigned short", static_cast<unsigned short>(65535));
    from_builtin("char", 'a');
    from_builtin("true", true);
}

// ---- built-in operands --------------------------------------------------------------------------

/// `a op b` and `b op a` with a built-in b: a number of its own width.
template <typename A, typename B>
void check_builtin(const char *name, long count) {
    constexpr int width = std::numeric_limits<B>::digits + (std::is_signed_v<B> ? 1 : 0);
    const auto draw = [](OperandSource &source) -> Operands {
        return {is_signed_number<A> ? source.signed_number(A::bits) : source.number(A::bits),
                std::is_signed_v<B> ? source.signed_number(width) : source.number(width)};
    };
    check_property(name, A::bits, count, draw, [](Verdict &verdict, const Operands &v) {
        const A a = from_integer<A>(v[0]);
        const B b =
            std::is_signed_v<B> ? static_cast<B>(v[1].to_long()) : static_cast<B>(v[1].to_uint64());
        static_assert(std::is_same_v<decltype(a + b), A> && std::is_same_v<decltype(b + a), A>);
        static_assert(std::is_same_v<decltype(a - b), A> && std::is_same_v<decltype(a & b), A>);
        static_assert(std::is_same_v<decltype(a | b), A> && std::is_same_v<decltype(a ^ b), A>);
        static_assert(decltype(a * b)::bits == A::bits + width);
        static_assert(decltype(b * a)::bits == A::bits + width);
        holds(verdict, "a + b", a + b, v[0] + v[1]);
        holds(verdict, "b + a", b + a, v[0] + v[1]);
        holds(verdict, "a - b", a - b, v[0] - v[1]);
        holds(verdict, "b - a", b - a, v[1] - v[0]);
        holds(verdict, "a & b", a & b, v[0] & v[1]);
        holds(verdict, "b & a", b & a, v[0] & v[1]);
        holds(verdict, "a | b", a | b, v[0] | v[1]);
        holds(verdict, "a ^ b", a ^ b, v[0] ^ v[1]);
        verdict.equal("a * b", to_integer(a * b), v[0] * v[1]);
        verdict.equal("b * a", to_integer(b * a), v[0] * v[1]);
        if (!v[1].is_zero()) {
            static_assert(decltype(a / b)::bits == A::bits && decltype(a % b)::bits == width);
            holds(verdict, "a / b", a / b, v[0] / v[1]);
            verdict.equal("a % b", to_integer(a % b),
                          std::is_signed_v<B> ? v[0] % v[1] : modulo(v[0], v[1]));
        }
        if (!v[0].is_zero()) {
            static_assert(decltype(b / a)::bits == width && decltype(b % a)::bits == A::bits);
            holds(verdict, "b / a", b / a, v[1] / v[0]);
            verdict.equal("b % a", to_integer(b % a),
                          is_signed_number<A> ? v[1] % v[0] : modulo(v[1], v[0]));
        }
        const int order = compare(v[0], v[1]);
        check_order_of(verdict, a, b, order);
        check_order_of(verdict, b, a, -order);
        const auto compound = [&](const char *what, auto assign, const Integer &exact) {
            A x = a;
            assign(x);
            holds(verdict, what, x, exact);
        };
        compound(
            "a += b", [&](A &x) { x += b; }, v[0] + v[1]);
        compound(
            "a -= b", [&](A &x) { x -= b; }, v[0] - v[1]);
        compound(
            "a *= b", [&](A &x) { x *= b; }, v[0] * v[1]);
        compound(
            "a &= b", [&](A &x) { x &= b; }, v[0] & v[1]);
        compound(
            "a |= b", [&](A &x) { x |= b; }, v[0] | v[1]);
        compound(
            "a ^= b", [&](A &x) { x ^= b; }, v[0] ^ v[1]);
        compound(
            "a = b", [&](A &x) { x = b; }, v[1]);
    });
}

// ---- bytes --------------------------------------------------------------------------------------

template <typename A>
void check_bytes(const char *name, long count) {
    constexpr std::size_t size = (A::bits + 7) / 8;
    const auto draw = [](OperandSource &source) -> Operands {
        return {is_signed_number<A> ? source.signed_number(A::bits) : source.number(A::bits),
                Integer(source.below(int(size) + 9))};
    };
    check_property(name, A::bits, count, draw, [](Verdict &verdict, const Operands &v) {
        const A a = from_integer<A>(v[0]);
        const std::size_t length = v[1].to_uint64(); // of the caller's buffer
        const int length_bits = 8 * static_cast<int>(length);
        const bool in_range = is_signed_number<A> ? length > 0 && fits_signed(v[0], length_bits)
                                                  : fits_unsigned(v[0], length_bits);
        const bool fits = v[0].is_zero() || in_range;
        std::vector<std::uint8_t> expected = test::little_endian_bytes(v[0], length);
        for (std::endian order : {std::endian::little, std::endian::big}) {
            std::vector<std::uint8_t> out(length + 2, 0xa5); // with a guard byte at each end
            bool threw = false;
            try {
                to_bytes(a, std::span<std::uint8_t>(out).subspan(1, length), order);
            } catch (const std::length_error &) {
                threw = true;
            }
            verdict.is_true("to_bytes throws exactly if the value does not fit", threw == !fits);
            verdict.is_true("to_bytes stays inside", out.front() == 0xa5 && out.back() == 0xa5);
            if (fits) {
                const std::vector<std::uint8_t> got(out.begin() + 1, out.end() - 1);
                verdict.is_true("to_bytes", got == expected);
                holds(verdict, "from_bytes", A::from_bytes(got, order), v[0]);
            } else {
                verdict.is_true("a failed to_bytes writes nothing",
                                std::all_of(out.begin(), out.end(),
                                            [](std::uint8_t byte) { return byte == 0xa5; }));
            }
            std::reverse(expected.begin(), expected.end());
            const auto own = to_bytes(a, order); // the bytes of the type
            static_assert(own.size() == size);
            std::vector<std::uint8_t> own_expected = test::little_endian_bytes(v[0], size);
            if (order == std::endian::big) {
                std::reverse(own_expected.begin(), own_expected.end());
            }
            verdict.is_true("to_bytes(a, order)",
                            std::equal(own.begin(), own.end(), own_expected.begin()));
        }
    });
    // Values one beyond each end, and any number of leading zero bytes.
    const int value_bits = A::bits - (is_signed_number<A> ? 1 : 0);
    const auto refused = [&](const Integer &value, std::size_t length) {
        std::vector<std::uint8_t> bytes = test::little_endian_bytes(value, length);
        CHECK_THROWS_AS(A::from_bytes(bytes, std::endian::little), std::out_of_range);
        std::reverse(bytes.begin(), bytes.end());
        CHECK_THROWS_AS(A::from_bytes(bytes, std::endian::big), std::out_of_range);
    };
    const Integer beyond = test::power_of_two(value_bits);
    refused(beyond, size + 1);
    refused(beyond, size + 30);
    refused(test::power_of_two(8 * int(size) + 17), size + 30);
    if (is_signed_number<A>) {
        refused(-beyond - 1, size + 1);
        refused(-beyond - 1, size + 30);
    }
    std::vector<std::uint8_t> bytes(size + 40, 0);
    CHECK(to_integer(A::from_bytes(bytes, std::endian::little)) == 0);
    CHECK(to_integer(A::from_bytes({}, std::endian::big)) == 0);
    bytes.assign(size + 40, 0xff);
    if (is_signed_number<A>) {
        CHECK(to_integer(A::from_bytes(bytes, std::endian::big)) == -1);
    } else {
        CHECK_THROWS_AS(A::from_bytes(bytes, std::endian::big), std::out_of_range);
    }
}

// ---- layout -------------------------------------------------------------------------------------

template <int N>
void check_layout() {
    static_assert(BigInt<N>::bits == N && SignedBigInt<N>::bits == N);
    static_assert(BigInt<N>::limb_count == (N + 31) / 32);
    static_assert(sizeof(BigInt<N>) == 4 * ((N + 31) / 32));
    static_assert(sizeof(SignedBigInt<N>) == 4 * ((N + 31) / 32));
    static_assert(alignof(BigInt<N>) <= 16 && sizeof(BigInt<N>) % alignof(BigInt<N>) == 0);
    static_assert(std::is_trivially_copyable_v<BigInt<N>> &&
                  std::is_trivially_copyable_v<SignedBigInt<N>>);
    static_assert(std::is_standard_layout_v<BigInt<N>> &&
                  std::is_standard_layout_v<SignedBigInt<N>>);
    CHECK(to_integer(BigInt<N>{}) == 0);
    CHECK(to_integer(SignedBigInt<N>()) == 0);
}

} // namespace bigint_cases
