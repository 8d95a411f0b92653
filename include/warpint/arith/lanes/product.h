// SPDX-License-Identifier: Apache-2.0
// Products over lanes. A row adds one limb of b times a to the sums of the lanes and drops the
// lowest limb of the number, which is one of the product; carries between lanes wait for the end,
// as in montgomery.h. The low and the high half of a product have a schedule of their own, with
// little more than half the products of limbs (detail::LowProduct). Constant time but for
// multiply_high().
#pragma once

#include "../../limb/local_arrays.h"
#include "montgomery.h"
#include "move.h"

namespace warpint::lanes {

namespace detail {

template <int K, class G>
struct ProductRows {
    static_assert(K >= 2 && K % 2 == 0, "pairs of limbs");
    using limb = typename G::limb;
    using word = typename G::word;
    using pair = typename G::pair;
    static constexpr int pairs = K / 2;

    // Between rows as in MontgomeryRows: x's pair i at places 2 i, 2 i + 1, its lowest limb leaves
    // next; y's at 2 i + 1, 2 i + 2; fresh at K, K + 1.
    const G &group;
    pair fresh;

    // Drops the limb, then adds a b; returns each lane's limb that leaves next: in lane 0 it is one
    // of the product's. enter(limb): what comes in at the top for it. x and y change roles.
    template <class Enter>
    WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE word add(pair *x, pair *y, const word *a,
                                                       const word &b, const Enter &enter) {
        typename G::chain chain;
        x[pairs] = fresh;
        multiply_add_pairs<K, G>(chain, y, a, b);
        x[pairs] = chain.end_in_high(x[pairs]);
        y[0] = chain.add_to_low(y[0], high_half(x[0]));
        const word lowest = low_half(y[0]);
        WARPINT_UNROLL(pairs, pairs)
        for (int i = 1; i <= pairs; ++i)
            x[i - 1] = chain.multiply_add_next(a[2 * i - 1], b, x[i]);
        // So ptxas adds this carry and the next row's to it in one instruction.
        fresh = chain.end_in_high(join_halves(enter(lowest), word(0)));
        return lowest;
    }
    // Of a number over the lanes: the limb that the lane above drops.
    WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE word add(pair *x, pair *y, const word *a, limb b) {
        return add(x, y, a, word(b), [&](const word &lowest) WARPINT_INLINE_LAMBDA {
            return G::select(group.last(), word(0), group.from_above(lowest));
        });
    }
};

} // namespace detail

// The limbs of a number of NB limbs in KB words a lane that are multiplied by: those of all lanes
// that hold some.
template <int KB, int NB>
inline constexpr int factor_lanes = (NB + KB - 1) / KB;
// The limbs that a product by NB limbs leaves one by one: in pairs.
template <int NB>
inline constexpr int product_rows = (NB + 1) / 2 * 2;

// high B^product_rows<NB> + low = a b, for a of KA words, b of NB limbs in KB words, which come
// from a LimbsOfLanes or the like. High may be null if only the low half is wanted. Unrolled: lanes
// whose rows follow one another in the code.
template <int KA, int KB, int NB, int Unrolled = 1, class G, class Limbs>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE void
multiply_split(const G &group, typename G::word *low, typename G::word *high,
               const typename G::word *a, const Limbs &b) {
    using word = typename G::word;
    using pair = typename G::pair;
    constexpr int pairs = KA / 2;
    detail::ProductRows<KA, G> rows{group, pair(0)};
    pair x[pairs + 1];
    pair y[pairs + 1];
    WARPINT_UNROLL(pairs + 1, pairs + 1)
    for (int i = 0; i <= pairs; ++i) {
        x[i] = pair(0);
        y[i] = pair(0);
    }
    fill<KB>(low, word(0));
    const auto rank = group.template place<1>(0);
    WARPINT_UNROLL(Unrolled, Unrolled)
    for (int lane = 0; lane < factor_lanes<KB, NB>; ++lane) {
        const auto here = rank == lane;
        WARPINT_UNROLL(KB, KB)
        for (int i = 0; i < KB; i += 2) {
            if (detail::RowCount<KB, product_rows<NB>, G>::end_at(lane, i))
                break;
            const word even = rows.add(x, y, a, b(lane, i));
            low[i] = G::select(here, word(group.broadcast(even, 0)), low[i]);
            const word odd = rows.add(y, x, a, b(lane, i + 1));
            low[i + 1] = G::select(here, word(group.broadcast(odd, 0)), low[i + 1]);
        }
    }
    if (high != nullptr) {
        typename G::chain chain;
        detail::join_rows<KA, G>(chain, high, x, y, rows.fresh);
        const word over = chain.end(high_half(rows.fresh));
        detail::add_to_lanes<KA, G>(chain, high, high,
                                    G::select(group.first(), word(0), group.from_below(over)));
        detail::settle_sum<KA>(group, high, chain.end(word(0)));
    }
}

namespace detail {

// Each lane's own sum of products of two blocks of H limbs, low + high B^H, high of H + 1 limbs.
template <int H, class G>
struct BlockSum {
    using word = typename G::word;
    using pair = typename G::pair;
    static constexpr int odd = H % 2;
    static constexpr int even_limbs = H + odd; // of a, the last one 0 if H is odd
    word low[H];
    word high[H + 1];

