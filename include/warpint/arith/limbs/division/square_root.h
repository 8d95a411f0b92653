// SPDX-License-Identifier: Apache-2.0
// Integer square root with remainder of limb arrays: Zimmermann, "Karatsuba square root", INRIA
// RR-3805, 1999. The recursion of the paper runs as a loop from the top: each step doubles the
// root's length by one division by the root so far. Variable time.
#pragma once

#include "divide.h"

namespace warpint::arith {

namespace detail {

// The root of a number of two limbs and the remainder, which may need one bit more than a limb.
template <class Limb>
struct LimbRoot {
    Limb root;
    Limb remainder;
    Limb above; // 0 or 1
};

// The bits of a root that is known, and what is left of the number's 2 bits topmost bits.
template <class Wide>
struct RootSoFar {
    int bits;
    Wide root;
    Wide rest;
};
// Four bits of the root of a number with one of its two top bits set, by search.
template <class Wide>
WARPINT_HOST_DEVICE constexpr RootSoFar<Wide> first_bits_of_root(int top) {
    int root = 8;
    while ((root + 1) * (root + 1) <= top)
        ++root;
    return {4, static_cast<Wide>(root), static_cast<Wide>(top - root * root)};
}
#if !WARPINT_DEVICE_PASS
// 32 bits by the processor's square root, which is next to it however it rounds.
template <class Wide>
RootSoFar<Wide> first_word_of_root(std::uint64_t top) {
    auto root = static_cast<std::uint64_t>(__builtin_sqrt(static_cast<double>(top)));
    root = root >> 32 != 0 ? 0xffffffff : root;
    while (root * root > top)
        --root;
    while (top - root * root > 2 * root)
        ++root;
    return {32, static_cast<Wide>(root), static_cast<Wide>(top - root * root)};
}
#endif

// floor(sqrt(a)) for a with one of its two top bits set: each step doubles the bits of the root
// (algorithm SqrtRem of the paper, with B = 2^bits).
template <class Limb>
WARPINT_HOST_DEVICE constexpr LimbRoot<Limb> root_of_two(limb::double_limb_t<Limb> a) {
    using Wide = limb::double_limb_t<Limb>;
    constexpr int width = 2 * limb::limb_bits<Limb>;
    RootSoFar<Wide> r = [&] {
#if !WARPINT_DEVICE_PASS
        if constexpr (sizeof(Limb) == 8) {
            if (!__builtin_is_constant_evaluated())
                return first_word_of_root<Wide>(static_cast<std::uint64_t>(a >> 64));
        }
#endif
        return first_bits_of_root<Wide>(static_cast<int>(a >> (width - 8)));
    }();
    for (; r.bits < limb::limb_bits<Limb>; r.bits *= 2) {
        const int bits = r.bits;
        const Wide mask = static_cast<Wide>((Wide{1} << bits) - 1u);
        const Wide next = static_cast<Wide>(a >> (width - 4 * bits)); // below what is done
        const Wide dividend = static_cast<Wide>((r.rest << bits) | ((next >> bits) & mask));
        const Wide divisor = static_cast<Wide>(2u * r.root);
        // One instruction of some CPUs; g++ calls a function for it.
        const Wide q = limb::divide_2by1(static_cast<Limb>(dividend >> limb::limb_bits<Limb>),
                                         static_cast<Limb>(dividend), static_cast<Limb>(divisor))
                           .quotient;
        r.rest = static_cast<Wide>(((dividend - q * divisor) << bits) | (next & mask));
        r.root = static_cast<Wide>((r.root << bits) + q);
        const Wide square = static_cast<Wide>(q * q);
        if (r.rest < square) { // q was one too large
            r.rest = static_cast<Wide>(r.rest + 2u * r.root - 1u);
            --r.root;
        }
        r.rest = static_cast<Wide>(r.rest - square);
    }
    return {static_cast<Limb>(r.root), static_cast<Limb>(r.rest),
            static_cast<Limb>(r.rest >> limb::limb_bits<Limb>)};
}

// r = a^2 for n limbs, n <= N.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr void square_row(Limb *r, const Limb *a, int n) {
    if constexpr (WARPINT_DEVICE_PASS == 0) {
        constexpr int threshold = Tuning<Limb>::karatsuba_square_limbs;
        Limb scratch[square_scratch(N)];
        square_karatsuba<threshold, karatsuba_levels(N, threshold)>(r, a, n, scratch);
    } else {
        for (int i = 0; i < n; ++i)
            r[i] = 0;
        for (int i = 0; i < n; ++i)
            r[i + n] = limb::multiply_add_row(r + i, a, n, a[i]);
    }
}

} // namespace detail

