// SPDX-License-Identifier: Apache-2.0
// pow(a, e, m) of BITS bits, all different in each element, exponents of full length: milliseconds
// and rate, the best of some runs, and how many of some results differ from GMP's.
//
//   nvcc -std=c++20 -arch=native -O3 -DBITS=2048 -I include -I perf perf/tensor_powers.cu -lgmp
//   WARPINT_LEAST=0 ./a.out 33792       on tensor cores
//   WARPINT_LEAST=1000 ./a.out 33792    over lanes
#define WARPINT_TUNING_TABLE "tensor_table.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#include <gmp.h>
#include <warpint/warpint.h>

using namespace warpint;
using Number = BigInt<BITS>;

namespace {

void read(mpz_t z, const Number &x) {
    mpz_import(z, Number::limb_count, -1, sizeof x.limbs[0], 0, 0, x.limbs);
}

bool is_right(const Number &r, const Number &a, const Number &e, const Number &m) {
    mpz_t x, y, z, w;
    mpz_inits(x, y, z, w, nullptr);
    read(x, a);
    read(y, e);
    read(z, m);
    read(w, r);
    mpz_powm(x, x, y, z);
    const bool right = mpz_cmp(x, w) == 0;
    mpz_clears(x, y, z, w, nullptr);
    return right;
}

} // namespace

int main(int argc, char **argv) {
    const std::size_t count = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 33792;
    const std::size_t checks = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 100;
    std::mt19937_64 random(12345);
    std::vector<Number> a(count), e(count), m(count);
    for (std::vector<Number> *numbers : {&a, &e, &m}) {
        for (Number &x : *numbers) {
            for (auto &limb : x.limbs)
                limb = static_cast<std::uint32_t>(random());
            x = x | Number(1) | Number(1) << (BITS - 1);
        }
    }
    const device_vector<Number> bases(a), exponents(e), moduli(m);
    device_vector<Number> powers(count);
    double best = 1e9;
    for (int run = 0; run < 3; ++run) {
        cudaDeviceSynchronize();
        const auto begin = std::chrono::steady_clock::now();
        powers = pow(bases, exponents, moduli);
        cudaDeviceSynchronize();
        const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
        best = std::min(best, time.count());
    }
    const std::vector<Number> results = powers.to_host();
    std::size_t wrong = 0;
    std::size_t checked = 0;
    for (std::size_t i = 0; i < count; i += std::max<std::size_t>(count / checks, 1), ++checked)
        wrong += is_right(results[i], a[i], e[i], m[i]) ? 0 : 1;
    std::printf("%d bits, %zu numbers, %zu on tensor cores: %.2f ms, %.1f K/s, %zu of %zu wrong\n",
                BITS, count, explain(pow(bases, exponents, moduli)).tensor_elements, best * 1e3,
                static_cast<double>(count) / best / 1e3, wrong, checked);
    return wrong != 0 ? 1 : 0;
}
