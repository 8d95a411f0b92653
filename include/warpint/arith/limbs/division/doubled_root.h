// SPDX-License-Identifier: Apache-2.0
// Integer square root of limb arrays for hosts: Zimmermann's method (square_root.h) with twice the
// root, D = 2 s, in the place of the root. D has its top bit set, so that what is left, r <= D, is
// divided by it as it is: no quotient is halved, and no branch depends on a random bit. A step
// takes fewer limbs than there are, so that its quotient is right but about once in B / 2 times.
// The last one computes no remainder where the bits behind the root tell that it is right. Variable
// time.
#pragma once

#include "square_root.h"

namespace warpint::arith {

namespace detail {

// Twice the root of the number (u[3], .., u[0]) >= B^4 / 16, below B^4 / 4, in d[0..2); u[0..2) is
// what is left of it.
template <class Limb>
WARPINT_HOST_DEVICE constexpr void first_limbs_of_root(Limb *d, Limb *u) {
    using Wide = limb::double_limb_t<Limb>;
    constexpr int bits = limb::limb_bits<Limb>;
    const auto join = [](Limb high, Limb low) {
        return static_cast<Wide>((static_cast<Wide>(high) << bits) | low);
    };
    // (u3, u2) = (d1 / 2)^2 + r, r <= d1; the root of four times it may be odd.
    const auto first = root_of_two<Limb>(static_cast<Wide>(join(u[3], u[2]) << 2));
    const Limb odd = static_cast<Limb>(first.root & 1u);
    const Limb d1 = static_cast<Limb>(first.root - odd);
    Wide four = join(first.above, first.remainder);
    if (odd != 0)
        four = static_cast<Wide>(four + d1 + d1 + 1u);
    const Limb r = static_cast<Limb>(four >> 2);
    // (r, u1) = d1 q + rest
    Limb q = static_cast<Limb>(~Limb{0});
    Wide rest = static_cast<Wide>(static_cast<Wide>(u[1]) + d1);
    if (r < d1) [[likely]] {
        const auto step = limb::divide_2by1(r, u[1], d1);
        q = step.quotient;
        rest = step.remainder;
    }
    // (rest, u0) - q^2 is what is left, unless it is negative: q is too large then, by at most 2.
    const Wide square = static_cast<Wide>(static_cast<Wide>(q) * q);
    Wide left = join(static_cast<Limb>(rest), u[0]);
    bool negative = (rest >> bits) == 0 && left < square;
    left = static_cast<Wide>(left - square);
    while (negative) {
        --q;
        const Wide more = static_cast<Wide>(join(d1, Limb{0}) + q + q + 1u);
        left = static_cast<Wide>(left + more);
        negative = left >= more;
    }
    d[1] = static_cast<Limb>(d1 | (q >> (bits - 1)));
    d[0] = static_cast<Limb>(q << 1);
    u[1] = static_cast<Limb>(left >> bits);
    u[0] = static_cast<Limb>(left);
}

// The first m limbs of (u[0..m+n)) / d[0..n), too large by at most 2 in the last one, or too small
// by one; destroys u. Of d only the limbs that count are used: a group of limbs of the quotient is
// too large by 2 / B then. Returns false if a limb would be B. n >= 2, inverse as for
// divide_schoolbook.
template <class Limb>
WARPINT_HOST_DEVICE constexpr bool divide_by_leading_limbs(Limb *q, Limb *u, int m, const Limb *d,
                                                           int n, Limb inverse) {
    constexpr int group = 4;
    while (m > 0) {
        const int digits = m < group + 2 ? m : group;
        const int used = m < n ? m + 1 : n;
        Limb *const w = u + (m + n - used - digits);
        if (!less_row(w + digits, d + (n - used), used))
            return false;
        m -= digits;
        divide_schoolbook(q + m, w, digits, d + (n - used), used, inverse);
    }
    return true;
}

// One step from n limbs of D, the top ones of d[0..size), to `next` of them: n < next < 2 n. What
// is left are the n limbs u[2 (size - n)..) before, and as many more behind. product: 2 (next - n).
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr void lengthen_root(Limb *d, Limb *u, int size, int n, int next,
                                                 Limb inverse, Limb *product) {
    const int m = next - n;
    Limb *const v = d + (size - n);
    Limb *const t = d + (size - next);
    Limb *const w = u + (size - n) + (size - next); // what is left and the next m limbs
    Limb above = 0;                                 // of w[0..n), the remainder
    Limb q[N];
    q[0] = 0;
    if (less_row(w + m, v, n)) [[likely]] {
        divide_normalised<N, N>(q, w, m, v, n, inverse);
    } else { // they are equal
        for (int i = 0; i < m; ++i)
            q[i] = static_cast<Limb>(~Limb{0});
        for (int i = m; i < n; ++i)
            w[i] = 0;
        above = limb::add_row(w, w, v, n);
    }
    v[0] = static_cast<Limb>(v[0] | shift_left_row(t, q, m, 1));
    Limb *const rest = w - m;
    square_row<N>(product, q, m);
    Limb borrow = limb::sub_row(rest, rest, product, 2 * m);
    for (int i = 2 * m; borrow != 0 && i < next; ++i)
        borrow = rest[i]-- == 0;
    if (above < borrow) [[unlikely]] { // q is one too large
        limb::add_row(rest, rest, t, next);
        for (int i = 0; rest[i]-- == 0; ++i) {
        }
        Limb less = t[0] == 0; // t[0] is even
        t[0] = static_cast<Limb>(t[0] - 2u);
        for (int i = 1; less != 0; ++i)
            less = t[i]-- == 0;
    }
}

// r += 2 s + 1 modulo B^length; s has used < length limbs.
template <class Limb>
WARPINT_HOST_DEVICE constexpr void add_twice(Limb *r, const Limb *s, int used, int length) {
    Limb carry = limb::add_row(r, r, s, used, Limb{1});
    carry = static_cast<Limb>(carry + limb::add_row(r, r, s, used));
    for (int i = used; carry != 0 && i < length; ++i) {
        r[i] = static_cast<Limb>(r[i] + carry);
        carry = r[i] < carry;
    }
}

// What is known of a root without the remainder of the last step.
enum class LastLimbs { unknown, may_be_above, right };

// The last m limbs of D by the bits behind the root's point that they tell: `back` bits, or one
// limb more if these are few. The root that they give may be one too large where those are next to
// 0, as they are for squares, or to B.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr LastLimbs find_last_limbs(Limb *d, const Limb *u, int size, int n,
                                                        int back, Limb inverse) {
    constexpr int bits = limb::limb_bits<Limb>;
    // The quotient is off by 2, q^2 / D is below 2.
    constexpr Limb margin = 4;
    constexpr int few_bits = bits < 32 ? 3 : bits / 4;
    const int m = size - n;
    static_assert(2 * margin <= 1 << few_bits);
    const int more = back < few_bits ? 1 : 0;
    Limb left[2 * N];
    Limb q[N];
    q[0] = 0;
    for (int i = 0; i < m + n + more; ++i)
        left[i] = u[m - more + i];
    if (!divide_by_leading_limbs(q, left, m + more, d + m, n, inverse))
        return LastLimbs::unknown;
    const Limb known =
        more != 0 ? static_cast<Limb>(~Limb{0}) : static_cast<Limb>((Limb{1} << back) - 1u);
    const bool sure = static_cast<Limb>(static_cast<Limb>(q[0] + margin) & known) >= 2 * margin;
    if (!sure && limb::add_limb_row(q, m + more, margin) != 0)
        return LastLimbs::unknown;
    d[m] = static_cast<Limb>(d[m] | shift_left_row(d, q + more, m, 1));
    return sure ? LastLimbs::right : LastLimbs::may_be_above;
}

} // namespace detail

