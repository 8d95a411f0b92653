// SPDX-License-Identifier: Apache-2.0
// sort, sort_by_key and argsort of vectors of numbers.
//
//   sort(a);                                    // ascending
//   sort_by_key(a, b);                          // b follows a
//   b = gather(a, argsort(a));                  // a stays as it is
//
// It is a header of its own because CUB's radix sort takes a while to compile.
#pragma once

#include "limb/language.h"

#if WARPINT_HAS_CXX20
WARPINT_HEADER_BEGIN

#include "vector.h"
#include "vector/sharded_sort.h"
#include "vector/sort.h"

WARPINT_HEADER_END
#endif
