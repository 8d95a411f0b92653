// SPDX-License-Identifier: Apache-2.0
#include "openssl_peer.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <future>
#include <vector>

#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/rsa.h>

#include "error.h"
#include "parallel.h"

namespace rsa {

using sample::Error;
using sample::parallel_for;

namespace {

std::size_t block_bytes(const OpenSslKey &key) {
    return static_cast<std::size_t>(EVP_PKEY_get_size(key.get()));
}

bool set_padding(EVP_PKEY_CTX *context, std::optional<Padding> padding) {
    if (!padding)
        return EVP_PKEY_CTX_set_rsa_padding(context, RSA_NO_PADDING) > 0;
    if (*padding == Padding::pkcs1)
        return EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PADDING) > 0;
    return EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_OAEP_PADDING) > 0 &&
           EVP_PKEY_CTX_set_rsa_oaep_md(context, EVP_sha256()) > 0 &&
           EVP_PKEY_CTX_set_rsa_mgf1_md(context, EVP_sha256()) > 0;
}

// How often per second the threads together do something, in about so many seconds. Each calls
// body(repeat), which calls repeat(something).
template <class Body>
double rate_of_threads(std::size_t threads, double seconds, const Body &body) {
    using Clock = std::chrono::steady_clock;
    std::atomic<std::size_t> total = 0;
    const auto start = Clock::now();
    const auto deadline =
        start + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    std::vector<std::future<void>> running;
    for (std::size_t t = 0; t != threads; ++t) {
        running.push_back(std::async(std::launch::async, [&] {
            body([&](const auto &something) {
                do {
                    something();
                    ++total;
                } while (Clock::now() < deadline);
            });
        }));
    }
    for (auto &thread : running)
        thread.get();
    return static_cast<double>(total.load()) /
           std::chrono::duration<double>(Clock::now() - start).count();
}

} // namespace

OpenSslPeer::OpenSslPeer(const OpenSslKey &key, Direction direction, std::optional<Padding> padding)
    : way(direction), context(EVP_PKEY_CTX_new(key.get(), nullptr), EVP_PKEY_CTX_free),
      block_size(block_bytes(key)) {
    const auto initialise =
        way == Direction::encrypt ? EVP_PKEY_encrypt_init : EVP_PKEY_decrypt_init;
    if (!context || initialise(context.get()) <= 0 || !set_padding(context.get(), padding))
        throw Error("OpenSSL does not take this key and padding");
}

std::optional<Bytes> OpenSslPeer::apply(std::span<const std::uint8_t> in) {
    const auto run = way == Direction::encrypt ? EVP_PKEY_encrypt : EVP_PKEY_decrypt;
    Bytes out(block_size);
    std::size_t size = out.size();
    if (run(context.get(), out.data(), &size, in.data(), in.size()) <= 0) {
        ERR_clear_error();
        return std::nullopt;
    }
    out.resize(size);
    return out;
}

Bytes openssl_encrypt(const OpenSslKey &key, Padding padding,
                      std::span<const std::uint8_t> message) {
    const std::size_t block_size = block_bytes(key);
    const std::size_t per_block = max_message(padding, block_size);
    const std::size_t count = block_count(message.size(), per_block);
    Bytes blocks(count * block_size);
    parallel_for(count, [&](std::size_t first, std::size_t last) {
        OpenSslPeer peer(key, Direction::encrypt, padding);
        for (std::size_t i = first; i != last; ++i) {
            const std::size_t begin = i * per_block;
            const auto block =
                peer.apply(message.subspan(begin, std::min(per_block, message.size() - begin)));
            if (!block)
                throw Error("OpenSSL cannot encrypt a block");
            std::copy(block->begin(), block->end(), blocks.data() + i * block_size);
        }
    });
    return blocks;
}

std::optional<Bytes> openssl_decrypt(const OpenSslKey &key, Padding padding,
                                     std::span<const std::uint8_t> blocks) {
    const std::size_t block_size = block_bytes(key);
    std::vector<Bytes> parts(blocks.size() / block_size);
    std::atomic<bool> rejected = false;
    parallel_for(parts.size(), [&](std::size_t first, std::size_t last) {
        OpenSslPeer peer(key, Direction::decrypt, padding);
        for (std::size_t i = first; i != last; ++i) {
            auto part = peer.apply(blocks.subspan(i * block_size, block_size));
            if (!part)
                rejected = true;
            else
                parts[i] = std::move(*part);
        }
    });
    if (rejected)
        return std::nullopt;
    Bytes message;
    for (const Bytes &part : parts)
        message.insert(message.end(), part.begin(), part.end());
    return message;
}

double openssl_rate(const OpenSslKey &key, Direction direction, std::optional<Padding> padding,
                    std::size_t threads, double seconds) {
    const std::size_t block_size = block_bytes(key);
    Bytes input(padding ? max_message(*padding, block_size) : block_size, 0x5a);
    if (!padding)
        input.front() = 0; // below any modulus
    if (direction == Direction::decrypt)
        input = *OpenSslPeer(key, Direction::encrypt, padding).apply(input);

    return rate_of_threads(threads, seconds, [&](const auto &repeat) {
        // A copy of the key for each thread: a shared one is locked and slows them down.
        const OpenSslKey copy(EVP_PKEY_dup(key.get()), EVP_PKEY_free);
        OpenSslPeer peer(copy, direction, padding);
        repeat([&] {
            if (!peer.apply(input))
                throw Error("OpenSSL failed while it was timed");
        });
    });
}

double openssl_keygen_rate(int bits, double seconds) {
    return rate_of_threads(sample::hardware_threads(), seconds,
                           [&](const auto &repeat) { repeat([&] { (void)generate_key(bits); }); });
}

std::string openssl_name() {
    return std::string("OpenSSL ") + OpenSSL_version(OPENSSL_VERSION_STRING);
}

} // namespace rsa
