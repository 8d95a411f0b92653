// SPDX-License-Identifier: Apache-2.0
// Cuts: operations of a formula that many elements do together. A formula with cuts is evaluated
// for a row of elements at a time: the operands of each cut for the whole row, then the cut, then
// what is left of the formula, which reads the values of the cuts as leaves. One launch does all.
//
// What is cut out: inverses modulo what all elements share, wherever they stand: a row has one
// inversion, and three products for each element (arith/limbs/gcd/simultaneous_inverse.h). On
// CPUs also what an engine does side by side (execution/ways/side_by_side.h). On GPUs an inverse is
// a step of its own (execution/plan/program.h), so that its formula has one cut. The row of a GPU's
// thread is strided by its block, that of a CPU's core lies in one piece
// (execution/ways/inverses_cuda.h, execution/ways/strips.h).
//
// The values of a cut lie in scratch memory, an element each; those of the last cut do not: what is
// left of the formula is evaluated as soon as the value of an element is known.
#pragma once

#include "cut_kinds.h"

namespace warpint::execution {

// A formula with these cuts, so far.
template <std::size_t... i, class... Cuts, class Rest>
constexpr CutFormula<Rest, Cuts...>
with_cuts(const ItemSequence<std::index_sequence<i...>, Cuts...> &cuts, const Rest &rest) {
    return {cuts, rest};
}
// The cuts, and another in the place of the last.
template <class Cuts, class Cut>
constexpr auto replace_last(const Cuts &cuts, const Cut &cut) {
    return [&]<std::size_t... i>(std::index_sequence<i...>) {
        return expression::tuple_of(item<i>(cuts)..., cut);
    }(std::make_index_sequence<LastCut<Cuts>::index>{});
}

template <class Kinds, class Cuts, class Leaf>
constexpr auto take_cuts(const Cuts &before, const Leaf &leaf) {
    return with_cuts(before, leaf);
}
template <class Kinds, class Cuts, class Operation, class... Operands>
constexpr auto take_cuts(const Cuts &before, const Node<Operation, Operands...> &node);
template <class Kinds, class Cuts, Naming Operation, class Bound, class Body>
constexpr auto take_cuts(const Cuts &before, const Node<Operation, Bound, Body> &node);

// Operand by operand; done: those that have been cut.
template <class Kinds, class Cuts, class Operation, class... Operands, class... Done>
constexpr auto take_operands(const Cuts &before, const Node<Operation, Operands...> &node,
                             const Done &...done) {
    constexpr std::size_t i = sizeof...(Done);
    if constexpr (i < sizeof...(Operands)) {
        const auto next = take_cuts<Kinds>(before, item<i>(node.operands));
        return take_operands<Kinds>(next.cut, node, done..., next.rest);
    } else {
        return with_cuts(before, make_node(static_cast<const Operation &>(node), done...));
    }
}
template <class Kinds, class Cuts, class Operation, class... Operands>
constexpr auto take_cuts(const Cuts &before, const Node<Operation, Operands...> &node) {
    const auto whole = take_operands<Kinds>(before, node);
    using Cuts_ = std::remove_cvref_t<decltype(whole.cut)>;
    using Rest = std::remove_cvref_t<decltype(whole.rest)>;
    using Kind = typename Kinds::template of<Rest>;
    using Quotient = QuotientOf<Cuts_, Rest>;
    constexpr int last = LastCut<Cuts_>::index;
    if constexpr (Kind::exists) {
        const auto cut = Kind::cut(whole.rest);
        return with_cuts(expression::append(whole.cut, cut), cut.template value<last + 1>());
    } else if constexpr (Quotient::exists) {
        const auto &operands = whole.rest.operands;
        const auto cut =
            Quotient::cut(item<last>(whole.cut), static_cast<const Operation &>(whole.rest),
                          item<Quotient::numerator>(operands), item<2>(operands));
        return with_cuts(replace_last(whole.cut, cut), cut.template value<last>());
    } else {
        return whole;
    }
}
// What let() names is known element by element only: nothing is cut out of what names it.
template <class Kinds, class Cuts, Naming Operation, class Bound, class Body>
constexpr auto take_cuts(const Cuts &before, const Node<Operation, Bound, Body> &node) {
    const auto bound = take_cuts<Kinds>(before, item<0>(node.operands));
    return with_cuts(bound.cut, make_node(Operation{}, bound.rest, item<1>(node.operands)));
}
template <class Kinds, class Cuts, int Bits, class Tree>
constexpr auto take_cuts(const Cuts &before, const WithModulus<Bits, Tree> &whole) {
    const auto formula = take_cuts<Kinds>(before, whole.tree);
    using Rest = WithModulus<Bits, std::remove_cvref_t<decltype(formula.rest)>>;
    return with_cuts(formula.cut, Rest{whole.modulus, formula.rest});
}

// What is cut out: Kinds::of<Node> has
//   exists        whether a node is, whose operands have been cut already
//   cut(node)     the cut
struct Inverses {
    template <class Node>
    using of = InverseOf<Node>;
};

template <class Kinds, class Tree>
constexpr auto cut_formula(const Tree &tree) {
    return take_cuts<Kinds>(Tuple<>{}, tree);
}
template <class Kinds, class Tree>
using cut_formula_t = decltype(cut_formula<Kinds>(std::declval<const Tree &>()));

// Whether a lowered formula has cuts.
template <class Kinds, class Tree>
inline constexpr bool has_cuts = false;
template <class Kinds, class Operation, class... Operands>
inline constexpr bool has_cuts<Kinds, Node<Operation, Operands...>> =
    Kinds::template of<Node<Operation, Operands...>>::exists || (has_cuts<Kinds, Operands> || ...);
template <class Kinds, Naming Operation, class Bound, class Body>
inline constexpr bool has_cuts<Kinds, Node<Operation, Bound, Body>> = has_cuts<Kinds, Bound>;
template <class Kinds, int Bits, class Tree>
inline constexpr bool has_cuts<Kinds, WithModulus<Bits, Tree>> = has_cuts<Kinds, Tree>;

// A cut formula is light if its rest and all operands of its cuts are.
template <class Rest, class... Cuts>
inline constexpr bool fits_a_strip<CutFormula<Rest, Cuts...>> =
    fits_a_strip<Rest> && (fits_a_strip<decltype(Cuts::operand)> && ...);

// Whether all cuts have a modulus, which is known when the formula is lowered.
template <class Rest, class... Cuts>
constexpr bool moduli_exist(const CutFormula<Rest, Cuts...> &formula) {
    return [&]<std::size_t... k>(std::index_sequence<k...>) {
        return (item<k>(formula.cut).modulus_exists() && ...);
    }(std::index_sequence_for<Cuts...>{});
}

} // namespace warpint::execution
