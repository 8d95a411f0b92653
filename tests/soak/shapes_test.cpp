// SPDX-License-Identifier: Apache-2.0
#include "soak/shapes.h"

TEST_CASE("soak: one result, however it is computed") {
    const bool is_long = soak::seconds() > 0;
    soak::try_shapes<96>(is_long ? 200'000 : 1'000);
    soak::try_shapes<512>(is_long ? 100'000 : 1'000);
}
