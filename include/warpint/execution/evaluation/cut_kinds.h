// SPDX-License-Identifier: Apache-2.0
// What may be cut out of a formula (cut.h), and how its nodes become that.
#pragma once

#include "../../expression/functions.h"
#include "../../number/modular/inverse_all.h"
#include "evaluate.h"

namespace warpint::execution {

// The value of cut k.
template <int k, class T>
struct CutLeaf {
    using value_type = T;
};

// A formula: the cuts in the order in which they are computed, and what is left.
template <class Rest, class... Cuts>
struct CutFormula {
    static constexpr int cuts = static_cast<int>(sizeof...(Cuts));
    static constexpr bool inverts = (Cuts::inverts || ...);
    using Positions = std::index_sequence_for<Cuts...>;
    // Memory for each cut, room for as many elements as the formula has; of the last cut it may be
    // the target's, if no operand of the formula lies there.
    using Scratch = Tuple<typename Cuts::Element *...>;

    Tuple<Cuts...> cut;
    Rest rest;
};

// ---- the cuts
//
//   Element                          what it gives, in memory
//   operand                          the formula of what it takes
//   modulus_exists()                 whether there is a modulus at all
//   value<k>()                       what stands for cut k in the rest
//   inverts                          whether it inverts; such have
//   ring(rest)                       for arith::inverse_strip
//   element(context, fault)          what is inverted

// Of numbers.
template <class Operand, class M, int Bits>
struct CutInverse {
    static constexpr bool inverts = true;
    using Element = BigInt<Bits>;
    Operand operand;
    M shared;

    constexpr bool modulus_exists() const { return expression::operation::is_modulus(shared); }
    WARPINT_HOST_DEVICE constexpr const Modulus<Bits> &modulus() const {
        return expression::operation::modulus_of(shared);
    }
    template <class Rest>
    WARPINT_HOST_DEVICE constexpr number::NumberRing<Bits> ring(const Rest &) const {
        return {modulus()};
    }
    template <class Context>
    WARPINT_HOST_DEVICE constexpr Element element(const Context &context, bool &fault) const {
        const auto &x = evaluate(operand, context, fault);
        using X = std::remove_cvref_t<decltype(x)>;
        if constexpr (!number::signed_of<X> && number::bits_of<X> <= Bits) {
            return number::to<Element>(number::as_number(x)); // the ring reduces it
        } else {
            return Element(number::as_number(x) % modulus());
        }
    }
    template <int k>
    static constexpr CutLeaf<k, Element> value() {
        return {};
    }
};

// Of StaticResidues R.
template <class R, class Operand>
struct CutResidueInverse {
    static constexpr bool inverts = true;
    using Element = typename R::Value;
    Operand operand;

    constexpr bool modulus_exists() const { return true; }
    template <class Rest>
    WARPINT_HOST_DEVICE constexpr number::StaticResidueRing<R> ring(const Rest &) const {
        return {};
    }
    template <class Context>
    WARPINT_HOST_DEVICE constexpr Element element(const Context &context, bool &fault) const {
        return evaluate(operand, context, fault).form;
    }
    template <int k>
    static constexpr auto value() {
        return expression::residue_of_form<R>(CutLeaf<k, Element>{});
    }
};
// Of forms of residues of a Modulus.
template <int Bits, class Operand>
struct CutFormInverse {
    static constexpr bool inverts = true;
    using Element = number::form_t<Bits>;
    Operand operand;

    constexpr bool modulus_exists() const { return true; }
    template <class Rest>
    WARPINT_HOST_DEVICE constexpr number::ResidueNumberRing<Bits> ring(const Rest &rest) const {
        return {{rest.modulus}};
    }
    template <class Context>
    WARPINT_HOST_DEVICE constexpr Element element(const Context &context, bool &fault) const {
        const number::ResidueNumberRing<Bits> ring{{context.modulus()}};
        return ring.number_in(evaluate(operand, context, fault));
    }
    template <int k>
    static constexpr CutLeaf<k, Element> value() {
        return {};
    }
};

// A node that many elements compute by a method of their own, with its operands.
template <class Node>
struct CutTogether {
    static constexpr bool inverts = false;
    using Element = typename Node::value_type;
    Node operand;

    static constexpr bool modulus_exists() { return true; }
    template <int k>
    static constexpr CutLeaf<k, Element> value() {
        return {};
    }
};

// ---- nodes that are cuts

// What an engine does together.
template <class Engine, class Node>
struct TogetherBy {
    static constexpr bool exists = false;
};
template <class Engine, class Operation, class... Operands>
struct TogetherBy<Engine, Node<Operation, Operands...>> {
    using Node = expression::Node<Operation, Operands...>;
    static constexpr bool exists =
        Operation::template is_together<Engine, typename Operands::value_type...>;
    static constexpr CutTogether<Node> cut(const Node &node) { return {node}; }
};

// Whether a tree is light: a core does long rows of them.
template <class Tree>
inline constexpr bool fits_a_strip =
    expression::cost<Tree>.work <= WorkKind::fold && !expression::cost<Tree>.runs_user_code;

// The inverse that a node is, whose operands have been cut already.
template <class Node>
struct InverseOf {
    static constexpr bool exists = false;
};
template <class Operation, class A, class M>
    requires(Operation::inverts && (is_shared_modulus<M> || ModulusContext<M>))
struct InverseOf<Node<Operation, A, ConstantLeaf<M>>> {
    static constexpr bool exists = true;
    template <class Node>
    static constexpr auto cut(const Node &node) {
        return CutInverse<A, M, value_bits<M>>{item<0>(node.operands),
                                               item<1>(node.operands).value};
    }
};
template <class Operation, class X, int Bits>
    requires(Operation::inverts)
struct InverseOf<Node<Operation, X, FormulaModulus<Bits>>> {
    static constexpr bool exists = true;
    template <class Node>
    static constexpr auto cut(const Node &node) {
        return CutFormInverse<Bits, X>{item<0>(node.operands)};
    }
};
template <class Operation, class X>
    requires(Operation::inverts)
struct InverseOf<Node<Operation, X>> {
    static constexpr bool exists = true;
    template <class Node>
    static constexpr auto cut(const Node &node) {
        return CutResidueInverse<typename X::value_type, X>{item<0>(node.operands)};
    }
};

// ---- quotients modulo a number: an inverse, and the product with it

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
struct LastCut<ItemSequence<std::index_sequence<i...>, Cuts...>> {
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
                         ConstantLeaf<SharedModulus<Bits>>> {
    using Shared = ConstantLeaf<SharedModulus<Bits>>;
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
struct QuotientOf<Cuts, Node<Operation, CutLeaf<k, T>, Numerator, Shared>>
    : QuotientOfNumbers<typename LastCut<Cuts>::type, Operation, Numerator, Shared> {
    static constexpr std::size_t numerator = 1;
};
template <class Cuts, class Operation, int k, class T, class Numerator, class Shared>
    requires(Operation::is_product_modulo && k == LastCut<Cuts>::index)
struct QuotientOf<Cuts, Node<Operation, Numerator, CutLeaf<k, T>, Shared>>
    : QuotientOfNumbers<typename LastCut<Cuts>::type, Operation, Numerator, Shared> {
    static constexpr std::size_t numerator = 0;
};

} // namespace warpint::execution
