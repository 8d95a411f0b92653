// SPDX-License-Identifier: Apache-2.0
// Reduction by folding, without quotient estimates, for moduli that differ from number to number:
// any parity and size. With F = B^(N + 2) mod M each row takes the top limb u of the dividend away
// and adds u F where it stood: N products and a handful of sums, in two accumulators of limb pairs
// that are merged only where the next u is needed. The last three digits are those of a division
// (../division/quotient_digit.h). Everything stays in registers where a GPU runs it; the same text
// runs with 32- and 8-bit limbs on hosts, for tests.
//
// Folding the top of a number down by a power of the base known modulo m is old (Dubois and
// others); the accumulators are those of Emmart, Luitjens, Weems and Woolley (ARITH 2016). B is the
// number of values of a limb. Variable time.
//
// The modulus m may have leading zero limbs: M = m B^z has none, and U B^z mod M = (U mod m) B^z.
#pragma once

#include "../division/quotient_digit.h"
#include "../product/schoolbook.h"

namespace warpint::algorithm {

// What is added to a product before its reduction.
enum class FoldTerm { none, plus, minus, plus_product, minus_product };

// A modulus of N limbs in an array, as the functions below ask for it: operator() writes m
// B^places. They call it two times, so that the limbs need not stay in registers in between if the
// caller has them elsewhere.
template <int N, class Limb>
struct ModulusLimbs {
    const Limb *limbs;

    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void operator()(Limb *r, int places) const {
        copy<N>(r, limbs);
        if (places != 0)
            detail::move_limbs_in_registers<N, true>(r, places, Limb{0});
    }
};

namespace detail {

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
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void push(limb::CarryChain<Limb> &chain) {
        WARPINT_UNROLL(Words, Words)
        for (int i = 0; i + 1 < Words; ++i)
            word[i] = chain.add(word[i], word[i], false);
        word[Words - 1] = chain.end(word[Words - 1], word[Words - 1]);
    }
    [[nodiscard]] WARPINT_HOST_DEVICE constexpr WARPINT_INLINE Limb highest() const {
        return static_cast<Limb>(word[words - 1] >> (limb::limb_bits<Limb> - 1));
    }
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void shift() {
        limb::CarryChain<Limb> chain;
        chain.begin(Limb{0});
        push<words>(chain);
    }
};

// r = a << shift modulo B^N for a shift below the limb width. r may be a.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_REGISTERS void shift_short(Limb *r, const Limb *a,
                                                                 int shift) {
    WARPINT_UNROLL(N, register_limbs)
    for (int i = N - 1; i >= 0; --i)
        r[i] = funnel_left(a[i], i > 0 ? a[i - 1] : Limb{0}, shift);
}

// F = B^(N + 2) - K D in N limbs, congruent to B^(N + 2) modulo M; K grows by one where F does not
// fit otherwise. N >= 2; M has no leading zero limb.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_REGISTERS void fold_constant(Limb *f, TopReciprocal<Limb> &r,
                                                                   const Limb *m) {
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
    WARPINT_UNROLL(N, register_limbs)
    for (int i = 0; i < N; ++i)
        f[i] = wide[i];
}

