// SPDX-License-Identifier: Apache-2.0
// The group of points of y^2 = x^3 + a x + b modulo p, of prime order n, on the host: one point at
// a time, to prepare walks and to check them.
#pragma once

#include <string>

#include <warpint/bigint.h>
#include <warpint/modular.h>

namespace pollard {

using warpint::BigInt;
using warpint::Modulus;

// Wide enough for all curves of this program.
inline constexpr int max_bits = 131;
using Wide = BigInt<max_bits>;

// A curve and two points, the second a multiple of the first.
struct Problem {
    std::string name;
    Wide p, a, b, n;
    Wide px, py, qx, qy;
};

template <int Bits>
struct Point {
    BigInt<Bits> x{}, y{};
    bool infinite = true;

    bool operator==(const Point &) const = default;
};

template <int Bits>
class Curve {
public:
    using Number = BigInt<Bits>;

    explicit Curve(const Problem &problem)
        : p(Number(problem.p)), a(problem.a), b(problem.b), n(Number(problem.n)) {}

    bool contains(const Point<Bits> &q) const {
        return q.infinite || q.y * q.y % p == ((q.x * q.x + a) * q.x + b) % p;
    }

    Point<Bits> sum(const Point<Bits> &q, const Point<Bits> &r) const {
        if (q.infinite || r.infinite)
            return q.infinite ? r : q;
        Number slope;
        if (q.x != r.x)
            slope = mulmod(submod(r.y, q.y, p), *inverse(submod(r.x, q.x, p), p), p);
        else if (q.y == r.y && q.y != 0)
            slope = mulmod((q.x * q.x * 3u + a) % p, *inverse(addmod(q.y, q.y, p), p), p);
        else
            return {};
        const Number x = submod(submod(sqrmod(slope, p), q.x, p), r.x, p);
        return {x, mulsubmod(slope, submod(q.x, x, p), q.y, p), false};
    }

    Point<Bits> multiple(const Number &k, const Point<Bits> &q) const {
        Point<Bits> r;
        for (int i = bit_width(k) - 1; i >= 0; --i) {
            r = sum(r, r);
            if (test_bit(k, i))
                r = sum(r, q);
        }
        return r;
    }

    Modulus<Bits> p;
    Number a, b;
    Modulus<Bits> n;
};

} // namespace pollard
