// SPDX-License-Identifier: Apache-2.0
// Quotients modulo a number, a cut of formulas (cut.h): an inverse, and the product with it.
#pragma once

#include "cut_kinds.h"

namespace warpint::execution {

// Of numbers, times a number: numerator x^-1 mod m. Where m is odd, not 1, and the product's
// modulus (divides_in_ring), a Montgomery product more than the inverse; else the operation itself
// is done to the inverse.
template <class Operand, class M, int Bits, class Operation, class Numerator, class Shared>
struct CutQuotient : CutInverse<Operand, M, Bits> {
    Operation operation;
    Numerator numerator;
    Shared shared; // the product's modulus
    bool divides_in_ring;
};

namespace detail {

// The quotient that what is left of a formula is: a product of the last cut, an inverse, and a
// number, modulo a number for all elements.
template <class Cuts, class Rest>
struct QuotientOf {
    static constexpr bool exists = false;
};
template <class Cuts>
struct LastCut {
    using type = void;
    static constexpr int index = -1;
};
template <std::size_t... i, class... Cuts>
struct LastCut<expression::ItemSequence<std::index_sequence<i...>, Cuts...>> {
    using type = expression::operation::last_t<Cuts...>;
    static constexpr int index = static_cast<int>(sizeof...(Cuts)) - 1;
};
template <class Cut, class Operation, class Numerator, class Shared>
struct QuotientOfNumbers {
    static constexpr bool exists = false;
};
template <class Operand, class M, int Bits, class Operation, class Numerator>
    requires AnyNumber<typename Numerator::value_type>
struct QuotientOfNumbers<CutInverse<Operand, M, Bits>, Operation, Numerator,
                         expression::ConstantLeaf<expression::SharedModulus<Bits>>> {
    using Shared = expression::ConstantLeaf<expression::SharedModulus<Bits>>;
    using Value = typename Numerator::value_type;
    static constexpr bool exists =
        !number::signed_of<Value> && number::bits_of<Value> <= Bits && fits_a_strip<Numerator>;

    static constexpr auto cut(const CutInverse<Operand, M, Bits> &inverse,
                              const Operation &operation, const Numerator &numerator,
                              const Shared &shared) {
        bool in_ring = inverse.modulus_exists() && shared.value.exists;
        if (in_ring) {
            const BigInt<Bits> m = inverse.modulus().value();
            in_ring = inverse.modulus().is_odd() && m != 1 && m == shared.value.modulus.value();
        }
        return CutQuotient<Operand, M, Bits, Operation, Numerator, Shared>{
            inverse, operation, numerator, shared, in_ring};
    }
};
template <class Cuts, class Operation, int k, class T, class Numerator, class Shared>
    requires(Operation::is_product_modulo && k == LastCut<Cuts>::index)
struct QuotientOf<Cuts, expression::Node<Operation, CutLeaf<k, T>, Numerator, Shared>>
    : QuotientOfNumbers<typename LastCut<Cuts>::type, Operation, Numerator, Shared> {
    static constexpr std::size_t numerator = 1;
};
template <class Cuts, class Operation, int k, class T, class Numerator, class Shared>
    requires(Operation::is_product_modulo && k == LastCut<Cuts>::index)
struct QuotientOf<Cuts, expression::Node<Operation, Numerator, CutLeaf<k, T>, Shared>>
    : QuotientOfNumbers<typename LastCut<Cuts>::type, Operation, Numerator, Shared> {
    static constexpr std::size_t numerator = 0;
};

} // namespace detail

} // namespace warpint::execution
