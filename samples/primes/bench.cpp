// SPDX-License-Identifier: Apache-2.0
#include "bench.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <random>

#include "error.h"
#include "gmp_peer.h"
#include "parallel.h"
#include "sieve.h"

namespace primes {

using sample::Error;

namespace {

constexpr int rounds_of_timing = 3; // the best counts

template <class Work>
double seconds_of(Work work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// A random odd number of this many bits, in decimal.
std::string random_start(int bits, sample::Device device) {
    std::mt19937_64 generator(static_cast<std::uint64_t>(bits)); // the same in every run
    std::string binary(static_cast<std::size_t>(bits), '1');
    for (std::size_t i = 2; i + 1 < binary.size(); ++i)
        binary[i] = generator() % 2 != 0 ? '1' : '0';
    return make_candidates(binary, 2, 0, device)->text({{0}, {0}})[0];
}

// `count` of `pairs`, which are repeated as often as it takes.
Pairs repeated(const Pairs &pairs, std::size_t count) {
    Pairs all;
    for (std::size_t i = 0; i != count; ++i)
        all.add(0, pairs.offset[i % pairs.size()]);
    return all;
}

struct Measured {
    double rate;     // tests per second
    double gmp_rate; // on all threads
    std::size_t batch, compared, different;
};

Measured measure(Candidates &candidates, const std::string &start, const Pairs &kind,
                 double seconds) {
    constexpr std::size_t largest = std::size_t{1} << 22;
    std::size_t batch = 256;
    Pairs pairs;
    std::vector<bool> verdicts;
    double time = 0, previous = 0;
    for (;; batch *= 2) { // as long as larger batches gain, or are done soon
        pairs = repeated(kind, batch);
        candidates.are_prime(pairs, 0); // first touch of memory
        time = seconds_of([&] { verdicts = candidates.are_prime(pairs, 0); });
        const double rate = static_cast<double>(batch) / time;
        if (batch >= largest || (time > seconds / rounds_of_timing && rate < 1.2 * previous) ||
            time > seconds)
            break;
        previous = rate;
    }
    for (int round = 1; round < rounds_of_timing; ++round)
        time = std::min(time, seconds_of([&] { verdicts = candidates.are_prime(pairs, 0); }));

    Measured result{static_cast<double>(batch) / time, 0, batch, 0, 0};
    double gmp_time = 0;
    const std::size_t part = 64 * sample::hardware_threads();
    while (result.compared != batch && (result.compared == 0 || gmp_time < 2 * seconds)) {
        const std::size_t first = result.compared;
        const std::size_t last = std::min(batch, first + part);
        std::vector<bool> expected;
        gmp_time += seconds_of([&] { expected = gmp_are_prime(start, pairs, first, last); });
        for (std::size_t i = first; i != last; ++i)
            result.different += verdicts[i] != expected[i - first];
        result.compared = last;
    }
    result.gmp_rate = static_cast<double>(result.compared) / gmp_time;
    return result;
}

} // namespace

bool run_bench(const std::vector<int> &widths, double seconds, const Options &options) {
    if (gmp_name().empty())
        throw Error("this program was built without GMP, so bench has nothing to compare with");
    bool good = true;
    std::printf("Baillie-PSW tests per second; %s on %zu threads, same numbers\n",
                gmp_name().c_str(), sample::hardware_threads());
    std::printf("%5s  %-10s %12s %12s %7s %9s  %s\n", "bits", "numbers", "warpint", "GMP", "times",
                "batch", "verdicts compared");
    for (const int bits : widths) {
        const std::string start = random_start(bits, options.common.device);
        const auto numbers = static_cast<std::uint64_t>(256 * bits); // to be sieved
        const auto candidates = make_candidates(start, 10, numbers, options.common.device);
        const SmallPrimes small(static_cast<std::uint32_t>(64 * bits));
        const Remainders remainder = remainders(*candidates, small)[0];
        Pairs sieved;
        for (const std::uint64_t offset : survivors(remainder, nullptr, small, 0, numbers))
            sieved.add(0, offset);
        const std::vector<bool> verdicts = candidates->are_prime(sieved, 0);
        Pairs prime;
        for (std::size_t i = 0; i != sieved.size(); ++i) {
            if (verdicts[i])
                prime.add(0, sieved.offset[i]);
        }
        for (const bool primes_only : {false, true}) {
            const Measured m = measure(*candidates, start, primes_only ? prime : sieved, seconds);
            std::printf("%5d  %-10s %12.0f %12.0f %7.1f %9zu  %zu, %s\n", bits,
                        primes_only ? "primes" : "sieved", m.rate, m.gmp_rate, m.rate / m.gmp_rate,
                        m.batch, m.compared,
                        m.different == 0 ? "all equal"
                                         : (std::to_string(m.different) + " DIFFER").c_str());
            std::fflush(stdout);
            good &= m.different == 0;
        }
    }
    return good;
}

} // namespace primes
