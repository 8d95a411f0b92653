// SPDX-License-Identifier: Apache-2.0
#include "text.h"

#include <algorithm>
#include <stdexcept>

#include "error.h"
#include "parallel.h"

namespace curves {
namespace {

using sample::Error;

template <int Bits>
BigInt<Bits> hexadecimal(std::string_view text, const char *what) {
    const bool prefixed = text.starts_with("0x") || text.starts_with("0X");
    try {
        return BigInt<Bits>::parse(prefixed ? text.substr(2) : text, 16);
    } catch (const std::exception &) { // long text is not repeated
        throw Error(std::string(what) + " is not a hexadecimal number of up to " +
                    std::to_string(Bits) + " bits");
    }
}

AnyKey public_key(std::string_view text) {
    if (text.size() != 66 && text.size() != 130)
        throw Error("a public key has 66 or 130 digits, not " + std::to_string(text.size()));
    if (text.size() == 130 && text.starts_with("00")) // the number would not tell the two apart
        throw Error("a public key of 130 digits begins with 04");
    return hexadecimal<520>(text, "the public key");
}

Number hash_number(std::string_view text) {
    if (text.size() % 2 != 0 || text.find_first_not_of("0123456789abcdefABCDEF") != text.npos)
        throw Error("the hash is not hexadecimal with two digits for each byte");
    return hexadecimal<256>(text.substr(0, 64), "the hash");
}

struct Line {
    std::size_t number; // from 1 on
    std::string_view text;
};

// The lines that are not empty.
std::vector<Line> lines_of(std::string_view text) {
    std::vector<Line> lines;
    for (std::size_t number = 1; !text.empty(); ++number) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        if (!line.empty())
            lines.push_back({number, line});
    }
    return lines;
}

// Takes the first word off a line; empty if there is none.
std::string_view take_word(std::string_view &line) {
    constexpr std::string_view blanks = " \t\v\f\r";
    line.remove_prefix(std::min(line.find_first_not_of(blanks), line.size()));
    const std::string_view word = line.substr(0, line.find_first_of(blanks));
    line.remove_prefix(word.size());
    return word;
}

// Calls use(i, text of lines[i]) for all lines, on all cores. Of several errors the first line's is
// thrown.
template <class Use>
void for_each_line(const std::vector<Line> &lines, Use use) {
    constexpr std::size_t worth_a_thread = 256;
    sample::parallel_for(
        lines.size(),
        [&](std::size_t first, std::size_t last) {
            for (std::size_t i = first; i != last; ++i) {
                try {
                    use(i, lines[i].text);
                } catch (const Error &error) {
                    throw Error("line " + std::to_string(lines[i].number) + ": " + error.what());
                }
            }
        },
        worth_a_thread);
}

} // namespace

Number private_key(std::string_view text, const Number &order) {
    const Number key = hexadecimal<256>(text, "the private key");
    if (key == 0 || key >= order)
        throw Error("the private key is not from 1 to the group's order minus 1");
    return key;
}

std::vector<Number> private_keys(const std::string &text, const Number &order) {
    const std::vector<Line> lines = lines_of(text);
    if (lines.empty())
        throw Error("there is no private key in the input");
    std::vector<Number> keys(lines.size());
    for_each_line(
        lines, [&](std::size_t i, std::string_view line) { keys[i] = private_key(line, order); });
    return keys;
}

Signatures signatures(const std::string &text) {
    const std::vector<Line> lines = lines_of(text);
    if (lines.empty())
        throw Error("there is no signature in the input");
    Signatures all(lines.size());
    for_each_line(lines, [&](std::size_t i, std::string_view line) {
        const std::string_view key = take_word(line), hash = take_word(line), r = take_word(line),
                               s = take_word(line);
        if (s.empty() || !take_word(line).empty())
            throw Error("a line must hold four words: public key, hash, r, s");
        all.key[i] = public_key(key);
        all.hash[i] = hash_number(hash);
        all.r[i] = hexadecimal<256>(r, "r");
        all.s[i] = hexadecimal<256>(s, "s");
    });
    return all;
}

std::string lines(const std::vector<CompressedKey> &keys) {
    std::string text;
    for (const CompressedKey &key : keys)
        text += "0" + to_string(key, 16) + "\n";
    return text;
}

} // namespace curves
