// SPDX-License-Identifier: Apache-2.0
// Modular powers of one 8-bit limb: everything. Apart from power_test.cpp to be optimised: it runs for long.

#include "power_cases.h"

#include <doctest/doctest.h>

namespace {

using namespace power_cases;
using test::limbs::Tally;

} // namespace

TEST_CASE("powers: every base, exponent and modulus of one limb") {
    Tally tally("powers, exhaustive");
    for (std::uint64_t m = 1; m < 256; ++m) {
        const Prepared<1> modulus(m);
        for (std::uint64_t a = 0; a < 256; ++a) {
            std::uint64_t expected = 1 % m; // a^e
            for (std::uint32_t e = 0; e < 256; ++e, expected = expected * a % m) {
                const std::array<std::uint32_t, 1> exponent{e};
                tally.equal(power<1, 4, PowerMethod::fixed_windows>(a, exponent, modulus), expected,
                            a, e, m);
                tally.equal(power<1, 4, PowerMethod::sliding_windows>(a, exponent, modulus),
                            expected, a, e, m);
                tally.equal(power_recoded<1, 4>(a, exponent, modulus), expected, a, e, m);
                if (m % 2 == 1) {
                    tally.equal(comb<1, 3>(a, exponent, modulus, 3), expected, a, e, m);
                }
            }
        }
    }
}
