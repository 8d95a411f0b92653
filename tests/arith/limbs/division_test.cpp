// SPDX-License-Identifier: Apache-2.0
// Division of limb arrays: with 8-bit limbs, where everything can be tried (a wrong trial quotient
// that is met once in 2^32 divisions of 32-bit limbs is met once in 2^8 here), against plain 64-bit
// arithmetic; wide numbers and square roots against GMP.

#include "support/limbs.h"

#include <warpint/arith/limbs/division/divide.h>
#include <warpint/arith/limbs/division/doubled_root.h>

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace {

namespace arith = warpint::arith;
namespace limb = warpint::limb;

using namespace test::limbs;

// ---- division -----------------------------------------------------------------------------------

template <int N, int M>
void check_quotient(Tally &tally, std::uint64_t a, std::uint64_t b) {
    const Limbs<N> x(a);
    const Limbs<M> y(b);
    Limbs<N> quotient(0x5555555555555555);
    Limbs<M> remainder(0x5555555555555555);
    arith::divide<N, M>(quotient.begin(), remainder.begin(), x.begin(), y.begin());
    tally.equal(quotient.value(), a / b, a, b);
    tally.equal(remainder.value(), a % b, a, b);
    tally.equal(quotient.intact() && remainder.intact(), true, a, b);
}

/// Quotient or remainder not wanted, and results that overwrite the operands.
template <int N, int M>
void check_quotient_forms(Tally &tally, std::uint64_t a, std::uint64_t b) {
    Limbs<N> x(a);
    Limbs<M> y(b);
    Limbs<N> quotient;
    Limbs<M> remainder;
    arith::divide<N, M>(quotient.begin(), static_cast<Limb *>(nullptr), x.begin(), y.begin());
    arith::divide<N, M>(static_cast<Limb *>(nullptr), remainder.begin(), x.begin(), y.begin());
    tally.equal(quotient.value(), a / b, a, b);
    tally.equal(remainder.value(), a % b, a, b);
    arith::divide<N, M>(x.begin(), y.begin(), x.begin(), y.begin());
    tally.equal(x.value(), a / b, a, b);
    tally.equal(y.value(), a % b, a, b);
    tally.equal(x.intact() && y.intact(), true, a, b);
}

/// Random divisions, half of them built around a quotient and a remainder at an end of its range.
template <int N, int M>
void check_random_quotients(long count) {
    Tally tally("divisions of " + std::to_string(N) + " by " + std::to_string(M) + " limbs");
    Source source("divisions");
    for (long i = 0, runs = test::scaled(count); i < runs; ++i) {
        std::uint64_t b = source.number(M) >> (source.word() % 8);
        const std::uint64_t choice = source.word();
        if (choice & 1) { // top limb 0x80 or all ones
            b = (b & (all_ones<M> >> 8)) | (std::uint64_t(choice & 2 ? 0x80 : 0xff) << (8 * M - 8));
        }
        b += b == 0;
        std::uint64_t a = source.number(N);
        if (choice & 4) {
            const std::uint64_t q = source.number(N) / b;
            a = q * b;
            if (choice & 8) {
                a += choice & 16 ? b - 1 : source.word() % b;
            } else if (choice & 32) {
                a -= a > 0;
            }
            a &= all_ones<N>;
        }
        check_quotient<N, M>(tally, a, b);
        if (i % 4 == 0) {
            check_quotient_forms<N, M>(tally, a, b);
        }
    }
}

// ---- wide numbers -------------------------------------------------------------------------------

template <class L>
test::Integer to_integer(const L *limbs, int n) {
    test::Integer result;
    mpz_import(result.raw(), std::size_t(n), -1, sizeof(L), 0, 0, limbs);
    return result;
}

/// n limbs in runs of random, zero and all-ones limbs, so that carries travel far.
template <class L>
std::vector<L> random_limbs(std::mt19937_64 &engine, int n) {
    std::vector<L> limbs(static_cast<std::size_t>(n));
    int run = 0;
    std::uint64_t kind = 0;
    for (L &x : limbs) {
        if (run-- == 0) {
            kind = engine() % 8;
            run = static_cast<int>(engine() % static_cast<std::uint64_t>(n + 1));
        }
        x = kind == 0 ? L(0) : kind == 1 ? static_cast<L>(~L(0)) : static_cast<L>(engine());
    }
    return limbs;
}

/// A dividend of n + m limbs with its top n limbs below v, half of them v's multiples, give or
/// take.
template <class L>
std::vector<L> random_dividend(std::mt19937_64 &engine, int m, const std::vector<L> &v) {
    const int n = static_cast<int>(v.size());
    const test::Integer divisor = to_integer(v.data(), n);
    test::Integer u = to_integer(random_limbs<L>(engine, n + m).data(), n + m);
    const std::uint64_t choice = engine() % 4;
    if (choice < 2) {
        u = to_integer(random_limbs<L>(engine, m).data(), m) * divisor;
        u = choice == 0 || u.is_zero() ? u + divisor - test::Integer(1) : u - test::Integer(1);
    }
    u = u % (divisor << (8 * sizeof(L) * std::size_t(m)));
    std::vector<L> limbs(std::size_t(n + m));
    mpz_export(limbs.data(), nullptr, -1, sizeof(L), 0, 0, u.raw());
    return limbs;
}

template <int Threshold, class L>
void check_recursive(std::mt19937_64 &engine, int m, int n) {
    std::vector<L> v = random_limbs<L>(engine, n);
    v.back() = static_cast<L>(v.back() | L(1) << (8 * sizeof(L) - 1));
    std::vector<L> u = random_dividend(engine, m, v);
    const test::Integer dividend = to_integer(u.data(), n + m);
    const test::Integer divisor = to_integer(v.data(), n);
    constexpr L guard = static_cast<L>(0xa5a5a5a5a5a5a5a5);
    std::vector<L> q(std::size_t(m) + 1, guard);
    const std::size_t room = std::size_t(arith::division_scratch<L>(n));
    std::vector<L> scratch(room + 1, guard);
    arith::divide_recursive<Threshold>(q.data(), u.data(), m, v.data(), n,
                                       arith::reciprocal(v[v.size() - 1], v[v.size() - 2]),
                                       scratch.data());
    INFO(m, " by ", n, " limbs; WARPINT_TEST_SEED=", test::run_seed());
    REQUIRE(to_integer(q.data(), m) == dividend / divisor);
    REQUIRE(to_integer(u.data(), n) == dividend % divisor);
    REQUIRE(q.back() == guard);
    REQUIRE(scratch[room] == guard);
}

template <class L>
void check_complemented(std::mt19937_64 &engine, int m, int n) {
    std::vector<L> v = random_limbs<L>(engine, n);
    v.back() = static_cast<L>(v.back() | L(1) << (8 * sizeof(L) - 1));
    std::vector<L> u = random_dividend(engine, m, v);
    const test::Integer dividend = to_integer(u.data(), n + m);
    const test::Integer divisor = to_integer(v.data(), n);
    constexpr L guard = static_cast<L>(0xa5a5a5a5a5a5a5a5);
    std::vector<L> q(std::size_t(m) + 1, guard);
    u.push_back(guard);
    arith::detail::divide_complemented(q.data(), u.data(), m, v.data(), n,
                                       arith::reciprocal(v[v.size() - 1], v[v.size() - 2]));
    INFO(m, " by ", n, " limbs; WARPINT_TEST_SEED=", test::run_seed());
    REQUIRE(to_integer(q.data(), m) == dividend / divisor);
    REQUIRE(to_integer(u.data(), n) == dividend % divisor);
    REQUIRE(q.back() == guard);
    REQUIRE(u.back() == guard);
}

/// What is left in M limbs: `length` limbs by M without leading zeros, the quotient over a.
template <int M, class L>
void check_window(std::mt19937_64 &engine, int length) {
    std::vector<L> b = random_limbs<L>(engine, M);
    b.back() = static_cast<L>(b.back() >> (engine() % (8 * sizeof(L))));
    b.back() += b.back() == 0;
    std::vector<L> a = random_limbs<L>(engine, length);
    switch (engine() % 4) {
    case 0: // the quotient's first limb is 0
        a = random_dividend(engine, length - M, b);
        break;
    case 1: // the divisor's top limbs again and again: digits next to B
        for (int i = 0; i < length; ++i)
            a[std::size_t(i)] = b[std::size_t(M - 1 - (length - 1 - i) % (1 + int(engine() % M)))];
        break;
    default:
        break;
    }
    const test::Integer x = to_integer(a.data(), length), y = to_integer(b.data(), M);
    constexpr L guard = static_cast<L>(0xa5a5a5a5a5a5a5a5);
    std::vector<L> q(std::size_t(length - M + 2), guard), r(M + 1, guard), rest(M, guard);
    INFO(x.to_string(), " by ", y.to_string(), "; WARPINT_TEST_SEED=", test::run_seed());
    const int written = arith::divide_in_window<M>(q.data(), r.data(), a.data(), length, b.data());
    REQUIRE(written == length - M + 1);
    REQUIRE(to_integer(q.data(), written) == x / y);
    REQUIRE(to_integer(r.data(), M) == x % y);
    REQUIRE(q.back() == guard);
    REQUIRE(r.back() == guard);
    arith::divide_in_window<M>(static_cast<L *>(nullptr), rest.data(), a.data(), length, b.data());
    REQUIRE(to_integer(rest.data(), M) == x % y);
    arith::divide_in_window<M>(a.data(), b.data(), a.data(), length, b.data());
    REQUIRE(to_integer(a.data(), written) == x / y);
    REQUIRE(to_integer(b.data(), M) == x % y);
}

template <int N, int M, class L>
void check_wide(std::mt19937_64 &engine, int a_limbs, int b_limbs) {
    std::vector<L> b = random_limbs<L>(engine, b_limbs);
    b.back() = static_cast<L>(b.back() >> (engine() % (8 * sizeof(L))));
    b.back() += b.back() == 0;
    std::vector<L> a = random_limbs<L>(engine, a_limbs);
    if (a_limbs >= b_limbs && engine() % 2 == 0)
        a = random_dividend(engine, a_limbs - b_limbs, b);
    const test::Integer x = to_integer(a.data(), a_limbs), y = to_integer(b.data(), b_limbs);
    a.resize(N), b.resize(M);
    std::vector<L> q(N, L(0x55)), r(M, L(0x55)), quotient(N), remainder(M);
    arith::divide<N, M>(q.data(), r.data(), a.data(), b.data());
    INFO(a_limbs, " by ", b_limbs, " limbs; WARPINT_TEST_SEED=", test::run_seed());
    REQUIRE(to_integer(q.data(), N) == x / y);
    REQUIRE(to_integer(r.data(), M) == x % y);
    arith::divide<N, M>(quotient.data(), static_cast<L *>(nullptr), a.data(), b.data());
    arith::divide<N, M>(static_cast<L *>(nullptr), remainder.data(), a.data(), b.data());
    REQUIRE(quotient == q);
    REQUIRE(remainder == r);
    arith::divide<N, M>(a.data(), b.data(), a.data(), b.data());
    REQUIRE(a == q);
    REQUIRE(b == r);
}

// ---- square roots -------------------------------------------------------------------------------

/// The root on hosts, or of the other text, which takes the place of the former for short numbers.
template <int N, bool on_host, class L>
void find_root(L *root, L *remainder, const L *a) {
    if constexpr (on_host) {
        arith::square_root_on_host<N, 2>(root, remainder, a);
    } else {
        arith::square_root<N>(root, remainder, a);
    }
}

template <int N, bool on_host>
void check_root_of(Tally &tally, std::uint64_t a, std::uint64_t expected) {
    constexpr int half = (N + 1) / 2;
    const Limbs<N> x(a);
    Limbs<half> root(0x5555555555555555), alone(0x5555555555555555);
    Limbs<N> remainder(0x5555555555555555);
    find_root<N, on_host>(root.begin(), remainder.begin(), x.begin());
    find_root<N, on_host>(alone.begin(), static_cast<Limb *>(nullptr), x.begin());
    tally.equal(root.value(), expected, a);
    tally.equal(alone.value(), expected, a);
    tally.equal(remainder.value(), a - expected * expected, a);
    tally.equal(root.intact() && remainder.intact() && alone.intact(), true, a);
}

template <int N>
void check_root(Tally &tally, std::uint64_t a, std::uint64_t expected) {
    check_root_of<N, false>(tally, a, expected);
    check_root_of<N, true>(tally, a, expected);
}

template <int N, bool on_host, class L>
void check_wide_root_of(test::Integer a) {
    std::vector<L> x(N), root((N + 1) / 2, L(0x55)), remainder(N, L(0x55));
    mpz_export(x.data(), nullptr, -1, sizeof(L), 0, 0, a.raw());
    test::Integer s, r;
    mpz_sqrtrem(s.raw(), r.raw(), a.raw());
    find_root<N, on_host>(root.data(), remainder.data(), x.data());
    INFO("root of ", a.to_string(), "; WARPINT_TEST_SEED=", test::run_seed());
    REQUIRE(to_integer(root.data(), (N + 1) / 2) == s);
    REQUIRE(to_integer(remainder.data(), N) == r);
    std::vector<L> in_place = x; // the remainder may replace the number
    find_root<N, on_host>(root.data(), in_place.data(), in_place.data());
    REQUIRE(in_place == remainder);
    REQUIRE(to_integer(root.data(), (N + 1) / 2) == s);
    find_root<N, on_host>(x.data(), static_cast<L *>(nullptr), x.data());
    REQUIRE(to_integer(x.data(), (N + 1) / 2) == s);
}
/// Of any length, or all ones in many places; half of them around a square, of a root that may end
/// in zeros.
template <int N, class L>
void check_wide_root(std::mt19937_64 &engine) {
    const int used = 1 + static_cast<int>(engine() % N);
    test::Integer a = to_integer(random_limbs<L>(engine, used).data(), used);
    a = a >> static_cast<std::size_t>(engine() % (8 * sizeof(L)));
    if (engine() % 4 == 0) {
        const int width = a.bit_width();
        a = a | (test::power_of_two(width) - test::power_of_two(width / 2));
    }
    if (engine() % 2 == 0) { // around a square
        mpz_sqrt(a.raw(), a.raw());
        const auto zeros = static_cast<std::size_t>(a.bit_width() / 2);
        if (engine() % 2 == 0)
            a = a >> zeros << zeros;
        a = a * a + test::Integer(static_cast<long>(engine() % 3)) - test::Integer(1);
        a = a.sign() < 0 ? test::Integer(0) : a;
    }
    check_wide_root_of<N, false, L>(a);
    check_wide_root_of<N, true, L>(a);
}

/// Quotient and remainder, then root and remainder, of some numbers.
constexpr std::array<std::uint32_t, 14> divide_some_numbers() {
    const std::uint32_t a[5] = {0xfffffff1, 2, 3, 0xffffffff, 5}, b[3] = {7, 0x80000000, 9};
    std::uint32_t q[5]{}, r[3]{}, root[2]{}, rest[4]{};
    arith::divide<5, 3>(q, r, a, b);
    arith::square_root<4>(root, rest, a);
    std::uint32_t same_root[2]{}, same_rest[4]{};
    arith::square_root_on_host<4, 2>(same_root, same_rest, a);
    if (root[1] != same_root[1] || rest[0] != same_rest[0])
        return {};
    return {q[0], q[1],    q[2],    q[3],    q[4],    r[0],    r[1],
            r[2], root[0], root[1], rest[0], rest[1], rest[2], rest[3]};
}

} // namespace

