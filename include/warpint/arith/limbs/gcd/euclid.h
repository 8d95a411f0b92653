// SPDX-License-Identifier: Apache-2.0
// Euclid's algorithm in variable time for long numbers on hosts, in batches of quotients that the
// highest words of both numbers show.
//
// The quotients of the numbers' highest words are those of the numbers as long as the remainders of
// the words are large beside the factors that they collect; the factors, a matrix, are then applied
// to the whole numbers (D. H. Lehmer, "Euclid's algorithm for large numbers", 1938; the condition:
// N. Möller, "On Schönhage's algorithm and subquadratic integer gcd computation", 2008). A batch
// works in two halves on one word of each number, as those of the binary algorithm (gcd_words.h),
// and takes about w bits off each (w the limb's width). Where the words show no quotient, because
// it is long or the remainder is, the numbers are divided: so the work follows the quotients, and
// numbers with a short remainder, at the start or later, become a short problem.
//
// Neither number has to be odd, and the cofactors need no division at the end.
#pragma once

#include "../division/divide.h"
#include "../product/karatsuba.h"
#include "../tuning.h"
#include "gcd_words.h"

namespace warpint::arith {

// Whether numbers of N limbs take this algorithm, in what is compiled for hosts.
template <int N>
inline constexpr bool use_euclid = WARPINT_DEVICE_PASS == 0 && N >= euclid_limbs;

namespace detail {

// The product of quotient steps: a becomes fa a - ga b, b becomes gb b - fb a; none is negative.
// In each row, f + g <= 2^(w-1).
template <class Limb>
struct QuotientMatrix {
    Limb fa = 1, ga = 0, fb = 0, gb = 1;

