// SPDX-License-Identifier: Apache-2.0
// The same job done by OpenSSL alone: what the demo compares with, in results and in speed.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include <openssl/types.h>

#include "key.h"
#include "padding.h"

namespace rsa {

enum class Direction { encrypt, decrypt };

// One operation on one block at a time; one object per thread.
class OpenSslPeer {
public:
    // Without padding: the bare exponentiation of a block.
    OpenSslPeer(const OpenSslKey &key, Direction direction, std::optional<Padding> padding);

    // The resulting block or message; none where OpenSSL rejects the input.
    std::optional<Bytes> apply(std::span<const std::uint8_t> in);

private:
    Direction way;
    std::unique_ptr<EVP_PKEY_CTX, void (*)(EVP_PKEY_CTX *)> context;
    std::size_t block_size;
};

// Encrypts a message as ciphertext blocks, on all cores.
Bytes openssl_encrypt(const OpenSslKey &key, Padding padding,
                      std::span<const std::uint8_t> message);

// Decrypts ciphertext blocks, on all cores; none where OpenSSL rejects a block.
std::optional<Bytes> openssl_decrypt(const OpenSslKey &key, Padding padding,
                                     std::span<const std::uint8_t> blocks);

// Blocks per second of so many threads together, measured for about `seconds`.
double openssl_rate(const OpenSslKey &key, Direction direction, std::optional<Padding> padding,
                    std::size_t threads, double seconds);

// New keys per second of all threads together, measured for about `seconds`.
double openssl_keygen_rate(int bits, double seconds);

// Name and version.
std::string openssl_name();

} // namespace rsa
