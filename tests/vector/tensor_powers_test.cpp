// SPDX-License-Identifier: Apache-2.0
// Powers in a residue number system, on tensor cores and each by a block, against GMP, in batches
// of any size (tensor_table.h): private and shared operands, moduli that the system cannot have,
// other widths, parts of formulas.
#define WARPINT_TUNING_TABLE "vector/tensor_table.h"

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
using Exponent = BigInt<256>;

// Largest primes below 2^31: some of the bases'.
const Integer a_prime(2147483647);
const Integer another_prime(2147483629);

struct Batch {
    std::vector<Integer> x, e, m;
};

// Operands of all classes; the moduli that have to be computed in another way are among them.
Batch make_batch(std::size_t count) {
    test::OperandSource source(test::property_seed("powers on tensor cores", bits));
    Batch batch;
    for (std::size_t i = 0; i < count; ++i) {
        Integer m = source.modulus(bits);
        if (i % 4 != 0 && !m.is_odd())
            m = m ^ Integer(1);
        batch.m.push_back(m);
        batch.x.push_back(source.related_to_modulus(bits, m));
        batch.e.push_back(source.exponent(40, m));
    }
    const Integer ones = test::all_ones(bits);
    batch.m[0] = ones;
    batch.x[0] = ones;
    batch.e[0] = test::all_ones(40);
    batch.m[1] = test::power_of_two(bits - 1) + 1;
    batch.e[1] = Integer(0);
    batch.m[2] = Integer(3);
    batch.m[3] = Integer(1);
    batch.m[4] = Integer(2);
    batch.m[5] = a_prime;
    batch.m[6] = a_prime * another_prime;
    batch.m[7] = a_prime * (test::power_of_two(900) + 1);
    batch.m[8] = test::power_of_two(bits - 1);
    batch.m[9] = ones - 1;
    batch.m[10] = Integer(5);
    batch.x[10] = ones;
    batch.x[11] = Integer(0);
    batch.e[11] = Integer(1);
    batch.m[12] = test::power_of_two(512) - 569; // short
    batch.x[12] = ones;
    batch.x[13] = batch.m[13] - 1;
    return batch;
}

template <class T>
void check_equal(const char *what, const device_vector<T> &got,
                 const std::vector<Integer> &expected) {
    device_vector<T> values(got);
    const std::vector<bool> mask = values.error_mask();
    values.clear_errors();
    const std::vector<T> numbers = values.to_host();
    REQUIRE(numbers.size() == expected.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        CAPTURE(what);
        CAPTURE(i);
        CAPTURE(test::run_seed());
        // -1 stands for "no value".
        CHECK(mask[i] == (expected[i].sign() < 0));
        CHECK(test::to_integer(numbers[i]) == (expected[i].sign() < 0 ? Integer(0) : expected[i]));
    }
}

template <class Base, class Power, class Mod>
std::vector<Integer> powers(std::size_t count, const Base &x, const Power &e, const Mod &m) {
    std::vector<Integer> expected;
    for (std::size_t i = 0; i < count; ++i)
        expected.push_back(m(i).is_zero() ? Integer(-1) : test::power_modulo(x(i), e(i), m(i)));
    return expected;
}

// The way of a test case.
struct OnTensorCores {
    static constexpr bool spreads = false;
    static constexpr auto elements = &execution::Execution::tensor_elements;
};
struct ByBlocks {
    static constexpr bool spreads = true;
    static constexpr auto elements = &execution::Execution::spread_elements;
};
template <class Way, class Formula>
std::size_t elements_of(const Formula &formula) {
    return explain(formula).*Way::elements;
}

} // namespace

