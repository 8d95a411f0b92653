// SPDX-License-Identifier: Apache-2.0
// Operands of modular arithmetic: numbers by their relation to a modulus (class 5 of operands.h),
// special moduli (class 6) and special exponents (class 7).
//
// Tests draw them through an OperandSource (operands.h).
#pragma once

#include "number_source.h"

namespace test {

/// Class 5, a number by its relation to a modulus. Values that do not fit are truncated.
Integer related_to_modulus(NumberSource &source, int bits, const Integer &m);

/// Class 6: a prime in use somewhere that has at most `bits` bits, else 1.
Integer named_prime(NumberSource &source, int bits);

/// Class 6. Never 0, but possibly too wide: callers reduce it to their width.
Integer special_modulus(NumberSource &source, int bits);

/// Class 7. Never negative, but possibly too wide: callers reduce it to their width.
Integer special_exponent(NumberSource &source, int bits, const Integer &m);

} // namespace test
