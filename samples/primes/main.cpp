// SPDX-License-Identifier: Apache-2.0
// primes: finds and tests primes in batches, on CPU or GPU. README.md beside it shows how.

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include <CLI/CLI.hpp>

#include "bench.h"
#include "candidates.h"
#include "command_line.h"
#include "error.h"
#include "files.h"
#include "gaps.h"
#include "gmp_peer.h"
#include "progress.h"
#include "report.h"
#include "search.h"

namespace {

using primes::Candidates;
using primes::Pairs;
using sample::Error;
using sample::OutputFile;

constexpr const char *more_help = R"(
Examples:
  primes list --from 1000000000 --count 5
  primes list --from 18446744073709551000 --to 18446744073709551999
  echo 170141183460469231731687303715884105727 | primes next
  echo 561 | primes test --rounds 20
  primes gaps --from 1000000000000 --count 100000 --csv gaps.csv --svg gaps.svg
  primes safe --bits 512 --count 2
Files hold one decimal number per line; - is standard input or output.
Exit status: 0, 1 if the job failed, 2 for wrong arguments.

Measure this machine (the GPU if there is one), and compare with GMP:
  primes bench --bits 64 256 1024 4096)";

// More than the distance of any two neighbouring primes that were ever found below 2^4096.
constexpr std::uint64_t longest_gap = 1 << 20;

struct Job {
    primes::Options options;
    std::string from = "2", to, in = "-", out = "-", csv, svg;
    std::uint64_t count = 0;
    int bits = 256;
    std::vector<int> widths{64, 256, 1024, 4096};
    double seconds = 1;
    std::optional<std::uint64_t> seed;
};

std::unique_ptr<Candidates> candidates_of_range(const Job &job) {
    // `count` primes end before this: one in ln n is prime, 2.3 times the digits of n.
    const std::uint64_t most = std::min(job.count, std::uint64_t{1} << 40);
    const std::uint64_t room = job.to.empty() ? 8 * most * job.from.size() + longest_gap : 0;
    return primes::make_candidates(job.from + "\n" + job.to, 10, room, job.options.common.device);
}

primes::Range range(const Job &job) {
    return primes::make_range(job.from, job.to, job.count);
}

std::string joined(const std::vector<std::string> &lines) {
    std::string text;
    for (const std::string &line : lines)
        text += line + "\n";
    return text;
}

void list(const Job &job) {
    const primes::Range wanted = range(job);
    OutputFile out(job.out);
    const auto candidates = candidates_of_range(job);
    primes::find_primes(
        *candidates, wanted, job.options,
        [&](const std::vector<std::uint64_t> &found) {
            Pairs pairs;
            for (const std::uint64_t offset : found)
                pairs.add(0, offset);
            out.write(joined(candidates->text(pairs)));
        },
        job.out);
    out.commit();
}

// Calls work(candidates) for parts of the file's lines.
void for_parts_of_file(const Job &job, std::uint64_t room,
                       const std::function<std::vector<std::string>(Candidates &)> &work) {
    constexpr std::size_t part_bytes = std::size_t{1} << 20;
    const std::string text = sample::read_text(job.in);
    if (text.find_first_not_of("\n") == std::string::npos)
        throw Error("no number to read");
    OutputFile out(job.out);
    sample::Progress progress("testing", text.size(), job.options.common.always_show_progress,
                              job.out);
    std::size_t line = 0;
    for (std::size_t begin = 0; begin < text.size();) {
        std::size_t end = text.size();
        if (end - begin > part_bytes)
            end = std::min(end, text.find('\n', begin + part_bytes) + 1);
        if (end == 0)
            end = text.size();
        const std::string part = text.substr(begin, end - begin);
        std::unique_ptr<Candidates> candidates;
        try {
            candidates = primes::make_candidates(part, 10, room, job.options.common.device);
        } catch (const std::logic_error &error) {
            throw Error("not a decimal number of up to " + std::to_string(primes::largest_width()) +
                        " bits: " + sample::parse_message(error, line));
        }
        out.write(joined(work(*candidates)));
        line += candidates->size();
        progress.add(part.size());
        begin = end;
    }
    out.commit();
}

void next(const Job &job) {
    for_parts_of_file(job, longest_gap, [&](Candidates &candidates) {
        Pairs pairs;
        for (const std::uint64_t offset : primes::next_primes(candidates, job.options))
            pairs.add(pairs.size(), offset);
        return candidates.text(pairs);
    });
}

void test(const Job &job) {
    for_parts_of_file(job, 0, [&](Candidates &candidates) {
        Pairs pairs;
        while (pairs.size() != candidates.size())
            pairs.add(pairs.size(), 0);
        std::vector<std::string> lines;
        for (const bool prime : candidates.are_prime(pairs, job.options.rounds))
            lines.push_back(prime ? "prime" : "composite");
        return lines;
    });
}

