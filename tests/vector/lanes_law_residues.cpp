// SPDX-License-Identifier: Apache-2.0
// The law of batches over lanes: residues of a Modulus (lanes_law.h). A product over lanes takes as
// many rows as a form has limbs, also where these end inside of a lane.
#include "lanes_law.h"

using namespace lanes_law;
using warpint::BigInt;
using warpint::host_vector;
using warpint::Modulus;
using warpint::Residue;
using warpint::SignedBigInt;

namespace {

// The form is what a vector of residues stores.
template <int L, int Bits, class Formula>
void check_form(const char *name, const Formula &formula) {
    using Stored = expression::operation::FormOfResidue<Residue<Bits>>;
    check<L>(name, expression::describe(Stored{}, formula), 20);
}

template <int L, int Bits>
void check_residues(const BigInt<Bits> &m) {
    const auto a = draw<BigInt<Bits>>("lanes a", 20);
    auto b = draw<BigInt<Bits>>("lanes b", 20);
    const auto c = draw<SignedBigInt<Bits + 70>>("lanes c", 20);
    const auto e = draw<BigInt<40>>("lanes e", 20);
    b[0] = m - BigInt<Bits>(1);
    b[1] = 1u;
    b[2] = ~BigInt<Bits>(0);
    const Modulus<Bits> modulus(m);
    const host_vector<Residue<Bits>> x(modulus, a), y(modulus, b);
    CAPTURE(Bits);
    CAPTURE(warpint::to_string(m));
    const auto form = [&](const char *name, const auto &formula) {
        check_form<L, Bits>(name, formula);
    };
    form("x y", x * y);
    form("y^2", sqr(y));
    form("x y + y", x * y + y);
    form("x y - y", x * y - y);
    form("y - x y", y - x * y);
    form("-y", -y);
    form("(x + y) (x - y)", (x + y) * (x - y));
    form("x c + 3", x * c + 3);
    form("let", let(x * y, [](auto t) { return t * t + t; }));
    form("x^e", pow(x, e));
    form("x^c", pow(x, as<SignedBigInt<30>>(c)));
    form("x^65537", pow(x, 65537));
    form("x^0", pow(x, 0));
    form("1 / x", inverse(x));
    form("x / y", x / y);
    check<L>("value", value(x * y), 20);
    check<L>("x == y", x == y, 20);
    check<L>("x != a", x != a, 20);
}

template <int L, int Bits>
void check_moduli() {
    const BigInt<Bits> top = BigInt<Bits>(1) << (Bits - 1);
    const BigInt<Bits> moduli[] = {~BigInt<Bits>(0), top + BigInt<Bits>(12346),
                                   (top >> 33) + BigInt<Bits>(15), BigInt<Bits>(1),
                                   BigInt<Bits>(2)};
    for (const BigInt<Bits> &m : moduli)
        check_residues<L, Bits>(m);
}

} // namespace

TEST_CASE("the law over lanes: residues") {
    seen() = {};
    check_moduli<1, 96>();
    check_moduli<4, 256>();
    check_moduli<2, 1056>(); // rows end inside of a lane
    check_moduli<2, 1088>(); // and all their bits are used
    CHECK(seen().faults > 0);
    CHECK(seen().values > seen().faults);
}
