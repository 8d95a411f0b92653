// SPDX-License-Identifier: Apache-2.0
// Schoolbook division of limb arrays of run-time length: Knuth, The Art of Computer Programming 2,
// 4.3.1, algorithm D, with quotient digits of three limbs by two from a reciprocal (Moeller and
// Granlund, "Improved division by invariant integers", 2011), so that a digit costs products only
// and is wrong, by one, about once in B digits. B is the number of values of a limb. Variable time.
#pragma once

#include "../../../limb/row.h"
#include "../linear.h"
#include "../tuning.h"
#include "reciprocal.h"

namespace warpint::arith {

namespace detail {

// The limb that a << shift moves out of the top limb `high`.
template <class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE Limb shifted_out(Limb high, int shift) {
    return join_left(Limb{0}, high, shift);
}

// r = a << shift over n >= 1 limbs, 0 <= shift < limb width; returns what is moved out. r may be a.
template <class Limb>
WARPINT_HOST_DEVICE constexpr Limb shift_left_row(Limb *r, const Limb *a, int n, int shift) {
    Limb high = a[n - 1];
    const Limb out = shifted_out(high, shift);
    for (int i = n - 1; i > 0; --i) {
        const Limb low = a[i - 1];
        r[i] = join_left(high, low, shift);
        high = low;
    }
    r[0] = static_cast<Limb>(high << shift);
    return out;
}

// r = a >> shift over n >= 1 limbs, 0 <= shift < limb width. r may be a.
template <class Limb>
WARPINT_HOST_DEVICE constexpr void shift_right_row(Limb *r, const Limb *a, int n, int shift) {
    Limb low = a[0];
    for (int i = 0; i + 1 < n; ++i) {
        const Limb high = a[i + 1];
        r[i] = static_cast<Limb>(
            (low >> shift) |
            static_cast<Limb>(static_cast<Limb>(high << 1) << (limb::limb_bits<Limb> - 1 - shift)));
        low = high;
    }
    r[n - 1] = static_cast<Limb>(low >> shift);
}

// a < b over n limbs. Variable time.
template <class Limb>
WARPINT_HOST_DEVICE constexpr bool less_row(const Limb *a, const Limb *b, int n) {
    for (int i = n - 1; i >= 0; --i) {
        if (a[i] != b[i])
            return a[i] < b[i];
    }
    return false;
}

} // namespace detail

// A divisor of one limb, prepared: d = divisor << shift has its top bit set.
template <class Limb>
struct LimbDivisor {
    Limb d;
    Limb inverse;
    int shift;
};

template <class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE LimbDivisor<Limb> prepare_divisor(Limb divisor) {
    WARPINT_ASSERT(divisor != 0);
    const int shift = limb::countl_zero(divisor);
    const Limb d = static_cast<Limb>(divisor << shift);
    return {d, reciprocal(d), shift};
}

// q = a / divisor; returns the remainder. a and q have length >= 1 limbs; q may be a, or null (not
// wanted).
template <class Limb>
WARPINT_HOST_DEVICE constexpr Limb divide_row_by_limb(Limb *q, const Limb *a, int length,
                                                      const LimbDivisor<Limb> &divisor) {
    const int shift = divisor.shift;
    Limb high = a[length - 1];
    Limb r = detail::shifted_out(high, shift);
    for (int i = length - 1; i >= 0; --i) {
        const Limb low = i > 0 ? a[i - 1] : Limb{0};
        const auto step =
            divide_2by1(r, detail::join_left(high, low, shift), divisor.d, divisor.inverse);
        if (q != nullptr)
            q[i] = step.quotient;
        r = step.remainder;
        high = low;
    }
    return static_cast<Limb>(r >> shift);
}

// The remainder alone, for hosts, faster for long a: four limbs a turn, by the powers of B modulo
// the divisor d, so that from turn to turn there are a product and sums, and not four quotient
// digits.
template <class Limb>
WARPINT_HOST_DEVICE WARPINT_NOINLINE constexpr Limb
remainder_row_by_limb(const Limb *a, int length, const LimbDivisor<Limb> &divisor) {
    const int shift = divisor.shift;
    if (length < remainder_turn_limbs ||
        static_cast<Limb>(divisor.d >> shift) == 1) // modulo which the power 1 is not reduced
        return divide_row_by_limb<Limb>(nullptr, a, length, divisor);
    using Wide = limb::double_limb_t<Limb>;
    Limb power[7] = {1}; // B^i mod d
    Limb shifted = static_cast<Limb>(Limb{1} << shift);
    for (int i = 1; i < 7; ++i) {
        shifted = divide_2by1(shifted, Limb{0}, divisor.d, divisor.inverse).remainder;
        power[i] = static_cast<Limb>(shifted >> shift);
    }
    // With three limbs of a turn's sum (r[2], r[1], r[0]) < 5 B^2: five products and less of limbs.
    Limb r[3]{};
    Wide sum = 0;
    Limb over = 0;
    const auto add = [&](Limb x, int i) WARPINT_INLINE_LAMBDA {
        const Wide product = static_cast<Wide>(static_cast<Wide>(x) * power[i]);
        sum = static_cast<Wide>(sum + product);
        over = static_cast<Limb>(over + static_cast<Limb>(sum < product));
    };
    const auto end_turn = [&]() WARPINT_INLINE_LAMBDA {
        r[0] = static_cast<Limb>(sum);
        r[1] = static_cast<Limb>(sum >> limb::limb_bits<Limb>);
        r[2] = over;
        WARPINT_ASSERT(over < 5);
    };
    const int whole = length / 4 * 4;
    for (int i = whole; i < length; ++i)
        add(a[i], i - whole);
    end_turn();
    for (int i = whole - 4; i >= 0; i -= 4) {
        sum = a[i];
        over = 0;
        add(a[i + 1], 1);
        add(a[i + 2], 2);
        add(a[i + 3], 3);
        add(r[2], 6);
        add(r[0], 4);
        add(r[1], 5);
        end_turn();
    }
    return divide_row_by_limb<Limb>(nullptr, r, 3, divisor);
}

// The same for a of N limbs, unrolled.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE Limb divide_by_limb(Limb *q, const Limb *a,
                                                                 const LimbDivisor<Limb> &divisor) {
    const auto join = [&](Limb high, Limb low) WARPINT_INLINE_LAMBDA {
        return WARPINT_USES_PTX ? funnel_left(high, low, divisor.shift)
                                : detail::join_left(high, low, divisor.shift);
    };
    Limb r = join(Limb{0}, a[N - 1]);
    WARPINT_UNROLL_HOST
    WARPINT_UNROLL(N, limb::chain_limbs)
    for (int i = N - 1; i >= 0; --i) {
        const Limb low = i > 0 ? a[i - 1] : Limb{0};
        const auto step = divide_2by1(r, join(a[i], low), divisor.d, divisor.inverse);
        if (q != nullptr)
            q[i] = step.quotient;
        r = step.remainder;
    }
    return static_cast<Limb>(r >> divisor.shift);
}

