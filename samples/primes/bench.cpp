// SPDX-License-Identifier: Apache-2.0
#include "bench.h"

#include <algorithm>
#include <chrono>
#include <random>

#include "error.h"
#include "gmp_peer.h"
#include "parallel.h"
#include "report.h"
#include "sieve.h"

namespace primes {

using sample::Error;

namespace {

constexpr int rounds_of_timing = 3; // the best counts; fewer where a round takes long
constexpr double patience = 4;      // seconds of all rounds for each that was asked for

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

// Of numbers that a sieve left: the first ones, and which of them are prime.
struct NumbersToTest {
    Pairs sieved, primes;
};

// Tests them batch by batch until that took so many seconds and there is a prime.
NumbersToTest numbers_to_test(Candidates &candidates, const std::vector<std::uint64_t> &offsets,
                              std::size_t batch, double seconds) {
    NumbersToTest found;
    const auto start = std::chrono::steady_clock::now();
    const std::chrono::duration<double> enough(seconds);
    for (std::size_t first = 0; first < offsets.size(); first += batch) {
        Pairs part;
        for (std::size_t i = first; i < std::min(first + batch, offsets.size()); ++i)
            part.add(0, offsets[i]);
        const std::vector<bool> verdicts = candidates.are_prime(part, 0);
        for (std::size_t i = 0; i != part.size(); ++i) {
            found.sieved.add(0, part.offset[i]);
            if (verdicts[i])
                found.primes.add(0, part.offset[i]);
        }
        if (found.primes.size() != 0 && std::chrono::steady_clock::now() - start > enough)
            break;
    }
    return found;
}

struct Measured {
    double rate;     // tests per second
    double gmp_rate; // on all threads
    std::size_t batch, compared, different;
};

// A batch that is large enough: larger ones gain nothing, or take too long.
struct Batch {
    Pairs pairs;
    std::vector<bool> verdicts;
    double time; // the best of rounds_of_timing
};

// test(pairs) gives the verdicts. The batch has `least` numbers or more.
template <class Test>
Batch best_batch(const Pairs &kind, std::size_t least, double seconds, Test test) {
    constexpr std::size_t largest = std::size_t{1} << 22;
    Batch batch;
    double previous = 0;
    for (std::size_t size = least;; size *= 2) {
        batch.pairs = repeated(kind, size);
        batch.time = seconds_of([&] { batch.verdicts = test(batch.pairs); });
        const double rate = static_cast<double>(size) / batch.time;
        if (size >= largest || batch.time > seconds ||
            (batch.time > seconds / rounds_of_timing && rate < 1.2 * previous))
            break;
        previous = rate;
    }
    double spent = batch.time;
    for (int round = 1; round < rounds_of_timing && spent < patience * seconds; ++round) {
        const double time = seconds_of([&] { test(batch.pairs); });
        batch.time = std::min(batch.time, time);
        spent += time;
    }
    return batch;
}

Measured measure(Candidates &candidates, const std::string &start, const Pairs &kind,
                 double seconds, sample::Device device) {
    const Batch ours =
        best_batch(kind, min_batch(candidates.bits(), device), seconds,
                   [&](const Pairs &pairs) { return candidates.are_prime(pairs, 0); });
    const Batch gmp =
        best_batch(kind, 4 * sample::hardware_threads(), seconds, [&](const Pairs &pairs) {
            return gmp_are_prime(start, pairs, 0, pairs.size());
        });
    const auto rate = [](const Batch &batch) {
        return static_cast<double>(batch.pairs.size()) / batch.time;
    };
    Measured result{rate(ours), rate(gmp), ours.pairs.size(),
                    std::min(ours.pairs.size(), gmp.pairs.size()), 0};
    for (std::size_t i = 0; i != result.compared; ++i)
        result.different += ours.verdicts[i] != gmp.verdicts[i];
    return result;
}

} // namespace

bool run_bench(const std::vector<int> &widths, double seconds, const Options &options) {
    if (gmp_name().empty())
        throw Error("this program was built without GMP, so bench has nothing to compare with");
    sample::Report report("primes bench", options.common);
    report.fact("device", device_name(options.common.device));
    report.fact("peer", gmp_name() + " on " + std::to_string(sample::hardware_threads()) +
                            " threads, same numbers");
    for (const int bits : widths) {
        const std::string start = random_start(bits, options.common.device);
        const auto numbers = static_cast<std::uint64_t>(256 * bits); // to be sieved: 370 primes
        const auto candidates = make_candidates(start, 10, numbers, options.common.device);
        const SmallPrimes small(static_cast<std::uint32_t>(64 * bits));
        const Remainders remainder = remainders(*candidates, small, 0, 1)[0];
        const std::vector<std::uint64_t> survivors_left = survivors(remainder, small, 0, numbers);
        const NumbersToTest found =
            numbers_to_test(*candidates, survivors_left,
                            min_batch(candidates->bits(), options.common.device), seconds);
        for (const bool primes_only : {false, true}) {
            const Measured m =
                measure(*candidates, start, primes_only ? found.primes : found.sieved, seconds,
                        options.common.device);
            const std::string what =
                std::to_string(bits) + " bits, tests of " + (primes_only ? "primes" : "sieved");
            report.rate(what, m.rate, "GMP", m.gmp_rate);
            report.check(what + ", batches of " + std::to_string(m.batch) + ": " +
                             std::to_string(m.compared - m.different) + " of " +
                             std::to_string(m.compared) + " verdicts are GMP's",
                         m.different == 0);
        }
    }
    report.finish();
    return report.good();
}

} // namespace primes
