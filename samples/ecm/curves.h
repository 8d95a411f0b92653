// SPDX-License-Identifier: Apache-2.0
// Many curves modulo one number: the only part of the sample that uses warpint's vectors.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include <warpint/bigint.h>

#include "command_line.h"
#include "curves_widths.h"

namespace ecm {

using Number = warpint::BigInt<widest>;

class Curves {
public:
    virtual ~Curves() = default;

    // Starts the curves of these parameters (each from 6 on), as Suyama's parametrisation gives
    // them: their orders are multiples of 12.
    virtual void start(const std::vector<std::uint32_t> &sigmas) = 0;

    // Multiplies their points by all prime powers up to b1; then, in stage 2, by the primes up to
    // b2. `progress` is called after each part, with the share of the stage that it was. Throws
    // Error where the first curve, computed again on the host, comes out different.
    virtual void stage_1(std::uint32_t b1, const std::function<void(double)> &progress) = 0;
    virtual void stage_2(std::uint32_t b1, std::uint32_t b2,
                         const std::function<void(double)> &progress) = 0;

    // Of each curve after stage 1 (stage 2): a divisor of n, often 1, sometimes n.
    virtual std::vector<Number> divisors() = 0;

    // x = X / Z of each point after stage 1, 0 where there is none: to compare with other programs.
    virtual std::vector<Number> points() = 0;
};

// n: odd, without a factor below 100.
std::unique_ptr<Curves> make_curves(const Number &n, sample::Device device);

std::string device_name(sample::Device device);

// How many curves modulo n suit the device in one batch.
std::size_t usual_batch(const Number &n, sample::Device device);

} // namespace ecm
