// SPDX-License-Identifier: Apache-2.0
// Bytes of large batches, for which clearing the memory would take as long as filling it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <utility>
#include <vector>

#include <sys/mman.h>

namespace sample {

// Large arrays come in large pages where the system has them: the first touch of each page is slow.
// Elements without a value are left as they are in memory.
template <class T>
struct PageAllocator {
    using value_type = T;

    PageAllocator() = default;
    template <class Other>
    PageAllocator(const PageAllocator<Other> &) {}

    T *allocate(std::size_t count) {
        constexpr std::size_t small_page = std::size_t{4} << 10, large_page = std::size_t{2} << 20;
        const bool large = count * sizeof(T) >= large_page;
        const std::size_t page = large ? large_page : small_page;
        const std::size_t size = (count * sizeof(T) + page - 1) / page * page;
        void *const memory = std::aligned_alloc(page, size);
        if (memory == nullptr)
            throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
        if (large)
            (void)madvise(memory, size, MADV_HUGEPAGE);
#endif
        return static_cast<T *>(memory);
    }
    void deallocate(T *memory, std::size_t) { std::free(memory); }

    template <class U>
    void construct(U *place) {
        ::new (static_cast<void *>(place)) U;
    }
    template <class U, class... Arguments>
    void construct(U *place, Arguments &&...arguments) {
        ::new (static_cast<void *>(place)) U(std::forward<Arguments>(arguments)...);
    }

    friend bool operator==(const PageAllocator &, const PageAllocator &) { return true; }
};

// What resize() adds has no value yet.
using Buffer = std::vector<std::uint8_t, PageAllocator<std::uint8_t>>;

} // namespace sample
