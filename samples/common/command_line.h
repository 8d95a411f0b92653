// SPDX-License-Identifier: Apache-2.0
// What all samples do with their command line: --device, --progress, --json, --version, errors in
// one line, and the exit status.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>
#include <vector>

namespace CLI {
class App;
class Option;
} // namespace CLI

namespace sample {

enum class Device { automatic, cpu, gpu };

// What commands of a sample can be told.
struct CommonOptions {
    Device device = Device::automatic;
    bool always_show_progress = false;
    bool json = false; // what is printed: see report.h
};

// Adds --device cpu|gpu|auto, and to a command that draws a progress bar --progress.
void add_device_option(CLI::App &command, CommonOptions &options);
void add_common_options(CLI::App &command, CommonOptions &options);

// Adds --json to a command that prints a Report.
CLI::Option *add_json_option(CLI::App &command, CommonOptions &options);

// Adds an option whose value is a whole decimal number in [least, most]; anything else is a wrong
// argument. `set` gets the number.
CLI::Option *add_whole_number(CLI::App &command, const std::string &name,
                              std::function<void(std::uint64_t)> set, std::uint64_t least,
                              std::uint64_t most, const std::string &description);
template <class T>
CLI::Option *add_number(CLI::App &command, const std::string &name, T &value,
                        std::type_identity_t<T> least, std::type_identity_t<T> most,
                        const std::string &description) {
    return add_whole_number(
        command, name, [&value](std::uint64_t number) { value = static_cast<T>(number); },
        static_cast<std::uint64_t>(least), static_cast<std::uint64_t>(most), description);
}

CLI::Option *add_numbers(CLI::App &command, const std::string &name, std::vector<int> &values,
                         int least, int most, const std::string &description);

// The same for decimal numbers with a fraction or an exponent: 0.5, 1e12.
CLI::Option *add_real(CLI::App &command, const std::string &name, double &value, double least,
                      double most, const std::string &description);

// --seconds of the commands that measure.
CLI::Option *add_seconds(CLI::App &command, double &value, const std::string &description);

// Shows what was printed so far, also where standard output is a file or a pipe. Throws Error if it
// cannot be written.
void flush_report();

// Parses the arguments and does the job: main() of a sample returns what this returns. 0; 1 where
// the job returned false or threw, or standard output could not be written, with one line on
// stderr; 2 for wrong arguments, among them empty ones and those that the job refuses by a
// UsageError. Signals that end the program remove what is unfinished first (temporary.h).
// Standard streams that were closed stay unusable: no file takes their place. Adds --version with
// `other_versions` behind warpint's: "with OpenSSL 3.0.1".
int run(CLI::App &program, int argument_count, char **arguments, const std::function<bool()> &job,
        const std::string &other_versions = {});

} // namespace sample
