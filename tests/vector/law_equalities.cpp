// SPDX-License-Identifier: Apache-2.0
// The law of batches, with comparisons as outer operations: see law_cases.h.
#include "law_cases.h"

TEST_CASE("law: equalities, mixed widths") {
    law::run_mixed_widths(law::Equalities{});
}
TEST_CASE("law: equalities, full widths") {
    law::run_full_widths(law::Equalities{});
}
TEST_CASE("law: equalities, constants") {
    law::run_constants(law::Equalities{});
}
