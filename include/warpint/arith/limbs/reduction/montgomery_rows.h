// SPDX-License-Identifier: Apache-2.0
// Montgomery arithmetic by rows on hosts, and for numbers that lie in memory everywhere.
//
//   short rows    up to eight limbs: a row of the product, then a row of the reduction (CIOS), the
//                 accumulator in registers (limb/short_row.h); squares of four limbs and all of
//                 eight as one text of assembly where a processor has code for it
//                 (limb/montgomery_4x64.h, montgomery_8x64.h)
//   blocks        any length: the product of arith/limbs/product/multiply.h, then the reduction by
//                 blocks of eight quotient limbs: their product with the eight lowest limbs of m
//                 row by row, which yields them, and with the others by limb::multiply_add_block.
//                 On GPUs the reduction goes by tiles (tiles.h).
//
// Constant time.
#pragma once

#include "../product/multiply.h"
#include "montgomery_alternate.h"

#include "../../../limb/montgomery_4x64.h"
#include "../../../limb/montgomery_8x64.h"
#include "../../../limb/quotient_block.h"
#include "../../../limb/short_row.h"

namespace warpint::arith {

namespace detail {

template <int N, limb::RowCode code, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void
multiply_by_short_rows(Limb *r, const Limb *a, const Limb *b, const Limb *m, Limb m_inverse) {
    Limb t[2 * N + 2]{};
    WARPINT_UNROLL_ALWAYS
    for (int i = 0; i < N; ++i) {
        limb::multiply_add_short_row<N, code>(t + i, a, b[i]);
        limb::multiply_add_short_row<N, code>(t + i, m, static_cast<Limb>(1u * t[i] * m_inverse));
    }
    subtract_once<N>(r, t + N, t[2 * N], m);
}
// The same, out of line: for the few CPUs without ADX, kept out of every instantiation.
template <int N, class Limb>
WARPINT_HOST_DEVICE WARPINT_NOINLINE constexpr void
multiply_by_outlined_rows(Limb *r, const Limb *a, const Limb *b, const Limb *m, Limb m_inverse) {
    multiply_by_short_rows<N, limb::RowCode::plain>(r, a, b, m, m_inverse);
}

} // namespace detail

// r = a b / R mod m for a b < m R, N short.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void
montgomery_multiply_short(Limb *r, const Limb *a, const Limb *b, const Limb *m, Limb m_inverse) {
    if constexpr (N == limb::block_limbs && limb::compiles_word_blocks<Limb>) {
        if (limb::has_word_blocks<Limb>()) {
            limb::montgomery_8x64(r, a, b, m, m_inverse);
        } else {
            detail::multiply_by_outlined_rows<N>(r, a, b, m, m_inverse);
        }
    } else if constexpr (limb::compiles_chained_rows<Limb>) {
        if (!limb::has_chained_rows<Limb>()) {
            detail::multiply_by_outlined_rows<N>(r, a, b, m, m_inverse);
            return;
        }
        detail::multiply_by_short_rows<N, limb::RowCode::chained>(r, a, b, m, m_inverse);
    } else {
        detail::multiply_by_short_rows<N, limb::RowCode::plain>(r, a, b, m, m_inverse);
    }
}

namespace detail {

template <int N, limb::RowCode code, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void
square_by_short_rows(Limb *r, const Limb *a, const Limb *m, Limb m_inverse) {
    if constexpr (N > 4) { // mixed products once, but by slower columns: no gain from five limbs on
        montgomery_multiply_short<N>(r, a, a, m, m_inverse);
        return;
    }
    Limb square[2 * N]{};
    square_columns<N>(square, a);
    Limb t[2 * N + 2]{};
    for (int i = 0; i < N; ++i)
        t[i] = square[i];
    WARPINT_UNROLL_ALWAYS
    for (int i = 0; i < N; ++i)
        limb::multiply_add_short_row<N, code>(t + i, m, static_cast<Limb>(1u * t[i] * m_inverse));
    const Limb top = limb::add<N>(t + N, t + N, square + N);
    subtract_once<N>(r, t + N, top, m);
}
// The same, out of line, likewise.
template <int N, class Limb>
WARPINT_HOST_DEVICE WARPINT_NOINLINE constexpr void
square_by_outlined_rows(Limb *r, const Limb *a, const Limb *m, Limb m_inverse) {
    square_by_short_rows<N, limb::RowCode::plain>(r, a, m, m_inverse);
}

} // namespace detail

// r = a^2 / R mod m, N short.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void
montgomery_square_short(Limb *r, const Limb *a, const Limb *m, Limb m_inverse) {
    if constexpr (N == limb::montgomery_words && limb::compiles_word_blocks<Limb>) {
        // Squares wait for each other, in powers: a shorter way from operand to result. Single
        // products do not, and keep their words in registers.
        if (limb::has_word_blocks<Limb>()) {
            limb::montgomery_4x64(r, a, a, m, m_inverse);
        } else {
            detail::square_by_outlined_rows<N>(r, a, m, m_inverse);
        }
    } else {
        detail::square_by_short_rows<N, limb::RowCode::either>(r, a, m, m_inverse);
    }
}

namespace detail {

// q = the eight limbs that make t + q m a multiple of B^8, carried = (t + q m) / B^8; t and m have
// eight limbs. Rows in registers.
template <class Limb>
WARPINT_HOST_DEVICE WARPINT_NOINLINE constexpr void
quotient_block(Limb *q, Limb *carried, const Limb *t, const Limb *m, Limb m_inverse) {
    constexpr int block = limb::block_limbs;
    static_assert(block <= limb::short_row_limbs);
    if (limb::has_word_blocks<Limb>()) {
        limb::quotient_rows(q, carried, t, m, m_inverse);
        return;
    }
    Limb sum[2 * block + 2]{};
    WARPINT_UNROLL_ALWAYS
    for (int k = 0; k < block; ++k)
        sum[k] = t[k];
    WARPINT_UNROLL_ALWAYS
    for (int k = 0; k < block; ++k) {
        q[k] = static_cast<Limb>(1u * sum[k] * m_inverse);
        limb::multiply_add_short_row<block>(sum + k, m, q[k]);
        WARPINT_ASSERT(sum[k] == 0);
    }
    WARPINT_UNROLL_ALWAYS
    for (int k = 0; k < block; ++k)
        carried[k] = sum[block + k];
}

} // namespace detail

// On input t[0..n) is any number; on output t[n..2 n) holds (t + q m) / B^n <= m for the q < B^n
// that makes the n lowest limbs 0; those are left undefined.
template <class Limb>
WARPINT_HOST_DEVICE constexpr void reduce_blocks(Limb *t, const Limb *m, int n, Limb m_inverse) {
    constexpr int block = limb::block_limbs;
    int i = 0;
    for (; i < n % block; ++i) {
        const Limb q = static_cast<Limb>(1u * t[i] * m_inverse);
        t[i + n] = limb::multiply_add_row(t + i, m, n, q);
        WARPINT_ASSERT(t[i] == 0);
    }
    Limb carry = 0; // belongs eight limbs above the block
    for (; i < n; i += block) {
        Limb q[block]{};
        Limb carried[block]{};
        detail::quotient_block(q, carried, t + i, m, m_inverse);
        Limb *const next = t + i + block;
        if (n == block) {
            for (int k = 0; k < block; ++k)
                next[k] = carried[k];
        } else {
            limb::multiply_add_block(next, q, m + block, n - block);
            carry = limb::add_row(next, next, carried, block, carry);
        }
    }
    if (n > block)
        limb::add_limb_row(t + n + block, n - block, carry);
    WARPINT_ASSERT(bounds::at_most(t + n, Limb{0}, m, n, 0));
}

namespace detail {

// Reduction rows: t has 2 N limbs; t[N..2N) and the returned top limb hold t / R mod m, below 2 m.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr Limb reduce_rows(Limb *t, const Limb *m, Limb m_inverse) {
    Limb top = 0;
    for (int i = 0; i < N; ++i) {
        const Limb q = static_cast<Limb>(1u * t[i] * m_inverse);
        const Limb carry = limb::multiply_add_row(t + i, m, N, q);
        WARPINT_ASSERT(t[i] == 0);
        t[i + N] = limb::add_carry(t[i + N], carry, top);
    }
    return top;
}

// r = t / R mod m for t < m R of 2 N limbs, which is overwritten. r does not overlap t.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr void reduce_product(Limb *r, Limb *t, const Limb *m, Limb m_inverse) {
    if (WARPINT_USES_PTX) {
        reduce_tiles<reduction_tile<N>>(r, t, m, N, m_inverse);
        return;
    }
    Limb low[2 * N];
    for (int i = 0; i < N; ++i)
        low[i] = t[i];
    reduce_blocks(low, m, N, m_inverse);
    Limb sum[N];
    const Limb top = limb::add<N>(sum, low + N, t + N);
    subtract_once<N>(r, sum, top, m);
}

} // namespace detail

// r = a b / R mod m for a b < m R, any N. r may be any operand but m.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr void montgomery_multiply_blocks(Limb *r, const Limb *a, const Limb *b,
                                                              const Limb *m, Limb m_inverse) {
    Limb t[2 * N];
    multiply<N, N>(t, a, b);
    detail::reduce_product<N>(r, t, m, m_inverse);
}

// r = a^2 / R mod m, any N. r may be a.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr void montgomery_square_blocks(Limb *r, const Limb *a, const Limb *m,
                                                            Limb m_inverse) {
    Limb t[2 * N];
    square<N>(t, a);
    detail::reduce_product<N>(r, t, m, m_inverse);
}

} // namespace warpint::arith
