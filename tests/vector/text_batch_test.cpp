// SPDX-License-Identifier: Apache-2.0
// Vectors from and to text and bytes, against single numbers' functions (which are held to GMP
// elsewhere) and GMP: lines, bad lines, blocks that do and do not fit.
#include "support/batches.h"
#include "support/property.h"
#include "support/spaces.h"

#include <ostream>

#include <doctest/doctest.h>
#include <warpint/vector.h>

#include <bit>
#include <cstdint>
#include <list>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

using namespace warpint;
using test::Integer;
using test::to_integer;

namespace {

template <class Function>
std::string message_of(const Function &function) {
    try {
        function();
    } catch (const std::logic_error &error) {
        return error.what();
    }
    return {};
}
bool contains(const std::string &text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

template <int Bits>
std::vector<Integer> some_values(std::size_t count) {
    test::OperandSource source(test::property_seed("bulk text", Bits));
    std::vector<Integer> values;
    for (std::size_t i = 0; i < count; ++i)
        values.push_back(i == 0 ? Integer(0) : i == 1 ? test::all_ones(Bits) : source.number(Bits));
    return values;
}

template <class S, int Bits>
void check_text(std::size_t count) {
    const std::vector<Integer> values = some_values<Bits>(count);
    std::vector<std::string> decimal, hexadecimal;
    std::string text;
    for (const Integer &value : values) {
        decimal.push_back(value.to_string(10));
        hexadecimal.push_back(value.to_string(16));
        text += value.to_string(10) + (value.is_odd() ? "\n" : "\r\n");
    }
    CAPTURE(Bits);
    const auto numbers = parse<Bits>(decimal);
    REQUIRE(numbers.size() == values.size());
    long wrong = -1;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (to_integer(numbers[i]) != values[i])
            wrong = static_cast<long>(i);
    }
    CHECK(wrong == -1);
    CHECK(all(parse<Bits>(hexadecimal, 16) == numbers));
    CHECK(all(parse<Bits>(text) == numbers));
    text.resize(text.find_last_not_of("\r\n") + 1); // the last line has no end
    CHECK(all(parse<Bits>(text, 10) == numbers));
    const typename S::template vector<BigInt<Bits>> there(numbers);
    CHECK(to_strings(there) == decimal);
    CHECK(to_strings(there, 16) == hexadecimal);
}

template <class S, class T>
void check_bytes() {
    using Vector = typename S::template vector<T>;
    std::vector<T> numbers;
    for (const Integer &value : some_values<T::bits>(300))
        numbers.push_back(test::from_integer<T>(value));
    const Vector v(numbers);
    constexpr std::size_t own = (T::bits + 7) / 8;
    for (const std::endian order : {std::endian::big, std::endian::little}) {
        for (const std::size_t block : {own, own + 1, own + 9}) {
            CAPTURE(block);
            std::vector<std::uint8_t> expected(numbers.size() * block);
            for (std::size_t i = 0; i < numbers.size(); ++i)
                to_bytes(numbers[i], std::span(expected).subspan(i * block, block), order);
            CHECK(to_bytes(v, block, order) == expected);
            Vector back;
            back.assign_bytes(expected, block, order);
            CHECK(back.to_host() == numbers);
        }
    }
}

} // namespace

TEST_CASE_TEMPLATE("numbers as lines of text", S, TEST_ONE_SPACE) {
    check_text<S, 61>(500);
    check_text<S, 2048>(500);
}

TEST_CASE("lines of signed numbers, and none") {
    const auto numbers = parse<SignedBigInt<40>>("-5\n7\n-0x10\n", 0);
    CHECK(numbers.to_host() == std::vector<SignedBigInt<40>>{-5, 7, -16});
    CHECK(to_strings(numbers) == std::vector<std::string>{"-5", "7", "-16"});
    // Text that is data is decimal, also with leading zeros.
    CHECK(parse<64>("010\n0009\n").to_host() == std::vector<BigInt<64>>{10, 9});
    CHECK(parse<64>("010\n0x1f\n", 0).to_host() == std::vector<BigInt<64>>{8, 31});
    CHECK(contains(message_of([] { (void)parse<64>("1\n0x1f\n"); }), "base 0 reads prefixes"));
    CHECK(BigInt<64>::parse("010") == 8u);
    CHECK(parse<64>("").empty());
    CHECK(parse<64>(std::vector<std::string_view>{}).empty());
    CHECK(parse<64>({"1", "20"}).to_host() == std::vector<BigInt<64>>{1, 20});
    CHECK(parse<BigInt<64>>({"ff"}, 16).to_host() == std::vector<BigInt<64>>{255});
    CHECK(parse<64>(std::list<std::string>{"3", "4"}).to_host() == std::vector<BigInt<64>>{3, 4});
    // Of formulas, views and built-in integers too.
    using Lines = std::vector<std::string>;
    CHECK(to_strings(numbers * numbers, 16) == Lines{"19", "31", "100"});
    CHECK(to_strings(numbers.view(1, 2)) == Lines{"7", "-16"});
    const Modulus<64> m(BigInt<64>(97));
    const host_vector<Residue<64>> residues(m, numbers);
    CHECK(to_strings(residues) == Lines{"92", "7", "81"});
    CHECK(to_strings(residues * residues, 16) == Lines{"19", "31", "3e"});
    CHECK(to_strings(host_vector<StaticResidue<BigInt<64>(97)>>(2)) == Lines{"0", "0"});
    CHECK(to_strings(host_vector<int>{-3, 4}) == Lines{"-3", "4"});
    CHECK(to_strings(numbers < 0) == Lines{"1", "0", "1"});
    CHECK(to_strings(!(numbers < 0)) == Lines{"0", "1", "0"});
}

