// SPDX-License-Identifier: Apache-2.0
// The value of a lowered formula for one element, on either side. A context says how elements are
// loaded (straight from memory, by a warp together) and how operations are applied: most contexts
// apply an operation to the operands of their element; a context may do better where threads or
// lanes compute an operation together.
#pragma once

#include "../../expression/limb_major.h"

namespace warpint::execution {

using expression::BatchPointer;
using expression::name;
using expression::WorkKind;

// True if the fault bit of this element is set.
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE bool fault_bit(const std::uint32_t *faults,
                                                            std::size_t index) {
    return (faults[index / 32] >> (index % 32) & 1u) != 0;
}

// Loads each element from memory by itself.
struct DirectContext {
    std::size_t index;

    template <class T>
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE T load(const BatchPointer<T> &elements,
                                                        bool &fault) const {
        if (elements.faults != nullptr)
            fault = fault || fault_bit(elements.faults, index);
        return elements.data[index];
    }
    template <class Operation, class... Values>
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE auto apply(const Operation &operation, bool &fault,
                                                            const Values &...values) const {
        return operation.apply(fault, values...);
    }
};

template <class T, class Context>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE decltype(auto)
evaluate(const BatchPointer<T> &leaf, const Context &context, bool &fault) {
    return context.load(leaf, fault);
}
template <class T, class Context>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE const T &
evaluate(const expression::ConstantLeaf<T> &leaf, const Context &, bool &) {
    return leaf.value;
}
template <class T, class Context>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE T evaluate(const expression::LimbRows<T> &rows,
                                                        const Context &context, bool &) {
    return rows.load(context.index);
}
template <class Context>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE std::uint64_t
evaluate(const expression::IndexLeaf &leaf, const Context &context, bool &) {
    return leaf.first + context.index;
}

template <class Operation, class... Operands, class Context>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE auto
evaluate(const expression::Node<Operation, Operands...> &node, const Context &context, bool &fault);

namespace detail {

template <class Operation, class... Operands, class Context, std::size_t... i>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE auto
evaluate_node(std::index_sequence<i...>, const expression::Node<Operation, Operands...> &node,
              const Context &context, bool &fault) {
    return context.apply(static_cast<const Operation &>(node), fault,
                         evaluate(expression::item<i>(node.operands), context, fault)...);
}

} // namespace detail

template <class Operation, class... Operands, class Context>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE auto
evaluate(const expression::Node<Operation, Operands...> &node, const Context &context,
         bool &fault) {
    if constexpr (sizeof...(Operands) == 1) {
        return context.apply(static_cast<const Operation &>(node), fault,
                             evaluate(expression::item<0>(node.operands), context, fault));
    } else if constexpr (sizeof...(Operands) == 2) {
        return context.apply(static_cast<const Operation &>(node), fault,
                             evaluate(expression::item<0>(node.operands), context, fault),
                             evaluate(expression::item<1>(node.operands), context, fault));
    } else {
        return detail::evaluate_node(std::index_sequence_for<Operands...>{}, node, context, fault);
    }
}

// Whether a formula is a product of numbers of which a target of type T keeps the low bits.
template <class Tree, class... T>
inline constexpr bool is_low_product = false;
template <class Operation, class A, class B, BigNumber T>
    requires(Operation::is_product && AnyNumber<typename A::value_type> &&
             AnyNumber<typename B::value_type>)
inline constexpr bool is_low_product<expression::Node<Operation, A, B>, T> =
    expression::value_bits<typename expression::Node<Operation, A, B>::value_type> > T::bits;

// The value for targets of these types: of a low product no more than they keep.
template <class... T, class Tree, class Context>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE decltype(auto)
evaluate_for(const Tree &tree, const Context &context, bool &fault) {
    if constexpr (is_low_product<Tree, T...>) {
        const auto &a = evaluate(expression::item<0>(tree.operands), context, fault);
        const auto &b = evaluate(expression::item<1>(tree.operands), context, fault);
        return Tree::template low<T...>(a, b);
    } else {
        return evaluate(tree, context, fault);
    }
}

// Storing keeps the low bits of the target; a bool target takes whether the value is not zero. A
// value of the target's own type is not copied.
template <class T, class Value>
WARPINT_HOST_DEVICE constexpr
    WARPINT_INLINE std::conditional_t<std::is_same_v<T, Value>, const T &, T>
    stored(const Value &value) {
    if constexpr (std::is_same_v<T, Value>) {
        return value;
    } else if constexpr (AnyNumber<Value> && BigNumber<T>) {
        return number::to<T>(number::as_number(value));
    } else {
        return static_cast<T>(value);
    }
}

// ---- several results

// How many results a value has, and result i of it. Tuples of every kind count: what a user's
// function returns.
template <class Value>
inline constexpr bool has_parts = requires { std::tuple_size<Value>::value; };
template <std::size_t... i, class... T>
inline constexpr bool has_parts<expression::ItemSequence<std::index_sequence<i...>, T...>> = true;

template <class Value>
inline constexpr std::size_t part_count = 1;
template <class Value>
    requires requires { std::tuple_size<Value>::value; }
inline constexpr std::size_t part_count<Value> = std::tuple_size<Value>::value;
template <std::size_t... i, class... T>
inline constexpr std::size_t part_count<expression::ItemSequence<std::index_sequence<i...>, T...>> =
    sizeof...(T);

template <std::size_t i, std::size_t... all, class... T>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE const auto &
part(const expression::ItemSequence<std::index_sequence<all...>, T...> &value) {
    return expression::item<i>(value);
}
template <std::size_t i, class Value>
    requires requires { std::tuple_size<Value>::value; }
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE const auto &part(const Value &value) {
    return get<i>(value); // of the tuple's own namespace
}

// Where results go: one place each. faults is one set of bits for all places of an element, and
// null if nobody asks or no element can be without a value.
template <class T>
struct Place {
    T *data;
    std::uint32_t *faults;
};
template <class T>
struct Place<expression::InLimbRows<T>> {
    expression::LimbRows<T> data;
    std::uint32_t *faults; // null: a view has no room for them
};
template <class... T>
struct Target {
    static constexpr std::size_t count = sizeof...(T);
    expression::Tuple<Place<T>...> places;
};
template <std::size_t i, class... T>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE const auto &place(const Target<T...> &target) {
    return expression::item<i>(target.places);
}

// Stores a word of fault bits, those of elements 32 word .. 32 word + 31, where somebody asks.
template <class... T>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void
set_fault_word(const Target<T...> &target, std::size_t word, std::uint32_t mask) {
    [&]<std::size_t... i>(std::index_sequence<i...>) {
        ((place<i>(target).faults != nullptr ? void(place<i>(target).faults[word] = mask) : void()),
         ...);
    }(std::index_sequence_for<T...>{});
}

// What is stored at place i: the whole value where there is one place.
template <std::size_t i, std::size_t count, class Value>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE const auto &result(const Value &value) {
    if constexpr (count == 1 && !has_parts<Value>) {
        return value;
    } else {
        return part<i>(value);
    }
}

} // namespace warpint::execution
