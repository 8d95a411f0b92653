// SPDX-License-Identifier: Apache-2.0
// OpenSSL 3 marks its padding functions as deprecated, without a replacement that works apart
// from its own RSA arithmetic.
#define OPENSSL_SUPPRESS_DEPRECATED

#include "padding.h"

#include <algorithm>
#include <cstring>
#include <memory>

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/rsa.h>

#include "error.h"
#include "parallel.h"

namespace rsa {

using sample::Error;
using sample::parallel_for;

namespace {

constexpr std::size_t hash_size = 32;
constexpr std::size_t oaep_overhead = 2 * hash_size + 2;
constexpr std::size_t pkcs1_overhead = RSA_PKCS1_PADDING_SIZE;

// SHA-256, looked up once: OpenSSL would else look it up for every hash.
const EVP_MD *sha256() {
    static const std::unique_ptr<EVP_MD, decltype(&EVP_MD_free)> digest(
        EVP_MD_fetch(nullptr, "SHA256", nullptr), EVP_MD_free);
    if (!digest)
        throw Error("this OpenSSL has no SHA-256");
    return digest.get();
}

bool pad_block(Padding padding, const EVP_MD *hash, std::span<const std::uint8_t> message,
               std::span<std::uint8_t> block) {
    const int message_size = static_cast<int>(message.size());
    const int block_size = static_cast<int>(block.size());
    if (padding == Padding::pkcs1)
        return RSA_padding_add_PKCS1_type_2(block.data(), block_size, message.data(),
                                            message_size) == 1;
    return RSA_padding_add_PKCS1_OAEP_mgf1(block.data(), block_size, message.data(), message_size,
                                           nullptr, 0, hash, hash) == 1;
}

// Bytes of the message, or -1 for a block that pad_block() did not make.
int unpad_block(Padding padding, const EVP_MD *hash, std::span<const std::uint8_t> block,
                std::span<std::uint8_t> message) {
    const int message_size = static_cast<int>(message.size());
    const int block_size = static_cast<int>(block.size());
    if (padding == Padding::pkcs1)
        return RSA_padding_check_PKCS1_type_2(message.data(), message_size, block.data(),
                                              block_size, block_size);
    return RSA_padding_check_PKCS1_OAEP_mgf1(message.data(), message_size, block.data(), block_size,
                                             block_size, nullptr, 0, hash, hash);
}

} // namespace

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
         std::size_t block_size) {
    const EVP_MD *hash = sha256();
    const std::size_t per_block = max_message(padding, block_size);
    parallel_for(blocks.size() / block_size, [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i != last; ++i) {
            const std::size_t begin = i * per_block;
            const auto part = message.subspan(begin, std::min(per_block, message.size() - begin));
            if (!pad_block(padding, hash, part, blocks.subspan(i * block_size, block_size)))
                throw Error("OpenSSL cannot pad a block: no random numbers");
        }
    });
}

void unpad(Padding padding, std::span<const std::uint8_t> blocks, std::size_t block_size,
           Unpadded &result) {
    const EVP_MD *hash = sha256();
    const std::size_t per_block = max_message(padding, block_size);
    const std::size_t count = blocks.size() / block_size;
    Bytes &message = result.message;
    std::vector<int> &sizes = result.sizes;
    message.resize(count * per_block);
    sizes.resize(count);
    parallel_for(count, [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i != last; ++i) {
            sizes[i] = unpad_block(padding, hash, blocks.subspan(i * block_size, block_size),
                                   std::span(message).subspan(i * per_block, per_block));
        }
        ERR_clear_error();
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
