// SPDX-License-Identifier: Apache-2.0
// Inverses of batches modulo one modulus, which are computed together, against GMP: prime,
// composite and even moduli and 1; elements without an inverse or a value beside others; in place;
// numbers and residues; sizes around rows and blocks.
#include "support/batches.h"
#include "support/property.h"
#include "support/spaces.h"
#include "vector/inverse_oracle.h"

#include <ostream>

#include <doctest/doctest.h>
#include <warpint/vector.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace warpint;
using test::Expected;
using test::first_other;
using test::from_integer;
using test::Integer;
using test::inverse_of;
using test::to_integer;

namespace {

/// A batch that a GPU inverts together.
std::size_t test_batch(int bits) {
    return device_info().gpu ? execution::tuning::min_bulk_inverses(bits) : 65536;
}

// The index of the first element of `got` that is not the inverse of x[i] modulo m, or what
// change(inverse, i) makes of it, or is flagged wrongly; -1 if there is none. Element `lost`, if
// any, has no value.
struct NoChange {
    Integer operator()(const Integer &inverse, std::size_t) const { return inverse; }
};
template <class Vector, class Change = NoChange>
long first_wrong(Vector got, const std::vector<Integer> &x, const Integer &m, std::size_t lost,
                 const Change &change = {}) {
    const std::vector<bool> mask = got.error_mask();
    got.clear_errors();
    const auto values = got.to_host();
    if (values.size() != x.size())
        return static_cast<long>(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
        Integer wanted;
        bool exists = m == Integer(1) || mpz_invert(wanted.raw(), x[i].raw(), m.raw()) != 0;
        exists = exists && i != lost;
        wanted = exists ? change(test::modulo(wanted, m), i) : Integer(0);
        if (to_integer(values[i]) != wanted || mask[i] == exists)
            return static_cast<long>(i);
    }
    return -1;
}

template <class S, int Bits>
void check_inverses(const Integer &m, std::size_t size) {
    using Vector = typename S::template vector<BigInt<Bits>>;
    test::OperandSource source(test::property_seed("bulk inverses", Bits));
    std::vector<Integer> x;
    std::vector<BigInt<Bits>> numbers, divisors;
    const std::size_t lost = size / 2, none = ~std::size_t{0};
    const std::size_t distinct = 1000; // GMP is asked for every one
    const Integer factors[] = {Integer(65521), Integer(65537), test::power_of_two(61) - 1,
                               test::power_of_two(64) - 59};
    for (std::size_t i = 0; i < size; ++i) {
        x.push_back(i >= distinct   ? x[i - distinct]
                    : i % 200 == 77 ? Integer(0)
                    : i % 200 == 78 ? m
                    : i % 20 == 5
                        ? test::store_unsigned(factors[i / 20 % 4] * source.number(60), Bits)
                        : source.number(Bits));
        numbers.push_back(from_integer<BigInt<Bits>>(x[i]));
        divisors.push_back(BigInt<Bits>(i == lost ? 0u : 1u));
    }
    CAPTURE(Bits);
    CAPTURE(m);
    CAPTURE(size);
    const BigInt<Bits> plain = from_integer<BigInt<Bits>>(m);
    const Modulus<Bits> modulus(plain);
    const Vector a(numbers), d(divisors);
    Vector r = inverse(a, plain);
    CHECK(first_wrong(r, x, m, none) == -1);
    r = inverse(a / d, modulus);
    CHECK(first_wrong(r, x, m, lost) == -1);
    r = a;
    r = inverse(r, modulus); // in place
    CHECK(first_wrong(r, x, m, none) == -1);
    // Inside a formula.
    const Vector zeros(size, BigInt<Bits>(0u));
    r = inverse(a, modulus) | zeros;
    CHECK(first_wrong(r, x, m, none) == -1);
    r = inverse(a / d, modulus) | zeros;
    CHECK(first_wrong(r, x, m, lost) == -1);
    // Times a number.
    std::vector<BigInt<Bits>> numerators(numbers.rbegin(), numbers.rend());
    const Vector b(numerators);
    const BigInt<Bits> three(3u);
    const auto product = [&](const Integer &y, std::size_t i) {
        return modulo(y * to_integer(numerators[i]), m);
    };
    r = inverse(a, modulus) * b % modulus;
    CHECK(first_wrong(r, x, m, none, product) == -1);
    r = b * inverse(a, plain) % modulus;
    CHECK(first_wrong(r, x, m, none, product) == -1);
    r = b / d * inverse(a, modulus) % plain;
    CHECK(first_wrong(r, x, m, lost, product) == -1);
    r = mulmod(b, inverse(a / d, plain), plain) | zeros;
    CHECK(first_wrong(r, x, m, lost, product) == -1);
    r = b;
    r = inverse(a, modulus) * r % modulus; // in place
    CHECK(first_wrong(r, x, m, none, product) == -1);
    r = inverse(a, modulus) * b % three; // another modulus
    CHECK(first_wrong(r, x, m, none, [&](const Integer &y, std::size_t i) {
              return modulo(y * to_integer(numerators[i]), Integer(3));
          }) == -1);
    r = inverse(a, modulus) * inverse(a, plain) % modulus; // of two inverses
    CHECK(first_wrong(r, x, m, none,
                      [&](const Integer &y, std::size_t) { return modulo(y * y, m); }) == -1);
    typename S::template vector<BigInt<2 * Bits>> exact = inverse(a, modulus) * b;
    CHECK(first_wrong(exact, x, m, none, [&](const Integer &y, std::size_t i) {
              return y * to_integer(numerators[i]);
          }) == -1);
    // Negative and wider operands.
    std::vector<Integer> opposite;
    for (const Integer &number : x)
        opposite.push_back(-number);
    r = inverse(-a, modulus);
    CHECK(first_wrong(r, opposite, m, none) == -1);
    const typename S::template vector<Residue<Bits>> residues(modulus, a);
    auto inverses = eval(inverse(residues));
    const std::vector<bool> mask = inverses.error_mask();
    r = value(inverses);
    CHECK(r.error_mask() == mask);
    CHECK(first_wrong(r, x, m, none) == -1);
    // Stored wider.
    typename S::template vector<BigInt<Bits + 64>> wide;
    wide = inverse(a, modulus);
    CHECK(first_wrong(wide, x, m, none) == -1);
}

} // namespace

