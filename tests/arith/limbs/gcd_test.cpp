// SPDX-License-Identifier: Apache-2.0
// Greatest common divisors, inverses and Jacobi symbols over limb arrays with 8- and 16-bit limbs,
// where everything can be tried: a batch is then 6 or 14 steps long, so that numbers of 12 bits
// take several batches, and a comparison of half a limb is wrong often.

#include "support/property.h"

#include <warpint/arith/limbs/gcd/inverse.h>

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <numeric>
#include <sstream>
#include <string>

namespace {

namespace arith = warpint::arith;
using test::Integer;
using test::OperandPair;
using test::OperandSource;

/// N little-endian limbs with a guard limb behind them.
template <class Limb, int N>
struct Limbs {
    static constexpr int limb_bits = int(sizeof(Limb) * 8);
    static constexpr Limb guard = Limb(0xa5);
    std::array<Limb, N + 1> data{};

    explicit Limbs(std::uint64_t value = 0) {
        for (int i = 0; i < N; ++i) {
            data[std::size_t(i)] = static_cast<Limb>(value >> (limb_bits * i));
        }
        data[N] = guard;
    }
    explicit Limbs(const Integer &value) {
        mpz_export(data.data(), nullptr, -1, sizeof(Limb), 0, 0, value.raw());
        data[N] = guard;
    }
    Limb *begin() { return data.data(); }
    const Limb *begin() const { return data.data(); }
    /// For at most 64 bits; a broken guard shows as a wrong value.
    std::uint64_t value() const {
        std::uint64_t result = 0;
        for (int i = N - 1; i >= 0; --i) {
            result = (result << limb_bits) | data[std::size_t(i)];
        }
        return data[N] == guard ? result : ~result;
    }
    Integer integer() const {
        Integer result;
        mpz_import(result.raw(), N, -1, sizeof(Limb), 0, 0, data.data());
        return data[N] == guard ? result : -result - 1;
    }
};

/// Counts comparisons, remembers the first that failed.
class Tally {
public:
    explicit Tally(std::string what) : what_(std::move(what)) {}
    Tally(const Tally &) = delete;
    Tally &operator=(const Tally &) = delete;
    ~Tally() {
        INFO(what_, ": ", failures_, " of ", comparisons_, " failed; first: ", first_,
             "; WARPINT_TEST_SEED=", test::run_seed());
        CHECK(failures_ == 0);
        CHECK(comparisons_ > 0);
    }
    template <class Value, class A, class B>
    void equal(const char *what, const Value &got, const Value &expected, const A &a, const B &b) {
        ++comparisons_;
        if (got != expected && failures_++ == 0) {
            std::ostringstream text;
            text << what << ": got " << got << ", expected " << expected << " for " << a << ", "
                 << b;
            first_ = text.str();
        }
    }

private:
    std::string what_, first_;
    std::uint64_t comparisons_ = 0, failures_ = 0;
};

/// The form for long numbers on hosts, at any length.
template <class Limb, int N>
void check_euclid(Tally &tally, const Integer &a, const Integer &b) {
    using L = Limbs<Limb, N>;
    Integer divisor, x, y;
    mpz_gcdext(divisor.raw(), x.raw(), y.raw(), a.raw(), b.raw());
    L r, g;
    arith::gcd_euclid<N>(r.begin(), L(a).begin(), L(b).begin());
    tally.equal("gcd by Euclid", r.integer(), divisor, a, b);
    if (!a.is_zero() || !b.is_zero()) {
        const bool negative =
            arith::cofactor_euclid<N>(r.begin(), g.begin(), L(a).begin(), L(b).begin());
        tally.equal("gcd by Euclid with cofactor", g.integer(), divisor, a, b);
        tally.equal("cofactor by Euclid", negative ? -r.integer() : r.integer(), x, a, b);
    }
    if (mpz_odd_p(b.raw()) != 0) {
        L u(a), v(b);
        tally.equal("jacobi by Euclid", arith::jacobi_euclid<N>(u.begin(), v.begin()),
                    mpz_jacobi(a.raw(), b.raw()), a, b);
    }
}

int jacobi_oracle(std::uint64_t a, std::uint64_t n) {
    return mpz_jacobi(Integer(a).raw(), Integer(n).raw());
}

} // namespace

