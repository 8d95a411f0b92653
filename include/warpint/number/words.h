// SPDX-License-Identifier: Apache-2.0
// The bridge between a number's 32-bit limbs and the 64-bit words that hosts compute with, and the
// one place that reports a division by zero.
#pragma once

#include "../limb/barrier.h"
#include "storage.h"

#if WARPINT_HOSTED
#include <stdexcept>
#endif

namespace warpint::number {

using limb::has_words;

template <int Limbs>
inline constexpr int word_count = (Limbs + 1) / 2;

// A word that compilers do not load together with the next one. Two words that were just stored one
// by one cannot be loaded as a pair until they have reached the cache.
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE std::uint64_t alone(std::uint64_t word) {
#if defined(__GNUC__) && !WARPINT_DEVICE_PASS
    if (!__builtin_constant_p(word))
        return limb::value_barrier(word);
#endif
    return word;
}

template <int Limbs>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void load_words(std::uint64_t *words,
                                                             const std::uint32_t *limbs) {
    if constexpr (Limbs <=
                  2 * limb::unrolled_words) { // not by memcpy, which would go through memory
        WARPINT_UNROLL_HOST
        for (int i = 0; i < Limbs / 2; ++i)
            words[i] = alone(limb::load_word(limbs, i));
    } else {
        __builtin_memcpy(words, limbs, Limbs / 2 * sizeof(std::uint64_t));
    }
    if constexpr (Limbs % 2 != 0)
        words[Limbs / 2] = limbs[Limbs - 1];
}

template <int Limbs>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void store_words(std::uint32_t *limbs,
                                                              const std::uint64_t *words) {
    if constexpr (Limbs <= 2 * limb::unrolled_words) {
        WARPINT_UNROLL_HOST
        for (int i = 0; i < Limbs / 2; ++i)
            limb::store_word(limbs, i, words[i]);
    } else {
        __builtin_memcpy(limbs, words, Limbs / 2 * sizeof(std::uint64_t));
    }
    if constexpr (Limbs % 2 != 0)
        limbs[Limbs - 1] = static_cast<std::uint32_t>(words[Limbs / 2]);
}

// std::domain_error on the host, a compile error in a constant expression, nothing in device code
// (where the caller returns 0).
WARPINT_HOST_DEVICE constexpr inline void report_domain_error([[maybe_unused]] const char *what) {
#if !WARPINT_DEVICE_PASS
    if (what != nullptr)
        throw std::domain_error(what);
#endif
}

} // namespace warpint::number
