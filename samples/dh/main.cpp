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

// A line of the table. The two programs take turns, so that a machine whose speed changes is fair
// to both; the medians count.
bool demo_of(const Group &group, std::size_t threads, const Job &job) {
    constexpr double openssl_seconds = 0.1; // for each of two figures
    const auto start = std::chrono::steady_clock::now();
    const dh::Batch first = dh::run_batch(group, job.batch, job.checked, job.options());
    std::size_t confirmed = 0;
    for (const dh::Agreement &agreement : first.agreements)
        confirmed += dh::openssl_confirms(group, agreement) ? 1 : 0;

    bool equal = first.equal;
    std::vector<double> rates[5];
    const std::chrono::duration<double> wanted(job.seconds);
    do {
        const dh::Batch ours = dh::run_batch(group, job.batch, 0, job.options());
        const dh::OpenSslRates theirs = dh::openssl_rates(group, threads, openssl_seconds);
        equal = equal && ours.equal;
        // A key agreement takes each side a key pair and a secret.
        const auto seconds_for_one = [](const auto &x) { return 1 / x.key_pairs + 1 / x.secrets; };
        const double columns[] = {ours.key_pairs, ours.secrets, theirs.key_pairs, theirs.secrets,
                                  seconds_for_one(theirs) / seconds_for_one(ours)};
        for (std::size_t i = 0; i != std::size(columns); ++i)
            rates[i].push_back(columns[i]);
    } while (rates[0].size() < 3 || std::chrono::steady_clock::now() - start < wanted);

    std::printf("%-10s %8zu", group.name.c_str(), first.size);
    for (auto &column : rates) {
        std::sort(column.begin(), column.end());
        const double median = column[column.size() / 2];
        std::printf(&column == &rates[4] ? " %8.1f" : " %12.0f", median);
    }
    std::printf(" %8zu\n", confirmed);
    bool good = true;
    const auto report = [&](bool holds, const char *what) {
        if (!holds)
            std::printf("WRONG    %s: %s\n", group.name.c_str(), what);
        good = good && holds;
    };
    report(dh::openssl_has_group(group), "OpenSSL has a different prime");
    report(equal, "the two sides have different secrets");
    report(confirmed == first.agreements.size(), "OpenSSL has different public keys or secrets");
    sample::flush_report();
    return good;
}

bool demo(const Job &job) {
    const std::string device = dh::device_name(job.common.device);
    const std::size_t threads = sample::hardware_threads();
    std::printf("device   %s, %s time\n", device.c_str(),
                job.variable_time ? "variable" : "constant");
    std::printf("peer     %s on %zu threads, constant time\n\n", dh::openssl_name().c_str(),
                threads);
    std::printf("%-10s %8s %12s %12s %12s %12s %8s %8s\n", "", "", "key pairs/s", "secrets/s",
                "OpenSSL", "OpenSSL", "", "checked");
    std::printf("%-10s %8s %12s %12s %12s %12s %8s %8s\n", "group", "batch", "g^x", "y^x",
                "key pairs/s", "secrets/s", "times", "");
    sample::flush_report();
    bool good = true;
    for (const std::string &name : job.groups)
        good &= demo_of(dh::group_named(name), threads, job);
    std::printf("\nMedians of several rounds, in which the programs take turns.\n"
                "checked: agreements of a batch that OpenSSL confirmed.\n"
                "times: key agreements per second (a key pair and a secret each), divided by "
                "OpenSSL's.\n");
    sample::flush_report();
    return good;
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
        if (command == demo_command)
            sample::add_device_option(*command, job.common);
        else
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