TEST_CASE("all inverses modulo every odd number below 2^12") {
    using L = Limbs<std::uint8_t, 2>;
    Tally tally("inverses modulo odd numbers");
    for (unsigned m = 1; m < 4096; m += 2) {
        const L modulus(m);
        for (unsigned a = 0; a < m; ++a) {
            const L x(a);
            const bool exists = std::gcd(a, m) == 1;
            L constant, early, cofactor, divisor;
            const bool constant_exists =
                arith::inverse_divsteps<true, 2>(constant.begin(), x.begin(), modulus.begin());
            const bool early_exists =
                arith::inverse_divsteps<false, 2>(early.begin(), x.begin(), modulus.begin());
            arith::cofactor_odd<2>(cofactor.begin(), divisor.begin(), x.begin(), modulus.begin());
            tally.equal("constant time, exists", constant_exists, exists, a, m);
            tally.equal("early exit, exists", early_exists, exists, a, m);
            tally.equal("gcd", divisor.value(), std::uint64_t(std::gcd(a, m)), a, m);
            tally.equal("a * cofactor", a * cofactor.value() % m, divisor.value() % m, a, m);
            tally.equal("cofactor < m", cofactor.value() < m, true, a, m);
            // The cofactors agree even where there is no inverse, modulo m / gcd.
            tally.equal("both forms", early.value(), constant.value(), a, m);
            if (exists) {
                tally.equal("inverse", early.value(), cofactor.value(), a, m);
            } else if (a == 0) {
                tally.equal("constant time, of 0", constant.value(), std::uint64_t(0), a, m);
            }
        }
    }
}

TEST_CASE("what takes the place of an inverse modulo every odd number below 2^11") {
    using L = Limbs<std::uint8_t, 2>;
    Tally tally("inverses or annihilators");
    for (unsigned m = 1; m < 2048; m += 2) {
        const L modulus(m);
        for (unsigned a = 1; a < m; ++a) {
            const unsigned gcd = std::gcd(a, m);
            L r, early, odd;
            const bool exists =
                arith::inverse_or_annihilator<2>(r.begin(), L(a).begin(), modulus.begin());
            tally.equal("exists", exists, gcd == 1, a, m);
            tally.equal("in range", r.value() < m, true, a, m);
            if (exists) {
                tally.equal("a * inverse", a * r.value() % m, std::uint64_t(1 % m), a, m);
            } else {
                tally.equal("m / gcd", r.value(), std::uint64_t(m / gcd), a, m);
                arith::inverse_divsteps<false, 2, true>(early.begin(), L(a).begin(),
                                                        modulus.begin());
                arith::inverse_odd<2, true>(odd.begin(), L(a).begin(), modulus.begin());
                tally.equal("gcd by divsteps", early.value(), std::uint64_t(gcd), a, m);
                tally.equal("gcd", odd.value(), std::uint64_t(gcd), a, m);
            }
        }
    }
}

TEST_CASE("inverses modulo every even number below 2^11, from those modulo its odd part") {
    using L = Limbs<std::uint8_t, 2>;
    Tally tally("lifted inverses");
    for (unsigned m = 2; m < 2048; m += 2) {
        int zeros = 0;
        while ((m >> zeros & 1) == 0)
            ++zeros;
        const unsigned odd = m >> zeros;
        const std::uint8_t inverse = warpint::limb::negative_inverse(std::uint8_t(odd));
        for (unsigned a = 1; a < 2 * m; a += 2) { // not reduced
            if (std::gcd(a, m) != 1)
                continue;
            L r;
            arith::inverse_odd<2>(r.begin(), L(a % odd).begin(), L(odd).begin());
            arith::lift_inverse<2>(r.begin(), L(a).begin(), L(odd).begin(), inverse, zeros);
            tally.equal("a * inverse", a * r.value() % m, std::uint64_t(1), a, m);
            tally.equal("inverse < m", r.value() < m, true, a, m);
        }
    }
}

TEST_CASE("all inverses modulo every even number below 2^12") {
    using L = Limbs<std::uint8_t, 2>;
    Tally tally("inverses modulo even numbers");
    for (unsigned m = 2; m < 4096; m += 2) {
        for (unsigned a = 0; a < m; ++a) {
            const bool exists = std::gcd(a, m) == 1;
            L r;
            const bool found = arith::inverse<2>(r.begin(), L(a).begin(), L(m).begin());
            tally.equal("exists", found, exists, a, m);
            if (exists) {
                tally.equal("a * inverse", a * r.value() % m, std::uint64_t(1), a, m);
                tally.equal("inverse < m", r.value() < m, true, a, m);
            }
        }
    }
}

