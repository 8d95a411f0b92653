// SPDX-License-Identifier: Apache-2.0
// What a formula of views needs beside their elements. Formulas of vectors need none of it, nor do
// those of most views. Beside it the tables that any formula reads (tables.h).
//
// Marks of elements without a value: a view may begin at any element of its vector, and marks are
// bits. Where an operand's do not begin with a word they are copied first, and a result's are put
// among its vector's afterwards.
//
// Alignment: the elements of a view may lie at any multiple of 4 bytes. Where their type wants
// more, they are copied to memory that has it before the formula runs, and results from there
// behind it.
#pragma once

#include "../../expression/lower.h"
#include "../kernels/marks.h"
#include "for_each_cuda.h"
#include "operands.h"
#include "tables.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <utility>

namespace warpint::execution::inline WARPINT_BACKEND {

// None until it is taken.
using ViewMemory = std::optional<Workspace<std::byte>>;
inline std::byte *take(ViewMemory &memory, Location location, std::size_t bytes,
                       stream_handle stream) {
    return memory.emplace(*default_resource(location), bytes, stream).data();
}

// Copies between pieces of memory of one place, behind earlier work on the stream.
inline void copy_memory([[maybe_unused]] Location location, void *to, const void *from,
                        std::size_t bytes, [[maybe_unused]] stream_handle stream) {
#if WARPINT_CUDA
    if (location.on_gpu()) {
        check_cuda(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream),
                   "warpint: copy of a view");
        return;
    }
#endif
    std::memcpy(to, from, bytes);
}

template <class Function>
void for_each_word([[maybe_unused]] Location location, std::size_t count, const Function &f,
                   [[maybe_unused]] stream_handle stream) {
#if WARPINT_CUDA
    if (location.on_gpu()) {
        for_each_on_gpu(count, f, stream);
        return;
    }
#endif
    for (std::size_t k = 0; k < count; ++k)
        f(k);
}

// The first mark of elements that lie in the memory these marks are of.
inline std::size_t first_mark(const expression::MemoryMarks &marks, const void *data,
                              std::size_t element_bytes) {
    return static_cast<std::size_t>(static_cast<const char *>(data) -
                                    static_cast<const char *>(marks.data)) /
           element_bytes;
}

// Whether elements lie at an address that their type does not allow.
inline bool is_misaligned(const void *data, std::size_t element_bytes) {
    return reinterpret_cast<std::uintptr_t>(data) % alignment_of(element_bytes) != 0;
}

// What of the operands that are views is not read where their vectors have it, for lowering. It
// outlives the formula's launch.
class OperandViews {
public:
    // extent: of the operands.
    OperandViews(std::span<const Operand> operands, const Extent &extent, stream_handle stream)
        : OperandViews(extent.location,
                       stream) { // so that what is found is given back if a later one throws
        for (const Operand &operand : operands) {
            if (operand.storage == nullptr && operand.state != nullptr && operand.size != 0 &&
                (has_marks(*operand.state) || has_to_move(operand)))
                add(operand, extent.location, stream);
        }
    }
    ~OperandViews() {
        if (found_ != nullptr)
            forget();
    }
    OperandViews(const OperandViews &) = delete;
    OperandViews &operator=(const OperandViews &) = delete;
    [[nodiscard]] expression::LoweringTarget target(bool on_gpu) const {
        return {on_gpu, found_, nullptr, &tables_};
    }

private:
    struct Found : expression::ViewOfRun {
        ViewMemory elements;
        ViewMemory marks;
        Found *before = nullptr;
    };

