// SPDX-License-Identifier: Apache-2.0
#include "command_line.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <iostream>
#include <map>
#include <new>
#include <sstream>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <warpint/version.h>

#include <fcntl.h>
#include <unistd.h>

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

// In place of CLI11's words: of a word where a subcommand should be it only says that one is
// required, unknown arguments it lists from the last on, and its sentences begin with capitals.
std::string message_of(const CLI::App &program, const CLI::ParseError &error) {
    const std::vector<std::string> unknown = program.remaining(true);
    if (!subcommands(program).empty() && program.get_subcommands().empty()) {
        return (unknown.empty() ? "a subcommand is missing: "
                                : "no subcommand is named " + unknown.front() + ": ") +
               names_of_subcommands(program);
    }
    if (dynamic_cast<const CLI::ExtrasError *>(&error) != nullptr && !unknown.empty()) {
        std::string message = "unexpected:";
        for (const std::string &argument : unknown)
            message += " " + argument;
        return message;
    }
    std::string message = error.what();
    if (message.size() > 1 && message[0] >= 'A' && message[0] <= 'Z' && message[1] >= 'a')
        message[0] = static_cast<char>(message[0] - 'A' + 'a');
    return message;
}

// The number that `text` is, if it is one and nothing else.
template <class T>
T number_in(const std::string &option, const std::string &text, T least, T most,
            const std::string &expected) {
    T number{};
    const char *const end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc{} || rest != end || !(number >= least && number <= most)) // NaN fails
        throw CLI::ValidationError(option, "expected " + expected + ", found " + text);
    return number;
}

std::string whole_number(std::uint64_t least, std::uint64_t most) {
    return "a whole number from " + std::to_string(least) +
           (most == UINT64_MAX ? " on" : " to " + std::to_string(most));
}

void refuse_empty_values(CLI::App &command) {
    for (CLI::Option *option : command.get_options())
        option->check(CLI::Validator(
            [](const std::string &text) { return text.empty() ? "must not be empty" : ""; }, ""));
    for (CLI::App *inner : command.get_subcommands({}))
        refuse_empty_values(*inner);
}

// Opens something in place of standard streams that were closed, so that no file gets their
// numbers. What is read or written there fails, except messages, which are lost.
void occupy_standard_streams() {
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (fcntl(stream, F_GETFD) < 0)
            (void)open("/dev/null", stream == STDOUT_FILENO ? O_RDONLY : O_WRONLY);
    }
}

} // namespace

CLI::Option *add_whole_number(CLI::App &command, const std::string &name,
                              std::function<void(std::uint64_t)> set, std::uint64_t least,
                              std::uint64_t most, const std::string &description) {
    const std::string expected = whole_number(least, most);
    return command
        .add_option_function<std::string>(
            name,
            [=](const std::string &text) { set(number_in(name, text, least, most, expected)); },
            description)
        ->type_name(expected.substr(2)); // without "a "
}

CLI::Option *add_numbers(CLI::App &command, const std::string &name, std::vector<int> &values,
                         int least, int most, const std::string &description) {
    const std::string expected =
        whole_number(static_cast<std::uint64_t>(least), static_cast<std::uint64_t>(most));
    return command
        .add_option_function<std::vector<std::string>>(
            name,
            [=, &values](const std::vector<std::string> &texts) {
                values.clear();
                for (const std::string &text : texts)
                    values.push_back(number_in(name, text, least, most, expected));
            },
            description)
        ->type_name(expected.substr(2));
}

CLI::Option *add_real(CLI::App &command, const std::string &name, double &value, double least,
                      double most, const std::string &description) {
    std::ostringstream expected;
    expected << "a number from " << least << " to " << most;
    return command
        .add_option_function<std::string>(
            name,
            [=, &value, words = expected.str()](const std::string &text) {
                value = number_in(name, text, least, most, words);
            },
            description)
        ->type_name(expected.str().substr(2));
}

CLI::Option *add_seconds(CLI::App &command, double &value, const std::string &description) {
    return add_real(command, "--seconds", value, 0.001, 100000, description);
}

void add_device_option(CLI::App &command, CommonOptions &options) {
    static const std::map<std::string, Device> devices{
        {"auto", Device::automatic}, {"cpu", Device::cpu}, {"gpu", Device::gpu}};
    command
        .add_option_function<std::string>(
            "--device", [&](const std::string &word) { options.device = devices.at(word); },
            "cpu, gpu or auto (default: the GPU if there is one)")
        ->check(CLI::IsMember(&devices));
}

void add_common_options(CLI::App &command, CommonOptions &options) {
    add_device_option(command, options);
    command.add_flag("--progress", options.always_show_progress,
                     "Draw the progress bar at once, and even if stderr is no terminal (input of "
                     "unknown size has none)");
}

CLI::Option *add_json_option(CLI::App &command, CommonOptions &options) {
    return command.add_flag("--json", options.json,
                            "Print what is measured as one JSON object, for scripts");
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
    const std::string more = " (" + program.get_name() + " --help says more)";
    refuse_empty_values(program);
    occupy_standard_streams();
    std::signal(SIGPIPE, SIG_IGN); // a closed pipe is an error like a full disk,
    std::signal(SIGXFSZ, SIG_IGN); // and so is a file that may not become larger
    try {
        try {
            program.parse(argument_count, arguments);
        } catch (const CLI::ParseError &error) {
            if (error.get_exit_code() != 0)
                return fail(program, usage_error, message_of(program, error) + more);
            program.exit(error); // prints the help
            std::cout.flush();
            flush_report();
            return 0;
        }
        remove_temporaries_on_signals();
        const bool succeeded = job();
        flush_report();
        return succeeded ? 0 : failure;
    } catch (const UsageError &error) {
        return fail(program, usage_error, error.what() + more);
    } catch (const std::bad_alloc &) {
        return fail(program, failure, "out of memory");
    } catch (const std::exception &error) {
        return fail(program, failure, error.what());
    }
}

} // namespace sample
