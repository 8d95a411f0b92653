// SPDX-License-Identifier: Apache-2.0
#include "text.h"

#include <sstream>
#include <stdexcept>

#include "error.h"

namespace curves {
namespace {

using sample::Error;

template <int Bits>
BigInt<Bits> hexadecimal(const std::string &text, const char *what) {
    const bool prefixed = text.starts_with("0x") || text.starts_with("0X");
    try {
        return BigInt<Bits>::parse(prefixed ? text.substr(2) : text, 16);
    } catch (const std::exception &) { // long text is not repeated
        throw Error(std::string(what) + " is not a hexadecimal number of up to " +
                    std::to_string(Bits) + " bits");
    }
}

AnyKey public_key(const std::string &text) {
    if (text.size() != 66 && text.size() != 130)
        throw Error("a public key has 66 or 130 digits, not " + std::to_string(text.size()));
    if (text.size() == 130 && text.starts_with("00")) // the number would not tell the two apart
        throw Error("a public key of 130 digits begins with 04");
    return hexadecimal<520>(text, "the public key");
}

Number hash_number(const std::string &text) {
    if (text.size() % 2 != 0 || text.find_first_not_of("0123456789abcdefABCDEF") != text.npos)
        throw Error("the hash is not hexadecimal with two digits for each byte");
    return hexadecimal<256>(text.substr(0, 64), "the hash");
}

// Calls use(line) for each line that is not empty.
template <class Use>
void for_each_line(const std::string &text, Use use) {
    std::istringstream stream(text);
    std::string line;
    for (std::size_t number = 1; std::getline(stream, line); ++number) {
        if (!line.empty() && line.back() == '\r')
            line.pop_back();
        if (line.empty())
            continue;
        try {
            use(line);
        } catch (const Error &error) {
            throw Error("line " + std::to_string(number) + ": " + error.what());
        }
    }
}

} // namespace

Number private_key(const std::string &text, const Number &order) {
    const Number key = hexadecimal<256>(text, "the private key");
    if (key == 0 || key >= order)
        throw Error("the private key is not from 1 to the group's order minus 1");
    return key;
}

std::vector<Number> private_keys(const std::string &text, const Number &order) {
    std::vector<Number> keys;
    for_each_line(text, [&](const std::string &line) { keys.push_back(private_key(line, order)); });
    if (keys.empty())
        throw Error("there is no private key in the input");
    return keys;
}

Signatures signatures(const std::string &text) {
    Signatures all;
    for_each_line(text, [&](const std::string &line) {
        std::istringstream words(line);
        std::string key, hash, r, s, more;
        if (!(words >> key >> hash >> r >> s) || words >> more)
            throw Error("a line must hold four words: public key, hash, r, s");
        all.key.push_back(public_key(key));
        all.hash.push_back(hash_number(hash));
        all.r.push_back(hexadecimal<256>(r, "r"));
        all.s.push_back(hexadecimal<256>(s, "s"));
    });
    if (all.key.empty())
        throw Error("there is no signature in the input");
    return all;
}

std::string lines(const std::vector<CompressedKey> &keys) {
    std::string text;
    for (const CompressedKey &key : keys)
        text += "0" + to_string(key, 16) + "\n";
    return text;
}

} // namespace curves
