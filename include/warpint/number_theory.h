// SPDX-License-Identifier: Apache-2.0
// Number theory: gcd(), lcm(), gcd_ext(), jacobi(), inverse(), sqrt_mod(), crt(), primality, the
// next prime, random primes and safe primes.
#pragma once

#include "limb/language.h"

#if WARPINT_HAS_CXX20
WARPINT_HEADER_BEGIN

#include "number/modular/inverse.h"
#include "number/theory/crt.h"
#include "number/theory/gcd.h"
#include "number/theory/next_prime.h"
#include "number/theory/prime.h"
#include "number/theory/sqrt_mod.h"

WARPINT_HEADER_END
#endif