TEST_CASE_TEMPLATE("lines read where the vector lies", S, TEST_ONE_SPACE) {
    using Vector = typename S::template vector<SignedBigInt<131>>;
    const std::string text =
        "-5\r\n0\n0x1F\n-0b101\n017\n00\n1361129467683753853853498429727072845823\n"
        "-1361129467683753853853498429727072845824"; // the greatest, the least
    Vector v(3, 1);
    v.assign_text(text, 0);
    CHECK(v.to_host() == parse<SignedBigInt<131>>(text, 0).to_host());
    CHECK(v[6] == std::numeric_limits<SignedBigInt<131>>::max());
    CHECK(to_strings(v)[7] == "-1361129467683753853853498429727072845824");
    v.assign_text("zz\n-Zz\n", 36);
    CHECK(v.to_host() == std::vector<SignedBigInt<131>>{1295, -1295});
    v.assign_text("010\n-08\n");
    CHECK(v.to_host() == std::vector<SignedBigInt<131>>{10, -8});
    v.assign_text("-5\r\n7\r\n");
    CHECK(v.to_host() == std::vector<SignedBigInt<131>>{-5, 7});
    // A \r is part of a line's end only before \n.
    for (const char *bad :
         {"1\n\n2", "1\n-\n", "1\n2\r", "1\r\n2\r", "1\n2\r\r\n", "1\n\r", "1\n2\r3", "1\n0x\n",
          "1\n12a", "1\n 2", "1\n--2", "1\n0x8", "1\n1361129467683753853853498429727072845824",
          "1\n-1361129467683753853853498429727072845825"}) {
        CAPTURE(bad);
        CHECK(contains(message_of([&] { v.assign_text(bad); }), "line 2:"));
        CHECK(message_of([&] { v.assign_text(bad); }) ==
              message_of([&] { (void)parse<SignedBigInt<131>>(bad); }));
    }
    CHECK_THROWS_AS(v.assign_text("1", 37), std::invalid_argument);
#if !defined(__CUDACC__) // each type is a kernel to compile
    typename S::template vector<BigInt<64>> u;
    CHECK(contains(message_of([&] { u.assign_text("-1"); }), "line 1:"));
#endif
    CHECK(v.size() == 2);
    v.assign_text("");
    CHECK(v.empty());
}

// On a GPU blocks of threads convert them.
TEST_CASE_TEMPLATE("lines of wide numbers", S, TEST_ONE_SPACE) {
    using T = SignedBigInt<2100>;
    using Vector = typename S::template vector<T>;
    std::vector<T> numbers{0, 1, -1, std::numeric_limits<T>::max(),
                           std::numeric_limits<T>::lowest()};
    for (const Integer &value : some_values<2100>(295))
        numbers.push_back(test::from_integer<T>(value));
    const Vector v(numbers);
    for (const int base : {2, 3, 8, 10, 16, 32, 36}) {
        CAPTURE(base);
        const std::vector<std::string> lines = to_strings(v, base);
        std::string text;
        bool equal = lines.size() == numbers.size();
        for (std::size_t i = 0; i < lines.size(); ++i) {
            equal = equal && lines[i] == to_string(numbers[i], base);
            text += (i % 7 == 0 && numbers[i] >= 0 ? "000" : "") + lines[i] + '\n';
        }
        CHECK(equal);
        Vector read;
        read.assign_text(text, base);
        CHECK(read.to_host() == numbers);
    }
    // Each line with a base of its own, and bad ones among them.
    std::string text, many;
    for (int i = 0; i < 100; ++i) {
        text += "-0x1F\r\n0b101\n017\n-0\n0\n" + to_string(numbers[3]) + "\n" +
                to_string(numbers[4]) + "\n0x" + to_string(numbers[3], 16) + "\n";
    }
    Vector read;
    read.assign_text(text, 0);
    REQUIRE(read.size() == 800);
    CHECK(read.to_host()[792] == T(-31));
    CHECK(read.to_host()[793] == T(5));
    CHECK(read.to_host()[794] == T(15));
    CHECK(read.to_host()[795] == T(0));
    CHECK(read.to_host()[797] == numbers[3]);
    CHECK(read.to_host()[798] == numbers[4]);
    CHECK(read.to_host()[799] == numbers[3]);
    const std::string too_large = (to_integer(numbers[3]) + Integer(1)).to_string(10);
    for (const std::string &bad :
         {std::string(), std::string("-"), std::string("0x"), std::string("12a"), std::string(" 2"),
          std::string("--2"), std::string("08"), too_large, "-" + too_large + "0",
          "0x" + std::string(700, '1')}) {
        CAPTURE(bad);
        CHECK(
            contains(message_of([&] { read.assign_text(text + bad + "\n1\n", 0); }), "line 801:"));
    }
    CHECK(contains(message_of([&] { read.assign_text(text + "12\r", 0); }), "line 801:"));
    read.assign_text(text + "12\r\n", 0);
    CHECK(read.size() == 801);
}

