// SPDX-License-Identifier: Apache-2.0
// RSA as batch formulas of warpint: what a reader of this sample came for.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include <warpint/bigint.h>
#include <warpint/modular.h>

#include "device.h"
#include "engine_width.h"
#include "error.h"

namespace rsa {

using sample::Error;
using sample::OnDevice;
using sample::OnHost;
using warpint::BigInt;
using warpint::Modulus;

template <int Bits>
BigInt<Bits> number(std::span<const std::uint8_t> big_endian) {
    return BigInt<Bits>::from_bytes(big_endian, std::endian::big);
}

template <int Bits, class Place>
class PublicEngine : public Engine {
    using Numbers = typename Place::template Vector<BigInt<Bits>>;

public:
    explicit PublicEngine(const PublicKey &key)
        : block_size(key.block_size()), n(number<Bits>(key.modulus)),
          e(number<Bits>(key.exponent)) {}

    void apply(std::span<const std::uint8_t> in, std::span<std::uint8_t> out) override {
        message.assign_bytes(in, block_size, std::endian::big);
        cipher = pow(message, e, n);
        to_bytes(cipher, out, block_size, std::endian::big);
    }
    bool on_gpu() const override { return Place::gpu; }

private:
    std::size_t block_size;
    Modulus<Bits> n;
    BigInt<Bits> e;
    Numbers message, cipher;
};

template <int Bits, class Place>
class PrivateEngine : public Engine {
    static constexpr int half = Bits / 2;
    using Numbers = typename Place::template Vector<BigInt<Bits>>;
    using Halves = typename Place::template Vector<BigInt<half>>;

public:
    explicit PrivateEngine(const PrivateKey &key)
        : block_size(key.public_key.block_size()), n(number<Bits>(key.public_key.modulus)),
          e(number<Bits>(key.public_key.exponent)), p(number<half>(key.p)), q(number<half>(key.q)),
          dp(number<half>(key.dp)), dq(number<half>(key.dq)),
          coefficient(number<half>(key.coefficient)) {
        if (p.value() * q.value() != n.value())
            throw Error("the private key is damaged: its modulus is not the product of its primes");
    }

    void apply(std::span<const std::uint8_t> in, std::span<std::uint8_t> out) override {
        cipher.assign_bytes(in, block_size, std::endian::big);

        // Garner's recombination (RFC 8017, section 5.1.2). A batch formula is exact: the
        // difference is signed, and its remainder by p lies in [0, p).
        m1 = pow(cipher, dp, p);
        m2 = pow(cipher, dq, q);
        message = m2 + (m1 - m2) * coefficient % p * q.value();

        cipher_again = pow(message, e, n);
        if (any(cipher_again != cipher))
            throw Error("a decrypted block fails its check against the public exponent: damaged "
                        "private key, or a fault in the computation");
        to_bytes(message, out, block_size, std::endian::big);
    }
    bool on_gpu() const override { return Place::gpu; }

private:
    std::size_t block_size;
    Modulus<Bits> n;
    BigInt<Bits> e;
    Modulus<half> p, q;
    BigInt<half> dp, dq, coefficient;
    Numbers cipher, message, cipher_again;
    Halves m1, m2;
};

template <int Bits>
std::unique_ptr<Engine> public_engine(const PublicKey &key, bool on_gpu) {
    if (on_gpu)
        return std::make_unique<PublicEngine<Bits, OnDevice>>(key);
    return std::make_unique<PublicEngine<Bits, OnHost>>(key);
}

template <int Bits>
std::unique_ptr<Engine> private_engine(const PrivateKey &key, bool on_gpu) {
    if (on_gpu)
        return std::make_unique<PrivateEngine<Bits, OnDevice>>(key);
    return std::make_unique<PrivateEngine<Bits, OnHost>>(key);
}

} // namespace rsa
