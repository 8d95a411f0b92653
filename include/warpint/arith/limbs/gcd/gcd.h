// SPDX-License-Identifier: Apache-2.0
// Greatest common divisor and inverse in variable time: the binary algorithm in batches of steps
// that look at one word of each number only.
//
// A step of the binary algorithm for odd b: remove the zeros of a, then replace the larger of a, b
// by their difference, which is even. Whether a is even shows in the lowest bits, which number is
// larger in the highest, so a run of w - 2 shifts (w the limb's width) can be made on one word of
// each number; the product of its steps is a matrix that is then applied to the whole numbers
// (Lehmer's idea; for the binary algorithm: T. Pornin, "Optimized Binary GCD for Modular
// Inversion", 2020, eprint 2020/972). A batch is two half batches of h = w/2 - 1 shifts. Each works
// on words whose low h + 2 bits are the numbers' lowest and whose other bits are their highest. A
// comparison of two nearly equal numbers can come out wrong, which makes a number negative by a
// little; the batch's end takes absolute values.
//
// Hosts do the same in gcd_words.h for greatest common divisors and inverses of short numbers; long
// ones take Euclid's algorithm there (euclid.h).
//
// Bound: a step with s shifts divides the product a b by at least 2^s, so numbers of n bits
// together take at most 2 n shifts and a batch or two more; random ones take 1.4 n.
#pragma once

#include "../../../limb/binary_step.h"
#include "gcd_words.h"