TEST_CASE_TEMPLATE("bad lines as faults", S, TEST_ONE_SPACE) {
    const auto check = [](const auto &v, const std::vector<bool> &bad, int good) {
        CHECK(v.error_mask() == bad);
        CHECK_THROWS_AS((void)v.to_host(), std::domain_error);
        auto rest = v;
        rest.clear_errors();
        for (std::size_t i = 0; i < bad.size(); ++i)
            CHECK(rest[i] == (bad[i] ? 0 : good));
    };
    typename S::template vector<SignedBigInt<131>> v{1, 2};
    const std::vector<std::string_view> lines = {"5", "", "5x", "5", "-", " 5", "05"};
    std::string text;
    for (const std::string_view line : lines)
        text.append(line).append("\r\n");
    const std::vector<bool> bad = {false, true, true, false, true, true, false};
    v.assign_text(text, 10, bad_lines::are_faults);
    check(v, bad, 5);
    check(parse<SignedBigInt<131>>(text, 10, bad_lines::are_faults), bad, 5);
    check(parse<64>(text, 10, bad_lines::are_faults), bad, 5);
    check(parse<SignedBigInt<131>>(lines, 10, bad_lines::are_faults), bad, 5);
    check(parse<64>(lines, 10, bad_lines::are_faults), bad, 5);
    CHECK(contains(message_of([&] { v.check(); }), "4 of 7 elements have no value"));
    CHECK(contains(message_of([&] { v.assign_text(text); }), "line 2:"));
    CHECK(v.error_mask() == bad); // nothing was assigned
    v.assign_text("7\n8", 10, bad_lines::are_faults);
    CHECK(v.to_host() == std::vector<SignedBigInt<131>>{7, 8});
    CHECK(parse<64>("7\n8", 10, bad_lines::are_faults).to_host() == std::vector<BigInt<64>>{7, 8});
    CHECK_THROWS_AS((void)parse<64>("7", 37, bad_lines::are_faults), std::invalid_argument);
    // Wide lines, which blocks of threads read on a GPU; what does not fit is bad too.
    typename S::template vector<SignedBigInt<2100>> wide;
    std::string many;
    const std::string too_long(700, '9');
    std::vector<bool> every_third;
    for (int i = 0; i < 1000; ++i) {
        every_third.push_back(i % 3 == 1);
        many += i % 3 != 1 ? "5" : i % 2 == 0 ? "0x5" : too_long;
        many += '\n';
    }
    wide.assign_text(many, 10, bad_lines::are_faults);
    check(wide, every_third, 5);
    check(parse<SignedBigInt<2100>>(many, 10, bad_lines::are_faults), every_third, 5);
}

#if !defined(__CUDACC__)
TEST_CASE("text in blocks, as GPUs write it") {
    std::vector<SignedBigInt<600>> numbers = {0, 1, -1,
                                              std::numeric_limits<SignedBigInt<600>>::max(),
                                              std::numeric_limits<SignedBigInt<600>>::lowest()};
    for (const int base : {2, 10, 16, 36}) {
        const std::size_t room = arith::max_digits(600, base) + 1;
        std::vector<char> text(numbers.size() * room, '?');
        std::vector<std::uint32_t> lengths(numbers.size());
        const containers::TextOfNumbers<SignedBigInt<600>> write{numbers.data(), text.data(),
                                                                 lengths.data(), room, base};
        for (std::size_t i = 0; i < numbers.size(); ++i)
            write(i);
        std::vector<std::string> lines(numbers.size());
        containers::take_lines(text.data(), lengths.data(), room, numbers.size(),
                               [&](std::size_t i, std::string_view line) { lines[i] = line; });
        for (std::size_t i = 0; i < numbers.size(); ++i)
            CHECK(lines[i] == to_string(numbers[i], base));
    }
}
#endif

