// SPDX-License-Identifier: Apache-2.0
// What the operations of a lowered formula say to its splitting into steps
// (execution/plan/program.h): which nodes only read, and which are better written as two.
#pragma once

#include "functions.h"

namespace warpint::expression {

// An operation that makes a residue of its form, or a form of a residue: no work, other types.
template <class Operation>
inline constexpr bool makes_form = false;
template <class R>
inline constexpr bool makes_form<operation::FormOfResidue<R>> = true;
template <class Operation>
inline constexpr bool reads_form = false;
template <class R>
inline constexpr bool reads_form<operation::StaticResidueOfForm<R>> = true;

// The form of a StaticResidue, as memory holds it.
template <class Tree>
constexpr auto form_of(const Tree &residue) {
    return make_node(operation::FormOfResidue<typename Tree::value_type>{}, residue);
}

// a b + c d or a b - c d modulo m.
template <class Tree>
inline constexpr bool is_two_products = false;
template <class A, class B, class C, class D, class M>
inline constexpr bool is_two_products<Node<operation::MultiplyAddModulo, A, B, C, D, M>> = true;
template <class A, class B, class C, class D, class M>
inline constexpr bool is_two_products<Node<operation::MultiplySubtractModulo, A, B, C, D, M>> =
    true;
// c d modulo m, and what is left with that as a term.
template <class Operation, class A, class B, class C, class D, class M>
constexpr auto second_product(const Node<Operation, A, B, C, D, M> &sum) {
    return make_node(operation::MultiplyModulo{}, item<2>(sum.operands), item<3>(sum.operands),
                     item<4>(sum.operands));
}
template <class Operation, class A, class B, class C, class D, class M, class Term>
constexpr auto with_term(const Node<Operation, A, B, C, D, M> &sum, const Term &term) {
    return make_node(static_cast<const Operation &>(sum), item<0>(sum.operands),
                     item<1>(sum.operands), term, item<4>(sum.operands));
}

// A difference of unsigned numbers, whose value has a sign; and the difference modulo m, which has
// none.
template <class Factor>
inline constexpr bool is_difference = false;
template <class A, class B>
    requires(AnyNumber<typename A::value_type> && AnyNumber<typename B::value_type>)
inline constexpr bool is_difference<Node<operation::Subtract, A, B>> =
    !number::signed_of<typename A::value_type> && !number::signed_of<typename B::value_type>;
template <class Difference, class M>
constexpr auto difference_modulo(const Difference &difference, const M &m) {
    return make_node(operation::SubtractModulo{}, item<0>(difference.operands),
                     item<1>(difference.operands), m);
}
// a modulo m, and pow(a, e, m) with that in the place of a.
template <class Operation, class A, class E, class M>
constexpr auto remainder_of_base(const Node<Operation, A, E, M> &power) {
    return make_node(operation::Remainder{}, item<0>(power.operands), item<2>(power.operands));
}
template <class Operation, class A, class E, class M, class Base>
constexpr auto with_base(const Node<Operation, A, E, M> &power, const Base &base) {
    return make_node(static_cast<const Operation &>(power), base, item<1>(power.operands),
                     item<2>(power.operands));
}
// A product modulo m of two factors.
template <class Tree>
inline constexpr bool is_product_modulo = false;
template <class A, class B, class M>
inline constexpr bool is_product_modulo<Node<operation::MultiplyModulo, A, B, M>> = true;
// What of the product of its operands, or of the square of one, a node is.
enum class ProductPart { none, whole, low, high };
template <class Tree>
inline constexpr ProductPart product_part = ProductPart::none;
template <class A, class B>
inline constexpr ProductPart product_part<Node<operation::Multiply, A, B>> = ProductPart::whole;
template <class A>
inline constexpr ProductPart product_part<Node<operation::Square, A>> = ProductPart::whole;
template <class A, class B>
inline constexpr ProductPart product_part<Node<operation::LowProduct, A, B>> = ProductPart::low;
template <class A, class B>
inline constexpr ProductPart product_part<Node<operation::HighProduct, A, B>> = ProductPart::high;

// Sums and differences of which `kept` bits are kept, with low products in the place of products
// that are wider. The same tree where there are none, and where products have at most least_bits.
template <int kept, int least_bits, class Tree>
inline constexpr bool is_wrapped_product = false;
template <int kept, int least_bits, class A, class B>
    requires(AnyNumber<typename A::value_type> && AnyNumber<typename B::value_type>)
inline constexpr bool is_wrapped_product<kept, least_bits, Node<operation::Multiply, A, B>> = [] {
    using Whole = Node<operation::Multiply, A, B>;
    if constexpr (value_bits<typename Whole::value_type> > kept && cost<Whole>.bits > least_bits) {
        using Low = Node<operation::LowProduct, A, B>;
        return value_bits<typename Low::value_type> >= kept;
    }
    return false;
}();
template <class Tree>
inline constexpr bool is_sum = false;
template <class A, class B>
inline constexpr bool is_sum<Node<operation::Add, A, B>> =
    AnyNumber<typename Node<operation::Add, A, B>::value_type>;
template <class A, class B>
inline constexpr bool is_sum<Node<operation::Subtract, A, B>> =
    AnyNumber<typename Node<operation::Subtract, A, B>::value_type>;
template <int kept, int least_bits, class Tree>
inline constexpr bool has_wrapped_product = is_wrapped_product<kept, least_bits, Tree>;
template <int kept, int least_bits, class Operation, class A, class B>
    requires is_sum<Node<Operation, A, B>>
inline constexpr bool has_wrapped_product<kept, least_bits, Node<Operation, A, B>> =
    has_wrapped_product<kept, least_bits, A> || has_wrapped_product<kept, least_bits, B>;

template <int kept, int least_bits, class Tree>
constexpr auto wrapped(const Tree &tree) {
    if constexpr (is_wrapped_product<kept, least_bits, Tree>) {
        return make_node(operation::LowProduct{}, item<0>(tree.operands), item<1>(tree.operands));
    } else if constexpr (has_wrapped_product<kept, least_bits, Tree>) {
        const auto a = wrapped<kept, least_bits>(item<0>(tree.operands));
        const auto b = wrapped<kept, least_bits>(item<1>(tree.operands));
        return [&]<class Operation, class... Operands>(const Node<Operation, Operands...> &node) {
            return make_node(static_cast<const Operation &>(node), a, b);
        }(tree);
    } else {
        return tree;
    }
}

} // namespace warpint::expression
