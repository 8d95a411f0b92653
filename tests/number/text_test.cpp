// SPDX-License-Identifier: Apache-2.0
// Text: parse, to_string, streams and literals against GMP's conversions in every base, and every
// kind of bad text: a clear error that names the position.

#include "support/oracle.h"
#include "support/property.h"

#include <warpint/warpint.h>

#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace {

using test::check_property;
using test::from_integer;
using test::Integer;
using test::Operands;
using test::OperandSource;
using test::to_integer;
using test::Verdict;
using warpint::BigInt;
using warpint::SignedBigInt;
using namespace warpint::literals;

std::string upper_case(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return text;
}

template <typename Number>
void check_round_trip(const char *name, long count) {
    const auto draw = [](OperandSource &source) -> Operands {
        return {test::is_signed_number<Number> ? source.signed_number(Number::bits)
                                               : source.number(Number::bits),
                Integer(2 + source.below(35)), Integer(source.below(80))};
    };
    check_property(name, Number::bits, count, draw, [](Verdict &verdict, const Operands &v) {
        const Number x = from_integer<Number>(v[0]);
        const auto same_text = [&](const char *what, const std::string &got,
                                   const std::string &expected) {
            verdict.is_true(what, got == expected);
        };
        same_text("to_string(x)", to_string(x), v[0].to_string(10));
        const int base = static_cast<int>(v[1].to_long());
        if (base >= 2 && base <= 36) {
            const std::string text = v[0].to_string(base);
            same_text("to_string(x, base)", to_string(x, base), text);
            verdict.equal("parse(to_string(x, base), base)", to_integer(Number::parse(text, base)),
                          v[0]);
            verdict.equal("parse of upper case", to_integer(Number::parse(upper_case(text), base)),
                          v[0]);
            const bool negative = v[0].sign() < 0;
            const std::string padded = (negative ? "-" : "") + std::string(v[2].to_uint64(), '0') +
                                       abs(v[0]).to_string(base);
            verdict.equal("parse of leading zeros", to_integer(Number::parse(padded, base)), v[0]);
        }
        if (base >= 2 && base <= 36) {
            const std::string text = v[0].to_string(base);
            std::string buffer(text.size() + 2, '~');
            char *const first = buffer.data() + 1;
            const auto too_short = warpint::to_chars(first, first + text.size() - 1, x, base);
            verdict.is_true("to_chars into a short buffer",
                            too_short.ec == std::errc::value_too_large &&
                                too_short.ptr == first + text.size() - 1 &&
                                buffer == std::string(text.size() + 2, '~'));
            const auto written = warpint::to_chars(first, first + text.size(), x, base);
            verdict.is_true("to_chars", written.ec == std::errc() &&
                                            written.ptr == first + text.size() &&
                                            buffer == "~" + text + "~");
            Number read = Number{};
            const auto end = warpint::from_chars(first, first + text.size() + 1, read, base);
            verdict.is_true("from_chars stops behind the number",
                            end.ec == std::errc() && end.ptr == first + text.size());
            verdict.equal("from_chars", to_integer(read), v[0]);
        }
        const std::string sign = v[0].sign() < 0 ? "-" : "";
        const Integer magnitude = abs(v[0]);
        verdict.equal("parse, decimal by default", to_integer(Number::parse(v[0].to_string(10))),
                      v[0]);
        verdict.equal("parse 0x", to_integer(Number::parse(sign + "0x" + magnitude.to_string(16))),
                      v[0]);
        verdict.equal("parse 0X",
                      to_integer(Number::parse(sign + "0X" + upper_case(magnitude.to_string(16)))),
                      v[0]);
        verdict.equal("parse 0b", to_integer(Number::parse(sign + "0b" + magnitude.to_string(2))),
                      v[0]);
        verdict.equal("parse octal", to_integer(Number::parse(sign + "0" + magnitude.to_string(8))),
                      v[0]);

        std::stringstream stream;
        stream << x << ' ' << std::hex << x << ' ' << std::dec;
        same_text("operator<<", stream.str(),
                  v[0].to_string(10) + ' ' + sign + magnitude.to_string(16) + ' ');
        Number back = Number{};
        stream >> back;
        verdict.equal("operator>>", to_integer(back), v[0]);
        Number back_hex = Number{};
        stream >> std::hex >> back_hex;
        verdict.equal("operator>> in hexadecimal", to_integer(back_hex), v[0]);
        verdict.is_true("the stream is good", !stream.fail());
    });
}

