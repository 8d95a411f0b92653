// SPDX-License-Identifier: Apache-2.0
// Montgomery products of one 8-bit limb: all of them. Compiled optimised, for there are millions.

#include "montgomery_cases.h"

#include <doctest/doctest.h>

using namespace montgomery_cases;

TEST_CASE("Montgomery: every a, b and odd m of one limb") {
    Tally tally("Montgomery, exhaustive");
    for (std::uint64_t m = 1; m < 256; m += 2) {
        const std::uint64_t inverse = inverse_of_r(1, m);
        for (std::uint64_t b = 0; b < 256; ++b) {
            for (std::uint64_t a = 0; a < 256 && a * b < m * 256; ++a) {
                check_montgomery<1>(tally, a, b, m, inverse);
            }
        }
        for (std::uint64_t a = 0; a < 256; ++a) {
            for (std::uint64_t b = 0; b < 256; ++b) {
                check_whole<1>(tally, a, b, m, inverse);
            }
        }
    }
}
