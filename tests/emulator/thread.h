// SPDX-License-Identifier: Apache-2.0
// A thread of a block that is being run (ptx.h).
#pragma once

#include "ptx.h"

#include <bit>
#include <cstring>
#include <type_traits>

namespace ptx {

struct Frame {
    Function *function;
    std::uint64_t *slots;
    char *local;
    char *call_site;
    char *arguments[16];
    char *results[2];
    std::uint32_t at; // the next instruction, once another function has been called
    Frame *caller;
    std::size_t arena_before;
};

struct Block {
    Size3 grid, size, index;
    std::size_t dynamic_shared_bytes = 0;
    char *shared = nullptr; // below 4 GiB, so that 32 bits hold an address
};

enum class Waits : std::uint8_t { no, at_warp, at_barrier, done };

// A call does not keep it, nor does a return.
enum class Carry : std::uint8_t { unknown, clear, set };

struct Thread {
    std::uint64_t *slots = nullptr; // of the frame
    std::uint32_t at = 0;
    Carry carry = Carry::unknown;
    Waits waits = Waits::no;
    std::uint32_t mask = 0; // of lanes that run an instruction together
    const Instruction *together = nullptr;
    std::uint64_t barrier = 0;
    std::uint64_t barrier_threads = 0;

    Frame *frame = nullptr;
    char *arena = nullptr;
    std::size_t arena_used = 0;
    Size3 index;
    unsigned number = 0; // in the block
    Block *block = nullptr;

    [[nodiscard]] unsigned lane() const { return number % 32; }
    [[nodiscard]] char *parameter(Parameter::Place place, std::size_t at_place) const {
        switch (place) {
        case Parameter::Place::argument:
            return frame->arguments[at_place];
        case Parameter::Place::result:
            return frame->results[at_place];
        default:
            return frame->call_site + at_place;
        }
    }
};

template <class T>
T get(const Thread &thread, std::int32_t slot) {
    const std::uint64_t x = thread.slots[slot];
    if constexpr (std::is_same_v<T, float>) {
        return std::bit_cast<float>(static_cast<std::uint32_t>(x));
    } else if constexpr (std::is_same_v<T, double>) {
        return std::bit_cast<double>(x);
    } else if constexpr (std::is_same_v<T, bool>) {
        return x != 0;
    } else {
        return static_cast<T>(x);
    }
}
template <class T>
void put(Thread &thread, std::int32_t slot, T value) {
    std::uint64_t &x = thread.slots[slot];
    if constexpr (std::is_same_v<T, float>) {
        x = std::bit_cast<std::uint32_t>(value);
    } else if constexpr (std::is_same_v<T, double>) {
        x = std::bit_cast<std::uint64_t>(value);
    } else if constexpr (std::is_same_v<T, bool>) {
        x = value ? 1 : 0;
    } else {
        x = static_cast<std::make_unsigned_t<T>>(value);
    }
}

// What instructions of several threads call.
void enter(Thread &thread, Function &function, char *const *arguments, char *const *results);
void leave(Thread &thread);
[[noreturn]] void fail_at(const Thread &thread, const Instruction &instruction,
                          const std::string &message);

// Those that wait: what the lanes of a mask do once all are there.
void run_together(Thread *const *lanes, const Instruction &instruction); // null: takes no part
void wait_for_warp(Thread &, const Instruction &);
void wait_at_barrier(Thread &, const Instruction &);

} // namespace ptx