// The rows J, J - 1, .. 0 of folding. Before row J: t2 is limb J + N + 2, the digit of the row; t1
// is limb J + N + 1; limb J + N is merged, in the accumulator of the row's longer chain; the number
// below is even + odd. A carry of that sum that is not known yet may leave limb J + N + 2 later: it
// is noted in `lost`. Digits go to digits[J] unless that is null. On output the number is even + odd,
// N + 2 limbs, of which limbs N and N + 1 of the one that takes part in the longer chain of row 0
// are the only ones.
template <int N, int J, int Words, int L, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_REGISTERS void
fold_rows(Limb *even, Limb *odd, Limb t1, Limb t2, const Limb *f, LostCarries<L, Limb> &lost,
          Limb *digits) {
    constexpr bool top_is_even = (N - 1 + J) % 2 == 0;
    Limb *const top = top_is_even ? even : odd;
    Limb *const other = top_is_even ? odd : even;
    constexpr int first = (N - 1) % 2;
    limb::CarryChain<Limb> chain;
    WARPINT_UNROLL(N, register_limbs)
    for (int i = first; i < N; i += 2) {
        top[J + i] = chain.add_low(f[i], t2, top[J + i], i == first);
        top[J + i + 1] = chain.add_high(f[i], t2, top[J + i + 1]);
    }
    const Limb carry_of_top = chain.end(Limb{0});
    WARPINT_UNROLL(N, register_limbs)
    for (int i = 1 - first; i < N; i += 2) {
        other[J + i] = chain.add_low(f[i], t2, other[J + i], i == 1 - first);
        other[J + i + 1] = chain.add_high(f[i], t2, other[J + i + 1]);
    }
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
WARPINT_HOST_DEVICE constexpr WARPINT_REGISTERS void
merge_folded(Limb *even, const Limb *odd, LostCarries<L, Limb> &lost) {
    limb::CarryChain<Limb> chain;
    WARPINT_UNROLL(N + 2, limb::chain_limbs)
    for (int p = 0; p < N + 2; ++p)
        even[p] = chain.add(even[p], odd[p], p == 0);
    lost.word[0] = chain.end(lost.word[0]);
}

// Folds u + odd of L limbs, of which odd has at most L - 3, until they have N + 2.
template <int N, int L, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_REGISTERS void
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
WARPINT_HOST_DEVICE constexpr WARPINT_REGISTERS void fold_places(Limb *u, const Limb *f, int places,
                                                                 LostCarries<L, Limb> &lost) {
    WARPINT_UNROLL(2, 1)
    for (; places > 0; --places) {
        const Limb digit = u[N + 1];
        WARPINT_UNROLL(N + 1, limb::chain_limbs)
        for (int i = N + 1; i > 0; --i)
            u[i] = u[i - 1];
        u[0] = 0;
        const Limb carry = add_multiple<N, 0, 2>(u, f, digit);
        limb::CarryChain<Limb> chain;
        chain.begin(carry);
        lost.template push<LostCarries<L, Limb>::words>(chain);
    }
}

// Adds what `lost` stands for to r modulo M, r < M: a division digit by digit. digits, unless null,
// is a quotient of `Digits` limbs to which its quotient is added.
template <int N, int Digits, int L, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_REGISTERS void
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
    const Limb carry = limb::add<N>(r, r, w);
    const Limb reached = static_cast<Limb>(carry | limb::add<N>(w, r, negative_m));
    select<N>(r, reached != 0, w, r);
    if constexpr (Digits > 0)
        limb::add<Digits>(digits, digits, quotient, reached);
}

// The rows J .. N - 1 of even + odd += a b, or += a b + c d if Double; the accumulators have 2 N +
// 2 limbs. On output `even` holds the number. Before: pending = 0.
template <int N, int J, bool Double, class Limb, class B, class D>
WARPINT_HOST_DEVICE constexpr WARPINT_REGISTERS void
add_product_rows(Limb *even, Limb *odd, const Limb *a, const B &b, [[maybe_unused]] const Limb *c,
                 [[maybe_unused]] const D &d, Limb pending) {
    constexpr int room = 2 * N + 2;
    add_split_row<N, J, room, false>(even, odd, a, b(J));
    if constexpr (Double)
        add_split_row<N, J, room, true>(even, odd, c, d(J));
    // Merged now and then: fewer registers than at the end.
    constexpr int step = N / 4 > 4 ? N / 4 : 4;
    if constexpr (J % step == step - 1 || J == N - 1) {
        constexpr int from = J / step * step;
        constexpr int begin = from == 0 ? 1 : from; // odd[0] is not used
        limb::CarryChain<Limb> chain;
        if constexpr (from > 0)
            chain.begin(pending);
        WARPINT_UNROLL(N, register_limbs)
        for (int p = begin; p <= J; ++p)
            even[p] = chain.add(even[p], odd[p], from == 0 && p == 1);
        if constexpr (J == N - 1) {
            constexpr int length = Double ? 2 * N + 1 : 2 * N;
            WARPINT_UNROLL(N + 1, limb::chain_limbs)
            for (int p = N; p < length; ++p)
                even[p] = chain.add(even[p], odd[p], N == 1 && p == 1);
        } else if constexpr (begin <= J) {
            pending = chain.end(Limb{0});
        }
    }
    if constexpr (J + 1 < N)
        add_product_rows<N, J + 1, Double>(even, odd, a, b, c, d, pending);
}

