// SPDX-License-Identifier: Apache-2.0
// dh: Diffie-Hellman key agreement in batches on CPU or GPU. README.md beside it shows how.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <iterator>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "command_line.h"
#include "error.h"
#include "exchange.h"
#include "groups.h"
#include "openssl_peer.h"
#include "parallel.h"
#include "report.h"

namespace {

using dh::Group;
using sample::Error;

constexpr const char *more_help = R"(
Make keys for both sides, and compute the secrets on both sides; they are equal:
  dh keygen --group ffdhe3072 --count 1000 --private alice.key --public alice.pub
  dh keygen --group ffdhe3072 --count 1000 --private bob.key --public bob.pub
  dh agree --group ffdhe3072 --private alice.key --public bob.pub --out alice.secrets
  dh agree --group ffdhe3072 --private bob.key --public alice.pub --out bob.secrets
  cmp alice.secrets bob.secrets
Each line of a file is a hexadecimal number. New private keys and secrets are
readable by their owner only. Private keys replace none without --force.

Powers take constant time. --variable-time gives this up, and computes public
keys with a comb where that is faster.
Exit status: 0, 1 if the job failed, 2 for wrong arguments.

Measure this machine, and check every group against OpenSSL:
  dh demo
Measure a GPU with large batches, in constant and in variable time:
  dh demo --device gpu --seconds 3 && dh demo --device gpu --seconds 3 --variable-time)";

// What the command line says.
struct Job {
    std::string group;
    std::vector<std::string> groups;
    std::size_t count = 1;
    std::size_t batch = 0;
    std::size_t checked = 64;
    double seconds = 1;
    std::string private_file, public_file, secret_file;
    bool variable_time = false, force = false;
    sample::CommonOptions common;

    dh::Options options() const {
        return {variable_time ? dh::Timing::variable : dh::Timing::constant, common};
    }
};

// The rates of a group. The two programs take turns, so that a machine whose speed changes is fair
// to both; the medians count.
void demo_of(const Group &group, std::size_t threads, const Job &job, sample::Report &report) {
    constexpr double openssl_seconds = 0.1; // for each of two figures
    const auto start = std::chrono::steady_clock::now();
    const dh::Batch first = dh::run_batch(group, job.batch, job.checked, job.options());
    std::size_t confirmed = 0;
    for (const dh::Agreement &agreement : first.agreements)
        confirmed += dh::openssl_confirms(group, agreement) ? 1 : 0;

    bool equal = first.equal;
    // A key agreement takes each side a key pair and a secret.
    constexpr const char *names[] = {"key pairs", "secrets", "agreements"};
    std::vector<double> ours[3], openssl[3];
    const auto add = [](std::vector<double>(&rates)[3], const auto &x) {
        rates[0].push_back(x.key_pairs);
        rates[1].push_back(x.secrets);
        rates[2].push_back(1 / (1 / x.key_pairs + 1 / x.secrets));
    };
    const std::chrono::duration<double> wanted(job.seconds);
    do {
        const dh::Batch batch = dh::run_batch(group, job.batch, 0, job.options());
        add(ours, batch);
        add(openssl, dh::openssl_rates(group, threads, openssl_seconds));
        equal = equal && batch.equal;
    } while (ours[0].size() < 3 || std::chrono::steady_clock::now() - start < wanted);

    const auto median = [](std::vector<double> &rates) {
        std::sort(rates.begin(), rates.end());
        return rates[rates.size() / 2];
    };
    for (std::size_t i = 0; i != std::size(names); ++i)
        report.rate(group.name + ", " + names[i], median(ours[i]), "OpenSSL", median(openssl[i]));
    report.check(group.name + ", OpenSSL has the same prime", dh::openssl_has_group(group));
    report.check(group.name + ", both sides have the same secrets in batches of " +
                     std::to_string(first.size),
                 equal);
    report.check(group.name + ", OpenSSL confirms " + std::to_string(confirmed) + " of " +
                     std::to_string(first.agreements.size()) + " agreements",
                 confirmed == first.agreements.size());
}

bool demo(const Job &job) {
    const std::size_t threads = sample::hardware_threads();
    sample::Report report("dh demo", job.common);
    report.fact("device", dh::device_name(job.common.device));
    report.fact("time", job.variable_time ? "variable" : "constant");
    report.fact("peer",
                dh::openssl_name() + " on " + std::to_string(threads) + " threads, constant time");
    for (const std::string &name : job.groups)
        demo_of(dh::group_named(name), threads, job, report);
    report.finish();
    return report.good();
}

void print_groups() {
    for (const Group &group : dh::all_groups())
        std::printf("%s %d %s\n", group.name.c_str(), group.bits, group.prime.c_str());
    sample::flush_report();
}

} // namespace

int main(int argument_count, char **arguments) {
    CLI::App program("Diffie-Hellman key agreement, in batches, on CPU or GPU", "dh");
    program.require_subcommand(1);
    program.footer(more_help);
    Job job;
    std::vector<std::string> names;
    for (const Group &group : dh::all_groups())
        names.push_back(group.name);
    job.groups = names;

    CLI::App *demo_command = program.add_subcommand(
        "demo", "Run both sides of batches of agreements; check them against OpenSSL; time them");
    CLI::App *keygen_command = program.add_subcommand("keygen", "Make private and public keys");
    CLI::App *agree_command = program.add_subcommand(
        "agree", "Compute the secrets of our private keys and their public keys");
    CLI::App *groups_command =
        program.add_subcommand("groups", "List the groups: name, bits, prime");
    demo_command->add_option("--group", job.groups, "Groups (default: all)")
        ->check(CLI::IsMember(names));
    sample::add_number(*demo_command, "--batch", job.batch, 1, 1 << 24,
                       "Agreements at once (default: by the device)");
    sample::add_number(*demo_command, "--checked", job.checked, 0, 1 << 24,
                       "Agreements of a batch to repeat with OpenSSL (default 64)");
    sample::add_seconds(*demo_command, job.seconds, "Seconds for each group, at least (default 1)");
    for (CLI::App *command : {keygen_command, agree_command}) {
        command->add_option("--group", job.group, "Group")->required()->check(CLI::IsMember(names));
        command->add_option("--private", job.private_file, "File of private keys")->required();
        command->add_option("--public", job.public_file, "File of public keys")->required();
    }
    sample::add_number(*keygen_command, "--count", job.count, 1, std::size_t{1} << 40,
                       "Number of keys (default 1)");
    keygen_command->add_flag("--force", job.force, "Replace the private keys if they are there");
    agree_command->add_option("--out", job.secret_file, "File of secrets to write")->required();
    for (CLI::App *command : {demo_command, keygen_command, agree_command}) {
        command->add_flag("--variable-time", job.variable_time,
                          "Allow the time to depend on the private keys");
        if (command == demo_command) {
            sample::add_device_option(*command, job.common);
            sample::add_json_option(*command, job.common);
        } else
            sample::add_common_options(*command, job.common);
    }

    return sample::run(
        program, argument_count, arguments,
        [&] {
            if (groups_command->parsed())
                print_groups();
            else if (keygen_command->parsed()) {
                dh::make_keys(dh::group_named(job.group), job.count, job.private_file,
                              job.public_file, job.force, job.options());
            } else if (agree_command->parsed())
                dh::agree(dh::group_named(job.group), job.private_file, job.public_file,
                          job.secret_file, job.options());
            else if (!demo(job))
                throw Error("the demo's comparisons failed, see above");
            return true;
        },
        "with " + dh::openssl_name());
}
