// SPDX-License-Identifier: Apache-2.0
// The law of batches over lanes: sums, products and quotients of one another (lanes_law.h).
#include "lanes_law.h"

using namespace lanes_law;
using warpint::BigInt;
using warpint::SignedBigInt;

namespace {
using Inner = CasesOf<grid::lanes_sums | grid::lanes_quotients>;
}

TEST_CASE("the law over 4 lanes: sums and products") {
    const auto a = draw<BigInt<131>>("lanes a", 16);
    const auto b = draw<BigInt<64>>("lanes b", 16);
    const auto c = draw<BigInt<97>>("lanes c", 16);
    check_all<4>(CasesOf<grid::lanes_sums>{}, Inner{}, a, b, c);
    CHECK(seen().faults > 0);
    CHECK(seen().values > seen().faults);
}
TEST_CASE("the law over 1 lane: sums and products of signed numbers") {
    const auto a = draw<SignedBigInt<70>>("lanes signed a", 16);
    const auto b = draw<BigInt<33>>("lanes signed b", 16);
    const auto c = draw<SignedBigInt<97>>("lanes signed c", 16);
    check_all<1>(List<grid::Sum, grid::Product>{}, Inner{}, a, b, c);
}

// A formula over L lanes as R, at once: its low bits.
template <int L, class R, class Tree>
static void check_modulo(const Tree &tree, std::size_t count) {
    const auto lowered = expression::lower_formula(tree, {false, 0});
    for (std::size_t i = 0; i < count; ++i) {
        INFO(L, " lanes, element ", i);
        bool fault = false;
        const auto expected = execution::evaluate(lowered, execution::DirectContext{i}, fault);
        const auto got = execution::evaluate_modulo<execution::lane_number_t<L, R>>(
            lowered, execution::LanesContext<L>{i}, fault);
        REQUIRE(plain(got) == execution::stored<R>(expected));
    }
}
TEST_CASE("sums over lanes modulo the width of their target") {
    const auto a = draw<BigInt<128>>("lanes a", 24);
    const auto b = draw<BigInt<128>>("lanes b", 24);
    const auto c = draw<SignedBigInt<70>>("lanes signed a", 24);
    check_modulo<4, BigInt<128>>(a + b, a.size());
    check_modulo<4, BigInt<128>>(((a - b) ^ c) + (a & b), a.size());
    check_modulo<2, BigInt<60>>((a + c) | (b - c), a.size());
    check_modulo<2, SignedBigInt<300>>((a - b) - (c + b), a.size());
}
TEST_CASE("products over lanes modulo the width of their target") {
    const auto a = draw<BigInt<128>>("lanes a", 24);
    const auto b = draw<BigInt<128>>("lanes b", 24);
    const auto c = draw<SignedBigInt<70>>("lanes signed a", 24);
    check_modulo<4, BigInt<128>>(a * b, a.size());
    check_modulo<4, BigInt<128>>(a * 3u, a.size());
    check_modulo<2, SignedBigInt<128>>(c * a, a.size());
    check_modulo<2, BigInt<60>>(c * -5, a.size());
    check_modulo<8, BigInt<150>>((a - b) * c + a * a, a.size());
    check_modulo<1, SignedBigInt<131>>(a * b * c, a.size());
    check_modulo<4, BigInt<128>>(mul_low(a, 3u), a.size());
    // Eight limbs a lane and more have another schedule.
    const auto wide = draw<BigInt<1024>>("lanes wide", 24);
    check_modulo<4, BigInt<1024>>(wide * (wide ^ (a - b)), a.size());
    check_modulo<2, BigInt<1001>>(mul_low(wide, wide - a), a.size());
    check_modulo<2, SignedBigInt<90>>(mul_low(c, BigInt<33>(7)) - mul_low(c, a), a.size());
}
