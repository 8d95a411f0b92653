// SPDX-License-Identifier: Apache-2.0
// Honest counts of work: the multiply-adds of limbs that an operation needs by schoolbook methods,
// n limbs a number. A share of the limit above 1 means a better method (Karatsuba's products).
#pragma once

#include <algorithm>

namespace perf::work {

constexpr double limbs(int bits, int limb_bits) {
    return static_cast<double>((bits + limb_bits - 1) / limb_bits);
}

constexpr double none(int, int) {
    return 0;
}

constexpr double product(int bits, int limb_bits) {
    const double n = limbs(bits, limb_bits);
    return n * n;
}

constexpr double square(int bits, int limb_bits) {
    const double n = limbs(bits, limb_bits);
    return n * (n + 1) / 2;
}

// A reduction from twice the width: quotient digits, and the modulus times each.
constexpr double reduction(int bits, int limb_bits) {
    const double n = limbs(bits, limb_bits);
    return n * n + n;
}

constexpr double modular_product(int bits, int limb_bits) {
    return product(bits, limb_bits) + reduction(bits, limb_bits);
}

constexpr double modular_square(int bits, int limb_bits) {
    return square(bits, limb_bits) + reduction(bits, limb_bits);
}

// An exponent as wide as the modulus by fixed windows of the best width: a square for each bit, a
// product for each window, and the table.
constexpr double power(int bits, int limb_bits) {
    double products = 1e30;
    for (int window = 1; window <= 8; ++window)
        products = std::min<double>(products, (bits + window - 1) / window + (1 << window) - 2);
    return bits * modular_square(bits, limb_bits) + products * modular_product(bits, limb_bits);
}

// The same with an exponent of twice the width.
constexpr double power_wide(int bits, int limb_bits) {
    return 2 * power(bits, limb_bits);
}

// Two powers of half the width.
constexpr double rsa_private(int bits, int limb_bits) {
    return 2 * power(bits / 2, limb_bits);
}

// Sixteen squares and a product.
constexpr double power_65537(int bits, int limb_bits) {
    return 16 * modular_square(bits, limb_bits) + modular_product(bits, limb_bits);
}

// By a divisor of half the width: half as many quotient digits, each times half as many limbs.
constexpr double half_division(int bits, int limb_bits) {
    const double half = limbs(bits, limb_bits) / 2;
    return half * half + half;
}

// A root of half the width, each digit subtracted from what is left: half the limbs' square.
constexpr double square_root(int bits, int limb_bits) {
    const double half = limbs(bits, limb_bits) / 2;
    return half * (half + 1) / 2;
}

} // namespace perf::work
