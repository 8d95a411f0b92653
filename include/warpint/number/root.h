// SPDX-License-Identifier: Apache-2.0
// Integer square roots of numbers, and which numbers are squares.
#pragma once

#include "../algorithm/division/square_residues.h"
#include "../algorithm/division/square_root.h"
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

// root = floor(sqrt(a)), remainder = a - root^2, an output of N's limbs or no_output().
template <int N, class Remainder>
WARPINT_HOST_DEVICE constexpr void square_root(BigInt<N> &root, const Remainder &remainder,
                                               const BigInt<N> &a) {
    constexpr int n = BigInt<N>::limb_count;
    root = BigInt<N>{};
    on_machine_limbs(
        []<class Limb>(Limb *s, Limb *r, const Limb *x)
            WARPINT_INLINE_LAMBDA { algorithm::square_root<machine_limbs<n, Limb>>(s, r, x); },
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
    BigInt<A::bits> root{};
    number::square_root<A::bits>(root, number::no_output(), number::to<BigInt<A::bits>>(a));
    return number::to<A>(root);
}

// The integer square root and the remainder, as {root, remainder}. Negative a: as for isqrt.
// Variable time.
template <BigNumber A>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr SqrtRemResult<A> sqrt_rem(const A &a) {
    if (number::is_negative(a)) {
        number::report_domain_error("warpint: square root of a negative number");
        return SqrtRemResult<A>{};
    }
    BigInt<A::bits> root{};
    BigInt<A::bits> remainder{};
    number::square_root<A::bits>(root, number::output<A::limb_count>(remainder.limbs),
                                 number::to<BigInt<A::bits>>(a));
    return {number::to<A>(root), number::to<A>(remainder)};
}

namespace number {

// A number congruent to x modulo 2^48 - 1, x unsigned and of any kind: both halves are summed, cut
// between digits, and between limbs where they are long, until a word holds the sum.
template <class T>
WARPINT_HOST_DEVICE constexpr std::uint64_t sum_of_digits(const T &x) {
    if constexpr (T::bits <= 64) {
        return static_cast<std::uint64_t>(x);
    } else {
        constexpr int unit = (T::bits > 384 ? 2 : 1) * algorithm::square_digit_bits;
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
WARPINT_HOST_DEVICE WARPINT_CALLED constexpr bool has_exact_root(T x) {
    return !static_cast<bool>(sqrt_rem(x).remainder);
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
    limb::keep_local_arrays_apart<X::limb_count>();
    const X x = number::to<X>(signed_a);
    const auto low = static_cast<std::uint32_t>(x);
    const std::uint64_t digits = number::sum_of_digits(x);
    const bool possible = !negative && algorithm::may_be_square(low, digits);
    if (!number::vote<X>(possible))
        return false;
    const bool exact = number::has_exact_root(x);
    return possible && exact;
}

} // namespace warpint
