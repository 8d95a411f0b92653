// SPDX-License-Identifier: Apache-2.0
// The constant-time functions give the values of their variable-time namesakes and of GMP. That
// they keep secrets is the matter of constant_time_leaks.cpp and tools/sass_taint.py.

#include "support/oracle.h"
#include "support/property.h"

#include <warpint/modular.h>

#include <warpint/constant_time.h>

#include <doctest/doctest.h>

#include <cstdint>
#include <stdexcept>

namespace {

using test::check_property;
using test::from_integer;
using test::Integer;
using test::modulo;
using test::Operands;
using test::OperandSource;
using test::to_integer;
using test::Verdict;
using warpint::BigInt;
using warpint::Modulus;
using warpint::SignedBigInt;

/// Selection and comparison of any two kinds of number.
template <typename A, typename B>
void check_pair(Verdict &verdict, const A &a, const B &b) {
    const Integer x = to_integer(a);
    const Integer y = to_integer(b);
    verdict.equal("select_ct(true)", to_integer(select_ct(true, a, b)), x);
    verdict.equal("select_ct(false)", to_integer(select_ct(false, a, b)), y);
    verdict.equal("equal_ct", Integer(equal_ct(a, b)), Integer(x == y));
    verdict.equal("equal_ct, turned", Integer(equal_ct(b, a)), Integer(x == y));
    verdict.equal("less_ct", Integer(less_ct(a, b)), Integer(x < y));
    verdict.equal("less_ct, turned", Integer(less_ct(b, a)), Integer(y < x));
    verdict.equal("as <", Integer(less_ct(a, b)), Integer(a < b));
}

template <int N, int Wide>
void check_numbers(long count) {
    const auto draw = [](OperandSource &source) -> Operands {
        const test::OperandPair pair = source.pair(N, source.one_in(2) ? N : Wide);
        return {pair.a, pair.b};
    };
    check_property("constant-time selection", N, count, draw, [](Verdict &verdict, auto &v) {
        const auto a = from_integer<BigInt<N>>(v[0]);
        const auto b = from_integer<BigInt<N>>(v[1]);
        const auto wide = from_integer<BigInt<Wide>>(v[1]);
        const auto negative = from_integer<SignedBigInt<N>>(v[0]);
        check_pair(verdict, a, b);
        check_pair(verdict, a, a);
        check_pair(verdict, a, wide);
        check_pair(verdict, negative, b);
        check_pair(verdict, negative, wide);
        check_pair(verdict, negative, from_integer<SignedBigInt<N>>(v[1]));
        check_pair(verdict, negative, from_integer<SignedBigInt<Wide>>(v[1]));
        check_pair(verdict, a, static_cast<std::uint64_t>(v[1].to_uint64()));
        check_pair(verdict, negative, static_cast<std::int64_t>(v[1].to_long()));
        check_pair(verdict, a, static_cast<std::int8_t>(v[1].to_long()));
        check_pair(verdict, a, static_cast<std::uint16_t>(v[1].to_long()));
        check_pair(verdict, negative, v[1].is_odd());
        verdict.equal("is_zero_ct", Integer(is_zero_ct(a)), Integer(v[0].is_zero()));
        verdict.equal("is_zero_ct(0)", Integer(is_zero_ct(a - a)), Integer(true));
        BigInt<N> x = a;
        BigInt<N> y = b;
        swap_ct(false, x, y);
        verdict.equal("swap_ct(false)", to_integer(x) + (to_integer(y) << N),
                      to_integer(a) + (to_integer(b) << N));
        swap_ct(true, x, y);
        verdict.equal("swap_ct(true)", to_integer(x) + (to_integer(y) << N),
                      to_integer(b) + (to_integer(a) << N));
    });
}

/// Operands of A and B bits modulo an odd m of N bits, given as a number and as a Modulus.
template <int N, int A, int B, int E>
void check_modular(long count) {
    const auto draw = [](OperandSource &source) -> Operands {
        const test::OperandTriple triple = source.triple(A, B, N);
        const Integer m = triple.m | 1;
        return {triple.a, triple.b, m, source.exponent(E, m)};
    };
    check_property("constant-time modular", N, count, draw, [](Verdict &verdict, auto &v) {
        const Integer &m = v[2];
        if (!m.is_odd()) { // while shrinking
            return;
        }
        const auto a = from_integer<BigInt<A>>(v[0]);
        const auto b = from_integer<BigInt<B>>(v[1]);
        const auto e = from_integer<BigInt<E>>(v[3]);
        const auto check = [&](const auto &modulus) {
            const Integer product = modulo(v[0] * v[1], m);
            const BigInt<N> x = mod_ct(a, modulus);
            const BigInt<N> y = mod_ct(b, modulus);
            verdict.equal("mod_ct", to_integer(x), modulo(v[0], m));
            verdict.equal("mod_ct, b", to_integer(y), modulo(v[1], m));
            verdict.equal("addmod_ct", to_integer(addmod_ct(x, y, modulus)),
                          modulo(v[0] + v[1], m));
            verdict.equal("submod_ct", to_integer(submod_ct(x, y, modulus)),
                          modulo(v[0] - v[1], m));
            verdict.equal("submod_ct, turned", to_integer(submod_ct(y, x, modulus)),
                          modulo(v[1] - v[0], m));
            verdict.equal("addmod_ct, unreduced", to_integer(addmod_ct(a, b, modulus)),
                          modulo(v[0] + v[1], m));
            verdict.equal("submod_ct, unreduced", to_integer(submod_ct(a, b, modulus)),
                          modulo(v[0] - v[1], m));
            verdict.equal("mulmod_ct", to_integer(mulmod_ct(a, b, modulus)), product);
            verdict.equal("mulmod_ct, reduced", to_integer(mulmod_ct(x, y, modulus)), product);
            verdict.equal("as mulmod", to_integer(mulmod_ct(a, b, modulus)),
                          to_integer(mulmod(a, b, modulus)));
            verdict.equal("sqrmod_ct", to_integer(sqrmod_ct(a, modulus)), modulo(v[0] * v[0], m));
            verdict.equal("pow_ct", to_integer(pow_ct(a, e, modulus)),
                          test::power_modulo(v[0], v[3], m));
            verdict.equal("as pow", to_integer(pow_ct(b, e, modulus)),
                          to_integer(pow(b, e, modulus)));
            const auto inverse = inverse_ct(a, modulus);
            const bool exists = test::greatest_common_divisor(v[0], m) == 1;
            verdict.equal("inverse_ct exists", Integer(inverse.has_value()), Integer(exists));
            verdict.equal("inverse_ct", to_integer(*inverse), test::inverse_or_zero(v[0], m));
        };
        check(from_integer<BigInt<N>>(m));
        check(Modulus<N>(from_integer<BigInt<N>>(m)));
    });
    // Remainders, sums and differences modulo even numbers too.
    const auto draw_any = [](OperandSource &source) -> Operands {
        const test::OperandTriple triple = source.triple(A, B, N);
        return {triple.a, triple.b, triple.m};
    };
    check_property("constant-time sums", N, count, draw_any, [](Verdict &verdict, auto &v) {
        if (v[2].is_zero()) {
            return;
        }
        const auto a = from_integer<BigInt<A>>(v[0]);
        const auto b = from_integer<BigInt<B>>(v[1]);
        const auto check = [&](const auto &m) {
            verdict.equal("mod_ct, any", to_integer(mod_ct(a, m)), modulo(v[0], v[2]));
            verdict.equal("addmod_ct, any", to_integer(addmod_ct(a, b, m)),
                          modulo(v[0] + v[1], v[2]));
            verdict.equal("submod_ct, any", to_integer(submod_ct(a, b, m)),
                          modulo(v[0] - v[1], v[2]));
        };
        check(from_integer<BigInt<N>>(v[2]));
        check(Modulus<N>(from_integer<BigInt<N>>(v[2])));
    });
}

} // namespace

