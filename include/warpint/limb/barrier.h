// SPDX-License-Identifier: Apache-2.0
// A fence for values: keeps compilers from seeing what a mask is made of. Where they know that it
// is all ones or zero, they may turn `x & mask` back into the branch that it replaces (Simon,
// Chisnall, Anderson, "What you get is what you C", EuroS&P 2018).
#pragma once

#include "config.h"

namespace warpint::limb {

// x, of which the compiler knows nothing any more. Costs no instruction (MSVC: a store and a load).
// Constant time.
template <class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE Limb value_barrier(Limb x) {
    if (__builtin_is_constant_evaluated())
        return x;
#if WARPINT_DEVICE_PASS
    if constexpr (sizeof(Limb) == 8) {
        asm("" : "+l"(x));
    } else if constexpr (sizeof(Limb) == 4) {
        asm("" : "+r"(x));
    } else {
        std::uint32_t wide = x;
        asm("" : "+r"(wide));
        x = static_cast<Limb>(wide);
    }
    return x;
#elif defined(__GNUC__)
    asm("" : "+r"(x));
    return x;
#else
    const volatile Limb fenced = x;
    return fenced;
#endif
}

// x, computed whether it is used or not. Before it branches on a value, g++ 12 looks for all that
// would go with the branch, along every path to it: 3^n steps where nothing else reads the last of
// n products that are added up in assembly (limb/column.h). It does not look behind this.
template <class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE Limb kept(Limb x) {
#if defined(__GNUC__) && !defined(__clang__) && !WARPINT_DEVICE_PASS
    if (!__builtin_is_constant_evaluated())
        asm volatile("" : "+r"(x));
#endif
    return x;
}

} // namespace warpint::limb
