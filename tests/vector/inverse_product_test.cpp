// SPDX-License-Identifier: Apache-2.0
// Exact products with inverses modulo one modulus, at widths where GPUs compute them in a function
// of their own (tuning::inlined_rest_limbs) and below, against GMP: elements without an inverse
// beside others.
#include "support/batches.h"
#include "support/property.h"

#include <doctest/doctest.h>
#include <warpint/vector.h>

#include <vector>

using namespace warpint;
using test::from_integer;
using test::Integer;
using test::to_integer;

namespace {

// An element of a result: its value, and whether it has one.
struct Expected {
    Integer value;
    bool exists;
};

// The index of the first element of `got` that is not wanted[i], of which they repeat, or is
// flagged wrongly; -1 if there is none.
template <class Vector>
long first_wrong(Vector got, const std::vector<Expected> &wanted) {
    const std::vector<bool> mask = got.error_mask();
    got.clear_errors();
    const auto values = got.to_host();
    for (std::size_t i = 0; i < values.size(); ++i) {
        const Expected &one = wanted[i % wanted.size()];
        if (to_integer(values[i]) != one.value || mask[i] == one.exists)
            return static_cast<long>(i);
    }
    return -1;
}

template <int Bits>
void check_products(const Integer &m) {
    test::OperandSource source(test::property_seed("exact products with inverses", Bits));
    const std::size_t size = 65'600, distinct = 300;
    std::vector<BigInt<Bits>> xs, ys;
    std::vector<Expected> products, differences;
    for (std::size_t i = 0; i < distinct; ++i) {
        const Integer x = i % 100 == 13 ? Integer(0) : source.number(Bits), y = source.number(Bits);
        Integer inverse;
        const bool exists = mpz_invert(inverse.raw(), x.raw(), m.raw()) != 0;
        inverse = exists ? test::modulo(inverse, m) : Integer(0);
        products.push_back({inverse * y, exists});
        differences.push_back({exists ? y - y * inverse : Integer(0), exists});
        xs.push_back(from_integer<BigInt<Bits>>(x));
        ys.push_back(from_integer<BigInt<Bits>>(y));
    }
    for (std::size_t i = distinct; i < size; ++i) {
        xs.push_back(BigInt<Bits>(xs[i - distinct]));
        ys.push_back(BigInt<Bits>(ys[i - distinct]));
    }
    CAPTURE(Bits);
    CAPTURE(m);
    const Modulus<Bits> modulus(from_integer<BigInt<Bits>>(m));
    const device_vector<BigInt<Bits>> a(xs), b(ys);
    const device_vector<BigInt<2 *Bits>> product = inverse(a, modulus) * b;
    CHECK(first_wrong(product, products) == -1);
    const device_vector<SignedBigInt<2 *Bits + 1>> difference = b - b * inverse(a, modulus);
    CHECK(first_wrong(difference, differences) == -1);
}

} // namespace

TEST_CASE("exact products with inverses") {
    check_products<512>(test::power_of_two(512) - 569); // prime
    check_products<544>((test::power_of_two(500) - 1) * 77);
    check_products<544>((test::power_of_two(500) - 1) * 78);
    check_products<1024>(test::power_of_two(1024) - 105);
}
