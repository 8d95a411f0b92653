// SPDX-License-Identifier: Apache-2.0
// A formula on a GPU as a short program of steps. A step is one launch that evaluates one tree,
// whose leaves lie in memory or are constants. The last step stores or reduces the formula; the
// others store a value that later steps read, in scratch memory. Most formulas are one step.
//
// A tree is split where its parts want different kernels, and where two of them do not fit a
// thread's registers together (stores_operand). The types of the tree decide that, the same in
// every pass of a compiler.
#pragma once

#include "../../expression/split.h"
#include "../evaluation/cut_kinds.h"
#include "../evaluation/long_product.h"
#include "../evaluation/over_lanes.h"
#include "../evaluation/tensor_power.h"
#include "tuning/choose.h"

namespace warpint::execution {

// The value of step k, in scratch memory.
template <int k, class T>
struct StepLeaf {
    using value_type = T;
    using element_type = T;
};
// Where it lies. faults: null if every element has a value.
struct StepValues {
    void *data = nullptr;
    std::uint32_t *faults = nullptr;
};

// The trees of the steps, in the order in which they run.
template <class... Steps>
struct Program {
    static constexpr std::size_t count = sizeof...(Steps);
    Tuple<Steps...> steps;
};

template <int k, class T>
inline constexpr bool has_lane_operations<StepLeaf<k, T>> = AnyNumber<T>;

// ---- steps that run

namespace program {

// A tree with every leaf x replaced by f(x); the modulus stays.
template <class Tree, class Function>
constexpr auto map_step(const Tree &tree, const Function &f) {
    return map_leaves(tree, f);
}
template <int Bits, class Tree, class Function>
constexpr auto map_step(const WithModulus<Bits, Tree> &whole, const Function &f) {
    return WithModulus<Bits, decltype(map_leaves(whole.tree, f))>{whole.modulus,
                                                                  map_leaves(whole.tree, f)};
}

struct Bind {
    const StepValues *values;

    template <class Leaf>
    constexpr Leaf operator()(const Leaf &leaf) const {
        return leaf;
    }
    template <int k, class T>
    constexpr BatchPointer<T> operator()(const StepLeaf<k, T> &) const {
        return {static_cast<const T *>(values[k].data), values[k].faults};
    }
};
struct Advance {
    std::size_t first;

