// SPDX-License-Identifier: Apache-2.0
// WarpInt<Bits, Lanes> and SignedWarpInt: one number over several lanes of a warp, for numbers too
// wide for the registers of one thread, inside kernels of your own; WarpModulus and WarpResidue.
//
// For users of CGBN (x, y, z and m are WarpInts; there is no context, environment or error report):
//
//   load, store (memory, shared memory)      WarpInt(pointer), x.store(pointer)
//   load, store (local memory)               an array of WarpInt
//   set, swap                                x = y, std::swap
//   set_ui32, get_ui32                       x = 5u, static_cast<std::uint32_t>(x)
//   set of another size                      widening is implicit, WarpInt<N, L>(x) narrows
//   add, sub, negate                         x + y, x - y, -x
//   add, sub with carry                      add_carry(x, y), sub_borrow(x, y)
//   add_ui32, sub_ui32, mul_ui32,            the same operators with a built-in integer:
//   div_ui32, rem_ui32                       x + 5u, x / 5u, ...
//   mul, sqr; mul_high, sqr_high             mul_low(x, y), mul_low(x, x); mul_high(x, y)
//   mul_wide, sqr_wide                       x * y, sqr(x): exact, twice as wide
//   div, rem, div_rem                        x / y, x % y, divmod(x, y)
//   div_wide, rem_wide, div_rem_wide         the same: operands of any widths
//   sqrt, sqrt_rem, sqrt_wide, sqrt_rem_wide isqrt(x), sqrt_rem(x), of any width
//   equals, compare, equals_ui32,            == != < <= > >=, by value, across widths, signs
//   compare_ui32                             and built-in integers
//   extract_bits, insert_bits,               extract_bits(x, at, count), extract_bits<32>(x, at),
//   extract_bits_ui32, insert_bits_ui32      insert_bits(x, value, at, count)
//   bitwise_and, _ior, _xor, _complement     x & y, x | y, x ^ y, ~x
//   bitwise_select                           (clear & ~s) | (set & s)
//   bitwise_mask_copy, _and, _ior, _xor      x & mask, ... with
//                                            mask = extract_bits(~W(0), 0, count)
//   bitwise_mask_select                      insert_bits(clear, set, 0, count)
//   shift_left, shift_right                  x << k, x >> k, any k
//   rotate_left, rotate_right                rotl(x, k), rotr(x, k)
//   pop_count, clz, ctz                      popcount(x), countl_zero(x), countr_zero(x)
//   accumulator: set, add, sub, set_ui32,    a wider WarpInt:
//   add_ui32, sub_ui32, resolve              WarpInt<Bits + 32, L> sum = x; sum += y
//   gcd, gcd_ui32                            gcd(x, y), gcd(x, 5u)
//   binary_inverse, binary_inverse_ui32      inverse(x, WarpInt<Bits + 1, L>(1) << Bits)
//   modular_inverse                          inverse(x, m), empty where there is none
//   modular_power                            pow(x, e, m), even moduli too
//   bn2mont, mont2bn, mont_mul, mont_sqr,    const WarpModulus<Bits, L> mod(m); mod(x) * mod(y),
//   mont_reduce_wide                         sqr(mod(x)), (...).value(); mod(wide)
//   barrett_approximation, barrett_div,      x / y, x % y, mulmod(x, y, m), or a WarpModulus
//   barrett_rem, barrett_div_rem and _wide
//   (none)                                   iroot, is_square, gcd_ext, lcm, jacobi, crt,
//                                            sqrt_mod, random_bits, random_below,
//                                            is_probable_prime, next_prime, print, to_string
#pragma once

#include "limb/language.h"

#if WARPINT_HAS_CXX20
WARPINT_HEADER_BEGIN

#include "number/warp_int/congruence.h"
#include "number/warp_int/kind.h"
#include "number/warp_int/prime.h"
#include "number/warp_int/random.h"
#include "number/warp_int/residue.h"

WARPINT_HEADER_END
#endif