TEST_CASE("constant time: select, swap, equal, less") {
    check_numbers<1, 33>(2000);
    check_numbers<33, 64>(4000);
    check_numbers<64, 131>(4000);
    check_numbers<131, 256>(4000);
    check_numbers<256, 300>(4000);
    check_numbers<521, 1024>(1000);
    check_numbers<1024, 1056>(1000);
}
TEST_CASE("constant time: modular, short") {
    check_modular<1, 7, 33, 3>(1000);
    check_modular<33, 33, 64, 33>(3000);
    check_modular<64, 64, 64, 64>(3000);
}
TEST_CASE("constant time: modular, 131 bits") {
    check_modular<131, 131, 500, 65>(2000);
}
TEST_CASE("constant time: modular, 256 bits") {
    check_modular<256, 256, 256, 256>(1500);
}
TEST_CASE("constant time: modular, 384 bits") {
    check_modular<384, 1000, 384, 131>(600);
}
TEST_CASE("constant time: modular, 521 bits") {
    check_modular<521, 521, 64, 521>(300);
}
TEST_CASE("constant time: modular, 1024 bits") {
    check_modular<1024, 1024, 1024, 1024>(60);
}

TEST_CASE("constant time: errors, constant expressions and named cases") {
    CHECK_THROWS_AS((void)pow_ct(BigInt<64>(3), BigInt<8>(5), BigInt<64>(10)), std::domain_error);
    CHECK_THROWS_AS((void)mulmod_ct(1u, 1u, BigInt<64>(0)), std::domain_error);
    CHECK(addmod_ct(BigInt<64>(30), BigInt<64>(71), BigInt<64>(8)) == 5);
    CHECK(mod_ct(BigInt<64>(30), Modulus<64>(8)) == 6);
    const BigInt<64> zero = 0;
    CHECK(
        (mod_ct(30u, zero) == 0 && addmod_ct(30u, 1u, zero) == 0 && submod_ct(1u, 30u, zero) == 0));
    CHECK_THROWS_AS((void)inverse_ct(BigInt<64>(3), BigInt<64>(8)), std::domain_error);

    static_assert(pow_ct(3u, 100u, BigInt<131>(1000003)) == pow(3u, 100u, BigInt<131>(1000003)));
    static_assert(pow_ct(BigInt<64>(0), BigInt<64>(0), BigInt<64>(7)) == 1);
    static_assert(pow_ct(BigInt<64>(0), BigInt<64>(0), BigInt<64>(1)) == 0);
    static_assert(inverse_ct(BigInt<64>(3), BigInt<64>(7)).has_value());
    static_assert(*inverse_ct(BigInt<64>(3), BigInt<64>(7)) == 5);
    static_assert(!inverse_ct(BigInt<64>(14), BigInt<64>(21)).has_value());
    static_assert(less_ct(-1, BigInt<64>(1)) && !less_ct(BigInt<64>(1), -1));
    static_assert(decltype(select_ct(true, BigInt<64>(1), -1))::bits == 65);
}
