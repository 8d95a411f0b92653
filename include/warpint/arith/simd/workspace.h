// SPDX-License-Identifier: Apache-2.0
// Memory for digits: one block a thread, kept from call to call.
#pragma once

#include "../../limb/thread_object.h"
#include "machine/digits.h"

#if WARPINT_SIMD

#include <new>

namespace warpint::simd {

// Memory in multiples of 64 bytes, aligned to 64, that grows and is never given back before the
// thread ends. One user at a time: a function that takes it calls no other that does.
class Workspace {
public:
    static Workspace &of_this_thread() { return limb::thread_object<Workspace>(); }
    Workspace() = default;
    Workspace(const Workspace &) = delete;
    Workspace &operator=(const Workspace &) = delete;
    ~Workspace() { release(); }

    // Room for `vectors` times 64 bytes, contents unspecified. Throws std::bad_alloc.
    void *reserve(std::size_t vectors) {
        if (vectors > size_) {
            release();
            memory_ = ::operator new(64 * vectors, std::align_val_t{64});
            size_ = vectors;
        }
        return memory_;
    }

private:
    void release() {
        if (memory_ != nullptr)
            ::operator delete(memory_, std::align_val_t{64});
        memory_ = nullptr;
        size_ = 0;
    }
    void *memory_ = nullptr;
    std::size_t size_ = 0;
};

} // namespace warpint::simd

#endif // WARPINT_SIMD
