// SPDX-License-Identifier: Apache-2.0
// The law of batches, with shifts and bit counts as outer operations: see law_cases.h.
#include "law_cases.h"

TEST_CASE("law: shifts, mixed widths") {
    law::run_mixed_widths(law::Shifts{});
}
TEST_CASE("law: shifts, full widths") {
    law::run_full_widths(law::Shifts{});
}
TEST_CASE("law: shifts, constants") {
    law::run_constants(law::Shifts{});
}
