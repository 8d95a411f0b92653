// SPDX-License-Identifier: Apache-2.0
// What a GPU's kernel of inverses does, with a warp of host threads: rows in which few and many
// elements have no inverse, for few and many small and large factors of the modulus, alone and
// times a number. Against GMP.
#include "support/oracle.h"
#include "support/property.h"

#include <warpint/execution/evaluation/strips_of_warp.h>
#include <warpint/vector.h>

#include <doctest/doctest.h>

#include <barrier>
#include <cstdint>
#include <thread>
#include <type_traits>
#include <vector>

namespace {

using namespace warpint;
using test::from_integer;
using test::Integer;
using test::OperandSource;
using test::to_integer;
namespace run = warpint::execution;

constexpr int warp_lanes = 32;
constexpr int length = 32;

/// What the lanes of a warp say to one another.
struct Exchange {
    std::barrier<> all{warp_lanes};
    std::uint32_t words[warp_lanes] = {};
    int cooperations = 0;
};
struct HostWarp {
    Exchange *exchange;
    int own;

    int lane() const { return own; }
    std::uint32_t of_lane(std::uint32_t word, int source) const {
        exchange->words[own] = word;
        exchange->all.arrive_and_wait();
        const std::uint32_t r = exchange->words[source & 31];
        exchange->all.arrive_and_wait();
        return r;
    }
    std::uint32_t ballot(bool condition) const {
        exchange->words[own] = condition ? 1 : 0;
        exchange->all.arrive_and_wait();
        std::uint32_t r = 0;
        for (int i = 0; i < warp_lanes; ++i)
            r |= exchange->words[i] << i;
        exchange->all.arrive_and_wait();
        return r;
    }
    void synchronize() const {
        exchange->all.arrive_and_wait();
        if (own == 0)
            ++exchange->cooperations;
    }
};

/// Evaluates a formula with one cut, an inverse, as the kernel does; returns how many rows the warp
/// multiplied together.
template <class T, class Tree>
int run_as_warp(std::vector<T> &out, std::vector<bool> &faults, const Tree &tree) {
    const std::size_t count = out.size();
    const auto lowered = expression::lower_formula(tree, expression::LoweringTarget{});
    const auto formula = run::cut_formula<run::Inverses>(lowered);
    using Formula = std::remove_const_t<decltype(formula)>;
    static_assert(Formula::cuts == 1);
    using Element = typename run::cut_t<0, Formula>::Element;
    std::vector<Element> products(count);
    const typename Formula::Scratch scratch{{products.data()}};
    const run::Target<T> target{{{run::Place<T>{out.data(), nullptr}}}};
    const auto ring = expression::item<0>(formula.cut).ring(formula.rest);
    const auto divisors = number::small_divisors(ring);
    using Row = run::CutStrip<Formula, length, run::StoreInto<T>>;
    Exchange exchange;
    std::vector<std::uint32_t> missing(warp_lanes);
    faults.assign(count, false);
    for (std::size_t begin = 0; begin < count; begin += warp_lanes * length) {
        std::vector<std::thread> threads;
        for (int lane = 0; lane < warp_lanes; ++lane) {
            threads.emplace_back([&, lane] {
                Row row{formula,    {target}, scratch, begin + std::size_t(lane),
                        warp_lanes, count,    0};
                run::StripOfInverses<0, Row> inverses{row};
                number::KnownDivisors<std::remove_const_t<decltype(ring)>> known{ring, divisors};
                arith::inverse_strip(inverses, length, ring, known,
                                     run::StripsOfWarp<0, Row, HostWarp>{{&exchange, lane}});
                missing[std::size_t(lane)] = row.missing[0][0];
            });
        }
        for (auto &thread : threads)
            thread.join();
        for (std::size_t i = begin; i < count && i < begin + warp_lanes * length; ++i)
            faults[i] = (missing[(i - begin) % warp_lanes] >> ((i - begin) / warp_lanes) & 1u) != 0;
    }
    return exchange.cooperations;
}

template <int Bits>
struct Case {
    Integer m;
    std::vector<Integer> factors; // every `period`-th element is a multiple of one of them
    std::size_t period;
};

template <int Bits>
int check(const Case<Bits> &c, std::size_t count, OperandSource &source) {
    using N = BigInt<Bits>;
    const Integer m = test::store_unsigned(c.m, Bits);
    const auto random = [&] { // seldom without an inverse
        Integer r(0);
        for (int i = 0; i < Bits; i += 16)
            r = r * 65536 + Integer(source.below(65536));
        return test::store_unsigned(r, Bits);
    };
    std::vector<N> a, b;
    for (std::size_t i = 0; i < count; ++i) {
        Integer x = random();
        if (c.period != 0 && i % c.period == c.period / 2) {
            const Integer &factor = c.factors[i / c.period % c.factors.size()];
            x = modulo(factor * random(), m);
        }
        a.push_back(from_integer<N>(x));
        b.push_back(from_integer<N>(test::store_unsigned(source.number(Bits), Bits)));
    }
    const host_vector<N> x(a), y(b);
    const Modulus<Bits> modulus(from_integer<N>(m));
    const N plain = from_integer<N>(m);
    INFO("m = ", m);
    const auto compare = [&](const auto &got, const std::vector<bool> &faults, auto expected) {
        for (std::size_t i = 0; i < count; ++i) {
            const bool exists =
                m == Integer(1) || test::greatest_common_divisor(to_integer(a[i]), m) == 1;
            INFO("element ", i, ": ", to_integer(a[i]));
            REQUIRE(faults[i] == !exists);
            REQUIRE(to_integer(got[i]) ==
                    (exists ? expected(m == Integer(1) ? Integer(0)
                                                       : test::inverse_or_zero(to_integer(a[i]), m),
                                       to_integer(b[i]))
                            : Integer(0)));
        }
    };
    std::vector<N> r(count);
    std::vector<bool> faults;
    const int together = run_as_warp(r, faults, inverse(x, modulus));
    compare(r, faults, [](const Integer &i, const Integer &) { return i; });
    run_as_warp(r, faults, inverse(x, modulus) * y % modulus);
    const auto quotient = [&m](const Integer &i, const Integer &k) { return modulo(i * k, m); };
    compare(r, faults, quotient);
    run_as_warp(r, faults, y * inverse(x, plain) % plain);
    compare(r, faults, quotient);
    const Modulus<Bits> other(modulus.value() + N(2u));
    if (other.value() > modulus.value()) {
        run_as_warp(r, faults, inverse(x, modulus) * y % other);
        compare(r, faults,
                [&m](const Integer &i, const Integer &k) { return modulo(i * k, m + 2); });
    }
    std::vector<BigInt<2 * Bits>> wide(count);
    run_as_warp(wide, faults, inverse(x, modulus) * y);
    compare(wide, faults, [](const Integer &i, const Integer &k) { return i * k; });
    return together;
}

Integer next_prime(const Integer &x) {
    Integer p;
    mpz_nextprime(p.raw(), x.raw());
    return p;
}

} // namespace

