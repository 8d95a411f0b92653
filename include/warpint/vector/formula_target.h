// SPDX-License-Identifier: Apache-2.0
// Runs a formula into the elements of a vector or a view, and checks what a target accepts.
#pragma once

#include "shared_elements.h"

#include <span>
#include <type_traits>

namespace warpint::containers {

// Widening: every value of From is a value of To.
template <class To, class From>
inline constexpr bool widens = false;
template <AnyNumber To, AnyNumber From>
inline constexpr bool widens<To, From> =
    !std::is_same_v<To, From> &&
    (number::signed_of<To>
         ? number::bits_of<To> >= number::bits_of<From> + (number::signed_of<From> ? 0 : 1)
         : !number::signed_of<From> && number::bits_of<To> >= number::bits_of<From>);
template <AnyResidue To, AnyNumber From>
inline constexpr bool widens<To, From> = true;

// Checks what a target in `space` accepts; for a static_assert.
template <class Tree, Space space>
constexpr bool check_target_space() {
    static_assert(!(expression::cost<Tree>.on_device && expression::cost<Tree>.on_host),
                  "a formula cannot mix host_vector and device_vector: copy one of them");
    static_assert(
        (expression::cost<Tree>.on_device && expression::cost<Tree>.on_host) ||
            !(space == Space::host ? expression::cost<Tree>.on_device
                                   : expression::cost<Tree>.on_host),
        "a formula cannot be stored across host_vector and device_vector: copy the result");
    static_assert(!expression::cost<Tree>.on_shards,
                  "a formula of sharded vectors must be stored in a sharded vector");
    static_assert(!expression::cost<Tree>.on_ranks,
                  "a formula of distributed vectors must be stored in a distributed vector");
    return true;
}

// What a formula of what is stored writes into elements of type T.
template <class T>
struct written_as {
    using type = T;
};
template <AnyResidue T>
struct written_as<T> {
    using type = std::remove_cvref_t<decltype(expression::operation::FormOfResidue<T>::apply(
        expression::any_fault(), std::declval<const T &>()))>;
};
template <class T>
using Destination = execution::Destination<typename written_as<T>::type>;

// Runs a formula of what is stored into elements that are there: those of storages or of a view.
// One of indices alone runs at this place.
template <class Tree, class... Destinations>
void run_formula_at(const Tree &tree, stream_handle stream, Location location,
                    const Destinations &...to) {
    execution::Operand room[execution::leaf_count<Tree>];
    const std::span<const execution::Operand> operands{room, execution::list_operands(room, tree)};
    execution::assign(tree, operands, execution::extent_of(operands, location), stream, to...);
}

} // namespace warpint::containers
