// SPDX-License-Identifier: Apache-2.0
// The law of batches on the device (shifts, bit counts, comparisons as outer operations): see
// law_cases.h.
#include "law_cases.h"

TEST_CASE("law on the device: shifts") {
    law::run_on_device(law::Shifts{});
}
TEST_CASE("law on the device: comparisons") {
    law::run_on_device(law::Equalities{});
}
