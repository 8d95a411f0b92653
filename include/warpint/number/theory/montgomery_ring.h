// SPDX-License-Identifier: Apache-2.0
// The ring of a thread or a host: limb arrays in Montgomery form. Variable time.
#pragma once

#include "../../arith/limbs/division/divide_schoolbook.h"
#include "../../arith/limbs/gcd/gcd.h"
#include "../../arith/limbs/power/power.h"
#include "../../arith/limbs/prime/words.h"
#include "../../arith/limbs/reduction/modular_sum.h"
#include "ring.h"

namespace warpint::theory {

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
            arith::shift_right<N>(shifted, number, shift);
        for (int bit = 0; bit < N * width; bit += width < 32 ? width : 32)
            limbs[bit / 32] |= static_cast<std::uint32_t>(shifted[bit / width] >> (bit % width))
                               << (bit % 32);
    }
};

// x = x^e in Montgomery form, e the bits of `number` from `shift` on. One function for all powers:
// out of line in device code.
template <int N, int MaxWindow, class Limb>
WARPINT_HOST_DEVICE WARPINT_NOINLINE constexpr void
power_to_shifted(Limb *x, const Limb *number, int shift,
                 const arith::MontgomeryContext<N, Limb> &context) {
    const ShiftedExponent<N, Limb> exponent(number, shift);
    arith::montgomery_power<N, MaxWindow>(x, exponent.limbs, ShiftedExponent<N, Limb>::limb_count,
                                          context);
}

} // namespace detail

// Numbers modulo m, odd and > 1, of N limbs of any type. Powers take windows of up to Window bits.
template <int N, int Window, class Limb>
class MontgomeryRing {
public:
    struct element {
        Limb limbs[N];
    };
    struct Bits {
        Limb limbs[N]; // a copy, so that the modulus may stay in registers

