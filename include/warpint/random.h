// SPDX-License-Identifier: Apache-2.0
// Random numbers: random_bits and random_below from any generator of uniform random bits, and
// Philox, a generator that gives the same numbers on host and device.
//
//   std::mt19937_64 generator(seed);
//   auto x = random_bits<256>(generator);           // uniform in [0, 2^256)
//   auto y = random_below(modulus, generator);      // uniform in [0, modulus)
//   Philox element(key, i);                         // stream i, in a kernel or anywhere
//
// The numbers depend on the generator's results alone, not on the platform or the compiler, nor on
// whether they are drawn on the host or on the device. They are as unpredictable as the generator.
// Philox and the engines of <random> are not for keys or other secrets; use the operating system's
// generator or a cryptography library for those.
#pragma once

#include "limb/language.h"

#if WARPINT_HAS_CXX20
WARPINT_HEADER_BEGIN

#include "number/random.h"

namespace warpint {

// A random number, uniform in [0, 2^Bits). The generator is anything that meets
// std::uniform_random_bit_generator with results of up to 64 bits. Results of 32 or 64 full bits
// are used as they are, lowest limbs first. Any other range is cut into 2^k buckets of equal size;
// a result gives the k bits of its bucket's number, and results beyond the last bucket are drawn
// again, in variable time. In kernels the generator must run on the device, as Philox does.
// Example:
//     Philox generator(1);
//     const BigInt<256> x = random_bits<256>(generator);
template <int Bits, class G>
    requires number::RandomBitGenerator<std::remove_reference_t<G>>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr BigInt<Bits> random_bits(G &&generator) {
    number::RandomLimbs source(generator);
    BigInt<Bits> r{};
    number::draw_bits(r, Bits, source);
    return r;
}

// A random number, uniform in [0, bound), of the bound's width. Draws numbers with as many bits as
// bound - 1 until one is below the bound: fewer than two on average. bound <= 0: std::domain_error
// on the host, 0 in device code, with nothing drawn. Variable time.
// Example:
//     Philox generator(1);
//     const auto x = random_below(BigInt<256>(1000), generator);
template <AnyNumber T, class G>
    requires number::RandomBitGenerator<std::remove_reference_t<G>>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr BigInt<number::bits_of<T>> random_below(const T &bound,
                                                                                    G &&generator) {
    constexpr int bits = number::bits_of<T>;
    if constexpr (number::may_be_short<T>) {
        if (number::are_short(bound))
            return number::to<BigInt<bits>>(random_below(number::shortened(bound), generator));
    }
    BigInt<bits> r{};
    const auto &number = number::as_number(bound);
    if (number::is_negative(number) || !static_cast<bool>(number)) {
        number::report_domain_error("warpint: the bound of random_below must be at least 1");
        return r;
    }
    const auto &limit = number::operand<BigInt<bits>>(number);
    const int width = bit_width(limit - 1);
    number::RandomLimbs source(generator);
    do {
        number::draw_bits(r, width, source);
    } while (!number::less(r, limit));
    return r;
}
// The arguments swapped; this is here for its message.
template <limb::Advice instead = "write random_below(bound, generator)", class G, AnyNumber T>
    requires number::RandomBitGenerator<std::remove_reference_t<G>>
BigInt<number::bits_of<T>> random_below(G &&, const T &)
    WARPINT_REFUSED("write random_below(bound, generator)");

} // namespace warpint

WARPINT_HEADER_END
#endif
