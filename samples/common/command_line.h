// SPDX-License-Identifier: Apache-2.0
// What all samples do with their command line: --device, --progress, --version, errors in one line,
// and the exit status.
#pragma once

#include <functional>
#include <string>

namespace CLI {
class App;
}

namespace sample {

enum class Device { automatic, cpu, gpu };

// What every command of a sample can be told.
struct CommonOptions {
    Device device = Device::automatic;
    bool always_show_progress = false;
};

// Adds --device cpu|gpu|auto and --progress.
void add_common_options(CLI::App &command, CommonOptions &options);

// Shows what was printed so far, also where standard output is a file or a pipe. Throws Error if it
// cannot be written.
void flush_report();

// Parses the arguments and does the job: main() of a sample returns what this returns. 0; 1 where
// the job returned false or threw, or standard output could not be written, with one line on
// stderr; 2 for wrong arguments. SIGINT, SIGTERM and SIGHUP remove what is unfinished (temporary.h)
// and end the program as they usually do. Adds
// --version with `other_versions` behind warpint's: "with OpenSSL 3.0.1".
int run(CLI::App &program, int argument_count, char **arguments, const std::function<bool()> &job,
        const std::string &other_versions = {});

} // namespace sample
