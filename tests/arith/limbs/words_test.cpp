// SPDX-License-Identifier: Apache-2.0
// What hosts have code of their own for, 64-bit limbs at lengths that are a multiple of four or
// eight: products and squares as they are stored, Montgomery products, reciprocals by blocks,
// against GMP.

#include "support/limbs.h"

#include <warpint/arith/limbs/product/engine.h>
#include <warpint/arith/limbs/reduction/barrett.h>
#include <warpint/arith/limbs/reduction/montgomery.h>

#include <doctest/doctest.h>
#include <gmp.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace {

namespace arith = warpint::arith;
namespace limb = warpint::limb;

using test::limbs::Source;
using test::limbs::Tally;
using Word = std::uint64_t;
static_assert(sizeof(mp_limb_t) == sizeof(Word));

constexpr Word guard = 0xa5a5a5a5a5a5a5a5;

/// n words: of special bytes, 0, all ones, or all of them ones.
std::vector<Word> draw(Source &source, int n) {
    std::vector<Word> words(static_cast<std::size_t>(n));
    const bool all_ones = source.word() % 16 == 0;
    for (Word &word : words) {
        const Word kind = source.word() % 8;
        word = all_ones || kind == 0 ? ~Word{0} : kind == 1 ? 0 : source.number(8);
    }
    return words;
}

/// A place for n words, filled, with a guard behind it.
std::vector<Word> place(int n) {
    return std::vector<Word>(static_cast<std::size_t>(n) + 1, guard);
}

bool holds(const std::vector<Word> &place, const std::vector<Word> &expected) {
    return std::equal(expected.begin(), expected.end(), place.begin()) &&
           place[expected.size()] == guard;
}

std::vector<Word> product(const std::vector<Word> &a, const std::vector<Word> &b) {
    std::vector<Word> r(a.size() + b.size());
    if (a.size() >= b.size()) {
        mpn_mul(reinterpret_cast<mp_limb_t *>(r.data()),
                reinterpret_cast<const mp_limb_t *>(a.data()), static_cast<mp_size_t>(a.size()),
                reinterpret_cast<const mp_limb_t *>(b.data()), static_cast<mp_size_t>(b.size()));
        return r;
    }
    return product(b, a);
}

/// x mod m for an m whose top word is not 0.
std::vector<Word> remainder(const std::vector<Word> &x, const std::vector<Word> &m) {
    std::vector<Word> quotient(x.size() - m.size() + 1), r(m.size());
    mpn_tdiv_qr(reinterpret_cast<mp_limb_t *>(quotient.data()),
                reinterpret_cast<mp_limb_t *>(r.data()), 0,
                reinterpret_cast<const mp_limb_t *>(x.data()), static_cast<mp_size_t>(x.size()),
                reinterpret_cast<const mp_limb_t *>(m.data()), static_cast<mp_size_t>(m.size()));
    return r;
}

template <int N, int M>
void check_products(long count) {
    Tally tally("products of " + std::to_string(N) + " by " + std::to_string(M) + " words");
    Source source("products of words");
    for (long i = 0, runs = test::scaled(count); i < runs; ++i) {
        const std::vector<Word> a = draw(source, N);
        const std::vector<Word> b = draw(source, M);
        const std::vector<Word> expected = product(a, b);
        auto r = place(N + M);
        arith::multiply<N, M>(r.data(), a.data(), b.data());
        tally.equal(holds(r, expected), true, i);
        // As numbers are stored: 32-bit limbs, four bytes off the words' alignment.
        std::array<std::uint32_t, 2 * (N + M) + 3> stored{};
        std::array<std::uint32_t, 2 * N + 1> x{};
        std::array<std::uint32_t, 2 * M + 1> y{};
        std::memcpy(&x[1], a.data(), sizeof(Word) * N);
        std::memcpy(&y[1], b.data(), sizeof(Word) * M);
        const auto check_stored = [&](const std::vector<Word> &wanted) {
            auto result = place(static_cast<int>(wanted.size()));
            std::memcpy(result.data(), &stored[1], sizeof(Word) * (wanted.size() + 1));
            tally.equal(holds(result, wanted), true, i);
        };
        std::memcpy(&stored[1 + 2 * (N + M)], &guard, sizeof guard);
        if (arith::try_multiply_stored<2 * N, 2 * M>(&stored[1], &x[1], &y[1]))
            check_stored(expected);
        if constexpr (N == M) {
            const std::vector<Word> squared = product(a, a);
            auto square = place(2 * N);
            arith::square<N>(square.data(), a.data());
            tally.equal(holds(square, squared), true, i);
            std::memcpy(&stored[1 + 4 * N], &guard, sizeof guard);
            if (arith::try_square_stored<2 * N>(&stored[1], &x[1]))
                check_stored(squared);
        }
    }
}

