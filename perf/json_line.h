// SPDX-License-Identifier: Apache-2.0
// Reads one line of a file for --with: a JSON object. Standard JSON, as Python's json.loads reads.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>

namespace perf {

// The members of an object: texts with their escapes as they are written, numbers, and of
// everything else that it is there.
struct JsonLine {
    std::map<std::string, std::string, std::less<>> texts;
    std::map<std::string, double, std::less<>> numbers;
    bool describes_run = false; // has a member "run"

    // std::invalid_argument if the line is no object.
    explicit JsonLine(std::string_view line) : rest_(line) {
        space();
        object(this);
        if (!rest_.empty())
            fail();
    }

private:
    std::string_view rest_;

    [[noreturn]] static void fail() { throw std::invalid_argument("no JSON object"); }

    void space() {
        rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r\n"), rest_.size()));
    }
    bool take(char c) {
        if (rest_.empty() || rest_[0] != c)
            return false;
        rest_.remove_prefix(1);
        space();
        return true;
    }
    void expect(char c) {
        if (!take(c))
            fail();
    }

    std::string text() {
        if (rest_.empty() || rest_[0] != '"')
            fail();
        std::size_t end = 1;
        for (; end < rest_.size() && rest_[end] != '"'; ++end) {
            if (static_cast<unsigned char>(rest_[end]) < 0x20)
                fail();
            if (rest_[end] == '\\' &&
                (++end == rest_.size() ||
                 std::string_view("\"\\/bfnrtu").find(rest_[end]) == std::string_view::npos))
                fail();
        }
        if (end >= rest_.size())
            fail();
        std::string result(rest_.substr(1, end - 1));
        rest_.remove_prefix(end + 1);
        space();
        return result;
    }

    // A number, true, false or null.
    std::string_view word() {
        const std::string_view result = rest_.substr(0, rest_.find_first_of(" \t\r\n,]}"));
        rest_.remove_prefix(result.size());
        space();
        return result;
    }

    void object(JsonLine *out) {
        expect('{');
        for (bool more = !take('}'); more;) {
            const std::string key = text();
            expect(':');
            value(out, key);
            more = take(',');
            if (!more)
                expect('}');
        }
    }

    void value(JsonLine *out, const std::string &key) {
        if (out != nullptr && key == "run")
            out->describes_run = true;
        if (rest_.empty())
            fail();
        if (rest_[0] == '{') {
            object(nullptr);
        } else if (rest_[0] == '[') {
            take('[');
            for (bool more = !take(']'); more;) {
                value(nullptr, key);
                more = take(',');
                if (!more)
                    expect(']');
            }
        } else if (rest_[0] == '"') {
            const std::string found = text();
            if (out != nullptr)
                out->texts[key] = found;
        } else if (const std::string found(word());
                   found != "true" && found != "false" && found != "null") {
            char *end = nullptr;
            const double number = std::strtod(found.c_str(), &end);
            if (found.find_first_not_of("0123456789+-.eE") != std::string::npos ||
                end != found.c_str() + found.size() || found.empty())
                fail();
            if (out != nullptr)
                out->numbers[key] = number;
        }
    }
};

} // namespace perf
