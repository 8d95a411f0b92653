// SPDX-License-Identifier: Apache-2.0
// secp256k1: public keys and ECDSA verification in batches. README.md beside it shows how.

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>

#include <CLI/CLI.hpp>

#include "command_line.h"
#include "demo.h"
#include "engine.h"
#include "error.h"
#include "files.h"
#include "openssl_peer.h"
#include "progress.h"
#include "text.h"

namespace {

constexpr const char *more_help = R"(
Public keys of the private keys 1, 2 and 3:
  printf '1\n2\n3\n' | secp256k1 pubkeys
The same, by one addition each:
  secp256k1 consecutive --from 1 --count 3
Verify a file with a public key, a hash, r and s on each line:
  secp256k1 verify --curve p256 --in signatures.txt
Check and measure this machine, on both curves:
  for c in secp256k1 p256; do secp256k1 demo --curve $c --seconds 3; done

All numbers are hexadecimal. Exit status: 0; 1 if a signature is bad or the job
failed; 2 for wrong arguments.)";

struct Job {
    curves::CurveName curve = curves::CurveName::secp256k1;
    std::string in = "-", out = "-", from;
    std::uint64_t count = 0;
    curves::DemoOptions demo;
};

// Signatures and keys that are computed at once.
constexpr std::size_t batch = std::size_t{1} << 20;

void public_keys(const Job &job, curves::Engine &engine) {
    const auto private_keys = curves::private_keys(sample::read_text(job.in), engine.order());
    sample::OutputFile out(job.out);
    sample::Progress progress("public keys", private_keys.size(),
                              job.demo.common.always_show_progress, job.out);
    for (std::size_t first = 0; first < private_keys.size(); first += batch) {
        const std::size_t count = std::min(batch, private_keys.size() - first);
        const auto begin = private_keys.begin() + static_cast<std::ptrdiff_t>(first);
        out.write(
            curves::lines(engine.public_keys({begin, begin + static_cast<std::ptrdiff_t>(count)})));
        progress.add(count);
    }
    out.commit();
}

void consecutive(const Job &job, curves::Engine &engine) {
    curves::Number next;
    try {
        next = curves::private_key(job.from, engine.order());
    } catch (const sample::Error &error) {
        throw sample::UsageError(std::string("--from: ") + error.what());
    }
    if (engine.order() - next < job.count)
        throw sample::UsageError("the last private key would be beyond the group's order");
    sample::OutputFile out(job.out);
    sample::Progress progress("consecutive keys", job.count, job.demo.common.always_show_progress,
                              job.out);
    for (std::uint64_t left = job.count; left != 0;) {
        const std::size_t done = engine.consecutive(next, left);
        for (std::size_t first = 0; first < done; first += batch)
            out.write(curves::lines(engine.consecutive_keys(first, std::min(batch, done - first))));
        next += done;
        left -= done;
        progress.add(done);
    }
    out.commit();
}

bool verify(const Job &job, curves::Engine &engine) {
    const curves::Signatures all = curves::signatures(sample::read_text(job.in));
    sample::OutputFile out(job.out);
    sample::Progress progress("verifying", all.size(), job.demo.common.always_show_progress,
                              job.out);
    bool all_valid = true;
    for (std::size_t first = 0; first < all.size(); first += batch) {
        const std::size_t count = std::min(batch, all.size() - first);
        std::string text;
        for (const bool valid : engine.verify(all, first, count)) {
            text += valid ? "ok\n" : "bad\n";
            all_valid = all_valid && valid;
        }
        out.write(text);
        progress.add(count);
    }
    out.commit();
    return all_valid;
}

} // namespace

int main(int argument_count, char **arguments) {
    CLI::App program("Public keys and ECDSA verification in batches, on secp256k1 and P-256",
                     "secp256k1");
    program.require_subcommand(1);
    program.footer(more_help);
    Job job;
    CLI::App *pubkeys_command =
        program.add_subcommand("pubkeys", "Compressed public keys of private keys, one per line");
    CLI::App *consecutive_command = program.add_subcommand(
        "consecutive", "Compressed public keys of K, K + 1, ..., by one addition each");
    CLI::App *verify_command =
        program.add_subcommand("verify", "Say ok or bad for the signature on each line");
    CLI::App *demo_command = program.add_subcommand(
        "demo", "Verify signatures made by OpenSSL, and some that are damaged; compare speeds");

    static const std::map<std::string, curves::CurveName> curve_names{
        {"secp256k1", curves::CurveName::secp256k1}, {"p256", curves::CurveName::p256}};
    for (CLI::App *command : {pubkeys_command, consecutive_command, verify_command, demo_command}) {
        command
            ->add_option_function<std::string>(
                "--curve", [&](const std::string &word) { job.curve = curve_names.at(word); },
                "secp256k1 (default) or p256")
            ->check(CLI::IsMember(&curve_names));
        if (command == demo_command) {
            sample::add_device_option(*command, job.demo.common);
            continue;
        }
        sample::add_common_options(*command, job.demo.common);
        command->add_option("--out", job.out, "File to write (default: standard output)");
        if (command != consecutive_command)
            command->add_option("--in", job.in, "File to read (default: standard input)");
    }
    consecutive_command->add_option("--from", job.from, "The first private key")->required();
    sample::add_number(*consecutive_command, "--count", job.count, 1, UINT64_MAX,
                       "How many keys, in decimal")
        ->required();
    sample::add_number(*demo_command, "--signatures", job.demo.signatures, 1, 1 << 26,
                       "Signatures that OpenSSL makes (default 1000)");
    sample::add_number(*demo_command, "--batch", job.demo.batch, 1, 1 << 26,
                       "Signatures verified at once, repeated as needed (default: by the device)");
    sample::add_json_option(*demo_command, job.demo.common);
    sample::add_seconds(*demo_command, job.demo.seconds, "Seconds for each rate (default 1)");

    return sample::run(
        program, argument_count, arguments,
        [&] {
            if (demo_command->parsed()) {
                if (!curves::run_demo(job.curve, job.demo))
                    throw sample::Error("the demo's comparisons failed, see above");
                return true;
            }
            const auto engine = curves::make_engine(job.curve, job.demo.common.device);
            if (verify_command->parsed())
                return verify(job, *engine);
            if (pubkeys_command->parsed())
                public_keys(job, *engine);
            else
                consecutive(job, *engine);
            return true;
        },
        "with " + curves::openssl_name());
}