/// The message of the exception of type Error that parsing throws; "" where it does not.
template <typename Error, typename Number>
std::string parse_error(std::string_view text, int base = 0) {
    try {
        static_cast<void>(Number::parse(text, base));
    } catch (const Error &error) {
        const std::string message = error.what();
        return message.empty() ? "(empty)" : message;
    }
    return "";
}

bool names_position(const std::string &message, std::size_t position) {
    return message.find(std::to_string(position)) != std::string::npos;
}

} // namespace

TEST_CASE("text round trips, narrow numbers") {
    check_round_trip<BigInt<1>>("unsigned text", 500);
    check_round_trip<BigInt<7>>("unsigned text", 1000);
    check_round_trip<BigInt<33>>("unsigned text", 1000);
    check_round_trip<BigInt<64>>("unsigned text", 1000);
    check_round_trip<SignedBigInt<7>>("signed text", 1000);
    check_round_trip<SignedBigInt<64>>("signed text", 1000);
}

TEST_CASE("text round trips, wide numbers") {
    check_round_trip<BigInt<109>>("unsigned text", 1000);
    check_round_trip<BigInt<256>>("unsigned text", 1000);
    check_round_trip<BigInt<2048>>("unsigned text", 100);
    check_round_trip<SignedBigInt<131>>("signed text", 1000);
    check_round_trip<SignedBigInt<521>>("signed text", 500);
}

TEST_CASE("the longest texts: the least signed numbers in base 2") {
    const auto check = []<int N>() {
        const SignedBigInt<N> least = SignedBigInt<N>(1) << (N - 1);
        const std::string expected = "-1" + std::string(N - 1, '0');
        CHECK(to_string(least, 2) == expected);
        std::string buffer(N + 2, '~');
        const auto end = warpint::to_chars(buffer.data(), buffer.data() + N + 1, least, 2);
        CHECK((end.ec == std::errc() && end.ptr == buffer.data() + N + 1));
        CHECK(buffer == expected + "~");
    };
    check.template operator()<64>();
    check.template operator()<512>();
    check.template operator()<8192>(); // by the heap
}

TEST_CASE("stream flags") {
    const auto text = [](auto number, auto... flags) {
        std::ostringstream stream;
        (stream << ... << flags) << number;
        return stream.str();
    };
    const BigInt<100> x = 0xbeef;
    CHECK(text(x, std::hex) == "beef");
    CHECK(text(x, std::hex, std::showbase) == "0xbeef");
    CHECK(text(x, std::oct) == "137357");
    CHECK(text(x, std::oct, std::showbase) == "0137357");
    CHECK(text(x, std::dec, std::showbase) == "48879");
    CHECK(text(BigInt<100>(0)) == "0");
    CHECK(text(SignedBigInt<100>(-48879)) == "-48879");
    for (const int value : {0, 5, 48879}) { // '+' where a built-in integer has it
        const SignedBigInt<100> y = value;
        CHECK(text(y, std::showpos) == text(value, std::showpos));
        CHECK(text(y, std::showpos, std::hex) == text(value, std::showpos, std::hex));
        CHECK(text(y, std::showpos, std::oct) == text(value, std::showpos, std::oct));
        CHECK(text(BigInt<100>(value), std::showpos) == text(unsigned(value), std::showpos));
    }
    std::istringstream stream("12x");
    BigInt<100> read = 5;
    stream >> read;
    CHECK(read == 12);
    CHECK(stream.get() == 'x');
    std::istringstream bad("hello");
    read = 5;
    bad >> read;
    CHECK(bad.fail());
    CHECK(read == 0);
    std::istringstream large("99999");
    BigInt<7> small = 5;
    large >> small;
    CHECK(large.fail());
    CHECK(small == 127);
}

