// SPDX-License-Identifier: Apache-2.0
// The law of batches over lanes: sums, products and quotients of one another (lanes_law.h).
#include "lanes_law.h"

using namespace lanes_law;
using warpint::BigInt;
using warpint::SignedBigInt;

namespace {
using Inner = List<Sum, Difference, Product, Quotient, Remainder>;
}

TEST_CASE("the law over 4 lanes: sums and products") {
    const auto a = draw<BigInt<131>>("lanes a", 16);
    const auto b = draw<BigInt<64>>("lanes b", 16);
    const auto c = draw<BigInt<97>>("lanes c", 16);
    check_all<4>(List<Sum, Difference, Product>{}, Inner{}, a, b, c);
    CHECK(seen().faults > 0);
    CHECK(seen().values > seen().faults);
}
TEST_CASE("the law over 1 lane: sums and products of signed numbers") {
    const auto a = draw<SignedBigInt<70>>("lanes signed a", 16);
    const auto b = draw<BigInt<33>>("lanes signed b", 16);
    const auto c = draw<SignedBigInt<97>>("lanes signed c", 16);
    check_all<1>(List<Sum, Product>{}, Inner{}, a, b, c);
}
