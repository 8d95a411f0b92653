// SPDX-License-Identifier: Apache-2.0
// Conversions between limb arrays and digits, with limbs of every width: 8-bit limbs for everything
// that depends on where the limbs end, against GMP.

#include "support/integer.h"
#include "support/property.h"

#include <warpint/arith/limbs/text/radix.h>

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace arith = warpint::arith;

template <class L>
test::Integer to_integer(const L *limbs, int n) {
    test::Integer result;
    mpz_import(result.raw(), std::size_t(n), -1, sizeof(L), 0, 0, limbs);
    return result;
}

template <int N, class L>
std::vector<L> to_limbs(const test::Integer &a) {
    std::vector<L> limbs(N);
    mpz_export(limbs.data(), nullptr, -1, sizeof(L), 0, 0, a.raw());
    return limbs;
}

/// A number of at most `bits` bits: random, or one around a power of the base or of two, where a
/// digit or a limb more is needed and most digits are zeros or the largest.
test::Integer random_number(std::mt19937_64 &engine, int bits, int base) {
    test::Integer a;
    const std::size_t width = std::size_t(engine()) % (std::size_t(bits) + 1);
    if (const std::uint64_t kind = engine() % 4; kind == 0) {
        mpz_ui_pow_ui(a.raw(), static_cast<unsigned long>(base),
                      static_cast<unsigned long>(double(width) / std::log2(double(base))));
        a = a + test::Integer(static_cast<long>(engine() % 3)) - test::Integer(1);
    } else if (kind == 1) {
        a = (test::Integer(1) << width) - test::Integer(static_cast<long>(engine() % 2));
    } else {
        std::vector<std::uint64_t> words(width / 64 + 1);
        for (auto &word : words)
            word = engine() % 8 == 0 ? 0 : engine();
        a = to_integer(words.data(), static_cast<int>(words.size()));
    }
    return a % (test::Integer(1) << std::size_t(bits));
}

/// One number through one pair of functions; the digits' letters in both cases, with leading zeros.
template <int N, class L, class ToDigits, class FromDigits>
void check_one(std::mt19937_64 &engine, const test::Integer &a, int base, ToDigits to_digits,
               FromDigits from_digits) {
    constexpr int bits = N * int(sizeof(L)) * 8;
    const std::string expected = a.to_string(base);
    std::string buffer(arith::max_digits(bits, base) + 1, '?');
    char *const last = buffer.data() + buffer.size();
    INFO("base ", base, ", ", N, " limbs of ", sizeof(L), " bytes, ", expected,
         "; WARPINT_TEST_SEED=", test::run_seed());
    std::vector<L> limbs = to_limbs<N, L>(a);
    const char *first = to_digits(last, limbs.data());
    REQUIRE(first > buffer.data()); // max_digits is enough
    REQUIRE(std::string_view(first, std::size_t(last - first)) == expected);
    REQUIRE(buffer[0] == '?');

    std::string text = std::string(engine() % 4 == 0 ? engine() % 100 : 0, '0') + expected;
    for (char &c : text)
        c = engine() % 2 == 0 && c >= 'a' ? static_cast<char>(c - 'a' + 'A') : c;
    std::vector<L> read(N + 1, L(0x5a));
    REQUIRE(from_digits(read.data(), text.data(), text.size()));
    REQUIRE(to_integer(read.data(), N) == a);
    REQUIRE(read[N] == L(0x5a));

    // The smallest and some other numbers that are too large.
    for (std::uint64_t more : {std::uint64_t(0), engine() % 1000, engine()}) {
        const test::Integer large = (test::Integer(1) << std::size_t(bits)) + test::Integer(more);
        const std::string digits = large.to_string(base);
        REQUIRE(!from_digits(read.data(), digits.data(), digits.size()));
        const std::string longer = expected + std::string(digits.size(), '1');
        if (!a.is_zero())
            REQUIRE(!from_digits(read.data(), longer.data(), longer.size()));
        REQUIRE(read[N] == L(0x5a));
    }
    const test::Integer top = (test::Integer(1) << std::size_t(bits)) - test::Integer(1);
    const std::string digits = top.to_string(base);
    REQUIRE(from_digits(read.data(), digits.data(), digits.size()));
    REQUIRE(to_integer(read.data(), N) == top);
}

/// All the ways that there are for N limbs.
template <int N, class L>
void check_number(std::mt19937_64 &engine, const test::Integer &a, int base) {
    check_one<N, L>(
        engine, a, base,
        [&](char *last, L *limbs) { return arith::to_digits(last, limbs, N, base); },
        [&](L *r, const char *digits, std::size_t length) {
            return arith::from_digits(r, N, digits, length, base);
        });
    check_one<N, L>(
        engine, a, base,
        [&](char *last, L *limbs) { return arith::to_digits<N>(last, limbs, base); },
        [&](L *r, const char *digits, std::size_t length) {
            return arith::from_digits<N>(r, digits, length, base);
        });
    if (arith::bits_per_digit(base) != 0)
        return;
    check_one<N, L>(
        engine, a, base,
        [&](char *last, L *limbs) {
            return a.is_zero() ? arith::to_digits<N>(last, limbs, base)
                               : arith::detail::to_digits_split<N, 2>(last, limbs, N, base);
        },
        [&](L *r, const char *digits, std::size_t length) {
            while (length > 0 && *digits == '0')
                ++digits, --length;
            return arith::detail::from_digits_split<N, 2>(r, digits, length, base);
        });
}

