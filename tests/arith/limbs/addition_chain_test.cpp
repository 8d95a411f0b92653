// SPDX-License-Identifier: Apache-2.0
// Addition chains: lengths against the published values and a search of another kind, products
// counted, powers against GMP.

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

constexpr long unlimited = 1000000000;

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

/// Marks every number that a chain of `left` more steps reaches; any sum of two elements, not star
/// chains alone.
void reach(std::vector<unsigned> &chain, int left, std::vector<int> &length) {
    const unsigned last = chain.back();
    int &known = length[last];
    if (known < 0 || int(chain.size()) - 1 < known)
        known = int(chain.size()) - 1;
    if (left == 0)
        return;
    for (std::size_t i = 0; i < chain.size(); ++i) {
        for (std::size_t k = i; k < chain.size(); ++k) {
            const unsigned next = chain[i] + chain[k];
            if (next > last && next < length.size()) {
                chain.push_back(next);
                reach(chain, left - 1, length);
                chain.pop_back();
            }
        }
    }
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

TEST_CASE("shortest chains, e <= 512") {
    // OEIS A003313, n = 1 .. 64.
    constexpr int published[] = {0, 1, 2, 2, 3, 3, 4, 3, 4, 4, 5, 4, 5, 5, 5, 4, 5, 5, 6, 5, 6, 6,
                                 6, 5, 6, 6, 6, 6, 7, 6, 7, 5, 6, 6, 7, 6, 7, 7, 7, 6, 7, 7, 7, 7,
                                 7, 7, 8, 6, 7, 7, 7, 7, 8, 7, 8, 7, 8, 8, 8, 7, 8, 8, 8, 6};
    // OEIS A003064: the first n that takes 0, 1, 2, ... steps.
    constexpr unsigned first[] = {1, 2, 3, 5, 7, 11, 19, 29, 47, 71, 127, 191, 379};
    int longest = -1;
    for (unsigned n = 1; n <= 512; ++n) {
        const auto chain = arith::shortest_addition_chain(n, unlimited);
        REQUIRE(chain.length >= 0);
        CHECK(chain.element[chain.length] == n);
        if (n <= 64)
            CHECK(chain.length == published[n - 1]);
        if (chain.length > longest) {
            ++longest;
            CHECK(chain.length == longest);
            CHECK(n == first[longest]);
        }
        const auto program = arith::chain_program(chain);
        int products = 0;
        CHECK(run(program, products) == n);
        CHECK(products == chain.length);
        CHECK(program.products == chain.length);
    }
    CHECK(longest == 12);
}

TEST_CASE("shortest chains against all chains, star chains or not") {
    std::vector<int> length(128, -1);
    std::vector<unsigned> chain{1};
    reach(chain, 7, length);
    for (unsigned n = 1; n < length.size(); ++n) {
        const int ours = arith::shortest_addition_chain(n, unlimited).length;
        if (length[n] >= 0) {
            CHECK(ours == length[n]);
        } else {
            CHECK(ours > 7);
        }
    }
}

TEST_CASE("a search that is given up") {
    CHECK(arith::shortest_addition_chain(191, 100).length == -1);
    int products = 0;
    CHECK(run(arith::best_chain_program(191, 100), products) == 191);
    CHECK(products <= binary_products(191));
}

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
        const auto best = arith::best_chain_program(e, 1000);
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
