// SPDX-License-Identifier: Apache-2.0
// Exact products with inverses modulo one modulus, which GPUs compute in two steps, against GMP:
// elements without an inverse beside others.
#include "support/batches.h"
#include "support/property.h"
#include "vector/inverse_oracle.h"

#include <doctest/doctest.h>
#include <warpint/vector.h>

#include <vector>

using namespace warpint;
using test::Expected;
using test::first_other;
using test::from_integer;
using test::Integer;
using test::inverse_of;

namespace {

template <int Bits>
void check_products(const Integer &m) {
    test::OperandSource source(test::property_seed("exact products with inverses", Bits));
    const std::size_t distinct = 300;
    const std::size_t size =
        (device_info().gpu ? execution::tuning::min_bulk_inverses(Bits) : 65536) + 64;
    std::vector<BigInt<Bits>> xs, ys;
    std::vector<Expected> products, differences;
    for (std::size_t i = 0; i < distinct; ++i) {
        const Integer x = i % 100 == 13 ? Integer(0) : source.number(Bits), y = source.number(Bits);
        const auto [inverse, exists] = inverse_of(x, m);
        products.push_back({inverse * y, exists});
        differences.push_back({y - y * inverse, exists});
        xs.push_back(from_integer<BigInt<Bits>>(x));
        ys.push_back(from_integer<BigInt<Bits>>(y));
    }
    for (std::size_t i = distinct; i < size; ++i) {
        xs.push_back(BigInt<Bits>(xs[i - distinct]));
        ys.push_back(BigInt<Bits>(ys[i - distinct]));
        products.push_back(Expected(products[i - distinct]));
        differences.push_back(Expected(differences[i - distinct]));
    }
    CAPTURE(Bits);
    CAPTURE(m);
    const Modulus<Bits> modulus(from_integer<BigInt<Bits>>(m));
    const device_vector<BigInt<Bits>> a(xs), b(ys);
    const device_vector<BigInt<2 * Bits>> product = inverse(a, modulus) * b;
    CHECK(first_other(product, products) == -1);
    const device_vector<SignedBigInt<2 * Bits + 1>> difference = b - b * inverse(a, modulus);
    CHECK(first_other(difference, differences) == -1);
}

} // namespace

TEST_CASE("exact products with inverses") {
    check_products<512>(test::power_of_two(512) - 569); // prime
    check_products<544>((test::power_of_two(500) - 1) * 77);
    check_products<544>((test::power_of_two(500) - 1) * 78);
    check_products<1024>(test::power_of_two(1024) - 105);
}
