// SPDX-License-Identifier: Apache-2.0
// Products of limb arrays: every algorithm and every order against each other and against plain
// integers (8-bit limbs) or GMP (limbs of 8 to 64 bits, thresholds small enough that several levels
// of Karatsuba run).

#include "support/limbs.h"

#include <warpint/arith/limbs/product/multiply.h>

#include <doctest/doctest.h>

#include <algorithm>
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

// ---- 8-bit limbs, at most 64 bits ------------------------------------------------------------

template <int N, int M>
void check_product(Tally &tally, std::uint64_t a, std::uint64_t b) {
    const Limbs<N> x(a);
    const Limbs<M> y(b);
    const auto check = [&](auto multiply) {
        Limbs<N + M> r(0x5555555555555555);
        multiply(r.begin());
        tally.equal(r.value(), a * b, a, b);
        tally.equal(r.intact(), true, a, b);
    };
    check([&](Limb *r) { arith::multiply<N, M>(r, x.begin(), y.begin()); });
    check([&](Limb *r) { arith::multiply_rows(r, x.begin(), N, y.begin(), M); });
    check([&](Limb *r) { arith::multiply_tiles<2>(r, N + M, x.begin(), N, y.begin(), M); });
    check([&](Limb *r) { arith::multiply_columns<N, M>(r, x.begin(), y.begin()); });
    check([&](Limb *r) { arith::multiply_alternate<N, M>(r, x.begin(), y.begin()); });
    if constexpr (N == M) {
        if constexpr (N > 1) {
            check(
                [&](Limb *r) { arith::multiply_karatsuba_registers<N>(r, x.begin(), y.begin()); });
        }
        const auto check_half = [&](std::uint64_t expected, auto multiply) {
            Limbs<N> half(0x5555555555555555);
            multiply(half.begin());
            tally.equal(half.value(), expected, a, b);
            tally.equal(half.intact(), true, a, b);
        };
        const std::uint64_t low = (a * b) & all_ones<N>;
        check_half(low, [&](Limb *r) { arith::multiply_low<N>(r, x.begin(), y.begin()); });
        check_half(low, [&](Limb *r) { arith::multiply_low_rows(r, x.begin(), y.begin(), N); });
        check_half(low,
                   [&](Limb *r) { arith::multiply_tiles<3>(r, N, x.begin(), N, y.begin(), N); });
        check_half(low,
                   [&](Limb *r) { arith::multiply_columns<N, N, 0, N>(r, x.begin(), y.begin()); });
        check_half(
            low, [&](Limb *r) { arith::multiply_alternate<N, N, 0, N>(r, x.begin(), y.begin()); });
        check_half(a * b >> (8 * N),
                   [&](Limb *r) { arith::multiply_high<N>(r, x.begin(), y.begin()); });
    }
}

template <int N>
void check_square(Tally &tally, std::uint64_t a) {
    const Limbs<N> x(a);
    const auto check = [&](auto square) {
        Limbs<2 * N> r(0x5555555555555555);
        square(r.begin());
        tally.equal(r.value(), a * a, a);
        tally.equal(r.intact(), true, a);
    };
    check([&](Limb *r) { arith::square<N>(r, x.begin()); });
    check([&](Limb *r) { arith::square_columns<N>(r, x.begin()); });
    check([&](Limb *r) { arith::square_alternate<N>(r, x.begin()); });
    check([&](Limb *r) { arith::square_tiles<2>(r, x.begin(), N); });
    check([&](Limb *r) {
        Limb scratch[arith::square_rows_scratch(N)];
        arith::square_rows(r, x.begin(), N, scratch);
    });
}

template <int N, int M>
void check_random_products(long count) {
    Tally tally("products of " + std::to_string(N) + " by " + std::to_string(M) + " limbs");
    Source source("products");
    for (long i = 0, runs = test::scaled(count); i < runs; ++i) {
        check_product<N, M>(tally, source.number(N), source.number(M));
        if constexpr (N == M) {
            check_square<N>(tally, source.number(N));
        }
    }
}

