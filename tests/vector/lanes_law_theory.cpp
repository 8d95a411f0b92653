// SPDX-License-Identifier: Apache-2.0
// The law of batches over lanes: roots and number theory (lanes_law.h).
#include "lanes_law.h"

using namespace lanes_law;
using warpint::BigInt;
using warpint::SignedBigInt;

TEST_CASE("the law over 4 and 8 lanes: roots and number theory") {
    const auto a = draw<BigInt<131>>("lanes a", 12);
    const auto b = draw<BigInt<64>>("lanes b", 12);
    const auto c = draw<SignedBigInt<97>>("lanes signed c", 12);
    const auto m = draw<BigInt<131>>("lanes m", 12);
    check<4>("isqrt", isqrt(a * b), a.size());
    check<8>("isqrt", isqrt(c), a.size());
    check<4>("sqrt_rem", sqrt_rem(a), a.size());
    check<4>("iroot", iroot(a * b, 3), a.size());
    check<8>("iroot", iroot(c, 5), a.size());
    check<4>("iroot", iroot(a, b >> 60), a.size());
    check<4>("iroot", iroot(BigInt<131>(1) << 130, c), a.size());
    check<4>("is_square", is_square(c), a.size());
    check<8>("is_square", is_square(c * c), a.size());
    check<4>("divmod", divmod(a, b), a.size());
    check<4>("divmod", divmod(c, b), a.size());
    check<4>("gcd", gcd(a, c), a.size());
    check<4>("lcm", lcm(a, b), a.size());
    check<4>("jacobi", jacobi(c, b), a.size());
    check<4>("inverse", inverse(a, m), a.size());
    check<8>("inverse", inverse(c, b), a.size());
    check<4>("inverse shared", inverse(a, BigInt<131>(97)), a.size());
    check<4>("crt", crt(a, b, c, m), a.size());
    check<4>("sqrt_mod", sqrt_mod(b, BigInt<64>(18446744073709551557u)), a.size());
    check<4>("is_probable_prime", is_probable_prime(b), a.size());
    CHECK(seen().faults > 0);
    CHECK(seen().values > seen().faults);
}
