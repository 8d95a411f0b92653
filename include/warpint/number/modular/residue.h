// SPDX-License-Identifier: Apache-2.0
// A number modulo a Modulus<Bits>, with the operators of numbers.
#pragma once

#include "inverse.h"
#include "power.h"
#include "residue_operators.h"

#if WARPINT_HOSTED
#include <stdexcept>
#endif

namespace warpint {

#if WARPINT_HOSTED
// Thrown for residues of different moduli in one operation or formula, or without a modulus.
class wrong_modulus : public std::invalid_argument {
public:
    using std::invalid_argument::invalid_argument;
};
#endif

namespace number {

// The constants of the modulus for operations on residues, in machine limbs.
template <class Limb>
struct ResidueConstants {
    const Limb *modulus;    // odd: m; even: m shifted up
    const Limb *reciprocal; // even: Barrett's
    Limb inverse;           // odd: -m^-1 mod B
    int shift;              // even
    bool is_odd;
};

struct ResidueSum {
    static constexpr bool divides = false;
    template <int N, class Limb>
    WARPINT_HOST_DEVICE static constexpr WARPINT_INLINE void
    run(Limb *r, const Limb *a, const Limb *b, const ResidueConstants<Limb> &m) {
        arith::add_modulo<N>(r, a, b, m.modulus);
    }
};
struct ResidueDifference {
    static constexpr bool divides = false;
    template <int N, class Limb>
    WARPINT_HOST_DEVICE static constexpr WARPINT_INLINE void
    run(Limb *r, const Limb *a, const Limb *b, const ResidueConstants<Limb> &m) {
        arith::subtract_modulo<N>(r, a, b, m.modulus);
    }
};

template <int N, class Limb>
WARPINT_HOST_DEVICE WARPINT_NOINLINE constexpr void
barrett_multiply_outlined(Limb *r, const Limb *a, const Limb *b, const Limb *m,
                          const Limb *reciprocal, int shift) {
    arith::barrett_multiply<N>(r, a, b, m, reciprocal, shift);
}

struct ResidueProduct {
    static constexpr bool divides = true; // by R if m is odd
    template <int N, class Limb>
    WARPINT_HOST_DEVICE static constexpr WARPINT_INLINE void
    run(Limb *r, const Limb *a, const Limb *b, const ResidueConstants<Limb> &m) {
        if (m.is_odd) {
            arith::montgomery_multiply<N>(r, a, b, m.modulus, m.inverse);
        } else if constexpr (N <= inlined_even_limbs) {
            arith::barrett_multiply<N>(r, a, b, m.modulus, m.reciprocal, m.shift);
        } else {
            limb::keep_arrays_apart();
            barrett_multiply_outlined<N>(r, a, b, m.modulus, m.reciprocal, m.shift);
        }
    }
};

struct ResidueSquare { // b is a
    static constexpr bool divides = true;
    template <int N, class Limb>
    WARPINT_HOST_DEVICE static constexpr WARPINT_INLINE void
    run(Limb *r, const Limb *a, const Limb *b, const ResidueConstants<Limb> &m) {
        if (m.is_odd) {
            arith::montgomery_square<N>(r, a, m.modulus, m.inverse);
        } else {
            ResidueProduct::run<N>(r, a, b, m);
        }
    }
};

// Limbs that device code copies before a product if they fit registers. A load inside a carry chain
// would split a wide product, and would be repeated for every use. With zeros up to Room.
template <int N, int Room = N>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE auto factor(const std::uint32_t *limbs) {
    if constexpr (N < Room || N <= arith::register_limbs) {
        return copied_input<N, Room>(limbs);
    } else {
        return input<N>(limbs);
    }
}

// a operation b for forms of a modulus of at most n limbs: they are so short too, and lie in the
// lowest limbs if it is odd, else in the highest, as do its constants in a type of n limbs. Only a
// Montgomery product there lacks a division by a power of the base. For hosts.
template <class Operation, int n, int Bits>
WARPINT_NOINLINE BigInt<32 * n> combined_short(const std::uint32_t *a, const std::uint32_t *b,
                                               const Modulus<Bits> &m) {
    constexpr int above = Modulus<Bits>::limb_count - n;
    const int first = m.is_odd() ? 0 : above;
    BigInt<32 * n> r;
    on_machine_limbs(
        [&m]<class Limb>(Limb *z, const Limb *x, const Limb *y, const Limb *modulus,
                         const Limb *reciprocal) WARPINT_INLINE_LAMBDA {
            constexpr int length = machine_limbs<n, Limb>;
            const Limb inverse = m.template limb_inverse<Limb>();
            Operation::template run<length>(z, x, y,
                                            ResidueConstants<Limb>{modulus, reciprocal, inverse,
                                                                   m.shift() - 32 * above,
                                                                   m.is_odd()});
            if constexpr (Operation::divides) {
                if (m.is_odd())
                    arith::detail::divide_by_limbs<length>(z, modulus, inverse,
                                                           machine_limbs<above, Limb>);
            }
        },
        cleared_output<n>(r.limbs), input<n>(a + first), input<n>(b + first),
        input<n>(m.form_modulus() + first), input<n>(m.reciprocal() + above));
    return r;
}
// Of a modulus that is_short(). Where half of the limbs will do, a product of residues of
// Modulus<4096> takes 0.13 us instead of 0.24.
template <class Operation, int Bits>
ShortNumber combined_short(const std::uint32_t *a, const std::uint32_t *b, const Modulus<Bits> &m) {
    constexpr int n = ShortNumber::limb_count;
    if (Operation::divides && m.is_odd() &&
        m.shift() >= 32 * Modulus<Bits>::limb_count - short_bits / 2)
        return combined_short<Operation, n / 2>(a, b, m);
    return combined_short<Operation, n>(a, b, m);
}

// r = a operation b for forms of limb_count limbs. r may be a or b.
template <class Operation, int Bits>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void
combine_residues(std::uint32_t *r, const std::uint32_t *a, const std::uint32_t *b,
                 const Modulus<Bits> &m) {
    constexpr int n = Modulus<Bits>::limb_count;
    if constexpr (may_be_short<BigInt<Bits>>) {
        if (are_short(m)) {
            constexpr int used = ShortNumber::limb_count;
            const ShortNumber result = combined_short<Operation>(a, b, m);
            arith::set_zero<n>(r);
            arith::copy<used>(m.is_odd() ? r : r + n - used, result.limbs);
            return;
        }
    }
    on_machine_limbs(
        [&m]<class Limb>(Limb *z, const Limb *x, const Limb *y, const Limb *modulus,
                         const Limb *reciprocal) WARPINT_INLINE_LAMBDA {
            Operation::template run<machine_limbs<n, Limb>>(
                z, x, y,
                ResidueConstants<Limb>{modulus, reciprocal, m.template limb_inverse<Limb>(),
                                       m.shift(), m.is_odd()});
        },
        cleared_output<n>(r), factor<n>(a), factor<n>(b), factor<n>(m.form_modulus()),
        input<n>(m.reciprocal()));
}

// Products with built-in factors below this are sums of the residue.
inline constexpr unsigned small_factor_limit = 16;

} // namespace number

// x modulo m, made by `m(x)` from a Modulus<Bits> m, which must outlive it and stay where it is: a
// residue refers to its modulus. For odd m it is in Montgomery form, where a product costs about
// two plain ones of the modulus' size; for even m it uses Barrett reduction. Trivially copyable,
// but meaningful only where its Modulus has the same address: a kernel must make its own residues,
// from a Modulus in a parameter, in shared memory or in local memory. After inlining the reference
// costs nothing there.
//
//   const Modulus<256> m(p);
//   auto x = m(a);                      // a: any number, unreduced, negative or built-in
//   auto y = x * x + 3;
//   BigInt<256> r = pow(y, e).value();  // in [0, m)
//
// `Residue<256> x;` is not initialised and refers to nothing.
template <int Bits>
class Residue {
public:
    static constexpr int bits = Bits;
    static constexpr int limb_count = Modulus<Bits>::limb_count;

