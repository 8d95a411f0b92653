// SPDX-License-Identifier: Apache-2.0
// Products by transforms in formulas against GMP (long_products_table.h: of any width, so that
// emulated blocks are small): widths that do not fill their limbs, squares, low products, in place,
// faults, parts of formulas, and which formulas have other ways.
#define WARPINT_TUNING_TABLE "vector/long_products_table.h"

#include "support/batches.h"
#include "support/oracle.h"
#include "support/property.h"

#include <ostream>

#include <doctest/doctest.h>
#include <warpint/vector.h>

#include <vector>

using namespace warpint;
using test::Integer;
using test::vector_of;

namespace {

constexpr int bits = 1024;
using Number = BigInt<bits>;
constexpr auto block = execution::KernelFamily::block_per_number;

// Numbers of these bits, the extreme ones among them.
std::vector<Integer> draw(const char *name, int width, std::size_t count) {
    test::OperandSource source(test::property_seed(name, width));
    std::vector<Integer> numbers{test::all_ones(width), Integer(0), Integer(1),
                                 test::power_of_two(width - 1)};
    while (numbers.size() < count)
        numbers.push_back(source.number(width));
    return numbers;
}

template <class Of>
std::vector<Integer> expected(std::size_t count, const Of &of) {
    std::vector<Integer> values;
    for (std::size_t i = 0; i < count; ++i)
        values.push_back(of(i));
    return values;
}

template <class T>
void check_equal(const char *what, const device_vector<T> &got,
                 const std::vector<Integer> &expected) {
    const std::vector<T> numbers = got.to_host();
    REQUIRE(numbers.size() == expected.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        CAPTURE(what);
        CAPTURE(i);
        CAPTURE(test::run_seed());
        CHECK(test::to_integer(numbers[i]) == expected[i]);
    }
}

template <int bits_a, int bits_b>
void check_widths(std::size_t count) {
    CAPTURE(bits_a);
    CAPTURE(bits_b);
    const std::vector<Integer> x = draw("a", bits_a, count);
    std::vector<Integer> y = draw("b", bits_b, count);
    std::swap(y[0], y[count - 1]);
    const auto a = vector_of<BigInt<bits_a>>(x);
    const auto b = vector_of<BigInt<bits_b>>(y);
    CHECK(explain(a * b).family == block);
    const std::size_t before = launch_count();
    const device_vector<BigInt<bits_a + bits_b>> product = a * b;
    CHECK(launch_count() - before == 1);
    check_equal("product", product, expected(count, [&](std::size_t i) { return x[i] * y[i]; }));
    const device_vector<BigInt<2 * bits_a>> square = a * a;
    check_equal("square", square, expected(count, [&](std::size_t i) { return x[i] * x[i]; }));
    const auto low_product = eval(mul_low(a, b));
    constexpr int wider = bits_a < bits_b ? bits_b : bits_a;
    CHECK(explain(mul_low(a, b)).family == block);
    check_equal("mul_low", low_product, expected(count, [&](std::size_t i) {
                    return test::store_unsigned(x[i] * y[i], wider);
                }));
    CHECK((explain(mul_high(a, b)).family == block) == (bits_b % 32 == 0));
    const device_vector<BigInt<bits_a>> high = mul_high(a, b);
    check_equal("mul_high", high,
                expected(count, [&](std::size_t i) { return x[i] * y[i] >> bits_b; }));
    constexpr int low = bits_a + bits_b / 2;
    const device_vector<BigInt<low>> cut = a * b;
    check_equal("low product", cut, expected(count, [&](std::size_t i) {
                    return test::store_unsigned(x[i] * y[i], low);
                }));
}

} // namespace

TEST_CASE("products by transforms") {
    const std::size_t count = static_cast<std::size_t>(test::scaled(8));
    check_widths<bits, bits>(count);
    check_widths<1000, 500>(count);
    check_widths<8200, 100>(5);
}

TEST_CASE("products that have no other way") {
    constexpr int long_bits = 131072;
    const std::size_t count = 5;
    const std::vector<Integer> x = draw("a", long_bits, count);
    const auto a = vector_of<BigInt<long_bits>>(x);
    const Explanation plan = explain(a * a);
    CHECK(plan.family == block);
    CHECK(plan.workspace_bytes > 0);
    const device_vector<BigInt<2 * long_bits>> square = a * a;
    check_equal("square", square, expected(count, [&](std::size_t i) { return x[i] * x[i]; }));
    const auto b = vector_of<BigInt<long_bits>>({x[4], x[0], x[3], x[2], x[0]});
    const device_vector<BigInt<2 * long_bits>> product = a * b;
    check_equal("product", product,
                {x[0] * x[4], x[1] * x[0], x[2] * x[3], x[3] * x[2], x[4] * x[0]});
}

