// SPDX-License-Identifier: Apache-2.0
// Where vectors lie, and streams. Vectors share their state with the formulas that name them: a
// formula reads what its vectors hold when it runs, also after they were resized, moved or
// destroyed.
#pragma once

#include "../limb/config.h"

#if WARPINT_HOSTED
#include <memory>
#include <new>
#include <string>
#endif

// A CUDA stream, by the name that CUDA's own headers give it: declarations that mention a stream
// are the same in C++ and CUDA files.
struct CUstream_st;

namespace warpint {

// Where a batch lies: in host memory, or on the GPU with this ordinal.
struct Location {
    int device = -1;
    [[nodiscard]] constexpr bool on_gpu() const { return device >= 0; }
    friend constexpr bool operator==(const Location &, const Location &) = default;
};

// Which container a batch belongs to. Formulas do not mix host vectors with device vectors. A
// device vector of a C++ file is another type than one of a CUDA file, because it lies elsewhere;
// so the enumerator's value differs. Host vectors are the same type in both.
enum class Space { host = 0, device = WARPINT_CUDA != 0 ? 1 : 2 };

// A CUDA stream; null is the legacy default stream. Without CUDA there is one stream, in program
// order.
using stream_handle = CUstream_st *;

namespace expression {

#if WARPINT_HOSTED
// What a user's function threw for an element.
struct Thrown {
    std::size_t index;
    std::string text;
};
// The same, of elements that have other places now; or null.
using ThrownText = std::shared_ptr<const Thrown>;
// Without memory for it the element has no text.
inline ThrownText thrown_at(const ThrownText &thrown, std::size_t index) noexcept {
    if (thrown == nullptr || thrown->index == index)
        return thrown;
    try {
        return std::make_shared<const Thrown>(Thrown{index, thrown->text});
    } catch (const std::bad_alloc &) {
        return nullptr;
    }
}
inline const ThrownText &first_thrown(const ThrownText &a, const ThrownText &b) {
    return a == nullptr || (b != nullptr && b->index < a->index) ? b : a;
}
#endif

// What a vector's memory knows of elements without a value. It lives as long as the memory: views
// of the vector look here.
struct MemoryMarks {
    const void *data = nullptr;      // the first element
    std::uint32_t *faults = nullptr; // bit i % 32 of word i / 32: element i has no value
    std::size_t words = 0;
    bool may_have_faults = false; // false: all have values, the words of faults are unspecified
#if WARPINT_HOSTED
    // By the first of those for which a user's function threw; or null.
    ThrownText thrown = {};
#endif
};

// The elements that a batch holds now.
struct BatchState {
    void *data = nullptr;            // size elements, one after another
    std::uint32_t *faults = nullptr; // as MemoryMarks'; null in a view
    std::size_t size = 0;
    Location location;
    MemoryMarks *marks = nullptr; // null without memory, and in a view of memory that others own

    [[nodiscard]] bool may_have_faults() const {
        return marks != nullptr && marks->may_have_faults;
    }
    void set_may_have_faults(bool may_have) {
        if (marks == nullptr)
            return;
        marks->may_have_faults = may_have;
#if WARPINT_HOSTED
        marks->thrown = nullptr;
#endif
    }
};

} // namespace expression
} // namespace warpint
