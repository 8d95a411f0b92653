// SPDX-License-Identifier: Apache-2.0
// Divisors of numbers of any kind, width and sign: gcd(), lcm(), gcd_ext() and jacobi(). Variable
// time.
#pragma once

#include "../../arith/limbs/gcd/inverse.h"
#include "../bits.h"
#include "../kinds.h"
#include "../machine.h"

namespace warpint {

namespace number {

// The wider of A and B, unsigned, in their kind.
template <class A, class B>
using divisor_t =
    like_t<BigInt<(bits_of<scalar_t<A>> > bits_of<scalar_t<B>> ? bits_of<scalar_t<A>>
                                                               : bits_of<scalar_t<B>>)>,
           A, B>;

// For unsigned numbers T of any kind (those over lanes are in number/warp_int/gcd.h):
//   gcd(a, b), gcd_outlined(a, b)   the latter out of line, where numbers run together
//   cofactor(g, a, b)             g = gcd(a, b) for odd b; x in [0, b) with a x = g modulo b
//   jacobi(a, n)                  the Jacobi symbol (a / n) for odd n
template <class T>
struct Divisors;

namespace detail {

// a as a number that has the same divisors in common with a short b: itself, or a mod b.
template <int N>
ShortNumber beside_short(const BigInt<N> &a, const ShortNumber &b) {
    return is_short(a) ? shortened(a) : a % b;
}
// Of a short b; it is not 0 where a is long.
template <int N, class Short = ShortNumber, class Word = WordNumber>
WARPINT_NOINLINE Short gcd_with_short(const BigInt<N> &a, const BigInt<N> &b) {
    const Short y = shortened(b);
    if (is_word(y) && static_cast<bool>(y)) {
        const Word word = to<Word>(y);
        return to<Short>(Divisors<Word>::gcd(a % word, word));
    }
    return Divisors<Short>::gcd(beside_short(a, y), y);
}
template <int N, class Short = ShortNumber>
WARPINT_NOINLINE int jacobi_of_short(const BigInt<N> &a, const BigInt<N> &m) {
    const Short y = shortened(m);
    return Divisors<Short>::jacobi(beside_short(a, y), y);
}

} // namespace detail

template <int N>
struct Divisors<BigInt<N>> {
    static constexpr int n = BigInt<N>::limb_count;

