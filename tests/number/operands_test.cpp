// SPDX-License-Identifier: Apache-2.0
// The tests of the tests: operands fit their widths, every class is drawn often enough, the oracle
// follows the law on known values, and a failing property is caught, shrunk and reported.

#include "support/integer.h"
#include "support/operands.h"
#include "support/property.h"

#include <doctest/doctest.h>

#include <set>
#include <stdexcept>

using test::Integer;
using test::OperandClass;
using test::OperandSource;

namespace {

constexpr int widths[] = {1, 2, 7, 8, 31, 32, 33, 64, 65, 109, 131, 256, 521, 2048};

/// Draws one operand set of every kind at one width and checks its ranges.
void draw_everything(OperandSource &source, int bits) {
    const int other = 1 + source.below(2 * bits);
    const Integer number = source.number(bits);
    const Integer signed_number = source.signed_number(bits);
    const test::OperandPair pair = source.pair(bits, other);
    const test::OperandTriple triple = source.triple(bits, other, other);
    const test::DivisionPair division = source.division_pair(bits, other);
    const test::OperandPair inverse = source.inverse_pair(bits, other);
    const Integer modulus = source.modulus(bits);
    const Integer odd = source.odd_modulus(bits);
    const Integer exponent = source.exponent(bits, modulus);
    const bool fits =
        test::fits_unsigned(number, bits) && test::fits_signed(signed_number, bits) &&
        test::fits_unsigned(pair.a, bits) && test::fits_unsigned(pair.b, other) &&
        test::fits_unsigned(triple.a, bits) && test::fits_unsigned(triple.b, other) &&
        test::fits_unsigned(triple.m, other) && test::fits_unsigned(division.dividend, bits) &&
        test::fits_unsigned(division.divisor, other) && test::fits_unsigned(inverse.a, bits) &&
        test::fits_unsigned(inverse.b, other) && test::fits_unsigned(modulus, bits) &&
        test::fits_unsigned(odd, bits) && test::fits_unsigned(exponent, bits);
    REQUIRE(fits);
    const bool usable = triple.m >= 1 && division.divisor >= 1 && modulus >= 1 && odd.is_odd();
    REQUIRE(usable);
}

} // namespace

TEST_CASE("operands fit the width they were asked for") {
    OperandSource source(test::property_seed("operands fit", 0));
    for (int bits : widths) {
        CAPTURE(bits);
        for (int i = 0; i < 2000; ++i) {
            draw_everything(source, bits);
        }
    }
}

TEST_CASE("every operand class is at least one operand in twenty") {
    for (int bits : {32, 109, 256, 2048}) {
        OperandSource source(test::property_seed("operand classes", bits));
        // What a modular test draws: two operands, a modulus, an exponent, and a division.
        std::uint64_t operands = 0;
        for (int i = 0; i < 4000; ++i) {
            const test::OperandTriple triple = source.triple(bits, bits, bits);
            source.exponent(bits, triple.m);
            source.division_pair(bits, bits);
            operands += 6;
        }
        for (int i = 0; i < test::operand_class_count; ++i) {
            const double share = double(source.drawn(OperandClass(i))) / double(operands);
            CAPTURE(bits);
            CAPTURE(i + 1);
            CHECK(share >= 0.05);
        }
    }
    SUBCASE("numbers alone: classes 1 to 4") {
        OperandSource source(test::property_seed("operand classes of numbers", 0));
        for (int i = 0; i < 4000; ++i) {
            source.number(256);
        }
        for (int i = 0; i < 4; ++i) {
            CAPTURE(i + 1);
            CHECK(source.drawn(OperandClass(i)) >= 200);
        }
    }
}