TEST_CASE_TEMPLATE("inverses modulo one modulus", S, test::OnDevice) {
    const Integer prime = test::power_of_two(127) - 1;
    const Integer composite("15511210043330985984000000", 10);
    for (const std::size_t size : {1u, 31u, 33u, 256u, 300u, 2000u})
        check_inverses<S, 127>(prime, size);
    check_inverses<S, 127>(composite, 1000);
    check_inverses<S, 127>(composite + 1, 1000);
    check_inverses<S, 127>(test::power_of_two(126), 1000);
    check_inverses<S, 127>(Integer(1), 300); // where faults of operands are the only ones
    check_inverses<S, 127>(composite * 3 + 6, 1000);
    // Factors that are too large to be left out one by one: products of a prime of 62 bits and one
    // of 64, of 17 bits, and of 16.
    const Integer large = test::power_of_two(61) - 1;
    check_inverses<S, 127>(large * (test::power_of_two(64) - 59), 1000);
    check_inverses<S, 127>(large * large, 1000);
    check_inverses<S, 127>(large * 65537 * 6, 1000);
    check_inverses<S, 127>(large * 65521, 1000);
    check_inverses<S, 127>(large * 65537 * test::power_of_two(35), 1000);
    // Many small factors; two just above 2^16, of which many elements have one.
    Integer many_factors(1);
    for (const unsigned p : {3u, 5u, 7u, 11u, 13u, 17u, 4093u, 4099u, 8209u, 16411u, 65519u})
        many_factors = many_factors * Integer(p);
    check_inverses<S, 127>(many_factors, 1000);
    check_inverses<S, 127>(Integer(65537) * 65539 * large, 1000);
    // Large enough for GPUs to go together; the last row is not full.
    const std::size_t large_batch = test_batch(127);
    check_inverses<S, 127>(Integer(65537) * 65539 * large, large_batch + 4464);
    check_inverses<S, 127>(large * 65537 * 6, large_batch + 464);
    check_inverses<S, 127>(prime, large_batch + 4465);
    check_inverses<S, 127>(composite + 1, large_batch + 464);
    const device_vector<BigInt<127>> many(large_batch, BigInt<127>(5u));
    const Modulus<127> m(from_integer<BigInt<127>>(prime));
    CHECK(explain(inverse(many, m)).reason.find("one inversion for many") != std::string::npos);
    CHECK(explain(inverse(many, many)).reason.find("one inversion for many") == std::string::npos);
    const device_vector<BigInt<127>> a(10, BigInt<127>(5u));
    CHECK(eval(inverse(a, 0u)).error_mask() == std::vector<bool>(10, true));
}