// ---- any limb, any length, against GMP ---------------------------------------------------------

/// Random limbs: uniform, all ones, runs of zeros and ones, or all ones with holes.
template <class AnyLimb>
std::vector<AnyLimb> draw(Source &source, int n) {
    constexpr AnyLimb ones = static_cast<AnyLimb>(~AnyLimb{0});
    const auto mode = source.word() % 4;
    std::vector<AnyLimb> a(static_cast<std::size_t>(n));
    for (AnyLimb &x : a) {
        const std::uint64_t word = source.word();
        x = mode == 0               ? static_cast<AnyLimb>(word)
            : mode == 1             ? ones
            : mode == 2             ? static_cast<AnyLimb>(word % 2 != 0 ? ones : 0)
            : (word >> 60) % 3 != 0 ? ones
                                    : static_cast<AnyLimb>(word);
    }
    return a;
}

template <class AnyLimb>
Integer value_of(const AnyLimb *a, int n) {
    Integer x;
    mpz_import(x.raw(), static_cast<std::size_t>(n), -1, sizeof(AnyLimb), 0, 0, a);
    return x;
}

/// An output with a guard limb behind it.
template <class AnyLimb>
struct Output {
    static constexpr AnyLimb guard = static_cast<AnyLimb>(0xa5a5a5a5a5a5a5a5u);
    std::vector<AnyLimb> limbs;
    explicit Output(int n) : limbs(static_cast<std::size_t>(n) + 1, guard) {}
    AnyLimb *begin() { return limbs.data(); }
    bool is(const Integer &expected) const {
        return limbs.back() == guard &&
               value_of(limbs.data(), static_cast<int>(limbs.size()) - 1) == expected;
    }
};

