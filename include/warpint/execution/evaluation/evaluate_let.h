// SPDX-License-Identifier: Apache-2.0
// Evaluating let(): the context knows the value that was named.
#pragma once

#include "evaluate.h"

namespace warpint::execution {

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

template <expression::Naming Operation, class Bound, class Body, class Context>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE auto
evaluate(const expression::Node<Operation, Bound, Body> &node, const Context &context,
         bool &fault) {
    const auto &value = evaluate(expression::item<0>(node.operands), context, fault);
    using T = std::remove_cvref_t<decltype(value)>;
    return evaluate(expression::item<1>(node.operands),
                    ContextWithName<Context, typename Operation::Name, T>{context, &value}, fault);
}

} // namespace warpint::execution