TEST_CASE("reciprocals: every normalised divisor of one and two 8-bit limbs") {
    Tally tally("reciprocals");
    for (std::uint64_t d = 128; d < 256; ++d) {
        tally.equal(arith::reciprocal(Limb(d)), 65535 / d - 256, d);
    }
    for (std::uint64_t d = 32768; d < 65536; ++d) {
        tally.equal(arith::reciprocal(Limb(d >> 8), Limb(d)), 16777215 / d - 256, d);
        tally.equal(arith::reciprocal(std::uint16_t(d)), 0xffffffff / d - 65536, d);
    }
}

TEST_CASE("reciprocals of wider limbs") {
    Tally tally("wide reciprocals");
    Source source("reciprocals");
    for (long i = 0, runs = test::scaled(1000000); i < runs; ++i) {
        std::uint64_t d = source.number(4) | 0x80000000u;
        if (i < 1000)
            d = i % 2 == 0 ? 0x80000000u + std::uint64_t(i) : 0xffffffffu - std::uint64_t(i);
        if (i % 4 == 2)
            d = std::uint64_t(1 + source.word() % 255) << 24 | 0x80000000u |
                (source.word() % 2 ? 0xffffffu : 0u);
        const std::uint64_t expected = ~std::uint64_t(0) / d - (std::uint64_t(1) << 32);
        tally.equal(arith::reciprocal(std::uint32_t(d)), expected, d);
        tally.equal(arith::detail::reciprocal_by_float(std::uint32_t(d)), expected, d);
    }
}

