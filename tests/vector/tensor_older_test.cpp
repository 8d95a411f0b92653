// SPDX-License-Identifier: Apache-2.0
// Code that was compiled for GPUs without the tensor cores' instructions, on a newer GPU: powers
// run over lanes.
#define WARPINT_TUNING_TABLE "vector/tensor_table.h"

#include "support/batches.h"

#include <ostream>

#include <doctest/doctest.h>
#include <warpint/vector.h>

#include <vector>

using namespace warpint;
using test::Integer;

TEST_CASE("powers by code for compute capability 7.5") {
    using Number = BigInt<1024>;
    const std::vector<Integer> x = {Integer(2), Integer(3), test::power_of_two(1000) - 9};
    const std::vector<Integer> e = {Integer(0), Integer(70001), Integer(12)};
    const std::vector<Integer> m = {Integer(9), test::power_of_two(1023) + 1, test::all_ones(1024)};
    const auto a = test::vector_of<Number>(x);
    const auto exponents = test::vector_of<BigInt<256>>(e);
    const auto moduli = test::vector_of<Number>(m);
    CHECK(explain(pow(a, exponents, moduli)).tensor_elements == 0);
    device_vector<Number> powers;
    powers = pow(a, exponents, moduli);
    const std::vector<Number> values = powers.to_host();
    REQUIRE(values.size() == x.size());
    for (std::size_t i = 0; i < x.size(); ++i)
        CHECK(test::to_integer(values[i]) == test::power_modulo(x[i], e[i], m[i]));
}
