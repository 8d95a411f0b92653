// Roots, powers and number theory of WarpInt against BigInt, on the host over lanes in lock step.

#include "support/oracle.h"
#include "support/property.h"

#include <warpint/modular.h>
#include <warpint/number_theory.h>
#include <warpint/warp_int.h>

#include <doctest/doctest.h>

namespace {

using namespace warpint;

template <int Bits, int L>
void check_functions(int count) {
    using B = BigInt<Bits>;
    using W = WarpInt<Bits, L>;
    test::OperandSource source(test::property_seed("warp_int functions", Bits * 64 + L));
    for (long round = 0; round < test::scaled(count); ++round) {
        const auto pair = source.inverse_pair(Bits, Bits);
        const B a = test::from_integer<B>(pair.a);
        const B b = test::from_integer<B>(pair.b);
        const W x(&a);
        const W y(&b);
        INFO("a = ", a, ", b = ", b, ", ", Bits, " bits, ", L, " lanes");
        REQUIRE(B(isqrt(x)) == isqrt(a));
        const auto root = sqrt_rem(x);
        const auto expected_root = sqrt_rem(a);
        REQUIRE(B(root.root) == expected_root.root);
        REQUIRE(B(root.remainder) == expected_root.remainder);
        REQUIRE(B(gcd(x, y)) == gcd(a, b));
        REQUIRE(static_cast<BigInt<2 * Bits>>(lcm(x, y)) == lcm(a, b));
        if (b != 0) {
            const auto found = inverse(x, y);
            const auto expected = inverse(a, b);
            REQUIRE(found.has_value() == expected.has_value());
            if (expected)
                REQUIRE(B(*found) == *expected);
        }
        const B n = b | 1;
        REQUIRE(jacobi(x, W(&n)) == jacobi(a, n));
        REQUIRE(B(pow(x, y)) == pow(a, b));
    }
}

} // namespace

TEST_CASE("roots, powers and number theory of WarpInt") {
    check_functions<1, 4>(40);
    check_functions<97, 2>(200);
    check_functions<521, 8>(60);
}
