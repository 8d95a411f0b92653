// SPDX-License-Identifier: Apache-2.0
// The law of batches, with sums as outer operations: see law_cases.h.
#include "law_cases.h"

TEST_CASE("law: sums, mixed widths") {
    law::run_mixed_widths(law::Sums{});
}
TEST_CASE("law: sums, full widths") {
    law::run_full_widths(law::Sums{});
}
TEST_CASE("law: sums, constants") {
    law::run_constants(law::Sums{});
}
