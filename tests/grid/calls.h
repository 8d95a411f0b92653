// SPDX-License-Identifier: Apache-2.0
// What the expressions of the lists call beside the library's functions: operators that change an
// operand in place, conversions, and functions with a state. For exact numbers most of these are
// the same text; exact_calls.h has the others.
#pragma once

#include "../batch/results.h"

#include <warpint/constant_time.h>
#include <warpint/modular.h>
#include <warpint/number_theory.h>
#include <warpint/random.h>

namespace grid {

using batch_test::Parameters;

/// A chain of in-place operators.
template <class A, class B, class D>
WARPINT_HOST_DEVICE constexpr A assigned(A a, const B &b, const D &d, int shift) {
    a += b;
    a *= b;
    a -= 12345u;
    a <<= 3;
    ++a;
    a ^= b;
    a |= 64;
    a /= d;
    a *= 0xffffffffu;
    --a;
    a >>= shift;
    a &= b;
    a %= d;
    return a;
}
template <class X>
WARPINT_HOST_DEVICE constexpr X assigned(X x, const X &y) {
    x += y;
    x *= x;
    x -= y;
    x *= 3;
    x *= y;
    x -= 5;
    return x;
}

// Cases that are instantiated for batches run on the host alone; nvcc would warn.
#ifdef __CUDACC__
#define GRID_ANY_SIDE _Pragma("nv_exec_check_disable")
#else
#define GRID_ANY_SIDE
#endif

/// What a number of the type of a keeps of x.
GRID_ANY_SIDE template <class A, class X>
WARPINT_HOST_DEVICE constexpr A stored_like(const A &, const X &x) {
    if constexpr (requires(A a) { a.error_mask(); }) { // a vector
        A r;
        r = x;
        return r;
    } else {
        return A(x);
    }
}

// nvcc takes the literal for an integer that is too large.
#ifdef __CUDACC__
#pragma nv_diag_suppress 23
#endif
/// What a literal of a big integer is.
WARPINT_HOST_DEVICE constexpr auto wide_literal() {
    using namespace warpint::literals;
    return 0x123456789abcdef0123456789_bi;
}
#ifdef __CUDACC__
#pragma nv_diag_default 23
#endif

// ---- in place

/// x as the other operand of `x op= x`; compilers warn about `x -= x`.
template <class T>
WARPINT_HOST_DEVICE WARPINT_INLINE constexpr const T &same(const T &x) {
    return x;
}
#define GRID_IN_PLACE(name, op)                                                                    \
    template <class A, class B>                                                                    \
    WARPINT_HOST_DEVICE WARPINT_INLINE constexpr A name(const A &a, const B &b) {                  \
        A r = a;                                                                                   \
        r op b;                                                                                    \
        return r;                                                                                  \
    }
GRID_IN_PLACE(sum_in_place, +=)
GRID_IN_PLACE(difference_in_place, -=)
GRID_IN_PLACE(product_in_place, *=)
GRID_IN_PLACE(quotient_in_place, /=)
GRID_IN_PLACE(remainder_in_place, %=)
GRID_IN_PLACE(and_in_place, &=)
GRID_IN_PLACE(or_in_place, |=)
GRID_IN_PLACE(xor_in_place, ^=)
GRID_IN_PLACE(shift_left_in_place, <<=)
GRID_IN_PLACE(shift_right_in_place, >>=)
#undef GRID_IN_PLACE
/// The target is the other operand too.
#define GRID_WITH_ITSELF(name, op)                                                                 \
    template <class A>                                                                             \
    WARPINT_HOST_DEVICE WARPINT_INLINE constexpr A name(const A &a) {                              \
        A r = a;                                                                                   \
        r op same(r);                                                                              \
        return r;                                                                                  \
    }
GRID_WITH_ITSELF(sum_with_itself, +=)
GRID_WITH_ITSELF(difference_with_itself, -=)
GRID_WITH_ITSELF(product_with_itself, *=)
GRID_WITH_ITSELF(quotient_by_itself, /=)
GRID_WITH_ITSELF(remainder_by_itself, %=)
GRID_WITH_ITSELF(xor_with_itself, ^=)
#undef GRID_WITH_ITSELF
template <class A>
WARPINT_HOST_DEVICE WARPINT_INLINE constexpr A incremented(const A &a) {
    A r = a;
    ++r;
    return r;
}
template <class A>
WARPINT_HOST_DEVICE WARPINT_INLINE constexpr A before_decrement(const A &a) {
    A r = a;
    return r--;
}
template <class A>
WARPINT_HOST_DEVICE WARPINT_INLINE constexpr A after_decrement(const A &a) {
    A r = a;
    r--;
    return r;
}
/// b - a, into a.
template <class A, class B>
WARPINT_HOST_DEVICE WARPINT_INLINE constexpr A difference_into_right(const A &a, const B &b) {
    A r = a;
    r = stored_like(r, b - r);
    return r;
}
/// a / b, into b.
template <class A, class B>
WARPINT_HOST_DEVICE WARPINT_INLINE constexpr B quotient_into_divisor(const A &a, const B &b) {
    B r = b;
    r = stored_like(r, a / r);
    return r;
}
/// a + a b, into a.
template <class A, class B>
WARPINT_HOST_DEVICE WARPINT_INLINE constexpr A product_added_in_place(const A &a, const B &b) {
    A r = a;
    r = stored_like(r, r + r * b);
    return r;
}
/// {a, b} = divmod(a, b).
template <class A, class B>
WARPINT_HOST_DEVICE WARPINT_INLINE constexpr auto divmod_into_operands(const A &a, const B &b) {
    A quotient = a;
    B remainder = b;
    auto both = divmod(quotient, remainder);
    quotient = both.quotient;
    remainder = both.remainder;
    both.quotient = quotient;
    both.remainder = remainder;
    return both;
}

// ---- conversions

template <class T, class A>
    requires(!std::is_same_v<T, A>)
WARPINT_HOST_DEVICE WARPINT_INLINE constexpr T to(const A &a) {
    return static_cast<T>(a);
}
template <warpint::BigNumber A>
WARPINT_HOST_DEVICE WARPINT_INLINE constexpr auto widened(const A &a) {
    return warpint::BigInt<A::bits + 45>(a);
}
template <warpint::BigNumber A>
WARPINT_HOST_DEVICE WARPINT_INLINE constexpr auto widened_signed(const A &a) {
    return warpint::SignedBigInt<A::bits + 45>(a);
}
template <warpint::BigNumber A>
WARPINT_HOST_DEVICE WARPINT_INLINE constexpr auto narrowed(const A &a) {
    return warpint::BigInt<A::bits / 2 + 1>(a);
}
template <warpint::BigNumber A>
WARPINT_HOST_DEVICE WARPINT_INLINE constexpr auto narrowed_signed(const A &a) {
    return warpint::SignedBigInt<A::bits / 2 + 1>(a);
}
/// There and back: what is left is the rounding. Of wide numbers the upper bits, which the floating
/// point type has room for.
WARPINT_HOST_DEVICE constexpr int upper_bits(int bits, int room) {
    return bits < room ? 0 : bits - room;
}
template <warpint::BigNumber A>
WARPINT_HOST_DEVICE WARPINT_INLINE constexpr auto through_double(const A &a) {
    constexpr int down = upper_bits(A::bits, 1000);
    return warpint::SignedBigInt<A::bits + 2>(static_cast<double>(a >> down));
}
template <warpint::BigNumber A>
WARPINT_HOST_DEVICE WARPINT_INLINE constexpr auto through_float(const A &a) {
    constexpr int down = upper_bits(A::bits, 120);
    return warpint::SignedBigInt<A::bits + 2>(static_cast<float>(a >> down));
}
/// Built-in operands that are not 0.
template <class A>
WARPINT_HOST_DEVICE WARPINT_INLINE constexpr std::uint64_t odd_word(const A &a) {
    return static_cast<std::uint64_t>(a) | 1u;
}
WARPINT_HOST_DEVICE WARPINT_INLINE constexpr std::int32_t nonzero_integer(const Parameters &p) {
    return p.carry != 0 ? p.shift + 1 : -p.shift - 1;
}
WARPINT_HOST_DEVICE WARPINT_INLINE constexpr int degree(const Parameters &p) {
    return p.carry != 0 ? p.shift + 1 : p.shift % 9 + 1;
}

/// One of -19 to 19, of the low bits.
template <class A>
WARPINT_HOST_DEVICE WARPINT_INLINE constexpr std::int32_t small_integer(const A &a) {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(a)) % 20;
}
template <warpint::BigNumber A>
WARPINT_HOST_DEVICE WARPINT_INLINE constexpr auto as_signed(const A &a) {
    return warpint::SignedBigInt<A::bits + 1>(a);
}
/// The same bits.
template <warpint::BigNumber A>
WARPINT_HOST_DEVICE WARPINT_INLINE constexpr auto read_signed(const A &a) {
    return warpint::SignedBigInt<A::bits>(a);
}
template <class A>
WARPINT_HOST_DEVICE WARPINT_INLINE constexpr auto odd_magnitude(const A &a) {
    return abs(a) | 1u;
}
/// A modulus is a number, or prepared.
template <class M>
WARPINT_HOST_DEVICE WARPINT_INLINE constexpr auto number_of_modulus(const M &m) {
    return m.value();
}

