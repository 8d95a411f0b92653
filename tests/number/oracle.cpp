// SPDX-License-Identifier: Apache-2.0
#include "oracle.h"

#include "../batch/random_bits.h"

#include <algorithm>
#include <sstream>

namespace number_test {

using test::Integer;

// ---- the rules of arithmetic on types -----------------------------------------------------------

namespace {

/// Type of a + b: the wider operand decides; at equal width unsigned wins.
Type wrapping(Type a, Type b) {
    if (a.bits != b.bits)
        return a.bits > b.bits ? a : b;
    return {a.bits, a.is_signed && b.is_signed};
}
Type product(Type a, Type b) {
    return {a.bits + b.bits, a.is_signed || b.is_signed};
}
/// The narrowest type that holds the values of both.
Type common(Type a, Type b) {
    if (!a.is_signed && !b.is_signed)
        return {std::max(a.bits, b.bits), false};
    return {std::max(a.bits + !a.is_signed, b.bits + !b.is_signed), true};
}

Integer stored(const Integer &a, Type type) {
    return type.is_signed ? test::store_signed(a, type.bits) : test::store_unsigned(a, type.bits);
}
Integer pattern(const Integer &a, int bits) {
    return test::store_unsigned(a, bits);
}

std::size_t size(int count) {
    return static_cast<std::size_t>(count);
}

// ---- one function per body ----------------------------------------------------------------------

void check_sums(Checker &out, Type A, Type B, const Element &v) {
    const Integer &a = v.a, &b = v.b;
    const Type W = wrapping(A, B);
    const Integer sum = a + b;
    const Integer difference = a - b;
    out.value("a + b", W, sum);
    out.value("a - b", W, difference);
    out.value("-a", A, -a);
    const Integer conjunction = a & b, disjunction = a | b, exclusive = a ^ b;
    out.value("a & b", W, conjunction);
    out.value("a | b", W, disjunction);
    out.value("a ^ b", W, exclusive);
    out.value("~a", A, ~a);
    out.value("a += b", A, sum);
    out.value("a -= b", A, difference);
    out.value("a &= b", A, conjunction);
    out.value("a |= b", A, disjunction);
    out.value("a ^= b", A, exclusive);
    out.value("a += a", A, a + a);
    out.value("a -= a", A, Integer(0));
    out.value("a ^= a", A, Integer(0));
    out.value("a = b - a", A, stored(b - a, W));
    out.value("++a", A, a + 1);
    out.value("a after a--", A, a - 1);
    out.value("a--", A, a);
    const Integer carry(v.parameters.carry);
    const Integer full = pattern(a, W.bits) + pattern(b, W.bits) + carry;
    const Integer rest = pattern(a, W.bits) - pattern(b, W.bits) - carry;
    out.value("add_carry value", W, full);
    out.boolean("add_carry carry", full.bit_width() > W.bits);
    out.value("sub_borrow value", W, rest);
    out.boolean("sub_borrow borrow", rest.sign() < 0);
    out.boolean("add_overflow", stored(sum, W) != sum);
    out.boolean("sub_overflow", stored(difference, W) != difference);
}

void check_products(Checker &out, Type A, Type B, const Element &v) {
    const Integer &a = v.a, &b = v.b;
    const Type W = wrapping(A, B);
    const Integer exact = a * b;
    const Integer square = a * a;
    out.value("a * b", product(A, B), exact);
    out.value("sqr(a)", {2 * A.bits, false}, square);
    out.value("mul_low(a, b)", W, exact);
    out.value("mul_high(a, b)", A, exact >> size(B.bits));
    out.value("a *= b", A, exact);
    out.value("a *= a", A, square);
    out.value("a = a + a * b", A, a + exact);
    out.value("mul_overflow value", W, exact);
    out.boolean("mul_overflow overflow", stored(exact, W) != exact);
}

/// Truncated quotient, the remainder of the type rules, and divmod's quotient (which keeps
/// a = q b + r); all 0 for b = 0, as in device code.
struct Division {
    Integer quotient, remainder, rounded;
    Division(const Integer &a, const Integer &b, bool divisor_is_signed) {
        if (b.is_zero())
            return;
        mpz_tdiv_qr(quotient.raw(), remainder.raw(), a.raw(), b.raw());
        rounded = quotient;
        if (!divisor_is_signed && remainder.sign() < 0) {
            remainder += b;
            rounded = rounded - 1;
        }
    }
};

void check_divisions(Checker &out, Type A, Type B, const Element &v) {
    const Division exact(v.a, v.b, B.is_signed);
    out.value("divmod(a, b).quotient", A, exact.rounded);
    out.value("divmod(a, b).remainder", B, exact.remainder);
    out.value("a / b", A, exact.quotient);
    out.value("a % b", B, exact.remainder);
}

void check_division_aliases(Checker &out, Type A, Type B, const Element &v) {
    const Division exact(v.a, v.b, B.is_signed);
    out.value("a /= b", A, exact.quotient);
    out.value("a %= b", A, exact.remainder);
    out.value("b /= b", B, Integer(v.b.is_zero() ? 0 : 1));
    out.value("b %= b", B, Integer(0));
    out.value("b = a / b", B, stored(exact.quotient, A));
    out.value("{a, b} = divmod(a, b), quotient", A, exact.rounded);
    out.value("{a, b} = divmod(a, b), remainder", B, exact.remainder);
}

void check_bits(Checker &out, Type A, Type, const Element &v) {
    const Integer &a = v.a, &b = v.b;
    const Parameters &p = v.parameters;
    const int n = A.bits;
    const Integer bits = pattern(a, n);
    const Integer left = a << size(p.shift);
    const Integer right = a >> size(p.shift);
    out.value("a << k", A, left);
    out.value("a >> k", A, right);
    out.value("a << BigInt k", A, left);
    out.value("a >> uint64_t k", A, right);
    out.value("a <<= k", A, left);
    out.value("a >>= k", A, right);
    const int turn = p.shift % n;
    out.value("rotl", A, (bits << size(turn)) | (bits >> size(n - turn)));
    out.value("rotr", A, (bits >> size(turn)) | (bits << size(n - turn)));
    out.number("bit_width(a)", bits.bit_width());
    out.number("countl_zero(a)", n - bits.bit_width());
    out.number("countr_zero(a)", bits.is_zero() ? n : bits.trailing_zeros());
    out.number("popcount(a)", bits.popcount());
    out.boolean("has_single_bit(a)", bits.popcount() == 1);
    out.boolean("test_bit", a.bit(size(p.position)));
    out.boolean("test_bit beyond the width", a.bit(size(p.shift)));
    const Integer mask = test::power_of_two(p.position);
    out.value("set_bit", A, a | mask);
    out.value("set_bit false", A, a & ~mask);
    out.value("set_bit beyond the width", A, a);
    out.value("extract_bits", A,
              p.count == 0   ? Integer(0)
              : p.count >= n ? a >> size(p.position)
                             : pattern(a >> size(p.position), p.count));
    out.value("extract_bits<Count>", {n / 2 + 1, false}, right);
    const Integer field = test::all_ones(p.count) << size(p.position);
    out.value("insert_bits", A, (a & ~field) | ((b << size(p.position)) & field));
}

void check_orders(Checker &out, Type A, Type B, const Element &v) {
    const int order = compare(v.a, v.b);
    out.boolean("a == b", order == 0);
    out.boolean("a != b", order != 0);
    out.boolean("a < b", order < 0);
    out.boolean("a <= b", order <= 0);
    out.boolean("a > b", order > 0);
    out.boolean("a >= b", order >= 0);
    out.boolean("a == a", true);
    out.boolean("a < a", false);
    out.boolean("bool(a)", !v.a.is_zero());
    out.value("min(a, b)", common(A, B), order < 0 ? v.a : v.b);
    out.value("max(a, b)", common(A, B), order < 0 ? v.b : v.a);
    out.value("abs(a)", {A.bits, false}, abs(v.a));
}

constexpr Type word_type{64, false};
constexpr Type integer_type{32, true};

/// The nearest integer to x with `digits` significant bits, ties to even.
Integer rounded(const Integer &x, int digits) {
    const Integer magnitude = abs(x);
    const int beyond = magnitude.bit_width() - digits;
    if (beyond <= 0)
        return x;
    Integer kept = magnitude >> beyond;
    const Integer twice_rest = (magnitude - (kept << beyond)) << 1;
    const Integer unit = test::power_of_two(beyond);
    if (twice_rest > unit || (twice_rest == unit && kept.is_odd()))
        kept += 1;
    const Integer result = kept << beyond;
    return x.sign() < 0 ? -result : result;
}

void check_conversions(Checker &out, Type A, Type B, const Element &v) {
    const Integer &a = v.a;
    out.value("uint64_t(a)", word_type, a);
    out.value("int64_t(a)", {64, true}, a);
    out.value("uint32_t(a)", {32, false}, a);
    out.value("int16_t(a)", {16, true}, a);
    out.value("BigInt<wider>(a)", {A.bits + 45, false}, a);
    out.value("SignedBigInt<wider>(a)", {A.bits + 45, true}, a);
    out.value("BigInt<narrower>(a)", {A.bits / 2 + 1, false}, a);
    out.value("SignedBigInt<narrower>(a)", {A.bits / 2 + 1, true}, a);
    out.value("B(a)", B, a);
    if (A.bits < 1000)
        out.value("a as double", {A.bits + 2, true}, rounded(a, 53));
    if (A.bits < 120)
        out.value("a as float", {A.bits + 2, true}, rounded(a, 24));
    const Integer word = stored(v.b, word_type);
    const Integer integer = stored(v.b, integer_type);
    out.value("A(uint64_t)", A, word);
    out.value("A(int)", A, integer);
    out.value("a + uint64_t", A, a + word);
    out.value("int - a", A, integer - a);
    out.value("a * int", product(A, integer_type), a * integer);
    out.boolean("a < uint64_t", a < word);
    out.boolean("int == a", integer == a);
    out.value("a *= uint64_t", A, a * word);
    out.value("a -= int", A, a - integer);
}

void check_builtin_divisions(Checker &out, Type A, Type B, const Element &v) {
    const Parameters &p = v.parameters;
    const Integer word = stored(v.a, word_type) | 1;
    const Integer integer(p.carry != 0 ? p.shift + 1 : -p.shift - 1);
    out.value("a / uint64_t", A, Division(v.a, word, false).quotient);
    out.value("a % int", integer_type, Division(v.a, integer, true).remainder);
    out.value("uint64_t / b", word_type, Division(word, v.b, B.is_signed).quotient);
    out.value("int % b", B, Division(integer, v.b, B.is_signed).remainder);
}

void check_functions(Checker &out, Type A, Type, const Element &v, bool has_roots) {
    const Integer magnitude = abs(v.a);
    warpint::Philox generator(stored(v.a, word_type).to_uint64(),
                              static_cast<std::uint64_t>(v.parameters.shift));
    const Type unsigned_type{A.bits, false};
    out.value("random_bits", unsigned_type, batch_test::random_bits(generator, A.bits));
    const Integer bound = magnitude | 1;
    const int width = (bound - 1).bit_width();
    Integer below;
    do {
        below = batch_test::random_bits(generator, width);
    } while (below >= bound);
    out.value("random_below", unsigned_type, below);
    if (has_roots) {
        Integer root, rest;
        mpz_sqrtrem(root.raw(), rest.raw(), magnitude.raw());
        out.any_type("isqrt", root);
        out.any_type("sqrt_rem root", root);
        out.any_type("sqrt_rem remainder", rest);
        const int k = v.parameters.carry != 0 ? v.parameters.shift + 1 : v.parameters.shift % 9 + 1;
        mpz_root(root.raw(), magnitude.raw(), static_cast<unsigned long>(k));
        out.any_type("iroot", root);
        out.boolean("is_square", rest.is_zero());
        out.boolean("is_square of a square", true);
    }
}

} // namespace

void check_record(Checker &checker, const Case &which, const Element &v) {
    const Type A = which.a(), B = which.b();
    switch (group_of(which)) {
    case Group::sums:
        check_sums(checker, A, B, v);
        break;
    case Group::products:
        check_products(checker, A, B, v);
        break;
    case Group::divisions:
        check_divisions(checker, A, B, v);
        break;
    case Group::division_aliases:
        check_division_aliases(checker, A, B, v);
        break;
    case Group::bits:
        check_bits(checker, A, B, v);
        break;
    case Group::orders:
        check_orders(checker, A, B, v);
        break;
    case Group::conversions:
        check_conversions(checker, A, B, v);
        break;
    case Group::builtin_divisions:
        check_builtin_divisions(checker, A, B, v);
        break;
    case Group::functions:
        check_functions(checker, A, B, v, which.detail != 0);
        break;
    }
    checker.end();
}

} // namespace number_test