    template <class Leaf>
    constexpr Leaf operator()(const Leaf &leaf) const {
        return leaf;
    }
    template <class T>
    constexpr BatchPointer<T> operator()(const BatchPointer<T> &leaf) const {
        return {leaf.data + first, leaf.faults == nullptr ? nullptr : leaf.faults + first / 32};
    }
    template <class T>
    constexpr LimbRows<T> operator()(const LimbRows<T> &rows) const {
        return {rows.limbs + first, rows.stride, rows.size - first};
    }
    constexpr IndexLeaf operator()(const IndexLeaf &leaf) const {
        return {leaf.size - first, leaf.first + first};
    }
};

} // namespace program

// The step with the values of earlier ones where they lie.
template <class Tree>
using bound_t =
    decltype(program::map_step(std::declval<const Tree &>(), std::declval<program::Bind>()));
template <class Tree>
constexpr decltype(auto) bind(const Tree &step, const StepValues *values) {
    if constexpr (std::is_same_v<bound_t<Tree>, Tree>) {
        return (step); // it reads none
    } else {
        return program::map_step(step, program::Bind{values});
    }
}

// A step, or where it stores, from element `first` of its formula on: a multiple of 32.
template <class Tree>
constexpr Tree advance(const Tree &step, std::size_t first) {
    return program::map_step(step, program::Advance{first});
}
template <class... T>
constexpr Target<T...> advance(const Target<T...> &target, std::size_t first) {
    const auto advanced = []<class U>(Place<U> to, std::size_t by) {
        if constexpr (requires { to.data + by; }) {
            to.data += by;
        } else {
            to.data.limbs += by;
        }
        if (to.faults != nullptr)
            to.faults += by / 32;
        return to;
    };
    return [&]<std::size_t... i>(std::index_sequence<i...>) {
        return Target<T...>{{{advanced(place<i>(target), first)}...}};
    }(std::index_sequence_for<T...>{});
}

// ---- how a formula is split

namespace program {

// Read as it lies in memory, or the same for all elements.
template <class Tree>
inline constexpr bool is_read = is_constant<Tree>;
template <class T>
inline constexpr bool is_read<BatchPointer<T>> = true;
template <int k, class T>
inline constexpr bool is_read<StepLeaf<k, T>> = true;
template <>
inline constexpr bool is_read<IndexLeaf> = true;
template <int Bits>
inline constexpr bool is_read<FormulaModulus<Bits>> = true;
template <class Operation, class Form>
    requires(expression::reads_form<Operation>)
inline constexpr bool is_read<Node<Operation, Form>> = is_read<Form>;

template <class T>
concept StaticResidueValue = AnyResidue<T> && !expression::is_shared_residue<T>;

// Computed, of a type that memory holds.
template <class Tree>
inline constexpr bool is_storable =
    !is_read<Tree> &&
    (AnyNumber<typename Tree::value_type> || StaticResidueValue<typename Tree::value_type>);

template <class Tree>
inline constexpr bool is_heavy = expression::cost<Tree>.work != WorkKind::streaming;
// More than a product: it takes registers of its own.
template <class Tree>
inline constexpr bool is_long = expression::cost<Tree>.work > WorkKind::product;

// An exact product of numbers that is a step before what only streams takes it. Over lanes it
// leaves as it comes; to compute with it, they would first have to share it out as they do numbers
// of its own width. In a thread it takes twice the registers.
template <class Tree>
inline constexpr bool is_wide_product = false;
template <class Operation, class... Operands>
    requires(Operation::is_product)
inline constexpr bool is_wide_product<Node<Operation, Operands...>> = [] {
    using Product = Node<Operation, Operands...>;
    return AnyNumber<typename Product::value_type> &&
           expression::cost<Product>.bits > tuning::max_bits_of_two;
}();

// Whether kernels over lanes are measured to be the best for what the tree computes, if all of it
// has a form over lanes.
template <class Tree>
inline constexpr bool wants_lanes = [] {
    Cost cost = cost_of<Tree>;
    cost.over_lanes = true;
    return tuning::Known::is_over_lanes(cost);
}();
// One operation of numbers in memory whose operands travel through shared memory at once, in so
// wide numbers that this pays a step. Threads read numbers that do not lie on multiples of 16 bytes
// slowly.
template <class Tree>
inline constexpr bool is_staged_alone = [] {
    using Bound = bound_t<Tree>;
    constexpr Cost cost = expression::cost<Bound>;
    if constexpr (StagedFormula<Bound>::operands == 0 || wants_lanes<Bound>) {
        return false;
    } else if constexpr ((cost.bits + 31) / 32 % 4 != 0) {
        return cost.bits > tuning::max_bits_of_chain;
    } else {
        return StagedFormula<Bound>::folded && cost.bits > tuning::max_bits_of_two;
    }
}();
// The operand as a value in memory, where it is a number that only streams.
template <class Tree>
inline constexpr bool is_streamed_number =
    is_storable<Tree> && !is_heavy<Tree> && AnyNumber<typename Tree::value_type>;
template <class Tree>
using read_t =
    std::conditional_t<is_streamed_number<Tree>, BatchPointer<typename Tree::value_type>, Tree>;

// ---- where a tree is split

// What is asked of an operation with its operands, whose own operands have been stored already
// where they have to be.
template <class Operation, class... Operands>
struct Asked {
    using Whole = Node<Operation, Operands...>;
    static constexpr bool over_lanes =
        Operation::template over_lanes<typename Operands::value_type...>;
    static constexpr bool streams =
        expression::operation::work_of<Operation, typename Operands::value_type...> ==
        WorkKind::streaming;
    static constexpr bool any_heavy_over_lanes =
        ((is_heavy<Operands> && has_lane_operations<Operands>) || ...);

