// SPDX-License-Identifier: Apache-2.0
// Division with every limb in a register: with 8-bit limbs, where the rare cases of 32-bit limbs
// are common, against plain 64-bit arithmetic; with 32-bit limbs, as a GPU runs it, against GMP.

#include "support/limbs.h"
#include "support/register_operands.h"

#include <warpint/arith/limbs/fold/divide_registers.h>

#include <doctest/doctest.h>
#include <gmp.h>

#include <array>
#include <cstdint>
#include <string>

namespace {

namespace arith = warpint::arith;
using namespace test::limbs;

/// Quotient and remainder, and each alone over its operand.
template <int N, int M>
void check(Tally &tally, std::uint64_t a, std::uint64_t b) {
    Limbs<N> x(a);
    Limbs<M> y(b);
    Limbs<N> q(0x5555555555555555);
    Limbs<M> r(0x5555555555555555);
    arith::divide_in_registers<N, M, true, true>(q.begin(), r.begin(), x.begin(), y.begin());
    tally.equal(q.value(), a / b, a, b);
    tally.equal(r.value(), a % b, a, b);
    arith::divide_in_registers<N, M, false, true>(q.begin(), r.begin(), x.begin(), y.begin());
    tally.equal(r.value(), a % b, a, b);
    arith::divide_in_registers<N, M, true, false>(x.begin(), r.begin(), x.begin(), y.begin());
    tally.equal(x.value(), a / b, a, b);
    tally.equal(q.intact() && r.intact() && x.intact() && y.intact(), true, a, b);
}

template <int N, int M>
void check_random(long count) {
    Tally tally("divisions of " + std::to_string(N) + " by " + std::to_string(M) + " limbs");
    Source source("register divisions");
    for (long i = 0, runs = test::scaled(count); i < runs; ++i) {
        const std::uint64_t choice = source.word();
        std::uint64_t b = source.number(M) >> (choice % 4 == 0 ? choice / 8 % (8 * M) : 0);
        b += b == 0;
        std::uint64_t a = source.number(N);
        if (choice & 0x1000) { // a multiple, give or take
            a -= a % b;
            if (choice & 0x2000)
                a += choice & 0x4000 ? b - 1 : ~std::uint64_t{0};
            a &= all_ones<N>;
        }
        check<N, M>(tally, a, b);
    }
}

/// By folding, which divide_in_registers leaves to longer numbers.
template <int N, int M>
void check_folds(long count) {
    Tally tally("folded divisions of " + std::to_string(N) + " by " + std::to_string(M) + " limbs");
    Source source("folded divisions");
    for (long i = 0, runs = test::scaled(count); i < runs; ++i) {
        const std::uint64_t choice = source.word();
        std::uint64_t b = source.number(M);
        if (b >> (8 * M - 8) == 0)
            b |= (choice % 255 + 1) << (8 * M - 8);
        std::uint64_t a = source.number(N);
        if (choice & 0x1000)
            a -= a % b + (choice & 0x2000 && a >= b ? 1 : 0);
        Limbs<N> q(0x5555555555555555);
        Limbs<M> r(0x5555555555555555);
        arith::detail::divide_by_folds<N, M, true>(q.begin(), r.begin(), Limbs<N>(a).begin(),
                                                   Limbs<M>(b).begin());
        tally.equal(q.value(), a / b, a, b);
        tally.equal(r.value(), a % b, a, b);
        tally.equal(q.intact() && r.intact(), true, a, b);
    }
}

using Word = std::uint32_t;

template <int N, int M>
void check_width(long count) {
    constexpr int longer = N > M ? N : M;
    test::RegisterOperands source("divisions", 100 * N + M);
    mpz_t a, b, q, r;
    mpz_inits(a, b, q, r, nullptr);
    long wrong = 0;
    std::string first;
    for (long i = 0, runs = test::scaled(count); i < runs; ++i) {
        std::array<Word, longer> x{}, y{}, unused{};
        std::array<Word, longer> want_q{}, want_r{}, got_q{}, got_r{};
        source.draw(x.data(), unused.data(), y.data(), N, i % 4 != 0);
        if (N != M)
            source.draw(unused.data(), y.data(), want_q.data(), M, i % 4 != 0);
        for (int k = M; k < longer; ++k)
            y[std::size_t(k)] = 0;
        mpz_import(a, N, -1, 4, 0, 0, x.data());
        mpz_import(b, M, -1, 4, 0, 0, y.data());
        if (mpz_sgn(b) == 0)
            continue;
        if (i % 8 == 1) { // a multiple, less 1
            mpz_mod(r, a, b);
            mpz_sub(a, a, r);
            if (i % 16 == 1 && mpz_sgn(a) != 0)
                mpz_sub_ui(a, a, 1);
            x = {};
            mpz_export(x.data(), nullptr, -1, 4, 0, 0, a);
        }
        mpz_tdiv_qr(q, r, a, b);
        want_q = {};
        mpz_export(want_q.data(), nullptr, -1, 4, 0, 0, q);
        mpz_export(want_r.data(), nullptr, -1, 4, 0, 0, r);
        arith::divide_in_registers<N, M, true, true>(got_q.data(), got_r.data(), x.data(),
                                                     y.data());
        bool right = got_q == want_q && got_r == want_r;
        if (i % 4 < 2) {
            got_q = {};
            got_r = {};
            arith::divide_in_registers<N, M, false, true>(got_q.data(), got_r.data(), x.data(),
                                                          y.data());
            right = right && got_r == want_r;
            arith::divide_in_registers<N, M, true, false>(got_q.data(), got_r.data(), x.data(),
                                                          y.data());
            right = right && got_q == want_q;
        }
        if (!right && wrong++ == 0)
            first = "draw " + std::to_string(i);
    }
    mpz_clears(a, b, q, r, nullptr);
    INFO(N, " by ", M, " limbs: ", wrong, " wrong; first: ", first,
         "; WARPINT_TEST_SEED=", test::run_seed());
    CHECK(wrong == 0);
}

TEST_CASE("every division in registers of two by one limb of 8 bits") {
    Tally tally("divisions of two by one limb");
    for (std::uint64_t b = 1; b < 256; ++b) {
        for (std::uint64_t a = 0; a < 65536; ++a)
            check<2, 1>(tally, a, b);
    }
}

TEST_CASE("every divisor in registers of two limbs of 8 bits") {
    Tally tally("divisions by two limbs");
    Source source("divisors");
    for (std::uint64_t b = 1; b < 65536; ++b) {
        for (int i = 0; i < 6; ++i) {
            check<2, 2>(tally, source.number(2), b);
            const std::uint64_t a = source.number(4);
            check<4, 2>(tally, a, b);
            check<4, 2>(tally, a - a % b, b);
            check<3, 2>(tally, (a >> 8) - (a >> 8) % b, b);
        }
    }
}

TEST_CASE("divisions in registers of a few limbs of 8 bits") {
    check_random<1, 1>(50000);
    check_random<1, 2>(50000);
    check_random<3, 1>(100000);
    check_random<3, 3>(300000);
    check_random<4, 4>(300000);
    check_random<5, 3>(300000);
    check_random<5, 8>(200000);
    check_random<7, 4>(300000);
    check_random<8, 1>(100000);
    check_random<8, 2>(200000);
    check_random<8, 3>(200000);
    check_random<8, 7>(200000);
    check_random<8, 8>(300000);
}

TEST_CASE("folded divisions of a few limbs of 8 bits") {
    check_folds<5, 2>(300000);
    check_folds<8, 2>(300000);
    check_folds<6, 3>(300000);
    check_folds<8, 3>(300000);
    check_folds<7, 4>(300000);
    check_folds<8, 4>(300000);
    check_folds<8, 5>(300000);
}

TEST_CASE("divisions in registers of 32-bit limbs") {
    check_width<1, 1>(20000);
    check_width<2, 2>(20000);
    check_width<3, 2>(20000);
    check_width<5, 3>(20000);
    check_width<8, 8>(20000);
    check_width<8, 16>(10000);
    check_width<10, 4>(20000); // folded
    check_width<16, 8>(20000);
    check_width<17, 17>(10000);
    check_width<33, 16>(10000);
    check_width<64, 32>(5000);
}

} // namespace
