// SPDX-License-Identifier: Apache-2.0
// Products modulo m by folding: every product of one 8-bit limb, every modulus of two. Compiled
// optimised, for there are millions.

#include "fold_cases.h"

#include <doctest/doctest.h>

using namespace fold_cases;

TEST_CASE("every product modulo m of one limb of 8 bits") {
    Tally tally("products modulo m, one limb of 8 bits");
    for (std::uint64_t m = 1; m < 256; ++m) {
        for (std::uint64_t a = 0; a < 256; ++a) {
            for (std::uint64_t b = 0; b < 256; ++b)
                tally.equal(folded<1, FoldTerm::none>(a, b, 0, 0, m), a * b % m, a, b, m);
        }
    }
}

TEST_CASE("every modulus of two limbs of 8 bits") {
    Tally tally("products modulo m, two limbs of 8 bits");
    Source source("moduli");
    for (std::uint64_t m = 1; m < 65536; ++m) {
        check_forms<2>(tally, 0xffff, 0xffff, 0xffff, 0xffff, m);
        check_forms<2>(tally, 0, 0xffff, m, 0xffff, m);
        check_forms<2>(tally, m - 1, m - 1, m - 1, m, m);
        for (int i = 0; i < 4; ++i)
            check_forms<2>(tally, source.number(2), source.number(2), source.number(2),
                           source.number(2), m);
    }
}