    // += a b, limb(i): limb i of b. The rows slide over the sum: at row i low[i] leaves them,
    // exactly, and a limb of high enters.
    template <class Limb>
    WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE void add_product(const G &group, const word *a,
                                                               const Limb &limb) {
        constexpr int pairs = even_limbs / 2;
        ProductRows<even_limbs, G> rows{group, pair(0)};
        pair x[pairs + 1];
        pair y[pairs + 1];
        WARPINT_UNROLL(pairs, pairs)
        for (int i = 0; i < pairs; ++i) {
            x[i] = pair(0);
            y[i] = join_halves(low[2 * i],
                               2 * i + 1 < H ? low[2 * i + 1 < H ? 2 * i + 1 : 0] : high[0]);
        }
        WARPINT_UNROLL(H, H)
        for (int i = 0; i < H; ++i) {
            low[i] = rows.add(i % 2 == 0 ? x : y, i % 2 == 0 ? y : x, a, limb(i),
                              [&](const word &) WARPINT_INLINE_LAMBDA { return high[i + odd]; });
        }
        typename G::chain chain;
        join_rows<even_limbs, G>(chain, high, odd ? y : x, odd ? x : y, rows.fresh);
        if constexpr (odd == 0) {
            const word before = high[H];
            high[H] = before + chain.end(high_half(rows.fresh));
            WARPINT_ASSERT_ON_HOST(holds(high[H] >= before));
        }
    }
    // -= b, b <= the sum.
    WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE void subtract(const BlockSum &b) {
        typename G::chain chain;
        low[0] = chain.subtract(low[0], b.low[0]);
        WARPINT_UNROLL(H, H)
        for (int i = 1; i < H; ++i)
            low[i] = chain.subtract_next(low[i], b.low[i]);
        WARPINT_UNROLL(H + 1, H + 1)
        for (int i = 0; i <= H; ++i)
            high[i] = chain.subtract_next(high[i], b.high[i]);
    }
};

// Products modulo B^(K L), in the schedule that gives all lanes the same work. A number is 2 L
// blocks of K / 2 limbs; block k of the product is the sum of the products A_i B_j of blocks with
// i + j = k, and what is carried from the blocks below. Lane l sums those of block l, l + 1
// products, and of block 2 L - 1 - l, 2 L - l: 2 L + 1 in each lane, a quarter of K^2 products of
// limbs each, where exact products take L K^2. Factors lie over the lanes in halves: `lower` has
// block l in lane l, `upper` block 2 L - 1 - l. At a step, one lane s has its turn:
//
//   s = -1 ... L - 1   lanes above s sum B_(l - s - 1) A_(s + 1) for block l,
//                      the others B_(s - l) A_(2 L - 1 - s)
//   s = 0 ... L - 1    lanes above s sum A_(L + s - l) B_(L - 1 - s),
//                      the others A_(s - l) B_(2 L - 1 - s)
//
// The first factor comes whole from the lower half of some lane. Of the second each row needs one
// limb: lane s offers its upper half and the others the lower one, so that one shuffle serves both.
// K limbs are moved for K^2 / 4 products.
template <int K, class G>
struct LowProduct {
    static_assert(K % 2 == 0, "halves");
    static constexpr int H = K / 2;
    static constexpr int lanes = G::lanes;
    using word = typename G::word;
    using integer = typename G::integer;
    using Sum = BlockSum<H, G>;