TEST_CASE("unreduced operands of 16 bits") {
    using L = Limbs<std::uint8_t, 2>;
    Tally tally("inverses of unreduced numbers");
    OperandSource source(test::property_seed("unreduced inverses", 16));
    for (long i = 0; i < test::scaled(300000); ++i) {
        const unsigned a = unsigned(source.word() & 0xffff);
        const unsigned m = unsigned(source.word() & 0xffff) >> source.below(16);
        if (m == 0) {
            continue;
        }
        const bool exists = std::gcd(a, m) == 1;
        L r;
        const bool found = arith::inverse<2>(r.begin(), L(a).begin(), L(m).begin());
        tally.equal("exists", found, exists, a, m);
        if (exists) {
            tally.equal("a * inverse", a * r.value() % m, std::uint64_t(1 % m), a, m);
            tally.equal("inverse < m", r.value() < m, true, a, m);
        }
        if (m % 2 != 0) {
            L constant;
            arith::inverse_divsteps<true, 2>(constant.begin(), L(a).begin(), L(m).begin());
            if (exists) {
                tally.equal("constant time", constant.value(), r.value(), a, m);
            }
        }
    }
}

TEST_CASE("the greatest common divisor of every pair below 2^11") {
    using L = Limbs<std::uint8_t, 2>;
    Tally tally("gcd");
    for (unsigned a = 0; a < 2048; ++a) {
        for (unsigned b = 0; b < 2048; ++b) {
            const std::uint64_t expected = std::gcd(a, b);
            L r;
            arith::gcd<2>(r.begin(), L(a).begin(), L(b).begin());
            tally.equal("gcd", r.value(), expected, a, b);
            if (b % 2 != 0) {
                arith::gcd_divsteps<2>(r.begin(), L(a).begin(), L(b).begin());
                tally.equal("gcd by divsteps", r.value(), expected, a, b);
            }
        }
    }
}

TEST_CASE("the Jacobi symbol of every pair below 2^10") {
    using L = Limbs<std::uint8_t, 2>;
    Tally tally("Jacobi symbol");
    for (unsigned n = 1; n < 1024; n += 2) {
        for (unsigned a = 0; a < 1024; ++a) {
            L x(a), y(n);
            tally.equal("jacobi", arith::jacobi_odd<2>(x.begin(), y.begin()), jacobi_oracle(a, n),
                        a, n);
        }
    }
}

TEST_CASE("Euclid's algorithm for every pair below 2^9, in one limb and in two") {
    Tally tally("Euclid's algorithm");
    for (int a = 0; a < 512; ++a) {
        for (int b = 0; b < 512; ++b) {
            check_euclid<std::uint8_t, 2>(tally, Integer(a), Integer(b));
            if (a < 256 && b < 256)
                check_euclid<std::uint8_t, 1>(tally, Integer(a), Integer(b));
        }
    }
}

// Bernstein and Yang's step as the paper states it, with twice delta to keep it an integer.
TEST_CASE("the bound on divsteps holds for all numbers of up to 12 bits") {
    Tally tally("divsteps");
    int most = 0;
    for (int f_start = 1, bits = 1; f_start < 4096; f_start += 2) {
        while (f_start >= 1 << bits) {
            tally.equal("steps below the bound", most <= arith::divsteps_bound(bits), true, bits,
                        most);
            // Not so far above that it would never be met: that would hide a wrong formula.
            tally.equal("bound near the steps", arith::divsteps_bound(bits) <= most + 8, true, bits,
                        most);
            ++bits;
        }
        // Later f of the same length meet all g of that length.
        for (int g_start = 0; g_start < 1 << bits; ++g_start) {
            int delta2 = 1, f = f_start, g = g_start, steps = 0;
            for (; g != 0; ++steps) {
                if (delta2 > 0 && (g & 1) != 0) {
                    delta2 = 2 - delta2;
                    const int old_f = f;
                    f = g;
                    g = (g - old_f) / 2;
                } else {
                    delta2 += 2;
                    g = (g + (g & 1) * f) / 2;
                }
            }
            most = steps > most ? steps : most;
        }
    }
    tally.equal("steps below the bound", most <= arith::divsteps_bound(12), true, 12, most);
    tally.equal("bound near the steps", arith::divsteps_bound(12) <= most + 8, true, 12, most);
}