template <class AnyLimb>
void check_lengths(long count) {
    constexpr int bits = limb::limb_bits<AnyLimb>;
    Tally tally("products of any length, " + std::to_string(bits) + "-bit limbs");
    Source source("any length");
    for (long i = 0, runs = test::scaled(count); i < runs; ++i) {
        const int n = 1 + static_cast<int>(source.word() % (i % 50 == 0 ? 270 : 70));
        const int m = 1 + static_cast<int>(source.word() % 70);
        const auto a = draw<AnyLimb>(source, n);
        const auto b = draw<AnyLimb>(source, n);
        const auto c = draw<AnyLimb>(source, m);
        const Integer x = value_of(a.data(), n);
        const Integer y = value_of(b.data(), n);
        const Integer z = value_of(c.data(), m);
        const auto check = [&](const Integer &expected, int size, int scratch_size, auto run) {
            Output<AnyLimb> r(size);
            Output<AnyLimb> scratch(scratch_size);
            run(r.begin(), scratch.begin());
            tally.equal(r.is(expected), true, n, m, i);
            tally.equal(scratch.limbs.back() == scratch.guard, true, n, m, i);
        };
        check(x * z, n + m, 0,
              [&](AnyLimb *r, AnyLimb *) { arith::multiply_rows(r, a.data(), n, c.data(), m); });
        check(x * z, n + m, arith::product_scratch<AnyLimb>(std::min(n, m)),
              [&](AnyLimb *r, AnyLimb *scratch) {
                  arith::multiply_sliced<4, 5>(r, a.data(), n, c.data(), m, scratch);
              });
        check(x * z, n + m, arith::product_scratch<AnyLimb>(std::min(n, m)),
              [&](AnyLimb *r, AnyLimb *scratch) {
                  arith::multiply_any(r, a.data(), n, c.data(), m, scratch);
              });
        check(x * y, 2 * n, arith::karatsuba_scratch(n), [&](AnyLimb *r, AnyLimb *scratch) {
            arith::multiply_karatsuba<7, 3>(r, a.data(), b.data(), n, scratch);
        });
        check(x * x, 2 * n, arith::square_scratch(n), [&](AnyLimb *r, AnyLimb *scratch) {
            arith::square_karatsuba<4, 5>(r, a.data(), n, scratch);
        });
        check(x * x, 2 * n, arith::square_rows_scratch(n),
              [&](AnyLimb *r, AnyLimb *scratch) { arith::square_rows(r, a.data(), n, scratch); });
        check(x * z, n + m, 0, [&](AnyLimb *r, AnyLimb *) {
            arith::multiply_tiles(r, n + m, a.data(), n, c.data(), m);
        });
        check(x * x, 2 * n, 0, [&](AnyLimb *r, AnyLimb *) { arith::square_tiles(r, a.data(), n); });
        const Integer low = store_unsigned(x * y, n * bits);
        check(low, n, 0, [&](AnyLimb *r, AnyLimb *) {
            arith::multiply_tiles(r, n, a.data(), n, b.data(), n);
        });
        check(low, n, 0,
              [&](AnyLimb *r, AnyLimb *) { arith::multiply_low_rows(r, a.data(), b.data(), n); });
        check(low, n, arith::low_product_scratch(n), [&](AnyLimb *r, AnyLimb *scratch) {
            arith::multiply_low_split<4, 6, 4>(r, a.data(), b.data(), n, scratch);
        });
        if (n > limb::block_limbs) { // blocks accumulate
            const int length = n - limb::block_limbs;
            auto start = draw<AnyLimb>(source, n);
            const Integer sum =
                value_of(start.data(), length) + value_of(b.data(), 8) * value_of(a.data(), length);
            start.push_back(Output<AnyLimb>::guard);
            const auto block = [&](AnyLimb *r, AnyLimb *, auto multiply) {
                std::copy_n(start.begin(), start.size(), r);
                multiply(r, b.data(), a.data(), length);
            };
            check(sum, n, 0, [&](AnyLimb *r, AnyLimb *s) {
                block(r, s, [](auto... p) { limb::multiply_add_block(p...); });
            });
        }
    }
}

/// What users call, at a length of N limbs.
template <int N, class AnyLimb>
void check_selected(long count) {
    constexpr int bits = limb::limb_bits<AnyLimb>;
    Tally tally(std::to_string(N) + " limbs of " + std::to_string(bits) + " bits");
    Source source("selected products");
    for (long i = 0, runs = test::scaled(count); i < runs; ++i) {
        const auto a = draw<AnyLimb>(source, N);
        const auto b = draw<AnyLimb>(source, N);
        const Integer x = value_of(a.data(), N);
        const Integer y = value_of(b.data(), N);
        Output<AnyLimb> full(2 * N), square(2 * N), low(N), high(N);
        arith::multiply<N, N>(full.begin(), a.data(), b.data());
        arith::square<N>(square.begin(), a.data());
        arith::multiply_low<N>(low.begin(), a.data(), b.data());
        arith::multiply_high<N>(high.begin(), a.data(), b.data());
        tally.equal(full.is(x * y), true, i);
        tally.equal(square.is(x * x), true, i);
        tally.equal(low.is(store_unsigned(x * y, N * bits)), true, i);
        tally.equal(high.is(x * y >> std::size_t(N * bits)), true, i);
        if constexpr (N > 1) { // by the lower half of b
            constexpr int M = (N + 1) / 2;
            const Integer product = x * value_of(b.data(), M);
            Output<AnyLimb> low_of_short(N), low_swapped(N), but_one(N + M - 1),
                extended(N + M + 1);
            arith::multiply_low<N, N, M>(low_of_short.begin(), a.data(), b.data());
            arith::multiply_low<N, M, N>(low_swapped.begin(), b.data(), a.data());
            arith::multiply_low<N + M - 1, N, M>(but_one.begin(), a.data(), b.data());
            arith::multiply_low<N + M + 1, N, M>(extended.begin(), a.data(), b.data());
            tally.equal(low_of_short.is(store_unsigned(product, N * bits)), true, i);
            tally.equal(low_swapped.is(store_unsigned(product, N * bits)), true, i);
            tally.equal(but_one.is(store_unsigned(product, (N + M - 1) * bits)), true, i);
            tally.equal(extended.is(product), true, i);
        }
        if constexpr (N > 1 && N <= 24) { // the register form of GPUs
            Output<AnyLimb> registers(2 * N), alternate(2 * N), alternate_square(2 * N);
            arith::multiply_karatsuba_registers<N>(registers.begin(), a.data(), b.data());
            arith::multiply_alternate<N, N>(alternate.begin(), a.data(), b.data());
            arith::square_alternate<N>(alternate_square.begin(), a.data());
            tally.equal(registers.is(x * y), true, i);
            tally.equal(alternate.is(x * y), true, i);
            tally.equal(alternate_square.is(x * x), true, i);
        }
    }
}

} // namespace

