// SPDX-License-Identifier: Apache-2.0
// The paddings of one block: EME-OAEP with SHA-256 as its hash and in MGF1, and an empty label (RFC
// 8017, section 7.1), and EME-PKCS1-v1_5 (section 7.2).
//
// The functions allocate nothing, and take no lock and no counter that threads share: all cores
// encode blocks side by side.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace rsa {

inline constexpr std::size_t hash_size = 32;
inline constexpr std::size_t oaep_overhead = 2 * hash_size + 2;
inline constexpr std::size_t least_pkcs1_padding = 8;
inline constexpr std::size_t pkcs1_overhead = least_pkcs1_padding + 3;

// Random bytes of OpenSSL, drawn many at a time. One object per thread.
class RandomBytes {
public:
    RandomBytes() = default;
    ~RandomBytes();
    RandomBytes(const RandomBytes &) = delete;
    RandomBytes &operator=(const RandomBytes &) = delete;

    // Throws Error where there are none.
    void fill(std::span<std::uint8_t> out);
    void fill_without_zeros(std::span<std::uint8_t> out);

private:
    std::array<std::uint8_t, 4096> bytes{};
    std::size_t used = bytes.size();
};

// The message is at most block.size() less the overhead.
void encode_oaep(std::span<const std::uint8_t> message, RandomBytes &random,
                 std::span<std::uint8_t> block);
void encode_pkcs1(std::span<const std::uint8_t> message, RandomBytes &random,
                  std::span<std::uint8_t> block);

// The inverse. message.size() is block.size() less the overhead; the result is how many bytes of it
// are the message's, or -1 for a block that was not encoded so. What else is in `message`, and in
// the block, is unspecified then. Constant time: neither branches nor addresses depend on the
// block, nor on the result.
int decode_oaep(std::span<std::uint8_t> block, std::span<std::uint8_t> message);
int decode_pkcs1(std::span<std::uint8_t> block, std::span<std::uint8_t> message);

} // namespace rsa
