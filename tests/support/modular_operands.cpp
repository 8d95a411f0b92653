// SPDX-License-Identifier: Apache-2.0
#include "modular_operands.h"

#include <algorithm>
#include <array>

namespace test {

Integer related_to_modulus(NumberSource &source, int bits, const Integer &m) {
    const int limb = source.one_in(2) ? 32 : 64;
    const int width = (std::max(1, m.bit_width()) + limb - 1) / limb * limb;
    Integer a;
    switch (source.below(12)) {
    case 0:
        a = m - 1;
        break;
    case 1:
        a = m;
        break;
    case 2:
        a = m + 1;
        break;
    case 3:
        a = m + m - 1;
        break;
    case 4:
        a = m * m - 1;
        break;
    case 5:
        a = m * source.number(std::max(1, bits - m.bit_width()));
        break;
    case 6:
        a = m * source.number(std::max(1, bits - m.bit_width())) - 1;
        break;
    case 7:
        a = modulo(power_of_two(width), m);
        break; // Montgomery form of 1
    case 8:
        a = m - modulo(power_of_two(width), m);
        break; // and of m - 1
    case 9:
        a = inverse_or_zero(power_of_two(width), m);
        break; // its form is 1
    case 10:
        a = m - inverse_or_zero(power_of_two(width), m);
        break; // its form is m - 1
    default:
        a = modulo(source.number(bits), m);
        break; // reduced
    }
    return source.counted(OperandClass::relation,
                          store_unsigned(a.sign() < 0 ? Integer(0) : a, bits));
}

Integer named_prime(NumberSource &source, int bits) {
    static constexpr std::array<const char *, 14> primes = {
        "7f",
        "7fffffff",
        "78000001" /* 15 * 2^27 + 1 */,
        "ffffffff00000001" /* 2^64 - 2^32 + 1 */,
        "1fffffffffffffff",
        "7fffffffffffffffffffffffffffffff",
        "fffffffffffffffffffffffffffffffeffffffffffffffff" /* P-192 */,
        "ffffffffffffffffffffffffffffffff000000000000000000000001" /* P-224 */,
        "7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffed" /* 25519 */,
        "73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001" /* BLS12-381 r */,
        "ffffffff00000001000000000000000000000000ffffffffffffffffffffffff" /* P-256 */,
        "fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f" /* secp256k1 */,
        "fffffffeffffffffffffffffffffffffffffffff00000000ffffffffffffffff" /* SM2 */,
        "fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe"
        "ffffffff0000000000000000ffffffff" /* P-384 */};
    std::size_t fitting = 0;
    while (fitting < primes.size() && Integer(primes[fitting], 16).bit_width() <= bits) {
        ++fitting;
    }
    return fitting == 0 ? Integer(1) : Integer(primes[source.word() % fitting], 16);
}

Integer special_modulus(NumberSource &source, int bits) {
    const Integer top = power_of_two(bits - 1);
    switch (source.below(16)) {
    case 0:
        return Integer(1);
    case 1:
        return Integer(2);
    case 2:
        return Integer(3);
    case 3:
        return (source.uniform_bits(bits) | 1) << std::size_t(source.below(bits)); // even composite
    case 4:
        return power_of_two(source.below(bits));
    case 5:
        return all_ones(bits);
    case 6:
        return all_ones(bits) - Integer(2 * source.below(4)); // the largest odd numbers
    case 7: { // top limb all ones (of the highest full limb)
        const int limb = std::min(bits, source.one_in(2) ? 32 : 64);
        return (all_ones(limb) << std::size_t(bits - limb)) +
               source.number(std::max(1, bits - limb));
    }
    case 8: { // top limb 1
        const int low = (bits - 1) / 32 * 32;
        return power_of_two(low) + (low > 0 ? source.number(low) : Integer(0));
    }
    case 9:
        return all_ones(1 + source.below(bits)); // Mersenne
    case 10:
        return top + top - Integer(1 + 2 * source.below(500)); // pseudo-Mersenne
    case 11: { // Solinas: 2^(32i) - 2^(32j) +- 2^(32k) - 1 at the top of the width
        const int step = std::max(1, bits / 8);
        Integer m = power_of_two(bits) - power_of_two(step * (1 + source.below(6))) - 1;
        return source.one_in(2) ? m + power_of_two(step) : m;
    }
    case 12: // like secp256k1: 2^bits - 2^32 - small
        return bits > 40 ? power_of_two(bits) - power_of_two(32) - Integer(977) : top + 1;
    case 13: // like SM2: 2^n - 2^(7n/8) - 2^(3n/8) + 2^(n/4) - 1
        return power_of_two(bits) - power_of_two(7 * bits / 8) - power_of_two(3 * bits / 8) +
               power_of_two(bits / 4) - 1;
    case 14: { // high two-adicity: c 2^s + 1
        const int s = bits / 2 + source.below(std::max(1, bits / 2));
        return (source.number(std::max(1, bits - s)) << std::size_t(s)) + 1;
    }
    default:
        return named_prime(source, bits);
    }
}

Integer special_exponent(NumberSource &source, int bits, const Integer &m) {
    switch (source.below(14)) {
    case 0:
        return Integer(0);
    case 1:
        return Integer(1);
    case 2:
        return Integer(2);
    case 3:
        return m - 1;
    case 4:
        return power_of_two(31) - Integer(source.below(2));
    case 5:
        return power_of_two(32) - Integer(source.below(2));
    case 6:
        return power_of_two(63) - Integer(source.below(2));
    case 7:
        return power_of_two(64) - Integer(source.below(2));
    case 8:
        return power_of_two(64) + source.uniform_bits(64); // exactly 65 bits
    case 9:
        return all_ones(bits);
    case 10:
        return power_of_two(bits - 1);
    case 11: { // ones at both ends of a long run of zeros
        const int length = 1 + source.below(bits);
        return power_of_two(length - 1) + source.number(std::max(1, length / 8));
    }
    default: { // a multiple of a window size, plus or minus one bit
        const int window = 2 + source.below(7);
        const int length = window * (1 + source.below(std::max(1, std::min(bits, 256) / window)));
        const int wanted = std::max(1, std::min(bits, length - 1 + source.below(3)));
        return source.uniform_bits(wanted) | power_of_two(wanted - 1);
    }
    }
}

} // namespace test
