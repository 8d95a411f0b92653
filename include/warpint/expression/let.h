// let(a, f): the formula f(x), in which x stands for the value of a, computed once.
#pragma once

#include "node.h"

namespace warpint::expression {

// What stands for the value. Tag tells it from those of other let()s.
template <class Tag, class T>
struct NamedLeaf {
    using value_type = T;
};
template <class Tag, class T>
struct is_description<NamedLeaf<Tag, T>> : std::true_type {};

namespace operation {

// Operands: the value that is named, the formula that names it. Evaluated by evaluate()
// (execution/evaluate_let.h).
template <class Tag>
struct Let : Streaming {
    template <class A, class B>
    WARPINT_HOST_DEVICE static B apply(bool &, const A &, const B &);
};

} // namespace operation
} // namespace warpint::expression
