// SPDX-License-Identifier: Apache-2.0
// The carry chain of a Montgomery row: products on two accumulators of alternate limbs (chain.h)
// that begins with the addition of two limbs.
#pragma once

#include "chain.h"

namespace warpint::limb {

// A ProductChain that may begin with a sum: add, then add_low, add_high, ..., then end.
template <class Limb>
struct RowChain : ProductChain<Limb> {
    // The low limb of a + b; begins the chain.
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE Limb add(Limb a, Limb b) {
#if WARPINT_DEVICE_PASS
        if constexpr (sizeof(Limb) == 4) {
            if (use_ptx())
                return ptx::add_cc(a, b);
        }
#endif
        this->carry = 0;
        return add_carry(a, b, this->carry);
    }
};

} // namespace warpint::limb