// ---- bits

template <warpint::BigNumber A>
WARPINT_HOST_DEVICE WARPINT_INLINE constexpr int width_of(const A &) {
    return A::bits;
}
/// A field of half the width.
template <warpint::BigNumber A>
WARPINT_HOST_DEVICE WARPINT_INLINE constexpr auto extract_half(const A &a, int position) {
    return warpint::extract_bits<A::bits / 2 + 1>(a, position);
}

// ---- functions

/// 0 without an inverse, as in device code; the host would throw.
template <class X>
WARPINT_HOST_DEVICE WARPINT_INLINE constexpr X quotient_or_zero(const X &x, const X &y) {
    return WARPINT_DEVICE_PASS || inverse(y).has_value() ? x / y : x.zero();
}
template <class A, class B>
struct Pair {
    A first;
    B second;
};
template <class A, class M>
WARPINT_HOST_DEVICE WARPINT_INLINE constexpr auto swapped_ct(bool condition, const A &a,
                                                             const M &m) {
    Pair<A, M> r{a, m};
    swap_ct(condition, r.first, r.second);
    return r;
}
/// x = a mod m, x = b mod (n | 1), x = m mod (a | 1), in numbers of m's type.
template <int N, class B, class M>
WARPINT_HOST_DEVICE constexpr auto
crt_of_three(const warpint::BigInt<N> &a, const warpint::BigInt<N> &m, const B &b, const M &n) {
    const warpint::BigInt<N> residues[3] = {a, warpint::BigInt<N>(b), m};
    const warpint::BigInt<N> moduli[3] = {m, warpint::BigInt<N>(n) | 1u, a | 1u};
    return crt(residues, moduli);
}
template <class A>
WARPINT_HOST_DEVICE constexpr bool is_prime_by_generator(const A &a) {
    return is_probable_prime(a, 1, warpint::Philox(static_cast<std::uint64_t>(a)));
}

