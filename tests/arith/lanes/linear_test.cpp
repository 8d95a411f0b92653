// SPDX-License-Identifier: Apache-2.0
// Sums, differences, comparisons, shifts and layouts over lanes, at all lane counts, with 8-bit
// limbs, where carries through whole lanes are frequent, and with 32-bit ones.

#include "lanes_support.h"

#include <warpint/arith/lanes/move.h>

namespace {

namespace lanes = warpint::lanes;
using test::Integer;
using test::lanes::Number;
using test::lanes::operand;
using test::lanes::Shape;
using test::lanes::Wrong;

template <class S>
void check_linear(long count) {
    constexpr int K = S::words;
    using N = Number<S, K>;
    const typename S::Group group;
    test::OperandSource source(test::property_seed("lanes/linear " + S::name(), S::bits));
    Wrong wrong(S::name());
    for (long round = 0; round < test::scaled(count); ++round) {
        const Integer a = operand<S>(source, S::capacity);
        const Integer b = source.one_in(6) ? a : operand<S>(source, S::capacity);
        const bool carry = source.one_in(2);
        const N x(a);
        const N y(b);
        N r;
        bool out = lanes::add<K>(group, r.words, x.words, y.words, carry);
        wrong.equal("sum", r.value() + (Integer(out) << S::capacity), a + b + Integer(carry));
        out = lanes::subtract<K>(group, r.words, x.words, y.words, carry);
        wrong.equal("difference", r.value() - (Integer(out) << S::capacity),
                    a - b - Integer(carry));
        wrong.equal("less", lanes::less<K>(group, x.words, y.words), a < b);
        wrong.equal("equal", lanes::equal<K>(group, x.words, y.words), a == b);
        wrong.equal("is_zero", lanes::is_zero<K>(group, x.words), a.is_zero());
        wrong.equal("bit_width", lanes::bit_width<K>(group, x.words), a.bit_width());
        wrong.equal("countr_zero", lanes::countr_zero<K>(group, x.words),
                    a.is_zero() ? S::capacity : a.trailing_zeros());
        lanes::negate_if<K>(group, r.words, carry, x.words);
        wrong.equal("negate_if", r.value(), test::store_unsigned(carry ? -a : a, S::capacity));
        const int limb = source.below(1 << 8);
        using Limb = typename S::Limb;
        out = lanes::add_limb<K>(group, r.words, x.words, static_cast<Limb>(limb));
        wrong.equal("add_limb", r.value() + (Integer(out) << S::capacity), a + Integer(limb));
        const int shift = source.below(S::capacity + 1);
        lanes::shift_left<K>(group, r.words, x.words, shift);
        wrong.equal("shift_left", r.value(),
                    test::store_unsigned(a << static_cast<std::size_t>(shift), S::capacity));
        lanes::shift_right<K>(group, r.words, x.words, shift);
        wrong.equal("shift_right", r.value(), a >> static_cast<std::size_t>(shift));
        lanes::shift_right<K>(group, r.words, x.words, shift, static_cast<Limb>(~Limb{0}));
        wrong.equal("shift_right with ones", r.value(),
                    test::store_unsigned((a - test::power_of_two(S::capacity)) >>
                                             static_cast<std::size_t>(shift),
                                         S::capacity));
        const int bit = source.below(S::capacity);
        wrong.equal("bit_at", lanes::bit_at<K>(group, x.words, bit),
                    a.bit(static_cast<std::size_t>(bit)));
        // Up to the number of bits below the capacity that a shape uses.
        constexpr int cut = S::capacity - S::limb_bits - 3;
        r = x;
        lanes::set_above<K, cut>(group, r.words, Limb{0});
        wrong.equal("set_above", r.value(), test::store_unsigned(a, cut));
        lanes::set_above<K, cut>(group, r.words, static_cast<Limb>(~Limb{0}));
        wrong.equal("set_above with ones", r.value(),
                    test::store_unsigned(a, cut) + test::power_of_two(S::capacity) -
                        test::power_of_two(cut));
    }
}

template <class S, int KR, int Offset>
void check_layout(long count) {
    constexpr int K = S::words;
    const typename S::Group group;
    test::OperandSource source(test::property_seed("lanes/layout " + S::name(), KR));
    Wrong wrong(S::name() + " to " + std::to_string(KR));
    for (long round = 0; round < test::scaled(count); ++round) {
        const Integer a = operand<S>(source, S::capacity);
        const Number<S, K> x(a);
        Number<S, KR> r;
        lanes::relayout<KR, K, Offset>(group, r.words, x.words);
        wrong.equal(
            "relayout", r.value(),
            test::store_unsigned(a << (Offset * S::limb_bits), KR * S::lane_count * S::limb_bits));
    }
}

} // namespace

TEST_CASE("linear functions over lanes of 8-bit limbs") {
    check_linear<Shape<std::uint8_t, 1, 4>>(2000);
    check_linear<Shape<std::uint8_t, 2, 2>>(2000);
    check_linear<Shape<std::uint8_t, 4, 6>>(2000);
    check_linear<Shape<std::uint8_t, 8, 2>>(2000);
    check_linear<Shape<std::uint8_t, 16, 4>>(1000);
    check_linear<Shape<std::uint8_t, 32, 2>>(1000);
}
TEST_CASE("linear functions over lanes of 32-bit limbs") {
    check_linear<Shape<std::uint32_t, 1, 2>>(1000);
    check_linear<Shape<std::uint32_t, 4, 4>>(1000);
    check_linear<Shape<std::uint32_t, 32, 2>>(500);
}
TEST_CASE("from K words a lane to another number") {
    check_layout<Shape<std::uint8_t, 4, 2>, 4, 0>(500);
    check_layout<Shape<std::uint8_t, 4, 4>, 2, 0>(500);
    check_layout<Shape<std::uint8_t, 4, 6>, 10, 0>(500);
    check_layout<Shape<std::uint8_t, 8, 10>, 6, 13>(500);
    check_layout<Shape<std::uint8_t, 2, 4>, 8, 5>(500);
    check_layout<Shape<std::uint8_t, 32, 2>, 6, 64>(500);
    check_layout<Shape<std::uint8_t, 1, 4>, 6, 3>(500);
}