    // Whether no operand behind this one is heavy.
    template <std::size_t i>
    static constexpr bool is_last_heavy = [] {
        const bool heavy[] = {is_heavy<Operands>...};
        for (std::size_t k = i + 1; k < sizeof...(Operands); ++k) {
            if (heavy[k])
                return false;
        }
        return true;
    }();
    // Whether operand i, of type A, is a step of its own.
    template <std::size_t i, class A>
    static constexpr bool stores = [] {
        if constexpr (!is_storable<A>) {
            return false;
        } else if constexpr (InverseOf<Whole>::exists && i == 0) {
            return true; // many elements are inverted together
        } else if constexpr (may_be_tensor_power<Whole> || is_tensor_power<A> ||
                             is_long_product<Whole> || is_long_product<A>) {
            return true; // its operands lie in memory, and so does its value
        } else if constexpr (InverseOf<A>::exists && !expression::makes_form<Operation>) {
            return true;
        } else if constexpr (is_heavy<A> && has_lane_operations<A> && wants_lanes<A> &&
                             !over_lanes) {
            return true; // a thread would compute it
        } else if constexpr (expression::cost<A>.work == WorkKind::root && wants_lanes<A> &&
                             expression::cost<Whole>.bits > tuning::max_bits_of_chain) {
            return true; // over fewer lanes than what takes it
        } else if constexpr (!has_lane_operations<A> && over_lanes && wants_lanes<Whole> &&
                             (!streams || any_heavy_over_lanes)) {
            return true; // it would keep all the others in the thread
        } else if constexpr (is_streamed_number<A>) {
            return is_staged_alone<Node<Operation, read_t<Operands>...>>;
        } else if constexpr (!streams) {
            return is_staged_alone<A> ||
                   (is_long<A> && expression::cost<Whole>.bits > tuning::max_bits_of_chain);
        } else {
            return is_staged_alone<A> || is_wide_product<A> ||
                   (is_heavy<A> && !is_last_heavy<i> &&
                    (wants_lanes<Whole> || expression::cost<Whole>.bits > tuning::max_bits_of_two));
        }
    }();
};

// A formula so far: the steps, and what is left.
template <class Steps, class Rest>
struct Split {
    Steps steps;
    Rest rest;
};
template <class Steps, class Rest>
Split(Steps, Rest) -> Split<Steps, Rest>;

// The tree becomes a step; what is left is its value.
template <class Steps, class Tree>
constexpr auto store(const Steps &before, const Tree &tree) {
    constexpr int k = static_cast<int>(part_count<Steps>);
    using Value = typename Tree::value_type;
    if constexpr (StaticResidueValue<Value>) {
        const auto form = expression::form_of(tree);
        using Form = typename decltype(form)::value_type;
        return Split{expression::append(before, form),
                     expression::residue_of_form<Value>(StepLeaf<k, Form>{})};
    } else {
        return Split{expression::append(before, tree), StepLeaf<k, Value>{}};
    }
}

template <class Steps, class Leaf>
constexpr auto split(const Steps &before, const Leaf &leaf) {
    return Split{before, leaf};
}
template <class Steps, class Operation, class... Operands>
constexpr auto split(const Steps &before, const Node<Operation, Operands...> &node);
template <class Steps, Naming Operation, class Bound, class Body>
constexpr auto split(const Steps &before, const Node<Operation, Bound, Body> &node);

// What the operation stores of its operands, one after another. done: what is left of those before.
template <class Steps, class Operation, class... Operands, class... Done>
constexpr auto store_operands(const Steps &before, const Node<Operation, Operands...> &node,
                              const Done &...done) {
    constexpr std::size_t i = sizeof...(Done);
    if constexpr (i < sizeof...(Operands)) {
        const auto &operand = item<i>(node.operands);
        using Operand = std::remove_cvref_t<decltype(operand)>;
        if constexpr (Asked<Operation, Operands...>::template stores<i, Operand>) {
            const auto next = store(before, operand);
            return store_operands(next.steps, node, done..., next.rest);
        } else {
            return store_operands(before, node, done..., operand);
        }
    } else {
        return Split{before, make_node(static_cast<const Operation &>(node), done...)};
    }
}
// The operands are split first.
template <class Steps, class Operation, class... Operands, class... Done>
constexpr auto split_operands(const Steps &before, const Node<Operation, Operands...> &node,
                              const Done &...done) {
    constexpr std::size_t i = sizeof...(Done);
    if constexpr (i < sizeof...(Operands)) {
        const auto next = split(before, item<i>(node.operands));
        return split_operands(next.steps, node, done..., next.rest);
    } else {
        return store_operands(before, make_node(static_cast<const Operation &>(node), done...));
    }
}

// The part becomes a step; what is left is what rest_of() makes of its value.
template <class Steps, class Part, class RestOf>
constexpr auto split_off(const Steps &before, const Part &part, const RestOf &rest_of) {
    const auto stored = store(before, part);
    return Split{stored.steps, rest_of(stored.rest)};
}

// A factor of a product modulo m that is a difference: its sign costs a wide product more than a
// difference modulo m, by a step, does.
template <class Factor>
inline constexpr bool is_signed_factor = false;
template <class Factor>
    requires(expression::is_difference<Factor>)
inline constexpr bool is_signed_factor<Factor> =
    (value_bits<typename Factor::value_type> > tuning::max_bits_of_signs);
template <class Steps, class Factor, class M>
constexpr auto store_factor(const Steps &before, const Factor &factor, const M &m) {
    if constexpr (is_signed_factor<Factor>) {
        return store(before, expression::difference_modulo(factor, m));
    } else {
        return Split{before, factor};
    }
}
template <class Tree>
inline constexpr bool has_signed_factor = false;
template <class Operation, class A, class B, class M>
    requires(expression::is_product_modulo<Node<Operation, A, B, M>>)
inline constexpr bool has_signed_factor<Node<Operation, A, B, M>> =
    is_signed_factor<A> || is_signed_factor<B>;
template <class Steps, class Operation, class A, class B, class M>
constexpr auto split_factors(const Steps &before, const Node<Operation, A, B, M> &node) {
    const auto &m = item<2>(node.operands);
    const auto first = store_factor(before, item<0>(node.operands), m);
    const auto second = store_factor(first.steps, item<1>(node.operands), m);
    return Split{second.steps,
                 make_node(static_cast<const Operation &>(node), first.rest, second.rest, m)};
}

template <class Steps, class Operation, class... Operands>
constexpr auto split(const Steps &before, const Node<Operation, Operands...> &node) {
    const auto whole = split_operands(before, node);
    using Rest = std::remove_cvref_t<decltype(whole.rest)>;
    if constexpr (expression::is_two_products<Rest> && wants_lanes<Rest>) {
        // a b + c d modulo m over lanes, by two steps: a product, and a product that it is added to
        // or, for a difference, subtracted from.
        return split_off(whole.steps, expression::second_product(whole.rest),
                         [&](const auto &term) { return expression::with_term(whole.rest, term); });
    } else if constexpr (has_signed_factor<Rest>) {
        return split_factors(whole.steps, whole.rest);
    } else if constexpr (may_be_tensor_power<Rest> && has_wide_base<Rest>) {
        return split_off(whole.steps, expression::remainder_of_base(whole.rest),
                         [&](const auto &base) { return expression::with_base(whole.rest, base); });
    } else {
        return whole;
    }
}

// A value that a let() names, put in the place of its name.
template <class Name, class Value>
struct Substitute {
    Value value;

