// SPDX-License-Identifier: Apache-2.0
// Products on hosts of numbers that are much shorter than their type: they take the time of their
// own lengths. For functions in variable time.
#pragma once

#include "../arith/limbs/product/multiply.h"
#include "words.h"

namespace warpint {

template <int Bits>
class Modulus;

namespace number {

// Words that a number uses.
template <int N>
WARPINT_HOST_DEVICE constexpr int word_length(const std::uint32_t *limbs) {
    int length = N / 2;
    if (N % 2 != 0 && limbs[N - 1] != 0)
        return length + 1;
    const auto word = [limbs](int i) { return limb::load_word(limbs, i); };
    while (length >= 4 &&
           (word(length - 1) | word(length - 2) | word(length - 3) | word(length - 4)) == 0)
        length -= 4;
    while (length > 0 && word(length - 1) == 0)
        --length;
    return length;
}

// Functions in variable time compute with numbers of so many bits, of types of so many, as with
// BigInt<short_bits> or SignedBigInt<short_bits>: what is left of the wide type is the search for
// its zeros and a copy.
inline constexpr int short_bits = 256;
inline constexpr int short_from_bits = 1024;

using ShortNumber = BigInt<short_bits>;
// Of short numbers those of one word, which greatest common divisors and inverses look for.
using WordNumber = BigInt<64>;

// Which types are a Modulus (modular/modulus.h). It is as long as its number.
template <class T>
struct modulus_traits {
    static constexpr bool is_modulus = false;
};
template <class T>
concept HasLength = AnyNumber<T> || modulus_traits<T>::is_modulus;

template <class T>
inline constexpr bool is_wide = false;
template <class T>
    requires(BigNumber<T> || modulus_traits<T>::is_modulus)
inline constexpr bool is_wide<T> = T::bits >= short_from_bits;
// Numbers that a thread holds, at least one of which is of a wide type.
template <class... T>
inline constexpr bool may_be_short = has_words && (HasLength<T> && ...) && (is_wide<T> || ...);

// Whether hosts see that all of these numbers are short. Built-in integers and literals are.
template <AnyNumber T>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE bool is_short(const T &a) {
    if constexpr (!BigNumber<T> || bits_of<T> <= short_bits) {
        return true;
    } else {
        constexpr int used = ShortNumber::limb_count;
        constexpr int n = T::limb_count;
        const std::uint32_t fill = is_negative(a) ? 0xffffffffu : 0u;
        // Of an exact sum the highest limb is hardly used.
        constexpr int second = n - 2 >= used ? n - 2 : n - 1;
        if (((a.limbs[n - 1] ^ fill) | (a.limbs[second] ^ fill)) != 0) [[likely]]
            return false;
        std::uint32_t above = 0;
        for (int i = used; i < n; ++i)
            above |= a.limbs[i] ^ fill;
        if constexpr (T::is_signed)
            above |= (a.limbs[used - 1] ^ fill) >> 31;
        return above == 0;
    }
}
template <int Bits>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE bool is_short(const Modulus<Bits> &m) {
    return Bits <= short_bits || m.shift() >= 32 * Modulus<Bits>::limb_count - short_bits;
}
template <class... T>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE bool are_short(const T &...x) {
    if constexpr (may_be_short<T...>) {
        if (WARPINT_USES_WORDS)
            return (is_short(x) && ...);
    }
    return false;
}
// In types of so many bits, not in shorter ones, powers follow the length of the modulus
// (arith::follows_length).
inline constexpr int short_power_bits = 512;

template <int N>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE bool is_word(const BigInt<N> &a) {
    std::uint32_t above = 0;
    for (int i = WordNumber::limb_count; i < BigInt<N>::limb_count; ++i)
        above |= a.limbs[i];
    return above == 0;
}

// Whether a quotient is what that of the short numbers is: one that is stored without its sign is
// not.
template <class Q, class B>
inline constexpr bool quotient_keeps_sign = Q::is_signed || !signed_of<B>;
// Types in which short numbers are divided: -2^(short_bits - 1) / -1 needs a bit more.
template <class Q>
inline constexpr int short_division_bits = Q::is_signed ? short_bits + 64 : short_bits;

// The same number in a short type; a Modulus of a short type as it is.
template <int Bits = short_bits, AnyNumber T>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE auto shortened(const T &a) {
    if constexpr (!BigNumber<T> || bits_of<T> <= short_bits) {
        return a;
    } else {
        return to<std::conditional_t<T::is_signed, SignedBigInt<Bits>, BigInt<Bits>>>(a);
    }
}
template <int Bits = short_bits, int N>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE decltype(auto) shortened(const Modulus<N> &m) {
    if constexpr (N <= short_bits) {
        return (m);
    } else {
        return to<BigInt<Bits>>(m.short_value());
    }
}

namespace detail {

// From this width on lengths are looked at.
inline constexpr int product_by_length_bits = 512;

// Whether hosts look at the lengths of factors of so many bits.
template <int N, int M>
inline constexpr bool looks_at_lengths =
    has_words && (N > product_by_length_bits) && (M > product_by_length_bits);

template <int N>
void load_by_length(std::uint64_t *words, const std::uint32_t *limbs, int length) {
    const bool half_word = N % 2 != 0 && length == word_count<N>;
    __builtin_memcpy(words, limbs, static_cast<std::size_t>(length - half_word) * 8);
    if (half_word)
        words[N / 2] = limbs[N - 1];
}

// r = a b of numbers that use so many words, at least one each; r has as many as both.
template <int N, int M>
WARPINT_NOINLINE void multiply_used(std::uint32_t *r, const std::uint32_t *a, int length_a,
                                    const std::uint32_t *b, int length_b) {
    constexpr int n = word_count<N>;
    constexpr int m = word_count<M>;
    constexpr int shorter = n < m ? n : m;
    constexpr int threshold = arith::Tuning<std::uint64_t>::karatsuba_limbs;
    constexpr int depth = arith::karatsuba_levels(shorter, threshold);
    // Without {} g++ 14 warns of what is not read.
    std::uint64_t x[n]{}, y[m]{}, product[n + m];
    std::uint64_t scratch[arith::product_scratch<std::uint64_t>(shorter)];
    load_by_length<N>(x, a, length_a);
    load_by_length<M>(y, b, length_b);
    arith::multiply_sliced<threshold, depth>(product, x, length_a, y, length_b, scratch);
    __builtin_memcpy(r, product, static_cast<std::size_t>(length_a + length_b) * 8);
}

} // namespace detail

// What hosts see of two factors' lengths, in words.
struct FactorLengths {
    int a = 0;
    int b = 0;
    bool are_known = false;
    bool has_short = false; // one is at most half as long as its type
};
template <int N, int M>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE FactorLengths
factor_lengths([[maybe_unused]] const BigInt<N> &a, [[maybe_unused]] const BigInt<M> &b) {
    if constexpr (detail::looks_at_lengths<N, M>) {
        if (WARPINT_USES_WORDS) {
            constexpr int n = BigInt<N>::limb_count;
            constexpr int m = BigInt<M>::limb_count;
            const int length_a = word_length<n>(a.limbs);
            const bool is_square = static_cast<const void *>(&a) == &b;
            const int length_b = is_square ? length_a : word_length<m>(b.limbs);
            return {length_a, length_b, true, length_a <= n / 4 || length_b <= m / 4};
        }
    }
    return {};
}

// a b of factors with known lengths, for which R has room.
template <class R, int N, int M>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE R
product_of_lengths([[maybe_unused]] const BigInt<N> &a, [[maybe_unused]] const BigInt<M> &b,
                   [[maybe_unused]] const FactorLengths &lengths) {
    R r{};
    if constexpr (detail::looks_at_lengths<N, M>) {
        if (lengths.a != 0 && lengths.b != 0)
            detail::multiply_used<BigInt<N>::limb_count, BigInt<M>::limb_count>(
                r.limbs, a.limbs, lengths.a, b.limbs, lengths.b);
    }
    return r;
}

// a b of unsigned numbers. Variable time.
template <class A, class B>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE auto product_by_length(const A &a, const B &b) {
    return a * b;
}
template <int N, int M>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE BigInt<N + M> product_by_length(const BigInt<N> &a,
                                                                             const BigInt<M> &b) {
    const FactorLengths lengths = factor_lengths(a, b);
    if (lengths.has_short) [[unlikely]]
        return product_of_lengths<BigInt<N + M>>(a, b, lengths);
    return a * b;
}

} // namespace number

} // namespace warpint
