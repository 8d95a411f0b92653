// SPDX-License-Identifier: Apache-2.0
// The correction of a quotient digit that is made one of two times, in a form that no compiler
// turns into a branch (which would be mispredicted as often). Constant time.
#pragma once

#include "barrier.h"

namespace warpint::limb {

// Where r1 < limit, q becomes q + 1; elsewhere (r1, r0) becomes (other1, other0).
template <class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void
raise_quotient_if_less(Limb &q, Limb &r1, Limb &r0, Limb limit, Limb other1, Limb other0) {
#if WARPINT_X86_64
    if constexpr (sizeof(Limb) == 8) {
        if (!__builtin_is_constant_evaluated()) {
            asm("cmpq %[limit], %[r1]\n\t"
                "cmovaeq %[other1], %[r1]\n\t"
                "cmovaeq %[other0], %[r0]\n\t"
                "adcq $0, %[q]"
                : [q] "+&r"(q), [r1] "+&r"(r1), [r0] "+&r"(r0)
                : [limit] "r"(limit), [other1] "r"(other1), [other0] "r"(other0)
                : "cc");
            return;
        }
    }
#endif
    const Limb keep = value_barrier(static_cast<Limb>(Limb{0} - static_cast<Limb>(r1 < limit)));
    q = static_cast<Limb>(q - keep);
    r1 = static_cast<Limb>(other1 ^ ((other1 ^ r1) & keep));
    r0 = static_cast<Limb>(other0 ^ ((other0 ^ r0) & keep));
}

// Where limit < r, q becomes q - 1 and r becomes `other`.
template <class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void lower_quotient_if_above(Limb &q, Limb &r,
                                                                          Limb limit, Limb other) {
#if WARPINT_X86_64
    if constexpr (sizeof(Limb) == 8) {
        if (!__builtin_is_constant_evaluated()) {
            asm("cmpq %[r], %[limit]\n\t"
                "cmovbq %[other], %[r]\n\t"
                "sbbq $0, %[q]"
                : [q] "+&r"(q), [r] "+&r"(r)
                : [limit] "r"(limit), [other] "r"(other)
                : "cc");
            return;
        }
    }
#endif
    const Limb lower = value_barrier(static_cast<Limb>(Limb{0} - static_cast<Limb>(limit < r)));
    q = static_cast<Limb>(q + lower);
    r = static_cast<Limb>(r ^ ((other ^ r) & lower));
}

} // namespace warpint::limb
