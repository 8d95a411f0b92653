// SPDX-License-Identifier: Apache-2.0
// Simultaneous inversion: products and inversions counted over small rings where everything can be
// tried, then residues and plain numbers against GMP with zeros and elements without an inverse at
// every place.

#include "support/oracle.h"
#include "support/property.h"

#include <warpint/modular/inverse_all.h>
#include <warpint/modular/static_residue.h>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <vector>

namespace {

using test::from_integer;
using test::Integer;
using test::OperandSource;
using test::to_integer;
using warpint::BigInt;
using warpint::Modulus;
using warpint::Residue;

/// Integers modulo m that count what is done with them.
struct CountingRing {
    unsigned m;
    mutable int products = 0;
    mutable int inversions = 0;      ///< of elements that are not 0
    mutable int zero_inversions = 0; ///< of 0

    unsigned load(unsigned x) const { return x % m; }
    unsigned product(unsigned x, unsigned y) const {
        ++products;
        return x * y % m;
    }
    bool is_zero(unsigned x) const { return x == 0; }
    unsigned zero() const { return 0; }
    bool invert(unsigned &x) const {
        ++(x == 0 ? zero_inversions : inversions);
        for (unsigned y = 0; y < m; ++y) {
            if (x * y % m == 1 % m) {
                x = y;
                return true;
            }
        }
        x = 0xdead;
        return false;
    }
};

/// The inverse of x modulo m, or -1.
int small_inverse(unsigned x, unsigned m) {
    for (unsigned y = 0; y < m; ++y) {
        if (x * y % m == 1 % m)
            return int(y);
    }
    return -1;
}

void check_small(unsigned m, const std::vector<unsigned> &a) {
    const std::size_t n = a.size();
    std::size_t missing = 0, nonzero = 0;
    bool ordinary = true; // nothing but zeros without an inverse
    for (const unsigned x : a) {
        const bool exists = small_inverse(x, m) >= 0;
        missing += std::size_t(!exists);
        nonzero += std::size_t(x % m != 0);
        ordinary = ordinary && (exists || x % m == 0);
    }
    for (int in_place = 0; in_place < 2; ++in_place) {
        const CountingRing ring{m};
        std::vector<unsigned> r(n + 1, 77), scratch(n);
        const std::unique_ptr<bool[]> exists(new bool[n + 1]());
        const unsigned *source = a.data();
        if (in_place == 1) {
            std::copy(a.begin(), a.end(), r.begin());
            source = r.data();
        }
        const std::size_t got = warpint::algorithm::inverse_all(
            r.data(), source, n, in_place == 1 ? scratch.data() : r.data(), exists.get(), ring);
        INFO("m = ", m, ", n = ", n, ", in place: ", in_place);
        CHECK(got == missing);
        CHECK(r[n] == 77);
        for (std::size_t i = 0; i < n; ++i) {
            const int expected = small_inverse(a[i], m);
            CHECK(exists[i] == (expected >= 0));
            CHECK(r[i] == unsigned(expected < 0 ? 0 : expected));
        }
        if (ordinary) { // otherwise the product of all may be 0 as well
            CHECK(ring.zero_inversions == int(nonzero < n));
            CHECK(ring.products == (nonzero == 0 ? 0 : 3 * (int(nonzero) - 1)));
            CHECK(ring.inversions == int(nonzero != 0));
        }
    }
}

constexpr std::size_t lengths[] = {0, 1, 2, 3, 17, 64};

/// Elements with an inverse, except for one at `place` (none if place >= n): 0 or one that shares a
/// factor with m where m has one.
template <int N>
std::vector<Integer> draw_elements(OperandSource &source, const Integer &m, std::size_t n,
                                   std::size_t place, bool zero) {
    std::vector<Integer> a;
    for (std::size_t i = 0; i < n; ++i) {
        Integer x = test::store_unsigned(source.number(N), N);
        for (int tries = 0; tries < 50 && test::greatest_common_divisor(x, m) != 1; ++tries)
            x = test::store_unsigned(source.number(N) + Integer(tries), N);
        if (i == place) {
            x = zero ? Integer(0) : test::store_unsigned(m, N);
            for (unsigned p = 2; !zero && p < 50; ++p) {
                if (modulo(m, Integer(p)).is_zero() && m > Integer(p))
                    x = Integer(p);
            }
        }
        a.push_back(x);
    }
    return a;
}

/// Compares results with GMP's; returns how many have none.
template <class Value>
void compare(const std::vector<Integer> &a, const Integer &m, const std::vector<Value> &got,
             const bool *exists, std::size_t missing) {
    std::size_t expected_missing = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const bool expected = test::greatest_common_divisor(a[i], m) == 1;
        expected_missing += std::size_t(!expected);
        INFO("element ", i, " of ", a.size(), ": ", a[i], " modulo ", m);
        CHECK(exists[i] == expected);
        CHECK(to_integer(got[i]) == (expected ? test::inverse_or_zero(a[i], m) : Integer(0)));
    }
    CHECK(missing == expected_missing);
}

