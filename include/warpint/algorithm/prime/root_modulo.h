// SPDX-License-Identifier: Apache-2.0
// Square roots modulo an odd prime over limb arrays. Modulo a composite number the functions end as
// well, with a wrong number or false. Variable time.
#pragma once

#include "../divisor/gcd.h"
#include "lucas.h"

namespace warpint::algorithm {

namespace detail {

// The bits of `number` from `shift` on, as 32-bit limbs: an exponent for montgomery_power.
template <int N, class Limb>
struct ShiftedExponent {
    static constexpr int limb_count = (N * limb::limb_bits<Limb> + 31) / 32;
    std::uint32_t limbs[limb_count];

    WARPINT_HOST_DEVICE constexpr ShiftedExponent(const Limb *number, int shift) : limbs{} {
        constexpr int width = limb::limb_bits<Limb>;
        Limb shifted[N]{};
        if (shift < N * width)
            shift_right<N>(shifted, number, shift);
        for (int bit = 0; bit < N * width; bit += width < 32 ? width : 32)
            limbs[bit / 32] |= static_cast<std::uint32_t>(shifted[bit / width] >> (bit % width))
                               << (bit % 32);
    }
};

// x = x^e in Montgomery form, e the bits of `number` from `shift` on. One function for all powers
// of a root: in device code it is called and not copied.
template <int N, int MaxWindow, class Limb>
WARPINT_HOST_DEVICE WARPINT_NOINLINE constexpr void
power_to_shifted(Limb *x, const Limb *number, int shift,
                 const MontgomeryContext<N, Limb> &context) {
    const ShiftedExponent<N, Limb> exponent(number, shift);
    montgomery_power<N, MaxWindow>(x, exponent.limbs, ShiftedExponent<N, Limb>::limb_count,
                                   context);
}

// r = small in Montgomery form, 0 < small < m.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr void montgomery_small(Limb *r, std::uint32_t small,
                                                    const MontgomeryContext<N, Limb> &context) {
    Limb x[N]{};
    for (int i = 0; i < N && i * limb::limb_bits<Limb> < 32; ++i)
        x[i] = static_cast<Limb>(small >> (i * limb::limb_bits<Limb> % 32));
    montgomery_multiply<N>(r, x, context.r_squared, context.modulus, context.inverse);
}

} // namespace detail

// r = a^((p + 1) / 4) for p = 3 mod 4.
template <int N, int MaxWindow, class Limb>
WARPINT_HOST_DEVICE constexpr void root_modulo_3_mod_4(Limb *r, const Limb *a,
                                                       const MontgomeryContext<N, Limb> &context) {
    // (p + 1) / 4 = (p - 3) / 4 + 1
    Limb x[N]{};
    copy<N>(x, a);
    detail::power_to_shifted<N, MaxWindow>(x, context.modulus, 2, context);
    montgomery_multiply<N>(r, x, a, context.modulus, context.inverse);
}

// p = 5 mod 8: with b = (2 a)^((p - 5) / 8) and i = 2 a b^2, a root of -1, r = a b (i - 1) (Atkin,
// 1992; Mueller, "On the computation of square roots in finite fields", 2004, section 2).
template <int N, int MaxWindow, class Limb>
WARPINT_HOST_DEVICE constexpr void root_modulo_5_mod_8(Limb *r, const Limb *a,
                                                       const MontgomeryContext<N, Limb> &context) {
    const Limb *p = context.modulus;
    Limb twice[N]{};
    Limb b[N]{};
    Limb i[N]{};
    copy<N>(twice, a);
    double_modulo<N>(twice, p);
    copy<N>(b, twice);
    detail::power_to_shifted<N, MaxWindow>(b, p, 3, context);
    montgomery_square<N>(i, b, p, context.inverse);
    montgomery_multiply<N>(i, i, twice, p, context.inverse);
    subtract_modulo<N>(i, i, context.one, p);
    montgomery_multiply<N>(b, b, a, p, context.inverse);
    montgomery_multiply<N>(r, b, i, p, context.inverse);
}

// p - 1 = 2^s d with d odd: the algorithm of Tonelli and Shanks (Crandall and Pomerance, Prime
// Numbers, algorithm 2.3.8), some s^2 / 4 products after a power. `nonsquare` is one, in Montgomery
// form. False if p turns out to be composite or a not to be a square.
template <int N, int MaxWindow, class Limb>
WARPINT_HOST_DEVICE constexpr bool
root_modulo_tonelli_shanks(Limb *r, const Limb *a, const Limb *nonsquare, int s,
                           const MontgomeryContext<N, Limb> &context) {
    const Limb *p = context.modulus;
    Limb x[N]{};
    Limb root[N]{};
    Limb t[N]{};
    Limb c[N]{};
    copy<N>(c, nonsquare);
    detail::power_to_shifted<N, MaxWindow>(c, p, s + 1, context); // nonsquare^((d - 1) / 2)
    montgomery_square<N>(c, c, p, context.inverse);
    montgomery_multiply<N>(c, c, nonsquare, p, context.inverse);
    copy<N>(x, a);
    detail::power_to_shifted<N, MaxWindow>(x, p, s + 1, context);
    montgomery_multiply<N>(root, x, a, p, context.inverse);
    montgomery_multiply<N>(t, root, x, p, context.inverse);
    // root^2 = a t; c has order 2^order, and the order of t divides 2^(order - 1).
    for (int order = s; !equal<N>(t, context.one);) {
        int next = 0; // t has order 2^next
        copy<N>(x, t);
        while (next < order && !equal<N>(x, context.one)) {
            montgomery_square<N>(x, x, p, context.inverse);
            ++next;
        }
        if (next >= order)
            return false;
        for (int i = next + 1; i < order; ++i)
            montgomery_square<N>(c, c, p, context.inverse);
        montgomery_multiply<N>(root, root, c, p, context.inverse);
        montgomery_square<N>(c, c, p, context.inverse);
        montgomery_multiply<N>(t, t, c, p, context.inverse);
        order = next;
    }
    copy<N>(r, root);
    return true;
}

