// SPDX-License-Identifier: Apache-2.0
// What the elements of a vector may be.
#pragma once

#include "device_iterator.h"
#include "element.h"
#include "element_traits.h"
#include "formula_target.h"

#include <iterator>
#include <string_view>
#include <type_traits>
#include <vector>

namespace warpint {

// Elements that lie in memory as they are: numbers, built-in integers (bool included), and residues
// with the modulus in their type.
template <class T>
concept BatchElement =
    (AnyNumber<T> || (AnyResidue<T> && !expression::is_shared_residue<T>)) &&
    std::is_trivially_copyable_v<T> && !std::is_reference_v<T> && !std::is_const_v<T>;

namespace containers {

// How a vector gives its elements: numbers where they lie; residues, of which memory holds forms,
// by value, or by a reference object to write.
template <class T, Space space>
struct element_access {
#if WARPINT_CUDA
    template <class U>
    using to = std::conditional_t<space == Space::host, U *, device_memory::pointer<U>>;
#else
    template <class U>
    using to = U *;
#endif
    using pointer = to<T>;
    using const_pointer = to<const T>;
    using iterator = pointer;
    using const_iterator = const_pointer;
    using reference = std::conditional_t<space == Space::host, T &, element_reference<T, space>>;
    using const_reference = std::conditional_t<space == Space::host, const T &, const T>;

    template <class Iterator>
    static Iterator at(const batch_vector<T, space> &, T *elements, std::size_t i) {
        return Iterator(elements + i);
    }
};
template <int Bits, Space space>
struct element_access<Residue<Bits>, space> {
    using pointer = void;
    using const_pointer = void;
    using iterator = residue_iterator<batch_vector<Residue<Bits>, space>>;
    using const_iterator = residue_iterator<const batch_vector<Residue<Bits>, space>>;
    using reference = residue_reference<Bits, space>;
    using const_reference = const residue_element<Bits>;

    template <class Iterator, class Vector>
    static Iterator at(Vector &vector, const void *, std::size_t i) {
        return Iterator(vector, i);
    }
};

// A number of another type than T that T can hold, or, of a BigInt, any built-in integer.
template <class Value, class T>
concept IntoElement = AnyNumber<Value> && !std::is_same_v<Value, T> &&
                      (widens<T, Value> || (BigNumber<T> && BuiltinInteger<Value>));

// Another library's container of T, such as thrust::host_vector.
template <class Container, class T>
concept ForeignContainer = std::is_same_v<typename Container::value_type, T> && requires {
    typename Container::allocator_type;
} && requires(const Container &values) {
    { values.begin() } -> std::input_iterator;
    values.end();
};

// A range of other numbers that become elements T implicitly: built-in integers, narrower numbers.
template <class Range, class T>
concept RangeOfNumbers =
    AnyNumber<T> && !expression::Batch<Range> &&
    !std::is_convertible_v<const Range &, std::string_view> && requires(const Range &values) {
        { std::begin(values) } -> std::input_iterator;
        std::end(values);
        requires IntoElement<std::iter_value_t<decltype(std::begin(values))>, T>;
    };

// A residue of T's width, or an element of a vector of them.
template <class Value, class T>
concept IsResidueOf = expression::is_shared_residue<T> &&
                      (std::is_same_v<Value, T> || element_bits<Value> == T::bits);

// What stands for numbers where a vector is made: a number, a batch, a container or an iterator.
template <class T>
concept SourceOfNumbers =
    AnyNumber<T> ||
    (expression::Batch<T> && AnyNumber<typename expression::captured_t<const T &>::value_type>) ||
    AnyNumber<typename T::value_type> || AnyNumber<std::iter_value_t<T>>;

// The elements of a range that is read once.
template <class T, class Iterator>
memory_vector<T> collect(Iterator first, Iterator last) {
    memory_vector<T> values;
    for (; first != last; ++first)
        values.push_back(static_cast<T>(*first));
    return values;
}

// Containers that own their elements and are targets of formulas.
template <class T>
inline constexpr bool is_container = false;
template <class T, Space space>
inline constexpr bool is_container<batch_vector<T, space>> = true;

} // namespace containers

#define WARPINT_VECTOR_ASSIGNMENT(symbol, operation)                                               \
    template <class Vector, class Operand>                                                         \
        requires(containers::is_container<Vector> && expression::Captured<const Operand &>)        \
    Vector &operator symbol(Vector &a, const Operand &b) {                                         \
        return a = a operation b;                                                                  \
    }
// The same as a = a op b.
WARPINT_VECTOR_ASSIGNMENT(+=, +)
WARPINT_VECTOR_ASSIGNMENT(-=, -)
WARPINT_VECTOR_ASSIGNMENT(*=, *)
WARPINT_VECTOR_ASSIGNMENT(/=, /)
WARPINT_VECTOR_ASSIGNMENT(%=, %)
WARPINT_VECTOR_ASSIGNMENT(&=, &)
WARPINT_VECTOR_ASSIGNMENT(|=, |)
WARPINT_VECTOR_ASSIGNMENT(^=, ^)
WARPINT_VECTOR_ASSIGNMENT(<<=, <<)
WARPINT_VECTOR_ASSIGNMENT(>>=, >>)
#undef WARPINT_VECTOR_ASSIGNMENT

} // namespace warpint
