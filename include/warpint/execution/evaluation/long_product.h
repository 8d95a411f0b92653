// SPDX-License-Identifier: Apache-2.0
// Which products may run as transforms by blocks (kernels/long_products.h): of numbers in memory,
// of a width that pays on some GPU. Known from types, the same in every pass of a compiler.
#pragma once

#include "../../arith/transform/shape.h"
#include "../../expression/split.h"
#include "../plan/tuning/choose.h"

#include <tuple>

namespace warpint::execution {

template <class T>
inline constexpr int limbs_of_factor = 0;
template <BigNumber T>
inline constexpr int limbs_of_factor<T> = T::limb_count;

// A product of numbers A and B, a square of A alone: its limbs; 0 if it is too long for a
// transform.
template <class A, class B = A>
inline constexpr int limbs_of_long_product = [] {
    constexpr int a = limbs_of_factor<A>;
    constexpr int b = limbs_of_factor<B>;
    return a > 0 && b > 0 && transform::log_size_of(a + b) > 0 ? a + b : 0;
}();

// Whether a product of operands with these values is made by a transform, on some GPU, for a target
// that takes `bits` bits of it.
template <expression::ProductPart part, int bits, class A, class... B>
inline constexpr bool is_transformed = [] {
    if constexpr (part == expression::ProductPart::none) {
        return false; // with any operands
    } else {
        using Last = std::tuple_element_t<sizeof...(B), std::tuple<A, B...>>;
        constexpr int limbs = limbs_of_long_product<A, B...>;
        constexpr bool is_square = sizeof...(B) == 0;
        if constexpr (limbs == 0) {
            return false;
        } else if constexpr (part == expression::ProductPart::high && Last::bits % 32 != 0) {
            return false; // it would have to be shifted
        } else {
            return tuning::Known::may_be_transformed(limbs, is_square, bits < A::bits + Last::bits);
        }
    }
}();

// A node that is such a product, or a square, wherever its operands lie; constants do not lie in
// memory.
template <class Tree>
inline constexpr bool is_long_product = false;
template <class Operation, class A, class... B>
    requires(expression::product_part<Node<Operation, A, B...>> != expression::ProductPart::none)
inline constexpr bool is_long_product<Node<Operation, A, B...>> = [] {
    using Tree = Node<Operation, A, B...>;
    return !(is_constant<A> || ... || is_constant<B>) &&
           is_transformed<expression::product_part<Tree>, value_bits<typename Tree::value_type>,
                          typename A::value_type, typename B::value_type...>;
}();

} // namespace warpint::execution
