// SPDX-License-Identifier: Apache-2.0
// After all other law tests (doctest orders by file name): no pair of operations was forgotten.
#include "law_oracle.h"

TEST_CASE("law: every pair of operations was run") {
    using namespace law;
    MESSAGE("pairs of operations: ", pairs_run(), " of ", case_count * case_count,
            "; formulas: ", totals().formulas, "; elements: ", totals().elements,
            ", of which without a value: ", totals().elements_without_value);
    CHECK(totals().elements_without_value > 0);
    CHECK(pairs_run() == case_count * case_count);
}
