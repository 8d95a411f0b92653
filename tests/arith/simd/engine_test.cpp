// SPDX-License-Identifier: Apache-2.0
// Numbers side by side on this CPU's vectors; skipped where it has none. (The emulated ones run
// everywhere: emulated_test.cpp.)
#include <warpint/arith/simd/machine/engine.h>

#include <doctest/doctest.h>

#include <cstdio>
#include <cstdlib>

[[maybe_unused]] static const bool has_vectors = [] {
    if (warpint::simd::best_engine() != warpint::simd::Engine::avx512_ifma) {
        std::puts("skipped: this CPU has no AVX-512 IFMA");
        std::exit(77);
    }
    return true;
}();

#if WARPINT_SIMD

#include "cases.h"
#include "one_cases.h"

using test::side_by_side::check_products;
using test::side_by_side::check_width;

TEST_CASE("simd: powers, products and remainders side by side are GMP's") {
    check_width<64>(200);
    check_width<131>(150);
    check_width<256>(100);
    check_width<512>(40);
    check_width<521>(40);
    check_width<1024>(12);
    check_width<1036>(12);
    check_width<1040>(12);
    check_width<2048>(4);
    check_width<4096>(3);
}

TEST_CASE("simd: products of each number of digits up to ten are GMP's") {
    check_products<100>(200);
    check_products<156>(200);
    check_products<208>(200);
    check_products<260>(200);
    check_products<300>(200);
    check_products<364>(200);
    check_products<416>(200);
    check_products<468>(200);
    check_products<511>(200);
    check_products<513>(200);
    check_products<520>(200);
}

TEST_CASE("simd: quotients and remainders of one number are GMP's") {
    test::one_number::check_divisions<1>(2000);
    test::one_number::check_divisions<2>(1000);
    test::one_number::check_divisions<3>(500);
    test::one_number::check_divisions<5>(300);
    test::one_number::check_divisions<10>(200);
}

TEST_CASE("simd: the root of one number is GMP's") {
    test::one_number::check_roots<521>(1000);
    test::one_number::check_roots<1024>(1000);
    test::one_number::check_roots<2049>(500);
    test::one_number::check_roots<4096>(500);
    test::one_number::check_roots<8192>(200);
}

TEST_CASE("simd: divmod, sqrt_rem and isqrt of numbers of any width in their types are GMP's") {
    test::one_number::check_numbers_of_many_widths(400);
}

#endif
