// SPDX-License-Identifier: Apache-2.0
// Arithmetic on the forms of residues of a Modulus over lanes (number/modular/forms.h). The forms
// are those of hosts, R = 2^(32 limb_count), so that a product takes exactly so many rows, also
// where the lanes have limbs to spare. All numbers that run together have the same Modulus.
#pragma once

#include "../modular/forms.h"
#include "gcd.h"

namespace warpint::number {

namespace detail {

// The product of two forms for an even modulus, out of line: with a = x 2^s, b = y 2^s and the
// modulus m 2^s it is x b.
template <class Form>
WARPINT_HOST_DEVICE WARPINT_DEVICE_NOINLINE Form even_form_product(Form a, Form b, Form modulus,
                                                                   int shift) {
    lanes::shift_right<Form::limbs_per_lane>(typename Form::group{}, a.words, a.words, shift);
    return warp_int::fold_product<arith::FoldTerm::none>(a, b, a, modulus);
}

} // namespace detail

template <int FormBits, int Lanes, lanes::Together together>
struct FormArithmetic<BasicWarpInt<FormBits, Lanes, together, false>> {
    using Form = BasicWarpInt<FormBits, Lanes, together, false>;
    using group = typename Form::group;
    static constexpr int K = Form::limbs_per_lane;
    static constexpr int n = Form::limb_count;
    // As lanes::montgomery_multiply counts rows. Of forms that leave limbs unused no sum of rows
    // passes the lanes.
    static constexpr int rows = n == K * Lanes ? 0 : n;

    template <int Bits>
    WARPINT_HOST_DEVICE static WARPINT_DEVICE_INLINE Form product(const Form &a, const Form &b,
                                                                  const Modulus<Bits> &m) {
        return multiply(a, b, form_modulus(m), m);
    }
    template <int Bits>
    WARPINT_HOST_DEVICE static WARPINT_DEVICE_INLINE Form square(const Form &a,
                                                                 const Modulus<Bits> &m) {
        const Form modulus = form_modulus(m);
        // Rows of squares that end inside of a lane need a limb with its top bit clear there.
        if constexpr (n % K == 0 || Bits < FormBits) {
            if (m.is_odd()) {
                Form r;
                lanes::montgomery_square<K, rows>(group{}, r.words, a.words, modulus.words,
                                                  m.template limb_inverse<std::uint32_t>());
                lanes::subtract_if<K>(group{}, r.words, false, modulus.words);
                return r;
            }
        }
        return multiply(a, a, modulus, m);
    }
    template <int Bits>
    WARPINT_HOST_DEVICE static WARPINT_DEVICE_INLINE Form sum(const Form &a, const Form &b,
                                                              const Modulus<Bits> &m) {
        Form r;
        const bool over = lanes::add<K>(group{}, r.words, a.words, b.words);
        lanes::subtract_if<K>(group{}, r.words, over, form_modulus(m).words);
        return r;
    }
    template <int Bits>
    WARPINT_HOST_DEVICE static WARPINT_DEVICE_INLINE Form difference(const Form &a, const Form &b,
                                                                     const Modulus<Bits> &m) {
        Form r;
        Form raised;
        const bool below = lanes::subtract<K>(group{}, r.words, a.words, b.words);
        lanes::add<K>(group{}, raised.words, r.words, form_modulus(m).words);
        return warp_int::select(below, raised, r);
    }
    template <Held X, int Bits>
    WARPINT_HOST_DEVICE static WARPINT_DEVICE_INLINE Form of(const X &x, const Modulus<Bits> &m) {
        using Number = BasicWarpInt<Bits, Lanes, together, false>;
        using Kind = kind<Form>;
        const Form modulus = form_modulus(m);
        Form r;
        if (m.is_odd() && !signed_of<scalar_t<X>> && bits_of<scalar_t<X>> <= FormBits) {
            r = number::to<Form>(x); // need not be reduced
        } else {
            r = number::to<Form>(
                warp_int::reduce(number::in_kind<Kind>(x), Number(Kind::functions::modulus(m))));
        }
        if (m.is_odd())
            return multiply(r, limbs_of(m.odd_part().r_squared), modulus, m);
        lanes::shift_left<K>(group{}, r.words, r.words, m.shift());
        return r;
    }
    template <int Bits>
    WARPINT_HOST_DEVICE static WARPINT_DEVICE_INLINE BasicWarpInt<Bits, Lanes, together, false>
    value(const Form &a, const Modulus<Bits> &m) {
        Form r = a;
        if (m.is_odd()) {
            r = multiply(a, Form(1), form_modulus(m), m);
        } else {
            lanes::shift_right<K>(group{}, r.words, a.words, m.shift());
        }
        return number::to<BasicWarpInt<Bits, Lanes, together, false>>(r);
    }
    template <int Bits>
    WARPINT_HOST_DEVICE static WARPINT_DEVICE_INLINE Optional<Form>
    inverse(const Form &a, const Modulus<Bits> &m) {
        const auto found = warpint::inverse(value(a, m), kind<Form>::functions::modulus(m));
        return Optional<Form>(of(*found, m), found.has_value());
    }

