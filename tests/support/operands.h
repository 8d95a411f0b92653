// SPDX-License-Identifier: Apache-2.0
// Operands for randomised tests: a seeded source of numbers that break arithmetic.
//
// Uniformly random bits almost never meet a rare carry, a wrong trial quotient or a reduction
// that ends exactly at the modulus. An OperandSource therefore mixes nine classes of operands,
// each at least one draw in twenty (tests/operands_test.cpp holds it to that):
//
//   1 uniform     uniform bits; uniform bit length
//   2 runs        long runs of ones and zeros
//   3 limbs       every 32- or 64-bit limb is one of the values at which limb code goes wrong
//   4 density     a density of ones per number; sparse numbers (2% non-zero limbs)
//   5 relations   a = b, a near m or m^2, multiples, shared factors, Montgomery forms of 1 and -1
//   6 moduli      1, 2, 3, even, powers of two, Mersenne, Solinas, curve primes, high two-adicity
//   7 exponents   0, 1, 2, m-1, limb boundaries, all ones, one bit, zero runs, window boundaries
//   8 division    divisors and dividends that make trial quotients wrong, every normalising shift
//   9 gcd         consecutive Fibonacci numbers, 2^i-1 with 2^(i/2)+-1, m-1, a much larger than m
//
// Every number handed out fits the width asked for. The same seed gives the same numbers on every
// platform.
#pragma once

#include "modular_operands.h"
#include "number_source.h"
#include "operand_pairs.h"

#include <cstdint>

namespace test {

struct OperandTriple {
    Integer a, b, m; // m >= 1
};

/// Draws from all classes: single numbers as a NumberSource does, and operands of an operation.
class OperandSource : public NumberSource {
public:
    using NumberSource::NumberSource;

    // ---- operands of an operation

    /// Two unsigned numbers; half of the pairs are independent, the others come from classes 5, 8
    /// and 9.
    OperandPair pair(int bits_a, int bits_b);

    /// Two numbers and a modulus >= 1 (even ones too); a and b need not be reduced.
    OperandTriple triple(int bits_a, int bits_b, int bits_m);

    /// Dividend and divisor (>= 1); half of the pairs are class 8.
    DivisionPair division_pair(int bits_dividend, int bits_divisor);

    /// Operands for gcd and inverse; half of the pairs are class 9.
    OperandPair inverse_pair(int bits_a, int bits_b);

    /// A modulus in [1, 2^bits), odd or even; three in five are class 6.
    Integer modulus(int bits);

    /// An odd modulus in [1, 2^bits).
    Integer odd_modulus(int bits) { return modulus(bits) | 1; }

    /// An exponent in [0, 2^bits) for the modulus `m`; half of them are class 7.
    Integer exponent(int bits, const Integer &m);

    // ---- one class

    /// Class 5: a number by its relation to `m`, cut to `bits` bits.
    Integer related_to_modulus(int bits, const Integer &m);
    /// Class 6: a prime in use somewhere that has at most `bits` bits, else 1.
    Integer named_prime(int bits) { return test::named_prime(*this, bits); }
    /// Class 9.
    OperandPair gcd_pair(int bits_a, int bits_b) { return test::gcd_pair(*this, bits_a, bits_b); }
};

} // namespace test
