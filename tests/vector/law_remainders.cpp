// SPDX-License-Identifier: Apache-2.0
// The law of batches, with remainders and wrapping powers as outer operations: see law_cases.h.
#include "law_cases.h"

TEST_CASE("law: remainders, mixed widths") {
    law::run_mixed_widths(law::Remainders{});
}
TEST_CASE("law: remainders, full widths") {
    law::run_full_widths(law::Remainders{});
}
TEST_CASE("law: remainders, constants") {
    law::run_constants(law::Remainders{});
}
