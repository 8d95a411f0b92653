// SPDX-License-Identifier: Apache-2.0
#include "demo.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "cipher.h"
#include "error.h"
#include "files.h"
#include "key.h"
#include "openssl_peer.h"
#include "parallel.h"
#include "report.h"
#include "temporary.h"

namespace fs = std::filesystem;

namespace rsa {

using sample::Error;
using sample::hardware_threads;
using sample::InputFile;
using sample::OutputFile;
using sample::parallel_for;
using sample::Temporary;

namespace {

constexpr std::size_t blocks_shown_to_openssl = 1024;

// Turns in which each figure is measured.
constexpr int rounds = 5;

// A GPU's batch is large: it shows what overlaps only beside others.
constexpr std::size_t batches_of_a_file = 32;

void write_file(const std::string &path, std::span<const std::uint8_t> data) {
    OutputFile file(path);
    file.write(data);
    file.commit();
}

bool same_contents(const std::string &one, const std::string &other) {
    constexpr std::size_t chunk = 1 << 20;
    InputFile a(one);
    InputFile b(other);
    for (;;) {
        const Bytes part = a.read(chunk);
        if (part != b.read(chunk))
            return false;
        if (part.empty())
            return true;
    }
}

Bytes pseudo_random_bytes(std::size_t size) {
    std::mt19937_64 generator(size);
    Bytes data(size);
    for (auto &byte : data)
        byte = static_cast<std::uint8_t>(generator());
    return data;
}

// Up to blocks_shown_to_openssl blocks, evenly spread over a file of `count` blocks of this many
// bytes, the last of which may be shorter.
Bytes spread_blocks(const std::string &path, std::size_t count, std::size_t block_size) {
    constexpr std::size_t blocks_at_once = 4096;
    InputFile file(path);
    const std::size_t taken = std::min(count, blocks_shown_to_openssl);
    Bytes sample, chunk;
    std::size_t next = 0;
    for (std::size_t i = 0; i != count; ++i) {
        const std::size_t at = i % blocks_at_once * block_size;
        if (at == 0)
            chunk = file.read(blocks_at_once * block_size);
        const std::size_t wanted = taken == 1 ? 0 : next * (count - 1) / (taken - 1);
        if (i == wanted) {
            const auto block =
                std::span(chunk).subspan(at, std::min(block_size, chunk.size() - at));
            sample.insert(sample.end(), block.begin(), block.end());
            ++next;
        }
    }
    return sample;
}

double seconds_of(const std::function<void()> &work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Blocks per second of `work`, which does `blocks` of them, run for at least so many seconds.
double rate(std::size_t blocks, double seconds, const std::function<void()> &work) {
    double elapsed = 0;
    double done = 0;
    while (done == 0 || elapsed < seconds) {
        elapsed += seconds_of(work);
        done += static_cast<double>(blocks);
    }
    return done / elapsed;
}

// Blocks per second of the bare arithmetic, by repeating `sample` to a batch.
struct Arithmetic {
    std::size_t batch;
    std::function<double(double)> rate; // blocks per second, measured for at least so many seconds
};

Arithmetic arithmetic(Engine &engine, const Bytes &sample, std::size_t block_size,
                      const DemoOptions &options) {
    const std::size_t most = largest_batch(block_size);
    std::size_t batch = options.batch != 0 ? std::min(options.batch, most) : 64;
    double previous = 0; // blocks per second at the last size
    for (;;) {
        Bytes in(batch * block_size);
        for (std::size_t i = 0; i != in.size(); ++i)
            in[i] = sample[i % sample.size()];
        const auto work = [&engine, in = std::move(in), out = Bytes(batch * block_size)]() mutable {
            engine.apply(in, out);
        };
        const std::function<void()> apply = work;
        apply(); // start-up and first touch of memory
        const double once = seconds_of(apply);
        // A GPU takes as long for a few blocks as for many: go on while larger batches gain.
        const double speed = static_cast<double>(batch) / std::max(once, 1e-6);
        const bool gains = speed > 1.2 * previous;
        if (options.batch != 0 || batch == most ||
            (once > options.seconds / (2 * rounds) && !gains))
            return {batch, [batch, apply](double seconds) { return rate(batch, seconds, apply); }};
        const double wanted = options.seconds / rounds / std::max(once, 1e-6);
        const double growth = std::clamp(wanted, previous > 0 && gains ? 4.0 : 2.0, 16.0);
        previous = speed;
        batch = std::min(most, static_cast<std::size_t>(static_cast<double>(batch) * growth));
    }
}

// A program that is measured: blocks per second of what `column_names` says.
constexpr const char *column_names[] = {"blocks, m^e mod n", "blocks, encryption",
                                        "blocks, c^d mod n", "blocks, decryption"};

struct Contender {
    std::string name;
    std::function<double(double)> columns[4];
    std::vector<double> rates[4] = {}; // ascending after measure()

    double median(int column) const { return rates[column][rounds / 2]; }
};

// Whole jobs from file to file, whose times are added to `times`. The file `original` is repeated,
// or cut, to a batch of blocks, on a GPU several; the last block is a byte short of full, as the
// last must be.
std::function<double(double)> whole_job(const Cipher &encryption, const Cipher &decryption,
                                        Direction direction, std::size_t batch,
                                        const std::string &original, Padding padding,
                                        const std::string &folder, JobTimes &times) {
    const std::size_t block_size = encryption.block_size();
    const std::size_t per_block = max_message(padding, block_size);
    const Bytes start_of_file = InputFile(original).read(largest_batch(block_size) * per_block);
    const bool gpu = encryption.engine.on_gpu();
    const std::size_t blocks = batch * (gpu ? batches_of_a_file : 1);
    Bytes message(blocks * per_block - 1, 0);
    for (std::size_t i = 0; i != message.size() && !start_of_file.empty(); ++i)
        message[i] = start_of_file[i % start_of_file.size()];
    const bool encrypts = direction == Direction::encrypt;
    const std::string plain = folder + (encrypts ? "/timing.1" : "/timing.2");
    const std::string enciphered = plain + ".enc";
    const std::string deciphered = plain + ".out";
    write_file(plain, message);
    FileOptions options; // on the CPU the usual batches, behind which padding and files are hidden
    if (gpu)
        options.first_batch = batch;
    encrypt_file(encryption, plain, enciphered, options);
    return [=, &times](double seconds) {
        return rate(blocks, seconds, [&] {
            times += encrypts ? encrypt_file(encryption, plain, enciphered, options)
                              : decrypt_file(decryption, enciphered, deciphered, options);
        });
    };
}

Contender openssl_contender(const std::string &name, const OpenSslKey &key, Padding padding,
                            std::size_t threads) {
    const auto measured = [=](Direction direction, std::optional<Padding> with) {
        return [=](double seconds) { return openssl_rate(key, direction, with, threads, seconds); };
    };
    return {name,
            {measured(Direction::encrypt, std::nullopt), measured(Direction::encrypt, padding),
             measured(Direction::decrypt, std::nullopt), measured(Direction::decrypt, padding)}};
}

// All contenders take turns, so that a machine whose speed changes is fair to all of them; the
// medians count.
void measure(std::vector<Contender> &contenders, double seconds) {
    for (int round = 0; round != rounds; ++round) {
        for (int column = 0; column != 4; ++column) {
            for (Contender &contender : contenders)
                contender.rates[column].push_back(contender.columns[column](seconds / rounds));
        }
    }
    for (Contender &contender : contenders) {
        for (auto &rates : contender.rates)
            std::sort(rates.begin(), rates.end());
    }
}

struct NewKeys {
    std::size_t at_once;
    double rate = 0;         // keys per second
    double openssl_rate = 0; // the same, on all threads
    std::size_t checked = 0; // of the new keys, by OpenSSL
    bool sound = false;
};

NewKeys new_keys(const DemoOptions &options) {
    constexpr std::size_t max_checked = 64;
    constexpr int usual_bits = 2048; // longer keys take much longer: fewer of them
    const auto share = static_cast<std::size_t>(std::max(options.bits / usual_bits, 1));
    NewKeys result{std::max<std::size_t>(keys_at_once(options.common.device) / (share * share), 1)};
    std::vector<PrivateKey> keys;
    result.rate = rate(result.at_once, options.seconds, [&] {
        keys = generate_keys(options.bits, result.at_once, options.common.device);
    });
    result.openssl_rate = openssl_keygen_rate(options.bits, options.seconds);

    result.checked = std::min(keys.size(), max_checked);
    std::atomic<bool> sound = true;
    parallel_for(
        result.checked,
        [&](std::size_t first, std::size_t last) {
            for (std::size_t i = first; i != last; ++i) {
                if (!is_sound(openssl_key(keys[i * keys.size() / result.checked])))
                    sound = false;
            }
        },
        1);
    result.sound = sound;
    return result;
}

} // namespace

bool run_demo(const DemoOptions &options) {
    const Temporary temporary(Temporary::Kind::folder,
                              (fs::temp_directory_path() / "warpint-rsa-demo-").string());
    const std::string &folder = temporary.path();
    const std::string device = device_name(options.common.device); // first: it may not be there

    std::string original = options.input;
    std::string description = original;
    if (original.empty()) {
        const bool gpu = device != device_name(Device::cpu);
        const Bytes data = pseudo_random_bytes(std::size_t{gpu ? 4096u : 256u} << 10);
        original = folder + "/original";
        description = "pseudo-random";
        write_file(original, data);
    }
    const InputFile input(original);
    if (!input.size())
        throw Error(original + " is no regular file: the demo reads its input more than once");

    const OpenSslKey key = generate_key(options.bits);
    const PrivateKey numbers = private_key(key, "the new key");
    const std::size_t block_size = numbers.public_key.block_size();
    const std::size_t per_block = max_message(options.padding, block_size);
    const std::size_t blocks = block_count(*input.size(), per_block);

    sample::Report report("rsa demo", options.common);
    report.text("key      made by " + openssl_name());
    report.fact("bits", options.bits);
    report.fact("padding", options.padding == Padding::oaep ? "OAEP with SHA-256" : "PKCS#1 v1.5");
    report.fact("device", device);
    report.text("input    " + description + ", " + std::to_string(*input.size()) + " bytes: " +
                std::to_string(blocks) + " blocks of " + std::to_string(block_size) + " bytes");

    const auto public_engine = make_public_engine(numbers.public_key, options.common.device);
    const auto private_engine = make_private_engine(numbers, options.common.device);
    const Cipher encryption{*public_engine, numbers.public_key.modulus, options.padding};
    const Cipher decryption{*private_engine, numbers.public_key.modulus, options.padding};
    const FileOptions file_options{options.common.always_show_progress};

    const std::string enciphered = folder + "/enciphered";
    const std::string deciphered = folder + "/deciphered";
    encrypt_file(encryption, original, enciphered, file_options);
    decrypt_file(decryption, enciphered, deciphered, file_options);
    report.check("file encrypted and decrypted: the original, byte for byte",
                 same_contents(original, deciphered));

    const Bytes plain_sample = spread_blocks(original, blocks, per_block);
    const Bytes cipher_sample = spread_blocks(enciphered, blocks, block_size);
    const std::size_t sampled = cipher_sample.size() / block_size;
    const std::string of_blocks = sampled == blocks
                                      ? " (all " + std::to_string(blocks) + " blocks)"
                                      : " (a sample: " + std::to_string(sampled) + " of " +
                                            std::to_string(blocks) + " blocks, evenly spread)";
    report.check("OpenSSL decrypts what we encrypted" + of_blocks,
                 openssl_decrypt(key, options.padding, cipher_sample) == plain_sample);
    report.check("we decrypt what OpenSSL encrypted" + of_blocks,
                 decrypt(decryption, openssl_encrypt(key, options.padding, plain_sample)) ==
                     plain_sample);
    const NewKeys keys = new_keys(options);
    report.check("OpenSSL finds new keys sound (" + std::to_string(keys.checked) +
                     " of a batch of " + std::to_string(keys.at_once) + ")",
                 keys.sound);

    const Arithmetic forward = arithmetic(encryption.engine, cipher_sample, block_size, options);
    const Arithmetic backward = arithmetic(decryption.engine, cipher_sample, block_size, options);
    JobTimes encrypt_times, decrypt_times;
    const auto whole = [&](Direction direction, std::size_t batch) {
        return whole_job(encryption, decryption, direction, batch, original, options.padding,
                         folder, direction == Direction::encrypt ? encrypt_times : decrypt_times);
    };
    std::vector<Contender> contenders;
    contenders.push_back({"warpint, " + device,
                          {forward.rate, whole(Direction::encrypt, forward.batch), backward.rate,
                           whole(Direction::decrypt, backward.batch)}});
    const std::size_t threads = hardware_threads();
    if (threads > 1)
        contenders.push_back(
            openssl_contender(openssl_name() + ", " + std::to_string(threads) + " threads", key,
                              options.padding, threads));
    contenders.push_back(
        openssl_contender(openssl_name() + ", one thread", key, options.padding, 1));
    measure(contenders, options.seconds);
    for (std::size_t other = 1; other != contenders.size(); ++other) {
        for (int column = 0; column != 4; ++column)
            report.rate(column_names[column], contenders[0].median(column), contenders[other].name,
                        contenders[other].median(column));
    }
    report.rate("new keys", keys.rate, contenders[1].name, keys.openssl_rate);
    report.text("stages   encrypt: " + encrypt_times.shares() + " busy");
    report.text("         decrypt: " + decrypt_times.shares() + " busy");
    report.text(
        "\nMedians of several rounds; the programs take turns. m^e and c^d mod n are the bare "
        "arithmetic;\nencryption and decryption are the whole job with padding. warpint takes "
        "batches of " +
        std::to_string(forward.batch) + " blocks\nto encrypt and " +
        std::to_string(backward.batch) + " to decrypt, from file to file" +
        (encryption.engine.on_gpu() ? " (of " + std::to_string(batches_of_a_file) + " batches)"
                                    : "") +
        ", and its figures\ninclude copies to and from the device. OpenSSL takes block by block, "
        "in "
        "memory.\n");
    report.text("next     " + options.program + " keygen --bits " + std::to_string(options.bits) +
                " --out private.pem\n         " + options.program +
                " encrypt --key private.pem --in FILE --out FILE.enc");
    report.finish();
    return report.good();
}

} // namespace rsa
