// SPDX-License-Identifier: Apache-2.0
// Reduction modulo numbers of special shape that are known at compile time, over limb arrays:
//
//   pseudo-Mersenne   p = 2^k - c, c of one limb or B + one limb (Crandall, US patent 5159632; a
//                     Mersenne number is c = 1): x = high 2^k + low becomes low + c high
//   generalised Mersenne   p = 2^k - c, c a sum of few +-2^(G e) (Solinas, "Generalized Mersenne
//                     Numbers", CORR 99-39, 1999): each high piece of G bits becomes a few signed
//                     pieces; they are sorted into numbers of k bits that are added or subtracted
//
// Both take x < 2^(2k) and give the canonical remainder in constant time. A modulus is a template
// argument of type Constant.
//
//   Montgomery-friendly   p = -1 mod 2^(32 J), J >= 2, and generalised Mersenne: the lowest J limbs
//                     of x are the multiple of p that clears them, without a product (S. Gueron,
//                     V. Krasnov, "Fast prime field elliptic-curve cryptography with 256-bit
//                     primes", ePrint 2013/816). The result is Montgomery's, x / 2^k mod p.
#pragma once

#include "../product/multiply.h"
#include "modular_sum.h"

namespace warpint::arith {

// N limbs as a template argument.
template <int N, class LimbType>
struct Constant {
    using Limb = LimbType;
    static constexpr int size = N;
    Limb limbs[N];
};

// The limb type and number of a Constant that is a template argument, which compilers see as a
// value or as a reference.
template <auto p>
using LimbOf = typename std::remove_cvref_t<decltype(p)>::Limb;
template <auto p>
inline constexpr int size_of = std::remove_cvref_t<decltype(p)>::size;

// 2^k - p for a p of k bits that fills its N limbs (not all of the highest).
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr Constant<N, Limb> complement(Constant<N, Limb> p) {
    const int unused = N * limb::limb_bits<Limb> - bit_width<N>(p.limbs);
    Constant<N, Limb> c{};
    Limb carry = 1;
    for (int i = 0; i < N; ++i)
        c.limbs[i] = limb::add_carry(static_cast<Limb>(~p.limbs[i]), Limb{0}, carry);
    c.limbs[N - 1] = static_cast<Limb>(c.limbs[N - 1] & (static_cast<Limb>(~Limb{0}) >> unused));
    return c;
}

namespace detail {

// For assertions: whether a value as below is less than 2^shift p, shift 0 or 1: with 2^shift c
// more it is less than 2^(k + shift).
template <int K, int N, class Limb>
WARPINT_HOST_DEVICE constexpr bool fits_with_complement(const Limb *t, Limb top, const Limb *c,
                                                        int shift) {
    constexpr int used = K % limb::limb_bits<Limb>;
    Limb sum[N]{};
    Limb above = static_cast<Limb>(top + limb::add<N>(sum, t, c));
    if (shift != 0)
        above = static_cast<Limb>(above + limb::add<N>(sum, sum, c));
    if constexpr (used != 0)
        return above == 0 && (sum[N - 1] >> used) <= static_cast<Limb>(shift);
    return above <= static_cast<Limb>(shift);
}

// r = value mod p for value = (top : t), t of N limbs, below 2 p; on input the bits of t from k on,
// or top if t has no such bits, are what 2^k counts. Adding c = 2^k - p shows whether p is reached.
// The conditional subtraction of p is that addition, its bit k dropped.
template <int K, int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void subtract_by_complement(Limb *r, Limb *t, Limb top,
                                                                         const Limb *c) {
    constexpr int used = K % limb::limb_bits<Limb>;
    WARPINT_ASSERT(fits_with_complement<K, N>(t, top, c, 1));
    Limb sum[N]{};
    const Limb carry = limb::add<N>(sum, t, c);
    bool reached = false;
    if constexpr (used == 0) {
        reached = (top | carry) != 0;
    } else {
        reached = (sum[N - 1] >> used) != 0;
        sum[N - 1] = static_cast<Limb>(sum[N - 1] & ((Limb{1} << used) - 1u));
    }
    choose<N>(r, reached, sum, t);
    WARPINT_ASSERT(fits_with_complement<K, N>(r, Limb{0}, c, 0));
}

// v = low + (c0 + c1 B) high, c1 = 0 or 1; v has N + 2 limbs. By rows.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void
add_multiple_rows(Limb *v, const Limb *low, const Limb *high, Limb c0, bool c1) {
    v[N + 1] = 0;
    if (c0 == 1) {
        v[N] = limb::add<N>(v, low, high);
    } else {
        Limb carry = 0;
        WARPINT_UNROLL_HOST
        for (int i = 0; i < N; ++i)
            v[i] = limb::multiply_add(high[i], c0, low[i], carry);
        v[N] = carry;
    }
    if (c1)
        v[N + 1] = limb::add<N>(v + 1, v + 1, high);
}

// The same on two accumulators of alternate limbs (limb/chain.h); v has N + 3 limbs.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void
add_multiple_alternate(Limb *v, const Limb *low, const Limb *high, Limb c0, bool c1) {
    constexpr int n = N + N % 2;
    Limb factor[n + 1]{};
    Limb aligned[n]{};
    Limb shifted[n]{}; // counts one limb more
    copy<N>(factor, high);
    copy<N>(aligned, low);
    Limb upper[n]{};
    Limb shifted_top = 0;
    upper[n - 1] = limb::multiply_add_alternate<n>(aligned, factor, c0);
    if (c1) {
        copy<N>(shifted, high);
        shifted_top = limb::multiply_add_alternate<n>(shifted, factor + 1, c0);
    } else {
        limb::multiply_alternate<n>(shifted, factor + 1, c0);
    }
    copy<n - 1>(upper, aligned + 1);
    Limb sum[n]{};
    const Limb carry = limb::add<n>(sum, upper, shifted);
    v[0] = aligned[0];
    WARPINT_UNROLL(N + 1, limb::chain_limbs)
    for (int i = 1; i < N + 2; ++i)
        v[i] = i <= n ? sum[i <= n ? i - 1 : 0] : static_cast<Limb>(shifted_top + carry);
}

// low = x mod 2^K, high = x >> K, both of N = ceil(K / limb) limbs; x has 2 N.
template <int K, int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void split_at(Limb *low, Limb *high, const Limb *x) {
    constexpr int used = K % limb::limb_bits<Limb>;
    move<N>(low, x);
    if constexpr (used == 0) {
        move<N>(high, x + N);
    } else {
        low[N - 1] = static_cast<Limb>(low[N - 1] & ((Limb{1} << used) - 1u));
        WARPINT_UNROLL_HOST
        WARPINT_UNROLL(N, limb::chain_limbs)
        for (int i = 0; i < N; ++i)
            high[i] = funnel_right(x[N + i], x[N - 1 + i], used);
    }
}

} // namespace detail

// True for p = 2^k - c with c < B, or c in [B, 2 B), that fills its limbs, and small enough a c:
// c^2 + 2 c < 2^k.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr bool is_pseudo_mersenne(Constant<N, Limb> p) {
    const int k = bit_width<N>(p.limbs);
    const Constant<N, Limb> c = complement(p);
    if (k <= (N - 1) * limb::limb_bits<Limb>)
        return false;
    const int width = bit_width<N>(c.limbs);
    return width > 0 && 2 * width + 1 < k && width <= limb::limb_bits<Limb> + 1;
}

