// SPDX-License-Identifier: Apache-2.0
// What the benchmarks share: random batches, timing by device events or a steady clock, a table,
// and a check of the results, so that no figure is printed for a wrong answer.
#pragma once

#include <warpint/vector.h>

#if defined(WARPINT_PERF_HAS_GMP)
#include <gmp.h>
#endif

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

namespace perf {

using namespace warpint;

template <int Bits>
BigInt<Bits> random_number(std::mt19937_64 &generator) {
    BigInt<Bits> x{};
    for (auto &limb : x.limbs)
        limb = static_cast<std::uint32_t>(generator());
    number::normalise<Bits, false>(x.limbs);
    return x;
}

// Full-width random numbers; odd ones on request.
template <int Bits>
std::vector<BigInt<Bits>> random_batch(std::size_t count, std::uint64_t seed, bool odd = false) {
    std::mt19937_64 generator(seed);
    std::vector<BigInt<Bits>> batch(count);
    for (auto &x : batch) {
        x = set_bit(random_number<Bits>(generator), Bits - 1);
        if (odd)
            x = set_bit(x, 0);
    }
    return batch;
}

inline void wait_for_device() {
#if defined(__CUDACC__)
    if (device_info().gpu)
        warpint::execution::check_cuda(cudaDeviceSynchronize(), "synchronize");
#endif
}

// Median seconds of one call of body, which leaves its work on the default stream.
template <class Body>
double seconds(const Body &body, int repetitions = 7) {
    body();
    wait_for_device();
    std::vector<double> times;
    for (int i = 0; i < repetitions; ++i) {
#if defined(__CUDACC__)
        if (device_info().gpu) {
            cudaEvent_t start{};
            cudaEvent_t stop{};
            cudaEventCreate(&start);
            cudaEventCreate(&stop);
            cudaEventRecord(start);
            body();
            cudaEventRecord(stop);
            cudaEventSynchronize(stop);
            float milliseconds = 0;
            cudaEventElapsedTime(&milliseconds, start, stop);
            cudaEventDestroy(start);
            cudaEventDestroy(stop);
            times.push_back(static_cast<double>(milliseconds) / 1000);
            continue;
        }
#endif
        const auto start = std::chrono::steady_clock::now();
        body();
        times.push_back(
            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

inline void require(bool condition, const char *what) {
    if (condition)
        return;
    std::printf("WRONG RESULT: %s\n", what);
    std::exit(1);
}

inline void print_machine() {
    const DeviceInfo info = device_info();
    std::printf("# %s, compute capability %d, %d multiprocessors, %u CPU threads\n",
                info.name.c_str(), info.compute_capability, info.multiprocessors, info.cpu_threads);
}

#if defined(WARPINT_PERF_HAS_GMP)
template <int Bits>
void to_gmp(mpz_t out, const BigInt<Bits> &x) {
    mpz_import(out, BigInt<Bits>::limb_count, -1, 4, 0, 0, x.limbs);
}
template <int Bits>
bool same(const BigInt<Bits> &x, const mpz_t y) {
    mpz_t t;
    mpz_init(t);
    to_gmp(t, x);
    const bool equal = mpz_cmp(t, y) == 0;
    mpz_clear(t);
    return equal;
}
#endif

} // namespace perf
