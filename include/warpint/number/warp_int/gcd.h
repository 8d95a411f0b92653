// SPDX-License-Identifier: Apache-2.0
// Divisors of numbers over lanes, by the rules of BigInt: gcd(), lcm(), gcd_ext(), inverse(),
// jacobi(). Variable time.
#pragma once

#include "../../arith/lanes/gcd.h"
#include "../theory/gcd.h"
#include "modular.h"

namespace warpint {

namespace warp_int {

// gcd of two unsigned numbers of one type.
template <Code code = Code::here, class T>
WARPINT_HOST_DEVICE T greatest_divisor(const T &a, const T &b) {
    const typename T::group g;
    const bool a_zero = !static_cast<bool>(a);
    const bool b_zero = !static_cast<bool>(b);
    const int zeros_a = countr_zero(a);
    const int zeros_b = countr_zero(b);
    T x = a >> (a_zero ? 0 : zeros_a);
    T y = select(b_zero, T(1), b >> (b_zero ? 0 : zeros_b));
    if constexpr (code == Code::called) {
        y = number_of<T>(lanes::gcd_odd_outlined<T::limbs_per_lane>(g, words_of(x), words_of(y)));
    } else {
        lanes::gcd_odd<T::limbs_per_lane>(g, x.words, y.words);
    }
    const T r = y << (zeros_a < zeros_b ? zeros_a : zeros_b);
    return select(a_zero || b_zero, a | b, r);
}

template <class T>
struct CofactorResult {
    T gcd;
    T cofactor; // of a, in [0, b)
};
// For odd b: a cofactor = gcd modulo b.
template <class T>
WARPINT_HOST_DEVICE CofactorResult<T> cofactor(const T &a, const T &b) {
    CofactorResult<T> r;
    lanes::cofactor_odd<T::limbs_per_lane>(typename T::group{}, r.cofactor.words, r.gcd.words,
                                           a.words, b.words);
    return r;
}

template <class T>
struct BezoutResult {
    T gcd;
    number::like_t<SignedBigInt<T::bits + 2>, T> x, y; // a x + b y = gcd
};
// For odd b and a != 0: the coefficients with |x| < b / 2 gcd.
template <class T>
WARPINT_HOST_DEVICE BezoutResult<T> bezout_odd(const T &a, const T &b) {
    using Coefficient = number::like_t<SignedBigInt<T::bits + 2>, T>;
    using Wide = number::like_t<BigInt<2 * T::bits + 1>, T>;
    const auto found = cofactor(a, b);
    const T reduced_a = quotient<Code::called>(a, found.gcd);
    const T reduced_b = quotient<Code::called>(b, found.gcd);
    const T x = remainder<Code::called>(found.cofactor, reduced_b);
    const T below = reduced_b - x;
    const bool negative = less(below, x);
    const T size = select(negative, below, x); // of the nearer representative
    const bool none = !static_cast<bool>(size);
    // y = (1 - reduced_a x) / reduced_b
    const Wide product = to<Wide>(multiply_called(reduced_a, size));
    const Wide whole =
        quotient<Code::called>(select(negative, product + 1, product - 1), reduced_b);
    const bool wrapped = !negative && none; // x = 0: y = 1 / reduced_b = 1
    BezoutResult<T> r;
    r.gcd = found.gcd;
    r.x = negate_if(to<Coefficient>(size), negative);
    r.y = select(wrapped, Coefficient(1), negate_if(to<Coefficient>(whole), !negative));
    return r;
}

// The wider of the two, unsigned.
template <class A, class B>
using divisor_t = number::like_t<BigInt<number::wider_bits<scalar_t<A>, scalar_t<B>>>, A, B>;

} // namespace warp_int

// The greatest common divisor, in the wider type, unsigned; gcd(0, 0) = 0.
template <class A, class B>
requires number::OperandsTogether<A, B>
[[nodiscard]] WARPINT_HOST_DEVICE auto gcd(const A &a, const B &b) {
    using R = warp_int::divisor_t<A, B>;
    return warp_int::greatest_divisor(
        warp_int::to<R>(warp_int::magnitude(warp_int::as_number<A, B>(a))),
        warp_int::to<R>(warp_int::magnitude(warp_int::as_number<A, B>(b))));
}
// The least common multiple, exact: as wide as the product.
template <class A, class B>
requires number::OperandsTogether<A, B>
[[nodiscard]] WARPINT_HOST_DEVICE auto lcm(const A &a, const B &b) {
    const auto x = warp_int::magnitude(warp_int::as_number<A, B>(a));
    const auto y = warp_int::magnitude(warp_int::as_number<A, B>(b));
    using D = warp_int::divisor_t<A, B>;
    const D divisor =
        warp_int::greatest_divisor<warp_int::Code::called>(warp_int::to<D>(x), warp_int::to<D>(y));
    const bool zero = !static_cast<bool>(divisor);
    return warp_int::multiply_called(
        warp_int::quotient<warp_int::Code::called>(x, warp_int::select(zero, D(1), divisor)), y);
}

// The greatest common divisor and its coefficients, as {gcd, x, y}: those of gcd_ext of BigInt.
template <class A, class B>
requires number::OperandsTogether<A, B>
[[nodiscard]] WARPINT_HOST_DEVICE auto gcd_ext(const A &a, const B &b) {
    using R = warp_int::divisor_t<A, B>;
    using X = number::like_t<SignedBigInt<number::bits_of<warp_int::scalar_t<B>> + 1>, A, B>;
    using Y = number::like_t<SignedBigInt<number::bits_of<warp_int::scalar_t<A>> + 1>, A, B>;
    const auto signed_x = warp_int::as_number<A, B>(a);
    const auto signed_y = warp_int::as_number<A, B>(b);
    const bool negative_a = signed_x.is_negative();
    const bool negative_b = signed_y.is_negative();
    const R x = warp_int::to<R>(warp_int::magnitude(signed_x));
    const R y = warp_int::to<R>(warp_int::magnitude(signed_y));
    const bool some_a = static_cast<bool>(x);
    const bool some_b = static_cast<bool>(y);
    const bool both = some_a && some_b;
    // One of them is odd once the twos that they share are taken out.
    const R u = warp_int::select(both, x, R(1));
    const R v = warp_int::select(both, y, R(1));
    const int zeros_u = countr_zero(u);
    const int zeros_v = countr_zero(v);
    const int zeros = zeros_u < zeros_v ? zeros_u : zeros_v;
    const bool exchange = zeros_v > zeros_u;
    const R p = u >> zeros;
    const R q = v >> zeros;
    const auto s =
        warp_int::bezout_odd(warp_int::select(exchange, q, p), warp_int::select(exchange, p, q));
    const X found_x = warp_int::to<X>(warp_int::select(exchange, s.y, s.x));
    const Y found_y = warp_int::to<Y>(warp_int::select(exchange, s.x, s.y));
    return GcdExtended<R, X, Y>{
        warp_int::select(both, s.gcd << zeros, x | y),
        warp_int::negate_if(warp_int::select(both, found_x, X(some_a ? 1 : 0)), negative_a),
        warp_int::negate_if(warp_int::select(both, found_y, Y(some_b ? 1 : 0)), negative_b)};
}

// The inverse of a modulo m, in [0, m), or nothing if there is none.
template <number::Held A, WarpNumber M>
[[nodiscard]] WARPINT_HOST_DEVICE Optional<M> inverse(const A &a, const M &m) {
    static_assert(!M::is_signed, "the modulus must be unsigned");
    const typename M::group g;
    const bool prepared = static_cast<bool>(m);
    if (!prepared)
        number::report_domain_error("warpint: modulus 0");
    const M modulus = warp_int::select(prepared, m, M(1));
    const M value = warp_int::to<M>(
        warp_int::remainder<warp_int::Code::called>(warp_int::as_number<A, M>(a), modulus));
    const bool even = !test_bit(modulus, 0);
    const bool value_odd = test_bit(value, 0);
    M odd = warp_int::select(even, value, modulus);
    const M other = warp_int::select(even, modulus, value);
    odd = warp_int::select(even && !value_odd, M(1), odd);
    const auto found = warp_int::cofactor(other, odd);
    M r = found.cofactor;
    if (g.vote(even)) {
        const auto product = warp_int::multiply_called(modulus, found.cofactor);
        const M quotient =
            warp_int::to<M>(warp_int::quotient<warp_int::Code::called>(product - 1, odd));
        const bool is_one = value == 1; // then the cofactor is 0, and 1 itself the inverse
        r = warp_int::select(even, warp_int::select(is_one, M(1), modulus - quotient), r);
    }
    const bool unit = found.gcd == 1;
    const bool exists = prepared && unit && (!even || value_odd);
    return {warp_int::select(exists, r, M(0)), exists};
}

// The Jacobi symbol (a / n) for odd n > 0: 0 if a and n have a common factor, else 1 or -1. Even or
// negative n: std::domain_error on a host, 0 in device code.
template <class A, class N>
requires number::OperandsTogether<A, N>
[[nodiscard]] WARPINT_HOST_DEVICE int jacobi(const A &a, const N &n) {
    using T = warp_int::divisor_t<A, N>;
    const auto value = warp_int::as_number<A, N>(a);
    const auto modulus = warp_int::as_number<A, N>(n);
    const bool odd = test_bit(modulus, 0);
    const bool below_zero = modulus.is_negative();
    const bool exists = odd && !below_zero;
    if (!exists)
        number::report_domain_error("warpint: jacobi needs an odd, positive number");
    T x = warp_int::to<T>(warp_int::magnitude(value));
    T y = warp_int::select(exists, warp_int::to<T>(modulus), T(1));
    const bool three = test_bit(y, 1); // (-1 / n)
    const bool negative = value.is_negative();
    const int symbol = lanes::jacobi_odd<T::limbs_per_lane>(typename T::group{}, x.words, y.words);
    return !exists ? 0 : negative && three ? -symbol : symbol;
}

} // namespace warpint
