// SPDX-License-Identifier: Apache-2.0
// The roots of unity of a transform, computed once on a host.
#pragma once

#include "shape.h"

#include <cmath>
#include <numbers>
#include <vector>

namespace warpint::transform {

// Shape::roots of them. Each part is off by at most 2^-53.
template <int log_size>
std::vector<Complex> compute_roots() {
    using S = Shape<log_size>;
    std::vector<Complex> roots;
    // exp(pi i steps / 2n)
    const auto add = [&](long steps) {
        const long double angle =
            std::numbers::pi_v<long double> * static_cast<long double>(steps) / (2 * S::size);
        roots.push_back(
            {static_cast<double>(std::cos(angle)), static_cast<double>(std::sin(angle))});
    };
    for (int pass = 0; pass < S::last; ++pass) {
        for (int row = 0; row < S::rows_of_roots(pass); ++row) {
            const int q = pass != 0 ? row + 1 : row < 4 ? 4 * row : row - 3;
            const long omega = -4L * (S::size / S::length(pass)) * q;
            const long theta = pass == 0 && row < 4 ? 1 : 0;
            for (int j = 0; j < S::distance(pass); ++j)
                add((omega + theta) * j);
        }
    }
    return roots;
}

} // namespace warpint::transform
