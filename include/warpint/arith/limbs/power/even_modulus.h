// SPDX-License-Identifier: Apache-2.0
// Powers modulo an even number m = 2^zeros m', m' odd: the Chinese remainder theorem with the power
// modulo 2^zeros. That takes little time: zeros / 2 squares at most, of fewer and fewer limbs. One
// text for all lengths, which are known at run time. Exponents are little-endian 32-bit limbs.
// Variable time.
#pragma once

#include "power.h"

namespace warpint::arith {

// From the lowest bit of an exponent of so many bits up, the bits that a power modulo 2^bits takes
// one by one, with a square each. Of an odd base a, z = a^(2^j) - 1 is a multiple of 2^(j + 2) from
// j = 1 on. As soon as z^2 is 0, (1 + z)^t = 1 + t z, so that all other bits take one product. The
// power of an even base is 0 unless the exponent is at most `bits`: it has no more bits then.
WARPINT_HOST_DEVICE constexpr int low_power_steps(bool odd_base, int exponent_bits, int bits) {
    int steps = 0;
    if (!odd_base) {
        steps = 32 - limb::countl_zero(static_cast<std::uint32_t>(bits));
    } else if (bits > 6) {
        steps = (bits + 1) / 2 - 2;
    } else if (bits > 2) {
        steps = 1;
    }
    return steps < exponent_bits ? steps : exponent_bits;
}
// The zero bits at the low end of z that an odd base has for sure after so many squares.
WARPINT_HOST_DEVICE constexpr int low_power_zeros(int squares) {
    return squares == 0 ? 1 : squares + 2;
}

namespace detail {

// The bits of e from `position` on, as many as a limb has.
template <class Limb>
WARPINT_HOST_DEVICE constexpr Limb limb_of_exponent(const ExponentLimbs &e, int position) {
    Limb r = 0;
    for (int i = 0; i < limb::limb_bits<Limb>; i += 32) {
        const int index = (position + i) / 32;
        const int shift = (position + i) % 32;
        std::uint32_t bits = index < e.limb_count ? e.limbs[index] >> shift : 0;
        if (shift != 0 && index + 1 < e.limb_count)
            bits |= e.limbs[index + 1] << (32 - shift);
        r = static_cast<Limb>(r | static_cast<Limb>(static_cast<Limb>(bits) << i));
    }
    return r;
}
WARPINT_HOST_DEVICE constexpr bool bit_of_exponent(const ExponentLimbs &e, int position) {
    return (e.limbs[position / 32] >> (position % 32) & 1u) != 0;
}

// r = a b modulo B^n; r overlaps neither. On hosts the short ones, of which powers make most, have
// no loop: a power modulo 2^512 takes an EPYC 10 us, by rows 19.
template <int N = limb::block_limbs, class Limb>
WARPINT_HOST_DEVICE constexpr void low_product_row(Limb *r, const Limb *a, const Limb *b, int n) {
    if constexpr (WARPINT_DEVICE_PASS == 0) {
        if constexpr (N > 1) {
            if (n < N)
                return low_product_row<N - 1>(r, a, b, n);
        }
        if (n == N)
            return multiply_columns<N, N, 0, N>(r, a, b);
    }
    multiply_low_rows(r, a, b, n);
}

WARPINT_HOST_DEVICE constexpr int low_power_scratch(int n) {
    return 3 * n;
}

// r = a^e modulo 2^bits, bits >= 1, in the n limbs that these take; what is above them in the last
// limb is undefined. scratch: low_power_scratch(n) limbs. Nothing overlaps.
template <class Limb>
WARPINT_HOST_DEVICE constexpr void low_power_row(Limb *r, const Limb *a, const ExponentLimbs &e,
                                                 int bits, Limb *scratch) {
    constexpr int limb_width = limb::limb_bits<Limb>;
    const int n = (bits + limb_width - 1) / limb_width;
    const bool odd = (a[0] & 1u) != 0;
    const int length = exponent_shape(e.limbs, e.limb_count).bits;
    const int steps = low_power_steps(odd, length, bits);
    if (n == 1) {
        Limb x = 1;
        Limb z = static_cast<Limb>(a[0] - 1u);
        for (int j = 0; j < steps; ++j) {
            if (bit_of_exponent(e, j))
                x = static_cast<Limb>(x + 1u * x * z);
            z = static_cast<Limb>(1u * z * (z + 2u));
        }
        if (steps < length)
            x = odd ? static_cast<Limb>(x + 1u * x * z * limb_of_exponent<Limb>(e, steps)) : Limb{};
        r[0] = x;
        return;
    }
    for (int i = 0; i < n; ++i)
        r[i] = 0;
    if (!odd && steps < length)
        return;
    Limb *const z = scratch;
    Limb *const t = scratch + n;
    Limb *const rest = scratch + 2 * n;
    r[0] = 1;
    Limb borrow = 0;
    for (int i = 0; i < n; ++i)
        z[i] = limb::sub_borrow(a[i], static_cast<Limb>(i == 0), borrow);
    int w = 0; // limbs of z that are 0
    for (int j = 0; j < steps; ++j) {
        if (bit_of_exponent(e, j)) {
            low_product_row(t, z + w, r, n - w);
            limb::add_row(r + w, r + w, t, n - w);
        }
        const int square = n - 2 * w; // >= 1
        low_product_row(t, z + w, z + w, square);
        limb::add_row(z + w, z + w, z + w, n - w);
        limb::add_row(z + 2 * w, z + 2 * w, t, square);
        if (odd)
            w = low_power_zeros(j + 1) / limb_width;
    }
    if (steps < length) {
        for (int i = 0; i < n - w; ++i)
            rest[i] = limb_of_exponent<Limb>(e, steps + i * limb_width);
        low_product_row(t, z + w, rest, n - w);
        low_product_row(rest, t, r, n - w);
        limb::add_row(r + w, r + w, rest, n - w);
    }
}

// r = m^-1 modulo B^n for odd m, m_inverse = -m^-1 mod B, by Newton's iteration. scratch: 2 n
// limbs. Nothing overlaps.
template <class Limb>
WARPINT_HOST_DEVICE constexpr void low_inverse_row(Limb *r, const Limb *m, Limb m_inverse, int n,
                                                   Limb *scratch) {
    Limb *const product = scratch;
    Limb *const factor = scratch + n;
    r[0] = static_cast<Limb>(0u - m_inverse);
    for (int right = 1; right < n;) { // r <- r (2 - m r)
        const int wanted = 2 * right < n ? 2 * right : n;
        for (int i = right; i < wanted; ++i)
            r[i] = 0;
        low_product_row(product, m, r, wanted);
        Limb borrow = 0;
        for (int i = 0; i < wanted; ++i)
            factor[i] = limb::sub_borrow(static_cast<Limb>(i == 0 ? 2 : 0), product[i], borrow);
        low_product_row(product, r, factor, wanted);
        for (int i = right; i < wanted; ++i)
            r[i] = product[i];
        right = wanted;
    }
}

} // namespace detail

WARPINT_HOST_DEVICE constexpr int lift_scratch(int length) {
    return 5 * length;
}

// Lifts r = a^e mod odd to a^e mod 2^zeros odd, zeros > 0: r + odd ((a^e - r) / odd mod 2^zeros).
// r and `odd` have `length` limbs, in which the result fits; a as many as the bits of 2^zeros take;
// odd_inverse = -odd^-1 mod B. scratch: lift_scratch(length) limbs. Nothing overlaps.
template <class Limb>
WARPINT_HOST_DEVICE WARPINT_NOINLINE constexpr void
lift_to_even_row(Limb *r, const Limb *a, const ExponentLimbs &e, int zeros, const Limb *odd,
                 Limb odd_inverse, int length, Limb *scratch) {
    constexpr int limb_width = limb::limb_bits<Limb>;
    const int n = (zeros + limb_width - 1) / limb_width;
    Limb *const x = scratch;
    Limb *const factor = scratch + n;
    Limb *const rest = scratch + 2 * n;
    detail::low_power_row(x, a, e, zeros, rest);
    limb::sub_row(x, x, r, n);
    Limb *const inverse = rest;
    detail::low_inverse_row(inverse, odd, odd_inverse, n, rest + n);
    detail::low_product_row(factor, x, inverse, n);
    if (zeros % limb_width != 0)
        factor[n - 1] = static_cast<Limb>(factor[n - 1] & ((Limb{1} << zeros % limb_width) - 1u));
    for (int i = 0; i < n; ++i)
        limb::multiply_add_row(r + i, odd, length - i, factor[i]);
}

// The same with the constants of the odd part.
template <int N, class Limb>
WARPINT_HOST_DEVICE WARPINT_DEVICE_NOINLINE constexpr void
lift_to_even(Limb *r, const Limb *a, const ExponentLimbs &e, int zeros,
             const MontgomeryContext<N, Limb> &context) {
    Limb scratch[lift_scratch(N)];
    lift_to_even_row(r, a, e, zeros, context.modulus, context.inverse, N, scratch);
}

} // namespace warpint::arith
