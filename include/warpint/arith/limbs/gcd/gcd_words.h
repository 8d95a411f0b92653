// SPDX-License-Identifier: Apache-2.0
// Greatest common divisor and inverse in variable time for hosts: the binary algorithm in long
// batches of steps that look at the lowest and the highest word of each number only.
//
// As in gcd.h, a step for odd a and b replaces the larger by the difference and removes its zeros,
// and a batch of up to w - 2 shifts (w the limb's width) becomes a matrix. Here the lowest w bits
// and the highest w bits of each number are words of their own, so that nothing has to be looked up
// in the middle of a batch (D. H. Lehmer, "Euclid's algorithm for large numbers", 1938; T. Pornin,
// "Optimized Binary GCD for Modular Inversion", 2020, eprint 2020/972). Its matrix is the product
// of those of two halves, each packed into one word per row.
//
// A half ends after a fixed number of steps, which a processor predicts, or where the next shift
// would be its (w/2)-th, which is rare.
//
// The matrix holds absolute values: a step only ever subtracts rows of opposite signs, so with one
// sign s for all four entries, a 2^k -> s (fa a - ga b) and b 2^k -> s (gb b - fb a). As the
// results are known not to be negative, s shows by itself; where a comparison of two nearly equal
// numbers came out wrong, one result has the other sign, and its absolute value is taken all the
// same.
#pragma once

#include "../../../limb/binary_step.h"
#include "../bounds.h"
#include "../division/divide.h"
#include "../tuning.h"

namespace warpint::arith {

namespace detail {

// |f| and |g| of both rows, f + g <= 2^shifts in each, 1 <= shifts <= w - 2.
template <class Limb>
struct LongBatch {
    Limb fa, ga, fb, gb;
    int shifts;

