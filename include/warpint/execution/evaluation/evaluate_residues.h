// SPDX-License-Identifier: Apache-2.0
// Evaluating formulas of residues: the context knows their modulus, which lies once beside the
// tree.
#pragma once

#include "evaluate.h"

namespace warpint::execution {

template <class Context, int Bits>
struct ContextWithModulus : Context {
    const number::form_modulus_t<Bits> *beside;

    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE const auto &modulus() const { return *beside; }
};

template <int Bits, class Context>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE number::FormRing<Bits>
evaluate(const expression::FormulaModulus<Bits> &, const Context &context, bool &) {
    return {context.modulus()};
}
template <expression::TakesModulus Operation, class Operand, class Context>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE auto
evaluate(const expression::Node<Operation, Operand> &node, const Context &context, bool &fault) {
    return Operation::of(evaluate(expression::item<0>(node.operands), context, fault),
                         context.modulus());
}

template <int Bits, class Tree, class Context>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE auto
evaluate(const expression::WithModulus<Bits, Tree> &root, const Context &context, bool &fault) {
    return evaluate(root.tree, ContextWithModulus<Context, Bits>{context, &root.modulus}, fault);
}

} // namespace warpint::execution
