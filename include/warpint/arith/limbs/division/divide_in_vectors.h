// SPDX-License-Identifier: Apache-2.0
// When a single division or square root runs in vectors (arith/simd/one): on hosts that have the
// engine, from a width on. Variable time.
#pragma once

#include "../../../limb/config.h"

#if WARPINT_HOSTED
#include "../../simd/machine/engine.h"
#include "../../simd/one/divide.h"
#include "../../simd/one/root.h"
#endif
#include "../tuning.h"

#if WARPINT_HOSTED && !WARPINT_DEVICE_PASS && WARPINT_HAS_INT128 && WARPINT_SIMD
#define WARPINT_DIVIDES_IN_VECTORS 1

namespace warpint::arith {

// Whether numbers of N by M limbs of 32 bits may be divided in vectors.
template <int N, int M>
inline constexpr bool may_divide_in_vectors =
    M >= vector_divisor_limbs && N >= vector_divisor_limbs + vector_quotient_limbs;
// Whether roots of numbers of N limbs of 32 bits may be found in vectors.
template <int N>
inline constexpr bool may_find_root_in_vectors = N >= vector_root_limbs && N <= widest_vector_root;

namespace detail {

// Limbs of the widest divisor, and vectors for it.
template <int M>
inline constexpr int longest_divisor = M < widest_vector_divisor ? M : widest_vector_divisor;
template <int M>
inline constexpr int division_vectors = simd::divisor_vectors(32 * longest_divisor<M>);

template <int N, int vectors>
WARPINT_NOINLINE void run_in_vectors(const simd::Result &q, const simd::Result &r,
                                     const simd::Source &a, const simd::Source &b) {
    alignas(64) std::uint64_t room[simd::division_room(32 * N, vectors)];
    simd::divide_in_vectors<vectors>(q, r, a, b, room);
}

template <int N>
WARPINT_NOINLINE bool run_root_in_vectors(const simd::Result &root, const simd::Source &a) {
    alignas(64) std::uint64_t room[simd::root_room(32 * N)];
    return simd::find_root_in_vectors<simd::root_vectors(32 * N)>(root, a, room);
}

} // namespace detail

// q = a / b, r = a mod b for a of n <= N and b of m <= M limbs of 32 bits, with zeros above, if
// that is done in vectors; else returns false, with nothing written. Where the results go says
// their lengths, at least n and m; either may be null. q may be a, r may be a or b. For numbers in
// limbs of either width. Variable time.
template <int N, int M>
WARPINT_INLINE bool divide_in_vectors(const simd::Result &q, const simd::Result &r,
                                      const std::uint32_t *a, int n, const std::uint32_t *b,
                                      int m) {
    constexpr int least = vector_divisor_limbs;
    while (m >= least && simd::load<std::uint32_t>(b + m - 1) == 0)
        --m;
    if (m < least || m > detail::longest_divisor<M>)
        return false;
    while (n >= m + vector_quotient_limbs && simd::load<std::uint32_t>(a + n - 1) == 0)
        --n;
    if (n < m + vector_quotient_limbs || simd::engine() == simd::Engine::scalar)
        return false;
    // Of operands of one width the divisor may well be of half of it: 1024 by 512 bits take 116 ns
    // then, and 134 in vectors for 1024 bits.
    constexpr int vectors = detail::division_vectors<M>;
    constexpr int fewer = N < 2 * M ? detail::division_vectors<(M + 1) / 2> : vectors;
    if (fewer < vectors && 32 * m <= simd::digit_bits * simd::divisor_digits(fewer)) {
        detail::run_in_vectors<N, fewer>(q, r, {a, n}, {b, m});
    } else {
        detail::run_in_vectors<N, vectors>(q, r, {a, n}, {b, m});
    }
    return true;
}

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

} // namespace warpint::arith

#else
#define WARPINT_DIVIDES_IN_VECTORS 0
#endif
