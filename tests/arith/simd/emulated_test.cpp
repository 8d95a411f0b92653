// SPDX-License-Identifier: Apache-2.0
// Numbers side by side with vectors made of arrays: the same algorithms on any machine.
// (WARPINT_SIMD_EMULATED is defined for the whole program.)

#include "cases.h"
#include "one_cases.h"

#include <cstdlib>
#include <string_view>

using test::side_by_side::check_width;

TEST_CASE("simd: powers, products and remainders side by side are GMP's, emulated") {
    check_width<64>(60);
    check_width<131>(40);
    check_width<256>(20);
    check_width<512>(6);
    check_width<521>(6);
    check_width<1040>(4);
    // Of whole digits: the top digit of a product may be above that of the modulus.
    test::side_by_side::check_modular_products<520>(6, false);
    test::side_by_side::check_largest_sums_modulo<256>();
}

TEST_CASE("simd: quotients, remainders and roots of one number are GMP's, emulated") {
    test::one_number::check_divisions<1>(300);
    test::one_number::check_divisions<2>(100);
    test::one_number::check_divisions<3>(60);
    test::one_number::check_divisions<10>(20);
    test::one_number::check_roots<521>(200);
    test::one_number::check_roots<1040>(100);
    test::one_number::check_roots<4096>(20);
}

TEST_CASE("simd: divmod, sqrt_rem and isqrt of numbers of any width in their types are GMP's") {
    test::one_number::check_numbers_of_many_widths(60);
}

TEST_CASE("simd: engines are listed by name") {
    using warpint::simd::Engine;
    const auto wanted = [](const char *list) {
        return warpint::simd::wanted_engines(list, Engine::avx512_ifma);
    };
    CHECK(wanted("").all);
    CHECK(wanted("").unknown.empty());
    CHECK_FALSE(wanted("scalar").all);
    CHECK_FALSE(wanted("scalar").best);
    CHECK(wanted("avx512_ifma,scalar").best);
    CHECK(wanted("scalar,avx512_ifma").best);
    CHECK(wanted("scalar,avx512_ifma").unknown.empty());
    CHECK(wanted("avx512_ifma_").all);
    CHECK(wanted("avx512_ifma_").unknown == "avx512_ifma_");
    CHECK(wanted("scalar,Scalar,sse").unknown == "Scalar");
    CHECK_FALSE(wanted("sse,scalar").all);
    CHECK_FALSE(wanted("sse,scalar").best);
    CHECK_FALSE(wanted(" scalar").all);
    CHECK_FALSE(wanted("\tscalar \t").best);
    CHECK(wanted("scalar , avx512_ifma ").best);
    CHECK(wanted("scalar , avx512_ifma ").unknown.empty());
    CHECK(wanted(" ,  ").all);
    CHECK(wanted(" ,  ").unknown.empty());
    CHECK(wanted(" sse 4 ").unknown == "sse 4");
}

// Run with and without words that name no engine.
TEST_CASE("simd: the environment chooses the engine") {
    const char *const list = std::getenv("WARPINT_CPU_ENGINES");
    const bool scalar = list != nullptr && std::string_view(list) == "scalar";
    CHECK((warpint::simd::engine() == warpint::simd::Engine::scalar) == scalar);
}

TEST_CASE("simd: windows of columns hold the digits asked for") {
    for (int digits = 1; digits <= 700; ++digits) {
        const warpint::simd::Shape shape = warpint::simd::shape_for(digits);
        CHECK(shape.digits() >= digits);
        CHECK(shape.digits() <= digits + digits / 3 + 1);
        CHECK(shape.columns <= 10);
        CHECK((shape.windows == 1 || shape.columns % 2 == 0));
    }
}
