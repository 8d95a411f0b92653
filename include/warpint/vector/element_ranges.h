// SPDX-License-Identifier: Apache-2.0
// What the elements of a vector may be.
#pragma once

#include "../expression/residue.h"
#include "thrust_system.h"

#include <iterator>
#include <type_traits>
#include <vector>

namespace warpint {

// Elements that lie in memory as they are: numbers, built-in integers (bool included), and residues
// with the modulus in their type. Residues of a Modulus have vectors of their own.
template <class T>
concept BatchElement = (AnyNumber<T> || (AnyResidue<T> && !expression::is_shared_residue<T>)) &&
                       std::is_trivially_copyable_v<T> && !std::is_reference_v<T> &&
                       !std::is_const_v<T>;

namespace containers {

template <class T, Space space>
struct pointer_to {
    using type = T *;
};
#if WARPINT_CUDA
template <class T>
struct pointer_to<T, Space::device> {
    using type = thrust_system::pointer<T>;
};
#endif

// Another library's container of T, such as thrust::host_vector.
template <class Container, class T>
concept ForeignContainer = std::is_same_v<typename Container::value_type, T> && requires {
    typename Container::allocator_type;
} && requires(const Container &values) {
    { values.begin() } -> std::input_iterator;
    values.end();
};

// The type in which a std::vector holds an element in contiguous memory.
template <class T>
using stored_element = std::conditional_t<std::is_same_v<T, bool>, char, T>;

// The elements of a range that is read once.
template <class T, class Iterator>
std::vector<stored_element<T>> collect(Iterator first, Iterator last) {
    std::vector<stored_element<T>> values;
    for (; first != last; ++first)
        values.push_back(static_cast<T>(*first));
    return values;
}

} // namespace containers

} // namespace warpint
