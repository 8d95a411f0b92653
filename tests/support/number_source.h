// SPDX-License-Identifier: Apache-2.0
// A seeded source of random numbers that break arithmetic: plain draws, and numbers of a given
// width from the classes 1 to 4 that operands.h lists. It counts what it hands out of each class.
//
// The same seed gives the same numbers on every platform (only std::mt19937_64 is used, no standard
// distribution).
#pragma once

#include "integer.h"

#include <array>
#include <cstdint>
#include <random>

namespace test {

enum class OperandClass {
    uniform,
    runs,
    limbs,
    density,
    relation,
    modulus,
    exponent,
    division,
    gcd
};
inline constexpr int operand_class_count = 9;

/// `a`, or 1 in place of 0.
Integer at_least_one(const Integer &a);

/// The Fibonacci number F(index); index >= 0.
Integer fibonacci(int index);

class NumberSource {
public:
    explicit NumberSource(std::uint64_t seed);

    // ---- plain random values

    std::uint64_t word();
    /// Uniform in [0, bound); bound >= 1 (the bias of the remainder does not matter here).
    int below(int bound);
    bool one_in(int count) { return below(count) == 0; }

    /// Uniform bits: every value of `bits` bits is equally likely.
    Integer uniform_bits(int bits);

    // ---- numbers of `bits` bits, from classes 1 to 4 (and a few corner values)

    /// An unsigned number in [0, 2^bits).
    Integer number(int bits);

    /// A signed number in [-2^(bits-1), 2^(bits-1)); one in seven is at an end of the range, or
    /// next to 0.
    Integer signed_number(int bits);

    /// A Fibonacci index >= 1 whose number has at most about `bits` bits.
    int fibonacci_index(int bits);

    // ---- the classes, one function each

    /// Class 2: start from all ones and walk down from the top in chunks of 1..cap bits,
    /// alternately flipping a bit (which starts a run of zeros) and adding 2^i (which ends one).
    Integer runs(int bits);

    /// Class 3: per limb of `limb_bits` (8, 32 or 64) bits one of the values at which carries,
    /// signs and trial quotients change.
    Integer special_limbs(int bits, int limb_bits);

    /// Class 4: every bit is one with the same probability d/64, d drawn per number.
    Integer dense(int bits);

    /// Class 4: two limbs in a hundred are not zero, and mostly at least one.
    Integer sparse(int bits);

    /// Values at the ends of the range, at powers of two and at small numbers.
    Integer corner(int bits);

    // ---- how often each class was drawn

    /// Counts `a`, which is about to be handed out, as an operand of a class.
    Integer counted(OperandClass which, Integer a);

    /// How many operands of a class were handed out so far.
    std::uint64_t drawn(OperandClass which) const { return drawn_[std::size_t(which)]; }

private:
    /// `bits` bits from limbs of `limb_bits` (8, 32 or 64) bits each, the highest first.
    template <typename Make>
    static Integer from_limbs(int bits, int limb_bits, Make make);

    std::uint64_t special_limb(int limb_bits);

    std::mt19937_64 engine_;
    std::array<std::uint64_t, operand_class_count> drawn_{};
};

} // namespace test
