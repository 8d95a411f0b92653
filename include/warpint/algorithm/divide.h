// Division of limb arrays: Knuth, The Art of Computer Programming 2, 4.3.1, algorithm D, with the
// quotient digit estimated from two numerator limbs and one divisor limb and corrected with the
// next one. Variable time.
#pragma once

#include "../limb/row.h"
#include "linear.h"

namespace warpint::algorithm {

namespace detail {

// One quotient digit: divides the top of u (limbs u[n], u[n-1], u[n-2] matter first) by the
// normalised v and subtracts digit * v from u[0..n]. On input: v[n-1] has its top bit set, u < v B.
// n >= 2.
template <class Limb>
WARPINT_HOST_DEVICE constexpr Limb divide_step(Limb *u, const Limb *v, int n) {
    using Wide = limb::double_limb_t<Limb>;
    constexpr Limb all_ones = static_cast<Limb>(~Limb{0});
    const Limb top = v[n - 1];
    Limb digit = all_ones;
    if (u[n] < top) {
        const auto estimate = limb::divide_2by1(u[n], u[n - 1], top);
        digit = estimate.quotient;
        Limb remainder = estimate.remainder;
        // The estimate is at most 2 too large; the next limb shows nearly all such cases.
        for (int correction = 0; correction < 2; ++correction) {
            const Wide product = static_cast<Wide>(static_cast<Wide>(digit) * v[n - 2]);
            const Wide rest = static_cast<Wide>(
                (static_cast<Wide>(remainder) << limb::limb_bits<Limb>) | u[n - 2]);
            if (product <= rest)
                break;
            --digit;
            remainder = static_cast<Limb>(remainder + top);
            if (remainder < top)
                break; // remainder >= B: the digit is right
        }
    }
    const Limb borrow = limb::multiply_sub_row(u, v, n, digit);
    const bool negative = u[n] < borrow;
    u[n] = static_cast<Limb>(u[n] - borrow);
    if (negative) { // one too large: add the divisor back
        Limb carry = 0;
        for (int i = 0; i < n; ++i)
            u[i] = limb::add_carry(u[i], v[i], carry);
        u[n] = static_cast<Limb>(u[n] + carry);
        --digit;
    }
    return digit;
}

} // namespace detail

// q = a / b, r = a mod b for b != 0. a and q have N limbs, b and r have M. q and r may be null (not
// wanted); q may be a and r may be b.
template <int N, int M, class Limb>
WARPINT_HOST_DEVICE constexpr void divide(Limb *q, Limb *r, const Limb *a, const Limb *b) {
    int n = M;
    while (n > 1 && b[n - 1] == 0)
        --n;
    int length = N;
    while (length > 0 && a[length - 1] == 0)
        --length;
    if (length < n) { // a < b
        Limb remainder[M]{};
        for (int i = 0; i < length; ++i)
            remainder[i] = a[i];
        if (q != nullptr) {
            for (int i = 0; i < N; ++i)
                q[i] = 0;
        }
        if (r != nullptr)
            copy<M>(r, remainder);
        return;
    }
    if (n == 1) {
        const Limb divisor = b[0];
        Limb remainder = 0;
        for (int i = N - 1; i >= 0; --i) {
            const auto step = limb::divide_2by1(remainder, a[i], divisor);
            if (q != nullptr)
                q[i] = step.quotient;
            remainder = step.remainder;
        }
        if (r != nullptr) {
            set_zero<M>(r);
            r[0] = remainder;
        }
        return;
    }
    // Normalise: the divisor's top bit becomes 1.
    Limb u[N + 1]{};
    Limb v[M]{};
    const int shift = limb::countl_zero(b[n - 1]);
    for (int i = n - 1; i >= 0; --i)
        v[i] = funnel_left(b[i], i > 0 ? b[i - 1] : Limb{0}, shift);
    u[length] = funnel_left(Limb{0}, a[length - 1], shift);
    for (int i = length - 1; i >= 0; --i)
        u[i] = funnel_left(a[i], i > 0 ? a[i - 1] : Limb{0}, shift);
    if (q != nullptr) {
        for (int i = length - n + 1; i < N; ++i)
            q[i] = 0;
    }
    for (int j = length - n; j >= 0; --j) {
        const Limb digit = detail::divide_step(u + j, v, n);
        if (q != nullptr)
            q[j] = digit;
    }
    if (r != nullptr) {
        for (int i = 0; i < n; ++i)
            r[i] = funnel_right(i + 1 < n ? u[i + 1] : Limb{0}, u[i], shift);
        for (int i = n; i < M; ++i)
            r[i] = 0;
    }
}

// q = a / divisor over N limbs for a divisor of one limb (not 0); returns the remainder. q may be
// a.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr Limb divide_by_limb(Limb *q, const Limb *a, Limb divisor) {
    Limb remainder = 0;
    for (int i = N - 1; i >= 0; --i) {
        const auto step = limb::divide_2by1(remainder, a[i], divisor);
        q[i] = step.quotient;
        remainder = step.remainder;
    }
    return remainder;
}

} // namespace warpint::algorithm
