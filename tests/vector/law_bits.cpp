// SPDX-License-Identifier: Apache-2.0
// The law of batches, with bitwise operators as outer operations: see law_cases.h.
#include "law_cases.h"

TEST_CASE("law: bits, mixed widths") {
    law::run_mixed_widths(law::Bits{});
}
TEST_CASE("law: bits, full widths") {
    law::run_full_widths(law::Bits{});
}
TEST_CASE("law: bits, constants") {
    law::run_constants(law::Bits{});
}
