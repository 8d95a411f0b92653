// SPDX-License-Identifier: Apache-2.0
// Modular powers of plain numbers.
#pragma once

#include "../../arith/limbs/power/even_modulus.h"
#include "arithmetic.h"
#include "tuning.h"

namespace warpint {

namespace number {

// The largest window whose table of 2^w entries fits the given memory.
WARPINT_HOST_DEVICE constexpr int window_limit(int entry_bytes, int table_bytes) {
    int window = 1;
    while (window < 7 && (entry_bytes << (window + 1)) <= table_bytes)
        ++window;
    return window;
}

// Threads of a warp whose exponents differ keep in step with fixed windows; a host, or a warp with
// one exponent, takes the method with fewer products.
inline constexpr arith::PowerMethod power_method =
    WARPINT_DEVICE_PASS ? arith::PowerMethod::fixed_windows : arith::PowerMethod::sliding_windows;

// The widest window for exponents of this many bits and numbers of this many 32-bit limbs: the
// table has 2^w entries with fixed windows, 2^(w - 1) with sliding ones.
WARPINT_HOST_DEVICE constexpr int power_window(int exponent_bits, int limbs, int table_bytes,
                                               arith::PowerMethod method) {
    const int entry = limbs * 4;
    const int limit = method == arith::PowerMethod::fixed_windows
                          ? window_limit(entry, table_bytes)
                          : window_limit(entry, table_bytes) + 1;
    return arith::best_window(exponent_bits, limit, method);
}

// The widest window of an exponent's schedule, with which a GPU or a host raises numbers of so many
// limbs.
WARPINT_HOST_DEVICE constexpr int schedule_window(int exponent_bits, int limbs, bool on_gpu) {
    return power_window(exponent_bits, limbs,
                        on_gpu ? device_power_table_bytes : host_power_table_bytes,
                        arith::PowerMethod::sliding_windows);
}

WARPINT_HOST_DEVICE constexpr arith::ExponentLimbs limbs_of(const arith::ExponentLimbs &exponent) {
    return exponent;
}
template <int Bits>
WARPINT_HOST_DEVICE constexpr arith::ExponentLimbs
limbs_of(const arith::PowerSchedule<Bits> *schedule) {
    return schedule->exponent();
}

// Exponent: as for arith::power_odd.
template <int MaxWindow, arith::PowerMethod method, int L, class Limb, class Exponent>
WARPINT_HOST_DEVICE constexpr void
power_any_parity(Limb *r, const Limb *base, const Exponent &e,
                 const arith::MontgomeryContext<L, Limb> &context, int zeros) {
    arith::power_odd<L, MaxWindow, method>(r, base, e, context);
    if (zeros != 0) {
        limb::keep_arrays_apart();
        arith::lift_to_even<L>(r, base, limbs_of(e), zeros, context);
    }
}

namespace detail {

// A power of plain numbers, for PowerOfLimbs: r = base^e mod m, the constants of m's odd part in
// context.
struct OfNumbers {
    template <int MaxWindow, arith::PowerMethod method, int L, class Limb, class Exponent, int Bits>
    WARPINT_HOST_DEVICE static constexpr WARPINT_INLINE void
    power(Limb *r, const Limb *base, const Exponent &e,
          const arith::MontgomeryContext<L, Limb> &context, const Modulus<Bits> &m) {
        power_any_parity<MaxWindow, method, L>(r, base, e, context, m.zeros());
    }
};

// r = base^e mod m on limbs, m != 0 a Modulus or a number. Inlined or out of line
// (arith::inline_or_call). Operands: OfNumbers, or OfForms (forms.h) with a Modulus.
template <class Operands, int MaxWindow, arith::PowerMethod method, int Bits>
struct PowerOfLimbs {
    static constexpr int limbs = Modulus<Bits>::limb_count;

