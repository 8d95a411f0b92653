// SPDX-License-Identifier: Apache-2.0
// Numbers side by side, from memory to memory: up to 32 elements a call.
//
// Each function computes out[i] for i < count and returns the elements that scalar code must do
// (bit i for element i), whose places in `out` it has not touched; the others are bit for bit what
// scalar code gives. `out` may be one of the operands, element for element. Call them only where
// engine() is not Engine::scalar. They take memory of the thread's own (workspace.h) and throw
// std::bad_alloc if there is none.
#pragma once

#include "divide.h"
#include "machine/engine.h"
#include "multiply.h"
#include "power.h"
#include "root.h"
#include "tuning.h"

namespace warpint::simd {
inline namespace WARPINT_SIMD_MACHINE {

// Elements that make a core as fast as more of them do, of numbers of so many bits.
inline std::size_t elements_at_once(int bits) {
    if (engine() == Engine::scalar)
        return 1;
    return modulus_digits(bits) <= interleaved_digits ? 16 : 8;
}

} // namespace WARPINT_SIMD_MACHINE
} // namespace warpint::simd

#if WARPINT_SIMD

namespace warpint::simd {
inline namespace WARPINT_SIMD_MACHINE {

// out[i] = base[i]^exponent[i] mod modulus[i], in [0, modulus[i]), for moduli below 2^ModulusBits;
// bases below 2^(2 ModulusBits), reduced or not. Not done: the modulus 0, in constant time all even
// ones, and a last element on its own. Exponents::shared: exponent.shared(), known when the call is
// compiled. Variable time, or constant time in bases, exponents and all of the moduli but their
// lowest bits and widths.
template <int ModulusBits, Timing timing = Timing::variable, Exponents exponents = Exponents::any>
std::uint32_t power(const Target &out, const Operand &base, const Operand &exponent,
                    const Operand &modulus, int count) {
    constexpr Shape shape = modulus_shape(ModulusBits);
    static_assert(ModulusBits <= largest_bits);
    return power<shape.columns, timing, exponents>(out, base, exponent, modulus, shape.windows,
                                                   count);
}

// The window of these powers, in bits: of exponents that differ, as if they filled `bits` bits, and
// of one exponent.
template <int ModulusBits, Timing timing = Timing::variable>
constexpr int power_window(int bits) {
    return detail::power_window(timing, bits, modulus_shape(ModulusBits).digits());
}
template <int ModulusBits>
constexpr int power_window(const arith::ExponentShape &exponent) {
    return detail::shared_window(exponent, modulus_shape(ModulusBits).digits());
}

// out[i] = a[i] b[i], exactly, for a[i] and b[i] below 2^Bits; out of at least a.bits + b.bits
// bits. Not done: a last block of too few elements. Constant time.
template <int Bits>
std::uint32_t multiply(const Target &out, const Operand &a, const Operand &b, int count) {
    constexpr Shape shape = plain_shape(Bits);
    static_assert(Bits <= largest_bits);
    std::uint32_t undone = 0;
    for (int first = 0; first < count; first += lanes) {
        const int here = count - first < lanes ? count - first : lanes;
        const unsigned which = (1u << here) - 1;
        if (here < min_product_elements) {
            undone |= which << first;
        } else {
            multiply_block<shape.columns>(out, a, b, shape.windows, first, count - 1, which);
        }
    }
    return undone;
}

// run(groups, first) for one or two groups of eight at a time; what it returns, and the elements of
// a last block of too few, as bits.
template <class Run>
std::uint32_t in_groups(int count, const Run &run) {
    std::uint32_t undone = 0;
    for (int first = 0; first < count;) {
        const int here = count - first;
        const int groups = here > lanes ? 2 : 1;
        const std::uint32_t left =
            here < min_product_elements ? (std::uint32_t{1} << here) - 1 : run(groups, first);
        undone |= left << first;
        first += lanes * groups;
    }
    return undone;
}

namespace detail {

// c and d may be null, as for ModularProducts.
template <int Bits>
std::uint32_t products_modulo(const Target &out, const Operand &a, const Operand &b,
                              const Operand *c, const Operand *d, const Operand &modulus,
                              int count) {
    constexpr Shape shape = plain_shape(Bits);
    static_assert(Bits <= largest_bits);
    return in_groups(count, [&](int groups, int first) {
        ModularProducts<shape.columns> products;
        return products.run(out, a, b, c, d, modulus, shape.windows, groups, first, count);
    });
}

} // namespace detail

// quotient[i] = a[i] / m[i], of a.bits bits, and remainder[i] = a[i] mod m[i], of modulus.bits
// bits, of which one may be null, for a[i] and m[i] below 2^Bits. Not done: as of multiply_modulo
// below. Variable time.
template <int Bits>
std::uint32_t divide(const Target *quotient, const Target *remainder, const Operand &a,
                     const Operand &modulus, int count) {
    constexpr Shape shape = plain_shape(Bits);
    static_assert(Bits <= largest_bits);
    return in_groups(count, [&](int groups, int first) {
        NumberDivisions<shape.columns> divisions;
        return divisions.run(quotient, remainder, a, modulus, groups, first, count);
    });
}

// out[i] = floor(sqrt(a[i])) for a[i] below 2^Bits; of signed ones (two's complement in whole
// limbs) those that are not negative. Not done: negative ones, a last block of too few elements.
// Variable time.
template <int Bits, bool is_signed = false>
std::uint32_t square_root(const Target &out, const Operand &a, int count) {
    constexpr Shape shape = plain_shape(Bits);
    static_assert(Bits <= largest_bits);
    return in_groups(count, [&](int groups, int first) {
        NumberRoots<shape.columns> roots;
        return roots.run(out, a, is_signed, groups, first, count);
    });
}

// out[i] = a[i] b[i] mod m[i], in [0, m[i]), for a[i], b[i] below 2^Bits, not necessarily reduced,
// and m[i] of any parity and width. Not done: m[i] = 0, m[i] below 2^52 or more than 51 bits
// shorter than the longest of the 16 elements it is computed with, quotients with a doubtful
// digit, a last block of too few elements. Variable time.
template <int Bits>
std::uint32_t multiply_modulo(const Target &out, const Operand &a, const Operand &b,
                              const Operand &modulus, int count) {
    return detail::products_modulo<Bits>(out, a, b, nullptr, nullptr, modulus, count);
}

// out[i] = (a[i] b[i] + c[i]) mod m[i], c[i] below 2^(2 Bits), and (a[i] b[i] + c[i] d[i]) mod
// m[i], c[i] and d[i] below 2^Bits; otherwise the same.
template <int Bits>
std::uint32_t multiply_add_modulo(const Target &out, const Operand &a, const Operand &b,
                                  const Operand &c, const Operand &modulus, int count) {
    return detail::products_modulo<Bits>(out, a, b, &c, nullptr, modulus, count);
}
template <int Bits>
std::uint32_t multiply_add_modulo(const Target &out, const Operand &a, const Operand &b,
                                  const Operand &c, const Operand &d, const Operand &modulus,
                                  int count) {
    return detail::products_modulo<Bits>(out, a, b, &c, &d, modulus, count);
}

} // namespace WARPINT_SIMD_MACHINE
} // namespace warpint::simd

#endif // WARPINT_SIMD
