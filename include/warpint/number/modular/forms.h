// SPDX-License-Identifier: Apache-2.0
// Arithmetic on the forms of residues of a Modulus (Residue::form()), without the residues: what
// formulas of residues compute with, for numbers in a thread here, over lanes in
// number/warp_int/forms.h. Forms are numbers below the modulus' form_modulus(), and so are results.
#pragma once

#include "../../arith/limbs/product/multiply.h"
#include "folded_modulus.h"
#include "power.h"
#include "residue.h"

namespace warpint::number {

// The form of residues of a Modulus<Bits>.
template <int Bits>
using form_t = typename Residue<Bits>::Form;

// Whether a GPU multiplies forms in registers, by code that reads the modulus where it lies.
// Shorter products are those of residues (combine_residues), longer ones lie in memory.
template <int Bits>
inline constexpr bool form_is_in_registers = (Modulus<Bits>::limb_count > inlined_even_limbs) &&
                                             (Modulus<Bits>::limb_count <= arith::register_limbs);

// A Modulus with what GPUs read of an even one for products of forms in registers: the folds of its
// form_modulus(). A formula holds one for all its elements.
template <int Bits>
using FoldedFormModulus = FoldedModulus<Bits, true>;

// The type in which a formula holds the modulus of residues.
template <int Bits>
using form_modulus_t =
    std::conditional_t<form_is_in_registers<Bits>, FoldedFormModulus<Bits>, Modulus<Bits>>;

// The limbs that a source gives, for registers.
template <int n, class B>
struct FactorLimbs {
    std::uint32_t limbs[n]{};
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE explicit FactorLimbs(const B &b) {
        WARPINT_UNROLL(n, arith::register_limbs)
        for (int i = 0; i < n; ++i)
            limbs[i] = b(i);
    }
};

// r = a b for forms in registers; b(i) gives limb i. r may be a.
template <int Bits, class B>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void
multiply_forms_in_registers(std::uint32_t *r, const std::uint32_t *a, const B &b,
                            const FoldedFormModulus<Bits> &m) {
    constexpr int n = Modulus<Bits>::limb_count;
    if (m.is_odd()) {
        const FactorLimbs<n, B> factor(b);
        std::uint32_t product[2 * n]{};
        arith::multiply<n, n>(&product[0], a, &factor.limbs[0]);
        arith::montgomery_reduce_alternate<n>(r, &product[0], m.form_modulus(),
                                              m.template limb_inverse<std::uint32_t>());
    } else { // a = x 2^s, b = y 2^s, modulo m 2^s: x b
        std::uint32_t x[n]{};
        arith::shift_right<n>(x, a, m.shift());
        arith::multiply_modulo_fold<n, arith::FoldTerm::none>(r, &x[0], b, &x[0], b, m.fold());
    }
}

// r = a b for forms; b(i) gives limb i.
template <int Bits, class B>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void multiply_forms(std::uint32_t *r,
                                                                 const std::uint32_t *a, const B &b,
                                                                 const form_modulus_t<Bits> &m) {
    if constexpr (WARPINT_DEVICE_PASS != 0 && form_is_in_registers<Bits>) {
        if (WARPINT_USES_PTX) {
            multiply_forms_in_registers<Bits>(r, a, b, m);
            return;
        }
    }
    const FactorLimbs<Modulus<Bits>::limb_count, B> factor(b);
    combine_residues<ResidueProduct>(r, a, &factor.limbs[0], static_cast<const Modulus<Bits> &>(m));
}

namespace detail {

// A power of forms, for PowerOfLimbs.
struct OfForms {
    template <int MaxWindow, arith::PowerMethod method, int L, class Limb, class Exponent, int Bits>
    WARPINT_HOST_DEVICE static constexpr WARPINT_INLINE void
    power(Limb *r, const Limb *base, const Exponent &e,
          const arith::MontgomeryContext<L, Limb> &context, const Modulus<Bits> &m) {
        if (m.is_odd()) {
            arith::copy<L>(r, base);
        } else { // a number times a power of two
            arith::shift_right<L>(r, base, m.shift());
            arith::montgomery_multiply<L>(r, r, context.r_squared, context.modulus,
                                          context.inverse);
        }
        arith::power_form<L, MaxWindow, method>(r, e, context, m.is_odd());
        if (!m.is_odd()) {
            limb::keep_arrays_apart();
            Limb number[L]{};
            arith::shift_right<L>(number, base, m.shift());
            arith::lift_to_even<L>(r, number, limbs_of(e), m.zeros(), context);
            arith::shift_left<L>(r, r, m.shift());
        }
    }
};

} // namespace detail

// Sums, products and the like of forms of type Form, and what leads to them and from them.
template <class Form>
struct FormArithmetic;

template <int FormBits>
struct FormArithmetic<BigInt<FormBits>> {
    using Form = BigInt<FormBits>;

