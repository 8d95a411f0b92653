// SPDX-License-Identifier: Apache-2.0
// Fuzz target: what the sample rsa reads of strangers. Key files, as text or as DER inside PEM;
// padded blocks of both kinds, against decoders of a few lines; ciphertexts, whole, cut and
// changed. The arithmetic is GMP's here: samples and the target `numbers` have the library's.

#include "fuzz.h"

#include "cipher.h"
#include "error.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include <openssl/evp.h>

namespace {

using fuzz::Integer;
using fuzz::require;
using rsa::Bytes;
using rsa::Padding;

Integer number(std::span<const std::uint8_t> big_endian) {
    Integer r(0);
    for (const std::uint8_t byte : big_endian)
        r = (r << 8) + Integer(int{byte});
    return r;
}
Bytes bytes(const Integer &x, std::size_t count) {
    Bytes r = test::little_endian_bytes(x, count);
    return {r.rbegin(), r.rend()};
}

class Engine : public rsa::Engine {
public:
    Engine(const Integer &modulus, const Integer &exponent, std::size_t size)
        : modulus_(modulus), exponent_(exponent), size_(size) {}
    void apply(std::span<const std::uint8_t> in, std::span<std::uint8_t> out) override {
        require(in.size() == out.size() && in.size() % size_ == 0, "sizes given to the engine");
        for (std::size_t at = 0; at < in.size(); at += size_) {
            const Integer x = number(in.subspan(at, size_));
            require(x < modulus_, "a block below the modulus");
            const Bytes y = bytes(test::power_modulo(x, exponent_, modulus_), size_);
            std::copy(y.begin(), y.end(), out.begin() + static_cast<std::ptrdiff_t>(at));
        }
    }
    bool on_gpu() const override { return false; }

private:
    Integer modulus_, exponent_;
    std::size_t size_;
};

/// A key of 639 bits, which nobody should use: the first primes above 3 * 2^318 and 5 * 2^317.
struct Key {
    Integer p = (Integer(3) << 318) + Integer(191), q = (Integer(5) << 317) + Integer(181);
    Integer n = p * q;
    Integer d = test::inverse_or_zero(Integer(65537), (p - Integer(1)) * (q - Integer(1)));
    Bytes modulus = bytes(n, 80);
    Engine encryption{n, Integer(65537), 80}, decryption{n, d, 80};
};
Key &key() {
    static Key made;
    return made;
}

/// A folder for this process's files, removed when it ends.
const std::string &folder() {
    static const std::string made = [] {
        std::string name =
            (std::filesystem::temp_directory_path() / "warpint-fuzz-XXXXXX").string();
        require(mkdtemp(name.data()) != nullptr, "a temporary folder");
        return name;
    }();
    static const bool registered = std::atexit([] { std::filesystem::remove_all(folder()); }) == 0;
    require(registered, "atexit");
    return made;
}
std::string write(const char *name, std::span<const std::uint8_t> content) {
    const std::string path = folder() + "/" + name;
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char *>(content.data()),
               static_cast<std::streamsize>(content.size()));
    return path;
}
Bytes read(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

// ---- key files

std::string pem(const char *label, std::span<const std::uint8_t> der) {
    std::string text(4 * ((der.size() + 2) / 3) + 1, '\0');
    const int size = EVP_EncodeBlock(reinterpret_cast<unsigned char *>(text.data()), der.data(),
                                     static_cast<int>(der.size()));
    text.resize(static_cast<std::size_t>(size));
    for (std::size_t at = 64; at < text.size(); at += 65)
        text.insert(at, 1, '\n');
    return "-----BEGIN " + std::string(label) + "-----\n" + text + "\n-----END " + label +
           "-----\n";
}

void key_file(fuzz::Input input) {
    constexpr const char *labels[] = {"PRIVATE KEY", "RSA PRIVATE KEY", "PUBLIC KEY",
                                      "RSA PUBLIC KEY"};
    const int form = input.below(5);
    const std::string text =
        form == 4 ? std::string(input.text()) : pem(labels[form], input.rest());
    const std::string path =
        write("key", {reinterpret_cast<const std::uint8_t *>(text.data()), text.size()});
    try {
        const rsa::OpenSslKey read = rsa::read_key(path);
        const rsa::PublicKey half = rsa::public_key(read, path);
        const Integer n = number(half.modulus), e = number(half.exponent);
        require(half.modulus.front() != 0 && half.exponent.front() != 0, "leading zeros");
        require(n % Integer(2) == Integer(1) && e % Integer(2) == Integer(1) && e >= Integer(3) &&
                    e < n,
                "what public_key promises");
        require(n >= test::power_of_two(half.bits() - 1) && n < test::power_of_two(half.bits()),
                "bits()");
        const rsa::PrivateKey whole = rsa::private_key(read, path);
        if (half.bits() > 1024 || !rsa::is_sound(read))
            return;
        const Integer p = number(whole.p), q = number(whole.q), one(1);
        require(p * q == n, "p * q");
        require(e * number(whole.dp) % (p - one) == one && e * number(whole.dq) % (q - one) == one,
                "exponents of the halves");
        require(q * number(whole.coefficient) % p == one, "coefficient");
        const Integer x = n / Integer(3);
        require(test::power_modulo(test::power_modulo(x, e, n), number(whole.d), n) == x, "d");
        const std::string again = rsa::private_pem(rsa::openssl_key(whole));
        const rsa::PrivateKey second = rsa::private_key(
            rsa::read_key(write(
                "again", {reinterpret_cast<const std::uint8_t *>(again.data()), again.size()})),
            path);
        require(second.d == whole.d && second.p == whole.p && second.dq == whole.dq,
                "a key that was written and read");
    } catch (const sample::Error &) {
    }
}

// ---- padded blocks

/// data ^= MGF1 with SHA-256 (RFC 8017, appendix B.2.1).
void mask(std::span<const std::uint8_t> seed, std::span<std::uint8_t> data) {
    for (std::size_t at = 0; at < data.size(); ++at) {
        Bytes text(seed.begin(), seed.end());
        text.insert(text.end(), {0, 0, 0, static_cast<std::uint8_t>(at / 32)});
        std::array<std::uint8_t, 32> hash{};
        EVP_Digest(text.data(), text.size(), hash.data(), nullptr, EVP_sha256(), nullptr);
        data[at] ^= hash[at % 32];
    }
}
Bytes label_hash() {
    Bytes hash(32);
    EVP_Digest("", 0, hash.data(), nullptr, EVP_sha256(), nullptr);
    return hash;
}

/// Zero, seed, data, before both mask each other: what of it is a message.
std::optional<Bytes> oaep_message(const Bytes &plain) {
    const Bytes label = label_hash();
    if (plain[0] != 0 || !std::equal(label.begin(), label.end(), plain.begin() + 33))
        return {};
    std::size_t at = 65;
    while (at < plain.size() && plain[at] == 0)
        ++at;
    if (at == plain.size() || plain[at] != 1)
        return {};
    return Bytes(plain.begin() + static_cast<std::ptrdiff_t>(at) + 1, plain.end());
}
std::optional<Bytes> pkcs1_message(const Bytes &block) {
    std::size_t at = 2;
    while (at < block.size() && block[at] != 0)
        ++at;
    if (block[0] != 0 || block[1] != 2 || at < 10 || at == block.size())
        return {};
    return Bytes(block.begin() + static_cast<std::ptrdiff_t>(at) + 1, block.end());
}

/// A block that is right but for what the input changes.
Bytes plain_block(fuzz::Input &input, Padding padding) {
    Bytes block(80, 0);
    const Bytes label = label_hash();
    const std::size_t length = static_cast<std::size_t>(input.below(81));
    if (padding == Padding::oaep)
        std::copy(label.begin(), label.end(), block.begin() + 33);
    else
        std::fill(block.begin() + 2, block.end(), std::uint8_t{7});
    block[1] = padding == Padding::pkcs1 ? 2 : 9;
    block[79 - std::min(length, std::size_t{69})] = padding == Padding::pkcs1 ? 0 : 1;
    for (int changes = input.below(4); changes > 0; --changes) {
        const std::size_t at = static_cast<std::size_t>(input.below(80));
        block[at] = static_cast<std::uint8_t>(input.byte());
    }
    return block;
}

void blocks(fuzz::Input input) {
    const Padding padding = input.below(2) == 0 ? Padding::oaep : Padding::pkcs1;
    Bytes ciphertext, expected;
    bool all_right = true, last_is_full = true;
    for (int count = 1 + input.below(4); count > 0; --count) {
        Bytes block = plain_block(input, padding);
        const std::optional<Bytes> message =
            padding == Padding::oaep ? oaep_message(block) : pkcs1_message(block);
        if (padding == Padding::oaep) {
            const auto seed = std::span(block).subspan(1, 32), data = std::span(block).subspan(33);
            mask(seed, data);
            mask(data, seed);
        }
        const Integer x = number(block);
        // A block that is not below the modulus is no ciphertext: it must be refused.
        const bool in_range = x < key().n;
        const Bytes encrypted =
            in_range ? bytes(test::power_modulo(x, Integer(65537), key().n), 80) : block;
        ciphertext.insert(ciphertext.end(), encrypted.begin(), encrypted.end());
        all_right = all_right && in_range && message.has_value();
        if (message) {
            expected.insert(expected.end(), message->begin(), message->end());
            last_is_full = message->size() == rsa::max_message(padding, 80);
        }
    }
    const rsa::Cipher cipher{key().decryption, key().modulus, padding};
    try {
        const Bytes got = rsa::decrypt(cipher, ciphertext);
        require(all_right, "a wrong padding is refused");
        require(got == expected, "the message of padded blocks");
    } catch (const sample::Error &) {
        require(!all_right, "a right padding is taken");
    }
    const std::string in = write("blocks", ciphertext), out = folder() + "/message";
    std::filesystem::remove(out);
    try {
        rsa::decrypt_file(cipher, in, out);
        require(all_right && !last_is_full && read(out) == expected, "the message of a file");
    } catch (const sample::Error &) {
        require(!all_right || last_is_full, "a right file is taken");
        require(!std::filesystem::exists(out), "a file that failed is not there");
    }
}

// ---- whole files

void files(fuzz::Input input) {
    const Padding padding = input.below(2) == 0 ? Padding::oaep : Padding::pkcs1;
    rsa::FileOptions options;
    options.first_batch = static_cast<std::size_t>(1 + input.below(5));
    const int damage = input.below(4);
    const std::size_t place = static_cast<std::size_t>(256 * input.byte() + input.byte());
    const auto change = static_cast<std::uint8_t>(1 + input.below(255));
    const Bytes message(input.rest().begin(), input.rest().end());

    const rsa::Cipher to{key().encryption, key().modulus, padding};
    const rsa::Cipher from{key().decryption, key().modulus, padding};
    const std::string in = write("plain", message), middle = folder() + "/middle",
                      out = folder() + "/out";
    std::filesystem::remove(out);
    rsa::encrypt_file(to, in, middle, options);
    Bytes ciphertext = read(middle);
    const std::size_t per_block = rsa::max_message(padding, 80);
    require(ciphertext.size() == 80 * rsa::block_count(message.size(), per_block),
            "blocks of a message");
    if (damage == 1)
        ciphertext[place % ciphertext.size()] ^= change;
    if (damage == 2)
        ciphertext.resize(place % ciphertext.size());
    if (damage == 3)
        ciphertext.insert(ciphertext.end(), 1 + place % 200, change);
    write("middle", ciphertext);
    try {
        rsa::decrypt_file(from, middle, out, options);
        // PKCS#1 v1.5 has no check of what it carries: a changed block may pass, rarely.
        require(damage == 0 || padding == Padding::pkcs1, "a damaged file is refused");
        require(damage != 0 || read(out) == message, "a file that was encrypted and decrypted");
    } catch (const sample::Error &) {
        require(damage != 0, "a whole file is taken");
        require(!std::filesystem::exists(out), "a file that failed is not there");
    }
}

} // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    fuzz::Input input(data, size);
    const int kind = input.below(3);
    if (kind == 0) {
        key_file(input);
    } else if (kind == 1) {
        blocks(input);
    } else {
        files(input);
    }
    return 0;
}
