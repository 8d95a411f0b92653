// SPDX-License-Identifier: Apache-2.0
// OpenSSL 3 marks the functions of one hash as deprecated. Those that replace them change, for each
// message, a counter that all threads share.
#define OPENSSL_SUPPRESS_DEPRECATED

#include "encoding.h"

#include <algorithm>
#include <cstring>

#include <openssl/crypto.h>
#include <openssl/rand.h>
#include <openssl/sha.h>

#include "error.h"

namespace rsa {

using sample::Error;

namespace {

using Hash = std::array<std::uint8_t, hash_size>;

Hash hash(SHA256_CTX state) {
    Hash result;
    SHA256_Final(result.data(), &state);
    return result;
}

SHA256_CTX hash_state(std::span<const std::uint8_t> data) {
    SHA256_CTX state;
    SHA256_Init(&state);
    SHA256_Update(&state, data.data(), data.size());
    return state;
}

const Hash &hash_of_empty_label() {
    static const Hash result = hash(hash_state({}));
    return result;
}

// data ^= MGF1(seed), as many bytes as there are (RFC 8017, appendix B.2.1).
void apply_mask(std::span<const std::uint8_t> seed, std::span<std::uint8_t> data) {
    const SHA256_CTX behind_seed = hash_state(seed);
    std::uint32_t counter = 0;
    for (std::size_t at = 0; at < data.size(); at += hash_size, ++counter) {
        const std::uint8_t big_endian[4] = {
            static_cast<std::uint8_t>(counter >> 24), static_cast<std::uint8_t>(counter >> 16),
            static_cast<std::uint8_t>(counter >> 8), static_cast<std::uint8_t>(counter)};
        SHA256_CTX state = behind_seed;
        SHA256_Update(&state, big_endian, sizeof(big_endian));
        const Hash mask = hash(state);
        const std::size_t size = std::min(hash_size, data.size() - at);
        for (std::size_t i = 0; i != size; ++i)
            data[at + i] ^= mask[i];
    }
}

// All bits set where the byte is zero, otherwise none.
std::uint8_t zero_mask(std::uint8_t byte) {
    return static_cast<std::uint8_t>((byte - 1) >> 8);
}

// The same value, of which the compiler knows nothing: it must not make a branch of a loop's mask.
std::uint8_t opaque(std::uint8_t value) {
    const volatile std::uint8_t stored = value;
    return stored;
}

// Moves the bytes to the front by `distance`, at most data.size(), in a time that does not depend
// on it: by each power of two, or not. What is behind them is unspecified.
void move_to_front(std::span<std::uint8_t> data, std::size_t distance) {
    for (int bit = 0; std::size_t{1} << bit <= data.size(); ++bit) {
        const std::size_t step = std::size_t{1} << bit;
        const std::uint8_t mask = opaque(static_cast<std::uint8_t>(0 - (distance >> bit & 1)));
        for (std::size_t i = 0; i != data.size() - step; ++i)
            data[i] = static_cast<std::uint8_t>((data[i] & ~mask) | (data[i + step] & mask));
    }
}

// `size`, or -1 where `bad` is not zero.
int size_or_bad(std::size_t size, std::uint8_t bad) {
    const int good = static_cast<std::int8_t>(zero_mask(bad)); // -1 or 0
    return (static_cast<int>(size) & good) | ~good;
}

} // namespace

RandomBytes::~RandomBytes() {
    OPENSSL_cleanse(bytes.data(), bytes.size());
}

void RandomBytes::fill(std::span<std::uint8_t> out) {
    while (!out.empty()) {
        if (used == bytes.size()) {
            if (RAND_bytes(bytes.data(), static_cast<int>(bytes.size())) != 1)
                throw Error("OpenSSL has no random numbers");
            used = 0;
        }
        const std::size_t size = std::min(out.size(), bytes.size() - used);
        std::memcpy(out.data(), bytes.data() + used, size);
        used += size;
        out = out.subspan(size);
    }
}

void RandomBytes::fill_without_zeros(std::span<std::uint8_t> out) {
    fill(out);
    for (std::uint8_t &byte : out) {
        while (byte == 0)
            fill({&byte, 1});
    }
}

// block: 0, seed, data; data: hash of the label, zeros, 1, message. Seed and data mask each other.
void encode_oaep(std::span<const std::uint8_t> message, RandomBytes &random,
                 std::span<std::uint8_t> block) {
    const auto seed = block.subspan(1, hash_size);
    const auto data = block.subspan(1 + hash_size);
    const Hash &label = hash_of_empty_label();
    block.front() = 0;
    random.fill(seed);
    std::copy(label.begin(), label.end(), data.begin());
    const auto zeros = data.subspan(hash_size, data.size() - hash_size - 1 - message.size());
    std::fill(zeros.begin(), zeros.end(), std::uint8_t{0});
    data[hash_size + zeros.size()] = 1;
    std::copy(message.begin(), message.end(), data.end() - static_cast<long>(message.size()));
    apply_mask(seed, data);
    apply_mask(data, seed);
}

// block: 0, 2, random bytes that are not 0, 0, message.
void encode_pkcs1(std::span<const std::uint8_t> message, RandomBytes &random,
                  std::span<std::uint8_t> block) {
    const auto padding = block.subspan(2, block.size() - 3 - message.size());
    block[0] = 0;
    block[1] = 2;
    random.fill_without_zeros(padding);
    block[2 + padding.size()] = 0;
    std::copy(message.begin(), message.end(), block.end() - static_cast<long>(message.size()));
}

int decode_oaep(std::span<std::uint8_t> block, std::span<std::uint8_t> message) {
    const auto seed = block.subspan(1, hash_size);
    const auto data = block.subspan(1 + hash_size);
    apply_mask(data, seed);
    apply_mask(seed, data);
    const Hash &label = hash_of_empty_label();
    std::uint8_t bad = block.front();
    for (std::size_t i = 0; i != hash_size; ++i)
        bad = static_cast<std::uint8_t>(bad | (data[i] ^ label[i]));

    const auto rest = data.subspan(hash_size);
    std::size_t zeros = 0;
    std::uint8_t before = 0xff; // the mask of: all bytes up to here are zero
    std::uint8_t separator = 0; // the first that is not
    for (const std::uint8_t byte : rest) {
        separator |= before & byte;
        before &= zero_mask(byte);
        zeros += before & 1;
    }
    bad |= separator ^ 1;
    std::copy(rest.begin() + 1, rest.end(), message.begin());
    move_to_front(message, zeros);
    return size_or_bad(rest.size() - 1 - zeros, bad);
}

int decode_pkcs1(std::span<std::uint8_t> block, std::span<std::uint8_t> message) {
    const auto rest = block.subspan(2);
    std::size_t padding = 0;    // bytes
    std::uint8_t before = 0xff; // the mask of: no byte up to here is zero
    for (const std::uint8_t byte : rest) {
        before &= static_cast<std::uint8_t>(~zero_mask(byte));
        padding += before & 1;
    }
    // All bits set where the padding is too short, otherwise none.
    const auto too_short = static_cast<std::uint8_t>(
        (static_cast<int>(padding) - static_cast<int>(least_pkcs1_padding)) >> 31);
    const std::uint8_t bad = block[0] | (block[1] ^ 2) | before | too_short;
    std::copy(rest.begin() + least_pkcs1_padding + 1, rest.end(), message.begin());
    move_to_front(message, padding - least_pkcs1_padding);
    return size_or_bad(rest.size() - 1 - padding, bad);
}

} // namespace rsa
