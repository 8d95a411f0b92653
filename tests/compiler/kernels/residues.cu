// SPDX-License-Identifier: Apache-2.0
// Residues of a modulus that is made in the kernel, and of one that all threads share.
#include "kernel.h"

KERNEL(residue_loop, const Modulus<bits> m(z); auto u = m(x);
       for (int k = 0; k < 3; ++k) u = u * u + 1; return u.value() ^ m(y).value();)
KERNEL(residues, const Modulus<bits> m(z); const auto u = m(x), v = m(y);
       return ((u + v) * (u - v) * u - v * v).value();)
KERNEL(residue_square, const Modulus<bits> m(z); return sqr(-m(x)).value() + (m(y) == x ? x : y);)
KERNEL(odd_modulus, const Modulus<bits> m(z | Number(1)); return (m(x) * m(y) + 3).value();)

__global__ void shared_modulus(const Number *a, const Number *b, Number *r,
                               const __grid_constant__ Modulus<bits> m) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    const auto u = m(a[i]), v = m(b[i]);
    r[i] = ((u * v + 3) * u - v).value();
}
__global__ void stored_residues(const Number *a, Number *r,
                                const __grid_constant__ Modulus<bits> m) {
    Residue<bits> table[4];
    for (int k = 0; k < 4; ++k)
        table[k] = m(a[4 * threadIdx.x + k]);
    auto sum = table[0];
    for (int k = 1; k < 4; ++k)
        sum = sum * table[k] + table[(k + threadIdx.x) % 4];
    r[threadIdx.x] = sum.value();
}
