// SPDX-License-Identifier: Apache-2.0
// Modular powers: fixed and sliding windows of every width and combs over limb arrays, against
// plain integers; FixedBase and pow against GMP.

#include "power_cases.h"
#include "support/even_power.h"
#include "support/limbs.h"
#include "support/oracle.h"
#include "support/property.h"

#include <warpint/modular.h>
#include <warpint/number/modular/fixed_base.h>

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <stdexcept>

namespace {

using namespace power_cases;
using test::check_property;
using test::from_integer;
using test::Integer;
using test::Operands;
using test::OperandSource;
using test::power_modulo;
using test::to_integer;
using test::Verdict;
using test::limbs::Source;
using test::limbs::Tally;
using warpint::BigInt;
using warpint::FixedBase;
using warpint::Modulus;
using warpint::SignedBigInt;

/// a^e mod m, m < 2^32, bit by bit.
template <std::size_t E>
std::uint64_t oracle(std::uint64_t a, const std::array<std::uint32_t, E> &e, std::uint64_t m) {
    std::uint64_t result = 1 % m;
    for (int bit = 32 * int(E) - 1; bit >= 0; --bit) {
        result = result * result % m;
        if ((e[std::size_t(bit / 32)] >> (bit % 32)) & 1) {
            result = result * (a % m) % m;
        }
    }
    return result;
}

template <int MaxWindow, std::size_t E>
void check_windows(Tally &tally, std::uint64_t a, const std::array<std::uint32_t, E> &e,
                   std::uint64_t m, std::uint64_t expected) {
    const Prepared<4> modulus(m);
    tally.equal(power<4, MaxWindow, PowerMethod::fixed_windows>(a, e, modulus), expected, a, e[0],
                m);
    tally.equal(power<4, MaxWindow, PowerMethod::sliding_windows>(a, e, modulus), expected, a, e[0],
                m);
    tally.equal(power_recoded<4, MaxWindow == 1 ? 2 : MaxWindow>(a, e, modulus), expected, a, e[0],
                m);
    if (m % 2 == 1) {
        for (const int tables : {1, 2}) {
            const int columns = arith::comb_columns(32 * int(E), MaxWindow * tables);
            tally.equal(comb<4, MaxWindow>(a, e, modulus, columns, tables), expected, a, e[0], m);
        }
    }
    if constexpr (MaxWindow > 1) {
        check_windows<MaxWindow - 1>(tally, a, e, m, expected);
    }
}

/// A modulus >= 1 of up to four limbs, odd or not.
std::uint64_t draw_modulus(Source &source) {
    std::uint64_t m = source.number(4) >> (source.word() % 32);
    m = source.word() % 4 == 0 ? m << (source.word() % 32) & 0xffffffff : m;
    return m + (m == 0);
}

template <int N, int E, int Teeth>
void check_fixed_base(const char *name, long count) {
    const auto draw = [](OperandSource &source) -> Operands {
        const test::OperandTriple triple = source.triple(N, N, N);
        return {triple.a, source.exponent(E, triple.m), source.exponent(E + 40, triple.m),
                triple.m};
    };
    check_property(name, N, count, draw, [](Verdict &verdict, const Operands &v) {
        const Modulus<N> m(from_integer<BigInt<N>>(v[3]));
        const FixedBase<N, E, Teeth> base(from_integer<BigInt<N>>(v[0]), m);
        verdict.equal("pow(fixed, e)", to_integer(pow(base, from_integer<BigInt<E>>(v[1]))),
                      power_modulo(v[0], v[1], v[3]));
        verdict.equal("pow(fixed, e), e wider",
                      to_integer(pow(base, from_integer<BigInt<E + 40>>(v[2]))),
                      power_modulo(v[0], v[2], v[3]));
        verdict.equal("pow(fixed, 65537)", to_integer(pow(base, 65537)),
                      power_modulo(v[0], Integer(65537), v[3]));
        verdict.equal("base", to_integer(base.base()), test::modulo(v[0], v[3]));
    });
}

/// The combs of kernels, whose parts any thread fills at any time.
template <int N, int E>
void check_kernel_comb(const char *name, long count) {
    const auto draw = [](OperandSource &source) -> Operands {
        const test::OperandTriple triple = source.triple(N, N, N);
        return {triple.a, source.exponent(E, triple.m), triple.m};
    };
    check_property(name, N, count, draw, [](Verdict &verdict, const Operands &v) {
        using Comb = typename warpint::number::TabledBase<N, E>::KernelComb;
        const Modulus<N> m(from_integer<BigInt<N>>(v[2]));
        const BigInt<N> base = from_integer<BigInt<N>>(v[0]) % m;
        const BigInt<E> e = from_integer<BigInt<E>>(v[1]);
        std::vector<std::uint32_t> table(std::size_t{Comb::entries} * Comb::limb_count);
        Comb::prepare_powers(table.data(), base, m);
        for (int part = Comb::parts - 1; part >= 0; --part)
            Comb::prepare_part(table.data(), m, part);
        verdict.equal("by a kernel's comb",
                      to_integer(Comb::power(table.data(), base, m, e.limbs, e.limb_count)),
                      power_modulo(v[0], v[1], v[2]));
    });
}

/// Public exponents, and those whose form decides the method.
template <int N>
void check_exponents(const char *name, long count) {
    const auto draw = [](OperandSource &source) -> Operands {
        const test::OperandTriple triple = source.triple(N, N, N);
        return {triple.a, triple.m, source.exponent(N, triple.m)};
    };
    check_property(name, N, count, draw, [](Verdict &verdict, const Operands &v) {
        const auto a = from_integer<BigInt<N>>(v[0]);
        const Modulus<N> m(from_integer<BigInt<N>>(v[1]));
        for (const int e : {0, 1, 2, 3, 4, 5, 7, 15, 16, 17, 31, 255, 257, 65535, 65537}) {
            verdict.equal("pow, small exponent", to_integer(pow(a, e, m)),
                          power_modulo(v[0], Integer(e), v[1]));
        }
        verdict.equal("pow", to_integer(pow(a, from_integer<BigInt<N>>(v[2]), m)),
                      power_modulo(v[0], v[2], v[1]));
        const Integer sparse = test::power_of_two(N - 1) + test::power_of_two(N / 2) + 1;
        verdict.equal("pow, few bits set", to_integer(pow(a, from_integer<BigInt<N>>(sparse), m)),
                      power_modulo(v[0], sparse, v[1]));
        const Integer dense = test::power_of_two(N) - 1;
        verdict.equal("pow, all bits set", to_integer(pow(a, from_integer<BigInt<N>>(dense), m)),
                      power_modulo(v[0], dense, v[1]));
    });
}

/// Even moduli of N bits at most.
template <int N>
void check_even_moduli(const char *name, long count) {
    const auto draw = [](OperandSource &source) -> Operands {
        const test::OperandTriple triple = test::even_power(source, N);
        return {triple.a, triple.b, triple.m};
    };
    check_property(name, N, count, draw, [](Verdict &verdict, const Operands &v) {
        const auto a = from_integer<BigInt<N>>(v[0]);
        const auto e = from_integer<BigInt<N>>(v[1]);
        const auto m = from_integer<BigInt<N>>(v[2]);
        const Integer expected = power_modulo(v[0], v[1], v[2]);
        verdict.equal("pow(a, e, m)", to_integer(pow(a, e, m)), expected);
        verdict.equal("pow(a, e, Modulus)", to_integer(pow(a, e, Modulus<N>(m))), expected);
    });
}

} // namespace

