// SPDX-License-Identifier: Apache-2.0
// The text of an exception goes with the element when it is gathered (memory/thrown.h). On the CPU,
// where functions that throw have run.
#pragma once

#include "../expression/gather.h"
#include "evaluation/evaluate_let.h"
#include "evaluation/evaluate_residues.h"
#include "memory/operands.h"
#include "memory/views.h"

#include <span>

namespace warpint {
inline namespace WARPINT_BACKEND {
namespace execution_backend {

// What a function threw for an element of a batch, which operand this is; the element's index is
// that in the batch. Null: nothing, or for none of these elements.
WARPINT_COLD inline expression::ThrownText thrown_of(const execution::Operand &operand,
                                                     std::size_t size) {
    if (operand.state == nullptr || !operand.state->may_have_faults())
        return nullptr;
    const expression::MemoryMarks &marks = *operand.state->marks;
    if (marks.thrown == nullptr)
        return nullptr;
    const std::size_t i =
        marks.thrown->index - first_mark(marks, operand.state->data, operand.element_bytes);
    return i < size ? expression::thrown_at(marks.thrown, i) : nullptr;
}

namespace detail {

// Whether a lowered formula has a value outside of what encloses it.
template <class Tree>
inline constexpr bool is_closed = true;
template <class Tag, class T>
inline constexpr bool is_closed<expression::NamedLeaf<Tag, T>> = false;
template <class Operation, class... Operands>
inline constexpr bool is_closed<expression::Node<Operation, Operands...>> =
    (is_closed<Operands> && ...);

// The first of `count` elements whose index is `wanted`; count: none.
template <class Gather, class Source, class Index>
WARPINT_COLD std::size_t first_gathered(const Source &source, const Index &index,
                                        std::size_t wanted, std::size_t count) {
    std::size_t i = 0;
    for (; i < count; ++i) {
        bool fault = false;
        try {
            const auto at = number::as_number(evaluate(index, execution::DirectContext{i}, fault));
            if (!fault && Gather::has(source, at) && Gather::position(at) == wanted)
                break;
        } catch (...) { // of a user's function: this element has another text
        }
    }
    return i;
}

template <class Leaf>
void find_gathered(expression::ThrownText &, const Leaf &, std::span<const execution::Operand>,
                   std::size_t) {}
template <int Bits, class Tree>
void find_gathered(expression::ThrownText &first, const expression::WithModulus<Bits, Tree> &whole,
                   std::span<const execution::Operand> operands, std::size_t count);
template <class Operation, class... Operands>
void find_gathered(expression::ThrownText &first,
                   const expression::Node<Operation, Operands...> &node,
                   std::span<const execution::Operand> operands, std::size_t count) {
    [&]<std::size_t... i>(std::index_sequence<i...>) {
        (find_gathered(first, expression::item<i>(node.operands), operands, count), ...);
    }(std::index_sequence_for<Operands...>{});
    if constexpr (expression::is_gather<Operation>) {
        const auto &source = expression::item<0>(node.operands).value;
        const auto &index = expression::item<1>(node.operands);
        if constexpr (is_closed<std::remove_cvref_t<decltype(index)>> &&
                      requires { source.data; }) {
            for (const execution::Operand &operand : operands) {
                if (!operand.any_element || operand.state == nullptr ||
                    operand.state->data != source.data)
                    continue;
                const expression::ThrownText its = thrown_of(operand, source.size);
                if (its == nullptr)
                    continue;
                const std::size_t i = first_gathered<Operation>(source, index, its->index, count);
                if (i < count)
                    first = expression::first_thrown(first, expression::thrown_at(its, i));
            }
        }
    }
}
template <int Bits, class Tree>
void find_gathered(expression::ThrownText &first, const expression::WithModulus<Bits, Tree> &whole,
                   std::span<const execution::Operand> operands, std::size_t count) {
    find_gathered(first, whole.tree, operands, count);
}

} // namespace detail

// Of the elements that a lowered formula gathers, what a function threw for the first; null:
// nothing. Before the formula runs, whose target may be the index. An index inside of let() is not
// looked at.
template <class Lowered>
expression::ThrownText gathered_text(const Lowered &lowered,
                                     std::span<const execution::Operand> operands,
                                     std::size_t count) {
    expression::ThrownText first;
    detail::find_gathered(first, lowered, operands, count);
    return first;
}

} // namespace execution_backend
} // namespace WARPINT_BACKEND
} // namespace warpint
