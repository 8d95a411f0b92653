// The value of a formula for one element, on either side. The context says how leaves are loaded:
// straight from memory, or by a warp together.
#pragma once

#include "../expression/node.h"

namespace warpint::execution {

using expression::ConstantLeaf;
using expression::Node;
using expression::VectorLeaf;

// Loads each element from memory by itself.
struct DirectContext {
    std::size_t index;

    template <class T>
    WARPINT_HOST_DEVICE constexpr T load(const T *data) const {
        return data[index];
    }
};

template <class T, Space space, class Context>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE T evaluate(const VectorLeaf<T, space> &leaf,
                                                        const Context &context, bool &) {
    return context.load(leaf.data);
}

template <class T, class Context>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE const T &evaluate(const ConstantLeaf<T> &leaf,
                                                               const Context &, bool &) {
    return leaf.value;
}

template <class Operation, class A, class Context>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE auto evaluate(const Node<Operation, A> &node,
                                                           const Context &context, bool &fault) {
    const auto &a = evaluate(node.a, context, fault);
    return node.apply(fault, a);
}

template <class Operation, class A, class B, class Context>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE auto evaluate(const Node<Operation, A, B> &node,
                                                           const Context &context, bool &fault) {
    const auto &a = evaluate(node.a, context, fault);
    const auto &b = evaluate(node.b, context, fault);
    return node.apply(fault, a, b);
}

template <class Operation, class A, class B, class C, class Context>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE auto evaluate(const Node<Operation, A, B, C> &node,
                                                           const Context &context, bool &fault) {
    const auto &a = evaluate(node.a, context, fault);
    const auto &b = evaluate(node.b, context, fault);
    const auto &c = evaluate(node.c, context, fault);
    return node.apply(fault, a, b, c);
}

// Storing keeps the low bits of the target; a bool target takes whether the value is not zero.
template <class T, class Value>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE T stored(const Value &value) {
    if constexpr (std::is_same_v<T, Value>) {
        return value;
    } else if constexpr (AnyNumber<Value> && BigNumber<T>) {
        return number::to<T>(number::as_number(value));
    } else {
        return static_cast<T>(value);
    }
}

} // namespace warpint::execution