TEST_CASE("rows of a warp") {
    constexpr int bits = 256;
    OperandSource source(test::property_seed("rows of a warp", bits));
    const auto prime = [&](int n) {
        return next_prime(test::power_of_two(n) - 1 - test::store_unsigned(source.number(60), 60));
    };
    const Integer p = prime(127), q = next_prime(Integer(65536)), s = next_prime(q),
                  t = next_prime(s);
    constexpr std::size_t n = warp_lanes * length;
    // No element, few and all without an inverse.
    CHECK(check<bits>({prime(255), {}, 0}, n, source) == 0);
    CHECK(check<bits>({p * prime(128), {p}, 250}, n, source) > 0);
    CHECK(check<bits>({p * prime(128), {p}, 2}, n, source) == 0);
    CHECK(check<bits>({p * prime(128), {p}, 1}, n, source) == 0);
    check<bits>({p * p, {p}, 200}, n, source);
    // Factors just above 2^16, several in a row.
    CHECK(check<bits>({q * prime(235), {q}, 300}, n, source) > 0);
    check<bits>({q * s * t * prime(200), {q, s, t}, 100}, n, source);
    check<bits>({q * s * t * prime(200), {q, s, t}, 3}, n, source);
    check<bits>({q * prime(128), {q, Integer(0)}, 200}, n, source);
    // Rare primes, alone and beside frequent ones.
    CHECK(check<bits>({Integer(65521) * prime(235), {Integer(65521)}, 300}, n, source) > 0);
    check<bits>({Integer(65521) * 65519 * 65497 * prime(200), {Integer(65519)}, 5}, n, source);
    check<bits>({Integer(3) * 5 * 4099 * 65521 * q * prime(180), {Integer(4099), q}, 90}, n,
                source);
    Integer many(1);
    for (Integer k(3); k < Integer(150); k = next_prime(k))
        many = many * k;
    check<bits>({many, {Integer(1)}, 4}, n, source);
    // Even moduli and 1; a batch that ends inside a row.
    for (const int zeros : {1, 31, 32, 33, 100})
        check<bits>({test::power_of_two(zeros) * q * prime(120), {q}, 300}, 700, source);
    check<bits>({test::power_of_two(20), {}, 0}, 700, source);
    check<bits>({test::power_of_two(255), {}, 0}, 700, source);
    check<bits>({Integer(1), {}, 0}, 100, source);
    check<bits>({Integer(2), {}, 0}, 100, source);
    check<96>({q * prime(70), {q}, 300}, 700, source);
}
