// SPDX-License-Identifier: Apache-2.0
// A counter-based random generator. Variable time: how often a generator is called may depend on
// its results.
#pragma once

#include "bits.h"

namespace warpint {

// The counter-based generator Philox4x32-10 of Salmon, Moraes, Dror and Shaw, "Parallel random
// numbers: as easy as 1, 2, 3" (SC 2011): output i is a function of the key, the stream and i
// alone. It gives the same numbers on the host, in kernels and in constant expressions, and can
// jump to any position at once. Each (key, stream) is a sequence of its own, 2^66 outputs long: let
// element i of a batch use stream i. Meets std::uniform_random_bit_generator.
//
// Not a cryptographic generator: never draw keys or other secrets from it. For those use the
// operating system's generator (std::random_device where it is one) or a cryptography library.
class Philox {
public:
    using result_type = std::uint32_t;

    // Four outputs, and the counter that they are computed from.
    struct Block {
        std::uint32_t values[4];
    };

    WARPINT_HOST_DEVICE constexpr explicit Philox(std::uint64_t key, std::uint64_t stream = 0)
        : key_(key), stream_(stream) {}

    WARPINT_HOST_DEVICE static constexpr result_type min() { return 0; }
    WARPINT_HOST_DEVICE static constexpr result_type max() { return 0xffffffffu; }

    // The next output. Every fourth call computes four.
    WARPINT_HOST_DEVICE constexpr result_type operator()() {
        if (index_ == 0)
            compute();
        const result_type value = index_ < 2
                                      ? (index_ == 0 ? values_.values[0] : values_.values[1])
                                      : (index_ == 2 ? values_.values[2] : values_.values[3]);
        index_ = (index_ + 1) % 4;
        if (index_ == 0)
            ++block_;
        return value;
    }

    // Skips the next `count` outputs, in constant time.
    WARPINT_HOST_DEVICE constexpr void discard(unsigned long long count) {
        const std::uint32_t index = index_ + static_cast<std::uint32_t>(count % 4);
        block_ += count / 4 + index / 4;
        index_ = index % 4;
        if (index_ != 0)
            compute();
    }

    // True if both give the same numbers from here on.
    friend WARPINT_HOST_DEVICE constexpr bool operator==(const Philox &a, const Philox &b) {
        return a.key_ == b.key_ && a.stream_ == b.stream_ && a.block_ == b.block_ &&
               a.index_ == b.index_;
    }

    // The ten rounds of Philox4x32-10 (section 3.3 of the paper): a bijection of the 128-bit
    // counter, chosen by the key. Lowest 32 bits first.
    WARPINT_HOST_DEVICE static constexpr Block block(const std::uint32_t (&counter)[4],
                                                     const std::uint32_t (&key)[2]) {
        std::uint32_t c0 = counter[0], c1 = counter[1], c2 = counter[2], c3 = counter[3];
        std::uint32_t k0 = key[0], k1 = key[1];
        WARPINT_UNROLL(10, 10)
        for (int round = 0; round < 10; ++round) {
            const std::uint64_t p0 = std::uint64_t{0xd2511f53u} * c0;
            const std::uint64_t p1 = std::uint64_t{0xcd9e8d57u} * c2;
            c0 = static_cast<std::uint32_t>(p1 >> 32) ^ c1 ^ k0;
            c1 = static_cast<std::uint32_t>(p1);
            c2 = static_cast<std::uint32_t>(p0 >> 32) ^ c3 ^ k1;
            c3 = static_cast<std::uint32_t>(p0);
            k0 += 0x9e3779b9u; // 2^32 / golden ratio
            k1 += 0xbb67ae85u; // 2^32 (sqrt(3) - 1)
        }
        return {{c0, c1, c2, c3}};
    }

private:
    WARPINT_HOST_DEVICE constexpr void compute() {
        const std::uint32_t counter[4] = {
            static_cast<std::uint32_t>(block_), static_cast<std::uint32_t>(block_ >> 32),
            static_cast<std::uint32_t>(stream_), static_cast<std::uint32_t>(stream_ >> 32)};
        const std::uint32_t key[2] = {static_cast<std::uint32_t>(key_),
                                      static_cast<std::uint32_t>(key_ >> 32)};
        values_ = block(counter, key);
    }

