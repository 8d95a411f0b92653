// SPDX-License-Identifier: Apache-2.0
// Numbers over several lanes.
#include "kernel.h"

constexpr int lanes_of_number = bits <= 1024 ? 4 : bits <= 2048 ? 8 : 32;
using Lanes = WarpInt<bits, lanes_of_number>;

// LANES(name, body): the same as KERNEL, lanes_of_number threads for each number.
#define LANES(name, ...)                                                                           \
    __device__ __forceinline__ Lanes name##_of([[maybe_unused]] const Lanes &x,                    \
                                               [[maybe_unused]] const Lanes &y,                    \
                                               [[maybe_unused]] const Lanes &z){__VA_ARGS__}       \
    __global__ void name(const Number *a, const Number *b, const Number *c, Number *r) {           \
        const std::size_t i = Lanes::index();                                                      \
        name##_of(Lanes(a + i), Lanes(b + i), Lanes(c + i)).store(r + i);                          \
    }

LANES(sums, return (x + y) ^ (x - z);)
LANES(products, return Lanes(x * y % z);)
LANES(quotients, return x / y + Lanes(z % y);)
LANES(powers, return pow(x, y, z);)
LANES(roots, return isqrt(x);)
LANES(roots_of_degree, return iroot(x, 3);)
LANES(squares, return is_square(x) ? y : z;)
LANES(divisors, return gcd(x, y);)
LANES(inverses, const auto v = inverse(x, z); return v ? Lanes(*v) : y;)
LANES(primes, return is_probable_prime(x) ? y : z;)
