// SPDX-License-Identifier: Apache-2.0
// Matrices modulo a number of a width that is known when the program runs: the only part of the
// sample that uses warpint's vectors.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "command_line.h"
#include "table.h"

namespace matrix {

class Algebra {
public:
    virtual ~Algebra() = default;

    virtual std::string modulus() const = 0; // in decimal
    virtual bool modulus_is_prime() const = 0;
    virtual int bits() const = 0;           // of the modulus
    virtual std::uint64_t rows() const = 0; // of A

    // Sets A or B. Throws Error naming row and column of an entry that is not below the modulus.
    virtual void set_a(const Table &table) = 0;
    virtual void set_b(const Table &table) = 0;
    // Sets both to random entries: A has size x size, B size x columns.
    virtual void draw(std::uint64_t size, std::uint64_t columns) = 0;

    // X = A B, for A with as many columns as B has rows. Waits for the result.
    virtual void multiply() = 0;

    // X with A X = B, for a prime modulus, a square A and B with as many rows. Returns A's rank: X
    // was computed if it is the number of rows. Waits for the result.
    virtual std::uint64_t solve() = 0;

    // Whether the last call was right, by plain numbers on the host. A wrong product passes with
    // probability at most 1/q, for the smallest prime divisor q of the modulus: both sides are
    // multiplied by one random column (Freivalds 1977). Of a solution all is computed.
    virtual bool product_is_right() const = 0;
    virtual bool solution_is_right() const = 0;

    // X, a line for each row, in decimal or hexadecimal with 0x.
    virtual std::string text(bool hexadecimal) const = 0;
};

// The modulus is decimal or hexadecimal with 0x. Throws UsageError where it is no number from 2 on
// or too long.
std::unique_ptr<Algebra> make_algebra(const std::string &modulus, sample::Device device);

// Modulo a random prime of so many bits.
std::unique_ptr<Algebra> make_algebra(int bits, sample::Device device);

// The most bits that a modulus can have.
int largest_width();

// What it runs on, in words.
std::string device_name(sample::Device device);

} // namespace matrix
