// SPDX-License-Identifier: Apache-2.0
// Division and products modulo any number over lanes: the fast forms, which give up where a carry
// is lost, against the exact ones and the oracle. With 8-bit limbs they give up often, and a wrong
// digit of a quotient shows in every few numbers.

#include "lanes_support.h"
#include "support/even_power.h"

#include <warpint/arith/lanes/square_root.h>

#include <doctest/doctest.h>

#include <type_traits>

namespace {

namespace lanes = warpint::lanes;
using test::Integer;
using test::lanes::Number;
using test::lanes::operand;
using test::lanes::Shape;
using test::lanes::Wrong;
using warpint::arith::FoldTerm;

template <class S, int KM>
void check_division(long count) {
    constexpr int K = S::words;
    constexpr int capacity_m = KM * S::lane_count * S::limb_bits;
    const typename S::Group group;
    test::OperandSource source(test::property_seed("lanes/division " + S::name(), KM));
    Wrong wrong(S::name() + " by " + std::to_string(KM));
    for (long round = 0; round < test::scaled(count); ++round) {
        Integer a = operand<S>(source, S::capacity);
        Integer m = operand<S>(source, capacity_m);
        if (source.one_in(3)) {
            const test::DivisionPair pair = source.division_pair(S::capacity, capacity_m);
            a = pair.dividend;
            m = pair.divisor;
        }
        if (m.is_zero())
            m = 1;
        if (source.one_in(4)) // a multiple, or one less
            a = test::store_unsigned(a / m * m - Integer(source.below(2)), S::capacity);
        const Number<S, K> x(a);
        const Number<S, KM> y(m);
        Number<S, K> q;
        Number<S, KM> r;
        lanes::divide<K, KM>(group, q.words, r.words, x.words, y.words);
        wrong.equal("quotient", q.value(), a / m);
        wrong.equal("remainder", r.value(), a % m);
    }
}

template <class S>
void check_modular(long count) {
    constexpr int K = S::words;
    const typename S::Group group;
    test::OperandSource source(test::property_seed("lanes/modular " + S::name(), S::bits));
    Wrong wrong(S::name());
    for (long round = 0; round < test::scaled(count); ++round) {
        Integer m = source.one_in(2) ? operand<S>(source) : source.modulus(S::bits);
        if (m.is_zero())
            m = 1;
        Integer a = operand<S>(source);
        Integer b = operand<S>(source);
        if (source.one_in(4))
            a = m - 1;
        if (source.one_in(4))
            b = m - 1;
        const Number<S, K> x(a);
        const Number<S, K> y(b);
        const Number<S, K> z(m);
        Number<S, K> r;
        Integer c = operand<S>(source);
        if (source.one_in(4))
            c = source.one_in(2) ? m - 1 : test::power_of_two(S::bits) - 1;
        const Number<S, K> w(c);
        const Integer product = test::modulo(a * b, m);
        lanes::multiply_modulo<K, S::limbs, FoldTerm::none>(group, r.words, x.words, y.words,
                                                            w.words, z.words);
        wrong.equal("product", r.value(), product);
        lanes::multiply_modulo<K, S::limbs, FoldTerm::plus>(group, r.words, x.words, y.words,
                                                            w.words, z.words);
        wrong.equal("product and term", r.value(), test::modulo(product + c, m));
        lanes::multiply_modulo<K, S::limbs, FoldTerm::minus>(group, r.words, x.words, y.words,
                                                             w.words, z.words);
        wrong.equal("product less a term", r.value(), test::modulo(product + m - c % m, m));
        if (round % 16 != 0)
            continue;
        lanes::power_modulo<K, 3, K>(group, r.words, x.words, y.words, z.words);
        wrong.equal("power", r.value(), test::power_modulo(a, b, m));
        const test::OperandTriple even = test::even_power(source, S::bits);
        const Number<S, K> base(even.a);
        const Number<S, K> exponent(even.b);
        const Number<S, K> modulus(even.m);
        lanes::power_modulo<K, 3, K>(group, r.words, base.words, exponent.words, modulus.words);
        wrong.equal("power modulo an even number", r.value(),
                    test::power_modulo(even.a, even.b, even.m));
    }
}

// Rows of a division whose carries wait for the end, against exact rows: equal wherever nothing was
// noted, and noted seldom for numbers without a pattern.
template <class S>
void check_rows(long count) {
    constexpr int K = S::words;
    constexpr int rows = 6;
    using Group = typename S::Group;
    using Limb = typename S::Limb;
    using Word = typename S::Word;
    const Group group;
    test::OperandSource source(test::property_seed("lanes/rows " + S::name(), S::bits));
    Wrong wrong(S::name());
    long uniform = 0;
    long noted = 0;
    for (long round = 0; round < test::scaled(count); ++round) {
        const bool random = source.one_in(2);
        const Integer m =
            (random ? source.uniform_bits(S::capacity) : operand<S>(source, S::capacity)) |
            test::power_of_two(S::capacity - 1);
        const Integer u = random ? source.uniform_bits(S::capacity + 64) % m
                                 : (source.one_in(4) ? m - 1 : operand<S>(source) % m);
        const Number<S, K> divisor(m);
        Number<S, K> exact(u);
        const auto top = lanes::top_limbs<K>(group, divisor.words);
        Word c[K];
        lanes::negate_if<K>(group, c, true, divisor.words);
        lanes::detail::TopRows<K, Group> fast(group);
        for (int i = 0; i < K / 2; ++i)
            fast.even[i] = join_halves(exact.words[2 * i], exact.words[2 * i + 1]);
        Limb next[rows];
        Limb digit[rows];
        for (int i = 0; i < rows; ++i) {
            next[i] = static_cast<Limb>(operand<S>(source, S::limb_bits).to_uint64());
            digit[i] = lanes::divide_step<K>(group, exact.words, next[i], divisor.words, top);
        }
        bool same = true;
        for (int i = 0; i < rows; i += 2) {
            same = same & (fast.divide_row(fast.even, fast.odd, next[i], c, top) == digit[i]);
            same =
                same & (fast.divide_row(fast.odd, fast.even, next[i + 1], c, top) == digit[i + 1]);
        }
        Number<S, K> joined;
        Limb above[3];
        fast.join(joined.words, above);
        const bool given_up = group.any(fast.rare != Word(0)) || above[0] != 0 ||
                              !lanes::less<K>(group, joined.words, divisor.words);
        uniform += random;
        noted += random && given_up;
        if (given_up)
            continue;
        wrong.equal("digits", same, 1);
        wrong.equal("rest", joined.value(), exact.value());
    }
    if (sizeof(Limb) == 4)
        CHECK(noted * 1000 <= uniform);
    CHECK(uniform > 0);
}

// Rows that are joined: the sum of what all lanes hold, also where carries run through its top.
template <class S>
void check_join(long count) {
    constexpr int K = S::words;
    using Group = typename S::Group;
    using Limb = typename S::Limb;
    const Group group;
    test::OperandSource source(test::property_seed("lanes/join " + S::name(), S::bits));
    Wrong wrong(S::name());
    for (long round = 0; round < test::scaled(count); ++round) {
        lanes::detail::TopRows<K, Group> sums(group);
        Integer expected = 0;
        const auto draw = [&](auto &into, int limbs, int place) {
            const Integer drawn = source.one_in(2) ? test::all_ones(limbs * S::limb_bits)
                                                   : operand<S>(source, limbs * S::limb_bits);
            into = static_cast<std::remove_reference_t<decltype(into)>>(drawn.to_uint64());
            expected = expected + (drawn << static_cast<std::size_t>(place * S::limb_bits));
        };
        for (int lane = 0; lane < S::lane_count; ++lane) {
            for (int i = 0; i < K / 2; ++i) {
                draw(sums.even[i].lane[lane], 2, lane * K + 2 * i);
                draw(sums.odd[i].lane[lane], 2, lane * K + 2 * i + 1);
            }
            draw(sums.over.lane[lane], 1, lane * K + K + 1);
        }
        Number<S, K> joined;
        Limb above[3];
        sums.join(joined.words, above);
        Integer top = 0;
        for (const int i : {2, 1, 0})
            top = (top << std::size_t{S::limb_bits}) + Integer(std::uint64_t{above[i]});
        wrong.equal("sum", joined.value() + (top << std::size_t{S::capacity}), expected);
    }
}

// The rows of a square root: right wherever nothing was noted, and noted seldom for numbers without
// a pattern.
template <class S>
void check_roots(long count) {
    constexpr int K = S::words;
    const typename S::Group group;
    test::OperandSource source(test::property_seed("lanes/roots " + S::name(), S::bits));
    Wrong wrong(S::name());
    long found = 0;
    long uniform = 0;
    long noted = 0;
    const Integer quarter = test::power_of_two(2 * S::capacity - 2);
    for (long round = 0; round < test::scaled(count); ++round) {
        const bool random = source.one_in(2);
        Integer a =
            random ? source.uniform_bits(2 * S::capacity) : operand<S>(source, 2 * S::capacity);
        if (!random && source.one_in(2)) { // a square, or one less or more
            const Integer root =
                operand<S>(source, S::capacity - 2) | test::power_of_two(S::capacity - 2);
            a = root * root + Integer(source.below(3)) - 1;
        }
        a = a % quarter;
        if (a < test::power_of_two(2 * S::capacity - 4))
            a = a + test::power_of_two(2 * S::capacity - 3);
        const Number<S, K> high(a >> S::capacity);
        const Number<S, K> low(test::store_unsigned(a, S::capacity));
        Number<S, K> twice;
        Number<S, K> rest;
        const bool right =
            lanes::square_root_rows<K>(group, twice.words, rest.words, high.words, low.words);
        uniform += random;
        noted += random && !right;
        if (!right)
            continue;
        ++found;
        Integer root;
        mpz_sqrt(root.raw(), a.raw());
        wrong.equal("twice the root", twice.value(), root + root);
        wrong.equal("rest", rest.value(), a - root * root);
    }
    if (sizeof(typename S::Limb) == 4)
        CHECK(noted * 1000 <= uniform);
    CHECK(found * 20 > uniform);
    CHECK(uniform > 0);
}

} // namespace

