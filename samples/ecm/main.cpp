// SPDX-License-Identifier: Apache-2.0
// ecm: factors numbers by elliptic curves, on CPU or GPU. README.md beside it shows how.

#include <cstdio>
#include <string>

#include <CLI/CLI.hpp>

#include <warpint/text.h>

#include "command_line.h"
#ifdef ECM_WITH_MPI
#include "distribute.h"
#endif
#include "error.h"
#include "expression.h"
#include "search.h"

namespace {

using ecm::Number;
using sample::Error;

constexpr const char *more_help =
    R"(
Examples:
  ecm 2^101-1
  ecm "(10^41+1)/11"
  ecm 2^211-1 --b1 11000
  ecm 2^251-1 --b1 2000 --sigma 42 --curves 3 --points
)"
#ifdef ECM_WITH_MPI
    R"(  mpirun -n 8 ecm 2^331-1 --b1 250000 --sigma 6 --curves 4000 --results m331
)"
#endif
    R"(Lines that begin with # say what was done; the last line is what factor prints.
Exit status: 0, 1 if a composite number is left or the job failed, 2 for wrong
arguments.

Measure this machine (the GPU if there is one), at 128, 256, 512, 1024 bits:
  for e in 127 251 511 1019; do ecm "2^$e-3" --sigma 6 --curves 16384 --b1 50000; done
A GPU is only filled by more curves: --curves 300000.)";

struct Job {
    std::string expression;
    ecm::Options options;
    bool points = false;
    std::string results;
};

bool factor(const Job &job) {
    const Number n = ecm::evaluate(job.expression);
    if (n == 0u)
        throw sample::UsageError("0 has no factors");
    sample::Report report("ecm", job.options.common, "# ");
    report.fact("device", ecm::device_name(job.options.common.device));
    const ecm::Factors found = ecm::factors(n, job.options, &report);
    const auto list = [](const std::vector<Number> &numbers) {
        std::string text;
        for (const Number &number : numbers)
            text += (text.empty() ? "" : " ") + to_string(number);
        return text;
    };
    report.member("number", to_string(n));
    report.member("primes", list(found.primes));
    report.member("left", list(found.left));
    report.finish();
    if (!job.options.common.json) {
        std::printf("%s:", to_string(n).c_str());
        for (const Number &prime : found.primes)
            std::printf(" %s", to_string(prime).c_str());
        for (const Number &left : found.left)
            std::printf(" (%s)", to_string(left).c_str());
        std::printf("\n");
    }
    if (!found.left.empty())
        throw Error("a composite number is left, in parentheses: try more curves or a larger B1");
    return true;
}

#ifdef ECM_WITH_MPI
bool factor_on_processes(const Job &job) {
    const Number n = ecm::evaluate(job.expression);
    if (n % 2u == 0u || n < 100u)
        throw Error("--results needs an odd number of at least 100");
    const ecm::Report report = ecm::distribute(n, job.options, job.results);
    if (!report.is_root)
        return true;
    std::printf("# %zu of %zu batches were done before\n", report.done_before, report.batches);
    for (const Number &divisor : report.divisors)
        std::printf("divisor %s\n", to_string(divisor).c_str());
    return true;
}
#endif

void print_points(const Job &job) {
    const Number n = ecm::evaluate(job.expression);
    if (n % 2u == 0u || n < 100u)
        throw sample::UsageError("--points needs an odd number of at least 100");
    const std::vector<Number> points = ecm::points(n, job.options);
    for (std::size_t i = 0; i != points.size(); ++i)
        std::printf("%zu %s\n", job.options.sigma + i, to_string(points[i]).c_str());
}

} // namespace

int main(int argument_count, char **arguments) {
    constexpr std::uint32_t largest_bound = 1000000000; // of the table of primes
    CLI::App program("Factors numbers by elliptic curves in batches, on CPU or GPU", "ecm");
    program.footer(more_help);
    Job job;
    program.add_option("number", job.expression, "Decimal number or expression with + - * / ^ ( )")
        ->required();
    sample::add_number(program, "--b1", job.options.b1, 250, largest_bound,
                       "Bound of stage 1 (default 50000)");
    sample::add_number(program, "--b2", job.options.b2, 1, largest_bound,
                       "Bound of stage 2 (default 100 times B1)");
    auto *curves =
        sample::add_number(program, "--curves", job.options.curves, 1, std::uint64_t{1} << 40,
                           "Maximum number of curves for a factor (default 2000)");
    auto *sigma = sample::add_number(program, "--sigma", job.options.sigma, 6, 0x7fffffff,
                                     "Parameter of the first curve; others follow (default: "
                                     "random)");
    sample::add_number(program, "--batch", job.options.batch, 1, 1 << 24,
                       "Curves at once (default: by the device)");
    auto *json = sample::add_json_option(program, job.options.common);
    program
        .add_flag("--points", job.points, "Print sigma and x of each point after stage 1 instead")
        ->needs(sigma)
        ->needs(curves)
        ->excludes(json);
#ifdef ECM_WITH_MPI
    program
        .add_option("--results", job.results,
                    "Run all curves, on all processes of mpirun, and print the divisors that they "
                    "find; files FILE.0, FILE.1 ... keep what is done, and the job started again "
                    "continues")
        ->needs(sigma)
        ->needs(curves)
        ->excludes(json);
#endif
    sample::add_common_options(program, job.options.common);
    return sample::run(program, argument_count, arguments, [&] {
        if (job.options.b2 == 0 && job.options.b1 > largest_bound / 100)
            job.options.b2 = largest_bound;
#ifdef ECM_WITH_MPI
        if (!job.results.empty())
            return factor_on_processes(job);
#endif
        if (!job.points)
            return factor(job);
        print_points(job);
        return true;
    });
}
