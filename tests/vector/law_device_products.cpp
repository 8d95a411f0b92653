// SPDX-License-Identifier: Apache-2.0
// The law of batches on the device (products, quotients, remainders as outer operations): see
// law_cases.h.
#include "law_cases.h"

TEST_CASE("law on the device: products") {
    law::run_on_device(law::Products{});
}
TEST_CASE("law on the device: remainders") {
    law::run_on_device(law::Remainders{});
}
