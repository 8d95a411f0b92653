// SPDX-License-Identifier: Apache-2.0
// Which powers may run on tensor cores (kernels/powers.h): unsigned numbers modulo an odd number of
// a width that pays, by exponents that are not short. Known from types, the same in every pass of a
// compiler.
#pragma once

#include "../../expression/functions.h"
#include "../plan/tuning/all_gpus.h"

namespace warpint::execution {

template <class M>
inline constexpr int tensor_modulus_bits = 0;
template <BigNumber M>
inline constexpr int tensor_modulus_bits<M> = M::is_signed ? 0 : M::bits;
template <ModulusContext M>
inline constexpr int tensor_modulus_bits<M> = M::bits;
template <int Bits>
inline constexpr int tensor_modulus_bits<SharedModulus<Bits>> = Bits;
template <int Bits> // of the forms of residues
inline constexpr int tensor_modulus_bits<number::FormRing<Bits>> = number::form_t<Bits>::bits;

template <class E>
inline constexpr int tensor_exponent_bits = 0;
template <BigNumber E>
inline constexpr int tensor_exponent_bits<E> = E::is_signed ? 0 : E::bits;
template <int Bits>
inline constexpr int tensor_exponent_bits<SharedExponent<Bits>> = Bits;

// pow(a, e, m) of operands with these values.
template <class A, class E, class M>
inline constexpr bool are_tensor_operands = false;
template <BigNumber A, class E, class M>
inline constexpr bool are_tensor_operands<A, E, M> =
    !A::is_signed && tensor_modulus_bits<M> >= tuning::min_bits_of_tensor_powers &&
    tensor_modulus_bits<M> <= tuning::max_bits_of_tensor_powers &&
    tensor_exponent_bits<E> >= tuning::min_exponent_of_tensor_powers &&
    tensor_exponent_bits<E> <= tuning::max_exponent_of_tensor_powers;

// A node that is such a power, wherever its operands lie. Whether its base is wider than its
// modulus: then it is reduced first, by a step of its own.
template <class Tree>
inline constexpr bool may_be_tensor_power = false;
template <class Operation, class A, class E, class M>
inline constexpr bool may_be_tensor_power<Node<Operation, A, E, M>> =
    Operation::exponent == 1 && Operation::modulus_is_last &&
    are_tensor_operands<typename A::value_type, typename E::value_type, typename M::value_type>;
template <class Tree>
inline constexpr bool has_wide_base = false;
template <class Operation, class A, class E, class M>
inline constexpr bool has_wide_base<Node<Operation, A, E, M>> =
    value_bits<typename A::value_type> > value_bits<typename M::value_type>;
template <class Tree>
inline constexpr bool is_tensor_power = may_be_tensor_power<Tree> && !has_wide_base<Tree>;
template <int Bits, class Tree>
inline constexpr bool is_tensor_power<WithModulus<Bits, Tree>> = is_tensor_power<Tree>;

} // namespace warpint::execution
