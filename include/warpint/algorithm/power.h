// Modular powers of limb arrays: fixed windows over Montgomery multiplication (Handbook of Applied
// Cryptography, algorithm 14.82), and for even moduli a split m = 2^k m' by the Chinese remainder
// theorem. Exponents are little-endian 32-bit limbs. Variable time in the exponent and the modulus.
#pragma once

#include "montgomery.h"

namespace warpint::algorithm {

// What Montgomery arithmetic needs to know of an odd modulus.
template <int N, class Limb>
struct MontgomeryContext {
    Limb modulus[N];
    Limb one[N];       // R mod m
    Limb r_squared[N]; // R^2 mod m
    Limb inverse;      // -m^-1 mod B
};

namespace detail {

template <int N, class Limb>
WARPINT_HOST_DEVICE WARPINT_NOINLINE constexpr void
montgomery_constants_called(Limb *one, Limb *r_squared, const Limb *m, Limb m_inverse) {
    montgomery_constants<N>(one, r_squared, m, m_inverse);
}

} // namespace detail

// Computes the other members from context.modulus.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr void prepare(MontgomeryContext<N, Limb> &context) {
    context.inverse = limb::negative_inverse(context.modulus[0]);
    if constexpr (N <= inlined_limbs) {
        montgomery_constants<N>(context.one, context.r_squared, context.modulus, context.inverse);
    } else {
        detail::montgomery_constants_called<N>(context.one, context.r_squared, context.modulus,
                                               context.inverse);
    }
}

// The window width that needs the fewest products: 2^w - 2 for the table, bits / w for the windows.
WARPINT_HOST_DEVICE constexpr int best_window(int exponent_bits, int limit) {
    int window = 1;
    for (int candidate = 2; candidate <= limit; ++candidate) {
        const int cost = (1 << candidate) - 2 + exponent_bits / candidate;
        // With one-bit windows only half the bits, the set ones, cost a product.
        const int best =
            window == 1 ? exponent_bits / 2 : (1 << window) - 2 + exponent_bits / window;
        if (cost < best)
            window = candidate;
    }
    return exponent_bits <= 20 ? 1 : window; // short public exponents have few bits set
}

// Bits [position, position + width) of e, width <= 16; limbs beyond the end are zero.
WARPINT_HOST_DEVICE constexpr std::uint32_t exponent_window(const std::uint32_t *e, int limbs,
                                                            int position, int width) {
    const int index = position / 32;
    const int shift = position % 32;
    std::uint32_t bits = e[index] >> shift;
    if (shift + width > 32 && index + 1 < limbs)
        bits |= e[index + 1] << (32 - shift);
    return bits & ((1u << width) - 1u);
}

// x = x^e in Montgomery form (x R -> x^e R mod m); e has exponent_limbs limbs, MaxWindow bounds the
// table to 2^MaxWindow entries.
template <int N, int MaxWindow, class Limb>
WARPINT_HOST_DEVICE constexpr void montgomery_power(Limb *x, const std::uint32_t *e,
                                                    int exponent_limbs,
                                                    const MontgomeryContext<N, Limb> &context) {
    int bits = 0;
    for (int i = exponent_limbs - 1; i >= 0 && bits == 0; --i) {
        if (e[i] != 0)
            bits = (i + 1) * 32 - limb::countl_zero(e[i]);
    }
    if (bits == 0) {
        copy<N>(x, context.one);
        return;
    }
    const int window = best_window(bits, MaxWindow);
    Limb table[N << MaxWindow]; // entry i is x^i, from 1 on
    copy<N>(table + N, x);
    for (int i = 2; i < 1 << window; ++i) {
        montgomery_multiply<N>(x, x, table + N, context.modulus, context.inverse);
        copy<N>(table + i * N, x);
    }
    int position = (bits - 1) / window * window;
    copy<N>(x, table + N * static_cast<int>(exponent_window(e, exponent_limbs, position, window)));
    while (position > 0) {
        position -= window;
        WARPINT_UNROLL(1, 0)
        for (int i = 0; i < window; ++i) {
            montgomery_square<N, inlined_power_limbs>(x, x, context.modulus, context.inverse);
        }
        const int index = static_cast<int>(exponent_window(e, exponent_limbs, position, window));
        if (index != 0) {
            montgomery_multiply<N, inlined_power_limbs>(x, x, table + N * index, context.modulus,
                                                        context.inverse);
        }
    }
}

