// SPDX-License-Identifier: Apache-2.0
// Vectors of residues of a Modulus (odd, even, 1), against GMP: chains that stay in the form,
// conversions inside formulas, powers, inverses, different moduli.
#include "residue_batch.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

using namespace residue_batch;
using test::Number;

namespace {

template <class S, int Bits, bool every>
void check_modulus(const Integer &m) {
    const Modulus<Bits> modulus(from_integer<BigInt<Bits>>(m));
    check_formulas<S, Bits, every>(
        m, [&](const auto &numbers) { return vector_in<S, Residue<Bits>>(modulus, numbers); });
}

} // namespace

TEST_CASE_TEMPLATE("residues of a Modulus", S, test::OnDevice) {
    check_modulus<S, 96, true>(Integer("54321098765432109876543210987", 10));
    check_modulus<S, 96, true>(Integer("54321098765432109876543210988", 10));
    check_modulus<S, 96, true>(Integer(1));
#if !defined(WARPINT_CHECKED_ONLY) // compiled but not run: each kind of residues once
    check_modulus<S, 600, false>(test::power_of_two(600) - 95);
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
