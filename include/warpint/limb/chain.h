// SPDX-License-Identifier: Apache-2.0
// Carry chains over a known number of limbs: the inner loops of everything. On a GPU with 32-bit
// limbs each chain is a run of PTX instructions that pass the carry flag on; elsewhere the same
// sums limb by limb.
//
// The multiply chains come in "alternate" form: they take every second limb of a, so that each
// product's low and high half land on an even-odd pair of accumulator limbs, which is the operand
// pair of one wide multiply-add instruction (the even/odd scheme of Emmart, Luitjens, Weems and
// Woolley, ARITH 2016).
#pragma once

#include "local_arrays.h"
#include "ptx.h"
#include "word.h"

namespace warpint::limb {

// PTX chains cover at most this many limbs. Longer numbers do not fit the registers anyway; their
// sums run limb by limb in plain code, which also keeps their kernels quick to compile.
inline constexpr int chain_limbs = 80;

template <int N, class Limb>
inline constexpr bool has_chain = ptx::exists<Limb> && N <= chain_limbs;

// r = a + b + carry over N limbs; returns the carry out. r may be a or b.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE Limb add(Limb *r, const Limb *a, const Limb *b,
                                                      Limb carry) {
    if constexpr (has_chain<N, Limb>) {
        if (WARPINT_USES_PTX) {
            ptx::set_carry(carry);
            WARPINT_UNROLL(N, N)
            for (int i = 0; i < N; ++i)
                r[i] = ptx::addc_cc(a[i], b[i]);
            return ptx::addc(0, 0);
        }
    }
    if constexpr (in_words<N, Limb>) {
        if (WARPINT_USES_WORDS)
            return combine_words<false, N>(r, a, b, carry);
    }
    keep_local_arrays_apart<N, chain_limbs>();
    WARPINT_UNROLL_HOST
    WARPINT_UNROLL(8, 8)
    for (int i = 0; i < N; ++i)
        r[i] = add_carry(a[i], b[i], carry);
    return carry;
}

// r = a + b over N limbs; returns the carry out. r may be a or b.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE Limb add(Limb *r, const Limb *a, const Limb *b) {
    if constexpr (has_chain<N, Limb>) {
        if (WARPINT_USES_PTX) {
            r[0] = ptx::add_cc(a[0], b[0]);
            WARPINT_UNROLL(N, N)
            for (int i = 1; i < N; ++i)
                r[i] = ptx::addc_cc(a[i], b[i]);
            return ptx::addc(0, 0);
        }
    }
    return add<N>(r, a, b, Limb{0});
}

// r = a - b - borrow over N limbs; returns the borrow out (0 or 1). r may be a or b.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE Limb sub(Limb *r, const Limb *a, const Limb *b,
                                                      Limb borrow) {
    if constexpr (has_chain<N, Limb>) {
        if (WARPINT_USES_PTX) {
            ptx::set_borrow(borrow);
            WARPINT_UNROLL(N, N)
            for (int i = 0; i < N; ++i)
                r[i] = ptx::subc_cc(a[i], b[i]);
            return ptx::subc(0, 0) & 1u;
        }
    }
    if constexpr (in_words<N, Limb>) {
        if (WARPINT_USES_WORDS)
            return combine_words<true, N>(r, a, b, borrow);
    }
    keep_local_arrays_apart<N, chain_limbs>();
    WARPINT_UNROLL_HOST
    WARPINT_UNROLL(8, 8)
    for (int i = 0; i < N; ++i)
        r[i] = sub_borrow(a[i], b[i], borrow);
    return borrow;
}

// r = a - b over N limbs; returns the borrow out (0 or 1). r may be a or b.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE Limb sub(Limb *r, const Limb *a, const Limb *b) {
    if constexpr (has_chain<N, Limb>) {
        if (WARPINT_USES_PTX) {
            r[0] = ptx::sub_cc(a[0], b[0]);
            WARPINT_UNROLL(N, N)
            for (int i = 1; i < N; ++i)
                r[i] = ptx::subc_cc(a[i], b[i]);
            return ptx::subc(0, 0) & 1u;
        }
    }
    return sub<N>(r, a, b, Limb{0});
}

// r = a + b, or a - b, over N limbs, for b of M <= N limbs that goes on with `fill`: 0, or all ones
// where b is negative. What is carried out is dropped. r may be a or, if M = N, b. Constant time.
template <bool subtract, int N, int M, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void combine(Limb *r, const Limb *a, const Limb *b,
                                                          Limb fill) {
    static_assert(M <= N);
    if constexpr (M == N && subtract) {
        sub<N>(r, a, b);
    } else if constexpr (M == N) {
        add<N>(r, a, b);
    } else {
        if constexpr (has_chain<N, Limb>) {
            if (WARPINT_USES_PTX) {
                r[0] = subtract ? ptx::sub_cc(a[0], b[0]) : ptx::add_cc(a[0], b[0]);
                WARPINT_UNROLL(N, N)
                for (int i = 1; i < N; ++i) {
                    const Limb b_i = i < M ? b[i < M ? i : 0] : fill;
                    r[i] = subtract ? ptx::subc_cc(a[i], b_i) : ptx::addc_cc(a[i], b_i);
                }
                return;
            }
        }
        if constexpr (in_words<N, Limb>) {
            if (WARPINT_USES_WORDS) {
                combine_words<subtract, N, M>(r, a, b, Limb{0}, fill | std::uint64_t{fill} << 32);
                return;
            }
        }
        keep_local_arrays_apart<N, chain_limbs>();
        Limb carry = 0;
        WARPINT_UNROLL_HOST
        WARPINT_UNROLL(8, 8)
        for (int i = 0; i < N; ++i) {
            const Limb b_i = i < M ? b[i < M ? i : 0] : fill;
            r[i] = subtract ? sub_borrow(a[i], b_i, carry) : add_carry(a[i], b_i, carry);
        }
    }
}

