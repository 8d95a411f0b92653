// SPDX-License-Identifier: Apache-2.0
// Arithmetic over little-endian limb arrays whose time and memory addresses do not depend on any
// value: no branch, index or shift count is made of limbs, only of lengths and loop counters.
// Decisions are masks, all ones or zero, fenced by limb::value_barrier.
//
// Montgomery products are shared with montgomery.h in part: on hosts the rows of its reduction, but
// not its choice of variant and its final subtraction, which may follow speed alone; in device code
// the whole product that it selects. What is shared must stay constant in time. A change there that
// is not shows in the checks of the functions that call it:
// tests/number/modular/constant_time_leaks.cpp on hosts, tests/tools/sass_taint.py on GPUs.
#pragma once

#include "../../../limb/barrier.h"
#include "../power/power.h"

namespace warpint::arith::constant_time {

// All ones if condition, else zero.
template <class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE Limb mask(bool condition) {
    return limb::value_barrier(static_cast<Limb>(Limb{0} - static_cast<Limb>(condition)));
}

// r = mask ? a : b for a mask of all ones or zero. r may be a or b.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void select(Limb *r, Limb mask, const Limb *a,
                                                         const Limb *b) {
    WARPINT_UNROLL(N, limb::chain_limbs)
    for (int i = 0; i < N; ++i)
        r[i] = static_cast<Limb>(b[i] ^ (static_cast<Limb>(a[i] ^ b[i]) & mask));
}

// Exchanges a and b if mask is all ones.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void swap(Limb mask, Limb *a, Limb *b) {
    WARPINT_UNROLL(N, limb::chain_limbs)
    for (int i = 0; i < N; ++i) {
        const Limb difference = static_cast<Limb>(static_cast<Limb>(a[i] ^ b[i]) & mask);
        a[i] = static_cast<Limb>(a[i] ^ difference);
        b[i] = static_cast<Limb>(b[i] ^ difference);
    }
}

template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE bool is_zero(const Limb *a) {
    Limb any = 0;
    WARPINT_UNROLL(N, limb::chain_limbs)
    for (int i = 0; i < N; ++i)
        any = static_cast<Limb>(any | a[i]);
    return limb::value_barrier(any) == 0;
}

template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE bool equal(const Limb *a, const Limb *b) {
    Limb any = 0;
    WARPINT_UNROLL(N, limb::chain_limbs)
    for (int i = 0; i < N; ++i)
        any = static_cast<Limb>(any | (a[i] ^ b[i]));
    return limb::value_barrier(any) == 0;
}

// a < b: the borrow of a - b.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE bool less(const Limb *a, const Limb *b) {
    Limb difference[N]{};
    return limb::value_barrier(limb::sub<N>(difference, a, b)) != 0;
}

// r = (top : t) mod m for a value below 2 m; top is 0 or 1. r may be t.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void reduce_once(Limb *r, const Limb *t, Limb top,
                                                              const Limb *m) {
    WARPINT_ASSERT(bounds::below_2m<N>(t, top, m));
    Limb difference[N]{};
    const Limb borrow = limb::sub<N>(difference, t, m);
    // t stays if it was less than m: a borrow that no top limb covers.
    select<N>(r, mask<Limb>((borrow & (top ^ 1u)) != 0), t, difference);
    WARPINT_ASSERT(bounds::below_1m<N>(r, m));
}

// r = (a + b) mod m for a, b < m. r may be a or b.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void add_modulo(Limb *r, const Limb *a, const Limb *b,
                                                             const Limb *m) {
    WARPINT_ASSERT(bounds::below_1m<N>(a, m) && bounds::below_1m<N>(b, m));
    Limb sum[N]{};
    const Limb top = limb::add<N>(sum, a, b);
    reduce_once<N>(r, sum, top, m);
}

// r = (a - b) mod m for a, b < m. r may be a or b.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void subtract_modulo(Limb *r, const Limb *a,
                                                                  const Limb *b, const Limb *m) {
    WARPINT_ASSERT(bounds::below_1m<N>(a, m) && bounds::below_1m<N>(b, m));
    Limb difference[N]{};
    Limb correction[N]{};
    const Limb negative = mask<Limb>(limb::sub<N>(difference, a, b) != 0);
    WARPINT_UNROLL(N, limb::chain_limbs)
    for (int i = 0; i < N; ++i)
        correction[i] = static_cast<Limb>(m[i] & negative);
    limb::add<N>(r, difference, correction);
    WARPINT_ASSERT(bounds::below_1m<N>(r, m));
}