namespace {

// The element of GMP's, or no value.
// Inverses inside formulas: what they are of, what is computed with them, and several of them.
template <class S, int Bits>
void check_formulas(const Integer &m, std::size_t size) {
    using Vector = typename S::template vector<BigInt<Bits>>;
    test::OperandSource source(test::property_seed("inverses inside formulas", Bits));
    const std::size_t distinct = 500;
    std::vector<Integer> x, y;
    std::vector<BigInt<Bits>> xs, ys;
    for (std::size_t i = 0; i < size; ++i) {
        x.push_back(i < distinct ? i % 100 == 13 ? Integer(0) : source.number(Bits)
                                 : x[i - distinct]);
        y.push_back(i < distinct ? i % 100 == 57 ? m : source.number(Bits) : y[i - distinct]);
        xs.push_back(from_integer<BigInt<Bits>>(x[i]));
        ys.push_back(from_integer<BigInt<Bits>>(y[i]));
    }
    const auto expected = [&](const auto &f) {
        std::vector<Expected> all;
        for (std::size_t i = 0; i < size; ++i)
            all.push_back(i < distinct ? f(x[i], y[i]) : all[i - distinct]);
        return all;
    };
    CAPTURE(Bits);
    CAPTURE(m);
    CAPTURE(size);
    const Modulus<Bits> modulus(from_integer<BigInt<Bits>>(m));
    const Vector a(xs), b(ys);
    Vector r = inverse(a, modulus) * b % modulus;
    const auto quotient = expected([&](const Integer &u, const Integer &v) {
        const Expected one = inverse_of(u, m);
        return Expected{test::modulo(one.value * v, m), one.exists};
    });
    CHECK(first_other(r, quotient) == -1);
    r = b;
    r = inverse(a, modulus) * r % modulus; // in place
    CHECK(first_other(r, quotient) == -1);
    r = a;
    r = inverse(r, modulus) * b % modulus;
    CHECK(first_other(r, quotient) == -1);
    // Two that are side by side, and one of the other.
    r = (inverse(a, modulus) + inverse(b, modulus)) % modulus;
    CHECK(first_other(r, expected([&](const Integer &u, const Integer &v) {
                          const Expected one = inverse_of(u, m), other = inverse_of(v, m);
                          return Expected{test::modulo(one.value + other.value, m),
                                          one.exists && other.exists};
                      })) == -1);
    r = inverse(inverse(a, modulus) + b, modulus) - 0;
    CHECK(first_other(r, expected([&](const Integer &u, const Integer &v) {
                          const Expected one = inverse_of(u, m);
                          const Expected whole = inverse_of(one.value + v, m);
                          return Expected{whole.value, one.exists && whole.exists};
                      })) == -1);
    // A name for it; faults of other operands; two results; a wider and a narrower target.
    r = let(inverse(a, modulus), [](auto i) { return i * i + i; }) % modulus;
    CHECK(first_other(r, expected([&](const Integer &u, const Integer &) {
                          const Expected one = inverse_of(u, m);
                          return Expected{test::modulo(one.value * one.value + one.value, m),
                                          one.exists};
                      })) == -1);
    r = inverse(a, modulus) / b;
    CHECK(first_other(r, expected([&](const Integer &u, const Integer &v) {
                          const Expected one = inverse_of(u, m);
                          if (v == 0)
                              return Expected{Integer(0), false};
                          return Expected{one.value / v, one.exists};
                      })) == -1);
    Vector rest;
    tie(r, rest) = divmod(inverse(a, modulus), b);
    CHECK(first_other(rest, expected([&](const Integer &u, const Integer &v) {
                          const Expected one = inverse_of(u, m);
                          if (v == 0)
                              return Expected{Integer(0), false};
                          return Expected{test::modulo(one.value, v), one.exists};
                      })) == -1);
    typename S::template vector<BigInt<2 * Bits>> wide = inverse(a, modulus) * b;
    CHECK(first_other(wide, expected([&](const Integer &u, const Integer &v) {
                          const Expected one = inverse_of(u, m);
                          return Expected{one.value * v, one.exists};
                      })) == -1);
    typename S::template vector<bool> odd = test_bit(inverse(a, modulus), 0);
    CHECK(first_other(odd, expected([&](const Integer &u, const Integer &) {
                          const Expected one = inverse_of(u, m);
                          return Expected{test::modulo(one.value, Integer(2)), one.exists};
                      })) == -1);
    // Residues.
    const typename S::template vector<Residue<Bits>> p(modulus, a), q(modulus, b);
    r = value(q / p + 1);
    CHECK(first_other(r, expected([&](const Integer &u, const Integer &v) {
                          const Expected one = inverse_of(u, m);
                          return Expected{test::modulo(one.value * v + 1, m), one.exists};
                      })) == -1);
    r = value(inverse(p) * inverse(q));
    CHECK(first_other(r, expected([&](const Integer &u, const Integer &v) {
                          const Expected one = inverse_of(u, m), other = inverse_of(v, m);
                          return Expected{test::modulo(one.value * other.value, m),
                                          one.exists && other.exists};
                      })) == -1);
}

} // namespace

