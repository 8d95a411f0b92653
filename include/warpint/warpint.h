// SPDX-License-Identifier: Apache-2.0
// All of warpint except <warpint/sort.h>, <warpint/sharded.h>, <warpint/distributed.h> and
// <warpint/gmp.h>. Include these where you need them.
#pragma once

#include "limb/language.h"

#if WARPINT_HAS_CXX20
WARPINT_HEADER_BEGIN

#include "bigint.h"
#include "constant_time.h"
#include "modular.h"
#include "number_theory.h"
#include "random.h"
#include "text.h"
#include "vector.h"
#include "warp_int.h"

WARPINT_HEADER_END
#endif
