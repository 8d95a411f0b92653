// SPDX-License-Identifier: Apache-2.0
// Problems as text, and small ones made at random.
//
// A line holds a name and p, a, b, n, Px, Py, Qx, Qy in hexadecimal; # begins a comment. A line
// without the points stands for two points that the program chooses.
#pragma once

#include <cstdint>
#include <string>

#include "curve.h"

namespace pollard {

// The text of curves.txt.
extern const char *const own_curves;

// The problem of that name in the file, or in own_curves if `file` is empty. Throws Error unless
// the curve's numbers belong together.
Problem find_problem(const std::string &file, const std::string &name);

std::string to_line(const Problem &problem);

// A curve of prime order over a prime field of `bits` bits, 20 to 56, with two points. Takes
// seconds at 56 bits.
Problem make_problem(int bits, std::uint64_t seed);

} // namespace pollard
