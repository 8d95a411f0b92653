// SPDX-License-Identifier: Apache-2.0
// Padding of messages to blocks and back, by OpenSSL, on all cores.
//
// OAEP with SHA-256 as its hash and in MGF1, and an empty label (RFC 8017, section 7.1), or
// PKCS#1 v1.5 (section 7.2). One file is many messages: each block carries up to max_message()
// bytes and stands alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "key.h"

namespace rsa {

enum class Padding { oaep, pkcs1 };

// Most message bytes in a block of block_size bytes. Throws Error where not even one fits.
std::size_t max_message(Padding padding, std::size_t block_size);

// Blocks that a message of this length takes: one for an empty message, so that it has a
// ciphertext too.
std::size_t block_count(std::size_t message_size, std::size_t message_per_block);

// Splits the message into block_count() parts and pads each; the result is blocks one after
// another, big-endian numbers below any modulus of block_size bytes.
Bytes pad(Padding padding, std::span<const std::uint8_t> message, std::size_t block_size);

struct Unpadded {
    Bytes message;                        // the parts one after another
    std::optional<std::size_t> bad_block; // the first whose padding is wrong; then no message
};

// The inverse of pad(). Which blocks fail is no secret here: not for use where an attacker who
// chooses ciphertexts can watch the answer (Bleichenbacher 1998, Manger 2001).
Unpadded unpad(Padding padding, std::span<const std::uint8_t> blocks, std::size_t block_size);

} // namespace rsa