/// Hosts with 64-bit limbs, and 8-bit limbs, correct quotients without branches; others with them.
TEST_CASE("reciprocals and quotient digits of 16-bit limbs") {
    using L = std::uint16_t;
    Tally tally("16-bit digits");
    Source source("16-bit digits");
    for (long i = 0, runs = test::scaled(1000000); i < runs; ++i) {
        std::uint64_t d = source.number(4) | 0x80000000u;
        if (i % 4 == 0)
            d |= source.word() % 2 ? 0xffff0000u : 0xffffu;
        const L d1 = L(d >> 16), d0 = L(d);
        const L v = arith::reciprocal(d1, d0);
        tally.equal(v, 0xffffffffffff / d - 65536, d);
        std::uint64_t u = source.number(6) % (d << 16);
        if (i % 2 == 0) // around a multiple
            u = u - u % d + (source.word() % 2 ? d - 1 : source.word() % 2);
        const auto three = arith::divide_3by2(L(u >> 32), L(u >> 16), L(u), d1, d0, v);
        tally.equal(three.quotient, u / d, u, d);
        tally.equal(std::uint64_t{three.r1} << 16 | three.r0, u % d, u, d);
        std::uint64_t w = source.number(4) % (std::uint64_t{d1} << 16);
        if (i % 2 == 0)
            w = w - w % d1 + (source.word() % 2 ? d1 - 1u : 0u);
        const auto two = arith::divide_2by1(L(w >> 16), L(w), d1, arith::reciprocal(d1));
        tally.equal(two.quotient, w / d1, w, d1);
        tally.equal(two.remainder, w % d1, w, d1);
    }
}

