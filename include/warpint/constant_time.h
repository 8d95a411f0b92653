// SPDX-License-Identifier: Apache-2.0
// Functions for secrets: no branch and no memory address depends on the value of a secret operand.
// Their names end in _ct; everything else in warpint may take variable time.
//
//   select_ct(condition, a, b)   swap_ct(condition, a, b)
//   equal_ct(a, b)   less_ct(a, b)   is_zero_ct(a)
//   mod_ct(a, m)   addmod_ct(a, b, m)   submod_ct(a, b, m)
//   mulmod_ct(a, b, m)   sqrmod_ct(a, m)   pow_ct(a, e, m)   inverse_ct(a, m)   of an odd m
//
// Widths are public; each function says which operands may be secret.
#pragma once

#include "limb/language.h"

#if WARPINT_HAS_CXX20
WARPINT_HEADER_BEGIN

#include "number/modular/secret.h"

WARPINT_HEADER_END
#endif