    Residue() = default;

    // The same as m(x).
    template <AnyNumber T>
    WARPINT_HOST_DEVICE constexpr Residue(const T &x, const Modulus<Bits> &m)
        : form_{}, modulus_{&m} {
        if constexpr (BuiltinInteger<T>) {
            if (m.is_odd() && set_small(x))
                return;
        }
        set(number::as_number(x));
    }
    template <AnyNumber T>
    Residue(const T &x,
            Modulus<Bits> &&m) = delete; // give the Modulus a name: residues refer to it
    template <AnyNumber T, AnyNumber make_a_Modulus_of_it_const_Modulus_256_m_p>
    Residue(const T &, const make_a_Modulus_of_it_const_Modulus_256_m_p &)
        WARPINT_REFUSED("a residue refers to a Modulus: const Modulus<256> m(p); auto x = m(5);");

    // For this library: assigning a number is an error, declared for its diagnostic.
    template <AnyNumber T>
    WARPINT_HOST_DEVICE constexpr Residue &operator=(const T &) {
        static_assert(sizeof(T) == 0,
                      "a plain number has no modulus: write r = m(5) with a Modulus m, "
                      "or r = Residue(5, m)");
        return *this;
    }

    // A residue for another modulus; this is here for its message.
    template <limb::Advice instead = "write m(x.value()) for x modulo another modulus m",
              AnyResidue Other>
        requires(!std::is_same_v<Other, Residue>)
    Residue(const Other &) WARPINT_REFUSED("write m(x.value()) for x modulo another modulus m");

