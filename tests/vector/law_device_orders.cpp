// SPDX-License-Identifier: Apache-2.0
// The law of batches on the device (comparisons, powers as outer operations): see law_cases.h.
#include "law_cases.h"

TEST_CASE("law on the device: comparisons") {
    law::run_on_device(law::Orders{});
}
TEST_CASE("law on the device: powers") {
    law::run_on_device(law::Powers{});
}
