// SPDX-License-Identifier: Apache-2.0
// Greatest common divisor and inverse by divsteps (D. J. Bernstein, B.-Y. Yang, "Fast constant-time
// gcd computation and modular inversion", TCHES 2019): steps on (delta, f, g), f odd, that look at
// the lowest bit of g and at delta only,
//
//   delta > 0 and g odd:  (1 - delta, g, (g - f) / 2)
//   otherwise:            (1 + delta, f, (g + (g mod 2) f) / 2),
//
// here with delta = 1/2 at the start (P. Wuille's variant). After a number of steps that depends on
// the length of the numbers alone g is 0 and f is plus or minus their gcd. A batch of w - 2 steps
// (w the limb's width) works on the lowest limb and gives a 2 x 2 matrix, which is then applied to
// f and g and, modulo m, to the cofactors d and e.
//
// Two forms of the same code: constant time (a fixed number of batches; no branch and no address
// depends on a value) and early exit (stops at g = 0; otherwise also without branches, so that the
// threads of a warp stay together). Numbers are kept as digits of w - 2 bits in signed limbs, the
// last digit signed, so that products of digits sum up in two limbs without carries.
#pragma once

#include "../../../limb/binary_step.h"
#include "../linear.h"

namespace warpint::arith {

// Steps that make g = 0 for |f|, |g| < 2^bits: the bound for delta = 1/2 from the convex hulls of
// the paper's section G, computed as there (Wuille, "Bounds on divsteps iterations in safegcd",
// 2021).
WARPINT_HOST_DEVICE constexpr int divsteps_bound(int bits) {
    return static_cast<int>((45907ll * bits + 26313) / 19929) + 1;
}

namespace detail {

// Digits of limb type Limb for numbers of N limbs.
template <int N, class Limb>
struct Divsteps {
    using Wide = limb::double_limb_t<Limb>;
    using Signed = limb::signed_limb_t<Limb>;
    using SignedWide = limb::signed_limb_t<Wide>;

    static constexpr int limb_bits = limb::limb_bits<Limb>;
    static constexpr int bits = limb_bits - 2; // of a digit, and steps in a batch
    static constexpr int digits = (N * limb_bits + bits - 1) / bits;
    static constexpr int batches = (divsteps_bound(N * limb_bits) + bits - 1) / bits;
    static constexpr Limb mask = static_cast<Limb>((Limb{1} << bits) - 1);
    static constexpr bool unrolled = WARPINT_DEVICE_PASS != 0 && digits <= 18;

    // f' 2^bits = u f + v g, g' 2^bits = q f + r g; two's complement, |u| + |v| <= 2^bits.
    struct Matrix {
        Limb u, v, q, r;
    };