TEST_CASE("two limbs by one: every case of 8-bit limbs") {
    Tally tally("2 by 1");
    for (std::uint64_t d = 128; d < 256; ++d) {
        const Limb v = arith::reciprocal(Limb(d));
        for (std::uint64_t u = 0; u < d * 256; ++u) {
            const auto r = arith::divide_2by1(Limb(u >> 8), Limb(u), Limb(d), v);
            tally.equal(r.quotient * 256u + r.remainder, u / d * 256 + u % d, u, d);
        }
    }
}

TEST_CASE("three limbs by two") {
    Tally tally("3 by 2");
    Source source("3 by 2");
    for (std::uint64_t d = 32768; d < 65536; ++d) {
        const Limb v = arith::reciprocal(Limb(d >> 8), Limb(d));
        const auto check = [&](std::uint64_t u) {
            const auto r =
                arith::divide_3by2(Limb(u >> 16), Limb(u >> 8), Limb(u), Limb(d >> 8), Limb(d), v);
            tally.equal(r.quotient, u / d, u, d);
            tally.equal(r.r1 * 256u + r.r0, u % d, u, d);
        };
        check(d * 256 - 1);
        for (int i = 0; i < 40; ++i) {
            const std::uint64_t q = i % 4 == 0 ? 255 : source.number(1);
            check(source.number(3) % (d * 256));
            check(q * d);
            check(q * d + d - 1);
        }
    }
}

