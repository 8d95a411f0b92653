// SPDX-License-Identifier: Apache-2.0
// Batches of powers without a 128-bit type, against GMP.
#include "support/batches.h"
#include "support/oracle.h"
#include "support/property.h"

#include <doctest/doctest.h>
#include <warpint/vector.h>

#include <vector>

using namespace warpint;
using test::Integer;

TEST_CASE("batches of powers without a 128-bit type") {
    constexpr int bits = 256;
    test::OperandSource source(test::property_seed("portable batches of powers", bits));
    std::vector<Integer> x, e, m;
    for (int i = 0; i < 40; ++i) { // moduli odd and even
        const test::OperandTriple triple = source.triple(bits, bits, bits);
        m.push_back(triple.m);
        x.push_back(triple.a);
        e.push_back(source.exponent(bits, m.back()));
    }
    const auto host = [](const std::vector<Integer> &numbers) {
        host_vector<BigInt<bits>> r(numbers.size());
        for (std::size_t i = 0; i < numbers.size(); ++i)
            r[i] = test::from_integer<BigInt<bits>>(numbers[i]);
        return r;
    };
    const host_vector<BigInt<bits>> powers = pow(host(x), host(e), host(m));
    for (std::size_t i = 0; i < x.size(); ++i)
        CHECK(test::to_integer(BigInt<bits>(powers[i])) == test::power_modulo(x[i], e[i], m[i]));
}
