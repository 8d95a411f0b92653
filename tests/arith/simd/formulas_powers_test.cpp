// SPDX-License-Identifier: Apache-2.0
// Formulas with powers, wherever they stand in them, against GMP (formulas.h).
#include "formulas.h"

#include <stdexcept>

namespace {

using namespace test::formulas;

template <int Bits>
void check_powers(std::size_t most) {
    OperandSource source(test::property_seed("powers in formulas", Bits));
    using C = Checker<Bits>;
    using Number = typename C::Number;
    for (const std::size_t count : counts) {
        if (count > most)
            continue;
        C c(source, count);
        c.result = pow(c.a, c.e, c.m);
        c.expect("pow(a, e, m)",
                 [&](std::size_t i) { return C::power(c.a[i], C::value(c.e[i]), c.m[i]); });
        c.result = pow(c.a, 65537, c.m);
        c.expect("pow(a, 65537, m)",
                 [&](std::size_t i) { return C::power(c.a[i], Integer(65537), c.m[i]); });

        // What all elements share.
        const Number shared = c.odd[count / 2];
        const Modulus<Bits> modulus(shared);
        const Number exponent = c.e[count / 2];
        c.result = pow(c.a, c.e, modulus);
        c.expect("pow(a, e, Modulus)",
                 [&](std::size_t i) { return C::power(c.a[i], C::value(c.e[i]), shared); });
        c.result = pow(c.a, exponent, shared);
        c.expect("pow(a, one e, one m)",
                 [&](std::size_t i) { return C::power(c.a[i], C::value(exponent), shared); });
        c.result = pow(c.a * c.b, exponent, modulus);
        c.expect("pow(a * b, one e, Modulus)", [&](std::size_t i) {
            Integer r;
            mpz_powm(r.raw(), (C::value(c.a[i]) * C::value(c.b[i])).raw(), C::value(exponent).raw(),
                     C::value(shared).raw());
            return r;
        });
        c.result = pow(c.a, -3, c.odd);
        c.expect("pow(a, -3, odd)", [](std::size_t) -> std::optional<Integer> { return {}; });
        for (const Number &one : {Number(shared), Number(shared + shared)}) {
            const Number base = c.a[count / 3];
            c.result = pow(base, c.e, one);
            c.expect("pow(one a, e, one m)",
                     [&](std::size_t i) { return C::power(base, C::value(c.e[i]), one); });
        }
        c.result = pow_ct(c.a, c.e, c.m);
        c.expect("pow_ct(a, e, m)", [&](std::size_t i) -> std::optional<Integer> {
            if ((C::value(c.m[i]) & 1) == 0)
                return {};
            return C::power(c.a[i], C::value(c.e[i]), c.m[i]);
        });

        // Inside a formula, under and over other operations and faults.
        const auto inner = [&](std::size_t i) {
            return C::power(c.a[i], C::value(c.e[i]), c.m[i]);
        };
        c.result = (pow(c.a, c.e, c.m) * c.b + c.a) % c.odd;
        c.expect("(pow(a, e, m) * b + a) % odd", [&](std::size_t i) -> std::optional<Integer> {
            if (!inner(i))
                return {};
            return test::modulo(*inner(i) * C::value(c.b[i]) + C::value(c.a[i]),
                                C::value(c.odd[i]));
        });
        const auto refuse = [](const Number &x) {
            if (x.limbs[0] % 8 == 3)
                throw std::runtime_error("no value");
            return x;
        };
        c.result = pow(map(refuse, c.a), c.e, c.m);
        c.expect("pow(map(f, a), e, m)", [&](std::size_t i) -> std::optional<Integer> {
            if (c.a[i].limbs[0] % 8 == 3)
                return {};
            return inner(i);
        });

        // Targets that are operands; faults that come with an operand.
        typename C::Vector x = c.a;
        x = pow(x, c.e, c.m);
        c.expect("x = pow(x, e, m)", x, inner);
        c.result = pow(x, 3, c.odd);
        c.expect("pow(x with faults, 3, odd)", [&](std::size_t i) -> std::optional<Integer> {
            if (!inner(i))
                return {};
            return C::power(test::from_integer<Number>(*inner(i)), Integer(3), c.odd[i]);
        });
    }
}

// Exponents that are a little shorter than their type, whose best window may be wider.
template <int ExponentBits>
void check_short_exponents() {
    OperandSource source(test::property_seed("short exponents in formulas", ExponentBits));
    using C = Checker<256>;
    using Exponent = BigInt<ExponentBits>;
    for (int bits = ExponentBits - 7; bits <= ExponentBits; ++bits) {
        C c(source, 33);
        host_vector<Exponent> e(33);
        for (std::size_t i = 0; i < 33; ++i)
            e[i] = set_bit(extract_bits(Exponent(c.b[i]), 0, bits), bits - 1);
        c.result = pow(c.a, e, c.odd);
        c.expect("pow(a, short e, odd)", [&](std::size_t i) {
            return C::power(c.a[i], test::to_integer(e.data()[i]), c.odd[i]);
        });
        const Exponent shared = e[7];
        c.result = pow(c.a, shared, c.odd);
        c.expect("pow(a, one short e, odd)", [&](std::size_t i) {
            return C::power(c.a[i], test::to_integer(shared), c.odd[i]);
        });
    }
}

} // namespace

#if defined(WARPINT_SIMD_EMULATED)

TEST_CASE("simd: formulas with powers, emulated") {
    check_powers<256>(33);
    check_short_exponents<105>();
}

#else

TEST_CASE("simd: formulas with powers") {
    check_powers<256>(100);
    check_powers<521>(33);
    check_short_exponents<101>();
    check_short_exponents<105>();
    check_short_exponents<331>();
}

TEST_CASE("simd: explain() names the engine") {
    const host_vector<BigInt<256>> a(20);
    const std::string text = explain(pow(a, a, a)).to_string();
    const bool engine = simd::engine() == simd::Engine::avx512_ifma;
    CHECK((text.find("side by side") != std::string::npos) == engine);
}

#endif
