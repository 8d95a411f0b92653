// SPDX-License-Identifier: Apache-2.0
// Montgomery arithmetic on two accumulators of alternate limbs (limb/chain.h; Emmart, Luitjens,
// Weems, Woolley, "Optimizing modular multiplication for NVIDIA's Maxwell GPUs", ARITH 2016, has
// the idea of aligned pairs): the form for GPUs, where each product's two limbs must land on an
// aligned pair for the wide multiply-add with carry.
//
// One accumulator is "aligned": its product pairs begin at even places 0, 2, ...; the other is
// "shifted": its element k stands at place k + 1, its pairs begin at odd places. A row adds one
// limb times an operand to both, makes the lowest limb 0 and drops it: then the two have swapped
// roles, and nothing is moved. The last product of a row always meets a fresh pair of limbs, into
// which what the row before carried out beyond the accumulators is fed: no comparison, no carry is
// propagated. Constant time.
#pragma once

#include "../../../limb/chain.h"
#include "../bounds.h"
#include "../product/schoolbook.h"

namespace warpint::arith {

// The range of the numbers, for any odd m < R = B^N.
enum class Headroom {
    none, // a b < m R; results in [0, m)
    whole // operands and results anywhere in [0, R)
};

namespace detail {

// r = (top : t) mod m for a value below 2 m, without a branch. r may be t.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void subtract_once(Limb *r, const Limb *t, Limb top,
                                                                const Limb *m) {
    WARPINT_ASSERT(bounds::below_2m<N>(t, top, m));
    if (WARPINT_USES_PTX) {
        Limb difference[N]{};
        const Limb borrow = limb::sub<N>(difference, t, m);
        select<N>(r, borrow <= top, difference, t); // top = 1 implies a borrow
        WARPINT_ASSERT(bounds::below_1m<N>(r, m));
        return;
    }
    // On hosts in two carry chains: a selection would be vectorised and wait for the stores.
    Limb borrow = 0;
    WARPINT_UNROLL_HOST
    for (int i = 0; i < N; ++i)
        limb::sub_borrow(t[i], m[i], borrow);
    const Limb mask = static_cast<Limb>(Limb{0} - static_cast<Limb>(borrow <= top));
    borrow = 0;
    WARPINT_UNROLL_HOST
    for (int i = 0; i < N; ++i)
        r[i] = limb::sub_borrow(t[i], static_cast<Limb>(m[i] & mask), borrow);
    WARPINT_ASSERT(bounds::below_1m<N>(r, m));
}

// r = (top : t) below R + m, brought to the range of `headroom`. r may be t.
template <int N, Headroom headroom, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void finish_sum(Limb *r, const Limb *t, Limb top,
                                                             const Limb *m) {
    if constexpr (headroom == Headroom::whole) {
        WARPINT_ASSERT(top == 0 || (top == 1 && bounds::below_1m<N>(t, m)));
        copy<N>(r, t);
        limb::sub_if<N>(r, m, top);
    } else {
        subtract_once<N>(r, t, top, m);
    }
}

// One chain of a row: sum += sum of a[i] b B^i over i = Parity, Parity + 2, ... < N, relative to
// the place Parity. An advancing row comes after a limb was dropped: its shifted accumulator moves
// down by two limbs, and the pair of a[N - 1], which is fresh, begins as (low, high). The chain has
// begun already if `started`.
template <int N, int Parity, bool Advance, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void add_parity(limb::Chain<Limb> &chain, Limb *sum,
                                                             const Limb *a, Limb b, bool started,
                                                             Limb low, Limb high) {
    constexpr int from = Advance && Parity == 1 ? 2 : 0;
    WARPINT_UNROLL(N, limb::chain_limbs)
    for (int i = Parity; i < N; i += 2) {
        const int k = i - Parity;
        const bool fresh = Advance && i == N - 1;
        sum[k] = chain.add_low(a[i], b, fresh ? low : sum[k + from], !started && i == Parity);
        sum[k + 1] = chain.add_high(a[i], b, fresh ? high : sum[k + 1 + from]);
    }
}

// aligned, shifted = a b for one limb b: the pairs of a first row.
template <int N, int Parity, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void first_parity(Limb *sum, const Limb *a, Limb b) {
    WARPINT_UNROLL(N, limb::chain_limbs)
    for (int i = Parity; i < N; i += 2)
        limb::multiply_wide(sum[i - Parity], sum[i - Parity + 1], a[i], b);
}

// The rows of an interleaved product. The sum so far is
//   sum aligned[k] B^k + sum shifted[k] B^(k + 1) + carry B^N + top B^(N + 1);
// carry <= 2 and top <= 1 wait for the fresh pair of the next row, which they cannot overflow:
// (B - 1)^2 + 1 + 2 + B < B^2.
template <int N, class Limb>
struct AlternateRows {
    Limb carry = 0;
    Limb top = 0;

