// SPDX-License-Identifier: Apache-2.0
// Elliptic curves y^2 = x^3 + a x + b of prime order over a field of 256 bits: the group law, and
// multiples of points. Everything runs on the host and in kernels. Variable time.
//
// The formulas of sum() and twice() are complete: they hold for every pair of points, equal,
// opposite and infinite ones included. So threads do not diverge, and no input is a special case.
// J. Renes, C. Costello, L. Batina: Complete addition formulas for prime order elliptic curves,
// Eurocrypt 2016 (ePrint 2015/1060): algorithm 1, and algorithm 9 for doubling with a = 0.
#pragma once

#include <warpint/bigint.h>
#include <warpint/modular.h>

namespace curves {

using warpint::BigInt;
using Number = BigInt<256>;

// SEC 2, section 2.4.1.
struct Secp256k1 {
    static constexpr Number p =
        Number::parse("0xfffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f");
    static constexpr Number order =
        Number::parse("0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141");
    using Field = warpint::StaticResidue<p>;
    using Scalar = warpint::StaticResidue<order>;
    static constexpr int a = 0;
    WARPINT_HOST_DEVICE static constexpr Field b() { return 7; }
    WARPINT_HOST_DEVICE static constexpr Field b3() { return 21; }
    // (beta x, y) = lambda (x, y) for every point, where lambda^3 = 1 modulo the order.
    static constexpr bool has_endomorphism = true;
    static constexpr Number beta_number =
        Number::parse("0x7ae96a2b657c07106e64479eac3434e99cf0497512f58995c1396c28719501ee");
    WARPINT_HOST_DEVICE static constexpr Field beta() {
        constexpr Field value = beta_number;
        return value;
    }
    static constexpr Number gx =
        Number::parse("0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798");
    static constexpr Number gy =
        Number::parse("0x483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8");
};

// NIST SP 800-186, section 3.2.1.3.
struct P256 {
    static constexpr Number p =
        Number::parse("0xffffffff00000001000000000000000000000000ffffffffffffffffffffffff");
    static constexpr Number order =
        Number::parse("0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551");
    using Field = warpint::StaticResidue<p>;
    using Scalar = warpint::StaticResidue<order>;
    static constexpr int a = -3;
    static constexpr Number b_number =
        Number::parse("0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604b");
    WARPINT_HOST_DEVICE static constexpr Field b() {
        constexpr Field value = b_number;
        return value;
    }
    WARPINT_HOST_DEVICE static constexpr Field b3() {
        constexpr Field value = b() + b() + b();
        return value;
    }
    static constexpr bool has_endomorphism = false;
    static constexpr Number gx =
        Number::parse("0x6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296");
    static constexpr Number gy =
        Number::parse("0x4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5");
};

// A point that is not at infinity.
template <class Curve>
struct Affine {
    typename Curve::Field x, y;
};

// The point (x / z, y / z), at infinity where z = 0.
template <class Curve>
struct Point {
    typename Curve::Field x, y, z;
};

template <class Curve>
WARPINT_HOST_DEVICE Point<Curve> infinity() {
    return {0, 1, 0};
}
template <class Curve>
WARPINT_HOST_DEVICE Point<Curve> projective(const Affine<Curve> &p) {
    return {p.x, p.y, 1};
}

template <class Field>
WARPINT_HOST_DEVICE Field twice(const Field &x) {
    return x + x;
}
template <class Field>
WARPINT_HOST_DEVICE Field thrice(const Field &x) {
    return x + x + x;
}
template <class Curve>
WARPINT_HOST_DEVICE typename Curve::Field times_a(const typename Curve::Field &x) {
    static_assert(Curve::a == 0 || Curve::a == -3);
    if constexpr (Curve::a == 0)
        return 0;
    else
        return -thrice(x);
}

// What sum() and doubled() have in common: the sum from the products of the coordinates, where
// xy = x1 y2 + x2 y1, and xz and yz alike.
template <class Curve>
WARPINT_HOST_DEVICE Point<Curve>
from_products(const typename Curve::Field &xx, const typename Curve::Field &yy,
              const typename Curve::Field &zz, const typename Curve::Field &xy,
              const typename Curve::Field &xz, const typename Curve::Field &yz) {
    const auto u = times_a<Curve>(xz) + Curve::b3() * zz;
    const auto v = times_a<Curve>(xx - times_a<Curve>(zz)) + Curve::b3() * xz;
    const auto w = thrice(xx) + times_a<Curve>(zz);
    const auto minus = yy - u;
    const auto plus = yy + u;
    return {xy * minus - yz * v, w * v + plus * minus, yz * plus + xy * w};
}

template <class Curve>
WARPINT_HOST_DEVICE Point<Curve> sum(const Point<Curve> &p, const Point<Curve> &q) {
    const auto xx = p.x * q.x;
    const auto yy = p.y * q.y;
    const auto zz = p.z * q.z;
    return from_products<Curve>(xx, yy, zz, (p.x + p.y) * (q.x + q.y) - xx - yy,
                                (p.x + p.z) * (q.x + q.z) - xx - zz,
                                (p.y + p.z) * (q.y + q.z) - yy - zz);
}
template <class Curve>
WARPINT_HOST_DEVICE Point<Curve> sum(const Point<Curve> &p, const Affine<Curve> &q) {
    const auto xx = p.x * q.x;
    const auto yy = p.y * q.y;
    return from_products<Curve>(xx, yy, p.z, (p.x + p.y) * (q.x + q.y) - xx - yy, q.x * p.z + p.x,
                                q.y * p.z + p.y);
}

template <class Curve>
WARPINT_HOST_DEVICE Point<Curve> doubled(const Point<Curve> &p) {
    const auto yy = sqr(p.y);
    const auto zz = sqr(p.z);
    if constexpr (Curve::a == 0) {
        const auto u = Curve::b3() * zz;
        const auto yz = p.y * p.z;
        const auto yy8 = twice(twice(twice(yy)));
        const auto minus = yy - thrice(u);
        return {twice(minus * (p.x * p.y)), minus * (yy + u) + u * yy8, yz * yy8};
    } else {
        return from_products<Curve>(sqr(p.x), yy, zz, twice(p.x * p.y), twice(p.x * p.z),
                                    twice(p.y * p.z));
    }
}

// The point (x / z^2, y / z^3).
template <class Curve>
struct JacobianPoint {
    typename Curve::Field x, y, z;
};

// 2 p, in Jacobian coordinates, for a = -3. The denominators of the tangent's slope w / s and of
// the result are powers of s = 2 y z: 7 products. With w = 3 x^2 + a z^2 = 3 (x - z) (x + z):
//   x' = (w^2 - 4 x y s) / s^2, y' = (w (2 x y s - (w^2 - 4 x y s)) - 2 y^2 s^2) / s^3.
// Infinity becomes (0, 0, 0).
template <class Curve>
WARPINT_HOST_DEVICE JacobianPoint<Curve> jacobian_doubled(const Point<Curve> &p) {
    static_assert(Curve::a == -3);
    const auto w = thrice((p.x - p.z) * (p.x + p.z));
    const auto s = twice(p.y * p.z);
    const auto ys = p.y * s;
    const auto xys2 = twice(p.x * ys);
    const auto x = sqr(w) - twice(xys2);
    return {x, w * (xys2 - x) - twice(sqr(ys)), s};
}

// 2 p for a = -3, by 8 products (D. Bernstein 2001; here 2 y z is a product). (0, 0, 0) stays.
template <class Curve>
WARPINT_HOST_DEVICE JacobianPoint<Curve> doubled(const JacobianPoint<Curve> &p) {
    static_assert(Curve::a == -3);
    const auto zz = sqr(p.z);
    const auto yy = sqr(p.y);
    const auto xyy4 = twice(twice(p.x * yy));
    const auto w = thrice((p.x - zz) * (p.x + zz));
    const auto x = sqr(w) - twice(xyy4);
    return {x, w * (xyy4 - x) - twice(twice(twice(sqr(yy)))), twice(p.y * p.z)};
}

// The same point; infinity for (0, 0, 0).
template <class Curve>
WARPINT_HOST_DEVICE Point<Curve> projective(const JacobianPoint<Curve> &p) {
    const bool is_infinite = p.z == 0;
    return {p.x * p.z, is_infinite ? typename Curve::Field(1) : p.y, sqr(p.z) * p.z};
}

// 2^count p, count >= 1. Where a = -3, doubling in projective coordinates takes 14 products: those
// between the first and the last are in Jacobian ones. On a curve of odd order no doubling of
// another point is infinite.
template <class Curve>
WARPINT_HOST_DEVICE Point<Curve> doubled_times(const Point<Curve> &p, int count) {
    if constexpr (Curve::a == 0) {
        Point<Curve> r = p;
        for (int i = 0; i < count; ++i)
            r = doubled(r);
        return r;
    } else {
        JacobianPoint<Curve> r = jacobian_doubled(p);
        for (int i = 1; i < count; ++i)
            r = doubled(r);
        return projective(r);
    }
}

template <class Curve>
WARPINT_HOST_DEVICE typename Curve::Field y_squared(const typename Curve::Field &x) {
    return (sqr(x) + times_a<Curve>(1)) * x + Curve::b();
}

// k = k1 + k2 lambda modulo secp256k1's order, k1 of 129 bits and |k2| of 128. R. Gallant,
// R. Lambert, S. Vanstone: Faster point multiplication on elliptic curves with efficient
// endomorphisms, Crypto 2001; quotients rounded down.
struct Split {
    BigInt<129> k1;
    warpint::SignedBigInt<129> k2;
};
// The vectors (a1, -b1) and (a2, a1) are short ones of the lattice x + y lambda = 0.
inline constexpr auto lattice_a1 = BigInt<128>::parse("0x3086d221a7d46bcde86c90e49284eb15");
inline constexpr auto lattice_a2 = BigInt<129>::parse("0x114ca50f7a8e2f3f657c1108d9d44cfd8");
inline constexpr auto lattice_b1 = BigInt<128>::parse("0xe4437ed6010e88286f547fa90abfe4c3");
WARPINT_HOST_DEVICE inline Split split(const Number &k) {
    constexpr auto a1 = lattice_a1;
    constexpr auto a2 = lattice_a2;
    constexpr auto b1 = lattice_b1;
    constexpr Number n = Secp256k1::Scalar::modulus();
    const BigInt<128> c1(k * a1 / n);
    const BigInt<128> c2(k * b1 / n);
    // Modulo powers of two, since the results are known to fit.
    return {BigInt<129>(k - c1 * a1 - c2 * a2), warpint::SignedBigInt<129>(c1 * b1 - c2 * a1)};
}

constexpr int digit_bits = 5;

// Digit i of k, in [-16, 16] (A. Booth 1951): k is the sum of 32^i digit_i.
template <int Bits>
WARPINT_HOST_DEVICE int digit(const BigInt<Bits> &k, int i) {
    // Its bits, with the one below them.
    const auto bits =
        static_cast<int>(i == 0 ? extract_bits(k, 0, digit_bits) << 1
                                : extract_bits(k, digit_bits * i - 1, digit_bits + 1));
    return ((bits + 1) >> 1) - ((bits >> digit_bits) << digit_bits);
}

// k p. All threads of a warp add at the same steps.
template <class Curve>
WARPINT_HOST_DEVICE Point<Curve> multiple(const Number &k, const Affine<Curve> &p) {
    constexpr int half = 1 << (digit_bits - 1);
    Point<Curve> table[half + 1]; // 0, p, 2 p, ... 16 p
    table[0] = infinity<Curve>();
    table[1] = projective(p);
    for (int i = 2; i <= half; ++i)
        table[i] = i % 2 == 0 ? doubled(table[i / 2]) : sum(table[i - 1], p);
    const auto times = [&table](int factor) {
        Point<Curve> r = table[factor < 0 ? -factor : factor];
        if (factor < 0)
            r.y = -r.y;
        return r;
    };

    Point<Curve> r = infinity<Curve>();
    if constexpr (Curve::has_endomorphism) {
        const Split parts = split(k);
        const bool is_negative = parts.k2 < 0;
        const BigInt<129> k2(abs(parts.k2));
        for (int i = 129 / digit_bits; i >= 0; --i) {
            r = sum(r, times(digit(parts.k1, i)));
            const int second = digit(k2, i);
            Point<Curve> term = times(is_negative ? -second : second);
            term.x = term.x * Curve::beta();
            r = sum(r, term);
            if (i != 0)
                r = doubled_times(r, digit_bits);
        }
    } else {
        for (int i = 256 / digit_bits; i >= 0; --i) {
            r = sum(r, times(digit(k, i)));
            if (i != 0)
                r = doubled_times(r, digit_bits);
        }
    }
    return r;
}

// Multiples of the generator G in rows of `bits` bits: i 2^(bits row) G for 1 <= i <= row_length at
// [row_length row + i - 1]. On input: bits divides 256.
template <class Curve>
struct GeneratorTable {
    int bits;
    const typename Curve::Field *x;
    const typename Curve::Field *y;

    WARPINT_HOST_DEVICE int rows() const { return 256 / bits; }
    WARPINT_HOST_DEVICE int row_length() const { return (1 << bits) - 1; }
    WARPINT_HOST_DEVICE Affine<Curve> operator()(int row, int i) const {
        const int at = row_length() * row + i - 1;
        return {x[at], y[at]};
    }

    // r + k G, k of 256 bits.
    WARPINT_HOST_DEVICE Point<Curve> add_multiple(Point<Curve> r, const Number &k) const {
        for (int row = 0; row < rows(); ++row) {
            const auto digit = static_cast<int>(extract_bits(k, bits * row, bits));
            if (digit != 0)
                r = sum(r, (*this)(row, digit));
        }
        return r;
    }
};

} // namespace curves
