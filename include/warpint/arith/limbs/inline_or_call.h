// SPDX-License-Identifier: Apache-2.0
// One rule for large functions in device code: those of short numbers are inlined, where arrays
// stay in registers; those of long ones are out of line, their operands in local memory, which
// keeps kernels small and quick to compile.
#pragma once

#include "../../limb/config.h"

namespace warpint::arith {

namespace detail {

template <class Function, class... Arguments>
WARPINT_HOST_DEVICE WARPINT_NOINLINE constexpr void outlined(Arguments... arguments) {
    Function{}(arguments...);
}

} // namespace detail

// Function{}(arguments...), inlined or out of line. Function is a class without state; arguments
// are pointers and plain values.
template <bool Inlined, class Function, class... Arguments>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void inline_or_call(Function, Arguments... arguments) {
    if constexpr (Inlined) {
        Function{}(arguments...);
    } else {
        detail::outlined<Function>(arguments...);
    }
}

} // namespace warpint::arith
