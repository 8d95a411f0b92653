// SPDX-License-Identifier: Apache-2.0
// What a modulus gives for a reduction by folding (fold.h): derived for one product, or prepared
// for many.
#pragma once

#include "fold_rows.h"

namespace warpint::arith {

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

// What a modulus gives for its folds.
template <int N, class Limb>
struct FoldModulus {
    TopReciprocal<Limb> top;
    Limb f[N];
    int places; // z: leading zero limbs
};

// Leading zero limbs of m, whose limbs without them go to r.
template <int N, class Limb, class M>
WARPINT_HOST_DEVICE constexpr WARPINT_DEVICE_INLINE int load_aligned(Limb *r, const M &m) {
    m(r, 0);
    if (r[N - 1] != 0)
        return 0;
    const int places = leading_zero_limbs<N>(r);
    m(r, places);
    return places;
}

// For M = m B^places without leading zero limbs.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_DEVICE_INLINE FoldModulus<N, Limb> prepare_fold(const Limb *m,
                                                                                      int places) {
    FoldModulus<N, Limb> prepared{};
    prepared.places = places;
    prepared.top = top_reciprocal<N>(m);
    if constexpr (N > 1)
        fold_constant<N>(prepared.f, prepared.top, m);
    return prepared;
}
template <int N, class Limb, class M>
WARPINT_HOST_DEVICE constexpr WARPINT_DEVICE_INLINE FoldModulus<N, Limb> load_fold(const M &m) {
    Limb limbs[N]{};
    const int places = load_aligned<N>(limbs, m);
    return prepare_fold<N>(&limbs[0], places);
}

// The digit at B^2 of u in N + 2 limbs, as quotient_digit<N, 2, true>. Below 2 B^N, and so by a
// modulus with its top bit set, it is 0 or 1 and no product.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_DEVICE_INLINE Limb
highest_digit(Limb *u, const Limb *negative_m, const TopReciprocal<Limb> &r) {
    if (r.shift != 0)
        return quotient_digit<N, 2, true>(u, negative_m, r);
    Limb less[N]{};
    const Limb reached = limb::add<N>(less, u + 2, negative_m);
    select<N>(u + 2, reached != 0, less, u + 2);
    WARPINT_ASSERT(is_remainder<N>(u + 2, negative_m));
    return reached;
}

// r = B^N - m B^places.
template <int N, class Limb, class M>
WARPINT_HOST_DEVICE constexpr WARPINT_DEVICE_INLINE void load_negative(Limb *r, const M &m,
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

namespace detail {

// quotient_digit() of the limbs from `place` on, out of line: what is prepared once need not be
// fast, so five copies need not be compiled. The digit is the same where N >= 3: then no limb below
// `place` is looked at.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_NOINLINE Limb outlined_digit(Limb *u, const Limb *negative_m,
                                                                   const TopReciprocal<Limb> &r) {
    return quotient_digit<N, 0, false>(u, negative_m, r);
}
template <int N, int Place, class Limb>
WARPINT_HOST_DEVICE constexpr Limb prepared_digit(Limb *u, const Limb *negative_m,
                                                  const TopReciprocal<Limb> &r) {
    if constexpr (N >= 3) {
        return outlined_digit<N>(u + Place, negative_m, r);
    } else {
        return quotient_digit<N, Place, false>(u, negative_m, r);
    }
}

} // namespace detail

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
    detail::prepared_digit<N, 1>(&power[0], prepared.negative_m, prepared.fold.top);
    detail::prepared_digit<N, 0>(&power[0], prepared.negative_m, prepared.fold.top);
    copy<N>(prepared.last_f, power);
    Limb d[N]{};
    modulus(&d[0], prepared.fold.places);
    detail::shift_short<N>(d, d, prepared.fold.top.shift);
    const auto top = top_reciprocal<N>(&d[0]);
    Limb rest[N + 3]{}; // B^(N + 3) - 1 - D B^3
    for (int i = 0; i < N + 3; ++i)
        rest[i] = static_cast<Limb>(i < 3 ? ~Limb{0} : ~d[i - 3]);
    detail::negate<N>(d, d);
    prepared.reciprocal[2] = detail::prepared_digit<N, 2>(&rest[0], d, top);
    prepared.reciprocal[1] = detail::prepared_digit<N, 1>(&rest[0], d, top);
    prepared.reciprocal[0] = detail::prepared_digit<N, 0>(&rest[0], d, top);
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

// r = 2 D, N + 1 limbs.
template <int N, class Limb, class M>
WARPINT_HOST_DEVICE constexpr WARPINT_DEVICE_INLINE void twice_normalised(Limb *r, const M &m) {
    Limb d[N]{};
    load_aligned<N>(d, m);
    shift_short<N>(d, d, limb::countl_zero(d[N - 1]) & (limb::limb_bits<Limb> - 1));
    r[N] = limb::add<N>(r, d, d);
}
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_DEVICE_INLINE void
twice_normalised(Limb *r, const PreparedFold<N, Limb> &m) {
    Limb d[N]{};
    negate<N>(d, m.negative_m);
    shift_short<N>(d, d, m.fold.top.shift);
    r[N] = limb::add<N>(r, d, d);
}

} // namespace detail

} // namespace warpint::arith