// r = x mod p for p = 2^K - c as above; x has 2 N limbs and is below 2^(2K). r may be x. Alternate
// chooses the order of the products.
template <auto p, bool Alternate>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void reduce_pseudo_mersenne(LimbOf<p> *r,
                                                                         const LimbOf<p> *x) {
    using Limb = LimbOf<p>;
    constexpr int N = size_of<p>;
    constexpr int K = bit_width<N>(p.limbs);
    constexpr int used = K % limb::limb_bits<Limb>;
    constexpr auto complement_of_p = complement(p);
    constexpr Limb c0 = complement_of_p.limbs[0];
    constexpr bool c1 = N > 1 && complement_of_p.limbs[N > 1 ? 1 : 0] != 0;
    static_assert(is_pseudo_mersenne(p));
    Limb low[N]{};
    Limb high[N]{};
    Limb v[N + 3]{};
    detail::split_at<K, N>(low, high, x);
    if constexpr (Alternate && c0 > 1) {
        detail::add_multiple_alternate<N>(v, low, high, c0, c1);
    } else {
        detail::add_multiple_rows<N>(v, low, high, c0, c1);
    }
    // v <= (2^K - 1) (1 + c): what exceeds K bits is at most c, two limbs if c is.
    constexpr int base = used == 0 ? N : N - 1;
    const Limb t0 = funnel_right(v[base + 1], v[base], used);
    const Limb t1 = c1 ? funnel_right(v[base + 2], v[base + 1], used) : Limb{0}; // 0 or 1
    WARPINT_ASSERT(t1 == Limb{c1} ? t0 <= c0 : t1 < Limb{c1});
    if constexpr (used != 0)
        v[N - 1] = static_cast<Limb>(v[N - 1] & ((Limb{1} << used) - 1u));
    // Again: v mod 2^K + t c < 2^K + c^2 < 2 p.
    Limb u[N + 2]{}; // t c
    if constexpr (c0 == 1) {
        u[0] = t0;
    } else {
        limb::multiply_wide(u[0], u[1], t0, c0);
    }
    if constexpr (c1) {
        Limb carry = 0;
        u[1] = limb::add_carry(u[1], t0, carry);
        u[2] = static_cast<Limb>(t1 + carry);
        carry = 0;
        u[1] = limb::add_carry(u[1], static_cast<Limb>(c0 & (Limb{0} - t1)), carry);
        u[2] = static_cast<Limb>(u[2] + carry);
    }
    const Limb top = limb::add<N>(v, v, u);
    Limb c[N]{};
    WARPINT_UNROLL_HOST
    WARPINT_UNROLL(N, limb::chain_limbs)
    for (int i = 0; i < N; ++i)
        c[i] = complement_of_p.limbs[i];
    detail::subtract_by_complement<K, N>(r, v, top, c);
}

