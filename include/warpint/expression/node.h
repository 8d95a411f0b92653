// SPDX-License-Identifier: Apache-2.0
// Descriptions of formulas over batches: trees of operations. What the user holds is described by
// these types; lower.h makes the tree that runs, which is trivially copyable, from it.
//
//   leaves      BatchLeaf (a vector, shared, or a view), ConstantLeaf (one value for all
//               elements), IndexLeaf (the element's own index); lowered: BatchPointer
//   inner nodes Node<Operation, Operands...>, any number of operands
//
// A node computes nothing. Operations (operation_traits.h) know their value's type, whether they
// can fault and what they cost; nothing here lists them.
#pragma once

#include "../limb/refused.h"
#include "batch.h"
#include "operation.h"

#include <concepts>
#include <utility>

namespace warpint {

// What indices() gives: first, first + 1 ... first + size - 1, that is 0, 1, 2 ..., or a slice of
// it. It stands here, because operators are looked up in the namespace of their operands.
struct Indices {
    using value_type = std::uint64_t;
    std::size_t size;
    std::uint64_t first = 0;
};

namespace expression {

// Several values side by side, of any types: the operands of a node, the results of an operation
// with more than one. An aggregate, trivially copyable if they are, usable in device code.
template <std::size_t position, class T>
struct Item {
    T value;
};
template <class Positions, class... T>
struct ItemSequence;
template <std::size_t... position, class... T>
struct ItemSequence<std::index_sequence<position...>, T...> : Item<position, T>... {};
template <class... T>
using Tuple = ItemSequence<std::index_sequence_for<T...>, T...>;

template <std::size_t position, class T>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE const T &item(const Item<position, T> &items) {
    return items.value;
}
template <std::size_t position, class T>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE T &item(Item<position, T> &items) {
    return items.value;
}

template <class... T>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE Tuple<T...> tuple_of(const T &...values) {
    return {{values}...};
}
template <std::size_t... i, class... T, class Last>
constexpr auto append(const ItemSequence<std::index_sequence<i...>, T...> &values,
                      const Last &last) {
    return tuple_of(item<i>(values)..., last);
}

// A batch: shared with its vector, or, for a view, fixed.
template <class T, Space space>
struct BatchLeaf;
#if WARPINT_HOSTED
template <class T, Space space_>
struct BatchLeaf {
    using value_type = T;
    using element_type = T;
    static constexpr Space space = space_;
    std::shared_ptr<const BatchState> shared; // null for a view
    BatchState fixed;                         // of a view

    explicit BatchLeaf(std::shared_ptr<const BatchState> of_vector)
        : shared{std::move(of_vector)} {}
    BatchLeaf(std::shared_ptr<const BatchState> of_vector, const BatchState &of_view)
        : shared{std::move(of_vector)}, fixed{of_view} {}

    [[nodiscard]] const BatchState &state() const { return shared ? *shared : fixed; }
};
#endif

// A batch in the tree that runs. faults is null if every element has a value.
template <class T>
struct BatchPointer {
    using value_type = T;
    using element_type = T;
    const T *data;
    const std::uint32_t *faults;
};

// One value for all elements: a number, a built-in integer, a Modulus, or what lowering made of
// one.
template <class T>
struct ConstantLeaf {
    using value_type = T;
    T value;
};

using IndexLeaf = Indices;

bool &any_fault(); // for unevaluated operands only

// The type of an operation's value for operands of these types.
template <class Operation, class... Values>
using result_of = std::remove_cvref_t<decltype(std::declval<const Operation &>().apply(
    any_fault(), std::declval<const Values &>()...))>;

// An operation and its operands. The operation is a base, so that a stateless one takes no room.
template <class Operation, class... Operands>
struct Node : Operation {
    using value_type = result_of<Operation, typename Operands::value_type...>;
    Tuple<Operands...> operands;

    constexpr Node(const Operation &operation, Tuple<Operands...> &&of)
        : Operation(operation), operands(std::move(of)) {}
    // With make(), in place. (Of an aggregate with an empty base g++ clears every byte first.)
    template <class Make>
    constexpr Node(std::in_place_t, const Operation &operation, const Make &make)
        : Operation(operation), operands(make()) {}

    // What a formula is not; these are here for their messages.
    template <BigNumber T>
    constexpr operator T() const {
        static_assert(sizeof(T) == 0, "a formula is a batch, not a number: eval(formula)[i] is one "
                                      "element, sum(formula) and the like one value");
        return T{};
    }
    template <limb::Advice instead = "a formula has no elements yet: eval(formula)[i]", class T>
    int operator[](const T &) const
        WARPINT_REFUSED("a formula has no elements yet: eval(formula)[i]");
    template <std::same_as<bool> T>
    constexpr explicit operator T() const {
        static_assert(sizeof(T) == 0, "a formula is a batch, not a condition: write all(a == b) or "
                                      "any(a == b), or select(a == b, x, y) for a == b ? x : y");
        return false;
    }
};

template <class Operation, class... Operands>
constexpr auto make_node(const Operation &operation, const Operands &...operands) {
    return Node<Operation, Operands...>{operation, {{operands}...}};
}

// f(operands...).
template <class Operation, class... Operands, class Function>
constexpr decltype(auto) with_operands(const Node<Operation, Operands...> &node,
                                       const Function &f) {
    return [&]<std::size_t... i>(std::index_sequence<i...>) -> decltype(auto) {
        return f(item<i>(node.operands)...);
    }(std::index_sequence_for<Operands...>{});
}

template <class T>
inline constexpr bool is_description = false;
template <class T, Space space>
inline constexpr bool is_description<BatchLeaf<T, space>> = true;
template <>
inline constexpr bool is_description<IndexLeaf> = true;
template <class Operation, class... Operands>
inline constexpr bool is_description<Node<Operation, Operands...>> = true;

// A formula as it is described, which may be one leaf.
template <class T>
concept Description = is_description<T>;

template <class T>
inline constexpr bool is_constant = false;
template <class T>
inline constexpr bool is_constant<ConstantLeaf<T>> = true;

// The tree with every leaf x replaced by f(x): slices, other places, lowered leaves.
template <class Leaf, class Function>
constexpr auto map_leaves(const Leaf &leaf, const Function &f) {
    return f(leaf);
}
template <class Operation, class... Operands, class Function>
constexpr auto map_leaves(const Node<Operation, Operands...> &node, const Function &f) {
    return [&]<std::size_t... i>(std::index_sequence<i...>) {
        using Mapped = Node<Operation, decltype(map_leaves(item<i>(node.operands), f))...>;
        return Mapped{static_cast<const Operation &>(node),
                      {{map_leaves(item<i>(node.operands), f)}...}};
    }(std::index_sequence_for<Operands...>{});
}

// Calls visit on every leaf.
template <class Leaf, class Visitor>
constexpr void for_each_leaf(const Leaf &leaf, const Visitor &visit) {
    visit(leaf);
}
template <class Operation, class... Operands, class Visitor>
constexpr void for_each_leaf(const Node<Operation, Operands...> &node, const Visitor &visit) {
    with_operands(node, [&](const auto &...operand) { (for_each_leaf(operand, visit), ...); });
}

} // namespace expression
} // namespace warpint

// auto [q, r] = formula; this is here for its message.
template <class Operation, class... Operands>
struct std::tuple_size<warpint::expression::Node<Operation, Operands...>> {
    static_assert(sizeof(Operation) == 0, "a formula has no results yet: write tie(q, r) = "
                                          "divmod(a, b), or auto [q, r] = eval(divmod(a, b))");
    static constexpr std::size_t value = 0;
};
