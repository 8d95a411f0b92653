// SPDX-License-Identifier: Apache-2.0
// Quotient digits in registers: a digit of one limb from a reciprocal of two limbs of the divisor's
// top, and rows of products with every index known at compile time. The digit is right but about
// once in B / 7 times, when it is one too small; the remainder shows which, so that a digit never
// fails. Runs on GPUs with 32-bit limbs; the same text runs with 32- and 8-bit limbs on hosts, for
// tests. B is the number of values of a limb. Variable time.
#pragma once

#include "../../../limb/chain.h"
#include "../../../limb/float_reciprocal.h"
#include "../linear.h"
#include "../tuning.h"

namespace warpint::arith {

// What a divisor M of N limbs with a top limb other than 0 gives for its digits. D = M << shift has
// its top bit set and (d1, d0) are its top limbs; K = B^2 + k1 B + k0 is floor((B^(N + 2) - 1) / D)
// or one less.
template <class Limb>
struct TopReciprocal {
    Limb k1;
    Limb k0;
    Limb d1;
    Limb d0;
    int shift;
};

namespace detail {

template <class Limb>
struct LimbPair {
    Limb high;
    Limb low;
};

// The high limb of a b.
template <class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE Limb multiply_high_limb(Limb a, Limb b) {
    using Wide = limb::double_limb_t<Limb>;
    return static_cast<Limb>((static_cast<Wide>(a) * b) >> limb::limb_bits<Limb>);
}

// K - B^2 for D that begins with the limbs d2, d1, d0; d2 >= B / 2. 32-bit limbs: two steps of
// Newton's iteration from a float, everything rounded down. With y = B^N / D in (1, 2]:
//   y0, units of 2^-31: below y by at most 1.5 2^-21 y, as the float, its reciprocal, the constant
//   2^63 (1 - 2^-21) and the product are rounded
//   y1 = y0 (1 + e0), units of 2^-63, e0 = 1 - D y0 / B^N < 2^-20
//   K = y1 (1 + e1 + e1^2), units of 2^-64, e1 = 1 - D y1 / B^N < 2^-40
// K below B^2, where D is next to B^N, becomes B^2.
WARPINT_HOST_DEVICE constexpr WARPINT_DEVICE_INLINE LimbPair<std::uint32_t>
two_limb_reciprocal(std::uint32_t d2, std::uint32_t d1, std::uint32_t d0) {
    using u32 = std::uint32_t;
    using u64 = std::uint64_t;
    constexpr float scale = 9223367638808264704.0f;
    const u32 y0 = static_cast<u32>(scale * limb::float_reciprocal(static_cast<float>(d2)));
    const u64 e0 = (u64{1} << 63) - (u64{d2} * y0 + multiply_high_limb(d1, y0)) - 2; // < 2^43
    const u64 y1 = (u64{y0} << 32) + ((u64{y0} * static_cast<u32>(e0 >> 12)) >> 19);
    const u32 y1_high = static_cast<u32>(y1 >> 32);
    const u32 y1_low = static_cast<u32>(y1);
    // e1 in units of 2^-95, modulo 2^64; what is left out below is less than 4 units.
    const u64 d_y1 = u64{d1} * y1_high + u64{d2} * y1_low + multiply_high_limb(d0, y1_high) +
                     multiply_high_limb(d1, y1_low) + (u64{static_cast<u32>(d2 * y1_high)} << 32);
    const u64 e1 = u64{0} - d_y1 - 4;
    const u32 e1_high = static_cast<u32>(e1 >> 32);
    const u32 e1_low = static_cast<u32>(e1);
    u64 c = u64{y1_high} * e1_high + multiply_high_limb(y1_high, e1_low) +
            multiply_high_limb(y1_low, e1_high); // y1 e1 in units of 2^-94
    c += (u64{static_cast<u32>(c >> 32)} * e1_high) >> 31;
    c >>= 30;
    const u64 k = (y1 << 1) + c;
    const bool reached = (y1 >> 63) != 0 || k < c;
    return {reached ? static_cast<u32>(k >> 32) : 0, reached ? static_cast<u32>(k) : 0};
}
// 8-bit limbs: from the three limbs alone.
WARPINT_HOST_DEVICE constexpr WARPINT_DEVICE_INLINE LimbPair<std::uint8_t>
two_limb_reciprocal(std::uint8_t d2, std::uint8_t d1, std::uint8_t d0) {
    const std::uint64_t top = (std::uint64_t{d2} << 16 | std::uint64_t{d1} << 8 | d0) + 1;
    const std::uint64_t quotient = ((std::uint64_t{1} << 40) - 1) / top;
    const std::uint64_t k = quotient < 65536 ? 0 : quotient - 65536;
    return {static_cast<std::uint8_t>(k >> 8), static_cast<std::uint8_t>(k)};
}

// u[i], 0 below the number.
template <int I, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE Limb limb_at([[maybe_unused]] const Limb *u) {
    if constexpr (I >= 0) {
        return u[I];
    } else {
        return Limb{0};
    }
}

// sum += b times the limbs First, First + 2, .. of a where they stand, cut off at Last limbs;
// leaves the carry in the chain.
template <int N, int First, int Last = N + 1, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_DEVICE_INLINE void
add_pairs(limb::Chain<Limb> &chain, Limb *sum, const Limb *a, Limb b) {
    WARPINT_UNROLL(N, limb::chain_limbs)
    for (int i = First; i < N; i += 2) {
        sum[i] = chain.add_low(a[i], b, sum[i], i == First);
        if (i + 1 < Last)
            sum[i + 1] = chain.add_high(a[i], b, sum[i + 1]);
    }
}

// (high : low) += a y B^J over N limbs of a, in the two accumulators `even` and `odd` of limb pairs
// at even and at odd places, cut off at Last limbs: every product is one wide multiply-add on an
// aligned pair. What is carried out of an accumulator goes to its next limb, which must be able to
// take it unless it is the last: limb J + N of the one, and of the other (`Full`: if its top pair
// may be occupied) limb J + N + 1. (The even/odd scheme of Emmart, Luitjens, Weems and Woolley,
// ARITH 2016.)
template <int N, int J, int Last, bool Full, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_DEVICE_INLINE void add_split_row(Limb *even, Limb *odd,
                                                                       const Limb *a, Limb y) {
    constexpr bool top_is_even = (N - 1 + J) % 2 == 0;
    Limb *const top = top_is_even ? even : odd; // ends with the pair of a[N - 1]
    Limb *const other = top_is_even ? odd : even;
    constexpr int first = (N - 1) % 2;
    limb::Chain<Limb> chain;
    add_pairs<N, first, Last - J>(chain, top + J, a, y);
    if constexpr (Full && J + N + 1 < Last) {
        const Limb before = top[J + N + 1];
        top[J + N + 1] = chain.end(before);
        WARPINT_ASSERT(J + N + 2 == Last || top[J + N + 1] >= before);
    }
    if constexpr (N > 1) {
        add_pairs<N, 1 - first, Last - J>(chain, other + J, a, y);
        if constexpr (J + N < Last) {
            const Limb before = other[J + N];
            other[J + N] = chain.end(before);
            WARPINT_ASSERT(J + N + 1 == Last || other[J + N] >= before);
        }
    }
}

// u += f q B^J over the N limbs of f; the carry runs on through Beyond >= 1 limbs, to u[J + N +
// Beyond - 1]. Returns what is carried out (0 or 1).
template <int N, int J, int Beyond, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_DEVICE_INLINE Limb add_multiple(Limb *u, const Limb *f,
                                                                      Limb q) {
    constexpr int first = J % 2; // products of limbs i = J modulo 2 are added in place, in pairs
    constexpr int other = 1 - first;
    constexpr int in_place_end = first + (N - first + 1) / 2 * 2; // where their carry belongs
    constexpr int apart_end = other + (N - other + 1) / 2 * 2;
    limb::Chain<Limb> chain;
    Limb carry = 0;
    if constexpr (first < N) {
        add_pairs<N, first>(chain, u + J, f, q);
        carry = chain.end(Limb{0});
    }
    Limb apart[N + 2]{}; // the other products
    WARPINT_UNROLL(N, limb::chain_limbs)
    for (int i = other; i < N; i += 2)
        limb::multiply_wide(apart[i], apart[i + 1], f[i], q);
    if constexpr (in_place_end < apart_end) {
        apart[in_place_end] = static_cast<Limb>(apart[in_place_end] + carry); // at most B - 1
    } else if constexpr (in_place_end < N + 2) {
        apart[in_place_end] = carry;
    }
    WARPINT_UNROLL(N + Beyond, limb::chain_limbs)
    for (int p = other; p < N + Beyond; ++p)
        u[J + p] = chain.add(u[J + p], p < N + 2 ? apart[p] : Limb{0}, p == other);
    return chain.end(in_place_end == N + Beyond ? carry : Limb{0});
}

// Leading zero limbs; N - 1 at most.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE int leading_zero_limbs(const Limb *m) {
    int places = N - 1;
    WARPINT_UNROLL(N, register_limbs)
    for (int i = 1; i < N; ++i)
        places = m[i] != 0 ? N - 1 - i : places;
    return places;
}

// For assertions: whether u < M, given B^N - M.
template <int N, class Limb>
WARPINT_HOST_DEVICE WARPINT_NOINLINE constexpr bool is_remainder(const Limb *u,
                                                                 const Limb *negative_m) {
    Limb sum[N]{};
    return limb::add<N>(sum, u, negative_m) == 0;
}

// r = B^N - a.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void negate(Limb *r, const Limb *a) {
    const Limb zero[N]{};
    limb::sub<N>(r, zero, a);
}

} // namespace detail