        WARPINT_HOST_DEVICE constexpr WARPINT_INLINE bool operator[](int position) const {
            constexpr int width = limb::limb_bits<Limb>;
            return ((limbs[position / width] >> (position % width)) & 1u) != 0;
        }
    };
    static constexpr bool runs_together = false;
    static constexpr bool follows_length = arith::follows_length<N, Limb>;
    static constexpr std::uint32_t largest_small = sizeof(Limb) == 1 ? 255 : 65535;

    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE explicit MontgomeryRing(const Limb *m)
        : context_{} {
        arith::copy<N>(context_.modulus, m);
        arith::prepare<N>(context_);
    }

    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void multiply(element &r, const element &a,
                                                               const element &b) const {
        arith::detail::multiply_form<N, arith::Headroom::none, arith::product_rows<N>>(
            r.limbs, a.limbs, b.limbs, context_);
    }
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void square(element &r, const element &a) const {
        arith::detail::square_form<N>(r.limbs, a.limbs, context_);
    }
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void subtract(element &r, const element &a,
                                                               const element &b) const {
        if constexpr (follows_length) {
            if (limb::sub_row(r.limbs, a.limbs, b.limbs, context_.length) != 0)
                limb::add_row(r.limbs, r.limbs, context_.modulus, context_.length);
        } else {
            arith::subtract_modulo<N>(r.limbs, a.limbs, b.limbs, context_.modulus);
        }
    }
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void double_where(element &r,
                                                                   bool condition) const {
        if constexpr (follows_length) {
            if (condition)
                arith::detail::double_modulo_row(r.limbs, context_.modulus, context_.length);
        } else {
            if (condition)
                arith::double_modulo<N>(r.limbs, context_.modulus);
        }
    }
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void negate(element &r, const element &a) const {
        limb::sub<N>(r.limbs, context_.modulus, a.limbs);
    }
    WARPINT_HOST_DEVICE constexpr bool divide(element &r, const element &a, std::uint32_t q) const {
        if (q == 1) {
            r = a;
            return true;
        }
        // (a + t m) / q is an integer for some t, unless q and m have a common factor.
        const auto divisor = arith::prepare_divisor(static_cast<Limb>(q));
        const std::uint32_t t =
            arith::multiple_to_divide(remainder(a.limbs, divisor), remainder(q), q);
        if (t == q)
            return false;
        Limb sum[N + 1]{};
        arith::copy<N>(sum, a.limbs);
        sum[N] = limb::multiply_add_row(sum, context_.modulus, N, static_cast<Limb>(t));
        arith::divide_row_by_limb(sum, sum, N + 1, divisor);
        arith::copy<N>(r.limbs, sum);
        return true;
    }
    WARPINT_HOST_DEVICE constexpr void raise(element &r, int shift) const {
        detail::power_to_shifted<N, Window>(r.limbs, context_.modulus, shift, context_);
    }
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void
    choose(element &r, bool condition, const element &a, const element &b) const {
        arith::select<N>(r.limbs, condition, a.limbs, b.limbs);
    }
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE bool equal(const element &a,
                                                            const element &b) const {
        if constexpr (follows_length) {
            int i = context_.length - 1;
            while (i >= 0 && a.limbs[i] == b.limbs[i])
                --i;
            return i < 0;
        }
        return arith::equal<N>(a.limbs, b.limbs);
    }
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE bool is_zero(const element &a) const {
        return arith::is_zero<N>(a.limbs);
    }
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE bool less(const element &a,
                                                           const element &b) const {
        return arith::less<N>(a.limbs, b.limbs);
    }
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE element one() const {
        element r{};
        arith::copy<N>(r.limbs, context_.one);
        return r;
    }
    WARPINT_HOST_DEVICE constexpr element small(std::uint32_t value) const {
        element r{};
        for (int i = 0; i < N && i * limb::limb_bits<Limb> < 32; ++i)
            r.limbs[i] = static_cast<Limb>(value >> (i * limb::limb_bits<Limb> % 32));
        enter(r);
        return r;
    }
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void enter(element &r) const {
        if constexpr (follows_length) {
            const element a = r;
            arith::detail::enter_form<N>(r.limbs, a.limbs, context_);
            for (int i = context_.length; i < N; ++i)
                r.limbs[i] = 0;
        } else {
            arith::montgomery_multiply<N>(r.limbs, r.limbs, context_.r_squared, context_.modulus,
                                          context_.inverse);
        }
    }
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void leave(element &r) const {
        element unit{};
        unit.limbs[0] = 1;
        multiply(r, r, unit);
    }
    // The form, R times the number, has the number's symbol: R is a power of 4.
    WARPINT_HOST_DEVICE constexpr int jacobi(const element &a) const {
        Limb x[N]{};
        Limb modulus[N]{};
        arith::copy<N>(x, a.limbs);
        arith::copy<N>(modulus, context_.modulus);
        return arith::jacobi<N>(x, modulus);
    }

    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE Bits bits() const {
        Bits r{};
        arith::copy<N>(r.limbs, context_.modulus);
        return r;
    }
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE int width() const {
        return arith::bit_width<N>(context_.modulus);
    }
    WARPINT_HOST_DEVICE constexpr int zeros_below() const {
        Limb even[N]{};
        arith::copy<N>(even, context_.modulus);
        even[0] = static_cast<Limb>(even[0] - 1u);
        return arith::countr_zero<N>(even);
    }
    WARPINT_HOST_DEVICE constexpr int zeros_above() const {
        Limb complement[N]{};
        for (int i = 0; i < N; ++i)
            complement[i] = static_cast<Limb>(~context_.modulus[i]);
        return arith::countr_zero<N>(complement);
    }
    WARPINT_HOST_DEVICE constexpr std::uint32_t remainder(std::uint32_t q) const {
        return remainder(context_.modulus, arith::prepare_divisor(static_cast<Limb>(q)));
    }

    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE bool vote(bool condition) const {
        return condition;
    }
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE int largest(int count) const { return count; }

private:
    template <class Divisor>
    WARPINT_HOST_DEVICE static constexpr std::uint32_t remainder(const Limb *a,
                                                                 const Divisor &divisor) {
        return static_cast<std::uint32_t>(arith::divide_row_by_limb<Limb>(nullptr, a, N, divisor));
    }

    // Not a reference: compilers know that it can be read, and read it ahead of loops.
    arith::MontgomeryContext<N, Limb> context_;
};

} // namespace warpint::theory