TEST_CASE("products: all pairs of one limb, two limbs by special limbs") {
    Tally tally("products, exhaustive");
    for (std::uint64_t a = 0; a < 256; ++a) {
        for (std::uint64_t b = 0; b < 256; ++b) {
            check_product<1, 1>(tally, a, b);
        }
        check_square<1>(tally, a);
    }
    for (std::uint64_t a = 0; a < 65536; ++a) {
        check_square<2>(tally, a);
        for (std::uint64_t b : {0x0000, 0x0001, 0x00ff, 0x0100, 0x7fff, 0x8000, 0x80ff, 0xff00,
                                0xff01, 0xfffe, 0xffff}) {
            check_product<2, 2>(tally, a, b);
        }
    }
}

TEST_CASE("products: random 8-bit limbs") {
    check_random_products<2, 1>(200000);
    check_random_products<1, 3>(200000);
    check_random_products<3, 2>(200000);
    check_random_products<3, 3>(200000);
    check_random_products<4, 4>(200000);
    check_random_products<5, 3>(200000);
    check_random_products<6, 2>(100000);
    check_random_products<2, 6>(100000);
}

TEST_CASE("products: every algorithm at any length") {
    check_lengths<std::uint8_t>(3000);
    check_lengths<std::uint16_t>(3000);
    check_lengths<std::uint32_t>(3000);
#if WARPINT_HAS_INT128
    check_lengths<std::uint64_t>(3000);
#endif
}

TEST_CASE("products: the selected algorithm at each size") {
    check_selected<5, std::uint32_t>(3000);
    check_selected<8, std::uint32_t>(3000);
    check_selected<24, std::uint32_t>(1000);
    check_selected<200, std::uint32_t>(300);
#if WARPINT_HAS_INT128
    check_selected<1, std::uint64_t>(3000);
    check_selected<4, std::uint64_t>(3000);
    check_selected<7, std::uint64_t>(3000);
    check_selected<8, std::uint64_t>(3000);
    check_selected<12, std::uint64_t>(3000);
    check_selected<64, std::uint64_t>(1000);
    check_selected<129, std::uint64_t>(500);
    check_selected<512, std::uint64_t>(100);
#endif
}

TEST_CASE("high products whose lower columns carry") {
    // A product in the middle of whose window stand all ones: 2^k a with a b = -1 modulo a power.
    Tally tally("carries into the upper half");
    Source source("carries into the upper half");
    for (std::uint64_t low = 0; low < 65536; ++low) {
        const std::uint64_t a = source.number(4) | 1;
        std::uint64_t inverse = a; // of a modulo 2^32
        for (int i = 0; i < 5; ++i)
            inverse *= 2 - a * inverse;
        const std::uint64_t b = (inverse * (0xffff0000u | low)) & 0xffffffffu;
        check_product<4, 4>(tally, a, b);
    }
}
