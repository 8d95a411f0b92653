// SPDX-License-Identifier: Apache-2.0
// Modular arithmetic: Modulus<N>, Residue<N>, StaticResidue<value>, pow(a, e, m), pow<e>(x),
// inverse(a, m), inverse_all, addmod, submod, mulmod, sqrmod, muladdmod, mulsubmod.
#pragma once

#include "limb/language.h"

#if WARPINT_HAS_CXX20
WARPINT_HEADER_BEGIN

#include "modular/arithmetic.h"
#include "modular/fixed_base.h"
#include "modular/inverse.h"
#include "modular/inverse_all.h"
#include "modular/modulus.h"
#include "modular/power.h"
#include "modular/power_constant.h"
#include "modular/residue.h"
#include "modular/static_residue.h"

WARPINT_HEADER_END
#endif
