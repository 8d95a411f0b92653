// SPDX-License-Identifier: Apache-2.0
// Powers on tensor cores whose matrices do not fit a block's shared memory (above 2080 bits),
// against GMP: on GPUs alone, since the emulator has no copy engine.
#define WARPINT_TUNING_TABLE "vector/tensor_table.h"

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

TEST_CASE("powers on tensor cores with streamed matrices") {
    constexpr int bits = 2304;
    using Number = BigInt<bits>;
    // Two blocks and a part of a warp.
    const auto count = static_cast<std::size_t>(test::scaled(273));
    test::OperandSource source(test::property_seed("streamed matrices", bits));
    std::vector<Integer> x, e, m;
    for (std::size_t i = 0; i < count; ++i) {
        m.push_back(source.modulus(bits) | Integer(i % 8 != 0 ? 1 : 0));
        x.push_back(source.related_to_modulus(bits, m.back()));
        e.push_back(source.exponent(200, m.back()));
    }
    m[1] = m[2] = x[1] = test::all_ones(bits);
    m[3] = Integer(2147483647) * (test::power_of_two(2200) + 1); // has a prime of the bases
    m[5] = test::power_of_two(bits - 1) + 1;
    const auto a = vector_of<Number>(x);
    const auto exponents = vector_of<BigInt<256>>(e);
    const auto moduli = vector_of<Number>(m);
    REQUIRE(explain(pow(a, exponents, moduli)).tensor_elements == count);
    device_vector<Number> powers = pow(a, exponents, moduli);
    const std::vector<bool> mask = powers.error_mask();
    powers.clear_errors();
    const std::vector<Number> values = powers.to_host();
    for (std::size_t i = 0; i < count; ++i) {
        CAPTURE(i);
        CAPTURE(test::run_seed());
        REQUIRE(mask[i] == m[i].is_zero());
        if (!mask[i])
            CHECK(test::to_integer(values[i]) == test::power_modulo(x[i], e[i], m[i]));
    }
}
