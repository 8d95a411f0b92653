// SPDX-License-Identifier: Apache-2.0
// Products of long numbers in formulas, M/s on this GPU, checked against GMP.
//   nvcc -std=c++20 -arch=sm_90 -O3 -I include -I perf -DBITS=32768 perf/long_products.cu -lgmp
// With -DLANES they are made over lanes, as they were before transforms.
#ifdef LANES
#define WARPINT_TUNING_TABLE "lanes_table.h"
#endif
#include "rate.h"

#include <gmp.h>
#include <warpint/vector.h>

#include <algorithm>
#include <cstdio>
#include <random>
#include <vector>

using namespace warpint;

namespace {

constexpr int bits = BITS;
using Number = BigInt<bits>;
constexpr int limbs = Number::limb_count;

// A number of uniform limbs, of ones, of runs, or of digits with the largest norms.
Number draw(std::mt19937_64 &generator, std::size_t kind) {
    Number x;
    for (std::uint32_t &limb : x.limbs) {
        const auto random = static_cast<std::uint32_t>(generator());
        limb = kind == 0   ? ~0u
               : kind == 1 ? 0u - (random & 1u)
               : kind == 2 ? 0x80008000u
               : kind == 3 ? 0x7fff7fffu
                           : random;
    }
    return x;
}

// Products that are not limbs first .. first + T::limb_count - 1 of x y, of `checked` of them.
template <class T>
std::size_t wrong(const device_vector<T> &products, const std::vector<Number> &x,
                  const std::vector<Number> &y, int first, std::size_t &checked) {
    const std::vector<T> got = products.to_host();
    std::size_t count = 0;
    mpz_t a, b;
    mpz_inits(a, b, nullptr);
    for (std::size_t i = 0; i < got.size(); i += i < 400 ? 1 : 37) {
        mpz_import(a, limbs, -1, 4, 0, 0, x[i].limbs);
        mpz_import(b, limbs, -1, 4, 0, 0, y[i].limbs);
        mpz_mul(a, a, b);
        std::vector<std::uint32_t> expected(2 * limbs);
        mpz_export(expected.data(), nullptr, -1, 4, 0, 0, a);
        count += !std::equal(got[i].limbs, got[i].limbs + T::limb_count, expected.begin() + first);
        ++checked;
    }
    mpz_clears(a, b, nullptr);
    return count;
}

} // namespace

int main() {
    const std::size_t n = (std::size_t{1} << 29) / bits; // 64 MiB
    std::mt19937_64 generator(bits);
    std::vector<Number> x(n), y(n);
    for (std::size_t i = 0; i < n; ++i) {
        x[i] = draw(generator, i % 11);
        y[i] = draw(generator, i / 11 % 7);
    }
    const device_vector<Number> a(x), b(y);
    device_vector<BigInt<2 * bits>> whole(n);
    device_vector<Number> part(n);
    std::size_t failed = 0, checked = 0;
    const double exact = rate(n, [&] { whole = a * b; });
    failed += wrong(whole, x, y, 0, checked);
    const double square = rate(n, [&] { whole = sqr(a); });
    failed += wrong(whole, x, x, 0, checked);
    const double low = rate(n, [&] { part = mul_low(a, b); });
    failed += wrong(part, x, y, 0, checked);
    const double high = rate(n, [&] { part = mul_high(a, b); });
    failed += wrong(part, x, y, limbs, checked);
    std::printf("%6d bits  exact %8.2f  square %8.2f  mul_low %8.2f  mul_high %8.2f M/s  %zu of "
                "%zu wrong\n",
                bits, exact, square, low, high, failed, checked);
    return failed == 0 ? 0 : 1;
}
