// SPDX-License-Identifier: Apache-2.0
// The rows of a reduction by folding (fold.h), and the carries that they may lose.
#pragma once

#include "../division/quotient_digit.h"
#include "../product/schoolbook.h"

namespace warpint::arith::detail {

// Carries that were lost at the top of a fold, once in 2^34 rows for random operands: bit p stands
// for B^(p + N + 2). Bits for a dividend of L limbs.
template <int L, class Limb>
struct LostCarries {
    static constexpr int words = (L + limb::limb_bits<Limb> - 1) / limb::limb_bits<Limb>;
    Limb word[words]{};

    [[nodiscard]] WARPINT_HOST_DEVICE constexpr WARPINT_INLINE bool any() const {
        Limb all = word[0];
        if constexpr (words > 1) {
            WARPINT_UNROLL(words, words)
            for (int i = 1; i < words; ++i)
                all = static_cast<Limb>(all | word[i]);
        }
        return all != 0;
    }
    // Moves all bits up by one and ends a chain with its carry as the lowest bit; of `Words` words.
    template <int Words>
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void push(limb::Chain<Limb> &chain) {
        WARPINT_UNROLL(Words, Words)
        for (int i = 0; i + 1 < Words; ++i)
            word[i] = chain.add(word[i], word[i], false);
        word[Words - 1] = chain.end(word[Words - 1], word[Words - 1]);
    }
    [[nodiscard]] WARPINT_HOST_DEVICE constexpr WARPINT_INLINE Limb highest() const {
        return static_cast<Limb>(word[words - 1] >> (limb::limb_bits<Limb> - 1));
    }
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void shift() {
        limb::Chain<Limb> chain;
        chain.begin(Limb{0});
        push<words>(chain);
    }
};

// r = a << shift modulo B^N for a shift below the limb width. r may be a.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_DEVICE_INLINE void shift_short(Limb *r, const Limb *a,
                                                                     int shift) {
    WARPINT_UNROLL(N, register_limbs)
    for (int i = N - 1; i >= 0; --i)
        r[i] = funnel_left(a[i], i > 0 ? a[i - 1] : Limb{0}, shift);
}

// F = B^(N + 2) - K D in N limbs, congruent to B^(N + 2) modulo M; K grows by one where F does not
// fit otherwise. N >= 2; M has no leading zero limb.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_DEVICE_INLINE void
fold_constant(Limb *f, TopReciprocal<Limb> &r, const Limb *m) {
    static_assert(N >= 2);
    Limb d[N]{};
    shift_short<N>(d, m, r.shift);
    Limb even[N + 1]{}; // of K D modulo B^(N + 1)
    Limb odd[N + 1]{};
    WARPINT_UNROLL(N, register_limbs)
    for (int i = 0; i + 2 <= N; ++i)
        even[i + 2] = d[i];
    add_split_row<N, 0, N + 1, false>(even, odd, d, r.k0);
    add_split_row<N, 1, N + 1, false>(even, odd, d, r.k1);
    limb::add<N>(even + 1, even + 1, odd + 1);
    Limb wide[N + 1]{};
    negate<N + 1>(wide, even);
    if (wide[N] != 0) [[unlikely]] { // K was one too small
        limb::sub<N>(wide, wide, d);
        ++r.k0;
        r.k1 = static_cast<Limb>(r.k1 + (r.k0 == 0));
    }
    copy<N>(f, wide);
}

// The rows J, J - 1, .. 0 of folding. Before row J: t2 is limb J + N + 2, the digit of the row; t1
// is limb J + N + 1; limb J + N is merged, in the accumulator of the row's longer chain; the number
// below is even + odd. A carry of that sum that is not known yet may leave limb J + N + 2 later: it
// is noted in `lost`. Digits go to digits[J] unless that is null. On output the number is even +
// odd, N + 2 limbs, of which limbs N and N + 1 of the one that takes part in the longer chain of
// row 0 are the only ones.
template <int N, int J, int Words, int L, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_DEVICE_INLINE void
fold_rows(Limb *even, Limb *odd, Limb t1, Limb t2, const Limb *f, LostCarries<L, Limb> &lost,
          Limb *digits) {
    constexpr bool top_is_even = (N - 1 + J) % 2 == 0;
    Limb *const top = top_is_even ? even : odd;
    Limb *const other = top_is_even ? odd : even;
    constexpr int first = (N - 1) % 2;
    limb::Chain<Limb> chain;
    add_pairs<N, first>(chain, top + J, f, t2);
    const Limb carry_of_top = chain.end(Limb{0});
    add_pairs<N, 1 - first>(chain, other + J, f, t2);
    const Limb carry = chain.end(Limb{0});
    other[J + N - 1] = chain.add(other[J + N - 1], top[J + N - 1], true);
    const Limb below = chain.add(top[J + N], carry, false);
    t1 = chain.add(t1, carry_of_top, false);
    lost.template push<Words>(chain);
    if (digits != nullptr)
        digits[J] = t2;
    if constexpr (J > 0) {
        fold_rows<N, J - 1, Words, L>(even, odd, below, t1, f, lost, digits);
    } else {
        top[N - 1] = 0;
        top[N] = below;
        other[N] = 0;
        top[N + 1] = t1;
        other[N + 1] = 0;
    }
}