// q = a / b for two limbs with b[1] != 0; the remainder goes to r[0..2). a has length >= 2 limbs, q
// length - 1; q may be a, or null. r may be b, and null. Unrolled on hosts.
template <class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void divide_by_two(Limb *q, Limb *r, const Limb *a,
                                                                int length, const Limb *b) {
    WARPINT_ASSERT(length >= 2 && b[1] != 0);
    const int shift = limb::countl_zero(b[1]);
    const Limb d1 = detail::join_left(b[1], b[0], shift);
    const Limb d0 = static_cast<Limb>(b[0] << shift);
    const Limb v = reciprocal(d1, d0);
    Limb r1 = detail::shifted_out(a[length - 1], shift);
    Limb r0 = detail::join_left(a[length - 1], a[length - 2], shift);
    WARPINT_UNROLL_HOST
    for (int i = length - 2; i >= 0; --i) {
        const Limb low = i > 0 ? a[i - 1] : Limb{0};
        const auto step = divide_3by2(r1, r0, detail::join_left(a[i], low, shift), d1, d0, v);
        if (q != nullptr)
            q[i] = step.quotient;
        r1 = step.r1;
        r0 = step.r0;
    }
    if (r != nullptr) {
        const Limb remainder[2] = {r0, r1};
        detail::shift_right_row(r, remainder, 2, shift);
    }
}

