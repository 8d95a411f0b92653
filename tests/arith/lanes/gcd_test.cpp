// SPDX-License-Identifier: Apache-2.0
// Greatest common divisors, cofactors and Jacobi symbols over lanes. With 8-bit limbs a batch has 6
// steps, so that wrong comparisons are frequent; of numbers of one limb all pairs are tried.

#include "lanes_support.h"

#include <warpint/arith/lanes/gcd.h>

namespace {

namespace lanes = warpint::lanes;
using test::Integer;
using test::lanes::Number;
using test::lanes::operand;
using test::lanes::Shape;
using test::lanes::Wrong;

template <class S>
void check_pair(Wrong &wrong, const Integer &a, const Integer &odd) {
    constexpr int K = S::words;
    const typename S::Group group;
    Number<S, K> x(a);
    Number<S, K> y(odd);
    Number<S, K> gcd;
    Number<S, K> cofactor;
    lanes::cofactor_odd<K>(group, cofactor.words, gcd.words, x.words, y.words);
    Integer expected;
    mpz_gcd(expected.raw(), a.raw(), odd.raw());
    wrong.equal("gcd beside the cofactor", gcd.value(), expected);
    const Integer c = cofactor.value();
    wrong.equal("cofactor below m", c < odd, 1);
    wrong.equal("cofactor", test::modulo(c * a - expected, odd), 0);
    const Number<S, K> a_again(a);
    const Number<S, K> m_again(odd);
    x = a_again;
    y = m_again;
    wrong.equal("symbol", Integer(lanes::jacobi_odd<K>(group, x.words, y.words)),
                Integer(mpz_jacobi(a.raw(), odd.raw())));
    x = a_again;
    y = m_again;
    lanes::gcd_odd<K>(group, x.words, y.words);
    wrong.equal("gcd", y.value(), expected);
    wrong.equal("rest", x.value(), 0);
}

template <class S>
void check(long count) {
    test::OperandSource source(test::property_seed("lanes/divisor " + S::name(), S::bits));
    Wrong wrong(S::name());
    for (long round = 0; round < test::scaled(count); ++round) {
        Integer a = operand<S>(source, S::capacity);
        Integer m = operand<S>(source, S::capacity) | 1;
        if (source.one_in(3)) {
            const auto pair = source.inverse_pair(S::capacity, S::capacity);
            a = pair.a;
            m = pair.b | 1;
        }
        if (source.one_in(8))
            a = m + Integer(source.below(5) - 2);
        if (source.one_in(8))
            m = test::all_ones(S::capacity);
        check_pair<S>(wrong, test::store_unsigned(a, S::capacity), m);
    }
}

} // namespace

TEST_CASE("divisors over lanes of short numbers") {
    using S = Shape<std::uint8_t, 1, 2>;
    Wrong wrong(S::name());
    for (int a = 0; a < 65536; a += 61) {
        for (int m = 1; m < 65536; m += 2 * 101)
            check_pair<S>(wrong, Integer(a), Integer(m));
    }
    for (int a = 0; a < 256; ++a) {
        for (int m = 1; m < 256; m += 2)
            check_pair<S>(wrong, Integer(a), Integer(m));
    }
}
TEST_CASE("divisors over lanes of 8-bit limbs") {
    check<Shape<std::uint8_t, 2, 2>>(3000);
    check<Shape<std::uint8_t, 4, 4>>(1000);
    check<Shape<std::uint8_t, 8, 2>>(1000);
    check<Shape<std::uint8_t, 16, 4>>(200);
    check<Shape<std::uint8_t, 32, 2>>(200);
}
TEST_CASE("divisors over lanes of 32-bit limbs") {
    check<Shape<std::uint32_t, 1, 6>>(500);
    check<Shape<std::uint32_t, 4, 4>>(300);
}
