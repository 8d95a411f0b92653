// SPDX-License-Identifier: Apache-2.0
// Modular powers over a batch: everything private to the element, and modulus and exponent shared.
#pragma once

#include "support.h"

namespace perf {

template <int Bits>
void check_powers(const std::vector<BigInt<Bits>> &a, const std::vector<BigInt<Bits>> &e,
                  const std::vector<BigInt<Bits>> &m, const std::vector<BigInt<Bits>> &r) {
    const std::size_t step = std::max<std::size_t>(1, r.size() / 32);
    for (std::size_t i = 0; i < r.size(); i += step) {
        const auto &exponent = e[e.size() == 1 ? 0 : i];
        const auto &modulus = m[m.size() == 1 ? 0 : i];
#if defined(WARPINT_PERF_HAS_GMP)
        mpz_t x, y, z;
        mpz_inits(x, y, z, nullptr);
        to_gmp(x, a[i]);
        to_gmp(y, exponent);
        to_gmp(z, modulus);
        mpz_powm(x, x, y, z);
        require(same(r[i], x), "pow");
        mpz_clears(x, y, z, nullptr);
#else
        require(r[i] == pow(a[i], exponent, modulus), "pow");
#endif
    }
}

// Prints powers per second at one width. count: elements per batch on a GPU.
template <int Bits>
void measure_power(std::size_t count) {
    if (!device_info().gpu)
        count = std::max<std::size_t>(64, count / 1024);
    const auto a = random_batch<Bits>(count, 1);
    const auto e = random_batch<Bits>(count, 2);
    const auto m = random_batch<Bits>(count, 3, true);
    device_vector<BigInt<Bits>> va(a), ve(e), vm(m), r(count, uninitialized);
    const double private_seconds = seconds([&] { r = pow(va, ve, vm); }, 3);
    check_powers(a, e, m, r.to_host());
    const Modulus<Bits> modulus(m[0]);
    const double shared_seconds = seconds([&] { r = pow(va, e[0], modulus); }, 3);
    check_powers(a, {e[0]}, {m[0]}, r.to_host());
    const double public_seconds = seconds([&] { r = pow(va, 65537, modulus); }, 3);
    check_powers(a, {BigInt<Bits>(65537)}, {m[0]}, r.to_host());
    const double n = static_cast<double>(count);
    std::printf("pow %5d bits, %8zu numbers: private %12.0f /s, shared e and m %12.0f /s, e = "
                "65537 %12.0f /s\n",
                Bits, count, n / private_seconds, n / shared_seconds, n / public_seconds);
#if defined(WARPINT_PERF_HAS_GMP)
    if (!device_info().gpu) { // GMP on the same cores, the same numbers
        const double gmp_seconds = seconds(
            [&] {
                execution::parallel_for(count, 1, std::size_t{1} << 30,
                                        [&](std::size_t first, std::size_t last) {
                                            mpz_t x, y, z;
                                            mpz_inits(x, y, z, nullptr);
                                            for (std::size_t i = first; i < last; ++i) {
                                                to_gmp(x, a[i]);
                                                to_gmp(y, e[i]);
                                                to_gmp(z, m[i]);
                                                mpz_powm(x, x, y, z);
                                            }
                                            mpz_clears(x, y, z, nullptr);
                                        });
            },
            3);
        std::printf("    GMP mpz_powm on the same cores %12.0f /s; warpint %.2f of it\n",
                    n / gmp_seconds, gmp_seconds / private_seconds);
    }
#endif
    std::printf("    %s\n", explain(pow(va, ve, vm)).to_string().c_str());
    std::fflush(stdout);
}

} // namespace perf
