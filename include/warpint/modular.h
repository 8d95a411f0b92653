// Modular arithmetic: Modulus<N>, pow(a, e, m), addmod, submod, mulmod, sqrmod.
#pragma once

#include "modular/modulus.h"
#include "modular/power.h"
