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
    static_assert(
        !(space == Space::host ? expression::cost<Tree>.on_device : expression::cost<Tree>.on_host),
        "a formula cannot be stored across host_vector and device_vector: copy the result");
    static_assert(!expression::cost<Tree>.on_shards,
                  "a formula of sharded vectors must be stored in a sharded vector");
    static_assert(!expression::cost<Tree>.on_ranks,
                  "a formula of distributed vectors must be stored in a distributed vector");
    return true;
}

// Runs a formula into elements of type T. Residues of a constant modulus are stored as their forms.
// operands, extent: the tree's.
template <class T, class Tree, class... Place>
void assign_elements(const Tree &tree, std::span<const execution::Operand> operands,
                     const execution::Extent &extent, stream_handle stream, Place &&...place) {
    constexpr bool residues = AnyResidue<typename Tree::value_type>;
    static_assert(!residues || AnyResidue<T>,
                  "residues must be stored in a vector of residues; value(x) gives numbers");
    if constexpr (AnyResidue<T>) {
        using Form = typename T::Value;
        execution_backend::assign(
            expression::describe<expression::operation::FormOfResidue<T>>(tree), operands, extent,
            stream, execution_backend::Destination<Form>(place...));
    } else {
        execution_backend::assign(tree, operands, extent, stream,
                                  execution_backend::Destination<T>(place...));
    }
}

// Runs a formula into a vector's elements. The vector is resized first if it has another size.
template <class T, Space space, class Tree>
void run_formula(execution_backend::SharedElements &elements, const Tree &tree,
                 stream_handle stream) {
    static_assert(check_target_space<Tree, space>());
    execution::Operand room[execution::leaf_count<Tree>];
    const std::span<const execution::Operand> operands{room, execution::list_operands(room, tree)};
    execution_backend::SharedElements::Target target(elements, operands);
    assign_elements<T>(tree, operands, target.extent(), stream, target.storage());
    target.adopt();
}

// Runs a formula into elements at a place: those of a storage or of a view.
template <class T, class Tree, class... Place>
void run_formula_at(const Tree &tree, stream_handle stream, Location location, Place &&...place) {
    execution::Operand room[execution::leaf_count<Tree>];
    const std::span<const execution::Operand> operands{room, execution::list_operands(room, tree)};
    assign_elements<T>(tree, operands, execution::extent_of(operands, location), stream, place...);
}

// Runs a formula into a vector's elements, without resizing. A formula of another size:
// size_mismatch.
template <class T, Space space, class Tree>
void run_formula_in_place(execution_backend::SharedElements &elements, const Tree &tree,
                          stream_handle stream) {
    static_assert(check_target_space<Tree, space>());
    run_formula_at<T>(tree, stream, elements.handle()->location, *elements.handle());
}

} // namespace warpint::containers
