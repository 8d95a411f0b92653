// SPDX-License-Identifier: Apache-2.0
// Bodies of the batched tests of modular arithmetic: residues, and the modular functions of plain
// numbers. oracle.cpp has the expected results under the same names. Nothing here may throw or
// store more or less for some operands: they are those that ModularTests::allows lets through.
#pragma once

#include "../../batch/results.h"

#include <warpint/modular.h>

namespace modular_test {

using batch_test::Parameters;
using batch_test::Results;
using warpint::BigInt;
using warpint::Modulus;
using warpint::SignedBigInt;

/// x as the other operand of `x op= x`; compilers warn about `x -= x`.
template <class T>
WARPINT_HOST_DEVICE const T &same(const T &x) {
    return x;
}

/// Built-in operands made of a number.
template <class B>
WARPINT_HOST_DEVICE std::int32_t small_integer(const B &b) {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(b)) % 20;
}

/// Sums and comparisons of residues x of a and y of b.
/// `make` makes residues of numbers: a Modulus, or the constructor of a StaticResidue.
template <class Make, class A, class B>
WARPINT_HOST_DEVICE void store_sums(const Make &make, const A &a, const B &b, Results &out) {
    const auto x = make(a);
    const auto y = make(b);
    BATCH_TEST_NAMED("residue of a", x.value());
    BATCH_TEST_NAMED("residue of b", y.value());
    BATCH_TEST_NAMED("x + y", (x + y).value());
    BATCH_TEST_NAMED("x - y", (x - y).value());
    BATCH_TEST_NAMED("-y", (-y).value());
    BATCH_TEST_RESULT(x == y);
    BATCH_TEST_RESULT(x != x + y);
    auto z = x;
    z += z;
    z -= y;
    BATCH_TEST_NAMED("x += x, -= y", z.value());
    z -= same(z);
    BATCH_TEST_NAMED("x -= x", z.value());
    BATCH_TEST_NAMED("x - x == 0", z == 0);
}

template <class Make, class A, class B>
WARPINT_HOST_DEVICE void store_products(const Make &make, const A &a, const B &b, Results &out) {
    const auto x = make(a);
    const auto y = make(b);
    BATCH_TEST_NAMED("x * y", (x * y).value());
    BATCH_TEST_NAMED("sqr(y)", sqr(y).value());
    BATCH_TEST_NAMED("x * x + 3 * y - x * y + sqr(y) - 5",
                     (x * x + 3 * y - x * y + sqr(y) - 5).value());
    auto z = x;
    z *= z;
    z *= y;
    BATCH_TEST_NAMED("x *= x, *= y", z.value());
}

/// Residues with numbers of other types.
template <class Make, class A, class B>
WARPINT_HOST_DEVICE void store_mixed(const Make &make, const A &a, const B &b, Results &out) {
    const auto x = make(a);
    const auto word = static_cast<std::uint64_t>(b);
    const std::int32_t integer = small_integer(b);
    BATCH_TEST_NAMED("x + word", (x + word).value());
    BATCH_TEST_NAMED("integer - x", (integer - x).value());
    BATCH_TEST_NAMED("x * integer", (x * integer).value());
    BATCH_TEST_NAMED("b * x", (b * x).value());
    BATCH_TEST_RESULT(x == b);
    BATCH_TEST_RESULT(integer == x);
    auto z = x;
    ++z;
    z *= integer;
    BATCH_TEST_NAMED("z--", (z--).value());
    BATCH_TEST_NAMED("z after z--", z.value());
}

struct Sums {
    template <int N, class B>
    WARPINT_HOST_DEVICE static void apply(const BigInt<N> &a, const B &b, const BigInt<N> &m,
                                          const Parameters &, Results &out) {
        const Modulus<N> modulus(m);
        BATCH_TEST_NAMED("Modulus::value", modulus.value());
        BATCH_TEST_NAMED("a % Modulus", a % modulus);
        BATCH_TEST_NAMED("b % Modulus", b % modulus);
        store_sums([&modulus](const auto &x) { return modulus(x); }, a, b, out);
    }
};

struct Products {
    template <int N, class B>
    WARPINT_HOST_DEVICE static void apply(const BigInt<N> &a, const B &b, const BigInt<N> &m,
                                          const Parameters &, Results &out) {
        const Modulus<N> modulus(m);
        store_products([&modulus](const auto &x) { return modulus(x); }, a, b, out);
    }
};

struct MixedOperands {
    template <int N, class B>
    WARPINT_HOST_DEVICE static void apply(const BigInt<N> &a, const B &b, const BigInt<N> &m,
                                          const Parameters &, Results &out) {
        const Modulus<N> modulus(m);
        store_mixed([&modulus](const auto &x) { return modulus(x); }, a, b, out);
    }
};

/// addmod, submod, mulmod and sqrmod, with the modulus as a number and held.
struct Functions {
    template <int N, class B>
    WARPINT_HOST_DEVICE static void apply(const BigInt<N> &a, const B &b, const BigInt<N> &m,
                                          const Parameters &, Results &out) {
        BATCH_TEST_RESULT(addmod(a, b, m));
        BATCH_TEST_RESULT(submod(a, b, m));
        BATCH_TEST_RESULT(mulmod(a, b, m));
        BATCH_TEST_RESULT(sqrmod(b, m));
        BATCH_TEST_NAMED("mulmod(a, integer, m)", mulmod(a, small_integer(b), m));
        const Modulus<N> modulus(m);
        const BigInt<N> c(b);
        BATCH_TEST_NAMED("addmod(a, c, Modulus)", addmod(a, c, modulus));
        BATCH_TEST_NAMED("submod(a, c, Modulus)", submod(a, c, modulus));
        BATCH_TEST_NAMED("mulmod(a, c, Modulus)", mulmod(a, c, modulus));
        BATCH_TEST_NAMED("sqrmod(a, Modulus)", sqrmod(a, modulus));
        BATCH_TEST_NAMED("mulmod(a, b, Modulus)", mulmod(a, b, modulus));
        BATCH_TEST_NAMED("submod of reduced",
                         submod(addmod(a, 0, modulus), addmod(c, 0, modulus), modulus));
    }
};

