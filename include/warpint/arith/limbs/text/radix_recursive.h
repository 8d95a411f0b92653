// SPDX-License-Identifier: Apache-2.0
// Conversions between limb arrays and digits in less than quadratic time: the number is split at
// the largest of the powers chunk^(2^k) that is shorter than it, and its parts are converted on
// their own (Brent and Zimmermann, Modern Computer Arithmetic, 1.7.2). For hosts: the recursion is
// real. The base is not a power of two. Variable time.
#pragma once

#include "../division/divide_recursive.h"
#include "radix_chunk.h"

namespace warpint::arith {

namespace detail {

// The powers chunk^(2^k), k = 0, 1, .., at which a number is split. Zero limbs at their low ends
// are left out: 10^e has e factors of two.
template <class Limb>
struct RadixPowers {
    struct Power {
        const Limb *limbs; // chunk^(2^k) = limbs B^zeros / 2^shift
        int length;        // at least 2, but for the first power
        int zeros;
        int shift; // 0, or such that limbs has its top bit set
        Limb inverse;
    };
    static constexpr int most = 24;
    int base;
    RadixChunk<Limb> chunk;
    LimbDivisor<Limb> divisor; // chunk.power
    int count;
    Power power[most];
};

// Limbs of storage for the powers of numbers of n limbs.
WARPINT_HOST_DEVICE constexpr int radix_powers_storage(int n) {
    return 2 * n + 8;
}

// The powers for a number of n limbs, the largest at most 3/4 as long, normalised for divisions if
// `normalised`. storage stays in use; scratch has product_scratch<Limb>(n / 2 + 1) limbs.
template <class Limb>
WARPINT_HOST_DEVICE constexpr void find_powers(RadixPowers<Limb> &powers, int n, bool normalised,
                                               Limb *storage, Limb *scratch) {
    Limb *next = storage;
    next[0] = powers.chunk.power;
    powers.power[0] = {next, 1, 0, 0, 0};
    ++next;
    int count = 1;
    for (; count < powers.most; ++count) {
        const auto &last = powers.power[count - 1];
        if (8 * (last.length + last.zeros) > 3 * n)
            break;
        multiply_any(next, last.limbs, last.length, last.limbs, last.length, scratch);
        int length = 2 * last.length;
        length -= next[length - 1] == 0;
        int zeros = 0;
        for (; length > 2 && *next == 0; ++next, --length)
            ++zeros;
        powers.power[count] = {next, length, 2 * last.zeros + zeros, 0, 0};
        next += length;
    }
    powers.count = count;
    for (int k = 1; normalised && k < count; ++k) {
        auto &p = powers.power[k];
        Limb *const limbs = storage + (p.limbs - storage);
        p.shift = limb::countl_zero(limbs[p.length - 1]);
        shift_left_row(limbs, limbs, p.length, p.shift);
        p.inverse = reciprocal(limbs[p.length - 1], limbs[p.length - 2]);
    }
}

// Limbs of scratch for from_digits_recursive with a result of n limbs.
template <class Limb>
WARPINT_HOST_DEVICE constexpr int from_digits_scratch(int n) {
    return 3 * n + product_scratch<Limb>(n / 2 + 1);
}

// r = the value of `length` >= 1 digits. r has one limb per chunk or part of one; returns the
// number of those used, the top one not zero. The powers below `limit` of them are considered.
template <int Threshold, class Limb>
WARPINT_HOST_DEVICE constexpr int
from_digits_recursive(Limb *r, const char *digits, std::size_t length,
                      const RadixPowers<Limb> &powers, int limit, Limb *scratch) {
    const int chunks = static_cast<int>((length - 1) / powers.chunk.digits) + 1;
    int k = limit - 1;
    while (k > 0 && chunks <= 1 << k)
        --k;
    if (k == 0 || chunks < Threshold)
        return digits_to_limbs(r, chunks, digits, length, powers.base, powers.chunk);
    const auto &power = powers.power[k];
    const int low_chunks = 1 << k;
    const std::size_t low_digits =
        static_cast<std::size_t>(low_chunks) * static_cast<std::size_t>(powers.chunk.digits);
    Limb *const high = scratch;
    Limb *const low = high + (chunks - low_chunks);
    Limb *const rest = low + low_chunks;
    const int high_used =
        from_digits_recursive<Threshold>(high, digits, length - low_digits, powers, k + 1, rest);
    const int low_used = from_digits_recursive<Threshold>(low, digits + (length - low_digits),
                                                          low_digits, powers, k, rest);
    int used = low_used;
    if (high_used == 0) {
        for (int i = 0; i < low_used; ++i)
            r[i] = low[i];
    } else { // r = high power + low
        for (int i = 0; i < power.zeros; ++i)
            r[i] = 0;
        multiply_any(r + power.zeros, high, high_used, power.limbs, power.length, rest);
        used = power.zeros + power.length + high_used;
        const Limb carry = limb::add_row(r, r, low, low_used);
        limb::add_limb_row(r + low_used, used - low_used, carry);
        used -= r[used - 1] == 0;
    }
    return used;
}

// Limbs of scratch for to_digits_recursive of n limbs.
template <class Limb>
WARPINT_HOST_DEVICE constexpr int to_digits_scratch(int n) {
    return 2 * n + 2 * RadixPowers<Limb>::most + division_scratch<Limb>(n);
}

// Writes the digits of a before last, filled up with zeros to at least `digits`; returns the first.
// a has count >= 0 limbs, room for one more, and is destroyed. The powers below `limit` are
// considered.
template <int Threshold, class Limb>
WARPINT_HOST_DEVICE constexpr char *to_digits_recursive(char *last, Limb *a, int count, int digits,
                                                        const RadixPowers<Limb> &powers, int limit,
                                                        Limb *scratch) {
    while (count > 0 && a[count - 1] == 0)
        --count;
    int k = limit - 1;
    while (k > 0 && count <= powers.power[k].length + powers.power[k].zeros)
        --k;
    if (k == 0 || count < Threshold) {
        return limbs_to_digits(last, a, count, digits, powers.base, powers.chunk, powers.divisor);
    }
    const auto &power = powers.power[k];
    Limb *const u = a + power.zeros; // what is below belongs to the remainder
    const int length = count - power.zeros;
    u[length] = shift_left_row(u, u, length, power.shift);
    Limb *const quotient = scratch;
    const int m = length + 1 - power.length;
    Limb *const rest = scratch + m + 1;
    divide_any(quotient, u, m, power.limbs, power.length, power.inverse, rest);
    shift_right_row(u, u, power.length, power.shift);
    const int low_digits = powers.chunk.digits << k;
    last = to_digits_recursive<Threshold>(last, a, power.zeros + power.length, low_digits, powers,
                                          k, rest);
    return to_digits_recursive<Threshold>(last, quotient, m, digits - low_digits, powers, k + 1,
                                          rest);
}

} // namespace detail

} // namespace warpint::arith
