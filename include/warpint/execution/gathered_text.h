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

// The first of `count` elements whose index is `wanted`; count: none. at(i, f) calls f with the
// context of element i where the index stands.
template <class Gather, class Source, class Index, class At>
WARPINT_COLD std::size_t first_gathered(const Source &source, const Index &index, const At &at,
                                        std::size_t wanted, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        bool is_it = false;
        try {
            at(i, [&](const auto &context) {
                bool fault = false;
                const auto position = number::as_number(evaluate(index, context, fault));
                is_it =
                    !fault && Gather::has(source, position) && Gather::position(position) == wanted;
            });
        } catch (...) { // of a user's function: this element has another text
        }
        if (is_it)
            return i;
    }
    return count;
}

// Calls f(piece, before) for each piece of memory of a source, behind so many elements.
template <class T, class Function>
void for_each_piece(const expression::GatherSource<T> &source, const Function &f) {
    f(source, 0);
}
template <class T, class Function>
void for_each_piece(const expression::ShardedSource<T> &source, const Function &f) {
    std::size_t before = 0;
    for (std::size_t k = 0; k < source.count; ++k) {
        f(source.shards[k], before);
        before += source.shards[k].size;
    }
}

using Operands = std::span<const execution::Operand>;
template <class Leaf, class At>
void find_gathered(expression::ThrownText &, const Leaf &, const At &, Operands, std::size_t) {}
template <int Bits, class Tree, class At>
void find_gathered(expression::ThrownText &first, const expression::WithModulus<Bits, Tree> &whole,
                   const At &at, Operands operands, std::size_t count);
template <expression::Naming Operation, class Bound, class Body, class At>
void find_gathered(expression::ThrownText &first,
                   const expression::Node<Operation, Bound, Body> &node, const At &at,
                   Operands operands, std::size_t count);
template <class Operation, class... Each, class At>
void find_gathered(expression::ThrownText &first, const expression::Node<Operation, Each...> &node,
                   const At &at, Operands operands, std::size_t count) {
    [&]<std::size_t... i>(std::index_sequence<i...>) {
        (find_gathered(first, expression::item<i>(node.operands), at, operands, count), ...);
    }(std::index_sequence_for<Each...>{});
    if constexpr (expression::is_gather<Operation>) {
        const auto &source = expression::item<0>(node.operands).value;
        const auto &index = expression::item<1>(node.operands);
        for_each_piece(source, [&](const auto &piece, std::size_t before) {
            for (const execution::Operand &operand : operands) {
                if (!operand.any_element || operand.state == nullptr ||
                    operand.state->data != piece.data)
                    continue;
                const expression::ThrownText its = thrown_of(operand, piece.size);
                if (its == nullptr)
                    continue;
                const std::size_t i =
                    first_gathered<Operation>(source, index, at, before + its->index, count);
                if (i < count)
                    first = expression::first_thrown(first, expression::thrown_at(its, i));
            }
        });
    }
}
template <int Bits, class Tree, class At>
void find_gathered(expression::ThrownText &first, const expression::WithModulus<Bits, Tree> &whole,
                   const At &at, Operands operands, std::size_t count) {
    const auto beside = [&](std::size_t i, const auto &f) {
        at(i, [&](const auto &context) {
            using Context = std::remove_cvref_t<decltype(context)>;
            f(execution::ContextWithModulus<Context, Bits>{context, &whole.modulus});
        });
    };
    find_gathered(first, whole.tree, beside, operands, count);
}
template <expression::Naming Operation, class Bound, class Body, class At>
void find_gathered(expression::ThrownText &first,
                   const expression::Node<Operation, Bound, Body> &node, const At &at,
                   Operands operands, std::size_t count) {
    const auto &bound = expression::item<0>(node.operands);
    const auto inside = [&](std::size_t i, const auto &f) {
        at(i, [&](const auto &context) {
            using Context = std::remove_cvref_t<decltype(context)>;
            bool fault = false;
            const auto &value = evaluate(bound, context, fault);
            using T = std::remove_cvref_t<decltype(value)>;
            if (!fault) {
                f(execution::ContextWithName<Context, typename Operation::Name, T>{context,
                                                                                   &value});
            }
        });
    };
    find_gathered(first, bound, at, operands, count);
    find_gathered(first, expression::item<1>(node.operands), inside, operands, count);
}

} // namespace detail

// Of the elements that a lowered formula gathers, what a function threw for the first; null:
// nothing. Before the formula runs, whose target may be the index.
template <class Lowered>
expression::ThrownText gathered_text(const Lowered &lowered,
                                     std::span<const execution::Operand> operands,
                                     std::size_t count) {
    expression::ThrownText first;
    const auto at = [](std::size_t i, const auto &f) { f(execution::DirectContext{i}); };
    detail::find_gathered(first, lowered, at, operands, count);
    return first;
}

} // namespace execution_backend
} // namespace WARPINT_BACKEND
} // namespace warpint
