// SPDX-License-Identifier: Apache-2.0
// A plain model on the host of what a GPU does with arith/rns: products with the constant matrices
// as loops over bytes, whose order is that of the operands of m16n8k32 products of bytes (PTX ISA,
// "Matrix fragments for mma.m16n8k32"), recombination and channels by the text that GPUs run
// (channel.h), Montgomery products and complete powers. Every range that ranges.h proves is checked
// on the way.
#pragma once

#include "support/integer.h"

#include <warpint/arith/rns/ranges.h>

#include <vector>

namespace rns_model {

using Words = std::vector<std::uint32_t>;
using Factors = std::vector<std::int32_t>;
using test::Integer;

// What of Tables the model needs, without a width in its type.
struct Width {
    int bits, limbs, channels, rows, multiple;
    bool carries;
    std::vector<warpint::rns::Channel> a, b;
    std::vector<warpint::rns::ConversionOfA> in_a;
    std::vector<warpint::rns::ConversionOfB> in_b;
    // The digits of channel c for byte r: [4 c + digit][r].
    std::vector<std::int8_t> to_a, to_b;
    std::uint32_t (*spare)(const Words &);
    void (*montgomery_factor)(std::uint32_t *, const std::uint32_t *);
    void (*integer)(std::uint32_t *, const std::uint32_t *, const std::uint32_t *);
    bool (*shares)(const std::uint32_t *);

    Integer product_a, product_b;
    std::vector<Integer> cofactors_a, cofactors_b;
};

// The digits of a matrix of `slots` slots in the order [4 channel + digit][row], from that of warps
// and from that of groups.
std::vector<std::int8_t> unpacked(const std::int8_t *matrix, int slots);
std::vector<std::int8_t> unpacked_of_groups(const std::int8_t *matrix, int slots);

// Fills in products and cofactors.
void complete(Width &width);

template <int Bits>
const warpint::rns::Tables<Bits> &tables() {
    static warpint::rns::Tables<Bits> result;
    static const bool once = (warpint::rns::compute_tables(result), true);
    static_cast<void>(once);
    return result;
}

template <int Bits>
Width make_width() {
    namespace rns = warpint::rns;
    using Base = rns::Bases<Bits>;
    const rns::Tables<Bits> &t = tables<Bits>();
    Width w{Bits,
            Base::limbs,
            Base::channels,
            Base::rows,
            Base::multiple,
            Base::carries,
            {std::begin(t.channels_a), std::end(t.channels_a)},
            {std::begin(t.channels_b), std::end(t.channels_b)},
            {std::begin(t.conversions_a), std::end(t.conversions_a)},
            {std::begin(t.conversions_b), std::end(t.conversions_b)},
            unpacked(t.matrix_to_a[0], Base::slots),
            unpacked(t.matrix_to_b[0], Base::slots),
            [](const Words &words) {
                std::uint32_t sum = 0;
                for (const std::uint32_t word : words)
                    sum += rns::top_of<Base::channels>(word);
                return rns::spare_word<Base::channels>(sum);
            },
            [](std::uint32_t *r, const std::uint32_t *n) {
                rns::set_montgomery_factor(r, tables<Bits>(), n);
            },
            [](std::uint32_t *r, const std::uint32_t *words, const std::uint32_t *n) {
                rns::set_integer(r, tables<Bits>(), words, n);
            },
            [](const std::uint32_t *n) { return rns::shares_a_prime(tables<Bits>(), n); },
            {},
            {},
            {},
            {}};
    complete(w);
    return w;
}

// A width for every number of slots.
const std::vector<Width> &widths();

Words limbs_of(const Integer &a, int limbs);

// What a power needs of its modulus.
struct Modulus {
    Integer value;
    Words limbs, factor; // factor: P_A^2 mod N
    Factors one_a;       // entries of 1
    Factors quotient_b;  // N_j
};
Modulus make_modulus(const Width &width, const Integer &value);

// An entry of the table of powers.
struct Entry {
    Factors a, b;
};
Entry make_entry(const Width &width, const Modulus &modulus, const Words &limbs);

// The words of base B of a number, and the number of words: by the library, and by GMP.
Words start(const Width &width, const Words &limbs);
Words words_of(const Width &width, const Integer &z);
Integer value_of(const Width &width, const Words &words);

// The residues modulo the primes of A (or B) by the matrix `to_a` (or `to_b`) of the words of the
// other base. Throws std::logic_error where something leaves its range.
std::vector<std::int32_t> extended(const Width &width, bool to_a, const Words &words,
                                   std::uint32_t spare);

// z y / P_A modulo N, and z^2 / P_A; `quotient`, if not null, becomes the words of the quotient.
Words product(const Width &width, const Modulus &modulus, const Words &z, const Entry &y,
              Words *quotient = nullptr);
Words square(const Width &width, const Modulus &modulus, const Words &z, Words *quotient = nullptr);
// The entry of the number that is held.
Entry entry_of_state(const Width &width, const Modulus &modulus, const Words &z);

// x^e mod N by windows of 5 bits.
Integer power(const Width &width, const Integer &x, const Integer &e, const Integer &n);

} // namespace rns_model
