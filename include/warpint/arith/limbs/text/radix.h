// SPDX-License-Identifier: Apache-2.0
// Conversions between limb arrays and digits in the bases 2..36, most significant digit first.
// Bases that are powers of two are regrouped bit by bit, in linear time; the others go through
// chunks, the largest power of the base in one limb, in time (limbs^2): Knuth, The Art of Computer
// Programming 2, 4.4, methods 1a and 1b. Wide numbers on hosts are split first
// (radix_recursive.h). All functions are variable time.
#pragma once

#include "radix_bits.h"
#include "radix_recursive.h"

#include <cstddef>
#if WARPINT_HOSTED
#include <memory>
#endif

namespace warpint::arith {

// An upper bound on the digits of numbers below 2^bits in base 2..36, bits >= 1; exact for powers
// of two, at most 1.8 % and one digit too large otherwise: base^e >= 2^w gives digits <= bits e / w
// + 1.
WARPINT_HOST_DEVICE constexpr std::size_t max_digits(int bits, int base) {
    const std::size_t n = static_cast<std::size_t>(bits);
    if (const int each = bits_per_digit(base); each != 0)
        return (n - 1) / static_cast<std::size_t>(each) + 1;
    const auto chunk = radix_chunk<std::uint64_t>(base);
    const int whole_bits = 63 - limb::countl_zero(chunk.power);
    return n * static_cast<std::size_t>(chunk.digits) / static_cast<std::size_t>(whole_bits) + 1;
}

// r = the value of `length` digits in base 2..36, most significant first. On input every character
// is a digit of the base; length may be 0 (value 0), and leading zeros cost linear time. r has
// count >= 1 limbs. Returns false, with r in no particular state, if the value needs more than
// count limbs. Quadratic in time for bases that are no powers of two.
template <class Limb>
WARPINT_HOST_DEVICE constexpr bool from_digits(Limb *r, int count, const char *digits,
                                               std::size_t length, int base) {
    while (length > 0 && *digits == '0') {
        ++digits;
        --length;
    }
    if (const int bits = bits_per_digit(base); bits != 0)
        return detail::from_digits_by_bits(r, count, digits, length, bits);
    int used = 0;
    if (sizeof(Limb) == 8 && base == 10) { // compiled for chunks of a known length
        constexpr auto decimal = detail::find_radix_chunk<Limb>(10);
        used = detail::digits_to_limbs(r, count, digits, length, 10, decimal);
    } else {
        used = detail::digits_to_limbs(r, count, digits, length, base, radix_chunk<Limb>(base));
    }
    for (int i = used; used >= 0 && i < count; ++i)
        r[i] = 0;
    return used >= 0;
}

// Writes the digits of a in base 2..36 so that they end before last, lower case, "0" for zero, and
// returns the first. a has count >= 1 limbs and is destroyed. The room before last must hold all
// digits: at most max_digits(bits of a, base). Quadratic in time for bases that are no powers of
// two.
template <class Limb>
WARPINT_HOST_DEVICE constexpr char *to_digits(char *last, Limb *a, int count, int base) {
    while (count > 0 && a[count - 1] == 0)
        --count;
    if (count == 0) {
        *--last = '0';
        return last;
    }
    if (const int bits = bits_per_digit(base); bits != 0)
        return detail::to_digits_by_bits(last, a, count, bits);
    if (count == 1) // needs no chunks, which cost a division to prepare
        return detail::limb_to_digits(last, a[0], 0, base);
    const auto chunk = radix_chunk<Limb>(base);
    return detail::limbs_to_digits(last, a, count, 0, base, chunk, prepare_divisor(chunk.power));
}

namespace detail {

// The most limbs that digits_to_limbs or from_digits_recursive use for as many digits as numbers of
// N limbs can have, over all bases.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr int max_chunks() {
    int most = 0;
    for (int base = 3; base <= 36; ++base) {
        const std::size_t digits = max_digits(N * limb::limb_bits<Limb>, base);
        const int chunks = static_cast<int>(digits) / radix_chunk<Limb>(base).digits + 1;
        most = chunks > most ? chunks : most;
    }
    return most;
}

#if !WARPINT_DEVICE_PASS
// Count limbs, of unspecified values; many lie on the heap.
template <class Limb, int Count>
class Workspace {
    static constexpr bool is_long = Count * sizeof(Limb) > std::size_t{64} << 10;

public:
    [[nodiscard]] Limb *data() {
        if constexpr (is_long) {
            return limbs_.get();
        } else {
            return limbs_;
        }
    }

private:
    struct OnHeap : std::unique_ptr<Limb[]> {
        OnHeap() : std::unique_ptr<Limb[]>{new Limb[Count]} {}
    };
    std::conditional_t<is_long, OnHeap, Limb[is_long ? 1 : Count]> limbs_;
};

// from_digits and to_digits by recursion, at run time on hosts; the base is not a power of two, and
// there is no leading zero.
template <int N, int Threshold, class Limb>
bool from_digits_split(Limb *r, const char *digits, std::size_t length, int base) {
    constexpr int room = max_chunks<N, Limb>();
    if (length > max_digits(N * limb::limb_bits<Limb>, base))
        return false;
    constexpr int storage = radix_powers_storage(room);
    Workspace<Limb, room + storage + from_digits_scratch<Limb>(room)> memory;
    Limb *const value = memory.data();
    Limb *const scratch = value + room + storage;
    RadixPowers<Limb> powers;
    powers.base = base;
    powers.chunk = radix_chunk<Limb>(base);
    const int chunks = static_cast<int>(length) / powers.chunk.digits + 1;
    find_powers(powers, chunks, false, value + room, scratch);
    const int used = length == 0 ? 0
                                 : from_digits_recursive<Threshold>(value, digits, length, powers,
                                                                    powers.count, scratch);
    for (int i = 0; i < N; ++i)
        r[i] = i < used ? value[i] : Limb{0};
    return used <= N;
}

template <int N, int Threshold, class Limb>
char *to_digits_split(char *last, const Limb *a, int count, int base) {
    constexpr int storage = radix_powers_storage(N);
    Workspace<Limb, N + 1 + storage + to_digits_scratch<Limb>(N)> memory;
    Limb *const number = memory.data();
    Limb *const scratch = number + N + 1 + storage;
    RadixPowers<Limb> powers;
    powers.base = base;
    powers.chunk = radix_chunk<Limb>(base);
    powers.divisor = prepare_divisor(powers.chunk.power);
    find_powers(powers, count, true, number + N + 1, scratch);
    for (int i = 0; i < count; ++i)
        number[i] = a[i];
    return to_digits_recursive<Threshold>(last, number, count, 0, powers, powers.count, scratch);
}
#endif

} // namespace detail

