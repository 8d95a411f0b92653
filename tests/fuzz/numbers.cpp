// SPDX-License-Identifier: Apache-2.0
// Fuzz target: arithmetic of numbers, of a width that the input chooses, against GMP.

#include "fuzz.h"

#include <warpint/modular.h>
#include <warpint/number_theory.h>

#include <stdexcept>
#include <utility>

namespace {

using fuzz::Integer;
using fuzz::require;
using test::from_integer;
using test::to_integer;

/// Calls action, which throws std::domain_error or not.
template <class Action>
bool has_value(const Action &action) {
    try {
        action();
    } catch (const std::domain_error &) {
        return false;
    }
    return true;
}

template <class A, class B>
void run(fuzz::Input &input) {
    const int operation = input.below(8);
    const Integer x = test::stored<A>(input.number(A::bits));
    const Integer y = test::stored<B>(input.number(B::bits));
    const A a = from_integer<A>(x);
    const B b = from_integer<B>(y);
    using M = warpint::BigInt<B::bits>;
    const M m = from_integer<M>(y);
    const Integer modulus = to_integer(m);
    if (operation == 0) {
        const bool exists = has_value([&] {
            const auto [quotient, remainder] = divmod(a, b);
            const Integer expected = B::is_signed ? x / y : test::divide_floor(x, y);
            require(to_integer(quotient) ==
                        test::stored<std::remove_const_t<decltype(quotient)>>(expected),
                    "divmod: quotient");
            require(to_integer(remainder) == (B::is_signed ? x % y : test::modulo(x, y)),
                    "divmod: remainder");
        });
        require(exists == !y.is_zero(), "divmod by 0");
    } else if (operation == 1) {
        require(to_integer(a * b) == x * y, "product");
        require(to_integer(sqr(a)) == x * x, "square");
        require((a < b) == (x < y) && (a == b) == (x == y), "comparison");
        require(to_integer(a + a) == test::stored<A>(x + x), "sum");
        require(to_integer(a - A(b)) == test::stored<A>(x - test::stored<A>(y)), "difference");
    } else if (operation == 2) {
        const int e = input.byte();
        const Integer modulo = test::power_of_two(A::bits);
        require(to_integer(pow(a, e)) == test::stored<A>(test::power_modulo(test::modulo(x, modulo),
                                                                            Integer(e), modulo)),
                "power");
    } else if (operation == 3) {
        const Integer exponent = test::store_unsigned(input.number(96), 96);
        const auto e = from_integer<warpint::BigInt<96>>(exponent);
        const bool exists = has_value([&] {
            require(to_integer(pow(a, e, m)) == test::power_modulo(x, exponent, modulus),
                    "power modulo m");
        });
        require(exists == !modulus.is_zero(), "power modulo 0");
    } else if (operation == 4) {
        const bool exists = has_value([&] {
            const auto inverse_of_a = inverse(a, m);
            const bool coprime = test::greatest_common_divisor(x, modulus) == Integer(1);
            require(static_cast<bool>(inverse_of_a) == coprime, "whether an inverse exists");
            if (coprime)
                require(to_integer(*inverse_of_a) == test::inverse_or_zero(x, modulus), "inverse");
        });
        require(exists == !modulus.is_zero(), "inverse modulo 0");
    } else if (operation == 5) {
        require(to_integer(gcd(a, b)) == test::greatest_common_divisor(x, y), "gcd");
        if constexpr (!A::is_signed && !B::is_signed) {
            const auto extended = gcd_ext(a, b);
            require(to_integer(extended.gcd) == test::greatest_common_divisor(x, y) &&
                        x * to_integer(extended.x) + y * to_integer(extended.y) ==
                            to_integer(extended.gcd),
                    "gcd_ext");
        }
    } else if (operation == 6) {
        const bool exists = has_value([&] {
            const auto [root, rest] = sqrt_rem(a);
            Integer expected;
            mpz_sqrt(expected.raw(), x.raw());
            require(to_integer(root) == expected && to_integer(isqrt(a)) == expected, "isqrt");
            require(to_integer(rest) == x - expected * expected, "remainder of a root");
        });
        require(exists == (x.sign() >= 0), "root of a negative number");
    } else {
        const int k = input.byte() - 5;
        const bool none = k < 0 || k >= A::bits;
        const std::size_t count = static_cast<std::size_t>(none ? 0 : k);
        require(to_integer(a << k) == (none ? Integer(0) : test::stored<A>(x << count)),
                "shift left");
        require(to_integer(a >> k) == (none ? Integer(x.sign() < 0 ? -1 : 0) : x >> count),
                "shift right");
        require(to_integer(mulmod(a, b, m | M(1))) == test::modulo(x * y, to_integer(m | M(1))),
                "mulmod");
    }
}

} // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    fuzz::Input input(data, size);
    switch (input.below(3)) {
    case 0:
        run<warpint::BigInt<131>, warpint::BigInt<96>>(input);
        break;
    case 1:
        run<warpint::BigInt<1100>, warpint::BigInt<521>>(input);
        break;
    default:
        run<warpint::SignedBigInt<200>, warpint::SignedBigInt<129>>(input);
        break;
    }
    return 0;
}
