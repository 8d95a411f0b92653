// SPDX-License-Identifier: Apache-2.0
// Divisors and roots of wide batches, which several lanes of a warp compute on a GPU, against
// numbers one by one.
#include "wide_functions.h"

using namespace warpint;

TEST_CASE("gcd and jacobi of wide batches") {
    const auto a = wide_functions::draw("wide a"), b = wide_functions::draw("wide b");
    wide_functions::check(gcd(a, b), [&](auto i) { return gcd(a.read(i), b.read(i)); });
    wide_functions::check(jacobi(a, b), [&](auto i) {
        const auto n = b.read(i);
        return test_bit(n, 0) ? Optional<int>(jacobi(a.read(i), n)) : Optional<int>{};
    });
}
TEST_CASE("inverses of wide batches, even moduli and none included") {
    const auto a = wide_functions::draw("wide a"), m = wide_functions::draw("wide m");
    wide_functions::check(inverse(a, m), [&](auto i) {
        using Result = decltype(inverse(a.read(i), m.read(i)));
        return m.read(i) == 0 ? Result{} : inverse(a.read(i), m.read(i));
    });
}
TEST_CASE("square roots of wide batches") {
    const auto a = wide_functions::draw("wide a");
    wide_functions::check(isqrt(a), [&](auto i) { return isqrt(a.read(i)); });
    wide_functions::check(iroot(a, 3), [&](auto i) { return iroot(a.read(i), 3); });
    wide_functions::check(iroot(a, popcount(a) & 15), [&](auto i) {
        const int k = popcount(a.read(i)) & 15;
        return k == 0 ? Optional<BigInt<1632>>{} : Optional<BigInt<1632>>(iroot(a.read(i), k));
    });
    wide_functions::check(is_square(a), [&](auto i) { return is_square(a.read(i)); });
    wide_functions::check(is_square(a * a), [](auto) { return true; });
}