/// The square of the root of |a|.
template <class A>
WARPINT_HOST_DEVICE WARPINT_INLINE constexpr auto square_of_root(const A &a) {
    const auto root = isqrt(abs(a));
    return mul_low(root, root);
}
/// Random bits, then a number below |a| or 1, of a generator keyed by a and k.
template <warpint::BigNumber A>
WARPINT_HOST_DEVICE constexpr auto random_draws(const A &a, int k) {
    warpint::Philox generator(static_cast<std::uint64_t>(a), static_cast<std::uint64_t>(k));
    const auto bits = warpint::random_bits<A::bits>(generator);
    const auto below = warpint::random_below(set_bit(abs(a), 0), generator);
    return Pair<decltype(bits), decltype(below)>{bits, below};
}
/// Random bits of a generator keyed by a and k.
template <warpint::BigNumber A>
WARPINT_HOST_DEVICE constexpr auto random_of(const A &a, int k) {
    warpint::Philox generator(static_cast<std::uint64_t>(a), static_cast<std::uint64_t>(k));
    return warpint::random_bits<A::bits>(generator);
}
/// a^e modulo m by a table of powers of a.
template <warpint::BigNumber A, warpint::BigNumber E>
WARPINT_HOST_DEVICE constexpr A fixed_power(const A &a, const E &e, const A &m) {
    const warpint::Modulus<A::bits> modulus(m);
    const warpint::FixedBase<A::bits, E::bits, 3> base(a, modulus);
    return pow(base, e);
}
/// The inverse of b, computed together with those of two other numbers.
template <warpint::BigNumber A>
WARPINT_HOST_DEVICE constexpr warpint::Optional<A> inverse_among(const A &a, const A &b,
                                                                 const A &m) {
    const warpint::Modulus<A::bits> modulus(m);
    const A numbers[3] = {a, b, A(3u)};
    A inverses[3];
    bool exists[3];
    inverse_all(inverses, numbers, 3, modulus, exists);
    return warpint::Optional<A>(inverses[1], exists[1]);
}

// Functions for map() and let().
struct GcdTimesThree {
    template <class A, class B>
    WARPINT_HOST_DEVICE auto operator()(const A &a, const B &b) const {
        return gcd(a, b) * 3u;
    }
};
struct ProductAndExclusive {
    template <class A, class B>
    WARPINT_HOST_DEVICE auto operator()(const A &a, const B &b) const {
        return a * b + (a ^ 5u);
    }
};
struct SquareMinusItself {
    GRID_ANY_SIDE template <class T>
    WARPINT_HOST_DEVICE auto operator()(const T &t) const {
        return t * t - t;
    }
};

} // namespace grid