    std::uint64_t key_;
    std::uint64_t stream_;
    // The next output is number index_ of block block_; values_ holds that block if index_ > 0.
    std::uint64_t block_ = 0;
    std::uint32_t index_ = 0;
    Block values_{};
};

namespace number {

// What std::uniform_random_bit_generator asks for, without the weight of <random>. The results may
// have up to 64 bits.
template <class G>
concept RandomBitGenerator = requires(G &generator) {
    { G::min() } -> std::same_as<std::invoke_result_t<G &>>;
    { G::max() } -> std::same_as<std::invoke_result_t<G &>>;
    requires std::unsigned_integral<std::invoke_result_t<G &>>;
    requires sizeof(std::invoke_result_t<G &>) <= 8;
    requires std::bool_constant<(G::min() < G::max())>::value;
};

// How many bits to take from one result of a generator, and how. Results are cut into 2^bits
// buckets of `size` values each; the number of the bucket is the bits, and results beyond the last
// bucket are drawn again.
struct Buckets {
    int bits;
    std::uint64_t size;
};

// The cut that gives the most bits per call, for results in [0, largest], largest > 0; 64 bits, or
// at most 32.
constexpr Buckets choose_buckets(std::uint64_t largest) {
    if (largest == ~std::uint64_t{0})
        return {64, 1};
    const std::uint64_t results = largest + 1;
    const int scale = (results >> 58) == 0 ? 0 : 6; // keeps the products below 2^64
    Buckets best{0, 0};
    std::uint64_t most = 0;
    for (int bits = 1; bits <= 32 && (results >> bits) > 0; ++bits) {
        const std::uint64_t size = results >> bits;
        const std::uint64_t yield = ((size << bits) >> scale) * static_cast<std::uint64_t>(bits);
        if (yield > most) {
            most = yield;
            best = {bits, size};
        }
    }
    return best;
}

// Draws random bits from a generator, 32 at a time. Holds what is left of one result.
template <RandomBitGenerator G>
class RandomLimbs {
public:
    WARPINT_HOST_DEVICE constexpr explicit RandomLimbs(G &generator) : generator_(generator) {}

    // Uniform in [0, 2^32).
    WARPINT_HOST_DEVICE constexpr std::uint32_t next() {
        while (held_bits_ < 32) {
            const std::uint64_t drawn = draw();
            if constexpr (buckets.bits >= 32) {
                held_ = drawn;
            } else {
                held_ |= drawn << held_bits_;
            }
            held_bits_ += buckets.bits;
        }
        const std::uint32_t limb = static_cast<std::uint32_t>(held_);
        held_ >>= 32;
        held_bits_ -= 32;
        return limb;
    }

private:
    static constexpr std::uint64_t smallest = G::min();
    static constexpr Buckets buckets = choose_buckets(std::uint64_t{G::max()} - smallest);

    // Uniform in [0, 2^buckets.bits).
    WARPINT_ON_EITHER_SIDE // a generator may exist on the host only, or on the device only
        WARPINT_HOST_DEVICE constexpr std::uint64_t draw() {
        if constexpr (buckets.bits == 64) {
            return generator_();
        } else {
            std::uint64_t bucket = (generator_() - smallest) / buckets.size;
            while ((bucket >> buckets.bits) != 0)
                bucket = (generator_() - smallest) / buckets.size;
            return bucket;
        }
    }

    G &generator_;
    std::uint64_t held_ = 0;
    int held_bits_ = 0;
};

// r = uniform in [0, 2^width), 0 <= width <= Bits. Draws ceil(width / 32) limbs; the top one's
// bits are the upper bits of what was drawn, which are the better ones of a simple generator.
template <int Bits, class G>
WARPINT_HOST_DEVICE constexpr void draw_bits(BigInt<Bits> &r, int width, RandomLimbs<G> &source) {
    limb::keep_local_arrays_apart<BigInt<Bits>::limb_count>();
    for (int i = 0; i < BigInt<Bits>::limb_count; ++i) {
        const int wanted = width - 32 * i;
        std::uint32_t limb = 0;
        if (wanted > 0)
            limb = source.next() >> (wanted < 32 ? 32 - wanted : 0);
        r.limbs[i] = limb;
    }
}

} // namespace number

} // namespace warpint
