// SPDX-License-Identifier: Apache-2.0
// Products and squares of long numbers on one core of a CPU, us, beside GMP's and FLINT's, checked
// against GMP.
//   g++ -std=c++20 -O2 -I include perf/long_products_cpu.cpp -lflint -lgmp
// Without FLINT: -DWITHOUT_FLINT, and no -lflint.
#ifndef WITHOUT_FLINT
#include <flint/fmpz.h>
#endif
#include <gmp.h>
#include <warpint/warpint.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <random>
#include <vector>

using namespace warpint;

namespace {

// The least of seven runs of so many calls each, in us.
template <class Call>
double best_time(int calls, const Call &call) {
    using Clock = std::chrono::steady_clock;
    double best = 1e30;
    for (int run = 0; run < 7; ++run) {
        const auto begin = Clock::now();
        for (int i = 0; i < calls; ++i)
            call();
        const std::chrono::duration<double, std::micro> took = Clock::now() - begin;
        best = std::min(best, took.count() / calls);
    }
    return best;
}

struct Times {
    double ours;
    double gmp;
    double flint; // 0: not measured
};
void print(const char *what, int bits, const Times &us) {
    std::printf("%8d %-7s warpint %9.2f  GMP %9.2f (%.2f)", bits, what, us.ours, us.gmp,
                us.gmp / us.ours);
    if (us.flint != 0)
        std::printf("  FLINT %9.2f (%.2f)", us.flint, us.flint / us.ours);
    std::printf("\n");
    std::fflush(stdout);
}

template <int bits>
bool measure(std::mt19937_64 &generator) {
    constexpr int words = bits / 64;
    std::vector<mp_limb_t> x(words);
    std::vector<mp_limb_t> y(words);
    std::vector<mp_limb_t> z(2 * words);
    for (int i = 0; i < words; ++i) {
        x[i] = generator();
        y[i] = generator();
    }
    x[words - 1] |= mp_limb_t{1} << 63;
    y[words - 1] |= mp_limb_t{1} << 63;
    const auto a = std::make_unique<BigInt<bits>>();
    const auto b = std::make_unique<BigInt<bits>>();
    const auto r = std::make_unique<BigInt<2 * bits>>();
    std::memcpy(a->limbs, x.data(), sizeof(a->limbs));
    std::memcpy(b->limbs, y.data(), sizeof(b->limbs));
    const int calls = std::max(2, 30'000'000 / (words * (words < 512 ? words : 512)));

    Times product{};
    product.gmp = best_time(calls, [&] { mpn_mul_n(z.data(), x.data(), y.data(), words); });
    product.ours = best_time(calls, [&] { *r = *a * *b; });
    bool right = std::memcmp(r->limbs, z.data(), sizeof(r->limbs)) == 0;
    Times square{};
    square.gmp = best_time(calls, [&] { mpn_sqr(z.data(), x.data(), words); });
    square.ours = best_time(calls, [&] { *r = sqr(*a); });
    right = right && std::memcmp(r->limbs, z.data(), sizeof(r->limbs)) == 0;
#ifndef WITHOUT_FLINT
    mpz_t number;
    fmpz_t p, q, s;
    mpz_init(number);
    fmpz_init(p);
    fmpz_init(q);
    fmpz_init(s);
    mpz_import(number, words, -1, sizeof(mp_limb_t), 0, 0, x.data());
    fmpz_set_mpz(p, number);
    mpz_import(number, words, -1, sizeof(mp_limb_t), 0, 0, y.data());
    fmpz_set_mpz(q, number);
    product.flint = best_time(calls, [&] { fmpz_mul(s, p, q); });
    square.flint = best_time(calls, [&] { fmpz_mul(s, p, p); });
    fmpz_clear(p);
    fmpz_clear(q);
    fmpz_clear(s);
    mpz_clear(number);
#endif
    print("a * b", bits, product);
    print("sqr(a)", bits, square);
    if (!right)
        std::printf("%8d wrong\n", bits);
    return right;
}

} // namespace

int main() {
    std::mt19937_64 generator(1);
    bool right = measure<8192>(generator);
    right = measure<12288>(generator) && right;
    right = measure<16384>(generator) && right;
    right = measure<24576>(generator) && right;
    right = measure<32768>(generator) && right;
    right = measure<49152>(generator) && right;
    right = measure<65536>(generator) && right;
    right = measure<131072>(generator) && right;
    right = measure<262144>(generator) && right;
    right = measure<524288>(generator) && right;
    right = measure<1048576>(generator) && right;
    return right ? 0 : 1;
}
