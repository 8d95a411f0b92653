// SPDX-License-Identifier: Apache-2.0
// Integer k-th root of limb arrays, for hosts: Newton's method from the top, where each step adds
// to an exact root about as many bits as it has, as in Zimmermann's square root (square_root.h).
// Variable time.
#pragma once

#include "divide.h"
#include "root_bound.h"

namespace warpint::arith {

namespace detail {

// A number of run-time length in an array.
template <class Limb>
struct Row {
    Limb *limbs;
    int length; // without leading zeros
};

template <class Limb>
WARPINT_HOST_DEVICE constexpr void trim(Row<Limb> &a) {
    while (a.length > 0 && a.limbs[a.length - 1] == 0)
        --a.length;
}

// Scratch for products and squares of factors of up to n limbs.
template <class Limb>
WARPINT_HOST_DEVICE constexpr int power_scratch(int n) {
    return product_scratch<Limb>(n) > square_scratch(n) ? product_scratch<Limb>(n)
                                                        : square_scratch(n);
}

// r = a b, and r = a^2, of operands of up to N limbs; scratch has power_scratch<Limb>(N).
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr void set_product(Limb *r, const Row<Limb> &a, const Row<Limb> &b,
                                               Limb *scratch) {
    constexpr int threshold = Tuning<Limb>::karatsuba_limbs;
    constexpr int levels = karatsuba_levels(N, threshold);
    multiply_sliced<threshold, levels>(r, a.limbs, a.length, b.limbs, b.length, scratch);
}
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr void set_square(Limb *r, const Row<Limb> &a, Limb *scratch) {
    constexpr int threshold = Tuning<Limb>::karatsuba_square_limbs;
    constexpr int levels = karatsuba_levels(N, threshold);
    square_karatsuba<threshold, levels>(r, a.limbs, a.length, scratch);
}

// p = s^e for e >= 1 and s != 0, unless that has more than N limbs: returns false then. p and spare
// have 2 N limbs, scratch has power_scratch<Limb>(N).
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr bool power_row(Row<Limb> &p, Limb *spare, const Row<Limb> &s,
                                             std::uint32_t e, Limb *scratch) {
    const auto take = [&](int length) {
        Limb *const former = p.limbs;
        p = {spare, length};
        spare = former;
        trim(p);
        return p.length <= N;
    };
    for (int i = 0; i < s.length; ++i)
        p.limbs[i] = s.limbs[i];
    p.length = s.length;
    for (int bit = 30 - limb::countl_zero(e); bit >= 0; --bit) {
        set_square<N>(spare, p, scratch);
        if (!take(2 * p.length))
            return false;
        if ((e >> bit & 1u) != 0) {
            set_product<N>(spare, p, s, scratch);
            if (!take(p.length + s.length))
                return false;
        }
    }
    return true;
}

// r = a >> shift for shift >= 0, in a.length limbs at most.
template <class Limb>
WARPINT_HOST_DEVICE constexpr void set_shifted_right(Row<Limb> &r, const Limb *a, int length,
                                                     int shift) {
    const int whole = shift / limb::limb_bits<Limb>;
    r.length = whole < length ? length - whole : 0;
    if (r.length > 0)
        shift_right_row(r.limbs, a + whole, r.length, shift % limb::limb_bits<Limb>);
    trim(r);
}

// r = a << shift for a != 0; r is not a.
template <class Limb>
WARPINT_HOST_DEVICE constexpr void set_shifted_left(Row<Limb> &r, const Row<Limb> &a, int shift) {
    const int whole = shift / limb::limb_bits<Limb>;
    for (int i = 0; i < whole; ++i)
        r.limbs[i] = 0;
    r.length = whole + a.length;
    r.limbs[r.length] =
        shift_left_row(r.limbs + whole, a.limbs, a.length, shift % limb::limb_bits<Limb>);
    ++r.length;
    trim(r);
}

// a -= b if b <= a; returns whether it is.
template <class Limb>
WARPINT_HOST_DEVICE constexpr bool subtract_if_less(Row<Limb> &a, const Row<Limb> &b) {
    if (a.length < b.length || (a.length == b.length && less_row(a.limbs, b.limbs, a.length)))
        return false;
    Limb borrow = limb::sub_row(a.limbs, a.limbs, b.limbs, b.length);
    for (int i = b.length; borrow != 0; ++i)
        borrow = a.limbs[i]-- == 0;
    trim(a);
    return true;
}

// q = a / b for b != 0; changes a.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr void divide_rows(Row<Limb> &q, Row<Limb> &a, const Row<Limb> &b) {
    q.length = 0;
    if (a.length < b.length)
        return;
    q.length = a.length - b.length + 1;
    if (b.length == 1) {
        divide_row_by_limb(q.limbs, a.limbs, a.length, prepare_divisor(b.limbs[0]));
    } else if (b.length == 2) {
        divide_row_by_two(q.limbs, static_cast<Limb *>(nullptr), a.limbs, a.length, b.limbs);
    } else {
        q.length = divide_long<N, N>(q.limbs, static_cast<Limb *>(nullptr), a.limbs, a.length,
                                     b.limbs, b.length);
    }
    trim(q);
}

// What a step of a root begins with: s, the root of n bits, and the next t bits.
template <int N, class Limb>
struct RootStep {
    static constexpr int room = N + 2; // limbs of a power, and of one limb times it

