// SPDX-License-Identifier: Apache-2.0
// The same work by OpenSSL, to compare with.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include <openssl/evp.h>

#include "engine.h"

namespace curves {

// Signatures of random numbers by OpenSSL, each key used a few times.
class OpenSslSignatures {
public:
    OpenSslSignatures(CurveName curve, std::size_t count);

    const Signatures &numbers() const { return signatures; }

    // Verifies them for about `seconds` on all threads; returns how many per second. Throws Error
    // if OpenSSL refuses one.
    double verify_rate(double seconds) const;

private:
    struct Key {
        std::unique_ptr<EVP_PKEY, void (*)(EVP_PKEY *)> pair{nullptr, EVP_PKEY_free};
    };
    Signatures signatures;
    std::vector<std::vector<unsigned char>> encoded; // as DER
    std::vector<Key> keys;
};

// The public keys of private keys in [1, order).
std::vector<CompressedKey> openssl_public_keys(CurveName curve, const std::vector<Number> &keys);

std::string openssl_name();

} // namespace curves
