// SPDX-License-Identifier: Apache-2.0
// The law of batches on the device (sums and bitwise operators as outer operations): see
// law_cases.h.
#include "law_cases.h"

TEST_CASE("law on the device: sums") {
    law::run_on_device(law::Sums{});
}
TEST_CASE("law on the device: bitwise operators") {
    law::run_on_device(law::Bits{});
}
