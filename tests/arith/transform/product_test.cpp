// SPDX-License-Identifier: Apache-2.0
// Products of long numbers by transforms against GMP, the threads of a block one after another:
// every size, factors of equal and of unequal lengths, squares, low products, carries that run
// through many threads; and that rounding is off by less than the bound that is proved.
#include "support/oracle.h"
#include "support/property.h"

#include <doctest/doctest.h>
#include <warpint/arith/transform/product.h>
#include <warpint/arith/transform/roots.h>

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <vector>

namespace transform = warpint::transform;
using test::Integer;
using Limbs = std::vector<std::uint32_t>;

namespace {

// The threads of a block, each of which runs to the next barrier before the next one does.
struct Threads {
    unsigned char *shared;
    transform::Complex *kept;
    std::vector<transform::ThreadOfProduct> own;

    template <class Function>
    void each(const Function &f) {
        for (std::size_t t = 0; t < own.size(); ++t)
            f(static_cast<int>(t), own[t]);
    }
    template <class Function>
    void each_alone(const Function &f) {
        each(f);
    }
    static void store_four(std::uint32_t *to, const std::uint32_t *from) {
        std::copy(from, from + 4, to);
    }
};

template <int log_size>
struct Block {
    using S = transform::Shape<log_size>;
    std::vector<transform::Complex> roots = transform::compute_roots<log_size>();
    std::vector<transform::Complex> memory{S::shared_bytes / sizeof(transform::Complex) + 1};
    std::vector<transform::Complex> kept{S::keeps_in_shared ? 0 : S::size};

