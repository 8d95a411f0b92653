// SPDX-License-Identifier: Apache-2.0
// Limbs moved between lanes: shifts by run-time counts, and the change from K words a lane to
// another number of words.
#pragma once

#include "linear.h"

namespace warpint::lanes {

namespace detail {

// Every word of lane `source`. In a loop of its own: nvcc 13.0 makes two loops, in the arms of a
// branch, of one in which lanes also select by a condition that stays the same. Lanes that differ
// in it would then not shuffle together, and ptxas drops the shuffles whose values an arm does not
// read (tests/tools/split_shuffles.py finds such code).
template <int K, class G, class Source>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE void gather_all(const G &group, typename G::word *t,
                                                          const Source &source) {
    WARPINT_UNROLL(K, K)
    for (int i = 0; i < K; ++i)
        t[i] = group.gather(t[i], source);
}

// Limb i of this lane's part of a B^places (Up) or of floor(a / B^places), 0 <= places < K; limbs
// that a has not are `fill`.
template <int K, bool Up, class G>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE typename G::word
moved_limb(const G &group, const typename G::word *a, int i, int places, typename G::limb fill) {
    using word = typename G::word;
    const int from = Up ? i - places : i + places;
    const word &moved = a[(from + K) % K];
    if (from >= 0 && from < K)
        return moved;
    return Up ? G::select(group.first(), word(fill), group.from_below(moved))
              : G::select(group.last(), word(fill), group.from_above(moved));
}

// t = t B^places (Up) or floor(t / B^places), limbs that t has not are `fill`. A step that no
// number needs is skipped.
template <int K, bool Up, class G>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE void move(const G &group, typename G::word *t, int places,
                                                    typename G::limb fill) {
    using word = typename G::word;
    const int in_lane = places % K;
    WARPINT_UNROLL(8, 8)
    for (int step = 1; step < K; step *= 2) {
        if (group.vote((in_lane & step) != 0)) {
            word moved[K];
            WARPINT_UNROLL(K, K)
            for (int i = 0; i < K; ++i)
                moved[i] = moved_limb<K, Up>(group, t, i, step, fill);
            select<K>(group, t, (in_lane & step) != 0, moved, t);
        }
    }
    const int lanes = places / K;
    if (group.vote(lanes != 0)) {
        const auto rank = group.template place<1>(0);
        const auto source = Up ? rank - lanes : rank + lanes;
        gather_all<K>(group, t, source);
        WARPINT_UNROLL(K, K)
        for (int i = 0; i < K; ++i)
            t[i] = G::select(Up ? rank >= lanes : source < G::lanes, t[i], word(fill));
    }
}

} // namespace detail

// r = a 2^count, lower bits 0, what leaves the lanes is dropped; count >= 0. r may be a.
template <int K, class G>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE void shift_left(const G &group, typename G::word *r,
                                                          const typename G::word *a, int count) {
    using word = typename G::word;
    constexpr int bits = warpint::limb::limb_bits<typename G::limb>;
    word t[K];
    copy<K>(t, a);
    const int places = count / bits;
    if (group.vote(places != 0))
        detail::move<K, true>(group, t, places, 0);
    word below = G::select(group.first(), word(0), group.from_below(t[K - 1]));
    WARPINT_UNROLL(K, K)
    for (int i = 0; i < K; ++i) {
        r[i] = funnel_left(t[i], below, count % bits);
        below = t[i];
    }
}

// r = floor(a / 2^count), upper bits those of `fill` (0 or all ones). r may be a.
template <int K, class G>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE void shift_right(const G &group, typename G::word *r,
                                                           const typename G::word *a, int count,
                                                           typename G::limb fill = 0) {
    using word = typename G::word;
    constexpr int bits = warpint::limb::limb_bits<typename G::limb>;
    word t[K];
    copy<K>(t, a);
    const int places = count / bits;
    if (group.vote(places != 0))
        detail::move<K, false>(group, t, places, fill);
    const word above = G::select(group.last(), word(fill), group.from_above(t[0]));
    WARPINT_UNROLL(K, K)
    for (int i = 0; i < K; ++i)
        r[i] = funnel_right(i + 1 < K ? t[i + 1 < K ? i + 1 : 0] : above, t[i], count % bits);
}

// r = a B^Offset, from KA words a lane to KR; what leaves the lanes is dropped. Lane l's word i is
// limb l KR + i - Offset of a; the lanes ask for one word of a each, and the words that different
// lanes ask for are sent one after another. r is not a.
template <int KR, int KA, int Offset, class G>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE void relayout(const G &group, typename G::word *r,
                                                        const typename G::word *a) {
    using word = typename G::word;
    if constexpr (KR == KA && Offset == 0) {
        copy<KR>(r, a);
    } else if constexpr (KR % KA == 0) { // all lanes ask for the same word
        WARPINT_UNROLL(KR, KR)
        for (int i = 0; i < KR; ++i) {
            const int from = i - Offset + Offset / KA * KA + KA; // > 0
            const auto source = group.template place<KR / KA>(0) + (from / KA - 1 - Offset / KA);
            const auto inside = (source >= 0) & (source < G::lanes);
            r[i] = G::select(inside, group.gather(a[from % KA], source), word(0));
        }
    } else if constexpr (G::lanes == 2) { // what either lane wants, known when this is compiled
        const auto limb_at = [&](int place, int own_lane) {
            if (place < 0 || place >= 2 * KA)
                return word(0);
            const word &held = a[place < 0 || place >= 2 * KA ? 0 : place % KA];
            return place / KA == own_lane ? held : word(group.broadcast(held, place / KA));
        };
        WARPINT_UNROLL(KR, KR)
        for (int i = 0; i < KR; ++i) {
            r[i] = G::select(group.first(), limb_at(i - Offset, 0), limb_at(KR + i - Offset, 1));
        }
    } else {
        constexpr int common = [] {
            int x = KR;
            int y = KA;
            while (y != 0) {
                const int rest = x % y;
                x = y;
                y = rest;
            }
            return x;
        }();
        constexpr int different = KA / common < G::lanes ? KA / common : G::lanes;
        constexpr int shift = (Offset / KA + 1) * KA; // makes the place positive
        WARPINT_UNROLL(KR, KR)
        for (int i = 0; i < KR; ++i) {
            const auto place = group.template place<KR>(i) + (shift - Offset);
            const auto source = place / KA - shift / KA;
            const auto inside = (source >= 0) & (source < G::lanes);
            const auto wanted = place % KA;
            r[i] = word(0);
            WARPINT_UNROLL(different, different)
            for (int j = 0; j < different; ++j) {
                const int sent = (i + shift - Offset + j * KR) % KA;
                r[i] = G::select(wanted == sent, group.gather(a[sent], source), r[i]);
            }
            // Not a part of the condition in the loop (gather_all).
            r[i] = G::select(inside, r[i], word(0));
        }
    }
}

// r = a, extended or cut; the common case of the above.
template <int KR, int KA, class G>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE void resize(const G &group, typename G::word *r,
                                                      const typename G::word *a) {
    relayout<KR, KA, 0>(group, r, a);
}

// Makes the bits from bit `count` >= 0 on those of `fill`, 0 or all ones; each number has its own.
template <int K, class G>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE void set_above(const G &group, typename G::word *r,
                                                         int count, typename G::limb fill) {
    using limb = typename G::limb;
    using word = typename G::word;
    constexpr int bits = warpint::limb::limb_bits<limb>;
    const int whole = count / bits;
    const word inside =
        word(static_cast<limb>(~(static_cast<limb>(detail::all_ones) << count % bits)));
    WARPINT_UNROLL(K, K)
    for (int i = 0; i < K; ++i) {
        const auto place = group.template place<K>(i);
        r[i] = G::select(
            place < whole, r[i],
            G::select(place == whole, (r[i] & inside) | (word(fill) & ~inside), word(fill)));
    }
}
template <int K, int Bits, class G>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE void set_above(const G &group, typename G::word *r,
                                                         typename G::limb fill) {
    if constexpr (Bits < K * G::lanes * warpint::limb::limb_bits<typename G::limb>)
        set_above<K>(group, r, Bits, fill);
}

// Bit `index` of the number, 0 <= index; 0 from the top of the lanes on.
template <int K, class G>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE bool bit_at(const G &group, const typename G::word *a,
                                                      int index) {
    using word = typename G::word;
    constexpr int bits = warpint::limb::limb_bits<typename G::limb>;
    word here = word(0);
    WARPINT_UNROLL(K, K)
    for (int i = 0; i < K; ++i)
        here = G::select(group.template place<K>(i) == index / bits, a[i], here);
    return group.any((here & word(static_cast<typename G::limb>(1u << index % bits))) != word(0));
}

} // namespace warpint::lanes