// r = x mod m for a number x of L limbs, a bit at a time: the lowest `steps`, a public number, of
// which the others of x are a number below m (steps = all bits of x will do). r is not x.
template <int L, int N, class Limb>
WARPINT_HOST_DEVICE constexpr void remainder(Limb *r, const Limb *x, int steps, const Limb *m) {
    constexpr int limb_bits = limb::limb_bits<Limb>;
    limb::keep_arrays_apart();
    Limb top[L]{};
    if (steps < L * limb_bits)
        shift_right<L>(top, x, steps);
    set_zero<N>(r);
    copy<(L < N ? L : N)>(r, top);
    WARPINT_UNROLL(1, 0)
    for (int i = steps - 1; i >= 0; --i) {
        const Limb bit =
            static_cast<Limb>(static_cast<Limb>(x[i / limb_bits] >> (i % limb_bits)) & 1u);
        const Limb carry = limb::add<N>(r, r, r);
        r[0] = static_cast<Limb>(r[0] | bit);
        reduce_once<N>(r, r, carry, m);
    }
}

namespace detail {

// r = t / R mod m for t < m R of 2 N limbs, which is destroyed: N rows, then one subtraction.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr void montgomery_reduce(Limb *r, Limb *t, const Limb *m,
                                                     Limb m_inverse) {
    const Limb top = arith::detail::reduce_rows<N>(t, m, m_inverse);
    reduce_once<N>(r, t + N, top, m);
}

template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr void multiply_rows(Limb *r, const Limb *a, const Limb *b,
                                                 const Limb *m, Limb m_inverse) {
    Limb t[2 * N]{};
    if constexpr (N <= Tuning<Limb>::column_limbs) {
        multiply_columns<N, N>(t, a, b);
    } else {
        arith::multiply_rows(t, a, N, b, N);
    }
    montgomery_reduce<N>(r, t, m, m_inverse);
}

} // namespace detail

// r = a b / R mod m for odd m and a b < m R: either operand may be unreduced, up to R - 1. r may be
// a or b. Separated operand scanning on hosts, what montgomery.h selects in device code.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void multiply(Limb *r, const Limb *a, const Limb *b,
                                                           const Limb *m, Limb m_inverse) {
    if (WARPINT_USES_PTX) {
        montgomery_multiply<N>(r, a, b, m, m_inverse);
        return;
    }
    detail::multiply_rows<N>(r, a, b, m, m_inverse);
}

// r = a^2 / R mod m for odd m and a^2 < m R. r may be a.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void square(Limb *r, const Limb *a, const Limb *m,
                                                         Limb m_inverse) {
    if (WARPINT_USES_PTX) {
        montgomery_square<N>(r, a, m, m_inverse);
        return;
    }
    Limb t[2 * N]{};
    if constexpr (N <= Tuning<Limb>::half_column_limbs) {
        square_columns<N>(t, a);
    } else {
        Limb scratch[square_rows_scratch(N)]{};
        square_rows(t, a, N, scratch);
    }
    detail::montgomery_reduce<N>(r, t, m, m_inverse);
}

// Computes the other members from context.modulus, odd: R mod m by doubling 1, and R^2 mod m from
// 2^c R, c = (bits of R) / 2^k odd, whose Montgomery squares double the exponent of the factor.
// Slower than arith::prepare, which starts at the width of m.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr void prepare(MontgomeryContext<N, Limb> &context) {
    constexpr int bits = N * limb::limb_bits<Limb>;
    constexpr int odd_part = bits / (bits & -bits);
    const Limb *m = context.modulus;
    context.inverse = limb::negative_inverse(m[0]);
    Limb x[N]{};
    x[0] = 1;
    reduce_once<N>(x, x, Limb{0}, m); // m may be 1
    for (int i = 0; i < bits; ++i)
        add_modulo<N>(x, x, x, m);
    copy<N>(context.one, x);
    for (int i = 0; i < odd_part; ++i)
        add_modulo<N>(x, x, x, m);
    for (int c = odd_part; c < bits; c *= 2)
        square<N>(x, x, m, context.inverse);
    copy<N>(context.r_squared, x);
}