// How x mod p is put together for p = 2^(G n) - c, c = sum of digits[j] 2^(G j) with small signed
// digits: high piece i counts matrix[i][j] times in column j. Layer l of the added (subtracted)
// numbers takes in column j the high piece added[l][j] (subtracted[l][j]), or nothing (-1).
template <int n>
struct SolinasForm {
    static constexpr int max_layers = 16;
    bool exists = false;
    int added_layers = 0;
    int subtracted_layers = 0;
    signed char digits[n]{};
    signed char added[max_layers][n]{};
    signed char subtracted[max_layers][n]{};
};

// The form for c given as n pieces of G bits; exists is false if c is not sparse or more than
// max_layers layers would be needed.
template <int G, int n>
WARPINT_HOST_DEVICE constexpr SolinasForm<n> solinas_form(const std::uint64_t *c, int max_layers) {
    SolinasForm<n> form{};
    if (max_layers > SolinasForm<n>::max_layers)
        max_layers = SolinasForm<n>::max_layers;
    // Signed digits of c: pieces near 2^G are negative, with a carry.
    std::uint64_t carry = 0;
    constexpr std::uint64_t limit = std::uint64_t{1} << G;
    for (int j = 0; j < n; ++j) {
        const std::uint64_t piece = c[j] + carry;
        if (piece <= 1) {
            form.digits[j] = static_cast<signed char>(piece);
            carry = 0;
        } else if (piece + 1 >= limit) {
            form.digits[j] = static_cast<signed char>(-static_cast<int>(limit - piece));
            carry = 1;
        } else {
            return form;
        }
    }
    // 2^(G n) is c, and each further piece is the one before times 2^G.
    int row[n]{};
    for (int j = 0; j < n; ++j)
        row[j] = form.digits[j];
    int added[n]{};
    int subtracted[n]{};
    for (int i = 0; i < n && carry == 0; ++i) {
        if (i > 0) {
            const int top = row[n - 1];
            for (int j = n - 1; j >= 0; --j)
                row[j] = (j > 0 ? row[j - 1] : 0) + top * form.digits[j];
        }
        for (int j = 0; j < n; ++j) {
            for (int times = row[j]; times != 0; times += times > 0 ? -1 : 1) {
                int &layers = times > 0 ? added[j] : subtracted[j];
                if (layers >= SolinasForm<n>::max_layers)
                    return form;
                (times > 0 ? form.added : form.subtracted)[layers][j] = static_cast<signed char>(i);
                ++layers;
            }
        }
    }
    for (int j = 0; j < n; ++j) {
        form.added_layers = added[j] > form.added_layers ? added[j] : form.added_layers;
        form.subtracted_layers =
            subtracted[j] > form.subtracted_layers ? subtracted[j] : form.subtracted_layers;
        for (int l = added[j]; l < SolinasForm<n>::max_layers; ++l)
            form.added[l][j] = -1;
        for (int l = subtracted[j]; l < SolinasForm<n>::max_layers; ++l)
            form.subtracted[l][j] = -1;
    }
    form.exists = carry == 0 && form.added_layers + form.subtracted_layers <= max_layers;
    return form;
}

