// SPDX-License-Identifier: Apache-2.0
// Evaluating a choice whose other operand may have no value: each operand has a mark of its own.
#pragma once

#include "../../expression/floor.h"
#include "evaluate.h"

namespace warpint::execution {

template <expression::Forgiving Operation, class C, class A, class B, class Context>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE auto
evaluate(const expression::Node<Operation, C, A, B> &node, const Context &context, bool &fault) {
    bool without_condition = false;
    bool without_first = false;
    bool without_second = false;
    const auto &condition =
        evaluate(expression::item<0>(node.operands), context, without_condition);
    const auto &first = evaluate(expression::item<1>(node.operands), context, without_first);
    const auto &second = evaluate(expression::item<2>(node.operands), context, without_second);
    const bool takes_first = static_cast<bool>(condition);
    fault = fault || without_condition || (takes_first ? without_first : without_second);
    return Operation::apply(fault, takes_first, first, second);
}

} // namespace warpint::execution
