// SPDX-License-Identifier: Apache-2.0
// Modular sums, Barrett reduction and the reductions by special moduli over limb arrays: 8-bit
// limbs against plain integers, exhaustively where the operands are short, and 32- and 64-bit limbs
// against GMP at the real primes.

#include "support/integer.h"
#include "support/limbs.h"

#include <warpint/arith/limbs/reduction/barrett.h>
#include <warpint/arith/limbs/reduction/special_reduction.h>

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace {

namespace arith = warpint::arith;
namespace limb = warpint::limb;

using test::Integer;
using test::limbs::all_ones;
using test::limbs::Limb;
using test::limbs::Limbs;
using test::limbs::Source;
using test::limbs::Tally;

// ---- sums modulo m ----------------------------------------------------------------------------

template <int N>
void check_sums(Tally &tally, std::uint64_t m, std::uint64_t a, std::uint64_t b) {
    const Limbs<N> modulus(m);
    Limbs<N> x(a);
    Limbs<N> y(b);
    Limbs<N> r;
    arith::add_modulo<N>(r.begin(), x.begin(), y.begin(), modulus.begin());
    tally.equal(r.value(), static_cast<std::uint64_t>((a + b) % m), m, a, b);
    arith::subtract_modulo<N>(r.begin(), x.begin(), y.begin(), modulus.begin());
    tally.equal(r.value(), static_cast<std::uint64_t>((a + m - b) % m), m, a, b);
    // In place.
    arith::add_modulo<N>(x.begin(), x.begin(), y.begin(), modulus.begin());
    tally.equal(x.value(), static_cast<std::uint64_t>((a + b) % m), m, a, b);
    const Limbs<N> first(a);
    arith::subtract_modulo<N>(y.begin(), first.begin(), y.begin(), modulus.begin());
    tally.equal(y.value(), static_cast<std::uint64_t>((a + m - b) % m), m, a, b);
    tally.equal(r.intact() && x.intact() && y.intact(), true, m, a, b);
}

TEST_CASE("sums modulo m of one limb, all operands") {
    Tally tally("one-limb modular sums");
    for (std::uint64_t m = 1; m < 256; ++m) {
        for (std::uint64_t a = 0; a < m; ++a) {
            for (std::uint64_t b = 0; b < m; b += m > 64 ? 3 : 1)
                check_sums<1>(tally, m, a, b);
        }
    }
}

TEST_CASE("sums modulo m of several limbs") {
    Tally tally("modular sums");
    Source source("modular sums");
    for (long i = 0, runs = test::scaled(100000); i < runs; ++i) {
        std::uint64_t m = source.number(3);
        m += m == 0;
        check_sums<3>(tally, m, source.number(3) % m, source.number(3) % m);
        check_sums<3>(tally, m, m - 1, source.number(3) % m);
    }
}

// ---- Barrett ------------------------------------------------------------------------------------

/// 2^shift m, its reciprocal and the shift, against plain integers (N <= 4).
template <int N>
struct Barrett {
    Limbs<N> modulus, normalised, reciprocal;
    int shift;
    explicit Barrett(std::uint64_t m) : modulus(m) {
        shift = arith::prepare_barrett<N>(normalised.begin(), reciprocal.begin(), modulus.begin());
    }
};

template <int N>
void check_barrett_constants(Tally &tally, const Barrett<N> &barrett, std::uint64_t m) {
    const std::uint64_t scaled = m << barrett.shift;
    tally.equal(scaled >> (8 * N - 1), 1, m);
    tally.equal(barrett.normalised.value(), scaled, m);
    tally.equal(barrett.reciprocal.value(), (all_ones<2 * N> / scaled) & all_ones<N>, m);
    tally.equal(barrett.normalised.intact() && barrett.reciprocal.intact(), true, m);
}

/// x < m B^N for a normalised m.
template <int N>
void check_barrett(Tally &tally, const Barrett<N> &barrett, std::uint64_t x) {
    const std::uint64_t m = barrett.normalised.value();
    Limbs<2 * N> dividend(x);
    Limbs<N> r;
    arith::barrett_reduce<N>(r.begin(), dividend.begin(), barrett.normalised.begin(),
                             barrett.reciprocal.begin());
    tally.equal(r.value(), x % m, m, x);
    tally.equal(r.intact(), true, m, x);
}

TEST_CASE("Barrett reduction with one limb, all moduli and dividends") {
    Tally tally("Barrett, one limb");
    for (std::uint64_t m = 1; m < 256; ++m) {
        const Barrett<1> barrett(m);
        check_barrett_constants(tally, barrett, m);
        if (m >= 128) {
            for (std::uint64_t x = 0; x < m << 8; ++x)
                check_barrett(tally, barrett, x);
        }
    }
}

template <int N>
void check_random_barrett(long count) {
    Tally tally("Barrett, " + std::to_string(N) + " limbs");
    Source source("Barrett");
    for (long i = 0, runs = test::scaled(count); i < runs; ++i) {
        std::uint64_t m =
            source.number(N) >> (source.word() % 8 == 0 ? source.word() % (8 * N) : 0);
        m += m == 0;
        const Barrett<N> barrett(m);
        check_barrett_constants(tally, barrett, m);
        const std::uint64_t scaled = m << barrett.shift;
        for (int k = 0; k < 4; ++k) {
            // Dividends around multiples of m, and with the largest quotient.
            std::uint64_t high = source.number(N) % scaled;
            high = k == 1 ? scaled - 1 : high;
            std::uint64_t x = high << (8 * N) | source.number(N);
            x = k == 2 ? x / scaled * scaled : k == 3 ? x / scaled * scaled + scaled - 1 : x;
            if (x >> (8 * N) >= scaled)
                continue;
            check_barrett(tally, barrett, x);
        }
        const std::uint64_t a = source.number(N) % m;
        const std::uint64_t b = i % 5 == 0 ? m - 1 : source.number(N) % m;
        Limbs<N> r;
        const Limbs<N> x(a << barrett.shift);
        const Limbs<N> y(b << barrett.shift);
        arith::barrett_multiply<N>(r.begin(), x.begin(), y.begin(), barrett.normalised.begin(),
                                   barrett.reciprocal.begin(), barrett.shift);
        tally.equal(r.value(), (a * b % m) << barrett.shift, a, b, m);
        tally.equal(r.intact(), true, a, b, m);
    }
}

TEST_CASE("Barrett reduction with several limbs") {
    check_random_barrett<2>(40000);
    check_random_barrett<3>(40000);
    check_random_barrett<4>(40000); // products by halves from here on
}

template <int L, int N>
void check_remainders(long count) {
    Tally tally("remainder of " + std::to_string(L) + " by " + std::to_string(N) + " limbs");
    Source source("Barrett remainder");
    for (long i = 0, runs = test::scaled(count); i < runs; ++i) {
        std::uint64_t m =
            source.number(N) >> (source.word() % 2 == 0 ? source.word() % (8 * N) : 0);
        m += m == 0;
        const Barrett<N> barrett(m);
        std::uint64_t x = source.number(L);
        x = i % 7 == 0 ? x / m * m : i % 7 == 1 && x / m != 0 ? x / m * m - 1 : x;
        const Limbs<L> dividend(x);
        Limbs<N> r;
        arith::barrett_scaled_remainder<L, N>(r.begin(), dividend.begin(),
                                              barrett.normalised.begin(),
                                              barrett.reciprocal.begin(), barrett.shift);
        tally.equal(r.value(), (x % m) << barrett.shift, x, m);
        tally.equal(r.intact(), true, x, m);
    }
}

TEST_CASE("remainders of dividends of any length by a reciprocal") {
    check_remainders<1, 1>(5000);
    check_remainders<3, 1>(5000);
    check_remainders<1, 2>(5000);
    check_remainders<2, 2>(5000);
    check_remainders<4, 2>(20000);
    check_remainders<7, 2>(20000);
    check_remainders<6, 3>(20000);
    check_remainders<8, 3>(20000);
    check_remainders<8, 4>(20000);
}

// ---- special moduli, 8-bit limbs ----------------------------------------------------------------

template <int N>
constexpr arith::Constant<N, Limb> small_constant(std::uint64_t value) {
    arith::Constant<N, Limb> r{};
    for (int i = 0; i < N; ++i)
        r.limbs[i] = static_cast<Limb>(value >> (8 * i));
    return r;
}

/// Calls check(x) for every x < 2^(2 K), or for a sample: multiples of p and their neighbours,
/// products of numbers near p, and random numbers of special limbs.
template <int K, class Check>
void for_dividends(std::uint64_t p, const char *name, Check &&check) {
    constexpr std::uint64_t last = ~std::uint64_t{0} >> (64 - 2 * K);
    if constexpr (2 * K <= 24) {
        for (std::uint64_t x = 0; x <= last; ++x)
            check(x);
    } else {
        for (std::uint64_t a = p - 300 < p ? p - 300 : 0; a < p; ++a) {
            for (std::uint64_t b = p - 40; b < p; ++b)
                check(a * b);
        }
        for (std::uint64_t i = 0; i < 70000; ++i) {
            check(i);
            check(last - i);
        }
        Source source(name);
        for (long i = 0, runs = test::scaled(50000); i < runs; ++i) {
            const std::uint64_t x = source.number(8) & last;
            check(x);
            check(x / p * p);
            check(x / p * p <= last - (p - 1) ? x / p * p + p - 1 : x / p * p - 1);
        }
    }
}

template <int N, auto p>
void check_pseudo_mersenne_dividend(Tally &tally, std::uint64_t value, std::uint64_t x) {
    const Limbs<2 * N> dividend(x);
    Limbs<N> r;
    arith::reduce_pseudo_mersenne<p, false>(r.begin(), dividend.begin());
    tally.equal(r.value(), x % value, x);
    tally.equal(r.intact(), true, x);
    arith::reduce_pseudo_mersenne<p, true>(r.begin(), dividend.begin());
    tally.equal(r.value(), x % value, x);
    tally.equal(r.intact(), true, x);
}

template <std::uint64_t value>
void check_pseudo_mersenne() {
    constexpr int K = 64 - limb::countl_zero(value);
    constexpr int N = (K + 7) / 8;
    constexpr auto p = small_constant<N>(value);
    static_assert(arith::is_pseudo_mersenne(p));
    Tally tally("pseudo-Mersenne " + std::to_string(value));
    for_dividends<K>(value, "pseudo-Mersenne", [&tally](std::uint64_t x) {
        check_pseudo_mersenne_dividend<N, small_constant<N>(value)>(tally, value, x);
    });
}

TEST_CASE("pseudo-Mersenne moduli with 8-bit limbs") {
    check_pseudo_mersenne<127>();
    check_pseudo_mersenne<(1u << 8) - 5>();
    check_pseudo_mersenne<(1u << 10) - 1>();
    check_pseudo_mersenne<(1u << 10) - 3>();
    check_pseudo_mersenne<(1u << 11) - 9>();
    check_pseudo_mersenne<(1u << 12) - 31>();
    check_pseudo_mersenne<(1u << 13) - 1>();
    check_pseudo_mersenne<(1u << 15) - 19>();
    check_pseudo_mersenne<(1u << 16) - 1>();
    check_pseudo_mersenne<(1u << 16) - 17>();
    check_pseudo_mersenne<(1u << 16) - 127>();
    check_pseudo_mersenne<(1u << 20) - 255>();
    check_pseudo_mersenne<(1u << 24) - 3>();
    check_pseudo_mersenne<(1u << 24) - 256>(); // c of two limbs from here on
    check_pseudo_mersenne<(1u << 24) - 256 - 163>();
    check_pseudo_mersenne<(1u << 24) - 511>();
    check_pseudo_mersenne<(1u << 21) - 257>();
    check_pseudo_mersenne<(1u << 31) - 400>();
    check_pseudo_mersenne<0xffffffffu - 256 - 76>();
}

TEST_CASE("what is not a pseudo-Mersenne number") {
    CHECK(!arith::is_pseudo_mersenne(small_constant<3>(0xfffd00))); // c has more than 9 bits
    CHECK(!arith::is_pseudo_mersenne(small_constant<2>(0xff)));     // does not fill its limbs
    CHECK(!arith::is_pseudo_mersenne(small_constant<2>(0xff7f)));   // c too large for 16 bits
    CHECK(!arith::is_pseudo_mersenne(small_constant<1>(1)));
}

template <int N, auto p, int G>
void check_solinas_dividend(Tally &tally, std::uint64_t value, std::uint64_t x) {
    const Limbs<2 * N> dividend(x);
    Limbs<N> r;
    arith::reduce_solinas<p, G>(r.begin(), dividend.begin());
    tally.equal(r.value(), x % value, x);
    tally.equal(r.intact(), true, x);
}

template <std::uint64_t value, int G>
void check_solinas() {
    constexpr int K = 64 - limb::countl_zero(value);
    constexpr int N = (K + 7) / 8;
    constexpr auto p = small_constant<N>(value);
    static_assert(arith::solinas_form_of<p, G>(16).exists);
    Tally tally("Solinas " + std::to_string(value));
    for_dividends<K>(value, "Solinas", [&tally](std::uint64_t x) {
        check_solinas_dividend<N, small_constant<N>(value), G>(tally, value, x);
    });
}

constexpr std::uint64_t bit(int i) {
    return std::uint64_t{1} << i;
}

TEST_CASE("generalised Mersenne moduli with 8-bit limbs") {
    check_solinas<bit(12) - bit(4) - 1, 4>(); // all dividends
    check_solinas<bit(12) - bit(4) + 1, 4>();
    check_solinas<bit(16) - bit(8) + bit(4) - 1, 4>();
    check_solinas<bit(24) - bit(8) - 1, 4>();                      // as P-192
    check_solinas<bit(28) - bit(12) + 1, 4>();                     // as P-224
    check_solinas<bit(32) - bit(28) + bit(24) + bit(12) - 1, 4>(); // as P-256
    check_solinas<bit(24) - bit(8) - 1, 8>();
    check_solinas<bit(32) - bit(8) + 1, 8>();
    check_solinas<bit(32) - bit(24) + bit(16) + bit(8) - 1, 8>();
    check_solinas<bit(32) - bit(24) + bit(16) + 1, 8>(); // needs its whole bias
}

TEST_CASE("what is not a generalised Mersenne number") {
    CHECK(!arith::solinas_form_of<small_constant<4>(0xff123457), 8>(16).exists);
    CHECK(!arith::solinas_form_of<small_constant<4>(0xfefdfcfb), 8>(16).exists);
    CHECK(!arith::solinas_form_of<small_constant<4>(0x7fffffff), 8>(16).exists); // 31 bits
}

// ---- real primes, limbs of machines
// ---------------------------------------------------------------

/// 2^K plus the powers of two in `added`, less those in `subtracted` and `minus`.
template <class AnyLimb, int K>
constexpr auto sparse_constant(std::initializer_list<int> added,
                               std::initializer_list<int> subtracted, int minus) {
    constexpr int bits = limb::limb_bits<AnyLimb>;
    constexpr int N = (K + bits - 1) / bits;
    AnyLimb r[N + 1]{}; // modulo B^(N + 1)
    const auto add_power = [&](int e, bool negative) {
        AnyLimb term[N + 1]{};
        term[e / bits] = static_cast<AnyLimb>(AnyLimb{1} << (e % bits));
        AnyLimb carry = 0;
        for (int i = 0; i <= N; ++i) {
            r[i] = negative ? limb::sub_borrow(r[i], term[i], carry)
                            : limb::add_carry(r[i], term[i], carry);
        }
    };
    add_power(K, false);
    for (const int e : added)
        add_power(e, false);
    for (const int e : subtracted)
        add_power(e, true);
    AnyLimb borrow = 0;
    for (int i = 0; i <= N; ++i)
        r[i] = limb::sub_borrow(r[i], static_cast<AnyLimb>(i == 0 ? minus : 0), borrow);
    arith::Constant<N, AnyLimb> constant{};
    for (int i = 0; i < N; ++i)
        constant.limbs[i] = r[i];
    return constant;
}

template <class AnyLimb>
Integer value_of(const AnyLimb *a, int n) {
    Integer x;
    mpz_import(x.raw(), static_cast<std::size_t>(n), -1, sizeof(AnyLimb), 0, 0, a);
    return x;
}

/// Calls reduce(r, x) for the products of special and random residues, for multiples of p and for
/// the largest dividends.
template <auto p, class Reduce>
void check_against_gmp(const char *name, Reduce &&reduce) {
    using AnyLimb = typename decltype(p)::Limb;
    constexpr int N = decltype(p)::size;
    const Integer modulus = value_of(p.limbs, N);
    const int width = modulus.bit_width();
    test::check_property(
        name, limb::limb_bits<AnyLimb>, 3000,
        [&](test::OperandSource &source) -> test::Operands {
            const auto residue = [&] {
                switch (source.below(6)) {
                case 0:
                    return modulus - 1 - source.below(3);
                case 1:
                    return Integer(source.below(3));
                default:
                    return test::modulo(source.number(width), modulus);
                }
            };
            Integer x = residue() * residue();
            switch (source.below(8)) {
            case 0:
                x = test::all_ones(2 * width) - source.below(1000);
                break;
            case 1:
                x = source.number(2 * width);
                break;
            case 2:
                x = x / modulus * modulus;
                break;
            case 3:
                x = x / modulus * modulus + modulus - 1;
                break;
            default:
                break;
            }
            return {x};
        },
        [&](test::Verdict &verdict, const test::Operands &v) {
            if (!test::fits_unsigned(v[0], 2 * width))
                return;
            AnyLimb x[2 * N]{};
            AnyLimb r[N + 1]{};
            r[N] = 0x5a;
            mpz_export(x, nullptr, -1, sizeof(AnyLimb), 0, 0, v[0].raw());
            reduce(r, x);
            verdict.equal("x mod p", value_of(r, N), test::modulo(v[0], modulus));
            verdict.is_true("guard limb", r[N] == 0x5a);
        });
}

template <auto p>
void check_folded(const char *name) {
    check_against_gmp<p>(name, arith::reduce_pseudo_mersenne<p, false>);
    check_against_gmp<p>(name, arith::reduce_pseudo_mersenne<p, true>);
}

template <class AnyLimb>
void check_real_pseudo_mersenne() {
    check_folded<sparse_constant<AnyLimb, 255>({}, {}, 19)>("2^255 - 19");
    check_folded<sparse_constant<AnyLimb, 256>({}, {32}, 977)>("secp256k1");
    check_folded<sparse_constant<AnyLimb, 521>({}, {}, 1)>("2^521 - 1");
    check_folded<sparse_constant<AnyLimb, 127>({}, {}, 1)>("2^127 - 1");
    check_folded<sparse_constant<AnyLimb, 130>({}, {}, 5)>("2^130 - 5");
    check_folded<sparse_constant<AnyLimb, 160>({}, {}, 47)>("2^160 - 47");
    check_folded<sparse_constant<AnyLimb, 256>({}, {}, 189)>("2^256 - 189");
    check_folded<sparse_constant<AnyLimb, 414>({}, {}, 17)>("2^414 - 17");
}

TEST_CASE("primes 2^k - c") {
    check_real_pseudo_mersenne<std::uint32_t>();
#if WARPINT_HAS_INT128
    check_real_pseudo_mersenne<std::uint64_t>();
#endif
}

template <auto p>
void check_sparse(const char *name) {
    check_against_gmp<p>(name, arith::reduce_solinas<p, 32>);
}

template <class AnyLimb>
void check_real_solinas() {
    check_sparse<sparse_constant<AnyLimb, 192>({}, {64}, 1)>("P-192");
    check_sparse<sparse_constant<AnyLimb, 224>({0, 0}, {96}, 1)>("P-224"); // + 2 - 1
    check_sparse<sparse_constant<AnyLimb, 256>({192, 96}, {224}, 1)>("P-256");
    check_sparse<sparse_constant<AnyLimb, 384>({32}, {128, 96}, 1)>("P-384");
    check_sparse<sparse_constant<AnyLimb, 448>({}, {224}, 1)>("2^448 - 2^224 - 1");
    check_sparse<sparse_constant<AnyLimb, 128>({64, 0, 0}, {96}, 1)>("2^128 - 2^96 + 2^64 + 1");
}

/// 2^(32 N) reduce_friendly(x) against x.
template <auto p>
void check_friendly(const char *name) {
    constexpr int N = decltype(p)::size;
    const Integer modulus = value_of(p.limbs, N);
    const Integer largest = modulus * test::power_of_two(32 * N) - 1;
    check_against_gmp<p>(name, [&](std::uint32_t *r, const std::uint32_t *x) {
        std::uint32_t y[2 * N]{};
        const Integer bounded =
            value_of(x, 2 * N) > largest ? largest - value_of(x, 1) : value_of(x, 2 * N);
        mpz_export(y, nullptr, -1, 4, 0, 0, bounded.raw());
        std::uint32_t reduced[N + 1]{};
        reduced[N] = 0x5a;
        arith::reduce_friendly<p>(reduced, y);
        CHECK(reduced[N] == 0x5a);
        CHECK(value_of(reduced, N) < modulus);
        CHECK(test::modulo(value_of(reduced, N) * test::power_of_two(32 * N) - bounded, modulus) ==
              0);
        const Integer remainder = test::modulo(value_of(x, 2 * N), modulus); // what is compared
        for (int i = 0; i < N; ++i)
            r[i] = 0;
        mpz_export(r, nullptr, -1, 4, 0, 0, remainder.raw());
    });
}

TEST_CASE("Montgomery-friendly primes") {
    constexpr auto p256 = sparse_constant<std::uint32_t, 256>({192, 96}, {224}, 1);
    constexpr auto other = sparse_constant<std::uint32_t, 256>({96}, {160}, 1);
    constexpr auto p192 = sparse_constant<std::uint32_t, 192>({}, {64}, 1);
    constexpr auto goldilocks = sparse_constant<std::uint32_t, 448>({}, {224}, 1);
    static_assert(arith::friendly_limbs<p256>() == 3 && arith::prefers_friendly<p256>());
    static_assert(arith::friendly_limbs<other>() == 3);
    static_assert(arith::friendly_limbs<p192>() == 2 && !arith::prefers_friendly<p192>());
    static_assert(arith::friendly_limbs<goldilocks>() == 7);
    static_assert(
        arith::friendly_limbs<sparse_constant<std::uint32_t, 384>({32}, {128, 96}, 1)>() == 0);
    static_assert(arith::friendly_limbs<sparse_constant<std::uint32_t, 256>({}, {32}, 977)>() == 0);
    check_friendly<p256>("P-256");
    check_friendly<other>("2^256 - 2^160 + 2^96 - 1");
    check_friendly<p192>("P-192");
    check_friendly<goldilocks>("2^448 - 2^224 - 1");
}

TEST_CASE("primes of few terms") {
    check_real_solinas<std::uint32_t>();
#if WARPINT_HAS_INT128
    check_real_solinas<std::uint64_t>();
#endif
}

} // namespace