// The form for p in pieces of G bits, a divisor of the limb's width. p fills its N limbs but for
// whole pieces.
template <auto p, int G>
WARPINT_HOST_DEVICE constexpr auto solinas_form_of(int max_layers) {
    using Limb = LimbOf<p>;
    constexpr int N = size_of<p>;
    constexpr int k = bit_width<N>(p.limbs);
    constexpr int n = k / G;
    constexpr int pieces = limb::limb_bits<Limb> / G;
    if constexpr (k % G != 0 || n < 2 || n > 64 || G * 4 > k * 2) {
        return SolinasForm<1>{};
    } else {
        constexpr auto c = complement(p);
        std::uint64_t piece[n]{};
        for (int j = 0; j < n; ++j) {
            piece[j] = c.limbs[j / pieces] >> (G * (j % pieces)) & ((std::uint64_t{1} << G) - 1u);
        }
        return solinas_form<G, n>(piece, max_layers);
    }
}

namespace detail {

// Limb i of the number whose piece j is high piece source[j] of x (pieces n and on), or 0.
template <int G, int n, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE Limb gather_limb(const Limb *x,
                                                              const signed char *source, int i) {
    constexpr int pieces = limb::limb_bits<Limb> / G;
    Limb r = 0;
    WARPINT_UNROLL_ALWAYS
    for (int q = 0; q < pieces; ++q) {
        const int j = i * pieces + q;
        if (j >= n || source[j < n ? j : 0] < 0)
            continue;
        const int from = n + source[j];
        if constexpr (pieces == 1) {
            r = x[from];
        } else {
            const Limb piece = static_cast<Limb>((x[from / pieces] >> (G * (from % pieces))) &
                                                 ((Limb{1} << (G % limb::limb_bits<Limb>)) - 1u));
            r = static_cast<Limb>(r | static_cast<Limb>(piece << (G * q)));
        }
    }
    return r;
}

// Limb i of the number whose piece j is t where digits[j] == sign, else 0. t < 2^G.
template <int G, int n, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE Limb spread_limb(Limb t, const signed char *digits,
                                                              int sign, int i) {
    constexpr int pieces = limb::limb_bits<Limb> / G;
    Limb r = 0;
    WARPINT_UNROLL_ALWAYS
    for (int q = 0; q < pieces; ++q) {
        const int j = i * pieces + q;
        if (j < n && digits[j < n ? j : 0] == sign)
            r = static_cast<Limb>(r | static_cast<Limb>(t << (G * q)));
    }
    return r;
}

// factor p as N + 1 limbs.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr Constant<N + 1, Limb> multiple_of(Constant<N, Limb> p, int factor) {
    Constant<N + 1, Limb> r{};
    Limb carry = 0;
    for (int i = 0; i < N; ++i)
        r.limbs[i] = limb::multiply_add(p.limbs[i], static_cast<Limb>(factor), Limb{0}, carry);
    r.limbs[N] = carry;
    return r;
}

} // namespace detail

