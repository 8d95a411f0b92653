// SPDX-License-Identifier: Apache-2.0
// Integer square roots of eight (or twice eight) numbers at once, digit by digit in radix B = 2^52:
// a division whose divisor is twice the root so far. Half as many multiplications as a division of
// a number of that length by one of half of it.
//
// A number is shifted up by 2 h bits, h per lane, so that its 2 n digits u lie in [B^(2n) / 16,
// B^(2n) / 4): the root s in [B^n / 4, B^n / 2), 2 s has n digits and its top bit set. After k
// digits, s is the root of the top 2 k digits of u, and what is left of them is r = u - s^2 <= 2 s.
// The next digit q is at most (r B + next digit) / (2 s), and with two digits of s or more less
// than that by 2 / B at most (q^2 / (2 s B)).
//
// As in divisions (divide.h) carries stay lazy, and a digit may be one too large or too small. The
// top digits of r tell that later, at the next step or the one after it: only then all of r is
// looked at and s repaired. The last digit's fraction tells whether it is right; r is computed only
// if that is next to an integer, as it is for squares.
#pragma once

#include "convert.h"
#include "divide.h"
#include "montgomery.h"
#include "tuning.h"
#include "workspace.h"

#if WARPINT_SIMD

namespace warpint::simd {
inline namespace WARPINT_SIMD_MACHINE {

// x[i] = x[i - k], k per lane, zeros from below; and x[i] = x[i + k], zeros from above.
template <int K>
WARPINT_SIMD_CALL void raise_digits(Digits *x, int n, const Digits *k) {
    for (int step = 1; step < n; step *= 2) {
        const Mask stays = equal(*k & splat(static_cast<std::uint64_t>(step)), Digits{});
        for (int i = n - 1; i >= 0; --i)
            x[i] = select(stays, x[i], i >= step ? x[i - step] : Digits{});
    }
}
template <int K>
WARPINT_SIMD_CALL void lower_digits(Digits *x, int n, const Digits *k) {
    for (int step = 1; step < n; step *= 2) {
        const Mask stays = equal(*k & splat(static_cast<std::uint64_t>(step)), Digits{});
        for (int i = 0; i < n; ++i)
            x[i] = select(stays, x[i], i + step < n ? x[i + step] : Digits{});
    }
}

// One group of eight roots.
struct RootGroup {
    Digits *u;          // the number as it is read; then r points at it, with zeros below
    Digits *r;          // 2 n digits, of which each step takes the top one off
    Digits *root;       // n digits, two to spare
    Digits *complement; // 2^52 - 1 less each digit of 2 s
    Digits d1, d0;      // the top digits of 2 s, d0 maybe without the carry of the one behind it
    Digits reciprocal;
    Digits index; // of the top digit that is not 0
    Digits zeros; // its leading zeros
    Digits shift; // h
    Mask none;    // the number is 0
};

template <int K>
struct NumberRoots {
    static constexpr int max_groups = 2;
    RootGroup group[max_groups];

    // out = floor(sqrt(a)) for the elements first .. first + 8 groups - 1 below count; of signed
    // ones (two's complement in whole limbs) those that are not negative. Returns the others, which
    // are not stored, as bits from bit 0 on.
    WARPINT_SIMD_CALL std::uint32_t run(const Target &out, const Operand &a, bool is_signed,
                                        int groups, int first, int count) {
        const int last = count - 1;
        const int most = plain_digits(32 * a.limbs());
        const int most_root = root_digits(52 * most);
        const auto word_room =
            static_cast<std::size_t>(conversion_words(a.limbs(), 2 * most_root + 2));
        const auto each = static_cast<std::size_t>((most_root + 2) + (1 + most_root) +
                                                   2 * most_root + (most + 1));
        auto *memory = static_cast<Digits *>(Workspace::of_this_thread().reserve(
            word_room + each * static_cast<std::size_t>(groups)));
        Digits *const words = memory;
        std::uint64_t longest = 0;
        for (int g = 0; g < groups; ++g) {
            RootGroup &p = group[g];
            p.root = memory + word_room + static_cast<std::size_t>(g) * each;
            p.complement = p.root + most_root + 2 + 1;
            p.u = p.complement + 3 * most_root;
            from_limbs<K>(p.u, most, words, a, first + 8 * g, last);
            const std::uint64_t length = find_top(p, most);
            longest = length > longest ? length : longest;
        }
        const int n = root_digits(static_cast<int>(longest));
        for (int g = 0; g < groups; ++g)
            shift_up(group[g], n);
        for (int g = 0; g < groups; ++g)
            first_digit(group[g], n);
        for (int g = 0; g < groups; ++g)
            second_digit(group[g], n);
        for (int g = 0; g < groups && n > 2; ++g)
            group[g].reciprocal = reciprocal_3by2<K>(group[g].d1, group[g].d0);
        // Units of a column: its own digit, two a step and a digit of the root once.
        WARPINT_ASSERT(2 + 2 * n <= max_units / 2);
        Mask unsure;
        for (int i = n - 3; i > 0; --i) {
            for (int g = 0; g < groups; ++g)
                subtract_digit(group[g], n, i, digit_of_root(group[g], n, i, unsure));
        }
        for (int g = 0; g < groups && n > 2; ++g) {
            RootGroup &p = group[g];
            p.root[0] = digit_of_root(p, n, 0, unsure);
            if (bits(unsure) != 0) {
                subtract_digit(p, n, 0, p.root[0]);
                settle(p, n, 0);
            }
        }
        std::uint32_t undone = 0;
        for (int g = 0; g < groups; ++g) {
            const int from = first + 8 * g;
            const int here = count - from < lanes ? count - from : lanes;
            unsigned which = (1u << here) - 1;
            unsigned left = 0;
            for (int l = 0; is_signed && l < here; ++l)
                left |= a.element(from + l)[a.limbs() - 1] >> 31 << l;
            undone |= std::uint32_t{which & left} << (8 * g);
            store(out, group[g], n, from, which & ~left, words);
        }
        return undone;
    }

private:
    // Digits of the root of a number of so many bits, which leave two bits: at least the two that
    // first_digits computes.
    static constexpr int root_digits(int bits) { return bits <= 206 ? 2 : (bits + 2 + 103) / 104; }

    // Finds the top digits of u; returns the bits of the longest number.
    WARPINT_SIMD_CALL static std::uint64_t find_top(RootGroup &p, int most) {
        int i = most - 1;
        p.u[most] = Digits{};
        p.index = splat(static_cast<std::uint64_t>(i));
        Digits top = p.u[i];
        Mask empty = equal(top, Digits{});
        for (; i > 0 && bits(empty) != 0; empty = equal(top, Digits{})) {
            --i;
            top = select(empty, p.u[i], top);
            p.index = select(empty, splat(static_cast<std::uint64_t>(i)), p.index);
        }
        // Something must be calculated with: what is no square is done soonest.
        p.none = empty;
        p.u[0] = select(p.none, splat(2), p.u[0]);
        p.zeros = leading_zeros<K>(select(p.none, splat(2), top));
        const Digits length = (p.index + splat(1)) * splat(52) - p.zeros;
        std::uint64_t longest = 0;
        for (int l = 0; l < lanes; ++l)
            longest = length[l] > longest ? length[l] : longest;
        return longest;
    }

    // Shifts the number up; r = u with zeros below it.
    WARPINT_SIMD_CALL static void shift_up(RootGroup &p, int n) {
        const Mask beyond = less(p.zeros, splat(2)); // its top bits come to lie in the next digit
        const Digits left =
            select(beyond, splat(50), (p.zeros - splat(2)) & splat(~std::uint64_t{1}));
        const Digits index = select(beyond, p.index + splat(1), p.index);
        const Digits whole = splat(static_cast<std::uint64_t>(2 * n - 1)) - index;
        std::uint64_t least = whole[0];
        for (int l = 1; l < lanes; ++l)
            least = whole[l] < least ? whole[l] : least;
        const int size = 2 * n - static_cast<int>(least); // digits of the longest number
        p.r = p.u - least;
        shift_digits(p.u, size, left);
        const Digits rise = whole - splat(least);
        if (bits(equal(rise, Digits{})) != 0xff)
            raise_digits<K>(p.u, size, &rise);
        for (std::uint64_t i = 0; i < least; ++i)
            p.r[i] = Digits{};
        p.shift = whole * splat(26) + (left >> 1);
    }

    // The first digit of the root, s; what is left in the place of u2.
    WARPINT_SIMD_INLINE static void first_digit(RootGroup &p, int n) {
        const Digits one = splat(1);
        Digits *const u = p.r + 2 * n - 4;
        // (u3, u2) = s^2 + rest, modulo 2^64.
        Digits s = approximate_root(u[3], u[2]);
        Digits rest = u[2] - lo(Digits{}, s, s) + ((u[3] - hi(Digits{}, s, s)) << 52);
        const Mask negative = equal(rest >> 63, one);
        s = select(negative, s - one, s);
        rest = select(negative, rest + s + s + one, rest);
        const Mask large = less(s + s, rest);
        u[2] = select(large, rest - s - s - one, rest);
        p.root[n - 1] = select(large, s + one, s);
    }
    // The second one.
    WARPINT_SIMD_INLINE static void second_digit(RootGroup &p, int n) {
        const Digits one = splat(1);
        Digits *const u = p.r + 2 * n - 4;
        const Digits rest = u[2];
        const Digits d = p.root[n - 1] + p.root[n - 1];
        // (rest, u1, u0) = q (d B + q) + (high, low), d = 2 s
        Digits q = approximate_root_digit(rest, u[1], d);
        q = select(less(splat(digit_mask), q), splat(digit_mask), q);
        Digits low = u[0] - lo(Digits{}, q, q);
        Digits high = u[1] - lo(hi(Digits{}, q, q), q, d) + ((rest - hi(Digits{}, q, d)) << 52) +
                      shift_right_signed(low, 52);
        low = clean(low);
        for (int i = 0; i < 2; ++i) { // q too large
            const Mask below = equal(high >> 63, one);
            const Digits sum = low + q + q - one;
            low = select(below, clean(sum), low);
            high = select(below, high + d + (sum >> 52), high);
            q = select(below, q - one, q);
        }
        for (int i = 0; i < 2; ++i) { // too small
            const Digits difference = low - q - q - one;
            const Digits top = high - d + shift_right_signed(difference, 52);
            const Mask fits = equal(top >> 63, Digits{});
            low = select(fits, clean(difference), low);
            high = select(fits, top, high);
            q = select(fits, q + one, q);
        }
        u[0] = low;
        u[1] = high;
        p.root[n - 2] = q;
        p.d1 = d + (q >> 51);
        p.d0 = clean(q + q);
        p.complement[n - 1] = ~p.d1;
        p.complement[n - 2] = ~p.d0;
    }

    // Digit i of the root; unsure: the lanes where it may be wrong. What is left behind it, in
    // units of d1, is rest less at most 3 (2 by the digits of 2 s behind d0, 1 by q^2) or more by
    // at most 1 (the digits behind the top ones, their carries): so q is right unless rest is next
    // to 0 or to d1.
    WARPINT_SIMD_INLINE static Digits digit_of_root(RootGroup &p, int n, int i, Mask &unsure) {
        QuotientDigit digit = quotient_digit(p.r + n + i, p.d1, p.d0, p.reciprocal);
        if (bits(less(digit.x, p.d1)) != 0xff) { // r < 0, or no less than 2 s, by its top digit
            settle(p, n, i + 1);
            digit = quotient_digit(p.r + n + i, p.d1, p.d0, p.reciprocal);
        }
        const Digits margin = splat(4);
        const Mask beyond =
            less(splat(digit_mask), digit.q) | ~(less(digit.x, p.d1) | less(digit.y, p.d0));
        unsure = beyond | less(digit.rest, margin) | less(p.d1, digit.rest + margin);
        return select(beyond, splat(digit_mask), digit.q);
    }

    // r -= q (2 s B + q), s = s B + q, at digit i.
    WARPINT_SIMD_INLINE static void subtract_digit(RootGroup &p, int n, int i, const Digits &q) {
        p.root[i] = q;
        Digits *const r = p.r + 2 * i;
        p.complement[i] = ~q;
        p.complement[i - 1] = Digits{};
        r[0] += q; // of the complement, which lacks 1
        // The top digit turns 0 and is added to the next.
        const Digits *const c = p.complement + i;
        const int top = n - i - 1;
        r[top] = r[top] + ((hi(r[top + 1], q, c[top]) - q) << 52);
        WARPINT_SIMD_UNROLL_SOME
        for (int j = top; j >= 0; --j)
            r[j] = hi(lo(r[j], q, c[j]), q, c[j - 1]);
        p.complement[i] = ~(q << 1);
        p.complement[i + 1] = p.complement[i + 1] & ~(q >> 51);
    }

    // Takes the carries of r in and, where it is not so, makes 0 <= r <= 2 s; digit i of s is the
    // last.
    WARPINT_SIMD_CALL static void settle(RootGroup &p, int n, int i) {
        Digits *const r = p.r + 2 * i;
        Digits *const s = p.root + i;
        Digits *const c = p.complement + i;
        const int top = n - i - 1;
        const Digits one = splat(1);
        for (;;) {
            Digits carry{};
            Digits borrow{}; // of 2 s - r
            for (int j = 0; j <= top; ++j) {
                const Digits sum = r[j] + carry;
                carry = shift_right_signed(sum, 52);
                r[j] = j < top ? clean(sum) : sum;
                borrow = (clean(~c[j]) - r[j] - borrow) >> 63;
            }
            const Mask below = equal(r[top] >> 63, one);
            const Mask above = equal(borrow, one) & ~below;
            if (bits(below | above) == 0)
                break;
            // s -= 1, r += 2 s + 1, and r -= 2 s + 1, s += 1.
            const Digits minus = select(below | above, one, Digits{});
            r[0] = r[0] - minus;
            carry = select(above, one, Digits{} - minus);
            Digits before{};
            for (int j = 0; j <= top; ++j) {
                const Digits twice = clean(~c[j]);
                r[j] = r[j] + select(below, twice, select(above, Digits{} - twice, Digits{}));
                const Digits sum = s[j] + carry;
                carry = shift_right_signed(sum, 52);
                s[j] = clean(sum);
                c[j] = ~(s[j] << 1 | before);
                before = s[j] >> 51;
            }
        }
        p.d1 = clean(~c[top]);
        p.d0 = clean(~c[top - 1]);
        p.reciprocal = reciprocal_3by2<K>(p.d1, p.d0);
    }

    WARPINT_SIMD_CALL static void store(const Target &out, RootGroup &p, int n, int first,
                                        unsigned which, Digits *words) {
        // h = 52 whole + left
        const Digits whole = hi(Digits{}, p.shift, splat((std::uint64_t{1} << 52) / 52 + 1));
        const Digits left = p.shift - whole * splat(52);
        std::uint64_t least = whole[0];
        for (int l = 1; l < lanes; ++l)
            least = whole[l] < least ? whole[l] : least;
        Digits *const root = p.root + least;
        const int size = n - static_cast<int>(least);
        const Digits fall = whole - splat(least);
        if (bits(equal(fall, Digits{})) != 0xff)
            lower_digits<K>(root, size, &fall);
        unshift_digits(root, size, left);
        root[0] = select(p.none, Digits{}, root[0]);
        to_limbs<K>(out, first, which, root, size, words);
    }
};

} // namespace WARPINT_SIMD_MACHINE
} // namespace warpint::simd

#endif // WARPINT_SIMD
