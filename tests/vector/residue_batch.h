// SPDX-License-Identifier: Apache-2.0
// Residues in vectors against GMP: what tests of several kinds of residues share.
#pragma once

#include "support/batches.h"
#include "support/property.h"
#include "support/spaces.h"

#include <ostream>

#include <doctest/doctest.h>
#include <warpint/vector.h>

#include <vector>

namespace residue_batch {

using namespace warpint;
using test::from_integer;
using test::Integer;
using test::to_integer;

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

} // namespace residue_batch
