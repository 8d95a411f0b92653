// SPDX-License-Identifier: Apache-2.0
// Modular powers of one 8-bit limb: everything. Apart from power_test.cpp to be optimised: it runs
// for long.

#include "power_cases.h"

#include <doctest/doctest.h>

#include <optional>
#include <vector>

namespace {

using namespace power_cases;
using test::limbs::Tally;

} // namespace

TEST_CASE("powers: every base, exponent and modulus of one limb") {
    Tally tally("powers, exhaustive");
    using Exponent = std::array<std::uint32_t, 1>;
    std::vector<warpint::arith::PowerSchedule<32>> schedules;
    for (std::uint32_t e = 0; e < 256; ++e)
        schedules.push_back(warpint::arith::make_schedule<32>(&e, 4));
    for (std::uint64_t m = 1; m < 256; ++m) {
        const Prepared<1> modulus(m);
        for (std::uint64_t a = 0; a < 256; ++a) {
            std::optional<Comb<1, 3>> comb;
            const int tables = 1 + static_cast<int>(a % 3);
            if (m % 2 == 1)
                comb.emplace(a, modulus, tables, 4 - tables); // of 9 or 12 bits
            std::uint64_t expected = 1 % m;                   // a^e
            for (std::uint32_t e = 0; e < 256; ++e, expected = expected * a % m) {
                const Exponent exponent{e};
                tally.equal(power<1, 4, PowerMethod::fixed_windows>(a, exponent, modulus), expected,
                            a, e, m);
                tally.equal(power<1, 4, PowerMethod::sliding_windows>(a, exponent, modulus),
                            expected, a, e, m);
                tally.equal(power_scheduled<1, 4>(a, exponent, schedules[e], modulus), expected, a,
                            e, m);
                if (comb)
                    tally.equal(comb->power(exponent), expected, a, e, m);
            }
        }
    }
}