template <int N>
void check_montgomery(long count) {
    Tally tally("Montgomery products of " + std::to_string(N) + " words");
    Source source("Montgomery products of words");
    for (long i = 0, runs = test::scaled(count); i < runs; ++i) {
        std::vector<Word> m = draw(source, N);
        m[0] |= 1;
        m[N - 1] |= i % 2 == 0 ? Word{1} : Word{1} << 63;
        const std::vector<Word> a = draw(source, N); // need not be reduced
        std::vector<Word> long_b = draw(source, N + 1);
        const std::vector<Word> b = remainder(long_b, m);
        const Word inverse = limb::negative_inverse(m[0]);
        const auto check = [&](const std::vector<Word> &r, const std::vector<Word> &factors) {
            std::vector<Word> shifted(2 * N); // r B^N
            std::copy_n(r.begin(), N, shifted.begin() + N);
            tally.equal(remainder(shifted, m) == remainder(factors, m), true, i);
            tally.equal(arith::less<N>(r.data(), m.data()) && r[N] == guard, true, i);
        };
        auto r = place(N);
        arith::montgomery_multiply<N>(r.data(), a.data(), b.data(), m.data(), inverse);
        check(r, product(a, b));
        std::copy(b.begin(), b.end(), r.begin()); // in place
        arith::montgomery_multiply<N>(r.data(), a.data(), r.data(), m.data(), inverse);
        check(r, product(a, b));
        if constexpr (N == limb::montgomery_words) {
            if (limb::has_word_blocks<Word>()) {
                std::copy(b.begin(), b.end(), r.begin());
                limb::montgomery_4x64(r.data(), a.data(), r.data(), m.data(), inverse);
                check(r, product(a, b));
            }
        }
        std::copy(b.begin(), b.end(), r.begin());
        arith::montgomery_square<N>(r.data(), r.data(), m.data(), inverse);
        check(r, product(b, b));
    }
}

template <int N>
void check_reciprocal(long count) {
    Tally tally("reciprocals of " + std::to_string(N) + " words");
    Source source("reciprocals of words");
    for (long i = 0, runs = test::scaled(count); i < runs; ++i) {
        std::vector<Word> m = draw(source, N);
        m[N - 1] |= Word{1} << 63;
        if (i % 8 == 0) { // the smallest
            m.assign(N, 0);
            m[N - 1] = Word{1} << 63;
        }
        std::vector<Word> normalised(N), reciprocal(N);
        tally.equal(static_cast<Word>(
                        arith::prepare_barrett<N>(normalised.data(), reciprocal.data(), m.data())),
                    0, i);
        const std::vector<Word> low = draw(source, N);
        std::vector<Word> high = remainder(draw(source, N + 1), m);
        if (i % 4 == 1) { // the largest: m - 1
            high = m;
            mpn_sub_1(reinterpret_cast<mp_limb_t *>(high.data()),
                      reinterpret_cast<const mp_limb_t *>(high.data()), N, 1);
        }
        std::vector<Word> x = low;
        x.insert(x.end(), high.begin(), high.end());
        auto r = place(N);
        arith::barrett_reduce<N>(r.data(), x.data(), m.data(), reciprocal.data());
        tally.equal(holds(r, remainder(x, m)), true, i);

        const std::vector<Word> exact = product(high, reciprocal);
        auto window = place(2 * N);
        arith::multiply_low_blocks(window.data(), high.data(), reciprocal.data(), N);
        tally.equal(std::equal(exact.begin(), exact.begin() + N + 1, window.begin()), true, i);
        arith::multiply_high_blocks(window.data(), high.data(), reciprocal.data(), N);
        tally.equal(window[2 * N], guard, i);
        std::vector<Word> missing(N);
        mpn_sub_n(reinterpret_cast<mp_limb_t *>(missing.data()),
                  reinterpret_cast<const mp_limb_t *>(exact.data() + N),
                  reinterpret_cast<const mp_limb_t *>(window.data() + N), N);
        tally.equal(std::count(missing.begin() + 1, missing.end(), Word{0}) == N - 1 &&
                        missing[0] <= 1,
                    true, i);
    }
}

} // namespace

TEST_CASE("words: products and squares, as words and as they are stored") {
    check_products<4, 4>(1000);
    check_products<8, 8>(1000);
    check_products<8, 4>(500);
    check_products<4, 12>(500);
    check_products<12, 12>(500);
    check_products<20, 12>(300);
    check_products<16, 16>(500);
    check_products<32, 32>(200);
    check_products<13, 9>(500);
}

TEST_CASE("words: Montgomery products") {
    check_montgomery<4>(1000);
    check_montgomery<8>(1000);
    check_montgomery<12>(300);
    check_montgomery<16>(500);
}

TEST_CASE("words: remainders by a reciprocal, in blocks") {
    check_reciprocal<8>(1000);
    check_reciprocal<16>(500);
    check_reciprocal<24>(300);
}

TEST_CASE("words: remainders by a word") {
    Tally tally("remainders by a word");
    Source source("remainders by a word");
    for (long i = 0, runs = test::scaled(20000); i < runs; ++i) {
        const int length = 1 + static_cast<int>(i % 80);
        const std::vector<Word> a = draw(source, length);
        const Word drawn = source.word() % 4 == 0 ? ~Word{0} : source.number(8);
        Word b = drawn >> (source.word() % 64);
        b += b == 0;
        const Word expected = mpn_mod_1(reinterpret_cast<const mp_limb_t *>(a.data()), length, b);
        tally.equal(
            arith::remainder_row_by_limb<Word>(a.data(), length, arith::prepare_divisor<Word>(b)),
            expected, i, b);
    }
}
