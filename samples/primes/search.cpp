// SPDX-License-Identifier: Apache-2.0
#include "search.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <random>
#include <stdexcept>

#include <warpint/bigint.h>

#include "error.h"
#include "parallel.h"
#include "progress.h"
#include "sieve.h"

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

// Those of `offsets` from start `which` that give primes.
std::vector<std::uint64_t> primes_among(Candidates &candidates, std::size_t which,
                                        const std::vector<std::uint64_t> &offsets, int rounds) {
    const Pairs pairs{std::vector<std::uint32_t>(offsets.size(), static_cast<std::uint32_t>(which)),
                      offsets};
    const std::vector<bool> prime = candidates.are_prime(pairs, rounds);
    std::vector<std::uint64_t> found;
    for (std::size_t i = 0; i != offsets.size(); ++i) {
        if (prime[i])
            found.push_back(offsets[i]);
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
    const Remainders start = remainders(candidates, small)[0];

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
                return primes_among(candidates, 0, survivors(start, nullptr, small, done, size),
                                    options.rounds);
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
    const std::vector<Remainders> start = remainders(candidates, small);
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

std::vector<std::string> safe_primes(int bits, std::size_t count, const Options &options) {
    std::random_device generator;
    Progress progress("searching", count, options.common.always_show_progress);
    std::vector<std::string> result;
    while (result.size() != count) {
        // Starts q and p = 2 q + 1, in binary: then q + x and p + 2 x are to be prime.
        std::string p(static_cast<std::size_t>(bits), '1');
        for (std::size_t i = 1; i + 1 < p.size(); ++i)
            p[i] = (generator() & 1) != 0 ? '1' : '0';
        const auto candidates =
            make_candidates(p.substr(0, p.size() - 1) + "\n" + p, 2, 0, options.common.device);
        const SmallPrimes small(static_cast<std::uint32_t>(64 * bits));
        const std::vector<Remainders> starts = remainders(*candidates, small);
        // As p has a 0 at this place, p + 2 x has no more bits for x < 2^(bits - 2 - place).
        const std::size_t zero = p.find('0');
        std::uint64_t end = 1;
        if (zero != std::string::npos)
            end <<= std::min<std::size_t>(40, p.size() - 2 - zero);

        Batch batch(static_cast<std::uint64_t>(16 * bits));
        for (std::uint64_t done = 0, found = 0; done != end && found == 0;) {
            found = batch.run(end - done, [&](std::uint64_t size) {
                std::vector<std::uint64_t> left =
                    survivors(starts[0], &starts[1], small, done, size);
                done += size;
                left = primes_among(*candidates, 0, left, options.rounds); // q
                for (std::uint64_t &x : left)
                    x *= 2;
                left = primes_among(*candidates, 1, left, options.rounds); // p
                if (left.empty())
                    return std::uint64_t{0};
                Pairs pairs;
                pairs.add(1, left.front());
                result.push_back(candidates->text(pairs)[0]);
                return std::uint64_t{1};
            });
            progress.add(found);
        }
    }
    return result;
}

} // namespace primes