    [[nodiscard]] WARPINT_HOST_DEVICE constexpr bool is_identity() const {
        return ga == 0 && fb == 0;
    }
};

// What quotient steps on a and b do to the Jacobi symbol of one over the other; the lower one is
// odd. Of all numbers the two lowest bits are enough, also where an even one stays above (N.
// Möller, "Efficient computation of the Jacobi symbol", 2019, arXiv:1907.07795):
//
//     x over y                             x - q y over y is the same
//     y over x, y odd                      x over y, by quadratic reciprocity
//     y over x - q y, y = 0 modulo 4       the same
//     y over x - q y, y = 2 modulo 4       the sign of (-1)^(q/2), or of (-1)^((q-1)/2 + (x-1)/2)
//                                          for odd q
template <class Limb>
struct SymbolSteps {
    Limb a, b;      // modulo 4; the bits above say nothing
    Limb lower = 0; // in bit 0: 1 if a is the lower one
    Limb sign = 0;  // in bit 0: 1 if the sign has changed

    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void subtract_from_a(Limb q) {
        lower = subtract(a, b, q, lower);
    }
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void subtract_from_b(Limb q) {
        lower = static_cast<Limb>(subtract(b, a, q, static_cast<Limb>(lower ^ 1)) ^ 1);
    }

private:
    // x -= q y, where x_is_lower says in bit 0 whether x is the lower one; returns the same
    // afterwards.
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE Limb subtract(Limb &x, Limb y, Limb q,
                                                               Limb x_is_lower) {
        const Limb exchanged = static_cast<Limb>(x_is_lower & y);
        const Limb twice_odd = static_cast<Limb>(x_is_lower & ~y & (y >> 1));
        sign = static_cast<Limb>(sign ^ (exchanged & ((x & y) >> 1)) ^
                                 (twice_odd & ((q >> 1) ^ ((x >> 1) & q))));
        x = static_cast<Limb>(x - static_cast<Limb>(1u * q * y));
        return static_cast<Limb>(x_is_lower & ~y & 1);
    }
};
// Where no symbol is wanted.
struct NoSymbol {
    template <class Limb>
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void subtract_from_a(Limb) {}
    template <class Limb>
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void subtract_from_b(Limb) {}
};

// Quotient steps on the words x and y as long as their remainders are at least `least`. Returns the
// rows of the matrix, f in the lower half and g in the upper half of a limb: 2^w / least is at most
// 2^(w/2).
template <class Limb>
struct QuotientRows {
    Limb a, b;
};
template <class Limb, class Symbol>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE QuotientRows<Limb>
quotient_steps(Limb &x, Limb &y, Limb least, Symbol &symbol) {
    QuotientRows<Limb> rows = {1, static_cast<Limb>(Limb{1} << (limb::limb_bits<Limb> / 2))};
    if (x < least || y < least)
        return rows;
    while (true) {
        const Limb q = static_cast<Limb>(x / y);
        const Limb rest = static_cast<Limb>(x % y);
        if (rest < least)
            break;
        x = rest;
        rows.a = static_cast<Limb>(rows.a + static_cast<Limb>(1u * q * rows.b));
        symbol.subtract_from_a(q);
        const Limb next = static_cast<Limb>(y / x);
        const Limb next_rest = static_cast<Limb>(y % x);
        if (next_rest < least)
            break;
        y = next_rest;
        rows.b = static_cast<Limb>(rows.b + static_cast<Limb>(1u * next * rows.a));
        symbol.subtract_from_b(next);
    }
    return rows;
}

// A batch for numbers of `length` limbs, of which one uses the highest. With h = w/2, remainders of
// words are at least 2^(h+1), so that the factors are at most 2^(h-1). What the words do not show
// of the numbers changes the remainders of the first half by less than a factor of it; those of the
// second, whose words begin at bit u > h of what the first half leaves, by less than f + 2 g.
template <class Limb, class Symbol>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE QuotientMatrix<Limb>
quotient_batch(const Limb *a, const Limb *b, int length, Symbol &symbol) {
    using Wide = limb::double_limb_t<Limb>;
    constexpr int bits = limb::limb_bits<Limb>;
    constexpr int half = bits / 2;
    constexpr Limb low = static_cast<Limb>((Limb{1} << half) - 1);
    constexpr Limb least = static_cast<Limb>(Limb{1} << (half + 1));
    if (length == 1) { // the words are the numbers: any remainder is right but 0
        Limb x = a[0], y = b[0];
        const bool fit_half = static_cast<Limb>((x | y) >> half) == 0;
        const auto rows = quotient_steps(x, y, fit_half ? Limb{1} : least, symbol);
        return {static_cast<Limb>(rows.a & low), static_cast<Limb>(rows.a >> half),
                static_cast<Limb>(rows.b & low), static_cast<Limb>(rows.b >> half)};
    }
    const Limb top_a = a[length - 1], top_b = b[length - 1];
    const Limb mid_a = a[length - 2], mid_b = b[length - 2];
    const Limb end_a = length > 2 ? a[length - 3] : Limb{0};
    const Limb end_b = length > 2 ? b[length - 3] : Limb{0};
    const int shift = limb::countl_zero(static_cast<Limb>(top_a | top_b));
    Limb x = join_left(top_a, mid_a, shift), y = join_left(top_b, mid_b, shift);
    const auto wide = [](Limb high, Limb below) WARPINT_INLINE_LAMBDA {
        return static_cast<Wide>(static_cast<Wide>(static_cast<Wide>(high) << bits) | below);
    };
    const Wide words_a = wide(x, join_left(mid_a, end_a, shift));
    const Wide words_b = wide(y, join_left(mid_b, end_b, shift));
    const auto first = quotient_steps(x, y, least, symbol);
    const Limb fa = static_cast<Limb>(first.a & low), ga = static_cast<Limb>(first.a >> half);
    const Limb fb = static_cast<Limb>(first.b & low), gb = static_cast<Limb>(first.b >> half);
    if (ga == 0 && fb == 0)
        return {};
    const Wide rest_a = static_cast<Wide>(fa * words_a - ga * words_b);
    const Wide rest_b = static_cast<Wide>(gb * words_b - fb * words_a);
    const int up = limb::countl_zero(static_cast<Limb>((rest_a | rest_b) >> bits));
    WARPINT_ASSERT(up < half - 1);
    x = static_cast<Limb>(static_cast<Wide>(rest_a << up) >> bits);
    y = static_cast<Limb>(static_cast<Wide>(rest_b << up) >> bits);
    const auto second = quotient_steps(x, y, least, symbol);
    const auto entry = [](Limb row, Limb f, Limb g) WARPINT_INLINE_LAMBDA {
        return static_cast<Limb>(static_cast<Limb>(1u * (row & low) * f) +
                                 static_cast<Limb>(1u * (row >> half) * g));
    };
    return {entry(second.a, fa, fb), entry(second.a, ga, gb), entry(second.b, fa, fb),
            entry(second.b, ga, gb)};
}

// Applies a batch to the numbers.
template <class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void
apply_quotients(Limb *a, Limb *b, const QuotientMatrix<Limb> &t, int length) {
    using Wide = limb::double_limb_t<Limb>;
    using SignedWide = limb::signed_limb_t<Wide>;
    constexpr int bits = limb::limb_bits<Limb>;
    // |f x - g y + carry| <= 2^(2w-1)
    const auto product = [](Limb f, Limb x, Limb g, Limb y) WARPINT_INLINE_LAMBDA {
        return static_cast<Wide>(static_cast<Wide>(static_cast<Wide>(f) * x) -
                                 static_cast<Wide>(static_cast<Wide>(g) * y));
    };
    Wide sum_a = 0, sum_b = 0;
    for (int i = 0; i < length; ++i) {
        const Limb x = a[i], y = b[i];
        sum_a = static_cast<Wide>(sum_a + product(t.fa, x, t.ga, y));
        sum_b = static_cast<Wide>(sum_b + product(t.gb, y, t.fb, x));
        a[i] = static_cast<Limb>(sum_a);
        b[i] = static_cast<Limb>(sum_b);
        sum_a = static_cast<Wide>(static_cast<SignedWide>(sum_a) >> bits);
        sum_b = static_cast<Wide>(static_cast<SignedWide>(sum_b) >> bits);
    }
    WARPINT_ASSERT(sum_a == 0 && sum_b == 0);
}

// The factors of one number A in what has become of A and B: a = x A modulo B, b = -y A modulo B.
// They never outgrow B, as B = y a + x b.
template <int N, class Limb>
struct QuotientCofactors {
    Limb x[N + 1]{}, y[N + 1]{};
    int length = 1;

    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE QuotientCofactors() { x[0] = 1; }

    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void apply(const QuotientMatrix<Limb> &t) {
        combine_rows(x, y, length, t);
        length += static_cast<int>((x[length] | y[length]) != 0);
        WARPINT_ASSERT(length <= N);
    }
    WARPINT_HOST_DEVICE constexpr void subtract_from_a(const Limb *q, int digits) {
        add_product(x, y, q, digits);
    }
    WARPINT_HOST_DEVICE constexpr void subtract_from_b(const Limb *q, int digits) {
        add_product(y, x, q, digits);
    }

private:
    // r += s q
    WARPINT_HOST_DEVICE constexpr void add_product(Limb *r, const Limb *s, const Limb *q,
                                                   int digits) {
        int used = length;
        while (used > 0 && s[used - 1] == 0)
            --used;
        if (used == 0 || digits == 0)
            return;
        Limb product[N + 2]{}; // s q < B: its highest limb may be 0
        Limb scratch[product_scratch<Limb>(N / 2 + 1)];
        multiply_any(product, s, used, q, digits, scratch);
        int n = used + digits - static_cast<int>(product[used + digits - 1] == 0);
        if (n < length)
            n = length;
        r[n] = limb::add_row(r, r, product, n);
        length = n + static_cast<int>(r[n] != 0);
        WARPINT_ASSERT(length <= N);
    }
};
struct NoCofactors {
    template <class Limb>
    WARPINT_HOST_DEVICE constexpr void apply(const QuotientMatrix<Limb> &) {}
    template <class Limb>
    WARPINT_HOST_DEVICE constexpr void subtract_from_a(const Limb *, int) {}
    template <class Limb>
    WARPINT_HOST_DEVICE constexpr void subtract_from_b(const Limb *, int) {}
};

template <class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE int length_within(const Limb *a, int length) {
    while (length > 0 && a[length - 1] == 0)
        --length;
    return length;
}

// a = a mod b for a >= b > 0 without leading zeros; q has the quotient's limbs, up to the returned
// number.
template <int N, class Limb>
WARPINT_HOST_DEVICE WARPINT_NOINLINE constexpr int reduce_by_shorter(Limb *q, Limb *a, int length,
                                                                     const Limb *b, int n) {
    Limb rest[N];
    int digits = length - n + 1;
    if (N == 1 || n == 1) {
        rest[0] = divide_row_by_limb(q, a, length, prepare_divisor(b[0]));
    } else if (N == 2 || n == 2) {
        divide_row_by_two(q, rest, a, length, b);
    } else if constexpr (N > 2) {
        digits = divide_long<N, N>(q, rest, a, length, b, n);
    }
    for (int i = 0; i < length; ++i)
        a[i] = i < n ? rest[i] : Limb{0};
    return length_within(q, digits);
}

// Reduces a and b, both of N limbs, until one is 0; the other then is their greatest common
// divisor.
template <int N, class Limb, class Cofactors, class Symbol>
WARPINT_HOST_DEVICE constexpr void euclid(Limb *a, Limb *b, Cofactors &cofactors, Symbol &symbol) {
    int length_a = significant_limbs<N>(a), length_b = significant_limbs<N>(b);
    while (length_a != 0 && length_b != 0) {
        const int length = length_a < length_b ? length_b : length_a;
        const auto t = quotient_batch(a, b, length, symbol);
        if (!t.is_identity()) [[likely]] {
            apply_quotients(a, b, t, length);
            cofactors.apply(t);
            length_a = length_within(a, length);
            length_b = length_within(b, length);
            continue;
        }
        Limb q[N];
        if (length_a < length_b || (length_a == length_b && less_row(a, b, length))) {
            const int digits = reduce_by_shorter<N>(q, b, length_b, a, length_a);
            cofactors.subtract_from_b(q, digits);
            symbol.subtract_from_b(q[0]);
            length_b = length_within(b, length_a);
        } else {
            const int digits = reduce_by_shorter<N>(q, a, length_a, b, length_b);
            cofactors.subtract_from_a(q, digits);
            symbol.subtract_from_a(q[0]);
            length_a = length_within(a, length_b);
        }
    }
}

} // namespace detail

// r = gcd(a, b) of any numbers, for hosts; r may be a or b. Variable time.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr void gcd_euclid(Limb *r, const Limb *a, const Limb *b) {
    Limb x[N]{}, y[N]{};
    copy<N>(x, a);
    copy<N>(y, b);
    detail::NoCofactors no_cofactors;
    detail::NoSymbol no_symbol;
    detail::euclid<N>(x, y, no_cofactors, no_symbol);
    for (int i = 0; i < N; ++i) // one is 0
        r[i] = static_cast<Limb>(x[i] | y[i]);
}

