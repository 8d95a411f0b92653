// SPDX-License-Identifier: Apache-2.0
// A std::vector beside a batch: std::vector has no operators; these are here for their message.
#pragma once

#include "operators.h"

#if WARPINT_HOSTED

#include <vector>

namespace warpint {

namespace expression {

template <class T>
inline constexpr bool is_std_vector = false;
template <BigNumber T, class Allocator>
inline constexpr bool is_std_vector<std::vector<T, Allocator>> = true;

// Kinds of operands.
struct IsStdVector {
    template <class T>
    static constexpr bool holds = is_std_vector<T>;
};
struct IsBatch {
    template <class T>
    static constexpr bool holds = Batch<T>;
};

} // namespace expression

// These are templates, so that functions that are none are preferred.
#define WARPINT_DEVICE_VECTOR "device_vector<T>(v), or host_vector<T>(v), of a std::vector<T> v"
#define WARPINT_WITH_STD_VECTOR(symbol)                                                            \
    template <class...>                                                                            \
    void operator symbol(limb::Refused<expression::IsStdVector>,                                   \
                         limb::WriteInstead<expression::IsBatch, WARPINT_DEVICE_VECTOR>)           \
        WARPINT_REFUSED(WARPINT_DEVICE_VECTOR);                                                    \
    template <class...>                                                                            \
    void operator symbol(limb::WriteInstead<expression::IsBatch, WARPINT_DEVICE_VECTOR>,           \
                         limb::Refused<expression::IsStdVector>)                                   \
        WARPINT_REFUSED(WARPINT_DEVICE_VECTOR)
WARPINT_WITH_STD_VECTOR(+);
WARPINT_WITH_STD_VECTOR(-);
WARPINT_WITH_STD_VECTOR(*);
WARPINT_WITH_STD_VECTOR(/);
WARPINT_WITH_STD_VECTOR(%);
#undef WARPINT_WITH_STD_VECTOR
#undef WARPINT_DEVICE_VECTOR

} // namespace warpint

#endif
