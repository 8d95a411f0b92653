// SPDX-License-Identifier: Apache-2.0
// Marks of elements without a value where a formula reads or writes views of vectors. A view may
// begin at any element of its vector, and marks are bits: where an operand's do not begin with a
// word they are copied first, and a result's are put among its vector's afterwards. Formulas of
// views without marks, which is nearly all, do neither.
#pragma once

#include "../expression/lower.h"
#include "for_each_cuda.h"
#include "operands.h"

#include <memory>
#include <optional>

namespace warpint {
namespace execution {

// Words of marks from bit `first` of others on: to[k] has bits first + 32 k ... of from, which has
// `words` words.
struct MarksFrom {
    const std::uint32_t *from;
    std::size_t words;
    std::size_t first;
    std::uint32_t *to;
    WARPINT_HOST_DEVICE void operator()(std::size_t k) const {
        const std::size_t word = first / 32 + k;
        const unsigned shift = static_cast<unsigned>(first % 32);
        std::uint32_t bits = from[word] >> shift;
        if (shift != 0 && word + 1 < words)
            bits |= from[word + 1] << (32 - shift);
        to[k] = bits;
    }
};

// Puts the marks of `count` elements among others, from bit `first` on; null: none is marked. Call
// k is for word first / 32 + k.
struct MarksInto {
    const std::uint32_t *from;
    std::uint32_t *to;
    std::size_t first;
    std::size_t count;
    [[nodiscard]] std::size_t calls() const { return (first % 32 + count + 31) / 32; }
    WARPINT_HOST_DEVICE void operator()(std::size_t k) const {
        const unsigned shift = static_cast<unsigned>(first % 32);
        const std::size_t words = (count + 31) / 32;
        std::uint32_t bits = 0;
        if (from != nullptr) {
            if (k < words)
                bits = from[k] << shift;
            if (shift != 0 && k > 0)
                bits |= from[k - 1] >> (32 - shift);
        }
        std::uint32_t mine = ~std::uint32_t{0}; // the word's bits that are of these elements
        if (k == 0)
            mine <<= shift;
        const std::size_t end = shift + count - 32 * k; // behind the last of them
        if (end < 32)
            mine &= (std::uint32_t{1} << end) - 1;
        std::uint32_t &word = to[first / 32 + k];
        word = (word & ~mine) | (bits & mine);
    }
};

} // namespace execution

inline namespace WARPINT_BACKEND {
namespace execution_backend {

// Words of marks for as long as work on a stream needs them.
class MarkWords {
public:
    MarkWords([[maybe_unused]] Location location, std::size_t count,
              [[maybe_unused]] stream_handle stream) {
        if (count == 0)
            return;
#if WARPINT_CUDA
        if (location.on_gpu()) {
            device_ = std::make_unique<execution::Workspace<std::uint32_t>>(
                *default_resource(location), count, stream);
            return;
        }
#endif
        host_.reset(new std::uint32_t[count]);
    }
    [[nodiscard]] std::uint32_t *data() {
#if WARPINT_CUDA
        if (device_ != nullptr)
            return device_->data();
#endif
        return host_.get();
    }

private:
    std::unique_ptr<std::uint32_t[]> host_;
#if WARPINT_CUDA
    std::unique_ptr<execution::Workspace<std::uint32_t>> device_;
#endif
};

template <class Function>
void for_each_word([[maybe_unused]] Location location, std::size_t count, const Function &f,
                   [[maybe_unused]] stream_handle stream) {
#if WARPINT_CUDA
    if (location.on_gpu()) {
        execution::for_each_on_gpu(count, f, stream);
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

// Whether an operand is a view of a vector that has marks now.
inline bool has_view_marks(const execution::Operand &operand) {
    return operand.storage == nullptr && operand.state != nullptr && operand.size != 0 &&
           operand.state->faults == nullptr && operand.state->may_have_faults();
}

// Where the marks of such operands are, for lowering. It outlives the formula's launch.
class OperandMarks {
public:
    // extent: of the operands.
    OperandMarks(std::span<const execution::Operand> operands, const execution::Extent &extent,
                 stream_handle stream) {
        if (!extent.may_have_faults)
            return;
        for (const execution::Operand &operand : operands) {
            if (has_view_marks(operand))
                add(operand, extent.location, stream);
        }
    }
    [[nodiscard]] expression::LoweringTarget target(bool on_gpu, int most_window) const {
        return {on_gpu, most_window, found_.get(), nullptr};
    }

private:
    WARPINT_COLD void add(const execution::Operand &operand, Location location,
                          stream_handle stream) {
        const expression::MemoryMarks &marks = *operand.state->marks;
        const std::size_t first = first_mark(marks, operand.state->data, operand.element_bytes);
        const bool begins_with_word = first % 32 == 0;
        const std::size_t words = execution::fault_word_count(operand.size);
        std::unique_ptr<Found> found(
            new Found(location, begins_with_word ? 0 : words, stream, std::move(found_)));
        found->view = operand.state;
        found->faults = marks.faults + first / 32;
        if (!begins_with_word) {
            std::uint32_t *const own = found->copy.data();
            for_each_word(location, words,
                          execution::MarksFrom{marks.faults, marks.words, first, own}, stream);
            found->faults = own;
        }
        found_ = std::move(found);
    }

    struct Found : expression::MarksOfView {
        MarkWords copy;
        std::unique_ptr<Found> before;
        Found(Location location, std::size_t words, stream_handle stream,
              std::unique_ptr<Found> &&others)
            : MarksOfView{nullptr, nullptr, others.get()},
              copy(location, words, stream), before{std::move(others)} {}
    };
    std::unique_ptr<Found> found_; // null without such an operand
};

// The marks of results that are views of vectors: the formula writes them to words of their own,
// store() puts them among the vector's.
class ResultMarks {
public:
    // can_fault: whether there may be elements without a value. The results outlive this.
    ResultMarks(std::span<const execution::Result> results, bool can_fault, Location location,
                stream_handle stream)
        : results_{results}, location_{location}, stream_{stream} {
        for (const execution::Result &to : results_) {
            if (is_view_of_vector(to) && can_fault)
                words_.emplace(location, execution::fault_word_count(to.size), stream);
        }
    }
    // Whether a formula of these results needs them.
    static bool has_view(std::span<const execution::Result> results) {
        for (const execution::Result &to : results) {
            if (is_view_of_vector(to))
                return true;
        }
        return false;
    }
    // Where the formula marks the elements of the view; null: nowhere. One formula has one view as
    // a result.
    [[nodiscard]] std::uint32_t *words() { return words_ ? words_->data() : nullptr; }
    // Behind the formula. faults: whether elements may be without a value.
    WARPINT_COLD void store(bool faults) {
        for (const execution::Result &to : results_) {
            if (!is_view_of_vector(to) || (!faults && !to.marks->may_have_faults))
                continue;
            if (!to.marks->may_have_faults) { // what stands there means nothing
                for_each_word(
                    location_, to.marks->words,
                    execution::MarksInto{nullptr, to.marks->faults, 0, 32 * to.marks->words},
                    stream_);
                to.marks->may_have_faults = true;
            }
            const execution::MarksInto into{faults ? words() : nullptr, to.marks->faults,
                                            first_mark(*to.marks, to.data, to.element_bytes),
                                            to.size};
            for_each_word(location_, into.calls(), into, stream_);
        }
    }

private:
    static bool is_view_of_vector(const execution::Result &to) {
        return to.storage == nullptr && to.marks != nullptr;
    }

    std::span<const execution::Result> results_;
    Location location_;
    stream_handle stream_;
    std::optional<MarkWords> words_;
};

} // namespace execution_backend
} // namespace WARPINT_BACKEND
} // namespace warpint
