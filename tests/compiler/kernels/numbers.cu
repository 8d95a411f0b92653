// SPDX-License-Identifier: Apache-2.0
// Arithmetic of plain numbers.
#include "kernel.h"

KERNEL(sums, return (x + y) ^ (x & z) ^ (~y - z);)
KERNEL(least, return x < y ? x - z : y - z;)
KERNEL(ordered, return min(x, y) | max(y, z);)
KERNEL(shifts, return (x << 77) | (y >> 100) | (z << static_cast<int>(x.limbs[0] % bits));)
KERNEL(rotations, return rotl(x, 13) ^ rotr(y, static_cast<int>(z.limbs[0] % bits));)
KERNEL(bits_of_all, return set_bit(x, popcount(y)) ^ set_bit(z, countl_zero(y)) ^
                           Number(bit_width(x) + countr_zero(z));)
KERNEL(fields, return insert_bits(x, extract_bits(y, 11, 77), 33, 77);)
KERNEL(carries, const auto s = add_carry(x, y, false);
       const auto d = sub_borrow(s.value, z, s.carry); return d.value;)
KERNEL(products, const Wide w = x * y + z; return Number(w >> +bits) + Number(w);)
KERNEL(halves, return mul_low(x, y) ^ mul_high(y, z) ^ Number(sqr(x) >> 11);)
KERNEL(signed_products, const Signed s = Signed(x) - Signed(y) * Signed(z); return Number(abs(s));)
KERNEL(signed_quotients, return Number(Signed(x) / Signed(y)) ^ Number(Signed(y) % Signed(z));)
KERNEL(quotients, const auto q = divmod(x, y); return q.quotient * q.remainder;)
KERNEL(long_quotients, const auto q = divmod(x * y, z); return Number(q.quotient) ^ q.remainder;)
KERNEL(short_quotients, return x / 10u + y % 1000003u;)
KERNEL(remainders, Number s = x; for (int k = 0; k < 5; ++k) s = s * s % z + y; return s;)
KERNEL(wrapping_powers, return pow(x, 5u) + pow(y, z);)
KERNEL(roots, const auto s = sqrt_rem(x); return s.root * s.remainder + isqrt(y) * isqrt(z);)
KERNEL(roots_of_degree, return iroot(x, y.limbs[0] % 7 + 1);)
KERNEL(squares, return is_square(x) ? y : z;)
