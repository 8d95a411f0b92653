// SPDX-License-Identifier: Apache-2.0
// Exceptions of vectors and formulas. They are thrown at once, with nothing written.
#pragma once

#include "../../expression/batch.h"
#include "../../number/message.h"

#include <cstddef>
#include <new>
#include <stdexcept>
#include <string>

namespace warpint {

// A CUDA call failed; code() is its cudaError_t.
class cuda_error : public std::runtime_error {
public:
    cuda_error(int code, const std::string &message) : std::runtime_error(message), code_{code} {}
    [[nodiscard]] int code() const noexcept { return code_; }

private:
    int code_;
};

// Not enough memory on the GPU.
class device_bad_alloc : public std::bad_alloc {
public:
    [[nodiscard]] const char *what() const noexcept override {
        return "warpint: out of GPU memory";
    }
};

// Vectors of different sizes in one formula, or a target of the wrong size.
class size_mismatch : public std::invalid_argument {
public:
    using std::invalid_argument::invalid_argument;
};

// A vector on the wrong GPU, or a target that overlaps an operand at another offset.
class wrong_location : public std::invalid_argument {
public:
    using std::invalid_argument::invalid_argument;
};

namespace execution {

// Of a batch of `size` elements, `count` have no value; the first of these is `first`. thrown: what
// a user's function threw for the first of those for which it did; or null.
[[noreturn]] WARPINT_COLD inline void throw_without_value(std::size_t count, std::size_t size,
                                                          std::size_t first,
                                                          const expression::Thrown *thrown) {
    std::string text =
        number::Message("warpint: %zu of %zu elements have no value, the first is element %zu",
                        count, size, first)
            .text();
    if (thrown != nullptr) {
        text.append(thrown->index == first
                        ? ": "
                        : number::Message("; element %zu: ", thrown->index).text());
        text.append(thrown->text);
    }
    throw std::domain_error(text);
}

// A reference cannot clear the fault of what is written through it. thrown: as above.
[[noreturn]] WARPINT_COLD inline void throw_no_reference(std::size_t i,
                                                         const expression::Thrown *thrown) {
    std::string text =
        number::Message("warpint: element %zu has no value: write(%zu, x) gives it one", i, i)
            .text();
    if (thrown != nullptr)
        text.append(number::Message("; element %zu: ", thrown->index).text()).append(thrown->text);
    throw std::domain_error(text);
}

// The batches of a formula must have one size.
[[noreturn]] WARPINT_COLD inline void throw_two_sizes(std::size_t a, std::size_t b) {
    throw size_mismatch(
        number::Message("warpint: batches of %zu and %zu elements in one formula", a, b).text());
}
inline void check_same_size(std::size_t a, std::size_t b) {
    if (a != b)
        throw_two_sizes(a, b);
}

} // namespace execution
} // namespace warpint
