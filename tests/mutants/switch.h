// SPDX-License-Identifier: Apache-2.0
// Which fault of those planted in a program is active (mutants.py): the compiler reads this before
// each source.
#pragma once

namespace warpint_mutants {

enum class Number : int {
}; // a type of its own: stores of limbs do not change it, as far as an optimiser knows

extern Number chosen;  // from the environment: none is 0; at -1 no fault is active, and those
                       // reached are noted
bool note(int number); // false

[[gnu::always_inline]] constexpr inline bool is(int number) {
    if (__builtin_is_constant_evaluated()) {
        return false;
    }
    return static_cast<int>(chosen) == number || (static_cast<int>(chosen) < 0 && note(number));
}

} // namespace warpint_mutants
