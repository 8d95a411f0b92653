// SPDX-License-Identifier: Apache-2.0
// Two bases of a residue number system for Montgomery products: the primes, how many a width needs,
// and arithmetic modulo one prime.
//
// A number is held by its residues modulo the primes of a base, its channels. Base A, the larger
// primes, has the Montgomery radix as its product; base B holds the numbers. The 8 L largest primes
// below 2^31 give 4 L channels to A, then 4 L to B. Four channels are a slot, one for each of the
// four threads that share a row of a tile on tensor cores (tables.h). L is odd, so that the bytes
// of L slots and of one more, the spare one, fill steps of 32 bytes.
//
// The proof that the bases are large enough is in ranges.h.
#pragma once

#include "../../limb/config.h"

namespace warpint::rns {

// Every prime p is 2^31 - c with 0 < c < prime_window. A residue fits a word with a bit to spare,
// so that sums and unreduced representatives fit too.
inline constexpr int prime_bits = 31;
inline constexpr std::uint32_t prime_window = 5888;

// The widths, in bits, that have bases.
inline constexpr int least_bits = 768;
inline constexpr int most_bits = 4096;

// a b mod p for a, b < 2^32 and 0 < p < 2^32.
WARPINT_HOST_DEVICE constexpr std::uint32_t mul_mod(std::uint32_t a, std::uint32_t b,
                                                    std::uint32_t p) {
    return static_cast<std::uint32_t>(std::uint64_t{a} * b % p);
}

// a^e mod p for p > 1; 0^0 = 1. Variable time.
WARPINT_HOST_DEVICE constexpr std::uint32_t power_mod(std::uint32_t a, std::uint32_t e,
                                                      std::uint32_t p) {
    std::uint32_t result = 1;
    for (a %= p; e != 0; e >>= 1) {
        if ((e & 1) != 0)
            result = mul_mod(result, a, p);
        a = mul_mod(a, a, p);
    }
    return result;
}

// a^-1 mod p for a prime p that does not divide a (Fermat); 0 for one that does. Variable time.
WARPINT_HOST_DEVICE constexpr std::uint32_t inverse_mod(std::uint32_t a, std::uint32_t p) {
    return power_mod(a, p - 2, p);
}

// -a mod p for a < p.
WARPINT_HOST_DEVICE constexpr std::uint32_t negated_mod(std::uint32_t a, std::uint32_t p) {
    return a == 0 ? 0 : p - a;
}

// The representative of a, a < p, that lies between -p/2 and p/2; odd p < 2^32.
WARPINT_HOST_DEVICE constexpr std::int32_t balanced(std::uint32_t a, std::uint32_t p) {
    return static_cast<std::int32_t>(a > p / 2 ? a - p : a);
}

// R mod p for R = 2^32 and a prime p of the bases.
WARPINT_HOST_DEVICE constexpr std::uint32_t radix_modulo(std::uint32_t p) {
    return 2 * ((std::uint32_t{1} << prime_bits) - p);
}

// f R mod p of a factor, both balanced.
WARPINT_HOST_DEVICE constexpr std::int32_t times_radix(std::int32_t f, std::uint32_t p) {
    const std::uint32_t positive = static_cast<std::uint32_t>(f) + (f < 0 ? p : 0);
    return balanced(mul_mod(positive, radix_modulo(p), p), p);
}

// What a word has added to a residue, of which it holds the signed representative: word = residue
// + word_bias, 0 <= word < 2^32.
inline constexpr std::uint32_t word_bias = 0x80000000;

// |z| < largest_multiple N for every intermediate result z of a power modulo N (ranges.h).
WARPINT_HOST_DEVICE constexpr int largest_multiple(int channels) {
    return channels / 4 * 3 + 2;
}

// How many top bits of each word tell alpha, the multiple of P_B that a number's words have too
// much (ranges.h).
WARPINT_HOST_DEVICE constexpr int top_bits(int channels) {
    return channels <= 124 ? 8 : 9;
}

// Whether the quotient of a recombination takes the carry of the lower half: an instruction more,
// without which residues of more channels do not fit a word (ranges.h).
WARPINT_HOST_DEVICE constexpr bool carries_into_quotient(int channels) {
    return channels > 100;
}

// Whether two bases of so many channels serve operands below 2^bits. The product of a base is at
// least 2^(31 channels - 1). With c the largest multiple,
//   - that of A is at least c^2 2^bits: products shrink to c N again;
//   - that of B is at least 256 c 2^bits: the words' top bits tell a number's multiple of it.
constexpr bool are_large_enough(int channels, int bits) {
    const int product_bits = prime_bits * channels - 1;
    const auto multiple_bits =
        static_cast<int>(std::bit_width(static_cast<unsigned>(largest_multiple(channels))));
    return product_bits >= bits + 2 * multiple_bits && product_bits >= bits + 8 + multiple_bits;
}

// The smallest odd number of slots that serves operands below 2^bits.
constexpr int slots_for(int bits) {
    int slots = 1;
    while (!are_large_enough(4 * slots, bits))
        slots += 2;
    return slots;
}

namespace detail {

template <int Count>
struct Primes {
    std::uint32_t values[Count];
};

// The Count largest primes below 2^31, in descending order: a sieve of the odd numbers of the
// window by every odd number up to its square root.
template <int Count>
WARPINT_HOST_DEVICE constexpr Primes<Count> find_largest_primes() {
    constexpr std::uint32_t end = std::uint32_t{1} << prime_bits;
    constexpr std::uint32_t window = prime_window;
    bool composite[window / 2]{}; // of end - 1 - 2 i
    for (std::uint32_t d = 3; d * d < end; d += 2) {
        std::uint32_t distance = end % d; // from end down to a multiple of d
        if (distance % 2 == 0)
            distance += d; // an odd multiple
        for (; distance < window; distance += 2 * d)
            composite[distance / 2] = true;
    }
    Primes<Count> primes{};
    int found = 0;
    for (std::uint32_t i = 0; found < Count; ++i) { // not a constant if there are too few
        if (!composite[i])
            primes.values[found++] = end - 1 - 2 * i;
    }
    return primes;
}

template <int Count>
inline constexpr Primes<Count> largest_primes = find_largest_primes<Count>();

} // namespace detail

// The bases for numbers of `bits` bits, and the sizes that follow.
template <int Bits>
struct Bases {
    static_assert(least_bits <= Bits && Bits <= most_bits, "no bases for this width");

