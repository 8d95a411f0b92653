// SPDX-License-Identifier: Apache-2.0
// matrix: products of matrices and linear systems modulo a number, on CPU or GPU. README.md beside
// it shows how.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include <CLI/CLI.hpp>

#include "algebra.h"
#include "command_line.h"
#include "error.h"
#include "files.h"
#include "report.h"
#include "table.h"

namespace {

using matrix::Algebra;
using sample::Error;
using sample::UsageError;

constexpr const char *more_help = R"(
Multiply two matrices modulo any number from 2 on:
  matrix multiply --modulus 1000 --a a.txt --b b.txt
Find x with a x = b modulo a prime; b has a column for each system:
  matrix solve --modulus 0x7fffffff --a a.txt --b b.txt --out x.txt --verify
A file has a line for each row, with numbers below the modulus, decimal or
hexadecimal with 0x, separated by blanks; - is standard input or output.
Exit status: 0, 1 if the job failed (a is singular, say), 2 for wrong arguments.

Without files, measure this machine by random matrices modulo a random prime:
  matrix multiply --bits 256 --size 200 --verify
  matrix solve --bits 2048 --size 100 --json)";

struct Job {
    std::string modulus, a, b, out;
    int bits = 256;
    std::uint64_t size = 200;
    double seconds = 1;
    bool verify = false, hexadecimal = false;
    sample::CommonOptions common;
};

std::string shape(std::uint64_t rows, std::uint64_t columns) {
    return std::to_string(rows) + " x " + std::to_string(columns);
}

std::string shape(const matrix::Table &table) {
    return table.name + " is " + shape(table.rows, table.columns);
}

double seconds_of(const std::function<void()> &work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Sets A and B to what the files hold.
void read_files(Algebra &algebra, bool solving, const Job &job) {
    const matrix::Table a = matrix::read_table(job.a), b = matrix::read_table(job.b);
    const std::string shapes = shape(a) + ", " + shape(b);
    if (solving && a.rows != a.columns)
        throw Error(shape(a) + ": a system needs a square matrix");
    if (solving && a.rows != b.rows)
        throw Error(shapes + ": a system needs as many rows of both");
    if (!solving && a.columns != b.rows)
        throw Error(shapes + ": they have no product");
    algebra.set_a(a);
    algebra.set_b(b);
}

void compute(Algebra &algebra, bool solving, std::uint64_t rows, const std::string &name_of_a) {
    if (!solving)
        return algebra.multiply();
    const std::uint64_t rank = algebra.solve();
    if (rank != rows)
        throw Error(name_of_a + " is singular: its rank is " + std::to_string(rank) + ", of " +
                    std::to_string(rows) + " rows");
}

// Both commands. Files or random matrices.
void run(bool solving, const Job &job) {
    const bool files = !job.a.empty();
    const std::string out = files && job.out.empty() ? "-" : job.out;
    if (files && (job.b.empty() || job.modulus.empty()))
        throw UsageError("--a, --b and --modulus belong together");
    if (job.a == "-" && job.b == "-")
        throw UsageError("--a and --b cannot both be standard input");
    if (!files && !(job.b + job.modulus + out).empty())
        throw UsageError("--b, --modulus and --out need --a");
    sample::require_other_than_report(job.common, out);
    const auto algebra = files ? matrix::make_algebra(job.modulus, job.common.device)
                               : matrix::make_algebra(job.bits, job.common.device);
    if (solving && !algebra->modulus_is_prime())
        throw Error("the modulus " + algebra->modulus() + " is not prime");
    if (files)
        read_files(*algebra, solving, job);
    else
        algebra->draw(job.size, solving ? 1 : job.size);
    std::optional<sample::OutputFile> file;
    if (files)
        file.emplace(out);

    const std::uint64_t rows = algebra->rows();
    const std::string name = !files ? "the matrix" : job.a == "-" ? "standard input" : job.a;
    const auto work = [&] { compute(*algebra, solving, rows, name); };
    double best = seconds_of(work);
    if (!files) { // measured: several times, and the best counts
        for (double spent = best; spent < job.seconds;) {
            const double time = seconds_of(work);
            best = std::min(best, time);
            spent += time;
        }
    }
    const bool right = !job.verify || (solving ? algebra->solution_is_right() //
                                               : algebra->product_is_right());
    if (!right)
        throw Error("the result is WRONG");
    if (file) {
        file->write(algebra->text(job.hexadecimal));
        file->commit();
        if (sample::is_standard_output(out))
            return;
    }
    sample::Report report(solving ? "matrix solve" : "matrix multiply", job.common);
    report.fact("device", matrix::device_name(job.common.device));
    report.fact("bits", algebra->bits());
    report.fact("rows", rows);
    report.rate(solving ? "systems" : "products", 1 / best);
    if (job.verify)
        report.check(solving ? "A X = B" : "A (B v) = X v for a random v", right);
    report.finish();
}

} // namespace

int main(int argument_count, char **arguments) {
    CLI::App program("Products of matrices and linear systems modulo a number, on CPU or GPU",
                     "matrix");
    program.require_subcommand(1);
    program.footer(more_help);
    Job job;
    CLI::App *const multiply =
        program.add_subcommand("multiply", "Multiply two matrices modulo a number");
    CLI::App *const solve = program.add_subcommand("solve", "Find x with a x = b modulo a prime");
    for (CLI::App *command : {multiply, solve}) {
        command->add_option("--modulus", job.modulus, "Decimal, or hexadecimal with 0x");
        command->add_option("--a", job.a, "File with the matrix a");
        command->add_option("--b", job.b, "File with the matrix b");
        command->add_option("--out", job.out, "File to write (default: standard output)");
        command->add_flag("--hex", job.hexadecimal, "Write hexadecimal numbers");
        sample::add_number(*command, "--bits", job.bits, 64, matrix::largest_width(),
                           "Without files: bits of the random prime (default 256)");
        sample::add_number(*command, "--size", job.size, 1, 1 << 14,
                           "Without files: rows of the random matrices (default 200)");
        sample::add_seconds(*command, job.seconds,
                            "Without files: seconds to measure, at least (default 1)");
        for (const char *measured : {"--bits", "--size", "--seconds"})
            command->get_option(measured)->excludes(command->get_option("--a"));
        command->add_flag("--verify", job.verify, "Check the result by other arithmetic");
        sample::add_device_option(*command, job.common);
        sample::add_json_option(*command, job.common);
    }
    return sample::run(program, argument_count, arguments, [&] {
        run(solve->parsed(), job);
        return true;
    });
}
