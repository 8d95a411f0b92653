// SPDX-License-Identifier: Apache-2.0
// Properties: a check that must hold for all operands, run over many operands of an
// OperandSource. A failure is shrunk to small operands and reported with its seed.
//
// Environment: WARPINT_TEST_SEED (decimal or 0x...) reproduces or varies a run,
// WARPINT_TEST_SCALE (a positive factor, default 1) multiplies every count.
#pragma once

#include "operands.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <cstdlib>
#include <exception>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

namespace test {

/// The seed of this run.
inline std::uint64_t run_seed() {
    static const std::uint64_t seed = [] {
        const char *text = std::getenv("WARPINT_TEST_SEED");
        return text != nullptr ? std::strtoull(text, nullptr, 0) : 20240229ull;
    }();
    return seed;
}

/// `count` multiplied by the scale of this run; at least 1.
inline long scaled(long count) {
    static const double scale = [] {
        const char *text = std::getenv("WARPINT_TEST_SCALE");
        const double value = text != nullptr ? std::strtod(text, nullptr) : 1.0;
        return value > 0 ? value : 1.0;
    }();
    const double result = static_cast<double>(count) * scale;
    return result < 1 ? 1 : static_cast<long>(result);
}

/// The seed of one property: depends on the run's seed, the property's name and its width, so that
/// a failure does not depend on which other tests ran.
inline std::uint64_t property_seed(const std::string &name, int bits) {
    std::uint64_t hash = 0xcbf29ce484222325u ^ (run_seed() * 0x9e3779b97f4a7c15u);
    for (unsigned char c : name + "/" + std::to_string(bits)) {
        hash = (hash ^ c) * 0x100000001b3u;
    }
    return hash;
}

/// Collects the comparisons of one run of a property; remembers the first that failed.
class Verdict {
public:
    void equal(const char *what, const Integer &got, const Integer &expected) {
        ++comparisons_;
        if (got != expected && message_.empty()) {
            std::ostringstream text;
            text << what << ": got " << got << ", expected " << expected;
            message_ = text.str();
        }
    }
    void is_true(const char *what, bool condition) {
        ++comparisons_;
        if (!condition && message_.empty()) {
            message_ = std::string(what) + ": does not hold";
        }
    }
    void fail(const std::string &message) {
        if (message_.empty()) {
            message_ = message;
        }
    }
    bool failed() const { return !message_.empty(); }
    const std::string &message() const { return message_; }
    std::uint64_t comparisons() const { return comparisons_; }

private:
    std::string message_;
    std::uint64_t comparisons_ = 0;
};

using Operands = std::vector<Integer>;
/// Draws the operands of one run.
using Draw = std::function<Operands(OperandSource &)>;
/// Checks one run. Must accept any operands in the ranges it was given, also shrunk ones: return
/// early where they do not meet a precondition (a divisor of 0, say).
using Property = std::function<void(Verdict &, const Operands &)>;

inline Verdict judge(const Property &property, const Operands &operands) {
    Verdict verdict;
    try {
        property(verdict, operands);
    } catch (const std::exception &error) {
        verdict.fail(std::string("unexpected exception: ") + error.what());
    }
    return verdict;
}

/// Smaller operands that still fail: clears 32-bit limbs and bits and halves numbers, as long as
/// that helps.
inline Operands shrink(const Property &property, Operands operands) {
    bool progress = true;
    for (int budget = 4000; progress && budget > 0;) {
        progress = false;
        for (std::size_t i = 0; i < operands.size(); ++i) {
            const Integer original = operands[i];
            const Integer magnitude = abs(original);
            const int bits = magnitude.bit_width();
            std::vector<Integer> smaller = {Integer(0), Integer(1), magnitude >> 32,
                                            magnitude >> 1};
            for (int limb = 0; limb < bits; limb += 32) {
                smaller.push_back(magnitude & ~(all_ones(32) << std::size_t(limb)));
            }
            for (int bit = bits - 1; bit >= 0 && bit >= bits - 64; --bit) {
                smaller.push_back(magnitude & ~power_of_two(bit));
            }
            for (const Integer &candidate : smaller) {
                if (candidate >= magnitude || --budget <= 0) {
                    continue;
                }
                operands[i] = original.sign() < 0 ? -candidate : candidate;
                if (judge(property, operands).failed()) {
                    progress = true;
                    break;
                }
                operands[i] = original;
            }
        }
    }
    return operands;
}

/// Runs `property` on scaled(count) draws. `bits` names the width in messages and seeds.
inline void check_property(const std::string &name, int bits, long count, const Draw &draw,
                           const Property &property) {
    OperandSource source(property_seed(name, bits));
    std::uint64_t comparisons = 0;
    for (long run = 0, runs = scaled(count); run < runs; ++run) {
        Operands operands = draw(source);
        Verdict verdict = judge(property, operands);
        comparisons += verdict.comparisons();
        if (verdict.failed()) {
            const std::string first = verdict.message();
            operands = shrink(property, operands);
            std::ostringstream text;
            text << name << " at " << bits << " bits, run " << run
                 << ", WARPINT_TEST_SEED=" << run_seed() << "\n  "
                 << judge(property, operands).message();
            for (const Integer &operand : operands) {
                text << "\n  operand " << operand;
            }
            text << "\n  before shrinking: " << first.substr(0, 400);
            FAIL_CHECK(text.str());
            return;
        }
    }
    INFO(name, " at ", bits, " bits compared nothing");
    CHECK(comparisons > 0);
}

} // namespace test
