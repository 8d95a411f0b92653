// SPDX-License-Identifier: Apache-2.0
// Long products with GMP as the engine (WARPINT_USE_GMP): against the law, at widths below, at and
// above the lengths from which the engine multiplies, mixed widths and signs included.
#include "support/number_source.h"
#include "support/oracle.h"
#include "support/property.h"

#include <warpint/bigint.h>

#include <doctest/doctest.h>

namespace {

using test::from_integer;
using test::Integer;
using test::to_integer;
using warpint::BigInt;
using warpint::SignedBigInt;
namespace arith = warpint::arith;

static_assert(arith::engine_multiplies<48, 512, std::uint64_t>);
static_assert(arith::engine_squares<16, std::uint64_t>);
static_assert(!arith::engine_multiplies<47, 512, std::uint64_t>);
static_assert(!arith::engine_multiplies<512, 512, std::uint32_t>);

template <typename A, typename B>
void check_products() {
    test::NumberSource source(test::property_seed("products by the engine", A::bits + B::bits));
    for (int round = 0; round < 200; ++round) {
        const Integer x = A::is_signed ? source.signed_number(A::bits) : source.number(A::bits);
        const Integer y = B::is_signed ? source.signed_number(B::bits) : source.number(B::bits);
        const A a = from_integer<A>(x);
        const B b = from_integer<B>(y);
        CHECK(to_integer(a * b) == x * y);
        CHECK(to_integer(b * a) == x * y);
        CHECK(to_integer(sqr(a)) == x * x);
        A c = a;
        c *= c; // a low product, the library's own
        CHECK(to_integer(c) == test::stored<A>(x * x));
    }
}

TEST_CASE("products by GMP's functions") {
    check_products<BigInt<1000>, BigInt<1024>>();
    check_products<BigInt<3008>, BigInt<3072>>();
    check_products<BigInt<3072>, BigInt<3072>>();
    check_products<BigInt<4096>, SignedBigInt<3333>>();
    check_products<SignedBigInt<8191>, BigInt<4096>>();
    check_products<BigInt<32768>, BigInt<16384>>();
    constexpr auto product = BigInt<3072>(7) * BigInt<3072>(6); // never in constant expressions
    static_assert(product == 42);
}

} // namespace
