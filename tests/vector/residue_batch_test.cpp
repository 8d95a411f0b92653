// SPDX-License-Identifier: Apache-2.0
// Residues in vectors against GMP: residues of a Modulus (odd, even, 1) and of moduli in the type;
// chains that stay in the form, conversions inside formulas, powers, inverses, different moduli.
#include "support/batches.h"
#include "support/property.h"
#include "support/spaces.h"

#include <ostream>

#include <doctest/doctest.h>
#include <warpint/vector.h>

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <vector>

using namespace warpint;
using test::from_integer;
using test::Integer;
using test::Number;
using test::to_integer;

namespace {

template <class S, class T>
using vector_in = typename S::template vector<T>;

template <class T>
std::vector<T> numbers_of(const std::vector<Integer> &values) {
    std::vector<T> numbers;
    for (const Integer &value : values)
        numbers.push_back(from_integer<T>(value));
    return numbers;
}

// The index of the first element that is not the expected one; -1 if there is none.
template <class Vector>
long first_wrong(const Vector &got, const std::vector<Integer> &expected) {
    const auto values = got.to_host();
    if (values.size() != expected.size())
        return static_cast<long>(expected.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (to_integer(values[i]) != expected[i])
            return static_cast<long>(i);
    }
    return -1;
}

// Formulas of residues x = a, y = b modulo m; make(numbers) makes the vector of residues. every:
// not only those that differ between kinds of residues.
template <class S, int Bits, bool every, class Make>
void check_formulas(const Integer &m, const Make &make) {
    test::OperandSource source(test::property_seed("batches of residues", Bits));
    std::vector<Integer> p, q;
    for (int i = 0; i < 75; ++i) {
        p.push_back(i < 2 ? test::all_ones(Bits) : source.number(Bits));
        q.push_back(source.number(Bits));
    }
    CAPTURE(Bits);
    CAPTURE(m);
    CAPTURE(test::run_seed());
    const vector_in<S, BigInt<Bits>> a(numbers_of<BigInt<Bits>>(p)), b(numbers_of<BigInt<Bits>>(q));
    auto x = make(a);
    const auto y = make(b);
    const auto expect = [&](const auto &of) {
        std::vector<Integer> expected;
        for (std::size_t i = 0; i < p.size(); ++i)
            expected.push_back(test::modulo(of(p[i], q[i]), m));
        return expected;
    };
    using I = const Integer &;
    CHECK(first_wrong(eval(value(x)), expect([](I u, I) { return u; })) == -1);
    const auto z = eval(x * y + 3);
    CHECK(first_wrong(eval(value(z)), expect([](I u, I v) { return u * v + 3; })) == -1);
    // Horner, in place.
    auto h = x;
    h = (((h * 3 + 1) * h + y) * h - 7) * h + a;
    CHECK(first_wrong(eval(value(h)), expect([](I u, I v) {
                          return (((u * 3 + 1) * u + v) * u - 7) * u + u;
                      })) == -1);
    CHECK(all(x == a));
    if constexpr (!every)
        return;
    CHECK(first_wrong(eval(value(x - a * y * 12345)),
                      expect([](I u, I v) { return u - u * v * 12345; })) == -1);
    CHECK(first_wrong(eval(value(-x * sqr(y) - b)),
                      expect([](I u, I v) { return -u * v * v - v; })) == -1);
    CHECK(first_wrong(eval(value(pow(x, 5))), expect([](I u, I) { return u * u * u * u * u; })) ==
          -1);
    CHECK(first_wrong(eval(value(pow(x, b))),
                      expect([&](I u, I v) { return test::power_modulo(u, v, m); })) == -1);
    CHECK(first_wrong(eval(value(x) + value(y)), [&] {
              std::vector<Integer> sums;
              for (std::size_t i = 0; i < p.size(); ++i)
                  sums.push_back(test::modulo(p[i], m) + test::modulo(q[i], m));
              return sums;
          }()) == -1);
    CHECK(all(x == x));
    CHECK_FALSE(any(x != a));
    CHECK(all((x + y) * (x + y) == sqr(x) + 2 * x * y + sqr(y)));
    std::size_t equal = 0;
    for (std::size_t i = 0; i < p.size(); ++i)
        equal += test::modulo(p[i] - q[i], m).is_zero() ? 1 : 0;
    CHECK(count(x == y) == equal);
    CHECK(first_wrong(eval(value(select(x == y, x + 1, y))), expect([&](I u, I v) {
                          return test::modulo(u - v, m).is_zero() ? u + 1 : v;
                      })) == -1);

    // Inverses, where they exist.
    auto inverses = eval(inverse(x));
    const std::vector<bool> missing = inverses.error_mask();
    inverses.clear_errors();
    const auto found = eval(value(inverses)).to_host();
    long wrong = -1;
    for (std::size_t i = 0; i < p.size(); ++i) {
        Integer wanted;
        const bool exists =
            m == Integer(1) || mpz_invert(wanted.raw(), test::modulo(p[i], m).raw(), m.raw()) != 0;
        if (missing[i] == exists || to_integer(found[i]) != (exists ? test::modulo(wanted, m) : 0))
            wrong = static_cast<long>(i);
    }
    CHECK(wrong == -1);
    auto quotients = eval(y / x * x == y);
    CHECK(quotients.error_mask() == missing);
    quotients.clear_errors();
    const auto flags = quotients.to_host();
    for (std::size_t i = 0; i < flags.size(); ++i)
        CHECK(flags[i] == !missing[i]);
}

// Values of residues x = a, y = b modulo m among numbers: what an engine, or the elements of a row,
// compute together takes residues as operands, too.
template <class S, int Bits>
void check_values_among_numbers(const Integer &m) {
    const Modulus<Bits> modulus(from_integer<BigInt<Bits>>(m));
    test::OperandSource source(test::property_seed("values of residues among numbers", Bits));
    std::vector<Integer> p, q;
    for (int i = 0; i < 75; ++i) {
        p.push_back(i < 2 ? test::all_ones(Bits) : source.number(Bits));
        Integer divisor;
        do {
            divisor = source.number(Bits);
        } while (test::modulo(divisor, m).is_zero());
        q.push_back(divisor);
    }
    CAPTURE(Bits);
    CAPTURE(m);
    CAPTURE(test::run_seed());
    const BigInt<Bits> number = modulus.value();
    const vector_in<S, BigInt<Bits>> a(numbers_of<BigInt<Bits>>(p)), b(numbers_of<BigInt<Bits>>(q));
    const vector_in<S, Residue<Bits>> x(modulus, a), y(modulus, b);
    const auto expect = [&](const auto &of) {
        std::vector<Integer> expected;
        for (std::size_t i = 0; i < p.size(); ++i)
            expected.push_back(of(test::modulo(p[i], m), test::modulo(q[i], m), p[i], q[i]));
        return expected;
    };
    const auto inverted = [&](const Integer &u) {
        Integer wanted;
        REQUIRE(mpz_invert(wanted.raw(), u.raw(), m.raw()) != 0);
        return wanted;
    };
    using I = const Integer &;
    CHECK(first_wrong(eval(value(x) * a), expect([](I u, I, I s, I) { return u * s; })) == -1);
    CHECK(first_wrong(eval((value(x) * b + a) % number),
                      expect([&](I u, I, I s, I t) { return test::modulo(u * t + s, m); })) == -1);
    CHECK(first_wrong(eval(value(x * y) * a % number),
                      expect([&](I u, I v, I s, I) { return test::modulo(u * v * s, m); })) == -1);
    CHECK(first_wrong(eval(sqr(value(x)) % modulus),
                      expect([&](I u, I, I, I) { return test::modulo(u * u, m); })) == -1);
    CHECK(first_wrong(eval(pow(value(x), 65537, number)), expect([&](I u, I, I, I) {
                          return test::power_modulo(u, Integer(65537), m);
                      })) == -1);
    CHECK(first_wrong(eval(pow(a, value(y), number)),
                      expect([&](I, I v, I s, I) { return test::power_modulo(s, v, m); })) == -1);
    CHECK(first_wrong(eval(value(x / y) * a % number), expect([&](I u, I v, I s, I) {
                          return test::modulo(u * inverted(v) * s, m);
                      })) == -1);
    CHECK(first_wrong(eval(inverse(value(y), number) * value(x) % number),
                      expect([&](I u, I v, I, I) { return test::modulo(u * inverted(v), m); })) ==
          -1);
    Integer total;
    for (const Integer &term : expect([&](I u, I, I s, I) { return test::modulo(u * s, m); }))
        total = total + term;
    CHECK(to_integer(sum(value(x) * a % number)) == total);
}

template <class S, int Bits, bool every>
void check_modulus(const Integer &m) {
    const Modulus<Bits> modulus(from_integer<BigInt<Bits>>(m));
    check_formulas<S, Bits, every>(
        m, [&](const auto &numbers) { return vector_in<S, Residue<Bits>>(modulus, numbers); });
}
template <class S, class R, bool every>
void check_static() {
    check_formulas<S, R::bits, every>(
        to_integer(R::modulus()), [&](const auto &numbers) { return vector_in<S, R>(numbers); });
}

constexpr auto prime_25519 = (BigInt<256>(1) << 255) - 19;
constexpr auto some_odd = BigInt<96>::parse("54321098765432109876543210987");

} // namespace