TEST_CASE("streams read what they read for built-in integers") {
    const auto check = [](const std::string &text, auto... flags) {
        const auto read = [&](auto number) {
            std::istringstream stream(text);
            (static_cast<void>(stream >> flags), ...);
            stream >> number;
            return std::pair(to_string(SignedBigInt<100>(number)), stream.rdstate());
        };
        CAPTURE(text);
        CHECK(read(SignedBigInt<64>(7)) == read(std::int64_t{7}));
        if (text.find('-') == std::string::npos)
            CHECK(read(BigInt<64>(7)) == read(std::uint64_t{7}));
    };
    for (const char *const text : {"+5", "-5", "+", "-", "++5", "+-5", "-+5", "+ 5", " +17 ", "+0"})
        check(text);
    for (const char *const text : {"+0x1f", "-0x1f", "+1f", "+g", "0x+1f"})
        check(text, std::hex);
    check("+17", std::oct);
    check("+8", std::oct);
    for (const char *const text :
         {"", " ", "x", "18446744073709551615", "18446744073709551616", "-1", "9223372036854775807",
          "9223372036854775808", "-9223372036854775808", "-9223372036854775809"})
        check(text);
    std::istringstream stream("-5");
    BigInt<64> x = 3;
    stream >> x; // a built-in integer would wrap
    CHECK((stream.fail() && x == 0));
}

