// SPDX-License-Identifier: Apache-2.0
#include "padding.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "encoding.h"
#include "error.h"

namespace rsa {

using sample::Error;

std::size_t max_message(Padding padding, std::size_t block_size) {
    const std::size_t overhead = padding == Padding::oaep ? oaep_overhead : pkcs1_overhead;
    if (block_size <= overhead)
        throw Error("the key is too short for this padding: a block of " +
                    std::to_string(block_size) + " bytes, " + std::to_string(overhead) +
                    " of them padding");
    return block_size - overhead;
}

std::size_t block_count(std::size_t message_size, std::size_t message_per_block) {
    return message_size / message_per_block + 1;
}

void pad(Padding padding, std::span<const std::uint8_t> message, std::span<std::uint8_t> blocks,
         std::size_t block_size, Workers &workers) {
    const auto encode = padding == Padding::oaep ? encode_oaep : encode_pkcs1;
    const std::size_t per_block = max_message(padding, block_size);
    workers.run(blocks.size() / block_size, [&](std::size_t first, std::size_t last) {
        RandomBytes random;
        for (std::size_t i = first; i != last; ++i) {
            const std::size_t begin = i * per_block;
            encode(message.subspan(begin, std::min(per_block, message.size() - begin)), random,
                   blocks.subspan(i * block_size, block_size));
        }
    });
}

void unpad(Padding padding, std::span<std::uint8_t> blocks, std::size_t block_size,
           Unpadded &result, Workers &workers) {
    const auto decode = padding == Padding::oaep ? decode_oaep : decode_pkcs1;
    const std::size_t per_block = max_message(padding, block_size);
    const std::size_t count = blocks.size() / block_size;
    Buffer &message = result.message;
    std::vector<int> &sizes = result.sizes;
    message.resize(count * per_block);
    sizes.resize(count);
    workers.run(count, [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i != last; ++i) {
            sizes[i] = decode(blocks.subspan(i * block_size, block_size),
                              std::span(message).subspan(i * per_block, per_block));
        }
    });

    std::size_t total = 0;
    for (std::size_t i = 0; i != count && sizes[i] >= 0; ++i) {
        const std::size_t size = static_cast<std::size_t>(sizes[i]);
        if (total != i * per_block) // a part before was not full
            std::memmove(message.data() + total, message.data() + i * per_block, size);
        total += size;
    }
    message.resize(total);
}

} // namespace rsa