    const G &group;
    integer rank;

    // -1 in the lanes where x < 0, else 0.
    WARPINT_HOST_DEVICE static WARPINT_DEVICE_INLINE integer sign(const integer &x) {
        return x >> 31;
    }
    // The lane that holds block k, in either half.
    WARPINT_HOST_DEVICE static WARPINT_DEVICE_INLINE integer lane_of(const integer &k) {
        return k ^ sign(integer(lanes - 1) - k);
    }
    WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE void split(word *lower, word *upper,
                                                         const word *a) const {
        const integer odd = rank % 2;
        const integer half = rank / 2;
        const auto is_odd = odd == integer(1);
        WARPINT_UNROLL(H, H)
        for (int i = 0; i < H; ++i) { // of blocks of even, of odd numbers
            lower[i] = group.gather(a[i], half ^ (integer(0) - odd));
            upper[i] = group.gather(a[H + i], half ^ (odd - integer(1)));
        }
        WARPINT_UNROLL(H, H)
        for (int i = 0; i < H; ++i) {
            const word even = lower[i];
            lower[i] = G::select(is_odd, upper[i], even);
            upper[i] = G::select(is_odd, even, upper[i]);
        }
    }
    // sum += the step's product: a block of `whole` from a lane each, one of the halves of the
    // other factor.
    WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE void add_step(Sum &sum, const word *whole,
                                                            const integer &whole_from,
                                                            const word *lower, const word *upper,
                                                            const integer &rows_from, int s) const {
        const auto turn = rank == integer(s);
        word a[H + 1];
        word offered[H];
        WARPINT_UNROLL(H, H)
        for (int i = 0; i < H; ++i)
            a[i] = group.gather(whole[i], whole_from);
        a[H] = word(0);
        select<H>(group, offered, turn, upper, lower);
        sum.add_product(group, a, [&](int i) WARPINT_INLINE_LAMBDA {
            return group.gather(offered[i], rows_from);
        });
    }
    // r = this lane's N words for block k, even or odd in all lanes, of sums that lane l has as
    // `own` for block l and as `other` for 2 L - 1 - l. Any value if k < 0 or k >= 2 L.
    template <int N>
    WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE void send(word *r, bool is_odd, const word *own,
                                                        const word *other, const integer &k) const {
        select<N>(group, r, rank % 2 == integer(is_odd ? 1 : 0), own, other);
        const integer from = lane_of(k);
        WARPINT_UNROLL(N, N)
        for (int i = 0; i < N; ++i) // in a loop of its own: gather_all() says why
            r[i] = group.gather(r[i], from);
    }
    // r = the number whose block k is the sum of a low half, of block k + Offset, and what is
    // carried from the two below. Lane l has the sums of block l in `own`, of 2 L - 1 - l in
    // `other`. entering: what is carried into lane 0 from where no sum is.
    template <int Offset>
    WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE void join(word *r, const Sum &own, const Sum &other,
                                                        const word &entering) const {
        constexpr bool odd = Offset % 2 != 0;
        const integer here = rank + rank + integer(Offset); // this lane's: here, here + 1
        const integer above = here + integer(1);
        const integer below = here - integer(1);
        word high[K]; // those of the blocks below
        word over_low[1];
        word over_high[1];
        send<H>(r, odd, own.low, other.low, here);
        send<H>(r + H, !odd, own.low, other.low, above);
        send<H>(high, !odd, own.high, other.high, below);
        send<H>(high + H, odd, own.high, other.high, here);
        send<1>(over_low, odd, own.high + H, other.high + H, below - integer(1));
        send<1>(over_high, !odd, own.high + H, other.high + H, below);
        // Blocks below 0 and from 2 L on are none.
        const word not_first = word(0) - G::to_word(!group.first());
        const word not_last = word(0) - G::to_word(!group.last());
        WARPINT_UNROLL(H, H)
        for (int i = 0; i < H; ++i) {
            if constexpr (Offset == 0) {
                high[i] = high[i] & not_first;
            } else {
                r[H + i] = r[H + i] & not_last;
            }
        }
        typename G::chain chain;
        r[0] = chain.add(r[0], high[0]);
        WARPINT_UNROLL(K, K)
        for (int i = 1; i < K; ++i)
            r[i] = chain.add_next(r[i], high[i]);
        const word carried = group.from_below(chain.end(word(0)));
        if constexpr (Offset == 0)
            over_high[0] = over_high[0] & not_first;
        r[0] = chain.add(r[0], ((over_low[0] + carried) & not_first) | (entering & ~not_first));
        WARPINT_UNROLL(K, K)
        for (int i = 1; i < K; ++i)
            r[i] = chain.add_next(r[i], i == H ? over_high[0] : word(0));
        settle_sum<K>(group, r, chain.end(word(0)));
    }

