// SPDX-License-Identifier: Apache-2.0
#include "store.h"

#include <cerrno>
#include <cstring>
#include <optional>
#include <sstream>
#include <string_view>

#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "error.h"

namespace pollard {
namespace {

// FNV-1a (G. Fowler, L. Noll, K.-P. Vo), 64 bits.
std::string check_sum(std::string_view text) {
    std::uint64_t sum = 0xcbf29ce484222325;
    for (const char c : text)
        sum = (sum ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    return to_string(BigInt<64>(sum), 16);
}

std::string checked_line(const std::string &text) {
    return text + " " + check_sum(text) + "\n";
}

// The text before the check sum of a line, if that is right.
std::optional<std::string> checked_text(const std::string &line) {
    const std::size_t end = line.rfind(' ');
    if (end == line.npos || checked_line(line.substr(0, end)) != line + "\n")
        return std::nullopt;
    return line.substr(0, end);
}

} // namespace

Store::Store(const std::string &name, const std::string &problem)
    : path(name), file(std::fopen(name.c_str(), "a+b"), std::fclose) {
    if (!file)
        fail(std::strerror(errno));
    if (flock(fileno(file.get()), LOCK_EX | LOCK_NB) != 0)
        fail("another program writes to it");
    struct stat status{};
    if (fstat(fileno(file.get()), &status) != 0)
        fail(std::strerror(errno));
    if (!S_ISREG(status.st_mode)) // a device may be read without end
        fail("it is no file");

    const std::string text = sample::read_text(path);
    std::size_t good = 0; // bytes that are read and right
    for (std::size_t number = 1; good != text.size(); ++number) {
        const std::size_t end = text.find('\n', good);
        const auto line =
            end == text.npos ? std::nullopt : checked_text(text.substr(good, end - good));
        if (!line) {
            const bool is_last = end == text.npos || end + 1 == text.size();
            const bool begun = number == 1 && checked_line(problem).starts_with(text);
            if (!begun && (!is_last || number == 1))
                fail(number == 1 ? "it is not a file of distinguished points"
                                 : "line " + std::to_string(number) + " is damaged");
            if (ftruncate(fileno(file.get()), static_cast<off_t>(good)) != 0)
                fail(std::strerror(errno));
            break;
        }
        if (number == 1) {
            if (*line != problem)
                fail("it belongs to another curve, other points or other --distinguished bits");
        } else {
            const std::size_t middle = line->find(' ');
            records.push_back(
                {Wide::parse(line->substr(0, middle), 16),
                 static_cast<std::uint64_t>(BigInt<64>::parse(line->substr(middle + 1), 16))});
        }
        good = end + 1;
    }
    if (good == 0)
        write(checked_line(problem));
}

void Store::append(const std::vector<Record> &added) {
    std::string text;
    for (const Record &record : added)
        text +=
            checked_line(to_string(record.x, 16) + " " + to_string(BigInt<64>(record.walk), 16));
    write(text);
}

void Store::write(const std::string &text) {
    if (std::fwrite(text.data(), 1, text.size(), file.get()) != text.size() ||
        std::fflush(file.get()) != 0)
        fail(std::strerror(errno));
}

void Store::fail(const std::string &reason) const {
    throw sample::Error("cannot use " + path + ": " + reason);
}

} // namespace pollard