    // For this library: converting to a number is an error, declared for its diagnostic.
    template <BigNumber write_x_value_for_the_number>
    operator write_x_value_for_the_number() const WARPINT_REFUSED("write x.value() for the number");

    // The number in [0, m). Costs a product if m is odd.
    [[nodiscard]] WARPINT_HOST_DEVICE constexpr BigInt<Bits> value() const {
        if constexpr (number::may_be_short<BigInt<Bits>>) {
            if (has_short_modulus())
                return number::to<BigInt<Bits>>(short_value());
        }
        std::uint32_t plain[limb_count]{};
        if (modulus_->is_odd()) {
            std::uint32_t unit[limb_count]{};
            unit[0] = 1;
            number::combine_residues<number::ResidueProduct>(plain, form_, unit, *modulus_);
        } else {
            arith::shift_right<limb_count>(plain, form_, modulus_->shift());
        }
        BigInt<Bits> r;
        arith::copy<BigInt<Bits>::limb_count>(r.limbs, plain);
        return r;
    }

    // The Modulus that the residue refers to.
    [[nodiscard]] WARPINT_HOST_DEVICE constexpr const Modulus<Bits> &modulus() const {
        return *modulus_;
    }

    // For this library: the form that operations compute with, below the modulus' form_modulus().
    using Form = BigInt<32 * limb_count>;
    [[nodiscard]] WARPINT_HOST_DEVICE constexpr WARPINT_INLINE Form form() const {
        Form r;
        arith::copy<limb_count>(r.limbs, form_);
        return r;
    }
    // For this library: the residue with that form. It refers to m.
    [[nodiscard]] WARPINT_HOST_DEVICE static constexpr WARPINT_INLINE Residue
    from_form(const Form &form, const Modulus<Bits> &m) {
        Residue r(&m);
        arith::copy<limb_count>(r.form_, form.limbs);
        return r;
    }

