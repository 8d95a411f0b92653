// SPDX-License-Identifier: Apache-2.0
// Cuts: operations of a formula that many elements do together. A formula with cuts is evaluated
// for a row of elements at a time: the operands of each cut for the whole row, then the cut, then
// what is left of the formula, which reads the values of the cuts as leaves. One launch does all.
//
// What is cut out: inverses modulo what all elements share, wherever they stand. A row has one
// inversion, and three products for each element (algorithm/divisor/simultaneous_inverse.h). The
// row of a GPU's thread is strided by its block, that of a CPU's core lies in one piece
// (run_rows.h, run_rows_cuda.h).
//
// The values of a cut lie in scratch memory, an element each; those of the last cut do not: what is
// left of the formula is evaluated as soon as the value of an element is known.
#pragma once

#include "../expression/functions.h"
#include "../modular/inverse_all.h"
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
    expression::Slots<Cuts...> cut;
    Rest rest;
};

// ---- the cuts
//
//   Element                          what is inverted and gives the value; in memory
//   modulus_exists()                 whether there is a modulus at all
//   ring(rest)                       for algorithm::inverse_row
//   element(rest, context, fault)    what is inverted
//   value<k>()                       what stands for cut k in the rest

// Of numbers.
template <class Operand, class M, int Bits>
struct CutInverse {
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
    template <class Rest, class Context>
    WARPINT_HOST_DEVICE constexpr Element element(const Rest &, const Context &context,
                                                  bool &fault) const {
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

// Of residues R.
template <class R, class Operand>
struct CutResidueInverse {
    using Element = typename R::Value;
    Operand operand;

    constexpr bool modulus_exists() const { return true; }
    template <class Rest>
    WARPINT_HOST_DEVICE constexpr number::FormRing<number::MakeStaticResidue<R>>
    ring(const Rest &) const {
        return {};
    }
    template <class Rest, class Context>
    WARPINT_HOST_DEVICE constexpr Element element(const Rest &, const Context &context,
                                                  bool &fault) const {
        return evaluate(operand, context, fault).form;
    }
    template <int k>
    static constexpr auto value() {
        using Leaf = CutLeaf<k, Element>;
        return expression::Node<expression::operation::StaticResidueOfForm<R>, Leaf>{{},
                                                                                     {{Leaf{}}}};
    }
};
template <int Bits, class Operand>
struct CutResidueInverse<Residue<Bits>, Operand> {
    using Element = typename Residue<Bits>::Form;
    Operand operand;

    constexpr bool modulus_exists() const { return true; }
    // With a Modulus of its own: nvcc 13 --Ofast-compile=mid loses where a kernel's parameter lies.
    template <class Rest>
    WARPINT_HOST_DEVICE constexpr auto ring(const Rest &rest) const {
        using Make = number::MakeResidue<Bits, Modulus<Bits>>;
        return number::FormRing<Make>{Make{rest.modulus}};
    }
    template <class Rest, class Context>
    WARPINT_HOST_DEVICE constexpr Element element(const Rest &rest, const Context &context,
                                                  bool &fault) const {
        return evaluate(operand, ContextWithModulus<Context, Bits>{context, &rest.modulus}, fault)
            .form();
    }
    template <int k>
    static constexpr auto value() {
        using Leaf = CutLeaf<k, Element>;
        return expression::Node<expression::operation::ResidueOfForm<Bits>, Leaf>{{}, {{Leaf{}}}};
    }
};

// ---- cutting a lowered formula

namespace detail {

// The cut that a node is, whose operands have been cut already.
template <class Node>
struct CutOf {
    static constexpr bool exists = false;
};
template <class A, class M>
struct CutOfNumbers {
    static constexpr bool exists = true;
    template <class Node>
    static constexpr auto cut(const Node &node) {
        return CutInverse<A, M, expression::value_bits<M>>{
            expression::slot<0>(node.operands), expression::slot<1>(node.operands).value};
    }
};
template <class A, int Bits>
struct CutOf<expression::Node<expression::operation::Inverse, A,
                              expression::ConstantLeaf<expression::SharedModulus<Bits>>>>
    : CutOfNumbers<A, expression::SharedModulus<Bits>> {};
template <class A, int Bits>
struct CutOf<
    expression::Node<expression::operation::Inverse, A, expression::ConstantLeaf<Modulus<Bits>>>>
    : CutOfNumbers<A, Modulus<Bits>> {};
template <class X>
struct CutOf<expression::Node<expression::operation::ResidueInverse, X>> {
    static constexpr bool exists = true;
    template <class Node>
    static constexpr auto cut(const Node &node) {
        return CutResidueInverse<typename X::value_type, X>{expression::slot<0>(node.operands)};
    }
};

template <class Cuts, class Rest>
struct Partial; // a formula so far
template <std::size_t... i, class... Cuts, class Rest>
struct Partial<expression::SlotSequence<std::index_sequence<i...>, Cuts...>, Rest> {
    CutFormula<Rest, Cuts...> formula;

    template <class Cut>
    constexpr auto with(const Cut &cut) const {
        constexpr int k = static_cast<int>(sizeof...(Cuts));
        using Value = decltype(Cut::template value<k>());
        using With = expression::Slots<Cuts..., Cut>;
        return Partial<With, Value>{
            {With{{expression::slot<i>(formula.cut)}..., {cut}}, Cut::template value<k>()}};
    }
    template <class Other>
    constexpr auto with_rest(const Other &rest) const {
        return Partial<expression::Slots<Cuts...>, Other>{{formula.cut, rest}};
    }
};

template <class Cuts, class Leaf>
constexpr auto take_cuts(const Cuts &before, const Leaf &leaf) {
    return Partial<Cuts, Leaf>{{before, leaf}};
}
template <class Cuts, class Operation, class... Operands>
constexpr auto take_cuts(const Cuts &before, const expression::Node<Operation, Operands...> &node);

// Operand by operand; done: those that have been cut.
template <class Cuts, class Operation, class... Operands, class... Done>
constexpr auto take_operands(const Cuts &before,
                             const expression::Node<Operation, Operands...> &node,
                             const Done &...done) {
    constexpr std::size_t i = sizeof...(Done);
    if constexpr (i < sizeof...(Operands)) {
        const auto next = take_cuts(before, expression::slot<i>(node.operands));
        return take_operands(next.formula.cut, node, done..., next.formula.rest);
    } else {
        using Rest = expression::Node<Operation, Done...>;
        return Partial<Cuts, Rest>{
            {before, Rest{static_cast<const Operation &>(node), {{done}...}}}};
    }
}
template <class Cuts, class Operation, class... Operands>
constexpr auto take_cuts(const Cuts &before, const expression::Node<Operation, Operands...> &node) {
    const auto whole = take_operands(before, node);
    using Rest = decltype(whole.formula.rest);
    if constexpr (CutOf<std::remove_const_t<Rest>>::exists) {
        return whole.with(CutOf<std::remove_const_t<Rest>>::cut(whole.formula.rest));
    } else {
        return whole;
    }
}
// What let() names is known element by element only: nothing is cut out of what names it.
template <class Cuts, int level, class Bound, class Body>
constexpr auto
take_cuts(const Cuts &before,
          const expression::Node<expression::operation::Let<level>, Bound, Body> &node) {
    using Let = expression::operation::Let<level>;
    const auto bound = take_cuts(before, expression::slot<0>(node.operands));
    using Rest = expression::Node<Let, std::remove_cvref_t<decltype(bound.formula.rest)>, Body>;
    return bound.with_rest(
        Rest{Let{}, {{bound.formula.rest}, {expression::slot<1>(node.operands)}}});
}
template <class Cuts, int Bits, class Tree>
constexpr auto take_cuts(const Cuts &before, const expression::WithModulus<Bits, Tree> &whole) {
    const auto partial = take_cuts(before, whole.tree);
    using Rest = expression::WithModulus<Bits, std::remove_cvref_t<decltype(partial.formula.rest)>>;
    return partial.with_rest(Rest{whole.modulus, partial.formula.rest});
}

} // namespace detail

template <class Tree>
constexpr auto cut_formula(const Tree &tree) {
    return detail::take_cuts(expression::Slots<>{}, tree).formula;
}
template <class Tree>
using cut_formula_t = decltype(cut_formula(std::declval<const Tree &>()));

namespace detail {

// What is left, and the operands of all cuts, is light: a thread of a GPU does a row of it, so that
// there are few threads.
template <class Tree>
inline constexpr bool is_light =
    expression::cost<Tree>.work <= WorkKind::fold && !expression::cost<Tree>.runs_user_code;
template <class Formula>
inline constexpr bool is_row_formula = false;
template <class Rest, class... Cuts>
inline constexpr bool
    is_row_formula<CutFormula<Rest, Cuts...>> = sizeof...(Cuts) != 0 && is_light<Rest> &&
                                                (is_light<decltype(Cuts::operand)> && ...);

} // namespace detail

// Whether a lowered formula has cuts and is evaluated in rows.
template <class Tree>
inline constexpr bool has_cuts = detail::is_row_formula<cut_formula_t<Tree>>;

// Whether all cuts have a modulus, which is known when the formula is lowered.
template <class Rest, class... Cuts>
constexpr bool moduli_exist(const CutFormula<Rest, Cuts...> &formula) {
    return [&]<std::size_t... k>(std::index_sequence<k...>) {
        return (expression::slot<k>(formula.cut).modulus_exists() && ...);
    }
    (std::index_sequence_for<Cuts...>{});
}

// ---- a row

// Scratch memory for each cut, room for as many elements as the formula has; of the last cut it may
// be the target's, if no operand of the formula lies there.
template <class Formula>
struct CutScratch;
template <class Rest, class... Cuts>
struct CutScratch<CutFormula<Rest, Cuts...>> {
    expression::Slots<typename Cuts::Element *...> elements;
};

template <int k, class Formula>
using cut_t = std::remove_cvref_t<decltype(expression::slot<k>(std::declval<Formula>().cut))>;

// The elements of a row: begin, begin + stride, ... as many of `length` as are less than count.
template <class Formula_, int length, class... T>
struct CutRow {
    using Formula = Formula_;
    static constexpr int words = length / 32;

    const Formula &formula;
    const Target<T...> &target;
    const CutScratch<Formula> &scratch;
    std::size_t begin;
    std::size_t stride;
    std::size_t count;
    std::size_t scratch_begin; // the element of the formula that lies first in scratch memory
    // For each cut the bits of the elements that it has no value for; of the last, of those that
    // the formula has none for.
    std::uint32_t missing[Formula::cuts][words] = {};

    WARPINT_HOST_DEVICE constexpr std::size_t index(int i) const {
        return begin + static_cast<std::size_t>(i) * stride;
    }
    template <int k>
    WARPINT_HOST_DEVICE constexpr auto &scratch_of(std::size_t at) const {
        return expression::slot<k>(scratch.elements)[at - scratch_begin];
    }
    WARPINT_HOST_DEVICE static constexpr int word(int i) { return words == 1 ? 0 : i / 32; }
    template <int k>
    WARPINT_HOST_DEVICE constexpr bool is_missing(int i) const {
        return (missing[k][word(i)] >> (i % 32) & 1u) != 0;
    }
    template <int k>
    WARPINT_HOST_DEVICE constexpr void note(int i, bool fault) {
        missing[k][word(i)] |= std::uint32_t{fault} << (i % 32);
    }
};

// Evaluates element i of a row. last: the value of the last cut, where the rest is evaluated.
template <class Row_, class Last>
struct CutContext : DirectContext {
    using Row = Row_;
    const Row *row;
    int i;
    const Last *last;
};
template <int k, class T, class Context>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE T evaluate(const CutLeaf<k, T> &,
                                                        const Context &context, bool &fault) {
    if constexpr (k + 1 == Context::Row::Formula::cuts) {
        return *context.last;
    } else {
        fault = fault || context.row->template is_missing<k>(context.i);
        return context.row->template scratch_of<k>(context.index);
    }
}

namespace detail {

template <class T>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void store_at(const Place<T> &place, std::size_t index,
                                                           const T &value) {
    place.data[index] = value;
}
template <class T>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void
store_at(const Place<expression::InLimbRows<T>> &place, std::size_t index, const T &value) {
    place.data.store(index, value);
}
template <class T>
struct StoredType {
    using type = T;
};
template <class T>
struct StoredType<expression::InLimbRows<T>> {
    using type = T;
};

template <std::size_t... p, class... T, class Value>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void
store_all_at(std::index_sequence<p...>, const Target<T...> &target, std::size_t index,
             const Value &value, bool fault) {
    (store_at(place<p>(target), index,
              fault ? typename StoredType<T>::type{}
                    : typename StoredType<T>::type(
                          stored<typename StoredType<T>::type>(result<p, sizeof...(T)>(value)))),
     ...);
}

// Cut k of a row as algorithm::inverse_row takes it.
template <int k, class Row>
struct RowOfCut;
template <int k, class Formula, int length, class... Targets>
struct RowOfCut<k, CutRow<Formula, length, Targets...>> {
    using Row = CutRow<Formula, length, Targets...>;
    using T = typename cut_t<k, Formula>::Element;
    static constexpr bool is_last = k + 1 == Formula::cuts;
    Row &row;

    [[nodiscard]] WARPINT_HOST_DEVICE constexpr T load(int i, bool &fault) const {
        const std::size_t index = row.index(i);
        fault = index >= row.count;
        if (fault)
            return T{};
        return expression::slot<k>(row.formula.cut)
            .element(row.formula.rest, CutContext<Row, T>{{index}, &row, i, nullptr}, fault);
    }
    [[nodiscard]] WARPINT_HOST_DEVICE constexpr T prefix(int i) const {
        const std::size_t index = row.index(i);
        return index < row.count ? row.template scratch_of<k>(index) : T{};
    }
    WARPINT_HOST_DEVICE constexpr void set_prefix(int i, const T &x) {
        const std::size_t index = row.index(i);
        if (index < row.count)
            row.template scratch_of<k>(index) = x;
    }
    WARPINT_HOST_DEVICE constexpr void store(int i, const T &x, bool exists) {
        const std::size_t index = row.index(i);
        if (index >= row.count)
            return;
        if constexpr (is_last) {
            bool fault = !exists;
            const auto &value =
                evaluate(row.formula.rest, CutContext<Row, T>{{index}, &row, i, &x}, fault);
            store_all_at(std::index_sequence_for<Targets...>{}, row.target, index, value, fault);
            row.template note<k>(i, fault);
        } else {
            row.template scratch_of<k>(index) = x;
            row.template note<k>(i, !exists);
        }
    }
};

} // namespace detail

// Evaluates a row: one cut after another, the rest with the last. of_cut(k, row): cut k, a
// RowOfCut. divisors: of the ring of each cut.
template <class Row, std::size_t... k, class OfCut, class Rings, class Divisors>
WARPINT_HOST_DEVICE constexpr void evaluate_row(std::index_sequence<k...>, Row &row, int length,
                                                const OfCut &of_cut, const Rings &rings,
                                                Divisors &divisors) {
    const auto compute = [&]<std::size_t at>(std::integral_constant<std::size_t, at> position) {
        using Own = std::remove_cvref_t<decltype(expression::slot<at>(divisors))>;
        auto elements = of_cut(position, row);
        algorithm::inverse_row(elements, length, expression::slot<at>(rings),
                               static_cast<expression::Slot<at, Own> &>(divisors).value);
    };
    (compute(std::integral_constant<std::size_t, k>{}), ...);
}

} // namespace warpint::execution
