// SPDX-License-Identifier: Apache-2.0
// paillier: sums and multiples of encrypted columns, on CPU or GPU. README.md beside it shows how.

#include <cstdio>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "command_line.h"
#include "commands.h"
#include "error.h"

namespace {

constexpr const char *more_help = R"(
Make a key, encrypt a column, add it up without the private key, decrypt the sum:
  paillier keygen --bits 2048 --out mine
  paillier encrypt --key mine.public --in salaries.csv --column salary --out salaries.enc
  paillier add --key mine.public --in salaries.enc --out sum.enc
  paillier scale --key mine.public --in salaries.enc --by 12 --out yearly.enc
  paillier decrypt --key mine.private --in sum.enc --out -
Add two columns line by line; a column has a name or, without a header, a number:
  paillier encrypt --key mine.public --in bonus.csv --column 2 --out bonus.enc
  paillier add --key mine.public --in salaries.enc bonus.enc --out both.enc

Encrypt with short exponents, by keys that are made for it:
  paillier keygen --scheme dj-short --out fast
  paillier encrypt --scheme dj-short --key fast.public --in bonus.csv --column 2 --out fast.enc

--scheme dj-short is that of Damgard, Jurik and Nielsen (2010): (1 + m n) h_s^a
with a new a of half the bits of n for each number. Beside the assumption of
Paillier's scheme (decisional composite residuosity) it rests on this one: powers
of h by such short exponents look like powers by full ones, as they do if n is
hard to factor (Goldreich and Rosen 2003).

Values are decimal integers, positive or negative. Sums and multiples that leave
(-n/2, n/2) wrap around. Exit status: 0, 1 if the job failed, 2 for wrong
arguments.

Measure this machine:
  paillier demo --bits 2048
Measure a GPU with both key lengths:
  for b in 2048 3072; do paillier demo --device gpu --bits $b --seconds 3; done)";

struct Job {
    int bits = 2048;
    std::size_t count = 1;
    std::size_t rows = 0;
    double seconds = 1;
    bool force = false;
    std::string scheme = "textbook";
    std::string key, in, column, factor, out;
    std::vector<std::string> addends;
    sample::CommonOptions common;
};

bool run(const CLI::App &command, const Job &job) {
    const std::string name = command.get_name();
    const auto scheme =
        job.scheme == "dj-short" ? paillier::Scheme::dj_short : paillier::Scheme::textbook;
    if (name == "keygen")
        paillier::make_keys(scheme, job.bits, job.count, job.out, job.force, job.common);
    else if (name == "encrypt")
        paillier::encrypt(scheme, job.key, job.in, job.column, job.out, job.common);
    else if (name == "add")
        paillier::add(job.key, job.addends, job.out, job.common);
    else if (name == "scale")
        paillier::scale(job.key, job.in, job.factor, job.out, job.common);
    else if (name == "decrypt")
        paillier::decrypt(job.key, job.in, job.out, job.common);
    else if (!paillier::demo(job.bits, job.rows, job.seconds, job.common))
        throw sample::Error("the demo's comparisons failed, see above");
    return true;
}

} // namespace

int main(int argument_count, char **arguments) {
    CLI::App program("Sums and multiples of encrypted numbers, by Paillier's cryptosystem",
                     "paillier");
    program.require_subcommand(1);
    program.footer(more_help);
    Job job;
    CLI::App *keygen = program.add_subcommand("keygen", "Make keys");
    CLI::App *encrypt = program.add_subcommand("encrypt", "Encrypt a column of a CSV file");
    CLI::App *add = program.add_subcommand("add", "Add all lines of a file, or two files");
    CLI::App *scale = program.add_subcommand("scale", "Multiply by a number");
    CLI::App *decrypt = program.add_subcommand("decrypt", "Decrypt");
    CLI::App *demo = program.add_subcommand("demo", "Run all of it, check and time it");
    for (CLI::App *command : {keygen, demo})
        command->add_option("--bits", job.bits, "Length of n: 2048 (default) or 3072")
            ->check(CLI::IsMember({"2048", "3072"}));
    for (CLI::App *command : {keygen, encrypt})
        command
            ->add_option("--scheme", job.scheme,
                         "textbook (default), or dj-short: one base, short exponents")
            ->check(CLI::IsMember({"textbook", "dj-short"}));
    sample::add_number(*keygen, "--count", job.count, 1, 1000000, "Number of keys (default 1)");
    keygen->add_flag("--force", job.force, "Replace private keys that are there");
    sample::add_number(*demo, "--rows", job.rows, 1, 1 << 24,
                       "Numbers at once (default: by the device)");
    sample::add_seconds(*demo, job.seconds, "Seconds for each figure, at least (default 1)");
    for (CLI::App *command : {encrypt, add, scale, decrypt})
        command->add_option("--key", job.key, "File with the key")->required();
    for (CLI::App *command : {encrypt, scale, decrypt})
        command->add_option("--in", job.in, "File to read; - is standard input")->required();
    add->add_option("--in", job.addends, "One file, or two")->required()->expected(1, 2);
    encrypt->add_option("--column", job.column, "Name, or number from 1 if there is no header")
        ->required();
    scale->add_option("--by", job.factor, "Decimal integer")->required();
    keygen->add_option("--out", job.out, "Prefix of the names of the files to write")->required();
    for (CLI::App *command : {encrypt, add, scale, decrypt})
        command->add_option("--out", job.out, "File to write; - is standard output")->required();
    for (CLI::App *command : {keygen, encrypt, add, scale, decrypt})
        sample::add_common_options(*command, job.common);
    sample::add_device_option(*demo, job.common);
    sample::add_json_option(*demo, job.common);

    return sample::run(program, argument_count, arguments,
                       [&] { return run(*program.get_subcommands().front(), job); });
}