// r = a^e mod m for an odd modulus and any a < B^N.
template <int N, int MaxWindow, class Limb>
WARPINT_HOST_DEVICE constexpr void power_odd(Limb *r, const Limb *a, const std::uint32_t *e,
                                             int exponent_limbs,
                                             const MontgomeryContext<N, Limb> &context) {
    Limb x[N]{};
    montgomery_multiply<N>(x, a, context.r_squared, context.modulus, context.inverse);
    montgomery_power<N, MaxWindow>(x, e, exponent_limbs, context);
    Limb unit[N]{};
    unit[0] = 1;
    montgomery_multiply<N>(r, x, unit, context.modulus, context.inverse);
}

// r = a^e mod B^N, bit by bit. r overlaps nothing.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr void power_low(Limb *r, const Limb *a, const std::uint32_t *e,
                                             int exponent_limbs) {
    set_zero<N>(r);
    r[0] = 1;
    bool started = false;
    for (int i = exponent_limbs * 32 - 1; i >= 0; --i) {
        Limb t[N]{};
        if (started) {
            multiply_low<N>(t, r, r);
            copy<N>(r, t);
        }
        if ((e[i / 32] >> (i % 32) & 1u) != 0) {
            multiply_low<N>(t, r, a);
            copy<N>(r, t);
            started = true;
        }
    }
}

// r = m^-1 mod B^N for odd m, by Newton's iteration. r overlaps nothing.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr void inverse_low(Limb *r, const Limb *m, Limb m_inverse) {
    set_zero<N>(r);
    r[0] = static_cast<Limb>(0u - m_inverse);
    for (int right = 1; right < N; right *= 2) { // r <- r (2 - m r)
        Limb product[N]{};
        Limb factor[N]{};
        multiply_low<N>(product, m, r);
        factor[0] = 2;
        limb::sub<N>(factor, factor, product);
        multiply_low<N>(product, r, factor);
        copy<N>(r, product);
    }
}

// Clears the bits of r from position bits on.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr void keep_low_bits(Limb *r, int bits) {
    for (int i = 0; i < N; ++i) {
        const int below = bits - i * limb::limb_bits<Limb>;
        if (below <= 0) {
            r[i] = 0;
        } else if (below < limb::limb_bits<Limb>) {
            r[i] = static_cast<Limb>(r[i] & ((Limb{1} << below) - 1u));
        }
    }
}

// Lifts r = a^e mod m' (m' the context's odd modulus) to a^e mod 2^zeros m': the Chinese remainder
// theorem with the power modulo 2^zeros, r + m' ((a^e - r) / m' mod 2^zeros). zeros > 0 and 2^zeros
// m' < B^N.
template <int N, class Limb>
WARPINT_HOST_DEVICE WARPINT_NOINLINE constexpr void
lift_to_even(Limb *r, const Limb *a, const std::uint32_t *e, int exponent_limbs, int zeros,
             const MontgomeryContext<N, Limb> &context) {
    Limb difference[N]{};
    Limb inverse[N]{};
    Limb factor[N]{};
    power_low<N>(difference, a, e, exponent_limbs);
    limb::sub<N>(difference, difference, r);
    inverse_low<N>(inverse, context.modulus, context.inverse);
    multiply_low<N>(factor, difference, inverse);
    keep_low_bits<N>(factor, zeros);
    multiply_low<N>(difference, context.modulus, factor);
    limb::add<N>(r, r, difference);
}

} // namespace warpint::algorithm
