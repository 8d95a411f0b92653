// SPDX-License-Identifier: Apache-2.0
// What is computed once for a width and uploaded by one copy: the two constant matrices in the
// order in which tensor cores take them, and constants of channels and conversions.
//
// Notation: a_i and b_j are the primes of bases A and B, P_A and P_B their products, P_A / a_i and
// P_B / b_j the cofactors. A number z is held in base B by s_j with s_j P_B / b_j = z mod b_j, as
// words s_j + 2^31. Then
//   z = sum_j s_j P_B / b_j - alpha P_B,    alpha the integer next to sum_j s_j / b_j
// and a product z y P_A^-1 modulo N takes two products with constant matrices:
//   x_i  = z mod a_i                        the bytes of the words and alpha times matrix_to_a
//   xi_i = x_i y_i mod a_i                  y_i = -y / (N P_A / a_i): the quotient q = -z y / N
//   v_j  = sum_i xi_i P_A / a_i mod b_j     the bytes of the words xi_i + 2^31 times matrix_to_b
//   s_j  = s_j y_j + v_j N_j mod b_j        y_j = y / P_A, N_j = N / (P_A P_B / b_j)
// For a square x_i y_i becomes x_i^2 g_i with g_i = -1 / (N P_A / a_i), and s_j y_j becomes
// s_j^2 U_j with U_j = (P_B / b_j) / P_A. What residues are multiplied by is kept times R = 2^32
// (channel.h).
//
// The matrices hold the digits of constants c 256^t mod p, for byte t of a word: four digits to the
// base 256, balanced (-128 to 127), so that unsigned bytes meet signed ones. Sixteen spare bytes
// follow those of the words, four times {alpha + 128, 1, 128, 128} for matrix_to_a and {0, 1, 128,
// 128} for matrix_to_b, of which the rows of the first four are not zero: alpha's, the one that
// takes back what 2^31 and 128 added, and two that add 2^14 to digit 2, so that the recombination
// (ranges.h) rounds.
#pragma once

#include "../../limb/arithmetic.h"
#include "../../limb/assert.h"
#include "matrix_order.h"

#include <type_traits>

namespace warpint::rns {

// A channel in the squaring loop: two loads of 16 bytes.
struct alignas(16) Channel {
    std::uint32_t negative_prime; // -p mod 2^32
    std::uint32_t prime;          // p
    std::uint32_t inverse;        // p^-1 mod R
    std::int32_t square_factor;   // of B: U R mod b, U = (P_B / b) / P_A; of A: 0
    double reciprocal;            // 1 / p
    std::int32_t entry_factor;    // makes an entry: of A R^2 mod a, of B U R^2 mod b
    std::int32_t unused;
};

// A channel of A in conversions (convert.h).
struct ConversionOfA {
    std::uint32_t prime;    // a
    std::uint32_t cofactor; // P_A / (a R) mod a
};

// A channel of B in conversions: 16 bytes, one load.
struct alignas(16) ConversionOfB {
    std::uint32_t prime;          // b
    std::uint32_t modulus_factor; // R / (P_A P_B / b) mod b: makes N_j R of N
    std::uint32_t start_factor;   // 1 / (P_B / b) mod b: makes s_j of a number
    std::uint32_t entry_factor;   // R / P_A mod b: makes y_j R of a factor
};

template <int Bits>
struct Tables {
    using Base = Bases<Bits>;
    static constexpr int channels = Base::channels;
    // Of 32 bits: a number's limbs and one for its sign and multiple of N.
    static constexpr int value_limbs = Base::limbs + 1;
    static constexpr int square_limbs = (2 * prime_bits * channels + 31) / 32; // of P_A^2

    // Bytes of a number in B, and alpha, to digits of its residues in A, in both orders.
    alignas(16) std::int8_t matrix_to_a[2][Base::matrix_bytes];
    // Bytes of the quotient in A to digits of its residues in B.
    alignas(16) std::int8_t matrix_to_b[2][Base::matrix_bytes];

    Channel channels_a[channels];
    Channel channels_b[channels];

    // The constants of both matrices as words, times R and balanced: of channel `from` of the other
    // base at [from][channel]. alpha_to_a: -P_B.
    std::int32_t words_to_a[channels][channels];
    std::int32_t words_to_b[channels][channels];
    std::int32_t alpha_to_a[channels];

    alignas(16) ConversionOfA conversions_a[channels];
    alignas(16) ConversionOfB conversions_b[channels];