    // All ones if x is negative.
    WARPINT_HOST_DEVICE static constexpr WARPINT_INLINE Limb sign(Limb x) {
        return static_cast<Limb>(Limb{0} - static_cast<Limb>(x >> (limb_bits - 1)));
    }
    // a b of signed limbs, in two's complement.
    WARPINT_HOST_DEVICE static constexpr WARPINT_INLINE Wide product(Limb a, Limb b) {
        return static_cast<Wide>(static_cast<SignedWide>(static_cast<Signed>(a)) *
                                 static_cast<Signed>(b));
    }
    // For assertions. Whether x in two's complement fits a limb.
    WARPINT_HOST_DEVICE static constexpr bool fits(Wide x) {
        return static_cast<Wide>(static_cast<SignedWide>(static_cast<Signed>(x))) == x;
    }
    // The entries of a batch: |u| + |v| and |q| + |r| at most 2^bits.
    WARPINT_HOST_DEVICE static constexpr bool is_batch(const Matrix &t) {
        const auto size = [](Limb x) { return sign(x) != 0 ? Wide{0} - product(x, 1) : Wide{x}; };
        return static_cast<Wide>(size(t.u) + size(t.v)) <= Wide{1} << bits &&
               static_cast<Wide>(size(t.q) + size(t.r)) <= Wide{1} << bits;
    }
    // -2 m < d < m, of digits in [0, 2^bits) but for the last.
    WARPINT_HOST_DEVICE WARPINT_NOINLINE static constexpr bool is_cofactor(const Limb *d,
                                                                           const Limb *m) {
        SignedWide less_m = 0;   // d - m
        SignedWide plus_2m = -1; // d + 2 m - 1
        bool are_digits = true;
        for (int i = 0; i < digits; ++i) {
            const auto digit = static_cast<SignedWide>(static_cast<Signed>(d[i]));
            are_digits = are_digits && (i + 1 == digits || d[i] <= mask);
            less_m = static_cast<SignedWide>((less_m >> bits) + digit - m[i]);
            plus_2m =
                static_cast<SignedWide>((plus_2m >> (i == 0 ? 0 : bits)) + digit + m[i] + m[i]);
        }
        return are_digits && less_m < 0 && plus_2m >= 0;
    }
    // x / 2^bits rounded down, for x in two's complement.
    WARPINT_HOST_DEVICE static constexpr WARPINT_INLINE Wide next(Wide x) {
        return static_cast<Wide>(static_cast<SignedWide>(x) >> bits);
    }

    WARPINT_HOST_DEVICE static constexpr WARPINT_INLINE void load(Limb *r, const Limb *a) {
        WARPINT_UNROLL(digits, unrolled ? digits : 0)
        for (int i = 0; i < digits; ++i) {
            const int from = i * bits / limb_bits;
            const int shift = i * bits % limb_bits;
            Limb digit = static_cast<Limb>(a[from] >> shift);
            if (shift > 2 && from + 1 < N)
                digit = static_cast<Limb>(digit | (a[from + 1] << (limb_bits - shift)));
            r[i] = static_cast<Limb>(digit & mask);
        }
    }
    // On input: digits in [0, 2^bits), the number fits N limbs.
    WARPINT_HOST_DEVICE static constexpr WARPINT_INLINE void store(Limb *r, const Limb *a) {
        WARPINT_UNROLL(N, unrolled ? N : 0)
        for (int i = 0; i < N; ++i) {
            const int from = i * limb_bits / bits;
            const int shift = i * limb_bits % bits;
            Limb value = static_cast<Limb>(a[from] >> shift);
            if (from + 1 < digits)
                value = static_cast<Limb>(value | (a[from + 1] << (bits - shift)));
            // A shift of bits - 1 leaves one bit of the limb for a third digit.
            if (from + 2 < digits && 2 * bits - shift < limb_bits)
                value = static_cast<Limb>(value | (a[from + 2] << (2 * bits - shift)));
            r[i] = value;
        }
    }

    // `bits` divsteps on the lowest digits. theta = delta - 1/2.
    WARPINT_HOST_DEVICE static constexpr WARPINT_INLINE Matrix batch(int &theta, Limb f, Limb g) {
        Limb u = 1, v = 0, q = 0, r = 1;
        int t = theta;
        WARPINT_UNROLL(bits, bits)
        for (int i = 0; i < bits; ++i) {
            const Limb odd = static_cast<Limb>(Limb{0} - static_cast<Limb>(g & 1));
            const int keep = t >> 31; // all ones if delta < 0
            const Limb swap = static_cast<Limb>(odd & static_cast<Limb>(~keep));
            t = (t ^ static_cast<int>(static_cast<Signed>(swap))) + 1;
            // g + f or g - f or g, and the same for the rows; on a GPU a product by 1, -1 or 0.
            const Limb factor = static_cast<Limb>(static_cast<Limb>(swap << 1) - odd);
            const auto combine = [odd, swap, factor](Limb &x, Limb &y) {
                const Limb signed_x = static_cast<Limb>(static_cast<Limb>(x ^ swap) - swap);
                const Limb sum = WARPINT_USES_PTX ? static_cast<Limb>(y + 1u * x * factor)
                                                  : static_cast<Limb>(y + (signed_x & odd));
                x = static_cast<Limb>(x ^ (static_cast<Limb>(x ^ y) & swap));
                y = sum;
            };
            combine(f, g);
            combine(u, q);
            combine(v, r);
            g = static_cast<Limb>(g >> 1);
            u = static_cast<Limb>(u << 1);
            v = static_cast<Limb>(v << 1);
        }
        theta = t;
        // Every step has determinant 2.
        WARPINT_ASSERT(static_cast<Wide>(product(u, r) - product(v, q)) == Wide{1} << bits);
        WARPINT_ASSERT(is_batch({u, v, q, r}));
        return {u, v, q, r};
    }