    // For assertions.
    [[nodiscard]] WARPINT_HOST_DEVICE constexpr bool is_bounded() const {
        if (shifts < 1 || shifts > limb::limb_bits<Limb> - 2)
            return false;
        const Limb most = static_cast<Limb>(Limb{1} << shifts);
        return fa <= most && ga <= static_cast<Limb>(most - fa) && fb <= most &&
               gb <= static_cast<Limb>(most - fb);
    }
};

// The lowest and the highest bits of both numbers; the high words are aligned with one another.
template <class Limb>
struct LongBatchWords {
    Limb low_a, low_b, high_a, high_b;
};

// Half a batch: rows with f in the low half and g in the high half of a limb, f + g <= 2^shifts,
// 1 <= shifts < w/2.
template <class Limb>
struct HalfRows {
    Limb a, b;
    int shifts;
};

// A subtraction is always followed by a shift, so that neither rows nor numbers grow.
template <class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE HalfRows<Limb>
long_half_batch(LongBatchWords<Limb> &words) {
    constexpr int half = limb::limb_bits<Limb> / 2;
    constexpr int limit = half - 1;
    // Two shifts a step on average, so that 12 of 64 bits are seldom too many: a wrong prediction
    // costs more than a few steps. Measured on Zen 5.
    constexpr int steps = limit < 5 ? 1 : limit * 2 / 5;
    Limb low_a = words.low_a, low_b = words.low_b;
    Limb high_a = words.high_a, high_b = words.high_b;
    Limb row_a = 1;
    Limb row_b = static_cast<Limb>(Limb{1} << half);
    Limb left = static_cast<Limb>((Limb{1} << limit) - 1); // the shifts that are left, >= 1
    const auto shift = [&](int zeros) WARPINT_INLINE_LAMBDA {
        low_a = static_cast<Limb>(low_a >> zeros);
        high_a = static_cast<Limb>(high_a >> zeros);
        row_b = static_cast<Limb>(row_b << zeros);
        left = static_cast<Limb>(left >> zeros);
    };
    bool full = false;
    if ((low_a & 1) == 0) { // at the start, or after a half that was full
        full = (low_a & left) == 0;
        if (!full)
            shift(limb::trailing_zeros(low_a));
    }
    if (!full) {
        WARPINT_UNROLL_HOST
        for (int i = 0; i < steps; ++i) {
            const Limb difference =
                limb::subtract_smaller(high_a, high_b, low_a, low_b, row_a, row_b);
            if ((difference & left) == 0) {
                full = true;
                break;
            }
            shift(limb::trailing_zeros(difference));
        }
    }
    int shifts = limit - (limb::limb_bits<Limb> - limb::countl_zero(left));
    if (full) {
        shift(limit - shifts);
        shifts = limit;
    }
    words = {low_a, low_b, high_a, high_b};
    return {row_a, row_b, shifts};
}

template <class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE LongBatch<Limb>
long_batch(LongBatchWords<Limb> words) {
    const HalfRows<Limb> first = long_half_batch(words);
    const HalfRows<Limb> second = long_half_batch(words);
    constexpr int half = limb::limb_bits<Limb> / 2;
    constexpr Limb mask = static_cast<Limb>((Limb{1} << half) - 1);
    const auto entry = [&](Limb row, int shift) WARPINT_INLINE_LAMBDA {
        return static_cast<Limb>(
            static_cast<Limb>(1u * (row & mask) * static_cast<Limb>((first.a >> shift) & mask)) +
            static_cast<Limb>(1u * (row >> half) * static_cast<Limb>((first.b >> shift) & mask)));
    };
    return {entry(second.a, 0), entry(second.a, half), entry(second.b, 0), entry(second.b, half),
            first.shifts + second.shifts};
}

// The highest limbs of two numbers, not both 0, with those below them, shifted up so that the
// larger has its top bit set.
template <class Limb>
struct HighWords {
    Limb a, b;
    bool exact; // both numbers fit one limb
};
// On input: the numbers have `length` limbs, or N if `unrolled`, which may be zeros.
template <int N, bool unrolled, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE HighWords<Limb> high_words(const Limb *a,
                                                                        const Limb *b, int length) {
    Limb high_a = a[0], high_b = b[0], below_a = 0, below_b = 0;
    bool exact = true;
    if constexpr (unrolled) {
        WARPINT_UNROLL_HOST
        WARPINT_UNROLL(N, N)
        for (int i = 1; i < N; ++i) {
            const bool used = (a[i] | b[i]) != 0;
            below_a = used ? a[i - 1] : below_a;
            below_b = used ? b[i - 1] : below_b;
            high_a = used ? a[i] : high_a;
            high_b = used ? b[i] : high_b;
            exact = exact && !used;
        }
    } else if (length > 1) {
        high_a = a[length - 1];
        high_b = b[length - 1];
        below_a = a[length - 2];
        below_b = b[length - 2];
        exact = false;
    }
    const int shift = limb::countl_zero(static_cast<Limb>(high_a | high_b | 1));
    return {join_left(high_a, below_a, shift), join_left(high_b, below_b, shift), exact};
}

template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE LongBatchWords<Limb>
long_batch_words(const Limb *a, const Limb *b, int length) {
    const auto high = high_words<N, false>(a, b, length);
    return {a[0], b[0], high.a, high.b};
}

// (low >> shifts) | (high << (w - shifts)): a limb of a number divided by 2^shifts.
template <class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE Limb shifted_limb(Limb high, Limb low, int shifts) {
    return static_cast<Limb>((low >> shifts) | (high << (limb::limb_bits<Limb> - shifts)));
}

// Which signs the results had: all ones where negative.
template <class Limb>
struct LongBatchSigns {
    Limb a, b;
};

// Applies a batch to the numbers and takes absolute values.
template <class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE LongBatchSigns<Limb>
apply_to_numbers(Limb *a, Limb *b, const LongBatch<Limb> &t, int length) {
    using Wide = limb::double_limb_t<Limb>;
    using SignedWide = limb::signed_limb_t<Wide>;
    constexpr int bits = limb::limb_bits<Limb>;
    WARPINT_ASSERT(t.is_bounded());
    // |f x - g y| < 2^(2w - 2)
    const auto product = [](Limb f, Limb x, Limb g, Limb y) WARPINT_INLINE_LAMBDA {
        return static_cast<SignedWide>(static_cast<Wide>(static_cast<Wide>(f) * x) -
                                       static_cast<Wide>(static_cast<Wide>(g) * y));
    };
    SignedWide sum_a = product(t.fa, a[0], t.ga, b[0]);
    SignedWide sum_b = product(t.gb, b[0], t.fb, a[0]);
    Limb last_a = static_cast<Limb>(sum_a), last_b = static_cast<Limb>(sum_b);
    for (int i = 1; i < length; ++i) {
        sum_a = static_cast<SignedWide>((sum_a >> bits) + product(t.fa, a[i], t.ga, b[i]));
        sum_b = static_cast<SignedWide>((sum_b >> bits) + product(t.gb, b[i], t.fb, a[i]));
        a[i - 1] = shifted_limb(static_cast<Limb>(sum_a), last_a, t.shifts);
        b[i - 1] = shifted_limb(static_cast<Limb>(sum_b), last_b, t.shifts);
        last_a = static_cast<Limb>(sum_a);
        last_b = static_cast<Limb>(sum_b);
    }
    sum_a = static_cast<SignedWide>(sum_a >> bits);
    sum_b = static_cast<SignedWide>(sum_b >> bits);
    WARPINT_ASSERT(sum_a >> t.shifts == (sum_a < 0 ? -1 : 0) &&
                   sum_b >> t.shifts == (sum_b < 0 ? -1 : 0)); // only the sign is above the limbs
    a[length - 1] = shifted_limb(static_cast<Limb>(sum_a), last_a, t.shifts);
    b[length - 1] = shifted_limb(static_cast<Limb>(sum_b), last_b, t.shifts);
    const LongBatchSigns<Limb> signs = {static_cast<Limb>(Limb{0} - static_cast<Limb>(sum_a < 0)),
                                        static_cast<Limb>(Limb{0} - static_cast<Limb>(sum_b < 0))};
    Wide carry_a = static_cast<Wide>(signs.a & 1), carry_b = static_cast<Wide>(signs.b & 1);
    for (int i = 0; i < length; ++i) {
        carry_a = static_cast<Wide>(carry_a + static_cast<Limb>(a[i] ^ signs.a));
        carry_b = static_cast<Wide>(carry_b + static_cast<Limb>(b[i] ^ signs.b));
        a[i] = static_cast<Limb>(carry_a);
        b[i] = static_cast<Limb>(carry_b);
        carry_a = static_cast<Wide>(carry_a >> bits);
        carry_b = static_cast<Wide>(carry_b >> bits);
    }
    return signs;
}

// The limbs that two numbers of `length` limbs use; `length` itself where it is `fixed`.
template <bool fixed, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE int used_length(const Limb *a, const Limb *b,
                                                             int length) {
    if constexpr (!fixed) {
        while (length > 1 && (a[length - 1] | b[length - 1]) == 0)
            --length;
    }
    return length;
}

// a == 0, for a of `length` limbs used.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE bool is_zero_within(const Limb *a, int length) {
    if constexpr (WARPINT_DEVICE_PASS != 0 || N <= 4) {
        return is_zero<N>(a);
    } else {
        int i = 0; // the lowest limb is seldom 0
        while (i < length && a[i] == 0)
            ++i;
        return i == length;
    }
}

// Which of two numbers is longer by so much that a division costs less than the batches that it
// saves.
enum class Longer { none, a, b };
struct UnequalLengths {
    int a, b;
    Longer longer;
};
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr UnequalLengths unequal_lengths(const Limb *a, const Limb *b) {
    if constexpr (N < 3) { // neither is longer by two limbs: no division is compiled
        return {N, N, Longer::none};
    } else {
        const int of_a = significant_limbs<N>(a);
        const int of_b = significant_limbs<N>(b);
        const Longer longer = of_b > 0 && of_a > of_b + 1   ? Longer::a
                              : of_a > 0 && of_b > of_a + 1 ? Longer::b
                                                            : Longer::none;
        return {of_a, of_b, longer};
    }
}

// q = a / b and r = a mod b for a much longer than b, without divide's ways for numbers of like
// lengths: they would be compiled for nothing. q may be null; q and r hold 0.
template <int N, class Limb>
WARPINT_HOST_DEVICE WARPINT_NOINLINE constexpr void
divide_much_longer(Limb *q, Limb *r, const Limb *a, int length, const Limb *b, int n) {
    Limb unused[N]; // one copy of each loop
    if (q == nullptr)
        q = unused;
    if (n == 1) {
        r[0] = divide_row_by_limb(q, a, length, prepare_divisor(b[0]));
    } else if (n == 2) {
        divide_row_by_two(q, r, a, length, b);
    } else {
        divide_long<N, N>(q, r, a, length, b, n);
    }
}

template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr void exchange(Limb *a, Limb *b) {
    for (int i = 0; i < N; ++i) {
        const Limb x = a[i];
        a[i] = b[i];
        b[i] = x;
    }
}

// The first step of a greatest common divisor on hosts, of a and odd b: the remainder of the much
// longer number by the other, which becomes b if b was divided. Returns what this does to the
// Jacobi symbol (a / b), in bit 0.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr Limb divide_longer(Limb *a, Limb *b) {
    const auto [length_a, length_b, longer] = unequal_lengths<N>(a, b);
    if (longer == Longer::none)
        return 0;
    Limb rest[N]{};
    if (longer == Longer::a) {
        divide_much_longer<N>(static_cast<Limb *>(nullptr), rest, a, length_a, b, length_b);
        copy<N>(a, rest);
        return 0;
    }
    const int zeros = countr_zero<N>(a);
    shift_right<N>(a, a, zeros);
    const Limb symbol =
        static_cast<Limb>((static_cast<Limb>(zeros) & ((b[0] >> 1) ^ (b[0] >> 2))) ^
                          ((a[0] & b[0]) >> 1)); // (2 / b)^zeros, and quadratic reciprocity
    divide_much_longer<N>(static_cast<Limb *>(nullptr), rest, b, length_b, a,
                          significant_limbs<N>(a)); // of a without its zeros
    copy<N>(b, a);
    copy<N>(a, rest);
    return symbol;
}