// even + odd += a b, the rows J .. N - 1, N limbs each; the accumulators hold at most N limbs before
// row 0, and have 2 N + 1.
template <int N, int J, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_REGISTERS void add_split_rows(Limb *even, Limb *odd,
                                                                    const Limb *a, const Limb *b) {
    add_split_row<N, J, 2 * N + 1, false>(even, odd, a, b[J]);
    if constexpr (J + 1 < N)
        add_split_rows<N, J + 1>(even, odd, a, b);
}

// even + odd = a b + t by one level of Karatsuba's method: N limbs a and b, N + 1 limbs t, of which
// the top one counts if Long. With a = a1 B^h + a0 and b = b1 B^h + b0, even becomes
// a0 b0 + a1 b1 B^2h and odd the rest: t and
//     (a0 b0 + a1 b1 + (a0 - a1) (b1 - b0)) B^h.
// The differences are taken modulo B^h, and what their signs stand for is subtracted: products of
// theirs add to the accumulators without another sum. even and odd hold 0 on input.
template <int N, bool Adds, bool Long, class Limb, class B>
WARPINT_HOST_DEVICE constexpr WARPINT_REGISTERS void
karatsuba_product(Limb *even, Limb *odd, const Limb *a, const B &b, [[maybe_unused]] const Limb *t) {
    constexpr int h = (N + 1) / 2;
    constexpr int l = N - h;
    static_assert(h + 2 * h + 1 <= 2 * N - 3); // what folds ask of odd
    Limb factor[N]{};
    WARPINT_UNROLL(N, register_limbs)
    for (int i = 0; i < N; ++i)
        factor[i] = b(i);
    multiply_alternate<h, h>(even, a, &factor[0]);
    Limb high[h]{};
    Limb difference_a[h]{};
    Limb difference_b[h]{};
    copy<l>(high, a + h);
    const Limb sign_a = static_cast<Limb>(Limb{0} - limb::sub<h>(difference_a, a, high));
    copy<l>(high, factor + h);
    const Limb sign_b = static_cast<Limb>(Limb{0} - limb::sub<h>(difference_b, high, factor));
    multiply_alternate<l, l>(even + 2 * h, a + h, &factor[h]);
    Limb upper[2 * h]{}; // a1 b1
    copy<2 * l>(upper, even + 2 * h);

    Limb *const middle = odd + h;
    Limb other[2 * h + 1]{};
    const Limb carry = limb::add<h>(middle, even, upper);
    if constexpr (Adds) {
        copy<h>(odd, t);
        copy<l>(other, t + h);
    }
    add_split_rows<h, 0>(middle, &other[0], difference_a, difference_b);
    constexpr int from = Adds ? 0 : 1;
    limb::add<2 * h + 1 - from>(middle + from, middle + from, other + from);

    // What belongs to B^2h: the upper part of the sum, less the differences whose factor is negative.
    Limb sum[h + 1]{};
    sum[h] = static_cast<Limb>((sign_a & sign_b & 1u) +
                               limb::add<h>(sum, even + h, upper + h, carry));
    Limb cross[h + 1]{};
    Limb second[h]{};
    WARPINT_UNROLL(h, register_limbs)
    for (int i = 0; i < h; ++i) {
        cross[i] = static_cast<Limb>(difference_b[i] & sign_a);
        second[i] = static_cast<Limb>(difference_a[i] & sign_b);
    }
    cross[h] = limb::add<h>(cross, cross, second);
    limb::sub<h + 1>(sum, sum, cross);
    limb::add<h + 1>(middle + h, middle + h, sum);
    if constexpr (Adds && Long) {
        Limb top[2 * h + 1 - l]{};
        top[0] = t[N];
        limb::add<2 * h + 1 - l>(middle + l, middle + l, top);
    }
}

// What a modulus gives for its folds.
template <int N, class Limb>
struct FoldModulus {
    TopReciprocal<Limb> top;
    Limb f[N];
    int places; // z: leading zero limbs
};

