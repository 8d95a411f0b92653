// SPDX-License-Identifier: Apache-2.0
// The value of a lowered formula for one element, on either side. A context loads elements
// (straight from memory, by a warp together, over lanes) and applies operations to the operands of
// its element; that of a warp calls functions of users only for elements that exist.
#pragma once

#include "../../expression/limb_major.h"

namespace warpint::execution {

using expression::BatchPointer;
using expression::ConstantLeaf;
using expression::FormulaModulus;
using expression::IndexLeaf;
using expression::is_constant;
using expression::is_shared_exponent;
using expression::is_shared_modulus;
using expression::item;
using expression::ItemSequence;
using expression::LimbRows;
using expression::make_node;
using expression::map_leaves;
using expression::name;
using expression::Naming;
using expression::Node;
using expression::SharedExponent;
using expression::SharedModulus;
using expression::Tuple;
using expression::value_bits;
using expression::WithModulus;
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
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE const T &evaluate(const ConstantLeaf<T> &leaf,
                                                               const Context &, bool &) {
    return leaf.value;
}
template <class T, class Context>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE T evaluate(const LimbRows<T> &rows,
                                                        const Context &context, bool &) {
    return rows.load(context.index);
}
template <class Context>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE std::uint64_t
evaluate(const IndexLeaf &leaf, const Context &context, bool &) {
    return leaf.first + context.index;
}

template <class Operation, class... Operands, class Context, std::size_t... i>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE auto
evaluate_node(std::index_sequence<i...>, const Node<Operation, Operands...> &node,
              const Context &context, bool &fault) {
    return context.apply(static_cast<const Operation &>(node), fault,
                         evaluate(item<i>(node.operands), context, fault)...);
}

template <class Operation, class... Operands, class Context>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE auto evaluate(const Node<Operation, Operands...> &node,
                                                           const Context &context, bool &fault) {
    if constexpr (sizeof...(Operands) == 1) {
        return context.apply(static_cast<const Operation &>(node), fault,
                             evaluate(item<0>(node.operands), context, fault));
    } else if constexpr (sizeof...(Operands) == 2) {
        return context.apply(static_cast<const Operation &>(node), fault,
                             evaluate(item<0>(node.operands), context, fault),
                             evaluate(item<1>(node.operands), context, fault));
    } else {
        return evaluate_node(std::index_sequence_for<Operands...>{}, node, context, fault);
    }
}

// ---- let(): the context knows the value that was named

template <class Context, class Tag_, class T>
struct ContextWithName : Context {
    using Tag = Tag_;
    using Outer = Context;
    const T *named;
};

// The value of the name Tag, from the innermost context outwards.
template <class Tag, class Context>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE const auto &named_value(const Context &context) {
    if constexpr (std::is_same_v<typename Context::Tag, Tag>) {
        return *context.named;
    } else {
        return named_value<Tag>(static_cast<const typename Context::Outer &>(context));
    }
}

template <class Tag, class T, class Context>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE const auto &
evaluate(const expression::NamedLeaf<Tag, T> &, const Context &context, bool &) {
    return named_value<Tag>(context);
}

template <Naming Operation, class Bound, class Body, class Context>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE auto evaluate(const Node<Operation, Bound, Body> &node,
                                                           const Context &context, bool &fault) {
    const auto &value = evaluate(item<0>(node.operands), context, fault);
    using T = std::remove_cvref_t<decltype(value)>;
    return evaluate(item<1>(node.operands),
                    ContextWithName<Context, typename Operation::Name, T>{context, &value}, fault);
}

// ---- residues: the context knows their modulus, which lies once beside the tree

template <class Context, int Bits>
struct ContextWithModulus : Context {
    const number::form_modulus_t<Bits> *beside;

    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE const auto &modulus() const { return *beside; }
};

template <int Bits, class Context>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE number::FormRing<Bits>
evaluate(const FormulaModulus<Bits> &, const Context &context, bool &) {
    return {context.modulus()};
}
template <expression::TakesModulus Operation, class Operand, class Context>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE auto evaluate(const Node<Operation, Operand> &node,
                                                           const Context &context, bool &fault) {
    return Operation::of(evaluate(item<0>(node.operands), context, fault), context.modulus());
}

template <int Bits, class Tree, class Context>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE auto evaluate(const WithModulus<Bits, Tree> &root,
                                                           const Context &context, bool &fault) {
    return evaluate(root.tree, ContextWithModulus<Context, Bits>{context, &root.modulus}, fault);
}

// ---- values for their targets

// Whether a formula is a product of numbers of which a target of type T keeps the low bits.
template <class Tree, class... T>
inline constexpr bool is_low_product = false;
template <class Operation, class A, class B, BigNumber T>
    requires(Operation::is_product && AnyNumber<typename A::value_type> &&
             AnyNumber<typename B::value_type>)
inline constexpr bool is_low_product<Node<Operation, A, B>, T> =
    value_bits<typename Node<Operation, A, B>::value_type> > T::bits;

// The value for targets of these types: of a low product no more than they keep.
template <class... T, class Tree, class Context>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE decltype(auto)
evaluate_for(const Tree &tree, const Context &context, bool &fault) {
    if constexpr (is_low_product<Tree, T...>) {
        const auto &a = evaluate(item<0>(tree.operands), context, fault);
        const auto &b = evaluate(item<1>(tree.operands), context, fault);
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
inline constexpr bool has_parts<ItemSequence<std::index_sequence<i...>, T...>> = true;

template <class Value>
inline constexpr std::size_t part_count = 1;
template <class Value>
    requires requires { std::tuple_size<Value>::value; }
inline constexpr std::size_t part_count<Value> = std::tuple_size<Value>::value;
template <std::size_t... i, class... T>
inline constexpr std::size_t part_count<ItemSequence<std::index_sequence<i...>, T...>> =
    sizeof...(T);

template <std::size_t i, std::size_t... all, class... T>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE const auto &
part(const ItemSequence<std::index_sequence<all...>, T...> &value) {
    return item<i>(value);
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
    LimbRows<T> data;
    std::uint32_t *faults; // null: a view has no room for them
};
template <class... T>
struct Target {
    static constexpr std::size_t count = sizeof...(T);
    Tuple<Place<T>...> places;
};
template <std::size_t i, class... T>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE const auto &place(const Target<T...> &target) {
    return item<i>(target.places);
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
