// SPDX-License-Identifier: Apache-2.0
// What users write, for tools/warnings.cmake and tools/other_cpu.cmake: formulas over vectors of
// every kind of operand and result, and a function with each header.
#if __has_include(<gmp.h>)
#include <warpint/gmp.h>
#endif
#include <warpint/sharded.h>
#include <warpint/sort.h>
#include <warpint/warpint.h>

#include <cstdio>

using namespace warpint;

template <class Vector>
static int formulas() {
    const BigInt<256> p = (BigInt<256>(1) << 255) - 19_bi;
    Vector a(1000, BigInt<256>(3)), b(1000, BigInt<256>(5)), m(1000, p), c;
    c = a * b % m;
    c = pow(a, p - 1u, m) * b % (p - 2u);
    c = (b - a) % p;
    c = select(a < b, a, b);
    c = inverse(a, Modulus<256>(p));
    tie(a, b) = divmod(c, m);
    evaluate(a.view(0, 100) + b.view(0, 100), c.view(10, 100), stream_handle{});
    sort(c);
    const auto bits = eval(popcount(a ^ b));
    const bool right = all(c * 3u % p == 1u) && sum(c) == c[0] * 1000u && bits.size() == 1000;
    return right ? 0 : 1;
}

int main() {
    host_vector<Residue<256>> residues;
    const Modulus<256> modulus(BigInt<256>(1000003));
    const Residue<256> x = modulus(BigInt<256>(7));
    const BigInt<2048> wide = sqr(BigInt<1024>(-1));
    const SignedBigInt<131> negative = -5;
    std::printf("%s %s %d\n", to_string((x * x + 3).value()).c_str(),
                to_string(isqrt(wide)).c_str(),
                is_probable_prime(BigInt<256>(negative * negative)) ? 1 : 0);
    return formulas<host_vector<BigInt<256>>>() + formulas<device_vector<BigInt<256>>>();
}