    template <class Exponent>
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void
    operator()(std::uint32_t *r, const std::uint32_t *base, Exponent e,
               const Modulus<Bits> *m) const {
        on_machine_limbs(
            [e, m]<int L, class Limb>(Limb *x, const Limb *b,
                                      const arith::MontgomeryContext<L, Limb> &context)
                WARPINT_INLINE_LAMBDA {
                    Operands::template power<MaxWindow, method, L>(x, b, e, context, *m);
                },
            output<limbs>(r), input<limbs>(base), odd_part(*m));
    }
    template <class Exponent>
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void
    operator()(std::uint32_t *r, const std::uint32_t *base, Exponent e,
               const BigInt<Bits> *m) const {
        // Only the odd part's constants: a Modulus would also prepare its reciprocal.
        const int zeros = countr_zero(*m);
        on_machine_limbs(
            [e, zeros]<int L, class Limb>(Limb *x, const Limb *b,
                                          arith::MontgomeryContext<L, Limb> &context)
                WARPINT_INLINE_LAMBDA {
                    if (zeros != 0)
                        arith::shift_right<L>(context.modulus, context.modulus, zeros);
                    arith::prepare<L>(context);
                    power_any_parity<MaxWindow, method, L>(x, b, e, context, zeros);
                },
            output<limbs>(r), input<limbs>(base),
            new_context<BigInt<Bits>::limb_count, limbs>(m->limbs));
    }
};

// a^e mod m as R, for m a number or a Modulus, m != 0; a fits the limbs of the Montgomery form.
// Exponent: as for arith::power_odd.
template <class Operands, class R, int MaxWindow, arith::PowerMethod method, int A, class Exponent,
          ModulusLike M>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE R power_on_limbs(const BigInt<A> &a, const Exponent &e,
                                                              const M &m) {
    constexpr int n = modulus_bits_v<M>;
    constexpr int limbs = Modulus<n>::limb_count;
    static_assert(A <= limbs * 32);
    std::uint32_t base[limbs]{};
    std::uint32_t result[limbs]{};
    arith::copy<BigInt<A>::limb_count>(base, a.limbs);
    const std::uint32_t *const operand = base;
    arith::inline_or_call<limbs <= arith::inlined_limbs>(
        PowerOfLimbs<Operands, MaxWindow, method, n>{}, &result[0], operand, e, &m);
    R r{};
    arith::copy<R::limb_count>(r.limbs, result);
    return r;
}

} // namespace detail

template <int MaxWindow, arith::PowerMethod method, int A, class Exponent, ModulusLike M>
WARPINT_HOST_DEVICE constexpr BigInt<modulus_bits_v<M>>
power_of_number(const BigInt<A> &a, const Exponent &e, const M &m) {
    if constexpr (ModulusContext<M>) {
        if constexpr (knows_short_moduli<modulus_bits_v<M>>) {
            if (WARPINT_USES_WORDS && m.is_short()) // its constants are for R = B^N
                return power_of_number<MaxWindow, method>(a, e, m.value());
        }
    }
    return detail::power_on_limbs<detail::OfNumbers, BigInt<modulus_bits_v<M>>, MaxWindow, method>(
        a, e, m);
}
template <arith::PowerMethod method, int A, int E, ModulusLike M>
WARPINT_HOST_DEVICE constexpr BigInt<modulus_bits_v<M>> power(const BigInt<A> &a,
                                                              const BigInt<E> &e, const M &m) {
    constexpr int limbs = Modulus<modulus_bits_v<M>>::limb_count;
    constexpr int window = power_window(E, limbs, power_table_bytes, method);
    return power_of_number<window, method>(
        a, arith::ExponentLimbs{&e.limbs[0], BigInt<E>::limb_count}, m);
}

// The function pow below, by a given method.
template <arith::PowerMethod method, AnyNumber A, AnyNumber E, ModulusLike M>
WARPINT_HOST_DEVICE constexpr BigInt<modulus_bits_v<M>> power_by(const A &a, const E &e,
                                                                 const M &m) {
    constexpr int n = modulus_bits_v<M>;
    if constexpr (may_be_short<A, M>) {
        if (are_short(a, m)) {
            return power_by<method>(shortened<short_power_bits>(a), e,
                                    shortened<short_power_bits>(m));
        }
    }
    if constexpr (!is_unsigned_big<E>) {
        const auto exponent = as_number(e);
        if (is_negative(exponent)) {
            report_domain_error("warpint: pow with a negative exponent");
            return BigInt<n>{};
        }
        return power_by<method>(a, to<BigInt<bits_of<E>>>(exponent), m);
    } else if constexpr (!ModulusContext<M> && !is_unsigned_big<M>) {
        return power_by<method>(a, e, modulus_value(m));
    } else if constexpr (!is_unsigned_big<A> || bits_of<A> > Modulus<n>::limb_count * 32) {
        return power_by<method>(reduce(as_number(a), m), e, m);
    } else {
        bool zero = false;
        if constexpr (ModulusContext<M>) {
            zero = !static_cast<bool>(m.value());
        } else {
            zero = !static_cast<bool>(m);
        }
        if (zero) {
            report_domain_error("warpint: modulus 0");
            return BigInt<n>{};
        }
        if constexpr (has_words && n > WordNumber::bits && n < short_power_bits) {
            if (WARPINT_USES_WORDS && is_word(modulus_value(m))) {
                const auto word = to<WordNumber>(modulus_value(m));
                return BigInt<n>(power_by<method>(to<WordNumber>(a % word), e, word));
            }
        }
        return power<method>(a, e, m);
    }
}

// a^e mod m, m != 0, for an exponent that was recoded with a window of at most schedule_window().
template <AnyNumber A, int E, ModulusLike M>
WARPINT_HOST_DEVICE constexpr BigInt<modulus_bits_v<M>>
power_by_schedule(const A &a, const arith::PowerSchedule<E> &e, const M &m) {
    constexpr int n = modulus_bits_v<M>;
    if constexpr (!ModulusContext<M> && !is_unsigned_big<M>) {
        return power_by_schedule(a, e, modulus_value(m));
    } else if constexpr (!is_unsigned_big<A> || bits_of<A> > Modulus<n>::limb_count * 32) {
        return power_by_schedule(reduce(as_number(a), m), e, m);
    } else {
        constexpr auto method = arith::PowerMethod::sliding_windows;
        constexpr int window = schedule_window(E, Modulus<n>::limb_count, WARPINT_DEVICE_PASS != 0);
        return power_of_number<window, method>(a, &e, m);
    }
}

} // namespace number

// The power a^e mod m, in [0, m). a may be unreduced or negative, e must be >= 0, and m is any
// number >= 1, odd or even, or a Modulus. 0^0 is 1 mod m. Variable time in all operands; use
// pow_ct() for secrets. Errors: m <= 0 or negative e is a std::domain_error on the host; device
// code returns 0.
// Example:
//     const auto x = pow(BigInt<256>(2), 1'000'000, BigInt<256>(1'000'003));
template <AnyNumber A, AnyNumber E, ModulusLike M>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr BigInt<number::modulus_bits_v<M>>
pow(const A &a, const E &e, const M &m) {
    return number::power_by<number::power_method>(a, e, m);
}
// The same for an exponent that was recoded; m != 0.
template <AnyNumber A, int E, ModulusLike M>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr BigInt<number::modulus_bits_v<M>>
pow(const A &a, const arith::PowerSchedule<E> &e, const M &m) {
    return number::power_by_schedule(a, e, m);
}

} // namespace warpint
