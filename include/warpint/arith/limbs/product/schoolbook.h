// SPDX-License-Identifier: Apache-2.0
// Schoolbook products of limb arrays, N M limb products each, in the orders that suit the machines:
//
//   multiply_rows        rows of any length, in blocks of eight (limb/block.h): hosts
//   multiply_columns     column by column (Comba, IBM Systems Journal 29, 1990), unrolled: hosts,
//                        short numbers
//   multiply_alternate   two interleaved accumulators of alternate limbs, unrolled, for the wide
//                        multiply-add of GPUs (limb/chain.h)
//
// The last two compute any window of the result's limbs, so that a low or a high product costs half
// a full one. Squares take each mixed product once. All constant time.
#pragma once

#include "../../../limb/block.h"
#include "../../../limb/column.h"
#include "../../../limb/square_block.h"
#include "../linear.h"
#include "../tuning.h"

namespace warpint::arith {

// r = a b; a has n limbs, b has m, r has n + m and overlaps neither. n, m >= 1.
template <class Limb>
WARPINT_HOST_DEVICE WARPINT_DEVICE_NOINLINE constexpr void
multiply_rows(Limb *r, const Limb *a, int n, const Limb *b, int m) {
    int i = 0;
    if (n >= limb::block_limbs) {
        limb::multiply_block(r, a, b, m);
        for (i = limb::block_limbs; i + limb::block_limbs <= n; i += limb::block_limbs)
            limb::multiply_add_block(r + i, a + i, b, m);
    } else if (n >= 4 && m % 4 == 0 && limb::has_word_blocks<Limb>()) {
        limb::multiply_block_of_four<true>(r, a, b, m);
        i = 4;
    } else {
        for (int k = 0; k < m; ++k)
            r[k] = 0;
    }
    if (i + 4 <= n && m % 4 == 0 && limb::has_word_blocks<Limb>()) {
        limb::multiply_block_of_four<false>(r + i, a + i, b, m);
        i += 4;
    }
    for (; i < n; ++i)
        r[i + m] = limb::multiply_add_row(r + i, b, m, a[i]);
}

// r[n..2 n) = those limbs of a b, less what the columns below n - 1 add to them; the limbs below
// are left undefined. n is a multiple of eight.
template <class Limb>
WARPINT_HOST_DEVICE WARPINT_DEVICE_NOINLINE constexpr void
multiply_high_blocks(Limb *r, const Limb *a, const Limb *b, int n) {
    constexpr int block = limb::block_limbs;
    for (int i = 0; i < n; i += block) {
        const int skipped = n - 1 - block - i > 0 ? n - 1 - block - i : 0; // limbs of b
        if (i == 0) {
            limb::multiply_block(r + skipped, a, b + skipped, n - skipped);
        } else {
            limb::multiply_add_block(r + i + skipped, a + i, b + skipped, n - skipped);
        }
    }
}

// r[0..n] = those limbs of a b; a and b have n limbs, a multiple of eight, r has 2 n; its limbs
// above are left undefined.
template <class Limb>
WARPINT_HOST_DEVICE WARPINT_DEVICE_NOINLINE constexpr void
multiply_low_blocks(Limb *r, const Limb *a, const Limb *b, int n) {
    constexpr int block = limb::block_limbs;
    limb::multiply_block(r, a, b, n);
    for (int i = block; i < n; i += block)
        limb::multiply_add_block(r + i, a + i, b, n + 1 - i);
}

// r = a b modulo B^n; all have n limbs, r overlaps neither operand.
template <class Limb>
WARPINT_HOST_DEVICE WARPINT_DEVICE_NOINLINE constexpr void multiply_low_rows(Limb *r, const Limb *a,
                                                                             const Limb *b, int n) {
    constexpr int block = limb::block_limbs;
    for (int i = 0; i < n; ++i)
        r[i] = 0;
    int i = 0;
    for (; i + block <= n; i += block) {
        const int m = n - i - block; // whole rows of the block, then its triangle
        Limb *const top = r + i + m;
        Limb sum[2 * block]{}; // of the triangle as a square, whose upper half is not wanted
        limb::multiply_block(sum, a + i, b + m, block);
        if (m != 0) {
            limb::add_row(sum, sum, top, block);
            limb::multiply_add_block(r + i, a + i, b, m);
        }
        limb::add_row(top, top, sum, block);
    }
    for (; i < n; ++i)
        limb::multiply_add_row(r + i, b, n - i, a[i]);
}

// r[0..Last - First) = limbs [First, Last) of the sum of a[i] b[j] B^(i + j) over First <= i + j.
// With First = 0 these are limbs of a b; otherwise of a b less the columns below First, which are
// less than min(N, M) B^(First + 1).
template <int N, int M, int First = 0, int Last = N + M, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void multiply_columns(Limb *r, const Limb *a,
                                                                   const Limb *b) {
    limb::Column<Limb> column;
    WARPINT_UNROLL_ALWAYS
    for (int k = First; k < Last; ++k) {
        WARPINT_UNROLL_ALWAYS
        for (int i = k < M ? 0 : k - M + 1; i <= (k < N ? k : N - 1); ++i)
            column.add_product(a[i], b[k - i]);
        r[k - First] = column.next();
    }
}

// r = a^2 by columns.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void square_columns(Limb *r, const Limb *a) {
    limb::Column<Limb> column;
    WARPINT_UNROLL_ALWAYS
    for (int k = 0; k < 2 * N; ++k) {
        WARPINT_UNROLL_ALWAYS
        for (int i = k < N ? 0 : k - N + 1; 2 * i < k; ++i)
            column.add_product_twice(a[i], a[k - i]);
        if (k % 2 == 0)
            column.add_product(a[k / 2], a[k / 2]);
        r[k] = column.next();
    }
}

