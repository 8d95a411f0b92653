// SPDX-License-Identifier: Apache-2.0
#include "openssl_peer.h"

#include <array>
#include <bit>
#include <chrono>
#include <numeric>
#include <utility>

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/obj_mac.h>
#include <openssl/rand.h>

#include "error.h"
#include "parallel.h"

namespace curves {
namespace {

using sample::Error;
using sample::parallel_for;
using Digest = std::array<unsigned char, 32>;

constexpr std::size_t signatures_per_key = 16;

template <class T>
using Owned = std::unique_ptr<T, void (*)(T *)>;

void require(bool condition) {
    if (!condition)
        throw Error("OpenSSL failed");
}

Digest bytes_of(const Number &x) {
    Digest bytes;
    to_bytes(x, bytes, std::endian::big);
    return bytes;
}

template <int Bits>
BigInt<Bits> number_of(const unsigned char *bytes, std::size_t size) {
    return BigInt<Bits>::from_bytes(std::span(bytes, size), std::endian::big);
}
Number number_of(const BIGNUM *x) {
    Digest bytes;
    require(BN_bn2binpad(x, bytes.data(), static_cast<int>(bytes.size())) > 0);
    return number_of<256>(bytes.data(), bytes.size());
}

AnyKey public_key_of(EVP_PKEY *key) {
    std::array<unsigned char, 65> bytes;
    std::size_t size = 0;
    require(EVP_PKEY_get_octet_string_param(key, OSSL_PKEY_PARAM_PUB_KEY, bytes.data(),
                                            bytes.size(), &size) > 0 &&
            size == bytes.size());
    return number_of<520>(bytes.data(), size);
}

Owned<EVP_PKEY_CTX> context_of(EVP_PKEY *key) {
    return {EVP_PKEY_CTX_new_from_pkey(nullptr, key, nullptr), EVP_PKEY_CTX_free};
}

} // namespace

OpenSslSignatures::OpenSslSignatures(CurveName curve, std::size_t count)
    : signatures(count), encoded(count),
      keys((count + signatures_per_key - 1) / signatures_per_key) {
    const char *const name = curve == CurveName::p256 ? "P-256" : "secp256k1";
    parallel_for(keys.size(), [&](std::size_t first, std::size_t last) {
        for (std::size_t k = first; k != last; ++k) {
            keys[k].pair.reset(EVP_EC_gen(name));
            require(keys[k].pair != nullptr);
            const AnyKey key = public_key_of(keys[k].pair.get());
            const auto context = context_of(keys[k].pair.get());
            require(context && EVP_PKEY_sign_init(context.get()) > 0);
            const std::size_t end = std::min(count, (k + 1) * signatures_per_key);
            for (std::size_t i = k * signatures_per_key; i != end; ++i) {
                Digest digest;
                require(RAND_bytes(digest.data(), static_cast<int>(digest.size())) > 0);
                std::size_t size = static_cast<std::size_t>(EVP_PKEY_get_size(keys[k].pair.get()));
                encoded[i].resize(size);
                require(EVP_PKEY_sign(context.get(), encoded[i].data(), &size, digest.data(),
                                      digest.size()) > 0);
                encoded[i].resize(size);
                const unsigned char *at = encoded[i].data();
                const Owned<ECDSA_SIG> parts(d2i_ECDSA_SIG(nullptr, &at, static_cast<long>(size)),
                                             ECDSA_SIG_free);
                require(parts != nullptr);
                signatures.key[i] = key;
                signatures.hash[i] = number_of<256>(digest.data(), digest.size());
                signatures.r[i] = number_of(ECDSA_SIG_get0_r(parts.get()));
                signatures.s[i] = number_of(ECDSA_SIG_get0_s(parts.get()));
            }
        }
    });
}

double OpenSslSignatures::verify_rate(double seconds) const {
    constexpr std::size_t max_keys = 64; // of a thread
    const std::size_t threads = sample::hardware_threads();
    std::vector<double> rates(threads);
    const auto verify = [&](std::size_t thread) {
        // Each thread copies its keys: a shared one is locked and slows the threads down.
        std::vector<std::pair<std::size_t, Owned<EVP_PKEY>>> copies;
        for (std::size_t i = 0; i != std::min(max_keys, keys.size()); ++i) {
            const std::size_t k = (thread + i) % keys.size();
            copies.emplace_back(k,
                                Owned<EVP_PKEY>(EVP_PKEY_dup(keys[k].pair.get()), EVP_PKEY_free));
        }
        using Clock = std::chrono::steady_clock;
        const auto start = Clock::now();
        std::size_t done = 0;
        double elapsed = 0;
        while (elapsed < seconds) {
            for (const auto &[k, copy] : copies) {
                const auto context = context_of(copy.get());
                require(context && EVP_PKEY_verify_init(context.get()) > 0);
                const std::size_t end = std::min(encoded.size(), (k + 1) * signatures_per_key);
                for (std::size_t i = k * signatures_per_key; i != end; ++i, ++done) {
                    const Digest digest = bytes_of(signatures.hash[i]);
                    require(EVP_PKEY_verify(context.get(), encoded[i].data(), encoded[i].size(),
                                            digest.data(), digest.size()) == 1);
                }
                elapsed = std::chrono::duration<double>(Clock::now() - start).count();
                if (elapsed >= seconds)
                    break;
            }
        }
        rates[thread] = static_cast<double>(done) / elapsed;
    };
    parallel_for(
        threads,
        [&](std::size_t first, std::size_t last) {
            for (std::size_t thread = first; thread != last; ++thread)
                verify(thread);
        },
        1);
    return std::accumulate(rates.begin(), rates.end(), 0.0);
}

std::vector<CompressedKey> openssl_public_keys(CurveName curve,
                                               const std::vector<Number> &private_keys) {
    std::vector<CompressedKey> result(private_keys.size());
    parallel_for(private_keys.size(), [&](std::size_t first, std::size_t last) {
        const Owned<EC_GROUP> group(EC_GROUP_new_by_curve_name(curve == CurveName::p256
                                                                   ? NID_X9_62_prime256v1
                                                                   : NID_secp256k1),
                                    EC_GROUP_free);
        const Owned<BN_CTX> context(BN_CTX_new(), BN_CTX_free);
        require(group && context);
        const Owned<EC_POINT> point(EC_POINT_new(group.get()), EC_POINT_free);
        const Owned<BIGNUM> k(BN_new(), BN_free);
        require(point && k);
        for (std::size_t i = first; i != last; ++i) {
            const Digest bytes = bytes_of(private_keys[i]);
            std::array<unsigned char, 33> key;
            require(BN_bin2bn(bytes.data(), static_cast<int>(bytes.size()), k.get()) != nullptr &&
                    EC_POINT_mul(group.get(), point.get(), k.get(), nullptr, nullptr,
                                 context.get()) > 0 &&
                    EC_POINT_point2oct(group.get(), point.get(), POINT_CONVERSION_COMPRESSED,
                                       key.data(), key.size(), context.get()) == key.size());
            result[i] = number_of<264>(key.data(), key.size());
        }
    });
    return result;
}

std::string openssl_name() {
    return std::string("OpenSSL ") + OpenSSL_version(OPENSSL_VERSION_STRING);
}

} // namespace curves