    static constexpr int bits = Bits;
    static constexpr int limbs = (bits + 31) / 32;      // of 32 bits, of an operand
    static constexpr int slots = slots_for(32 * limbs); // of a base
    static constexpr int channels = 4 * slots;          // primes of a base
    static constexpr int k_steps = slots / 2 + 1;       // of 32 bytes, of a number's bytes
    static constexpr int rows = 32 * k_steps;           // bytes: 4 a channel, 16 spare
    static constexpr int columns = 4 * channels;        // digits: 4 a channel
    static constexpr int spare_row = 4 * channels;      // the first spare byte
    static constexpr int matrix_bytes = rows * columns; // of one constant matrix
    static constexpr int multiple = largest_multiple(channels);
    static constexpr int top_bits = rns::top_bits(channels);
    static constexpr bool carries = carries_into_quotient(channels);

    static_assert(slots % 2 == 1 && 7 <= slots && slots <= 35);
    static_assert(matrix_bytes == slots * k_steps * 512);
    static_assert(are_large_enough(channels, 32 * limbs));

    // The prime of channel i, 0 <= i < channels. On hosts; device code reads Tables.
    static constexpr std::uint32_t prime_a(int i) {
        return detail::largest_primes<2 * channels>.values[i];
    }
    static constexpr std::uint32_t prime_b(int i) {
        return detail::largest_primes<2 * channels>.values[channels + i];
    }
};

} // namespace warpint::rns
