// SPDX-License-Identifier: Apache-2.0
// Cuts: operations of a formula that many elements do together. A formula with cuts is evaluated
// for a row of elements at a time: the operands of each cut for the whole row, then the cut, then
// what is left of the formula, which reads the values of the cuts as leaves. One launch does all.
//
// What is cut out: inverses modulo what all elements share, wherever they stand: a row has one
// inversion, and three products for each element (arith/limbs/gcd/simultaneous_inverse.h). On
// CPUs also what an engine does side by side (execution/collective.h), on GPUs what the threads of
// a block do together (block_method.h). The row of a GPU's thread is strided by its block, that of
// a CPU's core lies in one piece (execution/run_rows_cuda.h, execution/run_rows.h).
//
// The values of a cut lie in scratch memory, an element each; those of the last cut do not: what is
// left of the formula is evaluated as soon as the value of an element is known.
#pragma once

#include "../../expression/functions.h"
#include "../../number/modular/inverse_all.h"
#include "block_method.h"
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
//   ring(rest)                       for arith::inverse_row
//   element(rest, context, fault)    what is inverted

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

// Of StaticResidues R.
template <class R, class Operand>
struct CutResidueInverse {
    static constexpr bool inverts = true;
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
    // With a Modulus of its own: nvcc 13 --Ofast-compile=mid loses where a kernel's parameter lies.
    template <class Rest>
    WARPINT_HOST_DEVICE constexpr auto ring(const Rest &rest) const {
        using Make = number::MakeResidue<Bits, Modulus<Bits>>;
        return number::FormRing<Make>{Make{rest.modulus}};
    }
    template <class Rest, class Context>
    WARPINT_HOST_DEVICE constexpr Element element(const Rest &rest, const Context &context,
                                                  bool &fault) const {
        return evaluate(operand, ContextWithModulus<Context, Bits>{context, &rest.modulus}, fault);
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

// ---- cutting a lowered formula

// What a block of a GPU does together (block_method.h).
template <class Node>
struct OfBlock {
    static constexpr bool exists = false;
};
template <class Operation, class... Operands>
struct OfBlock<expression::Node<Operation, Operands...>> {
    using Node = expression::Node<Operation, Operands...>;
    static constexpr bool exists =
        BlockMethod<Operation>::template runs<typename Operands::value_type...>;
    static constexpr CutTogether<Node> cut(const Node &node) { return {node}; }
};

// Whether a tree is light: a thread of a GPU does a row of them, so that there are few threads.
template <class Tree>
inline constexpr bool is_light =
    expression::cost<Tree>.work <= WorkKind::fold && !expression::cost<Tree>.runs_user_code;

namespace detail {

// The inverse that a node is, whose operands have been cut already.
template <class Node>
struct InverseOf {
    static constexpr bool exists = false;
};
template <class A, class M>
struct InverseOfNumbers {
    static constexpr bool exists = true;
    template <class Node>
    static constexpr auto cut(const Node &node) {
        return CutInverse<A, M, expression::value_bits<M>>{
            expression::item<0>(node.operands), expression::item<1>(node.operands).value};
    }
};
template <class Operation, class A, int Bits>
requires(Operation::inverts) struct InverseOf<
    expression::Node<Operation, A, expression::ConstantLeaf<expression::SharedModulus<Bits>>>>
    : InverseOfNumbers<A, expression::SharedModulus<Bits>> {
};
template <class Operation, class A, int Bits>
requires(Operation::inverts) struct InverseOf<
    expression::Node<Operation, A, expression::ConstantLeaf<Modulus<Bits>>>>
    : InverseOfNumbers<A, Modulus<Bits>> {
};
template <class Operation, class X, int Bits>
requires(Operation::inverts) struct InverseOf<
    expression::Node<Operation, X, expression::FormulaModulus<Bits>>> {
    static constexpr bool exists = true;
    template <class Node>
    static constexpr auto cut(const Node &node) {
        return CutFormInverse<Bits, X>{expression::item<0>(node.operands)};
    }
};
template <class Operation, class X>
requires(Operation::inverts) struct InverseOf<expression::Node<Operation, X>> {
    static constexpr bool exists = true;
    template <class Node>
    static constexpr auto cut(const Node &node) {
        return CutResidueInverse<typename X::value_type, X>{expression::item<0>(node.operands)};
    }
};

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
    using type =
        typename decltype((std::type_identity<void>{}, ..., std::type_identity<Cuts>{}))::type;
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
        !number::signed_of<Value> && number::bits_of<Value> <= Bits && is_light<Numerator>;

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
requires(Operation::is_product_modulo &&k == LastCut<Cuts>::index) struct QuotientOf<
    Cuts, expression::Node<Operation, CutLeaf<k, T>, Numerator, Shared>>
    : QuotientOfNumbers<typename LastCut<Cuts>::type, Operation, Numerator, Shared> {
    static constexpr std::size_t numerator = 1;
};
template <class Cuts, class Operation, int k, class T, class Numerator, class Shared>
requires(Operation::is_product_modulo &&k == LastCut<Cuts>::index) struct QuotientOf<
    Cuts, expression::Node<Operation, Numerator, CutLeaf<k, T>, Shared>>
    : QuotientOfNumbers<typename LastCut<Cuts>::type, Operation, Numerator, Shared> {
    static constexpr std::size_t numerator = 0;
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
// On GPUs also what a block does together.
struct GpuCuts {
    template <class Node>
    using of =
        std::conditional_t<detail::InverseOf<Node>::exists, detail::InverseOf<Node>, OfBlock<Node>>;
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

// And whether what is left of a formula, and the operands of all cuts, are.
template <class Rest, class... Cuts>
inline constexpr bool is_light<CutFormula<Rest, Cuts...>> = is_light<Rest> &&
                                                            (is_light<decltype(Cuts::operand)> &&
                                                             ...);

// Whether GPUs evaluate a lowered formula in rows. Without inverses a thread has one element.
template <class Tree>
inline constexpr bool runs_in_gpu_rows = [] {
    if constexpr (has_cuts<Inverses, Tree>)
        return is_light<cut_formula_t<GpuCuts, Tree>>;
    return has_cuts<GpuCuts, Tree>;
}();

// Whether a formula with cuts has inverses.
template <class Formula>
inline constexpr bool has_inversions = false;
template <class Rest, class... Cuts>
inline constexpr bool has_inversions<CutFormula<Rest, Cuts...>> = (Cuts::inverts || ...);

// Whether all cuts have a modulus, which is known when the formula is lowered.
template <class Rest, class... Cuts>
constexpr bool moduli_exist(const CutFormula<Rest, Cuts...> &formula) {
    return [&]<std::size_t... k>(std::index_sequence<k...>) {
        return (expression::item<k>(formula.cut).modulus_exists() && ...);
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
    expression::Tuple<typename Cuts::Element *...> elements;
};

template <int k, class Formula>
using cut_t = std::remove_cvref_t<decltype(expression::item<k>(std::declval<Formula>().cut))>;

// What is done with the value of an element, which value(fault) gives: put(index, value, fault).
// Here it is stored.
template <class... T>
struct StoreInto {
    const Target<T...> &target;

    template <class Evaluate>
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void put(std::size_t index, const Evaluate &value,
                                                          bool &fault) const {
        const auto &x = value(fault);
        [&]<std::size_t... p>(std::index_sequence<p...>) {
            (store_at(place<p>(target), index, result<p, sizeof...(T)>(x), fault), ...);
        }
        (std::index_sequence_for<T...>{});
    }
    WARPINT_HOST_DEVICE constexpr void put_nothing(std::size_t index) const {
        bool fault = true;
        put(
            index, [](bool &) { return expression::Tuple<T...>{}; }, fault);
    }

private:
    template <class U, class Value>
    WARPINT_HOST_DEVICE static constexpr WARPINT_INLINE void
    store_at(const Place<U> &place, std::size_t index, const Value &value, bool fault) {
        place.data[index] = fault ? U{} : U(stored<U>(value));
    }
    template <class U, class Value>
    WARPINT_HOST_DEVICE static constexpr WARPINT_INLINE void
    store_at(const Place<expression::InLimbRows<U>> &place, std::size_t index, const Value &value,
             bool fault) {
        place.data.store(index, fault ? U{} : U(stored<U>(value)));
    }
};

// The elements of a row: begin, begin + stride, ... as many of `length` as are less than count.
template <class Formula_, int length, class Sink>
struct CutRow {
    using Formula = Formula_;
    using Last = typename cut_t<Formula::cuts - 1, Formula>::Element;
    static constexpr int words = (length + 31) / 32;

    const Formula &formula;
    Sink sink;
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
        return expression::item<k>(scratch.elements)[at - scratch_begin];
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
    // The bits of the elements 32 at ... that have no value.
    template <int k>
    WARPINT_HOST_DEVICE constexpr void note_word(int at, std::uint32_t faults) {
        missing[k][at] = faults;
    }
    // The value of cut k for element i, which may not exist; with that of the last cut the formula
    // is evaluated.
    template <int k>
    WARPINT_HOST_DEVICE constexpr void put(int i, const typename cut_t<k, Formula>::Element &x,
                                           bool exists);
};

// Evaluates element i of a row. last: the value of the last cut, where the rest is evaluated.
template <class Row_>
struct CutContext : DirectContext {
    using Row = Row_;
    const Row *row;
    int i;
    const typename Row::Last *last;
};
// The modulus of residues in what is left of a formula, and in the operands of its cuts.
template <int Bits, class Row>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE const number::form_modulus_t<Bits> &
evaluate(const expression::FormulaModulus<Bits> &, const CutContext<Row> &context, bool &) {
    return context.row->formula.rest.modulus;
}
template <expression::TakesModulus Operation, class Operand, class Row>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE auto
evaluate(const expression::Node<Operation, Operand> &node, const CutContext<Row> &context,
         bool &fault) {
    return Operation::of(evaluate(expression::item<0>(node.operands), context, fault),
                         context.row->formula.rest.modulus);
}
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

// On hosts the sink may be one that only hosts can call.
#if WARPINT_CUDA
#pragma nv_exec_check_disable
#endif
template <class Formula, int length, class Sink>
template <int k>
WARPINT_HOST_DEVICE constexpr void
CutRow<Formula, length, Sink>::put(int i, const typename cut_t<k, Formula>::Element &x,
                                   bool exists) {
    const std::size_t at = index(i);
    if constexpr (k + 1 < Formula::cuts) {
        scratch_of<k>(at) = x;
        note<k>(i, !exists);
    } else {
        bool fault = !exists;
        const CutContext<CutRow> context{{at}, this, i, &x};
        const auto value = [&](bool &none) -> decltype(auto) {
            return evaluate(formula.rest, context, none);
        };
        sink.put(at, value, fault);
        note<k>(i, fault);
    }
}

// An inverse of a row as arith::inverse_row takes it.
template <int k, class Row_>
struct RowOfInverses {
    using Row = Row_;
    using Cut = cut_t<k, typename Row::Formula>;
    using T = typename Cut::Element;
    static constexpr bool divides = requires(const Cut &cut) { cut.divides_in_ring; };
    Row &row;

    [[nodiscard]] WARPINT_HOST_DEVICE constexpr const auto &cut() const {
        return expression::item<k>(row.formula.cut);
    }
    [[nodiscard]] WARPINT_HOST_DEVICE constexpr CutContext<Row> context(int i) const {
        return {{row.index(i)}, &row, i, nullptr};
    }
    [[nodiscard]] WARPINT_HOST_DEVICE constexpr T load(int i, bool &fault) const {
        fault = row.index(i) >= row.count;
        if (fault)
            return T{};
        return cut().element(row.formula.rest, context(i), fault);
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
    WARPINT_HOST_DEVICE constexpr void leave_out(int i) { row.template note<k>(i, true); }
    [[nodiscard]] WARPINT_HOST_DEVICE constexpr bool is_left_out(int i) const {
        return row.template is_missing<k>(i);
    }
    template <class Ring>
    requires divides [[nodiscard]] WARPINT_HOST_DEVICE constexpr T
    begin_division(const Ring &ring, const T &inverse) const {
        return cut().divides_in_ring ? ring.scaled(inverse) : inverse;
    }
    template <class Ring>
    requires divides [[nodiscard]] WARPINT_HOST_DEVICE constexpr T
    times_numerator(const Ring &ring, int i, const T &x, bool &fault) const {
        if (!cut().divides_in_ring)
            return x;
        const auto &y = evaluate(cut().numerator, context(i), fault);
        return ring.product(x, number::to<T>(number::as_number(y)));
    }
    WARPINT_HOST_DEVICE constexpr void store(int i, const T &x, bool exists) {
        if (row.index(i) >= row.count)
            return;
        if constexpr (divides) {
            T quotient = x;
            bool fault = !exists;
            if (exists && !cut().divides_in_ring) {
                const auto &y = evaluate(cut().numerator, context(i), fault);
                quotient = cut().operation.apply(fault, x, y, cut().shared.value);
            }
            row.template put<k>(i, quotient, !fault);
        } else {
            row.template put<k>(i, x, exists);
        }
    }
};

} // namespace warpint::execution