// The x with a x = gcd(a, m) modulo m that is nearest to 0, for any a and m that are not both 0: r
// = |x|, and the result says whether x is negative; of two as near, x is positive. 2 |x| gcd <= m,
// but x = 1 where m = 0. gcd = gcd(a, m). For hosts; no output array is an input array. Variable
// time.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr bool cofactor_euclid(Limb *r, Limb *gcd, const Limb *a,
                                                   const Limb *m) {
    Limb other[N]{};
    copy<N>(other, a);
    copy<N>(gcd, m);
    detail::QuotientCofactors<N, Limb> cofactors;
    detail::NoSymbol no_symbol;
    detail::euclid<N>(other, gcd, cofactors, no_symbol);
    // The factor of what is 0 is m / gcd, which may be added to the other.
    const bool below = !is_zero<N>(gcd); // x = -cofactors.y
    if (!below)
        copy<N>(gcd, other);
    const Limb *const size = below ? cofactors.y : cofactors.x;
    limb::sub<N>(r, below ? cofactors.x : cofactors.y, size);
    const bool nearer = is_zero<N>(m) || less<N>(size, r) || (!below && equal<N>(size, r));
    if (nearer)
        copy<N>(r, size);
    return below == nearer && !is_zero<N>(r);
}

// The Jacobi symbol (a / b) for odd b: 1, -1, or 0 where a and b have a common factor. For hosts;
// destroys a and b. Variable time.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr int jacobi_euclid(Limb *a, Limb *b) {
    detail::NoCofactors no_cofactors;
    detail::SymbolSteps<Limb> symbol{a[0], b[0]};
    detail::euclid<N>(a, b, no_cofactors, symbol);
    Limb rest[N]{};
    rest[0] = 1;
    if (!equal<N>(is_zero<N>(b) ? a : b, rest))
        return 0;
    return (symbol.sign & 1) != 0 ? -1 : 1;
}

} // namespace warpint::arith
