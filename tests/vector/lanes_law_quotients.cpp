// SPDX-License-Identifier: Apache-2.0
// The law of batches over lanes: quotients and remainders of other operations (lanes_law.h).
#include "lanes_law.h"

using namespace lanes_law;
using warpint::BigInt;
using warpint::SignedBigInt;

TEST_CASE("the law over 8 lanes: quotients and remainders") {
    const auto a = draw<BigInt<131>>("lanes a", 12);
    const auto b = draw<BigInt<64>>("lanes b", 12);
    const auto c = draw<BigInt<97>>("lanes c", 12);
    check_all<8>(CasesOf<grid::lanes_quotients>{},
                 List<grid::Sum, grid::Product, grid::Remainder>{}, a, b, c);
    CHECK(seen().faults > 0);
    CHECK(seen().values > seen().faults);
}
TEST_CASE("the law over 2 lanes: quotients and remainders of signed numbers") {
    const auto a = draw<SignedBigInt<70>>("lanes signed a", 12);
    const auto b = draw<BigInt<33>>("lanes signed b", 12);
    const auto c = draw<SignedBigInt<97>>("lanes signed c", 12);
    check_all<2>(CasesOf<grid::lanes_quotients>{},
                 List<grid::Difference, grid::Product, grid::Quotient>{}, a, b, c);
}
