// SPDX-License-Identifier: Apache-2.0
// The operations that public test vectors exercise: each is run on the numbers of a record, at the
// smallest width of a ladder that holds them, and compared with the record's result.
//
// All throw std::runtime_error if the result is another, and NotRun (widths.h) if the record cannot
// be run.
#pragma once

#include "records.h"

#include <stdexcept>
#include <string>

namespace vectors_test {

// ---- arithmetic (arithmetic.cpp)

void run_add(const Integer &a, const Integer &b, const Integer &r);
void run_multiply(const Integer &a, const Integer &b, const Integer &r);

/// Quotient toward zero.
void run_divide(const Integer &a, const Integer &b, const Integer &q, const Integer &r);

/// Quotient such that the remainder is not negative.
void run_divide_euclid(const Integer &a, const Integer &b, const Integer &q);

void run_modulo(const Integer &a, const Integer &m, const Integer &r);
void run_modular_product(const Integer &a, const Integer &b, const Integer &m, const Integer &r);
void run_power_modulo(const Integer &a, const Integer &e, const Integer &m, const Integer &r);
void run_power(const Integer &a, const Integer &e, const Integer &r);
void run_shift_left(const Integer &a, const Integer &n, const Integer &r);

/// The magnitude is shifted and the sign kept, unlike >> of negative numbers.
void run_shift_right_truncating(const Integer &a, const Integer &n, const Integer &r);

void run_compare(const Integer &a, const Integer &b, const std::string &what, bool r);

/// s = em^d and em = s^e modulo n.
void run_rsa(const Record &record, const char *plain, const char *transformed);

/// The value is not below n - 1: that is why the source refuses it. An unreduced base is no error
/// here.
void run_out_of_range(const Integer &value, const Integer &n);

void run_from_radix(const Record &record, int base);
void run_from_radix_invalid(const Record &record);

// ---- number theory (number_theory.cpp)

void run_gcd(const Integer &a, const Integer &b, const Integer &r);

/// r = 0 stands for "no inverse", except modulo 1.
void run_inverse(const Integer &a, const Integer &m, const Integer &r);

void run_jacobi(const Integer &a, const Integer &n, const Integer &r);

/// The source's root r, or p - r. A source that refuses a composite p may meet a root here.
void run_root_modulo(const Integer &a, const Integer &p, const Integer *r);

void run_is_square(const Integer &a, bool square);
void run_primality(const Integer &n, bool prime);

/// One round of Miller and Rabin, written with pow: w odd, base b.
void run_witness(const Integer &w, const Integer &b, bool possibly_prime);

} // namespace vectors_test