    WARPINT_HOST_DEVICE static constexpr WARPINT_INLINE void apply(Limb *f, Limb *g,
                                                                   const Matrix &t, int length) {
        Wide sum_f = static_cast<Wide>(product(t.u, f[0]) + product(t.v, g[0]));
        Wide sum_g = static_cast<Wide>(product(t.q, f[0]) + product(t.r, g[0]));
        WARPINT_ASSERT(((sum_f | sum_g) & mask) == 0);
        sum_f = next(sum_f);
        sum_g = next(sum_g);
        WARPINT_UNROLL(digits, unrolled ? digits : 0)
        for (int i = 1; i < (unrolled ? digits : length); ++i) {
            sum_f = static_cast<Wide>(sum_f + product(t.u, f[i]) + product(t.v, g[i]));
            sum_g = static_cast<Wide>(sum_g + product(t.q, f[i]) + product(t.r, g[i]));
            f[i - 1] = static_cast<Limb>(static_cast<Limb>(sum_f) & mask);
            g[i - 1] = static_cast<Limb>(static_cast<Limb>(sum_g) & mask);
            sum_f = next(sum_f);
            sum_g = next(sum_g);
        }
        const int last = unrolled ? digits - 1 : length - 1;
        WARPINT_ASSERT(fits(sum_f) && fits(sum_g));
        f[last] = static_cast<Limb>(sum_f);
        g[last] = static_cast<Limb>(sum_g);
        WARPINT_ASSERT((f[0] & 1) != 0);
    }

    // (d, e) <- (u d + v e, q d + r e) / 2^bits modulo m; both stay in (-2m, m): with m added to a
    // negative d and e the sums lie in +-2^bits m, and the multiple of m that makes them divisible
    // is taken from (-2^bits, 0]. inverse = -1 / m modulo 2^w.
    WARPINT_HOST_DEVICE static constexpr WARPINT_INLINE void
    apply_modulo(Limb *d, Limb *e, const Matrix &t, const Limb *m, Limb inverse) {
        WARPINT_ASSERT(is_batch(t) && is_cofactor(d, m) && is_cofactor(e, m));
        const Limb sign_d = sign(d[digits - 1]);
        const Limb sign_e = sign(e[digits - 1]);
        Wide sum_d = static_cast<Wide>(product(t.u, d[0]) + product(t.v, e[0]));
        Wide sum_e = static_cast<Wide>(product(t.q, d[0]) + product(t.r, e[0]));
        const auto multiple = [inverse](Limb base, Limb sum) {
            const Limb wanted = static_cast<Limb>(1u * sum * inverse);
            return static_cast<Limb>(base - static_cast<Limb>((base - wanted) & mask));
        };
        const Limb k_d =
            multiple(static_cast<Limb>((t.u & sign_d) + (t.v & sign_e)), static_cast<Limb>(sum_d));
        const Limb k_e =
            multiple(static_cast<Limb>((t.q & sign_d) + (t.r & sign_e)), static_cast<Limb>(sum_e));
        sum_d = static_cast<Wide>(sum_d + product(k_d, m[0]));
        sum_e = static_cast<Wide>(sum_e + product(k_e, m[0]));
        WARPINT_ASSERT(((sum_d | sum_e) & mask) == 0);
        sum_d = next(sum_d);
        sum_e = next(sum_e);
        WARPINT_UNROLL(digits, unrolled ? digits : 0)
        for (int i = 1; i < digits; ++i) {
            sum_d = static_cast<Wide>(sum_d + product(t.u, d[i]) + product(t.v, e[i]) +
                                      product(k_d, m[i]));
            sum_e = static_cast<Wide>(sum_e + product(t.q, d[i]) + product(t.r, e[i]) +
                                      product(k_e, m[i]));
            d[i - 1] = static_cast<Limb>(static_cast<Limb>(sum_d) & mask);
            e[i - 1] = static_cast<Limb>(static_cast<Limb>(sum_e) & mask);
            sum_d = next(sum_d);
            sum_e = next(sum_e);
        }
        WARPINT_ASSERT(fits(sum_d) && fits(sum_e));
        d[digits - 1] = static_cast<Limb>(sum_d);
        e[digits - 1] = static_cast<Limb>(sum_e);
        WARPINT_ASSERT(is_cofactor(d, m) && is_cofactor(e, m));
    }

