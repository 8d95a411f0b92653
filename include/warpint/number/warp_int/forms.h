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
    WARPINT_HOST_DEVICE static WARPINT_LANES_INLINE Form product(const Form &a, const Form &b,
                                                                 const Modulus<Bits> &m) {
        return multiply(a, b, form_modulus(m), m);
    }
    template <int Bits>
    WARPINT_HOST_DEVICE static WARPINT_LANES_INLINE Form square(const Form &a,
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
    WARPINT_HOST_DEVICE static WARPINT_LANES_INLINE Form sum(const Form &a, const Form &b,
                                                             const Modulus<Bits> &m) {
        Form r;
        const bool over = lanes::add<K>(group{}, r.words, a.words, b.words);
        lanes::subtract_if<K>(group{}, r.words, over, form_modulus(m).words);
        return r;
    }
    template <int Bits>
    WARPINT_HOST_DEVICE static WARPINT_LANES_INLINE Form difference(const Form &a, const Form &b,
                                                                    const Modulus<Bits> &m) {
        Form r;
        Form raised;
        const bool below = lanes::subtract<K>(group{}, r.words, a.words, b.words);
        lanes::add<K>(group{}, raised.words, r.words, form_modulus(m).words);
        return warp_int::select(below, raised, r);
    }
    template <Held X, int Bits>
    WARPINT_HOST_DEVICE static WARPINT_LANES_INLINE Form of(const X &x, const Modulus<Bits> &m) {
        using Number = BasicWarpInt<Bits, Lanes, together, false>;
        using Kind = kind<Form>;
        const Form modulus = form_modulus(m);
        Form r;
        if (m.is_odd() && !signed_of<scalar_t<X>> && bits_of<scalar_t<X>> <= FormBits) {
            r = number::to<Form>(x); // need not be reduced
        } else {
            r = number::to<Form>(
                warp_int::reduce(number::in_kind<Kind>(x), Number(Kind::modulus(m))));
        }
        if (m.is_odd())
            return multiply(r, limbs_of(m.odd_part().r_squared), modulus, m);
        lanes::shift_left<K>(group{}, r.words, r.words, m.shift());
        return r;
    }
    template <int Bits>
    WARPINT_HOST_DEVICE static WARPINT_LANES_INLINE BasicWarpInt<Bits, Lanes, together, false>
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
    WARPINT_HOST_DEVICE static WARPINT_LANES_INLINE Optional<Form> inverse(const Form &a,
                                                                           const Modulus<Bits> &m) {
        const auto found = warpint::inverse(value(a, m), kind<Form>::modulus(m));
        return Optional<Form>(of(*found, m), found.has_value());
    }

    // The power by a number, or by the schedule of an exponent that all share.
    template <class E, int Bits>
    WARPINT_HOST_DEVICE static WARPINT_LANES_INLINE Form power(const Form &a, const E &e,
                                                               const Modulus<Bits> &m) {
        if constexpr (rows == 0 || Bits + 2 <= FormBits) { // as lanes::montgomery_multiply needs
            if (m.is_odd()) {
                const Form one = limbs_of(m.odd_part().one);
                return raise(lanes::detail::PowerOfForm<K, rows, group>{a.words, one.words}, e,
                             form_modulus(m));
            }
        }
        if constexpr (requires { e.steps; }) {
            return power_of_value_by(a, &e, &m);
        } else {
            return power_of_value(a, number::in_kind<kind<Form>>(e), &m);
        }
    }

private:
    template <class Of, Held E>
    WARPINT_HOST_DEVICE static WARPINT_LANES_INLINE Form raise(const Of &of, const E &e,
                                                               const Form &modulus) {
        const auto &exponent = number::in_kind<kind<Form>>(e);
        using Exponent = std::remove_cvref_t<decltype(exponent)>;
        Form r;
        lanes::power_odd_of<K, lanes::power_window(K, Exponent::bits), Exponent::limbs_per_lane,
                            rows>(group{}, r.words, of, exponent.words, modulus.words);
        return r;
    }
    template <class Of, int E>
    WARPINT_HOST_DEVICE static WARPINT_LANES_INLINE Form
    raise(const Of &of, const arith::PowerSchedule<E> &schedule, const Form &modulus) {
        constexpr int window = number::schedule_window(E, n, true);
        Form r;
        lanes::power_odd_of_by_steps<K, window, rows>(group{}, r.words, of,
                                                      arith::ScheduledSteps<E>{schedule},
                                                      schedule.window, modulus.words);
        return r;
    }
    // Out of line, for even moduli.
    template <class E, int Bits>
    WARPINT_HOST_DEVICE WARPINT_DEVICE_NOINLINE static Form power_of_value(Form a, E e,
                                                                           const Modulus<Bits> *m) {
        return of(warpint::pow(value(a, *m), e, kind<Form>::modulus(*m)), *m);
    }
    template <class E, int Bits>
    WARPINT_HOST_DEVICE WARPINT_DEVICE_NOINLINE static Form
    power_of_value_by(Form a, const E *e, const Modulus<Bits> *m) {
        return of(warpint::pow(value(a, *m), *e, kind<Form>::modulus(*m)), *m);
    }

    // A number that lies in memory for all: every lane reads its own limbs.
    WARPINT_HOST_DEVICE static WARPINT_LANES_INLINE Form limbs_of(const std::uint32_t *limbs) {
        const group g;
        const std::uint32_t *const memory = g.as_memory(limbs);
        Form r;
        WARPINT_UNROLL(K, K)
        for (int i = 0; i < K; ++i)
            r.words[i] = g.template load_limb<K>(memory, n, i, 0u);
        return r;
    }
    template <int Bits>
    WARPINT_HOST_DEVICE static WARPINT_LANES_INLINE Form form_modulus(const Modulus<Bits> &m) {
        return limbs_of(m.form_modulus());
    }

    // a b < m R for an odd m.
    template <int Bits>
    WARPINT_HOST_DEVICE static WARPINT_LANES_INLINE Form multiply(const Form &a, const Form &b,
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
