// SPDX-License-Identifier: Apache-2.0
// Copies of elements and of their faults, to, from and between storages. Offsets and lengths are
// bytes from the first element.
#pragma once

#include "storage.h"

#include <vector>

namespace warpint::execution::inline WARPINT_BACKEND {

inline void copy_to_host(void *to, const Storage &from, std::size_t offset, std::size_t bytes) {
    if (bytes == 0)
        return;
    const char *const source = static_cast<const char *>(from.data) + offset;
#if WARPINT_CUDA
    if (from.location.on_gpu()) {
        const CurrentDevice current(from.location.device);
        const bool legacy = uses_of(from).wait(false);
        if (legacy) {
            check_cuda(cudaMemcpy(to, source, bytes, cudaMemcpyDefault),
                       "warpint: copy to the host");
        } else {
            const cudaStream_t stream = copy_stream(from.location.device);
            check_cuda(cudaMemcpyAsync(to, source, bytes, cudaMemcpyDefault, stream),
                       "warpint: copy to the host");
            check_cuda(cudaStreamSynchronize(stream), "warpint: copy to the host");
        }
        return;
    }
#endif
    std::memcpy(to, source, bytes);
}

inline void copy_from_host(Storage &to, std::size_t offset, const void *from, std::size_t bytes) {
    if (bytes == 0)
        return;
    char *const target = static_cast<char *>(to.data) + offset;
#if WARPINT_CUDA
    if (to.location.on_gpu()) {
        const CurrentDevice current(to.location.device);
        (void)uses_of(to).wait(true);
        check_cuda(cudaMemcpy(target, from, bytes, cudaMemcpyDefault), "warpint: copy to the GPU");
        uses_of(to).note_legacy();
        return;
    }
#endif
    std::memcpy(target, from, bytes);
}

// Where the fault words of a storage lie: bytes behind its first element.
inline std::size_t fault_offset(const Storage &storage) {
    return static_cast<std::size_t>(reinterpret_cast<const char *>(storage.faults) -
                                    static_cast<const char *>(storage.data));
}

// Marks go before elements: if the second copy fails, a target without faults is as it was.
inline void copy_elements_and_marks(Storage &to, const Storage &from, std::size_t count) {
    const std::size_t bytes = count * from.element_bytes;
    const std::size_t fault_bytes = fault_word_count(count) * 4;
#if WARPINT_CUDA
    if (to.location.on_gpu() && from.location.on_gpu()) {
        const bool same_gpu = to.location == from.location;
        if (!same_gpu) { // each GPU has a legacy stream of its own
            const CurrentDevice current(from.location.device);
            check_cuda(cudaStreamSynchronize(cudaStreamLegacy), "warpint: a formula failed");
        }
        const CurrentDevice current(to.location.device);
        uses_of(from).order_before(from.location.device, nullptr, false);
        uses_of(to).order_before(to.location.device, nullptr, true);
        if (from.may_have_faults()) {
            check_cuda(
                cudaMemcpyAsync(to.faults, from.faults, fault_bytes, cudaMemcpyDefault, nullptr),
                "warpint: copy between vectors");
        }
        check_cuda(cudaMemcpyAsync(to.data, from.data, bytes, cudaMemcpyDefault, nullptr),
                   "warpint: copy between vectors");
        if (!same_gpu) {
            check_cuda(cudaStreamSynchronize(cudaStreamLegacy), "warpint: copy between vectors");
        }
        uses_of(from).order_after({}, false);
        uses_of(to).order_after({}, true);
        return;
    }
#endif
    if (to.location.on_gpu()) {
        if (from.may_have_faults())
            copy_from_host(to, fault_offset(to), from.faults, fault_bytes);
        copy_from_host(to, 0, from.data, bytes);
    } else {
        if (from.may_have_faults())
            copy_to_host(to.faults, from, fault_offset(from), fault_bytes);
        copy_to_host(to.data, from, 0, bytes);
    }
}

// Elements [0, count) and their faults, between storages of any places with the same elements.
inline void copy_elements(Storage &to, const Storage &from, std::size_t count) {
    if (count == 0) {
        to.set_may_have_faults(false);
        return;
    }
    copy_elements_and_marks(to, from, count);
    to.set_may_have_faults(from.may_have_faults());
    to.marks->thrown = from.marks->thrown;
}

// A range of a storage's elements, and where it goes.
struct RangeCopy {
    std::size_t to_first;
    const Storage *from;
    std::size_t from_first;
    std::size_t count;
};

// Ranges of several storages, of any places; to has the same elements. Waits once for all of them.
// Faults are left behind.
inline void copy_ranges(Storage &to, const std::vector<RangeCopy> &ranges) {
    if (to.data == nullptr) // no elements
        return;
#if WARPINT_CUDA
    if (to.location.on_gpu()) {
        for (const RangeCopy &range : ranges) { // each GPU has a legacy stream of its own
            if (range.count != 0)
                wait_for_writes(*range.from);
        }
        const CurrentDevice current(to.location.device);
        uses_of(to).order_before(to.location.device, nullptr, true);
        for (const RangeCopy &range : ranges) {
            if (range.count == 0)
                continue;
            check_cuda(
                cudaMemcpyAsync(static_cast<char *>(to.data) + range.to_first * to.element_bytes,
                                static_cast<const char *>(range.from->data) +
                                    range.from_first * to.element_bytes,
                                range.count * to.element_bytes, cudaMemcpyDefault, nullptr),
                "warpint: copy between GPUs");
        }
        check_cuda(cudaStreamSynchronize(cudaStreamLegacy), "warpint: copy between GPUs");
        uses_of(to).order_after({}, true);
        return;
    }
#endif
    for (const RangeCopy &range : ranges) {
        copy_to_host(static_cast<char *>(to.data) + range.to_first * to.element_bytes, *range.from,
                     range.from_first * to.element_bytes, range.count * to.element_bytes);
    }
}

// Elements [first, last) become 0.
inline void fill_zero(Storage &storage, std::size_t first, std::size_t last) {
    if (first >= last)
        return;
    char *const target = static_cast<char *>(storage.data) + first * storage.element_bytes;
    const std::size_t bytes = (last - first) * storage.element_bytes;
#if WARPINT_CUDA
    if (storage.location.on_gpu()) {
        const CurrentDevice current(storage.location.device);
        uses_of(storage).order_before(storage.location.device, nullptr, true);
        check_cuda(cudaMemsetAsync(target, 0, bytes, nullptr), "warpint: cudaMemsetAsync");
        uses_of(storage).order_after({}, true);
        return;
    }
#endif
    std::memset(target, 0, bytes);
}

// Sets the faults of elements [0, size) to these words.
inline void set_fault_words(Storage &storage, const std::vector<std::uint32_t> &words) {
    copy_from_host(storage, fault_offset(storage), words.data(), words.size() * 4);
    storage.set_may_have_faults(true);
}

// The fault words of elements [0, size).
inline std::vector<std::uint32_t> fault_words(const Storage &storage) {
    std::vector<std::uint32_t> words(fault_word_count(storage.size));
    copy_to_host(words.data(), storage, fault_offset(storage), words.size() * 4);
    // Bits beyond the end are nobody's.
    if (storage.size % 32 != 0)
        words.back() &= (1u << (storage.size % 32)) - 1u;
    return words;
}

} // namespace warpint::execution::inline WARPINT_BACKEND
