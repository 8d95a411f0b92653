// SPDX-License-Identifier: Apache-2.0
#include "soak/shapes.h"

TEST_CASE("soak: one wide result, however it is computed") {
    soak::try_shapes<2048>(soak::seconds() > 0 ? 40'000 : 500);
}