TEST_CASE("powers: random limbs, every window and comb width") {
    Tally tally("powers");
    Source source("powers");
    for (long i = 0, runs = test::scaled(6000); i < runs; ++i) {
        const std::uint64_t a = source.number(4);
        const std::array<std::uint32_t, 1> e{
            static_cast<std::uint32_t>(source.number(4) >> (source.word() % 32))};
        const std::uint64_t m = draw_modulus(source);
        check_windows<8>(tally, a, e, m, oracle(a, e, m));
        tally.equal(power<5, 5, PowerMethod::fixed_windows>(a, e, Prepared<5>(m)), oracle(a, e, m),
                    a, e[0], m);
    }
}

TEST_CASE("powers: long exponents, every window and comb width") {
    Tally tally("powers with long exponents");
    Source source("long exponents");
    constexpr std::size_t exponent_limbs = 40;
    for (long i = 0, runs = test::scaled(150); i < runs; ++i) {
        std::array<std::uint32_t, exponent_limbs> e{};
        const std::size_t used = source.word() % (exponent_limbs + 1);
        for (std::size_t k = 0; k < used; ++k) {
            e[k] = static_cast<std::uint32_t>(source.word() % 3 == 0 ? 0 : source.number(4));
        }
        const std::uint64_t m = draw_modulus(source);
        const std::uint64_t a = source.number(4);
        check_windows<8>(tally, a, e, m, oracle(a, e, m));
        Limbs<4> r;
        arith::power_low<4>(r.begin(), Limbs<4>(a).begin(), e.data(), int(exponent_limbs));
        tally.equal(r.value(), oracle(a, e, std::uint64_t(1) << 32), a, i);
        tally.equal(r.intact(), true, a, i);
    }
}

