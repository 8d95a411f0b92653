// Modular arithmetic: Modulus<N>, Residue<N>, StaticResidue<value>, pow(a, e, m), inverse(a, m),
// addmod, submod, mulmod, sqrmod.
#pragma once

#include "modular/fixed_base.h"
#include "modular/inverse.h"
#include "modular/modulus.h"
#include "modular/power.h"
#include "modular/residue.h"
#include "modular/static_residue.h"
