// SPDX-License-Identifier: Apache-2.0
// Montgomery products and squares over lanes. R = B^n, n = K L; operands and results lie anywhere
// in [0, R), for any odd m < R: since (a b + q m) / R < R + m, one subtraction of m, made if the
// sum passed R, keeps that range.
//
// A row adds one limb of b times a, then the multiple q m that makes the lowest limb zero, and
// drops that limb. Every lane adds to a sum of its own; between lanes one limb moves a row: what
// the next lane dropped enters at the top. Carries between lanes wait for the end (deferred
// carries, as in Orup, "Simplifying quotient determination in high-radix modular multiplication",
// ARITH 1995, in space instead of time). The sum is two accumulators of pairs, "even" ones at
// places 0, 2, ..., "odd" ones at places 1, 3, ...; dropping a limb makes each the other, so
// nothing is moved (the even/odd scheme of limb/chain.h). Shared with
// arith/limbs/reduction/montgomery_alternate.h: the scheme; the text differs, as there a row's
// carries end in the number, here in the lane.
//
// Numbers that leave lanes' limbs unused, or two bits of them, take fewer rows and no subtraction:
// with R = B^Rows of at least 4 times the moduli's power of two 2^bits, operands and results lie
// anywhere in [0, 2^(bits + 1)), since (a b + q m) / R < 2^bits + m. Limbs from Rows on are zero.
//
// Variable time: three rare cases depend on the data.
#pragma once

#include "linear.h"

namespace warpint::lanes {

// The limbs of a factor that every lane needs, one per row: from the lanes that hold them.
template <int K, class G>
struct LimbsOfLanes {
    const G &group;
    const typename G::word *words;

    // Limb `lane` K + i.
    WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE typename G::limb operator()(int lane, int i) const {
        return group.broadcast(words[i], lane);
    }
};

// Rows of products modulo numbers of at most `bits` bits over lanes of K words if they can do
// without subtractions; else 0, which stands for K L rows. Two rows less than the lanes have cost
// more than they save where a lane's rows are many: 385 K powers of 2100 bits a second over 34
// limbs a lane on an H200, 315 K where the loop ends inside a lane.
template <int K, int Lanes, int bits>
inline constexpr int short_rows = [] {
    constexpr int rows = (bits + 65) / 64 * 2;
    constexpr int all = K * Lanes;
    return rows > all ? 0 : K > 32 && all - rows <= 2 ? all : rows;
}();

namespace detail {

// Of 0 or a number of rows: how many there are, the whole lanes among them, and those beyond.
template <int K, int Rows, class G>
struct RowCount {
    static constexpr int rows = Rows != 0 ? Rows : K * G::lanes;
    static constexpr int lanes = (rows + K - 1) / K;
    static constexpr int in_last = rows - K * (lanes - 1);
    static_assert(rows % 2 == 0 && rows <= K * G::lanes);

    // Whether the rows end inside of a lane: at end_at() and nowhere else, so that a loop over all
    // lanes that asks there has one end, and ptxas need not move limbs to where another has them.
    static constexpr bool inside = in_last != K;
    WARPINT_HOST_DEVICE static constexpr WARPINT_DEVICE_INLINE bool end_at(int lane, int i) {
        return inside && i == in_last && lane == lanes - 1;
    }
};

template <int K, class G>
struct MontgomeryRows {
    static_assert(K >= 2 && K % 2 == 0, "pairs of limbs");
    using limb = typename G::limb;
    using word = typename G::word;
    using pair = typename G::pair;
    static constexpr int pairs = K / 2;
    static constexpr int bits = warpint::limb::limb_bits<limb>;

    // Between rows: x's pair i stands at places 2 i, 2 i + 1, its lowest limb in lane 0 is zero and
    // is dropped next; y's pair i at 2 i + 1, 2 i + 2; fresh at places K, K + 1: the limb that the
    // lane above will drop, and what was carried out. fresh's upper limb stays below 5, so that no
    // chain below loses a carry: the sum of a lane is below 2 B^(K + 1) + 2 B^K before the drop,
    // as V / B + B^K + 2 (B^K - 1)(B - 1) is again.
    const G &group;
    const word *m;
    limb m_inverse; // -m^-1 mod B
    pair fresh;

    // After the drop: y is even, x (moved down by one pair, fresh on top) is odd. Adds a b; x's
    // pairs stay where they are, reduce() moves them. Returns the carry to place K + 1.
    WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE word add_product(pair *x, pair *y, const word *a,
                                                               limb b) {
        typename G::chain chain;
        x[pairs] = fresh;
        multiply_add_pairs<K, G>(chain, y, a, word(b));
        x[pairs] = chain.end_in_high(x[pairs]);
        multiply_add_pairs<K, G>(chain, x + 1, a + 1, word(b));
        return chain.end(word(0));
    }

