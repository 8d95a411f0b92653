// SPDX-License-Identifier: Apache-2.0
// Products of limb arrays whose length is known at compile time: which algorithm owns which size.
//
//                         short              medium              long
//   host, 64-bit limbs    columns            rows in blocks      Karatsuba (low: split)
//   GPU, 32-bit limbs     alternate limbs, in registers          tiles, Karatsuba
//
// The sizes are in tuning.h. Constant time, but for multiply_high.
#pragma once

#include "../../../limb/barrier.h"
#include "karatsuba.h"
#include "tiles.h"

namespace warpint::arith {

namespace detail {

// True where a GPU multiplies in registers.
template <int N, int M, class Limb>
inline constexpr bool in_registers =
    sizeof(Limb) == 4 && N <= register_limbs && M <= register_limbs;

// True for operands short enough to run by columns on the host.
template <int N, int M, class Limb>
inline constexpr bool by_columns =
    N <= Tuning<Limb>::column_limbs && M <= Tuning<Limb>::column_limbs;
template <int N, class Limb>
inline constexpr bool half_by_columns = N <= Tuning<Limb>::half_column_limbs;

template <int N, class Limb>
inline constexpr int levels = karatsuba_levels(N, Tuning<Limb>::karatsuba_limbs);
template <int N, class Limb>
inline constexpr int square_levels = karatsuba_levels(N, Tuning<Limb>::karatsuba_square_limbs);
template <int N, class Limb>
inline constexpr int low_levels = karatsuba_levels(N, Tuning<Limb>::low_split_limbs);

// Long products: out of line, their scratch on the stack.
template <int N, int M, class Limb>
WARPINT_HOST_DEVICE WARPINT_NOINLINE constexpr void multiply_long(Limb *r, const Limb *a,
                                                                  const Limb *b) {
    constexpr int shorter = N < M ? N : M;
    constexpr int depth = levels<shorter, Limb>;
    if constexpr (depth > 0) {
        Limb scratch[product_scratch<Limb>(shorter)];
        multiply_sliced<Tuning<Limb>::karatsuba_limbs, depth>(r, a, N, b, M, scratch);
    } else if (N < M && !WARPINT_USES_PTX) { // rows begin with the longer number
        multiply_base<product_tile<shorter>>(r, b, M, a, N);
    } else {
        multiply_base<product_tile<shorter>>(r, a, N, b, M);
    }
}

template <int N, class Limb>
WARPINT_HOST_DEVICE WARPINT_NOINLINE constexpr void square_long(Limb *r, const Limb *a) {
    constexpr int depth = square_levels<N, Limb>;
    if constexpr (depth == 0) {
        if (WARPINT_USES_PTX) {
            square_tiles<square_tile<N>>(r, a, N);
            return;
        }
    }
    Limb scratch[square_scratch(N)];
    square_karatsuba<Tuning<Limb>::karatsuba_square_limbs, depth>(r, a, N, scratch);
}

} // namespace detail

// r = a b; a has N limbs, b has M, r has N + M and overlaps neither operand.
template <int N, int M, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void multiply(Limb *r, const Limb *a, const Limb *b) {
    if constexpr (detail::in_registers<N, M, Limb>) {
        if (WARPINT_USES_PTX) {
            if constexpr (N == M && N > register_schoolbook_limbs) {
                multiply_karatsuba_registers<N>(r, a, b);
            } else if constexpr (N >= M) {
                multiply_alternate<N, M>(r, a, b);
            } else {
                multiply_alternate<M, N>(r, b, a);
            }
            return;
        }
    }
    if constexpr (N == 1 && M == 1 && sizeof(Limb) == 8) {
        Limb high = 0;
        r[0] = limb::multiply_add(a[0], b[0], Limb{0}, high);
        r[1] = high;
    } else if constexpr (detail::by_columns<N, M, Limb>) {
        multiply_columns<N, M>(r, a, b);
    } else {
        if constexpr (N == limb::block_limbs && M == N) {
            if (limb::has_word_blocks<Limb>()) {
                limb::multiply_block(r, a, b, M);
                return;
            }
        }
        detail::multiply_long<N, M>(r, a, b);
    }
}

// r = a^2; a has N limbs, r has 2 N and does not overlap a.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void square(Limb *r, const Limb *a) {
    if constexpr (detail::in_registers<N, N, Limb>) {
        if (WARPINT_USES_PTX) {
            square_alternate<N>(r, a);
            return;
        }
    }
    if constexpr (detail::half_by_columns<N, Limb>) {
        if constexpr (N == limb::block_limbs) {
            if (limb::has_word_blocks<Limb>()) {
                limb::square_block(r, a);
                return;
            }
        }
        square_columns<N>(r, a);
    } else {
        detail::square_long<N>(r, a);
    }
}

