// SPDX-License-Identifier: Apache-2.0
// Identities of short numbers; part.cpp.in has the wide ones. A long run on a GPU:
//
//     WARPINT_SOAK_SECONDS=0.5 warpint_test_soak_cuda --require-gpu
#include "soak/identities.h"

TEST_CASE("soak: 64 bits") {
    soak::try_sums<64>();
    soak::try_quotients<64>();
    soak::try_modular<64>();
    soak::try_signed<64>();
}
TEST_CASE("soak: 100 bits") {
    soak::try_sums<100>();
    soak::try_quotients<100>();
    soak::try_modular<100>();
    soak::try_signed<100>();
}
TEST_CASE("soak: what does not hold is counted") {
    soak::Operands<64> x;
    const auto refill = [&](std::size_t size) { x.refill(size); };
    CHECK(soak::failures(100, refill, [&] { return x.a + x.b == x.a; }) > 50);
    CHECK(soak::failures(100, refill, [&] { return x.a == x.a; }) == 0);
}
