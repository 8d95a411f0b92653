// SPDX-License-Identifier: Apache-2.0
// Simultaneous inversion: products and inversions counted over small rings where everything can be
// tried, then residues and plain numbers against GMP with zeros and elements without an inverse at
// every place, modulo primes and composite numbers with small and large factors.

#include "support/oracle.h"
#include "support/property.h"

#include <warpint/number/modular/inverse_all.h>
#include <warpint/number/modular/static_residue.h>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <type_traits>
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
    mutable int inversions = 0;
    mutable int annihilators = 0;

    unsigned one() const { return 1 % m; }
    unsigned finished(unsigned x, unsigned) const { return x; }
    unsigned product(unsigned x, unsigned y) const {
        CHECK(x < m);
        ++products;
        return static_cast<unsigned>(std::uint64_t{x} * y % m);
    }
    bool is_zero(unsigned x) const { return x == 0; }
    unsigned zero() const { return 0; }
    bool is_trivial() const { return m == 1; }
    bool invert(unsigned &x) const {
        ++inversions;
        Integer r;
        const bool exists = mpz_invert(r.raw(), Integer(x).raw(), Integer(m).raw()) != 0;
        annihilators += exists ? 0 : 1;
        x = exists ? static_cast<unsigned>(mpz_get_ui(r.raw())) : m / std::gcd(x, m);
        return exists;
    }
};

/// Knows `prime` (1: nothing), at once or after it was asked to learn, as a frequent one or as a
/// rare one.
struct OneDivisor {
    unsigned prime;
    bool known;
    bool rare = false;

    bool divide(unsigned x, bool all) const { return (all || !rare) && divides(x); }
    bool divide_rarely(unsigned x) const { return rare && divides(x); }
    bool divides(unsigned x) const { return known && prime != 1 && x % prime == 0; }
    bool learn() {
        const bool more = !known && prime != 1;
        known = true;
        return more;
    }
};

struct CountingRow {
    using T = unsigned;
    std::vector<unsigned> elements, products, results;
    std::vector<char> faults, exists;

    explicit CountingRow(const std::vector<unsigned> &a)
        : elements(a), products(a.size(), 77), results(a.size(), 77), faults(a.size(), 0),
          exists(a.size(), 0) {}
    unsigned load(int i, bool &fault) const {
        fault = faults[std::size_t(i)] != 0;
        return elements[std::size_t(i)];
    }
    unsigned prefix(int i) const { return products[std::size_t(i)]; }
    void set_prefix(int i, unsigned x) { products[std::size_t(i)] = x; }
    void leave_out(int i) { products[std::size_t(i)] = 0; }
    bool is_left_out(int i) const { return products[std::size_t(i)] == 0; }
    void store(int i, unsigned x, bool found) {
        results[std::size_t(i)] = x;
        exists[std::size_t(i)] = found;
    }
};

/// Inverts a row and compares it with GMP; returns what was counted.
CountingRing invert_row(unsigned m, CountingRow row, OneDivisor divisors = {1, true}) {
    const CountingRing ring{m};
    const std::size_t n = row.elements.size();
    warpint::arith::inverse_strip(row, int(n), ring, divisors);
    INFO("m = ", m, ", n = ", n);
    for (std::size_t i = 0; i < n; ++i) {
        const unsigned x = row.elements[i];
        const bool exists = std::gcd(x, m) == 1 && row.faults[i] == 0;
        const Integer expected =
            exists ? test::inverse_or_zero(Integer(x), Integer(m)) : Integer(0);
        CHECK(bool(row.exists[i]) == exists);
        CHECK(Integer(row.results[i]) == expected);
    }
    return ring;
}

