// SPDX-License-Identifier: Apache-2.0
// The law of batches, with products and quotients as outer operations: see law_cases.h.
#include "law_cases.h"

TEST_CASE("law: products, mixed widths") {
    law::run_mixed_widths(law::Products{});
}
TEST_CASE("law: products, full widths") {
    law::run_full_widths(law::Products{});
}
TEST_CASE("law: products, constants") {
    law::run_constants(law::Products{});
}