// Leading zero limbs of m, whose limbs without them go to r.
template <int N, class Limb, class M>
WARPINT_HOST_DEVICE constexpr WARPINT_REGISTERS int load_aligned(Limb *r, const M &m) {
    m(r, 0);
    if (r[N - 1] != 0)
        return 0;
    const int places = leading_zero_limbs<N>(r);
    m(r, places);
    return places;
}

// For M = m B^places without leading zero limbs.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_REGISTERS FoldModulus<N, Limb> prepare_fold(const Limb *m,
                                                                                  int places) {
    FoldModulus<N, Limb> prepared{};
    prepared.places = places;
    prepared.top = top_reciprocal<N>(m);
    if constexpr (N > 1)
        fold_constant<N>(prepared.f, prepared.top, m);
    return prepared;
}
template <int N, class Limb, class M>
WARPINT_HOST_DEVICE constexpr WARPINT_REGISTERS FoldModulus<N, Limb> load_fold(const M &m) {
    Limb limbs[N]{};
    const int places = load_aligned<N>(limbs, m);
    return prepare_fold<N>(&limbs[0], places);
}

// The digit at B^2 of u in N + 2 limbs, as quotient_digit<N, 2, true>. Below 2 B^N, and so by a
// modulus with its top bit set, it is 0 or 1 and no product.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_REGISTERS Limb
highest_digit(Limb *u, const Limb *negative_m, const TopReciprocal<Limb> &r) {
    if (r.shift != 0)
        return quotient_digit<N, 2, true>(u, negative_m, r);
    Limb less[N]{};
    const Limb reached = limb::add<N>(less, u + 2, negative_m);
    select<N>(u + 2, reached != 0, less, u + 2);
    return reached;
}

// r = B^N - m B^places.
template <int N, class Limb, class M>
WARPINT_HOST_DEVICE constexpr WARPINT_REGISTERS void load_negative(Limb *r, const M &m,
                                                                   int places) {
    m(r, places);
    negate<N>(r, r);
}

} // namespace detail

// What folds by a modulus m != 0 need, for many dividends: it stands where the functions below take
// a modulus, and they then do not derive it again.
template <int N, class Limb>
struct PreparedFold {
    detail::FoldModulus<N, Limb> fold;
    Limb negative_m[N]; // B^N - M
    Limb last_f[N];     // B^(N + 1) mod M
    Limb reciprocal[3]; // floor((B^(N + 3) - 1) / D) - B^3, D = M << shift

    // False if it was not prepared: there are no folds by 0.
    [[nodiscard]] WARPINT_HOST_DEVICE constexpr WARPINT_INLINE bool exists() const {
        return fold.top.d1 != 0;
    }
};

// On input: m != 0, N limbs.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr PreparedFold<N, Limb> prepare_folds(const Limb *m) {
    const ModulusLimbs<N, Limb> modulus{m};
    PreparedFold<N, Limb> prepared{};
    prepared.fold = detail::load_fold<N, Limb>(modulus);
    detail::load_negative<N>(&prepared.negative_m[0], modulus, prepared.fold.places);
    Limb power[N + 3]{};
    power[N + 1] = 1;
    detail::highest_digit<N>(&power[0], prepared.negative_m, prepared.fold.top);
    quotient_digit<N, 1, false>(&power[0], prepared.negative_m, prepared.fold.top);
    quotient_digit<N, 0, false>(&power[0], prepared.negative_m, prepared.fold.top);
    copy<N>(prepared.last_f, power);
    Limb d[N]{};
    modulus(&d[0], prepared.fold.places);
    detail::shift_short<N>(d, d, prepared.fold.top.shift);
    const auto top = top_reciprocal<N>(&d[0]);
    Limb rest[N + 3]{}; // B^(N + 3) - 1 - D B^3
    for (int i = 0; i < N + 3; ++i)
        rest[i] = static_cast<Limb>(i < 3 ? ~Limb{0} : ~d[i - 3]);
    detail::negate<N>(d, d);
    prepared.reciprocal[2] = quotient_digit<N, 2, false>(&rest[0], d, top);
    prepared.reciprocal[1] = quotient_digit<N, 1, false>(&rest[0], d, top);
    prepared.reciprocal[0] = quotient_digit<N, 0, false>(&rest[0], d, top);
    return prepared;
}

