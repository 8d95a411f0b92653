// SPDX-License-Identifier: Apache-2.0
#if __cplusplus < 202002L
#error "warpint::cuda did not ask nvcc for C++20"
#endif
#include <warpint/version.h>
static_assert(WARPINT_VERSION >= 200);