TEST_CASE("a bad line names its number and position") {
    host_vector<BigInt<64>> v{1, 2, 3};
    std::string text;
    for (int i = 0; i < 20000; ++i)
        text += i == 12344 || i == 17000 ? "123x5\n" : "1234567890\n";
    const std::string message = message_of([&] { v = parse<64>(text); });
    CHECK(contains(message, "line 12345:"));
    CHECK(contains(message, message_of([] { (void)BigInt<64>::parse("123x5"); })));
    CHECK(v.to_host() == std::vector<BigInt<64>>{1, 2, 3});
    CHECK_THROWS_AS((void)parse<64>("1\n\n2\n"), std::invalid_argument);
    CHECK_THROWS_AS((void)parse<64>("1\n18446744073709551616\n"), std::out_of_range);
    CHECK(contains(message_of([] { (void)parse<64>("1\n-2"); }), "line 2:"));
    CHECK_THROWS_AS((void)parse<64>("1\r\n2\r"), std::invalid_argument);
    CHECK_THROWS_AS((void)parse<64>("1\n", 37), std::invalid_argument);
    CHECK_THROWS_AS((void)parse<64>("", 37), std::invalid_argument);
    CHECK_THROWS_AS((void)to_strings(v, 1), std::invalid_argument);
}

TEST_CASE_TEMPLATE("numbers as blocks of bytes", S, TEST_ONE_SPACE) {
    check_bytes<S, BigInt<61>>();
    check_bytes<S, SignedBigInt<100>>();
    check_bytes<S, BigInt<256>>();
}

TEST_CASE_TEMPLATE("blocks of bytes that do not fit", S, TEST_ONE_SPACE) {
    using Vector = typename S::template vector<BigInt<12>>;
    Vector v{1, 2, 0xfff};
    const std::vector<std::uint8_t> narrow{0, 1, 0x0f, 0xff, 0, 0};
    v.assign_bytes(narrow, 2, std::endian::big);
    CHECK(v.to_host() == std::vector<BigInt<12>>{1, 0xfff, 0});
    const std::vector<std::uint8_t> wide{0, 1, 0x10, 0, 0x20, 0};
    const std::string message = message_of([&] { v.assign_bytes(wide, 2, std::endian::big); });
    CHECK(contains(message, "element 1,"));
    const std::vector<std::uint8_t> first{0x10, 0, 0, 1};
    CHECK(contains(message_of([&] { v.assign_bytes(first, 2, std::endian::big); }), "element 0,"));
    CHECK(v[1] == 0xfffu);
    CHECK_THROWS_AS(v.assign_bytes(wide, 2, std::endian::big), std::length_error);
    CHECK_THROWS_AS(v.assign_bytes(wide, 4, std::endian::big), size_mismatch);
    CHECK_THROWS_AS(v.assign_bytes(wide, 0, std::endian::big), std::invalid_argument);

    CHECK(contains(message_of([&] { (void)to_bytes(v, 1, std::endian::big); }), "element 1 "));
    CHECK_THROWS_AS((void)to_bytes(v, 1, std::endian::big), std::length_error);
    CHECK_THROWS_AS((void)to_bytes(v, 0, std::endian::big), std::invalid_argument);
    CHECK(message_of([&] { (void)to_bytes(v, ~std::size_t{0} / 3 + 1, std::endian::big); }) ==
          "warpint: a batch of 3 elements of 6148914691236517206 bytes is larger than the address "
          "space");
    std::vector<std::uint8_t> room(7, 9);
    CHECK_THROWS_AS(to_bytes(v, room, 2, std::endian::big), size_mismatch);
    CHECK_THROWS_AS(to_bytes(v, std::span(room).first(3), 1, std::endian::big), std::length_error);
    CHECK(room == std::vector<std::uint8_t>(7, 9));
    to_bytes(v, std::span(room).first(6), 2, std::endian::big);
    CHECK(room == std::vector<std::uint8_t>{0, 1, 0x0f, 0xff, 0, 0, 9});
    v.write(1, 200);
    CHECK(to_bytes(v, 1, std::endian::big) == std::vector<std::uint8_t>{1, 200, 0});
    typename S::template vector<SignedBigInt<40>> s{127, -128, 5};
    CHECK(to_bytes(s, 1, std::endian::big) == std::vector<std::uint8_t>{127, 128, 5});
    s.write(1, -129);
    CHECK_THROWS_AS((void)to_bytes(s, 1, std::endian::big), std::length_error);
    s.write(1, 128);
    CHECK_THROWS_AS((void)to_bytes(s, 1, std::endian::big), std::length_error);
    s = s / 0;
    CHECK_THROWS_AS((void)to_bytes(s, 9, std::endian::big), std::domain_error);
}
