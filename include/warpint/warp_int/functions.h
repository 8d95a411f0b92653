// SPDX-License-Identifier: Apache-2.0
// Roots, powers without a modulus, and number theory of numbers over lanes, by the rules of BigInt.
// Euclid's algorithm and Newton's iteration on divisions over lanes. Variable time.
#pragma once

#include "../number/optional.h"
#include "../number/root.h"
#include "modular.h"

namespace warpint {

namespace warp_int {

// floor(sqrt(a)) of an unsigned number, by Newton's iteration from above: s <- (s + a / s) / 2
// falls until it is the root. Starts with 31 right bits.
template <class A>
WARPINT_HOST_DEVICE A square_root(const A &a) {
    const typename A::group g;
    const int width = bit_width(a);
    const int places = width > 62 ? (width - 61) / 2 : 0; // the top 61 or 62 bits
    const auto top = static_cast<std::uint64_t>(a >> (2 * places));
    // A bound above: rounding and the bits below cost less than 2.
    std::uint64_t bound = 1;
    for (int bit = 31; bit >= 0; --bit) {
        const std::uint64_t next = (bound & ~std::uint64_t{1}) | std::uint64_t{1} << bit;
        if (next * next <= top)
            bound = next;
    }
    A root = A(bound + 1) << places; // 0 if it has no room: 1-bit numbers
    root = select(root == 0, A(1), root);
    bool going = width > 0;
    while (g.vote(going)) {
        const A quotient = a / root; // of a number without bits: finished
        using Wide = Number<A::bits + 1, A::lanes, traits<A>::together, false>;
        const A next((to<Wide>(root) + to<Wide>(quotient)) >> 1);
        const bool falls = less(next, root);
        going = going && falls;
        root = select(going, next, root);
    }
    return select(width > 0, root, A(0));
}

} // namespace warp_int

// floor(sqrt(a)) in a's type. Negative a: std::domain_error on a host, 0 in device code.
template <WarpNumber A>
[[nodiscard]] WARPINT_HOST_DEVICE A isqrt(const A &a) {
    const bool negative = a.is_negative();
    if (negative)
        number::report_domain_error("warpint: square root of a negative number");
    const auto root = warp_int::square_root(warp_int::to<warp_int::pattern_t<A>>(a));
    return warp_int::select(negative, A(0), warp_int::to<A>(root));
}
// The same with the remainder: {root, a - root^2}.
template <WarpNumber A>
[[nodiscard]] WARPINT_HOST_DEVICE SqrtRemResult<A> sqrt_rem(const A &a) {
    const A root = isqrt(a);
    const bool negative = a.is_negative();
    return {root, warp_int::select(negative, A(0), a - mul_low(root, root))};
}

// a^e modulo 2^Bits; e >= 0, 0^0 = 1.
template <WarpNumber A, warp_int::Any E>
[[nodiscard]] WARPINT_HOST_DEVICE A pow(const A &a, const E &e) {
    const typename A::group g;
    const auto exponent = warp_int::as_number<A, A>(e);
    const bool negative = exponent.is_negative();
    if (negative)
        number::report_domain_error("warpint: pow with a negative exponent");
    A r(1);
    for (int i = g.largest(bit_width(exponent)) - 1; i >= 0; --i) {
        r *= r;
        const A product = mul_low(r, a);
        r = warp_int::select(test_bit(exponent, i), product, r);
    }
    return warp_int::select(negative, A(0), r);
}

// The greatest common divisor of |a| and |b|, of the wider type, unsigned; gcd(0, 0) = 0.
template <class A, class B>
requires warp_int::Operands<A, B>
[[nodiscard]] WARPINT_HOST_DEVICE auto gcd(const A &a, const B &b) {
    const auto x = warp_int::magnitude(warp_int::as_number<A, B>(a));
    const auto y = warp_int::magnitude(warp_int::as_number<A, B>(b));
    constexpr int bits =
        decltype(x)::bits > decltype(y)::bits ? decltype(x)::bits : decltype(y)::bits;
    using R = warp_int::over_lanes<A, B, BigInt<bits>>;
    const typename R::group g;
    R u = warp_int::to<R>(x);
    R v = warp_int::to<R>(y);
    bool going = static_cast<bool>(v);
    while (g.vote(going)) {
        const R rest = u % warp_int::select(going, v, R(1));
        u = warp_int::select(going, v, u);
        v = warp_int::select(going, rest, v);
        going = static_cast<bool>(v);
    }
    return u;
}
// The least common multiple, exact: as wide as the product.
template <class A, class B>
requires warp_int::Operands<A, B>
[[nodiscard]] WARPINT_HOST_DEVICE auto lcm(const A &a, const B &b) {
    const auto x = warp_int::magnitude(warp_int::as_number<A, B>(a));
    const auto y = warp_int::magnitude(warp_int::as_number<A, B>(b));
    const auto divisor = gcd(x, y);
    using D = std::remove_const_t<decltype(divisor)>;
    const bool zero = !static_cast<bool>(divisor);
    return (x / warp_int::select(zero, D(1), divisor)) * y;
}

// The inverse of a modulo m in [0, m), if there is one. Euclid's algorithm with the cofactor of a,
// whose sign changes at every step.
template <warp_int::Any A, WarpNumber M>
[[nodiscard]] WARPINT_HOST_DEVICE Optional<M> inverse(const A &a, const M &m) {
    static_assert(!M::is_signed, "the modulus is unsigned");
    const typename M::group g;
    const bool prepared = static_cast<bool>(m);
    if (!prepared)
        number::report_domain_error("warpint: modulus 0");
    const M modulus = warp_int::select(prepared, m, M(1));
    M u = modulus;
    M v = warp_int::as_number<A, M>(a) % modulus;
    M x(0);
    M y(1);
    bool odd_steps = false; // then u = x a, else u = -x a, modulo m
    bool going = static_cast<bool>(v);
    while (g.vote(going)) {
        const auto step = divmod(u, warp_int::select(going, v, M(1)));
        const M z = x + mul_low(step.quotient, y);
        u = warp_int::select(going, v, u);
        v = warp_int::select(going, step.remainder, v);
        x = warp_int::select(going, y, x);
        y = warp_int::select(going, z, y);
        odd_steps = odd_steps != going;
        going = static_cast<bool>(v);
    }
    const bool unit = u == 1;
    const M value = warp_int::select(odd_steps, x, modulus - x);
    const M reduced = warp_int::select(value == modulus, M(0), value);
    const bool exists = prepared && unit;
    return {warp_int::select(exists, reduced, M(0)), exists};
}

// The Jacobi symbol (a / n), n odd and positive: -1, 0 or 1; of other n it means nothing.
template <warp_int::Any A, WarpNumber N>
[[nodiscard]] WARPINT_HOST_DEVICE int jacobi(const A &a, const N &n) {
    using M = warp_int::pattern_t<N>;
    const typename M::group g;
    M u = warp_int::to<M>(n);
    const bool zero = !static_cast<bool>(u);
    u = warp_int::select(zero, M(1), u);
    M v = warp_int::as_number<A, N>(a) % u;
    int sign = 1;
    bool going = static_cast<bool>(v);
    while (g.vote(going)) {
        const int zeros = countr_zero(v);
        v = v >> (going ? zeros : 0);
        const int low_u = static_cast<int>(u) & 7;
        const int low_v = static_cast<int>(v) & 7;
        const bool by_twos = zeros % 2 != 0 && (low_u == 3 || low_u == 5);
        const bool by_swap = low_u % 4 == 3 && low_v % 4 == 3;
        if (going && by_twos != by_swap)
            sign = -sign;
        const M rest = u % warp_int::select(going, v, M(1));
        u = warp_int::select(going, v, u);
        v = warp_int::select(going, rest, v);
        going = static_cast<bool>(v);
    }
    const bool unit = u == 1;
    return unit ? sign : 0;
}

} // namespace warpint
