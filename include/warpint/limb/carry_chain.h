// SPDX-License-Identifier: Apache-2.0
// A carry chain of sums and products, link by link, for chains that are not one plain row
// (chain.h): on a GPU with 32-bit limbs the carry is the machine's flag, elsewhere a member.
#pragma once

#include "chain.h"

namespace warpint::limb {

// Begins with a link whose `first` is true, or with begin(); ends with a link that does not leave a
// carry. Nothing that touches the carry flag may stand between the links. Constant time.
template <class Limb>
struct CarryChain : ProductChain<Limb> {
    // Begins the chain with this carry (0 or 1).
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void begin(Limb carry_in) {
#if WARPINT_DEVICE_PASS
        if constexpr (sizeof(Limb) == 4) {
            if (use_ptx()) {
                ptx::set_carry(carry_in);
                return;
            }
        }
#endif
        this->carry = carry_in;
    }
    // The low limb of a + b, plus the carry unless it is the first link; leaves its own.
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE Limb add(Limb a, Limb b, bool first) {
#if WARPINT_DEVICE_PASS
        if constexpr (sizeof(Limb) == 4) {
            if (use_ptx())
                return first ? ptx::add_cc(a, b) : ptx::addc_cc(a, b);
        }
#endif
        if (first)
            this->carry = 0;
        return add_carry(a, b, this->carry);
    }
    // The low limb of a + b + the carry; ends the chain.
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE Limb end(Limb a, Limb b = 0) {
#if WARPINT_DEVICE_PASS
        if constexpr (sizeof(Limb) == 4) {
            if (use_ptx())
                return ptx::addc(a, b);
        }
#endif
        return static_cast<Limb>(a + b + this->carry);
    }
};

} // namespace warpint::limb
