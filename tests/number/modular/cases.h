// SPDX-License-Identifier: Apache-2.0
// Adding cases by group and width, in sources of their own by subject so that each compiles in
// reasonable time.
//
// A build for the host has all widths; a CUDA build has few of them, and more where
// WARPINT_LONG_TESTS is defined, because device code takes long to compile.
#pragma once

#include "bodies.h"
#include "groups.h"

namespace modular_test {

using batch_test::Registration;

/// Operands that need not be reduced: negative ones, and wider than the modulus.
template <int N>
using Unreduced = SignedBigInt<N + 37>;

template <class Body, class... T>
void add(Group group, int width, int detail = 0) {
    cases().push_back(batch_test::make_case<Body, T...>(static_cast<int>(group), width, detail));
}

template <int... N>
void add_residues() {
    (add<Residues<grid::in_residue_sums>, BigInt<N>, Unreduced<N>, BigInt<N>>(Group::sums, N), ...);
    (add<Residues<grid::in_residue_products>, BigInt<N>, Unreduced<N>, BigInt<N>>(Group::products,
                                                                                  N),
     ...);
}
template <int... N>
void add_mixed_operands() {
    (add<Residues<grid::in_mixed_operands>, BigInt<N>, Unreduced<N>, BigInt<N>>(
         Group::mixed_operands, N),
     ...);
}
template <int... N>
void add_functions() {
    (add<Functions, BigInt<N>, Unreduced<N>, BigInt<N>>(Group::functions, N), ...);
}
template <int... N>
void add_sums_of_products() {
    (add<SumsOfProducts, BigInt<N>, Unreduced<N>, BigInt<N>>(Group::sums_of_products, N), ...);
}
template <int... N>
void add_inverses() {
    (add<Inverses, BigInt<N>, Unreduced<N>, BigInt<N>>(Group::inverses, N), ...);
}
template <int... N>
void add_quotients() {
    (add<Residues<grid::in_quotients>, BigInt<N>, Unreduced<N>, BigInt<N>>(Group::quotients, N),
     ...);
}

template <int... N>
void add_all_inverses() {
    (add<AllInverses, BigInt<N>, Unreduced<N>, BigInt<N>>(Group::all_inverses, N), ...);
}
template <int... N>
void add_chains() {
    (add<Residues<grid::in_chains>, BigInt<N>, Unreduced<N>, BigInt<N>>(Group::chains, N), ...);
}

template <class Field>
void add_static_sums(Constant constant) {
    constexpr int n = Field::bits;
    add<StaticSums<Field>, BigInt<n>, Unreduced<n>, BigInt<n>, BigInt<n>>(
        Group::static_sums, n, static_cast<int>(constant));
}
template <class Field>
void add_static_powers(Constant constant) {
    constexpr int n = Field::bits;
    add<StaticPowers<Field>, BigInt<n>, Unreduced<n>, BigInt<n>, BigInt<n>>(
        Group::static_powers, n, static_cast<int>(constant));
}

/// Exponents of E bits.
template <int N, int E = N>
void add_powers() {
    add<Powers, BigInt<N>, Unreduced<N>, BigInt<N>, BigInt<E>>(Group::powers, N);
}
template <int N, int E, int Teeth>
void add_fixed_bases() {
    add<FixedBases<E, Teeth>, BigInt<N>, BigInt<E + 40>, BigInt<N>, BigInt<E>>(Group::fixed_bases,
                                                                               N);
}
template <int... N>
void add_montgomery() {
    (add<MontgomeryProducts, BigInt<N>, BigInt<N>, BigInt<N>>(Group::montgomery, N), ...);
}
template <int... N>
void add_constant_time() {
    (add<ConstantTime, BigInt<N>, BigInt<N + 37>, BigInt<N>>(Group::constant_time, N), ...);
}
template <int N, int E = N>
void add_constant_time_powers() {
    add<ConstantTimePowers, BigInt<N>, BigInt<N + 37>, BigInt<N>, BigInt<E>>(
        Group::constant_time_powers, N);
}

template <class A, class B>
void add_divisors() {
    add<Theory<grid::in_divisors>, A, B>(Group::divisors, A::bits);
}
template <class A, class B>
void add_bezout() {
    add<Theory<grid::in_bezout>, A, B>(Group::bezout, A::bits);
}
template <class A, class B>
void add_symbols() {
    add<Theory<grid::in_symbols>, A, B>(Group::symbols, A::bits);
}

template <int... N>
void add_roots() {
    (add<Roots, BigInt<N>, SignedBigInt<N + 5>, BigInt<N>>(Group::roots, N), ...);
}
template <int N, int M = N>
void add_congruences() {
    add<Congruences, BigInt<N>, Unreduced<N>, BigInt<N>, BigInt<M>>(Group::congruences, N);
}
template <int... N>
void add_primes() {
    (add<Theory<grid::in_primes>, BigInt<N>>(Group::primes, N), ...);
}
template <int... N>
void add_safe_primes() {
    (add<Theory<grid::in_safe_primes>, BigInt<N>>(Group::safe_primes, N), ...);
}
template <int... N>
void add_next_primes() {
    (add<Theory<grid::in_next_primes>, BigInt<N>>(Group::next_primes, N), ...);
}
template <int... N>
void add_next_safe_primes() {
    (add<Theory<grid::in_next_safe_primes>, BigInt<N>>(Group::next_safe_primes, N), ...);
}
/// The detail is the width: all are drawn from numbers of 64 bits.
template <int... N>
void add_random_primes() {
    (add<RandomPrimes<N>, BigInt<64>>(Group::random_primes, N, N), ...);
}
template <int... N>
void add_random_safe_primes() {
    (add<RandomSafePrimes<N>, BigInt<64>>(Group::random_safe_primes, N, N), ...);
}

} // namespace modular_test