    // The power by a number, or by the schedule of an exponent that all share.
    template <class E, int Bits>
    WARPINT_HOST_DEVICE static WARPINT_DEVICE_INLINE Form power(const Form &a, const E &e,
                                                                const Modulus<Bits> &m) {
        if constexpr (rows == 0 || Bits + 2 <= FormBits) { // as lanes::montgomery_multiply needs
            const group g;
            const Form form = in_montgomery_form(a, m);
            const Form odd = limbs_of(m.odd_part().modulus);
            const Form one = limbs_of(m.odd_part().one);
            const Form last = m.is_odd() ? one : Form(1);
            const auto exponent = warp_int::exponent_of<Form>(e);
            using Exponent = std::remove_const_t<decltype(exponent)>;
            constexpr int KE = Exponent::limbs_per_lane;
            const lanes::detail::PowerOfForm<K, rows, group> base{form.words, one.words,
                                                                  last.words};
            Form r;
            if constexpr (Held<E>) {
                lanes::power_odd_of<K, lanes::power_window(K, Exponent::bits), KE, rows>(
                    g, r.words, base, exponent.words, odd.words);
            } else {
                constexpr int window = number::schedule_window(Exponent::bits, n, true);
                lanes::power_odd_of_by_steps<K, window, rows>(
                    g, r.words, base, arith::ScheduledSteps<Exponent::bits>{e}, e.window,
                    odd.words);
            }
            if (!m.is_odd()) // a form is a number times a power of two
                r = lifted(r, odd, m.zeros(), a, exponent, m.shift());
            return r;
        } else {
            return power_of_value(a, e, m);
        }
    }

private:
    // a R modulo the odd part of the modulus: the form itself where that is odd.
    template <int Bits>
    WARPINT_HOST_DEVICE static WARPINT_DEVICE_INLINE Form
    in_montgomery_form(const Form &a, const Modulus<Bits> &m) {
        Form r = a;
        if (!m.is_odd()) {
            lanes::shift_right<K>(group{}, r.words, a.words, m.shift());
            lanes::montgomery_multiply_outlined<K, rows>(
                group{}, r.words, r.words, limbs_of(m.odd_part().r_squared).words,
                limbs_of(m.odd_part().modulus).words, m.template limb_inverse<std::uint32_t>());
        }
        return r;
    }
    // The form of a power whose remainder by the odd part is r.
    template <class Exponent>
    WARPINT_HOST_DEVICE static WARPINT_DEVICE_INLINE Form lifted(const Form &r, const Form &odd,
                                                                 int zeros, const Form &a,
                                                                 const Exponent &e, int shift) {
        constexpr int KE = Exponent::limbs_per_lane;
        const group g;
        lanes::Words<K, group> power;
        lanes::Words<K, group> modulus;
        lanes::Words<K, group> base;
        lanes::Words<KE, group> exponent;
        lanes::copy<K>(power.words, r.words);
        lanes::copy<K>(modulus.words, odd.words);
        lanes::shift_right<K>(g, base.words, a.words, shift);
        lanes::copy<KE>(exponent.words, e.words);
        power =
            lanes::detail::power_of_even_modulus<K, KE>(g, power, modulus, zeros, base, exponent);
        Form form;
        lanes::shift_left<K>(g, form.words, power.words, shift);
        return form;
    }
    template <class E, int Bits>
    WARPINT_HOST_DEVICE static WARPINT_DEVICE_INLINE Form power_of_value(const Form &a, const E &e,
                                                                         const Modulus<Bits> &m) {
        return of(warpint::pow(value(a, m), e, kind<Form>::functions::modulus(m)), m);
    }

    WARPINT_HOST_DEVICE static WARPINT_DEVICE_INLINE Form limbs_of(const std::uint32_t *limbs) {
        return warp_int::limbs_in_memory<Form, n>(limbs);
    }
    template <int Bits>
    WARPINT_HOST_DEVICE static WARPINT_DEVICE_INLINE Form form_modulus(const Modulus<Bits> &m) {
        return limbs_of(m.form_modulus());
    }

    // a b < m R for an odd m.
    template <int Bits>
    WARPINT_HOST_DEVICE static WARPINT_DEVICE_INLINE Form multiply(const Form &a, const Form &b,
                                                                   const Form &modulus,
                                                                   const Modulus<Bits> &m) {
        const group g;
        if (!m.is_odd())
            return detail::even_form_product(a, b, modulus, m.shift());
        Form r;
        lanes::montgomery_multiply<K, rows>(
            g, r.words, a.words, lanes::LimbsOfLanes<K, group>{g, b.words}, modulus.words,
            m.template limb_inverse<std::uint32_t>());
        lanes::subtract_if<K>(g, r.words, false, modulus.words);
        return r;
    }
};

} // namespace warpint::number