    // own, other: this lane's sums of block l and of block 2 L - 1 - l.
    WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE void
    sum_blocks(Sum &own, Sum &other, const word *a_lower, const word *a_upper, const word *b_lower,
               const word *b_upper) const {
        Sum &sum = other;
        fill<H>(sum.low, word(0));
        fill<H + 1>(sum.high, word(0));
        own = sum; // what the sum was when the lane had its turn
        WARPINT_UNROLL(2, 2)
        for (int s = -1; s < lanes; ++s) {
            const auto turn = rank == integer(s);
            select<H>(group, own.low, turn, sum.low, own.low);
            select<H + 1>(group, own.high, turn, sum.high, own.high);
            const integer distance = integer(s) - rank;
            const integer above = sign(distance);
            add_step(sum, b_lower, distance ^ above, a_lower, a_upper, integer(s) - above, s);
        }
        WARPINT_UNROLL(2, 2)
        for (int s = 0; s < lanes; ++s) {
            const integer distance = integer(s) - rank;
            const integer mirrored = sign(distance) & integer(lanes - 1 - 2 * s);
            add_step(sum, a_lower, distance, b_lower, b_upper, integer(s) + mirrored, s);
        }
        sum.subtract(own);
    }

    // r = a b modulo B^(K L).
    WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE void run(word *r, const word *a,
                                                       const word *b) const {
        word a_lower[H];
        word a_upper[H];
        word b_lower[H];
        word b_upper[H];
        split(a_lower, a_upper, a);
        split(b_lower, b_upper, b);
        Sum own;
        Sum other;
        sum_blocks(own, other, a_lower, a_upper, b_lower, b_upper);
        join<0>(r, own, other, word(0));
    }