    // Row r of a block of K rows of a square, b limb r of the block, below the limb before it: this
    // lane's limbs above r times 2 b, its limb r times b. A block of rows x in lane y and the block
    // y in lane x are the same products a_i a_j: one takes those with j mod K > i mod K, the other
    // the reverse, each doubled, and each takes the diagonal once; together they are both blocks.
    // Doubling is done on b: its lowest bit, the top bit of `below`, belongs to limb r of this lane
    // as well, which row r - 1 has doubled: hence that limb takes b + this bit. On input: b is not
    // all ones, or the sum would overflow. (Rows that end inside of a block are those of a number
    // whose top limb there has its top bit clear.)
    template <int r>
    WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE word add_square(pair *x, pair *y, const word *a,
                                                              limb b, limb below) {
        const limb twice =
            r == 0 ? static_cast<limb>(b << 1) : warpint::limb::funnel_left(b, below, 1);
        const limb once = r == 0 ? b : static_cast<limb>(b + (below >> (bits - 1)));
        constexpr int even = (r + 1) / 2; // the first pairs of y and x that take part
        constexpr int odd = r / 2 + 1;
        typename G::chain chain;
        x[pairs] = fresh;
        if constexpr (even < pairs) {
            y[even] = chain.multiply_add(a[2 * even], word(2 * even == r ? once : twice), y[even]);
            WARPINT_UNROLL(pairs, pairs)
            for (int i = even + 1; i < pairs; ++i)
                y[i] = chain.multiply_add_next(a[2 * i], word(twice), y[i]);
            x[pairs] = chain.end_in_high(x[pairs]);
        }
        x[odd] = chain.multiply_add(a[2 * odd - 1], word(2 * odd - 1 == r ? once : twice), x[odd]);
        WARPINT_UNROLL(pairs, pairs)
        for (int i = odd + 1; i <= pairs; ++i)
            x[i] = chain.multiply_add_next(a[2 * i - 1], word(twice), x[i]);
        return chain.end(word(0));
    }

    // Joins the two limbs at place 0, adds q m, moves x down by its pair, and makes fresh for the
    // next row; top: the carry to place K + 1. The carry of the first sum lives across a product
    // without carry and a shuffle.
    WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE void reduce(pair *x, pair *y, word top) {
        typename G::chain chain;
        y[0] = chain.add_to_low(y[0], high_half(x[0]));
        const limb q = group.broadcast(low_half(y[0]) * word(m_inverse), 0);
        WARPINT_UNROLL(pairs, pairs)
        for (int i = 1; i <= pairs; ++i)
            x[i - 1] = chain.multiply_add_next(m[2 * i - 1], word(q), x[i]);
        top = chain.end(top);
        multiply_add_pairs<K, G>(chain, y, m, word(q));
        const word entering = group.from_above(low_half(y[0]));
        const word low = chain.add_next(entering, word(0));
        fresh = join_halves(low, chain.end(top));
        WARPINT_ASSERT_ON_HOST(holds(high_half(fresh) < word(5)));
    }

