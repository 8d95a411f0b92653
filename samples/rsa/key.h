// SPDX-License-Identifier: Apache-2.0
// RSA keys as plain big-endian numbers, from and to OpenSSL and PEM.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include <openssl/types.h>

#include "files.h"

namespace rsa {

// A number as big-endian bytes without leading zeros, or plain data.
using sample::Bytes;

struct PublicKey {
    Bytes modulus;  // n: odd
    Bytes exponent; // e: odd, 3 or more, below n

    int bits() const;                                         // bit width of the modulus
    std::size_t block_size() const { return modulus.size(); } // bytes of one ciphertext block
};

// A private key in the form that the Chinese remainder theorem wants (RFC 8017, section 3.2).
struct PrivateKey {
    PublicKey public_key;
    Bytes d;           // e * d = 1 mod lcm(p - 1, q - 1)
    Bytes p, q;        // the primes, p * q = n
    Bytes dp, dq;      // e * dp = 1 mod p - 1, e * dq = 1 mod q - 1
    Bytes coefficient; // q * coefficient = 1 mod p
};

using OpenSslKey = std::shared_ptr<EVP_PKEY>;

// Makes a two-prime key with e = 65537.
OpenSslKey generate_key(int bits);

// The same key for OpenSSL. Throws Error where it does not take the numbers.
OpenSslKey openssl_key(const PrivateKey &key);

// PKCS#8, without a passphrase.
std::string private_pem(const OpenSslKey &key);

// Whether OpenSSL finds that the numbers belong together and the primes are prime.
bool is_sound(const OpenSslKey &key);

// Reads the RSA key in a PEM file: SubjectPublicKeyInfo or PKCS#1 for a public key, PKCS#8 or
// PKCS#1 for a private one. Throws Error, naming the file, where there is none.
OpenSslKey read_key(const std::string &path);

// The public half of a public or private key.
PublicKey public_key(const OpenSslKey &key, const std::string &name);

// The private key. Throws Error for a public key, more than two primes or missing parameters.
PrivateKey private_key(const OpenSslKey &key, const std::string &name);

} // namespace rsa
