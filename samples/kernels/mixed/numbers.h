// SPDX-License-Identifier: Apache-2.0
// What the C++ file and the CUDA file of the program share.
#pragma once

#include <warpint/vector.h>

using Number = warpint::BigInt<256>;

// The inverses of x modulo the prime p, computed on the GPU if there is one. Numbers that have none
// become elements without a value, whose use throws std::domain_error.
warpint::host_vector<Number> inverses(const warpint::host_vector<Number> &x, const Number &p);
