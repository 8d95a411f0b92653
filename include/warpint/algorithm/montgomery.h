// Montgomery arithmetic (Montgomery 1985; variants named after Koc, Acar, Kaliski, "Analyzing and
// Comparing Montgomery Multiplication Algorithms", IEEE Micro 1996). R = B^N, m odd, m_inverse =
// -m^-1 mod B.
//
// The step that is easily got wrong: q = T m_inverse mod B is chosen so that T + q m = 0 mod B;
// only because of that addition may the lowest limb be dropped. The result is T / R mod m, not T
// mod m.
//
// multiply: a b / R mod m for a b < m R (either operand may be unreduced, up to B^N - 1). Constant
// time.
#pragma once

#include "multiply.h"

namespace warpint::algorithm {

namespace detail {

// r = (top : t) mod m for a value below 2 m, without a branch.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void subtract_once(Limb *r, const Limb *t, Limb top,
                                                                const Limb *m) {
    Limb difference[N]{};
    const Limb borrow = limb::sub<N>(difference, t, m);
    select<N>(r, borrow <= top, difference, t); // top = 1 implies a borrow
}

// Reduction rows: t has 2 N limbs; t[N..2N) and the returned top limb hold t / R mod m, below 2 m.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr Limb reduce_rows(Limb *t, const Limb *m, Limb m_inverse) {
    Limb top = 0;
    for (int i = 0; i < N; ++i) {
        const Limb q = static_cast<Limb>(1u * t[i] * m_inverse);
        const Limb carry = limb::multiply_add_row(t + i, m, N, q);
        t[i + N] = limb::add_carry(t[i + N], carry, top);
    }
    return top;
}

} // namespace detail

// SOS, separated operand scanning: the whole product, then the whole reduction.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr void montgomery_multiply_sos(Limb *r, const Limb *a, const Limb *b,
                                                           const Limb *m, Limb m_inverse) {
    Limb t[2 * N]{};
    multiply_rows(t, a, N, b, N);
    const Limb top = detail::reduce_rows<N>(t, m, m_inverse);
    detail::subtract_once<N>(r, t + N, top, m);
}

// SOS with the squaring that computes every mixed product once.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr void montgomery_square_sos(Limb *r, const Limb *a, const Limb *m,
                                                         Limb m_inverse) {
    Limb t[2 * N]{};
    if constexpr (N <= 2 * limb::block_limbs) {
        square_columns<N>(t, a);
    } else {
        Limb scratch[square_rows_scratch(N)]{};
        square_rows(t, a, N, scratch);
    }
    const Limb top = detail::reduce_rows<N>(t, m, m_inverse);
    detail::subtract_once<N>(r, t + N, top, m);
}

// CIOS, coarsely integrated operand scanning: a row of the product, then a row of the reduction.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr void montgomery_multiply_cios(Limb *r, const Limb *a, const Limb *b,
                                                            const Limb *m, Limb m_inverse) {
    Limb t[2 * N]{};
    Limb top = 0;
    for (int i = 0; i < N; ++i) {
        const Limb product_carry = limb::multiply_add_row(t + i, a, N, b[i]);
        const Limb q = static_cast<Limb>(1u * t[i] * m_inverse);
        const Limb reduction_carry = limb::multiply_add_row(t + i, m, N, q);
        t[i + N] = limb::add_carry(product_carry, reduction_carry, top);
    }
    detail::subtract_once<N>(r, t + N, top, m);
}

namespace detail {

// One row of the alternate-limb form. The running sum is
//   sum aligned[k] B^k + sum shifted[k] B^(k + 1) + top B^(N + 1),
// a multiple of B on output, and below 2 m B.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void
reduce_row_alternate(Limb *aligned, Limb *shifted, Limb &top, const Limb *m, Limb m_inverse) {
    const Limb q = static_cast<Limb>(1u * aligned[0] * m_inverse);
    top = static_cast<Limb>(top + limb::multiply_add_alternate<N>(shifted, m + 1, q));
    const Limb carry = limb::multiply_add_alternate<N>(aligned, m, q);
    shifted[N - 1] = static_cast<Limb>(shifted[N - 1] + carry);
    top = static_cast<Limb>(top + (shifted[N - 1] < carry));
}

// Drops the zero limb (so that the arrays swap roles) and adds a b_limb, then reduces.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void
next_row_alternate(Limb *aligned, Limb *shifted, Limb &top, const Limb *a, Limb b_limb,
                   const Limb *m, Limb m_inverse) {
    limb::multiply_add_alternate_shifted<N>(aligned[0], shifted, a + 1, b_limb, top);
    const Limb carry = limb::multiply_add_alternate<N>(aligned, a, b_limb);
    shifted[N - 1] = static_cast<Limb>(shifted[N - 1] + carry);
    top = static_cast<Limb>(shifted[N - 1] < carry);
    reduce_row_alternate<N>(aligned, shifted, top, m, m_inverse);
}

} // namespace detail

