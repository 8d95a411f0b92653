// WarpInt<Bits, Lanes> and SignedWarpInt: one number over several lanes of a warp, for numbers too
// wide for the registers of one thread, inside kernels of your own. Public entry to the room
// warp_int.
#pragma once

#include "limb/language.h"

#if WARPINT_HAS_CXX20
WARPINT_HEADER_BEGIN

#include "warp_int/functions.h"

WARPINT_HEADER_END
#endif
