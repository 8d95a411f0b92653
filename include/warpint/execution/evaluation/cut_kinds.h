// SPDX-License-Identifier: Apache-2.0
// What may be cut out of a formula (cut.h), and how its nodes become that.
#pragma once

#include "../../expression/functions.h"
#include "../../number/modular/inverse_all.h"
#include "evaluate_let.h"
#include "evaluate_residues.h"

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
    using Scratch = expression::Tuple<typename Cuts::Element *...>;

    expression::Tuple<Cuts...> cut;
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
struct TogetherBy<Engine, expression::Node<Operation, Operands...>> {
    using Node = expression::Node<Operation, Operands...>;
    static constexpr bool exists =
        Operation::template is_together<Engine, typename Operands::value_type...>;
    static constexpr CutTogether<Node> cut(const Node &node) { return {node}; }
};

// Whether a tree is light: a core does long rows of them.
template <class Tree>
inline constexpr bool fits_a_strip =
    expression::cost<Tree>.work <= WorkKind::fold && !expression::cost<Tree>.runs_user_code;

namespace detail {

// The inverse that a node is, whose operands have been cut already.
template <class Node>
struct InverseOf {
    static constexpr bool exists = false;
};
template <class Operation, class A, class M>
    requires(Operation::inverts && (expression::is_shared_modulus<M> || ModulusContext<M>))
struct InverseOf<expression::Node<Operation, A, expression::ConstantLeaf<M>>> {
    static constexpr bool exists = true;
    template <class Node>
    static constexpr auto cut(const Node &node) {
        return CutInverse<A, M, expression::value_bits<M>>{
            expression::item<0>(node.operands), expression::item<1>(node.operands).value};
    }
};
template <class Operation, class X, int Bits>
    requires(Operation::inverts)
struct InverseOf<expression::Node<Operation, X, expression::FormulaModulus<Bits>>> {
    static constexpr bool exists = true;
    template <class Node>
    static constexpr auto cut(const Node &node) {
        return CutFormInverse<Bits, X>{expression::item<0>(node.operands)};
    }
};
template <class Operation, class X>
    requires(Operation::inverts)
struct InverseOf<expression::Node<Operation, X>> {
    static constexpr bool exists = true;
    template <class Node>
    static constexpr auto cut(const Node &node) {
        return CutResidueInverse<typename X::value_type, X>{expression::item<0>(node.operands)};
    }
};

} // namespace detail

} // namespace warpint::execution
