// SPDX-License-Identifier: Apache-2.0
#include "command_line.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <map>
#include <new>
#include <vector>

#include <CLI/CLI.hpp>
#include <warpint/version.h>

#include "error.h"
#include "temporary.h"

namespace sample {
namespace {

int fail(const CLI::App &program, int exit_code, std::string message) {
    std::replace(message.begin(), message.end(), '\n', ' ');
    std::fprintf(stderr, "%s: error: %s\n", program.get_name().c_str(), message.c_str());
    return exit_code;
}

// Without groups of options, which CLI11 counts among them.
std::vector<const CLI::App *> subcommands(const CLI::App &program) {
    return program.get_subcommands(
        [](const CLI::App *command) { return !command->get_name().empty(); });
}

// "encrypt, decrypt or demo".
std::string names_of_subcommands(const CLI::App &program) {
    std::string names;
    const std::vector<const CLI::App *> all = subcommands(program);
    for (std::size_t i = 0; i != all.size(); ++i)
        names += (i == 0 ? "" : i + 1 == all.size() ? " or " : ", ") + all[i]->get_name();
    return names;
}

// Of a word where a subcommand should be, CLI11 only says that one is required.
std::string message_of(const CLI::App &program, const CLI::ParseError &error) {
    const std::vector<std::string> unknown = program.remaining();
    if (subcommands(program).empty() || !program.get_subcommands().empty() || unknown.empty())
        return error.what();
    return "no subcommand is named " + unknown.front() + ": " + names_of_subcommands(program);
}

} // namespace

void add_common_options(CLI::App &command, CommonOptions &options) {
    static const std::map<std::string, Device> devices{
        {"auto", Device::automatic}, {"cpu", Device::cpu}, {"gpu", Device::gpu}};
    command
        .add_option_function<std::string>(
            "--device", [&](const std::string &word) { options.device = devices.at(word); },
            "cpu, gpu or auto (default: the GPU if there is one)")
        ->check(CLI::IsMember(&devices));
    command.add_flag("--progress", options.always_show_progress,
                     "Draw the progress bar even if stderr is no terminal");
}

void flush_report() {
    errno = 0;
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
        throw Error(std::string("cannot write standard output") +
                    (errno != 0 ? std::string(": ") + std::strerror(errno) : ""));
}

int run(CLI::App &program, int argument_count, char **arguments, const std::function<bool()> &job,
        const std::string &other_versions) {
    constexpr int failure = 1;
    constexpr int usage_error = 2;

    program.set_version_flag("--version",
                             program.get_name() + ", a sample of warpint " WARPINT_VERSION_STRING +
                                 (other_versions.empty() ? "" : ", " + other_versions));
    try {
        program.parse(argument_count, arguments);
    } catch (const CLI::ParseError &error) {
        if (error.get_exit_code() == 0)
            return program.exit(error); // prints the help
        return fail(program, usage_error,
                    message_of(program, error) + " (" + program.get_name() + " --help says more)");
    }

    remove_temporaries_on_signals();
    std::signal(SIGPIPE, SIG_IGN); // a closed pipe is an error like a full disk
    try {
        const bool succeeded = job();
        flush_report();
        return succeeded ? 0 : failure;
    } catch (const std::bad_alloc &) {
        return fail(program, failure, "out of memory");
    } catch (const std::exception &error) {
        return fail(program, failure, error.what());
    }
}

} // namespace sample