    template <ModulusContext M>
    WARPINT_HOST_DEVICE static constexpr WARPINT_INLINE Form product(const Form &a, const Form &b,
                                                                     const M &m) {
        Form r{};
        if constexpr (WARPINT_DEVICE_PASS != 0 && form_is_in_registers<M::bits>) {
            multiply_forms<M::bits>(&r.limbs[0], &a.limbs[0], detail::LimbSource{&b.limbs[0]}, m);
        } else {
            combine_residues<ResidueProduct, M::bits>(r.limbs, a.limbs, b.limbs, m);
        }
        return r;
    }
    template <ModulusContext M>
    WARPINT_HOST_DEVICE static constexpr WARPINT_INLINE Form square(const Form &a, const M &m) {
        Form r{};
        if constexpr (WARPINT_DEVICE_PASS != 0 && form_is_in_registers<M::bits>) {
            if (WARPINT_USES_PTX) {
                if (m.is_odd()) {
                    arith::montgomery_square_alternate<Form::limb_count>(
                        &r.limbs[0], &a.limbs[0], m.form_modulus(),
                        m.template limb_inverse<std::uint32_t>());
                } else {
                    multiply_forms_in_registers<M::bits>(&r.limbs[0], &a.limbs[0],
                                                         detail::LimbSource{&a.limbs[0]}, m);
                }
                return r;
            }
        }
        combine_residues<ResidueSquare, M::bits>(r.limbs, a.limbs, a.limbs, m);
        return r;
    }
    template <int Bits>
    WARPINT_HOST_DEVICE static constexpr WARPINT_INLINE Form sum(const Form &a, const Form &b,
                                                                 const Modulus<Bits> &m) {
        Form r{};
        combine_residues<ResidueSum>(r.limbs, a.limbs, b.limbs, m);
        return r;
    }
    template <int Bits>
    WARPINT_HOST_DEVICE static constexpr WARPINT_INLINE Form difference(const Form &a,
                                                                        const Form &b,
                                                                        const Modulus<Bits> &m) {
        Form r{};
        combine_residues<ResidueDifference>(r.limbs, a.limbs, b.limbs, m);
        return r;
    }
    // Of any number.
    template <AnyNumber X, int Bits>
    WARPINT_HOST_DEVICE static constexpr WARPINT_INLINE Form of(const X &x,
                                                                const Modulus<Bits> &m) {
        return Residue<Bits>(x, m).form();
    }
    // The number in [0, m) that a form stands for.
    template <int Bits>
    WARPINT_HOST_DEVICE static constexpr WARPINT_INLINE BigInt<Bits> value(const Form &a,
                                                                           const Modulus<Bits> &m) {
        return Residue<Bits>::from_form(a, m).value();
    }
    // The power by a number e >= 0, or by the schedule of an exponent that all share.
    template <int E, int Bits>
    WARPINT_HOST_DEVICE static constexpr WARPINT_INLINE Form power(const Form &a,
                                                                   const BigInt<E> &e,
                                                                   const Modulus<Bits> &m) {
        constexpr int window = power_window(E, Form::limb_count, power_table_bytes, power_method);
        return detail::power_on_limbs<detail::OfForms, Form, window, power_method>(
            a, arith::ExponentLimbs{&e.limbs[0], BigInt<E>::limb_count}, m);
    }
    template <int E, int Bits>
    WARPINT_HOST_DEVICE static constexpr WARPINT_INLINE Form power(const Form &a,
                                                                   const arith::PowerSchedule<E> &e,
                                                                   const Modulus<Bits> &m) {
        constexpr auto method = arith::PowerMethod::sliding_windows;
        constexpr int window = schedule_window(E, Form::limb_count, WARPINT_DEVICE_PASS != 0);
        return detail::power_on_limbs<detail::OfForms, Form, window, method>(a, &e, m);
    }
    template <AnyNumber E, int Bits>
    WARPINT_HOST_DEVICE static constexpr WARPINT_INLINE Form power(const Form &a, const E &e,
                                                                   const Modulus<Bits> &m) {
        return power(a, to<BigInt<bits_of<E>>>(as_number(e)), m);
    }
    template <int Bits>
    WARPINT_HOST_DEVICE static constexpr WARPINT_INLINE Optional<Form>
    inverse(const Form &a, const Modulus<Bits> &m) {
        const auto found = Residue<Bits>::from_form(a, m).inverted();
        return Optional<Form>((*found).form(), found.has_value());
    }
};

// ---- the ring of a modulus

// What stands for the modulus of numbers where the operands are forms: the modular functions below
// take it as their last argument, and give forms. Their operands are forms of one kind: in a thread
// or over lanes.
template <int Bits>
struct FormRing {
    const form_modulus_t<Bits> &modulus;
};

template <class T>
inline constexpr bool is_ring = false;
template <int Bits>
inline constexpr bool is_ring<FormRing<Bits>> = true;

namespace detail {

template <int Bits, class... Operands>
using form_of_t = like_t<form_t<Bits>, Operands...>;

} // namespace detail

#define WARPINT_IN_RING(name, function)                                                            \
    template <class A, class B, int Bits>                                                          \
    [[nodiscard]] WARPINT_HOST_DEVICE constexpr WARPINT_DEVICE_INLINE auto name(                   \
        const A &a, const B &b, const FormRing<Bits> &ring) {                                      \
        using Form = detail::form_of_t<Bits, A, B>;                                                \
        return FormArithmetic<Form>::function(to<Form>(a), to<Form>(b), ring.modulus);             \
    }
WARPINT_IN_RING(addmod, sum)
WARPINT_IN_RING(submod, difference)
WARPINT_IN_RING(mulmod, product)
#undef WARPINT_IN_RING
template <class A, int Bits>
[[nodiscard]]
WARPINT_HOST_DEVICE constexpr WARPINT_DEVICE_INLINE auto sqrmod(const A &a,
                                                                const FormRing<Bits> &ring) {
    return FormArithmetic<detail::form_of_t<Bits, A>>::square(a, ring.modulus);
}
template <class A, class B, class C, int Bits>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr WARPINT_DEVICE_INLINE auto
muladdmod(const A &a, const B &b, const C &c, const FormRing<Bits> &ring) {
    return addmod(mulmod(a, b, ring), c, ring);
}
template <class A, class B, class C, int Bits>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr WARPINT_DEVICE_INLINE auto
mulsubmod(const A &a, const B &b, const C &c, const FormRing<Bits> &ring) {
    return submod(mulmod(a, b, ring), c, ring);
}
// The form of any number, and the number in [0, m) that a form stands for.
template <class A, int Bits>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr WARPINT_DEVICE_INLINE auto
form_of_number(const A &a, const FormRing<Bits> &ring) {
    return FormArithmetic<detail::form_of_t<Bits, A>>::of(a, ring.modulus);
}
template <class A, int Bits>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr WARPINT_DEVICE_INLINE auto
value_of_form(const A &a, const FormRing<Bits> &ring) {
    return FormArithmetic<detail::form_of_t<Bits, A>>::value(a, ring.modulus);
}
// e >= 0: a number, or the schedule of an exponent that all share.
template <class A, class E, int Bits>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr WARPINT_DEVICE_INLINE auto
pow(const A &a, const E &e, const FormRing<Bits> &ring) {
    using Form = detail::form_of_t<Bits, A, E>;
    return FormArithmetic<Form>::power(to<Form>(a), e, ring.modulus);
}
template <class A, int Bits>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr WARPINT_DEVICE_INLINE auto
inverse(const A &a, const FormRing<Bits> &ring) {
    return FormArithmetic<detail::form_of_t<Bits, A>>::inverse(a, ring.modulus);
}

} // namespace warpint::number
