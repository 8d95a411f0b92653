// Modular functions of plain numbers: addmod, submod, mulmod, sqrmod and pow. Operands need not be reduced and may
// be negative; any modulus >= 1, even ones included; results are canonical, in [0, m). Variable time.
#pragma once

#include "modulus.h"

namespace warpint {

namespace number {


// The largest window whose table of 2^w entries fits the given memory.
WARPINT_HOST_DEVICE constexpr int window_limit(int entry_bytes, int table_bytes) {
    int window = 1;
    while (window < 7 && (entry_bytes << (window + 1)) <= table_bytes) ++window;
    return window;
}

// Table memory: one thread's local memory on a GPU, a share of a core's cache on the host.
inline constexpr int device_power_table_bytes = 8 * 1024;
inline constexpr int host_power_table_bytes = 48 * 1024;
inline constexpr int power_table_bytes = WARPINT_DEVICE_PASS ? device_power_table_bytes : host_power_table_bytes;

template <int MaxWindow, int L, class Limb>
WARPINT_HOST_DEVICE constexpr void power_any_parity(Limb* r, const Limb* base, const std::uint32_t* e, int exponent_limbs,
                                                    const algorithm::MontgomeryContext<L, Limb>& context, int zeros) {
    algorithm::power_odd<L, MaxWindow>(r, base, e, exponent_limbs, context);
    if (zeros != 0) algorithm::lift_to_even<L>(r, base, e, exponent_limbs, zeros, context);
}

// The same as a function of its own, for device code with numbers too wide for registers.
template <int MaxWindow, int L, class Limb>
WARPINT_HOST_DEVICE WARPINT_NOINLINE constexpr void power_any_parity_called(
    Limb* r, const Limb* base, const std::uint32_t* e, int exponent_limbs,
    const algorithm::MontgomeryContext<L, Limb>& context, int zeros) {
    power_any_parity<MaxWindow, L>(r, base, e, exponent_limbs, context, zeros);
}

// a^e mod m; a already fits the limbs of the Montgomery form, m != 0.
template <int A, int E, int N>
WARPINT_HOST_DEVICE constexpr BigInt<N> power(const BigInt<A>& a, const BigInt<E>& e, const Modulus<N>& m) {
    constexpr int limbs = Modulus<N>::limb_count;
    constexpr int window = algorithm::best_window(E, window_limit(limbs * 4, power_table_bytes));
    static_assert(A <= limbs * 32);
    std::uint32_t base[limbs]{};
    std::uint32_t result[limbs]{};
    algorithm::copy<BigInt<A>::limb_count>(base, a.limbs);
    BigInt<N> r{};
    if constexpr (has_words) {
        if (limb::use_words()) {
            constexpr int words = limbs / 2;
            std::uint64_t wide_base[words];
            std::uint64_t wide_result[words];
            load_words<limbs>(wide_base, base);
            const auto context = m.odd_part_words();
            power_any_parity<window, words>(wide_result, wide_base, e.limbs, BigInt<E>::limb_count, context, m.zeros());
            store_words<limbs>(result, wide_result);
            algorithm::copy<BigInt<N>::limb_count>(r.limbs, result);
            return r;
        }
    }
    if constexpr (limbs <= algorithm::inlined_limbs) {
        power_any_parity<window, limbs>(result, base, e.limbs, BigInt<E>::limb_count, m.odd_part(), m.zeros());
    } else {
        power_any_parity_called<window, limbs>(result, base, e.limbs, BigInt<E>::limb_count, m.odd_part(), m.zeros());
    }
    algorithm::copy<BigInt<N>::limb_count>(r.limbs, result);
    return r;
}

} // namespace number

// a^e mod m in [0, m), for any a (reduced or not, negative or not), e >= 0, and m >= 1 of any parity, given as a
// number or a Modulus. 0^0 = 1 mod m; everything mod 1 is 0.
// Fixed windows over Montgomery products for the odd part of m; an even m is split as 2^k m' and joined by the
// Chinese remainder theorem. Variable time in all operands.
// Errors (host): std::domain_error for m = 0, negative m or negative e; device code returns 0.
template <AnyNumber A, AnyNumber E, ModulusLike M>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr BigInt<number::modulus_bits_v<M>> pow(const A& a, const E& e, const M& m) {
    constexpr int n = number::modulus_bits_v<M>;
    if constexpr (!ModulusContext<M>) {
        const BigInt<n> value = number::modulus_value(m);
        if (!static_cast<bool>(value)) {
            number::report_domain_error("warpint: modulus 0");
            return BigInt<n>{};
        }
        return pow(a, e, Modulus<n>(value));
    } else {
        const auto exponent = number::as_number(e);
        if (number::is_negative(exponent)) {
            number::report_domain_error("warpint: pow with a negative exponent");
            return BigInt<n>{};
        }
        if (!static_cast<bool>(m.value())) return BigInt<n>{};
        const auto positive = number::to<BigInt<number::bits_of<E>>>(exponent);
        if constexpr (!number::signed_of<A> && number::bits_of<A> <= Modulus<n>::limb_count * 32) {
            return number::power(number::as_number(a), positive, m);
        } else {
            return number::power(a % m.value(), positive, m);
        }
    }
}

// a^e modulo 2^Bits, e >= 0.
template <BigNumber A, AnyNumber E>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr A pow(const A& a, const E& e) {
    constexpr int n = A::limb_count;
    const auto exponent = number::as_number(e);
    if (number::is_negative(exponent)) {
        number::report_domain_error("warpint: pow with a negative exponent");
        return A{};
    }
    const auto positive = number::to<BigInt<number::bits_of<E>>>(exponent);
    A r{};
    algorithm::power_low<n>(r.limbs, a.limbs, positive.limbs, BigInt<number::bits_of<E>>::limb_count);
    number::normalise<A::bits, A::is_signed>(r.limbs);
    return r;
}

namespace number {

// x mod m in [0, m); 0 for m = 0 in device code.
template <BigNumber X, ModulusLike M>
WARPINT_HOST_DEVICE constexpr BigInt<modulus_bits_v<M>> reduce(const X& x, const M& m) {
    return x % modulus_value(m);
}

// A sum or difference of any two numbers without loss.
template <class A, class B>
using exact_sum_t = SignedBigInt<(bits_of<A> > bits_of<B> ? bits_of<A> : bits_of<B>) + 2>;

} // namespace number

// (a + b) mod m, (a - b) mod m, a b mod m, a^2 mod m: exact inside, so that unreduced operands are right.
// Errors as for pow.
template <AnyNumber A, AnyNumber B, ModulusLike M>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr BigInt<number::modulus_bits_v<M>> addmod(const A& a, const B& b, const M& m) {
    using Sum = number::exact_sum_t<A, B>;
    return number::reduce(number::to<Sum>(a) + number::to<Sum>(b), m);
}
template <AnyNumber A, AnyNumber B, ModulusLike M>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr BigInt<number::modulus_bits_v<M>> submod(const A& a, const B& b, const M& m) {
    using Sum = number::exact_sum_t<A, B>;
    return number::reduce(number::to<Sum>(a) - number::to<Sum>(b), m);
}
template <AnyNumber A, AnyNumber B, ModulusLike M>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr BigInt<number::modulus_bits_v<M>> mulmod(const A& a, const B& b, const M& m) {
    return number::reduce(number::as_number(a) * number::as_number(b), m);
}
template <AnyNumber A, ModulusLike M>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr BigInt<number::modulus_bits_v<M>> sqrmod(const A& a, const M& m) {
    return number::reduce(sqr(number::as_number(a)), m);
}

// x % m with a prepared modulus.
template <BigNumber A, ModulusContext M>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr BigInt<number::modulus_bits_v<M>> operator%(const A& a, const M& m) {
    return number::reduce(a, m);
}

} // namespace warpint