// An odd z with (z / p) = -1 for p = 1 mod 8, or 0 if none is found among small numbers: p is then
// a square (of a modulus that is no prime), or has been made for it.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr std::uint32_t small_nonsquare(const Limb *p) {
    constexpr std::uint32_t bound = sizeof(Limb) == 1 ? 255 : 4000;
    for (std::uint32_t z = 3; z < bound; z += 2) {
        const Limb rest =
            divide_row_by_limb<Limb>(nullptr, p, N, prepare_divisor(static_cast<Limb>(z)));
        if (detail::jacobi_of_words(static_cast<std::uint32_t>(rest), z) < 0) // (p / z) = (z / p)
            return z;
    }
    return 0;
}

// p = 1 mod 4: r = V_((p - 1) / 4)(a t^2 - 2, 1) / t, where a t^2 - 4 is not a square (Mueller,
// 2004, section 4): two products a bit whatever the power of two in p - 1. With P = a t^2 - 2 = u +
// 1 / u, P + 2 = a t^2 being a square and P^2 - 4 none says u^((p + 1) / 2) = 1, so V_((p - 1) / 2)
// = P and V_((p - 1) / 4)^2 = P + 2. False if no t is found; for primes half of all will do.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr bool root_modulo_lucas(Limb *r, const Limb *a,
                                                     const MontgomeryContext<N, Limb> &context) {
    constexpr std::uint32_t bound = sizeof(Limb) == 1 ? 15 : 255; // t^2 fits 16 bits, or 8
    const Limb *p = context.modulus;
    Limb two[N]{};
    Limb four[N]{};
    copy<N>(two, context.one);
    double_modulo<N>(two, p);
    copy<N>(four, two);
    double_modulo<N>(four, p);
    for (std::uint32_t t = 1; t <= bound; ++t) {
        Limb parameter[N]{};
        Limb below[N]{};
        detail::montgomery_small<N>(parameter, t * t, context);
        montgomery_multiply<N>(parameter, parameter, a, p, context.inverse);
        subtract_modulo<N>(below, parameter, four, p);
        if (is_zero<N>(below)) // a t^2 = 4
            return detail::divide_by_small<N>(r, two, static_cast<Limb>(t), p);
        Limb modulus[N]{};
        copy<N>(modulus, p);
        // The Montgomery form, R times the number, has the same symbol: R is a power of 4.
        if (jacobi_odd<N>(below, modulus) >= 0)
            continue;
        Limb next[N]{};
        Limb bits[N]{};
        copy<N>(bits, p);
        subtract_modulo<N>(parameter, parameter, two, p);
        Limb root[N]{};
        lucas_pair<N>(root, next, parameter, two, bits, bit_width<N>(bits), 2, false, context);
        return detail::divide_by_small<N>(r, root, static_cast<Limb>(t), p);
    }
    return false;
}

// x = a root of x in Montgomery form, where there is one, for an odd modulus >= 3; false if it
// finds none, which is certain where none exists. MaxWindow as for montgomery_power.
template <int N, int MaxWindow, class Limb>
WARPINT_HOST_DEVICE constexpr bool root_modulo(Limb *x, const MontgomeryContext<N, Limb> &context) {
    const Limb *p = context.modulus;
    if (is_zero<N>(x))
        return true;
    limb::keep_arrays_apart();
    Limb a[N]{};
    Limb root[N]{};
    Limb modulus[N]{};
    copy<N>(a, x);
    copy<N>(modulus, p);
    if (jacobi_odd<N>(x, modulus) < 0)
        return false;
    bool found = true;
    if ((p[0] & 3u) == 3) {
        root_modulo_3_mod_4<N, MaxWindow>(root, a, context);
    } else if ((p[0] & 7u) == 5) {
        root_modulo_5_mod_8<N, MaxWindow>(root, a, context);
    } else {
        copy<N>(modulus, p);
        modulus[0] = static_cast<Limb>(modulus[0] - 1u);
        const int twos = countr_zero<N>(modulus);
        if (twos * twos / 4 > bit_width<N>(p)) { // see the costs above
            found = root_modulo_lucas<N>(root, a, context);
        } else {
            const std::uint32_t z = small_nonsquare<N>(p);
            found = z != 0;
            if (found) {
                Limb nonsquare[N]{};
                detail::montgomery_small<N>(nonsquare, z, context);
                found = root_modulo_tonelli_shanks<N, MaxWindow>(root, a, nonsquare, twos, context);
            }
        }
    }
    copy<N>(x, root);
    montgomery_square<N>(root, root, p, context.inverse);
    return found && equal<N>(root, a);
}

} // namespace warpint::algorithm