TEST_CASE("recursive division: 8-bit limbs, every shape up to 40 limbs, small thresholds") {
    std::mt19937_64 engine(test::property_seed("recursive division", 8));
    for (int m = 1; m <= 40; ++m) {
        for (int n = 2; n <= 40; ++n) {
            for (long i = 0, runs = test::scaled(6); i < runs; ++i) {
                check_recursive<2, Limb>(engine, m, n);
                check_recursive<5, Limb>(engine, m, n);
            }
        }
    }
    for (long i = 0, runs = test::scaled(20000); i < runs; ++i) {
        check_recursive<3, Limb>(engine, 4 + static_cast<int>(engine() % 8),
                                 4 + static_cast<int>(engine() % 8));
    }
}

TEST_CASE("division by 3 and 4 limbs in a window: 8-bit limbs") {
    std::mt19937_64 engine(test::property_seed("window", 8));
    for (long i = 0, runs = test::scaled(40000); i < runs; ++i) {
        check_window<3, Limb>(engine, 3 + static_cast<int>(engine() % 8));
        check_window<4, Limb>(engine, 4 + static_cast<int>(engine() % 8));
    }
}

#if WARPINT_HAS_INT128
TEST_CASE("division by 3 and 4 limbs in a window: 64-bit limbs") {
    std::mt19937_64 engine(test::property_seed("window", 64));
    for (long i = 0, runs = test::scaled(20000); i < runs; ++i) {
        check_window<3, std::uint64_t>(engine, 3 + static_cast<int>(engine() % 8));
        check_window<4, std::uint64_t>(engine, 4 + static_cast<int>(engine() % 8));
    }
}