    WARPINT_HOST_DEVICE static constexpr BigInt<N> gcd(const BigInt<N> &a, const BigInt<N> &b) {
        if constexpr (may_be_short<BigInt<N>>) {
            if (are_short(b) && (static_cast<bool>(b) || is_short(a)))
                return to<BigInt<N>>(detail::gcd_with_short(a, b));
            if (are_short(a) && static_cast<bool>(a))
                return to<BigInt<N>>(detail::gcd_with_short(b, a));
        }
        BigInt<N> r{};
        on_machine_limbs([]<class Limb>(Limb *g, const Limb *x, const Limb *y)
                             WARPINT_INLINE_LAMBDA { arith::gcd<machine_limbs<n, Limb>>(g, x, y); },
                         output<n>(r.limbs), input<n>(a.limbs), input<n>(b.limbs));
        return r;
    }
    WARPINT_HOST_DEVICE static constexpr BigInt<N> gcd_outlined(const BigInt<N> &a,
                                                                const BigInt<N> &b) {
        return gcd(a, b);
    }
    WARPINT_HOST_DEVICE static constexpr BigInt<N> cofactor(BigInt<N> &g, const BigInt<N> &a,
                                                            const BigInt<N> &b) {
        BigInt<N> r{};
        on_machine_limbs(
            []<class Limb>(Limb *c, Limb *d, const Limb *x, const Limb *y)
                WARPINT_INLINE_LAMBDA { arith::cofactor_odd<machine_limbs<n, Limb>>(c, d, x, y); },
            output<n>(r.limbs), output<n>(g.limbs), input<n>(a.limbs), input<n>(b.limbs));
        return r;
    }
    WARPINT_HOST_DEVICE static constexpr int jacobi(const BigInt<N> &a, const BigInt<N> &m) {
        if constexpr (may_be_short<BigInt<N>>) {
            if (are_short(m))
                return detail::jacobi_of_short(a, m);
        }
        return on_machine_limbs(
            []<class Limb>(Limb *x, Limb *y)
                WARPINT_INLINE_LAMBDA { return arith::jacobi<machine_limbs<n, Limb>>(x, y); },
            copied_input<n>(a.limbs), copied_input<n>(m.limbs));
    }
};

template <class T>
struct Bezout {
    T gcd;
    like_t<SignedBigInt<T::bits + 2>, T> x, y; // a x + b y = gcd
};

// For odd b and a != 0, unsigned numbers of one type: the coefficients with |x| < b / 2 gcd.
template <class T>
WARPINT_HOST_DEVICE constexpr Bezout<T> bezout_odd(const T &a, const T &b) {
    using Coefficient = like_t<SignedBigInt<T::bits + 2>, T>;
    using Wide = like_t<BigInt<2 * T::bits + 1>, T>;
    Bezout<T> r{};
    const T cofactor = Divisors<T>::cofactor(r.gcd, a, b);
    const T reduced_a = quotient_of(a, r.gcd);
    const T reduced_b = quotient_of(b, r.gcd);
    const T x = remainder_of(cofactor, reduced_b);
    const T below = reduced_b - x;
    const bool negative = below < x;
    const T size = choose(negative, below, x); // of the nearer representative
    const bool none = !static_cast<bool>(size);
    const bool wrapped = !negative && none; // x = 0: y = 1 / reduced_b = 1
    // y = (1 - reduced_a x) / reduced_b
    const Wide product = to<Wide>(product_of(reduced_a, size));
    const Wide whole =
        quotient_of(choose(negative, Wide(product + 1u), Wide(product - 1u)), reduced_b);
    r.x = to<Coefficient>(size);
    negate_if(r.x, negative);
    r.y = choose(wrapped, Coefficient(1), to<Coefficient>(whole));
    negate_if(r.y, !negative && !wrapped);
    return r;
}

// Whether hosts take Euclid's algorithm for such numbers, which need not be odd.
template <class T>
inline constexpr bool use_euclid = false;
template <int N>
inline constexpr bool use_euclid<BigInt<N>> =
    arith::use_euclid<machine_limbs<BigInt<N>::limb_count, std::uint64_t>>;

// For any a and b that are not 0: the coefficients with |x| <= b / 2 gcd.
template <int N>
WARPINT_HOST_DEVICE constexpr Bezout<BigInt<N>> bezout_euclid(const BigInt<N> &a,
                                                              const BigInt<N> &b) {
    constexpr int n = BigInt<N>::limb_count;
    BigInt<N> size{};
    Bezout<BigInt<N>> r{};
    const bool negative = on_machine_limbs(
        []<class Limb>(Limb *x, Limb *g, const Limb *c, const Limb *d) WARPINT_INLINE_LAMBDA {
            return arith::cofactor_euclid<machine_limbs<n, Limb>>(x, g, c, d);
        },
        output<n>(size.limbs), output<n>(r.gcd.limbs), input<n>(a.limbs), input<n>(b.limbs));
    if (!static_cast<bool>(size)) { // b divides a
        r.y = 1;
        return r;
    }
    // y = (gcd - a x) / b
    BigInt<2 * N> rest = product_by_length(a, size);
    if (negative)
        rest += r.gcd;
    else
        rest -= r.gcd;
    r.x = to<SignedBigInt<N + 2>>(size);
    r.y = to<SignedBigInt<N + 2>>(rest / b);
    negate_if(r.x, negative);
    negate_if(r.y, !negative);
    return r;
}

} // namespace number

// The greatest common divisor, never negative: gcd(a, 0) = |a|, gcd(0, 0) = 0. Variable time. Where
// std::gcd is visible too, this one is preferred for numbers of this library.
// Example:
//     const auto divisor = gcd(BigInt<256>(12), BigInt<256>(18)); // 6
template <class A, class B>
    requires number::HeldOperands<A, B>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr number::divisor_t<A, B> gcd(A a, B b) {
    using R = number::divisor_t<A, B>;
    using Kind = number::kind_of<A, B>;
    return number::Divisors<R>::gcd(number::to<R>(number::magnitude(number::in_kind<Kind>(a))),
                                    number::to<R>(number::magnitude(number::in_kind<Kind>(b))));
}

// The least common multiple, exact, as wide as the product, and never negative; 0 if a or b is 0.
// Variable time.
template <class A, class B>
    requires number::HeldOperands<A, B>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr auto lcm(A a, B b) {
    using R = number::divisor_t<A, B>;
    using Kind = number::kind_of<A, B>;
    const auto x = number::magnitude(number::in_kind<Kind>(a));
    const auto y = number::magnitude(number::in_kind<Kind>(b));
    if constexpr (number::may_be_short<std::remove_cvref_t<decltype(x)>,
                                       std::remove_cvref_t<decltype(y)>>) {
        if (number::are_short(x, y)) {
            return number::to<decltype(x * y)>(lcm(number::shortened(x), number::shortened(y)));
        }
    }
    const R divisor = number::Divisors<R>::gcd_outlined(number::to<R>(x), number::to<R>(y));
    const bool zero = !static_cast<bool>(divisor);
    return number::product_of(number::quotient_of(x, number::choose(zero, R(1u), divisor)), y);
}

// The same for two built-in integers, exact. Where std::gcd and std::lcm are visible too, as after
// `using namespace std`, they are preferred, because the empty parameter pack makes this overload
// the worse match.
template <BuiltinInteger A, BuiltinInteger B, class... None>
    requires(sizeof...(None) == 0)
[[nodiscard]] WARPINT_HOST_DEVICE constexpr number::divisor_t<A, B> gcd(A a, B b, None...) {
    return gcd(number::as_number(a), number::as_number(b));
}
template <BuiltinInteger A, BuiltinInteger B, class... None>
    requires(sizeof...(None) == 0)
[[nodiscard]] WARPINT_HOST_DEVICE constexpr BigInt<number::bits_of<A> + number::bits_of<B>>
lcm(A a, B b, None...) {
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
template <class A, class B>
    requires number::OfOneKind<A, B>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr auto gcd_ext(const A &a, const B &b) {
    using Kind = number::kind_of<A, B>;
    using R = number::divisor_t<A, B>;
    using X = number::like_t<SignedBigInt<number::bits_of<number::scalar_t<B>> + 1>, A, B>;
    using Y = number::like_t<SignedBigInt<number::bits_of<number::scalar_t<A>> + 1>, A, B>;
    const auto signed_x = number::in_kind<Kind>(a);
    const auto signed_y = number::in_kind<Kind>(b);
    const bool negative_a = number::is_negative(signed_x);
    const bool negative_b = number::is_negative(signed_y);
    R x = number::to<R>(number::magnitude(signed_x));
    R y = number::to<R>(number::magnitude(signed_y));
    const bool some_a = static_cast<bool>(x);
    const bool some_b = static_cast<bool>(y);
    const bool both = some_a && some_b;
    GcdExtended<R, X, Y> r{x | y, X(some_a ? 1 : 0), Y(some_b ? 1 : 0)};
    if (number::are_short(x, y)) {
        if constexpr (number::may_be_short<R>) {
            const auto s = gcd_ext(number::shortened(x), number::shortened(y));
            r = {number::to<R>(s.gcd), number::to<X>(s.x), number::to<Y>(s.y)};
        }
    } else if constexpr (number::use_euclid<R>) {
        if (both) {
            const auto s = number::bezout_euclid(x, y);
            r = {s.gcd, number::to<X>(s.x), number::to<Y>(s.y)};
        }
    } else if (number::vote<R>(both)) {
        x = number::choose(both, x, R(1u));
        y = number::choose(both, y, R(1u));
        const int zeros_x = countr_zero(x);
        const int zeros_y = countr_zero(y);
        const int zeros = zeros_x < zeros_y ? zeros_x : zeros_y;
        x = x >> zeros;
        y = y >> zeros;
        const bool exchange = zeros_y > zeros_x; // y is still even
        const auto s =
            number::bezout_odd(number::one_of(exchange, y, x), number::one_of(exchange, x, y));
        r.gcd = number::choose(both, R(s.gcd << zeros), r.gcd);
        r.x = number::choose(both, number::to<X>(number::choose(exchange, s.y, s.x)), r.x);
        r.y = number::choose(both, number::to<Y>(number::choose(exchange, s.x, s.y)), r.y);
    }
    number::negate_if(r.x, negative_a);
    number::negate_if(r.y, negative_b);
    return r;
}

// The Jacobi symbol (a / n) for odd n > 0: 0 if a and n have a common factor, otherwise 1 or -1.
// For prime n it says whether a is a square modulo n. Variable time. Errors: n <= 0 or even n is a
// std::domain_error on the host; device code returns 0.
template <class A, class N>
    requires number::OfOneKind<A, N>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr int jacobi(const A &a, const N &n) {
    using Kind = number::kind_of<A, N>;
    using T = number::divisor_t<A, N>;
    const auto value = number::in_kind<Kind>(a);
    const auto modulus = number::in_kind<Kind>(n);
    const bool odd = test_bit(modulus, 0);
    const bool below_zero = number::is_negative(modulus);
    const bool exists = odd && !below_zero;
    if (!exists)
        number::report_domain_error("warpint: jacobi needs an odd, positive number");
    const T m = number::choose(exists, number::to<T>(modulus), T(1u));
    const bool three = test_bit(m, 1); // (-1 / n)
    const bool negative = number::is_negative(value);
    const int symbol = number::Divisors<T>::jacobi(number::to<T>(number::magnitude(value)), m);
    return !exists ? 0 : negative && three ? -symbol : symbol;
}

} // namespace warpint
