// SPDX-License-Identifier: Apache-2.0
// Primality of WarpInt against BigInt, on the host over lanes in lock step.

#include "support/oracle.h"
#include "support/property.h"

#include <warpint/number_theory.h>
#include <warpint/warp_int.h>

#include <doctest/doctest.h>

namespace {

using namespace warpint;
using B = BigInt<72>;
using W = WarpInt<72, 2>;

} // namespace

TEST_CASE("primality of small numbers over lanes") {
    for (int n = 0; n < 400; ++n)
        REQUIRE(is_probable_prime(W(n)) == is_probable_prime(B(n)));
    for (int n = 65500; n < 65600; ++n)
        REQUIRE(is_probable_prime(W(n)) == is_probable_prime(B(n)));
    CHECK(!is_probable_prime(SignedWarpInt<72, 2>(-7)));
    CHECK(is_probable_prime(WarpInt<3, 4>(7)));
}
TEST_CASE("primality over lanes of numbers that fool single tests") {
    // Strong pseudoprimes to base 2 (the first two are squares), Carmichael numbers, and what
    // passes the strong Lucas test (5459 ... from the literature, those above 2^16 without small
    // factors).
    const char *const composites[] = {"1194649",
                                      "12327121",
                                      "3215031751",
                                      "4759123141",
                                      "1122004669633",
                                      "3825123056546413051",
                                      "18446744066047760377",
                                      "58891472641",
                                      "162401",
                                      "75077",
                                      "97439",
                                      "100127",
                                      "113573",
                                      "115639",
                                      "130139",
                                      "318665857834031151167461"};
    for (const char *text : composites) {
        const auto n = BigInt<80>::parse(text);
        INFO(text);
        CHECK(!is_probable_prime(n));
        CHECK(!is_probable_prime(WarpInt<80, 2>(n)));
    }
    // The tests one by one: each fails to see what the other does.
    const warp_int::LanesRing<W> strong(W(4759123141u));
    CHECK(theory::is_strong_probable_prime_base_2(strong));
    CHECK(!theory::is_strong_lucas_probable_prime(strong));
    const warp_int::LanesRing<W> lucas(W(75077));
    CHECK(theory::is_strong_lucas_probable_prime(lucas));
    CHECK(!theory::is_strong_probable_prime_base_2(lucas));
    const warp_int::LanesRing<W> square(W(1194649));
    CHECK(theory::is_strong_probable_prime_base_2(square));
    CHECK(theory::selfridge_discriminant(square) == 0);
    for (std::uint64_t n :
         {4759123141ull, 75077ull, 1194649ull, 65537ull}) { // a power and by shifts
        const warp_int::LanesRing<W> ring{W(n)};
        W two = ring.small(2);
        CHECK(theory::is_strong_probable_prime(ring, two) ==
              theory::is_strong_probable_prime_base_2(ring));
    }
}
TEST_CASE("primality over lanes of any numbers") {
    test::OperandSource source(test::property_seed("warp_int primes", 72));
    for (long round = 0; round < test::scaled(40); ++round) {
        const B n = test::from_integer<B>(source.number(72)) | 1;
        INFO("n = ", n);
        REQUIRE(is_probable_prime(W(&n)) == is_probable_prime(n));
        const auto p = next_prime(n >> 4);
        REQUIRE(is_probable_prime(W(p), 2));
        REQUIRE(!is_probable_prime(W(sqr(BigInt<36>(p >> 32) | 1))));
    }
}
TEST_CASE("the next prime over lanes") {
    for (const char *text :
         {"0", "1", "2", "3", "7919", "65520", "65537", "18446744073709551533"}) {
        const B n = B::parse(text);
        INFO(text);
        CHECK(static_cast<B>(next_prime(W(n))) == next_prime(n));
    }
    CHECK(next_prime(SignedWarpInt<72, 2>(-5)) == 2);
    CHECK(next_safe_prime(W(23)) == 47);
    CHECK_THROWS_AS((void)next_prime(WarpInt<20, 4>(1048573)), std::range_error);
    Philox generator(3);
    const auto p = random_prime<WarpInt<40, 2>>(generator);
    CHECK(is_probable_prime(static_cast<BigInt<40>>(p)));
    CHECK(bit_width(p) == 40);
}
