// SPDX-License-Identifier: Apache-2.0
// Random numbers over lanes, and numbers over lanes as text.
#pragma once

#include "../../random.h"
#include "../../text.h"
#include "../print.h"
#include "../random.h"
#include "bits.h"

namespace warpint {

// A random number, uniform in [0, 2^width of W): random_bits<WarpInt<2048, 4>>(g) draws what
// random_bits<2048>(g) draws. Each lane of a number passes its own copy of the generator, all in
// the same state.
template <WarpNumber W, class G>
    requires number::RandomBitGenerator<std::remove_reference_t<G>>
[[nodiscard]] WARPINT_HOST_DEVICE W random_bits(G &&generator) {
    static_assert(!W::is_signed, "random_bits: W must be unsigned");
    using word = typename W::word;
    const typename W::group g;
    number::RandomLimbs source(generator);
    W r(0);
    WARPINT_UNROLL(2, 1)
    for (int limb = 0; limb < W::limb_count; ++limb) {
        const int wanted = W::bits - 32 * limb;
        const word drawn(source.next() >> (wanted < 32 ? 32 - wanted : 0));
        WARPINT_UNROLL(W::limbs_per_lane, W::limbs_per_lane)
        for (int i = 0; i < W::limbs_per_lane; ++i) {
            r.words[i] =
                W::group::select(g.template place<W::limbs_per_lane>(i) == limb, drawn, r.words[i]);
        }
    }
    return r;
}

// A random number, uniform in [0, bound). The numbers of a warp draw until all have one. A bound
// below 1: std::domain_error on a host, 0 in device code.
template <WarpNumber T, class G>
    requires number::RandomBitGenerator<std::remove_reference_t<G>>
[[nodiscard]] WARPINT_HOST_DEVICE warp_int::unsigned_t<T> random_below(const T &bound,
                                                                       G &&generator) {
    using R = warp_int::unsigned_t<T>;
    const typename R::group g;
    const bool positive = bound > 0;
    if (!positive)
        number::report_domain_error("warpint: the bound of random_below must be at least 1");
    const R limit = warp_int::select(positive, warp_int::to<R>(bound), R(1));
    const int width = bit_width(limit - 1);
    R r(0);
    bool searching = true;
    while (g.vote(searching)) {
        // As BigInt draws: ceil(width / 32) limbs, the upper bits of the top one.
        BigInt<R::bits> drawn;
        number::RandomLimbs source(generator);
        number::draw_bits(drawn, width, source);
        const R next(drawn);
        const bool fits = next < limit;
        r = warp_int::select(searching && fits, next, r);
        searching = searching && !fits;
    }
    return warp_int::select(positive, r, R(0));
}

// ---- text

// Prints x in hexadecimal and ends the line, once per number. All its lanes must call together.
template <WarpNumber T>
WARPINT_HOST_DEVICE inline void print(const T &x) {
    const auto plain = static_cast<typename T::plain>(x);
#if WARPINT_DEVICE_PASS
    if (!typename T::group{}.first())
        return;
#endif
    print(plain);
}
#if WARPINT_HOSTED
// The number as text; host only.
template <WarpNumber T>
[[nodiscard]] std::string to_string(const T &x, int base = 10) {
    return to_string(static_cast<typename T::plain>(x), base);
}
template <class Character, class Traits, WarpNumber T>
std::basic_ostream<Character, Traits> &operator<<(std::basic_ostream<Character, Traits> &stream,
                                                  const T &x) {
    return stream << static_cast<typename T::plain>(x);
}
#endif

} // namespace warpint
