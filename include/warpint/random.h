// SPDX-License-Identifier: Apache-2.0
// Random numbers: random_bits and random_below from any generator of uniform random bits, and
// Philox, a generator that gives the same numbers on host and device.
//
//   std::mt19937_64 generator(seed);
//   auto x = random_bits<256>(generator);           // uniform in [0, 2^256)
//   auto y = random_below(modulus, generator);      // uniform in [0, modulus)
//   Philox element(key, i);                         // stream i, in a kernel or anywhere
//
// The numbers depend on the generator's results alone: no platform, compiler or side changes them.
// How unpredictable they are is the generator's matter. Philox and the engines of <random> are not
// for keys or other secrets: those need the operating system's generator or a cryptography library.
#pragma once

#include "limb/language.h"

#if WARPINT_HAS_CXX20
WARPINT_HEADER_BEGIN

#include "number/random.h"

namespace warpint {

// Uniform in [0, 2^Bits). A generator is anything that meets std::uniform_random_bit_generator with
// results of up to 64 bits, in any range: 32 (64) full bits per result are used as they are, lowest
// limbs first; of other ranges the largest part that is a power of two of equal buckets, with the
// rest drawn again, in variable time. For kernels the generator must run on the device, as Philox
// does.
template <int Bits, class G>
requires number::RandomBitGenerator<std::remove_reference_t<G>>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr BigInt<Bits> random_bits(G &&generator) {
    number::RandomLimbs source(generator);
    BigInt<Bits> r{};
    number::draw_bits(r, Bits, source);
    return r;
}

// Uniform in [0, bound), at the bound's width: numbers of as many bits as bound - 1 has are drawn
// until one is below the bound, fewer than two on average. bound <= 0: std::domain_error on the
// host, 0 in device code; nothing is drawn then. Variable time.
template <AnyNumber T, class G>
requires number::RandomBitGenerator<std::remove_reference_t<G>>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr BigInt<number::bits_of<T>> random_below(const T &bound,
                                                                                    G &&generator) {
    constexpr int bits = number::bits_of<T>;
    BigInt<bits> r{};
    const auto number = number::as_number(bound);
    if (number::is_negative(number) || !static_cast<bool>(number)) {
        number::report_domain_error("warpint::random_below: the bound must be at least 1");
        return r;
    }
    const BigInt<bits> limit = number::to<BigInt<bits>>(number);
    const int width = bit_width(limit - 1);
    number::RandomLimbs source(generator);
    do {
        number::draw_bits(r, width, source);
    } while (!number::less(r, limit));
    return r;
}

} // namespace warpint

WARPINT_HEADER_END
#endif
