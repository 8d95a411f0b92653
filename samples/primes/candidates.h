// SPDX-License-Identifier: Apache-2.0
// Numbers near a few given ones, tested for primality in batches: the only part of the sample that
// uses warpint's vectors.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "command_line.h"

namespace primes {

// Number i of a batch is start[which[i]] + offset[i].
struct Pairs {
    std::vector<std::uint32_t> which;
    std::vector<std::uint64_t> offset;

    void add(std::size_t index, std::uint64_t value) {
        which.push_back(static_cast<std::uint32_t>(index));
        offset.push_back(value);
    }
    std::size_t size() const { return which.size(); }
};

class Candidates {
public:
    virtual ~Candidates() = default;

    virtual std::size_t size() const = 0; // of the starts
    virtual int bits() const = 0;         // of the widest number that can be tested
    virtual bool on_gpu() const = 0;      // a GPU wants large batches

    // min(start, 2^63), and how far offsets may go: min(2^bits - 1 - start, 2^63).
    virtual std::vector<std::uint64_t> small_starts() = 0;
    virtual std::vector<std::uint64_t> room() = 0;

    // start[which] modulo `offset`, which is not 0.
    virtual std::vector<std::uint64_t> remainders(const Pairs &divisors) = 0;

    // Whether start[which] + offset is prime by the test of Baillie, Pomerance, Selfridge and
    // Wagstaff, which is proved up to 2^64. What passes and is longer is tested by Miller and
    // Rabin's test too, `rounds` times; each round has one random base for the whole batch.
    virtual std::vector<bool> are_prime(const Pairs &numbers, int rounds) = 0;

    // start[which] + offset in decimal.
    virtual std::vector<std::string> text(const Pairs &numbers) = 0;
};

// One start a line, in this base. The smallest compiled width is taken that holds every start plus
// `room`; the largest width, where none does. Throws std::invalid_argument or std::out_of_range
// naming the line for what is no number or too long.
std::unique_ptr<Candidates> make_candidates(const std::string &lines, int base, std::uint64_t room,
                                            sample::Device device);

// How many numbers of this width suit the device in one batch, at least.
std::size_t min_batch(int bits, sample::Device device);

// What tests run on, in words.
std::string device_name(sample::Device device);

// The most bits that a number can have.
int largest_width();

} // namespace primes
