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

#include "cut_quotient.h"

namespace warpint::execution {

namespace detail {

template <class Cuts, class Rest>
struct Partial; // a formula so far
template <std::size_t... i, class... Cuts, class Rest>
struct Partial<expression::ItemSequence<std::index_sequence<i...>, Cuts...>, Rest> {
    CutFormula<Rest, Cuts...> formula;

    template <class Cut>
    constexpr auto with(const Cut &cut) const {
        constexpr int k = static_cast<int>(sizeof...(Cuts));
        using Value = decltype(Cut::template value<k>());
        using With = expression::Tuple<Cuts..., Cut>;
        return Partial<With, Value>{
            {With{{expression::item<i>(formula.cut)}..., {cut}}, Cut::template value<k>()}};
    }
    template <class Other>
    constexpr auto with_rest(const Other &rest) const {
        return Partial<expression::Tuple<Cuts...>, Other>{{formula.cut, rest}};
    }
    // With another cut in the place of the last, whose value is all that is left.
    template <class Cut>
    constexpr auto with_last(const Cut &cut) const {
        constexpr std::size_t last = sizeof...(Cuts) - 1;
        using Value = decltype(Cut::template value<static_cast<int>(last)>());
        using With = expression::Tuple<std::conditional_t<i == last, Cut, Cuts>...>;
        return Partial<With, Value>{{With{{choose<i, last>(formula.cut, cut)}...},
                                     Cut::template value<static_cast<int>(last)>()}};
    }

private:
    template <std::size_t k, std::size_t last, class All, class Cut>
    static constexpr auto choose(const All &all, const Cut &cut) {
        if constexpr (k == last) {
            return cut;
        } else {
            return expression::item<k>(all);
        }
    }
};

template <class Kinds, class Cuts, class Leaf>
constexpr auto take_cuts(const Cuts &before, const Leaf &leaf) {
    return Partial<Cuts, Leaf>{{before, leaf}};
}
template <class Kinds, class Cuts, class Operation, class... Operands>
constexpr auto take_cuts(const Cuts &before, const expression::Node<Operation, Operands...> &node);
template <class Kinds, class Cuts, expression::Naming Operation, class Bound, class Body>
constexpr auto take_cuts(const Cuts &before, const expression::Node<Operation, Bound, Body> &node);

// Operand by operand; done: those that have been cut.
template <class Kinds, class Cuts, class Operation, class... Operands, class... Done>
constexpr auto take_operands(const Cuts &before,
                             const expression::Node<Operation, Operands...> &node,
                             const Done &...done) {
    constexpr std::size_t i = sizeof...(Done);
    if constexpr (i < sizeof...(Operands)) {
        const auto next = take_cuts<Kinds>(before, expression::item<i>(node.operands));
        return take_operands<Kinds>(next.formula.cut, node, done..., next.formula.rest);
    } else {
        using Rest = expression::Node<Operation, Done...>;
        return Partial<Cuts, Rest>{
            {before, Rest{static_cast<const Operation &>(node), {{done}...}}}};
    }
}
template <class Kinds, class Cuts, class Operation, class... Operands>
constexpr auto take_cuts(const Cuts &before, const expression::Node<Operation, Operands...> &node) {
    const auto whole = take_operands<Kinds>(before, node);
    using Rest = std::remove_cvref_t<decltype(whole.formula.rest)>;
    using Kind = typename Kinds::template of<Rest>;
    using Quotient = QuotientOf<std::remove_cvref_t<decltype(whole.formula.cut)>, Rest>;
    if constexpr (Kind::exists) {
        return whole.with(Kind::cut(whole.formula.rest));
    } else if constexpr (Quotient::exists) {
        return whole.with_last(Quotient::cut(
            expression::item<LastCut<std::remove_cvref_t<decltype(whole.formula.cut)>>::index>(
                whole.formula.cut),
            static_cast<const Operation &>(whole.formula.rest),
            expression::item<Quotient::numerator>(whole.formula.rest.operands),
            expression::item<2>(whole.formula.rest.operands)));
    } else {
        return whole;
    }
}
// What let() names is known element by element only: nothing is cut out of what names it.
template <class Kinds, class Cuts, expression::Naming Operation, class Bound, class Body>
constexpr auto take_cuts(const Cuts &before, const expression::Node<Operation, Bound, Body> &node) {
    const auto bound = take_cuts<Kinds>(before, expression::item<0>(node.operands));
    using Rest =
        expression::Node<Operation, std::remove_cvref_t<decltype(bound.formula.rest)>, Body>;
    return bound.with_rest(
        Rest{Operation{}, {{bound.formula.rest}, {expression::item<1>(node.operands)}}});
}
template <class Kinds, class Cuts, int Bits, class Tree>
constexpr auto take_cuts(const Cuts &before, const expression::WithModulus<Bits, Tree> &whole) {
    const auto partial = take_cuts<Kinds>(before, whole.tree);
    using Rest = expression::WithModulus<Bits, std::remove_cvref_t<decltype(partial.formula.rest)>>;
    return partial.with_rest(Rest{whole.modulus, partial.formula.rest});
}

} // namespace detail

// What is cut out: Kinds::of<Node> has
//   exists        whether a node is, whose operands have been cut already
//   cut(node)     the cut
struct Inverses {
    template <class Node>
    using of = detail::InverseOf<Node>;
};

template <class Kinds, class Tree>
constexpr auto cut_formula(const Tree &tree) {
    return detail::take_cuts<Kinds>(expression::Tuple<>{}, tree).formula;
}
template <class Kinds, class Tree>
using cut_formula_t = decltype(cut_formula<Kinds>(std::declval<const Tree &>()));

// Whether a lowered formula has cuts.
template <class Kinds, class Tree>
inline constexpr bool has_cuts = false;
template <class Kinds, class Operation, class... Operands>
inline constexpr bool has_cuts<Kinds, expression::Node<Operation, Operands...>> =
    Kinds::template of<expression::Node<Operation, Operands...>>::exists ||
    (has_cuts<Kinds, Operands> || ...);
template <class Kinds, expression::Naming Operation, class Bound, class Body>
inline constexpr bool has_cuts<Kinds, expression::Node<Operation, Bound, Body>> =
    has_cuts<Kinds, Bound>;
template <class Kinds, int Bits, class Tree>
inline constexpr bool has_cuts<Kinds, expression::WithModulus<Bits, Tree>> = has_cuts<Kinds, Tree>;

// A cut formula is light if its rest and all operands of its cuts are.
template <class Rest, class... Cuts>
inline constexpr bool fits_a_strip<CutFormula<Rest, Cuts...>> =
    fits_a_strip<Rest> && (fits_a_strip<decltype(Cuts::operand)> && ...);

// Whether all cuts have a modulus, which is known when the formula is lowered.
template <class Rest, class... Cuts>
constexpr bool moduli_exist(const CutFormula<Rest, Cuts...> &formula) {
    return [&]<std::size_t... k>(std::index_sequence<k...>) {
        return (expression::item<k>(formula.cut).modulus_exists() && ...);
    }(std::index_sequence_for<Cuts...>{});
}

} // namespace warpint::execution
