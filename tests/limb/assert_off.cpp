// SPDX-License-Identifier: Apache-2.0
// The other half of assert_program.cpp: assertions are off here, as they are by default, and their
// conditions are not evaluated.

#undef WARPINT_ASSERTIONS
#include <warpint/limb/assert.h>

void fail_where_assertions_are_off();
void fail_where_assertions_are_off() {
    int evaluated = 0;
    const auto fails = [&evaluated] {
        ++evaluated;
        return false;
    };
    WARPINT_ASSERT(fails());
    WARPINT_ASSERT(evaluated != 0);
}