namespace detail {

template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE const FoldModulus<N, Limb> &
load_fold(const PreparedFold<N, Limb> &m) {
    return m.fold;
}
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void
load_negative(Limb *r, const PreparedFold<N, Limb> &m, int) {
    copy<N>(r, m.negative_m);
}

// u + odd of N + 2 limbs becomes u mod M in u, N limbs, M = m B^places.
template <int N, int L, class Limb, class M>
WARPINT_HOST_DEVICE constexpr WARPINT_REGISTERS void
reduce_folded(Limb *u, const Limb *odd, const Limb *negative_m,
              const FoldModulus<N, Limb> &prepared, LostCarries<L, Limb> &lost, const M &) {
    if constexpr (L > N + 2)
        merge_folded<N>(u, odd, lost);
    fold_places<N, L>(u, prepared.f, prepared.places, lost);
    highest_digit<N>(u, negative_m, prepared.top);
    quotient_digit<N, 1, false>(u, negative_m, prepared.top);
    quotient_digit<N, 0, false>(u, negative_m, prepared.top);
}

// u mod M for u < M B^2, N + 2 limbs, by two digits at once. With h the top three limbs of
// u << shift and V the reciprocal, G = h + h V / B^3 is Q B for the real quotient Q, less at most 3
// for what h and V leave out and 6 for what the sum below does: floor(G / B) is the quotient, or one
// less if the lowest limb of G is next to B. The remainder is then next to M, and which it is shows
// the sign of the difference.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_REGISTERS void two_digits(Limb *u,
                                                                const PreparedFold<N, Limb> &m) {
    using Wide = limb::double_limb_t<Limb>;
    constexpr int bits = limb::limb_bits<Limb>;
    const int shift = m.fold.top.shift;
    const Limb h2 = funnel_left(u[N + 1], u[N], shift);
    const Limb h1 = funnel_left(u[N], u[N - 1], shift);
    const Limb h0 = funnel_left(u[N - 1], u[N - 2], shift);
    const Limb *const v = m.reciprocal;
    const Wide x = static_cast<Wide>(static_cast<Wide>(static_cast<Wide>(h2) * v[1]) + h0 +
                                     multiply_high_limb(h2, v[0]));
    const Wide y = static_cast<Wide>(static_cast<Wide>(static_cast<Wide>(h1) * v[2]) +
                                     multiply_high_limb(h1, v[1]) + multiply_high_limb(h0, v[2]));
    const Wide lowest =
        static_cast<Wide>(static_cast<Wide>(static_cast<Limb>(x)) + static_cast<Limb>(y));
    const Wide q = static_cast<Wide>(
        static_cast<Wide>(static_cast<Wide>(h2) * v[2]) + static_cast<Wide>(x >> bits) +
        static_cast<Wide>(y >> bits) + static_cast<Wide>(static_cast<Wide>(h2) << bits | h1) +
        static_cast<Wide>(lowest >> bits));
    Limb odd[N + 1]{};
    add_split_row<N, 0, N, false>(u, &odd[0], m.negative_m, static_cast<Limb>(q));
    add_split_row<N - 1, 1, N, false>(u, &odd[0], m.negative_m, static_cast<Limb>(q >> bits));
    limb::add<N - 1>(u + 1, u + 1, &odd[1]);
    if (static_cast<Limb>(lowest) >= static_cast<Limb>(Limb{0} - Limb{9})) [[unlikely]] {
        Limb less[N]{};
        limb::add<N>(less, u, m.negative_m);
        if ((less[N - 1] >> (bits - 1)) == 0) {
            WARPINT_UNROLL(N, limb::chain_limbs)
            for (int i = 0; i < N; ++i)
                u[i] = less[i];
        }
    }
}

