// SPDX-License-Identifier: Apache-2.0
// Vectors on several GPUs.
//
//   sharded_vector<BigInt<2048>> a(device_group(), numbers), c;
//   c = a * a % m;                                   // each GPU computes its share
//   auto total = sum(c);                             // combined
//   std::vector<BigInt<2048>> result = c.to_host();
//
// device_group() names all GPUs, device_group({0, 2}) some of them.
#pragma once

#include "limb/language.h"

#if WARPINT_HAS_CXX20
WARPINT_HEADER_BEGIN

#include "vector.h"
#include "vector/sharded.h"

WARPINT_HEADER_END
#endif