TEST_CASE_TEMPLATE("powers in a residue number system", Way, OnTensorCores, ByBlocks) {
    execution::tuning::spreads_powers = Way::spreads;
    const std::size_t count = static_cast<std::size_t>(test::scaled(30));
    Batch batch = make_batch(count);
    batch.m[14] = Integer(0);
    const auto x = [&](std::size_t i) { return batch.x[i]; };
    const auto e = [&](std::size_t i) { return batch.e[i]; };
    const auto m = [&](std::size_t i) { return batch.m[i]; };
    const auto a = vector_of<Number>(batch.x);
    const auto exponents = vector_of<Exponent>(batch.e);
    auto moduli = vector_of<Number>(batch.m);
    const std::vector<Integer> all = powers(count, x, e, m);

    device_vector<Number> result;

    SUBCASE("numbers of their own") {
        REQUIRE(elements_of<Way>(pow(a, exponents, moduli)) == count);
        const std::size_t before = launch_count();
        result = pow(a, exponents, moduli);
        CHECK(launch_count() - before == 5); // four, and what is left over lanes
        check_equal("everything private", result, all);
    }
    SUBCASE("in place") {
        device_vector<Number> base(a);
        base = pow(base, exponents, moduli);
        check_equal("the base", base, all);
        device_vector<Number> modulus(moduli);
        modulus = pow(a, exponents, modulus);
        check_equal("the modulus", modulus, all);
    }
    SUBCASE("shared operands") {
        const Integer odd = test::power_of_two(1000) + 297;
        const Integer long_exponent = test::all_ones(256) - 12345;
        const Modulus<bits> shared(test::from_integer<Number>(odd));
        const auto one = [&](std::size_t) { return odd; };
        const auto same = [&](std::size_t) { return long_exponent; };
        const auto exponent = test::from_integer<Exponent>(long_exponent);
        REQUIRE(elements_of<Way>(pow(a, exponents, shared)) == count);
        result = pow(a, exponents, shared);
        check_equal("Modulus", result, powers(count, x, e, one));
        result = pow(a, exponents, shared.value());
        check_equal("modulus", result, powers(count, x, e, one));
        REQUIRE(elements_of<Way>(pow(a, exponent, moduli)) == count);
        result = pow(a, exponent, moduli);
        check_equal("exponent", result, powers(count, x, same, m));
        result = pow(a, exponent, shared);
        check_equal("exponent and Modulus", result, powers(count, x, same, one));
        // Of what the system cannot have, and of short exponents, there are no rounds.
        const Modulus<bits> even(test::from_integer<Number>(odd - 1));
        CHECK(elements_of<Way>(pow(a, exponents, even)) == 0);
        CHECK(elements_of<Way>(pow(a, Exponent(65537), moduli)) == 0);
        CHECK(elements_of<Way>(pow(a, 65537, moduli)) == 0);
    }
    SUBCASE("residues") {
        const Integer odd = test::power_of_two(1023) + 1155;
        const Modulus<bits> shared(test::from_integer<Number>(odd));
        const device_vector<Residue<bits>> residues(shared, a);
        device_vector<Residue<bits>> raised;
        REQUIRE(elements_of<Way>(pow(residues, exponents)) == count);
        raised = pow(residues, exponents);
        device_vector<Number> values;
        values = value(raised);
        const auto one = [&](std::size_t) { return odd; };
        check_equal("of one odd modulus", values, powers(count, x, e, one));
        values = value(pow(residues, exponents) * residues);
        std::vector<Integer> expected = powers(count, x, e, one);
        for (std::size_t i = 0; i < count; ++i)
            expected[i] = expected[i] * batch.x[i] % odd;
        check_equal("in a formula", values, expected);
        const Modulus<bits> even(test::from_integer<Number>(odd - 1));
        CHECK(elements_of<Way>(pow(device_vector<Residue<bits>>(even, a), exponents)) == 0);
    }
    SUBCASE("other widths, and views") {
        using Short = BigInt<500>;
        std::vector<Integer> low;
        for (const Integer &each : batch.x)
            low.push_back(each & test::all_ones(500));
        const auto narrow = vector_of<Short>(low);
        const std::vector<Integer> expected =
            powers(count, [&](std::size_t i) { return low[i]; }, e, m);
        device_vector<BigInt<1100>> wide;
        REQUIRE(elements_of<Way>(pow(narrow, exponents, moduli)) == count);
        wide = pow(narrow, exponents, moduli);
        check_equal("narrow bases, wide results", wide, expected);
        // A base that is wider than the modulus is reduced first.
        std::vector<Integer> high;
        for (const Integer &each : batch.x)
            high.push_back(each * each + 1);
        const auto twice = vector_of<BigInt<2 * bits>>(high);
        const Explanation plan = explain(pow(twice, exponents, moduli));
        REQUIRE(plan.before.size() == 1);
        CHECK(plan.*Way::elements == count);
        result = pow(twice, exponents, moduli);
        check_equal("wide bases", result,
                    powers(count, [&](std::size_t i) { return high[i]; }, e, m));
        device_vector<Number> part(count);
        part.view(3, count - 3) =
            pow(a.view(3, count - 3), exponents.view(3, count - 3), moduli.view(3, count - 3));
        std::vector<Integer> behind(3, Integer(0));
        behind.insert(behind.end(), all.begin() + 3, all.end());
        check_equal("views", part, behind);
    }
    SUBCASE("parts of formulas") {
        const Explanation plan = explain(pow(a * a % moduli, exponents, moduli) * a % moduli);
        REQUIRE(plan.before.size() == 2);
        CHECK(plan.before[0].*Way::elements == 0);
        CHECK(plan.before[1].*Way::elements == count);
        result = pow(a * a % moduli, exponents, moduli) * a % moduli;
        std::vector<Integer> expected =
            powers(count, [&](std::size_t i) { return batch.x[i] * batch.x[i]; }, e, m);
        for (std::size_t i = 0; i < count; ++i) {
            if (expected[i].sign() >= 0)
                expected[i] = expected[i] * batch.x[i] % batch.m[i];
        }
        check_equal("a product before and behind", result, expected);
        moduli[14] = Number(7);
        result = pow(a, exponents, moduli);
        CHECK(warpint::count(pow(a, exponents, moduli) == result) == count);
    }
}