// On input: m[N - 1] != 0.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_DEVICE_INLINE TopReciprocal<Limb>
top_reciprocal(const Limb *m) {
    const int shift = limb::countl_zero(m[N - 1]) & (limb::limb_bits<Limb> - 1);
    const Limb m1 = detail::limb_at<N - 2>(m);
    const Limb m2 = detail::limb_at<N - 3>(m);
    const Limb d2 = funnel_left(m[N - 1], m1, shift);
    const Limb d1 = funnel_left(m1, m2, shift);
    const Limb d0 = funnel_left(m2, detail::limb_at<N - 4>(m), shift);
    const auto k = detail::two_limb_reciprocal(d2, d1, d0);
    return {k.high, k.low, d2, d1, shift};
}

// One quotient digit: returns floor(u / (M B^T)) for u below M B^(T + 1), which becomes u mod M
// B^T. u has N + T + 1 limbs, of which the top one counts as 0 on input if Top; on output it is
// undefined. On input: negative_m = B^N - M, r = top_reciprocal of M.
//
// With h the top two limbs of u << shift, G = h + h (K - B^2) / B^2 is h K / B^2; h and K and G are
// rounded down, by less than 1 (times 2), 2 and 3 units, so that Q B - 7 <= G <= Q B for the real
// quotient Q, and floor(G / B) is the digit or one less. The remainder is then below 2 M, and M or
// more only if its top two limbs, shifted, are not below those of D: seldom, unless the division is
// exact.
template <int N, int T, bool Top, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_DEVICE_INLINE Limb
quotient_digit(Limb *u, const Limb *negative_m, const TopReciprocal<Limb> &r) {
    using Wide = limb::double_limb_t<Limb>;
    constexpr int bits = limb::limb_bits<Limb>;
    if constexpr (Top)
        u[N + T] = 0;
    WARPINT_ASSERT(detail::is_remainder<N>(u + T + 1, negative_m));
    const Limb w1 = u[N + T - 1];
    const Limb h1 = funnel_left(u[N + T], w1, r.shift);
    const Limb h0 = funnel_left(w1, detail::limb_at<N + T - 2>(u), r.shift);
    const Wide h = static_cast<Wide>(static_cast<Wide>(h1) << bits | h0);
    const Wide g = static_cast<Wide>(h + static_cast<Wide>(static_cast<Wide>(h1) * r.k1) +
                                     detail::multiply_high_limb(h1, r.k0) +
                                     detail::multiply_high_limb(h0, r.k1));
    Limb q = static_cast<Limb>(g >> bits);
    detail::add_multiple<N, T, 1>(u, negative_m, q);
    const Limb top = static_cast<Limb>(u[N + T] - q); // 1 or 0
    const Limb r1 = u[N + T - 1];
    const Limb r0 = detail::limb_at<N + T - 2>(u);
    const Limb over = static_cast<Limb>(top | funnel_left(Limb{0}, r1, r.shift));
    const Wide rest = static_cast<Wide>(static_cast<Wide>(funnel_left(r1, r0, r.shift)) << bits |
                                        funnel_left(r0, detail::limb_at<N + T - 3>(u), r.shift));
    if (over != 0 || rest >= static_cast<Wide>(static_cast<Wide>(r.d1) << bits | r.d0)) {
        Limb less[N]{};
        const Limb carry = limb::add<N>(less, u + T, negative_m);
        if ((top | carry) != 0) {
            ++q;
            copy<N>(u + T, less);
        }
    }
    WARPINT_ASSERT(detail::is_remainder<N>(u + T, negative_m));
    return q;
}

} // namespace warpint::arith
