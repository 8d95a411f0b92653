// SPDX-License-Identifier: Apache-2.0
// The points where walks start, many at once, as formulas over vectors.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <warpint/vector.h>

#include "curve.h"

namespace pollard {

template <int Bits, class Place>
class Starts {
    using Number = BigInt<Bits>;

public:
    using Numbers = typename Place::template Vector<Number>;

    // For at most `count` points at once.
    Starts(const Curve<Bits> &the_curve, const Point<Bits> &point, std::size_t count)
        : curve(the_curve), p(point) {
        const Point<Bits> second = curve.sum(p, p);
        multiples_x = std::vector<Number>{p.x, second.x};
        multiples_y = std::vector<Number>{p.y, second.y};
        // From 1 P ... m P, m P and the first m - 1 of them give (m + 1) P ... (2 m - 1) P.
        while (multiples_x.size() < count) {
            const std::size_t m = multiples_x.size();
            const std::size_t more = std::min(m - 1, count - m);
            Numbers x, y;
            take(m, more, x, y);
            multiples_x.resize(m + more);
            multiples_y.resize(m + more);
            evaluate(x, multiples_x.view(m, more));
            evaluate(y, multiples_y.view(m, more));
        }
    }

    // (x, y) = (before + i) P for i in [1, count]. A sum of equal or opposite points is no point of
    // the curve: the walk from there is dropped at its end.
    void take(std::uint64_t before, std::size_t count, Numbers &x, Numbers &y) {
        const Point<Bits> q = curve.multiple(Number(before), p);
        const auto second_x = multiples_x.view(0, count);
        const auto second_y = multiples_y.view(0, count);
        if (q.infinite) {
            x = second_x;
            y = second_y;
            return;
        }
        const auto difference = second_x - q.x;
        reciprocal = inverse(select(difference == 0, Number(1), difference), curve.p);
        slope = (second_y - q.y) * reciprocal % curve.p;
        x = (slope * slope - q.x - second_x) % curve.p;
        y = (slope * (q.x - x) - q.y) % curve.p;
    }

private:
    Curve<Bits> curve;
    Point<Bits> p;
    Numbers multiples_x, multiples_y; // of i P at i - 1
    Numbers reciprocal, slope;
};

} // namespace pollard
