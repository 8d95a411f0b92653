// SPDX-License-Identifier: Apache-2.0
// Bodies of the batched tests of modular arithmetic and number theory. Each says which operands the
// cases of its groups in the lists get (grid/numbers.def, grid/residues.def); what is no function
// of numbers or residues stands here itself. Nothing here may throw or store more or less for some
// operands: they are those that ModularTests::allows lets through.
#pragma once

#include "../../batch/listed.h"
#include "../../reference/montgomery_variants.h"

namespace modular_test {

using batch_test::Parameters;
using batch_test::Results;
using batch_test::store_numbers;
using batch_test::store_residues;
using warpint::BigInt;
using warpint::Modulus;
using warpint::SignedBigInt;

/// Cases of numbers.def for a, b and the modulus m.
template <std::uint64_t group, class A, class B, class M>
WARPINT_HOST_DEVICE void store_modulo(const A &a, const B &b, const M &m, const Parameters &p,
                                      Results &out) {
    store_numbers<group>(a, b, a, a, a, m, m, m, p, out);
}
/// Cases of residues.def for residues x of a and y of b, made by `make`: a Modulus, or the
/// constructor of a StaticResidue.
template <std::uint64_t group, class Make, class A, class B>
WARPINT_HOST_DEVICE void store_residues_of(const Make &make, const A &a, const B &b,
                                           const Parameters &p, Results &out) {
    store_residues<group>(make(a), make(b), a, b, a, p, out);
}

/// Residues of a Modulus.
template <std::uint64_t group>
struct Residues {
    template <int N, class B>
    WARPINT_HOST_DEVICE static void apply(const BigInt<N> &a, const B &b, const BigInt<N> &m,
                                          const Parameters &p, Results &out) {
        const Modulus<N> modulus(m);
        if constexpr (group == grid::in_residue_sums)
            store_modulo<grid::with_context>(a, b, modulus, p, out);
        store_residues_of<group>(modulus, a, b, p, out);
        if constexpr (group == grid::in_chains)
            store_modulo<group>(a, b, modulus, p, out);
    }
};

/// addmod, submod, mulmod and sqrmod, with the modulus as a number and held.
struct Functions {
    template <int N, class B>
    WARPINT_HOST_DEVICE static void apply(const BigInt<N> &a, const B &b, const BigInt<N> &m,
                                          const Parameters &p, Results &out) {
        store_modulo<grid::with_number>(a, b, m, p, out);
        const Modulus<N> modulus(m);
        const BigInt<N> c(b);
        store_numbers<grid::with_modulus>(a, b, c, a, a, modulus, m, m, p, out);
    }
};

/// Products with something added or taken away, the modulus as a number and as formulas hold it; c
/// and d have the modulus' width.
struct SumsOfProducts {
    template <int N, class B>
    WARPINT_HOST_DEVICE static void apply(const BigInt<N> &a, const B &b, const BigInt<N> &m,
                                          const Parameters &p, Results &out) {
        const BigInt<N> c(b);
        const BigInt<N> d = ~a;
        const warpint::number::formula_modulus_t<N> held{Modulus<N>(m)};
        store_numbers<grid::in_sums_of_products | grid::in_exact_differences>(a, b, c, d, a, m, m,
                                                                              m, p, out);
        store_numbers<grid::in_sums_of_products | grid::in_held>(a, b, c, d, a, held, m, m, p, out);
    }
};

struct Inverses {
    template <int N, class B>
    WARPINT_HOST_DEVICE static void apply(const BigInt<N> &a, const B &b, const BigInt<N> &m,
                                          const Parameters &p, Results &out) {
        store_modulo<grid::in_inverses>(a, b, m, p, out);
    }
};

/// Four inverses at once: of numbers, and of residues in place.
struct AllInverses {
    template <int N, class B>
    WARPINT_HOST_DEVICE static void apply(const BigInt<N> &a, const B &b, const BigInt<N> &m,
                                          const Parameters &, Results &out) {
        constexpr std::size_t count = 4;
        const Modulus<N> modulus(m);
        const BigInt<N> numbers[count] = {a, BigInt<N>(b), a + BigInt<N>(b), a};
        BigInt<N> inverses[count];
        bool exists[count];
        inverse_all(inverses, numbers, count, modulus, exists);
        auto first = modulus(numbers[0]);
        decltype(first) residues[count] = {first, modulus(numbers[1]), modulus(numbers[2]), first};
        decltype(first) scratch[count] = {first, first, first, first};
        const std::size_t missing = inverse_all_in_place(residues, count, scratch);
        std::int32_t absent = 0;
        for (std::size_t i = 0; i < count; ++i) {
            BATCH_TEST_NAMED("inverse_all", exists[i]);
            BATCH_TEST_NAMED("inverse_all", inverses[i]);
            BATCH_TEST_NAMED("inverse_all_in_place", residues[i].value());
            absent += exists[i] ? 0 : 1;
        }
        BATCH_TEST_NAMED("as many without inverses", missing == static_cast<std::size_t>(absent));
    }
};

// ---- residues modulo a constant

template <class Field>
struct StaticSums {
    template <class A, class B, class E, class M>
    WARPINT_HOST_DEVICE static void apply(const A &a, const B &b, const M &, const E &,
                                          const Parameters &p, Results &out) {
        using namespace grid;
        BATCH_TEST_NAMED("modulus", Field::modulus());
        store_residues_of<in_residue_sums | in_residue_products | in_mixed_operands>(
            [](const auto &x) { return Field(x); }, a, b, p, out);
    }
};

template <class Field>
struct StaticPowers {
    template <class A, class B, class E, class M>
    WARPINT_HOST_DEVICE static void apply(const A &a, const B &b, const M &, const E &e,
                                          const Parameters &p, Results &out) {
        using namespace grid;
        store_residues<in_residue_powers | in_short_powers | in_quotients>(Field(a), Field(b), a, b,
                                                                           e, p, out);
    }
};

// ---- powers, Montgomery products, secrets

/// a^e mod m with the modulus as a number and prepared, of residues, and a^e modulo 2^N.
struct Powers {
    template <int N, class B, int E>
    WARPINT_HOST_DEVICE static void apply(const BigInt<N> &a, const B &b, const BigInt<N> &m,
                                          const BigInt<E> &e, const Parameters &p, Results &out) {
        store_numbers<grid::in_powers>(a, b, a, a, e, m, m, m, p, out);
        const Modulus<N> modulus(m);
        store_modulo<grid::in_prepared_powers>(a, b, modulus, p, out);
        const auto x = modulus(a);
        store_residues<grid::in_residue_powers>(x, x, a, b, e, p, out);
    }
};

/// A comb stands for the residue of its base; b is wider than the comb.
template <int ExponentBits, int Teeth>
struct FixedBases {
    template <int N, int Wide, int E>
    WARPINT_HOST_DEVICE static void apply(const BigInt<N> &a, const BigInt<Wide> &b,
                                          const BigInt<N> &m, const BigInt<E> &e,
                                          const Parameters &p, Results &out) {
        const warpint::FixedBase<N, ExponentBits, Teeth> fixed(a, Modulus<N>(m));
        BATCH_TEST_NAMED("base", fixed.base());
        store_residues<grid::in_residue_powers | grid::in_short_powers | grid::in_wide_powers>(
            fixed, fixed, a, b, e, p, out);
    }
};

/// a b / R mod m and b^2 / R mod m with R = 2^(32 L) by every form; b < m and m is odd.
struct MontgomeryProducts {
    template <warpint::arith::MontgomeryVariant variant, int Bits>
    WARPINT_HOST_DEVICE static void
    by(const BigInt<Bits> &a, const BigInt<Bits> &b, const BigInt<Bits> &m, std::uint32_t m_inverse,
       batch_test::Name product, batch_test::Name square, Results &out) {
        constexpr int n = BigInt<Bits>::limb_count;
        namespace arith = warpint::arith;
        arith::montgomery_multiply_by<variant, n>(out.copy(product, BigInt<Bits>(0u)).limbs,
                                                  a.limbs, b.limbs, m.limbs, m_inverse);
        arith::montgomery_square_by<variant, n>(out.copy(square, BigInt<Bits>(0u)).limbs, b.limbs,
                                                m.limbs, m_inverse);
    }

