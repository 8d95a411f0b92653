// SPDX-License-Identifier: Apache-2.0
// Modular arithmetic and number theory in batches, against GMP. Settings: batch/plan.h.

#include "groups.h"

#include "../../batch/runner.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

namespace modular_test {

std::vector<Case> &cases() {
    static std::vector<Case> all;
    return all;
}

namespace {

/// How much an element costs, by its group and the limbs it has.
enum class Cost { products, powers, searches };

Cost cost_of(Group group) {
    switch (group) {
    case Group::powers:
    case Group::fixed_bases:
    case Group::static_powers:
    case Group::constant_time_powers:
    case Group::roots:
    case Group::primes:
    case Group::safe_primes:
        return Cost::powers;
    case Group::next_primes:
    case Group::next_safe_primes:
    case Group::random_primes:
    case Group::random_safe_primes:
        return Cost::searches;
    default:
        return Cost::products;
    }
}

class ModularTests : public batch_test::Subject {
public:
    const std::vector<const char *> &group_names() const override {
        static const std::vector<const char *> names = {"sums",
                                                        "products",
                                                        "mixed operands",
                                                        "functions",
                                                        "inverses",
                                                        "quotients",
                                                        "all inverses",
                                                        "addition chains",
                                                        "static residues",
                                                        "static powers",
                                                        "powers",
                                                        "fixed bases",
                                                        "Montgomery",
                                                        "constant time",
                                                        "ct powers",
                                                        "gcd and lcm",
                                                        "Bezout",
                                                        "symbols",
                                                        "roots",
                                                        "congruences",
                                                        "primes",
                                                        "safe primes",
                                                        "next primes",
                                                        "next safe primes",
                                                        "random primes",
                                                        "random safe primes",
                                                        "sums of products"};
        return names;
    }
    std::string name(const Case &which) const override {
        std::string text = group_names()[static_cast<std::size_t>(which.group)];
        if (which.detail != 0)
            text.append(" (").append(std::to_string(which.detail)).append(")");
        text += " of";
        for (int i = 0; i < which.operand_count; ++i)
            text.append(" ").append(batch_test::name_of(which.types[static_cast<std::size_t>(i)]));
        return text;
    }

    int kind(const Case &which) const override {
        switch (group_of(which)) {
        case Group::sums:
        case Group::products:
        case Group::mixed_operands:
        case Group::functions:
        case Group::sums_of_products:
            return -1;
        default:
            return which.group;
        }
    }
    double quick_count(const Case &which) const override {
        const double limbs = 1 + static_cast<double>(which.width) / 256;
        switch (cost_of(group_of(which))) {
        case Cost::products:
            return std::max(12.0, 4000 / std::pow(limbs, 1.6));
        case Cost::powers:
            return std::max(4.0, 3000 / std::pow(limbs, 2.4));
        default:
            return std::max(3.0, 600 / std::pow(limbs, 3.2));
        }
    }
    std::uint64_t long_count(const Case &which) const override {
        switch (cost_of(group_of(which))) {
        case Cost::products:
            return 1000000;
        case Cost::powers:
            return which.width <= 512 ? 1000000 : which.width <= 2048 ? 100000 : 10000;
        default:
            return which.width <= 64 ? 100000 : which.width <= 256 ? 10000 : 1000;
        }
    }

    bool allows(const Case &which, const Element &v, bool on_device) const override {
        return modular_test::allows(which, v, on_device);
    }
    Element draw(const Case &which, test::OperandSource &source, bool on_device) const override {
        return random_element(which, source, on_device);
    }
    std::string describe(const Case &, const Element &v) const override {
        return "built-in exponent " + std::to_string(v.parameters.position) + ", condition " +
               std::to_string(v.parameters.carry);
    }
    void check(Checker &out, const Case &which, const Element &v) const override {
        check_record(out, which, v);
    }
};

} // namespace

TEST_CASE("modular arithmetic and number theory of many widths, against GMP") {
    batch_test::run_cases(cases(), ModularTests());
}

} // namespace modular_test