    // r = (r + (m & add)) ^ negate - negate, digits in [0, 2^bits) except the last.
    WARPINT_HOST_DEVICE static constexpr WARPINT_INLINE void adjust(Limb *r, const Limb *m,
                                                                    Limb add, Limb negate) {
        Limb carry = 0; // signed
        WARPINT_UNROLL(digits, unrolled ? digits : 0)
        for (int i = 0; i < digits; ++i) {
            Limb digit = r[i];
            if (m != nullptr)
                digit = static_cast<Limb>(digit + (m[i] & add));
            digit = static_cast<Limb>(static_cast<Limb>(digit ^ negate) - negate);
            const Limb sum = static_cast<Limb>(digit + carry);
            if (i + 1 == digits) {
                r[i] = sum;
            } else {
                r[i] = static_cast<Limb>(sum & mask);
                carry = static_cast<Limb>((sum >> bits) | (sign(sum) << 2));
            }
        }
    }

    WARPINT_HOST_DEVICE static constexpr WARPINT_INLINE bool zero(const Limb *a, int length) {
        Limb any = 0;
        WARPINT_UNROLL(digits, unrolled ? digits : 0)
        for (int i = 0; i < (unrolled ? digits : length); ++i)
            any = static_cast<Limb>(any | a[i]);
        return any == 0;
    }

    // Drops last digits of f and g that only repeat the sign.
    WARPINT_HOST_DEVICE static constexpr WARPINT_INLINE int shorten(Limb *f, Limb *g, int length) {
        if constexpr (!unrolled) {
            while (length > 1) {
                const Limb last_f = f[length - 1], last_g = g[length - 1];
                if (last_f != sign(last_f) || last_g != sign(last_g))
                    break;
                f[length - 2] = static_cast<Limb>(f[length - 2] | (last_f << bits));
                g[length - 2] = static_cast<Limb>(g[length - 2] | (last_g << bits));
                f[length - 1] = g[length - 1] = 0;
                --length;
            }
        }
        return length;
    }
    // Undoes shorten: the dropped digits repeat the sign again.
    WARPINT_HOST_DEVICE static constexpr WARPINT_INLINE void lengthen(Limb *f, int length) {
        if constexpr (!unrolled) {
            const Limb fill = sign(f[length - 1]);
            for (; length < digits; ++length) {
                f[length - 1] = static_cast<Limb>(f[length - 1] & mask);
                f[length] = fill;
            }
        }
    }
};

} // namespace detail

// gcd = gcd(a, m) for odd m and any a of N limbs. gcd may be a or m. Early exit: variable time.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr void gcd_divsteps(Limb *gcd, const Limb *a, const Limb *m) {
    using Steps = detail::Divsteps<N, Limb>;
    WARPINT_ASSERT((m[0] & 1) != 0);
    Limb f[Steps::digits]{}, g[Steps::digits]{};
    Steps::load(f, m);
    Steps::load(g, a);
    int theta = 0;
    int length = Steps::digits;
    while (!Steps::zero(g, length)) {
        const auto t = Steps::batch(theta, f[0], g[0]);
        Steps::apply(f, g, t, length);
        length = Steps::shorten(f, g, length);
    }
    Steps::lengthen(f, length);
    Steps::adjust(f, nullptr, 0, Steps::sign(f[Steps::digits - 1]));
    Steps::store(gcd, f);
}