// By a prepared modulus. Where its top bits are 0 one fold more leaves less than 2 B^(N + 1) + B^N,
// which is less than M B^2.
template <int N, int L, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_REGISTERS void
reduce_folded(Limb *u, Limb *odd, const Limb *, const FoldModulus<N, Limb> &prepared,
              LostCarries<L, Limb> &lost, const PreparedFold<N, Limb> &m) {
    constexpr bool top_is_even = (N - 1) % 2 == 0;
    constexpr int most_shift = limb::limb_bits<Limb> - 3;
    const int shift = prepared.top.shift;
    if (L > N + 2 && shift != 0 && shift <= most_shift && prepared.places == 0) {
        Limb *const top = top_is_even ? u : odd;
        const Limb digit = top[N + 1];
        top[N + 1] = 0;
        add_split_row<N, 0, N + 2, true>(u, odd, m.last_f, digit);
        limb::add<N + 2>(u, u, odd);
    } else {
        if constexpr (L > N + 2)
            merge_folded<N>(u, odd, lost);
        fold_places<N, L>(u, prepared.f, prepared.places, lost);
        highest_digit<N>(u, m.negative_m, prepared.top);
    }
    two_digits<N>(u, m);
}

// r = u mod m for u of L limbs, which is overwritten; it has room for N + 2.
// The same of u + odd, odd at most L - 3 limbs.
template <int N, int L, class Limb, class M>
WARPINT_HOST_DEVICE constexpr WARPINT_REGISTERS void
fold_to_remainder(Limb *r, Limb *u, [[maybe_unused]] Limb *odd,
                  const FoldModulus<N, Limb> &prepared, const M &m) {
    static_assert(N == 1 || L >= N + 2);
    LostCarries<L, Limb> lost;
    if constexpr (L > N + 2)
        fold_down<N, L>(u, odd, prepared.f, lost, static_cast<Limb *>(nullptr));
    Limb negative_m[N]{};
    load_negative<N>(negative_m, m, prepared.places);
    if constexpr (N > 1) {
        reduce_folded<N>(u, odd, &negative_m[0], prepared, lost, m);
    } else {
        if constexpr (L > 2)
            merge_folded<N>(u, odd, lost);
        if constexpr (L == 3)
            highest_digit<N>(u, negative_m, prepared.top);
        quotient_digit<N, 1, L == 2>(u, negative_m, prepared.top);
        quotient_digit<N, 0, false>(u, negative_m, prepared.top);
    }
    if (lost.any()) [[unlikely]]
        add_lost_carries<N, 0, L>(u, lost, negative_m, prepared.top, static_cast<Limb *>(nullptr));
    if (prepared.places != 0)
        move_limbs_in_registers<N, false>(u, prepared.places, Limb{0});
    copy<N>(r, u);
}
template <int N, int L, class Limb, class M>
WARPINT_HOST_DEVICE constexpr WARPINT_REGISTERS void
fold_to_remainder(Limb *r, Limb *u, const FoldModulus<N, Limb> &prepared, const M &m) {
    Limb odd[L]{};
    fold_to_remainder<N, L>(r, u, &odd[0], prepared, m);
}

// r = 2 D, N + 1 limbs.
template <int N, class Limb, class M>
WARPINT_HOST_DEVICE constexpr WARPINT_REGISTERS void twice_normalised(Limb *r, const M &m) {
    Limb d[N]{};
    load_aligned<N>(d, m);
    shift_short<N>(d, d, limb::countl_zero(d[N - 1]) & (limb::limb_bits<Limb> - 1));
    r[N] = limb::add<N>(r, d, d);
}
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_REGISTERS void
twice_normalised(Limb *r, const PreparedFold<N, Limb> &m) {
    Limb d[N]{};
    negate<N>(d, m.negative_m);
    shift_short<N>(d, d, m.fold.top.shift);
    r[N] = limb::add<N>(r, d, d);
}

} // namespace detail

namespace detail {

// Whether products of N limbs modulo M take one level of Karatsuba's method.
template <int N, class M>
inline constexpr bool folds_by_halves = false;
template <int N, class Limb>
inline constexpr bool folds_by_halves<N, PreparedFold<N, Limb>> =
    N >= fold_karatsuba_limbs && (N % 2 == 0 || N > 10);

} // namespace detail

