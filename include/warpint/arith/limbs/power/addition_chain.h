// SPDX-License-Identifier: Apache-2.0
// Powers with exponents known at compile time, by an addition chain of sliding windows: exponents
// below 512 take 2% more products than by the shortest chains, which only a search finds.
#pragma once

#include "power.h"

namespace warpint::arith {

// Instructions on an accumulator, at first x, and slots; slot 0 holds x.
struct ChainStep {
    enum Kind : std::uint8_t { square, multiply, save, load };
    Kind kind = square;
    std::uint8_t value = 0; // how often to square, or the slot
};

// A program for x^e.
struct ChainProgram {
    static constexpr int steps_limit = 192;
    static constexpr int slots_limit = 17;

    ChainStep steps[steps_limit]{};
    int length = 0;   // instructions
    int slots = 1;    // in use
    int products = 0; // squares included

    WARPINT_HOST_DEVICE constexpr void append_squares(int count) {
        products += count;
        if (count == 0)
            return;
        if (length > 0 && steps[length - 1].kind == ChainStep::square) {
            steps[length - 1].value = static_cast<std::uint8_t>(steps[length - 1].value + count);
        } else {
            steps[length++] = {ChainStep::square, static_cast<std::uint8_t>(count)};
        }
    }
    WARPINT_HOST_DEVICE constexpr void append(ChainStep::Kind kind, int slot) {
        products += static_cast<int>(kind == ChainStep::multiply);
        if (kind == ChainStep::save && slot >= slots)
            slots = slot + 1;
        steps[length++] = {kind, static_cast<std::uint8_t>(slot)};
    }
};

// The program of sliding windows of at most `width` <= 5 bits (Handbook of Applied Cryptography,
// algorithm 14.85), e >= 1; bit by bit for width 1. Odd powers that no window needs are left out
// at the end of their list. Slot i holds x^(2 i + 1), slot 2^(width - 1) x^2.
WARPINT_HOST_DEVICE constexpr ChainProgram window_program(std::uint64_t e, int width) {
    const std::uint32_t limbs[2] = {static_cast<std::uint32_t>(e),
                                    static_cast<std::uint32_t>(e >> 32)};
    const SlidingSteps all({limbs, 2}, 64 - limb::countl_zero(e), width);
    int largest = 0; // slot in use
    for (SlidingSteps steps = all; !steps.done();) {
        const int slot = steps.next().entry;
        largest = slot > largest ? slot : largest;
    }
    ChainProgram program;
    if (largest > 0) {
        const int square_slot = 1 << (width - 1);
        program.append_squares(1);
        program.append(ChainStep::save, square_slot);
        for (int i = 1; i <= largest; ++i) {
            program.append(ChainStep::multiply, i == 1 ? 0 : square_slot);
            program.append(ChainStep::save, i);
        }
    }
    SlidingSteps steps = all;
    const int first = steps.next().entry;
    if (largest > 0)
        program.append(ChainStep::load, first);
    while (!steps.done()) {
        const PowerStep step = steps.next();
        program.append_squares(step.squares);
        if (step.entry >= 0)
            program.append(ChainStep::multiply, step.entry);
    }
    return program;
}

// The program of the windows that need the fewest products for x^e, e >= 1.
WARPINT_HOST_DEVICE constexpr ChainProgram best_chain_program(std::uint64_t e) {
    ChainProgram best = window_program(e, 1);
    for (int width = 2; width <= 5; ++width) {
        const ChainProgram candidate = window_program(e, width);
        if (candidate.products < best.products)
            best = candidate;
    }
    return best;
}

// The program for E, computed once.
template <std::uint64_t E>
inline constexpr ChainProgram chain_program_of = best_chain_program(E);

namespace detail {

// Instructions from Index on, with slots known at compile time, so that they are registers in
// device code.
template <std::uint64_t E, int Index, class T, class Ring>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void run_chain(T &x, T *slots, const Ring &ring) {
    if constexpr (Index < chain_program_of<E>.length) {
        constexpr ChainStep step = chain_program_of<E>.steps[Index];
        if constexpr (step.kind == ChainStep::square) {
            WARPINT_UNROLL(1, 0)
            for (int i = 0; i < step.value; ++i)
                x = ring.square(x);
        } else if constexpr (step.kind == ChainStep::multiply) {
            x = ring.product(x, slots[step.value]);
        } else if constexpr (step.kind == ChainStep::save) {
            slots[step.value] = x;
        } else {
            x = slots[step.value];
        }
        run_chain<E, Index + 1>(x, slots, ring);
    }
}

} // namespace detail

// x^E for E >= 1 by an addition chain: ring.square(x) and ring.product(x, y) are called
// chain_program_of<E>.products times together, in the same order for every x.
template <std::uint64_t E, class T, class Ring>
WARPINT_HOST_DEVICE constexpr T power_by_chain(T x, const Ring &ring) {
    static_assert(E >= 1);
    constexpr int slots = chain_program_of<E>.slots;
    T slot[slots]{};
    slot[0] = x;
    detail::run_chain<E, 0>(x, slot, ring);
    return x;
}

} // namespace warpint::arith
