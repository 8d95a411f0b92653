// SPDX-License-Identifier: Apache-2.0
// Searches for primes: sieves, then tests what is left in batches.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "candidates.h"

namespace primes {

struct Options {
    sample::CommonOptions common;
    int rounds = 0; // of Miller and Rabin's test, after the test of Baillie-PSW
};

// The primes of [start, start + length), or the first `count` of them.
struct Range {
    std::uint64_t length;
    std::uint64_t count;
};

// The range from `from` to `to`, or of `count` primes; `to` is empty or `count` is 0. Throws Error
// for what is no decimal number or too long.
Range make_range(const std::string &from, const std::string &to, std::uint64_t count);

// Calls visit with the offsets of these primes from start 0, ascending, part after part. `results`:
// the file that it writes, if any (Progress).
void find_primes(Candidates &candidates, const Range &range, const Options &options,
                 const std::function<void(const std::vector<std::uint64_t> &)> &visit,
                 const std::string &results = {});

// The offset of the smallest prime above each start.
std::vector<std::uint64_t> next_primes(Candidates &candidates, const Options &options);

// Calls visit with `count` safe primes of this many bits in decimal, part after part: each is the
// first one above a random number. With a seed, they are the same in every run and on every device.
void find_safe_primes(int bits, std::uint64_t count, std::optional<std::uint64_t> seed,
                      const Options &options,
                      const std::function<void(const std::vector<std::string> &)> &visit,
                      const std::string &results = {});

} // namespace primes