TEST_CASE("the window is bounded and the method with fewer products is taken") {
    for (const PowerMethod method : {PowerMethod::fixed_windows, PowerMethod::sliding_windows}) {
        for (int limit = 1; limit <= 8; ++limit) {
            for (int bits = 1; bits < 5000; ++bits) {
                const int window = arith::best_window(bits, limit, method);
                REQUIRE(window >= 1);
                REQUIRE(window <= limit);
                for (int other = 1; other <= limit; ++other) {
                    REQUIRE(arith::window_cost(bits, window, method) <=
                            arith::window_cost(bits, other, method));
                }
            }
        }
        for (const std::uint32_t e : {3u, 17u, 257u, 65537u}) { // no table
            const auto shape = arith::exponent_shape(&e, 1);
            CHECK(shape.bits == std::bit_width(e));
            CHECK(shape.ones == 2);
            CHECK(arith::exponent_best_window(shape, 8, method) == 1);
        }
        for (std::uint32_t e = 1; e < 10000; ++e) {
            const auto shape = arith::exponent_shape(&e, 1);
            const auto products = [&](int window) { // bit by bit those of this exponent
                return window == 1 ? shape.ones - 1
                                   : arith::window_cost(shape.bits, window, method);
            };
            for (int limit = 1; limit <= 5; ++limit) {
                const int window = arith::exponent_best_window(shape, limit, method);
                for (int other = 1; other <= limit; ++other)
                    REQUIRE(products(window) <= products(other));
            }
        }
    }
}

TEST_CASE("powers: exponents of every kind") {
    check_exponents<8>("powers, 8 bits", 2000);
    check_exponents<64>("powers, 64 bits", 2000);
    check_exponents<256>("powers, 256 bits", 1000);
    check_exponents<384>("powers, 384 bits", 300);
    check_exponents<1000>("powers, 1000 bits", 60);
    check_exponents<2048>("powers, 2048 bits", 15);
}

TEST_CASE("powers: even moduli of every kind") {
    check_even_moduli<31>("even moduli, 31 bits", 4000);
    check_even_moduli<64>("even moduli, 64 bits", 4000);
    check_even_moduli<131>("even moduli, 131 bits", 4000);
    check_even_moduli<256>("even moduli, 256 bits", 3000);
    check_even_moduli<521>("even moduli, 521 bits", 1000);
    check_even_moduli<1024>("even moduli, 1024 bits", 300);
    check_even_moduli<2240>("even moduli, 2240 bits", 40);
}

TEST_CASE("powers of a fixed base") {
    check_fixed_base<5, 7, 1>("fixed base, one tooth", 2000);
    check_fixed_base<33, 33, 2>("fixed base, 33 bits", 2000);
    check_fixed_base<64, 64, 3>("fixed base, 64 bits", 2000);
    check_fixed_base<256, 256, 5>("fixed base, 256 bits", 500);
    check_fixed_base<256, 161, 8>("fixed base, shorter exponents", 200);
    check_fixed_base<1024, 512, 6>("fixed base, 1024 bits", 40);
    check_kernel_comb<256, 70>("a kernel's comb of two tables", 40);
    check_kernel_comb<1024, 520>("a kernel's comb of eight tables", 20);
}

TEST_CASE("fixed base: the corners by name") {
    const Modulus<64> seven(BigInt<64>(7)), one(BigInt<64>(1)), even(BigInt<64>(96));
    const FixedBase<64, 64> zero(0, seven), three(3, seven), minus(-3, seven), wide(10, seven);
    CHECK(pow(zero, 0) == 1);
    CHECK(pow(zero, 5) == 0);
    CHECK(pow(three, 0) == 1);
    CHECK(pow(three, 6) == 1);
    CHECK(pow(wide, 5) == pow(three, 5));
    CHECK(minus.base() == 4);
    CHECK(pow(minus, 3) == 1);
    CHECK(pow(FixedBase<64, 64>(5, one), 0) == 0);
    CHECK(pow(FixedBase<64, 64>(6, even), 5) == 0);
    CHECK(pow(FixedBase<64, 64>(6, even), 3) == 24);
    CHECK_THROWS_AS(static_cast<void>(pow(three, -1)), std::domain_error);
    constexpr Modulus<61> mersenne((BigInt<61>(1) << 61) - 1);
    constexpr FixedBase<61, 61, 4> base(3, mersenne);
    static_assert(pow(base, mersenne.value() - 1) == 1);
}
