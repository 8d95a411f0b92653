// SPDX-License-Identifier: Apache-2.0
// Factors of a number by many curves.
#pragma once

#include <cstdint>
#include <vector>

#include "curves.h"
#include "report.h"

namespace ecm {

struct Options {
    std::uint32_t b1 = 50000;
    std::uint32_t b2 = 0;     // 0: 100 b1
    std::uint64_t curves = 0; // most of them for one factor; 0: 2000
    std::uint32_t sigma = 0;  // of the first curve; the next have the next ones; 0: random
    std::uint32_t batch = 0;  // curves at once; 0: by the device
    sample::CommonOptions common;
};

struct Factors {
    std::vector<Number> primes; // ascending
    std::vector<Number> left;   // composite numbers that no curve could split
};

// Reports the rate of each batch of curves, if there is a report.
Factors factors(const Number &n, const Options &options, sample::Report *report = nullptr);

// The points x = X / Z after stage 1 of `curves` curves from `sigma` on.
std::vector<Number> points(const Number &n, const Options &options);

} // namespace ecm
