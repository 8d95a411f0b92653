// Modular functions of plain numbers: addmod, submod, mulmod, sqrmod and pow. Operands need not be
// reduced and may be negative; any modulus >= 1, even ones included; results are canonical, in [0,
// m). Variable time.
#pragma once

#include "modulus.h"

namespace warpint {

namespace number {

// A BigInt itself: neither signed nor a built-in integer nor a Modulus.
template <class T>
inline constexpr bool is_unsigned_big = false;
template <int Bits>
inline constexpr bool is_unsigned_big<BigInt<Bits>> = true;

// The largest window whose table of 2^w entries fits the given memory.
WARPINT_HOST_DEVICE constexpr int window_limit(int entry_bytes, int table_bytes) {
    int window = 1;
    while (window < 7 && (entry_bytes << (window + 1)) <= table_bytes)
        ++window;
    return window;
}

// Table memory: one thread's local memory on a GPU, a share of a core's cache on the host.
inline constexpr int device_power_table_bytes = 8 * 1024;
inline constexpr int host_power_table_bytes = 48 * 1024;
inline constexpr int power_table_bytes =
    WARPINT_DEVICE_PASS ? device_power_table_bytes : host_power_table_bytes;

template <int MaxWindow, int L, class Limb>
WARPINT_HOST_DEVICE constexpr void
power_any_parity(Limb *r, const Limb *base, const std::uint32_t *e, int exponent_limbs,
                 const algorithm::MontgomeryContext<L, Limb> &context, int zeros) {
    algorithm::power_odd<L, MaxWindow>(r, base, e, exponent_limbs, context);
    if (zeros != 0)
        algorithm::lift_to_even<L>(r, base, e, exponent_limbs, zeros, context);
}

// The same as functions of their own, for device code with numbers too wide for registers: with a
// prepared modulus, and with one that is prepared on the spot.
template <int MaxWindow, int L, class Limb>
WARPINT_HOST_DEVICE WARPINT_NOINLINE constexpr void
power_any_parity_called(Limb *r, const Limb *base, const std::uint32_t *e, int exponent_limbs,
                        const algorithm::MontgomeryContext<L, Limb> &context, int zeros) {
    power_any_parity<MaxWindow, L>(r, base, e, exponent_limbs, context, zeros);
}
template <int MaxWindow, int N>
WARPINT_HOST_DEVICE WARPINT_NOINLINE constexpr void
power_of_number_called(std::uint32_t *r, const std::uint32_t *base, const std::uint32_t *e,
                       int exponent_limbs, const BigInt<N> &m) {
    const Modulus<N> modulus(m);
    power_any_parity<MaxWindow, Modulus<N>::limb_count>(r, base, e, exponent_limbs,
                                                        modulus.odd_part(), modulus.zeros());
}

// a^e mod m for m a number or a Modulus, m != 0; a fits the limbs of the Montgomery form.
template <int A, int E, ModulusLike M>
WARPINT_HOST_DEVICE constexpr BigInt<modulus_bits_v<M>> power(const BigInt<A> &a,
                                                              const BigInt<E> &e, const M &m) {
    constexpr int n = modulus_bits_v<M>;
    constexpr int limbs = Modulus<n>::limb_count;
    constexpr int exponent_limbs = BigInt<E>::limb_count;
    constexpr int window = algorithm::best_window(E, window_limit(limbs * 4, power_table_bytes));
    static_assert(A <= limbs * 32);
    std::uint32_t base[limbs]{};
    std::uint32_t result[limbs]{};
    algorithm::copy<BigInt<A>::limb_count>(base, a.limbs);
    BigInt<n> r{};
    if constexpr (!ModulusContext<M> && limbs > algorithm::inlined_limbs) {
        if (limb::use_ptx()) {
            power_of_number_called<window, n>(result, base, e.limbs, exponent_limbs, m);
            algorithm::copy<BigInt<n>::limb_count>(r.limbs, result);
            return r;
        }
    }
    if constexpr (!ModulusContext<M>) {
        return power(a, e, Modulus<n>(m));
    } else {
        if constexpr (has_words) {
            if (limb::use_words()) {
                constexpr int words = limbs / 2;
                std::uint64_t wide_base[words];
                std::uint64_t wide_result[words];
                load_words<limbs>(wide_base, base);
                const auto context = m.odd_part_words();
                power_any_parity<window, words>(wide_result, wide_base, e.limbs, exponent_limbs,
                                                context, m.zeros());
                store_words<limbs>(result, wide_result);
                algorithm::copy<BigInt<n>::limb_count>(r.limbs, result);
                return r;
            }
        }
        if constexpr (limbs <= algorithm::inlined_limbs) {
            power_any_parity<window, limbs>(result, base, e.limbs, exponent_limbs, m.odd_part(),
                                            m.zeros());
        } else {
            power_any_parity_called<window, limbs>(result, base, e.limbs, exponent_limbs,
                                                   m.odd_part(), m.zeros());
        }
        algorithm::copy<BigInt<n>::limb_count>(r.limbs, result);
        return r;
    }
}

} // namespace number

// a^e mod m in [0, m), for any a (reduced or not, negative or not), e >= 0, and m >= 1 of any
// parity, given as a number or a Modulus. 0^0 = 1 mod m; everything mod 1 is 0. Fixed windows over
// Montgomery products for the odd part of m; an even m is split as 2^k m' and joined by the Chinese
// remainder theorem. Variable time in all operands. Errors (host): std::domain_error for m = 0,
// negative m or negative e; device code returns 0.
template <AnyNumber A, AnyNumber E, ModulusLike M>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr BigInt<number::modulus_bits_v<M>>
pow(const A &a, const E &e, const M &m) {
    constexpr int n = number::modulus_bits_v<M>;
    if constexpr (!number::is_unsigned_big<E>) {
        const auto exponent = number::as_number(e);
        if (number::is_negative(exponent)) {
            number::report_domain_error("warpint: pow with a negative exponent");
            return BigInt<n>{};
        }
        return pow(a, number::to<BigInt<number::bits_of<E>>>(exponent), m);
    } else if constexpr (!ModulusContext<M> && !number::is_unsigned_big<M>) {
        return pow(a, e, number::modulus_value(m));
    } else if constexpr (!number::is_unsigned_big<A> ||
                         number::bits_of<A> > Modulus<n>::limb_count * 32) {
        return pow(number::as_number(a) % number::modulus_value(m), e, m);
    } else {
        bool zero = false;
        if constexpr (ModulusContext<M>) {
            zero = !static_cast<bool>(m.value());
        } else {
            zero = !static_cast<bool>(m);
        }
        if (zero) {
            number::report_domain_error("warpint: modulus 0");
            return BigInt<n>{};
        }
        return number::power(a, e, m);
    }
}

// a^e modulo 2^Bits, e >= 0.
template <BigNumber A, AnyNumber E>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr A pow(const A &a, const E &e) {
    constexpr int n = A::limb_count;
    const auto exponent = number::as_number(e);
    if (number::is_negative(exponent)) {
        number::report_domain_error("warpint: pow with a negative exponent");
        return A{};
    }
    const auto positive = number::to<BigInt<number::bits_of<E>>>(exponent);
    A r{};
    algorithm::power_low<n>(r.limbs, a.limbs, positive.limbs,
                            BigInt<number::bits_of<E>>::limb_count);
    number::normalise<A::bits, A::is_signed>(r.limbs);
    return r;
}

namespace number {

// x mod m in [0, m); 0 for m = 0 in device code.
template <BigNumber X, ModulusLike M>
WARPINT_HOST_DEVICE constexpr BigInt<modulus_bits_v<M>> reduce(const X &x, const M &m) {
    return x % modulus_value(m);
}

// A sum or difference of any two numbers without loss.
template <class A, class B>
using exact_sum_t = SignedBigInt<(bits_of<A> > bits_of<B> ? bits_of<A> : bits_of<B>)+2>;

} // namespace number

// (a + b) mod m, (a - b) mod m, a b mod m, a^2 mod m: exact inside, so that unreduced operands are
// right. Errors as for pow.
template <AnyNumber A, AnyNumber B, ModulusLike M>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr BigInt<number::modulus_bits_v<M>>
addmod(const A &a, const B &b, const M &m) {
    using Sum = number::exact_sum_t<A, B>;
    return number::reduce(number::to<Sum>(a) + number::to<Sum>(b), m);
}
template <AnyNumber A, AnyNumber B, ModulusLike M>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr BigInt<number::modulus_bits_v<M>>
submod(const A &a, const B &b, const M &m) {
    using Sum = number::exact_sum_t<A, B>;
    return number::reduce(number::to<Sum>(a) - number::to<Sum>(b), m);
}
template <AnyNumber A, AnyNumber B, ModulusLike M>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr BigInt<number::modulus_bits_v<M>>
mulmod(const A &a, const B &b, const M &m) {
    return number::reduce(number::as_number(a) * number::as_number(b), m);
}
template <AnyNumber A, ModulusLike M>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr BigInt<number::modulus_bits_v<M>> sqrmod(const A &a,
                                                                                     const M &m) {
    return number::reduce(sqr(number::as_number(a)), m);
}

// x % m with a prepared modulus.
template <BigNumber A, ModulusContext M>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr BigInt<number::modulus_bits_v<M>>
operator%(const A &a, const M &m) {
    return number::reduce(a, m);
}

} // namespace warpint
