// Descriptions of formulas over batches: trees of operations whose leaves are vectors (captured as
// views) and numbers (captured by value). A node computes nothing, owns nothing and is trivially
// copyable, so that it can be passed to a kernel. How it is run is decided and done in the
// execution room.
#pragma once

#include "operation.h"

#include <cstddef>
#include <utility>

namespace warpint {

// Where a batch lies: in host memory, or on the GPU with this ordinal.
struct Location {
    int device = -1;
    [[nodiscard]] constexpr bool on_gpu() const { return device >= 0; }
    friend constexpr bool operator==(const Location &, const Location &) = default;
};

// Which container a batch belongs to; formulas do not mix them.
enum class Space { host, device };

namespace expression {

// Elements of a batch: `size` values of T at `data`.
template <class T, Space space_>
struct VectorLeaf {
    using value_type = T;
    static constexpr Space space = space_;
    const T *data;
    std::size_t size;
    Location location;
};

// One value for all elements: a number, a built-in integer or a Modulus.
template <class T>
struct ConstantLeaf {
    using value_type = T;
    T value;
};

bool &any_fault(); // for unevaluated operands only

// The type of an operation's value for operands of these types.
template <class Operation, class... Values>
struct operation_result {
    using type = std::remove_cvref_t<decltype(std::declval<const Operation &>().apply(
        any_fault(), std::declval<const Values &>()...))>;
};

// An operation and its operands. The operation is a base, so that a stateless one takes no room.
template <class Operation, class... Operands>
struct Node;

template <class Operation, class A>
struct Node<Operation, A> : Operation {
    using value_type = typename operation_result<Operation, typename A::value_type>::type;
    A a;
};
template <class Operation, class A, class B>
struct Node<Operation, A, B> : Operation {
    using value_type =
        typename operation_result<Operation, typename A::value_type, typename B::value_type>::type;
    A a;
    B b;
};
template <class Operation, class A, class B, class C>
struct Node<Operation, A, B, C> : Operation {
    using value_type =
        typename operation_result<Operation, typename A::value_type, typename B::value_type,
                                  typename C::value_type>::type;
    A a;
    B b;
    C c;
};

template <class T>
struct is_description : std::false_type {};
template <class T, Space space>
struct is_description<VectorLeaf<T, space>> : std::true_type {};
template <class Operation, class... Operands>
struct is_description<Node<Operation, Operands...>> : std::true_type {};

template <class T>
struct is_constant : std::false_type {};
template <class T>
struct is_constant<ConstantLeaf<T>> : std::true_type {};

// Calls visit on every vector leaf.
template <class T, Space space, class Visitor>
constexpr void for_each_vector(const VectorLeaf<T, space> &leaf, Visitor &&visit) {
    visit(leaf);
}
template <class T, class Visitor>
constexpr void for_each_vector(const ConstantLeaf<T> &, Visitor &&) {}
template <class Operation, class... Operands, class Visitor>
constexpr void for_each_vector(const Node<Operation, Operands...> &node, Visitor &&visit) {
    for_each_vector(node.a, visit);
    if constexpr (sizeof...(Operands) > 1)
        for_each_vector(node.b, visit);
    if constexpr (sizeof...(Operands) > 2)
        for_each_vector(node.c, visit);
}

// What is known of a tree from its type alone.
template <class Tree>
struct Summary;

template <class T>
inline constexpr int value_bits = 0;
template <AnyNumber T>
inline constexpr int value_bits<T> = number::bits_of<T>;
template <ModulusContext T>
inline constexpr int value_bits<T> = T::bits;

template <class Operation>
inline constexpr bool is_power = std::is_same_v<Operation, operation::PowerWrapping>;
template <bool SharedExponent>
inline constexpr bool is_power<operation::Power<SharedExponent>> = true;
// A modular power whose exponents differ from element to element.
template <class Operation>
inline constexpr bool has_private_exponents = std::is_same_v<Operation, operation::Power<false>>;
template <class Operation>
inline constexpr bool is_division =
    std::is_same_v<Operation, operation::Divide> || std::is_same_v<Operation, operation::Remainder>;

WARPINT_HOST_DEVICE constexpr int larger(int a, int b) {
    return a > b ? a : b;
}

template <class T, Space space_>
struct Summary<VectorLeaf<T, space_>> {
    static constexpr bool can_fault = false;
    static constexpr bool has_power = false;
    static constexpr bool has_private_power = false;
    static constexpr bool has_division = false;
    static constexpr bool has_product = false;
    static constexpr int widest_bits = value_bits<T>;
    static constexpr int widest_element_bytes = static_cast<int>(sizeof(T));
    static constexpr int bytes_read = static_cast<int>(sizeof(T));
    static constexpr bool on_host = space_ == Space::host;
    static constexpr bool on_device = space_ == Space::device;
};
template <class T>
struct Summary<ConstantLeaf<T>> {
    static constexpr bool can_fault = false;
    static constexpr bool has_power = false;
    static constexpr bool has_private_power = false;
    static constexpr bool has_division = false;
    static constexpr bool has_product = false;
    static constexpr int widest_bits = value_bits<T>;
    static constexpr int widest_element_bytes = 0;
    static constexpr int bytes_read = 0;
    static constexpr bool on_host = false;
    static constexpr bool on_device = false;
};
template <class Operation, class... Operands>
struct Summary<Node<Operation, Operands...>> {
    static constexpr bool can_fault =
        Operation::template can_fault<typename Operands::value_type...> ||
        (Summary<Operands>::can_fault || ...);
    static constexpr bool has_power = is_power<Operation> || (Summary<Operands>::has_power || ...);
    static constexpr bool has_private_power =
        has_private_exponents<Operation> || (Summary<Operands>::has_private_power || ...);
    static constexpr bool has_division =
        is_division<Operation> || (Summary<Operands>::has_division || ...);
    static constexpr bool has_product = std::is_same_v<Operation, operation::Multiply> ||
                                        std::is_same_v<Operation, operation::Square> ||
                                        (Summary<Operands>::has_product || ...);
    static constexpr int widest_bits = [] {
        int widest = value_bits<typename Node<Operation, Operands...>::value_type>;
        ((widest = larger(widest, Summary<Operands>::widest_bits)), ...);
        return widest;
    }();
    static constexpr int widest_element_bytes = [] {
        int widest = 0;
        ((widest = larger(widest, Summary<Operands>::widest_element_bytes)), ...);
        return widest;
    }();
    static constexpr int bytes_read = (Summary<Operands>::bytes_read + ...);
    static constexpr bool on_host = (Summary<Operands>::on_host || ...);
    static constexpr bool on_device = (Summary<Operands>::on_device || ...);
    static_assert(!(on_host && on_device),
                  "a formula cannot mix host_vector and device_vector: copy one of them");
};

} // namespace expression
} // namespace warpint