TEST_CASE("literals") {
    CHECK(0xffff_bi == 65535);
    CHECK(1'000_bi == 1000);
    CHECK(0b1010_bi == 10);
    CHECK(0b1010'1010_bi == 170);
    CHECK(0777_bi == 511);
    CHECK(0_bi == 0);
    CHECK(to_integer((0xFEDC'ba98'7654'3210'0123'4567'89ab'cdef_bi).value()) ==
          Integer("fedcba98765432100123456789abcdef", 16));
    CHECK(to_integer((123456789012345678901234567890_bi).value()) ==
          Integer("123456789012345678901234567890", 10));
    CHECK(decltype(123456789012345678901234567890_bi)::bits == 97);
}

TEST_CASE_TEMPLATE("bad text is refused", Number, BigInt<64>, SignedBigInt<64>, BigInt<7>,
                   BigInt<521>) {
    using std::invalid_argument;
    const auto refused = [](std::string_view text, int base = 0) {
        return !parse_error<invalid_argument, Number>(text, base).empty();
    };
    CHECK(refused(""));
    CHECK(refused("-"));
    CHECK(refused("+"));
    CHECK(refused("0x"));
    CHECK(refused("0X"));
    CHECK(refused("0b"));
    CHECK(refused("-0x"));
    CHECK(refused(" "));
    CHECK(refused(" 1"));
    CHECK(refused("1 "));
    CHECK(refused("1\n"));
    CHECK(refused("12a"));
    CHECK(refused("1.0"));
    CHECK(refused("08"));
    CHECK(refused("0b2"));
    CHECK(refused("0xg"));
    CHECK(refused("0x 1"));
    CHECK(refused("--1"));
    CHECK(refused("-+1"));
    CHECK(refused("1-"));
    CHECK(refused("0x1", 10));
    CHECK(refused("2", 2));
    CHECK(refused("z", 35));
    CHECK(refused("1_000"));
    CHECK(refused("1'000"));
    CHECK(refused("\xc3\xa9"));
    CHECK(refused(std::string_view("1\0", 2)));
    CHECK(refused(std::string_view("\0", 1)));
    CHECK(refused(std::string_view("1\0002", 3)));
    for (char c = 1; c < 127; ++c) {
        const bool digit = (c >= '0' && c <= '9');
        if (!digit) {
            CAPTURE(c);
            CHECK(refused(std::string("1") + c, 10));
        }
    }
}

TEST_CASE("a sign on an unsigned number is refused") {
    CHECK(!parse_error<std::invalid_argument, BigInt<64>>("-1").empty());
    CHECK(!parse_error<std::invalid_argument, BigInt<64>>("-0").empty());
    CHECK(!parse_error<std::invalid_argument, BigInt<64>>("-0x1").empty());
    CHECK(!parse_error<std::invalid_argument, BigInt<64>>("+1").empty());
    CHECK(SignedBigInt<64>::parse("-1") == -1);
    CHECK(SignedBigInt<64>::parse("-0") == 0);
    CHECK(SignedBigInt<64>::parse("-0x0") == 0);
}

TEST_CASE("the message names the position") {
    CHECK(names_position(parse_error<std::invalid_argument, BigInt<64>>("1234x67"), 4));
    CHECK(names_position(parse_error<std::invalid_argument, BigInt<64>>("0x12345678901g"), 13));
    const std::string long_text = std::string(77, '7') + "!";
    CHECK(names_position(parse_error<std::invalid_argument, BigInt<640>>(long_text), 77));
    CHECK(names_position(
        parse_error<std::invalid_argument, BigInt<64>>(std::string_view("123\0", 4)), 3));
}

TEST_CASE("a base that is not 0 or 2 to 36 is refused") {
    for (int base : {-1, 1, 37, 64, 1000000}) {
        CAPTURE(base);
        CHECK_THROWS_AS(static_cast<void>(BigInt<64>::parse("1", base)), std::invalid_argument);
        CHECK_THROWS_AS(static_cast<void>(to_string(BigInt<64>(1), base)), std::invalid_argument);
    }
}

TEST_CASE("text that is too large is out of range, by one and by far") {
    const auto check = []<int N>() {
        for (int base : {2, 3, 4, 8, 10, 16, 32, 36}) {
            const auto unsigned_text = test::power_of_two(N).to_string(base);
            CHECK_THROWS_AS(static_cast<void>(BigInt<N>::parse(unsigned_text, base)),
                            std::out_of_range);
            CHECK_THROWS_AS(static_cast<void>(BigInt<N>::parse(unsigned_text + "0", base)),
                            std::out_of_range);
            CHECK_THROWS_AS(static_cast<void>(BigInt<N>::parse(std::string(3000, '1'), base)),
                            std::out_of_range);
            CHECK(to_integer(BigInt<N>::parse(test::all_ones(N).to_string(base), base)) ==
                  test::all_ones(N));
            const Integer half = test::power_of_two(N - 1);
            CHECK_THROWS_AS(static_cast<void>(SignedBigInt<N>::parse(half.to_string(base), base)),
                            std::out_of_range);
            CHECK_THROWS_AS(
                static_cast<void>(SignedBigInt<N>::parse((-half - 1).to_string(base), base)),
                std::out_of_range);
            CHECK(to_integer(SignedBigInt<N>::parse((-half).to_string(base), base)) == -half);
        }
    };
    check.operator()<1>();
    check.operator()<7>();
    check.operator()<32>();
    check.operator()<64>();
    check.operator()<109>();
    check.operator()<256>();
    check.operator()<521>();
}

TEST_CASE("from_chars reports errors as <charconv> does") {
    const auto read = []<typename Number>(std::string_view text, int base, Number &x) {
        const auto result = warpint::from_chars(text.data(), text.data() + text.size(), x, base);
        return std::pair(result.ec, result.ptr - text.data());
    };
    BigInt<7> x = 5;
    CHECK(read("", 10, x) == std::pair(std::errc::invalid_argument, std::ptrdiff_t(0)));
    CHECK(read("x1", 10, x) == std::pair(std::errc::invalid_argument, std::ptrdiff_t(0)));
    CHECK(read("-1", 10, x) == std::pair(std::errc::invalid_argument, std::ptrdiff_t(0)));
    CHECK(read("+1", 10, x) == std::pair(std::errc::invalid_argument, std::ptrdiff_t(0)));
    CHECK(read(" 1", 10, x) == std::pair(std::errc::invalid_argument, std::ptrdiff_t(0)));
    CHECK(read("128 ", 10, x) == std::pair(std::errc::result_out_of_range, std::ptrdiff_t(3)));
    CHECK(read("99999999999999999999999999999x", 10, x) ==
          std::pair(std::errc::result_out_of_range, std::ptrdiff_t(29)));
    CHECK(x == 5); // untouched by every failure
    CHECK(read("127", 10, x) == std::pair(std::errc(), std::ptrdiff_t(3)));
    CHECK(x == 127);
    CHECK(read("0x1", 16, x) == std::pair(std::errc(), std::ptrdiff_t(1))); // no prefix
    CHECK(x == 0);
    SignedBigInt<7> y = 5;
    CHECK(read("-", 10, y) == std::pair(std::errc::invalid_argument, std::ptrdiff_t(0)));
    CHECK(read("-65", 10, y) == std::pair(std::errc::result_out_of_range, std::ptrdiff_t(3)));
    CHECK(y == 5);
    CHECK(read("-64", 10, y) == std::pair(std::errc(), std::ptrdiff_t(3)));
    CHECK(y == -64);
}

TEST_CASE("a million leading zeros") {
    const std::string zeros(1'000'000, '0');
    CHECK(BigInt<64>::parse(zeros + "123", 10) == 123);
    CHECK(BigInt<64>::parse("0x" + zeros + "123") == 0x123);
    CHECK(BigInt<7>::parse(zeros, 10) == 0);
    CHECK(SignedBigInt<64>::parse("-" + zeros + "123", 10) == -123);
}

TEST_CASE("numeric_limits: the decimal digits that a width holds") {
    // 10^digits <= 2^bits < 10^(digits + 1), for every width to 2 * 10^4.
    Integer power = 10, two = 1;
    int digits = 0;
    long wrong = 0;
    for (int bits = 0; bits <= 20'000; ++bits) {
        if (two >= power) {
            power = power * 10;
            ++digits;
        }
        wrong += warpint::number::decimal_digits(bits) != digits;
        two = two * 2;
    }
    // Beyond them log10(2) to 40 digits is exact enough. bits log10(2) is nearest to an integer at
    // the denominators of its convergents, their multiples and their sums.
    const Integer log("3010299956639811952137388947244930267681", 10);
    const Integer one("10000000000000000000000000000000000000000", 10);
    const std::int64_t denominators[] = {
        1,        3,         10,        93,        196,        485,       2136,    13301,
        28738,    42039,     70777,     254370,    325147,     6107016,   6432163, 44699994,
        51132157, 146964308, 198096465, 345060773, 1578339557, 1923400330};
    for (const std::int64_t a : denominators) {
        for (const std::int64_t b : denominators) {
            for (std::int64_t k = 0; k < 40; ++k) {
                const std::int64_t bits = a + k * b;
                if (bits > std::numeric_limits<int>::max())
                    break;
                const Integer expected = Integer(bits) * log / one;
                wrong +=
                    warpint::number::decimal_digits(static_cast<int>(bits)) != expected.to_long();
            }
        }
    }
    CHECK(wrong == 0);
}

// The number takes half a megabyte, its digits more: neither they nor what they are made with may
// lie on the stack, which has eight.
TEST_CASE("text of four million bits") {
    using Number = BigInt<4'000'000>;
    static Number x;
    static Number y;
    const Integer value = test::all_ones(Number::bits) / Integer(7);
    x = from_integer<Number>(value);
    const std::string text = to_string(x);
    CHECK((text == value.to_string(10)));
    y = Number::parse(text, 10);
    CHECK((x == y));
    y = 0u;
    CHECK(warpint::from_chars(text.data(), text.data() + text.size(), y).ec == std::errc());
    CHECK((x == y));
    std::string buffer(text.size(), ' ');
    char *const last = buffer.data() + buffer.size();
    CHECK(warpint::to_chars(buffer.data(), last, x).ptr == last);
    CHECK((buffer == text));
    CHECK(warpint::to_chars(buffer.data(), last - 1, x).ec == std::errc::value_too_large);
}