    template <int Bits>
    WARPINT_HOST_DEVICE static void apply(const BigInt<Bits> &a, const BigInt<Bits> &b,
                                          const BigInt<Bits> &m, const Parameters &, Results &out) {
        static_assert(Bits % 32 == 0);
        constexpr int n = BigInt<Bits>::limb_count;
        namespace arith = warpint::arith;
        using enum arith::MontgomeryVariant;
        const std::uint32_t m_inverse = warpint::limb::negative_inverse(m.limbs[0]);
        by<sos>(a, b, m, m_inverse, "SOS, product", "SOS, square", out);
        by<cios>(a, b, m, m_inverse, "CIOS, product", "CIOS, square", out);
        by<fios>(a, b, m, m_inverse, "FIOS, product", "FIOS, square", out);
        by<fips>(a, b, m, m_inverse, "FIPS, product", "FIPS, square", out);
        by<two_pass>(a, b, m, m_inverse, "two passes, product", "two passes, square", out);
        by<alternate>(a, b, m, m_inverse, "alternate, product", "alternate, square", out);
        by<blocks>(a, b, m, m_inverse, "blocks, product", "blocks, square", out);
        by<tiles>(a, b, m, m_inverse, "tiles, product", "tiles, square", out);
        // The selected forms, into their operands.
        auto &product = out.copy("selected, product", a);
        arith::montgomery_multiply<n>(product.limbs, product.limbs, b.limbs, m.limbs, m_inverse);
        auto &square = out.copy("selected, square", b);
        arith::montgomery_square<n>(square.limbs, square.limbs, m.limbs, m_inverse);
    }
};

/// All of <warpint/constant_time.h> for an odd modulus, as a number and prepared; c and d are a and
/// b, reduced.
struct ConstantTime {
    template <int N, class B>
    WARPINT_HOST_DEVICE static void apply(const BigInt<N> &a, const B &b, const BigInt<N> &m,
                                          const Parameters &p, Results &out) {
        const BigInt<N> c = mod_ct(a, m);
        const BigInt<N> d = mod_ct(b, m);
        store_numbers<grid::in_constant_time>(a, b, c, d, a, m, m, m, p, out);
        const Modulus<N> modulus(m);
        store_numbers<grid::in_prepared_constant_time>(a, b, c, d, a, m, m, modulus, p, out);
    }
};

struct ConstantTimePowers {
    template <int N, class B, int E>
    WARPINT_HOST_DEVICE static void apply(const BigInt<N> &a, const B &b, const BigInt<N> &m,
                                          const BigInt<E> &e, const Parameters &p, Results &out) {
        store_numbers<grid::in_constant_time_powers>(a, b, a, a, e, m, m, m, p, out);
        store_numbers<grid::in_prepared_constant_time_powers>(a, b, a, a, e, m, m, Modulus<N>(m), p,
                                                              out);
    }
};

// ---- number theory

/// Groups without a modulus.
template <std::uint64_t group>
struct Theory {
    template <class A, class B>
    WARPINT_HOST_DEVICE static void apply(const A &a, const B &b, const Parameters &p,
                                          Results &out) {
        store_modulo<group>(a, b, a, p, out);
    }
    template <class A>
    WARPINT_HOST_DEVICE static void apply(const A &a, const Parameters &p, Results &out) {
        store_modulo<group>(a, a, a, p, out);
    }
};

/// Square roots modulo primes and composite numbers.
struct Roots {
    template <int N, class B>
    WARPINT_HOST_DEVICE static void apply(const BigInt<N> &a, const B &b, const BigInt<N> &m,
                                          const Parameters &, Results &out) {
        const auto of_a = sqrt_mod(a, m);
        BATCH_TEST_NAMED("sqrt_mod(a, m)", of_a.has_value());
        BATCH_TEST_NAMED("sqrt_mod(a, m)", of_a.has_value() ? *of_a : BigInt<N>(0u));
        const auto of_square = sqrt_mod(sqr(b), m);
        BATCH_TEST_NAMED("sqrt_mod(b^2, m)", of_square.has_value());
        BATCH_TEST_NAMED("sqrt_mod(b^2, m)", of_square.has_value() ? *of_square : BigInt<N>(0u));
    }
};

/// x = a mod m, x = b mod n; and three congruences.
struct Congruences {
    template <int N, class B, int M>
    WARPINT_HOST_DEVICE static void apply(const BigInt<N> &a, const B &b, const BigInt<N> &m,
                                          const BigInt<M> &n, const Parameters &p, Results &out) {
        store_numbers<grid::in_congruences>(a, b, a, a, a, m, n, m, p, out);
    }
};

/// Keyed by a.
template <int N>
struct RandomPrimes {
    WARPINT_HOST_DEVICE static void apply(const BigInt<64> &a, const Parameters &, Results &out) {
        warpint::Philox generator(static_cast<std::uint64_t>(a));
        BATCH_TEST_NAMED("random_prime", warpint::random_prime<N>(generator));
    }
};
template <int N>
struct RandomSafePrimes {
    WARPINT_HOST_DEVICE static void apply(const BigInt<64> &a, const Parameters &, Results &out) {
        warpint::Philox generator(static_cast<std::uint64_t>(a), 1);
        BATCH_TEST_NAMED("random_safe_prime", warpint::random_safe_prime<N>(generator));
    }
};

} // namespace modular_test
