// SPDX-License-Identifier: Apache-2.0
// Numbers over lanes, the functions of linear time: loading and storing, sums, differences,
// comparisons, shifts. A number is K words, limbs l K ... l K + K - 1 in lane l. Carries run inside
// a lane along its chain and between lanes by two ballots and one addition (resolve_carries).
// Constant time but for shift counts.
#pragma once

#include "group.h"
#include "tuning.h"

namespace warpint::lanes {

// A number as a value, for functions that are out of line.
template <int K, class G>
struct Words {
    typename G::word words[K];
};

template <int K, class Word>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE void copy(Word *r, const Word *a) {
    WARPINT_UNROLL(K, K)
    for (int i = 0; i < K; ++i)
        r[i] = a[i];
}
template <int K, class Word>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE void fill(Word *r, const Word &value) {
    WARPINT_UNROLL(K, K)
    for (int i = 0; i < K; ++i)
        r[i] = value;
}
// r = value, in [0, B).
template <int K, class G>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE void set_limb(const G &group, typename G::word *r,
                                                        typename G::limb value) {
    using word = typename G::word;
    r[0] = G::select(group.first(), word(value), word(0));
    WARPINT_UNROLL(K, K)
    for (int i = 1; i < K; ++i)
        r[i] = word(0);
}
// r = condition ? a : b; the condition is per number or per lane.
template <int K, class G, class Flag>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE void
select(const G &, typename G::word *r, const Flag &condition, const typename G::word *a,
       const typename G::word *b) {
    WARPINT_UNROLL(K, K)
    for (int i = 0; i < K; ++i)
        r[i] = G::select(condition, a[i], b[i]);
}

// The N limbs in memory, on a GPU at an address that is a multiple of 16 bytes if N is one of 4, of
// 8 if it is one of 2; `extension` above them.
template <int K, int N, class G>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE void load(const G &group, typename G::word *r,
                                                    const typename G::limb *memory,
                                                    typename G::limb extension = 0) {
    if (group.template load_vectors<K, N>(r, memory, extension))
        return;
    WARPINT_UNROLL(K, K)
    for (int i = 0; i < K; ++i)
        r[i] = group.template load_limb<K>(memory, N, i, extension);
}

// The address is as for load().
template <int K, int N, class G>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE void store(const G &group, typename G::limb *memory,
                                                     const typename G::word *a) {
    if (group.template store_vectors<K, N>(memory, a))
        return;
    WARPINT_UNROLL(K, K)
    for (int i = 0; i < K; ++i)
        group.template store_limb<K>(memory, N, i, a[i]);
}

// True in the lanes all of whose limbs are `value`.
template <int K, class G>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE typename G::flag
each_is(const G &, const typename G::word *a, typename G::limb value) {
    using word = typename G::word;
    word difference = a[0] ^ word(value);
    WARPINT_UNROLL(K, K)
    for (int i = 1; i < K; ++i)
        difference = difference | (a[i] ^ word(value));
    return difference == word(0);
}
template <int K, class G>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE bool is_zero(const G &group, const typename G::word *a) {
    return group.all(each_is<K>(group, a, 0));
}
template <int K, class G>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE bool equal(const G &group, const typename G::word *a,
                                                     const typename G::word *b) {
    using word = typename G::word;
    word difference = a[0] ^ b[0];
    WARPINT_UNROLL(K, K)
    for (int i = 1; i < K; ++i)
        difference = difference | (a[i] ^ b[i]);
    return group.all(difference == word(0));
}

namespace detail {

inline constexpr unsigned all_ones = ~0u;

// r = a + b in every lane, b at its place 0; leaves the carry in the chain.
template <int K, class G>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE void
add_to_lanes(typename G::chain &chain, typename G::word *r, const typename G::word *a,
             const typename G::word &b) {
    using word = typename G::word;
    r[0] = chain.add(a[0], b);
    WARPINT_UNROLL(K, K)
    for (int i = 1; i < K; ++i)
        r[i] = chain.add_next(a[i], word(0));
}
// r -= b likewise.
template <int K, class G>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE void
subtract_from_lanes(typename G::chain &chain, typename G::word *r, const typename G::word &b) {
    using word = typename G::word;
    r[0] = chain.subtract(r[0], b);
    WARPINT_UNROLL(K, K)
    for (int i = 1; i < K; ++i)
        r[i] = chain.subtract_next(r[i], word(0));
}

// r = even + odd B in every lane, but for the uppermost limb, that of odd[K / 2 - 1]: leaves the
// carry to it in the chain.
template <int K, class G>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE void
join_pairs(typename G::chain &chain, typename G::word *r, const typename G::pair *even,
           const typename G::pair *odd) {
    r[0] = low_half(even[0]);
    r[1] = chain.add(high_half(even[0]), low_half(odd[0]));
    WARPINT_UNROLL(K, K)
    for (int i = 2; i < K; ++i) {
        r[i] = i % 2 == 0 ? chain.add_next(low_half(even[i / 2]), high_half(odd[i / 2 - 1]))
                          : chain.add_next(high_half(even[i / 2]), low_half(odd[i / 2]));
    }
}
// The K / 2 pairs s += b times a[0], a[2], ...; leaves the carry in the chain.
template <int K, class G>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE void
multiply_add_pairs(typename G::chain &chain, typename G::pair *s, const typename G::word *a,
                   const typename G::word &b) {
    constexpr int pairs = K / 2;
    s[0] = chain.multiply_add(a[0], b, s[0]);
    WARPINT_UNROLL(pairs, pairs)
    for (int i = 1; i < pairs; ++i)
        s[i] = chain.multiply_add_next(a[2 * i], b, s[i]);
}

// Settles a sum of which each lane carried out `carry` (0 or 1); returns what leaves the number.
template <int K, class G>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE bool settle_sum(const G &group, typename G::word *r,
                                                          const typename G::word &carry) {
    using word = typename G::word;
    bool out = false;
    const auto generates = carry != word(0);
    const auto ones = each_is<K>(group, r, static_cast<typename G::limb>(all_ones));
    typename G::chain chain;
    add_to_lanes<K, G>(chain, r, r, resolve_carries(group, generates, ones & (!generates), out));
    return out;
}
// Likewise for a difference.
template <int K, class G>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE bool
settle_difference(const G &group, typename G::word *r, const typename G::word &borrow) {
    using word = typename G::word;
    bool out = false;
    const auto generates = borrow != word(0);
    const auto zeros = each_is<K>(group, r, 0);
    typename G::chain chain;
    subtract_from_lanes<K, G>(chain, r,
                              resolve_carries(group, generates, zeros & (!generates), out));
    return out;
}

} // namespace detail

// r = a + b + carry; returns the carry out. r may be a or b.
template <int K, class G>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE bool add(const G &group, typename G::word *r,
                                                   const typename G::word *a,
                                                   const typename G::word *b, bool carry = false) {
    using word = typename G::word;
    typename G::chain chain;
    r[0] = chain.add(a[0], b[0]);
    WARPINT_UNROLL(K, K)
    for (int i = 1; i < K; ++i)
        r[i] = chain.add_next(a[i], b[i]);
    word out = chain.end(word(0));
    if (carry) { // into lane 0, a known number of instructions
        detail::add_to_lanes<K, G>(chain, r, r, G::to_word(group.first()));
        out = chain.end(out);
    }
    return detail::settle_sum<K>(group, r, out);
}

// r = a - b - borrow; returns the borrow out. r may be a or b.
template <int K, class G>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE bool
subtract(const G &group, typename G::word *r, const typename G::word *a, const typename G::word *b,
         bool borrow = false) {
    using word = typename G::word;
    typename G::chain chain;
    r[0] = chain.subtract(a[0], b[0]);
    WARPINT_UNROLL(K, K)
    for (int i = 1; i < K; ++i)
        r[i] = chain.subtract_next(a[i], b[i]);
    word out = word(0) - chain.subtract_end(word(0));
    if (borrow) {
        detail::subtract_from_lanes<K, G>(chain, r, G::to_word(group.first()));
        out = out - chain.subtract_end(word(0));
    }
    return detail::settle_difference<K>(group, r, out);
}

// a < b. Costs a difference without its last step.
template <int K, class G>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE bool less(const G &group, const typename G::word *a,
                                                    const typename G::word *b) {
    using word = typename G::word;
    typename G::chain chain;
    word difference = chain.subtract(a[0], b[0]);
    WARPINT_UNROLL(K, K)
    for (int i = 1; i < K; ++i)
        difference = difference | chain.subtract_next(a[i], b[i]);
    const auto generates = chain.subtract_end(word(0)) != word(0);
    bool out = false;
    resolve_carries(group, generates, (difference == word(0)) & (!generates), out);
    return out;
}

// a -= b where (over B^(K L) + a) >= b, over = 0 or 1; returns what is left of `over`. On input:
// the value is below 2 b or the caller wants one subtraction only.
template <int K, class G>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE bool subtract_if(const G &group, typename G::word *a,
                                                           bool over, const typename G::word *b) {
    typename G::word difference[K];
    const bool borrow = subtract<K>(group, difference, a, b);
    const bool take = over || !borrow;
    select<K>(group, a, take, difference, a);
    return over && (borrow != take);
}

// r = value, added at lane 0's limb 0; returns the carry out. r may be a.
template <int K, class G>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE bool
add_limb(const G &group, typename G::word *r, const typename G::word *a, typename G::limb value) {
    using word = typename G::word;
    typename G::chain chain;
    detail::add_to_lanes<K, G>(chain, r, a, G::select(group.first(), word(value), word(0)));
    return detail::settle_sum<K>(group, r, chain.end(word(0)));
}
// r = 0 - a where the condition holds, else a. r may be a.
template <int K, class G>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE void
negate_if(const G &group, typename G::word *r, bool condition, const typename G::word *a) {
    using limb = typename G::limb;
    using word = typename G::word;
    const limb mask = static_cast<limb>(condition ? detail::all_ones : 0u);
    WARPINT_UNROLL(K, K)
    for (int i = 0; i < K; ++i)
        r[i] = a[i] ^ word(mask);
    add_limb<K>(group, r, r, static_cast<limb>(condition ? 1 : 0));
}

// Number of bits without leading zeros.
template <int K, class G>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE int bit_width(const G &group, const typename G::word *a) {
    using limb = typename G::limb;
    using word = typename G::word;
    // Of each lane: its highest limb that is not 0, and how many limbs are below it.
    word top = a[0];
    word below = word(0);
    WARPINT_UNROLL(K, K)
    for (int i = 1; i < K; ++i) {
        const auto zero = a[i] == word(0);
        top = G::select(zero, top, a[i]);
        below = G::select(zero, below, word(static_cast<limb>(i)));
    }
    const std::uint32_t lanes = group.number_bits(group.ballot(top != word(0)));
    const int lane = lanes == 0 ? 0 : 31 - warpint::limb::countl_zero(lanes);
    const limb highest = group.broadcast(top, lane);
    constexpr int bits = warpint::limb::limb_bits<limb>;
    return bits * (lane * K + static_cast<int>(group.broadcast(below, lane))) + bits -
           warpint::limb::countl_zero(highest);
}
// Trailing zeros; all bits of the lanes for 0.
template <int K, class G>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE int countr_zero(const G &group,
                                                          const typename G::word *a) {
    using limb = typename G::limb;
    using word = typename G::word;
    word low = a[K - 1];
    word below = word(static_cast<limb>(K - 1));
    WARPINT_UNROLL(K, K)
    for (int i = K - 2; i >= 0; --i) {
        const auto zero = a[i] == word(0);
        low = G::select(zero, low, a[i]);
        below = G::select(zero, below, word(static_cast<limb>(i)));
    }
    constexpr int bits = warpint::limb::limb_bits<limb>;
    const std::uint32_t lanes = group.number_bits(group.ballot(low != word(0)));
    const int lane = lanes == 0 ? G::lanes - 1 : warpint::limb::countr_zero(lanes);
    const int zeros = bits * (lane * K + static_cast<int>(group.broadcast(below, lane))) +
                      warpint::limb::countr_zero(group.broadcast(low, lane));
    return lanes == 0 ? bits * K * G::lanes : zeros;
}

} // namespace warpint::lanes
