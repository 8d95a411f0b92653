// SPDX-License-Identifier: Apache-2.0
// The law of batches, with the other comparisons as outer operations: see law_cases.h.
#include "law_cases.h"

TEST_CASE("law: orders, mixed widths") {
    law::run_mixed_widths(law::Orders{});
}
TEST_CASE("law: orders, full widths") {
    law::run_full_widths(law::Orders{});
}
TEST_CASE("law: orders, constants") {
    law::run_constants(law::Orders{});
}