namespace warpint::arith {

namespace detail {

// Whether N limbs stay in registers: every index must then be known at compile time.
template <int N>
inline constexpr bool fits_registers = WARPINT_DEVICE_PASS != 0 && N <= gcd_register_limbs;

// All ones if the top bit is set, else 0.
template <class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE Limb sign_mask(Limb x) {
    return static_cast<Limb>(Limb{0} - static_cast<Limb>(x >> (limb::limb_bits<Limb> - 1)));
}
// mask = all ones: -x; mask = 0: x.
template <class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE Limb negate_word(Limb x, Limb mask) {
    return static_cast<Limb>(static_cast<Limb>(x ^ mask) - mask);
}
template <class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE Limb multiply_word(Limb a, Limb b) {
    return static_cast<Limb>(1u * a * b);
}

// a' 2^k = f0 a + g0 b and b' 2^k = f1 a + g1 b after k shifts, in two's complement.
// |f| + |g| <= 2^k in each row.
template <class Limb>
struct BatchMatrix {
    Limb f0, g0, f1, g1;
};

template <class Limb>
inline constexpr int batch_shifts = limb::limb_bits<Limb> - 2;
template <class Limb>
inline constexpr int half_batch_shifts = limb::limb_bits<Limb> / 2 - 1;

// What one step does to the Jacobi symbol (a / |b|), in bit 0 of the result (1: its sign changes).
// Removing s zeros from a: (2 / b)^s. Exchanging odd a and b: quadratic reciprocity, which holds
// for negative numbers too as long as only one is negative; and a batch never makes both negative.
template <class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE Limb symbol_of_zeros(Limb b, int zeros) {
    return static_cast<Limb>(static_cast<Limb>(zeros) & ((b >> 1) ^ (b >> 2)));
}
template <class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE Limb symbol_of_exchange(Limb a, Limb b) {
    const Limb exchanged = static_cast<Limb>(Limb{0} - static_cast<Limb>(a < b));
    return static_cast<Limb>((a & b & exchanged) >> 1);
}

// h shifts on the words a and b (b odd). The rows of the matrix are packed, f in the low half and g
// in the high half of a limb: sums and shifts of both at once.
template <bool Symbol, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE BatchMatrix<Limb> half_batch(Limb &a, Limb &b,
                                                                          Limb &symbol) {
    constexpr int half = limb::limb_bits<Limb> / 2;
    Limb row_a = 1;
    Limb row_b = static_cast<Limb>(Limb{1} << half);
    Limb stop = static_cast<Limb>(Limb{1} << half_batch_shifts<Limb>); // 1 after h shifts
    int zeros = limb::trailing_zeros(static_cast<Limb>(a | stop));
    while (true) {
        a = static_cast<Limb>(a >> zeros);
        row_b = static_cast<Limb>(row_b << zeros);
        stop = static_cast<Limb>(stop >> zeros);
        if constexpr (Symbol)
            symbol = static_cast<Limb>(symbol ^ symbol_of_zeros(b, zeros));
        if (stop == 1)
            break;
        if constexpr (Symbol)
            symbol = static_cast<Limb>(symbol ^ symbol_of_exchange(a, b));
        const Limb difference = limb::subtract_smaller(a, b, row_a, row_b);
        zeros = limb::trailing_zeros(static_cast<Limb>(difference | stop));
    }
    // Every entry lies in (-2^h, 2^h]: add 2^h - 1 to both halves to take them apart.
    constexpr Limb low = static_cast<Limb>((Limb{1} << half) - 1);
    constexpr Limb bias = static_cast<Limb>(low >> 1);
    constexpr Limb biases = static_cast<Limb>(bias | (bias << half));
    const Limb x = static_cast<Limb>(row_a + biases);
    const Limb y = static_cast<Limb>(row_b + biases);
    return {static_cast<Limb>((x & low) - bias), static_cast<Limb>((x >> half) - bias),
            static_cast<Limb>((y & low) - bias), static_cast<Limb>((y >> half) - bias)};
}

// The high and low words that a batch looks at.
template <class Limb>
struct BatchWords {
    Limb high_a, high_b; // the highest bits, shifted so that the larger has its top bit set
    Limb low_a, low_b;
    bool exact; // both numbers fit one limb, and low_a, low_b are all of them
};

template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE BatchWords<Limb>
batch_words(const Limb *a, const Limb *b, int length) {
    const auto high = high_words<N, fits_registers<N>>(a, b, length);
    return {high.a, high.b, a[0], b[0], high.exact};
}

// w - 2 shifts.
template <bool Symbol, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE BatchMatrix<Limb>
full_batch(const BatchWords<Limb> &words, Limb &symbol) {
    using Signed = limb::signed_limb_t<Limb>;
    using SignedWide = limb::signed_limb_t<limb::double_limb_t<Limb>>;
    constexpr int bits = limb::limb_bits<Limb>;
    constexpr int h = half_batch_shifts<Limb>;
    constexpr Limb low = static_cast<Limb>((Limb{1} << (h + 2)) - 1);
    const auto join = [](Limb high_word, Limb low_word) {
        return static_cast<Limb>((high_word & static_cast<Limb>(~low)) | (low_word & low));
    };
    Limb a = words.exact ? words.low_a : join(words.high_a, words.low_a);
    Limb b = words.exact ? words.low_b : join(words.high_b, words.low_b);
    const BatchMatrix<Limb> m = half_batch<Symbol>(a, b, symbol);
    if (!words.exact) {
        const auto low_row = [&](Limb f, Limb g) {
            return static_cast<Limb>(
                static_cast<Limb>(multiply_word(f, words.low_a) + multiply_word(g, words.low_b)) >>
                h);
        };
        // (f high_a + g high_b) >> h, or 0 if that is negative: only a little, then. One bit of
        // the words is dropped to make them signed.
        const auto high_row = [&](Limb f, Limb g) {
            const SignedWide sum =
                static_cast<SignedWide>(static_cast<SignedWide>(static_cast<Signed>(f)) *
                                            static_cast<Signed>(words.high_a >> 1) +
                                        static_cast<SignedWide>(static_cast<Signed>(g)) *
                                            static_cast<Signed>(words.high_b >> 1));
            const Limb high = static_cast<Limb>(sum >> (h - 1));
            const Limb negative = static_cast<Limb>(sum >> (2 * bits - 1));
            return static_cast<Limb>(high & static_cast<Limb>(~negative));
        };
        const Limb high_a = high_row(m.f0, m.g0);
        const Limb high_b = high_row(m.f1, m.g1);
        const int shift = limb::countl_zero(static_cast<Limb>(high_a | high_b | 1));
        a = join(static_cast<Limb>(high_a << shift), low_row(m.f0, m.g0));
        b = join(static_cast<Limb>(high_b << shift), low_row(m.f1, m.g1));
    }
    const BatchMatrix<Limb> k = half_batch<Symbol>(a, b, symbol);
    const auto entry = [](Limb x, Limb y, Limb z, Limb w) {
        return static_cast<Limb>(multiply_word(x, y) + multiply_word(z, w));
    };
    return {entry(k.f0, m.f0, k.g0, m.f1), entry(k.f0, m.g0, k.g0, m.g1),
            entry(k.f1, m.f0, k.g1, m.f1), entry(k.f1, m.g0, k.g1, m.g1)};
}

// One row of a matrix, ready for unsigned products: f x = |f| (x ^ mask) + (|f| & mask) modulo the
// array's size, where x ^ mask is -x - 1 for a negative f.
template <class Limb>
struct SignedRow {
    Limb f, g, mask_f, mask_g;
    Limb carry; // what the complements lack

    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE SignedRow(Limb row_f, Limb row_g)
        : f(negate_word(row_f, sign_mask(row_f))), g(negate_word(row_g, sign_mask(row_g))),
          mask_f(sign_mask(row_f)), mask_g(sign_mask(row_g)),
          carry(static_cast<Limb>((f & mask_f) + (g & mask_g))) {
        constexpr Limb most = static_cast<Limb>(Limb{1} << (limb::limb_bits<Limb> - 2));
        WARPINT_ASSERT(f <= most && g <= static_cast<Limb>(most - f));
    }

