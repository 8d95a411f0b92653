// SPDX-License-Identifier: Apache-2.0
// The errors that a user of a sample sees: what() is the one line printed on stderr.
#pragma once

#include <charconv>
#include <cstddef>
#include <stdexcept>
#include <string>

namespace sample {

struct Error : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// An argument that cannot be right, whatever the files hold.
struct UsageError : Error {
    using Error::Error;
};

// The line that warpint's parse() reports, from 1; 0: none.
inline std::size_t parse_line(const std::exception &error) {
    const std::string text = error.what();
    std::size_t line = 0;
    if (const std::size_t at = text.find("line "); at != std::string::npos)
        std::from_chars(text.data() + at + 5, text.data() + text.size(), line);
    return line;
}

// What it reports, without the name of its type: "expected a decimal digit, found 'x' at position
// 1".
inline std::string parse_reason(const std::exception &error) {
    std::string text = error.what();
    if (const std::size_t at = text.find("::parse: "); at != std::string::npos)
        text.erase(0, at + 9);
    return text;
}

// Both: "line 3: expected a decimal digit". The line numbers begin behind `lines_before` lines.
inline std::string parse_message(const std::exception &error, std::size_t lines_before = 0) {
    const std::size_t line = parse_line(error);
    return (line == 0 ? "" : "line " + std::to_string(line + lines_before) + ": ") +
           parse_reason(error);
}

} // namespace sample
