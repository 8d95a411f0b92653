// SPDX-License-Identifier: Apache-2.0
// A std::vector beside a batch: std::vector has no operators. These exist for their message.
#pragma once

#include "operators.h"

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

#define WARPINT_WITH_STD_VECTOR(symbol)                                                            \
    WARPINT_REFUSED_OPERATOR(symbol, expression::IsStdVector, expression::IsBatch,                 \
                             "device_vector<T>(v), or host_vector<T>(v), of a std::vector<T> v",   \
                             void);                                                                \
    WARPINT_REFUSED_OPERATOR(symbol, expression::IsBatch, expression::IsStdVector,                 \
                             "device_vector<T>(v), or host_vector<T>(v), of a std::vector<T> v",   \
                             void)
WARPINT_WITH_STD_VECTOR(+);
WARPINT_WITH_STD_VECTOR(-);
WARPINT_WITH_STD_VECTOR(*);
WARPINT_WITH_STD_VECTOR(/);
WARPINT_WITH_STD_VECTOR(%);
#undef WARPINT_WITH_STD_VECTOR

} // namespace warpint