    // f x + g y + sum, all unsigned; fits two limbs as f + g <= 2^(w-2) and sum < 2^(2w-1).
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE limb::double_limb_t<Limb>
    add(limb::double_limb_t<Limb> sum, Limb x, Limb y) const {
        using Wide = limb::double_limb_t<Limb>;
        sum = static_cast<Wide>(sum + static_cast<Wide>(f) * static_cast<Limb>(x ^ mask_f));
        return static_cast<Wide>(sum + static_cast<Wide>(g) * static_cast<Limb>(y ^ mask_g));
    }
};

// (low >> (w-2)) | (high << 2): a limb of a number divided by 2^(w-2).
template <class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE Limb after_batch(Limb high, Limb low) {
    return static_cast<Limb>((low >> batch_shifts<Limb>) | (high << 2));
}

template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void negate_limbs(Limb *r, int length, Limb mask) {
    Limb carry = static_cast<Limb>(mask & 1);
    WARPINT_UNROLL(N, fits_registers<N> ? N : 0)
    for (int i = 0; i < (fits_registers<N> ? N : length); ++i)
        r[i] = limb::add_carry(static_cast<Limb>(r[i] ^ mask), Limb{0}, carry);
}

// Applies a batch to the numbers and takes absolute values; the matrix follows them.
template <bool Symbol, int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void
transform_numbers(Limb *a, Limb *b, BatchMatrix<Limb> &matrix, int length, Limb &symbol) {
    using Wide = limb::double_limb_t<Limb>;
    constexpr int bits = limb::limb_bits<Limb>;
    const SignedRow<Limb> row_a(matrix.f0, matrix.g0);
    const SignedRow<Limb> row_b(matrix.f1, matrix.g1);
    Wide sum_a = row_a.add(row_a.carry, a[0], b[0]);
    Wide sum_b = row_b.add(row_b.carry, a[0], b[0]);
    Limb last_a = static_cast<Limb>(sum_a);
    Limb last_b = static_cast<Limb>(sum_b);
    WARPINT_UNROLL(N, fits_registers<N> ? N : 0)
    for (int i = 1; i < (fits_registers<N> ? N : length); ++i) {
        const Limb x = a[i], y = b[i];
        sum_a = row_a.add(static_cast<Wide>(sum_a >> bits), x, y);
        sum_b = row_b.add(static_cast<Wide>(sum_b >> bits), x, y);
        a[i - 1] = after_batch(static_cast<Limb>(sum_a), last_a);
        b[i - 1] = after_batch(static_cast<Limb>(sum_b), last_b);
        last_a = static_cast<Limb>(sum_a);
        last_b = static_cast<Limb>(sum_b);
    }
    const Limb top_a = static_cast<Limb>(static_cast<Limb>(sum_a >> bits) - row_a.carry);
    const Limb top_b = static_cast<Limb>(static_cast<Limb>(sum_b >> bits) - row_b.carry);
    const int last = fits_registers<N> ? N - 1 : length - 1;
    a[last] = after_batch(top_a, last_a);
    b[last] = after_batch(top_b, last_b);
    const Limb negative_a = sign_mask(top_a);
    const Limb negative_b = sign_mask(top_b);
    if ((negative_a | negative_b) != 0) {
        negate_limbs<N>(b, length, negative_b);
        negate_limbs<N>(a, length, negative_a);
        matrix.f0 = negate_word(matrix.f0, negative_a);
        matrix.g0 = negate_word(matrix.g0, negative_a);
        matrix.f1 = negate_word(matrix.f1, negative_b);
        matrix.g1 = negate_word(matrix.g1, negative_b);
        if constexpr (Symbol) // (-1 / b)
            symbol = static_cast<Limb>(symbol ^ (negative_a & (b[0] >> 1)));
    }
}

// x and y become f0 x + g0 y and f1 x + g1 y. They have `length` limbs in two's complement, and
// limbs for one more; returns the new length.
template <class Limb>
WARPINT_HOST_DEVICE constexpr int transform_cofactors(Limb *x, Limb *y,
                                                      const BatchMatrix<Limb> &matrix, int length) {
    using Wide = limb::double_limb_t<Limb>;
    constexpr int bits = limb::limb_bits<Limb>;
    const SignedRow<Limb> row_x(matrix.f0, matrix.g0);
    const SignedRow<Limb> row_y(matrix.f1, matrix.g1);
    const Limb sign_x = sign_mask(x[length - 1]);
    const Limb sign_y = sign_mask(y[length - 1]);
    Wide sum_x = row_x.carry;
    Wide sum_y = row_y.carry;
    for (int i = 0; i < length; ++i) {
        const Limb old_x = x[i], old_y = y[i];
        sum_x = row_x.add(sum_x, old_x, old_y);
        sum_y = row_y.add(sum_y, old_x, old_y);
        x[i] = static_cast<Limb>(sum_x);
        y[i] = static_cast<Limb>(sum_y);
        sum_x = static_cast<Wide>(sum_x >> bits);
        sum_y = static_cast<Wide>(sum_y >> bits);
    }
    x[length] = static_cast<Limb>(row_x.add(sum_x, sign_x, sign_y));
    y[length] = static_cast<Limb>(row_y.add(sum_y, sign_x, sign_y));
    // One limb at most is spared, without a branch: it mostly is.
    const Limb needed = static_cast<Limb>((x[length] ^ sign_mask(x[length - 1])) |
                                          (y[length] ^ sign_mask(y[length - 1])));
    return length + static_cast<int>(needed != 0);
}

// r = r / 2^(batches (w-2)) modulo m in [0, m), for odd m of N limbs. On input r has N + 2 limbs in
// two's complement, of which `length` are given, and |r| <= m 2^(batches (w-2)); the multiples of m
// that are added before each division leave it in [-m, 2m]. inverse = -1 / m modulo the limb.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr void reduce_cofactor(Limb *r, int length, int batches, const Limb *m,
                                                   Limb inverse) {
    using Wide = limb::double_limb_t<Limb>;
    constexpr int bits = limb::limb_bits<Limb>;
    constexpr Limb low = static_cast<Limb>((Limb{1} << batch_shifts<Limb>)-1);
    const Limb fill = sign_mask(r[length - 1]);
    for (int i = length; i < N + 2; ++i)
        r[i] = fill;
    for (int batch = 0; batch < batches; ++batch) {
        const Limb k = static_cast<Limb>(multiply_word(r[0], inverse) & low);
        Limb carry = 0;
        Limb last = limb::multiply_add(m[0], k, r[0], carry);
        for (int i = 1; i < N; ++i) {
            const Limb word = limb::multiply_add(m[i], k, r[i], carry);
            r[i - 1] = after_batch(word, last);
            last = word;
        }
        const Wide top = static_cast<Wide>(static_cast<Wide>(r[N]) + carry);
        const Limb end = static_cast<Limb>(r[N + 1] + static_cast<Limb>(top >> bits));
        r[N - 1] = after_batch(static_cast<Limb>(top), last);
        r[N] = after_batch(end, static_cast<Limb>(top));
        r[N + 1] = sign_mask(end);
    }
    if (sign_mask(r[N]) != 0)
        r[N] = static_cast<Limb>(r[N] + limb::add<N>(r, r, m));
    WARPINT_ASSERT(bounds::at_most(r, r[N], m, N, 1));
    while (r[N] != 0 || !less<N>(r, m))
        r[N] = static_cast<Limb>(r[N] - limb::sub<N>(r, r, m));
}

// Scalar numbers: gcd of a and odd b in b; a becomes 0.
template <bool Symbol, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void finish_in_one_limb(Limb &a, Limb &b,
                                                                     Limb &symbol) {
    Limb no_row = 0, no_other_row = 0;
    Limb same_zeros = a;
    while (same_zeros != 0) {
        const int zeros = limb::trailing_zeros(same_zeros);
        a = static_cast<Limb>(a >> zeros);
        if constexpr (Symbol) {
            symbol = static_cast<Limb>(symbol ^ symbol_of_zeros(b, zeros));
            symbol = static_cast<Limb>(symbol ^ symbol_of_exchange(a, b));
        }
        same_zeros = limb::subtract_smaller(a, b, no_row, no_other_row);
    }
}

// Reduces a and odd b to 0 and their gcd. Returns the Jacobi symbol's sign in bit 0 if Symbol.
template <bool Symbol, int N, class Limb>
WARPINT_HOST_DEVICE constexpr Limb reduce_to_gcd(Limb *a, Limb *b) {
    Limb symbol = 0;
    if constexpr (WARPINT_DEVICE_PASS == 0)
        symbol = divide_longer<N>(a, b);
    int length = used_length<fits_registers<N>>(a, b, N);
    while (length > 1 && !is_zero_within<N>(a, length)) {
        BatchMatrix<Limb> matrix = full_batch<Symbol>(batch_words<N>(a, b, length), symbol);
        transform_numbers<Symbol, N>(a, b, matrix, length, symbol);
        length = used_length<fits_registers<N>>(a, b, length);
    }
    if (length == 1)
        finish_in_one_limb<Symbol>(a[0], b[0], symbol);
    return symbol;
}

} // namespace detail

