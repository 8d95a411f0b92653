// SPDX-License-Identifier: Apache-2.0
// Modular functions of numbers over lanes. Operands may be unreduced or negative. The modulus is
// any number >= 1, odd or even. Results lie in [0, m). Variable time. A modulus of 0:
// std::domain_error on a host, 0 in device code.
#pragma once

#include "../../arith/lanes/modular.h"
#include "../modular/fixed_base.h"
#include "bits.h"

namespace warpint {

namespace warp_int {

// x mod m in [0, m).
template <class X, class M>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE M reduce(const X &x, const M &m) {
    if constexpr (WARPINT_DEVICE_PASS == 0) {
        if (!static_cast<bool>(m))
            number::report_domain_error("warpint: modulus 0");
    }
    return x % m;
}

// Unsigned operands of no more bits than the modulus.
template <class M, class... T>
inline constexpr bool fit_modulus = ((!number::signed_of<number::big_t<scalar_t<T>>> &&
                                      number::bits_of<number::big_t<scalar_t<T>>> <= M::bits) &&
                                     ...);

// a b, a b + c or a b - c mod m.
template <arith::FoldTerm term, class M>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE M fold_product(const M &a, const M &b, const M &c,
                                                         const M &m) {
    M r;
    lanes::multiply_modulo<M::limbs_per_lane, M::limb_count, term>(
        typename M::group{}, r.words, a.words, b.words, c.words, m.words);
    const bool exists = static_cast<bool>(m);
    if (!exists)
        number::report_domain_error("warpint: modulus 0");
    return select(exists, r, M(0));
}

} // namespace warp_int

// The product modulo m (sqrmod: the square), reduced while it is computed: faster than a * b % m.
template <number::Held A, number::Held B, WarpNumber M>
[[nodiscard]] WARPINT_HOST_DEVICE M mulmod(const A &a, const B &b, const M &m) {
    static_assert(!M::is_signed, "the modulus must be unsigned");
    const auto x = warp_int::as_number<A, M>(a);
    const auto y = warp_int::as_number<B, M>(b);
    if constexpr (warp_int::fit_modulus<M, A, B>) {
        const M u = warp_int::to<M>(x);
        const M v = warp_int::to<M>(y);
        if constexpr (M::lanes == 1) { // on GPUs as in one thread, where that is there
            using Plain = typename M::plain;
            if constexpr (WARPINT_DEVICE_PASS && number::detail::folds_modulo<Plain, Plain, Plain>)
                return M(
                    mulmod(static_cast<Plain>(u), static_cast<Plain>(v), static_cast<Plain>(m)));
        }
        return warp_int::fold_product<arith::FoldTerm::none>(u, v, u, m);
    } else {
        return (x * y) % m;
    }
}
template <number::Held A, WarpNumber M>
[[nodiscard]] WARPINT_HOST_DEVICE M sqrmod(const A &a, const M &m) {
    return mulmod(a, a, m);
}
// The sum (addmod) or difference (submod) modulo m.
template <number::Held A, number::Held B, WarpNumber M>
[[nodiscard]] WARPINT_HOST_DEVICE M addmod(const A &a, const B &b, const M &m) {
    static_assert(!M::is_signed, "the modulus must be unsigned");
    using Exact = warp_int::exact_sum_t<A, B, M>;
    return (warp_int::to<Exact>(a) + warp_int::to<Exact>(b)) % m;
}
template <number::Held A, number::Held B, WarpNumber M>
[[nodiscard]] WARPINT_HOST_DEVICE M submod(const A &a, const B &b, const M &m) {
    static_assert(!M::is_signed, "the modulus must be unsigned");
    using Exact = warp_int::exact_sum_t<A, B, M>;
    return (warp_int::to<Exact>(a) - warp_int::to<Exact>(b)) % m;
}

// Fused: muladdmod is (a b + c) mod m or (a b + c d) mod m; mulsubmod is (a b - c) mod m or (a b -
// c d) mod m.
template <number::Held A, number::Held B, number::Held C, WarpNumber M>
[[nodiscard]] WARPINT_HOST_DEVICE M muladdmod(const A &a, const B &b, const C &c, const M &m) {
    if constexpr (M::lanes > 1 && warp_int::fit_modulus<M, A, B, C>) {
        return warp_int::fold_product<arith::FoldTerm::plus>(warp_int::to<M>(a), warp_int::to<M>(b),
                                                             warp_int::to<M>(c), m);
    } else {
        return addmod(mulmod(a, b, m), c, m);
    }
}
template <number::Held A, number::Held B, number::Held C, WarpNumber M>
[[nodiscard]] WARPINT_HOST_DEVICE M mulsubmod(const A &a, const B &b, const C &c, const M &m) {
    if constexpr (M::lanes > 1 && warp_int::fit_modulus<M, A, B, C>) {
        return warp_int::fold_product<arith::FoldTerm::minus>(
            warp_int::to<M>(a), warp_int::to<M>(b), warp_int::to<M>(c), m);
    } else {
        return submod(mulmod(a, b, m), c, m);
    }
}
template <number::Held A, number::Held B, number::Held C, number::Held D, WarpNumber M>
[[nodiscard]] WARPINT_HOST_DEVICE M muladdmod(const A &a, const B &b, const C &c, const D &d,
                                              const M &m) {
    return addmod(mulmod(a, b, m), mulmod(c, d, m), m);
}
template <number::Held A, number::Held B, number::Held C, number::Held D, WarpNumber M>
[[nodiscard]] WARPINT_HOST_DEVICE M mulsubmod(const A &a, const B &b, const C &c, const D &d,
                                              const M &m) {
    return submod(mulmod(a, b, m), mulmod(c, d, m), m);
}

namespace warp_int {

// A number of at most m's bits that is a modulo m: a itself where it has no more.
template <class A, class M>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE M power_base(const A &a, const M &m) {
    const auto x = as_number<A, M>(a);
    if constexpr (fit_modulus<M, A>) {
        return to<M>(x);
    } else {
        return remainder<Code::called>(x, m);
    }
}
// The exponent, which a number or a schedule that all share says, over the lanes of T.
template <class T, number::Held E>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE auto exponent_of(const E &e) {
    return as_number<E, T>(e);
}
template <class T, int E>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE auto
exponent_of(const arith::PowerSchedule<E> &schedule) {
    BigInt<E> plain;
    for (int i = 0; i < BigInt<E>::limb_count; ++i)
        plain.limbs[i] = schedule.limbs[i];
    return number::like_t<BigInt<E>, T>(plain);
}

} // namespace warp_int

// The power a^e mod m; 0^0 is 1 mod m. A negative e: std::domain_error on a host, 0 in device code.
template <number::Held A, number::Held E, WarpNumber M>
[[nodiscard]] WARPINT_HOST_DEVICE M pow(const A &a, const E &e, const M &m) {
    static_assert(!M::is_signed, "the modulus must be unsigned");
    const M base = warp_int::power_base(a, m);
    const auto exponent = warp_int::exponent_of<M>(e);
    using Exponent = std::remove_const_t<decltype(exponent)>;
    M r;
    lanes::power_modulo<M::limbs_per_lane, lanes::power_window(M::limbs_per_lane, Exponent::bits),
                        Exponent::limbs_per_lane,
                        lanes::short_rows<M::limbs_per_lane, M::lanes, M::bits>>(
        typename M::group{}, r.words, base.words, exponent.words, m.words);
    const bool exists = static_cast<bool>(m);
    if (!exists)
        number::report_domain_error("warpint: modulus 0");
    const bool negative = exponent.is_negative();
    if (negative)
        number::report_domain_error("warpint: pow with a negative exponent");
    return warp_int::select(exists && !negative, r, M(0));
}

// The same for an exponent that all numbers share, recoded once with a window of at most
// schedule_window().
template <number::Held A, int E, WarpNumber M>
[[nodiscard]] WARPINT_HOST_DEVICE M pow(const A &a, const arith::PowerSchedule<E> &schedule,
                                        const M &m) {
    const M base = warp_int::power_base(a, m);
    const auto exponent = warp_int::exponent_of<M>(schedule);
    constexpr int window = number::schedule_window(E, Modulus<M::bits>::limb_count, true);
    M r;
    lanes::power_modulo_by_steps<M::limbs_per_lane, window, decltype(exponent)::limbs_per_lane,
                                 lanes::short_rows<M::limbs_per_lane, M::lanes, M::bits>>(
        typename M::group{}, r.words, base.words, exponent.words,
        arith::ScheduledSteps<E>{schedule}, schedule.window, m.words);
    return warp_int::select(static_cast<bool>(m), r, M(0));
}

namespace warp_int {

// The n limbs of a number that lies in memory for all: every lane reads its own.
template <class T, int n>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE T limbs_in_memory(const std::uint32_t *limbs) {
    const typename T::group g;
    const std::uint32_t *const memory = g.as_memory(limbs);
    T r;
    WARPINT_UNROLL(T::limbs_per_lane, T::limbs_per_lane)
    for (int i = 0; i < T::limbs_per_lane; ++i)
        r.words[i] = g.template load_limb<T::limbs_per_lane>(memory, n, i, 0u);
    return r;
}

} // namespace warp_int

namespace number {

// The power of one base for all numbers, e < 2^ExponentBits, modulo its modulus.
template <int Bits, int ExponentBits, WarpNumber E>
[[nodiscard]] WARPINT_HOST_DEVICE auto power_of_base(const TabledBase<Bits, ExponentBits> &base,
                                                     const E &e) {
    static_assert(!E::is_signed);
    using Comb = typename TabledBase<Bits, ExponentBits>::Comb;
    constexpr int n = Comb::limb_count;
    using Form = like_t<BigInt<32 * n>, E>;
    constexpr int K = Form::limbs_per_lane;
    constexpr int KE = E::limbs_per_lane;
    // The forms are those of hosts, with R = 2^(32 n).
    constexpr int rows = n == K * Form::lanes ? 0 : n;
    using Group = typename Form::group;
    using word = typename Form::word;
    const Group g;
    const Modulus<Bits> &m = base.modulus();
    const Form odd = warp_int::limbs_in_memory<Form, n>(m.odd_part().modulus);
    word exponent[KE]; // read at run-time places
    lanes::copy<KE>(exponent, e.words);
    const auto bit = [&](int position) WARPINT_INLINE_LAMBDA {
        const int place = position / 32;
        if (place >= KE * E::lanes) // the same in all lanes
            return 0;
        const std::uint32_t limb = g.broadcast(exponent[place % KE], place / KE);
        return static_cast<int>(limb >> (position % 32) & 1u);
    };
    const std::uint32_t *const table = base.table();
    Form r;
    lanes::power_by_comb<K, rows, rows == 0 || Bits + 2 <= 32 * n>(
        g, r.words, Comb::tables, Comb::columns,
        [&](word *x, int part, int k) WARPINT_INLINE_LAMBDA {
            const int index =
                arith::comb_entry<Comb::teeth>(bit, Comb::tables, Comb::columns, part, k);
            lanes::load<K, n>(g, x, table + static_cast<std::size_t>(index) * n);
        },
        odd.words);
    if (m.zeros() != 0) {
        lanes::Words<KE, Group> words;
        lanes::copy<KE>(words.words, e.words);
        r = warp_int::number_of<Form>(lanes::detail::power_of_even_modulus<K, KE>(
            g, warp_int::words_of(r), warp_int::words_of(odd), m.zeros(),
            warp_int::words_of(
                warp_int::limbs_in_memory<Form, BigInt<Bits>::limb_count>(base.base().limbs)),
            words));
    }
    return number::to<like_t<BigInt<Bits>, E>>(r);
}

} // namespace number

} // namespace warpint