    // Drops the zero limb and adds a b. On input the arrays have swapped roles.
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void product(Limb *aligned, Limb *shifted,
                                                              const Limb *a, Limb b) {
        limb::Chain<Limb> chain;
        aligned[0] = chain.add(aligned[0], shifted[1], true);
        add_parity<N, 1, true>(chain, shifted, a, b, true, carry, top);
        if constexpr (N % 2 == 0) {
            add_parity<N, 0, true>(chain, aligned, a, b, false, carry, top);
            carry = chain.end(Limb{0});
        } else {
            const Limb next = chain.end(Limb{0});
            add_parity<N, 0, true>(chain, aligned, a, b, false, carry, top);
            carry = next;
        }
        WARPINT_ASSERT(WARPINT_USES_PTX || (carry <= 2 && top <= 1));
    }

    // Adds the multiple of m that makes the lowest limb 0.
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void reduction(Limb *aligned, Limb *shifted,
                                                                const Limb *m, Limb m_inverse) {
        const Limb q = static_cast<Limb>(1u * aligned[0] * m_inverse);
        limb::Chain<Limb> chain;
        add_parity<N, 1, false>(chain, shifted, m, q, false, Limb{0}, Limb{0});
        if constexpr (N % 2 == 0) {
            top = chain.end(Limb{0});
        } else if constexpr (N > 1) {
            carry = chain.end(carry);
        }
        add_parity<N, 0, false>(chain, aligned, m, q, false, Limb{0}, Limb{0});
        if constexpr (N % 2 == 0) {
            carry = chain.end(carry);
        } else {
            top = chain.end(Limb{0});
        }
        // Row by row on hosts only: in device code all rows are unrolled.
        WARPINT_ASSERT(WARPINT_USES_PTX || (aligned[0] == 0 && carry <= 2 && top <= 1));
    }
};

// r = the two accumulators after the last row, less the zero limb, plus carry at place N - 1;
// returns what leaves r.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE Limb join_alternate(Limb *r, const Limb *aligned,
                                                                 const Limb *shifted, Limb carry) {
    WARPINT_ASSERT(aligned[0] == 0 && carry <= 2);
    Limb u[N]{};
    Limb v[N]{};
    WARPINT_UNROLL(N, limb::chain_limbs)
    for (int i = 0; i < N; ++i) {
        u[i] = i == N - 1 && N % 2 == 0 ? carry : aligned[i + 1];
        v[i] = i == N - 1 && N % 2 != 0 ? carry : shifted[i];
    }
    return limb::add<N>(r, u, v);
}

} // namespace detail

// r = a b / R mod m, operands and result in the range of `headroom`. Product and reduction row by
// row. All rows are unrolled up to unrolled_rows; beyond, so many stand in a loop, and b is read by
// a run-time index. r may be any operand but m.
template <int N, Headroom headroom = Headroom::none, int unrolled_rows = register_limbs, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void
montgomery_multiply_alternate(Limb *r, const Limb *a, const Limb *b, const Limb *m,
                              Limb m_inverse) {
    Limb x[N + 1]{};
    Limb y[N + 1]{};
    detail::AlternateRows<N, Limb> rows;
    detail::first_parity<N, 0>(x, a, b[0]);
    detail::first_parity<N, 1>(y, a, b[0]);
    rows.reduction(x, y, m, m_inverse);
    WARPINT_UNROLL(N <= unrolled_rows ? N : unrolled_rows / 2, N)
    for (int i = 1; i + 1 < N; i += 2) {
        rows.product(y, x, a, b[i]);
        rows.reduction(y, x, m, m_inverse);
        rows.product(x, y, a, b[i + 1]);
        rows.reduction(x, y, m, m_inverse);
    }
    Limb sum[N]{};
    Limb top = 0;
    if constexpr (N % 2 == 0) {
        rows.product(y, x, a, b[N - 1]);
        rows.reduction(y, x, m, m_inverse);
        top = detail::join_alternate<N>(sum, y, x, rows.carry);
    } else {
        top = detail::join_alternate<N>(sum, x, y, rows.carry);
    }
    detail::finish_sum<N, headroom>(r, sum, static_cast<Limb>(rows.top + top), m);
}

