// SPDX-License-Identifier: Apache-2.0
// Quotients and remainders of eight (or twice eight) numbers at once, and remainders of products,
// by moduli of any parity: Knuth's algorithm D in radix 2^52, quotient digits from the three top
// digits of the remainder and two of the modulus by a reciprocal (N. Moeller, T. Granlund,
// "Improved division by invariant integers", IEEE Transactions on Computers 60, 2011, algorithms 4
// and 6).
//
// Carries stay lazy, and a quotient digit that may be wrong is not repaired: its lane is reported,
// and scalar code does it again. Of random operands none is (about 2^-45 a digit); of hostile ones
// some are, and always those whose modulus is more than 51 bits shorter than the longest of its
// group.
#pragma once

#include "convert.h"
#include "montgomery.h"
#include "tuning.h"
#include "workspace.h"

#if WARPINT_SIMD

namespace warpint::simd {
inline namespace WARPINT_SIMD_MACHINE {

// v = floor((B^3 - 1) / (d1 B + d0)) - B for B = 2^52, d1 >= B / 2, both clean.
template <int K>
WARPINT_SIMD_INLINE Digits reciprocal_3by2(const Digits &d1, const Digits &d0) {
    const Digits one = splat(1);
    // floor((B^2 - 1) / d1) - B: an estimate, and its remainder p, exact modulo 2^64.
    Digits v = approximate_reciprocal(d1) - splat(std::uint64_t{1} << 52);
    Digits p = Digits{} - one - v * d1 - (d1 << 52);
    for (int i = 0; i < 3; ++i) { // too large by up to 2 or so: p negative
        const Mask negative = equal(p >> 63, one);
        p = select(negative, p + d1, p);
        v = select(negative, v - one, v);
    }
    for (int i = 0; i < 3; ++i) { // too small
        const Mask small = less(p, d1);
        p = select(small, p, p - d1);
        v = select(small, v, v + one);
    }
    // From here as the paper: p = d1 v + d0 modulo B and what it has passed.
    p = clean(d1 * v) + d0;
    Mask over = less(splat(digit_mask), p);
    v = select(over, v - one, v);
    Digits lowered = clean(p);
    const Mask again = less(lowered, d1); // no second correction
    v = select(over, select(again, v, v - one), v);
    lowered = select(again, lowered, lowered - d1);
    p = select(over, clean(lowered - d1), p);
    const Digits t1 = hi(Digits{}, v, d0);
    const Digits t0 = lo(Digits{}, v, d0);
    p = p + t1;
    over = less(splat(digit_mask), p);
    v = select(over, v - one, v);
    p = clean(p);
    const Mask greater = less(d1, p);
    const Mask tie = equal(p, d1);
    const Digits second =
        select(greater, one, select(tie, select(less(t0, d0), Digits{}, one), Digits{}));
    return select(over, v - second, v);
}

// A digit of a quotient: floor((x, y, z) / (d1, d0)), the three top digits of what is divided.
struct QuotientDigit {
    Digits q;
    Digits rest; // the top digit of what is left
    Digits x, y;
};

// top: what is divided, column sums, whose digits top[1] and up are 0; (x, y) <= (d1, d0). q may be
// one too large where rest = d1, whose second correction the top digits do not decide. x may turn
// out negative.
WARPINT_SIMD_INLINE QuotientDigit quotient_digit(const Digits *top, const Digits &d1,
                                                 const Digits &d0, const Digits &v) {
    const Digits one = splat(1);
    // The top digits, their carries taken in.
    Digits z = top[-2] + (top[-3] >> 52);
    Digits y = top[-1] + (z >> 52);
    const Digits x = top[0] + shift_right_signed(y, 52);
    z = clean(z);
    y = clean(y);
    // (q1, q0) = v x + (x, y)
    Digits q0 = lo(y, v, x);
    const Digits q1 = hi(x, v, x) + (q0 >> 52);
    q0 = clean(q0);
    // (r1, r0) = (y, z) - q1 (d1, d0) - (d1, d0) modulo B^2
    const Digits r0 = z - lo(Digits{}, d0, q1) - d0;
    const Digits r1 =
        clean(y - lo(Digits{}, d1, q1) - hi(Digits{}, d0, q1) - d1 + shift_right_signed(r0, 52));
    // Where r1 < q0 the quotient is q1 + 1, else (d1, d0) is added back; then the second
    // correction, by the top digits alone.
    const Mask fits = less(r1, q0);
    const Digits back = clean(r1 + d1 + ((clean(r0) + d0) >> 52));
    const Digits rest = select(fits, r1, back);
    const Digits q = select(fits, q1 + one, q1);
    return {select(less(rest, d1), q, q + one), rest, x, y};
}

// x = x 2^k, clean, for column sums x, k < 52; returns what leaves the top.
WARPINT_SIMD_INLINE Digits shift_digits(Digits *x, int n, const Digits &left) {
    const Digits right = splat(52) - left;
    Digits before{};
    Digits carry{};
    WARPINT_SIMD_UNROLL_SOME
    for (int i = 0; i < n; ++i) {
        const Digits digit = next_digit(x[i], carry);
        x[i] = clean(shift_left(digit, left)) | before;
        before = shift_right(digit, right);
    }
    return before;
}
// x = x / 2^k, rounded down, for clean digits x, k < 52.
WARPINT_SIMD_INLINE void unshift_digits(Digits *x, int n, const Digits &left) {
    const Digits right = splat(52) - left;
    for (int i = 0; i < n; ++i) {
        const Digits above = i + 1 < n ? shift_left(x[i + 1], right) : Digits{};
        x[i] = shift_right(x[i], left) | clean(above);
    }
}

// One group of eight divisions.
struct DivisionGroup {
    Digits *r;          // the dividend, then the remainder; a digit before it is 0
    Digits *m;          // D clean digits, bit 52 D - 1 set
    Digits *complement; // 2^(52 D) - m: subtracting q m is adding q complement, without borrows
    Digits *quotient;   // null: not wanted
    Digits reciprocal;
    Mask wrong; // lanes that may be wrong
};

// r = r mod m, D digits, of dividends of D + first + 1 clean digits below m 2^(52 (first + 1)), D
// >= 2; first + 1 clean digits of the quotient.
template <int K>
WARPINT_SIMD_CALL void divide_groups(DivisionGroup *group, int groups, int D, int first) {
    // Units of a digit while its carries stay: its own, two a step; half, as the top one has a
    // sign.
    WARPINT_ASSERT(1 + 2 * (D + 1) <= max_units / 2);
    for (int g = 0; g < groups; ++g) {
        DivisionGroup &p = group[g];
        Digits borrow{};
        for (int i = 0; i < D; ++i) {
            const Digits digit = Digits{} - p.m[i] - borrow;
            borrow = digit >> 63;
            p.complement[i] = clean(digit);
        }
        p.reciprocal = reciprocal_3by2<K>(p.m[D - 1], p.m[D - 2]);
    }
    for (int i = first; i >= 0; --i) {
        for (int g = 0; g < groups; ++g) {
            DivisionGroup &group_g = group[g];
            Digits *const p = group_g.r + i;
            const Digits d1 = group_g.m[D - 1];
            const QuotientDigit digit =
                quotient_digit(p + D, d1, group_g.m[D - 2], group_g.reciprocal);
            const Digits q = digit.q;
            // Doubtful: q no digit, or x > d1, as unsigned numbers: the remainder is negative, or
            // at least m. Whatever digits q are subtracted, what is left at the end is right if it
            // lies in [0, m), which is checked there. So q may be off by a little here: by one
            // where rest = d1, or where D digits would give another q than three; by three where
            // (x, y) >= (d1, d0), x = d1. The remainder is then off by a few m, far from what a
            // digit's 64 bits hold.
            const Mask doubtful = less(d1, digit.x) | less(splat(digit_mask), q);
            group_g.wrong = group_g.wrong | doubtful;
            if (group_g.quotient != nullptr)
                group_g.quotient[i] = q;
            const Digits *const c = group_g.complement;
            const Digits top = hi(p[D], q, c[D - 1]) - q;
            p[D - 1] = hi(lo(p[D - 1], q, c[D - 1]), q, c[D - 2]) + (top << 52);
            WARPINT_SIMD_UNROLL_SOME
            for (int j = D - 2; j > 0; --j)
                p[j] = hi(lo(p[j], q, c[j]), q, c[j - 1]);
            p[0] = lo(p[0], q, c[0]);
        }
    }
    for (int g = 0; g < groups; ++g) {
        DivisionGroup &p = group[g];
        Digits carry{};
        for (int i = 0; i < D; ++i) {
            carry += p.r[i];
            p.r[i] = i == D - 1 ? carry : clean(carry);
            carry = carry >> 52;
        }
        const Digits t1 = p.r[D - 1];
        const Digits d1 = p.m[D - 1];
        p.wrong = p.wrong | less(d1, t1) | (equal(t1, d1) & ~less(p.r[D - 2], p.m[D - 2]));
    }
}

// Some groups that are divided in step, and by how much their moduli are shifted up.
template <int K>
struct Divisions {
    static constexpr int max_groups = 2;
    DivisionGroup group[max_groups];
    Digits shift[max_groups];
    int longest;  // digits of the longest modulus
    int max_left; // the largest shift

    // Gives each group `each` digits of memory: `room` for dividends, twice max_digits for moduli.
    // What is left of them begins max_digits behind the complement.
    void take_memory(Digits *memory, std::size_t each, std::size_t room, std::size_t max_digits,
                     int groups) {
        for (int g = 0; g < groups; ++g) {
            DivisionGroup &p = group[g];
            p.r = memory + static_cast<std::size_t>(g) * each + 1;
            p.m = p.r + room - 1;
            p.complement = p.m + max_digits;
            p.quotient = nullptr;
        }
    }
    // The elements from `first` on that there are, as bits from bit 0 on.
    static std::uint32_t wanted(int groups, int first, int count) {
        const int here = count - first < 8 * groups ? count - first : 8 * groups;
        return (std::uint32_t{1} << here) - 1;
    }
    // The lanes of all groups that may be wrong, as such bits.
    WARPINT_SIMD_CALL std::uint32_t wrong(int groups) const {
        std::uint32_t r = 0;
        for (int g = 0; g < groups; ++g)
            r |= std::uint32_t{bits(group[g].wrong)} << (8 * g);
        return r;
    }

    // Reads the moduli of the elements from `first` on and shifts them up, by less than 52 bits.
    // False: all of them have one digit or none. words: room for conversion_words.
    WARPINT_SIMD_CALL bool take_moduli(const Operand &modulus, int groups, int first, int last,
                                       Digits *words) {
        const int most = plain_digits(modulus.bits);
        int D = 0;
        for (int g = 0; g < groups; ++g) {
            DivisionGroup &p = group[g];
            from_limbs<K>(p.m, most, words, modulus, first + 8 * g, last);
            int used = most;
            while (used > D && bits(equal(p.m[used - 1], Digits{})) == 0xffu)
                --used;
            D = used > D ? used : D;
        }
        longest = D;
        if (D < 2)
            return false;
        std::uint64_t most_left = 0;
        for (int g = 0; g < groups; ++g) {
            DivisionGroup &p = group[g];
            const Digits zeros = leading_zeros<K>(p.m[D - 1]);
            p.wrong = equal(zeros, splat(52));
            const Digits left = select(p.wrong, splat(51), zeros);
            shift[g] = left;
            shift_digits(p.m, D, left);
            p.m[D - 1] |= splat(std::uint64_t{1} << 51); // wrong lanes too are calculated with
            for (int l = 0; l < lanes; ++l)
                most_left = left[l] > most_left ? left[l] : most_left;
        }
        max_left = static_cast<int>(most_left);
        return true;
    }
    // Shifts a group's dividend of n digits, column sums, up as its modulus; n + 3 digits, and
    // those up to the modulus' length.
    WARPINT_SIMD_CALL void take_dividend(int g, int n) {
        DivisionGroup &p = group[g];
        p.r[-1] = Digits{};
        p.r[n] = shift_digits(p.r, n, shift[g]);
        for (int i = n + 1; i < longest || i < n + 3; ++i)
            p.r[i] = Digits{};
    }
    // Divides dividends of so many bits; digits of the quotients.
    WARPINT_SIMD_CALL int divide(int groups, int length) {
        // The dividends' top digit, which must stay below the moduli's.
        length += max_left;
        int top = (length - 1) / 52;
        if ((length - 1) % 52 == 51)
            ++top;
        // A dividend of fewer digits than the modulus is its own remainder: no step.
        divide_groups<K>(group, groups, longest, top - longest);
        return top < longest ? 0 : top - longest + 1;
    }
    // Stores the remainders of those lanes that are wanted.
    WARPINT_SIMD_CALL void store_remainders(const Target &out, int g, int first, unsigned which,
                                            Digits *words) {
        DivisionGroup &p = group[g];
        unshift_digits(p.r, longest, shift[g]);
        to_limbs<K>(out, first, which, p.r, longest, words);
    }
};

template <int K>
struct ModularProducts {
    Divisions<K> divisions;

    // out = a b mod m, with c (a b + c) mod m, with c and d (a b + c d) mod m, for the elements
    // first .. first + 8 groups - 1 below count. Returns those not done, which are not stored, as
    // bits from bit 0 on.
    WARPINT_SIMD_CALL std::uint32_t run(const Target &out, const Operand &a, const Operand &b,
                                        const Operand *c, const Operand *d, const Operand &modulus,
                                        int windows, int groups, int first, int count) {
        const int last = count - 1;
        const int n = K * windows;
        const int most = plain_digits(modulus.bits);
        const auto digits = static_cast<std::size_t>(n);
        int widest = a.bits > b.bits ? a.bits : b.bits;
        widest = modulus.bits > widest ? modulus.bits : widest;
        // Bits of the dividend, and digits of the widest number that is loaded.
        int length = a.bits + b.bits;
        int loaded = n > most ? n : most;
        if (c != nullptr) {
            const int added = d != nullptr ? c->bits + d->bits : c->bits;
            length = (added > length ? added : length) + 1;
            widest = c->bits > widest ? c->bits : widest;
            loaded = 2 * n > loaded ? 2 * n : loaded;
        }
        const auto word_room =
            static_cast<std::size_t>(conversion_words((widest + 31) / 32, loaded));
        const std::size_t max_digits = static_cast<std::size_t>(most) + 2;
        const std::size_t room = (2 * digits > max_digits ? 2 * digits : max_digits) + 4;
        const std::size_t each =
            room + 2 * max_digits + 2 * digits + (c != nullptr ? 2 * digits : 0);
        auto *memory = static_cast<Digits *>(Workspace::of_this_thread().reserve(
            word_room + each * static_cast<std::size_t>(groups)));
        Digits *const words = memory;
        divisions.take_memory(memory + word_room, each, room, max_digits, groups);
        const std::uint32_t wanted = Divisions<K>::wanted(groups, first, count);
        if (!divisions.take_moduli(modulus, groups, first, last, words))
            return wanted;
        for (int g = 0; g < groups; ++g) {
            DivisionGroup &p = divisions.group[g];
            Digits *const x = p.complement + max_digits;
            Digits *const y = x + n;
            from_limbs<K>(x, n, words, a, first + 8 * g, last);
            if (a.data == b.data && a.stride == b.stride) {
                square<K>(p.r, x, windows);
            } else {
                from_limbs<K>(y, n, words, b, first + 8 * g, last);
                multiply<K>(p.r, x, y, windows);
            }
            if (c != nullptr) {
                Digits *const more = y + n;
                if (d != nullptr) {
                    from_limbs<K>(x, n, words, *c, first + 8 * g, last);
                    from_limbs<K>(y, n, words, *d, first + 8 * g, last);
                    multiply<K>(more, x, y, windows);
                } else {
                    from_limbs<K>(more, 2 * n, words, *c, first + 8 * g, last);
                }
                for (int i = 0; i < 2 * n; ++i)
                    p.r[i] = value_of(sum_of(p.r[i], 2 * n) + sum_of(more[i], 2 * n), 4 * n);
            }
            divisions.take_dividend(g, 2 * n);
        }
        divisions.divide(groups, length);
        const std::uint32_t done = wanted & ~divisions.wrong(groups);
        for (int g = 0; g < groups; ++g)
            divisions.store_remainders(out, g, first + 8 * g, done >> (8 * g) & 0xffu, words);
        return wanted & ~done;
    }
};

template <int K>
struct NumberDivisions {
    Divisions<K> divisions;

    // quotient = a / m, remainder = a mod m, where they are wanted, for the elements first .. first
    // + 8 groups - 1 below count. Returns those not done, which are not stored, as bits from bit 0
    // on.
    WARPINT_SIMD_CALL std::uint32_t run(const Target *quotient, const Target *remainder,
                                        const Operand &a, const Operand &modulus, int groups,
                                        int first, int count) {
        const int last = count - 1;
        const int n = plain_digits(a.bits);
        const int most = plain_digits(modulus.bits);
        const int widest = a.bits > modulus.bits ? a.bits : modulus.bits;
        const auto word_room = static_cast<std::size_t>(
            conversion_words((widest + 31) / 32, (n > most ? n : most) + 2));
        const auto digits = static_cast<std::size_t>(n);
        const std::size_t max_digits = static_cast<std::size_t>(most) + 2;
        const std::size_t room = (digits > max_digits ? digits : max_digits) + 4;
        const std::size_t each = room + 2 * max_digits + digits + 5;
        auto *memory = static_cast<Digits *>(Workspace::of_this_thread().reserve(
            word_room + each * static_cast<std::size_t>(groups)));
        Digits *const words = memory;
        divisions.take_memory(memory + word_room, each, room, max_digits, groups);
        const std::uint32_t wanted = Divisions<K>::wanted(groups, first, count);
        if (!divisions.take_moduli(modulus, groups, first, last, words))
            return wanted;
        for (int g = 0; g < groups; ++g) {
            DivisionGroup &p = divisions.group[g];
            if (quotient != nullptr)
                p.quotient = p.complement + max_digits;
            from_limbs<K>(p.r, n, words, a, first + 8 * g, last);
            divisions.take_dividend(g, n);
        }
        const int quotient_digits = divisions.divide(groups, a.bits);
        const std::uint32_t done = wanted & ~divisions.wrong(groups);
        for (int g = 0; g < groups; ++g) {
            const unsigned which = done >> (8 * g) & 0xffu;
            if (quotient != nullptr)
                to_limbs<K>(*quotient, first + 8 * g, which, divisions.group[g].quotient,
                            quotient_digits, words);
            if (remainder != nullptr)
                divisions.store_remainders(*remainder, g, first + 8 * g, which, words);
        }
        return wanted & ~done;
    }
};

} // namespace WARPINT_SIMD_MACHINE
} // namespace warpint::simd

#endif // WARPINT_SIMD
