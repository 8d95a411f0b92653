// SPDX-License-Identifier: Apache-2.0
// Exact products of eight pairs of numbers at once, from memory to memory.
#pragma once

#include "convert.h"
#include "product.h"
#include "tuning.h"
#include "workspace.h"

#if WARPINT_SIMD

namespace warpint::simd {
inline namespace WARPINT_SIMD_MACHINE {

// out = a b for the lanes `which` of the elements first .. first + 7, at most `last`.
template <int K>
WARPINT_SIMD_CALL void multiply_block(const Target &out, const Operand &a, const Operand &b,
                                      int windows, int first, int last, unsigned which) {
    const int n = K * windows;
    const auto digits = static_cast<std::size_t>(n);
    const auto word_room = static_cast<std::size_t>(conversion_words(out.limbs(), 2 * n));
    auto *const words =
        static_cast<Digits *>(Workspace::of_this_thread().reserve(word_room + 4 * digits + 2));
    Digits *const x = words + word_room;
    Digits *const y = x + n;
    Digits *const t = y + n;
    from_limbs<K>(x, n, words, a, first, last);
    if (a.data == b.data && a.stride == b.stride) {
        square<K>(t, x, windows);
    } else {
        from_limbs<K>(y, n, words, b, first, last);
        multiply<K>(t, x, y, windows);
    }
    to_limbs<K>(out, first, which, t, 2 * n, words);
}

} // namespace WARPINT_SIMD_MACHINE
} // namespace warpint::simd

#endif // WARPINT_SIMD