// even += odd over the N + 2 limbs that folds leave.
template <int N, int L, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_DEVICE_INLINE void merge_folded(Limb *even, const Limb *odd,
                                                                      LostCarries<L, Limb> &lost) {
    limb::Chain<Limb> chain;
    WARPINT_UNROLL(N + 2, limb::chain_limbs)
    for (int p = 0; p < N + 2; ++p)
        even[p] = chain.add(even[p], odd[p], p == 0);
    lost.word[0] = chain.end(lost.word[0]);
}

// Folds u + odd of L limbs, of which odd has at most L - 3, until they have N + 2.
template <int N, int L, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_DEVICE_INLINE void
fold_down(Limb *u, Limb *odd, const Limb *f, LostCarries<L, Limb> &lost, Limb *digits) {
    static_assert(L >= N + 3);
    constexpr int rows = L - N - 2;
    constexpr int words = (rows + limb::limb_bits<Limb> - 1) / limb::limb_bits<Limb>;
    if constexpr ((N - 1 + rows - 1) % 2 != 0) { // limb J + N of the first row belongs to odd
        odd[L - 3] = u[L - 3];
        u[L - 3] = 0;
    }
    fold_rows<N, rows - 1, words, L>(u, odd, u[L - 2], u[L - 1], f, lost, digits);
}

// u = u B modulo M in N + 2 limbs, `places` times.
template <int N, int L, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_DEVICE_INLINE void
fold_places(Limb *u, const Limb *f, int places, LostCarries<L, Limb> &lost) {
    WARPINT_UNROLL(2, 1)
    for (; places > 0; --places) {
        const Limb digit = u[N + 1];
        WARPINT_UNROLL(N + 1, limb::chain_limbs)
        for (int i = N + 1; i > 0; --i)
            u[i] = u[i - 1];
        u[0] = 0;
        const Limb carry = add_multiple<N, 0, 2>(u, f, digit);
        limb::Chain<Limb> chain;
        chain.begin(carry);
        lost.template push<LostCarries<L, Limb>::words>(chain);
    }
}

// Adds what `lost` stands for to r modulo M, r < M: a division digit by digit. digits, unless null,
// is a quotient of `Digits` limbs to which its quotient is added.
template <int N, int Digits, int L, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_DEVICE_INLINE void
add_lost_carries(Limb *r, LostCarries<L, Limb> lost, const Limb *negative_m,
                 const TopReciprocal<Limb> &top, [[maybe_unused]] Limb *digits) {
    Limb w[N + 1]{};
    Limb quotient[Digits + 1]{};
    int steps = LostCarries<L, Limb>::words * limb::limb_bits<Limb> + N + 2;
    WARPINT_UNROLL(2, 1)
    for (; lost.highest() == 0; --steps)
        lost.shift();
    WARPINT_UNROLL(2, 1)
    for (; steps > 0; --steps) {
        WARPINT_UNROLL(N, limb::chain_limbs)
        for (int i = N; i > 0; --i)
            w[i] = w[i - 1];
        w[0] = lost.highest();
        lost.shift();
        const Limb q = quotient_digit<N, 0, false>(w, negative_m, top);
        if constexpr (Digits > 0) {
            WARPINT_UNROLL(Digits, limb::chain_limbs)
            for (int i = Digits - 1; i > 0; --i)
                quotient[i] = quotient[i - 1];
            quotient[0] = q;
        }
    }
    WARPINT_ASSERT(is_remainder<N>(r, negative_m) && is_remainder<N>(w, negative_m));
    const Limb carry = limb::add<N>(r, r, w);
    const Limb reached = static_cast<Limb>(carry | limb::add<N>(w, r, negative_m));
    select<N>(r, reached != 0, w, r);
    if constexpr (Digits > 0)
        limb::add<Digits>(digits, digits, quotient, reached);
}

} // namespace warpint::arith::detail
