// Carry chains over a known number of limbs: the inner loops of everything. On a GPU with 32-bit
// limbs each chain is a run of PTX instructions that pass the carry flag on; elsewhere the same
// sums limb by limb.
//
// The multiply chains come in "alternate" form: they take every second limb of a, so that each
// product's low and high half land on an even-odd pair of accumulator limbs, which is the operand
// pair of one wide multiply-add instruction (the even/odd scheme of Emmart, Luitjens, Weems and
// Woolley, ARITH 2016).
#pragma once

#include "arithmetic.h"
#include "ptx.h"

namespace warpint::limb {

// PTX chains cover at most this many limbs. Longer numbers do not fit the registers anyway; their
// sums run limb by limb in plain code, which also keeps their kernels quick to compile.
inline constexpr int chain_limbs = 80;

template <int N, class Limb>
inline constexpr bool has_chain = sizeof(Limb) == 4 && N <= chain_limbs;

// r = a + b + carry over N limbs; returns the carry out. r may be a or b.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE Limb add(Limb *r, const Limb *a, const Limb *b,
                                                      Limb carry = 0) {
#if WARPINT_DEVICE_PASS
    if constexpr (has_chain<N, Limb>) {
        if (use_ptx()) {
            ptx::set_carry(carry);
            WARPINT_UNROLL(N, N)
            for (int i = 0; i < N; ++i)
                r[i] = ptx::addc_cc(a[i], b[i]);
            return ptx::addc(0, 0);
        }
    }
#endif
    for (int i = 0; i < N; ++i)
        r[i] = add_carry(a[i], b[i], carry);
    return carry;
}

// r = a - b - borrow over N limbs; returns the borrow out (0 or 1). r may be a or b.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE Limb sub(Limb *r, const Limb *a, const Limb *b,
                                                      Limb borrow = 0) {
#if WARPINT_DEVICE_PASS
    if constexpr (has_chain<N, Limb>) {
        if (use_ptx()) {
            ptx::set_borrow(borrow);
            WARPINT_UNROLL(N, N)
            for (int i = 0; i < N; ++i)
                r[i] = ptx::subc_cc(a[i], b[i]);
            return ptx::subc(0, 0) & 1u;
        }
    }
#endif
    for (int i = 0; i < N; ++i)
        r[i] = sub_borrow(a[i], b[i], borrow);
    return borrow;
}

// r = sum of a[i] b B^i over the even i < N; N even, r has N limbs.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void multiply_alternate(Limb *r, const Limb *a,
                                                                     Limb b) {
    static_assert(N % 2 == 0);
#if WARPINT_DEVICE_PASS
    if constexpr (has_chain<N, Limb>) {
        if (use_ptx()) {
            WARPINT_UNROLL(N, N)
            for (int i = 0; i < N; i += 2) {
                r[i] = ptx::mul_lo(a[i], b);
                r[i + 1] = ptx::mul_hi(a[i], b);
            }
            return;
        }
    }
#endif
    for (int i = 0; i < N; i += 2) {
        Limb high = 0;
        r[i] = multiply_add(a[i], b, Limb{0}, high);
        r[i + 1] = high;
    }
}

// r += sum of a[i] b B^i over the even i < N; N even, r has N limbs; returns the carry out (0 or
// 1).
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE Limb multiply_add_alternate(Limb *r, const Limb *a,
                                                                         Limb b) {
    static_assert(N % 2 == 0);
#if WARPINT_DEVICE_PASS
    if constexpr (has_chain<N, Limb>) {
        if (use_ptx()) {
            r[0] = ptx::mad_lo_cc(a[0], b, r[0]);
            r[1] = ptx::madc_hi_cc(a[0], b, r[1]);
            WARPINT_UNROLL(N, N)
            for (int i = 2; i < N; i += 2) {
                r[i] = ptx::madc_lo_cc(a[i], b, r[i]);
                r[i + 1] = ptx::madc_hi_cc(a[i], b, r[i + 1]);
            }
            return ptx::addc(0, 0);
        }
    }
#endif
    Limb carry = 0;
    for (int i = 0; i < N; i += 2) {
        Limb high = 0;
        const Limb low = multiply_add(a[i], b, Limb{0}, high);
        r[i] = add_carry(r[i], low, carry);
        r[i + 1] = add_carry(r[i + 1], high, carry);
    }
    return carry;
}

// The step between two rows of a product that is shifted down by one limb per row. In one chain:
//   next += r[1];   r[0..N) = (r >> 2 limbs, filled with 0 and top) + sum of a[i] b B^i over the
//   even i < N.
// next is the limb below r[0]'s new place. On input top <= 1; there is no carry out, because
// (B-1)^2 + top B + 1 < B^2. N even.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void
multiply_add_alternate_shifted(Limb &next, Limb *r, const Limb *a, Limb b, Limb top) {
    static_assert(N % 2 == 0);
#if WARPINT_DEVICE_PASS
    if constexpr (has_chain<N, Limb>) {
        if (use_ptx()) {
            next = ptx::add_cc(next, r[1]);
            WARPINT_UNROLL(N, N)
            for (int i = 0; i < N - 2; i += 2) {
                r[i] = ptx::madc_lo_cc(a[i], b, r[i + 2]);
                r[i + 1] = ptx::madc_hi_cc(a[i], b, r[i + 3]);
            }
            r[N - 2] = ptx::madc_lo_cc(a[N - 2], b, 0);
            r[N - 1] = ptx::madc_hi(a[N - 2], b, top);
            return;
        }
    }
#endif
    Limb carry = 0;
    next = add_carry(next, r[1], carry);
    for (int i = 0; i < N; i += 2) {
        Limb high = 0;
        const Limb low = multiply_add(a[i], b, Limb{0}, high);
        r[i] = add_carry(i + 2 < N ? r[i + 2] : Limb{0}, low, carry);
        r[i + 1] = add_carry(i + 3 < N ? r[i + 3] : top, high, carry);
    }
}

} // namespace warpint::limb
