// SPDX-License-Identifier: Apache-2.0
// pollard: discrete logarithms on elliptic curves. README.md beside it shows how.

#include <cstdint>
#include <cstdio>
#include <string>

#include <CLI/CLI.hpp>

#include "command_line.h"
#include "error.h"
#include "problems.h"
#include "report.h"
#include "solver.h"

namespace {

constexpr const char *more_help = R"(
Make a small curve and solve it:
  pollard make --bits 40 > my.txt
  pollard solve --curves my.txt --curve random40
Continue after an interruption, from where the store ends:
  pollard solve --curve ECCp-79 --store eccp79.txt
Check and measure this machine:
  for c in ECCp-79 ECCp-131; do pollard bench --curve $c --seconds 5; done

If the file has no points for a curve, the program chooses two. Numbers are
hexadecimal. Exit status: 0, 1 if the job failed, 2 for wrong arguments.)";

void print(const std::string &line) {
    std::puts(line.c_str());
    sample::flush_report();
}

} // namespace

int main(int argument_count, char **arguments) {
    CLI::App program("Solves discrete logarithms on elliptic curves by Pollard's rho method",
                     "pollard");
    program.require_subcommand(1);
    program.footer(more_help);
    std::string curve, curves;
    pollard::SolveOptions options;
    double seconds = 5;
    int bits = 48;
    std::uint64_t seed = 1;

    CLI::App *solve_command = program.add_subcommand("solve", "Find the k with k P = Q");
    CLI::App *bench_command =
        program.add_subcommand("bench", "Steps per second, compared with a plain walk");
    CLI::App *make_command = program.add_subcommand("make", "Make a small curve of prime order");
    for (CLI::App *command : {solve_command, bench_command}) {
        command->add_option("--curve", curve, "Name of the curve")->required();
        command->add_option("--curves", curves,
                            "File of curves (default: those of curves.txt, which are built in)");
        sample::add_number(*command, "--walks", options.walks, 1, 1 << 28,
                           "Walks at once (default: by the device)");
        sample::add_number(*command, "--thread-walks", options.launch.thread_walks, 1, 1 << 16,
                           "Walks of a GPU's thread, which share an inversion (default 64)");
        sample::add_whole_number(
            *command, "--block-warps",
            [&](std::uint64_t warps) {
                options.launch.block_threads = static_cast<int>(32 * warps);
            },
            1, 16, "Warps of 32 threads in a GPU's block (default 4)");
        sample::add_number(*command, "--launch-steps", options.launch.steps, 1, 1 << 16,
                           "Steps of all walks at a time (default 16)");
        if (command == bench_command)
            sample::add_device_option(*command, options.common);
        else
            sample::add_common_options(*command, options.common);
    }
    solve_command->add_option("--store", options.store,
                              "File of distinguished points, created or continued");
    sample::add_whole_number(
        *solve_command, "--distinguished",
        [&](std::uint64_t count) { options.distinguishing_bits = static_cast<int>(count); }, 1, 30,
        "Bits that are 0 in a distinguished point (default: by the curve)");
    sample::add_json_option(*bench_command, options.common);
    sample::add_seconds(*bench_command, seconds, "Seconds to measure for (default 5)");
    sample::add_number(*make_command, "--bits", bits, 20, 56, "Width of the field (default 48)");
    sample::add_number(*make_command, "--seed", seed, 0, UINT64_MAX,
                       "Chooses the curve (default 1)");

    return sample::run(program, argument_count, arguments, [&] {
        if (make_command->parsed()) {
            print("# name p a b n Px Py Qx Qy\n" + to_line(pollard::make_problem(bits, seed)));
            return true;
        }
        const pollard::Problem problem = pollard::find_problem(curves, curve);
        if (solve_command->parsed()) {
            print("k = " + to_string(pollard::solve(problem, options), 16));
            return true;
        }
        const pollard::Bench result = pollard::bench(problem, options, seconds);
        sample::Report report("pollard bench", options.common);
        report.fact("curve", problem.name);
        report.fact("bits", bit_width(problem.p));
        report.fact("device", pollard::device_name(options.common.device));
        report.check(std::to_string(result.checked_walks) + " of " + std::to_string(result.walks) +
                         " walks of " + std::to_string(result.checked_steps) +
                         " steps agree with plain ones; all stayed on the curve",
                     result.correct);
        report.rate("steps", result.steps_per_second);
        report.finish();
        if (!result.correct)
            throw sample::Error("the walks went wrong, see above");
        return true;
    });
}