template <int K, int N = K, int M = N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void multiply_low(Limb *r, const Limb *a,
                                                               const Limb *b);

namespace detail {

template <int K, int N, int M, class Limb>
WARPINT_HOST_DEVICE WARPINT_NOINLINE constexpr void multiply_low_long(Limb *r, const Limb *a,
                                                                      const Limb *b) {
    constexpr int depth = low_levels<M, Limb>;
    if constexpr (M == K && depth > 0) {
        Limb scratch[low_product_scratch(N)];
        multiply_low_split<Tuning<Limb>::low_split_limbs, Tuning<Limb>::karatsuba_limbs, depth>(
            r, a, b, N, scratch);
        return;
    }
    if (depth == 0 && WARPINT_USES_PTX) {
        multiply_tiles<product_tile<M>>(r, K, a, N, b, M);
    } else if constexpr (M == K) {
        multiply_low_rows(r, a, b, N);
    } else if constexpr (N == K) { // the rows that end below B^K, and the triangle above
        multiply<K - M, M>(r, a, b);
        Limb above[M]{};
        multiply_low<M>(above, a + K - M, b);
        limb::add_row(r + K - M, r + K - M, above, M);
    } else {
        Limb product[N + M]{};
        multiply<N, M>(product, a, b);
        copy<K>(r, product);
    }
}

} // namespace detail

// r = a b modulo B^K; a has N limbs, b has M, N and M are K at most; r overlaps neither operand.
template <int K, int N, int M, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void multiply_low(Limb *r, const Limb *a,
                                                               const Limb *b) {
    static_assert(N <= K && M <= K);
    if constexpr (N < M) {
        multiply_low<K, M, N>(r, b, a);
    } else if constexpr (N + M <= K) {
        multiply<N, M>(r, a, b);
        for (int i = N + M; i < K; ++i)
            r[i] = 0;
    } else {
        if constexpr (detail::in_registers<N, M, Limb>) {
            if (WARPINT_USES_PTX) {
                multiply_alternate<N, M, 0, K>(r, a, b);
                return;
            }
        }
        if constexpr (detail::half_by_columns<K, Limb>) {
            multiply_columns<N, M, 0, K>(r, a, b);
            if constexpr (K > 4) // a branch on its sign may be all that reads it
                r[K - 1] = limb::kept(r[K - 1]);
        } else {
            detail::multiply_low_long<K, N, M>(r, a, b);
        }
    }
}

// r = floor(a b / B^N), the upper half of the product; all have N limbs, r overlaps neither
// operand. Columns below N - 2 are left out; what they could carry into limb N - 1 is less than N,
// so only if that limb is within N of the largest (one case in B / N) the full product is taken.
// Variable time.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void multiply_high(Limb *r, const Limb *a,
                                                                const Limb *b) {
    constexpr bool in_registers = sizeof(Limb) == 4 && N >= register_high_limbs &&
                                  N <= register_high_limit && WARPINT_DEVICE_PASS;
    if constexpr (in_registers || (N >= 4 && detail::half_by_columns<N, Limb>)) {
        Limb high[N + 2]{};
        if (WARPINT_USES_PTX) {
            multiply_alternate<N, N, N - 2, 2 * N>(high, a, b);
        } else {
            multiply_columns<N, N, N - 2, 2 * N>(high, a, b);
        }
        if (high[1] < static_cast<Limb>(Limb{0} - static_cast<Limb>(N))) {
            copy<N>(r, high + 2);
            return;
        }
        Limb product[2 * N];
        detail::multiply_long<N, N>(product, a, b); // rare: small code, not fast code
        copy<N>(r, product + N);
    } else {
        Limb product[2 * N]{};
        multiply<N, N>(product, a, b);
        copy<N>(r, product + N);
    }
}

} // namespace warpint::arith
