// SPDX-License-Identifier: Apache-2.0
// The bodies of the batched number tests: what is computed for one element, on host and device.
// Each is a group of operations, so that one kernel serves them all; oracle.cpp has the expected
// results under the same names.
//
// Each `apply` takes operands of any width and sign, must not depend on their values in what it
// stores, and must not throw: divisors are not 0 on the host (in device code division by 0 is
// defined, and tested).
#pragma once

#include "../batch/results.h"

#include <warpint/number/carry.h>
#include <warpint/number/fields.h>
#include <warpint/number/order.h>
#include <warpint/number/root.h>
#include <warpint/random.h>

namespace number_test {

using batch_test::Parameters;
using batch_test::Results;
using warpint::BigInt;
using warpint::SignedBigInt;

/// x as the other operand of `x op= x`; compilers warn about `x -= x`.
template <class T>
WARPINT_HOST_DEVICE const T &same(const T &x) {
    return x;
}

/// Sums, differences and bitwise operators.
struct Sums {
    template <class A, class B>
    WARPINT_HOST_DEVICE static void apply(const A &a, const B &b, const Parameters &p,
                                          Results &out) {
        BATCH_TEST_RESULT(a + b);
        BATCH_TEST_RESULT(a - b);
        BATCH_TEST_RESULT(-a);
        BATCH_TEST_RESULT(a & b);
        BATCH_TEST_RESULT(a | b);
        BATCH_TEST_RESULT(a ^ b);
        BATCH_TEST_RESULT(~a);
        out.copy("a += b", a) += b;
        out.copy("a -= b", a) -= b;
        out.copy("a &= b", a) &= b;
        out.copy("a |= b", a) |= b;
        out.copy("a ^= b", a) ^= b;
        A &doubled = out.copy("a += a", a);
        doubled += doubled;
        A &cancelled = out.copy("a -= a", a);
        cancelled -= same(cancelled);
        A &excluded = out.copy("a ^= a", a);
        excluded ^= same(excluded);
        A &reversed = out.copy("a = b - a", a); // the target is the right operand
        reversed = static_cast<A>(b - reversed);
        ++out.copy("++a", a);
        A &decremented = out.copy("a after a--", a);
        BATCH_TEST_NAMED("a--", decremented--);
        const auto sum = add_carry(a, b, p.carry != 0);
        out.copy("add_carry value", sum.value);
        out.copy("add_carry carry", sum.carry);
        const auto difference = sub_borrow(a, b, p.carry != 0);
        out.copy("sub_borrow value", difference.value);
        out.copy("sub_borrow borrow", difference.borrow);
        BATCH_TEST_NAMED("add_overflow", add_overflow(a, b).overflow);
        BATCH_TEST_NAMED("sub_overflow", sub_overflow(a, b).overflow);
    }
};

/// Products.
struct Products {
    template <class A, class B>
    WARPINT_HOST_DEVICE static void apply(const A &a, const B &b, const Parameters &,
                                          Results &out) {
        BATCH_TEST_RESULT(a * b);
        BATCH_TEST_RESULT(sqr(a));
        BATCH_TEST_RESULT(mul_low(a, b));
        BATCH_TEST_RESULT(mul_high(a, b));
        out.copy("a *= b", a) *= b;
        A &squared = out.copy("a *= a", a);
        squared *= squared;
        A &mixed = out.copy("a = a + a * b", a);
        mixed = mixed + mixed * b;
        const auto low = mul_overflow(a, b);
        out.copy("mul_overflow value", low.value);
        out.copy("mul_overflow overflow", low.overflow);
    }
};

/// Quotients and remainders.
struct Divisions {
    template <class A, class B>
    WARPINT_HOST_DEVICE static void apply(const A &a, const B &b, const Parameters &,
                                          Results &out) {
        const auto both = divmod(a, b);
        out.copy("divmod(a, b).quotient", both.quotient);
        out.copy("divmod(a, b).remainder", both.remainder);
        BATCH_TEST_RESULT(a / b);
        BATCH_TEST_RESULT(a % b);
    }
};

/// Quotients and remainders whose target is an operand. Apart from the others because divisions
/// take longest to compile.
struct DivisionAliases {
    template <class A, class B>
    WARPINT_HOST_DEVICE static void apply(const A &a, const B &b, const Parameters &,
                                          Results &out) {
        out.copy("a /= b", a) /= b;
        out.copy("a %= b", a) %= b;
        B &by_itself = out.copy("b /= b", b);
        by_itself /= same(by_itself);
        B &modulo_itself = out.copy("b %= b", b);
        modulo_itself %= same(modulo_itself);
        B &divisor = out.copy("b = a / b", b); // the target is the divisor
        divisor = static_cast<B>(a / divisor);
        // The targets are the operands, exchanged.
        A &quotient = out.copy("{a, b} = divmod(a, b), quotient", a);
        B &remainder = out.copy("{a, b} = divmod(a, b), remainder", b);
        const auto both = divmod(quotient, remainder);
        quotient = both.quotient;
        remainder = both.remainder;
    }
};

/// Shifts, rotations, single bits, counts of bits and bit fields; of a alone, b is what is
/// inserted.
struct Bits {
    template <class A, class B>
    WARPINT_HOST_DEVICE static void apply(const A &a, const B &b, const Parameters &p,
                                          Results &out) {
        BATCH_TEST_NAMED("a << k", a << p.shift);
        BATCH_TEST_NAMED("a >> k", a >> p.shift);
        BATCH_TEST_NAMED("a << BigInt k", a << BigInt<64>(p.shift));
        BATCH_TEST_NAMED("a >> uint64_t k", a >> static_cast<std::uint64_t>(p.shift));
        out.copy("a <<= k", a) <<= p.shift;
        out.copy("a >>= k", a) >>= p.shift;
        BATCH_TEST_NAMED("rotl", rotl(a, p.shift));
        BATCH_TEST_NAMED("rotr", rotr(a, p.shift));
        BATCH_TEST_RESULT(bit_width(a));
        BATCH_TEST_RESULT(countl_zero(a));
        BATCH_TEST_RESULT(countr_zero(a));
        BATCH_TEST_RESULT(popcount(a));
        BATCH_TEST_RESULT(has_single_bit(a));
        BATCH_TEST_NAMED("test_bit", test_bit(a, p.position));
        BATCH_TEST_NAMED("test_bit beyond the width", test_bit(a, p.shift));
        BATCH_TEST_NAMED("set_bit", set_bit(a, p.position));
        BATCH_TEST_NAMED("set_bit false", set_bit(a, p.position, false));
        BATCH_TEST_NAMED("set_bit beyond the width", set_bit(a, A::bits));
        BATCH_TEST_NAMED("extract_bits", extract_bits(a, p.position, p.count));
        BATCH_TEST_NAMED("extract_bits<Count>", warpint::extract_bits<A::bits / 2 + 1>(a, p.shift));
        BATCH_TEST_NAMED("insert_bits", insert_bits(a, b, p.position, p.count));
    }
};

/// Comparisons by value, least and greatest.
struct Orders {
    template <class A, class B>
    WARPINT_HOST_DEVICE static void apply(const A &a, const B &b, const Parameters &,
                                          Results &out) {
        BATCH_TEST_RESULT(a == b);
        BATCH_TEST_RESULT(a != b);
        BATCH_TEST_RESULT(a < b);
        BATCH_TEST_RESULT(a <= b);
        BATCH_TEST_RESULT(a > b);
        BATCH_TEST_RESULT(a >= b);
        BATCH_TEST_RESULT(a == a);
        BATCH_TEST_RESULT(a < a);
        BATCH_TEST_NAMED("bool(a)", static_cast<bool>(a));
        BATCH_TEST_RESULT(min(a, b));
        BATCH_TEST_RESULT(max(a, b));
        BATCH_TEST_RESULT(abs(a));
    }
};

/// Conversions of a, and a with built-in operands.
struct Conversions {
    template <class A, class B>
    WARPINT_HOST_DEVICE static void apply(const A &a, const B &b, const Parameters &,
                                          Results &out) {
        BATCH_TEST_NAMED("uint64_t(a)", static_cast<std::uint64_t>(a));
        BATCH_TEST_NAMED("int64_t(a)", static_cast<std::int64_t>(a));
        BATCH_TEST_NAMED("uint32_t(a)", static_cast<std::uint32_t>(a));
        BATCH_TEST_NAMED("int16_t(a)", static_cast<std::int16_t>(a));
        BATCH_TEST_NAMED("BigInt<wider>(a)", BigInt<A::bits + 45>(a));
        BATCH_TEST_NAMED("SignedBigInt<wider>(a)", SignedBigInt<A::bits + 45>(a));
        BATCH_TEST_NAMED("BigInt<narrower>(a)", BigInt<A::bits / 2 + 1>(a));
        BATCH_TEST_NAMED("SignedBigInt<narrower>(a)", SignedBigInt<A::bits / 2 + 1>(a));
        BATCH_TEST_NAMED("B(a)", static_cast<B>(a));
        // There and back: what is left is the rounding.
        if constexpr (A::bits < 1000)
            BATCH_TEST_NAMED("a as double", SignedBigInt<A::bits + 2>(static_cast<double>(a)));
        if constexpr (A::bits < 120)
            BATCH_TEST_NAMED("a as float", SignedBigInt<A::bits + 2>(static_cast<float>(a)));
        const auto word = static_cast<std::uint64_t>(b);
        const auto integer = static_cast<std::int32_t>(b);
        BATCH_TEST_NAMED("A(uint64_t)", A(word));
        BATCH_TEST_NAMED("A(int)", A(integer));
        BATCH_TEST_NAMED("a + uint64_t", a + word);
        BATCH_TEST_NAMED("int - a", integer - a);
        BATCH_TEST_NAMED("a * int", a * integer);
        BATCH_TEST_NAMED("a < uint64_t", a < word);
        BATCH_TEST_NAMED("int == a", integer == a);
        out.copy("a *= uint64_t", a) *= word;
        out.copy("a -= int", a) -= integer;
    }
};

/// Divisions of a by built-in operands (never 0 here), and of one by a number.
struct BuiltinDivisions {
    template <class A, class B>
    WARPINT_HOST_DEVICE static void apply(const A &a, const B &b, const Parameters &p,
                                          Results &out) {
        const auto word = static_cast<std::uint64_t>(a) | 1u;
        const std::int32_t integer = p.carry != 0 ? p.shift + 1 : -p.shift - 1;
        BATCH_TEST_NAMED("a / uint64_t", a / word);
        BATCH_TEST_NAMED("a % int", a % integer);
        BATCH_TEST_NAMED("uint64_t / b", word / b);
        BATCH_TEST_NAMED("int % b", integer % b);
    }
};

/// True if isqrt and sqrt_rem exist for A.
template <class A>
inline constexpr bool has_roots = requires(const A &a) {
    isqrt(a);
    sqrt_rem(a);
};

/// Roots of |a|, whether it is a square, and random numbers keyed by it.
struct Functions {
    template <class A, class B>
    WARPINT_HOST_DEVICE static void apply(const A &a, const B &, const Parameters &p,
                                          Results &out) {
        const auto magnitude = abs(a);
        warpint::Philox generator(static_cast<std::uint64_t>(a),
                                  static_cast<std::uint64_t>(p.shift));
        BATCH_TEST_NAMED("random_bits", warpint::random_bits<A::bits>(generator));
        const auto bound = set_bit(magnitude, 0);
        BATCH_TEST_NAMED("random_below", warpint::random_below(bound, generator));
        if constexpr (has_roots<decltype(magnitude)>) {
            BATCH_TEST_NAMED("isqrt", isqrt(magnitude));
            const auto both = sqrt_rem(magnitude);
            out.copy("sqrt_rem root", both.root);
            out.copy("sqrt_rem remainder", both.remainder);
            BATCH_TEST_NAMED("iroot",
                             iroot(magnitude, p.carry != 0 ? p.shift + 1 : p.shift % 9 + 1));
            BATCH_TEST_NAMED("is_square", is_square(magnitude));
            BATCH_TEST_NAMED("is_square of a square", is_square(mul_low(both.root, both.root)));
        }
    }
};

} // namespace number_test