    Limb s_limbs[room]{};
    Limb first[2 * room];
    Limb second[2 * room];
    Limb product_limbs[2 * room];
    Limb rest_limbs[2 * room];
    Limb scratch[power_scratch<Limb>(room)];
    Row<Limb> s{s_limbs, 0};
    Row<Limb> power{first, 0};
    Row<Limb> rest{rest_limbs, 0};

    WARPINT_HOST_DEVICE constexpr Limb *free_limbs() {
        return power.limbs == first ? second : first;
    }

    // power = s^(k - 1), and rest -= s^k 2^t if it is not less; returns whether it is not.
    WARPINT_HOST_DEVICE constexpr bool subtract_power(std::uint32_t k, int t) {
        if (!power_row<room>(power, free_limbs(), s, k - 1u, scratch))
            return false;
        set_product<room>(product_limbs, power, s, scratch);
        Row<Limb> product{product_limbs, power.length + s.length};
        trim(product);
        if (product.length > room)
            return false;
        Row<Limb> shifted{free_limbs(), 0};
        set_shifted_left(shifted, product, t);
        return subtract_if_less(rest, shifted);
    }
    // The same for an s that may be one too large.
    WARPINT_HOST_DEVICE constexpr void correct(std::uint32_t k, int t) {
        if (subtract_power(k, t))
            return;
        for (int i = 0; s.limbs[i]-- == 0; ++i) {
        }
        trim(s);
        subtract_power(k, t);
    }
    // s = s 2^t + rest / (k power), the quotient cut at 2^t - 1.
    WARPINT_HOST_DEVICE constexpr void lengthen(std::uint32_t k, int t) {
        constexpr int bits = limb::limb_bits<Limb>;
        Row<Limb> divisor{product_limbs, power.length + 1};
        for (int i = 0; i < divisor.length; ++i)
            divisor.limbs[i] = 0;
        divisor.limbs[power.length] =
            limb::multiply_add_row(divisor.limbs, power.limbs, power.length, static_cast<Limb>(k));
        trim(divisor);
        Row<Limb> q{free_limbs(), 0};
        divide_rows<room>(q, rest, divisor);
        const bool beyond = q.length > t / bits && (q.limbs[t / bits] >> (t % bits)) != 0;
        Row<Limb> longer{power.limbs, 0};
        set_shifted_left(longer, s, t);
        for (int i = 0; i < longer.length; ++i)
            s.limbs[i] = longer.limbs[i];
        s.length = longer.length;
        for (int i = 0; i * bits < t; ++i) {
            const int left = t - i * bits;
            const Limb ones = left < bits ? static_cast<Limb>((Limb{1} << left) - 1u)
                                          : static_cast<Limb>(~Limb{0});
            const Limb digit = beyond ? ones : i < q.length ? q.limbs[i] : Limb{0};
            s.limbs[i] = static_cast<Limb>(s.limbs[i] | digit);
        }
    }
};

} // namespace detail