/// Products with something added or taken away, the modulus as a number and as formulas hold it; c
/// has the modulus' width.
struct SumsOfProducts {
    template <int N, class B>
    WARPINT_HOST_DEVICE static void apply(const BigInt<N> &a, const B &b, const BigInt<N> &m,
                                          const Parameters &, Results &out) {
        const BigInt<N> c(b);
        const BigInt<N> d = ~a;
        BATCH_TEST_RESULT(mulmod(a, c, m));
        BATCH_TEST_RESULT(a * c % m);
        BATCH_TEST_RESULT(sqrmod(c, m));
        BATCH_TEST_RESULT(muladdmod(a, c, d, m));
        BATCH_TEST_RESULT(mulsubmod(a, d, c, m));
        BATCH_TEST_RESULT(muladdmod(a, c, d, c, m));
        BATCH_TEST_RESULT(mulsubmod(a, d, c, c, m));
        BATCH_TEST_RESULT(mulsubmod(a, b, c, m)); // exact, then divided
        const warpint::number::formula_modulus_t<N> held{Modulus<N>(m)};
        BATCH_TEST_RESULT(mulmod(a, c, held));
        BATCH_TEST_RESULT(a * c % held);
        BATCH_TEST_RESULT(a % held);
        BATCH_TEST_RESULT(sqrmod(c, held));
        BATCH_TEST_RESULT(muladdmod(a, c, d, held));
        BATCH_TEST_RESULT(mulsubmod(a, d, c, held));
        BATCH_TEST_RESULT(muladdmod(a, c, d, c, held));
        BATCH_TEST_RESULT(mulsubmod(a, d, c, c, held));
    }
};

/// Inverses with the modulus as a number; 0 is stored where there is none.
struct Inverses {
    template <int N, class B>
    WARPINT_HOST_DEVICE static void apply(const BigInt<N> &a, const B &b, const BigInt<N> &m,
                                          const Parameters &, Results &out) {
        const auto of_a = inverse(a, m);
        BATCH_TEST_NAMED("inverse(a, m)", of_a.has_value());
        BATCH_TEST_NAMED("inverse(a, m)", of_a.has_value() ? *of_a : BigInt<N>(0u));
        const auto of_b = inverse(b, m);
        BATCH_TEST_NAMED("inverse(b, m)", of_b.has_value());
        BATCH_TEST_NAMED("inverse(b, m)", of_b.has_value() ? *of_b : BigInt<N>(0u));
    }
};

struct Quotients {
    template <int N, class B>
    WARPINT_HOST_DEVICE static void apply(const BigInt<N> &a, const B &b, const BigInt<N> &m,
                                          const Parameters &, Results &out) {
        const Modulus<N> modulus(m);
        const auto x = modulus(a);
        const auto y = modulus(b);
        const auto of_x = inverse(x);
        BATCH_TEST_NAMED("inverse(x)", of_x.has_value());
        BATCH_TEST_NAMED("inverse(x)", of_x.has_value() ? of_x->value() : BigInt<N>(0u));
        // No inverse: the host would throw; in device code the quotient is 0.
        BATCH_TEST_NAMED("y / x",
                         (WARPINT_DEVICE_PASS || of_x.has_value() ? y / x : modulus(0)).value());
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

/// Powers with constant exponents.
struct Chains {
    template <int N, class B>
    WARPINT_HOST_DEVICE static void apply(const BigInt<N> &a, const B &b, const BigInt<N> &m,
                                          const Parameters &, Results &out) {
        using warpint::pow;
        const Modulus<N> modulus(m);
        const auto x = modulus(a);
        BATCH_TEST_NAMED("pow<0>(x)", pow<0>(x).value());
        BATCH_TEST_NAMED("pow<23>(x)", pow<23>(x).value());
        BATCH_TEST_NAMED("pow<65537>(x)", pow<65537>(x).value());
        BATCH_TEST_NAMED("pow<15>(b, Modulus)", pow<15>(b, modulus));
    }
};

// ---- residues modulo a constant ----------------------------------------------------------------

template <class Field>
struct StaticSums {
    template <class A, class B, class E, class M>
    WARPINT_HOST_DEVICE static void apply(const A &a, const B &b, const M &, const E &,
                                          const Parameters &, Results &out) {
        BATCH_TEST_NAMED("modulus", Field::modulus());
        const auto make = [](const auto &x) { return Field(x); };
        store_sums(make, a, b, out);
        store_products(make, a, b, out);
        store_mixed(make, a, b, out);
    }
};

template <class Field>
struct StaticPowers {
    template <class A, class B, class E, class M>
    WARPINT_HOST_DEVICE static void apply(const A &a, const B &b, const M &, const E &e,
                                          const Parameters &p, Results &out) {
        const Field x(a);
        const Field y(b);
        BATCH_TEST_NAMED("pow(x, e)", pow(x, e).value());
        BATCH_TEST_NAMED("pow(x, integer)", pow(x, p.position).value());
        const auto of_x = inverse(x);
        BATCH_TEST_NAMED("inverse(x)", of_x.has_value());
        BATCH_TEST_NAMED("inverse(x)", of_x.has_value() ? of_x->value() : x.zero().value());
        BATCH_TEST_NAMED("y / x",
                         (WARPINT_DEVICE_PASS || of_x.has_value() ? y / x : x.zero()).value());
    }
};

} // namespace modular_test
