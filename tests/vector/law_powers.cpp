// SPDX-License-Identifier: Apache-2.0
// The law of batches, with pow(a, e, m) as outer operation, and with a Modulus as the last operand:
// see law_cases.h.
#include "law_cases.h"

TEST_CASE("law: powers, mixed widths") {
    law::run_mixed_widths(law::Powers{});
}
TEST_CASE("law: powers, full widths") {
    law::run_full_widths(law::Powers{});
}
TEST_CASE("law: powers, constants") {
    law::run_constants(law::Powers{});
}
TEST_CASE("law: a Modulus") {
    law::run_modulus(law::AllCases{});
}
