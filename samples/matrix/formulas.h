// SPDX-License-Identifier: Apache-2.0
// Matrices of residues as batch formulas of warpint: what a reader of this sample came for.
//
// A matrix is a vector of its entries, row after row, each in [0, m). A formula computes all
// entries at once; gather() names the entries that it needs by their positions.
//
// Variable time: the running time depends on the entries.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <warpint/bigint.h>
#include <warpint/modular.h>
#include <warpint/number_theory.h>
#include <warpint/vector.h>

#include "device.h"

namespace matrix {

using warpint::BigInt;
using warpint::indices;
using warpint::Modulus;
using warpint::SignedBigInt;

// Place: OnHost or OnDevice.
template <int Bits, class Place>
struct Matrix {
    using Number = BigInt<Bits>;
    using Numbers = typename Place::template Vector<Number>;

    std::uint64_t rows = 0, columns = 0;
    Numbers entries;
};

// Sums that are computed together: they should stay in a CPU's cache, or fill a GPU.
template <class Place>
inline constexpr std::uint64_t sums_at_once = Place::gpu ? 1 << 20 : 1 << 13;

// c = a b modulo m, for a.columns = b.rows < 2^32. Some rows at a time: column t of a times row t
// of b gives a term of every sum, and the sums are exact, so that each takes one reduction at the
// end.
template <int Bits, class Place>
void multiply(Matrix<Bits, Place> &c, const Matrix<Bits, Place> &a, const Matrix<Bits, Place> &b,
              const Modulus<Bits> &m) {
    using Index = typename Place::template Vector<std::uint64_t>;
    typename Place::template Vector<BigInt<2 * Bits + 32>> sum;
    const std::uint64_t inner = a.columns, rows_at_once = sums_at_once<Place> / b.columns + 1;
    c.rows = a.rows;
    c.columns = b.columns;
    c.entries.resize(c.rows * c.columns);
    for (std::uint64_t first = 0; first < c.rows; first += rows_at_once) {
        const std::uint64_t count = std::min(rows_at_once, c.rows - first) * c.columns;
        const Index row = (indices(count) / c.columns + first) * inner;
        const Index column = indices(count) % c.columns;
        const auto term = [&](std::uint64_t t) {
            return gather(a.entries, row + t) * gather(b.entries, column + t * c.columns);
        };
        sum.assign(count, 0);
        std::uint64_t t = 0;
        for (; t + 4 <= inner; t += 4) // four terms a formula: the sums are loaded and stored less
            sum = sum + (term(t) + term(t + 1) + term(t + 2) + term(t + 3));
        for (; t != inner; ++t)
            sum = sum + term(t);
        c.entries.view(first * c.columns, count) = sum % m;
    }
}

// Solves a x = b modulo the prime p by the elimination of Gauss and Jordan, for a square a. Returns
// the rank of a; x has no meaning where that is less than a.rows.
template <int Bits, class Place>
std::uint64_t solve(Matrix<Bits, Place> &x, const Matrix<Bits, Place> &a,
                    const Matrix<Bits, Place> &b, const Modulus<Bits> &p) {
    using Index = typename Place::template Vector<std::uint32_t>;
    const std::uint64_t n = a.rows, right = b.columns, all = n * (n + right);
    const Index row = indices(all) % n, column = indices(all) / n;

    // [a b], column after column, not reduced: an entry is the exact sum of what was added to it.
    typename Place::template Vector<SignedBigInt<2 * Bits + 32>> rest(all);
    rest.view(0, n * n) = gather(a.entries, row.view(0, n * n) * n + column.view(0, n * n));
    rest.view(n * n, n * right) =
        gather(b.entries, row.view(0, n * right) * right + column.view(0, n * right));

    typename Matrix<Bits, Place>::Numbers factor, pivot_row;
    typename Place::template Vector<bool> used(n, false); // rows with a pivot
    std::vector<std::uint32_t> pivots;
    for (std::uint64_t k = 0; k != n; ++k) {
        factor = rest.view(k * n, n) % p;
        const auto pivot =
            static_cast<std::uint64_t>(min(select(used | (factor == 0u), n, indices(n))));
        if (pivot == n)
            continue;
        pivots.push_back(static_cast<std::uint32_t>(pivot));
        used[pivot] = true;
        const BigInt<Bits> entry = factor.read(pivot);
        const std::uint64_t columns = n + right - (k + 1), count = columns * n;
        pivot_row = gather(rest, (indices(columns) + (k + 1)) * n + pivot) % p *
                    *inverse(entry, p.value()) % p;
        // All rows lose their multiple of the pivot's, which itself becomes pivot_row.
        factor[pivot] = entry - 1u;
        auto behind = rest.view((k + 1) * n, count);
        behind =
            behind - gather(factor, row.view(0, count)) * gather(pivot_row, column.view(0, count));
    }
    if (pivots.size() == n) {
        const Index pivot_of(pivots);
        const auto i = indices(n * right);
        x.rows = n;
        x.columns = right;
        x.entries = gather(rest, (i % right + n) * n + gather(pivot_of, i / right)) % p;
    }
    return pivots.size();
}

} // namespace matrix
