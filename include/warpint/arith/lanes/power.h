// SPDX-License-Identifier: Apache-2.0
// Powers modulo an odd number over lanes: by fixed windows, everything different from number to
// number, or by the steps of an exponent that all numbers share (arith/limbs/power/power.h).
// Variable time in the exponent's length.
#pragma once

#include "../limbs/power/power.h"
#include "montgomery.h"

namespace warpint::lanes {

// r = 2 a mod m in the numbers where `go`; a < m.
template <int K, class G>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE void double_modulo(const G &group, typename G::word *a,
                                                             const typename G::word *m, bool go) {
    using word = typename G::word;
    constexpr int bits = warpint::limb::limb_bits<typename G::limb>;
    WARPINT_ASSERT_ON_HOST(!go || less<K>(group, a, m));
    const bool over = group.broadcast(a[K - 1], G::lanes - 1) >> (bits - 1) != 0;
    word below = G::select(group.first(), word(0), group.from_below(a[K - 1]));
    word twice[K];
    WARPINT_UNROLL(K, K)
    for (int i = 0; i < K; ++i) {
        twice[i] = funnel_left(a[i], below, 1);
        below = a[i];
    }
    subtract_if<K>(group, twice, over, m);
    select<K>(group, a, go, twice, a);
    WARPINT_ASSERT_ON_HOST(!go || less<K>(group, a, m));
}

// r = R^2 mod m, or that plus a small multiple of m, for an odd m: a power of two just below m,
// doubled to 2^t R, then squared until the power is R^2. Rows: as in montgomery.h.
template <int K, int Rows = 0, class G>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE void
montgomery_r_squared(const G &group, typename G::word *r, const typename G::word *m,
                     typename G::limb m_inverse) {
    using limb = typename G::limb;
    using word = typename G::word;
    constexpr int limb_bits = warpint::limb::limb_bits<limb>;
    constexpr int bits = limb_bits * detail::RowCount<K, Rows, G>::rows; // R = 2^bits
    constexpr int squares = [] {
        int count = 0;
        while ((bits >> count) % 2 == 0 && (bits >> count) >= 32)
            ++count;
        return count;
    }();
    const int top = bit_width<K>(group, m) - 1;
    WARPINT_UNROLL(K, K)
    for (int i = 0; i < K; ++i) {
        r[i] = G::select(group.template place<K>(i) == top / limb_bits,
                         word(static_cast<limb>(1u << top % limb_bits)), word(0));
    }
    subtract_if<K>(group, r, false, m); // m = 1
    const int count = bits - top + (bits >> squares);
    for (int i = 0; group.vote(i < count); ++i)
        double_modulo<K>(group, r, m, i < count);
    WARPINT_UNROLL(2, 1)
    for (int i = 0; i < squares; ++i)
        montgomery_multiply_outlined<K, Rows>(group, r, r, r, m, m_inverse);
}

// Bits [at, at + width) of the number, width <= the limb's; the same `at` for all lanes. 0 from the
// top of the lanes on.
template <int K, class G>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE typename G::limb
extract_digit(const G &group, const typename G::word *a, int at, int width) {
    using limb = typename G::limb;
    constexpr int bits = warpint::limb::limb_bits<limb>;
    const int place = at / bits;
    const limb low = group.broadcast(a[place % K], place / K);
    const int next = place + 1 < K * G::lanes ? place + 1 : 0;
    const limb high = group.broadcast(a[next % K], next / K);
    const limb digit = warpint::limb::funnel_right(next != 0 ? high : limb{0}, low, at % bits);
    return static_cast<limb>(digit & (static_cast<limb>(detail::all_ones) >> (bits - width)));
}

namespace detail {

// one = R mod m (perhaps plus a multiple of m), x = a R.
template <int K, int Rows, class G>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE void
enter_montgomery(const G &group, typename G::word *one, typename G::word *x,
                 const typename G::word *a, const typename G::word *m, typename G::limb m_inverse) {
    typename G::word r_squared[K];
    montgomery_r_squared<K, Rows>(group, r_squared, m, m_inverse);
    montgomery_multiply_outlined<K, Rows>(group, x, r_squared, a, m, m_inverse);
    set_limb<K>(group, one, typename G::limb{1});
    montgomery_multiply_outlined<K, Rows>(group, one, r_squared, one, m, m_inverse);
}
// r = x / R mod m in [0, m).
template <int K, int Rows, class G>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE void
leave_montgomery(const G &group, typename G::word *r, const typename G::word *x,
                 const typename G::word *m, typename G::limb m_inverse) {
    typename G::word one[K];
    set_limb<K>(group, one, typename G::limb{1});
    montgomery_multiply_outlined<K, Rows>(group, r, x, one, m, m_inverse);
    subtract_if<K>(group, r, false, m);
    WARPINT_ASSERT_ON_HOST(less<K>(group, r, m));
}

// What a power begins and ends with: a number, that goes into Montgomery form and out of it.
template <int K, int Rows, class G>
struct PowerOfNumber {
    const typename G::word *a;

    WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE void enter(const G &group, typename G::word *one,
                                                         typename G::word *x,
                                                         const typename G::word *m,
                                                         typename G::limb m_inverse) const {
        enter_montgomery<K, Rows>(group, one, x, a, m, m_inverse);
    }
    WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE void leave(const G &group, typename G::word *r,
                                                         const typename G::word *x,
                                                         const typename G::word *m,
                                                         typename G::limb m_inverse) const {
        leave_montgomery<K, Rows>(group, r, x, m, m_inverse);
    }
};
// A number in Montgomery form already, a R mod m, given R mod m. last: R mod m where the power is
// to stay in the form, 1 where it is to leave it.
template <int K, int Rows, class G>
struct PowerOfForm {
    const typename G::word *a;
    const typename G::word *form_of_one;
    const typename G::word *last;

    WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE void enter(const G &, typename G::word *one,
                                                         typename G::word *x,
                                                         const typename G::word *,
                                                         typename G::limb) const {
        copy<K>(one, form_of_one);
        copy<K>(x, a);
    }
    WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE void leave(const G &group, typename G::word *r,
                                                         const typename G::word *x,
                                                         const typename G::word *m,
                                                         typename G::limb m_inverse) const {
        montgomery_multiply_outlined<K, Rows>(group, r, x, last, m, m_inverse);
        subtract_if<K>(group, r, false, m);
        WARPINT_ASSERT_ON_HOST(less<K>(group, r, m));
    }
};

} // namespace detail

// r = a^e mod m in [0, m) for an odd m; a any number that montgomery.h allows for these Rows, e of
// KE words. Window: bits of the exponent per product; the table of 2^Window powers is an array of
// every lane. of: a PowerOfNumber or PowerOfForm.
template <int K, int Window, int KE, int Rows, class G, class Of>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE void power_odd_of(const G &group, typename G::word *r,
                                                            const Of &of, const typename G::word *e,
                                                            const typename G::word *m) {
    using limb = typename G::limb;
    using word = typename G::word;
    constexpr int entries = 1 << Window;
    const limb m_inverse = montgomery_inverse(group, m);
    word table[entries * K];
    word exponent[KE]; // read at run-time places
    WARPINT_UNROLL(KE, KE)
    for (int i = 0; i < KE; ++i)
        exponent[i] = e[i];

    // The powers 0, 1, 2, ... of a R.
    word x[K];
    word base[K];
    of.enter(group, x, base, m, m_inverse);
    WARPINT_ASSERT_ON_HOST(detail::is_in_range<K, Rows>(group, base, m));
    copy<K>(table, x);
    copy<K>(table + K, base);
    WARPINT_UNROLL(2, 1)
    for (int k = 2; k < entries; ++k) {
        copy<K>(x, table + (k - 1) * K);
        montgomery_multiply_outlined<K, Rows>(group, x, x, base, m, m_inverse);
        copy<K>(table + k * K, x);
    }

    const int length = group.largest(bit_width<KE>(group, exponent));
    int at = length == 0 ? 0 : (length - 1) / Window * Window;
    copy<K>(x, table + static_cast<int>(extract_digit<KE>(group, exponent, at, Window)) * K);
    while (at > 0) {
        at -= Window;
        WARPINT_UNROLL(2, 1)
        for (int k = 0; k < Window; ++k)
            montgomery_square<K, Rows>(group, x, x, m, m_inverse);
        const int digit = static_cast<int>(extract_digit<KE>(group, exponent, at, Window));
        copy<K>(base, table + digit * K);
        montgomery_multiply<K, Rows>(group, x, x, LimbsOfLanes<K, G>{group, base}, m, m_inverse);
    }
    WARPINT_ASSERT_ON_HOST(detail::is_in_range<K, Rows>(group, x, m));
    of.leave(group, r, x, m, m_inverse);
}
template <int K, int Window, int KE, int Rows = 0, class G>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE void
power_odd(const G &group, typename G::word *r, const typename G::word *a, const typename G::word *e,
          const typename G::word *m) {
    power_odd_of<K, Window, KE, Rows>(group, r, detail::PowerOfNumber<K, Rows, G>{a}, e, m);
}

// r = a^e mod m in [0, m) for an odd m, a and Rows as above; the steps are those of e, the same for
// all numbers that run together, by windows of `window` <= MaxWindow bits; for e = 0: no steps.
template <int K, int MaxWindow, int Rows, class G, class Of, class Steps>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE void
power_odd_of_by_steps(const G &group, typename G::word *r, const Of &of, Steps steps, int window,
                      const typename G::word *m) {
    using limb = typename G::limb;
    using word = typename G::word;
    const limb m_inverse = montgomery_inverse(group, m);
    word table[K << (MaxWindow - 1)]; // entry i: a^(2 i + 1)
    word x[K];
    word base[K];
    of.enter(group, x, base, m, m_inverse);
    WARPINT_ASSERT_ON_HOST(detail::is_in_range<K, Rows>(group, base, m));
    copy<K>(table, base);
    if (window > 1) {
        word squared[K];
        word power[K];
        copy<K>(power, base);
        montgomery_multiply_outlined<K, Rows>(group, squared, base, base, m, m_inverse);
        WARPINT_UNROLL(2, 1)
        for (int i = 1; i < 1 << (window - 1); ++i) {
            montgomery_multiply_outlined<K, Rows>(group, power, power, squared, m, m_inverse);
            copy<K>(table + i * K, power);
        }
    }
    if (!steps.done())
        copy<K>(x, table + steps.next().entry * K);
    while (!steps.done()) {
        const arith::PowerStep step = steps.next();
        WARPINT_UNROLL(2, 1)
        for (int k = 0; k < step.squares; ++k)
            montgomery_square<K, Rows>(group, x, x, m, m_inverse);
        if (step.entry >= 0) {
            copy<K>(base, table + step.entry * K);
            montgomery_multiply<K, Rows>(group, x, x, LimbsOfLanes<K, G>{group, base}, m,
                                         m_inverse);
        }
    }
    WARPINT_ASSERT_ON_HOST(detail::is_in_range<K, Rows>(group, x, m));
    of.leave(group, r, x, m, m_inverse);
}
template <int K, int MaxWindow, int Rows = 0, class G, class Steps>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE void
power_odd_by_steps(const G &group, typename G::word *r, const typename G::word *a, Steps steps,
                   int window, const typename G::word *m) {
    power_odd_of_by_steps<K, MaxWindow, Rows>(group, r, detail::PowerOfNumber<K, Rows, G>{a}, steps,
                                              window, m);
}

// r = a power modulo an odd m in [0, m) by a comb (arith/limbs/power/comb.h) of so many tables and
// columns: entry(x, j, k) gives the entry of table j for column k, in Montgomery form, below m.
// Rows: as in montgomery.h if has_room, that is if moduli are two bits shorter than the rows or
// Rows = 0; else any even number of limbs that moduli have, fewer than the lanes'. Variable time.
template <int K, int Rows, bool has_room, class G, class Entry>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE void
power_by_comb(const G &group, typename G::word *r, int tables, int columns, const Entry &entry,
              const typename G::word *m) {
    using limb = typename G::limb;
    using word = typename G::word;
    const limb m_inverse = montgomery_inverse(group, m);
    word x[K];
    word factor[K];
    entry(x, 0, columns - 1);
    int table = 1;
    WARPINT_UNROLL(2, 1)
    for (int k = columns - 1; k >= 0; --k) {
        if (k < columns - 1) {
            if constexpr (has_room) {
                montgomery_square<K, Rows>(group, x, x, m, m_inverse);
            } else {
                montgomery_multiply_outlined<K, Rows>(group, x, x, x, m, m_inverse);
                subtract_if<K>(group, x, false, m);
            }
            table = 0;
        }
        WARPINT_UNROLL(2, 1)
        for (; table < tables; ++table) {
            entry(factor, table, k);
            montgomery_multiply<K, Rows>(group, x, x, LimbsOfLanes<K, G>{group, factor}, m,
                                         m_inverse);
            if constexpr (!has_room)
                subtract_if<K>(group, x, false, m);
        }
    }
    WARPINT_ASSERT_ON_HOST(!has_room || detail::is_in_range<K, Rows>(group, x, m));
    detail::leave_montgomery<K, Rows>(group, r, x, m, m_inverse);
}

} // namespace warpint::lanes
