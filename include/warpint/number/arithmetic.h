// SPDX-License-Identifier: Apache-2.0
// The operators + - * / % of numbers. Sums and differences wrap at the wider operand's width.
// Products are exact. A quotient has the dividend's type, a remainder the divisor's width. A
// built-in integer counts as a number of its own width, but + and - with one keep the big number's
// type.
#pragma once

#include "../arith/limbs/division/divide.h"
#include "../arith/limbs/division/divide_in_vectors.h"
#include "../arith/limbs/fold/divide_registers.h"
#include "../arith/limbs/product/engine.h"
#include "floating.h"
#include "kinds.h"
#include "machine.h"

namespace warpint {

namespace number {

// At least one operand is a big number; the other may be a built-in integer.
template <class A, class B>
concept Operands = (BigNumber<A> && AnyNumber<B>) || (AnyNumber<A> && BigNumber<B>);

template <class A, class B>
struct wrapping_result {
    static constexpr int a = bits_of<A>;
    static constexpr int b = bits_of<B>;
    // As in C++: the wider operand decides; at equal width unsigned wins.
    static constexpr bool is_signed = a > b   ? signed_of<A>
                                      : b > a ? signed_of<B>
                                              : (signed_of<A> &&signed_of<B>);
    using type = select_type<(a > b ? a : b), is_signed>;
};
template <class A, Widthless B>
struct wrapping_result<A, B> {
    using type = A;
};
template <Widthless A, class B>
struct wrapping_result<A, B> {
    using type = B;
};
// Type of a + b, a - b, a & b, a | b, a ^ b.
template <class A, class B>
    requires Operands<A, B>
using wrapping_t = typename wrapping_result<std::remove_cvref_t<A>, std::remove_cvref_t<B>>::type;

// Type of a * b.
template <AnyNumber A, AnyNumber B>
using product_t = select_type<bits_of<A> + bits_of<B>, signed_of<A> || signed_of<B>>;

// A sum or difference of any two numbers without loss.
template <class A, class B>
using exact_sum_t = SignedBigInt<(bits_of<A> > bits_of<B> ? bits_of<A> : bits_of<B>)+2>;

// Type of a % b: in [0, b) for an unsigned divisor, else with the dividend's sign.
template <AnyNumber A, AnyNumber B>
using remainder_t = big_t<B>;

// The limbs that a number goes on with: those of its sign.
template <class T>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE std::uint32_t fill_of(const T &x) {
    return is_negative(x) ? 0xffffffffu : 0u;
}

// r = a + b and r = a - b modulo 2^Bits, of numbers of any widths; r may be an operand. What is
// shorter than r is not widened: its sign is carried on.
template <bool subtract, class R, class A, class B>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void add_or_subtract(R &r, const A &a, const B &b) {
    constexpr int n = R::limb_count;
    if constexpr (A::limb_count < n && (subtract || B::limb_count < n)) {
        add_or_subtract<subtract>(r, to<R>(a), b);
    } else if constexpr (A::limb_count < n) {
        add_or_subtract<subtract>(r, b, a);
    } else {
        constexpr int m = B::limb_count < n ? B::limb_count : n;
        limb::combine<subtract, n, m>(r.limbs, a.limbs, b.limbs, fill_of(b));
        normalise<R::bits, R::is_signed>(r.limbs);
    }
}
template <class R, class A, class B>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void add(R &r, const A &a, const B &b) {
    add_or_subtract<false>(r, a, b);
}
template <class R, class A, class B>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void subtract(R &r, const A &a, const B &b) {
    add_or_subtract<true>(r, a, b);
}

template <class R, class B>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void add_in_place(R &r, const B &b) {
    add(r, r, b);
}
template <class R, class B>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void subtract_in_place(R &r, const B &b) {
    subtract(r, r, b);
}

// r = -r modulo 2^Bits if condition.
template <class R>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void negate_if(R &r, bool condition) {
    if constexpr (limb::in_words<R::limb_count, std::uint32_t>) {
        if (WARPINT_USES_WORDS) { // -r = ~r + 1
            limb::complement_words_if<R::limb_count>(r.limbs, condition);
            add_in_place(r, BigInt<1>(condition));
            return;
        }
    }
    R negated{};
    subtract_in_place(negated, r);
    arith::select<R::limb_count>(r.limbs, condition, negated.limbs, r.limbs);
}

// |x| as an unsigned number of the same width (exact, also for the most negative value).
template <class T>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE operand_t<BigInt<T::bits>, T> magnitude(const T &x) {
    if constexpr (T::is_signed) {
        BigInt<T::bits> r = to<BigInt<T::bits>>(x);
        negate_if(r, is_negative(x));
        return r;
    } else {
        return operand<BigInt<T::bits>>(x);
    }
}

namespace detail {

// r = a b; Size limbs are kept, of N + M.
template <int Size, int N, int M>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void
multiply_limbs(std::uint32_t *r, const std::uint32_t *a, const std::uint32_t *b) {
    on_machine_limbs(
        []<class Limb>(Limb *z, const Limb *x, const Limb *y) WARPINT_INLINE_LAMBDA {
            arith::multiply_by_engine<machine_limbs<N, Limb>, machine_limbs<M, Limb>>(z, x, y);
        },
        cleared_output<Size, N, M>(r), input<N>(a), input<M>(b));
}
// r = a^2, likewise.
template <int Size, int N>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void square_limbs(std::uint32_t *r,
                                                               const std::uint32_t *a) {
    on_machine_limbs(
        []<class Limb>(Limb *z, const Limb *x)
            WARPINT_INLINE_LAMBDA { arith::square_by_engine<machine_limbs<N, Limb>>(z, x); },
        cleared_output<Size, N, N>(r), input<N>(a));
}
// r = a b modulo B^K where a or b is a word.
template <int K, int N, int M>
WARPINT_HOST_DEVICE WARPINT_INLINE void multiply_by_word(std::uint32_t *r, const std::uint32_t *a,
                                                         const std::uint32_t *b) {
    if constexpr (N < M) {
        multiply_by_word<K, M, N>(r, b, a);
    } else {
        limb::multiply_words<K, N>(r, a, limb::extended_word<M>(b, 0, 0));
    }
}
// Out of line, for calls that are not the usual path.
template <int N, int M>
WARPINT_NOINLINE void multiply_limbs_outlined(std::uint32_t *r, const std::uint32_t *a,
                                              const std::uint32_t *b) {
    multiply_limbs<N + M, N, M>(r, a, b);
}
template <int N>
WARPINT_NOINLINE void square_limbs_outlined(std::uint32_t *r, const std::uint32_t *a) {
    square_limbs<2 * N, N>(r, a);
}

} // namespace detail

// Whether hosts multiply N stored limbs by M as they lie: where one number is a word.
template <int N, int M>
inline constexpr bool multiplies_by_word = has_words && N + M >= 3 && (N <= 2 || M <= 2);

// Exact product of unsigned numbers.
template <int N, int M>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE BigInt<N + M> multiply_unsigned(const BigInt<N> &a,
                                                                             const BigInt<M> &b) {
    constexpr int n = BigInt<N>::limb_count;
    constexpr int m = BigInt<M>::limb_count;
    BigInt<N + M> r;
#if !WARPINT_DEVICE_PASS
    if constexpr (multiplies_by_word<n, m>) {
        if (WARPINT_USES_WORDS) {
            detail::multiply_by_word<BigInt<N + M>::limb_count, n, m>(r.limbs, a.limbs, b.limbs);
            return r;
        }
    }
    if constexpr (arith::multiplies_stored<n, m> && BigInt<N + M>::limb_count == n + m) {
        if (WARPINT_USES_WORDS) {
            if (!arith::try_multiply_stored<n, m>(r.limbs, a.limbs, b.limbs))
                detail::multiply_limbs_outlined<n, m>(r.limbs, a.limbs, b.limbs);
            return r;
        }
    }
#endif
    detail::multiply_limbs<BigInt<N + M>::limb_count, n, m>(r.limbs, a.limbs, b.limbs);
    return r;
}

template <int N>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE BigInt<2 * N> square_unsigned(const BigInt<N> &a) {
    constexpr int n = BigInt<N>::limb_count;
    BigInt<2 * N> r;
#if !WARPINT_DEVICE_PASS
    if constexpr (arith::squares_stored<n> && BigInt<2 * N>::limb_count == 2 * n) {
        if (WARPINT_USES_WORDS) {
            if (!arith::try_square_stored<n>(r.limbs, a.limbs))
                detail::square_limbs_outlined<n>(r.limbs, a.limbs);
            return r;
        }
    }
#endif
    detail::square_limbs<BigInt<2 * N>::limb_count, n>(r.limbs, a.limbs);
    return r;
}

// x as a factor of a product modulo 2^Bits: of a number as wide as that the limbs as they are, its
// sign does not matter; of a narrower one the magnitude.
template <int Bits, class T>
inline constexpr bool keeps_sign = T::is_signed && T::bits < Bits;
template <int Bits, class T>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE decltype(auto) factor_modulo(const T &x) {
    if constexpr (keeps_sign<Bits, T>) {
        return magnitude(x);
    } else {
        return (x);
    }
}
template <int Bits, class T>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE bool negates_modulo(const T &x) {
    return keeps_sign<Bits, T> && is_negative(x);
}

namespace detail {

// r = a b modulo B^K; N, M <= K. r may be a or b.
template <int K, int N, int M>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void
multiply_low_limbs(std::uint32_t *r, const std::uint32_t *a, const std::uint32_t *b) {
    if constexpr (multiplies_by_word<N, M> && K <= (N > M ? N : M) + 2) {
        if (WARPINT_USES_WORDS) {
            multiply_by_word<K, N, M>(r, a, b);
            return;
        }
    }
    const auto multiply = [a, b](std::uint32_t *to) WARPINT_INLINE_LAMBDA {
        on_machine_limbs(
            []<class Limb>(Limb *z, const Limb *x, const Limb *y) WARPINT_INLINE_LAMBDA {
                arith::multiply_low<machine_limbs<K, Limb>, machine_limbs<N, Limb>,
                                    machine_limbs<M, Limb>>(z, x, y);
            },
            cleared_output<K>(to), input<N>(a), input<M>(b));
    };
    if (WARPINT_USES_WORDS) {
        multiply(r); // the words of a and b are copies
    } else {
        BigInt<32 * K> product;
        multiply(product.limbs);
        arith::copy<K>(r, product.limbs);
    }
}

} // namespace detail

// r = a b modulo 2^Bits, of numbers of any widths and signs: limbs that an operand does not have
// are not multiplied. r may be an operand.
template <class R, class A, class B>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void multiply_low(R &r, const A &a, const B &b) {
    constexpr int k = R::limb_count;
    const auto &x = factor_modulo<R::bits>(a);
    const auto &y = factor_modulo<R::bits>(b);
    const bool negates = negates_modulo<R::bits>(a) != negates_modulo<R::bits>(b);
    detail::multiply_low_limbs<k, (A::limb_count < k ? A::limb_count : k),
                               (B::limb_count < k ? B::limb_count : k)>(r.limbs, x.limbs, y.limbs);
    normalise<R::bits, R::is_signed>(r.limbs);
    if constexpr (keeps_sign<R::bits, A> || keeps_sign<R::bits, B>)
        negate_if(r, negates);
}
// The product modulo R's width.
template <BigNumber R, class A, class B>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE R low_product(const A &a, const B &b) {
    R r;
    multiply_low(r, a, b);
    return r;
}

template <bool Quotient, bool Remainder, int N, int M>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE bool
divide_unsigned(BigInt<N> *quotient, BigInt<M> *remainder, const BigInt<N> &a, const BigInt<M> &b);

namespace detail {

// The same of a short dividend in a wide type.
template <bool Quotient, bool Remainder, int N, int M>
WARPINT_NOINLINE bool divide_short(BigInt<N> *quotient, BigInt<M> *remainder, const BigInt<N> &a,
                                   const BigInt<M> &b) {
    using Dividend = BigInt<(N < short_bits ? N : short_bits)>;
    using Divisor = BigInt<(M < short_bits ? M : short_bits)>;
    Dividend q{}, x = to<Dividend>(a);
    Divisor r = to<Divisor>(x);
    if (is_short(b) && !divide_unsigned<Quotient, Remainder>(&q, &r, x, to<Divisor>(b)))
        return false;
    if constexpr (Quotient)
        assign(*quotient, q);
    if constexpr (Remainder)
        assign(*remainder, r);
    return true;
}

} // namespace detail

// Quotient and remainder of unsigned numbers. The pointer of one that is not wanted may be null.
// Returns false, with nothing written, if b = 0.
template <bool Quotient, bool Remainder, int N, int M>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE bool
divide_unsigned(BigInt<N> *quotient, BigInt<M> *remainder, const BigInt<N> &a, const BigInt<M> &b) {
    if constexpr (may_be_short<BigInt<N>, BigInt<M>>) {
        if (WARPINT_USES_WORDS && is_short(a))
            return detail::divide_short<Quotient, Remainder>(quotient, remainder, a, b);
    }
    constexpr int n = BigInt<N>::limb_count;
    constexpr int m = BigInt<M>::limb_count;
#if WARPINT_DIVIDES_IN_VECTORS
    if constexpr (arith::may_divide_in_vectors<n, m>) {
        if (WARPINT_USES_WORDS &&
            arith::divide_in_vectors<n, m>({Quotient ? quotient->limbs : nullptr, n},
                                           {Remainder ? remainder->limbs : nullptr, m}, a.limbs, n,
                                           b.limbs, m))
            return true;
    }
#endif
    return try_on_machine_limbs(
        []<class Limb>(Limb *q, Limb *r, const Limb *x, const Limb *y) WARPINT_INLINE_LAMBDA {
            constexpr int length = machine_limbs<n, Limb>;
            constexpr int divisor_length = machine_limbs<m, Limb>;
            if (arith::is_zero<divisor_length>(y))
                return false;
            if constexpr (WARPINT_DEVICE_PASS != 0 &&
                          arith::divides_in_registers<length, divisor_length, Limb>) {
                if (WARPINT_USES_PTX) {
                    arith::inline_or_call_division<length, divisor_length, Quotient, Remainder>(
                        q, r, x, y);
                    return true;
                }
            }
            if constexpr (sizeof(Limb) == 8) { // the outputs are arrays of their own
                arith::divide_into_zeros<length, divisor_length>(q, r, x, y);
            } else {
                arith::divide<length, divisor_length>(q, r, x, y);
            }
            return true;
        },
        wanted_output<Quotient, n>(Quotient ? quotient->limbs : nullptr),
        wanted_output<Remainder, m>(Remainder ? remainder->limbs : nullptr), input<n>(a.limbs),
        input<m>(b.limbs));
}

WARPINT_HOST_DEVICE constexpr inline void report_division_by_zero() {
    report_domain_error("warpint: division by zero");
}

} // namespace number

// Quotient and remainder of one division: dividend = quotient * divisor + remainder.
template <class Quotient, class Remainder>
struct QuotientRemainder {
    Quotient quotient;
    Remainder remainder;
};

// The sum modulo 2^width, in the wider operand's type. Constant time.
template <class A, class B>
    requires number::Operands<A, B>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr WARPINT_HOST_INLINE number::wrapping_t<A, B>
operator+(const A &a, const B &b) {
    number::wrapping_t<A, B> r;
    number::add(r, number::as_number(a), number::as_number(b));
    return r;
}
// The difference modulo 2^width, in the wider operand's type. Constant time.
template <class A, class B>
    requires number::Operands<A, B>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr WARPINT_HOST_INLINE number::wrapping_t<A, B>
operator-(const A &a, const B &b) {
    number::wrapping_t<A, B> r;
    number::subtract(r, number::as_number(a), number::as_number(b));
    return r;
}

// The number itself. Constant time.
template <number::HeldBig A>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr A operator+(const A &a) {
    return a;
}
// Two's complement negation, modulo 2^width. Constant time.
template <BigNumber A>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr A operator-(const A &a) {
    A r;
    number::subtract(r, A{}, a);
    return r;
}

// The exact product, a BigInt<N + M>, or a SignedBigInt<N + M> if an operand is signed. Constant
// time, unless WARPINT_USE_GMP is defined.
template <class A, class B>
    requires number::Operands<A, B>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr number::product_t<A, B> operator*(const A &a,
                                                                              const B &b) {
    using R = number::product_t<A, B>;
    const auto &x = number::as_number(a);
    const auto &y = number::as_number(b);
    if constexpr (R::is_signed) {
        R r = number::to<R>(number::multiply_unsigned(number::magnitude(x), number::magnitude(y)));
        number::negate_if(r, number::is_negative(x) != number::is_negative(y));
        return r;
    } else {
        return number::multiply_unsigned(x, y);
    }
}

namespace number::detail {

template <class Q, class R, class A, class B>
WARPINT_NOINLINE QuotientRemainder<Q, R> divmod_short(const A &a, const B &b);

} // namespace number::detail

// Quotient and remainder together, as {quotient, remainder}. The quotient has the dividend's type
// and is truncated; the remainder has the dividend's sign. For an unsigned divisor the remainder
// lies in [0, b), and the quotient is rounded down, so that a = q b + r still holds. b = 0:
// std::domain_error on the host, zeros in device code. Variable time.
// Example:
//     const auto [q, r] = divmod(BigInt<64>(100), BigInt<8>(7)); // 14 and 2
template <class A, class B>
    requires number::Operands<A, B>
[[nodiscard]]
WARPINT_HOST_DEVICE constexpr QuotientRemainder<number::big_t<A>, number::remainder_t<A, B>>
divmod(const A &a, const B &b) {
    using Q = number::big_t<A>;
    using R = number::remainder_t<A, B>;
    const auto &x = number::as_number(a);
    const auto &y = number::as_number(b);
    if constexpr (number::may_be_short<Q, R> && number::quotient_keeps_sign<Q, B>) {
        if (number::are_short(x, y))
            return number::detail::divmod_short<Q, R>(x, y);
    }
    if constexpr (!Q::is_signed && !R::is_signed) {
        QuotientRemainder<Q, R> result;
        if (number::divide_unsigned<true, true>(&result.quotient, &result.remainder, x, y))
            return result;
    } else {
        BigInt<Q::bits> quotient;
        BigInt<R::bits> remainder;
        const auto &divisor = number::magnitude(y);
        if (number::divide_unsigned<true, true>(&quotient, &remainder, number::magnitude(x),
                                                divisor)) {
            QuotientRemainder<Q, R> result;
            const bool negative = number::is_negative(x);
            if constexpr (R::is_signed) {
                result.remainder = number::to<R>(remainder);
                number::negate_if(result.remainder, negative);
            } else {
                if (negative && static_cast<bool>(remainder)) { // round down, not toward zero
                    number::subtract(remainder, divisor, remainder);
                    number::add_in_place(quotient, BigInt<Q::bits>(1));
                }
                result.remainder = remainder;
            }
            result.quotient = number::to<Q>(quotient);
            number::negate_if(result.quotient, negative != number::is_negative(y));
            return result;
        }
    }
    number::report_division_by_zero();
    return QuotientRemainder<Q, R>{};
}

namespace number::detail {

// The same of short numbers in wide types.
template <class Q, class R, class A, class B>
WARPINT_NOINLINE QuotientRemainder<Q, R> divmod_short(const A &a, const B &b) {
    QuotientRemainder<Q, R> result;
    constexpr int bits = short_division_bits<Q>;
    const auto found = divmod(shortened<bits>(a), shortened<bits>(b));
    assign(result.quotient, found.quotient);
    assign(result.remainder, found.remainder);
    return result;
}

} // namespace number::detail

// The quotient truncated toward zero, in the dividend's type. b = 0: std::domain_error on the host,
// 0 in device code. Variable time.
template <class A, class B>
    requires number::Operands<A, B>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr number::big_t<A> operator/(const A &a, const B &b) {
    using Q = number::big_t<A>;
    const auto &x = number::as_number(a);
    const auto &y = number::as_number(b);
    if constexpr (number::may_be_short<Q, number::big_t<B>> && number::quotient_keeps_sign<Q, B>) {
        if (number::are_short(x, y)) {
            constexpr int bits = number::short_division_bits<Q>;
            return number::to<Q>(number::shortened<bits>(x) / number::shortened<bits>(y));
        }
    }
    BigInt<Q::bits> quotient;
    if (!number::divide_unsigned<true, false, Q::bits, number::bits_of<B>>(
            &quotient, nullptr, number::magnitude(x), number::magnitude(y))) {
        number::report_division_by_zero();
        return Q{};
    }
    if constexpr (number::signed_of<A> || number::signed_of<B>) {
        Q r = number::to<Q>(quotient);
        number::negate_if(r, number::is_negative(x) != number::is_negative(y));
        return r;
    } else {
        return quotient;
    }
}

// The remainder at the divisor's width: in [0, b) for an unsigned b, else with the dividend's sign.
// b = 0: std::domain_error on the host, 0 in device code. Variable time.
template <class A, class B>
    requires number::Operands<A, B>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr number::remainder_t<A, B> operator%(const A &a,
                                                                                const B &b) {
    using R = number::remainder_t<A, B>;
    const auto &x = number::as_number(a);
    const auto &y = number::as_number(b);
    if constexpr (number::may_be_short<number::big_t<A>, R>) {
        if (number::are_short(x, y))
            return number::to<R>(number::shortened(x) % number::shortened(y));
    }
    BigInt<R::bits> remainder;
    const auto &divisor = number::magnitude(y);
    if (!number::divide_unsigned<false, true, number::bits_of<A>, R::bits>(
            nullptr, &remainder, number::magnitude(x), divisor)) {
        number::report_division_by_zero();
        return R{};
    }
    if constexpr (R::is_signed) {
        R r = number::to<R>(remainder);
        number::negate_if(r, number::is_negative(x));
        return r;
    } else {
        if (number::is_negative(x) && static_cast<bool>(remainder))
            number::subtract(remainder, divisor, remainder);
        return remainder;
    }
}

// Compound assignment; the result has the left operand's width. a *= b costs a low product, of a
// shorter b as many limb products as it has limbs for each of a's.
// Constant time, except for /= and %=, which take variable time and treat b = 0 as / and % do.
template <number::BigVariable A, AnyNumber B>
WARPINT_HOST_DEVICE constexpr A &operator+=(A &a, const B &b) {
    number::add_in_place(a, number::as_number(b));
    return a;
}
template <number::BigVariable A, AnyNumber B>
WARPINT_HOST_DEVICE constexpr A &operator-=(A &a, const B &b) {
    number::subtract_in_place(a, number::as_number(b));
    return a;
}
template <number::BigVariable A, AnyNumber B>
WARPINT_HOST_DEVICE constexpr A &operator*=(A &a, const B &b) {
    number::multiply_low(a, number::as_number(a), number::as_number(b));
    return a;
}
template <class A, class B>
    requires number::ChangedBy<A, B>
WARPINT_HOST_DEVICE constexpr A &operator/=(A &a, const B &b) {
    a = a / b;
    return a;
}
template <class A, class B>
    requires number::ChangedBy<A, B>
WARPINT_HOST_DEVICE constexpr A &operator%=(A &a, const B &b) {
    a = number::to<A>(a % b);
    return a;
}

// Adds or subtracts 1. Constant time. Of residues too.
template <number::Counted A>
WARPINT_HOST_DEVICE constexpr A &operator++(A &a) {
    return a += 1;
}
template <number::Counted A>
WARPINT_HOST_DEVICE constexpr A &operator--(A &a) {
    return a -= 1;
}
template <number::Counted A>
WARPINT_HOST_DEVICE constexpr A operator++(A &a, int) {
    const A before = a;
    a += 1;
    return before;
}
template <number::Counted A>
WARPINT_HOST_DEVICE constexpr A operator--(A &a, int) {
    const A before = a;
    a -= 1;
    return before;
}

// The square, exact: a BigInt<2 N>. Faster than a * a. Constant time, unless WARPINT_USE_GMP is
// defined.
// Example:
//     const BigInt<512> square = sqr(BigInt<256>(3)); // 9
template <BigNumber A>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr BigInt<2 * A::bits> sqr(const A &a) {
    return number::square_unsigned<A::bits>(number::magnitude(a));
}

namespace number {

// floor(product / 2^count) modulo R's width.
template <BigNumber R, BigNumber Product>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE R bits_above(const Product &product, int count) {
    auto shifted = product;
    const std::uint32_t fill = is_negative(product) ? 0xffffffffu : 0u;
    arith::shift_right<Product::limb_count>(shifted.limbs, product.limbs, count, fill);
    return to<R>(shifted);
}

} // namespace number

// The product modulo 2^width, in the wider operand's type; a built-in operand's width does not
// count. Constant time.
template <class A, class B>
    requires number::HeldOperands<A, B>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr auto mul_low(const A &a, const B &b) {
    return number::low_product<decltype(a + b)>(number::as_number(a), number::as_number(b));
}

// The high half of the product: floor(a b / 2^M) for b of M bits, as wide as a. For unsigned
// numbers of equal width up to 1024 bits it costs about half a product, if the width is a multiple
// of 32 bits (64 on hosts). Variable time.
template <BigNumber A, BigNumber B>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr A mul_high(const A &a, const B &b) {
    if constexpr (std::is_same_v<A, B> && !A::is_signed && A::bits % 32 == 0) {
        if constexpr (number::detail::looks_at_lengths<A::bits, B::bits>) {
            const auto lengths = number::factor_lengths(a, b);
            if (lengths.are_known && 64 * (lengths.a + lengths.b) <= B::bits)
                return A{};
            if (lengths.has_short) {
                using Product = BigInt<A::bits + B::bits>;
                return number::bits_above<A>(number::product_of_lengths<Product>(a, b, lengths),
                                             B::bits);
            }
        }
        constexpr int n = A::limb_count;
        if constexpr (n % 2 == 0 || WARPINT_DEVICE_PASS != 0) {
            if (WARPINT_USES_WORDS || WARPINT_USES_PTX) {
                A r;
                number::on_machine_limbs(
                    []<class Limb>(Limb *z, const Limb *x, const Limb *y) WARPINT_INLINE_LAMBDA {
                        arith::multiply_high<number::machine_limbs<n, Limb>>(z, x, y);
                    },
                    number::cleared_output<n>(r.limbs), number::input<n>(a.limbs),
                    number::input<n>(b.limbs));
                return r;
            }
        }
    }
    return number::bits_above<A>(number::product_by_length(a, b), B::bits);
}
// With a built-in integer: the other half of mul_low(a, b), floor(a b / 2^N) modulo 2^N, where N is
// the big number's width. The result has the big number's type. Variable time.
template <BigNumber A, number::Widthless B>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr A mul_high(const A &a, const B &b) {
    return number::bits_above<A>(number::product_by_length(a, b), A::bits);
}
template <number::Widthless A, number::HeldBig B>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr B mul_high(const A &a, const B &b) {
    return mul_high(b, a);
}

} // namespace warpint
