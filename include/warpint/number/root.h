// SPDX-License-Identifier: Apache-2.0
// Integer roots of numbers, and which numbers are squares.
#pragma once

#include "../arith/limbs/division/divide_in_vectors.h"
#include "../arith/limbs/division/doubled_root.h"
#include "../arith/limbs/division/root.h"
#include "../arith/limbs/division/root_bound.h"
#include "../arith/limbs/division/square_residues.h"
#include "../arith/limbs/division/square_root.h"
#include "bits.h"
#include "kinds.h"
#include "machine.h"

namespace warpint {

// What sqrt_rem(a) returns: a = root^2 + remainder with 0 <= remainder <= 2 root. Both have a's
// type.
template <class Number>
struct SqrtRemResult {
    Number root;
    Number remainder;
};

namespace number {

// remainder = a - s^2, an output of N's limbs, for s = floor(sqrt(a)).
template <int N, class Remainder>
constexpr void subtract_square(const Remainder &remainder, const BigInt<N> &a, const BigInt<N> &s) {
    constexpr int n = BigInt<N>::limb_count;
    on_machine_limbs(
        []<class Limb>(Limb *rest, const Limb *x, const Limb *root) WARPINT_INLINE_LAMBDA {
            constexpr int length = machine_limbs<n, Limb>;
            constexpr int half = (length + 1) / 2;
            Limb square[2 * half];
            arith::detail::square_row<half>(square, root, half);
            limb::sub_row(rest, x, square, length);
        },
        remainder, input<n>(a.limbs), input<n>(s.limbs));
}

// root = floor(sqrt(a)), remainder = a - root^2, an output of N's limbs or no_output().
template <int N, class Remainder>
WARPINT_HOST_DEVICE constexpr void square_root(BigInt<N> &root, const Remainder &remainder,
                                               const BigInt<N> &a) {
    constexpr int n = BigInt<N>::limb_count;
    // Of up to 16 limbs square_root is as fast, of squares faster: 512 bits 94 and 100 ns on a
    // Xeon, squares 95 and 120, with the remainder 97 and 119; 1024 bits 198 and 196, 202 and 240,
    // 209 and 233; 2048 bits 482 and 371.
    constexpr int few = 16;
#if WARPINT_DIVIDES_IN_VECTORS
    if constexpr (arith::may_find_root_in_vectors<n>) {
        if (WARPINT_USES_WORDS && arith::find_root_in_vectors<n>(root.limbs, a.limbs)) {
            if constexpr (!std::is_same_v<Remainder, detail::NoOutput>)
                subtract_square(remainder, a, root);
            return;
        }
    }
#endif
    root = BigInt<N>{};
    on_machine_limbs(
        []<class Limb>(Limb *s, Limb *r, const Limb *x) WARPINT_INLINE_LAMBDA {
            if constexpr (WARPINT_DEVICE_PASS == 0) {
                arith::square_root_on_host<machine_limbs<n, Limb>, few>(s, r, x);
            } else {
                arith::square_root<machine_limbs<n, Limb>>(s, r, x);
            }
        },
        cleared_output<n>(root.limbs), remainder, input<n>(a.limbs));
}

} // namespace number

// The integer square root, floor(sqrt(a)), in a's type. Negative a: std::domain_error on the host,
// 0 in device code. Variable time.
// Example:
//     const auto root = isqrt(BigInt<64>(99)); // 9
template <BigNumber A>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr A isqrt(const A &a) {
    if (number::is_negative(a)) {
        number::report_domain_error("warpint: square root of a negative number");
        return A{};
    }
    if constexpr (number::may_be_short<BigInt<A::bits>>) {
        const auto &x = number::operand<BigInt<A::bits>>(a);
        if (number::are_short(x))
            return number::to<A>(isqrt(number::shortened(x)));
    }
    BigInt<A::bits> root{};
    number::square_root<A::bits>(root, number::no_output(), number::to<BigInt<A::bits>>(a));
    return number::to<A>(root);
}
// Of a built-in integer, as a number of its width.
template <BuiltinInteger A>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr auto isqrt(const A &a) {
    return isqrt(number::as_number(a));
}

// The integer square root and the remainder, as {root, remainder}. Negative a: as for isqrt.
// Variable time.
template <BigNumber A>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr SqrtRemResult<A> sqrt_rem(const A &a) {
    if (number::is_negative(a)) {
        number::report_domain_error("warpint: square root of a negative number");
        return SqrtRemResult<A>{};
    }
    if constexpr (number::may_be_short<BigInt<A::bits>>) {
        const auto &x = number::operand<BigInt<A::bits>>(a);
        if (number::are_short(x)) {
            const auto found = sqrt_rem(number::shortened(x));
            return {number::to<A>(found.root), number::to<A>(found.remainder)};
        }
    }
    BigInt<A::bits> root{};
    BigInt<A::bits> remainder{};
    number::square_root<A::bits>(root, number::output<A::limb_count>(remainder.limbs),
                                 number::to<BigInt<A::bits>>(a));
    return {number::to<A>(root), number::to<A>(remainder)};
}
template <BuiltinInteger A>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr auto sqrt_rem(const A &a) {
    return sqrt_rem(number::as_number(a));
}

namespace number {

// A number congruent to x modulo 2^48 - 1, x unsigned and of any kind: both halves are summed, cut
// between digits, and between limbs where they are long, until a word holds the sum.
template <class T>
WARPINT_HOST_DEVICE constexpr std::uint64_t sum_of_digits(const T &x) {
    if constexpr (T::bits <= 64) {
        return static_cast<std::uint64_t>(x);
    } else {
        constexpr int unit = (T::bits > 384 ? 2 : 1) * arith::square_digit_bits;
        constexpr int low = (T::bits + unit) / (2 * unit) * unit;
        constexpr int high = T::bits - low;
        using Sum = like_t<BigInt<(low > high ? low : high) + 1>, T>;
        Sum sum = to<Sum>(to<like_t<BigInt<low>, T>>(x));
        sum += to<Sum>(x >> low);
        return sum_of_digits(sum);
    }
}

// The rare path of is_square, called so that the other one has few registers.
template <class T>
WARPINT_HOST_DEVICE WARPINT_DEVICE_NOINLINE constexpr bool has_exact_root(T x) {
    if constexpr (RunsTogether<T>) {
        const auto root = to<like_t<BigInt<(T::bits + 1) / 2>, T>>(isqrt(x));
        return product_of(root, root) == x;
    } else {
        return !static_cast<bool>(sqrt_rem(x).remainder);
    }
}

} // namespace number

// Whether a is the square of an integer, for numbers of any kind. Negative numbers are none. A
// number that is no square is found by its residues nearly always, without a root. Variable time.
// Example:
//     const bool square = is_square(BigInt<64>(144)); // true
template <number::Held A>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr bool is_square(const A &a) {
    const auto &signed_a = number::as_number(a);
    const bool negative = number::is_negative(signed_a);
    using X = number::like_t<BigInt<number::bits_of<number::scalar_t<A>>>, A>;
#if !WARPINT_DEVICE_PASS
    if constexpr (!number::RunsTogether<X>) { // the sum of digits reads all of a number
        if (!arith::ends_as_squares_do(static_cast<std::uint32_t>(signed_a)))
            return false;
    }
#endif
    limb::keep_local_arrays_apart<X::limb_count>();
    const X x = number::to<X>(signed_a);
    if constexpr (number::may_be_short<X>) {
        if (number::are_short(x))
            return !negative && is_square(number::shortened(x));
    }
    const auto low = static_cast<std::uint32_t>(x);
    const std::uint64_t digits = number::sum_of_digits(x);
    const bool possible = !negative && arith::may_be_square(low, digits);
    if (!number::vote<X>(possible))
        return false;
    const bool exact = number::has_exact_root(x);
    return possible && exact;
}

namespace number {

// floor(a / s^e) for s, e >= 1, of unsigned numbers of any kind and of an even width: a divided by
// the squares of squares of s that e names.
template <class T>
WARPINT_HOST_DEVICE constexpr T divide_by_power(T a, T s, std::uint32_t e) {
    for (;;) {
        const bool odd = (e & 1u) != 0;
        if (vote<T>(odd)) {
            const T quotient = a / s;
            a = choose(odd, quotient, a);
        }
        e >>= 1;
        const bool beyond = 2 * bit_width(s) > T::bits; // s^2 > a
        const bool gone = e != 0 && beyond;
        a = choose(gone, T(0u), a);
        e = gone ? 0u : e;
        if (!vote<T>(e != 0))
            return a;
        const T square = sqr(to<like_t<BigInt<T::bits / 2>, T>>(s));
        s = choose(e != 0, square, s);
    }
}

// floor(a^(1/k)) where it is `wanted`, which needs 2 <= k < bit_width(a), by Newton's method from
// above (Brent and Zimmermann, Modern Computer Arithmetic, algorithm 1.14). T: an unsigned number
// of any kind and of an even width.
template <class T>
WARPINT_HOST_DEVICE WARPINT_DEVICE_NOINLINE constexpr T root_of_degree(T a, std::uint32_t k,
                                                                       bool wanted) {
    limb::keep_arrays_apart();
    const int width = bit_width(a);
    const auto high = static_cast<std::uint32_t>(a >> (width > 32 ? width - 32 : 0));
    const std::uint32_t top = wanted ? high << (width < 32 ? 32 - width : 0) : 1u << 31;
    const auto bound = arith::root_bound(top, wanted ? width : 1, wanted ? k : 2u);
    T root = T(bound.mantissa) << bound.shift;
    bool going = wanted;
    while (vote<T>(going)) {
        // floor(((k - 1) root + quotient) / k), which is no less than the root of a, and less than
        // a `root` that is greater.
        const T quotient = divide_by_power(a, root, k - 1);
        const bool above = quotient < root;
        going = going && above;
        const T distance = root - quotient;
        const T next = root - (distance - 1u) / k - 1u;
        root = choose(going, next, root);
    }
    return root;
}

// The same of a number that a thread holds, on hosts, where 2 <= k < bit_width(a).
template <int N>
constexpr BigInt<N> root_on_host(const BigInt<N> &a, std::uint32_t k) {
    if constexpr (may_be_short<BigInt<N>>) {
        if (are_short(a))
            return to<BigInt<N>>(root_on_host(shortened(a), k));
    }
    BigInt<N> root{};
    if (k == 2) {
        square_root<N>(root, no_output(), a);
        return root;
    }
    constexpr int n = BigInt<N>::limb_count;
    on_machine_limbs(
        [&]<class Limb>(Limb *r, const Limb *x) WARPINT_INLINE_LAMBDA {
            arith::root_of_degree<machine_limbs<n, Limb>>(r, x, bit_width(a), k);
        },
        cleared_output<n>(root.limbs), input<n>(a.limbs));
    return root;
}

} // namespace number

// The integer k-th root of a number of any kind, floor(a^(1/k)), in a's type; k >= 1 may be any
// number. isqrt(a) is faster than iroot(a, 2). Negative a, or k < 1: std::domain_error on the host,
// 0 in device code. Variable time.
// Example:
//     const auto root = iroot(BigInt<64>(1000), 3); // 10
template <number::Held A, number::Held K>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr auto iroot(const A &a, const K &k) {
    using Kind = number::kind_of<A, K>;
    const auto &x = number::in_kind<Kind>(a);
    using R = std::remove_cvref_t<decltype(x)>;
    using T = number::like_t<BigInt<R::bits + R::bits % 2>, R>;
    limb::keep_local_arrays_apart<T::limb_count>();
    const bool negative = number::is_negative(x);
    if (negative)
        number::report_domain_error("warpint: root of a negative number");
    const int degree = number::position_of(k);
    if (degree < 1)
        number::report_domain_error("warpint: iroot(a, k) needs k >= 1");
    const bool exists = !negative && degree >= 1;
    const T value = number::to<T>(x);
    const int width = bit_width(value);
    const bool wanted = exists && degree > 1 && degree < width; // else the root is 0, 1 or a
#if !WARPINT_DEVICE_PASS
    if constexpr (!number::RunsTogether<T>) {
        // Of a word a few steps of full length are as fast.
        if (wanted && (T::bits > 64 || degree == 2))
            return number::to<R>(number::root_on_host(value, static_cast<std::uint32_t>(degree)));
    }
#endif
    T root = number::choose(degree == 1, value, T(width != 0 ? 1u : 0u));
    if (number::vote<T>(wanted)) {
        const T found =
            number::root_of_degree(value, static_cast<std::uint32_t>(wanted ? degree : 2), wanted);
        root = number::choose(wanted, found, root);
    }
    return number::to<R>(number::choose(exists, root, T(0u)));
}

} // namespace warpint