// r = x R mod m, below m, for a number x of L limbs, any value: its N-limb parts by Horner's rule
// in R. r may be x if L = N.
template <int L, int N, class Limb>
WARPINT_HOST_DEVICE constexpr void to_montgomery(Limb *r, const Limb *x,
                                                 const MontgomeryContext<N, Limb> &context) {
    if constexpr (L <= N) {
        Limb part[N]{};
        copy<L>(part, x);
        multiply<N>(r, part, context.r_squared, context.modulus, context.inverse);
    } else {
        set_zero<N>(r);
        for (int from = (L - 1) / N * N; from >= 0; from -= N) {
            Limb part[N]{};
            for (int i = 0; i < N && from + i < L; ++i)
                part[i] = x[from + i];
            multiply<N>(r, r, context.r_squared, context.modulus, context.inverse);
            multiply<N>(part, part, context.r_squared, context.modulus, context.inverse);
            add_modulo<N>(r, r, part, context.modulus);
        }
    }
}

// r = x / R mod m for any x of N limbs. r may be x.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr void from_montgomery(Limb *r, const Limb *x,
                                                   const MontgomeryContext<N, Limb> &context) {
    Limb unit[N]{};
    unit[0] = 1;
    multiply<N>(r, x, unit, context.modulus, context.inverse);
}

// The window width with the least work for an exponent of this length: 2^w - 2 products for the
// table, and for each window one product and a pass over the table, which costs about 2^w / 4 N
// products. The table of N-limb entries fits table_bytes.
WARPINT_HOST_DEVICE constexpr int best_window(int exponent_bits, int limbs, int limb_bytes) {
    constexpr int table_bytes = 16 * 1024;
    int window = 1;
    long long best = 0;
    for (int w = 1; w <= 6; ++w) {
        const long long entries = 1 << w;
        if (w > 1 && entries * limbs * limb_bytes > table_bytes)
            break;
        const long long windows = (exponent_bits + w - 1) / w;
        const long long cost = (entries - 2) * 4 * limbs + windows * (4 * limbs + entries);
        if (w == 1 || cost < best) {
            best = cost;
            window = w;
        }
    }
    return window;
}

// r = entry `index` of a table of `entries` numbers: all of them are read, in order.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void look_up(Limb *r, const Limb *table, int entries,
                                                          std::uint32_t index) {
    set_zero<N>(r);
    WARPINT_UNROLL(1, 0)
    for (int entry = 0; entry < entries; ++entry) {
        const Limb wanted = mask<Limb>((static_cast<std::uint32_t>(entry) ^ index) == 0);
        WARPINT_UNROLL(N, limb::chain_limbs)
        for (int i = 0; i < N; ++i)
            r[i] = static_cast<Limb>(r[i] | (table[entry * N + i] & wanted));
    }
}

// x = x^e in Montgomery form (x R -> x^e R mod m), x < m; e has (ExponentBits + 31) / 32 limbs and
// is below 2^ExponentBits. Fixed windows: the same squarings, products and table reads for every
// exponent of this length, 0 included.
template <int ExponentBits, int N, class Limb>
WARPINT_HOST_DEVICE constexpr void power(Limb *x, const std::uint32_t *e,
                                         const MontgomeryContext<N, Limb> &context) {
    constexpr int window = best_window(ExponentBits, N, static_cast<int>(sizeof(Limb)));
    constexpr int entries = 1 << window;
    constexpr int exponent_limbs = (ExponentBits + 31) / 32;
    limb::keep_arrays_apart();
    const Limb *m = context.modulus;
    Limb table[entries * N]{};
    copy<N>(table, context.one);
    copy<N>(table + N, x);
    WARPINT_UNROLL(1, 0)
    for (int i = 2; i < entries; ++i)
        multiply<N>(table + i * N, table + (i - 1) * N, x, m, context.inverse);
    int position = (ExponentBits - 1) / window * window;
    look_up<N>(x, table, entries, exponent_window(e, exponent_limbs, position, window));
    WARPINT_UNROLL(1, 0)
    while (position > 0) {
        position -= window;
        WARPINT_UNROLL(1, 0)
        for (int i = 0; i < window; ++i)
            square<N>(x, x, m, context.inverse);
        Limb factor[N]{};
        look_up<N>(factor, table, entries, exponent_window(e, exponent_limbs, position, window));
        multiply<N>(x, x, factor, m, context.inverse);
    }
}

} // namespace warpint::arith::constant_time
