// SPDX-License-Identifier: Apache-2.0
// Padding of messages to blocks and back, on all cores: OAEP or PKCS#1 v1.5, as encoding.h has them
// for one block. One file is many messages: each block carries up to max_message() bytes and stands
// alone.
//
// Every block of a file but the last is full, and the last is not, even if it must be empty. So a
// file that was cut between two blocks is told from a whole one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "buffer.h"
#include "key.h"
#include "workers.h"

namespace rsa {

enum class Padding { oaep, pkcs1 };

// Most message bytes in a block of block_size bytes. Throws Error where not even one fits.
std::size_t max_message(Padding padding, std::size_t block_size);

// Blocks that a message of this length takes: full ones and the last.
std::size_t block_count(std::size_t message_size, std::size_t message_per_block);

using sample::Buffer;
using sample::Workers;

// Splits the message into as many parts as there is room for blocks, all full but the last, and
// pads each. The blocks are big-endian numbers below any modulus of block_size bytes.
void pad(Padding padding, std::span<const std::uint8_t> message, std::span<std::uint8_t> blocks,
         std::size_t block_size, Workers &workers);

struct Unpadded {
    Buffer message;         // the parts one after another; unspecified where a padding is wrong
    std::vector<int> sizes; // bytes of each part; -1 where the padding is wrong
};

// The inverse of pad(), into memory that `result` may have already; the blocks are overwritten.
// Which blocks fail is no secret here: not for use where an attacker who chooses ciphertexts can
// watch the answer (Bleichenbacher 1998, Manger 2001).
void unpad(Padding padding, std::span<std::uint8_t> blocks, std::size_t block_size,
           Unpadded &result, Workers &workers);

} // namespace rsa
