// SPDX-License-Identifier: Apache-2.0
// Modular arithmetic: functions of plain numbers, powers, inverses and quotients.
#include "kernel.h"

KERNEL(modular_sums, return addmod(x, y, z) + submod(x, y, z);)
KERNEL(modular_products, return mulmod(x, y, z) ^ sqrmod(y, z) ^ (x * y + z) % y;)
KERNEL(modular_powers, return pow(x, 3u, z) + pow(y, 65537u, z);)
KERNEL(long_powers, return pow(x, y, z);)
KERNEL(inverses, const auto v = inverse(x, z); return v ? *v * x % z : y;)
KERNEL(residue_quotient, const Modulus<bits> m(z); return (m(x) / m(y)).value();)
KERNEL(residue_powers, const Modulus<bits> m(z); return (pow(m(x), y) * pow(m(y), 5u)).value();)

__global__ void modulus_by_value(const Number *a, const Number *b, Number *r,
                                 const Modulus<bits> m) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    r[i] = (m(a[i]) * m(b[i])).value() + mulmod(a[i], b[i], m) + a[i] * b[i] % m;
}
__global__ void modulus_in_memory(const Number *a, const Number *b, Number *r,
                                  const Modulus<bits> *m) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    r[i] = pow(a[i], b[i], m[i]) ^ (m[i](b[i]) * 7).value();
}
