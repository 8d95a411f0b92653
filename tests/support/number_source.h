// SPDX-License-Identifier: Apache-2.0
// A seeded source of random numbers that break arithmetic: plain draws, and numbers of a given
// width from the classes 1 to 4 that operands.h lists. It counts what it hands out of each class.
//
// The same seed gives the same numbers on every platform (only std::mt19937_64 is used, no standard
// distribution).
#pragma once

#include "integer.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

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
inline Integer at_least_one(const Integer &a) {
    return a.is_zero() ? Integer(1) : a;
}

/// The Fibonacci number F(index); index >= 0.
inline Integer fibonacci(int index) {
    Integer f;
    mpz_fib_ui(f.raw(), static_cast<unsigned long>(index));
    return f;
}

class NumberSource {
public:
    explicit NumberSource(std::uint64_t seed) : engine_(seed) {}

    // ---- plain random values

    std::uint64_t word() { return engine_(); }
    /// Uniform in [0, bound); bound >= 1 (the bias of the remainder does not matter here).
    int below(int bound) { return static_cast<int>(word() % static_cast<std::uint64_t>(bound)); }
    bool one_in(int count) { return below(count) == 0; }

    /// Uniform bits: every value of `bits` bits is equally likely.
    Integer uniform_bits(int bits) {
        return from_limbs(bits, 64, [&](int) { return word(); });
    }

    // ---- numbers of `bits` bits, from classes 1 to 4 (and a few corner values)

    /// An unsigned number in [0, 2^bits).
    Integer number(int bits) {
        switch (below(10)) {
        case 0:
            return counted(OperandClass::uniform, uniform_bits(bits));
        case 1:
            return counted(OperandClass::uniform, uniform_bits(below(bits + 1)));
        case 2:
        case 3:
            return counted(OperandClass::runs, runs(bits));
        case 4:
            return counted(OperandClass::limbs, special_limbs(bits, 32));
        case 5:
            return counted(OperandClass::limbs, special_limbs(bits, 64));
        case 6:
            return counted(OperandClass::density, dense(bits));
        case 7:
            return counted(OperandClass::density, sparse(bits));
        case 8:
            return counted(OperandClass::modulus, corner(bits));
        default:
            return counted(OperandClass::gcd,
                           store_unsigned(fibonacci(fibonacci_index(bits)), bits));
        }
    }

    /// A signed number in [-2^(bits-1), 2^(bits-1)); one in seven is at an end of the range, or
    /// next to 0.
    Integer signed_number(int bits) {
        if (one_in(7)) {
            const Integer minimum = -power_of_two(bits - 1);
            switch (below(6)) {
            case 0:
                return minimum;
            case 1:
                return -minimum - 1;
            case 2:
                return Integer(-1);
            case 3:
                return Integer(0);
            case 4:
                return store_signed(minimum + 1, bits);
            default:
                return store_signed(Integer(1), bits);
            }
        }
        // Small magnitudes of both signs as well as every bit pattern of the whole width.
        if (one_in(3)) {
            return store_signed(-number(1 + below(bits)), bits);
        }
        return store_signed(number(bits), bits);
    }

    /// A Fibonacci index >= 1 whose number has at most about `bits` bits.
    int fibonacci_index(int bits) {
        return 1 + below(std::max(1, static_cast<int>(bits / 0.6943)));
    }

    // ---- the classes, one function each

    /// Class 2: start from all ones and walk down from the top in chunks of 1..cap bits,
    /// alternately flipping a bit (which starts a run of zeros) and adding 2^i (which ends one).
    Integer runs(int bits) {
        Integer x = all_ones(bits);
        const int cap = std::max(1, bits / (1 + below(4)));
        bool flip = true;
        for (int i = bits - 1 - below(cap); i >= 0; i -= 1 + below(cap), flip = !flip) {
            if (flip) {
                mpz_combit(x.raw(), static_cast<mp_bitcnt_t>(i));
            } else {
                x += power_of_two(i);
            }
        }
        return store_unsigned(x, bits);
    }

