// SPDX-License-Identifier: Apache-2.0
// Addition chains: their exponents, products counted, powers against GMP.

#include "support/oracle.h"
#include "support/property.h"

#include <warpint/number/modular/power_constant.h>
#include <warpint/number/modular/static_residue.h>

#include <doctest/doctest.h>

#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

namespace {

namespace arith = warpint::arith;
using test::from_integer;
using test::Integer;
using test::OperandSource;
using test::to_integer;
using warpint::BigInt;
using warpint::Modulus;

/// Exponents instead of powers: x^a is a, a product their sum.
struct ExponentRing {
    mutable int products = 0;
    std::uint64_t square(std::uint64_t a) const {
        ++products;
        return 2 * a;
    }
    std::uint64_t product(std::uint64_t a, std::uint64_t b) const {
        ++products;
        return a + b;
    }
};

int binary_products(std::uint64_t e) {
    return std::bit_width(e) - 1 + std::popcount(e) - 1;
}

/// Runs a program at run time.
std::uint64_t run(const arith::ChainProgram &program, int &products) {
    std::vector<std::uint64_t> slots(arith::ChainProgram::slots_limit, 0xdead);
    slots[0] = 1;
    std::uint64_t x = 1;
    products = 0;
    for (int i = 0; i < program.length; ++i) {
        const auto step = program.steps[i];
        switch (step.kind) {
        case arith::ChainStep::square:
            x <<= step.value;
            products += step.value;
            break;
        case arith::ChainStep::multiply:
            x += slots.at(step.value);
            ++products;
            break;
        case arith::ChainStep::save:
            slots.at(step.value) = x;
            CHECK(step.value < program.slots);
            break;
        case arith::ChainStep::load:
            x = slots.at(step.value);
            break;
        }
    }
    return x;
}

template <std::uint64_t E>
void check_constant(OperandSource &source) {
    const ExponentRing ring;
    CHECK(arith::power_by_chain<E>(std::uint64_t{1}, ring) == E);
    CHECK(ring.products == arith::chain_program_of<E>.products);
    CHECK(ring.products <= binary_products(E));

    const Integer m = source.modulus(163);
    const Integer a = test::store_unsigned(source.number(200), 200);
    const auto number = from_integer<BigInt<200>>(a);
    const Modulus<163> modulus(from_integer<BigInt<163>>(m));
    const Integer expected = test::power_modulo(a, Integer(E), m);
    CHECK(to_integer(warpint::pow<E>(number, modulus)) == expected);
    CHECK(to_integer(warpint::pow<E>(modulus(number)).value()) == expected);
    CHECK(to_integer(warpint::pow(modulus(number), E).value()) == expected);

    constexpr auto p = (BigInt<256>(1) << 255) - BigInt<256>(19);
    const warpint::StaticResidue<p> x(number);
    CHECK(to_integer(warpint::pow<E>(x).value()) ==
          test::power_modulo(a, Integer(E), to_integer(BigInt<256>(p))));
    CHECK(warpint::pow<E>(x) == warpint::pow(x, E));
}

template <std::uint64_t... E>
void check_constants(OperandSource &source, std::integer_sequence<std::uint64_t, E...>) {
    (check_constant<E + 1>(source), ...);
}

} // namespace

TEST_CASE("programs of windows") {
    OperandSource source(test::property_seed("chain programs", 64));
    int shorter = 0;
    for (int i = 0; i < 2000; ++i) {
        const std::uint64_t e = (source.word() >> source.below(64)) | 1u;
        int products = 0;
        for (int width = 1; width <= 5; ++width) {
            const auto program = arith::window_program(e, width);
            CHECK(run(program, products) == e);
            CHECK(products == program.products);
        }
        const auto best = arith::best_chain_program(e);
        CHECK(run(best, products) == e);
        CHECK(products == best.products);
        CHECK(products <= binary_products(e));
        shorter += int(products < binary_products(e));
    }
    CHECK(shorter > 500);
}

TEST_CASE("constant exponents against GMP") {
    OperandSource source(test::property_seed("constant exponents", 163));
    check_constants(source, std::make_integer_sequence<std::uint64_t, 40>{});
    check_constant<191>(source);
    check_constant<255>(source);
    check_constant<383>(source);
    check_constant<509>(source);
    check_constant<512>(source);
    check_constant<65537>(source);
    check_constant<0xffff>(source);
    check_constant<0x12345678>(source);
    check_constant<0xffffffffffffffff>(source);
    const Modulus<163> one(BigInt<163>(1));
    const Modulus<163> seven(BigInt<163>(7));
    CHECK(warpint::pow<0>(one(5)).value() == 0);
    CHECK(warpint::pow<0>(seven(0)).value() == 1);
    CHECK(warpint::pow<3>(one(5)).value() == 0);
    static_assert(arith::chain_program_of<15>.products == 5);
    static_assert(arith::chain_program_of<23>.products == 6);
    static_assert(arith::chain_program_of<65537>.products == 17);
}

TEST_CASE("short exponents known at run time against GMP") {
    OperandSource source(test::property_seed("short exponents", 256));
    for (unsigned e = 0; e < 1200; ++e) {
        const unsigned exponent = e < 600 ? e : unsigned(source.word() & 0x1fffff);
        const Integer m = e % 2 == 0 ? source.odd_modulus(256) : source.modulus(256);
        const Integer a = test::store_unsigned(source.number(256), 256);
        const auto number = from_integer<BigInt<256>>(a);
        const auto plain_modulus = from_integer<BigInt<256>>(m);
        const Modulus<256> modulus(plain_modulus);
        const Integer expected = test::power_modulo(a, Integer(exponent), m);
        INFO(a, "^", exponent, " mod ", m);
        CHECK(to_integer(warpint::pow(number, exponent, plain_modulus)) == expected);
        CHECK(to_integer(warpint::pow(number, exponent, modulus)) == expected);
        CHECK(to_integer(warpint::pow(modulus(number), exponent).value()) == expected);
    }
}