void gaps(const Job &job) {
    const primes::Range wanted = range(job);
    sample::OutputFiles files;
    OutputFile &csv = files.add(job.csv);
    OutputFile *const svg = job.svg.empty() ? nullptr : &files.add(job.svg);
    const auto candidates = candidates_of_range(job);
    const primes::Histogram histogram = primes::prime_gaps(*candidates, wanted, job.options);
    csv.write(primes::csv(histogram));
    if (svg) {
        const std::string from = job.from.size() > 40 ? job.from.substr(0, 37) + "..." : job.from;
        svg->write(
            primes::svg(histogram, "Distances between neighbouring primes from " + from + " on"));
    }
    files.commit();
}

void safe(const Job &job) {
    sample::require_other_than_report(job.options.common, job.out);
    OutputFile out(job.out);
    const auto start = std::chrono::steady_clock::now();
    primes::find_safe_primes(
        job.bits, job.count, job.seed, job.options,
        [&](const std::vector<std::string> &found) { out.write(joined(found)); }, job.out);
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
    out.commit();
    if (sample::is_standard_output(job.out))
        return;
    sample::Report report("primes safe", job.options.common);
    report.fact("device", primes::device_name(job.options.common.device));
    report.rate(std::to_string(job.bits) + " bits, safe primes",
                static_cast<double>(job.count) / time.count());
    report.finish();
}

void add_range(CLI::App &command, Job &job) {
    command.add_option("--from", job.from, "First number of the range (default 2)");
    auto *count =
        sample::add_number(command, "--count", job.count, 1, UINT64_MAX, "Primes to find");
    auto *to = command.add_option("--to", job.to, "Last number of the range");
    count->excludes(to);
    auto *either = command.add_option_group("end of the range");
    either->add_options(count, to);
    either->require_option(1);
}

} // namespace

int main(int argument_count, char **arguments) {
    CLI::App program("Finds and tests primes in batches, on CPU or GPU", "primes");
    program.require_subcommand(1);
    program.footer(more_help);
    Job job;
    CLI::App &list_command = *program.add_subcommand("list", "List the primes in a range");
    CLI::App &next_command =
        *program.add_subcommand("next", "Find the next prime above each number in a file");
    CLI::App &test_command =
        *program.add_subcommand("test", "Say for each number in a file whether it is prime");
    CLI::App &gaps_command = *program.add_subcommand(
        "gaps", "Count the distances between neighbouring primes in a range");
    CLI::App &safe_command = *program.add_subcommand(
        "safe", "Find safe primes p, for which (p - 1) / 2 is prime, above random numbers");
    CLI::App &bench_command =
        *program.add_subcommand("bench", "Measure tests per second and compare with GMP");

    add_range(list_command, job);
    add_range(gaps_command, job);
    for (CLI::App *command : {&next_command, &test_command})
        command->add_option("--in", job.in, "File to read (default: standard input)");
    for (CLI::App *command : {&list_command, &next_command, &test_command, &safe_command})
        command->add_option("--out", job.out, "File to write (default: standard output)");
    gaps_command.add_option("--csv", job.csv, "File to write with a line for each gap")->required();
    gaps_command.add_option("--svg", job.svg, "File to write with a plot");
    sample::add_number(safe_command, "--bits", job.bits, 3, primes::largest_width(),
                       "Width of the primes (default 256)");
    sample::add_number(safe_command, "--count", job.count, 1, UINT64_MAX,
                       "Primes to find (default 1)");
    sample::add_whole_number(
        safe_command, "--seed", [&](std::uint64_t seed) { job.seed = seed; }, 0, UINT64_MAX,
        "Find the same primes in every run (default: the system's random numbers)");
    sample::add_numbers(bench_command, "--bits", job.widths, 32, primes::largest_width(),
                        "Widths (default 64 256 1024 4096)");
    sample::add_seconds(bench_command, job.seconds, "Seconds for each figure, roughly (default 1)");
    for (CLI::App *command : {&safe_command, &bench_command})
        sample::add_json_option(*command, job.options.common);
    for (CLI::App *command : program.get_subcommands({})) {
        if (command == &bench_command) {
            sample::add_device_option(*command, job.options.common);
            continue;
        }
        sample::add_number(*command, "--rounds", job.options.rounds, 0, 1000,
                           "Miller-Rabin rounds with random bases, after the Baillie-PSW test, for "
                           "numbers above 64 bits (default 0)");
        sample::add_common_options(*command, job.options.common);
    }

    return sample::run(
        program, argument_count, arguments,
        [&] {
            if (list_command.parsed())
                list(job);
            else if (next_command.parsed())
                next(job);
            else if (test_command.parsed())
                test(job);
            else if (gaps_command.parsed())
                gaps(job);
            else if (safe_command.parsed()) {
                job.count = std::max<std::uint64_t>(job.count, 1);
                safe(job);
            } else if (!primes::run_bench(job.widths, job.seconds, job.options))
                throw Error("verdicts differ from GMP's, see above");
            return true;
        },
        primes::gmp_name().empty() ? "" : "with " + primes::gmp_name());
}
