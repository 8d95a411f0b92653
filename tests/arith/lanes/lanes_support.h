// SPDX-License-Identifier: Apache-2.0
// Numbers over the lanes of a host group, to and from the oracle's integers, and operands for them.
#pragma once

#include "support/property.h"

#include <warpint/arith/lanes/modular.h>

#include <doctest/doctest.h>

#include <cstdint>
#include <string>

namespace test::lanes {

/// L lanes of K limbs, of which numbers use the lowest N.
template <class LimbType, int L, int K, int N = L * K>
struct Shape {
    using Limb = LimbType;
    using Group = warpint::lanes::HostGroup<L, Limb>;
    using Word = typename Group::word;
    static constexpr int lane_count = L;
    static constexpr int words = K;
    static constexpr int limbs = N;
    static constexpr int limb_bits = static_cast<int>(sizeof(Limb) * 8);
    static constexpr int bits = N * limb_bits;
    static constexpr int capacity = L * K * limb_bits; // bits that the lanes hold

    static std::string name() {
        return std::to_string(L) + " lanes of " + std::to_string(K) + " " +
               std::to_string(limb_bits) + "-bit limbs";
    }
};

/// K words a lane, loaded from an integer below 2^capacity.
template <class S, int K>
struct Number {
    typename S::Word words[K];

    explicit Number(const Integer &value = 0) {
        Limb memory[count]{};
        mpz_export(memory, nullptr, -1, sizeof(Limb), 0, 0, value.raw());
        warpint::lanes::load<K, count>(typename S::Group{}, words, memory);
    }
    Integer value() const {
        Limb memory[count];
        warpint::lanes::store<K, count>(typename S::Group{}, memory, words);
        Integer result;
        mpz_import(result.raw(), count, -1, sizeof(Limb), 0, 0, memory);
        return result;
    }

private:
    using Limb = typename S::Limb;
    static constexpr int count = K * S::lane_count;
};

/// Counts what was wrong, and remembers the first.
class Wrong {
public:
    explicit Wrong(std::string where) : where_{std::move(where)} {}
    ~Wrong() {
        INFO(where_, ": ", first_);
        CHECK(count_ == 0);
        CHECK(compared_ > 0);
    }
    Wrong(const Wrong &) = delete;
    Wrong &operator=(const Wrong &) = delete;
    void equal(const char *what, const Integer &got, const Integer &expected) {
        ++compared_;
        if (got == expected)
            return;
        if (count_++ == 0)
            first_ =
                std::string(what) + " is " + got.to_string(16) + ", not " + expected.to_string(16);
    }

private:
    std::string where_;
    std::string first_;
    long count_ = 0;
    long compared_ = 0;
};

/// Numbers whose limbs are such that carries run far, beside those of the operand classes, which
/// think in 32- and 64-bit limbs.
template <class S>
Integer operand(OperandSource &source, int bits = S::bits) {
    if (source.one_in(2))
        return source.number(bits);
    Integer result;
    for (int i = 0; i < bits / S::limb_bits; ++i) {
        const Integer ones = all_ones(S::limb_bits);
        const int kind = source.below(4);
        result = (result << S::limb_bits) + (kind == 0   ? Integer(0)
                                             : kind == 1 ? ones
                                             : kind == 2 ? Integer(source.below(3))
                                                         : source.uniform_bits(S::limb_bits));
    }
    return result;
}

} // namespace test::lanes
