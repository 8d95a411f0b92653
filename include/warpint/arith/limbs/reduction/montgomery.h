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

#include "../division/divide.h"
#include "../inline_or_call.h"
#include "montgomery_rows.h"

namespace warpint::arith {

namespace detail {

// For assertions: m is odd and m_inverse belongs to it; or it is the modulus 0, which device code
// may meet and whose results are unspecified.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr bool is_montgomery_modulus(const Limb *m, Limb m_inverse) {
    return static_cast<Limb>(1u * m[0] * m_inverse + 1u) == 0 || is_zero<N>(m);
}
// a b < m R.
template <int N, class Limb>
WARPINT_HOST_DEVICE WARPINT_NOINLINE constexpr bool fits_montgomery(const Limb *a, const Limb *b,
                                                                    const Limb *m) {
    if (bounds::below_1m<N>(a, m) || bounds::below_1m<N>(b, m))
        return true;
    Limb product[2 * N]{};
    multiply<N, N>(product, a, b);
    return bounds::below_1m<N>(product + N, m);
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
    WARPINT_ASSERT((headroom == Headroom::whole && WARPINT_USES_PTX) ||
                   detail::fits_montgomery<N>(a, b, m));
    if constexpr (sizeof(Limb) == 4) {
        if (WARPINT_USES_PTX) {
            inline_or_call<N <= inlined_limbs>(
                detail::MontgomeryMultiply<N, headroom, unrolled_rows>{}, r, a, b, m, m_inverse);
            WARPINT_ASSERT(headroom == Headroom::whole || bounds::below_1m<N>(r, m));
            return;
        }
    }
    if constexpr (N <= limb::short_row_limbs) {
        montgomery_multiply_short<N>(r, a, b, m, m_inverse);
    } else {
        montgomery_multiply_blocks<N>(r, a, b, m, m_inverse);
    }
    WARPINT_ASSERT(bounds::below_1m<N>(r, m));
}

// r = a^2 / R mod m. r may be a.
template <int N, Headroom headroom = Headroom::none, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void montgomery_square(Limb *r, const Limb *a,
                                                                    const Limb *m, Limb m_inverse) {
    static_assert(headroom == Headroom::none || headroom == Headroom::whole);
    WARPINT_ASSERT(detail::is_montgomery_modulus<N>(m, m_inverse));
    WARPINT_ASSERT((headroom == Headroom::whole && WARPINT_USES_PTX) ||
                   detail::fits_montgomery<N>(a, a, m));
    if constexpr (sizeof(Limb) == 4) {
        if (WARPINT_USES_PTX) {
            inline_or_call<N <= inlined_limbs>(detail::MontgomerySquare<N, headroom>{}, r, a, m,
                                               m_inverse);
            WARPINT_ASSERT(headroom == Headroom::whole || bounds::below_1m<N>(r, m));
            return;
        }
    }
    if constexpr (N <= limb::short_row_limbs) {
        montgomery_square_short<N>(r, a, m, m_inverse);
    } else {
        montgomery_square_blocks<N>(r, a, m, m_inverse);
    }
    WARPINT_ASSERT(bounds::below_1m<N>(r, m));
}

// r = x / R mod m in [0, m) for any x < R: out of Montgomery form. r may be x.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void montgomery_leave(Limb *r, const Limb *x,
                                                                   const Limb *m, Limb m_inverse) {
    if constexpr (sizeof(Limb) == 4 && N <= register_limbs) {
        if (WARPINT_USES_PTX) {
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

namespace detail {

// How often R mod m is doubled before it is squared: a divisor of the bits of R, times a power of
// two. A square takes as long as some N doublings, hence at most N, if it can be.
template <int N, class Limb>
inline constexpr int doublings_before_squares = [] {
    constexpr int bits = N * limb::limb_bits<Limb>;
    int c = bits / (bits & -bits);
    while (2 * c <= N)
        c *= 2;
    return c;
}();

// What follows works in constant expressions, whose steps compilers bound (Clang 2^20, g++ 2^25):
// few calls, long expressions, and 64-bit words where the compiler multiplies them.

// x = x - m if top B^N + x >= m.
template <int N, class Word>
WARPINT_HOST_DEVICE constexpr void reduce_constant(Word *x, Word top, const Word *m) {
    using Wide = limb::double_limb_t<Word>;
    Word difference[N]{};
    Wide wide = 0;
    for (int i = 0; i < N; ++i) {
        wide = static_cast<Wide>(Wide{x[i]} - m[i] - (wide >> limb::limb_bits<Word> & 1u));
        difference[i] = static_cast<Word>(wide);
    }
    if (top != 0 || (wide >> limb::limb_bits<Word>) == 0) {
        for (int i = 0; i < N; ++i)
            x[i] = difference[i];
    }
}
template <int N, class Word>
WARPINT_HOST_DEVICE constexpr void double_constant(Word *x, const Word *m) {
    constexpr int top = limb::limb_bits<Word> - 1;
    const Word carry = x[N - 1] >> top;
    for (int i = N - 1; i > 0; --i)
        x[i] = static_cast<Word>(x[i] << 1 | x[i - 1] >> top);
    x[0] = static_cast<Word>(x[0] << 1);
    reduce_constant<N>(x, carry, m);
}
// x = x^2 / R mod m, by FIOS.
template <int N, class Word>
WARPINT_HOST_DEVICE constexpr void square_constant(Word *x, const Word *m, Word m_inverse) {
    using Wide = limb::double_limb_t<Word>;
    constexpr int bits = limb::limb_bits<Word>;
    Word r[N + 1]{};
    for (int i = 0; i < N; ++i) {
        Wide a = static_cast<Wide>(Wide{x[i]} * x[0] + r[0]);
        const Word q = static_cast<Word>(static_cast<Word>(a) * m_inverse);
        Wide b = static_cast<Wide>(Wide{q} * m[0] + static_cast<Word>(a));
        for (int j = 1; j < N; ++j) {
            a = static_cast<Wide>(Wide{x[i]} * x[j] + r[j] + (a >> bits));
            b = static_cast<Wide>(Wide{q} * m[j] + static_cast<Word>(a) + (b >> bits));
            r[j - 1] = static_cast<Word>(b);
        }
        a = static_cast<Wide>(r[N] + (a >> bits) + (b >> bits));
        r[N - 1] = static_cast<Word>(a);
        r[N] = static_cast<Word>(a >> bits);
    }
    for (int i = 0; i < N; ++i)
        x[i] = r[i];
    reduce_constant<N>(x, r[N], m);
}

// montgomery_constants in a constant expression.
template <int N, class Word, class Limb>
WARPINT_HOST_DEVICE constexpr void montgomery_constants_by(Limb *one, Limb *r_squared,
                                                           const Limb *m) {
    constexpr int parts = static_cast<int>(sizeof(Word) / sizeof(Limb));
    constexpr int words = N / parts;
    constexpr int bits = words * limb::limb_bits<Word>;
    Word modulus[words]{}, x[words]{};
    for (int i = 0; i < N; ++i)
        modulus[i / parts] |=
            static_cast<Word>(Word{m[i]} << (limb::limb_bits<Limb> * (i % parts)));
    const int top = bit_width<words>(static_cast<const Word *>(modulus)) - 1;
    for (int i = 0; i < N; ++i)
        one[i] = r_squared[i] = 0;
    if (top == 0) // m = 1
        return;
    const auto store = [&](Limb *r) {
        for (int i = 0; i < N; ++i)
            r[i] = static_cast<Limb>(x[i / parts] >> (limb::limb_bits<Limb> * (i % parts)));
    };
    x[top / limb::limb_bits<Word>] = static_cast<Word>(Word{1} << top % limb::limb_bits<Word>);
    for (int i = top; i < bits; ++i)
        double_constant<words>(x, modulus);
    store(one);
    constexpr int doublings = doublings_before_squares<words, Word>;
    for (int i = 0; i < doublings; ++i)
        double_constant<words>(x, modulus);
    const Word inverse = limb::negative_inverse(modulus[0]);
    for (int c = doublings; c < bits; c *= 2)
        square_constant<words>(x, modulus, inverse);
    store(r_squared);
}

// r = R mod m for m > 1, by a division.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr void remainder_of_r(Limb *r, const Limb *m) {
    Limb dividend[N]{}; // R - 1
    for (int i = 0; i < N; ++i)
        dividend[i] = static_cast<Limb>(~Limb{0});
    divide<N, N>(static_cast<Limb *>(nullptr), r, dividend, m);
    Limb carry = 1;
    for (int i = 0; i < N; ++i)
        r[i] = limb::add_carry(r[i], Limb{0}, carry);
    subtract_once<N>(r, r, carry, m);
}

} // namespace detail

// one = R mod m and r_squared = R^2 mod m for odd m. R mod m grows from 2^w - m, w the width of m,
// by doubling, or on hosts, where m is shorter than R, is a remainder; then 2^c R, c = (bits of R)
// / 2^k, is squared k times: each Montgomery square doubles the exponent of the factor, until it is
// R. Variable time in m.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr void montgomery_constants(Limb *one, Limb *r_squared, const Limb *m,
                                                        Limb m_inverse) {
    if (__builtin_is_constant_evaluated()) {
#if WARPINT_HAS_INT128
        if constexpr (sizeof(Limb) == 4 && N % 2 == 0) {
            detail::montgomery_constants_by<N, std::uint64_t>(one, r_squared, m);
            return;
        }
#endif
        detail::montgomery_constants_by<N, Limb>(one, r_squared, m);
        return;
    }
    constexpr int bits = N * limb::limb_bits<Limb>;
    constexpr int doublings = detail::doublings_before_squares<N, Limb>;
    const int width = bit_width<N>(m);
    Limb x[N]{};
    if (width == 1) { // m = 1: everything is 0
        set_zero<N>(one);
        set_zero<N>(r_squared);
        return;
    }
    if (WARPINT_DEVICE_PASS == 0 && bits - width > 16) {
        detail::remainder_of_r<N>(x, m);
    } else {
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
    }
    copy<N>(one, x);
    for (int i = 0; i < doublings; ++i)
        double_modulo<N>(x, m);
    for (int c = doublings; c < bits; c *= 2)
        montgomery_square<N>(x, x, m, m_inverse);
    copy<N>(r_squared, x);
}

} // namespace warpint::arith
