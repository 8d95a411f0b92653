// SPDX-License-Identifier: Apache-2.0
// Powers without a modulus and integer square roots of numbers over lanes. Variable time.
#pragma once

#include "../../arith/lanes/square_root.h"
#include "../root.h"
#include "bits.h"

namespace warpint {

// The power a^e modulo 2^Bits; e >= 0, and 0^0 is 1.
template <WarpNumber A, number::Held E>
[[nodiscard]] WARPINT_HOST_DEVICE A pow(const A &a, const E &e) {
    const typename A::group g;
    const auto exponent = warp_int::as_number<A, A>(e);
    const bool negative = exponent.is_negative();
    if (negative)
        number::report_domain_error("warpint: pow with a negative exponent");
    A r(1);
    for (int i = g.largest(bit_width(exponent)) - 1; i >= 0; --i) {
        r *= r;
        const A product = mul_low(r, a);
        r = warp_int::select(test_bit(exponent, i), product, r);
    }
    return warp_int::select(negative, A(0), r);
}

namespace warp_int {

// floor(sqrt(a)) bit by bit from the top: short code for what is rare.
template <class A>
WARPINT_HOST_DEVICE WARPINT_DEVICE_NOINLINE A root_by_bits(A a) {
    constexpr int K = A::limbs_per_lane;
    using word = typename A::group::word;
    const typename A::group g;
    const auto move_down = [&g](A &x, int count) WARPINT_INLINE_LAMBDA { // 0 < count < 32
        const word above = A::group::select(g.last(), word(0), g.from_above(x.words[0]));
        WARPINT_UNROLL(K, K)
        for (int i = 0; i < K; ++i)
            x.words[i] = lanes::funnel_right(i + 1 < K ? x.words[i + 1 < K ? i + 1 : 0] : above,
                                             x.words[i], count);
    };
    // root is the root so far, moved up to where `bit`, a power of four, stands for its next bit.
    const int width = g.largest(bit_width(a));
    const int top = width == 0 ? 0 : (width - 1) / 2 * 2;
    A bit = A(1) << top;
    A root(0);
    WARPINT_UNROLL(2, 1)
    for (int i = top; i >= 0; i -= 2) {
        const A trial = root + bit;
        const bool set = !less(a, trial);
        a = select(set, a - trial, a);
        move_down(root, 1);
        root = select(set, root + bit, root);
        move_down(bit, 2);
    }
    return root;
}

// Words per lane of the numbers whose roots are taken: a multiple of 4, at least 8, so that both
// halves are pairs of limbs in each lane.
template <class A>
inline constexpr int root_words = A::limbs_per_lane <= 8 ? 8 : (A::limbs_per_lane + 3) / 4 * 4;

// floor(sqrt(a)) of an unsigned number.
template <class A>
WARPINT_HOST_DEVICE A square_root(const A &a) {
    constexpr int K = root_words<A> / 2;
    constexpr int half = 32 * K * A::lanes;
    using Wide = number::like_t<BigInt<2 * half>, A>;
    using Half = number::like_t<BigInt<half>, A>;
    const typename A::group g;
    // a B^unused 4^shift with its top bit, or the one below, at the top; the rows take a quarter of
    // it.
    constexpr int unused = (2 * K * A::lanes - A::limb_count) / 2 * 2;
    const int width = bit_width(a);
    const int shift = (Wide::bits - 32 * unused - (width != 0 ? width : 1)) / 2;
    Wide all;
    lanes::relayout<2 * K, A::limbs_per_lane, unused>(g, all.words, a.words);
    if (g.vote(shift != 0))
        all = all << (2 * shift);
    const Wide quarter = all >> 2;
    Half high, low, twice, rest;
    lanes::relayout<K, 2 * K, 0>(g, low.words, quarter.words);
    lanes::relayout<K, 2 * K, -K * A::lanes>(g, high.words, quarter.words);
    if (g.vote(width == 0))
        high = select(width == 0, Half(1) << (half - 3), high);
    if (lanes::square_root_rows<K>(g, twice.words, rest.words, high.words, low.words)) {
        // The root of `all` is twice that of its quarter, or one more.
        const Half root = twice >> 1;
        const bool above = warp_int::less(root, rest);
        const bool equal_rest = warp_int::equal(rest, root);
        const bool cut = (g.broadcast(all.words[0], 0) & 3u) != 0;
        const bool more = above || (equal_rest && cut);
        const Half found = (twice + (more ? 1 : 0)) >> shift;
        A root_of_a;
        lanes::relayout<A::limbs_per_lane, K, -unused / 2>(g, root_of_a.words, found.words);
        return select(width == 0, A(0), root_of_a);
    }
    return root_by_bits(a);
}

} // namespace warp_int

// The integer square root, floor(sqrt(a)), in a's type. Negative a: std::domain_error on a host, 0
// in device code.
template <WarpNumber A>
[[nodiscard]] WARPINT_HOST_DEVICE A isqrt(const A &a) {
    const bool negative = a.is_negative();
    if (negative)
        number::report_domain_error("warpint: square root of a negative number");
    const auto root = warp_int::square_root(warp_int::to<warp_int::unsigned_t<A>>(a));
    return warp_int::select(negative, A(0), warp_int::to<A>(root));
}
// The integer square root and the remainder, as {root, remainder}. Negative a: as for isqrt.
template <WarpNumber A>
[[nodiscard]] WARPINT_HOST_DEVICE SqrtRemResult<A> sqrt_rem(const A &a) {
    const A root = isqrt(a);
    const bool negative = a.is_negative();
    return {root, warp_int::select(negative, A(0), a - mul_low(root, root))};
}

} // namespace warpint
