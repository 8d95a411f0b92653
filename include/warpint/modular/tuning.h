// SPDX-License-Identifier: Apache-2.0
// Sizes at which modular arithmetic on numbers changes; those of limb arrays are in
// algorithm/tuning.h.
#pragma once

#include "../limb/config.h"

namespace warpint::number {

// Memory for a power's table in bytes: one thread's local memory on a GPU, a share of a core's
// cache on the host. It bounds the window. Not measured.
inline constexpr int device_power_table_bytes = 8 * 1024;
inline constexpr int host_power_table_bytes = 48 * 1024;
inline constexpr int power_table_bytes =
    WARPINT_DEVICE_PASS ? device_power_table_bytes : host_power_table_bytes;

// Even moduli wider than this many limbs are multiplied by a function that is called, in device
// code, so that their code does not come on top of that of odd moduli. Not measured.
inline constexpr int inlined_even_limbs = 12;

// Exponents of residues of up to this many bits need no windows: most that are used have few bits
// set. Not measured.
inline constexpr int short_exponent_bits = 20;

} // namespace warpint::number