namespace detail {

// A row of a separate reduction: each limb takes one product only, so a fresh pair can take the
// other chain's carry at once.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void
reduce_row_alternate(Limb *aligned, Limb *shifted, const Limb *m, Limb m_inverse) {
    limb::Chain<Limb> chain;
    aligned[0] = chain.add(aligned[0], shifted[1], true);
    const Limb q = static_cast<Limb>(1u * aligned[0] * m_inverse);
    add_parity<N, 1, true>(chain, shifted, m, q, true, Limb{0}, Limb{0});
    if constexpr (N % 2 == 0) {
        add_parity<N, 0, true>(chain, aligned, m, q, false, Limb{0}, Limb{0});
        shifted[N - 1] = chain.end(shifted[N - 1]);
    } else {
        const Limb carry = chain.end(Limb{0});
        add_parity<N, 0, true>(chain, aligned, m, q, false, Limb{0}, Limb{0});
        aligned[N] = static_cast<Limb>(aligned[N] + carry);
    }
}

// r = (t + q m) / R, which is at most m, for t of N limbs and the q < R that makes it whole.
template <int N, int unrolled_rows, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void
reduce_low_alternate(Limb *r, const Limb *t, const Limb *m, Limb m_inverse) {
    Limb x[N + 1]{};
    Limb y[N + 1]{};
    copy<N>(x, t);
    const Limb q = static_cast<Limb>(1u * x[0] * m_inverse);
    limb::Chain<Limb> chain;
    first_parity<N, 1>(y, m, q);
    add_parity<N, 0, false>(chain, x, m, q, false, Limb{0}, Limb{0});
    if constexpr (N % 2 == 0)
        y[N - 1] = chain.end(y[N - 1]);
    WARPINT_UNROLL(N <= unrolled_rows ? N : unrolled_rows / 2, N)
    for (int i = 1; i + 1 < N; i += 2) {
        reduce_row_alternate<N>(y, x, m, m_inverse);
        reduce_row_alternate<N>(x, y, m, m_inverse);
    }
    if constexpr (N % 2 == 0) {
        reduce_row_alternate<N>(y, x, m, m_inverse);
        join_alternate<N>(r, y, x, Limb{0});
    } else {
        join_alternate<N>(r, x, y, Limb{0});
    }
}

} // namespace detail

// r = t / R mod m for t < m R of 2 N limbs. Only the low half takes part in the rows, so they carry
// nothing out; the high half is added at the end.
template <int N, Headroom headroom = Headroom::none, int unrolled_rows = register_limbs, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void
montgomery_reduce_alternate(Limb *r, const Limb *t, const Limb *m, Limb m_inverse) {
    Limb sum[N]{};
    detail::reduce_low_alternate<N, unrolled_rows>(sum, t, m, m_inverse);
    const Limb top = limb::add<N>(sum, sum, t + N);
    detail::finish_sum<N, headroom>(r, sum, top, m);
}

// r = x / R mod m in [0, m) for any x < R of N limbs. r may be x.
template <int N, int unrolled_rows = register_limbs, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void
montgomery_leave_alternate(Limb *r, const Limb *x, const Limb *m, Limb m_inverse) {
    Limb sum[N]{};
    detail::reduce_low_alternate<N, unrolled_rows>(sum, x, m, m_inverse);
    detail::subtract_once<N>(r, sum, Limb{0}, m);
}

// r = a^2 / R mod m: the square with every mixed product taken once, then the reduction. r may be
// a.
template <int N, Headroom headroom = Headroom::none, int unrolled_rows = register_limbs, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void
montgomery_square_alternate(Limb *r, const Limb *a, const Limb *m, Limb m_inverse) {
    Limb t[2 * N]{};
    square_alternate<N>(t, a);
    montgomery_reduce_alternate<N, headroom, unrolled_rows>(r, t, m, m_inverse);
}

} // namespace warpint::arith
