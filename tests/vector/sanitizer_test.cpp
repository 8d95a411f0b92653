// SPDX-License-Identifier: Apache-2.0
// Everything of plain numbers that has assembly or works on raw storage, built under the address
// and undefined behaviour sanitizers: sums, products, squares, divisions, shifts, comparisons,
// powers, text and bytes, from registers to recursive algorithms. The address sanitizer takes
// registers away from assembly, so that building this is part of the test.
#include "support/number_source.h"
#include "support/oracle.h"
#include "support/property.h"

#include <warpint/bigint.h>
#include <warpint/modular.h>

#include <doctest/doctest.h>

#include <vector>

namespace {

using test::from_integer;
using test::Integer;
using test::to_integer;
using warpint::BigInt;

Integer square_root(const Integer &x) {
    Integer root;
    mpz_sqrt(root.raw(), x.raw());
    return root;
}

template <int Bits>
void check_width() {
    using Number = BigInt<Bits>;
    test::NumberSource source(test::property_seed("sanitizers", Bits));
    const Integer range = test::power_of_two(Bits);
    for (int round = 0; round < 20; ++round) {
        const Integer x = source.number(Bits);
        const Integer y = test::at_least_one(source.number(Bits));
        const int k = source.below(Bits + 2);
        CAPTURE(x);
        CAPTURE(y);
        // On the heap, where the sanitizer watches both ends.
        const std::vector<Number> in = {from_integer<Number>(x), from_integer<Number>(y)};
        const Number &a = in[0];
        const Number &b = in[1];
        CHECK(to_integer(a + b) == test::modulo(x + y, range));
        CHECK(to_integer(a - b) == test::modulo(x - y, range));
        CHECK(to_integer(a * b) == x * y);
        CHECK(to_integer(sqr(a)) == x * x);
        CHECK(to_integer(mul_low(a, b)) == test::modulo(x * y, range));
        CHECK(to_integer(mul_high(a, b)) == (x * y) >> Bits);
        CHECK(to_integer(a / b) == x / y);
        CHECK(to_integer(a % b) == x % y);
        CHECK(to_integer(a * b / b) == x);
        CHECK(to_integer(a << k) == test::modulo(x << k, range));
        CHECK(to_integer(a >> k) == x >> k);
        CHECK((a < b) == (x < y));
        CHECK((a == b) == (x == y));
        CHECK(to_integer(pow(a, 5)) == test::modulo(x * x * x * x * x, range));
        CHECK(to_integer(isqrt(a)) == square_root(x));
        CHECK(Number::parse(to_string(a)) == a);
        CHECK(Number::parse(to_string(a, 16), 16) == a);
        const auto bytes = to_bytes(a, std::endian::big);
        CHECK(Number::from_bytes(bytes, std::endian::big) == a);
        if constexpr (Bits <= 2048)
            CHECK(to_integer(pow(a, b, b)) == test::power_modulo(x, y, y));
        Number c = a;
        c *= c;
        const Number &same = c;
        c -= same;
        CHECK(c == 0);
    }
}

TEST_CASE("plain numbers under the sanitizers") {
    check_width<131>();
    check_width<512>();
    check_width<2048>();
    check_width<8192>();
}

} // namespace