TEST_CASE("division over lanes") {
    check_division<Shape<std::uint8_t, 1, 2>, 2>(4000);
    check_division<Shape<std::uint8_t, 2, 4>, 2>(4000);
    check_division<Shape<std::uint8_t, 4, 4>, 6>(2000);
    check_division<Shape<std::uint8_t, 8, 8>, 4>(1000);
    check_division<Shape<std::uint8_t, 32, 2>, 2>(500);
    check_division<Shape<std::uint32_t, 2, 8>, 4>(1000);
}
TEST_CASE("products and powers modulo any number over lanes") {
    check_modular<Shape<std::uint8_t, 1, 8>>(2000);
    check_modular<Shape<std::uint8_t, 2, 4>>(2000);
    check_modular<Shape<std::uint8_t, 8, 6, 45>>(1000);
    check_modular<Shape<std::uint8_t, 4, 8, 26>>(1000);
    check_modular<Shape<std::uint8_t, 16, 2>>(500);
    check_modular<Shape<std::uint32_t, 4, 6, 22>>(500);
}
TEST_CASE("rows of a division with carries that wait") {
    check_rows<Shape<std::uint8_t, 1, 6>>(4000);
    check_rows<Shape<std::uint8_t, 4, 4>>(4000);
    check_rows<Shape<std::uint32_t, 4, 4>>(4000);
    check_rows<Shape<std::uint32_t, 2, 8>>(4000);
}
TEST_CASE("rows that are joined") {
    check_join<Shape<std::uint8_t, 1, 6>>(1000);
    check_join<Shape<std::uint8_t, 4, 4>>(1000);
    check_join<Shape<std::uint32_t, 4, 4>>(1000);
}
TEST_CASE("rows of a square root") {
    check_roots<Shape<std::uint8_t, 1, 4>>(8000);
    check_roots<Shape<std::uint8_t, 2, 4>>(8000);
    check_roots<Shape<std::uint8_t, 8, 6>>(2000);
    check_roots<Shape<std::uint32_t, 1, 8>>(2000);
    check_roots<Shape<std::uint32_t, 4, 4>>(2000);
}
