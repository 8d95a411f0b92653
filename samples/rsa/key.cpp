// SPDX-License-Identifier: Apache-2.0
#include "key.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <string_view>
#include <utility>

#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>

#include "error.h"

namespace rsa {

using sample::Error;

namespace {

constexpr std::size_t largest_key_file = 1 << 20;

using Bio = std::unique_ptr<BIO, decltype(&BIO_free)>;

std::string read_text(const std::string &path) {
    std::error_code status_error;
    if (std::filesystem::is_directory(path, status_error))
        throw Error("cannot read key file " + path + ": it is a directory");
    std::unique_ptr<std::FILE, int (*)(std::FILE *)> file(std::fopen(path.c_str(), "rb"),
                                                          std::fclose);
    if (!file)
        throw Error("cannot read key file " + path + ": " + std::strerror(errno));
    std::string text(largest_key_file + 1, '\0');
    text.resize(std::fread(text.data(), 1, text.size(), file.get()));
    if (std::ferror(file.get()))
        throw Error("cannot read key file " + path + ": " + std::strerror(errno));
    if (text.size() > largest_key_file)
        throw Error(path + " is too long for a key file");
    return text;
}

// Stands in for OpenSSL's prompt: notes that a passphrase was asked for, and gives none.
int refuse_passphrase(char *, int, int, void *asked) {
    *static_cast<bool *>(asked) = true;
    return -1;
}

using PemReader = EVP_PKEY *(*)(BIO *, EVP_PKEY **, pem_password_cb *, void *);

OpenSslKey read_pem(PemReader read, const std::string &text, bool &encrypted) {
    Bio source(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())), BIO_free);
    OpenSslKey key(read(source.get(), nullptr, refuse_passphrase, &encrypted), EVP_PKEY_free);
    ERR_clear_error();
    return key;
}

bool contains(const std::string &text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

// One number of the key; empty where the key does not have it.
Bytes parameter(const OpenSslKey &key, const char *name) {
    BIGNUM *value = nullptr;
    if (EVP_PKEY_get_bn_param(key.get(), name, &value) != 1) {
        ERR_clear_error();
        return {};
    }
    Bytes bytes(static_cast<std::size_t>(BN_num_bytes(value)));
    BN_bn2bin(value, bytes.data());
    BN_clear_free(value);
    return bytes;
}

bool is_odd(const Bytes &number) {
    return !number.empty() && (number.back() & 1) != 0;
}

} // namespace

int PublicKey::bits() const {
    if (modulus.empty())
        return 0;
    return static_cast<int>(8 * (modulus.size() - 1)) + std::bit_width(modulus.front());
}

OpenSslKey generate_key(int bits) {
    OpenSslKey key(EVP_RSA_gen(static_cast<unsigned>(bits)), EVP_PKEY_free);
    if (!key)
        throw Error("OpenSSL cannot make an RSA key of " + std::to_string(bits) + " bits");
    return key;
}

OpenSslKey openssl_key(const PrivateKey &key) {
    const std::pair<const char *, const Bytes &> numbers[] = {
        {OSSL_PKEY_PARAM_RSA_N, key.public_key.modulus},
        {OSSL_PKEY_PARAM_RSA_E, key.public_key.exponent},
        {OSSL_PKEY_PARAM_RSA_D, key.d},
        {OSSL_PKEY_PARAM_RSA_FACTOR1, key.p},
        {OSSL_PKEY_PARAM_RSA_FACTOR2, key.q},
        {OSSL_PKEY_PARAM_RSA_EXPONENT1, key.dp},
        {OSSL_PKEY_PARAM_RSA_EXPONENT2, key.dq},
        {OSSL_PKEY_PARAM_RSA_COEFFICIENT1, key.coefficient},
    };
    Bytes native[std::size(numbers)];
    OSSL_PARAM parameters[std::size(numbers) + 1];
    for (std::size_t i = 0; i != std::size(numbers); ++i) {
        const auto &[name, big_endian] = numbers[i];
        native[i] = big_endian;
        if constexpr (std::endian::native == std::endian::little)
            std::reverse(native[i].begin(), native[i].end());
        parameters[i] = OSSL_PARAM_construct_BN(name, native[i].data(), native[i].size());
    }
    parameters[std::size(numbers)] = OSSL_PARAM_construct_end();

    const std::unique_ptr<EVP_PKEY_CTX, decltype(&EVP_PKEY_CTX_free)> context(
        EVP_PKEY_CTX_new_from_name(nullptr, "RSA", nullptr), EVP_PKEY_CTX_free);
    EVP_PKEY *result = nullptr;
    if (!context || EVP_PKEY_fromdata_init(context.get()) != 1 ||
        EVP_PKEY_fromdata(context.get(), &result, EVP_PKEY_KEYPAIR, parameters) != 1)
        throw Error("OpenSSL does not take a new key");
    return OpenSslKey(result, EVP_PKEY_free);
}