    // A block of K rows by the limbs of lane `lane` of b, in twos, after which x and y have their
    // roles again. Returns whether these were the last.
    template <class Count, class Limbs>
    WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE bool multiply_rows(pair *x, pair *y, const word *a,
                                                                 const Limbs &b, int lane) {
        WARPINT_UNROLL(pairs, pairs)
        for (int i = 0; i < K; i += 2) {
            if (Count::end_at(lane, i))
                return true;
            const limb b0 = b(lane, i);
            const limb b1 = b(lane, i + 1);
            reduce(x, y, add_product(x, y, a, b0));
            reduce(y, x, add_product(y, x, a, b1));
        }
        return !Count::inside && lane == Count::lanes - 1;
    }
    // Likewise of a square, from row r of the block on.
    template <class Count, int r>
    WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE bool square_rows(pair *x, pair *y, const word *a,
                                                               limb below, int lane) {
        if constexpr (r < K) {
            if (Count::end_at(lane, r))
                return true;
            const limb b0 = group.broadcast(a[r], lane);
            const limb b1 = group.broadcast(a[r + 1], lane);
            reduce(x, y, add_square<r>(x, y, a, b0, below));
            reduce(y, x, add_square<r + 1>(y, x, a, b1, b0));
            return square_rows<Count, r + 2>(x, y, a, b1, lane);
        } else {
            return !Count::inside && lane == Count::lanes - 1;
        }
    }
};

// r += e, e in -1 ... 4 as a two's complement limb, at each lane's place 0; returns what leaves the
// lane: -1, 0 or 1.
template <int K, class G>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE typename G::word add_signed(typename G::word *r,
                                                                      const typename G::word &e) {
    using word = typename G::word;
    WARPINT_ASSERT_ON_HOST(holds(e + word(1) < word(6)));
    const word sign = word(0) - (e >> (warpint::limb::limb_bits<typename G::limb> - 1));
    typename G::chain chain;
    r[0] = chain.add(r[0], e);
    WARPINT_UNROLL(K, K)
    for (int i = 1; i < K; ++i)
        r[i] = chain.add_next(r[i], sign);
    return chain.end(sign);
}

// Carries e, which stands above each lane, upwards until none is left; returns what left the
// number.
template <int K, class G>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE typename G::limb
settle(const G &group, typename G::word *r, typename G::word e) {
    using word = typename G::word;
    word out = word(0);
    while (group.vote(e != word(0))) {
        out = out + G::select(group.last(), e, word(0));
        e = add_signed<K, G>(r, G::select(group.first(), word(0), group.from_below(e)));
    }
    return group.broadcast(out, G::lanes - 1);
}

// r = r - m where `subtracts` (all ones or 0), each lane by itself; returns over - borrow.
template <int K, class G>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE typename G::word
subtract_masked(typename G::word *r, const typename G::word *m, typename G::limb mask,
                const typename G::word &over) {
    using word = typename G::word;
    typename G::chain chain;
    r[0] = chain.subtract(r[0], m[0] & word(mask));
    WARPINT_UNROLL(K, K)
    for (int i = 1; i < K; ++i)
        r[i] = chain.subtract_next(r[i], m[i] & word(mask));
    return chain.subtract_end(over);
}

// r = the sum after the last row, less the limb that left: x, y and the low limb of fresh, to whose
// high limb the carry is left in the chain.
template <int K, class G>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE void
join_rows(typename G::chain &chain, typename G::word *r, const typename G::pair *x,
          const typename G::pair *y, const typename G::pair &fresh) {
    r[0] = chain.add(high_half(x[0]), low_half(y[0]));
    WARPINT_UNROLL(K, K)
    for (int i = 1; i < K; ++i) {
        const typename G::word even = i == K - 1   ? low_half(fresh)
                                      : i % 2 != 0 ? low_half(x[(i + 1) / 2])
                                                   : high_half(x[i / 2]);
        r[i] = chain.add_next(even, i % 2 != 0 ? high_half(y[i / 2]) : low_half(y[i / 2]));
    }
}

// r = what is left of the sum after the last row, below R; less_than_r: it is so without a
// subtraction.
template <int K, bool less_than_r, class G>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE void
finish(const MontgomeryRows<K, G> &rows, typename G::word *r, const typename G::pair *x,
       const typename G::pair *y) {
    using limb = typename G::limb;
    using word = typename G::word;
    const G &group = rows.group;
    constexpr int bits = warpint::limb::limb_bits<limb>;
    typename G::chain chain;
    word t[K];
    join_rows<K, G>(chain, t, x, y, rows.fresh);
    word e = chain.end(high_half(rows.fresh));
    WARPINT_ASSERT_ON_HOST(holds(e <= word(3)));
    if constexpr (!less_than_r) {
        // What the last lane carried out decides the subtraction, but for a carry that is still to
        // come from below: a rare case.
        const limb mask = static_cast<limb>(0u - group.broadcast(e, G::lanes - 1));
        e = subtract_masked<K, G>(t, rows.m, mask, e); // -1 ... 3
    }
    const word in = G::select(group.first(), word(0), group.from_below(e));
    const word low = t[0] + in;
    auto rare = low < in;
    if constexpr (!less_than_r) {
        const auto negative = (in >> (bits - 1)) != word(0);
        rare = (negative & (t[0] == word(0))) | ((!negative) & rare);
    }
    if (group.vote(rare)) { // about once in 2^27 per lane
        const limb over = settle<K>(group, t, e);
        if constexpr (!less_than_r) {
            const limb mask = static_cast<limb>(0u - over);
            const word borrow = subtract_masked<K, G>(t, rows.m, mask, word(0));
            settle<K>(group, t, borrow);
        }
        copy<K>(r, t);
    } else {
        r[0] = low;
        WARPINT_UNROLL(K, K)
        for (int i = 1; i < K; ++i)
            r[i] = t[i];
    }
}

// r = the sum of all rows: take_block(rows, x, y, lane) takes those of a lane and returns whether
// they were the last. r may be an operand.
template <int K, int Rows, class G, class TakeBlock>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE void
run_rows(const G &group, typename G::word *r, const typename G::word *m, typename G::limb m_inverse,
         const TakeBlock &take_block) {
    using pair = typename G::pair;
    constexpr int pairs = K / 2;
    MontgomeryRows<K, G> rows{group, m, m_inverse, pair(0)};
    pair x[pairs + 1];
    pair y[pairs + 1];
    WARPINT_UNROLL(pairs + 1, pairs + 1)
    for (int i = 0; i <= pairs; ++i) {
        x[i] = pair(0);
        y[i] = pair(0);
    }
    WARPINT_UNROLL(2, 1)
    for (int lane = 0; !take_block(rows, x, y, lane); ++lane) {
    }
    finish<K, Rows != 0>(rows, r, x, y);
}

// For assertions, of fewer rows than the lanes': whether x < R / 2^bits, 0 < bits < limb width, and
// whether a number is in the range that products modulo m need no subtraction for. (With one after
// each, a < R and b < m will do, and any m.)
template <int K, int Rows, class G>
WARPINT_HOST_DEVICE bool is_below_part_of_r(const G &group, const typename G::word *x, int bits) {
    using word = typename G::word;
    bool is = true;
    for (int i = 0; i < K; ++i) {
        const auto place = group.template place<K>(i);
        const word last = x[i] >> (warpint::limb::limb_bits<typename G::limb> - bits);
        is = is && holds((place < Rows) | (x[i] == word(0))) &&
             holds((place != Rows - 1) | (last == word(0)));
    }
    return is;
}
template <int K, int Rows, class G>
WARPINT_HOST_DEVICE bool is_in_range(const G &group, const typename G::word *x,
                                     const typename G::word *m) {
    return Rows == 0 ||
           (is_below_part_of_r<K, Rows>(group, m, 2) && is_below_part_of_r<K, Rows>(group, x, 1));
}

} // namespace detail

// r = a b / R mod m; m odd, m_inverse = -m^-1 mod B, Rows as short_rows; a, b and r in the ranges
// above. The limbs of b come from a LimbsOfLanes or the like. r may be a.
template <int K, int Rows = 0, class G, class Limbs>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE void
montgomery_multiply(const G &group, typename G::word *r, const typename G::word *a, const Limbs &b,
                    const typename G::word *m, typename G::limb m_inverse) {
    using Count = detail::RowCount<K, Rows, G>;
    detail::run_rows<K, Rows>(group, r, m, m_inverse,
                              [&](auto &rows, auto *x, auto *y, int lane) WARPINT_INLINE_LAMBDA {
                                  return rows.template multiply_rows<Count>(x, y, a, b, lane);
                              });
}

// The same, out of line, for what is not in an inner loop.
template <int K, int Rows, class G>
WARPINT_HOST_DEVICE WARPINT_DEVICE_NOINLINE Words<K, G>
montgomery_multiply_outlined(G group, Words<K, G> a, Words<K, G> b, Words<K, G> m,
                             typename G::limb m_inverse) {
    montgomery_multiply<K, Rows>(group, a.words, a.words, LimbsOfLanes<K, G>{group, b.words},
                                 m.words, m_inverse);
    return a;
}
template <int K, int Rows = 0, class G>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE void
montgomery_multiply_outlined(const G &group, typename G::word *r, const typename G::word *a,
                             const typename G::word *b, const typename G::word *m,
                             typename G::limb m_inverse) {
    Words<K, G> x;
    Words<K, G> y;
    Words<K, G> z;
    copy<K>(x.words, a);
    copy<K>(y.words, b);
    copy<K>(z.words, m);
    const Words<K, G> product = montgomery_multiply_outlined<K, Rows>(group, x, y, z, m_inverse);
    copy<K>(r, product.words);
}

// r = a^2 / R mod m likewise: the products of a square once each, in (K + 1) / 2 products a row
// and lane instead of K. r may be a.
template <int K, int Rows = 0, class G>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE void
montgomery_square(const G &group, typename G::word *r, const typename G::word *a,
                  const typename G::word *m, typename G::limb m_inverse) {
    using limb = typename G::limb;
    using word = typename G::word;
    // A limb of all ones (once in 10^7 squares) could overflow in add_square.
    auto ones = a[0] == word(static_cast<limb>(detail::all_ones));
    WARPINT_UNROLL(K, K)
    for (int i = 1; i < K; ++i)
        ones = ones | (a[i] == word(static_cast<limb>(detail::all_ones)));
    if (group.vote(ones)) {
        montgomery_multiply_outlined<K, Rows>(group, r, a, a, m, m_inverse);
        return;
    }
    using Count = detail::RowCount<K, Rows, G>;
    detail::run_rows<K, Rows>(
        group, r, m, m_inverse, [&](auto &rows, auto *x, auto *y, int lane) WARPINT_INLINE_LAMBDA {
            return rows.template square_rows<Count, 0>(x, y, a, limb{0}, lane);
        });
}

// -m^-1 mod B, m odd.
template <class G>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE typename G::limb
montgomery_inverse(const G &group, const typename G::word *m) {
    return warpint::limb::negative_inverse(group.broadcast(m[0], 0));
}

} // namespace warpint::lanes
