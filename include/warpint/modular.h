// SPDX-License-Identifier: Apache-2.0
// Modular functions of plain numbers, residues, and moduli whose constants are computed once. For
// numbers: pow(a, e, m), inverse(a, m), addmod(), submod(), mulmod(), sqrmod(), muladdmod(),
// mulsubmod(). Types: Modulus<N>, Residue<N>, StaticResidue<value>. Many at once: pow<e>(x),
// FixedBase<Bits, ExponentBits>, inverse_all().
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