TEST_CASE_TEMPLATE("residues of a Modulus", S, test::OnDevice) {
    check_modulus<S, 96, true>(Integer("54321098765432109876543210987", 10));
    check_modulus<S, 96, true>(Integer("54321098765432109876543210988", 10));
    check_modulus<S, 96, true>(Integer(1));
#if !defined(WARPINT_CHECKED_ONLY) // compiled but not run: each kind of residues once
    check_modulus<S, 600, false>(test::power_of_two(600) - 95);
#endif
}

TEST_CASE_TEMPLATE("values of residues among numbers", S, test::OnDevice) {
    check_values_among_numbers<S, 256>(test::power_of_two(255) - 19);
#if !defined(WARPINT_CHECKED_ONLY)
    check_values_among_numbers<S, 127>(test::power_of_two(127) - 1);
    check_values_among_numbers<S, 521>(test::power_of_two(521) - 1);
#endif
}

TEST_CASE_TEMPLATE("residues of a modulus in their type", S, test::OnDevice) {
    check_static<S, StaticResidue<prime_25519>, false>();
#if !defined(WARPINT_CHECKED_ONLY)
    check_static<S, StaticResidue<some_odd>, true>();
#endif
}

TEST_CASE_TEMPLATE("one modulus in a formula", S, TEST_SPACES) {
    using Vector = vector_in<S, Residue<96>>;
    const Modulus<96> m(Number(1000003u)), same(Number(1000003u)), other(Number(1000002u));
    const vector_in<S, Number> a(test::some_numbers(40));
    const Vector x(m, a), y(same, a), z(other, a);
    CHECK(all(x + y == 2 * a));
    Vector r(m);
    CHECK_THROWS_AS(r = x + z, wrong_modulus);
    CHECK_THROWS_AS((void)count(x == z), wrong_modulus);
    CHECK_THROWS_AS(r = x + other(3), wrong_modulus);
    CHECK(r.empty());
    // Also where there are no elements.
    const Vector no_x(m), no_z(other);
    vector_in<S, Number> numbers;
    CHECK_THROWS_AS(r = no_x + no_z, wrong_modulus);
    CHECK_THROWS_AS(numbers = value(no_x + no_z), wrong_modulus);
    CHECK_THROWS_AS((void)eval(no_x == no_z), wrong_modulus);
    CHECK_THROWS_AS((void)count(no_x == no_z), wrong_modulus);
    CHECK_NOTHROW(numbers = value(no_x + no_x));
    CHECK_NOTHROW(numbers = value(Vector()));
    CHECK_NOTHROW(r = x + m(3));
    CHECK(all(r == a + 3));
    // The target takes the formula's modulus, and keeps its own for numbers.
    r = z * 2;
    CHECK(r.modulus().value() == 1000002u);
    r = a;
    CHECK(all(value(r) == a % 1000002u));
    Vector none;
    CHECK_THROWS_AS(none = a, wrong_modulus);
    CHECK_THROWS_AS((void)none.modulus(), wrong_modulus);
    CHECK(none.to_host().empty());
    none.resize(2);
    CHECK_THROWS_AS((void)none.to_host(), wrong_modulus);
    CHECK_THROWS_AS((void)none[0].value(), wrong_modulus);
    // A formula reads the modulus that its vectors have when it runs.
    Vector w(m, a);
    const auto lazy = w * w;
    w = z;
    const Vector squares = lazy;
    CHECK(squares.modulus().value() == 1000002u);
    CHECK(all(value(squares) == sqr(a) % 1000002u));
    // It follows the contents through swap and assignments, with their modulus.
    Vector p(m, a), q(other, a);
    const auto of_p = p * p, of_q = q * q;
    swap(p, q);
    Vector found = of_p;
    CHECK(found.modulus().value() == 1000002u);
    CHECK(all(value(found) == sqr(a) % 1000002u));
    found = of_q;
    CHECK(found.modulus().value() == 1000003u);
    CHECK(all(value(found) == sqr(a) % 1000003u));
    p = std::move(q);
    found = of_p;
    CHECK(found.modulus().value() == 1000003u);
    CHECK(all(value(found) == sqr(a) % 1000003u));
    Vector empty;
    swap(p, empty);
    p = Vector(other, a);
    found = of_p;
    CHECK(found.modulus().value() == 1000002u);
    CHECK(all(value(found) == sqr(a) % 1000002u));
}

