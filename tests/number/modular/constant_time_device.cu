// SPDX-License-Identifier: Apache-2.0
// Kernels of the constant-time functions for tools/sass_taint.py, which follows secrets through
// their machine code: everything that a kernel loads from global memory is secret, what it gets by
// value (pointers, a Modulus) is public. The kernels named leaky_* leak on purpose, and the tool
// must say so.
#include <warpint/modular.h>

#include <warpint/constant_time.h>

#include <cstdint>

namespace {

using warpint::BigInt;
using warpint::Modulus;

template <int Bits>
struct Secrets {
    BigInt<Bits> a, b, m;
    BigInt<64> e;
    std::uint32_t condition;
};
using S256 = Secrets<256>;
using N256 = BigInt<256>;

} // namespace

extern "C" __global__ void select_256(N256 *r, const S256 *s) {
    const unsigned i = threadIdx.x;
    r[i] = select_ct(s[i].condition != 0, s[i].a, s[i].b);
}
extern "C" __global__ void swap_256(S256 *s) {
    const unsigned i = threadIdx.x;
    N256 a = s[i].a;
    N256 b = s[i].b;
    swap_ct(s[i].condition != 0, a, b);
    s[i].a = a;
    s[i].b = b;
}
extern "C" __global__ void compare_256(bool *r, const S256 *s) {
    const unsigned i = threadIdx.x;
    r[3 * i] = equal_ct(s[i].a, s[i].b);
    r[3 * i + 1] = less_ct(s[i].a, s[i].b);
    r[3 * i + 2] = is_zero_ct(s[i].a);
}
extern "C" __global__ void addmod_256(N256 *r, const S256 *s) {
    const unsigned i = threadIdx.x;
    r[i] = addmod_ct(s[i].a, s[i].b, s[i].m);
}
extern "C" __global__ void submod_256(N256 *r, const S256 *s) {
    const unsigned i = threadIdx.x;
    r[i] = submod_ct(s[i].a, s[i].b, s[i].m);
}
extern "C" __global__ void mulmod_256(N256 *r, const S256 *s, Modulus<256> m) {
    const unsigned i = threadIdx.x;
    r[i] = mulmod_ct(s[i].a, s[i].b, m);
}
// A long number: tiles in local memory.
extern "C" __global__ void mulmod_1056(BigInt<1056> *r, const Secrets<1056> *s, Modulus<1056> m) {
    const unsigned i = threadIdx.x;
    r[i] = mulmod_ct(s[i].a, s[i].b, m);
}
extern "C" __global__ void pow_256(N256 *r, const S256 *s, Modulus<256> m) {
    const unsigned i = threadIdx.x;
    r[i] = pow_ct(s[i].a, s[i].e, m);
}
extern "C" __global__ void pow_512(BigInt<512> *r, const Secrets<512> *s, Modulus<512> m) {
    const unsigned i = threadIdx.x;
    r[i] = pow_ct(s[i].a, s[i].e, m);
}
extern "C" __global__ void inverse_131(BigInt<131> *r, bool *exists, const Secrets<131> *s,
                                       Modulus<131> m) {
    const unsigned i = threadIdx.x;
    const auto inverse = inverse_ct(s[i].a, m);
    r[i] = *inverse;
    exists[i] = inverse.has_value();
}
extern "C" __global__ void inverse_256(N256 *r, bool *exists, const S256 *s, Modulus<256> m) {
    const unsigned i = threadIdx.x;
    const auto inverse = inverse_ct(s[i].a, m);
    r[i] = *inverse;
    exists[i] = inverse.has_value();
}

extern "C" __global__ void leaky_branch(N256 *r, const S256 *s, Modulus<256> m) {
    const unsigned i = threadIdx.x;
    N256 x = s[i].a;
    for (int k = 0; k < 64; ++k) {
        x = mulmod_ct(x, x, m);
        if ((s[i].e.limbs[k / 32] >> (k % 32) & 1u) != 0)
            x = mulmod_ct(x, s[i].a, m);
    }
    r[i] = x;
}
extern "C" __global__ void leaky_early_exit(int *r, const S256 *s) {
    const unsigned i = threadIdx.x;
    int k = 0;
    while (k < 8 && s[i].a.limbs[k] == s[i].b.limbs[k])
        ++k;
    r[i] = k;
}
extern "C" __global__ void leaky_address(std::uint32_t *r, const S256 *s) {
    const unsigned i = threadIdx.x;
    r[i] = s[i].a.limbs[s[i].condition % 8];
}
extern "C" __global__ void leaky_local_address(std::uint32_t *r, const S256 *s) {
    const unsigned i = threadIdx.x;
    std::uint32_t table[128]; // a short one would be read without an address, by selections
    for (std::uint32_t k = 0; k < 128; ++k)
        table[k] = k * k + i;
    r[i] = table[s[i].condition % 128];
}
extern "C" __global__ void leaky_pow(N256 *r, const S256 *s, Modulus<256> m) {
    const unsigned i = threadIdx.x;
    r[i] = pow(s[i].a, s[i].e, m);
}
