// SPDX-License-Identifier: Apache-2.0
// Modular functions of plain numbers, residues, and moduli whose constants are computed once. For
// numbers: pow(a, e, m), inverse(a, m), addmod(), submod(), mulmod(), sqrmod(), muladdmod(),
// mulsubmod(). Types: Modulus<N>, Residue<N>, StaticResidue<value>. For many powers or
// inverses: pow<e>(x), FixedBase<Bits, ExponentBits>, inverse_all().
#pragma once

#include "limb/language.h"

#if WARPINT_HAS_CXX20
WARPINT_HEADER_BEGIN

#include "number/modular/arithmetic.h"
#include "number/modular/fixed_base.h"
#include "number/modular/inverse.h"
#include "number/modular/inverse_all.h"
#include "number/modular/modulus.h"
#include "number/modular/power.h"
#include "number/modular/power_constant.h"
#include "number/modular/residue.h"
#include "number/modular/static_residue.h"

WARPINT_HEADER_END
#endif