    // For this library: the parts that residue_operators.h is made of.
    template <AnyNumber T>
    [[nodiscard]] WARPINT_HOST_DEVICE constexpr Residue like(const T &x) const {
        return Residue(x, *modulus_);
    }
    [[nodiscard]] WARPINT_HOST_DEVICE constexpr Residue zero() const { return Residue(modulus_); }
    template <int E>
    [[nodiscard]] WARPINT_HOST_DEVICE constexpr Residue raised(const BigInt<E> &e) const {
        // A short exponent is not worth leaving the form, but where the modulus is short.
        if (!WARPINT_USES_PTX && !has_short_modulus()) {
            const int width = arith::bit_width<BigInt<E>::limb_count>(e.limbs);
            if (width != 0 && width <= number::short_exponent_bits)
                return number::short_power(*this, e.limbs[0], width);
        }
        return like(warpint::pow(value(), e, *modulus_));
    }
    [[nodiscard]] WARPINT_HOST_DEVICE constexpr Optional<Residue> inverted() const {
        const auto found = warpint::inverse(value(), *modulus_);
        return found ? Optional<Residue>(like(*found)) : Optional<Residue>(zero(), false);
    }
    WARPINT_HOST_DEVICE static constexpr Residue sum(const Residue &a, const Residue &b) {
        return combine<number::ResidueSum>(a, b);
    }
    WARPINT_HOST_DEVICE static constexpr Residue difference(const Residue &a, const Residue &b) {
        return combine<number::ResidueDifference>(a, b);
    }
    WARPINT_HOST_DEVICE static constexpr Residue product(const Residue &a, const Residue &b) {
        return combine<number::ResidueProduct>(a, b);
    }
    WARPINT_HOST_DEVICE static constexpr Residue square(const Residue &a) {
        return combine<number::ResidueSquare>(a, a);
    }
    WARPINT_HOST_DEVICE static constexpr bool equal(const Residue &a, const Residue &b) {
        require_same(a, b);
        return arith::equal<limb_count>(a.form_, b.form_);
    }
    // Exchanges two residues, which may have different moduli. Constant time.
    friend WARPINT_HOST_DEVICE constexpr void swap(Residue &a, Residue &b) noexcept {
        const Residue before = a;
        a = b;
        b = before;
    }
    // Throws wrong_modulus, on the host, for residues of different moduli.
    WARPINT_HOST_DEVICE static constexpr void require_same([[maybe_unused]] const Residue &a,
                                                           [[maybe_unused]] const Residue &b) {
#if !WARPINT_DEVICE_PASS
        if (a.modulus_ != b.modulus_ && a.modulus_->value() != b.modulus_->value())
            throw wrong_modulus("warpint: residues of different moduli");
#endif
    }

private:
    WARPINT_HOST_DEVICE constexpr explicit Residue(const Modulus<Bits> *m) : form_{}, modulus_{m} {}

    template <class Operation>
    WARPINT_HOST_DEVICE static constexpr WARPINT_INLINE Residue combine(const Residue &a,
                                                                        const Residue &b) {
        require_same(a, b);
        Residue r;
        if constexpr (WARPINT_DEVICE_PASS != 0) {
            r = a.zero();
        } else { // writing zeros takes as long as a sum
            r.modulus_ = a.modulus_;
        }
        number::combine_residues<Operation>(r.form_, a.form_, b.form_, *a.modulus_);
        return r;
    }

    // On input: the form is 0.
    template <BigNumber X>
    WARPINT_HOST_DEVICE constexpr void set(const X &x) {
        const Modulus<Bits> &m = *modulus_;
        if constexpr (number::may_be_short<BigInt<Bits>>) {
            if (has_short_modulus()) {
                set_short(number::shortened(m), x);
                return;
            }
        }
        if constexpr (X::bits <= 32 * limb_count) { // Montgomery products take any such operand
            if (m.is_odd()) {
                const auto magnitude = number::magnitude(x);
                arith::copy<X::limb_count>(form_, magnitude.limbs);
                number::combine_residues<number::ResidueProduct>(form_, form_,
                                                                 m.odd_part().r_squared, m);
                negate_if(number::is_negative(x));
                return;
            }
        } else {
            if (m.is_odd()) {
                set(number::remainder(x, m));
                return;
            }
        }
        number::scaled_form(form_, x, m);
    }

