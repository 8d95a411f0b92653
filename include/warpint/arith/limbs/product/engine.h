// SPDX-License-Identifier: Apache-2.0
// Products of numbers that are not secret: by GMP's mpn functions on hosts if a program asks for
// it and they are faster, else the library's own. The program defines WARPINT_USE_GMP as 1 in all
// its files and links GMP. Variable time then; functions whose names end in _ct do not come here.
#pragma once

#include "multiply.h"

#ifndef WARPINT_USE_GMP
#define WARPINT_USE_GMP 0
#endif
#if WARPINT_USE_GMP
#include <gmp.h>
#endif

namespace warpint::arith {

template <class Limb>
inline constexpr bool has_engine =
    WARPINT_USE_GMP != 0 && WARPINT_DEVICE_PASS == 0 && sizeof(Limb) == 8;
template <int N, int M>
inline constexpr bool transforms_multiply =
    WARPINT_WORD_TRANSFORMS != 0 && N >= engine_transform_limbs && M >= engine_transform_limbs;
template <int N, int M, class Limb>
inline constexpr bool engine_multiplies = has_engine<Limb> && N >= engine_product_limbs &&
                                          M >= engine_product_limbs && !transforms_multiply<N, M>;
template <int N, class Limb>
inline constexpr bool engine_squares =
    has_engine<Limb> && N >= engine_square_limbs && !transforms_multiply<N, N>;

// multiply and square of multiply.h.
template <int N, int M, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void multiply_by_engine(Limb *r, const Limb *a,
                                                                     const Limb *b) {
#if WARPINT_USE_GMP
    if constexpr (engine_multiplies<N, M, Limb>) {
        static_assert(sizeof(mp_limb_t) == sizeof(Limb) && GMP_NAIL_BITS == 0);
        if (!__builtin_is_constant_evaluated()) {
            if constexpr (N >= M) {
                mpn_mul(r, a, N, b, M);
            } else {
                mpn_mul(r, b, M, a, N);
            }
            return;
        }
    }
#endif
    multiply<N, M>(r, a, b);
}

template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void square_by_engine(Limb *r, const Limb *a) {
#if WARPINT_USE_GMP
    if constexpr (engine_squares<N, Limb>) {
        static_assert(sizeof(mp_limb_t) == sizeof(Limb) && GMP_NAIL_BITS == 0);
        if (!__builtin_is_constant_evaluated()) {
            mpn_sqr(r, a, N);
            return;
        }
    }
#endif
    square<N>(r, a);
}

// Products and squares of numbers as they are stored, in 32-bit limbs, without a copy of them in
// words: on hosts, of widths that are a multiple of 256 bits and have no faster method. r must not
// overlap an operand. False, with nothing done, where the processor has no code for it.
template <int N, int M>
inline constexpr bool multiplies_stored = limb::has_words && limb::is_stored_product<N, M> &&
                                          (N < 2 * Tuning<std::uint64_t>::karatsuba_limbs ||
                                           M < 2 * Tuning<std::uint64_t>::karatsuba_limbs) &&
                                          !engine_multiplies<N / 2, M / 2, std::uint64_t>;
template <int N>
inline constexpr bool squares_stored =
    limb::has_words && limb::is_stored_product<N, N> && N <= 2 * limb::block_limbs &&
    !engine_squares<N / 2, std::uint64_t>;

template <int N, int M>
WARPINT_HOST_DEVICE WARPINT_INLINE bool
try_multiply_stored([[maybe_unused]] std::uint32_t *r, [[maybe_unused]] const std::uint32_t *a,
                    [[maybe_unused]] const std::uint32_t *b) {
#if !WARPINT_DEVICE_PASS
    if constexpr (multiplies_stored<N, M>)
        return limb::multiply_stored<N, M>(r, a, b);
#endif
    return false;
}
template <int N>
WARPINT_HOST_DEVICE WARPINT_INLINE bool try_square_stored([[maybe_unused]] std::uint32_t *r,
                                                          [[maybe_unused]] const std::uint32_t *a) {
#if !WARPINT_DEVICE_PASS
    if constexpr (squares_stored<N>)
        return limb::square_stored(r, a);
#endif
    return false;
}

} // namespace warpint::arith
