// SPDX-License-Identifier: Apache-2.0
// WarpInt<Bits, Lanes> and SignedWarpInt: one number over several lanes of a warp, for numbers too
// wide for the registers of one thread, inside kernels of your own; WarpModulus and WarpResidue.
#pragma once

#include "limb/language.h"

#if WARPINT_HAS_CXX20
WARPINT_HEADER_BEGIN

#include "number/theory/crt.h"
#include "number/theory/sqrt_mod.h"
#include "number/warp_int/kind.h"
#include "number/warp_int/montgomery_ring.h"
#include "number/warp_int/prime.h"
#include "number/warp_int/random.h"
#include "number/warp_int/residue.h"
#include "number/warp_int/root.h"

WARPINT_HEADER_END
#endif
