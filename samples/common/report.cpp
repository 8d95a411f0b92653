// SPDX-License-Identifier: Apache-2.0
#include "report.h"

#include <charconv>
#include <cmath>
#include <cstdio>

#include <warpint/version.h>

#include "error.h"
#include "files.h"

namespace sample {
namespace {

// Texts are UTF-8.
std::string quoted(const std::string &text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') {
            result += '\\';
            result += c;
        } else if (static_cast<unsigned char>(c) < 0x20) {
            char escape[8];
            std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(c));
            result += escape;
        } else {
            result += c;
        }
    }
    return result + '"';
}

// The shortest text that reads as the same number. JSON has none for infinity.
std::string exact(double number) {
    if (!std::isfinite(number))
        return "null";
    char digits[32];
    const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
    return {digits, end};
}

// Four digits, or all of a larger number.
std::string rounded(double number) {
    char digits[64];
    std::snprintf(digits, sizeof digits, number < 999.95 ? "%.4g" : "%.0f", number);
    return digits;
}

std::string right_aligned(const std::string &text, std::size_t width) {
    return std::string(text.size() < width ? width - text.size() : 0, ' ') + text;
}

std::string left_aligned(const std::string &text, std::size_t width) {
    return text + std::string(text.size() < width ? width - text.size() : 0, ' ');
}

void append(std::string &list, const std::string &item) {
    list += (list.empty() ? "" : ", ") + item;
}

} // namespace

Report::Report(const std::string &command, const CommonOptions &options, const std::string &prefix)
    : as_json(options.json), before(prefix) {
    member("command", command);
    member("version", WARPINT_VERSION_STRING);
}

void Report::fact(const std::string &name, const std::string &value) {
    line(name, value);
    member(name, value);
}

void Report::whole(const std::string &name, std::uint64_t value) {
    line(name, std::to_string(value));
    add_member(name, std::to_string(value));
}

void Report::rate(const std::string &what, double per_second) {
    line("rate", left_aligned(what, 36) + right_aligned(rounded(per_second), 12) + " /s");
    append(rates, "{\"what\": " + quoted(what) + ", \"per_second\": " + exact(per_second) + "}");
}

void Report::rate(const std::string &what, double per_second, const std::string &peer,
                  double peer_per_second) {
    char times[32];
    std::snprintf(times, sizeof times, "%.1f times", per_second / peer_per_second);
    line("rate", left_aligned(what, 36) + right_aligned(rounded(per_second), 12) + " /s, " + peer +
                     right_aligned(rounded(peer_per_second), 12) + " /s: " + times);
    append(rates, "{\"what\": " + quoted(what) + ", \"per_second\": " + exact(per_second) +
                      ", \"peer\": " + quoted(peer) +
                      ", \"peer_per_second\": " + exact(peer_per_second) + "}");
}

bool Report::check(const std::string &what, bool holds) {
    line(holds ? "ok" : "WRONG", what);
    append(checks, "{\"what\": " + quoted(what) + ", \"ok\": " + (holds ? "true" : "false") + "}");
    all_hold = all_hold && holds;
    return holds;
}

void Report::text(const std::string &line) const {
    if (as_json)
        return;
    std::printf("%s%s\n", before.c_str(), line.c_str());
    flush_report();
}

void Report::member(const std::string &name, const std::string &value) {
    add_member(name, quoted(value));
}

void Report::line(const std::string &word, const std::string &rest) const {
    text(left_aligned(word, 8) + " " + rest);
}

void Report::add_member(const std::string &name, const std::string &json_value) {
    append(members, quoted(name) + ": " + json_value);
}

void Report::finish() const {
    if (!as_json)
        return;
    std::printf("{%s, \"rates\": [%s], \"checks\": [%s], \"ok\": %s}\n", members.c_str(),
                rates.c_str(), checks.c_str(), all_hold ? "true" : "false");
    flush_report();
}

void require_other_than_report(const CommonOptions &options, const std::string &out) {
    if (options.json && is_standard_output(out))
        throw UsageError("--json needs another file than standard output for the results");
}

} // namespace sample