template <int N>
void check_elements(const std::vector<Integer> &a, const Integer &m) {
    const std::size_t n = a.size();
    const std::unique_ptr<bool[]> exists(new bool[n + 1]());
    const Modulus<N> modulus(from_integer<BigInt<N>>(m));
    std::vector<BigInt<N>> numbers, numbers_out(n), scratch(n);
    std::vector<Residue<N>> residues, residues_out(n), residues_scratch(n);
    for (const Integer &x : a) {
        numbers.push_back(from_integer<BigInt<N>>(x));
        residues.push_back(modulus(numbers.back()));
    }
    const auto values = [](const std::vector<Residue<N>> &from) {
        std::vector<BigInt<N>> r;
        for (const auto &x : from)
            r.push_back(x.value());
        return r;
    };
    std::size_t missing =
        warpint::inverse_all(numbers_out.data(), numbers.data(), n, modulus, exists.get());
    compare(a, m, numbers_out, exists.get(), missing);
    CHECK(warpint::inverse_all(numbers_out.data(), numbers.data(), n, modulus) == missing);
    missing =
        warpint::inverse_all_in_place(numbers.data(), n, modulus, scratch.data(), exists.get());
    compare(a, m, numbers, exists.get(), missing);

    missing = warpint::inverse_all(residues_out.data(), residues.data(), n, exists.get());
    compare(a, m, values(residues_out), exists.get(), missing);
    missing =
        warpint::inverse_all_in_place(residues.data(), n, residues_scratch.data(), exists.get());
    compare(a, m, values(residues), exists.get(), missing);
}

template <int N>
void check_width(int turns) {
    OperandSource source(test::property_seed("inverse_all", N));
    for (int turn = 0; turn < turns; ++turn) {
        Integer m = turn % 3 == 0 ? source.odd_modulus(N) : source.modulus(N);
        if (m.is_zero())
            m = Integer(1);
        for (const std::size_t n : lengths) {
            const std::size_t place = n == 0 ? 0 : std::size_t(source.below(n));
            check_elements<N>(draw_elements<N>(source, m, n, n, false), m);
            check_elements<N>(draw_elements<N>(source, m, n, place, true), m);
            check_elements<N>(draw_elements<N>(source, m, n, place, false), m);
        }
    }
    // Every place, modulo 1 and a composite number.
    const Integer composite = test::store_unsigned(test::all_ones(N) / Integer(15) * 15, N);
    for (const Integer &m : {Integer(1), composite}) {
        for (std::size_t place = 0; place < 9; ++place) {
            check_elements<N>(draw_elements<N>(source, m, 9, place, true), m);
            check_elements<N>(draw_elements<N>(source, m, 9, place, false), m);
        }
    }
}

template <auto p>
void check_static() {
    using Field = warpint::StaticResidue<p>;
    using Value = typename Field::Value;
    constexpr int N = Value::bits;
    const Integer m = to_integer(Value(p));
    OperandSource source(test::property_seed("inverse_all, static", N));
    for (const std::size_t n : lengths) {
        for (std::size_t place = 0; place <= n; place += n / 8 + 1) {
            const auto a = draw_elements<N>(source, m, n, place, true);
            std::vector<Field> x, r(n);
            for (const Integer &v : a)
                x.push_back(Field(from_integer<Value>(v)));
            const std::unique_ptr<bool[]> exists(new bool[n + 1]());
            const std::size_t missing = warpint::inverse_all(r.data(), x.data(), n, exists.get());
            std::vector<Value> values;
            for (const Field &y : r)
                values.push_back(y.value());
            compare(a, m, values, exists.get(), missing);
        }
    }
}

} // namespace

TEST_CASE("three products each and one inversion, over small rings") {
    for (unsigned m = 1; m <= 12; ++m) {
        check_small(m, {});
        for (unsigned a = 0; a <= m; ++a) {
            check_small(m, {a});
            for (unsigned b = 0; b <= m; ++b) {
                check_small(m, {a, b});
                for (unsigned c = 0; c < m; ++c)
                    check_small(m, {a, b, c});
            }
        }
    }
    std::vector<unsigned> many(1000);
    std::iota(many.begin(), many.end(), 1u);
    check_small(1009, many); // none is 0
    check_small(997, many);  // one is
    check_small(1000, many);
}

TEST_CASE("residues and numbers against GMP") {
    check_width<8>(20);
    check_width<31>(10);
    check_width<64>(10);
    check_width<163>(6);
    check_width<256>(6);
    check_width<521>(3);
}

TEST_CASE("static residues against GMP") {
    using namespace warpint;
    constexpr auto montgomery = (BigInt<61>(1) << 60) - BigInt<61>(93); // a prime
    constexpr auto pseudo_mersenne = (BigInt<256>(1) << 255) - BigInt<256>(19);
    check_static<montgomery>();
    check_static<pseudo_mersenne>();
}

TEST_CASE("in constant expressions") {
    using namespace warpint;
    constexpr bool right = [] {
        const Modulus<61> m(BigInt<61>(1000003u));
        Residue<61> a[5] = {m(2), m(0), m(3), m(1000002), m(7)};
        Residue<61> r[5] = {m(0), m(0), m(0), m(0), m(0)};
        bool exists[5] = {};
        const std::size_t missing = inverse_all(r, a, 5, exists);
        bool ok = missing == 1 && !exists[1] && r[1] == 0;
        for (int i = 0; i < 5; ++i)
            ok = ok && (i == 1 || (exists[i] && r[i] * a[i] == 1));
        return ok;
    }();
    static_assert(right);
    CHECK(right);
}
