// SPDX-License-Identifier: Apache-2.0
#include "counted_memory.h"

#include <cstddef>
#include <cstdlib>
#include <new>

#ifdef WARPINT_TEST_EMULATED
#include "emulator/failures.h"
#endif

namespace in_turn {

std::atomic<bool> counting{false};
std::atomic<long> left_to_success{-1};
std::atomic<long> held{0};

} // namespace in_turn

namespace {

using namespace in_turn;

// Whether an allocation is the program's, and not that of the runtime under it.
bool is_the_programs() {
#ifdef WARPINT_TEST_EMULATED
    return !emulator::is_inside();
#else
    return true;
#endif
}
bool is_to_fail() {
    long left = left_to_success.load();
    while (left >= 0 && !left_to_success.compare_exchange_weak(left, left - 1)) {
    }
    return left == 0;
}

// Before each piece of memory stands whether it is counted.
constexpr std::size_t least_alignment = 16;
void *allocate(std::size_t bytes, std::size_t alignment) noexcept {
    const bool ours = is_the_programs();
    if (ours && counting && is_to_fail())
        return nullptr;
    const std::size_t size = (bytes + 2 * alignment - 1) / alignment * alignment;
    char *const memory = static_cast<char *>(std::aligned_alloc(alignment, size));
    if (memory == nullptr)
        return nullptr;
    char *const begin = memory + alignment;
    begin[-1] = ours ? 1 : 0;
    held += ours ? 1 : 0;
    return begin;
}
void *allocate_or_throw(std::size_t bytes, std::size_t alignment) {
    void *const memory = allocate(bytes, alignment);
    if (memory == nullptr)
        throw std::bad_alloc();
    return memory;
}
void release(void *memory, std::size_t alignment) noexcept {
    if (memory == nullptr)
        return;
    char *const begin = static_cast<char *>(memory);
    held -= begin[-1];
    std::free(begin - alignment);
}

} // namespace

void *operator new(std::size_t bytes) {
    return allocate_or_throw(bytes, least_alignment);
}
void *operator new(std::size_t bytes, std::align_val_t alignment) {
    return allocate_or_throw(bytes, static_cast<std::size_t>(alignment));
}
void *operator new(std::size_t bytes, const std::nothrow_t &) noexcept {
    return allocate(bytes, least_alignment);
}
void *operator new(std::size_t bytes, std::align_val_t alignment, const std::nothrow_t &) noexcept {
    return allocate(bytes, static_cast<std::size_t>(alignment));
}
void operator delete(void *memory) noexcept {
    release(memory, least_alignment);
}
void operator delete(void *memory, std::size_t) noexcept {
    release(memory, least_alignment);
}
void operator delete(void *memory, std::align_val_t alignment) noexcept {
    release(memory, static_cast<std::size_t>(alignment));
}
void operator delete(void *memory, std::size_t, std::align_val_t alignment) noexcept {
    release(memory, static_cast<std::size_t>(alignment));
}