// The same for an inversion: g = a and odd = m at the start. Where m is divided, odd = m - q a, and
// q goes to `quotient`. Returns the limbs of q, 0 for none; and then whether g and odd were
// exchanged, because m - q a is even.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr int divide_longer_of(Limb *g, Limb *odd, Limb *quotient,
                                                   bool &exchanged) {
    exchanged = false;
    const auto [length_g, length_odd, longer] = unequal_lengths<N>(g, odd);
    if (longer == Longer::none)
        return 0;
    Limb rest[N]{};
    if (longer == Longer::a) {
        divide_much_longer<N>(static_cast<Limb *>(nullptr), rest, g, length_g, odd, length_odd);
        copy<N>(g, rest);
        return 0;
    }
    divide_much_longer<N>(quotient, rest, odd, length_odd, g, length_g);
    copy<N>(odd, rest);
    exchanged = (odd[0] & 1) == 0;
    if (exchanged)
        exchange<N>(g, odd);
    return significant_limbs<N>(quotient);
}

// x, y = fa x + ga y, fb x + gb y over `length` limbs, where t has such factors; limb `length` of
// both is written.
template <class Limb, class Factors>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void combine_rows(Limb *x, Limb *y, int length,
                                                               const Factors &t) {
    using Wide = limb::double_limb_t<Limb>;
    constexpr int bits = limb::limb_bits<Limb>;
    Wide sum_x = 0, sum_y = 0;
    for (int i = 0; i < length; ++i) {
        const Limb old_x = x[i], old_y = y[i];
        sum_x = static_cast<Wide>(sum_x + static_cast<Wide>(t.fa) * old_x +
                                  static_cast<Wide>(t.ga) * old_y);
        sum_y = static_cast<Wide>(sum_y + static_cast<Wide>(t.fb) * old_x +
                                  static_cast<Wide>(t.gb) * old_y);
        x[i] = static_cast<Limb>(sum_x);
        y[i] = static_cast<Limb>(sum_y);
        sum_x = static_cast<Wide>(sum_x >> bits);
        sum_y = static_cast<Wide>(sum_y >> bits);
    }
    x[length] = static_cast<Limb>(sum_x);
    y[length] = static_cast<Limb>(sum_y);
}