// root = floor(a^(1/k)) for a of `width` bits and 2 <= k < width; all have N limbs.
//
// s is the root of a's top bits, a_n = floor(a / 2^(k (r - n))), and the top n of the r bits of
// a's, since floor(floor(x)^(1/k)) = floor(x^(1/k)). A step adds t bits. Let S = s 2^t, x the real
// root of the next a_m, m = n + t, and d = x - S; 0 <= d < 2^t. Then
//   q = (a_m - S^k) / (k S^(k - 1)) >= d,
// and by the binomial theorem q - d <= d (e^z - 1 - z) / z with z = (k - 1) d / S < (k - 1) / s.
// For k - 1 < 2^b and t = n - 1 - b that is z < 2^-t and q - d < 1. So floor(q) is floor(d) or one
// more, also where it is cut at 2^t - 1, and S + floor(q) is the next root or one more. Its power
// tells, which the next step needs in any case.
//
// The last step ends `guard` bits behind the point. Unless these are all zero, the bits before them
// are the root, and its power is not computed.
template <int N, class Limb>
WARPINT_HOST_DEVICE WARPINT_DEVICE_NOINLINE constexpr void
root_of_degree(Limb *root, const Limb *a, int width, std::uint32_t k) {
    constexpr int bits = limb::limb_bits<Limb>;
    constexpr int first_bits = 25; // of the root that root_bound gives
    constexpr int guard = 6;
    const int degree = static_cast<int>(k);
    const int length = (width + bits - 1) / bits;
    const int root_bits = (width - 1) / degree + 1;
    const int lost = 33 - limb::countl_zero(k - 1u); // b + 1
    // Where the steps end, from the last one. A step gains bits, because k < 2^17 for roots that
    // are longer than first_bits: a has less than 2^21 bits.
    int ends[32]{};
    int steps = 0;
    int n = root_bits;
    if (n > first_bits) {
        ends[steps++] = n + guard;
        n = (n + guard + lost + 1) / 2;
    }
    while (n > first_bits) {
        ends[steps++] = n;
        n = (n + lost + 1) / 2;
    }

    detail::RootStep<N, Limb> step;
    detail::set_shifted_right(step.rest, a, length, width > 32 ? width - 32 : 0);
    const RootBound bound =
        root_bound(static_cast<std::uint32_t>(step.rest.limbs[0]) << (width < 32 ? 32 - width : 0),
                   width - degree * (root_bits - n), k);
    // Above the root of a_n < 2^25, by less than 2: the integer below is that root or one more.
    const std::uint32_t below = (bound.mantissa << bound.shift) - 1u;
    const std::uint32_t most = (std::uint32_t{1} << n) - 1u;
    step.s.limbs[0] = static_cast<Limb>(below < most ? below : most);
    step.s.length = 1;
    while (steps > 0) {
        const int next = ends[--steps];
        const int t = next - n;
        detail::set_shifted_right(step.rest, a, length, degree * (root_bits - n) - t);
        step.correct(k, t);
        step.lengthen(k, t);
        n = next;
    }
    bool is_exact = false;
    if (n != root_bits) {
        is_exact = (step.s.limbs[0] & ((Limb{1} << guard) - 1u)) != 0;
        detail::set_shifted_right(step.s, step.s.limbs, step.s.length, guard);
    }
    if (!is_exact) {
        detail::set_shifted_right(step.rest, a, length, 0);
        step.correct(k, 0);
    }
    for (int i = 0; i < N; ++i)
        root[i] = i < step.s.length ? step.s.limbs[i] : Limb{0};
}

} // namespace warpint::arith