// from_digits for a number of N limbs known at compile time: faster for wide numbers on hosts.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr bool from_digits(Limb *r, const char *digits, std::size_t length,
                                               int base) {
#if !WARPINT_DEVICE_PASS
    if constexpr (N >= recursive_from_digits_limbs) {
        if (WARPINT_USES_WORDS && bits_per_digit(base) == 0) {
            while (length > 0 && *digits == '0') {
                ++digits;
                --length;
            }
            if (length / 10 >= recursive_from_digits_limbs * sizeof(Limb) / 8) {
                return detail::from_digits_split<N, recursive_from_digits_limbs>(r, digits, length,
                                                                                 base);
            }
        }
    }
#endif
    return from_digits(r, N, digits, length, base);
}

// to_digits for a number of N limbs known at compile time: faster for wide numbers on hosts. a is
// destroyed.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr char *to_digits(char *last, Limb *a, int base) {
#if !WARPINT_DEVICE_PASS
    if constexpr (N >= recursive_to_digits_limbs) {
        if (WARPINT_USES_WORDS && bits_per_digit(base) == 0) {
            int count = N;
            while (count > 0 && a[count - 1] == 0)
                --count;
            if (count >= recursive_to_digits_limbs) {
                return detail::to_digits_split<N, recursive_to_digits_limbs>(last, a, count, base);
            }
        }
    }
#endif
    return to_digits(last, a, N, base);
}

} // namespace warpint::arith