TEST_CASE("division of complemented limbs: 8-bit and 64-bit, every shape up to 20 by 20") {
    std::mt19937_64 engine(test::run_seed());
    for (int n = 2; n <= 20; ++n) {
        for (int m = 1; m <= 20; ++m) {
            for (long i = 0, all = test::scaled(60); i < all; ++i)
                check_complemented<std::uint8_t>(engine, m, n);
            for (long i = 0, all = test::scaled(6); i < all; ++i)
                check_complemented<std::uint64_t>(engine, m, n);
        }
    }
}

TEST_CASE("recursive division: 64-bit limbs") {
    std::mt19937_64 engine(test::property_seed("recursive division", 64));
    for (long i = 0, runs = test::scaled(300); i < runs; ++i) {
        check_recursive<arith::recursive_division_limbs, std::uint64_t>(
            engine, 1 + static_cast<int>(engine() % 600), 2 + static_cast<int>(engine() % 600));
    }
}

TEST_CASE("division of wide numbers against GMP") {
    std::mt19937_64 engine(test::property_seed("wide division", 64));
    const auto up_to = [&](int n) { return 1 + static_cast<int>(engine() % std::uint64_t(n)); };
    for (long i = 0, runs = test::scaled(2000); i < runs; ++i) {
        check_wide<4, 4, std::uint64_t>(engine, up_to(4), up_to(4));
        check_wide<8, 4, std::uint64_t>(engine, up_to(8), up_to(4));
        check_wide<8, 8, std::uint64_t>(engine, up_to(8), up_to(8));
        check_wide<17, 9, std::uint64_t>(engine, up_to(17), up_to(9));
        check_wide<9, 17, std::uint64_t>(engine, up_to(9), up_to(17));
        check_wide<33, 5, std::uint32_t>(engine, up_to(33), up_to(5));
        check_wide<20, 20, std::uint16_t>(engine, up_to(20), up_to(20));
    }
    for (long i = 0, runs = test::scaled(100); i < runs; ++i) {
        check_wide<600, 300, std::uint64_t>(engine, up_to(600), up_to(300));
        check_wide<600, 300, std::uint64_t>(engine, 600, 300);
        check_wide<512, 512, std::uint64_t>(engine, up_to(512), up_to(512));
        check_wide<100, 25, std::uint64_t>(engine, up_to(100), 25);
        check_wide<100, 60, std::uint32_t>(engine, up_to(100), up_to(60));
    }
}
#endif

