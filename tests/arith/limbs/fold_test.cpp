// SPDX-License-Identifier: Apache-2.0
// Products modulo m by folding: with 8-bit limbs, where the carry that a fold loses once in 2^34
// rows of 32-bit limbs is lost all the time, against plain 64-bit arithmetic (all short ones:
// fold_exhaustive_test.cpp); with 32-bit limbs, as a GPU runs it, against GMP.

#include "fold_cases.h"
#include "support/register_operands.h"

#include <doctest/doctest.h>
#include <gmp.h>

#include <array>
#include <cstdint>
#include <string>

namespace {

using namespace fold_cases;

template <int N>
void check_random_forms(long count) {
    Tally tally("products modulo m, " + std::to_string(N) + " limbs of 8 bits");
    Source source("folds");
    for (long i = 0, runs = test::scaled(count); i < runs; ++i) {
        const std::uint64_t choice = source.word();
        std::uint64_t m = source.number(N) >> (choice % 8 == 0 ? choice / 8 % (8 * N) : 0);
        m += m == 0;
        std::uint64_t a = source.number(N);
        std::uint64_t b = source.number(N);
        if (choice & 0x1000)
            a = (m - 1 + (choice >> 20) % 3) & all_ones<N>;
        if (choice & 0x2000)
            b = choice & 0x4000 ? all_ones<N> : a;
        check_forms<N>(tally, a, b, source.number(N), source.number(N), m);
    }
}

/// a mod m for a of L limbs.
template <int N, int L>
void check_remainders(long count) {
    Tally tally("remainders of " + std::to_string(L) + " by " + std::to_string(N) + " limbs");
    Source source("remainders");
    for (long i = 0, runs = test::scaled(count); i < runs; ++i) {
        const std::uint64_t choice = source.word();
        std::uint64_t m = source.number(N) >> (choice % 4 == 0 ? choice / 8 % (8 * N) : 0);
        m += m == 0;
        std::uint64_t a = source.number(L);
        if (choice & 0x1000)
            a -= a % m;
        Limbs<N> r(0x5555555555555555);
        fold_remainder<N, L>(r.begin(), Limbs<L>(a).begin(), Limbs<N>(m).begin());
        tally.equal(r.value(), a % m, a, m);
        tally.equal(r.intact(), true, a, m);
    }
}

// ---- 32-bit limbs -------------------------------------------------------------------------------

using Word = std::uint32_t;

struct Number {
    mpz_t value;
    Number() { mpz_init(value); }
    ~Number() { mpz_clear(value); }
    Number(const Number &) = delete;
    Number &operator=(const Number &) = delete;
    void set(const Word *limbs, int n) { mpz_import(value, std::size_t(n), -1, 4, 0, 0, limbs); }
    bool equals(const Word *limbs, int n) {
        std::array<Word, 72> out{};
        mpz_export(out.data(), nullptr, -1, 4, 0, 0, value);
        for (int i = 0; i < n; ++i) {
            if (out[std::size_t(i)] != limbs[i])
                return false;
        }
        return true;
    }
};

template <int N>
void check_width(long count) {
    using Array = std::array<Word, N>;
    test::RegisterOperands source("folds", N);
    Number a, b, c, d, m, want, other;
    long wrong = 0;
    std::string first;
    for (long i = 0, runs = test::scaled(count); i < runs; ++i) {
        Array x, y, v, w, n, r;
        source.draw(x.data(), y.data(), n.data(), N, i % 4 != 0);
        source.draw(v.data(), w.data(), r.data(), N, i % 4 != 0);
        a.set(x.data(), N);
        b.set(y.data(), N);
        c.set(v.data(), N);
        d.set(w.data(), N);
        m.set(n.data(), N);
        if (mpz_sgn(m.value) == 0)
            continue;
        const auto check = [&](const char *what) {
            mpz_mod(want.value, want.value, m.value);
            if (!want.equals(r.data(), N) && wrong++ == 0) {
                char *printed = mpz_get_str(nullptr, 16, m.value);
                first = std::string(what) + ", draw " + std::to_string(i) + ", m " + printed;
                void (*release)(void *, std::size_t) = nullptr;
                mp_get_memory_functions(nullptr, nullptr, &release);
                release(printed, std::char_traits<char>::length(printed) + 1);
            }
        };
        mpz_mul(want.value, a.value, b.value);
        fold<N, FoldTerm::none>(r.data(), x.data(), y.data(), v.data(), w.data(), n.data());
        check("a b");
        mpz_mul(want.value, a.value, a.value);
        fold_square<N>(r.data(), x.data(), n.data());
        check("a^2");
        if (i % 2 != 0)
            continue;
        mpz_mul(want.value, a.value, b.value);
        mpz_add(want.value, want.value, c.value);
        fold<N, FoldTerm::plus>(r.data(), x.data(), y.data(), v.data(), w.data(), n.data());
        check("a b + c");
        mpz_mul(want.value, a.value, b.value);
        mpz_sub(want.value, want.value, c.value);
        fold<N, FoldTerm::minus>(r.data(), x.data(), y.data(), v.data(), w.data(), n.data());
        check("a b - c");
        mpz_mul(want.value, a.value, b.value);
        mpz_addmul(want.value, c.value, d.value);
        fold<N, FoldTerm::plus_product>(r.data(), x.data(), y.data(), v.data(), w.data(), n.data());
        check("a b + c d");
        mpz_mul(want.value, a.value, b.value);
        mpz_submul(want.value, c.value, d.value);
        fold<N, FoldTerm::minus_product>(r.data(), x.data(), y.data(), v.data(), w.data(),
                                         n.data());
        check("a b - c d");
    }
    INFO(N, " limbs: ", wrong, " wrong; first: ", first, "; WARPINT_TEST_SEED=", test::run_seed());
    CHECK(wrong == 0);
}

TEST_CASE("products modulo m of a few limbs of 8 bits") {
    check_random_forms<1>(60000);
    check_random_forms<2>(60000);
    check_random_forms<3>(100000);
    check_random_forms<4>(100000);
    check_random_forms<5>(60000);
    check_random_forms<6>(50000);
    check_random_forms<7>(50000);
    check_random_forms<8>(50000);
}

TEST_CASE("remainders of a few limbs of 8 bits") {
    check_remainders<1, 2>(100000);
    check_remainders<1, 3>(100000);
    check_remainders<2, 3>(200000);
    check_remainders<2, 4>(200000);
    check_remainders<2, 5>(200000);
    check_remainders<2, 8>(200000);
    check_remainders<3, 4>(200000);
    check_remainders<3, 8>(200000);
    check_remainders<4, 7>(200000);
    check_remainders<4, 8>(200000);
    check_remainders<5, 8>(200000);
}

TEST_CASE("products modulo m of 32-bit limbs") {
    check_width<1>(60000);
    check_width<2>(60000);
    check_width<3>(60000);
    check_width<4>(60000);
    check_width<5>(40000);
    check_width<8>(40000);
    check_width<11>(20000);
    check_width<16>(20000);
    check_width<17>(10000);
    check_width<32>(10000);
}

} // namespace
