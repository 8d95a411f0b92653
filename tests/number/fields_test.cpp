// SPDX-License-Identifier: Apache-2.0
// extract_bits and insert_bits against the law in unbounded integers: fields in, beyond and around
// numbers of many widths, signed and unsigned.

#include "support/oracle.h"
#include "support/property.h"

#include <warpint/bigint.h>

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

namespace {

using test::check_property;
using test::from_integer;
using test::Integer;
using test::is_signed_number;
using test::Operands;
using test::OperandSource;
using test::store_unsigned;
using test::to_integer;
using test::Verdict;
using warpint::BigInt;
using warpint::extract_bits; // for Clang 14, which does not find templates by their arguments
using warpint::SignedBigInt;

// Positions and counts of any types: what does not fit an int lies beyond every number.
using namespace warpint::literals;
constexpr BigInt<100> unit = 1, abc = 0xabc;
constexpr SignedBigInt<100> below_zero = -2;
constexpr unsigned long long distant = 1ull << 40;
constexpr auto turns = 100 * distant + 3;
static_assert(test_bit(abc, BigInt<64>(3)) && test_bit(abc, 3_bi) && !test_bit(unit, distant));
static_assert(!test_bit(unit, BigInt<512>(1) << 500) && test_bit(below_zero, distant));
static_assert(set_bit(unit, 5ull) == 33 && set_bit(unit, distant) == 1);
static_assert(set_bit(unit, BigInt<8>(0), false) == 0);
static_assert(rotl(unit, turns) == 8 && rotr(BigInt<100>(8), turns) == 1);
static_assert(rotl(BigInt<100>(8), -3ll) == 1 && rotr(unit, SignedBigInt<77>(-3)) == 8);
static_assert(extract_bits(abc, 4ull, 4) == 0xb && extract_bits(abc, 4, BigInt<99>(4)) == 0xb);
static_assert(extract_bits(abc, distant, 4) == 0 && extract_bits(abc, 4, distant) == 0xab);
static_assert(extract_bits<4>(abc, 4_bi) == 0xb && extract_bits<4>(abc, distant) == 0);
static_assert(insert_bits(BigInt<100>(0), 7, 4ull, 2ull) == 0x30);
static_assert(insert_bits(unit, 7, distant, 2) == 1);
// An unsigned one of 32 bits that an int does not hold is not a negative one.
constexpr std::uint32_t most = 0xffffffff;
static_assert(rotl(unit, most) == BigInt<100>(1) << 95 && rotr(unit, most) == 32);
static_assert(extract_bits(abc, 4u, most) == 0xab && extract_bits(below_zero, most, 4) == 15);
static_assert(extract_bits<4>(below_zero, most) == 15 && test_bit(below_zero, most));
static_assert(insert_bits(BigInt<100>(0xff1), 7, 4, most) == 0x71 &&
              insert_bits(unit, 7, most, most) == 1);
static_assert(set_bit(unit, most) == 1);

/// Bits [position, position + count) of the infinite two's complement form.
Integer field(const Integer &a, int position, int count) {
    if (position < 0 || count <= 0)
        return Integer(0);
    return store_unsigned(a >> std::size_t(position), count);
}

template <typename A>
void check_fields(long count) {
    const auto draw = [](OperandSource &source) -> Operands {
        const auto place = [&source] {
            return Integer(source.below(A::bits + 80) - (source.one_in(8) ? 40 : 0));
        };
        return {is_signed_number<A> ? source.signed_number(A::bits) : source.number(A::bits),
                place(), place(), source.signed_number(100)};
    };
    check_property("fields", A::bits, count, draw, [](Verdict &verdict, const Operands &v) {
        const A a = from_integer<A>(v[0]);
        const int position = static_cast<int>(v[1].to_long());
        const int length = static_cast<int>(v[2].to_long());
        const Integer expected = test::stored<A>(field(v[0], position, length));
        const A extracted = extract_bits(a, position, length);
        verdict.equal("extract_bits", to_integer(extracted), expected);
        verdict.equal("extract_bits<1>", to_integer(extract_bits<1>(a, position)),
                      field(v[0], position, 1));
        verdict.equal("extract_bits<40>", to_integer(extract_bits<40>(a, position)),
                      field(v[0], position, 40));
        verdict.equal("extract_bits<Bits + 33>",
                      to_integer(extract_bits<A::bits + 33>(a, position)),
                      field(v[0], position, A::bits + 33));

        const auto with_field = [&](const Integer &value) {
            if (position < 0 || length <= 0)
                return v[0];
            const Integer hole = test::all_ones(length) << std::size_t(position);
            return test::stored<A>((v[0] & ~hole) |
                                   (store_unsigned(value, length) << std::size_t(position)));
        };
        const auto wide = from_integer<SignedBigInt<100>>(v[3]);
        verdict.equal("insert_bits", to_integer(insert_bits(a, wide, position, length)),
                      with_field(v[3]));
        verdict.equal("insert_bits of a built-in integer",
                      to_integer(insert_bits(a, -5, position, length)), with_field(Integer(-5)));
        verdict.equal("insert_bits of the number itself",
                      to_integer(insert_bits(a, a, position, length)), with_field(v[0]));
        verdict.equal("insert_bits of what extract_bits gave",
                      to_integer(insert_bits(a, extracted, position, length)), v[0]);
        A target = a; // the result may be an operand
        target = insert_bits(target, target, position, length);
        verdict.equal("x = insert_bits(x, x)", to_integer(target), with_field(v[0]));
        target = extract_bits(a, position, length);
        verdict.equal("abs of a field", to_integer(abs(target)), abs(expected));
    });
}

} // namespace