// b = gcd(a, b) for odd b; a becomes 0. Variable time.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr void gcd_odd(Limb *a, Limb *b) {
    if (WARPINT_USES_PTX) {
        static_cast<void>(detail::reduce_to_gcd<false, N>(a, b));
    } else {
        gcd_odd_words<N>(a, b);
    }
}

// The Jacobi symbol (a / b) for odd b: 1, -1, or 0 where a and b have a common factor. Destroys a
// and b. Variable time.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr int jacobi_odd(Limb *a, Limb *b) {
    const Limb symbol = detail::reduce_to_gcd<true, N>(a, b);
    Limb rest[N]{};
    rest[0] = 1;
    if (!equal<N>(b, rest))
        return 0;
    return (symbol & 1) != 0 ? -1 : 1;
}

// r = x with a x = gcd(a, m) modulo m in [0, m), for odd m and any a; gcd = gcd(a, m). So r is the
// inverse of a if gcd is 1. No output array is an input array. Variable time.
//
// The cofactors x and y (g = a x 2^-k, gcd = a y 2^-k modulo m after k shifts) grow by a limb per
// batch while the numbers shrink, and are divided by 2^k at the end. They are not expected to
// outgrow m, as their limits are m over the numbers as long as every comparison is right; if they
// do (after a wrong comparison), they are divided earlier.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr void cofactor_odd(Limb *r, Limb *gcd, const Limb *a, const Limb *m) {
    if (!WARPINT_USES_PTX && N < euclid_limbs) {
        cofactor_odd_words<N>(r, gcd, a, m);
        return;
    }
    constexpr int room = N + 2;
    Limb g[N]{}, x[room]{}, y[room]{};
    copy<N>(g, a);
    copy<N>(gcd, m);
    x[0] = 1;
    const Limb inverse = limb::negative_inverse(m[0]);
    Limb symbol = 0;
    int length = detail::used_length<detail::fits_registers<N>>(g, gcd, N);
    int cofactor_length = 1;
    int batches = 0; // by which x and y are still to be divided
    while (!detail::is_zero_within<N>(g, length)) {
        detail::BatchMatrix<Limb> t =
            detail::full_batch<false>(detail::batch_words<N>(g, gcd, length), symbol);
        detail::transform_numbers<false, N>(g, gcd, t, length, symbol);
        if (cofactor_length == room) {
            detail::reduce_cofactor<N>(x, room, batches, m, inverse);
            detail::reduce_cofactor<N>(y, room, batches, m, inverse);
            cofactor_length = N + 1;
            batches = 0;
        }
        cofactor_length = detail::transform_cofactors(x, y, t, cofactor_length);
        ++batches;
        length = detail::used_length<detail::fits_registers<N>>(g, gcd, length);
    }
    detail::reduce_cofactor<N>(y, cofactor_length, batches, m, inverse);
    copy<N>(r, y);
}

} // namespace warpint::arith
