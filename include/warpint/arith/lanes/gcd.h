// SPDX-License-Identifier: Apache-2.0
// Greatest common divisors, cofactors and Jacobi symbols over lanes: the binary algorithm in
// batches of steps. A batch looks at the lowest limb and the highest bits of both numbers only,
// which every lane gets, and gives a matrix, which the lanes then apply to their limbs: no lane
// waits for another one in between. Variable time.
//
// The batches are those of arith/limbs/gcd/gcd.h (T. Pornin, "Optimized Binary GCD for Modular
// Inversion", 2020, eprint 2020/972), which a thread with a whole number runs as well: full_batch,
// BatchMatrix, BatchWords and what a step does to a Jacobi symbol are shared. How a matrix is
// applied is not: here carries cross lanes, and cofactors are divided by 2^(w - 2) in every batch
// (modulo m, by Montgomery's trick), so that they never outgrow the number's limbs.
#pragma once

#include "../limbs/gcd/gcd.h"
#include "linear.h"

namespace warpint::lanes {

namespace detail {

// A factor in two's complement as |f| and a mask that is all ones if f < 0: f x = |f| (x ^ mask)
// + (|f| & mask) - (|f| & mask) B^n for numbers x of n limbs.
template <class Limb>
struct SignedFactor {
    Limb size;
    Limb mask;

    WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE explicit SignedFactor(Limb f)
        : size{arith::detail::negate_word(f, arith::detail::sign_mask(f))},
          mask{arith::detail::sign_mask(f)} {}
    WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE Limb complement() const {
        return static_cast<Limb>(size & mask);
    }
};

// r = (f x + g y + h z) / 2^(w - 2), an exact quotient, of which r gets n limbs in two's complement
// and the caller the limb above. |f| + |g| + |h| < 2^w; z may be null, then h does not count.
// above: what stands above the n limbs of the sum, f x_n + g y_n, in two's complement. r must not
// alias an operand.
template <int K, bool three, class G>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE typename G::limb
combine(const G &group, typename G::word *r, typename G::limb f, const typename G::word *x,
        typename G::limb g, const typename G::word *y, typename G::limb h,
        const typename G::word *z, typename G::limb above) {
    static_assert(K >= 2 && K % 2 == 0, "pairs of limbs");
    using limb = typename G::limb;
    using word = typename G::word;
    using pair = typename G::pair;
    constexpr int bits = warpint::limb::limb_bits<limb>;
    constexpr int pairs = K / 2;
    const SignedFactor<limb> first(f);
    const SignedFactor<limb> second(g);
    const SignedFactor<limb> third(h);
    WARPINT_ASSERT(
        first.size <= static_cast<limb>(~limb{0}) - second.size &&
        (!three || third.size <= static_cast<limb>(~limb{0}) - second.size - first.size));
    const auto sum_at = [&](int i) {
        pair sum = multiply_pair(x[i] ^ word(first.mask), first.size) +
                   multiply_pair(y[i] ^ word(second.mask), second.size);
        if constexpr (three)
            sum = sum + multiply_pair(z[i] ^ word(third.mask), third.size);
        return sum;
    };
    pair even[pairs];
    pair odd[pairs];
    WARPINT_UNROLL(pairs, pairs)
    for (int i = 0; i < pairs; ++i) {
        even[i] = sum_at(2 * i);
        odd[i] = sum_at(2 * i + 1);
    }
    typename G::chain chain;
    join_pairs<K, G>(chain, r, even, odd);
    word over = chain.end(high_half(odd[pairs - 1])); // below B, as the sum of the lane's products
    const limb complements = static_cast<limb>(first.complement() + second.complement() +
                                               (three ? third.complement() : limb{0}));
    add_to_lanes<K, G>(chain, r, r,
                       G::select(group.first(), word(complements), group.from_below(over)));
    const word carry = chain.end(word(0));
    bool out = false;
    if (group.vote(carry != word(0))) // seldom
        out = settle_sum<K>(group, r, carry);
    const limb top = static_cast<limb>(group.broadcast(over, G::lanes - 1) + (out ? 1u : 0u) +
                                       above - complements);
    word next = G::select(group.last(), word(top), group.from_above(r[0]));
    WARPINT_UNROLL(K, K)
    for (int i = K - 1; i >= 0; --i) {
        const word own = r[i];
        r[i] = funnel_right(next, own, bits - 2);
        next = own;
    }
    using Signed = warpint::limb::signed_limb_t<limb>;
    return static_cast<limb>(static_cast<Signed>(top) >> (bits - 2));
}

// The words that a batch looks at, of two numbers that are not both 0.
template <int K, class G>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE arith::detail::BatchWords<typename G::limb>
batch_words(const G &group, const typename G::word *a, const typename G::word *b) {
    using limb = typename G::limb;
    using word = typename G::word;
    // Of each lane: the highest limbs, not both 0, and those below them.
    word high_a = a[0];
    word high_b = b[0];
    word below_a = G::select(group.first(), word(0), group.from_below(a[K - 1]));
    word below_b = G::select(group.first(), word(0), group.from_below(b[K - 1]));
    auto lowest = group.first(); // whether they are the number's lowest limbs
    WARPINT_UNROLL(K, K)
    for (int i = 1; i < K; ++i) {
        const auto used = (a[i] | b[i]) != word(0);
        below_a = G::select(used, a[i - 1], below_a);
        below_b = G::select(used, b[i - 1], below_b);
        high_a = G::select(used, a[i], high_a);
        high_b = G::select(used, b[i], high_b);
        lowest = lowest & (!used);
    }
    const std::uint32_t lanes = group.number_bits(group.ballot((high_a | high_b) != word(0)));
    const int lane = lanes == 0 ? 0 : 31 - warpint::limb::countl_zero(lanes);
    const limb top_a = group.broadcast(high_a, lane);
    const limb top_b = group.broadcast(high_b, lane);
    const limb next_a = group.broadcast(below_a, lane);
    const limb next_b = group.broadcast(below_b, lane);
    const bool exact = group.broadcast(lowest, lane);
    const int shift = warpint::limb::countl_zero(static_cast<limb>(top_a | top_b | 1));
    return {arith::detail::join_left(top_a, next_a, shift),
            arith::detail::join_left(top_b, next_b, shift), group.broadcast(a[0], 0),
            group.broadcast(b[0], 0), exact};
}

// One batch: a and b become |f0 a + g0 b| / 2^(w - 2) and |f1 a + g1 b| / 2^(w - 2) by the matrix
// that it returns, whose rows have the signs that make them so. For a = 0 nothing changes.
template <bool Symbol, int K, class G>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE arith::detail::BatchMatrix<typename G::limb>
run_batch(const G &group, typename G::word *a, typename G::word *b, typename G::limb &symbol) {
    using limb = typename G::limb;
    using word = typename G::word;
    auto matrix = arith::detail::full_batch<Symbol>(batch_words<K>(group, a, b), symbol);
    word next_a[K];
    word next_b[K];
    constexpr const word *none = nullptr;
    const limb top_a = combine<K, false>(group, next_a, matrix.f0, a, matrix.g0, b, 0, none, 0);
    const limb top_b = combine<K, false>(group, next_b, matrix.f1, a, matrix.g1, b, 0, none, 0);
    const limb negative_a = arith::detail::sign_mask(top_a);
    const limb negative_b = arith::detail::sign_mask(top_b);
    if (group.vote((negative_a | negative_b) != 0)) { // after a wrong comparison, by a little
        negate_if<K>(group, next_a, negative_a != 0, next_a);
        negate_if<K>(group, next_b, negative_b != 0, next_b);
        matrix.f0 = arith::detail::negate_word(matrix.f0, negative_a);
        matrix.g0 = arith::detail::negate_word(matrix.g0, negative_a);
        matrix.f1 = arith::detail::negate_word(matrix.f1, negative_b);
        matrix.g1 = arith::detail::negate_word(matrix.g1, negative_b);
        if constexpr (Symbol) // (-1 / b)
            symbol =
                static_cast<limb>(symbol ^ (negative_a & (group.broadcast(next_b[0], 0) >> 1)));
    }
    copy<K>(a, next_a);
    copy<K>(b, next_b);
    return matrix;
}

// A cofactor: a number of n limbs and the limb above, in two's complement, in (-2 m, m).
template <int K, class G>
struct Cofactor {
    typename G::word words[K];
    typename G::limb above;

    WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE typename G::limb sign() const {
        return arith::detail::sign_mask(above);
    }
};

// For assertions: whether it is in that range.
template <int K, class G>
WARPINT_HOST_DEVICE bool is_in_range(const G &group, const Cofactor<K, G> &x,
                                     const typename G::word *m) {
    typename G::word sum[K];
    if (x.above == 0)
        return less<K>(group, x.words, m);
    typename G::limb above = x.above; // of x + 2 m, which is more than 0
    above = static_cast<typename G::limb>(above + (add<K>(group, sum, x.words, m) ? 1u : 0u));
    above = static_cast<typename G::limb>(above + (add<K>(group, sum, sum, m) ? 1u : 0u));
    return x.sign() != 0 && arith::detail::sign_mask(above) == 0 &&
           (above != 0 || !is_zero<K>(group, sum));
}

// (f x + g y) / 2^(w - 2) modulo m, for x and y in (-2 m, m): with m added to the negative ones the
// sum lies between -+2^(w - 2) m, and the multiple of m that makes it divisible is taken from
// (-2^(w - 2), 0]. m_inverse = -1 / m modulo B.
template <int K, class G>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE Cofactor<K, G>
combine_modulo(const G &group, typename G::limb f, const Cofactor<K, G> &x, typename G::limb g,
               const Cofactor<K, G> &y, const typename G::word *m, typename G::limb m_inverse) {
    using limb = typename G::limb;
    using arith::detail::multiply_word;
    WARPINT_ASSERT_ON_HOST(is_in_range(group, x, m) && is_in_range(group, y, m));
    constexpr limb mask = static_cast<limb>((limb{1} << (warpint::limb::limb_bits<limb> - 2)) - 1);
    const limb lowest = static_cast<limb>(multiply_word(f, group.broadcast(x.words[0], 0)) +
                                          multiply_word(g, group.broadcast(y.words[0], 0)));
    const limb base = static_cast<limb>((f & x.sign()) + (g & y.sign()));
    const limb wanted = multiply_word(lowest, m_inverse);
    const limb h = static_cast<limb>(base - (static_cast<limb>(base - wanted) & mask));
    Cofactor<K, G> r;
    const limb above = static_cast<limb>(multiply_word(f, x.above) + multiply_word(g, y.above));
    r.above = combine<K, true>(group, r.words, f, x.words, g, y.words, h, m, above);
    WARPINT_ASSERT_ON_HOST(is_in_range(group, r, m));
    return r;
}

} // namespace detail

// a = 0 and b = gcd(a, b), for odd b.
template <int K, class G>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE void gcd_odd(const G &group, typename G::word *a,
                                                       typename G::word *b) {
    typename G::limb symbol = 0;
    bool going = !is_zero<K>(group, a);
    while (group.vote(going)) {
        detail::run_batch<false, K>(group, a, b, symbol);
        going = !is_zero<K>(group, a);
    }
}

// gcd(a, b) for odd b, out of line, for texts that need one on the way.
template <int K, class G>
WARPINT_HOST_DEVICE WARPINT_DEVICE_NOINLINE Words<K, G> gcd_odd_outlined(G group, Words<K, G> a,
                                                                         Words<K, G> b) {
    gcd_odd<K>(group, a.words, b.words);
    return b;
}

// The Jacobi symbol (a / b) for odd b: 1, -1, or 0 where a and b have a common factor. Destroys a
// and b.
template <int K, class G>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE int jacobi_odd(const G &group, typename G::word *a,
                                                         typename G::word *b) {
    using limb = typename G::limb;
    using word = typename G::word;
    limb symbol = 0;
    bool going = !is_zero<K>(group, a);
    while (group.vote(going)) {
        detail::run_batch<true, K>(group, a, b, symbol);
        going = !is_zero<K>(group, a);
    }
    word one[K];
    set_limb<K>(group, one, limb{1});
    const bool coprime = equal<K>(group, b, one);
    return !coprime ? 0 : (symbol & 1) != 0 ? -1 : 1;
}

// r = x with a x = gcd(a, m) modulo m in [0, m), for odd m and any a; gcd = gcd(a, m). So r is the
// inverse of a if gcd is 1. gcd may be a; otherwise no output is an input.
template <int K, class G>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE void
cofactor_odd(const G &group, typename G::word *r, typename G::word *gcd, const typename G::word *a,
             const typename G::word *m) {
    using limb = typename G::limb;
    using word = typename G::word;
    const limb m_inverse = warpint::limb::negative_inverse(group.broadcast(m[0], 0));
    word g[K];
    copy<K>(g, a);
    copy<K>(gcd, m);
    detail::Cofactor<K, G> x; // g = a x and gcd = a y modulo m
    detail::Cofactor<K, G> y;
    set_limb<K>(group, x.words, limb{1});
    fill<K>(y.words, word(0));
    subtract_if<K>(group, x.words, false, m); // m = 1
    x.above = y.above = 0;
    limb symbol = 0;
    bool going = !is_zero<K>(group, g);
    while (group.vote(going)) {
        const auto matrix = detail::run_batch<false, K>(group, g, gcd, symbol);
        const auto next =
            detail::combine_modulo<K, G>(group, matrix.f0, x, matrix.g0, y, m, m_inverse);
        y = detail::combine_modulo<K, G>(group, matrix.f1, x, matrix.g1, y, m, m_inverse);
        x = next;
        going = !is_zero<K>(group, g);
    }
    copy<K>(r, y.words);
    limb above = y.above;
    while (group.vote(above != 0)) { // below 0: at most twice
        word sum[K];
        const bool carry = add<K>(group, sum, r, m);
        const bool negative = above != 0;
        select<K>(group, r, negative, sum, r);
        above = static_cast<limb>(above + (negative && carry ? 1u : 0u));
    }
    WARPINT_ASSERT_ON_HOST(less<K>(group, r, m));
}

} // namespace warpint::lanes