// r = a b + term modulo m in [0, m), where the term is 0 (none), c (plus), -c (minus), c d
// (plus_product) or -c d (minus_product). All numbers have N limbs and any value; m != 0. a and c
// are arrays; b(i) and d(i) give limb i; m is as ModulusLimbs. d is asked for each limb in
// ascending order, for -c d twice.
//
// -c is added as 2 D - c, D = M << shift >= B^N / 2; -c d as (B^N - 1 - c) d + d + (2 D - d) B^N:
// congruent, and not negative.
template <int N, FoldTerm term, class Limb, class B, class D, class M>
WARPINT_HOST_DEVICE constexpr WARPINT_REGISTERS void
multiply_modulo_fold(Limb *r, const Limb *a, const B &b, [[maybe_unused]] const Limb *c,
                     [[maybe_unused]] const D &d, const M &m) {
    constexpr bool two_products = term == FoldTerm::plus_product || term == FoldTerm::minus_product;
    constexpr int length = two_products ? 2 * N + 1 : 2 * N;
    Limb even[2 * N + 3]{};
    Limb odd[2 * N + 3]{};
    if constexpr (!two_products && detail::folds_by_halves<N, M>) {
        Limb t[N + 1]{};
        if constexpr (term == FoldTerm::plus) {
            copy<N>(t, c);
        } else if constexpr (term == FoldTerm::minus) {
            detail::twice_normalised<N>(t, m);
            t[N] = static_cast<Limb>(t[N] - limb::sub<N>(t, t, c));
        }
        detail::karatsuba_product<N, term != FoldTerm::none, term == FoldTerm::minus>(even, odd, a,
                                                                                    b, t);
        detail::fold_to_remainder<N, 2 * N>(r, even, odd, m.fold, m);
        return;
    }
    if constexpr (term == FoldTerm::plus) {
        copy<N>(even, c);
    } else if constexpr (term == FoldTerm::minus) {
        detail::twice_normalised<N>(even, m);
        const Limb borrow = limb::sub<N>(even, even, c);
        // At limb N the accumulator takes it that waits for the carry of the first row.
        const Limb high = static_cast<Limb>(even[N] - borrow);
        even[N] = N % 2 == 0 ? high : Limb{0};
        odd[N] = N % 2 == 0 ? Limb{0} : high;
    }
    if constexpr (term == FoldTerm::minus_product) {
        Limb complement[N]{};
        WARPINT_UNROLL(N, register_limbs)
        for (int i = 0; i < N; ++i) {
            complement[i] = static_cast<Limb>(~c[i]);
            even[i] = d(i);
        }
        detail::add_product_rows<N, 0, true>(even, odd, a, b, complement, d, Limb{0});
        Limb upper[N + 1]{};
        WARPINT_UNROLL(N, register_limbs)
        for (int i = 0; i < N; ++i)
            upper[i] = d(i);
        limb::sub<N + 1>(even + N, even + N, upper);
        detail::twice_normalised<N>(upper, m);
        limb::add<N + 1>(even + N, even + N, upper);
    } else {
        detail::add_product_rows<N, 0, two_products>(even, odd, a, b, c, d, Limb{0});
    }
    const auto &prepared = detail::load_fold<N, Limb>(m);
    detail::fold_to_remainder<N, length>(r, even, prepared, m);
}

// r = a^2 mod m, likewise.
template <int N, class Limb, class M>
WARPINT_HOST_DEVICE constexpr WARPINT_REGISTERS void square_modulo_fold(Limb *r, const Limb *a,
                                                                        const M &m) {
    Limb square[2 * N + 1]{};
    square_alternate<N>(square, a);
    const auto &prepared = detail::load_fold<N, Limb>(m);
    detail::fold_to_remainder<N, 2 * N>(r, square, prepared, m);
}

// r = a mod m for a of L limbs, r and m of N; N < L <= 2 register_limbs + 1. m != 0.
template <int N, int L, class Limb, class M>
WARPINT_HOST_DEVICE constexpr WARPINT_REGISTERS void remainder_fold(Limb *r, const Limb *a,
                                                                    const M &m) {
    static_assert(L > N && L <= 2 * register_limbs + 1 && (N > 1 || L <= 3));
    constexpr int length = L < N + 2 && N > 1 ? N + 2 : L;
    Limb u[length + 1]{};
    copy<L>(u, a);
    const auto &prepared = detail::load_fold<N, Limb>(m);
    detail::fold_to_remainder<N, length>(r, u, prepared, m);
}

} // namespace warpint::algorithm
