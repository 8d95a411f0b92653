// SPDX-License-Identifier: Apache-2.0
// Products of long numbers on hosts by transforms against GMP: every shape filled to its last
// digit, numbers of unequal lengths, squares, the vectors of this processor and those of any, all
// rounding modes; that rounding is off by less than the bound that is proved; and the products, low
// products and squares of limb arrays that come to them.
#include "support/oracle.h"
#include "support/property.h"

#include <doctest/doctest.h>
#include <warpint/arith/limbs/product/multiply.h>

#include <algorithm>
#include <array>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

namespace arith = warpint::arith;
namespace transform = warpint::arith::word_transform;
using test::Integer;
using Words = std::vector<std::uint64_t>;

namespace {

Words words_of(const Integer &x, long count) {
    Words words(static_cast<std::size_t>(count));
    REQUIRE(mpz_sizeinbase(x.raw(), 2) <= 64 * words.size());
    mpz_export(words.data(), nullptr, -1, 8, 0, 0, x.raw());
    return words;
}

Words product_by_gmp(const Words &a, const Words &b) {
    Integer x;
    Integer y;
    mpz_import(x.raw(), a.size(), -1, 8, 0, 0, a.data());
    mpz_import(y.raw(), b.size(), -1, 8, 0, 0, b.data());
    return words_of(x * y, static_cast<long>(a.size() + b.size()));
}

Words random_words(test::OperandSource &source, long count) {
    return words_of(source.number(static_cast<int>(64 * count)), count);
}
Words repeated(std::uint64_t word, long count) {
    return Words(static_cast<std::size_t>(count), word);
}

} // namespace

#if WARPINT_WORD_TRANSFORMS
namespace {

namespace detail = transform::detail;

// Memory for one shape and its roots.
struct Transform {
    explicit Transform(int index)
        : shape(detail::all_word_shapes.shape[index]),
          memory(static_cast<std::size_t>(6 * shape.n)),
          room{memory.data(), memory.data() + 2 * shape.n, memory.data() + 4 * shape.n,
               detail::word_roots(index)} {
        REQUIRE(room.roots != nullptr);
    }

    template <class Machine>
    Words product(const Words &a, const Words &b) const {
        constexpr std::uint64_t guard = 0xa5a5a5a5a5a5a5a5;
        Words result(a.size() + b.size() + 1, guard);
        Machine::multiply(result.data(), a.data(), static_cast<long>(a.size()), b.data(),
                          static_cast<long>(b.size()), shape, room);
        CHECK(result.back() == guard);
        result.pop_back();
        return result;
    }

    transform::WordShape shape;
    std::vector<double> memory;
    detail::Room room;
};

// The most words of two numbers together whose product the shape takes, half each.
long most_words(int index) {
    const transform::WordShape s = detail::all_word_shapes.shape[index];
    long words = 2 * s.n * s.bits / 64;
    while (2 * detail::digits_of(words / 2, s.bits) > 2 * s.n)
        words -= 2;
    return words;
}

template <class Check>
void for_each_shape(const Check &check) {
    // The longest take a second each.
    const int count = test::scaled(1) > 1 ? detail::word_shapes : detail::word_shapes - 7;
    for (int index = 0; index < count; ++index) {
        CAPTURE(index);
        check(index);
    }
}

bool has_avx2() {
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
    return false;
#endif
}

void check_product(const Transform &by, const Words &a, const Words &b) {
    const Words expected = product_by_gmp(a, b);
    CHECK(by.product<detail::Portable>(a, b) == expected);
#if defined(__x86_64__)
    if (has_avx2()) {
        CHECK(by.product<detail::Avx2>(a, b) == expected);
    }
#endif
}

} // namespace

TEST_CASE("products of words by transforms") {
    if (!has_avx2())
        MESSAGE("this processor has no AVX2: its code was not run");
    CAPTURE(test::run_seed());
    for_each_shape([](int index) {
        test::OperandSource source(test::property_seed("products of words", index));
        const Transform by(index);
        const long half = most_words(index) / 2;
        REQUIRE(detail::shape_for(half, half) == index);
        for (const std::uint64_t word :
             {0xffffffffffffffffu, 0x8000800080008000u, 0x7fff7fff7fff7fffu, std::uint64_t{0}}) {
            check_product(by, repeated(word, half), repeated(word, half));
            check_product(by, repeated(word, half), repeated(0xffffffffffffffffu, half));
        }
        for (long round = 0; round < test::scaled(index < 10 ? 4 : 1); ++round) {
            check_product(by, random_words(source, half), random_words(source, half));
            const long shorter = 2 + static_cast<long>(source.below(static_cast<int>(half) - 1));
            check_product(by, random_words(source, half), random_words(source, shorter));
            check_product(by, random_words(source, 2), random_words(source, 2 * half - 3));
        }
        const Words a = random_words(source, half);
        CHECK(by.product<detail::Portable>(a, a) == product_by_gmp(a, a)); // one transform
    });
}

