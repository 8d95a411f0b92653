// SPDX-License-Identifier: Apache-2.0
// host_vector<T>, device_vector<T>, batch_view<T> and formulas over them.
//
//   device_vector<BigInt<2048>> a, b, c;
//   c = a * b % m;            // m: a number, a Modulus or a vector; one fused kernel
//   c = pow(a, e, m);         // e and m each a number or a vector
//   auto bits = eval(popcount(a ^ b));
//   auto total = sum(a * b);  // reduced while it is computed: sum product min max count all any
//   device_vector<Residue<256>> x(m, a);  // one Modulus for all; x * y + 3 keeps their form
//   c = let(a * b, [](auto t) { return t * t + t; });  // t is computed once
//   c = gather(a, index);
//   for_each_block(n, 64, f);  // a loop of your own on the CPU threads of formulas
//   host_vector<BigInt<256>> v = parse<256>(text);  // also to_strings, assign_bytes, to_bytes
//
// The law: every element is computed as if integers were unbounded; only the final store truncates
// to the target's width. So (a + b) % m and (a - b) % m are right for full-width operands, and a +
// b < a is never true. ~ and << keep their operand's width.
#pragma once

#include "limb/language.h"

#if WARPINT_HAS_CXX20
WARPINT_HEADER_BEGIN

#include "vector/bytes.h"
#include "vector/copy.h"
#include "vector/eval.h"
#include "vector/reduce.h"
#include "vector/stream.h"
#include "vector/text.h"
#include "vector/vector.h"

WARPINT_HEADER_END
#endif