    [[nodiscard]] WARPINT_HOST_DEVICE constexpr bool has_short_modulus() const {
        if constexpr (number::may_be_short<BigInt<Bits>>)
            return number::are_short(*modulus_);
        return false;
    }
    // The number of a short modulus.
    [[nodiscard]] WARPINT_HOST_DEVICE constexpr number::ShortNumber short_value() const {
        constexpr int n = number::ShortNumber::limb_count;
        constexpr int above = limb_count - n;
        if (modulus_->is_odd()) {
            const number::ShortNumber unit = 1u;
            return number::combined_short<number::ResidueProduct>(form_, unit.limbs, *modulus_);
        }
        number::ShortNumber r;
        arith::shift_right<n>(r.limbs, form_ + above, modulus_->shift() - 32 * above);
        return r;
    }
    // The form of the residue of x, likewise.
    template <BigNumber X>
    WARPINT_HOST_DEVICE constexpr void set_short(const number::ShortNumber &m, const X &x) {
        constexpr int n = number::ShortNumber::limb_count;
        constexpr int above = limb_count - n;
        const number::ShortNumber value = x % m;
        if (modulus_->is_odd()) {
            number::ShortNumber one;
            arith::copy<n>(one.limbs, modulus_->odd_part().one);
            const number::ShortNumber form = mulmod(value, one, m);
            arith::copy<n>(form_, form.limbs);
        } else {
            arith::shift_left<n>(form_ + above, value.limbs, modulus_->shift() - 32 * above);
        }
    }

    WARPINT_HOST_DEVICE constexpr void negate_if(bool condition) {
        if (condition) {
            const std::uint32_t zero[limb_count]{};
            number::combine_residues<number::ResidueDifference>(form_, zero, form_, *modulus_);
        }
    }

    // The form of a small x for odd m, by adding up the form of 1. Returns whether x was small.
    // With a constant x this takes a handful of instructions instead of a product.
    template <BuiltinInteger T>
    WARPINT_HOST_DEVICE constexpr bool set_small(T x) {
        using Unsigned =
            std::conditional_t<(sizeof(T) > 4), typename number::unsigned_integer<sizeof(T)>::type,
                               std::uint32_t>;
        bool negative = false;
        if constexpr (number::signed_of<T>)
            negative = x < 0;
        const Unsigned k =
            negative ? Unsigned{0} - static_cast<Unsigned>(x) : static_cast<Unsigned>(x);
        if (k >= number::small_factor_limit)
            return false;
        const std::uint32_t *const one = modulus_->odd_part().one;
        bool started = false;
        WARPINT_UNROLL(4, 4)
        for (int bit = 3; bit >= 0; --bit) {
            if (started)
                number::combine_residues<number::ResidueSum>(form_, form_, form_, *modulus_);
            if ((k >> bit & 1u) != 0) {
                if (started) {
                    number::combine_residues<number::ResidueSum>(form_, form_, one, *modulus_);
                } else {
                    arith::copy<limb_count>(form_, one);
                }
                started = true;
            }
        }
        negate_if(negative);
        return true;
    }

    alignas(number::alignment<32 * limb_count>) std::uint32_t form_[limb_count];
    const Modulus<Bits> *modulus_;
};

namespace number {

template <int Bits>
inline constexpr bool is_residue<Residue<Bits>> = true;

} // namespace number

template <int Bits>
template <AnyNumber T>
WARPINT_HOST_DEVICE constexpr Residue<Bits> Modulus<Bits>::operator()(const T &x) const & {
    return Residue<Bits>(x, *this);
}

} // namespace warpint
