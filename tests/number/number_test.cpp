// SPDX-License-Identifier: Apache-2.0
// Every operation on plain numbers in batches, against GMP. Settings: batch/plan.h.

#include "elements.h"

#include "../batch/runner.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

namespace number_test {

std::vector<Case> &cases() {
    static std::vector<Case> all;
    return all;
}

namespace {

class Numbers : public batch_test::Subject {
public:
    const std::vector<const char *> &group_names() const override {
        return number_test::group_names;
    }
    std::string name(const Case &which) const override {
        return std::string(group_names()[static_cast<std::size_t>(which.group)]) + " of " +
               name_of(which.a()) + ", " + name_of(which.b());
    }

    int kind(const Case &which) const override {
        if (divides_by_b(group_of(which)))
            return 1;
        return group_of(which) == Group::functions ? 2 : 0;
    }
    double quick_count(const Case &which) const override {
        const double limbs = 1 + static_cast<double>(which.width) / 256;
        const Group group = group_of(which);
        const bool linear = group == Group::sums || group == Group::bits ||
                            group == Group::orders || group == Group::conversions;
        return std::max(12.0, 3000 / std::pow(limbs, linear ? 1.1 : 1.6));
    }
    std::uint64_t long_count(const Case &which) const override {
        return kind(which) == 0 ? 10000000 : 1000000;
    }
    std::uint64_t exhaustive_count(const Case &which) const override {
        return is_exhaustive(which) ? number_test::exhaustive_count(which) : 0;
    }
    Element exhaustive_element(const Case &which, std::uint64_t index) const override {
        return number_test::exhaustive_element(which, index);
    }

    /// Divisions by 0 throw on the host.
    bool allows(const Case &which, const Element &v, bool on_device) const override {
        return on_device || !divides_by_b(group_of(which)) || !v.b.is_zero();
    }
    Element draw(const Case &which, OperandSource &source, bool on_device) const override {
        Element v = random_element(which, source);
        if (divides_by_b(group_of(which)) && v.b.is_zero())
            v.b = kept(1, which.b());
        if (divides_by_b(group_of(which)) && on_device && source.one_in(64))
            v.b = Integer(0);
        return v;
    }
    std::string describe(const Case &, const Element &v) const override {
        const Parameters &p = v.parameters;
        return "shift " + std::to_string(p.shift) + ", position " + std::to_string(p.position) +
               ", count " + std::to_string(p.count) + ", carry " + std::to_string(p.carry);
    }

    void check(Checker &out, const Case &which, const Element &v) const override {
        check_record(out, which, v);
    }
};

} // namespace

TEST_CASE("every operation on numbers of many widths, against GMP") {
    batch_test::run_cases(cases(), Numbers());
}

} // namespace number_test
