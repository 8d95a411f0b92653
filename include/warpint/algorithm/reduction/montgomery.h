// SPDX-License-Identifier: Apache-2.0
// Montgomery arithmetic (Montgomery, "Modular Multiplication Without Trial Division", Mathematics
// of Computation 44, 1985): which form owns which size. R = B^N, m odd, m_inverse = -m^-1 mod B.
//
//                         short                        long
//   host                  rows in registers            product, then reduction by blocks of rows
//   GPU, 32-bit limbs     alternate limbs, in registers  product, then reduction by tiles
//
// The step that is easily got wrong: q = T m_inverse mod B is chosen so that T + q m = 0 mod B;
// only because of that addition may the lowest limb be dropped. The result is T / R mod m, not T
// mod m.
//
// multiply: a b / R mod m for a b < m R (either operand may be unreduced, up to B^N - 1). Constant
// time. With Headroom::whole both operands may be, and the result is anywhere in [0, R), on a GPU,
// which saves a selection; elsewhere operands have to be results of such products, and are reduced.
#pragma once

#include "../called.h"
#include "montgomery_rows.h"

namespace warpint::algorithm {

namespace detail {

// For assertions: m is odd and m_inverse belongs to it; or it is the modulus 0, which device code
// may meet and whose results mean nothing.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr bool is_montgomery_modulus(const Limb *m, Limb m_inverse) {
    return static_cast<Limb>(1u * m[0] * m_inverse + 1u) == 0 || is_zero<N>(m);
}
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr bool is_reduced(const Limb *r, const Limb *m) {
    return less<N>(r, m) || is_zero<N>(m);
}

template <int N, Headroom headroom, int unrolled_rows>
struct MontgomeryMultiply {
    template <class Limb>
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void
    operator()(Limb *r, const Limb *a, const Limb *b, const Limb *m, Limb m_inverse) const {
        if constexpr (N <= register_limbs) {
            montgomery_multiply_alternate<N, headroom, unrolled_rows>(r, a, b, m, m_inverse);
        } else {
            montgomery_multiply_blocks<N>(r, a, b, m, m_inverse);
        }
    }
};

template <int N, Headroom headroom>
struct MontgomerySquare {
    template <class Limb>
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void
    operator()(Limb *r, const Limb *a, const Limb *m, Limb m_inverse) const {
        if constexpr (N <= register_limbs) {
            montgomery_square_alternate<N, headroom>(r, a, m, m_inverse);
        } else {
            montgomery_square_blocks<N>(r, a, m, m_inverse);
        }
    }
};

} // namespace detail

// r = a b / R mod m. r may be any operand but m.
template <int N, Headroom headroom = Headroom::none, int unrolled_rows = product_rows<N>,
          class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void
montgomery_multiply(Limb *r, const Limb *a, const Limb *b, const Limb *m, Limb m_inverse) {
    static_assert(headroom == Headroom::none || headroom == Headroom::whole);
    WARPINT_ASSERT(detail::is_montgomery_modulus<N>(m, m_inverse));
    if constexpr (sizeof(Limb) == 4) {
        if (limb::use_ptx()) {
            copy_or_call<N <= inlined_limbs>(
                detail::MontgomeryMultiply<N, headroom, unrolled_rows>{}, r, a, b, m, m_inverse);
            WARPINT_ASSERT(headroom == Headroom::whole || detail::is_reduced<N>(r, m));
            return;
        }
    }
    if constexpr (N <= limb::short_row_limbs) {
        montgomery_multiply_short<N>(r, a, b, m, m_inverse);
    } else {
        montgomery_multiply_blocks<N>(r, a, b, m, m_inverse);
    }
    WARPINT_ASSERT(detail::is_reduced<N>(r, m));
}

// r = a^2 / R mod m. r may be a.
template <int N, Headroom headroom = Headroom::none, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void montgomery_square(Limb *r, const Limb *a,
                                                                    const Limb *m, Limb m_inverse) {
    static_assert(headroom == Headroom::none || headroom == Headroom::whole);
    WARPINT_ASSERT(detail::is_montgomery_modulus<N>(m, m_inverse));
    if constexpr (sizeof(Limb) == 4) {
        if (limb::use_ptx()) {
            copy_or_call<N <= inlined_limbs>(detail::MontgomerySquare<N, headroom>{}, r, a, m,
                                             m_inverse);
            WARPINT_ASSERT(headroom == Headroom::whole || detail::is_reduced<N>(r, m));
            return;
        }
    }
    if constexpr (N <= limb::short_row_limbs) {
        montgomery_square_short<N>(r, a, m, m_inverse);
    } else {
        montgomery_square_blocks<N>(r, a, m, m_inverse);
    }
    WARPINT_ASSERT(detail::is_reduced<N>(r, m));
}

// r = x / R mod m in [0, m) for any x < R: out of Montgomery form. r may be x.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void montgomery_leave(Limb *r, const Limb *x,
                                                                   const Limb *m, Limb m_inverse) {
    if constexpr (sizeof(Limb) == 4 && N <= register_limbs) {
        if (limb::use_ptx()) {
            montgomery_leave_alternate<N, power_rows<N>>(r, x, m, m_inverse);
            return;
        }
    }
    Limb one[N]{};
    one[0] = 1;
    montgomery_multiply<N>(r, x, one, m, m_inverse);
}

// r = 2 r mod m for r < m.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void double_modulo(Limb *r, const Limb *m) {
    Limb doubled[N]{};
    const Limb top = limb::add<N>(doubled, r, r);
    detail::subtract_once<N>(r, doubled, top, m);
}

// one = R mod m and r_squared = R^2 mod m for odd m. R mod m grows from 2^w - m, w the width of m,
// by doubling; then 2^c R, c = (bits of R) / 2^k, is squared k times: each Montgomery square
// doubles the exponent of the factor, until it is R. A square takes as long as some N doublings,
// hence c is at most N, if it can be. Variable time in m.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr void montgomery_constants(Limb *one, Limb *r_squared, const Limb *m,
                                                        Limb m_inverse) {
    constexpr int bits = N * limb::limb_bits<Limb>;
    constexpr int doublings = [] {
        int c = bits / (bits & -bits);
        while (2 * c <= N)
            c *= 2;
        return c;
    }();
    const int width = bit_width<N>(m);
    Limb x[N]{};
    if (width == 1) { // m = 1: everything is 0
        set_zero<N>(one);
        set_zero<N>(r_squared);
        return;
    }
    // 2^width - m: the complement of m in its own width, plus one.
    for (int i = 0; i < N; ++i) {
        const int below = width - i * limb::limb_bits<Limb>;
        const Limb mask = below >= limb::limb_bits<Limb> ? static_cast<Limb>(~Limb{0})
                          : below > 0 ? static_cast<Limb>((Limb{1} << below) - 1u)
                                      : Limb{0};
        x[i] = static_cast<Limb>(~m[i] & mask);
    }
    Limb carry = 1;
    for (int i = 0; i < N; ++i)
        x[i] = limb::add_carry(x[i], Limb{0}, carry);
    for (int i = width; i < bits; ++i)
        double_modulo<N>(x, m);
    copy<N>(one, x);
    for (int i = 0; i < doublings; ++i)
        double_modulo<N>(x, m);
    for (int c = doublings; c < bits; c *= 2)
        montgomery_square<N>(x, x, m, m_inverse);
    copy<N>(r_squared, x);
}

} // namespace warpint::algorithm