    /// Class 3: per limb of `limb_bits` (8, 32 or 64) bits one of the values at which carries,
    /// signs and trial quotients change.
    Integer special_limbs(int bits, int limb_bits) {
        return from_limbs(bits, limb_bits, [&](int) { return special_limb(limb_bits); });
    }

    /// Class 4: every bit is one with the same probability d/64, d drawn per number.
    Integer dense(int bits) {
        const int density = below(65);
        return from_limbs(bits, 64, [&](int) {
            if (density == 64) {
                return ~std::uint64_t(0);
            }
            // After step i each bit is one with probability (density mod 2^(i+1)) / 2^(i+1).
            std::uint64_t ones = 0;
            for (int i = 0; i < 6; ++i) {
                ones = (density >> i) & 1 ? (ones | word()) : (ones & word());
            }
            return ones;
        });
    }

    /// Class 4: two limbs in a hundred are not zero, and mostly at least one.
    Integer sparse(int bits) {
        const int limbs = (bits + 31) / 32;
        Integer x;
        for (int i = 0; i < limbs; ++i) {
            x = x << 32;
            if (one_in(50)) {
                x += Integer(word() & 0xffffffffu);
            }
        }
        if (x.is_zero() && !one_in(8)) {
            x = Integer((word() & 0xffffffffu) | 1) << std::size_t(32 * below(limbs));
        }
        return store_unsigned(x, bits);
    }

    /// Values at the ends of the range, at powers of two and at small numbers.
    Integer corner(int bits) {
        switch (below(8)) {
        case 0:
            return Integer(0);
        case 1:
            return store_unsigned(Integer(1 + below(4)), bits);
        case 2:
            return all_ones(bits);
        case 3:
            return all_ones(bits) - store_unsigned(Integer(1 + below(3)), bits);
        case 4:
            return power_of_two(bits - 1);
        case 5:
            return store_unsigned(power_of_two(below(bits)) + 1, bits);
        case 6:
            return power_of_two(below(bits)) - 1;
        default:
            return power_of_two(below(bits));
        }
    }

    // ---- how often each class was drawn

    /// Counts `a`, which is about to be handed out, as an operand of a class.
    Integer counted(OperandClass which, Integer a) {
        ++drawn_[std::size_t(which)];
        return a;
    }

    /// How many operands of a class were handed out so far.
    std::uint64_t drawn(OperandClass which) const { return drawn_[std::size_t(which)]; }

private:
    /// `bits` bits from limbs of `limb_bits` (8, 32 or 64) bits each, the highest first.
    template <typename Make>
    static Integer from_limbs(int bits, int limb_bits, Make make) {
        std::vector<std::uint64_t> words(std::size_t(bits + 63) / 64 + 1);
        auto *const bytes = reinterpret_cast<unsigned char *>(words.data());
        const int limb_size = limb_bits / 8;
        const int count = (bits + limb_bits - 1) / limb_bits;
        for (int i = 0; i < count; ++i) {
            const std::uint64_t limb = make(i);
            std::memcpy(bytes + std::size_t(count - 1 - i) * std::size_t(limb_size), &limb,
                        std::size_t(limb_size));
        }
        Integer x;
        mpz_import(x.raw(), words.size(), -1, sizeof(std::uint64_t), 0, 0, words.data());
        return store_unsigned(x, bits);
    }

    std::uint64_t special_limb(int limb_bits) {
        const std::uint64_t ones = ~std::uint64_t(0) >> (64 - limb_bits);
        const std::uint64_t power = std::uint64_t(1) << below(limb_bits);
        switch (below(9)) {
        case 0:
            return 0;
        case 1:
            return 1;
        case 2:
            return power - 1;
        case 3:
            return power;
        case 4:
            return (power + 1) & ones;
        case 5:
            return ones;
        case 6:
            return ones - 1;
        case 7:
            return ones >> 1;
        default:
            return (ones >> 1) + 1;
        }
    }

    std::mt19937_64 engine_;
    std::array<std::uint64_t, operand_class_count> drawn_{};
};

} // namespace test