    template <class Leaf>
    constexpr Leaf operator()(const Leaf &leaf) const {
        return leaf;
    }
    template <class T>
    constexpr Value operator()(const expression::NamedLeaf<Name, T> &) const {
        return value;
    }
};
// The formula of a let(), and its steps, were its name a value in memory.
template <class Name, class Value, class Body>
using body_t = decltype(map_leaves(std::declval<const Body &>(),
                                   std::declval<const Substitute<Name, Value> &>()));
template <class Tree>
using steps_t = decltype(split(Tuple<>{}, std::declval<const Tree &>()).steps);

template <class Tree>
using stored_t = decltype(store(Tuple<>{}, std::declval<const Tree &>()).rest);

// Whether a let() becomes a step and the formula that reads it.
template <class Operation, class Value, class Body>
inline constexpr bool is_split_let =
    (is_storable<Value> || is_read<Value>) &&
    (InverseOf<Value>::exists || is_long_product<Value> ||
     (is_wide_product<Value> && !is_heavy<Body>) ||
     (is_long<Value> && is_long<Body> &&
      expression::cost<Node<Operation, Value, Body>>.bits > tuning::max_bits_of_chain) ||
     !std::is_same_v<steps_t<body_t<typename Operation::Name, stored_t<Value>, Body>>, Tuple<>>);

// What let() names is known element by element only. Where its formula is to be split, the value is
// stored, and read by all steps that name it.
template <class Steps, Naming Operation, class Bound, class Body>
constexpr auto split(const Steps &before, const Node<Operation, Bound, Body> &node) {
    const auto bound = split(before, item<0>(node.operands));
    using Value = std::remove_cvref_t<decltype(bound.rest)>;
    if constexpr (!is_split_let<Operation, Value, Body>) {
        return Split{bound.steps, make_node(Operation{}, bound.rest, item<1>(node.operands))};
    } else {
        const auto read = [&] {
            if constexpr (is_read<Value>) {
                return bound;
            } else {
                return store(bound.steps, bound.rest);
            }
        }();
        using Leaf = std::remove_cvref_t<decltype(read.rest)>;
        return split(read.steps, map_leaves(item<1>(node.operands),
                                            Substitute<typename Operation::Name, Leaf>{read.rest}));
    }
}

// ---- whole formulas

// Whether a tree reads the modulus of the formula's residues.
template <class Tree>
inline constexpr bool reads_modulus = false;
template <int Bits>
inline constexpr bool reads_modulus<FormulaModulus<Bits>> = true;
template <class Operation, class... Operands>
inline constexpr bool reads_modulus<Node<Operation, Operands...>> =
    expression::TakesModulus<Operation> || (reads_modulus<Operands> || ...);

// A step, beside the modulus if the formula has one and the step reads it.
template <class Tree>
constexpr const Tree &beside(const Tree &tree) {
    return tree;
}
template <class Tree, int Bits>
constexpr auto beside(const Tree &tree, const number::form_modulus_t<Bits> &modulus,
                      std::integral_constant<int, Bits>) {
    if constexpr (reads_modulus<Tree>) {
        return WithModulus<Bits, Tree>{modulus, tree};
    } else {
        return tree;
    }
}

// Whether numbers are gathered, which the threads of a reduction read each by itself.
template <class Tree>
inline constexpr bool gathers_numbers = false;
template <class Operation, class... Operands>
inline constexpr bool gathers_numbers<Node<Operation, Operands...>> =
    (expression::is_gather<Operation> &&
     AnyNumber<typename Node<Operation, Operands...>::value_type>) ||
    (gathers_numbers<Operands> || ...);

// Where a formula goes: to memory, which takes any value as it is computed, or into a reduction,
// which reads it in threads. kept_bits: of a sum, by a target that keeps its low bits; 0: all.
template <class... T>
struct Stored {
    static constexpr int kept_bits = 0;
    template <class Tree>
    static constexpr bool is_read_from_memory = false;
};
template <BigNumber T>
struct Stored<T> : Stored<> {
    static constexpr int kept_bits = T::bits;
};
template <bool counts>
struct Reduced {
    static constexpr int kept_bits = 0;
    // Whether the formula is a step before its reduction, because its own kernel is better than the
    // reduction's loop. What only streams is, where a block has no room to transpose its numbers; a
    // count reads those over lanes.
    template <class Tree>
    static constexpr bool is_read_from_memory = [] {
        if constexpr (!is_storable<Tree>) {
            return false;
        } else if constexpr (!is_heavy<Tree>) {
            return !counts && has_lane_operations<Tree> && wants_lanes<Tree> &&
                   (gathers_numbers<Tree> ||
                    expression::cost<Tree>.bits > tuning::max_bits_of_reduced_sums);
        } else {
            return (has_lane_operations<Tree> && wants_lanes<Tree>) || is_staged_alone<Tree> ||
                   expression::cost<Tree>.work >= WorkKind::cofactor;
        }
    }();
};

template <class To, class Tree>
constexpr auto finish(const Tree &split) {
    if constexpr (To::template is_read_from_memory<std::remove_cvref_t<decltype(split.rest)>>) {
        return store(split.steps, split.rest);
    } else {
        return split;
    }
}
template <class... Steps, std::size_t... i, class Rest, class... Modulus>
constexpr auto
program_from(const Split<ItemSequence<std::index_sequence<i...>, Steps...>, Rest> &all,
             const Modulus &...modulus) {
    using Result = Program<std::remove_cvref_t<decltype(beside(item<i>(all.steps), modulus...))>...,
                           std::remove_cvref_t<decltype(beside(all.rest, modulus...))>>;
    return Result{{{beside(item<i>(all.steps), modulus...)}..., {beside(all.rest, modulus...)}}};
}

template <class To, class Tree>
constexpr auto split_whole(const Tree &tree) {
    constexpr int kept = To::kept_bits;
    if constexpr (kept > 0 && expression::is_sum<Tree>) {
        return program_from(
            finish<To>(split(Tuple<>{}, expression::wrapped<kept, tuning::max_bits_of_two>(tree))));
    } else {
        return program_from(finish<To>(split(Tuple<>{}, tree)));
    }
}
template <class To, int Bits, class Tree>
constexpr auto split_whole(const WithModulus<Bits, Tree> &whole) {
    return program_from(finish<To>(split(Tuple<>{}, whole.tree)), whole.modulus,
                        std::integral_constant<int, Bits>{});
}

} // namespace program

// The program of a lowered formula that goes to To: program::Stored<T...> or
// program::Reduced<counts>.
template <class To, class Tree>
constexpr auto program_of(const Tree &tree) {
    using Split = decltype(program::split_whole<To>(tree));
    if constexpr (std::is_same_v<Split, Program<Tree>>) {
        return Split{{{tree}}}; // one step: a copy, which may hold a wide modulus, and no more
    } else {
        return program::split_whole<To>(tree);
    }
}
template <class To, class Tree>
using program_t = decltype(program_of<To>(std::declval<const Tree &>()));

} // namespace warpint::execution