// The same, not inlined by force.
template <class Limb>
WARPINT_HOST_DEVICE constexpr void divide_row_by_two(Limb *q, Limb *r, const Limb *a, int length,
                                                     const Limb *b) {
    divide_by_two(q, r, a, length, b);
}

namespace detail {

// As divide_schoolbook, for limbs in memory: u is kept complemented, because ~(u - q v) is ~u + q
// v, and rows are added faster than they are subtracted. Figures: complemented_division_limbs in
// tuning.h.
template <class Limb>
WARPINT_HOST_DEVICE constexpr void divide_complemented(Limb *q, Limb *u, int m, const Limb *v,
                                                       int n, Limb inverse) {
    const auto complement = [](Limb x) { return static_cast<Limb>(~x); };
    const Limb d1 = v[n - 1];
    const Limb d0 = v[n - 2];
    Limb high = u[m + n - 1];
    for (int i = 0; i < m + n - 1; ++i)
        u[i] = complement(u[i]);
    for (int j = m - 1; j >= 0; --j) {
        Limb *const w = u + j; // (high, ~w[n-1], .. ~w[0]) < v B
        Limb digit = complement(0);
        const Limb below = complement(w[n - 1]);
        if (high == d1 && below == d0) [[unlikely]] {
            // Three limbs by two give B or more, and the digit is at most one less.
            limb::multiply_add_row(w, v, n, digit);
            high = complement(w[n - 1]);
        } else {
            const auto step = divide_3by2(high, below, complement(w[n - 2]), d1, d0, inverse);
            digit = step.quotient;
            Limb borrow = limb::multiply_add_row(w, v, n - 2, digit);
            const Limb low = static_cast<Limb>(step.r0 - borrow);
            w[n - 2] = complement(low);
            borrow = step.r0 < borrow;
            high = static_cast<Limb>(step.r1 - borrow);
            if (step.r1 < borrow) [[unlikely]] { // one too large: add the divisor back
                --digit;
                const Limb carry = limb::sub_row(w, w, v, n - 1);
                high = static_cast<Limb>(high + d1 + carry);
            }
        }
        WARPINT_ASSERT(high <= d1);
        if (q != nullptr)
            q[j] = digit;
    }
    for (int i = 0; i < n - 1; ++i)
        u[i] = complement(u[i]);
    u[n - 1] = high;
    WARPINT_ASSERT(less_row(u, v, n));
}

} // namespace detail

// Divides u[0..m + n) by v[0..n): m quotient limbs to q unless it is null, the remainder to
// u[0..n); the limbs of u above are left undefined. On input: n >= 2, v[n-1] has its top bit set,
// inverse = reciprocal(v[n-1], v[n-2]), and the top n limbs of u are below v. Nothing overlaps.
template <class Limb>
WARPINT_HOST_DEVICE constexpr void divide_schoolbook(Limb *q, Limb *u, int m, const Limb *v, int n,
                                                     Limb inverse) {
    const Limb d1 = v[n - 1];
    const Limb d0 = v[n - 2];
    WARPINT_ASSERT(n >= 2 && d1 >> (limb::limb_bits<Limb> - 1) != 0);
    WARPINT_ASSERT(inverse == reciprocal(d1, d0));
    WARPINT_ASSERT(detail::less_row(u + m, v, n));
    if constexpr (sizeof(Limb) == 8) {
        if (n >= complemented_division_limbs) {
            detail::divide_complemented(q, u, m, v, n, inverse);
            return;
        }
    }
    Limb high = u[m + n - 1]; // the top limb of what is left; its place in u is not kept up
    for (int j = m - 1; j >= 0; --j) {
        Limb *const w = u + j; // (high, w[n-1], .. w[0]) < v B
        Limb digit = static_cast<Limb>(~Limb{0});
        if (high == d1 && w[n - 1] == d0) [[unlikely]] {
            // Three limbs by two give B or more, and the digit is at most one less.
            limb::multiply_sub_row(w, v, n, digit);
            high = w[n - 1];
        } else {
            const auto step = divide_3by2(high, w[n - 1], w[n - 2], d1, d0, inverse);
            digit = step.quotient;
            Limb borrow = limb::multiply_sub_row(w, v, n - 2, digit);
            w[n - 2] = static_cast<Limb>(step.r0 - borrow);
            borrow = step.r0 < borrow;
            high = static_cast<Limb>(step.r1 - borrow);
            if (step.r1 < borrow) [[unlikely]] { // one too large: add the divisor back
                --digit;
                const Limb carry = limb::add_row(w, w, v, n - 1);
                high = static_cast<Limb>(high + d1 + carry);
            }
        }
        // The digit is the right one: what is left is below v.
        WARPINT_ASSERT(high < d1 || (high == d1 && detail::less_row(w, v, n - 1)));
        if (q != nullptr)
            q[j] = digit;
    }
    u[n - 1] = high;
}

