// SPDX-License-Identifier: Apache-2.0
// Operands of divisions and modular products of 32-bit limbs: random and adversarial, with top
// limbs zero or equal to the modulus', powers of two, 2^k - c, runs of zeros and ones.
#pragma once

#include "property.h"

#include <cstdint>
#include <random>

namespace test {

class RegisterOperands {
public:
    RegisterOperands(const char *name, int tag);

    /// Operands a and b and a modulus m of n limbs, m possibly 0.
    void draw(std::uint32_t *a, std::uint32_t *b, std::uint32_t *m, int n, bool adversarial);

    std::uint32_t word();
    unsigned below(unsigned bound);

private:
    static constexpr unsigned kinds = 18;
    static constexpr std::uint32_t ones = 0xffffffffu;

    static void copy(std::uint32_t *r, const std::uint32_t *a, int n);

    void number(std::uint32_t *r, int n, unsigned kind);

    std::mt19937_64 engine_;
};

} // namespace test