/// The same with divisors known and learned, and with an element that has no value; where nothing
/// but zeros is without an inverse, it takes one inversion and three products each.
void check_small(unsigned m, const std::vector<unsigned> &a) {
    const CountingRing ring = invert_row(m, CountingRow(a));
    const auto nonzero = std::count_if(a.begin(), a.end(), [m](unsigned x) { return x % m != 0; });
    const bool ordinary = std::all_of(
        a.begin(), a.end(), [m](unsigned x) { return x % m == 0 || std::gcd(x, m) == 1; });
    if (ordinary) {
        CHECK(ring.inversions == int(nonzero != 0));
        CHECK(ring.annihilators == 0);
        // And one for each zero behind another element.
        CHECK(ring.products <= 3 * int(nonzero) + (int(a.size()) - int(nonzero)));
    }
    for (unsigned prime = 2; prime <= m; ++prime) {
        if (m % prime != 0)
            continue;
        invert_row(m, CountingRow(a), {prime, true});
        invert_row(m, CountingRow(a), {prime, false});
        invert_row(m, CountingRow(a), {prime, true, true});
        invert_row(m, CountingRow(a), {prime, false, true});
    }
    for (std::size_t i = 0; i < a.size(); i += a.size() / 4 + 1) {
        CountingRow row(a);
        row.faults[i] = 1;
        invert_row(m, row);
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
    if (n != 0) {
        const std::vector<BigInt<N>> before = numbers;
        CHECK_THROWS_AS(warpint::inverse_all(numbers.data(), numbers.data(), n, modulus),
                        std::invalid_argument);
        CHECK_THROWS_AS(warpint::inverse_all(residues.data(), residues.data(), n),
                        std::invalid_argument);
        if (n > 2) { // ranges that overlap by an offset, either way
            CHECK_THROWS_AS(
                warpint::inverse_all(numbers.data() + 1, numbers.data(), n - 1, modulus),
                std::invalid_argument);
            CHECK_THROWS_AS(
                warpint::inverse_all(numbers.data(), numbers.data() + 1, n - 1, modulus),
                std::invalid_argument);
        }
        CHECK(numbers == before);
    }
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
            const auto a = draw_elements<N>(source, m, n, place, place % 2 == 0);
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
    std::vector<unsigned> many(300);
    std::iota(many.begin(), many.end(), 1u);
    check_small(307, many); // none is 0
    check_small(293, many); // one is
    check_small(210, many);
}

// p and q are large beside the rows: an element that shares one of them is rare.
TEST_CASE("elements that share a large prime cost the others little") {
    constexpr unsigned p = 1009, q = 2003, n = 200;
    const auto multiples = [](unsigned m, std::initializer_list<unsigned> factors) {
        std::vector<unsigned> a;
        for (unsigned i = 1; i <= n; ++i)
            a.push_back(i);
        unsigned place = 10;
        for (const unsigned factor : factors) {
            for (unsigned k = 1; k <= 5; ++k, place += 7)
                a[place % n] = k * factor % m;
        }
        return a;
    };
    const auto counted = [&](unsigned m, std::initializer_list<unsigned> factors, int inversions,
                             int products) {
        INFO("m = ", m);
        const CountingRing ring = invert_row(m, CountingRow(multiples(m, factors)));
        CHECK(ring.inversions <= inversions);
        CHECK(ring.products <= products * int(n));
    };
    counted(p * q, {}, 1, 3);
    counted(p * q, {p}, 2, 5);
    counted(p * q, {p, q}, 3, 7);
    counted(p * p, {p}, 2, 5);
    counted(p * q * 1511, {p, q, 1511}, 40, 20); // shorter rows are tried
    // Known or learned small divisors: one inversion or two.
    std::vector<unsigned> many(n);
    std::iota(many.begin(), many.end(), 1u);
    const CountingRing known = invert_row(3 * p, CountingRow(many), {3, true});
    CHECK(known.inversions == 1);
    CHECK(known.products <= 3 * int(n));
    const CountingRing rare = invert_row(3 * p, CountingRow(many), {3, true, true});
    CHECK(rare.inversions == 1);
    CHECK(rare.annihilators == 0);
    CHECK(rare.products <= 4 * int(n));
    const CountingRing learned = invert_row(3 * p, CountingRow(many), {3, false});
    CHECK(learned.inversions == 2);
    CHECK(learned.annihilators == 1); // and not used
    CHECK(learned.products <= 4 * int(n));
    // No element is inverted alone where all are without an inverse.
    std::vector<unsigned> none(n);
    for (unsigned i = 0; i < n; ++i)
        none[i] = (i + 1) * p;
    CHECK(invert_row(p * q, CountingRow(none)).inversions <= 2);
    // All kinds at once, where shorter rows are tried.
    std::vector<unsigned> mixed;
    for (unsigned i = 1; i <= n; ++i)
        mixed.push_back(i * (i % 3 == 0 ? 17u : i % 3 == 1 ? 19u : 23u));
    CHECK(invert_row(17 * 19 * 23, CountingRow(mixed)).inversions <= 3 * int(n));
}

TEST_CASE("small divisors of a modulus") {
    using warpint::arith::HostSmallDivisors;
    using warpint::arith::small_divisors;
    const auto next_prime = [](const Integer &x) {
        Integer p;
        mpz_nextprime(p.raw(), x.raw());
        return p;
    };
    const Integer other = test::power_of_two(127) - 1; // a prime
    const auto check = [&](const Integer &m, unsigned bound) {
        const BigInt<256> number = from_integer<BigInt<256>>(m);
        constexpr int n = BigInt<256>::limb_count;
        const HostSmallDivisors by_table = small_divisors(number.limbs, n);
        HostSmallDivisors again{};
        REQUIRE(warpint::arith::recall_small_divisors(again, number.limbs, n));
        const auto by_trial = warpint::arith::small_divisors_by_trial<16, n>(number.limbs, bound);
        for (Integer p(3); p < Integer(70000); p = next_prime(p)) {
            const unsigned prime = unsigned(mpz_get_ui(p.raw()));
            const bool divides = modulo(m, p).is_zero();
            INFO("m = ", m, ", p = ", prime);
            const BigInt<256> x = from_integer<BigInt<256>>(p);
            const BigInt<256> y = from_integer<BigInt<256>>(p * other);
            CHECK(by_table.divide<n>(x.limbs, 0, by_table.count) == (divides && prime < 65536));
            CHECK(by_table.divide<n>(y.limbs, 0, by_table.count) == (divides && prime < 65536));
            CHECK(again.divide<n>(y.limbs, 0, again.count) == (divides && prime < 65536));
            CHECK(by_trial.divide<n>(y.limbs, 0, by_trial.count) == (divides && prime < bound));
            const bool is_rare = prime >= warpint::arith::rare_prime;
            const bool frequently = by_table.divide<n>(y.limbs, 0, by_table.frequent);
            const bool rarely = by_table.divide<n>(y.limbs, by_table.frequent, by_table.count);
            CHECK((frequently || rarely) == (divides && prime < 65536));
            CHECK(!(frequently && rarely));
            CHECK((is_rare || !rarely));
            CHECK(by_table.divide(prime) == (divides && prime < 65536));
        }
        const BigInt<256> zero(0u);
        CHECK(by_table.divide<n>(zero.limbs, 0, by_table.count) == (by_table.count != 0));
    };
    check(next_prime(test::power_of_two(250)), 1024);
    check(Integer("3", 10) * 7 * 251 * 257 * 1021 * 1031 * 65521 * 65537, 1024);
    check(Integer(65521) * 65519 * 65497, 65536);
    check(Integer(3) * 3 * 3 * 5, 4);
    Integer all(1);
    for (Integer p(3); p < Integer(180); p = next_prime(p))
        all = all * p;
    check(all, 1024);
    // Every prime below 2^16, four at a time.
    int found = 0;
    for (Integer p(3); p < Integer(65536);) {
        std::vector<std::uint32_t> primes;
        Integer m(1);
        for (; primes.size() < 4 && p < Integer(65536); p = next_prime(p)) {
            primes.push_back(static_cast<std::uint32_t>(mpz_get_ui(p.raw())));
            m = m * p;
        }
        const BigInt<64> number = from_integer<BigInt<64>>(m);
        const HostSmallDivisors divisors = small_divisors(number.limbs, 2);
        for (const std::uint32_t prime : primes)
            found += divisors.divide(prime) ? 1 : 0;
    }
    CHECK(found == 6541);
}

TEST_CASE("every number of 8 bits modulo every number of 8 bits") {
    std::vector<Integer> a;
    for (unsigned x = 0; x < 256; ++x)
        a.push_back(Integer(x));
    for (unsigned m = 1; m < 256; ++m)
        check_elements<8>(a, Integer(m));
}

TEST_CASE("moduli of all kinds against GMP") {
    const auto check_moduli = []<int N>(std::integral_constant<int, N>, std::size_t n) {
        OperandSource source(test::property_seed("inverse_all, moduli", N));
        const auto prime = [&](int bits) {
            Integer p = test::store_unsigned(source.number(bits), bits - 1);
            mpz_setbit(p.raw(), mp_bitcnt_t(bits - 2));
            mpz_nextprime(p.raw(), p.raw());
            return p;
        };
        const Integer p = prime(N / 2), q = prime(N / 2), r = prime(N / 4);
        Integer primorial(1);
        for (Integer k(2); primorial * k < test::power_of_two(N); mpz_nextprime(k.raw(), k.raw()))
            primorial = primorial * k;
        const auto random = [&] {
            Integer m(0);
            for (int i = 0; i < N; i += 16)
                m = m * 65536 + Integer(source.below(65536));
            return m;
        };
        struct Case {
            Integer m, factor; // some elements are multiples of factor
        };
        const Case cases[] = {{prime(N), Integer(0)},
                              {p * q, p},
                              {p * p, p},
                              {r * r * r, r},
                              {random() | 1, Integer(3)},
                              {random() | 1, Integer(5)},
                              {random() / 2 * 2 + 2, Integer(6)},
                              {prime(N - 2) * 3, Integer(3)},
                              {prime(N - 17) * 65521, Integer(65521)},
                              {prime(N - 17) * 65537, Integer(65537)},
                              {prime(N - 20) * 65537 * 7, Integer(65537)},
                              {prime(N - 19) * 65537 * 4, Integer(65537)},
                              {prime(N - 19) * 65537 * 4, Integer(2)},
                              {primorial, Integer(2)},
                              {primorial / 2, Integer(1)},
                              {Integer(1), Integer(1)},
                              {Integer(2), Integer(1)},
                              {test::power_of_two(N - 1), Integer(2)},
                              {test::power_of_two(N / 2), Integer(1)}};
        for (const Case &c : cases) {
            const Integer m = test::store_unsigned(c.m, N);
            std::vector<Integer> mixed, none, zeros(n / 4, Integer(0)), ones(n / 4, Integer(1));
            for (std::size_t i = 0; i < n; ++i) {
                Integer x = test::store_unsigned(random(), N);
                if (i % 9 == 4)
                    x = test::store_unsigned(c.factor * random(), N);
                if (i % 31 == 7) // a multiple of the other factor
                    x = c.factor.is_zero() ? Integer(0) : m / c.factor;
                mixed.push_back(x);
                Integer k = modulo(c.factor * random(), m);
                none.push_back(test::greatest_common_divisor(k, m) == 1 ? Integer(0) : k);
            }
            check_elements<N>(mixed, m);
            check_elements<N>(none, m);
            check_elements<N>(zeros, m);
            check_elements<N>(ones, m);
            mixed.resize(7);
            check_elements<N>(mixed, m);
        }
    };
    check_moduli(std::integral_constant<int, 64>{}, 2100); // more than two rows
    check_moduli(std::integral_constant<int, 256>{}, 100);
    check_moduli(std::integral_constant<int, 521>{}, 60);
    check_moduli(std::integral_constant<int, 1024>{}, 40);
    check_moduli(std::integral_constant<int, 2048>{}, 24);
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
    check_static<(BigInt<256>(1) << 255) - BigInt<256>(21)>(); // composite: 3 and others
    check_static<BigInt<96>(3 * 5 * 7 * 65537u)>();
    check_static<BigInt<64>(1000003u) * 1000033u>();
    check_static<BigInt<128>(6u * 1000003u)>();
    check_static<(BigInt<128>(1) << 100)>();
    check_static<BigInt<64>(1u)>();
}

TEST_CASE("residues of different moduli") {
    const Modulus<64> m(BigInt<64>(101u)), other(BigInt<64>(103u));
    std::vector<Residue<64>> x(2000, m(2u)), r(x);
    CHECK(warpint::inverse_all(r.data(), x.data(), x.size()) == 0);
    x[1500] = other(2u);
    CHECK_THROWS_AS(static_cast<void>(warpint::inverse_all(r.data(), x.data(), x.size())),
                    warpint::wrong_modulus);
    const Modulus<64> even(BigInt<64>(96u)), odd(BigInt<64>(97u));
    const Residue<64> units[] = {even(5u), odd(5u)};
    Residue<64> inverses[] = {even(0u), even(0u)};
    CHECK_THROWS_AS(static_cast<void>(warpint::inverse_all(inverses, units, 2)),
                    warpint::wrong_modulus);
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
    constexpr bool leaves_out = [] {
        const Modulus<61> m(BigInt<61>(3u * 1021u * 65537u));
        const unsigned numbers[] = {6, 5, 1021, 7, 65537, 11, 0, 13};
        BigInt<61> a[8], r[8];
        for (int i = 0; i < 8; ++i)
            a[i] = BigInt<61>(numbers[i]);
        bool exists[8] = {};
        bool ok = inverse_all(r, a, 8, m, exists) == 4;
        for (int i = 0; i < 8; ++i)
            ok = ok && exists[i] == (i % 2 == 1) &&
                 (exists[i] ? mulmod(a[i], r[i], m) == 1 : r[i] == 0);
        return ok;
    }();
    static_assert(leaves_out);
    CHECK(leaves_out);
}
