// SPDX-License-Identifier: Apache-2.0
// std::format of big integers against std::format of the same values as built-in integers: every
// combination of fill, alignment, sign, base prefix, zeros, width and type, and the specifications
// that must be refused. Needs a standard library with <format>.
#include <warpint/text.h>

#include <doctest/doctest.h>

#if !defined(__cpp_lib_format)
#error "this standard library has no <format>"
#endif

#include <format>
#include <limits>
#include <string>
#include <vector>

using warpint::BigInt;
using warpint::SignedBigInt;

namespace {

template <class Value>
std::string formatted(const std::string &specification, const Value &value) {
    return std::vformat(specification, std::make_format_args(value));
}

const std::string accented = "\xc3\xa9"; // a character of two bytes

std::vector<std::string> specifications() {
    std::vector<std::string> all;
    std::vector<std::string> aligns{"", "<", "^", ">", "*<", "*^", "0>", accented + "^"};
    try {
        (void)formatted("{:" + aligns.back() + "}", 1);
    } catch (const std::format_error &) { // libstdc++ 13 takes no such fill
        aligns.pop_back();
    }
    for (const std::string &align : aligns)
        for (const char *sign : {"", "+", "-", " "})
            for (const char *alternate : {"", "#"})
                for (const char *zeros : {"", "0"})
                    for (const char *width : {"", "1", "20", "71"})
                        for (const char *type : {"", "d", "x", "X", "o", "b", "B"})
                            all.push_back(std::string("{:") + align + sign + alternate + zeros +
                                          width + type + "}");
    return all;
}

template <class Big, class Builtin>
void check_values(const std::vector<Builtin> &values) {
    for (const std::string &specification : specifications()) {
        for (const Builtin value : values) {
            CAPTURE(specification);
            CAPTURE(value);
            CHECK(formatted(specification, Big(value)) == formatted(specification, value));
        }
    }
}

} // namespace

TEST_CASE("format gives what it gives for built-in integers") {
    using u64 = unsigned long long;
    using s64 = long long;
    check_values<BigInt<64>, u64>(
        {0, 1, 9, 255, 0x8000000000000000u, 0xdeadbeefcafef00du, ~u64{0}});
    check_values<BigInt<131>, u64>({0, 7, 0xabcdef0123456789u});
    check_values<SignedBigInt<64>, s64>({0, 1, -1, 1000000007, -0x123456789abcdef,
                                         std::numeric_limits<s64>::min(),
                                         std::numeric_limits<s64>::max()});
    check_values<SignedBigInt<200>, s64>({0, -1, -255, std::numeric_limits<s64>::min()});
}

TEST_CASE("format fills with a character of several bytes") {
    CHECK(formatted("{:" + accented + "^5}", BigInt<96>(77)) ==
          accented + "77" + accented + accented);
    const std::string euro = "\xe2\x82\xac";
    CHECK(formatted("{:" + euro + ">#6x}", SignedBigInt<96>(-77)) == euro + "-0x4d");
}

TEST_CASE("format of wide numbers agrees with to_string") {
    const auto x = BigInt<2048>(1) << 2000 | BigInt<2048>(12345);
    CHECK(std::format("{}", x) == warpint::to_string(x));
    CHECK(std::format("{:x}", x) == warpint::to_string(x, 16));
    CHECK(std::format("{:#b}", x) == "0b" + warpint::to_string(x, 2));
    const SignedBigInt<300> y = -(SignedBigInt<300>(1) << 290);
    CHECK(std::format("{:o}", y) == warpint::to_string(y, 8));
}

TEST_CASE("format takes widths from arguments") {
    const BigInt<96> x(77);
    const unsigned long long builtin = 77;
    CHECK(std::format("{:{}}", x, 9) == std::format("{:{}}", builtin, 9));
    CHECK(std::format("{1:*^{0}x}", 12, x) == std::format("{1:*^{0}x}", 12, builtin));
    int negative = -1;
    CHECK_THROWS_AS((void)std::vformat("{:{}}", std::make_format_args(x, negative)),
                    std::format_error);
    std::string text = "5";
    CHECK_THROWS_AS((void)std::vformat("{:{}}", std::make_format_args(x, text)), std::format_error);
}

TEST_CASE("format refuses specifications that integers do not have") {
    const BigInt<96> x(77);
    for (const char *bad : {"{:s}", "{:e}", "{:.3}", "{:d d}", "{:c}", "{:xx}", "{:L}", "{:+-d}",
                            "{:99999999999}", "{:{", "{:{x}}", "{:*}"}) {
        CAPTURE(bad);
        CHECK_THROWS_AS((void)formatted(bad, x), std::format_error);
    }
}