namespace detail {

// One row of alternate limbs: a[i] b_j for low <= i < N and First <= i + j < Last. `even` and `odd`
// are sums over the limbs [First, Last); each product's two limbs go to the one where they begin at
// an even (odd) place. The chain that ends with a[N - 1] comes first: its last pair of limbs is
// fresh, so nothing is carried out; the other chain's carry goes on top of that pair, whose high
// limb is at most B - 2. Everything but the values is known at compile time once the caller's loop
// is unrolled.
template <int N, int First, int Last, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void
add_alternate_row(Limb *even, Limb *odd, const Limb *a, Limb b_j, int j, int low) {
    constexpr int size = Last - First;
    Limb *const top = (N - 1 + j - First) % 2 == 0 ? even : odd;
    Limb *const other = (N - 1 + j - First) % 2 == 0 ? odd : even;
    WARPINT_UNROLL(2, 2)
    for (int part = 0; part < 2; ++part) {
        Limb *const sum = part == 0 ? top : other;
        limb::Chain<Limb> chain;
        bool started = false;
        WARPINT_UNROLL(N, register_limbs)
        for (int i = 0; i < N; ++i) {
            const int k = i + j - First;
            if (i < low || (N - 1 - i) % 2 != part || k >= size)
                continue;
            const bool fresh = j == 0 || i == N - 1;
            if (j == 0 || (fresh && !started)) {
                Limb high = 0;
                limb::multiply_wide(sum[k], high, a[i], b_j);
                if (k + 1 < size)
                    sum[k + 1] = high;
                continue;
            }
            sum[k] = chain.add_low(a[i], b_j, fresh ? Limb{0} : sum[k], !started);
            started = true;
            if (k + 1 < size)
                sum[k + 1] =
                    fresh ? chain.end_high(a[i], b_j) : chain.add_high(a[i], b_j, sum[k + 1]);
        }
        if (part == 1 && started && N + j < Last)
            top[N + j - First] = chain.end(top[N + j - First]);
    }
}

} // namespace detail