    // P_A^2, little endian; modulo N it is the factor that brings a number into Montgomery form.
    std::uint32_t square_of_product_a[square_limbs];

    // For the way back, modulo 2^(32 value_limbs), little endian. Limb l of P_B / b_j is
    // cofactors_b[l][j].
    std::uint32_t cofactors_b[value_limbs][channels];
    std::uint32_t product_b[value_limbs]; // P_B
    std::uint32_t bias_b[value_limbs];    // 2^31 times the sum of all P_B / b_j
};

// The four balanced digits of v, |v| < 2^30, as the bytes of a word: v = sum of digit k 256^k with
// the bytes as signed numbers.
WARPINT_HOST_DEVICE constexpr std::uint32_t balanced_digits(std::int32_t v) {
    return (static_cast<std::uint32_t>(v) + 0x00808080u) ^ 0x00808080u;
}

// The top bits of a word of B, of which `channels` tell alpha.
template <int channels>
WARPINT_HOST_DEVICE constexpr std::uint32_t top_of(std::uint32_t word) {
    return word >> (32 - top_bits(channels));
}

// The spare word of a number in B, {alpha + 128, 1, 128, 128} from its lowest byte on, from the sum
// of the tops of its words, for |z| <= largest_multiple(channels) N (ranges.h).
template <int channels>
WARPINT_HOST_DEVICE constexpr std::uint32_t spare_word(std::uint32_t sum_of_tops) {
    // A top is `step` above that of its residue, and alpha is the sum of those and of at most
    // channels + 2 in steps.
    constexpr int step_bits = top_bits(channels) - 1;
    constexpr std::uint32_t step = std::uint32_t{1} << step_bits;
    constexpr std::uint32_t count = channels;
    const std::uint32_t scaled = sum_of_tops + (128 * step + count + 2 - step * count);
    WARPINT_ASSERT_ON_HOST(scaled >> step_bits <= 255); // alpha + 128
    return scaled >> step_bits | 0x80800100u;
}

// The spare word of a quotient in A.
inline constexpr std::uint32_t spare_word_of_quotient = 0x80800100u;

// Loops of what follows stay loops, also in device code, which would have them unrolled.

namespace detail {

// r[i] = the product of all primes but primes[i], mod p; returns the product of all.
template <int Count>
WARPINT_HOST_DEVICE constexpr std::uint32_t
set_cofactors(std::uint32_t (&r)[Count], const std::uint32_t *primes, std::uint32_t p) {
    std::uint64_t behind = 1; // (written out: a call a product takes compilers twice as long)
    WARPINT_UNROLL(2, 1)
    for (int i = Count - 1; i >= 0; --i) {
        r[i] = static_cast<std::uint32_t>(behind);
        behind = behind * primes[i] % p;
    }
    std::uint64_t before = 1;
    WARPINT_UNROLL(2, 1)
    for (int i = 0; i < Count; ++i) {
        r[i] = static_cast<std::uint32_t>(before * r[i] % p);
        before = before * primes[i] % p;
    }
    return static_cast<std::uint32_t>(before);
}

// r = r factor modulo 2^(32 n).
WARPINT_HOST_DEVICE constexpr void multiply_by_word(std::uint32_t *r, int n, std::uint32_t factor) {
    std::uint64_t carry = 0;
    WARPINT_UNROLL(2, 1)
    for (int i = 0; i < n; ++i) {
        carry += std::uint64_t{r[i]} * factor;
        r[i] = static_cast<std::uint32_t>(carry);
        carry >>= 32;
    }
}

} // namespace detail

// The primes of base B or A as an array.
template <int Bits>
struct PrimesOfBase {
    std::uint32_t values[Bases<Bits>::channels];
};
template <int Bits>
constexpr PrimesOfBase<Bits> primes_of(bool b) {
    PrimesOfBase<Bits> primes{};
    for (int i = 0; i < Bases<Bits>::channels; ++i)
        primes.values[i] = b ? Bases<Bits>::prime_b(i) : Bases<Bits>::prime_a(i);
    return primes;
}

// One column of a matrix before it is cut into digits: what the bytes of the words of base `from`,
// and the spare ones, are multiplied by to give a residue modulo p, a prime of the other base.
// Each is at most p / 2 in size.
template <int Bits>
struct ExtensionColumn {
    std::int32_t values[Bases<Bits>::rows];
};
template <int Bits>
WARPINT_HOST_DEVICE constexpr ExtensionColumn<Bits>
extension_column(const PrimesOfBase<Bits> &from, std::uint32_t p, bool has_alpha) {
    constexpr int channels = Bases<Bits>::channels;
    std::uint32_t cofactors[channels]{};
    const std::uint32_t product = detail::set_cofactors(cofactors, from.values, p);
    ExtensionColumn<Bits> column{};
    std::uint32_t sum = 0; // of the cofactors, mod p
    WARPINT_UNROLL(2, 1)
    for (int i = 0; i < channels; ++i) {
        std::uint64_t constant = cofactors[i];
        WARPINT_UNROLL(2, 1)
        for (int t = 0; t < 4; ++t) {
            column.values[4 * i + t] =
                static_cast<std::int32_t>(constant > p / 2 ? constant - p : constant);
            constant = (constant << 8) % p;
        }
        sum = (sum + cofactors[i]) % p;
    }
    std::int32_t *const spare = column.values + Bases<Bits>::spare_row;
    std::uint32_t taken_back = negated_mod(mul_mod(sum, word_bias, p), p);
    if (has_alpha) {
        spare[0] = balanced(negated_mod(product, p), p);
        taken_back = (taken_back + mul_mod(128, product, p)) % p;
    }
    spare[1] = balanced(taken_back, p);
    spare[2] = 64 << 16; // digit 2: 64
    spare[3] = 64 << 16;
    return column;
}

namespace detail {

template <int Bits>
WARPINT_HOST_DEVICE constexpr void
set_matrix_column(std::int8_t (&matrix)[2][Bases<Bits>::matrix_bytes],
                  const ExtensionColumn<Bits> &column, int channel) {
    WARPINT_UNROLL(2, 1)
    for (int row = 0; row < Bases<Bits>::rows; ++row) {
        const std::uint32_t digits = balanced_digits(column.values[row]);
        WARPINT_UNROLL(2, 1)
        for (int k = 0; k < 4; ++k) {
            constexpr MatrixOrder orders[] = {MatrixOrder::of_warps, MatrixOrder::of_groups};
            WARPINT_UNROLL(2, 1)
            for (const MatrixOrder order : orders)
                matrix[static_cast<int>(order)][matrix_byte<Bits>(order, row, channel, k)] =
                    static_cast<std::int8_t>(digits >> 8 * k & 255);
        }
    }
}

// From factors modulo p.
WARPINT_HOST_DEVICE constexpr Channel make_channel(std::uint32_t p, std::uint32_t square_factor,
                                                   std::uint32_t entry_factor) {
    return {0u - p,
            p,
            0u - limb::negative_inverse(p),
            balanced(square_factor, p),
            1.0 / p,
            balanced(entry_factor, p),
            0};
}

// The constants of the way back.
template <int Bits>
WARPINT_HOST_DEVICE constexpr void set_way_back(Tables<Bits> &tables, const PrimesOfBase<Bits> &b) {
    constexpr int channels = Bases<Bits>::channels;
    constexpr int product_limbs = (prime_bits * channels + 31) / 32;
    static_assert(product_limbs >= Tables<Bits>::value_limbs);
    std::uint32_t product[product_limbs]{1};
    WARPINT_UNROLL(2, 1)
    for (int j = 0; j < channels; ++j)
        multiply_by_word(product, product_limbs, b.values[j]);
    WARPINT_UNROLL(2, 1)
    for (int l = 0; l < Tables<Bits>::value_limbs; ++l)
        tables.product_b[l] = product[l];
    std::uint64_t sums[Tables<Bits>::value_limbs]{};
    WARPINT_UNROLL(2, 1)
    for (int j = 0; j < channels; ++j) {
        std::uint64_t remainder = 0;
        WARPINT_UNROLL(2, 1)
        for (int l = product_limbs - 1; l >= 0; --l) {
            remainder = remainder << 32 | product[l];
            const auto limb = static_cast<std::uint32_t>(remainder / b.values[j]);
            remainder %= b.values[j];
            if (l < Tables<Bits>::value_limbs) {
                tables.cofactors_b[l][j] = limb;
                sums[l] += limb;
            }
        }
    }
    std::uint64_t carry = 0;
    WARPINT_UNROLL(2, 1)
    for (int l = 0; l < Tables<Bits>::value_limbs; ++l) {
        carry += sums[l];
        tables.bias_b[l] = static_cast<std::uint32_t>(carry);
        carry >>= 32;
    }
    multiply_by_word(tables.bias_b, Tables<Bits>::value_limbs, word_bias);
}

// Channel i of base A, and what makes its residues.
template <int Bits>
WARPINT_HOST_DEVICE constexpr void set_channel_of_a(Tables<Bits> &tables,
                                                    const PrimesOfBase<Bits> &a,
                                                    const PrimesOfBase<Bits> &b, int i) {
    constexpr int channels = Bases<Bits>::channels;
    std::uint32_t cofactors[channels]{};
    const std::uint32_t p = a.values[i];
    const ExtensionColumn<Bits> column = extension_column<Bits>(b, p, true);
    set_matrix_column(tables.matrix_to_a, column, i);
    WARPINT_UNROLL(2, 1)
    for (int j = 0; j < channels; ++j)
        tables.words_to_a[j][i] = times_radix(column.values[4 * j], p);
    tables.alpha_to_a[i] = times_radix(column.values[Bases<Bits>::spare_row], p);
    set_cofactors(cofactors, a.values, p);
    const std::uint32_t radix = radix_modulo(p);
    tables.channels_a[i] = make_channel(p, 0, mul_mod(radix, radix, p));
    tables.conversions_a[i] = {p, mul_mod(cofactors[i], inverse_mod(radix, p), p)};
}

// Channel j of base B.
template <int Bits>
WARPINT_HOST_DEVICE constexpr void set_channel_of_b(Tables<Bits> &tables,
                                                    const PrimesOfBase<Bits> &a,
                                                    const PrimesOfBase<Bits> &b, int j) {
    constexpr int channels = Bases<Bits>::channels;
    std::uint32_t cofactors[channels]{};
    const std::uint32_t p = b.values[j];
    const ExtensionColumn<Bits> column = extension_column<Bits>(a, p, false);
    set_matrix_column(tables.matrix_to_b, column, j);
    WARPINT_UNROLL(2, 1)
    for (int i = 0; i < channels; ++i)
        tables.words_to_b[i][j] = times_radix(column.values[4 * i], p);
    const std::uint32_t product_a = set_cofactors(cofactors, a.values, p);
    set_cofactors(cofactors, b.values, p);
    const std::uint32_t radix = radix_modulo(p);
    const std::uint32_t entry_factor = mul_mod(inverse_mod(product_a, p), radix, p);
    const std::uint32_t start_factor = inverse_mod(cofactors[j], p);
    const std::uint32_t square_factor = mul_mod(cofactors[j], entry_factor, p);
    tables.channels_b[j] = make_channel(p, square_factor, mul_mod(square_factor, radix, p));
    tables.conversions_b[j] = {p, mul_mod(entry_factor, start_factor, p), start_factor,
                               entry_factor};
}

// What no channel has.
template <int Bits>
WARPINT_HOST_DEVICE constexpr void set_whole(Tables<Bits> &tables, const PrimesOfBase<Bits> &a,
                                             const PrimesOfBase<Bits> &b) {
    constexpr int channels = Bases<Bits>::channels;
    WARPINT_UNROLL(2, 1)
    for (std::uint32_t &limb : tables.square_of_product_a)
        limb = 0;
    tables.square_of_product_a[0] = 1;
    WARPINT_UNROLL(2, 1)
    for (int i = 0; i < 2 * channels; ++i)
        multiply_by_word(tables.square_of_product_a, Tables<Bits>::square_limbs,
                         a.values[i % channels]);
    set_way_back(tables, b);
}

} // namespace detail

// The tables of a width in parts, which do not read one another: a thread of a GPU may fill one.
template <int Bits>
inline constexpr int table_parts = 2 * Bases<Bits>::channels + 1;
template <int Bits>
WARPINT_HOST_DEVICE constexpr void compute_part(Tables<Bits> &tables, const PrimesOfBase<Bits> &a,
                                                const PrimesOfBase<Bits> &b, int part) {
    constexpr int channels = Bases<Bits>::channels;
    if (part < channels) {
        detail::set_channel_of_a(tables, a, b, part);
    } else if (part < 2 * channels) {
        detail::set_channel_of_b(tables, a, b, part - channels);
    } else {
        detail::set_whole(tables, a, b);
    }
}

// Fills the tables of a width: on hosts, in about a millisecond.
template <int Bits>
constexpr void compute_tables(Tables<Bits> &tables) {
    const PrimesOfBase<Bits> a = primes_of<Bits>(false);
    const PrimesOfBase<Bits> b = primes_of<Bits>(true);
    for (int part = 0; part < table_parts<Bits>; ++part)
        compute_part(tables, a, b, part);
    static_assert(std::is_trivially_copyable_v<Tables<Bits>>);
}

} // namespace warpint::rns