// r = the inverse of a modulo m in [0, m), for odd m and any a of N limbs; returns true if it
// exists (for m = 1 it is 0), otherwise r is of no use, and 0 for a = 0, or with or_gcd the gcd.
// ConstantTime: time and addresses do not depend on a or m; otherwise stops early. r may be a or m.
template <bool ConstantTime, int N, bool or_gcd = false, class Limb>
WARPINT_HOST_DEVICE constexpr bool inverse_divsteps(Limb *r, const Limb *a, const Limb *m) {
    using Steps = detail::Divsteps<N, Limb>;
    WARPINT_ASSERT((m[0] & 1) != 0);
    Limb modulus[Steps::digits]{}, f[Steps::digits]{}, g[Steps::digits]{}, d[Steps::digits]{},
        e[Steps::digits]{};
    Steps::load(modulus, m);
    Steps::load(g, a);
    copy<Steps::digits>(f, modulus);
    Limb more_than_one = static_cast<Limb>(m[0] ^ 1); // 1 modulo m: 0 if m is 1
    WARPINT_UNROLL(N, Steps::unrolled ? N : 0)
    for (int i = 1; i < N; ++i)
        more_than_one = static_cast<Limb>(more_than_one | m[i]);
    e[0] = static_cast<Limb>(more_than_one != 0);
    const Limb inverse = limb::negative_inverse(m[0]);
    int theta = 0;
    if constexpr (ConstantTime) {
        for (int i = 0; i < Steps::batches; ++i) {
            const auto t = Steps::batch(theta, f[0], g[0]);
            Steps::apply(f, g, t, Steps::digits);
            Steps::apply_modulo(d, e, t, modulus, inverse);
        }
        WARPINT_ASSERT(Steps::zero(g, Steps::digits)); // the bound of divsteps_bound
    } else {
        int length = Steps::digits;
        while (!Steps::zero(g, length)) {
            const auto t = Steps::batch(theta, f[0], g[0]);
            Steps::apply(f, g, t, length);
            Steps::apply_modulo(d, e, t, modulus, inverse);
            length = Steps::shorten(f, g, length);
        }
        Steps::lengthen(f, length);
    }
    // f = +-gcd and d a = f modulo m.
    const Limb negative = Steps::sign(f[Steps::digits - 1]);
    Steps::adjust(d, modulus, Steps::sign(d[Steps::digits - 1]), negative);
    Steps::adjust(d, modulus, Steps::sign(d[Steps::digits - 1]), 0);
    Steps::adjust(d, modulus, Steps::sign(d[Steps::digits - 1]), 0);
    WARPINT_ASSERT(less<Steps::digits>(d, modulus));
    Limb one = static_cast<Limb>(static_cast<Limb>(f[0] ^ negative) - negative);
    one = static_cast<Limb>(static_cast<Limb>(one & Steps::mask) ^ 1);
    WARPINT_UNROLL(Steps::digits, Steps::unrolled ? Steps::digits : 0)
    for (int i = 1; i < Steps::digits; ++i)
        one = static_cast<Limb>(one | (static_cast<Limb>(f[i] ^ negative) & Steps::mask));
    if constexpr (or_gcd && !ConstantTime) {
        if (one != 0) {
            Steps::adjust(f, nullptr, 0, negative);
            copy<Steps::digits>(d, f);
        }
    }
    Steps::store(r, d);
    return one == 0;
}

} // namespace warpint::arith
