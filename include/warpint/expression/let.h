// SPDX-License-Identifier: Apache-2.0
// let(a, f): the formula f(x), in which x stands for the value of a, computed once.
#pragma once

#include "node.h"

namespace warpint::expression {

// What stands for the value. Tag tells it from those of other let()s: while the formula is
// described the type of f, then the Level, because kernels cannot have lambdas in their types.
template <class Tag, class T>
struct NamedLeaf {
    using value_type = T;
};
template <class Tag, class T>
inline constexpr bool is_description<NamedLeaf<Tag, T>> = true;
template <int level>
struct Level {};

namespace operation {

// Operands: the value that is named, the formula that names it. Evaluated by evaluate()
// (execution/evaluation/evaluate.h). level: how many let()s are inside one another in that
// formula.
template <int level>
struct Let : Streaming {
    using Name = Level<level>;
    template <class A, class>
    static constexpr bool over_lanes = AnyNumber<A>;
    template <class A, class B>
    WARPINT_HOST_DEVICE static B apply(bool &, const A &, const B &);
};

} // namespace operation

// An operation that names its first operand in its second.
template <class Operation>
concept Naming = requires { typename Operation::Name; };

// How many let()s are inside one another in a tree.
template <class Tree>
inline constexpr int let_levels = 0;
template <class Operation, class... Operands>
inline constexpr int let_levels<Node<Operation, Operands...>> = greatest(let_levels<Operands>...);
template <int level, class... Operands>
inline constexpr int let_levels<Node<operation::Let<level>, Operands...>> =
    greatest(level + 1, let_levels<Operands>...);

// The formula with the names of one let() at their level.
template <class Tag, int level, class Tree>
constexpr auto with_level(const Tree &tree) {
    return map_leaves(tree, []<class Leaf>(const Leaf &leaf) {
        if constexpr (std::is_same_v<Leaf, NamedLeaf<Tag, typename Leaf::value_type>>) {
            return NamedLeaf<Level<level>, typename Leaf::value_type>{};
        } else {
            return leaf;
        }
    });
}

} // namespace warpint::expression