// The cofactors of an inversion: with x = +-|x| and y = -+|y|, a x = g 2^k and a y = gcd 2^k modulo
// m. As long as every comparison is right, |x| b + |y| a = m, so that neither outgrows m.
template <int N, class Limb>
struct Cofactors {
    Limb x[N + 1]{}, y[N + 1]{}; // |x| and |y|
    Limb negative_y = ~Limb{0};  // all ones where y < 0; x then is > 0
    int shifts = 0;              // k
    int length = 1;

    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE Cofactors() { x[0] = 1; }

    // On input: limb N of x and y is 0.
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void apply(const LongBatch<Limb> &t) {
        WARPINT_ASSERT(t.is_bounded() && !overflow());
        combine_rows(x, y, length, t);
        if (length < N)
            length += static_cast<int>((x[length] | y[length]) != 0);
        shifts += t.shifts;
    }

    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE bool overflow() const {
        return (x[N] | y[N]) != 0;
    }

    // r = r / 2^shifts modulo m in [0, m), for odd m and r <= m 2^shifts.
    WARPINT_HOST_DEVICE constexpr void divide(Limb *r, const Limb *m, Limb inverse) const {
        constexpr int bits = limb::limb_bits<Limb>;
        const int rest = shifts % bits;
        if (rest != 0) {
            const Limb k = static_cast<Limb>(static_cast<Limb>(1u * r[0] * inverse) &
                                             static_cast<Limb>((Limb{1} << rest) - 1));
            Limb carry = 0;
            Limb last = limb::multiply_add(m[0], k, r[0], carry);
            for (int i = 1; i < N; ++i) {
                const Limb word = limb::multiply_add(m[i], k, r[i], carry);
                r[i - 1] = shifted_limb(word, last, rest);
                last = word;
            }
            Limb no_carry = 0;
            const Limb top = limb::add_carry(r[N], carry, no_carry);
            r[N - 1] = shifted_limb(top, last, rest);
            r[N] = static_cast<Limb>(top >> rest);
        }
        for (int rows = shifts / bits; rows > 0; --rows) {
            const Limb k = static_cast<Limb>(1u * r[0] * inverse);
            Limb carry = 0;
            limb::multiply_add(m[0], k, r[0], carry);
            for (int i = 1; i < N; ++i)
                r[i - 1] = limb::multiply_add(m[i], k, r[i], carry);
            Limb top = 0;
            r[N - 1] = limb::add_carry(r[N], carry, top);
            r[N] = top;
        }
        WARPINT_ASSERT(bounds::below_2m<N>(r, r[N], m));
        Limb reduced[N]{}; // which it is, no processor predicts
        const Limb borrow = limb::sub<N>(reduced, r, m);
        select<N>(r, r[N] < borrow, r, reduced);
        r[N] = 0;
        WARPINT_ASSERT(bounds::below_1m<N>(r, m));
    }