// r = x mod p for a generalised Mersenne p with pieces of G bits; x has 2 N limbs and is below
// 2^(2K), K the width of p. r may be x.
template <auto p, int G>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void reduce_solinas(LimbOf<p> *r, const LimbOf<p> *x) {
    using Limb = LimbOf<p>;
    constexpr int N = size_of<p>;
    constexpr int K = bit_width<N>(p.limbs);
    constexpr int n = K / G;
    constexpr int used = K % limb::limb_bits<Limb>;
    constexpr auto form = solinas_form_of<p, G>(SolinasForm<1>::max_layers);
    static_assert(form.exists);
    // The sum is made positive by a multiple of p. It is less than layers 2^K, so that its part
    // from 2^K on, t < layers, counts c once more: 2^K + layers c < 2 p.
    constexpr int bias_factor = form.subtracted_layers + 1;
    constexpr int layers = 1 + form.added_layers + bias_factor;
    constexpr auto complement_of_p = complement(p);
    constexpr int spare = K - bit_width<N>(complement_of_p.limbs);
    static_assert(layers + 2 <= 1 << (spare < 8 ? spare : 8)); // (layers + 2) c < 2^K
    static_assert(layers <= 1 << (G < 8 ? G : 8));             // t is one piece
    constexpr auto bias = detail::multiple_of(p, bias_factor);
    Limb sum[N]{};
    Limb layer[N]{};
    Limb top = bias.limbs[N];
    WARPINT_UNROLL_ALWAYS
    for (int i = 0; i < N; ++i) {
        sum[i] = x[i];
        layer[i] = bias.limbs[i];
    }
    if constexpr (used != 0)
        sum[N - 1] = static_cast<Limb>(sum[N - 1] & ((Limb{1} << used) - 1u));
    top = static_cast<Limb>(top + limb::add<N>(sum, sum, layer));
    WARPINT_UNROLL_ALWAYS
    for (int l = 0; l < form.added_layers; ++l) {
        WARPINT_UNROLL_ALWAYS
        for (int i = 0; i < N; ++i)
            layer[i] = detail::gather_limb<G, n>(x, form.added[l], i);
        top = static_cast<Limb>(top + limb::add<N>(sum, sum, layer));
    }
    WARPINT_UNROLL_ALWAYS
    for (int l = 0; l < form.subtracted_layers; ++l) {
        WARPINT_UNROLL_ALWAYS
        for (int i = 0; i < N; ++i)
            layer[i] = detail::gather_limb<G, n>(x, form.subtracted[l], i);
        top = static_cast<Limb>(top - limb::sub<N>(sum, sum, layer));
    }
    Limb t = top;
    if constexpr (used != 0) {
        t = static_cast<Limb>(sum[N - 1] >> used);
        sum[N - 1] = static_cast<Limb>(sum[N - 1] & ((Limb{1} << used) - 1u));
    }
    WARPINT_ASSERT(t < layers);
    WARPINT_UNROLL_ALWAYS
    for (int i = 0; i < N; ++i)
        layer[i] = detail::spread_limb<G, n>(t, form.digits, 1, i);
    top = limb::add<N>(sum, sum, layer);
    WARPINT_UNROLL_ALWAYS
    for (int i = 0; i < N; ++i)
        layer[i] = detail::spread_limb<G, n>(t, form.digits, -1, i);
    top = static_cast<Limb>(top - limb::sub<N>(sum, sum, layer));
    WARPINT_UNROLL_ALWAYS
    for (int i = 0; i < N; ++i)
        layer[i] = complement_of_p.limbs[i];
    detail::subtract_by_complement<K, N>(r, sum, top, layer);
}

// Limbs J of a Montgomery-friendly p, or 0 if it is not: p = 2^(32 N) - c, N even, where c has
// signed digits -1, 0, 1 in limbs, digit 0 is 1, and the next that is not zero is digit J.
template <auto p>
WARPINT_HOST_DEVICE constexpr int friendly_limbs() {
    constexpr int N = size_of<p>;
    if constexpr (limb::limb_bits<LimbOf<p>> != 32 || N % 2 != 0 || N < 4 ||
                  bit_width<N>(p.limbs) != 32 * N) {
        return 0;
    } else {
        constexpr auto form = solinas_form_of<p, 32>(SolinasForm<1>::max_layers);
        if constexpr (!form.exists || form.digits[0] != 1) {
            return 0;
        } else {
            int next = 1;
            while (next < N && form.digits[next] == 0)
                ++next;
            return next >= 2 ? next : 0;
        }
    }
}

