// SPDX-License-Identifier: Apache-2.0
// Sizes at which modular arithmetic on numbers changes; those of limb arrays are in
// arith/limbs/tuning.h.
#pragma once

#include "../../limb/config.h"

namespace warpint::number {

// Memory for the table of a power, in bytes: local memory of one thread on a GPU, a share of a
// core's cache on the host. It bounds the window. Not measured.
inline constexpr int device_power_table_bytes = 8 * 1024;
inline constexpr int host_power_table_bytes = 48 * 1024;
inline constexpr int power_table_bytes =
    WARPINT_DEVICE_PASS ? device_power_table_bytes : host_power_table_bytes;

// In device code, products modulo even numbers of more limbs than this are out of line, so that
// their code does not add to that of odd moduli. Not measured.
inline constexpr int inlined_even_limbs = 12;

// Exponents of residues of up to this many bits use no windows: most such exponents have few bits
// set. Not measured.
inline constexpr int short_exponent_bits = 20;

} // namespace warpint::number
