// SPDX-License-Identifier: Apache-2.0
#include "search.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <stdexcept>

#include <warpint/bigint.h>

#include "error.h"
#include "parallel.h"
#include "progress.h"
#include "sieve.h"
#include "system_random.h"

namespace primes {

using sample::Error;
using sample::Progress;
using sample::UsageError;

namespace {

constexpr std::uint64_t unbounded = std::numeric_limits<std::uint64_t>::max();

// Sizes of batches: grow as long as a batch is done in less than a blink.
class Batch {
public:
    explicit Batch(std::uint64_t first_size) : size(first_size) {}

    // What work(size) returns, with a size of at most `most`.
    template <class Work>
    auto run(std::uint64_t most, Work work) {
        const auto start = std::chrono::steady_clock::now();
        const std::uint64_t taken = std::min(size, most);
        auto result = work(taken);
        const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
        if (time.count() < 0.25 && taken == size && size < largest)
            size *= 2;
        return result;
    }

private:
    static constexpr std::uint64_t largest = std::uint64_t{1} << 27; // bounds the memory
    std::uint64_t size;
};

// Those of `numbers` that are prime.
Pairs primes_among(Candidates &candidates, const Pairs &numbers, int rounds) {
    const std::vector<bool> prime = candidates.are_prime(numbers, rounds);
    Pairs found;
    for (std::size_t i = 0; i != numbers.size(); ++i) {
        if (prime[i])
            found.add(numbers.which[i], numbers.offset[i]);
    }
    return found;
}

[[noreturn]] void fail_at_the_end(const Candidates &candidates) {
    throw Error("there are no more primes of up to " + std::to_string(candidates.bits()) +
                " bits, the maximum of this program");
}

} // namespace

Range make_range(const std::string &from, const std::string &to, std::uint64_t count) {
    using Number = warpint::BigInt<8192>; // more than any number here has
    const auto parse = [](const std::string &text) {
        try {
            return Number::parse(text, 10);
        } catch (const std::exception &) {
            throw UsageError("not a decimal number of up to " + std::to_string(largest_width()) +
                             " bits: " + text.substr(0, 40) + (text.size() > 40 ? "..." : ""));
        }
    };
    const Number first = parse(from);
    if (to.empty())
        return {unbounded, count};
    const Number last = parse(to);
    if (last < first)
        throw UsageError("the range ends before it begins");
    const Number length = last - first + 1u;
    if (bit_width(length) > 62)
        throw UsageError("the range is too long: the maximum is 2^62 numbers");
    return {static_cast<std::uint64_t>(length), unbounded};
}

void find_primes(Candidates &candidates, const Range &range, const Options &options,
                 const std::function<void(const std::vector<std::uint64_t> &)> &visit,
                 const std::string &results) {
    const auto bits = static_cast<std::uint64_t>(candidates.bits());
    const std::uint64_t room = candidates.room()[0];
    const std::uint64_t end = std::min(range.length, room + 1);
    if (range.length != unbounded && range.length > room + 1)
        fail_at_the_end(candidates);
    const SmallPrimes small(static_cast<std::uint32_t>(64 * bits));
    const Remainders start = remainders(candidates, small, 0, 1)[0];

    const bool counted = range.count != unbounded;
    Progress progress("searching", counted ? range.count : range.length,
                      options.common.always_show_progress, results);
    Batch batch(16 * bits);
    std::uint64_t done = 0;
    std::uint64_t missing = range.count;
    while (missing != 0 && done != end) {
        // About so many numbers hold what is missing: one in ln n = 0.69 bits is prime.
        const std::uint64_t enough =
            missing < unbounded / bits ? missing * bits * 7 / 10 + 16 * bits : unbounded;
        std::uint64_t length = 0;
        std::vector<std::uint64_t> found =
            batch.run(std::min(enough, end - done), [&](std::uint64_t size) {
                length = size;
                Pairs left;
                left.offset = survivors(start, small, done, size);
                left.which.resize(left.offset.size());
                return primes_among(candidates, left, options.rounds).offset;
            });
        if (found.size() > missing)
            found.resize(static_cast<std::size_t>(missing));
        visit(found);
        done += length;
        if (counted)
            missing -= found.size();
        progress.add(counted ? found.size() : length);
    }
    if (counted && missing != 0)
        fail_at_the_end(candidates);
}

std::vector<std::uint64_t> next_primes(Candidates &candidates, const Options &options) {
    const auto bits = static_cast<std::uint64_t>(candidates.bits());
    const std::uint64_t window = 8 * bits;      // ten times the mean distance of primes
    const std::size_t at_once = bits / 128 + 1; // tested of a start in one batch
    const SmallPrimes small(static_cast<std::uint32_t>(4 * bits));
    const std::vector<Remainders> start = remainders(candidates, small, 0, candidates.size());
    const std::vector<std::uint64_t> room = candidates.room();

    struct Search {
        std::uint64_t end = 1;              // offsets below are done or waiting
        std::vector<std::uint64_t> waiting; // in descending order
    };
    std::vector<Search> searches(candidates.size());
    std::vector<std::uint64_t> result(candidates.size());
    std::vector<std::size_t> unfinished;
    for (std::size_t i = 0; i != candidates.size(); ++i)
        unfinished.push_back(i);

    while (!unfinished.empty()) {
        sample::parallel_for(unfinished.size(), [&](std::size_t begin, std::size_t end) {
            std::vector<char> sieve;
            for (std::size_t k = begin; k != end; ++k) {
                const std::size_t i = unfinished[k];
                Search &search = searches[i];
                while (search.waiting.empty() && search.end <= room[i]) {
                    sieve.assign(
                        static_cast<std::size_t>(std::min(window, room[i] - search.end + 1)), 1);
                    strike(sieve, start[i], small, search.end);
                    for (std::size_t at = sieve.size(); at-- != 0;) {
                        if (sieve[at])
                            search.waiting.push_back(search.end + at);
                    }
                    search.end += sieve.size();
                }
            }
        });
        Pairs pairs;
        for (const std::size_t i : unfinished) {
            std::vector<std::uint64_t> &waiting = searches[i].waiting;
            if (waiting.empty())
                fail_at_the_end(candidates);
            for (std::size_t k = 0; k != at_once && !waiting.empty(); ++k) {
                pairs.add(i, waiting.back());
                waiting.pop_back();
            }
        }
        const std::vector<bool> prime = candidates.are_prime(pairs, options.rounds);
        for (std::size_t k = 0; k != pairs.size(); ++k) {
            std::uint64_t &found = result[pairs.which[k]];
            if (prime[k] && found == 0)
                found = pairs.offset[k];
        }
        std::erase_if(unfinished, [&](std::size_t i) { return result[i] != 0; });
    }
    return result;
}

namespace {

// Random numbers in binary, from which safe primes of `bits` bits are looked for: q in the first
// half of `lines`, p = 2 q + 1 in the second. p + 2 x has as many bits for x < end.
struct SafeStarts {
    std::string lines;
    std::vector<std::uint64_t> end;
};

SafeStarts safe_starts(int bits, std::size_t count, const std::function<std::uint64_t()> &draw) {
    // One x in 0.36 bits^2 gives a safe prime: 15 of 16 starts find one.
    const auto window = static_cast<std::uint64_t>(bits) * static_cast<std::uint64_t>(bits);
    SafeStarts starts;
    std::string second_half;
    for (std::size_t i = 0; i != count; ++i) {
        std::string p(static_cast<std::size_t>(bits), '1');
        for (std::size_t k = 1; k + 1 < p.size(); ++k)
            p[k] = (draw() & 1) != 0 ? '1' : '0';
        starts.lines += p.substr(0, p.size() - 1) + "\n";
        second_half += p + "\n";
        // A 0 at this place takes a carry, which there is not for x < 2^(bits - 2 - place).
        const std::size_t zero = std::min(p.find('0'), p.size() - 2);
        starts.end.push_back(
            std::min(window, std::uint64_t{1} << std::min<std::size_t>(40, p.size() - 2 - zero)));
    }
    starts.lines += second_half;
    return starts;
}

// For each q, the x < end for which no small prime divides q + x or 2 (q + x) + 1, ascending.
std::vector<std::vector<std::uint64_t>>
safe_survivors(Candidates &candidates, const SafeStarts &starts, const SmallPrimes &small) {
    constexpr std::size_t at_once = 64; // bounds the memory
    const std::size_t count = starts.end.size();
    std::vector<std::vector<std::uint64_t>> left(count);
    for (std::size_t first = 0; first < count; first += at_once) {
        const std::size_t size = std::min(at_once, count - first);
        const std::vector<Remainders> q = remainders(candidates, small, first, size);
        const auto sift = [&](std::size_t begin, std::size_t end) {
            std::vector<char> sieve;
            for (std::size_t i = begin; i != end; ++i) {
                sieve.assign(static_cast<std::size_t>(starts.end[first + i]), 1);
                strike(sieve, q[i], small, 0);
                strike(sieve, twice_plus_one(q[i], small), small, 0, 2);
                for (std::size_t x = 0; x != sieve.size(); ++x) {
                    if (sieve[x])
                        left[first + i].push_back(x);
                }
            }
        };
        sample::parallel_for(size, sift, 1);
    }
    return left;
}

// The first safe prime p + 2 x of each start that has one, ascending by start.
Pairs first_safe_primes(Candidates &candidates, const std::vector<std::vector<std::uint64_t>> &left,
                        std::size_t batch, int rounds, Progress &progress) {
    const std::size_t count = left.size();
    std::vector<std::size_t> tested(count), unfinished(count);
    std::iota(unfinished.begin(), unfinished.end(), std::size_t{0});
    std::vector<std::optional<std::uint64_t>> found(count);
    while (!unfinished.empty()) {
        Pairs q, p;
        for (const std::size_t i : unfinished) {
            for (std::size_t k = 0; k * unfinished.size() < batch && tested[i] != left[i].size();
                 ++k)
                q.add(i, left[i][tested[i]++]);
        }
        // The test begins with a power of 2, and ends there for nearly all that is composite. Most
        // q are: no p is tested for them.
        q = primes_among(candidates, q, 0);
        for (std::size_t k = 0; k != q.size(); ++k)
            p.add(count + q.which[k], 2 * q.offset[k]);
        p = primes_among(candidates, p, rounds);
        q = {};
        for (std::size_t k = 0; k != p.size(); ++k)
            q.add(p.which[k] - count, p.offset[k] / 2);
        if (rounds > 0)
            q = primes_among(candidates, q, rounds);
        for (std::size_t k = 0; k != q.size(); ++k) {
            std::optional<std::uint64_t> &first = found[q.which[k]];
            progress.add(first ? 0 : 1);
            first = first.value_or(q.offset[k]);
        }
        std::erase_if(unfinished,
                      [&](std::size_t i) { return found[i] || tested[i] == left[i].size(); });
    }
    Pairs result;
    for (std::size_t i = 0; i != count; ++i) {
        if (found[i])
            result.add(count + i, 2 * *found[i]);
    }
    return result;
}

} // namespace

void find_safe_primes(int bits, std::uint64_t count, std::optional<std::uint64_t> seed,
                      const Options &options,
                      const std::function<void(const std::vector<std::string> &)> &visit,
                      const std::string &results) {
    constexpr std::uint64_t most_starts = 1024; // at once
    std::mt19937_64 seeded(seed.value_or(0));
    sample::SystemRandom system;
    const auto draw = [&] { return seed ? seeded() : system(); };
    // A division for each small prime, tests that take time by bits^3: the wider, the deeper.
    const double deep = std::pow(bits, 3) / 1024;
    const SmallPrimes small(static_cast<std::uint32_t>(std::clamp(deep, 256.0, 0x1p22)));
    const std::size_t batch = min_batch(bits, options.common.device);
    Progress progress("searching", count, options.common.always_show_progress, results);
    while (count != 0) {
        const SafeStarts starts =
            safe_starts(bits, static_cast<std::size_t>(std::min(count, most_starts)), draw);
        const auto candidates = make_candidates(starts.lines, 2, 0, options.common.device);
        const Pairs found =
            first_safe_primes(*candidates, safe_survivors(*candidates, starts, small), batch,
                              options.rounds, progress);
        visit(candidates->text(found));
        count -= found.size();
    }
}

} // namespace primes
