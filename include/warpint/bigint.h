// SPDX-License-Identifier: Apache-2.0
// BigInt<Bits> and SignedBigInt<Bits>: fixed-width integers of any width, plain values on the host,
// in constant expressions and in kernels. Public entry to the number room.
//
//   auto a = BigInt<256>::parse("0x1234");
//   BigInt<512> square = a * a;                 // products are exact
//   BigInt<256> r = a * a % (a + 7);
//
// Rules of arithmetic (no exceptions):
//   a + b, a - b, a & b, a | b, a ^ b   the wider operand's width, modulo 2^width
//   a * b                               exact, BigInt<N + M>
//   a / b, a % b                        the dividend's width, the divisor's width
//   a << k, a >> k                      a's width; k >= N gives 0 (or the sign)
//   a op= b                             a's width
//   == != < <= > >=                     by mathematical value, across widths and signs
#pragma once

#include "limb/language.h"

#if WARPINT_HAS_CXX20
WARPINT_HEADER_BEGIN

#include "number/bits.h"
#include "number/bytes.h"
#include "number/carry.h"
#include "number/fields.h"
#include "number/order.h"
#include "number/power.h"
#include "number/refused.h"
#include "number/root.h"
#include "number/standard.h"
#include "text.h"

WARPINT_HEADER_END
#endif
