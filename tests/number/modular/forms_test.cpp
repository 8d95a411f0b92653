// SPDX-License-Identifier: Apache-2.0
// Products of forms of residues as GPUs compute them in registers, against products of residues:
// the same text runs here.
#include "support/oracle.h"
#include "support/property.h"

#include <doctest/doctest.h>
#include <warpint/number/modular/forms.h>

using namespace warpint;

namespace {

template <int Bits>
void check_products(const BigInt<Bits> &value) {
    const Modulus<Bits> m(value);
    const number::FoldedFormModulus<Bits> folded(m);
    test::OperandSource source(test::property_seed("products of forms", Bits));
    CAPTURE(Bits);
    CAPTURE(to_string(value));
    for (int i = 0; i < 200; ++i) {
        const auto x = m(test::from_integer<BigInt<Bits>>(source.number(Bits)));
        const auto y = i < 3 ? m(i - 1) : m(test::from_integer<BigInt<Bits>>(source.number(Bits)));
        const number::form_t<Bits> a = x.form();
        const number::form_t<Bits> b = y.form();
        number::form_t<Bits> r = a;
        number::multiply_forms_in_registers<Bits>(r.limbs, r.limbs,
                                                  number::detail::LimbSource{b.limbs}, folded);
        REQUIRE(r == (x * y).form());
    }
}

template <int Bits>
void check_moduli() {
    static_assert(number::form_is_in_registers<Bits>);
    const BigInt<Bits> top = BigInt<Bits>(1) << (Bits - 1);
    const BigInt<Bits> moduli[] = {
        ~BigInt<Bits>(0),      top + BigInt<Bits>(7),         top,
        top + BigInt<Bits>(6), BigInt<Bits>(1) << 40,         BigInt<Bits>(1),
        BigInt<Bits>(2),       (top >> 40) + BigInt<Bits>(10)};
    for (const BigInt<Bits> &m : moduli)
        check_products(m);
}

} // namespace

TEST_CASE("products of forms in registers") {
    check_moduli<416>();
    check_moduli<500>();
    check_moduli<512>();
    check_moduli<1024>();
}
