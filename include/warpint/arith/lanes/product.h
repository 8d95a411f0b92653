// SPDX-License-Identifier: Apache-2.0
// Products over lanes. A row adds one limb of b times a to the sums of the lanes and drops the
// lowest limb of the number, which is one of the product; carries between lanes wait for the end,
// as in montgomery.h. Constant time.
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
    // of the product's. x and y change roles.
    WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE word add(pair *x, pair *y, const word *a, limb b) {
        typename G::chain chain;
        x[pairs] = fresh;
        multiply_add_pairs<K, G>(chain, y, a, word(b));
        x[pairs] = chain.end_in_high(x[pairs]);
        y[0] = chain.add_to_low(y[0], high_half(x[0]));
        const word lowest = low_half(y[0]);
        WARPINT_UNROLL(pairs, pairs)
        for (int i = 1; i <= pairs; ++i)
            x[i - 1] = chain.multiply_add_next(a[2 * i - 1], word(b), x[i]);
        const word top = chain.end(word(0));
        fresh = join_halves(G::select(group.last(), word(0), group.from_above(lowest)), top);
        return lowest;
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
    if constexpr (KR * G::lanes <= in_lanes) {
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
