// SPDX-License-Identifier: Apache-2.0
// rsa: encrypts and decrypts files with RSA on CPU or GPU. README.md beside it shows how.

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <map>
#include <new>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <warpint/version.h>

#include "cipher.h"
#include "demo.h"
#include "engine.h"
#include "error.h"
#include "key.h"
#include "openssl_peer.h"
#include "padding.h"
#include "temporary.h"

namespace {

constexpr const char *more_help = R"(
Make a key, encrypt a file, decrypt it:
  openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out private.pem
  openssl pkey -in private.pem -pubout -out public.pem
  rsa encrypt --key public.pem --in file --out file.enc
  rsa decrypt --key private.pem --in file.enc --out file
Decrypt into a pipe ("-" is standard input or output):
  cat file.enc | rsa decrypt --key private.pem --in - --out - | sha256sum
Measure this machine:
  rsa demo --bits 4096

A ciphertext is blocks as long as the key; openssl pkeyutl decrypts each of them.
Decryption detects corrupted blocks (with pkcs1 nearly all) and a file that was
cut, but not blocks that were moved, repeated, or made by someone else with the
public key.

An output file appears when it is complete; it keeps the permissions of the file
that it replaces. Standard output, pipes and devices are written at once.
Exit status: 0, 1 if the job failed, 2 for wrong arguments.)";

struct FileJob {
    std::string key, in, out;
    rsa::Padding padding = rsa::Padding::oaep;
    rsa::Device device = rsa::Device::automatic;
    rsa::FileOptions options;
};

void encrypt(const FileJob &job) {
    const rsa::PublicKey key = rsa::public_key(rsa::read_key(job.key), job.key);
    const auto engine = rsa::make_public_engine(key, job.device);
    rsa::encrypt_file({*engine, key.modulus, job.padding}, job.in, job.out, job.options);
}

void decrypt(const FileJob &job) {
    const rsa::PrivateKey key = rsa::private_key(rsa::read_key(job.key), job.key);
    const auto engine = rsa::make_private_engine(key, job.device);
    rsa::decrypt_file({*engine, key.public_key.modulus, job.padding}, job.in, job.out, job.options);
}

// Options that every subcommand has.
void add_common(CLI::App &command, rsa::Padding &padding, rsa::Device &device, bool &progress) {
    static const std::map<std::string, rsa::Padding> paddings{{"oaep", rsa::Padding::oaep},
                                                              {"pkcs1", rsa::Padding::pkcs1}};
    static const std::map<std::string, rsa::Device> devices{
        {"auto", rsa::Device::automatic}, {"cpu", rsa::Device::cpu}, {"gpu", rsa::Device::gpu}};
    const auto add_choice = [&](const char *name, auto &value, const auto &choices,
                                const char *what) {
        command
            .add_option_function<std::string>(
                name, [&](const std::string &word) { value = choices.at(word); }, what)
            ->check(CLI::IsMember(&choices));
    };
    add_choice("--padding", padding, paddings,
               "oaep (with SHA-256, the default) or pkcs1 (version 1.5)");
    add_choice("--device", device, devices, "cpu, gpu or auto (the GPU if there is one: default)");
    command.add_flag("--progress", progress, "Draw the progress bar also where no terminal is");
}

void add_files(CLI::App &command, FileJob &job) {
    command.add_option("--key", job.key, "PEM file with the key")->required();
    command.add_option("--in", job.in, "File to read; - is standard input")->required();
    command
        .add_option("--out", job.out,
                    "File to write; may be the file that is read; - is standard output")
        ->required();
    add_common(command, job.padding, job.device, job.options.always_show_progress);
}

int fail(int exit_code, std::string message) {
    std::replace(message.begin(), message.end(), '\n', ' ');
    std::fprintf(stderr, "rsa: error: %s\n", message.c_str());
    return exit_code;
}

} // namespace

int main(int argument_count, char **arguments) {
    constexpr int failure = 1;
    constexpr int usage_error = 2;

    CLI::App program("Encrypts and decrypts files with RSA, in batches, on CPU or GPU", "rsa");
    program.require_subcommand(1);
    program.set_version_flag("--version", "rsa, a sample of warpint " WARPINT_VERSION_STRING
                                          ", with " +
                                              rsa::openssl_name());
    program.footer(more_help);
    FileJob job;
    rsa::DemoOptions demo;
    CLI::App *encrypt_command = program.add_subcommand("encrypt", "Encrypt a file");
    CLI::App *decrypt_command = program.add_subcommand("decrypt", "Decrypt a file");
    CLI::App *demo_command = program.add_subcommand(
        "demo", "Make a key, encrypt and decrypt a file, check a sample of its blocks against "
                "OpenSSL, compare speeds");
    add_files(*encrypt_command, job);
    add_files(*decrypt_command, job);
    decrypt_command->add_flag("--any-end", job.options.any_end,
                              "Accept a full last block: from other programs, or of a cut file");
    demo_command->add_option("--bits", demo.bits, "Key size (default 2048)")
        ->check(CLI::IsMember({1024, 2048, 3072, 4096}));
    demo_command->add_option("--in", demo.input, "File to use (default: pseudo-random bytes)");
    demo_command
        ->add_option("--batch", demo.batch, "Blocks in a timed batch (default: by measurement)")
        ->check(CLI::PositiveNumber);
    demo_command
        ->add_option("--seconds", demo.seconds, "Time spent on each figure, about (default 1)")
        ->check(CLI::PositiveNumber);
    add_common(*demo_command, demo.padding, demo.device, demo.always_show_progress);

    demo.program = arguments[0];

    try {
        program.parse(argument_count, arguments);
    } catch (const CLI::ParseError &error) {
        if (error.get_exit_code() == 0)
            return program.exit(error); // prints the help
        const std::vector<std::string> unknown = program.remaining();
        const std::string message =
            program.get_subcommands().empty() && !unknown.empty()
                ? "no subcommand is named " + unknown.front() + ": encrypt, decrypt or demo"
                : error.what();
        return fail(usage_error, message + " (rsa --help says more)");
    }

    rsa::remove_temporaries_on_signals();
    std::signal(SIGPIPE, SIG_IGN); // a closed pipe is an error like a full disk
    try {
        if (encrypt_command->parsed())
            encrypt(job);
        else if (decrypt_command->parsed())
            decrypt(job);
        else if (!rsa::run_demo(demo))
            return fail(failure, "the demo's comparisons failed, see above");
    } catch (const std::bad_alloc &) {
        return fail(failure, "out of memory");
    } catch (const std::exception &error) {
        return fail(failure, error.what());
    }
    return 0;
}