// q = a / b, r = a mod b for a of `length` >= M and b of M >= 3 limbs, b[M - 1] != 0; q and r may
// be null, q may be a. Returns the limbs of q, all written. As divide_schoolbook, but what is left
// of the dividend is in M registers, into which its other limbs are shifted one by one: for short
// divisors on hosts.
template <int M, class Limb>
WARPINT_HOST_DEVICE constexpr int divide_in_window(Limb *q, Limb *r, const Limb *a, int length,
                                                   const Limb *b) {
    static_assert(M >= 3);
    const int shift = limb::countl_zero(b[M - 1]); // the divisor's top bit becomes 1
    Limb v[M]{};
    Limb left[M]{}; // below v
    WARPINT_UNROLL_ALWAYS
    for (int i = 0; i < M; ++i)
        v[i] = detail::join_left(b[i], i > 0 ? b[i - 1] : Limb{0}, shift);
    const int digits = length - M + 1;
    WARPINT_UNROLL_ALWAYS
    for (int i = 0; i < M - 1; ++i)
        left[i] = detail::join_left(a[digits + i], a[digits + i - 1], shift);
    left[M - 1] = detail::shifted_out(a[length - 1], shift);
    const Limb d1 = v[M - 1];
    const Limb d0 = v[M - 2];
    const Limb inverse = reciprocal(d1, d0);
    for (int j = digits - 1; j >= 0; --j) {
        Limb digit = static_cast<Limb>(~Limb{0});
        Limb top = 0; // what is left: top B^M + r1 B^(M - 1) + r0 B^(M - 2) + low
        Limb r1 = 0;
        Limb r0 = 0;
        Limb low[M - 2]{};
        if (left[M - 1] == d1 && left[M - 2] == d0) [[unlikely]] {
            // Three limbs by two give B or more, and the digit is at most one less.
            r0 = limb::add_carry(d0, left[M - 3], top);
            r1 = limb::add_carry(d1, Limb{0}, top);
        } else {
            const auto step = divide_3by2(left[M - 1], left[M - 2], left[M - 3], d1, d0, inverse);
            digit = step.quotient;
            r1 = step.r1;
            r0 = step.r0;
        }
        low[0] = detail::join_left(a[j], j > 0 ? a[j - 1] : Limb{0}, shift);
        WARPINT_UNROLL_ALWAYS
        for (int i = 1; i < M - 2; ++i)
            low[i] = left[i - 1];
        Limb high = 0;
        Limb borrow = 0;
        WARPINT_UNROLL_ALWAYS
        for (int i = 0; i < M - 2; ++i) {
            const Limb product = limb::multiply_add(v[i], digit, Limb{0}, high);
            low[i] = limb::sub_borrow(low[i], product, borrow);
        }
        r0 = limb::sub_borrow(r0, high, borrow);
        r1 = limb::sub_borrow(r1, Limb{0}, borrow);
        if (top < borrow) [[unlikely]] { // one too large: add the divisor back
            --digit;
            Limb carry = 0;
            WARPINT_UNROLL_ALWAYS
            for (int i = 0; i < M - 2; ++i)
                low[i] = limb::add_carry(low[i], v[i], carry);
            r0 = limb::add_carry(r0, d0, carry);
            r1 = limb::add_carry(r1, d1, carry);
        }
        WARPINT_UNROLL_ALWAYS
        for (int i = 0; i < M - 2; ++i)
            left[i] = low[i];
        left[M - 2] = r0;
        left[M - 1] = r1;
        WARPINT_ASSERT(detail::less_row(left, v, M));
        if (q != nullptr)
            q[j] = digit;
    }
    if (r != nullptr)
        detail::shift_right_row(r, left, M, shift);
    return digits;
}

} // namespace warpint::arith
