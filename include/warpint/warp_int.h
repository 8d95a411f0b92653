// WarpInt<Bits, Lanes> and SignedWarpInt: one number over several lanes of a warp, for numbers too
// wide for the registers of one thread, inside kernels of your own. Public entry to the room
// warp_int.
#pragma once

#include "warp_int/modular.h"