    // Makes both smaller than or equal to m, with the signs they must have, and k = 0.
    WARPINT_HOST_DEVICE WARPINT_NOINLINE constexpr void restart(bool negative_x, const Limb *m,
                                                                Limb inverse) {
        divide(x, m, inverse);
        divide(y, m, inverse);
        if (negative_x == (negative_y != 0)) // -|y| = m - |y|
            limb::sub<N>(y, m, y);
        negative_y = static_cast<Limb>(Limb{0} - static_cast<Limb>(!negative_x));
        shifts = 0;
        length = N;
    }
};

} // namespace detail

// gcd_odd, for hosts.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr void gcd_odd_words(Limb *a, Limb *b) {
    if constexpr (WARPINT_DEVICE_PASS == 0)
        detail::divide_longer<N>(a, b);
    int length = detail::used_length<false>(a, b, N);
    while (!detail::is_zero_within<N>(a, length)) {
        const auto t = detail::long_batch(detail::long_batch_words<N>(a, b, length));
        detail::apply_to_numbers(a, b, t, length);
        length = detail::used_length<false>(a, b, length);
    }
}

// cofactor_odd, for hosts.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr void cofactor_odd_words(Limb *r, Limb *gcd, const Limb *a,
                                                      const Limb *m) {
    Limb g[N]{}, odd[N]{};
    copy<N>(g, a);
    copy<N>(odd, m);
    const Limb inverse = limb::negative_inverse(m[0]);
    detail::Cofactors<N, Limb> cofactors;
    if constexpr (WARPINT_DEVICE_PASS == 0) {
        bool exchanged = false;
        const int limbs = detail::divide_longer_of<N>(g, odd, cofactors.y, exchanged);
        if (limbs != 0)
            cofactors.length = limbs;
        if (exchanged) {
            detail::exchange<N>(cofactors.x, cofactors.y);
            cofactors.negative_y = 0;
        }
    }
    int length = detail::used_length<false>(g, odd, N);
    bool nonzero = !is_zero<N>(g);
    while (nonzero) {
        const auto t = detail::long_batch(detail::long_batch_words<N>(g, odd, length));
        const auto signs = detail::apply_to_numbers(g, odd, t, length);
        nonzero = !detail::is_zero_within<N>(g, length);
        cofactors.apply(t);
        cofactors.negative_y = static_cast<Limb>(cofactors.negative_y ^ signs.b);
        // A sign of g that belongs to a wrong comparison, and none of g = 0; or too large.
        const bool wrong = signs.a != signs.b && nonzero;
        if (wrong || (cofactors.overflow() && nonzero)) [[unlikely]]
            cofactors.restart((cofactors.negative_y == 0) != wrong, m, inverse);
        length = detail::used_length<false>(g, odd, length);
    }
    copy<N>(gcd, odd);
    cofactors.divide(cofactors.y, m, inverse);
    // m - |y| for y < 0, unless y = 0; without a branch that nothing predicts.
    Limb opposite[N]{};
    limb::sub<N>(opposite, m, cofactors.y);
    select<N>(r, cofactors.negative_y != 0 && !is_zero<N>(cofactors.y), opposite, cofactors.y);
}

} // namespace warpint::arith