TEST_CASE_TEMPLATE("a vector of residues as a container", S, TEST_SPACES) {
    using Vector = vector_in<S, Residue<96>>;
    const Modulus<96> m(Number(97u));
    Vector x(m, {5, -1, 100});
    REQUIRE(x.size() == 3);
    CHECK(x[0].value() == 5u);
    CHECK(x.at(1) == -1);
    CHECK(x.at(2) == 3);
    CHECK_THROWS_AS((void)x.at(3), std::out_of_range);
    x.write(0, 200);
    CHECK(x[0] == 6);
    x.write(0, m(7));
    CHECK(x[0] == 7);
    const Modulus<96> other(Number(98u));
    CHECK_THROWS_AS(x.write(0, other(7)), wrong_modulus);
    // Elements: beside each other, residues, numbers and vectors.
    CHECK(x[0] == m(7));
    CHECK(m(7) == x[0]);
    CHECK(8 - x[0] == x[0] / 7);
    CHECK(pow(x[0], 2) == sqr(x[0]));
    CHECK(-x[0] + m(8) == 1);
    CHECK_FALSE(x[0] != x[0] * 1);
    CHECK(to_string(x[0]) == "7");
    auto y = x.read(0);
    y += x[2];
    y *= m(2);
    CHECK(y == 20);
    CHECK(all(x * x[2] == x * 3));
    CHECK(x.to_host()[2] * x[0] == 21);
    x.write(1, x[0]);
    CHECK(x[1] == 7);
    x.write(1, -1);
    const Vector alien(other, {5});
    CHECK_THROWS_AS(x.write(0, alien[0]), wrong_modulus);
    CHECK_THROWS_AS((void)(x[0] + alien[0]), wrong_modulus);
    static_assert(std::random_access_iterator<typename Vector::const_iterator>);
    CHECK(x.end() - x.begin() == 3);
    Number total(0);
    for (auto each : x)
        total += each.value();
    CHECK(total == 7u + 96u + 3u);
    CHECK(x.begin()[1] == -1);
    CHECK(x.front() == 7);
    CHECK(x.back() == 3);
    CHECK(std::find(x.begin(), x.end(), m(3)) == x.end() - 1);
    Vector copied = x, moved = std::move(x);
    CHECK(all(copied == moved));
    copied += 1;
    copied *= moved;
    CHECK(copied[0] == 56);
    CHECK(moved.to_host()[2] == 3);
    moved.resize(5);
    CHECK(moved[4] == 0);
    const Vector zeros(m, 4);
    CHECK(all(zeros == 0));
    const auto inverses = eval(inverse(zeros));
    CHECK_THROWS_AS(inverses.check(), std::domain_error);
    const host_vector<Residue<96>> host(m, {1, 2});
    const device_vector<Residue<96>> device(host);
    CHECK(device[1] == 2);
    device_vector<Residue<96>> assigned;
    assigned = host;
    CHECK(assigned[1] == 2);
    const auto before = launch_count();
    copied = moved * moved * moved + 1;
    CHECK(launch_count() == before + 1);
    CHECK(explain(moved * moved).widest_bits == 128);
    // Into a vector of residues: of residues, and of numbers, which its modulus reduces.
    CHECK(explain(moved * moved, copied) == explain(moved * moved));
    const host_vector<BigInt<96>> numbers{1, 2000};
    host_vector<Residue<96>> reduced(m, 2);
    evaluate(numbers + numbers, reduced);
    CHECK(execution::explanation_of(execution::last_run()) == explain(numbers + numbers, reduced));
    CHECK_THROWS_AS(static_cast<void>(explain(numbers + numbers, host_vector<Residue<96>>())),
                    warpint::wrong_modulus);
}
