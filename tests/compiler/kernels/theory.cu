// SPDX-License-Identifier: Apache-2.0
// Number theory and random numbers.
#include "kernel.h"

KERNEL(divisors, return gcd(x, y) * lcm(y, z);)
KERNEL(cofactors, const auto e = gcd_ext(x, y); return e.gcd + Number(abs(e.x)) * Number(abs(e.y));)
KERNEL(symbols, return Number(jacobi(x, z) + 1);)
KERNEL(congruences, const auto c = crt(x, y, y, z); return c ? Number(*c) : z;)
KERNEL(square_roots, const auto s = sqrt_mod(x, z); return s ? *s : y;)
KERNEL(primes, return is_probable_prime(x) ? y : z;)
KERNEL(next_primes, return next_prime(x);)
KERNEL(random_numbers, Philox generator(x.limbs[0], threadIdx.x);
       return random_below(z, generator) ^ random_bits<bits>(generator);)
