// SPDX-License-Identifier: Apache-2.0
// When a single division or square root runs in vectors (arith/simd/one): on hosts that have the
// engine, from a width on.
#pragma once

#include "../../simd/machine/engine.h"
#include "../../simd/one/divide.h"
#include "../../simd/one/root.h"
#include "../tuning.h"

namespace warpint::arith {

// Whether numbers of up to N and M limbs of 32 bits may be divided in vectors at run time.
template <int N, int M>
inline constexpr bool may_divide_in_vectors = WARPINT_SIMD != 0 && WARPINT_HAS_INT128 != 0 &&
                                              WARPINT_DEVICE_PASS == 0 && M >= vector_divisor_limbs &&
                                              N >= M + vector_quotient_limbs;

// Whether roots of numbers of up to N limbs of 32 bits may be found in vectors at run time.
template <int N>
inline constexpr bool may_find_root_in_vectors = WARPINT_SIMD != 0 && WARPINT_HAS_INT128 != 0 &&
                                                 WARPINT_DEVICE_PASS == 0 &&
                                                 N >= vector_root_limbs && N <= widest_vector_root;

#if WARPINT_SIMD && WARPINT_HAS_INT128

namespace detail {

template <int N, int M>
WARPINT_NOINLINE void run_in_vectors(const simd::Result &q, const simd::Result &r,
                                     const simd::Source &a, const simd::Source &b) {
    constexpr int vectors = simd::divisor_vectors(32 * (M < widest_vector_divisor ? M : widest_vector_divisor));
    alignas(64) std::uint64_t room[simd::division_room(32 * N, vectors)];
    simd::divide_in_vectors<vectors>(q, r, a, b, room);
}

} // namespace detail

// q = a / b of N limbs, r = a mod b of M limbs, either of which may be null, for a and b of N and M
// limbs of 32 bits, if that is done in vectors; else returns false, with nothing written. q may be
// a, r may be b. Variable time.
template <int N, int M>
WARPINT_INLINE bool divide_in_vectors(std::uint32_t *q, std::uint32_t *r, const std::uint32_t *a,
                                      const std::uint32_t *b) {
    constexpr int widest = M < widest_vector_divisor ? M : widest_vector_divisor;
    constexpr int vectors = simd::divisor_vectors(32 * widest);
    // In fewer limbs half of the vectors are empty.
    constexpr int least = 6 * vectors > vector_divisor_limbs ? 6 * vectors : vector_divisor_limbs;
    int m = M;
    while (m >= least && b[m - 1] == 0)
        --m;
    if (m < least || m > widest)
        return false;
    int n = N;
    while (n >= m + vector_quotient_limbs && a[n - 1] == 0)
        --n;
    if (n < m + vector_quotient_limbs || simd::engine() == simd::Engine::scalar)
        return false;
    detail::run_in_vectors<N, M>({q, N}, {r, M}, {a, n}, {b, m});
    return true;
}

namespace detail {

template <int N>
WARPINT_NOINLINE bool run_root_in_vectors(const simd::Result &root, const simd::Source &a) {
    alignas(64) std::uint64_t room[simd::root_room(32 * N)];
    return simd::find_root_in_vectors<simd::root_vectors(32 * N)>(root, a, room);
}

} // namespace detail

// root = floor(sqrt(a)) in N limbs for a of N limbs of 32 bits, if that is done in vectors; else
// returns false, with nothing written. root may be a. Variable time.
template <int N>
WARPINT_INLINE bool find_root_in_vectors(std::uint32_t *root, const std::uint32_t *a) {
    int n = N;
    while (n >= vector_root_limbs && a[n - 1] == 0)
        --n;
    return n >= vector_root_limbs && simd::engine() != simd::Engine::scalar &&
           detail::run_root_in_vectors<N>({root, N}, {a, n});
}

#endif

} // namespace warpint::arith