TEST_CASE("square root: every number of two 8-bit limbs, three limbs around squares") {
    Tally tally("square roots");
    std::uint64_t root = 0;
    for (std::uint64_t a = 0; a < 65536; ++a) {
        root += (root + 1) * (root + 1) <= a;
        if (a < 256)
            check_root<1>(tally, a, root);
        check_root<2>(tally, a, root);
        check_root<3>(tally, a, root);
        check_root<4>(tally, a, root);
    }
    for (std::uint64_t s = 1; s < 4096; ++s) {
        for (std::uint64_t a :
             {s * s - 1, s * s, s * s + 1, s * s + s, s * s + 2 * s - 1, s * s + 2 * s}) {
            check_root<3>(tally, a, s - (a < s * s));
        }
    }
}

TEST_CASE("square root: random numbers up to eight 8-bit limbs") {
    Tally tally("random square roots");
    Source source("square roots");
    const auto floor_root = [](std::uint64_t a) {
        auto s = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(a)));
        while (s > 0 && (s > 0xffffffff || s * s > a))
            --s;
        while (s < 0xffffffff && (s + 1) * (s + 1) <= a)
            ++s;
        return s;
    };
    for (long i = 0, runs = test::scaled(200000); i < runs; ++i) {
        std::uint64_t a = source.number(8) >> (source.word() % 64);
        if (i % 2 == 0) {
            const std::uint64_t s = source.number(4);
            a = s * s + (source.word() % 3 == 0 ? 2 * s : source.word() % 3) - (s != 0);
        }
        check_root<8>(tally, a, floor_root(a));
        check_root<6>(tally, a >> 16, floor_root(a >> 16));
        check_root<5>(tally, a >> 24, floor_root(a >> 24));
        check_root<7>(tally, a >> 8, floor_root(a >> 8));
    }
}

TEST_CASE("square root of wide numbers against GMP") {
    std::mt19937_64 engine(test::property_seed("wide square roots", 64));
    for (long i = 0, runs = test::scaled(3000); i < runs; ++i) {
        check_wide_root<40, Limb>(engine);
        check_wide_root<13, Limb>(engine);
        check_wide_root<7, std::uint16_t>(engine);
        check_wide_root<33, std::uint32_t>(engine);
#if WARPINT_HAS_INT128
        check_wide_root<9, std::uint64_t>(engine);
    }
    for (long i = 0, runs = test::scaled(150); i < runs; ++i) {
        check_wide_root<512, std::uint64_t>(engine);
#endif
    }
}

