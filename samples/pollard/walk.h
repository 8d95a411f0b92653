// SPDX-License-Identifier: Apache-2.0
// Additive walks on a curve, as formulas over vectors: many walks, all of which take a step at
// once.
//
// A walk goes from a point W to W + S_j, one of 1024 fixed points that the low bits of W's x
// coordinate choose (E. Teske: On random walks for Pollard's rho method, 2001). It ends at a
// distinguished point, where further bits of x are 0, and waits there (P. van Oorschot, M. Wiener:
// Parallel collision search with cryptanalytic applications, 1999).
#pragma once

#include <random>
#include <vector>

#include <warpint/random.h>
#include <warpint/vector.h>

#include "curve.h"

namespace pollard {

inline constexpr int step_bits = 10;
inline constexpr int step_count = 1 << step_bits;

// The points S_j = c_j P + d_j Q, the same in every run.
template <int Bits>
struct Steps {
    std::vector<BigInt<Bits>> c, d, x, y;

    Steps(const Curve<Bits> &curve, const Point<Bits> &p, const Point<Bits> &q) {
        std::mt19937_64 random(1);
        for (int j = 0; j != step_count; ++j) {
            c.push_back(warpint::random_below(curve.n.value(), random));
            d.push_back(warpint::random_below(curve.n.value(), random));
            const auto s = curve.sum(curve.multiple(c[j], p), curve.multiple(d[j], q));
            x.push_back(s.x);
            y.push_back(s.y);
        }
    }
    static int index(const BigInt<Bits> &walk_x) {
        return static_cast<int>(walk_x & (step_count - 1));
    }
};

// The bits of x that are 0 in a distinguished point: `bits` of them.
template <int Bits>
BigInt<Bits> distinguishing_mask(int bits) {
    return ((BigInt<Bits>(1) << bits) - 1) << step_bits;
}

template <int Bits, class Place>
class Walks {
    using Number = BigInt<Bits>;
    using Numbers = typename Place::template Vector<Number>;

public:
    Walks(const Curve<Bits> &the_curve, const Steps<Bits> &steps, int distinguishing_bits)
        : p(the_curve.p), a(the_curve.a), b(the_curve.b), step_x(steps.x), step_y(steps.y),
          mask(distinguishing_mask<Bits>(distinguishing_bits)) {}

    // Where the walks are. One that ran into a step's own x is no longer on the curve.
    Numbers x, y;

    void step() {
        const auto j = x & Number(step_count - 1);
        const auto difference = gather(step_x, j) - x;
        const auto waits = (x & mask) == 0;

        // Simultaneous inversion: three products each. No walk may spoil those of others.
        reciprocal = inverse(select(difference == 0, Number(1), difference), p);
        slope = (gather(step_y, j) - y) * reciprocal % p;
        next_x = (slope * slope - x - gather(step_x, j)) % p;
        y = select(waits, y, (slope * (x - next_x) - y) % p);
        x = select(waits, x, next_x);
    }

    bool all_on_curve() const { return all(y * y % p == ((x * x + a) * x + b) % p); }

private:
    Modulus<Bits> p;
    Number a, b;
    Numbers step_x, step_y;
    Number mask;
    Numbers reciprocal, slope, next_x;
};

} // namespace pollard
