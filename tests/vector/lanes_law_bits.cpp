// SPDX-License-Identifier: Apache-2.0
// The law of batches over lanes: bits, shifts and comparisons of other operations (lanes_law.h).
#include "lanes_law.h"

using namespace lanes_law;
using warpint::BigInt;
using warpint::SignedBigInt;

TEST_CASE("the law over 32 lanes: bits and comparisons") {
    const auto a = draw<BigInt<131>>("lanes a", 16);
    const auto b = draw<BigInt<64>>("lanes b", 16);
    const auto c = draw<SignedBigInt<97>>("lanes signed c", 16);
    check_all<32>(CasesOf<grid::lanes_bits>{}, List<grid::Difference, grid::Product>{}, a, b, c);
    check_all<16>(CasesOf<grid::lanes_shifts>{}, List<grid::Sum>{}, a, b, b);
    check_all<2>(CasesOf<grid::lanes_shifts>{}, List<grid::Sum>{}, b, b, a);
    check<4>("~", ~a, a.size());
    check<4>("!", !(a >> 130u), a.size());
    check<4>("!", !(b < a), a.size());
    check<4>("-", -a * b, a.size());
    check<4>("popcount", popcount(a * b), a.size());
    check<4>("bit_width", bit_width(a - c), a.size());
    check<4>("countl_zero", countl_zero(a * b), a.size());
    check<4>("countr_zero", countr_zero(a * b), a.size());
    check<4>("test_bit", test_bit(a, b & 255u), a.size());
    check<4>("test_bit", test_bit(c, c), a.size());
    check<4>("rotl", rotl(a, b), a.size());
    check<4>("rotr", rotr(a, c), a.size());
    check<4>("extract_bits", extract_bits(a, b & 127u, 40), a.size());
    check<4>("extract_bits<50>", warpint::extract_bits<50>(a, b & 63u), a.size());
    check<4>("select", select(a < b, a, c), a.size());
    check<4>("as", as<BigInt<50>>(a * b), a.size());
    check<4>("mul_low", mul_low(a, b), a.size());
    check<4>("mul_high", mul_high(a, b), a.size());
    check<4>("let", let(a * b, [](auto x) { return x * x + x; }), a.size());
}
