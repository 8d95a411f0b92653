// SPDX-License-Identifier: Apache-2.0
// One rule for large functions in device code: those of short numbers are copied into the caller,
// where arrays stay in registers; those of long ones are called, their operands in local memory,
// which keeps kernels small and quick to compile.
#pragma once

#include "../../limb/config.h"

namespace warpint::arith {

namespace detail {

template <class Function, class... Arguments>
WARPINT_HOST_DEVICE WARPINT_NOINLINE constexpr void called(Arguments... arguments) {
    Function{}(arguments...);
}

} // namespace detail

// Function{}(arguments...), copied into the caller or called. Function is a class without state;
// arguments are pointers and plain values.
template <bool Copied, class Function, class... Arguments>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void copy_or_call(Function, Arguments... arguments) {
    if constexpr (Copied) {
        Function{}(arguments...);
    } else {
        detail::called<Function>(arguments...);
    }
}

} // namespace warpint::arith
