// SPDX-License-Identifier: Apache-2.0
// Operators and functions of two numbers of unequal widths and signs, where the shorter one is not
// widened: against the law in unbounded integers. Products also into targets that are narrower
// than both operands, or than the exact product.
#include "bigint_cases.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <type_traits>

using namespace bigint_cases;

namespace {

/// a op= b, products modulo other widths, and comparisons, of operands with the values v.
template <typename A, typename B>
void check_operands(Verdict &verdict, const A &a, const B &b, const Operands &v) {
    check_compound(verdict, a, b, v);
    holds(verdict, "a + b", a + b, v[0] + v[1]);
    holds(verdict, "b + a", b + a, v[0] + v[1]);
    holds(verdict, "a - b", a - b, v[0] - v[1]);
    holds(verdict, "b - a", b - a, v[1] - v[0]);
    holds(verdict, "a & b", a & b, v[0] & v[1]);
    holds(verdict, "b | a", b | a, v[0] | v[1]);
    verdict.equal("a * b", to_integer(a * b), v[0] * v[1]);
    verdict.equal("b * a", to_integer(b * a), v[0] * v[1]);
    holds(verdict, "mul_low(a, b)", mul_low(a, b), v[0] * v[1]);
    holds(verdict, "mul_low(b, a)", mul_low(b, a), v[0] * v[1]);
    verdict.is_true("a == b", (a == b) == (v[0] == v[1]));
    verdict.is_true("a < b", (a < b) == (v[0] < v[1]));
    verdict.is_true("b < a", (b < a) == (v[1] < v[0]));
    if constexpr (warpint::BigNumber<B>) {
        using warpint::number::low_product;
        constexpr int exact = A::bits + B::bits;
        holds(verdict, "17 bits of a b", low_product<BigInt<17>>(a, b), v[0] * v[1]);
        holds(verdict, "45 signed bits of a b", low_product<SignedBigInt<45>>(a, b), v[0] * v[1]);
        holds(verdict, "a b but a bit", low_product<BigInt<exact - 1>>(a, b), v[0] * v[1]);
    }
}

template <typename A, typename B>
void check_pair() {
    check_property(
        "unequal widths", A::bits, 1500, draw_pair<A, B>, [](Verdict &verdict, const Operands &v) {
            const A a = from_integer<A>(v[0]);
            const B b = from_integer<B>(v[1]);
            check_operands(verdict, a, b, v);
            A x = a;
            B y = b;
            x *= b;
            y *= a;
            holds(verdict, "a *= b", x, v[0] * v[1]);
            holds(verdict, "b *= a", y, v[0] * v[1]);
            y += a;
            holds(verdict, "b *= a, += a", y, v[0] * v[1] + v[0]);
            // Of one value: what A and B both hold.
            const Integer low = stored<B>(stored<A>(v[1]));
            verdict.is_true("A(b) == B(A(b))", (from_integer<A>(stored<A>(v[1])) ==
                                                from_integer<B>(low)) == (stored<A>(v[1]) == low));
        });
}

template <typename A, typename Builtin>
void check_builtin() {
    using B = warpint::number::big_t<Builtin>;
    check_property("unequal widths, built-in", A::bits, 1500, draw_pair<A, B>,
                   [](Verdict &verdict, const Operands &v) {
                       check_operands(verdict, from_integer<A>(v[0]),
                                      static_cast<Builtin>(from_integer<B>(v[1])), v);
                   });
}

template <typename A>
void check_all() {
    check_pair<A, BigInt<32>>();
    check_pair<A, SignedBigInt<20>>();
    check_pair<A, BigInt<64>>();
    check_pair<A, SignedBigInt<95>>();
    check_pair<A, BigInt<130>>();
    check_builtin<A, int>();
    check_builtin<A, std::uint64_t>();
    check_builtin<A, std::int64_t>();
}

/// Constants that a compiler may hold in one register with a count of loops of the same value.
template <int N, unsigned... Constant>
void check_constants() {
    using A = BigInt<N>;
    check_property("products by constants", N, 100, draw_pair<A, BigInt<32>>,
                   [](Verdict &verdict, const Operands &v) {
                       const A a = from_integer<A>(v[0]);
                       const auto check = [&](auto constant) {
                           constexpr unsigned b = decltype(constant)::value;
                           A x = a;
                           x *= b;
                           verdict.equal("a * constant", to_integer(a * b),
                                         v[0] * static_cast<int>(b));
                           holds(verdict, "a *= constant", x, v[0] * static_cast<int>(b));
                       };
                       (check(std::integral_constant<unsigned, Constant>{}), ...);
                   });
}

} // namespace

TEST_CASE("products by constants") { // of 512 N bits and one limb more by N
    check_constants<512, 0, 1>();
    check_constants<1024, 1, 2>();
    check_constants<1056, 2, 3>();
    check_constants<1536, 0, 3>();
    check_constants<4096, 8>();
}

TEST_CASE("operands of unequal widths and signs") {
    check_all<BigInt<1>>();
    check_all<SignedBigInt<33>>();
    check_all<BigInt<96>>();
    check_all<SignedBigInt<250>>();
    check_all<SignedBigInt<1120>>(); // in loops
}

TEST_CASE("long products of unequal widths") {
    check_pair<BigInt<1024>, BigInt<1024>>();
    check_pair<BigInt<1504>, SignedBigInt<700>>();
    check_pair<SignedBigInt<8000>, BigInt<3000>>();
    check_pair<BigInt<8192>, BigInt<8192>>();
}