TEST_CASE("products by transforms in formulas") {
    const std::size_t count = static_cast<std::size_t>(test::scaled(40));
    const std::vector<Integer> x = draw("a", bits, count);
    const std::vector<Integer> y = draw("b", bits, count);
    const auto a = vector_of<Number>(x);
    const auto b = vector_of<Number>(y);

    SUBCASE("in place") {
        device_vector<Number> c(a);
        c = c * b;
        check_equal("low product", c, expected(count, [&](std::size_t i) {
                        return test::store_unsigned(x[i] * y[i], bits);
                    }));
        device_vector<Number> d(b);
        d = a * d;
        check_equal("by the second factor", d, expected(count, [&](std::size_t i) {
                        return test::store_unsigned(x[i] * y[i], bits);
                    }));
    }
    SUBCASE("elements without a value") {
        const device_vector<Number> quotient = a / b; // b[1] is 0
        const device_vector<BigInt<2 * bits>> product = quotient * a;
        const std::vector<bool> mask = product.error_mask();
        for (std::size_t i = 0; i < count; ++i)
            CHECK(mask[i] == y[i].is_zero());
        device_vector<BigInt<2 * bits>> values(product);
        values.clear_errors();
        check_equal("with faults", values, expected(count, [&](std::size_t i) {
                        return y[i].is_zero() ? Integer(0) : x[i] / y[i] * x[i];
                    }));
    }
    SUBCASE("steps") {
        const Explanation sum = explain(a * b + a);
        REQUIRE(sum.before.size() == 1);
        CHECK(sum.before[0].family == block);
        CHECK(sum.family != block);
        const device_vector<BigInt<2 * bits + 1>> stored = a * b + a;
        check_equal("a sum", stored,
                    expected(count, [&](std::size_t i) { return x[i] * y[i] + x[i]; }));
        const device_vector<BigInt<2 * bits + 1>> of_sum = (a + b) * b;
        check_equal("of a sum", of_sum,
                    expected(count, [&](std::size_t i) { return (x[i] + y[i]) * y[i]; }));
        Integer total(0);
        for (std::size_t i = 0; i < count; ++i)
            total = total + x[i] * y[i];
        CHECK(test::to_integer(warpint::sum(a * b)) == total);
    }
    SUBCASE("signed numbers") {
        using Signed = SignedBigInt<1000>;
        const device_vector<Signed> s = as<Signed>(a);
        const auto of = [&](std::size_t i) { return test::store_signed(x[i], 1000); };
        CHECK(explain(s * b).family == block);
        const auto mixed = eval(s * b);
        check_equal("by an unsigned one", mixed,
                    expected(count, [&](std::size_t i) { return of(i) * y[i]; }));
        const auto square = eval(s * s);
        check_equal("square", square,
                    expected(count, [&](std::size_t i) { return of(i) * of(i); }));
        const device_vector<SignedBigInt<1003>> low = s * b;
        check_equal("low product", low, expected(count, [&](std::size_t i) {
                        return test::store_signed(of(i) * y[i], 1003);
                    }));
        const device_vector<BigInt<900>> unsigned_low = s * b;
        check_equal("unsigned low product", unsigned_low, expected(count, [&](std::size_t i) {
                        return test::store_unsigned(of(i) * y[i], 900);
                    }));
        const device_vector<Signed> high = mul_high(s, b);
        check_equal("mul_high", high, expected(count, [&](std::size_t i) {
                        return test::to_integer(mul_high(test::from_integer<Signed>(of(i)),
                                                         test::from_integer<Number>(y[i])));
                    }));
    }
    SUBCASE("other ways") {
        const Number constant = test::from_integer<Number>(y[4]);
        const device_vector<BigInt<2 * bits>> scaled = a * constant;
        CHECK(explain(a * constant).family != block);
        check_equal("by a constant", scaled,
                    expected(count, [&](std::size_t i) { return x[i] * y[4]; }));
    }
}
