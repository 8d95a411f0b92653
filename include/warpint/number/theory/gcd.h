// SPDX-License-Identifier: Apache-2.0
// Divisors of plain numbers of any width and sign: gcd(), lcm(), gcd_ext() and jacobi(). Variable
// time.
#pragma once

#include "../../arith/limbs/gcd/inverse.h"
#include "../../bigint.h"
#include "../machine.h"

namespace warpint {

namespace number {

// A width for the magnitudes of A and B.
template <AnyNumber A, AnyNumber B>
inline constexpr int wider_bits = bits_of<A> > bits_of<B> ? bits_of<A> : bits_of<B>;

template <int N>
WARPINT_HOST_DEVICE constexpr BigInt<N> gcd_unsigned(const BigInt<N> &a, const BigInt<N> &b) {
    constexpr int n = BigInt<N>::limb_count;
    BigInt<N> r{};
    on_machine_limbs([]<class Limb>(Limb *g, const Limb *x, const Limb *y)
                         WARPINT_INLINE_LAMBDA { arith::gcd<machine_limbs<n, Limb>>(g, x, y); },
                     output<n>(r.limbs), input<n>(a.limbs), input<n>(b.limbs));
    return r;
}

// gcd = gcd(a, b) for odd b; returns x in [0, b) with a x = gcd modulo b.
template <int N>
WARPINT_HOST_DEVICE constexpr BigInt<N> cofactor_unsigned(BigInt<N> &gcd, const BigInt<N> &a,
                                                          const BigInt<N> &b) {
    constexpr int n = BigInt<N>::limb_count;
    BigInt<N> r{};
    on_machine_limbs(
        []<class Limb>(Limb *c, Limb *g, const Limb *x, const Limb *y)
            WARPINT_INLINE_LAMBDA { arith::cofactor_odd<machine_limbs<n, Limb>>(c, g, x, y); },
        output<n>(r.limbs), output<n>(gcd.limbs), input<n>(a.limbs), input<n>(b.limbs));
    return r;
}

// Jacobi symbol (a / n) for odd n.
template <int N>
WARPINT_HOST_DEVICE constexpr int jacobi_unsigned(const BigInt<N> &a, const BigInt<N> &n) {
    constexpr int limbs = BigInt<N>::limb_count;
    return on_machine_limbs(
        []<class Limb>(Limb *x, Limb *y)
            WARPINT_INLINE_LAMBDA { return arith::jacobi_odd<machine_limbs<limbs, Limb>>(x, y); },
        copied_input<limbs>(a.limbs), copied_input<limbs>(n.limbs));
}

template <int N>
struct Bezout {
    BigInt<N> gcd;
    SignedBigInt<N + 2> x, y; // a x + b y = gcd
};

// For odd b and a != 0, both below 2^N: the coefficients with |x| < b / 2 gcd.
template <int N>
WARPINT_HOST_DEVICE constexpr Bezout<N> bezout_odd(const BigInt<N> &a, const BigInt<N> &b) {
    using Coefficient = SignedBigInt<N + 2>;
    Bezout<N> r{};
    const BigInt<N> cofactor = cofactor_unsigned(r.gcd, a, b);
    const BigInt<N> reduced_a = a / r.gcd;
    const BigInt<N> reduced_b = b / r.gcd;
    const BigInt<N> x = cofactor % reduced_b;
    const BigInt<N> below = reduced_b - x;
    const bool negative = below < x;
    const BigInt<N> size = negative ? below : x; // of the nearer representative
    // y = (1 - reduced_a x) / reduced_b
    BigInt<2 *N + 1> product = to<BigInt<2 * N + 1>>(reduced_a * size);
    product = negative ? product + BigInt<1>(1) : product - BigInt<1>(1);
    const bool wrapped = !negative && !static_cast<bool>(size); // x = 0: y = 1 / reduced_b = 1
    const BigInt<2 *N + 1> quotient = product / reduced_b;
    r.x = to<Coefficient>(size);
    negate_if(r.x, negative);
    r.y = wrapped ? Coefficient(1) : to<Coefficient>(quotient);
    negate_if(r.y, !negative && !wrapped);
    return r;
}

} // namespace number

// The greatest common divisor, never negative: gcd(a, 0) = |a|, gcd(0, 0) = 0. Variable time. Where
// std::gcd is visible too, this one is preferred for numbers of this library.
// Example:
//     const auto divisor = gcd(BigInt<256>(12), BigInt<256>(18)); // 6
template <class A, class B>
requires number::Operands<A, B>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr BigInt<number::wider_bits<A, B>> gcd(A a, B b) {
    using R = BigInt<number::wider_bits<A, B>>;
    return number::gcd_unsigned(number::to<R>(number::magnitude(number::as_number(a))),
                                number::to<R>(number::magnitude(number::as_number(b))));
}

// The least common multiple, never negative; 0 if a or b is 0. Variable time.
template <class A, class B>
requires number::Operands<A, B>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr BigInt<number::bits_of<A> + number::bits_of<B>>
lcm(A a, B b) {
    using R = BigInt<number::bits_of<A> + number::bits_of<B>>;
    const auto divisor = gcd(a, b);
    if (!static_cast<bool>(divisor))
        return R{};
    const auto x = number::magnitude(number::as_number(a));
    const auto y = number::magnitude(number::as_number(b));
    return number::multiply_unsigned(x / divisor, y);
}

// The same for two built-in integers, exact. Where std::gcd and std::lcm are visible too, as after
// `using namespace std`, they are preferred, because the empty parameter pack makes this overload
// the worse match.
template <BuiltinInteger A, BuiltinInteger B, class... None>
requires(sizeof...(None) == 0)
    [[nodiscard]] WARPINT_HOST_DEVICE constexpr BigInt<number::wider_bits<A, B>> gcd(A a, B b,
                                                                                     None...) {
    return gcd(number::as_number(a), number::as_number(b));
}
template <BuiltinInteger A, BuiltinInteger B, class... None>
requires(sizeof...(None) == 0)
    [[nodiscard]] WARPINT_HOST_DEVICE constexpr BigInt<number::bits_of<A> + number::bits_of<B>> lcm(
        A a, B b, None...) {
    return lcm(number::as_number(a), number::as_number(b));
}

// What gcd_ext returns: a x + b y = gcd.
template <class Gcd, class X, class Y>
struct GcdExtended {
    Gcd gcd;
    X x;
    Y y;
};

// The greatest common divisor and its coefficients, as {gcd, x, y} with a x + b y = gcd. The
// coefficients are those of GMP's mpz_gcdext, the smallest: |x| < |b| / 2 gcd and |y| < |a| / 2
// gcd. Where there are none so small, x = 0 and y = sign(b) if |a| = |b|; otherwise x = sign(a) if
// b = 0 or |b| = 2 gcd, and y = sign(b) if a = 0 or |a| = 2 gcd; sign(0) = 0. Variable time.
template <AnyNumber A, AnyNumber B>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr GcdExtended<BigInt<number::wider_bits<A, B>>,
                                                        SignedBigInt<number::bits_of<B> + 1>,
                                                        SignedBigInt<number::bits_of<A> + 1>>
gcd_ext(const A &a, const B &b) {
    constexpr int n = number::wider_bits<A, B>;
    using X = SignedBigInt<number::bits_of<B> + 1>;
    using Y = SignedBigInt<number::bits_of<A> + 1>;
    const auto signed_x = number::as_number(a);
    const auto signed_y = number::as_number(b);
    const bool negative_a = number::is_negative(signed_x);
    const bool negative_b = number::is_negative(signed_y);
    BigInt<n> x = number::to<BigInt<n>>(number::magnitude(signed_x));
    BigInt<n> y = number::to<BigInt<n>>(number::magnitude(signed_y));
    GcdExtended<BigInt<n>, X, Y> r{};
    if (!static_cast<bool>(x) || !static_cast<bool>(y)) {
        r.gcd = x | y;
        r.x = X(static_cast<int>(static_cast<bool>(x)));
        r.y = Y(static_cast<int>(static_cast<bool>(y)));
    } else {
        const int zeros_x = countr_zero(x);
        const int zeros_y = countr_zero(y);
        const int zeros = zeros_x < zeros_y ? zeros_x : zeros_y;
        x = x >> zeros;
        y = y >> zeros;
        const bool exchange = zeros_y > zeros_x; // y is still even
        const auto s = number::bezout_odd(exchange ? y : x, exchange ? x : y);
        r.gcd = s.gcd << zeros;
        r.x = number::to<X>(exchange ? s.y : s.x);
        r.y = number::to<Y>(exchange ? s.x : s.y);
    }
    number::negate_if(r.x, negative_a);
    number::negate_if(r.y, negative_b);
    return r;
}

// The Jacobi symbol (a / n) for odd n > 0: 0 if a and n have a common factor, otherwise 1 or -1.
// For prime n it says whether a is a square modulo n. Variable time. Errors: n <= 0 or even n is a
// std::domain_error on the host; device code returns 0.
template <AnyNumber A, AnyNumber N>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr int jacobi(const A &a, const N &n) {
    using T = BigInt<number::wider_bits<A, N>>;
    const auto x = number::as_number(a);
    const auto modulus = number::as_number(n);
    if ((modulus.limbs[0] & 1) == 0 || number::is_negative(modulus)) {
        number::report_domain_error("warpint: jacobi needs an odd, positive number");
        return 0;
    }
    const int symbol =
        number::jacobi_unsigned(number::to<T>(number::magnitude(x)), number::to<T>(modulus));
    // (-1 / n)
    return number::is_negative(x) && (modulus.limbs[0] & 2) != 0 ? -symbol : symbol;
}

} // namespace warpint
