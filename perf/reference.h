// SPDX-License-Identifier: Apache-2.0
// Every operation once more, by GMP, at a width known at run time: the check of warpint's rows, and
// a peer of its own.
#pragma once

#include <string>
#include <vector>

#include "operands.h"

#if defined(WARPINT_PERF_HAS_GMP)
#include <gmp.h>
#endif

namespace perf {

#if defined(WARPINT_PERF_HAS_GMP)
// Operands of one element, whichever the operation has, and its results.
struct Element {
    mpz_t a, b, c, e, m, w;  // w: of twice the width
    mpz_t result, remainder; // remainder: of operations with two results
    Element();
    Element(const Element &) = delete;
    Element &operator=(const Element &) = delete;
    ~Element();
};
#else
struct Element;
#endif

// The exact result; a result wider than its target is truncated by the check.
using Reference = void (*)(Element &);

namespace reference {
void add(Element &);
void subtract(Element &);
void shift(Element &); // by 37
void less(Element &);
void disjunction(Element &); // a | b
void multiply(Element &);
void square(Element &);
void multiply_modulo(Element &);
void square_modulo(Element &);
void multiply_512_times(Element &); // a * b^512 modulo m
void square_512_times(Element &);   // a^(2^512) modulo m
void add_512_times(Element &);      // a + 512 b modulo m
void add_modulo(Element &);
void subtract_modulo(Element &);
void multiply_add_modulo(Element &);
void power(Element &);
void power_wide(Element &); // the exponent is w
void power_65537(Element &);
void divide_with_remainder(Element &); // w by m
void divide(Element &);
void square_root(Element &);
void greatest_common_divisor(Element &);
void inverse(Element &);
void copy(Element &);         // a
void power_of_two(Element &); // 2^e modulo m
// Of papers.h: Montgomery's products, R = 2^32 to the power of m's limbs.
void montgomery_multiply(Element &);           // a b / R
void montgomery_multiply_512_times(Element &); // a (b / R)^512
void montgomery_square_512_times(Element &);   // a^(2^512) / R^(2^512 - 1)
void multiply_and_fold(Element &); // 64 times a = low half of a b ^ high half, B = R of a
} // namespace reference

// What check() compares: operands and results as they lie in memory. An operand without limbs is
// absent.
struct Batch {
    Device device = Device::cpu;
    std::size_t count = 0;
    Numbers a, b, c, e, m, w;
    const void *result = nullptr; // count elements of result_bytes, of which result_bits bits count
    std::size_t result_bytes = 0;
    int result_bits = 0;
    const void *remainder = nullptr; // likewise, of the width of m
};

// Compares up to `most` elements, spread over the batch, the first and the last among them.
Check check(const Batch &batch, Reference reference, std::size_t most);

// Compares the sum of all numbers with a number on the host, of total_bits bits.
Check check_sum(Device device, const Numbers &numbers, const std::uint32_t *total, int total_bits);

// Compares the order of the numbers, and a sum of hashes of them with that of the numbers before.
Check check_sorted(Device device, const Numbers &before, const Numbers &after);

// Compares up to `most` lines, spread over the batch, with decimal text of the numbers.
Check check_text(Device device, const Numbers &numbers, const std::vector<std::string> &lines,
                 std::size_t most);

#if defined(WARPINT_PERF_HAS_GMP)
// A random RSA key of so many bits with the public exponent 65537.
struct RsaKey {
    std::vector<std::uint32_t> n, d, p, q, dp, dq, coefficient;
};
RsaKey rsa_key(int bits);
#endif

// A random prime of so many bits, limbs of 32 bits; without GMP an odd number.
void random_prime(std::uint32_t *limbs, int bits);

} // namespace perf
