// SPDX-License-Identifier: Apache-2.0
// rsa: makes keys, and encrypts and decrypts files, with RSA on CPU or GPU. README.md beside it
// shows how.

#include <map>
#include <string>

#include <CLI/CLI.hpp>

#include "cipher.h"
#include "command_line.h"
#include "demo.h"
#include "engine.h"
#include "error.h"
#include "files.h"
#include "key.h"
#include "keygen.h"
#include "openssl_peer.h"
#include "padding.h"

namespace {

constexpr const char *more_help = R"(
Make a key, encrypt a file, decrypt it:
  rsa keygen --bits 2048 --out private.pem
  openssl pkey -in private.pem -pubout -out public.pem
  rsa encrypt --key public.pem --in file --out file.enc
  rsa decrypt --key private.pem --in file.enc --out file
Decrypt into a pipe ("-" is standard input or output):
  cat file.enc | rsa decrypt --key private.pem --in - --out - | sha256sum
Make many keys, key-0001.pem to key-1000.pem of a new folder:
  rsa keygen --count 1000 --out keys/

A ciphertext is blocks as long as the key; openssl pkeyutl decrypts each of them.
Decryption detects corrupted blocks (with pkcs1 nearly all) and a file that was
cut, but not blocks that were moved, repeated, or made by someone else with the
public key.

An output file or folder appears when it is complete. A file keeps the permissions
of the one that it replaces; keys replace none without --force, and only their
owner can read them. Standard output, pipes and devices are written at once.
Exit status: 0, 1 if the job failed, 2 for wrong arguments.

Measure this machine (a GPU where there is one), and compare with OpenSSL:
  for b in 2048 4096; do rsa demo --bits $b --seconds 0.5; done)";

struct FileJob {
    std::string key, in, out;
    rsa::Padding padding = rsa::Padding::oaep;
    sample::CommonOptions common;
    bool any_end = false;

    rsa::FileOptions options() const { return {common.always_show_progress, any_end}; }
};

void encrypt(const FileJob &job) {
    sample::require_other_than_key(job.out, job.key);
    const rsa::PublicKey key = rsa::public_key(rsa::read_key(job.key), job.key);
    const auto engine = rsa::make_public_engine(key, job.common.device);
    rsa::encrypt_file({*engine, key.modulus, job.padding}, job.in, job.out, job.options());
}

void decrypt(const FileJob &job) {
    sample::require_other_than_key(job.out, job.key);
    const rsa::PrivateKey key = rsa::private_key(rsa::read_key(job.key), job.key);
    const auto engine = rsa::make_private_engine(key, job.common.device);
    rsa::decrypt_file({*engine, key.public_key.modulus, job.padding}, job.in, job.out,
                      job.options());
}

// Options that every subcommand has.
void add_common(CLI::App &command, rsa::Padding &padding, sample::CommonOptions &options) {
    static const std::map<std::string, rsa::Padding> paddings{{"oaep", rsa::Padding::oaep},
                                                              {"pkcs1", rsa::Padding::pkcs1}};
    command
        .add_option_function<std::string>(
            "--padding", [&](const std::string &word) { padding = paddings.at(word); },
            "oaep (with SHA-256, the default) or pkcs1 (version 1.5)")
        ->check(CLI::IsMember(&paddings));
    sample::add_common_options(command, options);
}

void add_keygen(CLI::App &command, rsa::KeygenOptions &options) {
    constexpr int max_keys = 1000000;
    sample::add_number(command, "--bits", options.bits, 1024, rsa::largest_modulus_bits,
                       "Length of the moduli, even, from 1024 on (default 2048)");
    sample::add_number(command, "--count", options.count, 1, max_keys,
                       "Number of keys (default 1)");
    command
        .add_option("--out", options.out,
                    "File for all keys, - is standard output; or a new folder (ends in /)")
        ->required();
    command.add_flag("--force", options.force, "Replace the file if it is there");
    sample::add_common_options(command, options.common);
}

void add_files(CLI::App &command, FileJob &job) {
    command.add_option("--key", job.key, "PEM file with the key")->required();
    command.add_option("--in", job.in, "File to read; - is standard input")->required();
    command
        .add_option("--out", job.out,
                    "File to write; may be the file that is read; - is standard output")
        ->required();
    add_common(command, job.padding, job.common);
}

} // namespace

int main(int argument_count, char **arguments) {
    CLI::App program(
        "Makes keys, and encrypts and decrypts files, with RSA, in batches, on CPU or GPU", "rsa");
    program.require_subcommand(1);
    program.footer(more_help);
    FileJob job;
    rsa::KeygenOptions keygen;
    rsa::DemoOptions demo;
    CLI::App *keygen_command = program.add_subcommand("keygen", "Make private keys");
    CLI::App *encrypt_command = program.add_subcommand("encrypt", "Encrypt a file");
    CLI::App *decrypt_command = program.add_subcommand("decrypt", "Decrypt a file");
    CLI::App *demo_command = program.add_subcommand(
        "demo", "Make a key, encrypt and decrypt a file, check a sample of its blocks against "
                "OpenSSL, compare speeds");
    add_keygen(*keygen_command, keygen);
    add_files(*encrypt_command, job);
    add_files(*decrypt_command, job);
    decrypt_command->add_flag("--any-end", job.any_end,
                              "Accept a full last block: from other programs, or of a cut file");
    demo_command->add_option("--bits", demo.bits, "Key size (default 2048)")
        ->check(CLI::IsMember({"1024", "2048", "3072", "4096"}));
    demo_command->add_option("--in", demo.input, "File to use (default: pseudo-random bytes)");
    sample::add_number(*demo_command, "--batch", demo.batch, 1, 1 << 26,
                       "Blocks in a timed batch (default: by measurement)");
    sample::add_json_option(*demo_command, demo.common);
    sample::add_seconds(*demo_command, demo.seconds,
                        "Time spent on each figure, about (default 1)");
    add_common(*demo_command, demo.padding, demo.common);

    demo.program = arguments[0];

    return sample::run(
        program, argument_count, arguments,
        [&] {
            if (keygen_command->parsed() && keygen.bits % 2 != 0)
                throw sample::UsageError("--bits: the length must be even");
            if (keygen_command->parsed())
                rsa::make_keys(keygen);
            else if (encrypt_command->parsed())
                encrypt(job);
            else if (decrypt_command->parsed())
                decrypt(job);
            else if (!rsa::run_demo(demo))
                throw sample::Error("the demo's comparisons failed, see above");
            return true;
        },
        "with " + rsa::openssl_name());
}
