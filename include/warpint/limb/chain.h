// Carry chains over a known number of limbs: the inner loops of everything. On a GPU with 32-bit limbs each
// chain is a run of PTX instructions that pass the carry flag on; elsewhere the same sums limb by limb.
//
// The multiply chains come in "alternate" form: they take every second limb of a, so that each product's low
// and high half land on an even-odd pair of accumulator limbs, which is the operand pair of one wide
// multiply-add instruction (the even/odd scheme of Emmart, Luitjens, Weems and Woolley, ARITH 2016).
#pragma once

#include "arithmetic.h"
#include "ptx.h"

namespace warpint::limb {

// Chains longer than this many limbs run as a loop over blocks of block_limbs, the carry kept as a value.
inline constexpr int unrolled_limbs = 64;
inline constexpr int block_limbs = 16;

namespace detail {

// Calls chain.template operator()<Count>(offset) over N limbs, unrolled or in blocks.
template <int N, class Chain>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void for_blocks(Chain chain) {
    if constexpr (N <= unrolled_limbs) {
        chain.template operator()<N>(0);
    } else {
        WARPINT_UNROLL(1, 0)
        for (int offset = 0; offset + block_limbs <= N; offset += block_limbs) {
            chain.template operator()<block_limbs>(offset);
        }
        if constexpr (N % block_limbs != 0) {
            chain.template operator()<N % block_limbs>(N - N % block_limbs);
        }
    }
}

} // namespace detail

// r = a + b + carry over N limbs; returns the carry out. r may be a or b.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE Limb add(Limb* r, const Limb* a, const Limb* b, Limb carry = 0) {
#if WARPINT_DEVICE_PASS
    if constexpr (sizeof(Limb) == 4) {
        if (use_ptx()) {
            detail::for_blocks<N>([&]<int Count>(int offset) {
                ptx::set_carry(carry);
                WARPINT_UNROLL(Count, Count)
                for (int i = 0; i < Count; ++i) r[offset + i] = ptx::addc_cc(a[offset + i], b[offset + i]);
                carry = ptx::addc(0, 0);
            });
            return carry;
        }
    }
#endif
    for (int i = 0; i < N; ++i) r[i] = add_carry(a[i], b[i], carry);
    return carry;
}

// r = a - b - borrow over N limbs; returns the borrow out (0 or 1). r may be a or b.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE Limb sub(Limb* r, const Limb* a, const Limb* b, Limb borrow = 0) {
#if WARPINT_DEVICE_PASS
    if constexpr (sizeof(Limb) == 4) {
        if (use_ptx()) {
            detail::for_blocks<N>([&]<int Count>(int offset) {
                ptx::set_borrow(borrow);
                WARPINT_UNROLL(Count, Count)
                for (int i = 0; i < Count; ++i) r[offset + i] = ptx::subc_cc(a[offset + i], b[offset + i]);
                borrow = ptx::subc(0, 0) & 1u;
            });
            return borrow;
        }
    }
#endif
    for (int i = 0; i < N; ++i) r[i] = sub_borrow(a[i], b[i], borrow);
    return borrow;
}

// r = sum of a[i] b B^i over the even i < N; N even, r has N limbs.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void multiply_alternate(Limb* r, const Limb* a, Limb b) {
    static_assert(N % 2 == 0);
#if WARPINT_DEVICE_PASS
    if constexpr (sizeof(Limb) == 4) {
        if (use_ptx()) {
            WARPINT_UNROLL(N, unrolled_limbs)
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

// r += sum of a[i] b B^i over the even i < N; N even, r has N limbs; returns the carry out (0 or 1).
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE Limb multiply_add_alternate(Limb* r, const Limb* a, Limb b) {
    static_assert(N % 2 == 0);
#if WARPINT_DEVICE_PASS
    if constexpr (sizeof(Limb) == 4) {
        if (use_ptx()) {
            Limb carry = 0;
            detail::for_blocks<N>([&]<int Count>(int offset) {
                Limb* const rr = r + offset;
                const Limb* const aa = a + offset;
                if constexpr (Count == N) {
                    rr[0] = ptx::mad_lo_cc(aa[0], b, rr[0]);
                } else {
                    ptx::set_carry(carry);
                    rr[0] = ptx::madc_lo_cc(aa[0], b, rr[0]);
                }
                rr[1] = ptx::madc_hi_cc(aa[0], b, rr[1]);
                WARPINT_UNROLL(Count, Count)
                for (int i = 2; i < Count; i += 2) {
                    rr[i] = ptx::madc_lo_cc(aa[i], b, rr[i]);
                    rr[i + 1] = ptx::madc_hi_cc(aa[i], b, rr[i + 1]);
                }
                carry = ptx::addc(0, 0);
            });
            return carry;
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
//   next += r[1];   r[0..N) = (r >> 2 limbs, filled with 0 and top) + sum of a[i] b B^i over the even i < N.
// next is the limb below r[0]'s new place. On input top <= 1; there is no carry out, because
// (B-1)^2 + top B + 1 < B^2. N even.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void multiply_add_alternate_shifted(Limb& next, Limb* r, const Limb* a,
                                                                                 Limb b, Limb top) {
    static_assert(N % 2 == 0);
#if WARPINT_DEVICE_PASS
    if constexpr (sizeof(Limb) == 4) {
        if (use_ptx()) {
            if constexpr (N <= unrolled_limbs) {
                next = ptx::add_cc(next, r[1]);
                WARPINT_UNROLL(N, N)
                for (int i = 0; i < N - 2; i += 2) {
                    r[i] = ptx::madc_lo_cc(a[i], b, r[i + 2]);
                    r[i + 1] = ptx::madc_hi_cc(a[i], b, r[i + 3]);
                }
                r[N - 2] = ptx::madc_lo_cc(a[N - 2], b, 0);
                r[N - 1] = ptx::madc_hi(a[N - 2], b, top);
            } else {
                next = ptx::add_cc(next, r[1]);
                Limb carry = ptx::addc(0, 0);
                detail::for_blocks<N - 2>([&]<int Count>(int offset) {
                    ptx::set_carry(carry);
                    WARPINT_UNROLL(Count, Count)
                    for (int i = 0; i < Count; i += 2) {
                        r[offset + i] = ptx::madc_lo_cc(a[offset + i], b, r[offset + i + 2]);
                        r[offset + i + 1] = ptx::madc_hi_cc(a[offset + i], b, r[offset + i + 3]);
                    }
                    carry = ptx::addc(0, 0);
                });
                ptx::set_carry(carry);
                r[N - 2] = ptx::madc_lo_cc(a[N - 2], b, 0);
                r[N - 1] = ptx::madc_hi(a[N - 2], b, top);
            }
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
