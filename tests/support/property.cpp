// SPDX-License-Identifier: Apache-2.0
#include "property.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <exception>
#include <sstream>

namespace test {

std::uint64_t run_seed() {
    static const std::uint64_t seed = [] {
        const char *text = std::getenv("WARPINT_TEST_SEED");
        return text != nullptr ? std::strtoull(text, nullptr, 0) : 20240229ull;
    }();
    return seed;
}

long scaled(long count) {
    static const double scale = [] {
        const char *text = std::getenv("WARPINT_TEST_SCALE");
        const double value = text != nullptr ? std::strtod(text, nullptr) : 1.0;
        return value > 0 ? value : 1.0;
    }();
    const double result = static_cast<double>(count) * scale;
    return result < 1 ? 1 : static_cast<long>(result);
}

std::uint64_t property_seed(const std::string &name, int bits) {
    std::uint64_t hash = 0xcbf29ce484222325u ^ (run_seed() * 0x9e3779b97f4a7c15u);
    for (unsigned char c : name + "/" + std::to_string(bits)) {
        hash = (hash ^ c) * 0x100000001b3u;
    }
    return hash;
}

void Verdict::equal(const char *what, const Integer &got, const Integer &expected) {
    ++comparisons_;
    if (got != expected && message_.empty()) {
        std::ostringstream text;
        text << what << ": got " << got << ", expected " << expected;
        message_ = text.str();
    }
}

void Verdict::is_true(const char *what, bool condition) {
    ++comparisons_;
    if (!condition && message_.empty()) {
        message_ = std::string(what) + ": does not hold";
    }
}

void Verdict::fail(const std::string &message) {
    if (message_.empty()) {
        message_ = message;
    }
}

Verdict judge(const Property &property, const Operands &operands) {
    Verdict verdict;
    try {
        property(verdict, operands);
    } catch (const std::exception &error) {
        verdict.fail(std::string("unexpected exception: ") + error.what());
    }
    return verdict;
}

Operands shrink(const Property &property, Operands operands) {
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

void check_property(const std::string &name, int bits, long count, const Draw &draw,
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

void expect(const Verdict &verdict, const std::string &what) {
    INFO(what, ": ", verdict.message());
    CHECK_FALSE(verdict.failed());
    CHECK(verdict.comparisons() > 0);
}

} // namespace test