// The form for GPUs: product and reduction row by row on two accumulators of alternate limbs (see
// limb/chain.h). Dropping a limb swaps the roles of the accumulators, so nothing moves. N even.
// Rows are unrolled up to unrolled_rows; beyond, b is read by a run-time index.
template <int N, int unrolled_rows = 12, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void
montgomery_multiply_alternate(Limb *r, const Limb *a, const Limb *b, const Limb *m,
                              Limb m_inverse) {
    static_assert(N % 2 == 0);
    Limb even[N]{};
    Limb odd[N]{};
    Limb top = 0;
    limb::multiply_alternate<N>(even, a, b[0]);
    limb::multiply_alternate<N>(odd, a + 1, b[0]);
    detail::reduce_row_alternate<N>(even, odd, top, m, m_inverse);
    detail::next_row_alternate<N>(odd, even, top, a, b[1], m, m_inverse);
    WARPINT_UNROLL(N, unrolled_rows)
    for (int i = 2; i < N; i += 2) {
        detail::next_row_alternate<N>(even, odd, top, a, b[i], m, m_inverse);
        detail::next_row_alternate<N>(odd, even, top, a, b[i + 1], m, m_inverse);
    }
    // odd[0] is the zero limb to drop: the value is even + (odd >> 1 limb).
    Limb sum[N]{};
    const Limb carry = limb::add<N - 1>(sum, even, odd + 1);
    sum[N - 1] = static_cast<Limb>(even[N - 1] + carry);
    top = static_cast<Limb>(top + (sum[N - 1] < carry));
    detail::subtract_once<N>(r, sum, top, m);
}

// In device code, functions of numbers of up to this many limbs are copied into the caller; for
// wider ones they are called, their operands in local memory. The products inside the loop of a
// power are copied up to a larger size: a call costs a third of their speed at 64 limbs, a copy
// half a minute of compile time.
inline constexpr int inlined_limbs = 32;
inline constexpr int inlined_power_limbs = 64;

namespace detail {

template <int N, class Limb>
WARPINT_HOST_DEVICE WARPINT_NOINLINE constexpr void
montgomery_multiply_called(Limb *r, const Limb *a, const Limb *b, const Limb *m, Limb m_inverse) {
    if constexpr (N % 2 == 0 && limb::has_chain<N, Limb>) {
        montgomery_multiply_alternate<N>(r, a, b, m, m_inverse);
    } else {
        montgomery_multiply_cios<N>(r, a, b, m, m_inverse);
    }
}

} // namespace detail

// r = a b / R mod m. r may be any operand but m. MaxInlined: copied into device code up to this
// many limbs.
template <int N, int MaxInlined = inlined_limbs, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void
montgomery_multiply(Limb *r, const Limb *a, const Limb *b, const Limb *m, Limb m_inverse) {
    if constexpr (sizeof(Limb) == 4) {
        if (limb::use_ptx()) {
            if constexpr (N % 2 == 0 && N <= MaxInlined) {
                montgomery_multiply_alternate<N>(r, a, b, m, m_inverse);
            } else {
                detail::montgomery_multiply_called<N>(r, a, b, m, m_inverse);
            }
            return;
        }
    }
    montgomery_multiply_cios<N>(r, a, b, m, m_inverse);
}

// r = a^2 / R mod m. r may be a.
template <int N, int MaxInlined = inlined_limbs, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void montgomery_square(Limb *r, const Limb *a,
                                                                    const Limb *m, Limb m_inverse) {
    if constexpr (sizeof(Limb) == 4) {
        if (limb::use_ptx()) {
            montgomery_multiply<N, MaxInlined>(r, a, a, m, m_inverse);
            return;
        }
    }
    montgomery_square_sos<N>(r, a, m, m_inverse);
}

// r = 2 r mod m for r < m.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void double_modulo(Limb *r, const Limb *m) {
    Limb doubled[N]{};
    const Limb top = limb::add<N>(doubled, r, r);
    detail::subtract_once<N>(r, doubled, top, m);
}

// one = R mod m and r_squared = R^2 mod m for odd m. R mod m grows from 2^w - m, w the width of m,
// by doubling; then 2^c R, c = (bits of R) / 2^k odd, is squared k times: each Montgomery square
// doubles the exponent of the factor, until it is R. Variable time in m.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr void montgomery_constants(Limb *one, Limb *r_squared, const Limb *m,
                                                        Limb m_inverse) {
    constexpr int bits = N * limb::limb_bits<Limb>;
    constexpr int odd_part = bits / (bits & -bits);
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
    for (int i = 0; i < odd_part; ++i)
        double_modulo<N>(x, m);
    for (int c = odd_part; c < bits; c *= 2)
        montgomery_square<N>(x, x, m, m_inverse);
    copy<N>(r_squared, x);
}

} // namespace warpint::algorithm
