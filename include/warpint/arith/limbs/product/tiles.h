// SPDX-License-Identifier: Apache-2.0
// Products and Montgomery reductions of long limb arrays by tiles: the form for numbers that lie in
// a GPU's memory. A tile is the product of T limbs with T limbs, T^2 limb products into 2 T - 1
// columns that stay in registers while the tiles of one diagonal are added; so there is one load
// per T / 2 products (a row has one per product, which is more than a GPU's memory gives), the
// columns depend on nothing but themselves, and one small loop serves every length. The order of
// the tiles is product scanning (Comba, IBM Systems Journal 29, 1990) with blocks for limbs.
//
// The functions are out of line. Constant time.
#pragma once

#include "../../../limb/column.h"
#include "../linear.h"
#include "../tuning.h"

namespace warpint::arith {

namespace detail {

// The columns of one diagonal of tiles, and the carry into them from below.
template <int T, class Limb>
struct TileColumns {
    static constexpr int size = 2 * T - 1;
    limb::Column<Limb> columns[size];

    // x = limbs [from, from + T) of a, which has n limbs: those beyond are 0.
    WARPINT_HOST_DEVICE static constexpr WARPINT_INLINE void load(Limb *x, const Limb *a, int from,
                                                                  int n) {
        if (from + T <= n) {
            WARPINT_UNROLL(T, T)
            for (int i = 0; i < T; ++i)
                x[i] = a[from + i];
        } else {
            WARPINT_UNROLL(T, T)
            for (int i = 0; i < T; ++i)
                x[i] = from + i < n ? a[from + i] : Limb{0};
        }
    }
    // Adds x y B^shift.
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void add_row(Limb x, const Limb *y, int shift) {
        WARPINT_UNROLL(T, T)
        for (int j = 0; j < T; ++j)
            columns[shift + j].add_product(x, y[j]);
    }
    // Adds tile i of a times tile j of b.
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void add_tile(const Limb *a, int i, int n,
                                                               const Limb *b, int j, int m) {
        Limb x[T]{};
        Limb y[T]{};
        load(x, a, i * T, n);
        load(y, b, j * T, m);
        WARPINT_UNROLL(T, T)
        for (int k = 0; k < T; ++k)
            add_row(x[k], y, k);
    }
    // Adds the mixed products of tile i of a with itself, once each.
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void add_triangle(const Limb *a, int i, int n) {
        Limb x[T]{};
        load(x, a, i * T, n);
        WARPINT_UNROLL(T, T)
        for (int k = 0; k < T; ++k) {
            WARPINT_UNROLL(T, T)
            for (int j = k + 1; j < T; ++j)
                columns[k + j].add_product(x[k], x[j]);
        }
    }
    // The limb at column k once it is complete; what is above it goes to the next column.
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE Limb settle(int k) {
        columns[k + 1].add(columns[k].middle, columns[k].high);
        return columns[k].low;
    }
    // To the next diagonal, T limbs up.
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void advance() {
        WARPINT_UNROLL(T, T)
        for (int k = 0; k < T - 1; ++k)
            columns[k] = columns[k + T];
        WARPINT_UNROLL(T, T)
        for (int k = T - 1; k < size; ++k)
            columns[k] = {};
    }
};

WARPINT_HOST_DEVICE constexpr int tiles_of(int n, int t) {
    return (n + t - 1) / t;
}

} // namespace detail

// r = the `limbs` lowest limbs of a b; a has n limbs, b has m, 1 <= limbs <= n + m; r overlaps
// neither.
template <int T = 8, class Limb>
WARPINT_HOST_DEVICE WARPINT_DEVICE_NOINLINE constexpr void
multiply_tiles(Limb *r, int limbs, const Limb *a, int n, const Limb *b, int m) {
    const int a_tiles = detail::tiles_of(n, T);
    const int b_tiles = detail::tiles_of(m, T);
    detail::TileColumns<T, Limb> sum{};
    for (int c = 0; c * T < limbs; ++c) {
        const int first = c < b_tiles ? 0 : c - b_tiles + 1;
        WARPINT_UNROLL(1, 0)
        for (int i = first; i <= c && i < a_tiles; ++i)
            sum.add_tile(a, i, n, b, c - i, m);
        WARPINT_UNROLL(T, T)
        for (int k = 0; k < T; ++k) {
            const Limb value = sum.settle(k);
            if (c * T + k < limbs)
                r[c * T + k] = value;
        }
        sum.advance();
    }
}

// r = a^2; a has n limbs, r has 2 n and does not overlap a. The mixed products once, doubled as
// they come out, and the squares of the limbs. T even.
template <int T = 8, class Limb>
WARPINT_HOST_DEVICE WARPINT_DEVICE_NOINLINE constexpr void square_tiles(Limb *r, const Limb *a,
                                                                        int n) {
    static_assert(T % 2 == 0);
    const int tiles = detail::tiles_of(n, T);
    detail::TileColumns<T, Limb> sum{};
    Limb before = 0;
    Limb carry = 0;
    for (int c = 0; c * T < 2 * n; ++c) {
        WARPINT_UNROLL(1, 0)
        for (int i = c < tiles ? 0 : c - tiles + 1; 2 * i < c; ++i)
            sum.add_tile(a, i, n, a, c - i, n);
        if (c % 2 == 0)
            sum.add_triangle(a, c / 2, n);
        WARPINT_UNROLL(T, T)
        for (int k = 0; k < T; k += 2) {
            const Limb low = sum.settle(k);
            const Limb high = sum.settle(k + 1);
            const int place = c * T + k;
            if (place < 2 * n) {
                limb::Column<Limb> pair{limb::funnel_left(low, before, 1),
                                        limb::funnel_left(high, low, 1), Limb{0}};
                pair.add(carry);
                pair.add_product(a[place / 2], a[place / 2]);
                carry = pair.high;
                before = high;
                r[place] = pair.low;
                r[place + 1] = pair.middle;
            }
        }
        sum.advance();
    }
}

// r = t / R mod m for t < m R of 2 n limbs, R = B^n, m odd of n limbs, m_inverse = -m^-1 mod B. t
// is overwritten; r overlaps neither t nor m. The quotient's limbs take the place of t's lower
// half, as each column's lowest limb gives them; result - m that of the upper half.
template <int T = 8, class Limb>
WARPINT_HOST_DEVICE WARPINT_DEVICE_NOINLINE constexpr void
reduce_tiles(Limb *r, Limb *t, const Limb *m, int n, Limb m_inverse) {
    const int tiles = detail::tiles_of(n, T);
    detail::TileColumns<T, Limb> sum{};
    Limb lowest[T]{}; // of m
    sum.load(lowest, m, 0, n);
    Limb borrow = 0;
    Limb top = 0;
    const auto take_quotient = [&](int place, int k) {
        const Limb q = static_cast<Limb>(1u * sum.columns[k].low * m_inverse);
        t[place] = q;
        sum.add_row(q, lowest, k);
        sum.settle(k);
    };
    const auto take_result = [&](int place, int k) {
        const Limb result = sum.settle(k);
        if (place < 2 * n) {
            r[place - n] = result;
            t[place] = limb::sub_borrow(result, m[place - n], borrow);
        } else if (place == 2 * n) {
            top = result;
        }
    };
    for (int c = 0; c * T <= 2 * n; ++c) {
        WARPINT_UNROLL(1, 0)
        for (int i = c < tiles ? 0 : c - tiles + 1; i < c && i < tiles; ++i)
            sum.add_tile(t, i, n, m, c - i, n);
        Limb value[T]{};
        sum.load(value, t, c * T, 2 * n);
        WARPINT_UNROLL(T, T)
        for (int k = 0; k < T; ++k)
            sum.columns[k].add(value[k]);
        if (c * T + T <= n) {
            WARPINT_UNROLL(T, T)
            for (int k = 0; k < T; ++k)
                take_quotient(c * T + k, k);
        } else if (c * T >= n) {
            WARPINT_UNROLL(T, T)
            for (int k = 0; k < T; ++k)
                take_result(c * T + k, k);
        } else {
            WARPINT_UNROLL(T, T)
            for (int k = 0; k < T; ++k) {
                if (c * T + k < n) {
                    take_quotient(c * T + k, k);
                } else {
                    take_result(c * T + k, k);
                }
            }
        }
        sum.advance();
    }
    const Limb mask = static_cast<Limb>(Limb{0} - static_cast<Limb>(borrow <= top));
    WARPINT_UNROLL(4, 4)
    for (int i = 0; i < n; ++i)
        r[i] = static_cast<Limb>(r[i] ^ ((r[i] ^ t[n + i]) & mask));
}

} // namespace warpint::arith
