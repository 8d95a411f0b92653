// SPDX-License-Identifier: Apache-2.0
// BigInt, widths of 128 to 1024 limbs: fewer operations and draws, because each costs more to
// compile and to run.

#include "bigint_cases.h"

#include <doctest/doctest.h>

using namespace bigint_cases;

namespace {

/// The operators that behave differently at great widths, checked against the law.
template <int N>
void check_wide(long count) {
    const auto draw = [](OperandSource &source) -> Operands {
        if (source.one_in(2)) {
            test::DivisionPair d = source.division_pair(N, source.one_in(2) ? N : N / 2 + 5);
            return {d.dividend, d.divisor, Integer(source.below(N + 3))};
        }
        test::OperandPair pair = source.pair(N, N);
        return {pair.a, pair.b, Integer(source.below(N + 3))};
    };
    check_property("wide numbers", N, count, draw, [](Verdict &verdict, const Operands &v) {
        using Number = BigInt<N>;
        const Number a = from_integer<Number>(v[0]);
        const Number b = from_integer<Number>(v[1]);
        const int shift = static_cast<int>(v[2].to_long());
        holds(verdict, "a + b", a + b, v[0] + v[1]);
        holds(verdict, "a - b", a - b, v[0] - v[1]);
        verdict.equal("a * b", to_integer(a * b), v[0] * v[1]);
        verdict.equal("sqr(a)", to_integer(sqr(a)), v[0] * v[0]);
        Number x = a;
        x *= b;
        holds(verdict, "a *= b", x, v[0] * v[1]);
        if (!v[1].is_zero()) {
            const auto both = divmod(a, b);
            holds(verdict, "quotient", both.quotient, v[0] / v[1]);
            holds(verdict, "remainder", both.remainder, v[0] % v[1]);
        }
        holds(verdict, "a << k", a << shift, v[0] << std::size_t(shift));
        holds(verdict, "a >> k", a >> shift, v[0] >> std::size_t(shift));
        const int order = compare(v[0], v[1]);
        verdict.is_true("a < b", (a < b) == (order < 0));
        verdict.is_true("a == b", (a == b) == (order == 0));
        verdict.equal("bit_width", to_integer(bit_width(a)), v[0].bit_width());
        verdict.equal("popcount", to_integer(popcount(a)), v[0].popcount());
    });
}

} // namespace

TEST_CASE("4096 bits") {
    check_wide<4096>(3000);
}
TEST_CASE("8192 bits") {
    check_wide<8192>(1000);
}
TEST_CASE("32768 bits") {
    check_wide<32768>(100);
}
