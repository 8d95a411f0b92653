// SPDX-License-Identifier: Apache-2.0
// Fuzz target: parse, from_chars, to_string and to_chars of any text, in any base, against a reader
// of its own and GMP.

#include "fuzz.h"

#include <warpint/bigint.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>
#include <stdexcept>
#include <string>

namespace {

using fuzz::Integer;
using fuzz::require;

enum class Outcome { value, invalid, too_large };
struct Read {
    Outcome outcome = Outcome::invalid;
    Integer value;
    std::size_t size = 0; // of what was read
};

int digit(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'Z')
        return c - 'A' + 10;
    return 99;
}

template <class T>
bool fits(const Integer &x) {
    return T::is_signed ? test::fits_signed(x, T::bits) : test::fits_unsigned(x, T::bits);
}

/// The number at the front of `text` in a base of 2 to 36.
template <class T>
Read read(std::string_view text, int base) {
    Read r;
    std::size_t at = 0;
    const bool negative = T::is_signed && !text.empty() && text[0] == '-';
    at += negative ? 1 : 0;
    const std::size_t begin = at;
    while (at < text.size() && digit(text[at]) < base)
        ++at;
    if (at == begin)
        return r;
    r.value = Integer(text.substr(begin, at - begin), base);
    if (negative)
        r.value = -r.value;
    r.size = at;
    r.outcome = fits<T>(r.value) ? Outcome::value : Outcome::too_large;
    return r;
}

/// All of `text` as parse() takes it.
template <class T>
Read read_all(std::string_view text, int base) {
    std::string plain(text);
    if (base == 0) {
        const std::size_t sign = T::is_signed && !plain.empty() && plain[0] == '-' ? 1 : 0;
        base = 10;
        if (plain.size() > sign + 1 && plain[sign] == '0') {
            const char letter =
                static_cast<char>(std::tolower(static_cast<unsigned char>(plain[sign + 1])));
            base = letter == 'x' ? 16 : letter == 'b' ? 2 : 8;
            plain.erase(sign, letter == 'x' || letter == 'b' || letter == 'o' ? 2 : 1);
            if (plain.size() > sign && plain[sign] == '-')
                return {};
        }
    }
    Read r = read<T>(plain, base);
    if (r.size != plain.size())
        r.outcome = Outcome::invalid;
    return r;
}

template <class T>
Outcome parse(std::string_view text, int base, T &value) {
    try {
        value = T::parse(text, base);
        return Outcome::value;
    } catch (const std::invalid_argument &) {
        return Outcome::invalid;
    } catch (const std::out_of_range &) {
        return Outcome::too_large;
    }
}

template <class T>
void run(std::string_view text, int base) {
    const bool is_base = base >= 2 && base <= 36;
    T x(7);
    const Outcome outcome = parse(text, base, x);
    if (!is_base && base != 0) {
        require(outcome == Outcome::invalid, "parse in no base");
    } else {
        const Read whole = read_all<T>(text, base);
        require(outcome == whole.outcome, "what parse takes");
        require(outcome != Outcome::value || test::to_integer(x) == whole.value, "parse");
    }

    T y(7);
    const char *const first = text.data();
    const auto got =
        std::from_chars_result(warpint::from_chars(first, first + text.size(), y, base));
    const Read front = is_base ? read<T>(text, base) : Read{};
    require(got.ptr == first + front.size, "where from_chars ends");
    require(got.ec == (front.outcome == Outcome::value     ? std::errc{}
                       : front.outcome == Outcome::invalid ? std::errc::invalid_argument
                                                           : std::errc::result_out_of_range),
            "what from_chars says");
    require(test::to_integer(y) == (front.outcome == Outcome::value ? front.value : Integer(7)),
            "from_chars");

    if (!is_base || front.outcome != Outcome::value)
        return;
    const std::string written = to_string(y, base);
    require(written == front.value.to_string(base), "to_string");
    std::string room(written.size() + 1, '#');
    const auto end = warpint::to_chars(room.data(), room.data() + written.size(), y, base);
    require(end.ec == std::errc{} && room == written + "#", "to_chars");
    room.assign(written.size(), '#');
    const auto short_end =
        warpint::to_chars(room.data(), room.data() + written.size() - 1, y, base);
    require(short_end.ec == std::errc::value_too_large && room == std::string(written.size(), '#'),
            "to_chars without room");
}

} // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    fuzz::Input input(data, size);
    const int type = input.byte();
    const int base = type & 4 ? input.byte() % 39
                              : std::array{0, 10, 16, 2}[static_cast<std::size_t>(type >> 3 & 3)];
    if (type % 3 == 0) {
        run<warpint::BigInt<33>>(input.text(), base);
    } else if (type % 3 == 1) {
        run<warpint::SignedBigInt<200>>(input.text(), base);
    } else {
        run<warpint::BigInt<700>>(input.text(), base);
    }
    return 0;
}