TEST_CASE_TEMPLATE("inverses modulo one modulus inside formulas", S, test::OnDevice) {
    const Integer prime = test::power_of_two(127) - 1;
    const Integer composite("15511210043330985984000000", 10);
    for (const std::size_t size : {1u, 33u, 255u, 257u, 1000u, unsigned(test_batch(127)) + 4465}) {
        check_formulas<S, 127>(prime, size);
        check_formulas<S, 127>(composite + 1, size);
    }
    check_formulas<S, 127>(composite, 600);
    check_formulas<S, 256>(test::power_of_two(256) - 189, test_batch(256) + 464);
    const device_vector<BigInt<127>> many(test_batch(127), BigInt<127>(5u));
    const Modulus<127> m(from_integer<BigInt<127>>(prime));
    // On a GPU it is a step of its own.
    const auto is_together = [&](const auto &formula) {
        const Explanation all = explain(formula);
        CHECK(all.before.size() == (many.location().on_gpu() ? 1 : 0));
        const Explanation &step = all.before.empty() ? all : all.before[0];
        return step.reason.find("one inversion for many") != std::string::npos;
    };
    CHECK(is_together(inverse(many, m) * many % m));
    CHECK(is_together(let(inverse(many, m), [](auto i) { return i * i; })));
    CHECK(is_together(pow(inverse(many, m), many, m)));
}

TEST_CASE("inverses of residues with the modulus in their type") {
    using F = StaticResidue<BigInt<128>(0u) - 159>; // prime
    using G = StaticResidue<BigInt<96>(1000003u)>;
    const auto check = [](auto zero) {
        using R = decltype(zero);
        const std::size_t size = test_batch(R::bits);
        const device_vector<BigInt<R::bits>> a = indices(size);
        const device_vector<R> x = a;
        auto y = eval(inverse(x));
        CHECK_FALSE(y.error_mask() == std::vector<bool>(size, false));
        CHECK(y.error_mask()[0]);
        y.clear_errors();
        CHECK(count(y * x == 1) == size - 1);
        CHECK(y[0] == 0);
    };
    check(G{});
    check(F{});
    // Composite: as many inverses as gcd says.
    using H = StaticResidue<BigInt<96>(3u * 65537u * 1009u)>;
    const device_vector<BigInt<96>> a = indices(test_batch(96));
    const device_vector<H> x = a;
    auto y = eval(inverse(x));
    const std::vector<bool> mask = y.error_mask();
    const auto divisors = eval(gcd(a, 3u * 65537u * 1009u)).to_host();
    for (std::size_t i = 0; i < mask.size(); ++i)
        REQUIRE(mask[i] == (divisors[i] != 1));
    y.clear_errors();
    CHECK(count(y * x == 1) == std::count(mask.begin(), mask.end(), false));
}