std::string private_pem(const OpenSslKey &key) {
    const Bio memory(BIO_new(BIO_s_mem()), BIO_free);
    if (!memory || PEM_write_bio_PrivateKey(memory.get(), key.get(), nullptr, nullptr, 0, nullptr,
                                            nullptr) != 1)
        throw Error("OpenSSL cannot write a key as PEM");
    char *text = nullptr;
    const long size = BIO_get_mem_data(memory.get(), &text);
    return std::string(text, static_cast<std::size_t>(size));
}

bool is_sound(const OpenSslKey &key) {
    const std::unique_ptr<EVP_PKEY_CTX, decltype(&EVP_PKEY_CTX_free)> context(
        EVP_PKEY_CTX_new_from_pkey(nullptr, key.get(), nullptr), EVP_PKEY_CTX_free);
    const bool sound = context && EVP_PKEY_check(context.get()) == 1;
    ERR_clear_error();
    return sound;
}

OpenSslKey read_key(const std::string &path) {
    const std::string text = read_text(path);
    bool encrypted = false;
    OpenSslKey key = read_pem(PEM_read_bio_PrivateKey, text, encrypted);
    if (!key && encrypted)
        throw Error(path + " is protected by a passphrase; remove it first with openssl pkey");
    if (!key)
        key = read_pem(PEM_read_bio_PUBKEY, text, encrypted);
    if (!key && contains(text, "-----BEGIN CERTIFICATE"))
        throw Error(path + " holds a certificate, not a key; openssl x509 -pubkey -noout gives it");
    if (!key)
        throw Error(path + " holds no readable PEM key");
    if (!EVP_PKEY_is_a(key.get(), "RSA"))
        throw Error(path + " holds a key of type " + EVP_PKEY_get0_type_name(key.get()) +
                    ", not an RSA encryption key");
    return key;
}

PublicKey public_key(const OpenSslKey &key, const std::string &name) {
    PublicKey result{parameter(key, OSSL_PKEY_PARAM_RSA_N), parameter(key, OSSL_PKEY_PARAM_RSA_E)};
    const Bytes &n = result.modulus;
    const Bytes &e = result.exponent;
    const bool below = e.size() < n.size() || (e.size() == n.size() && e < n);
    if (!is_odd(n) || !is_odd(e) || e == Bytes{1} || !below)
        throw Error(name + " is no valid RSA key: modulus or public exponent out of range");
    return result;
}

PrivateKey private_key(const OpenSslKey &key, const std::string &name) {
    PrivateKey result{public_key(key, name),
                      parameter(key, OSSL_PKEY_PARAM_RSA_D),
                      parameter(key, OSSL_PKEY_PARAM_RSA_FACTOR1),
                      parameter(key, OSSL_PKEY_PARAM_RSA_FACTOR2),
                      parameter(key, OSSL_PKEY_PARAM_RSA_EXPONENT1),
                      parameter(key, OSSL_PKEY_PARAM_RSA_EXPONENT2),
                      parameter(key, OSSL_PKEY_PARAM_RSA_COEFFICIENT1)};
    if (result.d.empty())
        throw Error(name + " is a public key; decryption needs the private key");
    if (!parameter(key, OSSL_PKEY_PARAM_RSA_FACTOR3).empty())
        throw Error(name + " has more than two primes, which this program does not support");
    if (result.dp.empty() || result.dq.empty() || result.coefficient.empty())
        throw Error(name + " lacks the primes or their exponents, which decryption needs");
    if (!is_odd(result.p) || !is_odd(result.q))
        throw Error(name + " is no valid RSA key: a prime is even");
    if (result.dp.size() > result.p.size() || result.dq.size() > result.q.size() ||
        result.coefficient.size() > result.p.size())
        throw Error(name + " is no valid RSA key: a parameter is longer than its prime");
    return result;
}

} // namespace rsa