    Threads threads() {
        return {reinterpret_cast<unsigned char *>(memory.data()), kept.data(),
                std::vector<transform::ThreadOfProduct>(S::threads)};
    }
    // `count` limbs of a b, or of a^2, that follow so many others; behind them one that must stay.
    Limbs product(const Limbs &a, const Limbs *b, int count, int unused_bits, bool valid,
                  int skipped = 0, bool is_signed = false) {
        constexpr std::uint32_t guard = 0xa5a5a5a5;
        Limbs result(static_cast<std::size_t>(count) + 1, guard);
        Threads block = threads();
        const transform::Factor first{a.data(), static_cast<int>(a.size()), is_signed};
        const transform::Factor second{b != nullptr ? b->data() : nullptr,
                                       b != nullptr ? static_cast<int>(b->size()) : 0, is_signed};
        transform::multiply<log_size>(
            block, first, b != nullptr ? &second : nullptr,
            {result.data(), skipped, count, unused_bits, is_signed, valid}, roots.data());
        CHECK(result.back() == guard);
        result.pop_back();
        return result;
    }
};

Limbs limbs_of(const Integer &x, int count) {
    Limbs limbs(static_cast<std::size_t>(count));
    REQUIRE(mpz_sizeinbase(x.raw(), 2) <= 32 * limbs.size());
    mpz_export(limbs.data(), nullptr, -1, 4, 0, 0, x.raw());
    return limbs;
}
Integer integer_of(const Limbs &limbs) {
    Integer x;
    mpz_import(x.raw(), limbs.size(), -1, 4, 0, 0, limbs.data());
    return x;
}

// All limbs alike: the digits with the largest norms, and products with the longest carries.
Integer repeated(std::uint32_t limb, int count) {
    return integer_of(Limbs(static_cast<std::size_t>(count), limb));
}

template <int log_size>
void check_products() {
    CAPTURE(log_size);
    CAPTURE(test::run_seed());
    constexpr int most = transform::Shape<log_size>::max_limbs;
    test::OperandSource source(test::property_seed("products by transforms", log_size));
    Block<log_size> block;
    const auto check = [&](const Integer &a, int limbs_a, const Integer &b, int limbs_b) {
        const Limbs x = limbs_of(a, limbs_a);
        const Limbs y = limbs_of(b, limbs_b);
        CHECK(integer_of(block.product(x, &y, limbs_a + limbs_b, 0, true)) == a * b);
        // A low product, of a width that ends within a limb.
        const int low = 1 + static_cast<int>(source.below(limbs_a + limbs_b));
        const int bits = 32 * low - 13;
        CHECK(integer_of(block.product(x, &y, low, 13, true)) == test::store_unsigned(a * b, bits));
        const int skipped = static_cast<int>(source.below(limbs_a + limbs_b));
        CHECK(integer_of(block.product(x, &y, limbs_a + limbs_b - skipped, 0, true, skipped)) ==
              (a * b >> static_cast<std::size_t>(32 * skipped)));
        if (2 * limbs_a <= most) {
            CHECK(integer_of(block.product(x, nullptr, 2 * limbs_a, 0, true)) == a * a);
        }
    };
    for (long round = 0; round < test::scaled(log_size > 11 ? 4 : 12); ++round) {
        int limbs_a = most / 2;
        int limbs_b = most / 2;
        if (round % 2 != 0) {
            limbs_a = 1 + static_cast<int>(source.below(most - 1));
            limbs_b = 1 + static_cast<int>(source.below(most - limbs_a));
        }
        const test::OperandPair drawn = source.pair(32 * limbs_a, 32 * limbs_b);
        check(drawn.a, limbs_a, drawn.b, limbs_b);
    }
    // Signed numbers in two's complement, and what is left of their products.
    const auto check_signed = [&](const Integer &a, const Integer &b, int limbs_of_each) {
        const int width = 32 * limbs_of_each;
        const Limbs x = limbs_of(test::store_unsigned(a, width), limbs_of_each);
        const Limbs y = limbs_of(test::store_unsigned(b, width), limbs_of_each);
        CHECK(integer_of(block.product(x, &y, most, 0, true, 0, true)) ==
              test::store_unsigned(a * b, 32 * most));
        const int low = limbs_of_each + 1;
        CHECK(integer_of(block.product(x, &y, low, 5, true, 0, true)) ==
              test::store_unsigned(test::store_signed(a * b, 32 * low - 5), 32 * low));
        CHECK(integer_of(block.product(x, nullptr, most, 0, true, 0, true)) == a * a);
    };
    for (long round = 0; round < test::scaled(3); ++round) {
        const int limbs_of_each = round == 0 ? most / 2 : 2 + source.below(most / 2 - 1);
        check_signed(source.signed_number(32 * limbs_of_each),
                     source.signed_number(32 * limbs_of_each), limbs_of_each);
    }
    const int half = most / 2;
    const Integer least = Integer(0) - test::power_of_two(32 * half - 1);
    check_signed(least, least, half);
    check_signed(least, test::all_ones(32 * half - 1), half);
    check_signed(Integer(-1), Integer(1), half);
    check_signed(Integer(-1), Integer(0), half);
    for (const std::uint32_t limb : {0xffffffffu, 0x80008000u, 0x7fff7fffu, 0x80007fffu, 0u})
        check(repeated(limb, half), half, repeated(0xffffffffu, half), half);
    // The product is 2^k or one less: a carry through all threads, or into the first only.
    const int bits = 32 * half;
    const Integer power = test::power_of_two(bits / 2);
    check(power, half, power, half);
    check(power - 1, half, power + 1, half);
    check(test::all_ones(bits), half, Integer(1), half);
    // A carry of one that the second thread's limbs make of the first's, that the third's pass on
    // and the fourth's take, or zeros in the third take: 3 0x5555 is 0xffff.
    Limbs carrying(static_cast<std::size_t>(half), 0x12345678u);
    for (const std::uint32_t third : {0x55555555u, 0u}) {
        for (std::size_t i = 0; i < 48; ++i)
            carrying[i] = i < 16 ? 0x7fff7fffu : i < 32 ? 0x55555555u : third;
        check(integer_of(carrying), half, Integer(3), half);
    }
    check(test::all_ones(32 * most - 32), most - 1, test::all_ones(32), 1);
    const Limbs x = limbs_of(test::all_ones(bits), half);
    CHECK(integer_of(block.product(x, &x, most, 0, false)) == Integer(0));
}

// The distance of the coefficients from integers, of numbers with the largest norms and of random
// ones.
template <int log_size>
void check_rounding() {
    using S = transform::Shape<log_size>;
    CAPTURE(log_size);
    test::NumberSource source(test::property_seed("rounding of transforms", log_size));
    Block<log_size> of;
    double largest = 0;
    for (int round = 0; round < 4; ++round) {
        const int half = S::max_limbs / 2;
        const Integer number = round == 0   ? repeated(0x80008000u, half)
                               : round == 1 ? repeated(0x7fff8000u, half)
                                            : source.uniform_bits(32 * half);
        const Limbs x = limbs_of(number, half);
        Threads block = of.threads();
        const transform::Passes<log_size, Threads> passes{block, of.roots.data()};
        const transform::Factor factor{x.data(), half, false};
        passes.template forward_from<0>(&factor);
        block.each([](int, transform::ThreadOfProduct &own) {
            for (transform::Complex &value : own.v)
                value = value * value;
        });
        passes.template inverse_from<S::last>();
        block.each([&](int, transform::ThreadOfProduct &own) {
            for (int k = 0; k < 16; ++k) {
                const transform::Complex w = transform::root_of_64(k);
                const transform::Complex value =
                    own.v[k] * transform::Complex{w.re / S::size, -w.im / S::size};
                for (const double part : {value.re, value.im})
                    largest = std::max(largest, std::abs(part - std::nearbyint(part)));
            }
        });
    }
    CHECK(largest < S::max_error);
    CHECK(largest > S::max_error / 10000); // or it was not measured
}

template <class Function>
void for_each_size(const Function &f) {
    [&]<int... i>(std::integer_sequence<int, i...>) {
        (f(std::integral_constant<int, transform::min_log_size + i>{}), ...);
    }(std::make_integer_sequence<int, transform::max_log_size - transform::min_log_size + 1>{});
}

} // namespace

TEST_CASE("products of long numbers by transforms") {
    for_each_size([](auto log_size) { check_products<log_size.value>(); });
}

TEST_CASE("rounding is off by less than the bound") {
    for_each_size([](auto log_size) { check_rounding<log_size.value>(); });
}

TEST_CASE("which transform") {
    CHECK(transform::log_size_of(2) == 9);
    CHECK(transform::log_size_of(512) == 9);
    CHECK(transform::log_size_of(513) == 10);
    CHECK(transform::log_size_of(8192) == 13);
    CHECK(transform::log_size_of(8193) == 0);
}
