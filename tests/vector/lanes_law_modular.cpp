// SPDX-License-Identifier: Apache-2.0
// The law of batches over lanes: modular functions and functions of the user (lanes_law.h).
#include "lanes_law.h"

using namespace lanes_law;
using warpint::BigInt;
using warpint::SignedBigInt;

namespace {

struct Mix {
    template <class A, class B>
    auto operator()(const A &a, const B &b) const {
        return a * b + (a ^ 5u);
    }
};

template <int L>
void check_modular() {
    const auto a = draw<BigInt<131>>("lanes a", 12);
    const auto b = draw<BigInt<64>>("lanes b", 12);
    const auto m = draw<BigInt<131>>("lanes m", 12);
    const BigInt<131> shared = (BigInt<131>(1) << 130) + 7;
    check<L>("a b mod m", a * b % m, a.size());
    check<L>("sqr(a) mod m", sqr(a) % m, a.size());
    check<L>("(a b + c) mod m", (a * b + a) % m, a.size());
    check<L>("(a b - c d) mod m", (a * b - b * b) % m, a.size());
    check<L>("a b mod shared", (a * b + a - b) % shared, a.size());
    check<L>("addmod", addmod(a, b, m), a.size());
    check<L>("submod", submod(a, b, m), a.size());
    check<L>("pow", pow(a, b, m), a.size());
    check<L>("pow 5", pow(a, 65537, m), a.size());
    check<L>("pow shared", pow(a, b, shared) * b + a, a.size());
    check<L>("pow wrapping", pow(a, b & 63u), a.size());
    check<L>("a mod 0", a % BigInt<131>(0), a.size());
    // What all elements share: every lane reads its own limbs.
    const BigInt<131> even = BigInt<131>(43) << 70;
    check<L>("a b mod shared even", a * b % even, a.size());
    check<L>("a b mod Modulus", a * b % warpint::Modulus<131>(even), a.size());
    // One base for all, by tables.
    const auto exponents = draw<BigInt<70>>("lanes exponents", 6);
    const BigInt<1056> base = (BigInt<1056>(0) - 1) / 7u;
    const BigInt<1056> odd = (BigInt<1056>(1) << 1055) + 9;
    check<L>("pow of a base", pow(base, exponents, odd), exponents.size());
    check<L>("pow of a base mod even", pow(base, exponents, odd - 9 + even) + 1, exponents.size());
    check<L>("pow of a base mod 1", pow(base, exponents, BigInt<1056>(1)), exponents.size());
    check<L>("pow of a base mod 0", pow(base, exponents, BigInt<1056>(0)), exponents.size());
    const BigInt<419> wide = (BigInt<419>(1) << 418) - (BigInt<419>(77) << 200) + 3;
    check<L>("a + wide", a + wide, a.size());
    check<L>("(wide - (a ^ wide)) b", (wide - (a ^ wide)) * b, a.size());
    check<L>("a wide mod m", a * wide % m, a.size());
    check<L>("map", map(warpint::over_lanes(Mix{}), a, b), a.size());
}

} // namespace

TEST_CASE("the law over 4 lanes: modular functions") {
    check_modular<4>();
    CHECK(seen().faults > 0);
    CHECK(seen().values > seen().faults);
}
