// SPDX-License-Identifier: Apache-2.0
// Formulas over lanes: which formulas may run with several lanes of a warp for each number, and how
// an element is loaded and evaluated. The same on a host, where the lanes run in lock step: tests
// do that.
//
// All numbers of a warp go through a formula together, so nothing branches on a number's value:
// where an element has no value the fault is noted and any result computed.
#pragma once

#include "../../expression/functions.h"
#include "../../number/warp_int/forms.h"
#include "../../warp_int.h"
#include "cost.h"
#include "evaluate.h"

namespace warpint::execution {

// The number over lanes with the values of a plain type.
template <int Lanes, class Plain>
using lane_number_t =
    warp_int::Number<number::traits<number::big_t<Plain>>::bits, Lanes, Together::warp,
                     number::traits<number::big_t<Plain>>::is_signed>;

// ---- which formulas

// Whether every operation has a form over lanes.
template <class Tree>
inline constexpr bool has_lane_operations =
    AnyNumber<typename Tree::value_type> ||
    expression::is_lane_modulus<typename Tree::value_type> ||
    is_shared_exponent<typename Tree::value_type> ||
    expression::is_shared_tabled_base<typename Tree::value_type>;
template <class T>
inline constexpr bool has_lane_operations<BatchPointer<T>> = AnyNumber<T>;
template <class T>
inline constexpr bool has_lane_operations<LimbRows<T>> = false;
template <int Bits, class Tree>
inline constexpr bool has_lane_operations<WithModulus<Bits, Tree>> = has_lane_operations<Tree>;
template <class Operation, class... Operands>
inline constexpr bool has_lane_operations<Node<Operation, Operands...>> =
    (has_lane_operations<Operands> && ...) &&
    Operation::template over_lanes<typename Operands::value_type...>;

// A gathered number lies over lanes as one that is read in order does. Its index is the same in all
// lanes of a number.
template <class Operation, class T, class Index>
inline constexpr bool
    has_lane_operations<Node<Operation, ConstantLeaf<expression::GatherSource<T>>, Index>> =
        expression::is_gather<Operation> && AnyNumber<T> &&
        !BigNumber<typename Index::value_type> && has_lane_operations<Index>;

// A value that is a number over lanes.
template <class T>
inline constexpr bool is_number_or_bool = AnyNumber<T>;
template <std::size_t... i, class... T>
inline constexpr bool is_number_or_bool<ItemSequence<std::index_sequence<i...>, T...>> =
    (AnyNumber<T> && ...);

// A lowered formula that may run with several lanes of a warp for each number.
template <class Tree>
inline constexpr bool has_lane_form =
    has_lane_operations<Tree> && is_number_or_bool<typename Tree::value_type>;

// The cost on a GPU, where lanes may share a number.
template <class Tree, class... T>
inline constexpr Cost gpu_cost = [] {
    Cost r = cost_of<Tree, T...>;
    r.over_lanes = has_lane_form<Tree>;
    return r;
}();

// Loads each element over L lanes. All lanes of a warp evaluate together; those of elements beyond
// the end evaluate the last one.
template <int L>
struct LanesContext {
    static constexpr int lanes = L;
    std::size_t index;

    template <class T>
    WARPINT_HOST_DEVICE WARPINT_INLINE auto load(const BatchPointer<T> &elements,
                                                 bool &fault) const {
        if (elements.faults != nullptr)
            fault = fault || fault_bit(elements.faults, index);
        if constexpr (BigNumber<T>) {
            return lane_number_t<L, T>(elements.data + index);
        } else {
            return elements.data[index];
        }
    }
    template <class Operation, class... Values>
    WARPINT_HOST_DEVICE WARPINT_INLINE auto apply(const Operation &operation, bool &fault,
                                                  const Values &...values) const {
        return operation.apply(fault, values...);
    }
};

// A wide number that all elements share: every lane reads its own limbs.
template <class T, class Context>
    requires(Context::lanes > 0)
WARPINT_HOST_DEVICE WARPINT_INLINE decltype(auto) evaluate(const ConstantLeaf<T> &leaf,
                                                           const Context &, bool &) {
    constexpr int bits = value_bits<T>;
    if constexpr (BigNumber<T> && bits > 64 * Context::lanes) {
        using R = lane_number_t<Context::lanes, T>;
        return R(R::group::as_memory(&leaf.value));
    } else {
        return static_cast<const T &>(leaf.value);
    }
}

template <class Operation, class T, class Index, class Context>
    requires(Context::lanes > 0 && expression::is_gather<Operation>)
WARPINT_HOST_DEVICE WARPINT_INLINE auto
evaluate(const Node<Operation, ConstantLeaf<expression::GatherSource<T>>, Index> &node,
         const Context &context, bool &fault) {
    const expression::GatherSource<T> &source = item<0>(node.operands).value;
    const auto index = number::as_number(evaluate(item<1>(node.operands), context, fault));
    const bool exists = Operation::has(source, index);
    fault = fault || !exists;
    const std::size_t at = exists ? Operation::position(index) : 0;
    if constexpr (BigNumber<T>) {
        if (source.size == 0)
            return lane_number_t<Context::lanes, T>(0);
        if (source.faults != nullptr)
            fault = fault || fault_bit(source.faults, at);
        return lane_number_t<Context::lanes, T>(source.data + at);
    } else {
        return exists ? source.load(at, fault) : T{};
    }
}

// ---- the value modulo the width of its target

// The value of a formula that is a number, as R over lanes: its low bits if R is narrower. What
// wraps is computed from operands modulo that width: sums and bitwise operations, which as exact
// values would be a bit wider than their operands and so lie differently over the lanes.
template <class R, class Tree, class Context>
WARPINT_HOST_DEVICE WARPINT_INLINE R evaluate_modulo(const Tree &tree, const Context &context,
                                                     bool &fault) {
    return warp_int::to<R>(evaluate(tree, context, fault));
}
template <class R, class Operation, class A, class B, class Context>
    requires requires(const R &x) { Operation::wrapped(x, x); }
WARPINT_HOST_DEVICE WARPINT_INLINE R evaluate_modulo(const Node<Operation, A, B> &node,
                                                     const Context &context, bool &fault) {
    const R a = evaluate_modulo<R>(item<0>(node.operands), context, fault);
    const R b = evaluate_modulo<R>(item<1>(node.operands), context, fault);
    return Operation::wrapped(a, b);
}
// Of a product the rows that the target keeps, of factors modulo its width.
template <class R, class Tree, class Context>
WARPINT_HOST_DEVICE WARPINT_INLINE auto evaluate_factor(const Tree &tree, const Context &context,
                                                        bool &fault) {
    if constexpr (value_bits<typename Tree::value_type> >= R::bits) {
        return evaluate_modulo<R>(tree, context, fault);
    } else {
        return evaluate(tree, context, fault);
    }
}
template <class R, class Operation, class A, class B, class Context>
    requires is_low_product<Node<Operation, A, B>, number::scalar_t<R>>
WARPINT_HOST_DEVICE WARPINT_INLINE R evaluate_modulo(const Node<Operation, A, B> &node,
                                                     const Context &context, bool &fault) {
    const auto a = evaluate_factor<R>(item<0>(node.operands), context, fault);
    const auto b = evaluate_factor<R>(item<1>(node.operands), context, fault);
    return Operation::template low<R>(a, b);
}

} // namespace warpint::execution
