// SPDX-License-Identifier: Apache-2.0
// Primality and functions of the user on wide batches, which several lanes of a warp compute on a
// GPU, against numbers one by one.
#include "wide_functions.h"

using namespace warpint;

namespace {

struct Mix {
    template <class A, class B>
    WARPINT_HOST_DEVICE auto operator()(const A &a, const B &b) const {
        return a * b + (a ^ b);
    }
};

} // namespace

TEST_CASE("primality of wide batches") {
    // 2^1279 - 1 is prime; 2^k - 1 for other k below is not, nor is its square's neighbour.
    std::vector<BigInt<1280>> numbers;
    for (int k : {2, 3, 31, 1279, 1277, 1201, 127, 89, 16, 17})
        numbers.push_back((BigInt<1280>(1) << k) - 1);
    const device_vector<BigInt<1280>> a(numbers);
    wide_functions::check(is_probable_prime(a),
                          [&](auto i) { return is_probable_prime(a.read(i)); });
}
TEST_CASE("functions of the user that take numbers over lanes") {
    const auto a = wide_functions::draw("wide a"), b = wide_functions::draw("wide b");
    wide_functions::check(map(over_lanes(Mix{}), a, b),
                          [&](auto i) { return Mix{}(a.read(i), b.read(i)); });
}
