// SPDX-License-Identifier: Apache-2.0
// From what the user wrote to the tree that runs. Lowering happens once per assignment, on the
// host:
//
//   - leaves give up their shares: what is left is trivially copyable and goes to a kernel;
//   - what all elements share is prepared once: a plain modulus becomes a Modulus, an exponent its
//     windows, a base with its modulus a comb;
//   - products, squares, sums and differences under a remainder become modular operations, which
//     never write a value of twice the width to memory;
//   - residues of a Modulus become their forms, which are numbers (residue.h).
//
// Values, their types and faults stay what the formula means (a modulus 0 for all: every element
// faults). Which rewriting applies is decided by types; lowered_t<Tree> is the result's type.
#pragma once

#include "functions.h"
#include "prepare.h"

namespace warpint::expression {

// ---- leaves

template <class T, Space space>
auto lower(const BatchLeaf<T, space> &leaf, const LoweringTarget &target) {
    const BatchState &state = leaf.state();
    const std::uint32_t *const faults = target.fault_words(state);
    if constexpr (AnyResidue<T>) { // a StaticResidue, which is its form in memory
        return residue_of_form<T>(BatchPointer<typename T::Value>{
            static_cast<const typename T::Value *>(target.elements(state)), faults});
    } else {
        return BatchPointer<T>{static_cast<const T *>(target.elements(state)), faults};
    }
}
template <class T>
ConstantLeaf<T> lower(const ConstantLeaf<T> &leaf, const LoweringTarget &) {
    return leaf;
}
inline IndexLeaf lower(const IndexLeaf &leaf, const LoweringTarget &) {
    return leaf;
}
template <class Tag, class T>
NamedLeaf<Tag, T> lower(const NamedLeaf<Tag, T> &leaf, const LoweringTarget &) {
    return leaf;
}
template <class T, Space space>
ConstantLeaf<GatherSource<T>> lower(const SourceLeaf<T, space> &leaf,
                                    const LoweringTarget &target) {
    const BatchState &state = leaf.state();
    return {
        {static_cast<const T *>(target.elements(state)), target.fault_words(state), state.size}};
}

// ---- nodes

template <class Operation, class... Operands>
auto lower(const Node<Operation, Operands...> &node, const LoweringTarget &target);

template <class Operand>
auto lower_as_modulus(const Operand &operand, const LoweringTarget &target) {
    if constexpr (is_constant_modulus<Operand> || is_modulus_context<Operand>) {
        return lower_modulus(operand);
    } else {
        return lower(operand, target);
    }
}

enum class Role { value, modulus, exponent };

// An operand by its role in an operation whose last operand is of type Last. A Modulus stays as it
// is where an operation does not divide by it, unless it is what a number would be prepared as:
// then formulas with either have the same kernels.
template <Role role, bool divides, class Last, class Operand>
auto lower_operand(const Operand &operand, const LoweringTarget &target) {
    if constexpr (role == Role::modulus &&
                  (divides || !is_modulus_context<Operand> || is_prepared_modulus<Operand>)) {
        return lower_as_modulus(operand, target);
    } else if constexpr (role == Role::exponent && is_constant_exponent<Operand>) {
        return lower_exponent<value_bits<typename Last::value_type>>(operand, target);
    } else {
        return lower(operand, target);
    }
}
template <class Operation, class... Operands, std::size_t... i>
auto lower_operands(std::index_sequence<i...>, const Node<Operation, Operands...> &node,
                    const LoweringTarget &target) {
    using Last = operation::last_t<Operands...>;
    constexpr auto role = [](std::size_t k) {
        return Operation::modulus_is_last && k + 1 == sizeof...(Operands) ? Role::modulus
               : static_cast<int>(k) == Operation::exponent               ? Role::exponent
                                                                          : Role::value;
    };
    constexpr bool divides =
        Operation::work == WorkKind::division || Operation::work == WorkKind::fold;
    using Lowered =
        Node<Operation,
             decltype(lower_operand<role(i), divides, Last>(item<i>(node.operands), target))...>;
    return Lowered{static_cast<const Operation &>(node),
                   {{lower_operand<role(i), divides, Last>(item<i>(node.operands), target)}...}};
}

// What a remainder is taken of: a product, a square, a sum or a difference have modular operations
// of their own.
enum class Dividend { other, product, square, sum, difference };
template <class Operand>
inline constexpr Dividend dividend = Dividend::other;
template <class... Operands>
inline constexpr Dividend dividend<Node<operation::Multiply, Operands...>> = Dividend::product;
template <class... Operands>
inline constexpr Dividend dividend<Node<operation::Square, Operands...>> = Dividend::square;
template <class... Operands>
inline constexpr Dividend dividend<Node<operation::Add, Operands...>> = Dividend::sum;
template <class... Operands>
inline constexpr Dividend dividend<Node<operation::Subtract, Operands...>> = Dividend::difference;

// Whether there is a product in a sum of products and values.
template <class Operand>
inline constexpr bool has_product =
    dividend<Operand> == Dividend::product || dividend<Operand> == Dividend::square;
template <class A, class B>
inline constexpr bool has_product<Node<operation::Add, A, B>> = has_product<A> || has_product<B>;
template <class A, class B>
inline constexpr bool has_product<Node<operation::Subtract, A, B>> =
    has_product<A> || has_product<B>;

// A product, or the square of what is read and not computed, which is a product of two such.
template <class Operand>
inline constexpr bool is_two_factors = dividend<Operand> == Dividend::product;
template <class T, Space space>
inline constexpr bool is_two_factors<Node<operation::Square, BatchLeaf<T, space>>> = true;

// A sum or difference with a product, which has an operation of its own: product and product, or
// product and value in that order (in any for a sum).
template <class Tree>
inline constexpr bool is_product_sum = false;
template <class A, class B>
inline constexpr bool is_product_sum<Node<operation::Add, A, B>> =
    is_two_factors<A> || is_two_factors<B>;
template <class A, class B>
inline constexpr bool is_product_sum<Node<operation::Subtract, A, B>> = is_two_factors<A>;

// joins_two: whether a second product is a part of the operation. part(x): an operand, lowered.
template <bool joins_two, class Tree, class M, class Part>
auto product_sum_modulo(const Tree &tree, const M &m, const Part &part) {
    using Operation =
        std::conditional_t<dividend<Tree> == Dividend::sum, operation::MultiplyAddModulo,
                           operation::MultiplySubtractModulo>;
    const auto &left = item<0>(tree.operands);
    const auto &right = item<1>(tree.operands);
    const auto first = [&](const auto &product) { return part(item<0>(product.operands)); };
    const auto second = [&]<class Product>(const Product &product) {
        constexpr std::size_t factor = dividend<Product> == Dividend::square ? 0 : 1;
        return part(item<factor>(product.operands));
    };
    if constexpr (!is_two_factors<std::remove_cvref_t<decltype(left)>>) {
        return make_node(Operation{}, first(right), second(right), part(left), m);
    } else if constexpr (joins_two && is_two_factors<std::remove_cvref_t<decltype(right)>>) {
        return make_node(Operation{}, first(left), second(left), first(right), second(right), m);
    } else {
        return make_node(Operation{}, first(left), second(left), part(right), m);
    }
}

// The same without a product in the value.
template <class Tree>
inline constexpr bool is_short_product_sum = false;
template <class Operation, class A, class B>
inline constexpr bool is_short_product_sum<Node<Operation, A, B>> =
    is_product_sum<Node<Operation, A, B>> && (is_two_factors<A> || !has_product<A>) &&
    (is_two_factors<B> || !has_product<B>);

// x mod m for a lowered m that all elements share: products, and sums of one or two, are reduced
// one by one; longer sums are sums modulo m of such parts.
template <class Tree, class M>
auto remainder_of(const Tree &tree, const M &m, const LoweringTarget &target) {
    constexpr Dividend kind = dividend<Tree>;
    if constexpr (kind == Dividend::product) {
        return make_node(operation::MultiplyModulo{}, lower(item<0>(tree.operands), target),
                         lower(item<1>(tree.operands), target), m);
    } else if constexpr (kind == Dividend::square) {
        return make_node(operation::SquareModulo{}, lower(item<0>(tree.operands), target), m);
    } else if constexpr (is_short_product_sum<Tree>) {
        return product_sum_modulo<true>(
            tree, m, [&](const auto &operand) { return lower(operand, target); });
    } else if constexpr (kind == Dividend::sum || kind == Dividend::difference) {
        using Operation = std::conditional_t<kind == Dividend::sum, operation::AddModulo,
                                             operation::SubtractModulo>;
        const auto part = [&](const auto &operand) {
            if constexpr (has_product<std::remove_cvref_t<decltype(operand)>>) {
                return remainder_of(operand, m, target);
            } else {
                return lower(operand, target);
            }
        };
        return make_node(Operation{}, part(item<0>(tree.operands)), part(item<1>(tree.operands)),
                         m);
    } else {
        return make_node(operation::Remainder{}, lower(tree, target), m);
    }
}

template <class Operand>
inline constexpr bool has_unsigned_value = false;
template <class Operand>
    requires AnyNumber<typename Operand::value_type>
inline constexpr bool has_unsigned_value<Operand> =
    !number::signed_of<typename Operand::value_type>;

// The residue type among operands; void without one.
template <class... Operands>
struct residue_among {
    using type = void;
};
template <class First, class... Rest>
struct residue_among<First, Rest...>
    : std::conditional_t<AnyResidue<typename First::value_type>,
                         std::type_identity<typename First::value_type>, residue_among<Rest...>> {};

// An operand of an operation on StaticResidues of type R: a number for all elements becomes a
// residue for all elements.
template <class R, class Operand>
auto lower_beside_residue(const Operand &operand, const LoweringTarget &target) {
    return lower(operand, target);
}
template <class R, AnyNumber T>
auto lower_beside_residue(const ConstantLeaf<T> &leaf, const LoweringTarget &) {
    return ConstantLeaf<R>{R(leaf.value)};
}

// The operation on StaticResidues, lowered. A quotient by a residue is a product by its inverse:
// inverses are found, and computed together.
template <class Operation, class... Operands>
auto combine_residues(const Operation &operation, const Operands &...operands) {
    return make_node(operation, operands...);
}
template <class A, class B>
    requires AnyResidue<typename B::value_type>
auto combine_residues(const operation::Divide &, const A &a, const B &b) {
    return make_node(operation::Multiply{}, a, make_node(operation::Inverse{}, b));
}

// ---- residues of a Modulus become their forms

// Whether the values of a tree are residues of a Modulus.
template <class Tree>
inline constexpr bool has_forms = is_shared_residue<typename Tree::value_type>;

// The operation modulo a ring with the meaning of one on residues; void where there is none.
template <class Operation>
struct operation_modulo : std::type_identity<void> {};
#define WARPINT_IN_RING(Name, Modulo)                                                              \
    template <>                                                                                    \
    struct operation_modulo<operation::Name> : std::type_identity<operation::Modulo> {};
WARPINT_IN_RING(Add, AddModulo)
WARPINT_IN_RING(Subtract, SubtractModulo)
WARPINT_IN_RING(Multiply, MultiplyModulo)
WARPINT_IN_RING(Square, SquareModulo)
WARPINT_IN_RING(Inverse, Inverse)
#undef WARPINT_IN_RING
template <class Operation>
inline constexpr bool is_stored_form = false;
template <class R>
inline constexpr bool is_stored_form<operation::FormOfResidue<R>> = true;
template <class Operation>
inline constexpr bool compares =
    std::is_same_v<Operation, operation::Equal> || std::is_same_v<Operation, operation::NotEqual>;

template <class Tag, int Bits>
NamedLeaf<Tag, number::form_t<Bits>> lower_form(const NamedLeaf<Tag, Residue<Bits>> &,
                                                const LoweringTarget &) {
    return {};
}
template <class Operation, class... Operands>
auto lower_form(const Node<Operation, Operands...> &node, const LoweringTarget &target);

// The form of an operand: a residue, or a number, for all elements one form.
template <int Bits, class Operand>
auto lower_as_form(const Operand &operand, const LoweringTarget &target) {
    if constexpr (has_forms<Operand>) {
        return lower_form(operand, target);
    } else if constexpr (is_constant<Operand>) {
        const auto &modulus = *static_cast<const Modulus<Bits> *>(target.modulus);
        return ConstantLeaf<number::form_t<Bits>>{modulus(operand.value).form()};
    } else {
        return make_node(operation::FormOfNumber{}, lower(operand, target), FormulaModulus<Bits>{});
    }
}
// What let() names.
template <class Operand>
auto lower_named(const Operand &operand, const LoweringTarget &target) {
    if constexpr (has_forms<Operand>) {
        return lower_form(operand, target);
    } else {
        return lower(operand, target);
    }
}

// The form of a residue that is computed.
template <class Operation, class... Operands>
auto lower_form(const Node<Operation, Operands...> &node, const LoweringTarget &target) {
    using Tree = Node<Operation, Operands...>;
    using R = typename Tree::value_type;
    constexpr int bits = R::bits;
    constexpr FormulaModulus<bits> m;
    constexpr bool is_operation = !std::is_void_v<typename operation_modulo<Operation>::type>;
    // Of residues: a product of numbers is reduced as a whole.
    constexpr bool has_product_of_numbers =
        ((is_two_factors<Operands> && !has_forms<Operands>) || ...);
    const auto form = [&](const auto &operand) { return lower_as_form<bits>(operand, target); };
    const auto &first = item<0>(node.operands);
    if constexpr (std::is_same_v<Operation, operation::StoredResidue<bits>>) {
        return lower(first, target);
    } else if constexpr (std::is_same_v<Operation, operation::ReducedNumber<bits>>) {
        return form(first);
    } else if constexpr (Naming<Operation>) {
        return make_node(static_cast<const Operation &>(node), lower_named(first, target),
                         lower_form(item<1>(node.operands), target));
    } else if constexpr (std::is_same_v<Operation, operation::Select>) {
        return make_node(operation::Select{}, lower(first, target), form(item<1>(node.operands)),
                         form(item<2>(node.operands)));
    } else if constexpr (std::is_same_v<Operation, operation::Divide>) {
        // Inverses are found, and computed together.
        return make_node(operation::MultiplyModulo{}, form(first),
                         make_node(operation::Inverse{}, form(item<1>(node.operands)), m), m);
    } else if constexpr (std::is_same_v<Operation, operation::Negate>) {
        return make_node(operation::SubtractModulo{}, ConstantLeaf<number::form_t<bits>>{},
                         form(first), m);
    } else if constexpr (std::is_same_v<Operation, operation::PowerWrapping>) {
        return make_node(operation::Power{}, form(first),
                         lower_operand<Role::exponent, false, ConstantLeaf<Modulus<bits>>>(
                             item<1>(node.operands), target),
                         m);
    } else if constexpr (is_product_sum<Tree> && !has_product_of_numbers) {
        return product_sum_modulo<false>(node, m, form);
    } else if constexpr (is_operation) {
        return with_operands(node, [&](const auto &...operand) {
            return make_node(typename operation_modulo<Operation>::type{}, form(operand)..., m);
        });
    } else { // a user's function
        return make_node(operation::FormOfResidue<R>{},
                         lower_operands(std::index_sequence_for<Operands...>{}, node, target));
    }
}

template <class Tag, int Bits>
auto lower(const NamedLeaf<Tag, Residue<Bits>> &leaf, const LoweringTarget &target) {
    return residue_of_form<Residue<Bits>>(lower_form(leaf, target));
}
template <class Operation, class... Operands>
auto lower(const Node<Operation, Operands...> &node, const LoweringTarget &target) {
    using First = std::remove_cvref_t<decltype(item<0>(node.operands))>;
    if constexpr (has_forms<Node<Operation, Operands...>>) {
        using R = typename Node<Operation, Operands...>::value_type;
        return residue_of_form<R>(lower_form(node, target));
    } else if constexpr (Naming<Operation>) {
        return make_node(static_cast<const Operation &>(node),
                         lower_named(item<0>(node.operands), target),
                         lower(item<1>(node.operands), target));
    } else if constexpr (is_stored_form<Operation> && has_forms<First>) {
        return lower_form(item<0>(node.operands), target);
    } else if constexpr (std::is_same_v<Operation, operation::ValueOfResidue> && has_forms<First>) {
        return make_node(operation::ValueOfForm{}, lower_form(item<0>(node.operands), target),
                         FormulaModulus<First::value_type::bits>{});
    } else if constexpr (compares<Operation> && (has_forms<Operands> || ...)) {
        constexpr int bits = residue_among<Operands...>::type::bits;
        return with_operands(node, [&](const auto &...operand) {
            return make_node(Operation{}, lower_as_form<bits>(operand, target)...);
        });
    } else if constexpr (Operation::in_ring && (AnyResidue<typename Operands::value_type> || ...)) {
        using R = typename residue_among<Operands...>::type;
        return with_operands(node, [&](const auto &...operand) {
            return combine_residues(static_cast<const Operation &>(node),
                                    lower_beside_residue<R>(operand, target)...);
        });
    } else if constexpr (std::is_same_v<Operation, operation::Remainder>) {
        const auto &x = item<0>(node.operands);
        const auto &m = item<1>(node.operands);
        using X = std::remove_cvref_t<decltype(x)>;
        using M = std::remove_cvref_t<decltype(m)>;
        if constexpr (is_constant_modulus<M> || is_modulus_context<M>) {
            return remainder_of(x, lower_as_modulus(m, target), target);
        } else if constexpr (has_unsigned_value<M> && (dividend<X> == Dividend::product ||
                                                       dividend<X> == Dividend::square)) {
            return remainder_of(x, lower(m, target), target);
        } else if constexpr (has_unsigned_value<M> && is_product_sum<X>) {
            return product_sum_modulo<true>(
                x, lower(m, target), [&](const auto &operand) { return lower(operand, target); });
        } else {
            return lower_operands(std::index_sequence_for<Operands...>{}, node, target);
        }
    } else if constexpr (is_power_of_base<Node<Operation, Operands...>>) {
        const auto &e = item<1>(node.operands);
        return make_node(operation::PowerOfBase{},
                         lower_base<std::remove_cvref_t<decltype(e)>>(
                             item<0>(node.operands), item<2>(node.operands), target),
                         lower(e, target));
    } else {
        return lower_operands(std::index_sequence_for<Operands...>{}, node, target);
    }
}

// A whole formula. With residues, their Modulus lies beside the tree, once. Throws wrong_modulus if
// they have different ones, or none.
template <class Tree>
auto lower_formula(const Tree &tree, const LoweringTarget &target) {
    constexpr int bits = residue_bits<Tree>;
    if constexpr (bits > 0) {
        const auto &modulus = common_modulus<bits>(tree);
        if (modulus == nullptr)
            throw wrong_modulus("warpint: a formula of residues without a modulus");
        LoweringTarget with_modulus = target;
        with_modulus.modulus = modulus.get();
        return WithModulus<bits, decltype(lower(tree, target))>{modulus_of_forms(*modulus, target),
                                                                lower(tree, with_modulus)};
    } else {
        return lower(tree, target);
    }
}

template <class Tree>
using lowered_t = decltype(lower_formula(std::declval<const Tree &>(), LoweringTarget{}));

// Whether a constant of a lowered tree leaves every element without a value: a modulus 0, a
// negative exponent.
template <class Leaf>
inline constexpr bool has_checked_constant = false;
template <class T>
inline constexpr bool has_checked_constant<ConstantLeaf<T>> =
    requires(const T &shared) { shared.exists; };
template <class Operation, class... Operands>
inline constexpr bool has_checked_constant<Node<Operation, Operands...>> =
    (has_checked_constant<Operands> || ...);
template <int Bits, class Tree>
inline constexpr bool has_checked_constant<WithModulus<Bits, Tree>> = has_checked_constant<Tree>;

template <class Leaf>
constexpr bool constants_fault(const Leaf &leaf) {
    if constexpr (has_checked_constant<Leaf>) {
        return !leaf.value.exists;
    } else {
        return false;
    }
}
template <class Operation, class... Operands>
constexpr bool constants_fault(const Node<Operation, Operands...> &node) {
    return with_operands(node,
                         [](const auto &...operand) { return (constants_fault(operand) || ...); });
}
template <int Bits, class Tree>
constexpr bool constants_fault(const WithModulus<Bits, Tree> &whole) {
    return constants_fault(whole.tree);
}

} // namespace warpint::expression
