// Products of limb arrays. Schoolbook: by rows on the host (limb/row.h), by two interleaved
// accumulators of alternate limbs on a GPU (limb/chain.h). Constant time.
#pragma once

#include "../limb/row.h"
#include "linear.h"

namespace warpint::algorithm {

// Rows of a product that are unrolled in device code; beyond, they are a loop and the accumulators
// lie in memory.
inline constexpr int unrolled_product_rows = 16;

// r = a b; r has N + M limbs and overlaps neither operand. By rows of the longer operand.
template <int N, int M, class Limb>
WARPINT_HOST_DEVICE constexpr void multiply_rows(Limb *r, const Limb *a, const Limb *b) {
    if constexpr (N < M) {
        multiply_rows<M, N>(r, b, a);
    } else {
        set_zero<N>(r);
        for (int i = 0; i < M; ++i)
            r[i + N] = limb::multiply_add_row(r + i, a, N, b[i]);
    }
}

// The same product by alternate limbs: `even` collects the products whose low half falls on an even
// limb, `odd` the others, one limb lower; their sum is the result.
template <int N, int M, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void multiply_alternate(Limb *r, const Limb *a,
                                                                     const Limb *b) {
    constexpr int padded = N + N % 2;
    constexpr int size = padded + M + M % 2;
    Limb even[size]{};
    Limb odd[size]{}; // odd[k] stands at limb k + 1
    Limb padded_a[padded + 1]{};
    copy<N>(padded_a, a);
    WARPINT_UNROLL(M, unrolled_product_rows)
    for (int i = 0; i < M; i += 2) {
        // A chain's carry out falls on a limb that holds nothing but earlier carries.
        even[i + padded] += limb::multiply_add_alternate<padded>(even + i, padded_a, b[i]);
        odd[i + padded] += limb::multiply_add_alternate<padded>(odd + i, padded_a + 1, b[i]);
        if (i + 1 < M) {
            // a[0] b[i + 1] stands at limb i + 1, the odd accumulator's place i; a[1] b[i + 1] at
            // limb i + 2.
            odd[i + padded] += limb::multiply_add_alternate<padded>(odd + i, padded_a, b[i + 1]);
            const Limb carry =
                limb::multiply_add_alternate<padded>(even + i + 2, padded_a + 1, b[i + 1]);
            if (i + 2 + padded < size)
                even[i + 2 + padded] += carry;
        }
    }
    r[0] = even[0];
    Limb sum[N + M]{};
    limb::add<N + M - 1>(sum, even + 1, odd);
    copy<N + M - 1>(r + 1, sum);
}

// r = a b; r has N + M limbs and overlaps neither operand.
template <int N, int M, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void multiply(Limb *r, const Limb *a, const Limb *b) {
    if constexpr (limb::has_chain<(N > M ? N : M) + 1, Limb>) {
        if (limb::use_ptx()) {
            if constexpr (N >= M) {
                multiply_alternate<N, M>(r, a, b);
            } else {
                multiply_alternate<M, N>(r, b, a);
            }
            return;
        }
    }
    multiply_rows<N, M>(r, a, b);
}

// r = a b modulo B^N; r overlaps neither operand. a has N limbs, b has M <= N.
template <int N, int M, class Limb>
WARPINT_HOST_DEVICE constexpr void multiply_low(Limb *r, const Limb *a, const Limb *b) {
    static_assert(M <= N);
    set_zero<N>(r);
    for (int i = 0; i < M; ++i) {
        const Limb carry = limb::multiply_add_row(r + i, a, N - i, b[i]);
        (void)carry; // falls beyond limb N
    }
}

// r = a^2; r has 2 N limbs and does not overlap a. Each product a[i] a[j], i < j, is computed once
// and doubled: N (N + 1) / 2 products instead of N^2.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr void square_rows(Limb *r, const Limb *a) {
    set_zero<2 * N>(r);
    for (int i = 0; i + 1 < N; ++i)
        r[i + N] = limb::multiply_add_row(r + 2 * i + 1, a + i + 1, N - 1 - i, a[i]);
    Limb shifted_out = 0;
    Limb carry = 0;
    for (int i = 0; i < N; ++i) {
        Limb high = 0;
        const Limb low = limb::multiply_add(a[i], a[i], Limb{0}, high);
        const Limb r0 = r[2 * i];
        const Limb r1 = r[2 * i + 1];
        r[2 * i] = limb::add_carry(static_cast<Limb>((r0 << 1) | shifted_out), low, carry);
        r[2 * i + 1] = limb::add_carry(funnel_left(r1, r0, 1), high, carry);
        shifted_out = static_cast<Limb>(r1 >> (limb::limb_bits<Limb> - 1));
    }
}

// r = a^2; r has 2 N limbs and does not overlap a.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void square(Limb *r, const Limb *a) {
    if constexpr (limb::has_chain<N + 1, Limb>) {
        if (limb::use_ptx()) {
            multiply_alternate<N, N>(r, a, a);
            return;
        }
    }
    square_rows<N>(r, a);
}

} // namespace warpint::algorithm