#if WARPINT_HAS_INT128
TEST_CASE("square root of two 64-bit limbs: around squares, however the processor rounds") {
    using u64 = std::uint64_t;
    using Wide = limb::double_limb_t<u64>;
    std::mt19937_64 engine(7);
    const auto check = [](Wide a) {
        const auto r = arith::detail::root_of_two<u64>(a);
        const Wide square = static_cast<Wide>(r.root) * r.root;
        const Wide rest = static_cast<Wide>(r.above) << 64 | r.remainder;
        return square <= a && a - square == rest && rest <= static_cast<Wide>(r.root) * 2;
    };
    long wrong = 0;
    for (const int mode : {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
        REQUIRE(std::fesetround(mode) == 0);
        for (int i = 0; i < 50000; ++i) {
            const u64 any = engine() | u64{1} << 63;
            const u64 high = i % 2 == 0 ? any : ~(any >> 40); // roots, also next to 2^64
            const u64 half = high >> 32;                      // and next to 2^32
            const Wide of_half = static_cast<Wide>(half * half) << 64;
            for (const Wide square : {static_cast<Wide>(high) * high, of_half}) {
                for (const Wide near : {square - 1, square, square + 2 * Wide{high}, square + any})
                    wrong += near >> 126 == 0 || near < square - 1 || check(near) ? 0 : 1;
            }
        }
    }
    std::fesetround(FE_TONEAREST);
    CHECK(wrong == 0);
}
#endif

TEST_CASE("division and square root in constant expressions") {
    constexpr auto at_compile_time = divide_some_numbers();
    CHECK(at_compile_time == divide_some_numbers());
}

TEST_CASE("division: every dividend of two limbs by every limb") {
    Tally tally("divisions, exhaustive");
    for (std::uint64_t a = 0; a < 65536; ++a) {
        for (std::uint64_t b = 1; b < 256; ++b) {
            check_quotient<2, 1>(tally, a, b);
            Limbs<2> quotient;
            const Limb remainder = arith::divide_row_by_limb(quotient.begin(), Limbs<2>(a).begin(),
                                                             2, arith::prepare_divisor(Limb(b)));
            tally.equal(quotient.value() * b + remainder, a, a, b);
        }
    }
}

TEST_CASE("division: remainders of long dividends by every limb") {
    Tally tally("remainders by a limb");
    Source source("remainders by a limb");
    for (int length = 1; length <= 3 * arith::remainder_turn_limbs; ++length) {
        for (int run = 0; run < 20; ++run) {
            std::vector<Limb> a(static_cast<std::size_t>(length));
            for (Limb &limb : a)
                limb = run == 0 ? Limb(0xff) : static_cast<Limb>(source.number(1));
            for (unsigned b = 1; b < 256; ++b) {
                unsigned expected = 0;
                for (std::size_t i = a.size(); i-- > 0;)
                    expected = (256 * expected + a[i]) % b;
                const Limb got = arith::remainder_row_by_limb(
                    a.data(), length, arith::prepare_divisor(static_cast<Limb>(b)));
                tally.equal(got, expected, length, run, b);
            }
        }
    }
}

TEST_CASE("division: every divisor of two limbs, dividends around its multiples") {
    Tally tally("divisions around multiples");
    Source source("divisions around multiples");
    for (std::uint64_t b = 1; b < 65536; ++b) {
        for (std::uint64_t q :
             {std::uint64_t(0xff), std::uint64_t(0x100), std::uint64_t(0xff00),
              std::uint64_t(0xfffe), std::uint64_t(0xffff), source.number(2), source.number(1)}) {
            check_quotient<4, 2>(tally, q * b, b);
            check_quotient<4, 2>(tally, q * b + b - 1, b);
            check_quotient<4, 2>(tally, q * b - (q * b > 0), b);
            check_quotient<4, 2>(tally, ((b << 16) - 1) & 0xffffffff, b);
        }
    }
}

TEST_CASE("division: random limbs") {
    check_random_quotients<2, 2>(1000000);
    check_random_quotients<3, 2>(2000000);
    check_random_quotients<4, 2>(1000000);
    check_random_quotients<5, 3>(2000000);
    check_random_quotients<8, 4>(500000);
    check_random_quotients<3, 5>(300000);
    check_random_quotients<8, 1>(200000);
}
