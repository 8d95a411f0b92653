// SPDX-License-Identifier: Apache-2.0
// Moduli in types, tables of powers, many inverses at once, and functions of constant time.
#include "kernel.h"

#include <warpint/constant_time.h>

#if WARPINT_BITS <= 2048
using Mersenne = StaticResidue<(Number(0) - 189)>;
using Dense = StaticResidue<(Number(0) - Number(1)) / 3u * 2u + 1u>;
KERNEL(pseudo_mersenne, const Mersenne u = x, v = y;
       return Number(((u + v) * (u - v) * u - v * v).value());)
KERNEL(dense, const Dense u = x, v = y; return Number(((u + v) * (u - v) * u - v * v).value());)
KERNEL(static_powers,
       return Number(pow(Mersenne(x), y).value()) ^ Number(pow(Dense(y), 65537u).value());)
KERNEL(static_quotients, return Number((Mersenne(x) / Mersenne(y)).value());)
#endif

__global__ void fixed_base(const FixedBase<bits, 256> *base, const BigInt<256> *e, Number *r) {
    r[threadIdx.x] = pow(*base, e[threadIdx.x]);
}
__global__ void many_inverses(const Number *a, Number *r, const __grid_constant__ Modulus<bits> m) {
    Residue<bits> x[4], inverted[4];
    for (int k = 0; k < 4; ++k)
        x[k] = m(a[4 * threadIdx.x + k]);
    inverse_all(inverted, x, 4);
    for (int k = 0; k < 4; ++k)
        r[4 * threadIdx.x + k] = inverted[k].value();
}
KERNEL(constant_time, const Modulus<bits> m(z | Number(1)); return pow_ct(x, y, m);)