TEST_CASE("operands meet the situations they are made for") {
    constexpr int bits = 256;
    OperandSource source(test::property_seed("operand situations", bits));
    long equal = 0, multiple = 0, multiple_less_one = 0, neighbours = 0, shared_factor = 0;
    long square_less_one = 0, equals_modulus = 0, even_modulus = 0, montgomery_one = 0;
    long modulus_one = 0, exponent_zero = 0, exponent_all_ones = 0, same_top_limb = 0;
    long quotient_ones = 0, extremes = 0, top_one = 0, top_ones = 0, exponent_65_bits = 0;
    std::set<int> normalising_shifts;
    for (int i = 0; i < 20000; ++i) {
        const test::OperandPair pair = source.pair(bits, bits);
        if (pair.a == pair.b) {
            ++equal;
        } else if (!pair.b.is_zero() && pair.a > pair.b) {
            multiple += (pair.a % pair.b).is_zero();
            multiple_less_one += pair.a % pair.b == pair.b - 1;
            const Integer factor = test::greatest_common_divisor(pair.a, pair.b);
            shared_factor += factor.bit_width() > 32 && factor != pair.b;
        }
        neighbours += abs(pair.a - pair.b) == 1;

        const test::OperandTriple triple = source.triple(bits, bits, bits);
        equals_modulus += triple.a == triple.m;
        square_less_one += triple.m > 3 && triple.a == triple.m * triple.m - 1;
        even_modulus += !triple.m.is_odd();
        modulus_one += triple.m == 1;
        const std::size_t radix_bits = std::size_t((triple.m.bit_width() + 31) / 32 * 32);
        montgomery_one += triple.m.is_odd() && triple.m > 1 &&
                          test::modulo(triple.a << radix_bits, triple.m) == 1;
        top_one += triple.m.bit_width() == 225;
        top_ones += (triple.m >> 224) == test::all_ones(32);

        const Integer exponent = source.exponent(bits, triple.m);
        exponent_zero += exponent.is_zero();
        exponent_all_ones += exponent == test::all_ones(bits);
        exponent_65_bits += exponent.bit_width() == 65;

        const test::DivisionPair division = source.division_pair(bits, 128);
        normalising_shifts.insert((32 - division.divisor.bit_width() % 32) % 32);
        if (division.divisor.bit_width() > 32 && division.dividend.bit_width() > 64) {
            const auto top = [](const Integer &x) {
                const int low = (x.bit_width() - 1) / 32 * 32;
                return x >> std::size_t(low);
            };
            same_top_limb += top(division.dividend) == top(division.divisor);
            const Integer quotient = division.dividend / division.divisor;
            quotient_ones +=
                quotient.bit_width() > 32 && store_unsigned(quotient, 32) == test::all_ones(32);
        }

        const Integer number = source.signed_number(bits);
        extremes += number == -test::power_of_two(bits - 1) || number == test::all_ones(bits - 1) ||
                    number == -1;
    }
    CHECK(equal > 100);
    CHECK(multiple > 100);
    CHECK(multiple_less_one > 100);
    CHECK(neighbours > 100);
    CHECK(shared_factor > 100);
    CHECK(equals_modulus > 100);
    CHECK(square_less_one > 100);
    CHECK(even_modulus > 1000);
    CHECK(modulus_one > 100);
    CHECK(montgomery_one > 100);
    CHECK(top_one > 50);
    CHECK(top_ones > 500);
    CHECK(exponent_zero > 100);
    CHECK(exponent_all_ones > 100);
    CHECK(exponent_65_bits > 100);
    CHECK(same_top_limb > 500);
    CHECK(quotient_ones > 500);
    CHECK(normalising_shifts.size() == 32);
    CHECK(extremes > 1000);
}

TEST_CASE("the same seed gives the same operands") {
    OperandSource first(7), second(7), third(8);
    bool different = false;
    for (int i = 0; i < 100; ++i) {
        const Integer a = first.number(256);
        REQUIRE(a == second.number(256));
        different |= a != third.number(256);
    }
    CHECK(different);
}

TEST_CASE("the oracle follows the law on known values") {
    CHECK(Integer(-7) / Integer(2) == -3);
    CHECK(Integer(-7) % Integer(2) == -1);
    CHECK(test::modulo(Integer(-7), Integer(2)) == 1);
    CHECK((Integer(-7) >> 1) == -4);
    CHECK((Integer(-4) & Integer(6)) == 4);
    CHECK((Integer(-4) | Integer(1)) == -3);
    CHECK((Integer(-4) ^ Integer(-1)) == 3);
    CHECK(~Integer(5) == -6);
    CHECK(test::store_unsigned(Integer(-1), 7) == 127);
    CHECK(test::store_signed(Integer(127), 7) == -1);
    CHECK(test::store_signed(Integer(64), 7) == -64);
    CHECK(test::store_signed(Integer(-65), 7) == 63);
    CHECK(test::power_modulo(Integer(0), Integer(0), Integer(5)) == 1);
    CHECK(test::power_modulo(Integer(0), Integer(0), Integer(1)) == 0);
    CHECK(test::power_modulo(Integer(10), Integer(3), Integer(7)) == 6);
    CHECK(test::power_modulo(Integer(10), Integer(3), Integer(8)) == 0);
    CHECK(Integer("-ff", 16) == -255);
    CHECK(Integer(255).to_string(2) == "11111111");
    CHECK(Integer(~std::uint64_t(0)) == test::all_ones(64));
    CHECK_THROWS_AS(Integer("12x", 10), std::invalid_argument);
}

TEST_CASE("a property that does not hold is caught and shrunk") {
    // Wrong on purpose: the carry out of bit 63 is dropped.
    const test::Property property = [](test::Verdict &verdict, const test::Operands &v) {
        const Integer low = store_unsigned(store_unsigned(v[0], 64) + store_unsigned(v[1], 64), 64);
        verdict.equal("a + b", low + ((v[0] >> 64) << 64) + ((v[1] >> 64) << 64), v[0] + v[1]);
    };
    OperandSource source(1);
    int caught = 0;
    for (int i = 0; i < 1000; ++i) {
        const test::OperandPair pair = source.pair(256, 256);
        const test::Operands operands = {pair.a, pair.b};
        if (test::judge(property, operands).failed()) {
            ++caught;
            const test::Operands small = test::shrink(property, operands);
            REQUIRE(test::judge(property, small).failed());
            REQUIRE(small[0].bit_width() <= 64);
            REQUIRE(small[1].bit_width() <= 64);
        }
    }
    CHECK(caught > 100);
    const test::Property throwing = [](test::Verdict &, const test::Operands &) {
        throw std::runtime_error("on purpose");
    };
    CHECK(test::judge(throwing, {}).failed());
}
