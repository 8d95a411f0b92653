// SPDX-License-Identifier: Apache-2.0
// Batches of modular powers on the device path, to 4096 bits, against GMP: odd and even moduli,
// private to each element and shared, as numbers and as Modulus; private and shared exponents and
// bases.
#include "support/batches.h"
#include "support/oracle.h"
#include "support/property.h"

#include <ostream>

#include <doctest/doctest.h>
#include <warpint/vector.h>

#include <vector>

using namespace warpint;
using test::Integer;
using test::vector_of;
using test::Width;

namespace {

template <int Bits>
void check_equal(const char *what, device_vector<BigInt<Bits>> &got,
                 const std::vector<Integer> &expected) {
    const std::vector<bool> mask = got.error_mask();
    got.clear_errors();
    const auto values = got.to_host();
    REQUIRE(values.size() == expected.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        CAPTURE(what);
        CAPTURE(i);
        // -1 stands for "no value".
        CHECK(test::to_integer(values[i]) == (expected[i].sign() < 0 ? Integer(0) : expected[i]));
        CHECK(mask[i] == (expected[i].sign() < 0));
    }
}

template <int Bits>
void check_powers() {
    using Number = BigInt<Bits>;
    const std::size_t count = static_cast<std::size_t>(test::scaled(Bits <= 521    ? 40
                                                                    : Bits <= 1024 ? 9
                                                                                   : 5));
    CAPTURE(Bits);
    CAPTURE(test::run_seed());
    test::OperandSource source(test::property_seed("batches of powers", Bits));
    std::vector<Integer> x, e, m;
    for (std::size_t i = 0; i < count; ++i) {
        m.push_back(i == 4 ? Integer(0) : source.modulus(Bits)); // odd and even
        x.push_back(source.related_to_modulus(Bits, m.back().is_zero() ? Integer(1) : m.back()));
        e.push_back(source.exponent(Bits, m.back().is_zero() ? Integer(1) : m.back()));
    }
    if (count > 3) {
        m[0] = test::all_ones(Bits);
        m[1] = test::power_of_two(Bits - 1);
        m[2] = m[0] - 1;
    }
    const auto a = vector_of<Number>(x), exponents = vector_of<Number>(e),
               moduli = vector_of<Number>(m);
    std::vector<Integer> expected(count);

    device_vector<Number> result;
    result = pow(a, exponents, moduli);
    for (std::size_t i = 0; i < count; ++i) {
        expected[i] = m[i].is_zero() ? Integer(-1) : test::power_modulo(x[i], e[i], m[i]);
    }
    check_equal("everything private", result, expected);

    for (const bool odd : {true, false}) {
        Integer modulus = source.number(Bits) | test::power_of_two(Bits - 1);
        if (modulus.is_odd() != odd)
            modulus = modulus ^ Integer(1);
        if (modulus.is_zero())
            continue; // one bit has no even modulus
        const Modulus<Bits> shared(test::from_integer<Number>(modulus));
        result = pow(a, test::from_integer<Number>(e[count / 2]), shared);
        for (std::size_t i = 0; i < count; ++i)
            expected[i] = test::power_modulo(x[i], e[count / 2], modulus);
        check_equal(odd ? "shared exponent, odd Modulus" : "shared exponent, even Modulus", result,
                    expected);
        if constexpr (Bits == 131) { // the other ways to share operands
            result = pow(a, exponents, shared.value());
            for (std::size_t i = 0; i < count; ++i)
                expected[i] = test::power_modulo(x[i], e[i], modulus);
            check_equal("shared modulus", result, expected);
            result = pow(test::from_integer<Number>(x[1]), exponents, shared);
            for (std::size_t i = 0; i < count; ++i)
                expected[i] = test::power_modulo(x[1], e[i], modulus);
            check_equal("shared base, Modulus", result, expected);
            result = pow(a, 65537, moduli);
            for (std::size_t i = 0; i < count; ++i) {
                expected[i] =
                    m[i].is_zero() ? Integer(-1) : test::power_modulo(x[i], Integer(65537), m[i]);
            }
            check_equal("built-in exponent", result, expected);
        }
    }
}

} // namespace

// Where device code is compiled but cannot run, a width of each kernel is enough.
#if defined(WARPINT_CHECKED_ONLY)
#define POWER_WIDTHS Width<109>, Width<1024>, Width<2048>
#else
#define POWER_WIDTHS                                                                               \
    Width<1>, Width<7>, Width<64>, Width<109>, Width<131>, Width<256>, Width<521>, Width<1024>,    \
        Width<2048>, Width<4096>
#endif
TEST_CASE_TEMPLATE("batches of powers", W, POWER_WIDTHS) {
    check_powers<W::bits>();
}