// r -= b over N limbs if the condition, 0 or 1, is 1; modulo B^N. Constant time.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void sub_if(Limb *r, const Limb *b, Limb condition) {
    if constexpr (has_chain<N, Limb>) {
        if (WARPINT_USES_PTX) {
            ptx::sub_cc_if(r[0], b[0], condition);
            WARPINT_UNROLL(N, N)
            for (int i = 1; i < N; ++i)
                ptx::subc_cc_if(r[i], b[i], condition);
            return;
        }
    }
    const Limb mask = static_cast<Limb>(Limb{0} - condition);
    Limb borrow = 0;
    WARPINT_UNROLL(8, 8)
    for (int i = 0; i < N; ++i)
        r[i] = sub_borrow(r[i], static_cast<Limb>(b[i] & mask), borrow);
}

// The product a b of two limbs.
template <class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void multiply_wide(Limb &low, Limb &high, Limb a,
                                                                Limb b) {
    if constexpr (ptx::exists<Limb>) {
        if (WARPINT_USES_PTX) {
            ptx::mul_wide(low, high, a, b);
            return;
        }
    }
    Limb carry = 0;
    low = multiply_add(a, b, Limb{0}, carry);
    high = carry;
}

// A carry chain of sums and products, link by link, for chains that are not one plain row: on a GPU
// with 32-bit limbs the carry is the machine's flag, elsewhere a member. It begins with a link
// whose `first` is true, or with begin(), and ends with a link that leaves no carry. Nothing that
// touches the carry flag may stand between the links. Constant time.
template <class Limb>
struct Chain {
    Limb carry = 0; // unused where the machine's flag is the carry

    // Begins the chain with this carry (0 or 1).
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void begin(Limb carry_in) {
        if constexpr (ptx::exists<Limb>) {
            if (WARPINT_USES_PTX) {
                ptx::set_carry(carry_in);
                return;
            }
        }
        carry = carry_in;
    }
    // The low limb of a + b, plus the carry unless it is the first link; leaves its own.
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE Limb add(Limb a, Limb b, bool first) {
        if constexpr (ptx::exists<Limb>) {
            if (WARPINT_USES_PTX)
                return first ? ptx::add_cc(a, b) : ptx::addc_cc(a, b);
        }
        if (first)
            carry = 0;
        return add_carry(a, b, carry);
    }
    // c + the low limb of a b, plus the carry unless it is the first link; leaves its own.
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE Limb add_low(Limb a, Limb b, Limb c, bool first) {
        if constexpr (ptx::exists<Limb>) {
            if (WARPINT_USES_PTX)
                return first ? ptx::mad_lo_cc(a, b, c) : ptx::madc_lo_cc(a, b, c);
        }
        Limb high = 0;
        return add(c, multiply_add(a, b, Limb{0}, high), first);
    }
    // c + the high limb of a b + the carry; leaves its own.
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE Limb add_high(Limb a, Limb b, Limb c) {
        if constexpr (ptx::exists<Limb>) {
            if (WARPINT_USES_PTX)
                return ptx::madc_hi_cc(a, b, c);
        }
        Limb high = 0;
        multiply_add(a, b, Limb{0}, high);
        return add(c, high, false);
    }
    // The high limb of a b + the carry; ends the chain (it cannot overflow).
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE Limb end_high(Limb a, Limb b) {
        if constexpr (ptx::exists<Limb>) {
            if (WARPINT_USES_PTX)
                return ptx::madc_hi(a, b, 0);
        }
        Limb high = 0;
        multiply_add(a, b, Limb{0}, high);
        return static_cast<Limb>(high + carry);
    }
    // The low limb of a + b + the carry; ends the chain.
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE Limb end(Limb a, Limb b = 0) {
        if constexpr (ptx::exists<Limb>) {
            if (WARPINT_USES_PTX)
                return ptx::addc(a, b);
        }
        return static_cast<Limb>(a + b + carry);
    }
};

// r = sum of a[i] b B^i over the even i < N; N even, r has N limbs.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void multiply_alternate(Limb *r, const Limb *a,
                                                                     Limb b) {
    static_assert(N % 2 == 0);
    if constexpr (has_chain<N, Limb>) {
        if (WARPINT_USES_PTX) {
            WARPINT_UNROLL(N, N)
            for (int i = 0; i < N; i += 2) {
                r[i] = ptx::mul_lo(a[i], b);
                r[i + 1] = ptx::mul_hi(a[i], b);
            }
            return;
        }
    }
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
    if constexpr (has_chain<N, Limb>) {
        if (WARPINT_USES_PTX) {
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
    Limb carry = 0;
    for (int i = 0; i < N; i += 2) {
        Limb high = 0;
        const Limb low = multiply_add(a[i], b, Limb{0}, high);
        r[i] = add_carry(r[i], low, carry);
        r[i + 1] = add_carry(r[i + 1], high, carry);
    }
    return carry;
}

} // namespace warpint::limb