    // r = floor(a b / B^(K L)): the same with the blocks from the top, A_i B_j of i + j >= 2 L - 1.
    // That leaves out what is carried into block 2 L - 1. Of it the products of the two top limbs
    // of blocks with i + j = 2 L - 2 are summed, which tells the two top limbs of block 2 L - 1 but
    // for `unknown`: all other products together are less. Where it could be carried on into the
    // result (less than once in 2^50 products of random numbers) the top limb of the low product
    // says whether it is: top_of_low() is that in all lanes.
    template <class TopOfLow>
    WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE void run_high(word *r, const word *a, const word *b,
                                                            const TopOfLow &top_of_low) const {
        using limb = typename G::limb;
        word a_lower[H];
        word a_upper[H];
        word b_lower[H];
        word b_upper[H];
        split(a_lower, a_upper, a);
        split(b_lower, b_upper, b);
        Sum own; // of block 4 L - 2 - l
        Sum other;
        sum_blocks(own, other, a_upper, a_lower, b_upper, b_lower);

        // Of each product of blocks five of its limbs below are less than one at the lower of the
        // two; so are the rest of block 2 L - 1, and all blocks further down, together.
        constexpr unsigned unknown = 12 * lanes;
        static_assert(unknown <= static_cast<limb>(all_ones) && H >= 4);
        word guard[3];
        fill<3>(guard, word(0));
        word above[2];
        word below[2];
        WARPINT_UNROLL(2, 2)
        for (int i = 0; i < 2; ++i) {
            above[i] = group.from_above(b_upper[H - 2 + i]);
            below[i] = group.from_below(b_lower[H - 2 + i]);
        }
        select<2>(group, above, group.last(), b_lower + H - 2, above);
        const word not_first = word(0) - G::to_word(!group.first());
        add_top_products(guard, a_lower[H - 2], a_lower[H - 1], above);
        add_top_products(guard, a_upper[H - 2] & not_first, a_upper[H - 1] & not_first, below);
        typename G::chain chain;
        for (int step = 1; step < lanes; step *= 2) {
            word more[3];
            WARPINT_UNROLL(3, 3)
            for (int i = 0; i < 3; ++i)
                more[i] = group.gather(guard[i], rank ^ integer(step));
            guard[0] = chain.add(guard[0], more[0]);
            guard[1] = chain.add_next(guard[1], more[1]);
            guard[2] = chain.add_next(guard[2], more[2]);
        }
        const word low = word(group.broadcast(other.low[H - 2], 0));
        const word high = word(group.broadcast(other.low[H - 1], 0));
        guard[0] = chain.add(guard[0], low);
        guard[1] = chain.add_next(guard[1], high);
        guard[2] = chain.end(guard[2]);
        const word slack = word(static_cast<limb>(unknown));
        const auto open =
            (guard[1] == word(static_cast<limb>(all_ones))) & ((guard[0] + slack) < slack);
        if (group.vote(open)) {
            const auto carries = open & (word(top_of_low()) == word(0));
            guard[2] = guard[2] + G::to_word(carries);
        }
        join<1>(r, other, own, guard[2]);
    }
    // guard += (a1 B + a0) (b[1] B + b[0]) / B^2 without the product of the lower ones, each of the
    // others rounded down.
    WARPINT_HOST_DEVICE static WARPINT_DEVICE_INLINE void
    add_top_products(word *guard, const word &a0, const word &a1, const word *b) {
        using pair = typename G::pair;
        typename G::chain chain;
        const pair top = chain.multiply_add(a1, b[1], pair(0));
        const word upper = high_half(chain.multiply_add(a1, b[0], pair(0)));
        const word lower = high_half(chain.multiply_add(a0, b[1], pair(0)));
        const word middle[2] = {upper, lower};
        guard[0] = chain.add(guard[0], low_half(top));
        guard[1] = chain.add_next(guard[1], high_half(top));
        guard[2] = chain.end(guard[2]);
        WARPINT_UNROLL(2, 2)
        for (int i = 0; i < 2; ++i) {
            guard[0] = chain.add(guard[0], middle[i]);
            guard[1] = chain.add_next(guard[1], word(0));
            guard[2] = chain.end(guard[2]);
        }
    }
};

// Whether a low product has that schedule: factors and result of K words a lane, factors whose
// limbs reach the last lane.
template <int KR, int KA, int KB, int NB, int Lanes>
inline constexpr bool has_low_schedule =
    KR == KA && KR == KB && KR >= 8 && Lanes > 1 && factor_lanes<KB, NB> == Lanes;

} // namespace detail

// r = a b modulo B^(KR L), for b of at most NB limbs. r must not alias an operand.
template <int KR, int KA, int KB, int NB, class G>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE void multiply(const G &group, typename G::word *r,
                                                        const typename G::word *a,
                                                        const typename G::word *b) {
    using word = typename G::word;
    word low[KB];
    const LimbsOfLanes<KB, G> limbs{group, b};
    constexpr int low_limbs = product_rows<NB>;
    constexpr int in_lanes = KB * factor_lanes<KB, NB>;
    if constexpr (detail::has_low_schedule<KR, KA, KB, NB, G::lanes>) {
        detail::LowProduct<KR, G>{group, group.template place<1>(0)}.run(r, a, b);
    } else if constexpr (KR * G::lanes <= in_lanes) {
        multiply_split<KA, KB, in_lanes>(group, low, static_cast<word *>(nullptr), a, limbs);
        resize<KR, KB>(group, r, low);
    } else {
        word high[KA];
        multiply_split<KA, KB, NB>(group, low, high, a, limbs);
        word moved[KR];
        relayout<KR, KB, 0>(group, r, low);
        relayout<KR, KA, low_limbs>(group, moved, high);
        WARPINT_UNROLL(KR, KR)
        for (int i = 0; i < KR; ++i)
            r[i] = r[i] | moved[i];
    }
}

// The same out of line, for texts that take little of their time here. Its low limbs stay in
// registers: with them in memory, written in a loop over rows, nvcc 13.0 puts the shuffles of
// relayout() into both arms of a branch that lanes take differently, and ptxas drops those whose
// values an arm does not read.
template <int KR, int KA, int KB, int NB, class G>
WARPINT_HOST_DEVICE WARPINT_DEVICE_NOINLINE Words<KR, G> multiply_outlined(G group, Words<KA, G> a,
                                                                           Words<KB, G> b) {
    warpint::limb::keep_arrays_apart();
    Words<KR, G> r;
    multiply<KR, KA, KB, NB>(group, r.words, a.words, b.words);
    return r;
}

// Whether multiply_high() exists for K words a lane.
template <int K, class G>
inline constexpr bool has_high_product =
    detail::has_low_schedule<K, K, K, K * G::lanes, G::lanes> &&
    12 * G::lanes <= static_cast<typename G::limb>(detail::all_ones);

// r = floor(a b / B^(K L)), exact, in little more than the time of a low product. Variable time, in
// one of 2^50 cases. r must not alias an operand.
template <int K, class G>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE void multiply_high(const G &group, typename G::word *r,
                                                             const typename G::word *a,
                                                             const typename G::word *b) {
    static_assert(has_high_product<K, G>);
    detail::LowProduct<K, G>{group, group.template place<1>(0)}.run_high(
        r, a, b, [&]() WARPINT_INLINE_LAMBDA {
            Words<K, G> x;
            Words<K, G> y;
            copy<K>(x.words, a);
            copy<K>(y.words, b);
            const auto low = multiply_outlined<K, K, K, K * G::lanes>(group, x, y);
            return group.broadcast(low.words[K - 1], G::lanes - 1);
        });
}

// Writes the 2 N limbs of a b to memory as they come: the lower half from all lanes, then the
// upper one, without the moves to the words of a lane that such a number has (1.65 G products of
// 2048 bits a second on an H200, with them 1.55 G). N limbs each, N even; memory as for store().
template <int K, int N, class G>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE void
multiply_and_store(const G &group, typename G::limb *memory, const typename G::word *a,
                   const typename G::word *b) {
    static_assert(N % 2 == 0);
    using word = typename G::word;
    word low[K];
    word high[K];
    // Without the moves of limbs between registers at a loop's end: 1.72 G products of 2048 bits,
    // 446 M of 4096 bits a second on an H200 in kernels of their own, 1.68 G and 433 M in loops.
    constexpr int factors = factor_lanes<K, N>;
    multiply_split<K, K, N, (factors <= 8 ? factors : 4)>(group, low, high, a,
                                                          LimbsOfLanes<K, G>{group, b});
    store<K, N>(group, memory, low);
    store<K, N>(group, memory + N, high);
}

} // namespace warpint::lanes
