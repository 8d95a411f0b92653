// SPDX-License-Identifier: Apache-2.0
// Numbers side by side with vectors made of arrays: the same algorithms on any machine.
#define WARPINT_SIMD_EMULATED

#include "cases.h"

using test::side_by_side::check_width;

TEST_CASE("simd: powers, products and remainders side by side are GMP's, emulated") {
    check_width<64>(60);
    check_width<131>(40);
    check_width<256>(20);
    check_width<512>(6);
    check_width<521>(6);
    check_width<1040>(1);
}

TEST_CASE("simd: engines are listed by name") {
    using warpint::simd::detail::listed;
    CHECK(listed("scalar", "scalar"));
    CHECK(listed("avx512_ifma,scalar", "scalar"));
    CHECK(listed("avx512_ifma,scalar", "avx512_ifma"));
    CHECK_FALSE(listed("", "scalar"));
    CHECK_FALSE(listed("avx512", "avx512_ifma"));
    CHECK_FALSE(listed("avx512_ifma_", "avx512_ifma"));
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