TEST_CASE("fields, against the law") {
    const auto check = []<int... Widths>(std::integer_sequence<int, Widths...>) {
        (check_fields<BigInt<Widths>>(Widths > 1000 ? 1000 : 4000), ...);
        (check_fields<SignedBigInt<Widths>>(Widths > 1000 ? 1000 : 4000), ...);
    };
    check(std::integer_sequence<int, 1, 7, 32, 33, 64, 131, 521, 2048>());
}

TEST_CASE("fields far outside the number") {
    constexpr int far = std::numeric_limits<int>::max();
    const BigInt<100> x = 12345;
    const SignedBigInt<100> y = -12345;
    CHECK(extract_bits(x, far, far) == 0);
    CHECK(extract_bits(y, far, far) == -1);
    CHECK(extract_bits(y, far, 3) == 7);
    CHECK(extract_bits(y, 0, far) == y);
    CHECK(extract_bits(y, 1, 100) == y >> 1);
    CHECK(extract_bits(x, -1, far) == 0);
    CHECK(extract_bits(y, -far - 1, 3) == 0);
    CHECK(extract_bits(y, 3, -far - 1) == 0);
    CHECK(extract_bits<40>(x, far) == 0);
    CHECK(extract_bits<40>(y, far) == (BigInt<40>(0) - 1));
    CHECK(extract_bits<40>(y, -far - 1) == 0);
    CHECK(insert_bits(x, 0, far, far) == x);
    CHECK(insert_bits(x, 0, -far - 1, far) == x);
    CHECK(insert_bits(x, 0, 0, far) == 0);
    CHECK(insert_bits(y, -1, 99, far) == y);
    CHECK(insert_bits(y, 0, 99, far) == y + (BigInt<99>(1) << 98) * 2);
}

TEST_CASE("types and constant expressions of fields") {
    static_assert(
        std::is_same_v<SignedBigInt<64>, decltype(extract_bits(SignedBigInt<64>(), 1, 2))>);
    static_assert(std::is_same_v<BigInt<9>, decltype(extract_bits<9>(SignedBigInt<64>(), 1))>);
    static_assert(extract_bits<8>(BigInt<100>(0xabcdef), 8) == 0xcd);
    static_assert(insert_bits(BigInt<100>(0xabcdef), 0x12, 8, 8) == 0xab12ef);
}
