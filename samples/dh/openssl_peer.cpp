// SPDX-License-Identifier: Apache-2.0
#include "openssl_peer.h"

#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <memory>

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/dh.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>

#include "error.h"

namespace dh {

using sample::Error;

namespace {

using Number = std::unique_ptr<BIGNUM, decltype(&BN_clear_free)>;
using Key = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;
using Context = std::unique_ptr<EVP_PKEY_CTX, decltype(&EVP_PKEY_CTX_free)>;

void require(bool good) {
    if (!good)
        throw Error("OpenSSL failed in a key agreement");
}

// "modp_2048" is OpenSSL's name for "modp2048".
std::string openssl_name_of(const Group &group) {
    return group.name.starts_with("modp") ? "modp_" + group.name.substr(4) : group.name;
}

Number number(const std::string &hexadecimal) {
    BIGNUM *value = nullptr;
    require(BN_hex2bn(&value, hexadecimal.c_str()) != 0);
    return {value, BN_clear_free};
}

Number parameter(const Key &key, const char *name) {
    BIGNUM *value = nullptr;
    require(EVP_PKEY_get_bn_param(key.get(), name, &value) == 1);
    return {value, BN_clear_free};
}

// A key of the group: with a private part if there is one.
Key make_key(const Group &group, const BIGNUM *public_part, const BIGNUM *private_part) {
    const std::string name = openssl_name_of(group);
    const std::unique_ptr<OSSL_PARAM_BLD, decltype(&OSSL_PARAM_BLD_free)> build(
        OSSL_PARAM_BLD_new(), OSSL_PARAM_BLD_free);
    require(
        OSSL_PARAM_BLD_push_utf8_string(build.get(), OSSL_PKEY_PARAM_GROUP_NAME, name.c_str(), 0) &&
        OSSL_PARAM_BLD_push_BN(build.get(), OSSL_PKEY_PARAM_PUB_KEY, public_part) &&
        (private_part == nullptr ||
         OSSL_PARAM_BLD_push_BN(build.get(), OSSL_PKEY_PARAM_PRIV_KEY, private_part)));
    const std::unique_ptr<OSSL_PARAM, decltype(&OSSL_PARAM_free)> parameters(
        OSSL_PARAM_BLD_to_param(build.get()), OSSL_PARAM_free);
    const Context context(EVP_PKEY_CTX_new_from_name(nullptr, "DH", nullptr), EVP_PKEY_CTX_free);
    EVP_PKEY *key = nullptr;
    require(EVP_PKEY_fromdata_init(context.get()) > 0 &&
            EVP_PKEY_fromdata(context.get(), &key, EVP_PKEY_KEYPAIR, parameters.get()) > 0);
    return {key, EVP_PKEY_free};
}

// Makes keys of the group.
class Generator {
public:
    explicit Generator(const Group &group)
        : name(openssl_name_of(group)),
          context(EVP_PKEY_CTX_new_from_name(nullptr, "DH", nullptr), EVP_PKEY_CTX_free) {
        OSSL_PARAM parameters[] = {
            OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, name.data(), 0),
            OSSL_PARAM_construct_end()};
        require(EVP_PKEY_keygen_init(context.get()) > 0 &&
                EVP_PKEY_CTX_set_params(context.get(), parameters) > 0);
    }
    Key operator()() {
        EVP_PKEY *key = nullptr;
        require(EVP_PKEY_generate(context.get(), &key) > 0);
        return {key, EVP_PKEY_free};
    }

private:
    std::string name;
    Context context;
};

// The secret of one private key and the keys of others.
class Deriver {
public:
    explicit Deriver(const Key &ours)
        : context(EVP_PKEY_CTX_new(ours.get(), nullptr), EVP_PKEY_CTX_free),
          secret(static_cast<std::size_t>(EVP_PKEY_get_size(ours.get()))) {
        require(EVP_PKEY_derive_init(context.get()) > 0 &&
                EVP_PKEY_CTX_set_dh_pad(context.get(), 1) > 0);
    }
    // validate: OpenSSL's own check of the public key, which takes longer than the secret.
    const std::vector<unsigned char> &operator()(const Key &theirs, bool validate) {
        std::size_t size = secret.size();
        require(EVP_PKEY_derive_set_peer_ex(context.get(), theirs.get(), validate ? 1 : 0) > 0 &&
                EVP_PKEY_derive(context.get(), secret.data(), &size) > 0 && size == secret.size());
        return secret;
    }

private:
    Context context;
    std::vector<unsigned char> secret;
};

// Calls of `work` per second on so many threads; make_work() gives each thread its own.
double rate(std::size_t threads, double seconds,
            const std::function<std::function<void()>()> &make_work) {
    using Clock = std::chrono::steady_clock;
    std::vector<std::function<void()>> works;
    for (std::size_t t = 0; t != threads; ++t) {
        works.push_back(make_work());
        works.back()(); // what is computed once
    }
    std::atomic<std::size_t> calls = 0;
    const auto start = Clock::now();
    const auto deadline =
        start + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    std::vector<std::future<void>> running;
    for (const auto &work : works) {
        running.push_back(std::async(std::launch::async, [&calls, &work, deadline] {
            std::size_t done = 0;
            do {
                work();
                ++done;
            } while (Clock::now() < deadline);
            calls += done;
        }));
    }
    for (auto &thread : running)
        thread.get();
    return static_cast<double>(calls.load()) /
           std::chrono::duration<double>(Clock::now() - start).count();
}

} // namespace

bool openssl_has_group(const Group &group) {
    const Key key = Generator(group)();
    return BN_cmp(parameter(key, OSSL_PKEY_PARAM_FFC_P).get(), number(group.prime).get()) == 0 &&
           BN_is_word(parameter(key, OSSL_PKEY_PARAM_FFC_G).get(), 2) == 1;
}

bool openssl_confirms(const Group &group, const Agreement &agreement) {
    const Number ours = number(agreement.our_private);
    const Number theirs = number(agreement.their_public);
    const Number public_part = number("2");
    const std::unique_ptr<BN_CTX, decltype(&BN_CTX_free)> scratch(BN_CTX_new(), BN_CTX_free);
    require(BN_mod_exp(public_part.get(), public_part.get(), ours.get(), number(group.prime).get(),
                       scratch.get()) == 1);
    if (BN_cmp(public_part.get(), number(agreement.our_public).get()) != 0)
        return false;
    Deriver derive(make_key(group, public_part.get(), ours.get()));
    const auto &secret = derive(make_key(group, theirs.get(), nullptr), true);
    const Number derived(BN_bin2bn(secret.data(), static_cast<int>(secret.size()), nullptr),
                         BN_clear_free);
    return BN_cmp(derived.get(), number(agreement.secret).get()) == 0;
}

OpenSslRates openssl_rates(const Group &group, std::size_t threads, double seconds) {
    OpenSslRates rates;
    rates.key_pairs = rate(threads, seconds, [&]() -> std::function<void()> {
        return [generate = std::make_shared<Generator>(group)] { (void)(*generate)(); };
    });
    rates.secrets = rate(threads, seconds, [&]() -> std::function<void()> {
        Generator generate(group);
        return
            [theirs = std::make_shared<Key>(generate()),
             derive = std::make_shared<Deriver>(generate())] { (void)(*derive)(*theirs, false); };
    });
    return rates;
}

std::string openssl_name() {
    return std::string("OpenSSL ") + OpenSSL_version(OPENSSL_VERSION_STRING);
}

} // namespace dh
