// SPDX-License-Identifier: Apache-2.0
// For the sources beside this one, which are compiled and never run: what nvcc makes of functions
// of numbers of WARPINT_BITS bits in kernels.
#pragma once

#include <warpint/warpint.h>

using namespace warpint;

constexpr int bits = WARPINT_BITS;
using Number = BigInt<bits>;
using Wide = BigInt<2 * bits>;
using Signed = SignedBigInt<bits>;

// KERNEL(name, body): r = body for numbers x, y and z, one thread each.
#define KERNEL(name, ...)                                                                          \
    __device__ __forceinline__ Number name##_of([[maybe_unused]] const Number &x,                  \
                                                [[maybe_unused]] const Number &y,                  \
                                                [[maybe_unused]] const Number &z){__VA_ARGS__}     \
    __global__ void name(const Number *a, const Number *b, const Number *c, Number *r) {           \
        const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;                                  \
        r[i] = name##_of(a[i], b[i], c[i]);                                                        \
    }
