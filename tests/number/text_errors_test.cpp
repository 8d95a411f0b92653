// SPDX-License-Identifier: Apache-2.0
// Bad text, entry by entry: parse, from_chars, streams, to_chars and to_string each refuse it with
// an error that says where, and leave their output as it was. (Bad literals do not compile: see
// must_not_compile.cpp.)

#include "support/integer.h"
#include "support/oracle.h"

#include <warpint/bigint.h>

#include <doctest/doctest.h>

#include <charconv>
#include <cstddef>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

namespace {

using test::to_integer;
using warpint::BigInt;
using warpint::SignedBigInt;
using namespace std::string_view_literals;

/// A text, the base to read it in, and the position of its fault.
struct BadText {
    std::string_view text;
    int base;
    std::size_t position;
};

// Bad for every number type.
constexpr BadText bad_texts[] = {
    {""sv, 0, 0},       {""sv, 16, 0},       {"+"sv, 0, 0},        {"+1"sv, 10, 0},
    {" "sv, 0, 0},      {" 1"sv, 0, 0},      {"1 "sv, 0, 1},       {"12\n"sv, 0, 2},
    {"0x"sv, 0, 2},     {"0X"sv, 0, 2},      {"0b"sv, 0, 2},       {"0o"sv, 0, 2},
    {"0xg"sv, 0, 2},    {"0x12g4"sv, 0, 4},  {"0b12"sv, 0, 3},     {"0o8"sv, 0, 2},
    {"08"sv, 0, 1},     {"0178"sv, 0, 3},    {"12a"sv, 0, 2},      {"12a"sv, 10, 2},
    {"1.5"sv, 0, 1},    {"1e5"sv, 0, 1},     {"1'0"sv, 0, 1},      {"1_0"sv, 0, 1},
    {"1,0"sv, 0, 1},    {"0x1"sv, 10, 1},    {"0x1"sv, 16, 1},     {"0b1"sv, 2, 1},
    {"102"sv, 2, 2},    {"18"sv, 8, 1},      {"1z"sv, 35, 1},      {"1-"sv, 0, 1},
    {"1-1"sv, 0, 1},    {"0x-1"sv, 0, 2},    {"\0"sv, 0, 0},       {"1\0"sv, 0, 1},
    {"1\0002"sv, 0, 1}, {"0x\0001"sv, 0, 2}, {"\xc3\xa9"sv, 0, 0}, {"1\xff"sv, 36, 1},
    {"0x0x1"sv, 0, 3},  {"1u"sv, 0, 1},      {"-0x"sv, 0, 3},
};
// Bad for signed numbers, with a place for the sign.
constexpr BadText bad_signed_texts[] = {
    {"-"sv, 0, 1},   {"-"sv, 16, 1},     {"--1"sv, 0, 1},  {"-+1"sv, 0, 1},
    {"- 1"sv, 0, 1}, {"-\0001"sv, 0, 1}, {"-0x"sv, 0, 3},  {"-0xg"sv, 0, 3},
    {"-08"sv, 0, 2}, {"-12a"sv, 0, 3},   {"-1-"sv, 10, 2}, {"-102"sv, 2, 3},
};

/// True if the message has "at position <position>" and no longer number there.
bool names(const std::string &message, std::size_t position) {
    const std::string place = "at position " + std::to_string(position);
    const std::size_t found = message.find(place);
    return found != std::string::npos &&
           (found + place.size() == message.size() ||
            message.find_first_of("0123456789", found + place.size()) != found + place.size());
}

/// Parses into x as a user does; the message of the exception of type Error, "" for none.
template <typename Error, typename Number>
std::string message_of(Number &x, std::string_view text, int base) {
    try {
        x = Number::parse(text, base);
    } catch (const Error &error) {
        return error.what();
    }
    return "";
}

template <typename Number>
void check_bad(const BadText &bad, std::size_t position) {
    CAPTURE(std::string(bad.text));
    CAPTURE(bad.base);
    Number x = 1;
    const std::string message = message_of<std::invalid_argument>(x, bad.text, bad.base);
    CAPTURE(message);
    CHECK(names(message, position));
    CHECK(x == 1);
}

} // namespace

TEST_CASE_TEMPLATE("parse says where the text is bad", Number, BigInt<64>, SignedBigInt<64>,
                   BigInt<7>, SignedBigInt<131>, BigInt<2048>) {
    constexpr bool is_signed = test::is_signed_number<Number>;
    for (const BadText &bad : bad_texts) {
        const bool sign = !is_signed && bad.text.starts_with('-');
        check_bad<Number>(bad, sign ? 0 : bad.position);
    }
    for (const BadText &bad : bad_signed_texts) // an unsigned number refuses the sign
        check_bad<Number>(bad, is_signed ? bad.position : 0);
}