// As square_root (square_root.h), which numbers of at most Few limbs are left to.
template <int N, int Few = 4, class Limb>
WARPINT_HOST_DEVICE constexpr void square_root_on_host(Limb *root, Limb *remainder, const Limb *a) {
    constexpr int bits = limb::limb_bits<Limb>;
    constexpr int half = (N + 1) / 2;
    static_assert(Few >= 2);
    if constexpr (N <= Few) {
        square_root<N>(root, remainder, a);
    } else {
        constexpr int most = half + 1; // limbs of D
        int length = N;
        while (length > Few && a[length - 1] == 0)
            --length;
        if (length == Few) {
            square_root<Few>(root, remainder, a);
            for (int i = (Few + 1) / 2; i < half; ++i)
                root[i] = 0;
            for (int i = Few; remainder != nullptr && i < N; ++i)
                remainder[i] = 0;
            return;
        }
        const int width = length * bits - limb::countl_zero(a[length - 1]);
        const int size = (width + 1) / (2 * bits) + 1;
        // u = a 4^back, which leaves two bits or three.
        const int back = (2 * size * bits - 2 - width) / 2;
        const int skipped = 2 * back / bits;
        Limb u[2 * most + 2];
        for (int i = 0; i < skipped; ++i)
            u[i] = 0;
        u[skipped + length] =
            detail::shift_left_row(u + skipped, a, length, 2 * back % bits); // 0 beyond u
        Limb d[most + 1];
        d[size] = 0;
        detail::first_limbs_of_root(d + size - 2, u + 2 * size - 4);
        Limb inverse = reciprocal(d[size - 1], d[size - 2]);
        Limb product[2 * most];
        bool is_right = true;
        for (int n = 2; n < size;) {
            int next = size; // all steps end on floor(size / 2^k) + 1
            while (next / 2 + 1 > n)
                next = next / 2 + 1;
            if (next == size) {
                const auto found = detail::find_last_limbs<most>(d, u, size, n, back, inverse);
                is_right = found != detail::LastLimbs::may_be_above;
                if (found != detail::LastLimbs::unknown)
                    break;
            }
            const Limb d0 = d[size - 2];
            detail::lengthen_root<most>(d, u, size, n, next, inverse, product);
            if (d[size - 2] != d0)
                inverse = reciprocal(d[size - 1], d[size - 2]);
            n = next;
        }
        // root = D / 2^(back + 1), rounded down
        Limb *const s = back + 1 == bits ? d + 1 : d;
        detail::shift_right_row(s, s, size, (back + 1) % bits);
        if (!is_right || remainder != nullptr) {
            const int used = (length + 1) / 2;
            Limb rest[2 * half]; // a - root^2
            detail::square_row<half>(rest, s, used);
            const bool beyond = 2 * used > length && rest[length] != 0;
            const Limb borrow = limb::sub_row(rest, a, rest, length);
            if (beyond || borrow != 0) { // one too large
                for (int i = 0; s[i]-- == 0; ++i) {
                }
                if (remainder != nullptr) // a - root^2 = a - (root + 1)^2 + 2 root + 1
                    detail::add_twice(rest, s, used, length);
            }
            for (int i = 0; remainder != nullptr && i < N; ++i)
                remainder[i] = i < length ? rest[i] : Limb{0};
        }
        for (int i = 0; i < half; ++i)
            root[i] = i < size ? s[i] : Limb{0};
    }
}

} // namespace warpint::arith