    OperandViews(Location location, stream_handle stream) : tables_(location, stream) {}
    WARPINT_COLD void forget() {
        while (found_ != nullptr)
            delete std::exchange(found_, found_->before);
    }
    // Of the vector it is a view of.
    static bool has_marks(const expression::BatchState &view) {
        return view.faults == nullptr && view.may_have_faults();
    }
    static bool has_to_move(const Operand &operand) {
        return operand.stride == 0 && is_misaligned(operand.state->data, operand.element_bytes);
    }
    WARPINT_COLD void add(const Operand &operand, Location location, stream_handle stream) {
        auto *const found = new Found;
        found->view = operand.state;
        found->others = found->before = found_;
        found_ = found;
        if (has_to_move(operand)) {
            const std::size_t bytes = operand.size * operand.element_bytes;
            found->moved = take(found->elements, location, bytes, stream);
            copy_memory(location, found->elements->data(), operand.state->data, bytes, stream);
        }
        if (has_marks(*operand.state))
            add_marks(*found, operand, location, stream);
    }
    static void add_marks(Found &found, const Operand &operand, Location location,
                          stream_handle stream) {
        const expression::MemoryMarks &marks = *operand.state->marks;
        const std::size_t first = first_mark(marks, operand.state->data, operand.element_bytes);
        found.faults = marks.faults + first / 32;
        if (first % 32 == 0)
            return;
        const std::size_t words = fault_word_count(operand.size);
        auto *const own =
            reinterpret_cast<std::uint32_t *>(take(found.marks, location, words * 4, stream));
        for_each_word(location, words, MarksFrom{marks.faults, marks.words, first, own}, stream);
        found.faults = own;
    }

    Found *found_ = nullptr; // the last; null without such an operand
    mutable TablesInUse tables_;
};

// The same of results: the formula writes elements, if they are misaligned, and marks, if it is a
// view of a vector, to memory of their own; store() puts them in their places. One formula has one
// view as a result.
class ResultView {
public:
    // Whether a formula of this result needs it.
    static bool is_needed_for(const Result &result) {
        return result.storage == nullptr && (result.marks != nullptr || has_to_move(result));
    }
    // Once, for a result that needs it and outlives this. can_fault: whether there may be elements
    // without a value.
    WARPINT_COLD void prepare(const Result &result, bool can_fault, Location location,
                              stream_handle stream) {
        result_ = &result;
        location_ = location;
        stream_ = stream;
        if (has_to_move(result))
            take(elements_, location, bytes(), stream);
        if (result.marks != nullptr && can_fault)
            take(marks_, location, fault_word_count(result.size) * 4, stream);
    }
    [[nodiscard]] bool is_prepared() const { return result_ != nullptr; }
    // Where the formula writes elements that have to move; null: to their place.
    [[nodiscard]] void *elements() const { return elements_ ? elements_->data() : nullptr; }
    // Where it marks them; null: nowhere.
    [[nodiscard]] std::uint32_t *words() const {
        return marks_ ? reinterpret_cast<std::uint32_t *>(marks_->data()) : nullptr;
    }
    // Behind the formula, if it is prepared. faults: whether elements may be without a value.
    WARPINT_COLD void store(bool faults) {
        if (elements_)
            copy_memory(location_, result_->data, elements_->data(), bytes(), stream_);
        expression::MemoryMarks *const marks = result_->marks;
        if (marks == nullptr || (!faults && !marks->may_have_faults))
            return;
        if (!marks->may_have_faults) { // what stands there is unspecified
            for_each_word(location_, marks->words,
                          MarksInto{nullptr, marks->faults, 0, 32 * marks->words}, stream_);
            marks->may_have_faults = true;
        }
        const std::size_t first = first_mark(*marks, result_->data, result_->element_bytes);
        const MarksInto into{faults ? words() : nullptr, marks->faults, first, result_->size};
        for_each_word(location_, into.calls(), into, stream_);
        if (marks->thrown != nullptr && marks->thrown->index - first < result_->size)
            marks->thrown = nullptr; // of an element that is written anew
    }

private:
    static bool has_to_move(const Result &result) {
        return result.stride == 0 && is_misaligned(result.data, result.element_bytes);
    }
    [[nodiscard]] std::size_t bytes() const { return result_->size * result_->element_bytes; }

    const Result *result_ = nullptr;
    Location location_;
    stream_handle stream_ = nullptr;
    ViewMemory elements_;
    ViewMemory marks_;
};

} // namespace warpint::execution::inline WARPINT_BACKEND