template <int N, class L>
void check_random(const char *name, long count, bool decimal_only = false) {
    std::mt19937_64 engine(test::property_seed(name, N * int(sizeof(L)) * 8));
    for (long i = 0, runs = test::scaled(count); i < runs; ++i) {
        const int base = decimal_only || i % 3 == 0 ? 10 : 2 + static_cast<int>(engine() % 35);
        check_number<N, L>(engine, random_number(engine, N * int(sizeof(L)) * 8, base), base);
    }
}

constexpr std::uint64_t through_digits(std::uint64_t value, int base) {
    std::uint32_t limbs[2] = {static_cast<std::uint32_t>(value),
                              static_cast<std::uint32_t>(value >> 32)};
    char buffer[64]{};
    const char *first = arith::to_digits<2>(buffer + 64, limbs, base);
    arith::from_digits<2>(limbs, first, static_cast<std::size_t>(buffer + 64 - first), base);
    return limbs[1] * (std::uint64_t(1) << 32) + limbs[0];
}

} // namespace

TEST_CASE("every number of two 8-bit limbs in every base") {
    for (int base = 2; base <= 36; ++base) {
        for (std::uint32_t a = 0; a < 65536; a += base == 10 ? 1 : 7) {
            std::uint8_t limbs[2] = {static_cast<std::uint8_t>(a),
                                     static_cast<std::uint8_t>(a >> 8)};
            char buffer[20];
            std::string expected;
            for (std::uint32_t rest = a; rest != 0 || expected.empty();
                 rest /= static_cast<std::uint32_t>(base)) {
                expected.insert(expected.begin(),
                                "0123456789abcdefghijklmnopqrstuvwxyz"[rest % std::uint32_t(base)]);
            }
            const char *first = arith::to_digits<2>(buffer + 20, limbs, base);
            if (expected != std::string_view(first, std::size_t(buffer + 20 - first)))
                FAIL(a, " in base ", base);
            if (!arith::from_digits<2>(limbs, expected.data(), expected.size(), base) ||
                limbs[0] + 256u * limbs[1] != a)
                FAIL(expected, " from base ", base);
        }
    }
}

TEST_CASE("8-bit limbs") {
    check_random<1, std::uint8_t>("radix", 500);
    check_random<3, std::uint8_t>("radix", 1000);
    check_random<9, std::uint8_t>("radix", 1000);
    check_random<40, std::uint8_t>("radix", 1000);
    check_random<300, std::uint8_t>("radix", 100);
}

TEST_CASE("wider limbs") {
    check_random<5, std::uint16_t>("radix", 500);
    check_random<70, std::uint16_t>("radix", 200);
    check_random<1, std::uint32_t>("radix", 500);
    check_random<8, std::uint32_t>("radix", 500);
    check_random<100, std::uint32_t>("radix", 100);
#if WARPINT_HAS_INT128
    check_random<1, std::uint64_t>("radix", 500);
    check_random<4, std::uint64_t>("radix", 1000, true);
    check_random<8, std::uint64_t>("radix", 500);
    check_random<33, std::uint64_t>("radix", 300);
    check_random<128, std::uint64_t>("radix", 60);
    check_random<129, std::uint64_t>("radix", 60, true);
    check_random<512, std::uint64_t>("radix", 10);
    check_random<600, std::uint64_t>("radix", 10);
#endif
}

TEST_CASE("count_digits: every character at every place") {
    for (int base : {2, 8, 10, 16, 36}) {
        for (std::size_t place = 0; place < 20; ++place) {
            for (int c = 0; c < 256; ++c) {
                std::string text(20, '1');
                text[place] = static_cast<char>(c);
                const bool valid = (c >= '0' && c < '0' + (base < 10 ? base : 10)) ||
                                   (c >= 'a' && c < 'a' + base - 10) ||
                                   (c >= 'A' && c < 'A' + base - 10);
                if (arith::count_digits(text.data(), text.size(), base) != (valid ? 20u : place))
                    FAIL("character ", c, " at ", place, ", base ", base);
            }
        }
        CHECK(arith::count_digits("", 0, base) == 0);
    }
}

TEST_CASE("digits in constant expressions") {
    constexpr std::uint64_t value = 0xfedcba9876543210u;
    static_assert(through_digits(value, 10) == value);
    static_assert(through_digits(value, 7) == value);
    static_assert(through_digits(value, 16) == value);
    CHECK(through_digits(value, 10) == value);
}