TEST_CASE("products of words in every rounding mode") {
    const Transform by(detail::shape_for(700, 700));
    test::OperandSource source(test::property_seed("products of words, rounding modes", 0));
    const Words a = random_words(source, 700);
    const Words b = random_words(source, 700);
    const Words expected = product_by_gmp(a, b);
    for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO, FE_TONEAREST}) {
        CAPTURE(mode);
        REQUIRE(std::fesetround(mode) == 0);
        const Words portable = by.product<detail::Portable>(a, b);
        Words chosen(1400);
        const bool done = transform::multiply_words(chosen.data(), a.data(), 700, b.data(), 700);
        std::fesetround(FE_TONEAREST);
        CHECK(done);
        CHECK(portable == expected);
        CHECK(chosen == expected);
    }
}

TEST_CASE("rounding of transforms of words is off by less than the bound") {
    for_each_shape([](int index) {
        const Transform by(index);
        const long half = most_words(index) / 2;
        test::OperandSource source(test::property_seed("rounding of words", index));
        double largest = 0;
        for (const Words &a : {repeated(0x8000800080008000u, half), random_words(source, half)}) {
            (void)by.product<detail::Portable>(a, a);
            for (long i = 0; i < 2 * by.shape.n; ++i) {
                const double c = by.room.digits[i];
                largest = std::max(largest, std::abs(c - std::nearbyint(c)));
            }
        }
        CHECK(largest < detail::max_error);
        CHECK(largest > detail::max_error / 100000); // or it was not measured
    });
}

TEST_CASE("shapes of transforms of words") {
    CHECK(detail::shape_for(2, 2) == 0);
    // Digits have 16 bits up to 8192 values, then fewer, and never more for more values.
    CHECK(detail::all_word_shapes.shape[10].n == 8192);
    CHECK(detail::all_word_shapes.shape[10].bits == 16);
    CHECK(detail::all_word_shapes.shape[11].bits == 15);
    for (int i = 1; i < detail::word_shapes; ++i) {
        CHECK(detail::all_word_shapes.shape[i].n > detail::all_word_shapes.shape[i - 1].n);
        CHECK(detail::all_word_shapes.shape[i].bits <= detail::all_word_shapes.shape[i - 1].bits);
    }
    CHECK(detail::shape_for(200000, 200000) == -1);
    Words r(2);
    CHECK_FALSE(transform::multiply_words(r.data(), r.data(), 200000, r.data(), 200000));
}

TEST_CASE("threads that multiply by transforms at once") {
    test::OperandSource source(test::property_seed("threads and words", 0));
    const Words a = random_words(source, 500);
    const Words b = random_words(source, 1100);
    const Words expected = product_by_gmp(a, b);
    std::array<Words, 4> results;
    std::vector<std::thread> threads;
    for (Words &result : results) {
        threads.emplace_back([&] {
            result.resize(1600);
            for (int round = 0; round < 4; ++round)
                transform::multiply_words(result.data(), a.data(), 500, b.data(), 1100);
        });
    }
    for (std::thread &thread : threads)
        thread.join();
    for (const Words &result : results)
        CHECK(result == expected);
}
#endif // other hosts multiply by Karatsuba's method, which the test below runs there

namespace {

template <int N, int M>
void check_limbs(std::uint64_t seed) {
    CAPTURE(N);
    CAPTURE(M);
    test::OperandSource source(seed);
    for (int round = 0; round < 3; ++round) {
        const Words a = round == 0 ? repeated(0xffffffffffffffffu, N) : random_words(source, N);
        const Words b = round == 0 ? repeated(0xffffffffffffffffu, M) : random_words(source, M);
        Words r(N + M);
        arith::multiply<N, M>(r.data(), a.data(), b.data());
        const Words expected = product_by_gmp(a, b);
        CHECK(r == expected);
        if constexpr (N == M) {
            arith::multiply_low<N>(r.data(), a.data(), b.data());
            CHECK(std::equal(expected.begin(), expected.begin() + N, r.begin()));
            arith::square<N>(r.data(), a.data());
            CHECK(r == product_by_gmp(a, a));
        }
    }
}

} // namespace

TEST_CASE("long products of limb arrays") {
    const std::uint64_t seed = test::property_seed("long products of limb arrays", 0);
    constexpr int n = transform::min_words;
    check_limbs<n - 1, n - 1>(seed);
    check_limbs<n, n>(seed);
    check_limbs<2 * n + 5, n>(seed);
    check_limbs<5 * n + 3, n + 1>(seed); // in slices
    check_limbs<2 * n + 1, 2 * n + 1>(seed);
    check_limbs<8 * n + 3, 7 * n>(seed);
}