// As multiply_columns, row by row: the sum of two accumulators of alternate limbs. (Emmart,
// Luitjens, Weems, Woolley, "Optimizing modular multiplication for NVIDIA's Maxwell GPUs", ARITH
// 2016, has the idea of aligned pairs.)
template <int N, int M, int First = 0, int Last = N + M, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void multiply_alternate(Limb *r, const Limb *a,
                                                                     const Limb *b) {
    Limb even[Last - First]{};
    Limb odd[Last - First]{};
    WARPINT_UNROLL(M, register_limbs)
    for (int j = 0; j < M; ++j) {
        detail::add_alternate_row<N, First, Last>(even, odd, a, b[j], j, First > j ? First - j : 0);
    }
    r[0] = even[0]; // odd begins at limb 1
    if constexpr (Last - First > 1)
        limb::add<Last - First - 1>(r + 1, even + 1, odd + 1);
}

// r = a^2 by alternate limbs: the mixed products, doubled, and the squares in one chain.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void square_alternate(Limb *r, const Limb *a) {
    Limb even[2 * N]{};
    Limb odd[2 * N]{};
    WARPINT_UNROLL(N, register_limbs)
    for (int j = 0; j < N; ++j)
        detail::add_alternate_row<N, 0, 2 * N>(even, odd, a, a[j], j, j + 1);
    limb::add<2 * N - 1>(even + 1, even + 1, odd + 1);
    Limb doubled[2 * N]{};
    WARPINT_UNROLL(2 * N, 2 * register_limbs)
    for (int i = 0; i < 2 * N; ++i)
        doubled[i] = funnel_left(even[i], i > 0 ? even[i - 1] : Limb{0}, 1);
    limb::Chain<Limb> chain;
    WARPINT_UNROLL(N, register_limbs)
    for (int i = 0; i < N; ++i) {
        r[2 * i] = chain.add_low(a[i], a[i], doubled[2 * i], i == 0);
        r[2 * i + 1] = chain.add_high(a[i], a[i], doubled[2 * i + 1]);
    }
}

namespace detail {

// r = a^2 for a of n <= N limbs.
template <int N = limb::block_limbs, class Limb>
WARPINT_HOST_DEVICE WARPINT_DEVICE_NOINLINE constexpr void square_short(Limb *r, const Limb *a,
                                                                        int n) {
    if constexpr (N > 1) {
        if (n < N)
            return square_short<N - 1>(r, a, n);
    }
    if constexpr (N == limb::block_limbs) {
        if (limb::has_word_blocks<Limb>())
            return limb::square_block(r, a);
    }
    square_columns<N>(r, a);
}

} // namespace detail

// r = a^2; a has n limbs, r has 2 n and overlaps nothing; scratch has square_rows_scratch(n) limbs.
// The squares of blocks of eight limbs, which do not overlap, plus twice each block times all that
// follows it.
WARPINT_HOST_DEVICE constexpr int square_rows_scratch(int n) {
    return 2 * n;
}
template <class Limb>
WARPINT_HOST_DEVICE WARPINT_DEVICE_NOINLINE constexpr void square_rows(Limb *r, const Limb *a,
                                                                       int n, Limb *scratch) {
    constexpr int block = limb::block_limbs;
    for (int i = 0; i < n; i += block)
        detail::square_short(r + 2 * i, a + i, n - i < block ? n - i : block);
    if (n <= block)
        return;
    // The mixed products, from limb 8 on.
    Limb *const mixed = scratch;
    limb::multiply_block(mixed, a, a + block, n - block);
    for (int i = block; i + block < n; i += block)
        limb::multiply_add_block(mixed + 2 * i, a + i, a + i + block, n - i - block);
    const int reached = n <= block ? 0 : n + (n - 1) / block * block - block; // limbs of `mixed`
    for (int i = reached; i < 2 * n - block; ++i)
        mixed[i] = 0;
    limb::add_doubled_row(r + block, mixed, 2 * n - block);
}

} // namespace warpint::arith
