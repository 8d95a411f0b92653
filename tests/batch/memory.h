// SPDX-License-Identifier: Apache-2.0
// Memory for GMP: most of its numbers live for one operation, so that blocks
// are handed from one to the next by each thread itself.
#pragma once

#include <gmp.h>

#include <array>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <new>

namespace batch_test {

/// Freed blocks of one thread, by the power of two that is their size.
class BlockLists {
public:
    BlockLists() = default;
    BlockLists(const BlockLists &) = delete;
    BlockLists &operator=(const BlockLists &) = delete;
    ~BlockLists() {
        for (Block *&list : lists_)
            while (list != nullptr)
                std::free(pop(list));
    }

    void *allocate(std::size_t size) {
        Block *&list = lists_[index(size)];
        if (list != nullptr)
            return pop(list);
        void *const block = std::malloc(std::size_t{1} << index(size));
        if (block == nullptr)
            std::abort();
        return block;
    }

    void release(void *memory, std::size_t size) {
        Block *&list = lists_[index(size)];
        list = ::new (memory) Block{list};
    }

    void *reallocate(void *memory, std::size_t old_size, std::size_t size) {
        if (index(old_size) == index(size))
            return memory;
        void *const block = allocate(size);
        std::memcpy(block, memory, old_size < size ? old_size : size);
        release(memory, old_size);
        return block;
    }

    static BlockLists &of_this_thread() {
        static thread_local BlockLists lists;
        return lists;
    }

private:
    struct Block {
        Block *next;
    };
    static void *pop(Block *&list) {
        Block *const block = list;
        list = block->next;
        return block;
    }
    static std::size_t index(std::size_t size) {
        return static_cast<std::size_t>(std::bit_width((size | 31) - 1));
    }

    std::array<Block *, 64> lists_{};
};

/// Gives GMP these lists, for as long as the object lives. No number made during that time may
/// outlive it.
class FastMemory {
public:
    FastMemory() {
        mp_get_memory_functions(&allocate_, &reallocate_, &free_);
        mp_set_memory_functions(
            [](std::size_t size) { return BlockLists::of_this_thread().allocate(size); },
            [](void *memory, std::size_t old_size, std::size_t size) {
                return BlockLists::of_this_thread().reallocate(memory, old_size, size);
            },
            [](void *memory, std::size_t size) {
                BlockLists::of_this_thread().release(memory, size);
            });
    }
    FastMemory(const FastMemory &) = delete;
    FastMemory &operator=(const FastMemory &) = delete;
    ~FastMemory() { mp_set_memory_functions(allocate_, reallocate_, free_); }

private:
    void *(*allocate_)(std::size_t) = nullptr;
    void *(*reallocate_)(void *, std::size_t, std::size_t) = nullptr;
    void (*free_)(void *, std::size_t) = nullptr;
};

} // namespace batch_test
