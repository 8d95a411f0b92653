// SPDX-License-Identifier: Apache-2.0
// Products modulo m by folding: with 8-bit limbs, where the carry that a fold loses once in 2^34
// rows of 32-bit limbs is lost all the time, against plain 64-bit arithmetic; with 32-bit limbs, as
// a GPU runs it, against GMP.

#include "support/limbs.h"
#include "support/register_operands.h"

#include <warpint/algorithm/reduction/fold.h>

#include <doctest/doctest.h>
#include <gmp.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

namespace {

namespace algorithm = warpint::algorithm;
using algorithm::FoldTerm;
using namespace test::limbs;

template <class L>
struct Limbs_at {
    const L *limbs;
    L operator()(int i) const { return limbs[i]; }
};

/// Whether products by prepared folds are tested too; of 11 and 16 limbs of 32 bits they are taken by
/// halves, as of 8 limbs of 8 bits.
template <int N, class L>
constexpr bool prepares = sizeof(L) == 1 || N == 11 || N == 16;

/// By a modulus and by its prepared folds; where these differ, the result is made wrong.
template <int N, FoldTerm term, class L>
void fold(L *r, const L *a, const L *b, const L *c, const L *d, const L *m) {
    algorithm::multiply_modulo_fold<N, term>(r, a, Limbs_at<L>{b}, c, Limbs_at<L>{d},
                                             algorithm::ModulusLimbs<N, L>{m});
    if constexpr (prepares<N, L>) {
        const auto prepared = algorithm::prepare_folds<N>(m);
        std::array<L, N> other{};
        algorithm::multiply_modulo_fold<N, term>(other.data(), a, Limbs_at<L>{b}, c, Limbs_at<L>{d},
                                                 prepared);
        if (!prepared.exists() || !std::equal(other.begin(), other.end(), r))
            r[0] = static_cast<L>(r[0] ^ 1);
    }
}

template <int N, class L>
void fold_square(L *r, const L *a, const L *m) {
    algorithm::square_modulo_fold<N>(r, a, algorithm::ModulusLimbs<N, L>{m});
    if constexpr (sizeof(L) == 1) {
        std::array<L, N> other{};
        algorithm::square_modulo_fold<N>(other.data(), a, algorithm::prepare_folds<N>(m));
        if (!std::equal(other.begin(), other.end(), r))
            r[0] = static_cast<L>(r[0] ^ 1);
    }
}

template <int N, int Length, class L>
void fold_remainder(L *r, const L *a, const L *m) {
    algorithm::remainder_fold<N, Length>(r, a, algorithm::ModulusLimbs<N, L>{m});
    std::array<L, N> other{};
    algorithm::remainder_fold<N, Length>(other.data(), a, algorithm::prepare_folds<N>(m));
    if (!std::equal(other.begin(), other.end(), r))
        r[0] = static_cast<L>(r[0] ^ 1);
}

// ---- 8-bit limbs --------------------------------------------------------------------------------

template <int N, FoldTerm term>
std::uint64_t folded(std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint64_t d,
                     std::uint64_t m) {
    Limbs<N> r(0x5555555555555555);
    fold<N, term>(r.begin(), Limbs<N>(a).begin(), Limbs<N>(b).begin(), Limbs<N>(c).begin(),
                  Limbs<N>(d).begin(), Limbs<N>(m).begin());
    return r.intact() ? r.value() : ~std::uint64_t{0};
}

/// Every form for these operands of N <= 8 limbs.
template <int N>
void check_forms(Tally &tally, std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint64_t d,
                 std::uint64_t m) {
    __extension__ using Wide = unsigned __int128;
    const auto ab = static_cast<std::uint64_t>(Wide{a} * b % m);
    const auto cd = static_cast<std::uint64_t>(Wide{c} * d % m);
    const Wide w = m;
    tally.equal(folded<N, FoldTerm::none>(a, b, c, d, m), ab, a, b, m);
    tally.equal(folded<N, FoldTerm::plus>(a, b, c, d, m),
                static_cast<std::uint64_t>((ab + Wide{c}) % m), a, b, c, m);
    tally.equal(folded<N, FoldTerm::minus>(a, b, c, d, m),
                static_cast<std::uint64_t>((ab + w - c % m) % m), a, b, c, m);
    tally.equal(folded<N, FoldTerm::plus_product>(a, b, c, d, m),
                static_cast<std::uint64_t>((Wide{ab} + cd) % m), a, b, c, d, m);
    tally.equal(folded<N, FoldTerm::minus_product>(a, b, c, d, m),
                static_cast<std::uint64_t>((ab + w - cd) % m), a, b, c, d, m);
    Limbs<N> square(0x5555555555555555);
    fold_square<N>(square.begin(), Limbs<N>(a).begin(), Limbs<N>(m).begin());
    tally.equal(square.value(), static_cast<std::uint64_t>(Wide{a} * a % m), a, m);
    tally.equal(square.intact(), true, a, m);
}

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

TEST_CASE("every product modulo m of one limb of 8 bits") {
    Tally tally("products modulo m, one limb of 8 bits");
    for (std::uint64_t m = 1; m < 256; ++m) {
        for (std::uint64_t a = 0; a < 256; ++a) {
            for (std::uint64_t b = 0; b < 256; ++b)
                tally.equal(folded<1, FoldTerm::none>(a, b, 0, 0, m), a * b % m, a, b, m);
        }
    }
}

TEST_CASE("every modulus of two limbs of 8 bits") {
    Tally tally("products modulo m, two limbs of 8 bits");
    Source source("moduli");
    for (std::uint64_t m = 1; m < 65536; ++m) {
        check_forms<2>(tally, 0xffff, 0xffff, 0xffff, 0xffff, m);
        check_forms<2>(tally, 0, 0xffff, m, 0xffff, m);
        check_forms<2>(tally, m - 1, m - 1, m - 1, m, m);
        for (int i = 0; i < 4; ++i)
            check_forms<2>(tally, source.number(2), source.number(2), source.number(2),
                           source.number(2), m);
    }
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