// Whether a Montgomery-friendly p takes fewer instructions so than by layers: a product modulo that
// of P-256 has 157 in place of 236 for sm_90. Their times are not measured.
template <auto p>
WARPINT_HOST_DEVICE constexpr bool prefers_friendly() {
    constexpr int many_layers = 9;
    if constexpr (friendly_limbs<p>() == 0) {
        return false;
    } else {
        constexpr auto form = solinas_form_of<p, 32>(SolinasForm<1>::max_layers);
        return form.added_layers + form.subtracted_layers >= many_layers;
    }
}

namespace detail {

// w += sign q 2^(32 Position) for q of Count limbs, modulo 2^(32 N). The limbs of w from Filled on
// are zero.
template <int N, int Count, int Position, int Filled, int Sign, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void add_at(Limb *w, const Limb *q) {
    if constexpr (Sign > 0 && Position >= Filled) {
        WARPINT_UNROLL_ALWAYS
        for (int i = 0; i < Count; ++i)
            w[Position + i] = q[i];
    } else {
        Limb term[N - Position]{};
        copy<Count>(term, q);
        if constexpr (Sign > 0) {
            limb::add<N - Position>(w + Position, w + Position, term);
        } else {
            limb::sub<N - Position>(w + Position, w + Position, term);
        }
    }
}

// w += the terms of q (p + 1) / 2^(32 Count) with this sign, from digit Digit of c on.
template <auto p, int Count, int Sign, int Digit, int Filled, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void add_terms(Limb *w, const Limb *q) {
    constexpr int N = size_of<p>;
    constexpr auto form = solinas_form_of<p, 32>(SolinasForm<1>::max_layers);
    if constexpr (Digit <= N) {
        constexpr int digit = Digit == N ? -1 : form.digits[Digit < N ? Digit : 0];
        if constexpr (digit == -Sign) {
            add_at<N, Count, Digit - Count, Filled, Sign>(w, q);
            add_terms<p, Count, Sign, Digit + 1, Digit>(w, q);
        } else {
            add_terms<p, Count, Sign, Digit + 1, Filled>(w, q);
        }
    }
}

// Clears limbs of t from At on by adding a multiple of p; carries out of t's 2 N limbs go to top.
template <auto p, int At, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void clear_lowest(Limb *t, Limb &top) {
    constexpr int N = size_of<p>;
    if constexpr (At < N) {
        constexpr int J = friendly_limbs<p>();
        constexpr int count = J < N - At ? J : N - At;
        // q p = q (p + 1) - q; w = q (p + 1) / 2^(32 count) < 2^(32 N) is zero below limb J -
        // count.
        Limb q[count]{};
        copy<count>(q, t + At);
        Limb w[N]{};
        add_terms<p, count, 1, J, 0>(w, q);
        add_terms<p, count, -1, J, N>(w, q);
        constexpr int length = 2 * N - At - J;
        Limb term[length]{};
        copy<(length < N - J + count ? length : N - J + count)>(term, w + J - count);
        top = static_cast<Limb>(top + limb::add<length>(t + At + J, t + At + J, term));
        clear_lowest<p, At + count>(t, top);
    }
}

} // namespace detail

// r = x / 2^(32 N) mod p for a Montgomery-friendly p; x has 2 N limbs and is below 2^(32 N) p. r
// may be x.
template <auto p>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void reduce_friendly(LimbOf<p> *r,
                                                                  const LimbOf<p> *x) {
    using Limb = LimbOf<p>;
    constexpr int N = size_of<p>;
    static_assert(friendly_limbs<p>() != 0);
    constexpr auto complement_of_p = complement(p);
    Limb t[2 * N]{};
    copy<2 * N>(t, x);
    Limb top = 0;
    detail::clear_lowest<p, 0>(t, top);
    Limb c[N]{};
    copy<N>(c, complement_of_p.limbs);
    // The sum is below 2^(32 N) 2 p.
    detail::subtract_by_complement<32 * N, N>(r, t + N, top, c);
}

} // namespace warpint::arith
