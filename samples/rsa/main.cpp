// SPDX-License-Identifier: Apache-2.0
// rsa: encrypts and decrypts files with RSA on CPU or GPU.
//
//   rsa encrypt --key public.pem  --in file     --out file.enc
//   rsa decrypt --key private.pem --in file.enc --out file
//   rsa demo    --bits 2048
//
// The ciphertext is the blocks one after another, each as long as the modulus: `openssl pkeyutl`
// decrypts each of them, and this program decrypts blocks that OpenSSL made. An empty file is one
// block.

#include <algorithm>
#include <cstdio>
#include <exception>
#include <map>
#include <new>
#include <string>

#include <CLI/CLI.hpp>

#include "cipher.h"
#include "demo.h"
#include "engine.h"
#include "error.h"
#include "key.h"
#include "padding.h"

namespace {

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
    command.add_option("--in", job.in, "File to read")->required();
    command.add_option("--out", job.out, "File to write; may be the file that is read")->required();
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
    FileJob job;
    rsa::DemoOptions demo;
    CLI::App *encrypt_command = program.add_subcommand("encrypt", "Encrypt a file");
    CLI::App *decrypt_command = program.add_subcommand("decrypt", "Decrypt a file");
    CLI::App *demo_command = program.add_subcommand(
        "demo", "Make a key, encrypt and decrypt, compare with OpenSSL in results and speed");
    add_files(*encrypt_command, job);
    add_files(*decrypt_command, job);
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

    try {
        program.parse(argument_count, arguments);
    } catch (const CLI::ParseError &error) {
        if (error.get_exit_code() == 0)
            return program.exit(error); // prints the help
        return fail(usage_error, std::string(error.what()) + " (rsa --help says more)");
    }

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