// root = floor(sqrt(a)) in (N + 1) / 2 limbs, remainder = a - root^2 in N limbs, or null (not
// wanted). root and remainder may overlap a, but not each other.
template <int N, class Limb>
WARPINT_HOST_DEVICE WARPINT_DEVICE_NOINLINE constexpr void square_root(Limb *root, Limb *remainder,
                                                                       const Limb *a) {
    constexpr int half = (N + 1) / 2;
    int length = N;
    while (length > 0 && a[length - 1] == 0)
        --length;
    if (length == 0) {
        for (int i = 0; i < half; ++i)
            root[i] = 0;
        for (int i = 0; remainder != nullptr && i < N; ++i)
            remainder[i] = 0;
        return;
    }
    // u = a 4^shift B^(length % 2), of which one of the two top bits is set: the root is 2^shift
    // times as large, and B^(1/2) times.
    const int size = (length + 1) / 2; // limbs of the root
    const int odd = length % 2;
    const int shift = limb::countl_zero(a[length - 1]) / 2;
    Limb u[2 * half + 1];
    u[0] = 0;
    detail::shift_left_row(u + odd, a, length, 2 * shift);

    // s: the root of the top 2 n limbs of u, in the top n limbs of the array. The remainder takes
    // the place of those limbs of u: n limbs and one bit, `above`.
    Limb s[half + 1];
    const Limb high = u[2 * size - 1];
    const auto first = detail::root_of_two<Limb>(static_cast<limb::double_limb_t<Limb>>(
        (static_cast<limb::double_limb_t<Limb>>(high) << limb::limb_bits<Limb>) | u[2 * size - 2]));
    s[size - 1] = first.root;
    u[2 * size - 2] = first.remainder;
    Limb above = first.above;
    Limb product[2 * half];
    Limb q[half + 1];
    for (int n = 1; n < size && half > 1;) {
        // The next m limbs of the root. All steps end on ceil(size / 2^k) limbs.
        int next = size;
        while ((next + 1) / 2 > n)
            next = (next + 1) / 2;
        const int m = next - n;
        Limb *const v = s + (size - n);
        Limb *const w = u + 2 * size - 2 * n - m; // the remainder and the next m limbs
        // (above, w) = 2 s q + rest: divide by s, which has its top bit set, then halve.
        Limb carry = 0; // q's limb above m
        if (above != 0) {
            limb::sub_row(w + m, w + m, v, n);
            carry = 1;
        }
        if (!detail::less_row(w + m, v, n)) {
            limb::sub_row(w + m, w + m, v, n);
            ++carry;
        }
        if (n == 1) {
            q[0] = 0;
            const auto step = divide_2by1(w[1], w[0], v[0], reciprocal(v[0]));
            q[0] = step.quotient;
            w[0] = step.remainder;
        } else {
            detail::divide_normalised<half, half>(q, w, m, v, n, reciprocal(v[n - 1], v[n - 2]));
        }
        above = 0;
        if ((q[0] & 1u) != 0) // odd: the rest is s more
            above = limb::add_row(w, w, v, n);
        for (int i = 0; i < m; ++i)
            q[i] = funnel_right(i + 1 < m ? q[i + 1] : carry, q[i], 1);
        carry = static_cast<Limb>(carry >> 1); // 1 only for q = B^m, all other limbs zero
        // s = s B^m + q, rest = rest B^m + the next m limbs - q^2.
        Limb *const t = s + (size - next);
        for (int i = 0; i < m; ++i)
            t[i] = q[i];
        Limb *const rest = w - m;
        Limb borrow = 0;
        Limb overflow = 0; // of s, for s = B^next; corrected below
        if (carry != 0) {
            overflow = limb::add_limb_row(t + m, n, carry);
            borrow = 1; // q^2 = B^(2 m)
            for (int i = 2 * m; i < m + n; ++i)
                rest[i] = limb::sub_borrow(rest[i], Limb{0}, borrow);
        } else {
            detail::square_row<half>(product, q, m);
            borrow = limb::sub_row(rest, rest, product, 2 * m);
            for (int i = 2 * m; i < m + n; ++i)
                rest[i] = limb::sub_borrow(rest[i], Limb{0}, borrow);
        }
        if (above < borrow) { // one too large: rest += 2 s - 1, s -= 1
            Limb up = static_cast<Limb>(overflow + limb::add_row(rest, rest, t, next));
            Limb down = 1;
            for (int i = 0; down != 0 && i < next; ++i)
                down = t[i]-- == 0;
            up = static_cast<Limb>(up + limb::add_row(rest, rest, t, next));
            above = static_cast<Limb>(above + up);
        }
        above = static_cast<Limb>(above - borrow);
        n = next;
    }
    // Undo the shift: root / (2^shift B^(odd / 2)), rounded down.
    const int back = shift + odd * (limb::limb_bits<Limb> / 2);
    detail::shift_right_row(s, s, size, back);
    if (remainder != nullptr) {
        if (back == 0) {
            for (int i = 0; i < size; ++i)
                remainder[i] = u[i];
            if (size < N)
                remainder[size] = above;
            for (int i = size + 1; i < N; ++i)
                remainder[i] = 0;
        } else {
            detail::square_row<half>(product, s, size);
            limb::sub_row(remainder, a, product, length);
            for (int i = length; i < N; ++i)
                remainder[i] = 0;
        }
    }
    for (int i = 0; i < half; ++i)
        root[i] = i < size ? s[i] : Limb{0};
}

} // namespace warpint::arith
