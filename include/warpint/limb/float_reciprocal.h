// SPDX-License-Identifier: Apache-2.0
// The reciprocal of a float as a start for Newton's iteration.
#pragma once

#include "config.h"

namespace warpint::limb {

// 1 / x with a relative error of at most 2^-23, for x and 1 / x in the normal range. A GPU takes
// one instruction, without the subroutine that makes a division exact. Constant time.
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE float float_reciprocal(float x) {
#if WARPINT_DEVICE_PASS
    if (!__builtin_is_constant_evaluated()) {
        float r;
        asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x));
        return r;
    }
#endif
    return 1.0f / x;
}

} // namespace warpint::limb
