// SPDX-License-Identifier: Apache-2.0
// The text of an exception goes with the element when it is gathered (memory/thrown.h). On the CPU,
// where functions that throw have run.
#pragma once

#include "../expression/gather.h"
#include "evaluation/evaluate.h"
#include "memory/operands.h"
#include "memory/views.h"

#include <span>

namespace warpint::execution::inline WARPINT_BACKEND {

// What a function threw for an element of a batch, which operand this is; the element's index is
// that in the batch. Null: nothing, or for none of these elements.
WARPINT_COLD inline expression::ThrownText thrown_of(const Operand &operand, std::size_t size) {
    if (operand.state == nullptr || !operand.state->may_have_faults())
        return nullptr;
    const expression::MemoryMarks &marks = *operand.state->marks;
    if (marks.thrown == nullptr)
        return nullptr;
    const std::size_t i =
        marks.thrown->index - first_mark(marks, operand.state->data, operand.element_bytes);
    return i < size ? expression::thrown_at(marks.thrown, i) : nullptr;
}

// Looks for the elements that a lowered formula gathers, and keeps what a function threw for the
// first of them. at(i, f) calls f with the context of element i of the formula, where the part of
// it stands that is looked at; not if there is none.
class GatheredText {
public:
    GatheredText(std::span<const Operand> operands, std::size_t count)
        : operands_{operands}, count_{count} {}
    [[nodiscard]] const expression::ThrownText &first() const { return first_; }

    template <class Leaf, class At>
    void look_at(const Leaf &, const At &) {}
    template <class Operation, class... Operands, class At>
    void look_at(const Node<Operation, Operands...> &node, const At &at) {
        expression::with_operands(node,
                                  [&](const auto &...operand) { (look_at(operand, at), ...); });
        if constexpr (expression::is_gather<Operation>) {
            look_in(item<0>(node.operands).value,
                    [&](std::size_t wanted) { return first_of<Operation>(node, at, wanted); });
        }
    }
    template <int Bits, class Tree, class At>
    void look_at(const WithModulus<Bits, Tree> &whole, const At &at) {
        look_at(whole.tree, [&](std::size_t i, const auto &f) {
            at(i, [&]<class Context>(const Context &context) {
                f(ContextWithModulus<Context, Bits>{context, &whole.modulus});
            });
        });
    }
    template <Naming Operation, class Bound, class Body, class At>
    void look_at(const Node<Operation, Bound, Body> &node, const At &at) {
        const auto &bound = item<0>(node.operands);
        look_at(bound, at);
        look_at(item<1>(node.operands), [&](std::size_t i, const auto &f) {
            at(i, [&]<class Context>(const Context &context) {
                bool fault = false;
                const auto &value = evaluate(bound, context, fault);
                using T = std::remove_cvref_t<decltype(value)>;
                if (!fault)
                    f(ContextWithName<Context, typename Operation::Name, T>{context, &value});
            });
        });
    }

private:
    // The first element of the formula that gathers element `wanted` of its source; count_: none.
    template <class Gather, class Node, class At>
    WARPINT_COLD std::size_t first_of(const Node &node, const At &at, std::size_t wanted) const {
        for (std::size_t i = 0; i < count_; ++i) {
            bool is_it = false;
            try {
                at(i, [&](const auto &context) {
                    bool fault = false;
                    const auto index =
                        number::as_number(evaluate(item<1>(node.operands), context, fault));
                    is_it = !fault && Gather::has(item<0>(node.operands).value, index) &&
                            Gather::position(index) == wanted;
                });
            } catch (...) { // of a user's function: this element has another text
            }
            if (is_it)
                return i;
        }
        return count_;
    }
    // In a source, or a piece of one that lies behind `before` elements.
    template <class T, class FirstOf>
    void look_in(const expression::GatherSource<T> &piece, const FirstOf &find,
                 std::size_t before = 0) {
        for (const Operand &operand : operands_) {
            if (!operand.any_element || operand.state == nullptr ||
                operand.state->data != piece.data)
                continue;
            const expression::ThrownText its = thrown_of(operand, piece.size);
            if (its == nullptr)
                continue;
            const std::size_t i = find(before + its->index);
            if (i < count_)
                first_ = expression::first_thrown(first_, expression::thrown_at(its, i));
        }
    }
    template <class T, class FirstOf>
    void look_in(const expression::ShardedSource<T> &source, const FirstOf &find) {
        std::size_t before = 0;
        for (std::size_t k = 0; k < source.count; ++k) {
            look_in(source.shards[k], find, before);
            before += source.shards[k].size;
        }
    }

    std::span<const Operand> operands_;
    std::size_t count_;
    expression::ThrownText first_;
};

// Of the elements that a lowered formula gathers, what a function threw for the first; null:
// nothing. Before the formula runs, whose target may be the index.
template <class Lowered>
expression::ThrownText gathered_text(const Lowered &lowered, std::span<const Operand> operands,
                                     std::size_t count) {
    GatheredText text(operands, count);
    text.look_at(lowered, [](std::size_t i, const auto &f) { f(DirectContext{i}); });
    return text.first();
}

} // namespace warpint::execution::inline WARPINT_BACKEND