TEST_CASE("a million leading zeros, and a fault behind them") {
    const std::string zeros(1'000'000, '0');
    BigInt<100> x = 1;
    CHECK(names(message_of<std::invalid_argument>(x, zeros + "12!", 10), 1'000'002));
    CHECK(names(message_of<std::invalid_argument>(x, "0x" + zeros, 10), 1));
    CHECK(names(message_of<std::invalid_argument>(x, "0x" + zeros + "g", 0), 1'000'002));
    CHECK(names(message_of<std::invalid_argument>(x, zeros + "8", 0), 1'000'000)); // octal
    CHECK(names(message_of<std::out_of_range>(x, zeros + std::string(40, '9'), 10), 1'000'000));
    CHECK(x == 1);
    x = BigInt<100>::parse(zeros + "7", 0);
    CHECK(x == 7);
}

TEST_CASE("parse says which value is too large") {
    const auto check = []<typename Number>(const std::string &text, int base,
                                           std::size_t position) {
        CAPTURE(text);
        Number x = 0;
        const std::string message = message_of<std::out_of_range>(x, text, base);
        CAPTURE(message);
        CHECK(names(message, position));
        CHECK(message.find(std::to_string(Number::bits)) != std::string::npos);
        CHECK(x == 0);
    };
    check.operator()<BigInt<1>>("2", 0, 0);
    check.operator()<BigInt<7>>("128", 10, 0);
    check.operator()<BigInt<7>>("0x80", 0, 2);
    check.operator()<BigInt<7>>("0x0080", 0, 4);
    check.operator()<BigInt<7>>("0200", 0, 1);
    check.operator()<BigInt<64>>("18446744073709551616", 10, 0);
    check.operator()<SignedBigInt<1>>("1", 10, 0);
    check.operator()<SignedBigInt<1>>("-2", 10, 1);
    check.operator()<SignedBigInt<7>>("64", 10, 0);
    check.operator()<SignedBigInt<7>>("-65", 10, 1);
    check.operator()<SignedBigInt<7>>("-0x41", 0, 3);
    check.operator()<BigInt<131>>(test::power_of_two(131).to_string(10), 10, 0);
    check.operator()<BigInt<2048>>("0x" + std::string(513, '1'), 0, 2);
    check.operator()<BigInt<33>>(std::string(100'000, '9'), 10, 0);
}

TEST_CASE("a bad base is named") {
    BigInt<64> x = 1;
    for (int base : {1, 37, -1, -10, 1'000'000}) {
        const std::string name = "base " + std::to_string(base) + " is not ";
        CHECK(message_of<std::invalid_argument>(x, "1", base) == "parse: " + name + "0 or 2..36");
        CHECK_THROWS_WITH_AS(static_cast<void>(to_string(x, base)),
                             ("to_string: " + name + "in 2..36").c_str(), std::invalid_argument);
        char buffer[8] = "~~~~~~~";
        const auto written = warpint::to_chars(buffer, buffer + 7, x, base);
        CHECK(written.ec == std::errc::invalid_argument);
        CHECK(written.ptr == buffer + 7);
        CHECK(buffer == "~~~~~~~"sv);
        const auto read = warpint::from_chars(buffer, buffer + 7, x, base);
        CHECK(read.ec == std::errc::invalid_argument);
        CHECK(read.ptr == buffer);
    }
    CHECK_THROWS_AS(static_cast<void>(to_string(x, 0)), std::invalid_argument); // parse only
    CHECK(x == 1);
}

TEST_CASE("to_chars writes nothing into a short buffer, whatever the value and base") {
    const auto check = [](const auto &x, int base) {
        const std::string text = to_string(x, base);
        for (std::size_t size = 0; size <= text.size(); ++size) {
            std::string buffer(text.size() + 2, '~');
            const auto written =
                warpint::to_chars(buffer.data() + 1, buffer.data() + 1 + size, x, base);
            const bool fits = size == text.size();
            CHECK(written.ptr == buffer.data() + 1 + size);
            CHECK(written.ec == (fits ? std::errc() : std::errc::value_too_large));
            CHECK(buffer == (fits ? "~" + text + "~" : std::string(text.size() + 2, '~')));
        }
    };
    for (int base : {2, 10, 16, 36}) {
        check(BigInt<100>(0), base);
        check(BigInt<100>(12345678901234567), base);
        check(SignedBigInt<100>(-12345678901234567), base);
        check(SignedBigInt<1>(-1), base);
    }
}

TEST_CASE_TEMPLATE("from_chars stops at the fault and leaves the number alone", Number, BigInt<64>,
                   SignedBigInt<64>, BigInt<2048>) {
    for (const BadText &bad : bad_texts) {
        if (bad.base == 0)
            continue;
        CAPTURE(std::string(bad.text));
        const char *const first = bad.text.data();
        Number x = 99;
        const auto read = warpint::from_chars(first, first + bad.text.size(), x, bad.base);
        // As in <charconv>, what stands before the fault is a number, if anything does.
        CHECK(read.ptr == first + bad.position);
        CHECK(read.ec == (bad.position == 0 ? std::errc::invalid_argument : std::errc()));
        CHECK((x == 99) == (bad.position == 0));
    }
    Number x = 99;
    const std::string_view minus = "-z";
    const auto read = warpint::from_chars(minus.data(), minus.data() + 2, x, 10);
    CHECK(read.ec == std::errc::invalid_argument);
    CHECK(read.ptr == minus.data());
    CHECK(x == 99);
}

TEST_CASE("streams fail, and store 0 where there is no number, as for built-in integers") {
    const auto check_value = []<typename Number>(const Number &expected, const std::string &text,
                                                 auto... manipulators) {
        CAPTURE(text);
        std::istringstream stream(text);
        (static_cast<void>(stream >> manipulators), ...);
        Number x = 99;
        stream >> x;
        CHECK(stream.fail());
        CHECK(!stream.bad());
        CHECK(x == expected);
        // A stream that has failed reads nothing more.
        x = 99;
        stream >> x;
        CHECK(x == 99);
    };
    const auto check = [&]<typename Number>(const std::string &text, auto... manipulators) {
        // Nothing is read, and nothing stored, where there is only white space.
        const bool blank = text.find_first_not_of(" \n\t") == std::string::npos;
        check_value(Number(blank ? 99 : 0), text, manipulators...);
    };
    const auto any_base = [](std::ios_base &stream) -> std::ios_base & {
        stream.unsetf(std::ios_base::basefield);
        return stream;
    };
    const std::string nul(1, '\0');
    for (const std::string &text :
         {std::string(), std::string(" \n\t"), std::string("x"), std::string("+"),
          std::string("++1"), std::string("."), nul, nul + "1"}) {
        check.operator()<BigInt<64>>(text);
        check.operator()<SignedBigInt<64>>(text);
        check.operator()<BigInt<64>>(text, std::hex);
        check.operator()<BigInt<64>>(text, std::oct);
        check.operator()<SignedBigInt<2048>>(text, +any_base);
    }
    check.operator()<BigInt<64>>("-1");
    check.operator()<SignedBigInt<64>>("-");
    check.operator()<SignedBigInt<64>>("--1");
    check.operator()<SignedBigInt<64>>("- 1");
    check.operator()<BigInt<64>>("0x", std::hex);
    check.operator()<BigInt<64>>("0xg", std::hex);
    check.operator()<BigInt<64>>("g", std::hex);
    check.operator()<BigInt<64>>("8", std::oct);
    check.operator()<BigInt<64>>("0b2", +any_base);
    check.operator()<BigInt<64>>(" 1", std::noskipws);
    check_value(~BigInt<64>(0), "18446744073709551616");
    check_value(SignedBigInt<64>(std::numeric_limits<std::int64_t>::min()), "-9223372036854775809");
    check_value(BigInt<7>(127), "0x80", std::hex);
    check_value(~BigInt<33>(0), std::string(100'000, '9'));
}

TEST_CASE("two bits of basefield are decimal, as for built-in integers") {
    using std::ios_base;
    for (const auto field :
         {ios_base::hex | ios_base::dec, ios_base::oct | ios_base::dec,
          ios_base::hex | ios_base::oct, ios_base::hex | ios_base::oct | ios_base::dec}) {
        for (const std::string text : {"010", "08", "0x1f", "19"}) {
            std::istringstream stream(text), other(text);
            stream.setf(field, ios_base::basefield);
            other.setf(field, ios_base::basefield);
            BigInt<64> x = 99;
            std::uint64_t expected = 99;
            stream >> x;
            other >> expected;
            CHECK(x == expected);
            CHECK(stream.rdstate() == other.rdstate());
            CHECK(stream.get() == other.get());
        }
    }
}

TEST_CASE("a message shows what it found") {
    const auto found = [](const char *text) -> std::string {
        try {
            (void)BigInt<64>::parse(text, 10);
        } catch (const std::invalid_argument &error) {
            const std::string message = error.what();
            return message.substr(message.find("found "));
        }
        return "nothing";
    };
    CHECK(found("9 9") == "found ' ' at position 1");
    CHECK(found("99\r") == "found '\\r' at position 2");
    CHECK(found("99\n") == "found '\\n' at position 2");
    CHECK(found("\t9") == "found '\\t' at position 0");
    CHECK(found("9\x7f") == "found '\\x7f' at position 1");
    CHECK(found("9x") == "found 'x' at position 1");
    CHECK(found("") == "found the end of the text at position 0");
}

TEST_CASE("a stream stops behind the number") {
    std::istringstream stream("12x 0017 7\0008");
    BigInt<64> x = 0;
    CHECK((stream >> x && x == 12));
    CHECK(stream.get() == 'x');
    CHECK((stream >> x && x == 17)); // decimal, as for int
    CHECK((stream >> x && x == 7));
    CHECK(stream.eof()); // the literal ends at its NUL
    std::istringstream zeros(std::string(1'000'000, '0') + "5");
    CHECK((zeros >> x && x == 5));
}

TEST_CASE("streams that throw store 0 too") {
    std::istringstream stream("hello");
    stream.exceptions(std::ios_base::failbit);
    BigInt<64> x = 99;
    CHECK_THROWS_AS(stream >> x, std::ios_base::failure);
    CHECK(x == 0);
}