namespace {

/// Longer numbers, operands of all classes, against GMP; every form.
template <class Limb, int N>
void check_random(const char *name, long count) {
    using L = Limbs<Limb, N>;
    constexpr int bits = N * L::limb_bits;
    Tally tally(name);
    OperandSource source(test::property_seed(name, bits));
    for (long i = 0; i < test::scaled(count); ++i) {
        const OperandPair p = source.inverse_pair(bits, bits);
        const Integer m = p.b | 1;
        check_euclid<Limb, N>(tally, p.a, p.b);
        check_euclid<Limb, N>(tally, p.a, m);
        const Integer expected = test::greatest_common_divisor(p.a, p.b);
        const Integer odd_gcd = test::greatest_common_divisor(p.a, m);
        const L a(p.a), b(p.b), odd(m);
        L r, divisor, early;
        arith::gcd<N>(r.begin(), a.begin(), b.begin());
        tally.equal("gcd", r.integer(), expected, p.a, p.b);
        arith::gcd_divsteps<N>(r.begin(), a.begin(), odd.begin());
        tally.equal("gcd by divsteps", r.integer(), odd_gcd, p.a, m);
        arith::cofactor_odd<N>(r.begin(), divisor.begin(), a.begin(), odd.begin());
        tally.equal("gcd with cofactor", divisor.integer(), odd_gcd, p.a, m);
        tally.equal("a * cofactor", test::modulo(p.a * r.integer(), m), test::modulo(odd_gcd, m),
                    p.a, m);
        tally.equal("cofactor < m", r.integer() < m, true, p.a, m);
        const bool constant_exists =
            arith::inverse_divsteps<true, N>(r.begin(), a.begin(), odd.begin());
        const bool early_exists =
            arith::inverse_divsteps<false, N>(early.begin(), a.begin(), odd.begin());
        tally.equal("constant time, exists", constant_exists, odd_gcd == 1, p.a, m);
        tally.equal("early exit, exists", early_exists, odd_gcd == 1, p.a, m);
        tally.equal("both forms", early.integer(), r.integer(), p.a, m);
        if (odd_gcd == 1) {
            tally.equal("inverse", r.integer(), test::inverse_or_zero(p.a, m), p.a, m);
        }
        L x = a, y = odd;
        tally.equal("jacobi", arith::jacobi_odd<N>(x.begin(), y.begin()),
                    mpz_jacobi(p.a.raw(), m.raw()), p.a, m);
        if (!p.b.is_zero()) {
            const bool found = arith::inverse<N>(r.begin(), a.begin(), b.begin());
            tally.equal("inverse, exists", found, expected == 1, p.a, p.b);
            if (found) {
                tally.equal("inverse, any modulus", r.integer(), test::inverse_or_zero(p.a, p.b),
                            p.a, p.b);
            }
        }
    }
}

} // namespace

TEST_CASE("8-bit limbs, operands of all classes") {
    check_random<std::uint8_t, 1>("one limb", 20000);
    check_random<std::uint8_t, 3>("three limbs", 20000);
    check_random<std::uint8_t, 8>("eight limbs", 20000);
    check_random<std::uint8_t, 19>("nineteen limbs", 5000);
}
TEST_CASE("16-bit limbs, operands of all classes") {
    check_random<std::uint16_t, 1>("one 16-bit limb", 20000);
    check_random<std::uint16_t, 4>("four 16-bit limbs", 20000);
    check_random<std::uint16_t, 15>("fifteen 16-bit limbs", 5000);
}
TEST_CASE("32-bit limbs, operands of all classes") {
    check_random<std::uint32_t, 1>("one 32-bit limb", 10000);
    check_random<std::uint32_t, 8>("eight 32-bit limbs", 5000);
    check_random<std::uint32_t, 40>("forty 32-bit limbs", 500);
}
#if WARPINT_HAS_INT128
TEST_CASE("64-bit limbs, operands of all classes") {
    check_random<std::uint64_t, 1>("one 64-bit limb", 10000);
    check_random<std::uint64_t, 4>("four 64-bit limbs", 10000);
    check_random<std::uint64_t, 31>("31 64-bit limbs", 500);
}
#endif
