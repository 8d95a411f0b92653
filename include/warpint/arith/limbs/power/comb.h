// SPDX-License-Identifier: Apache-2.0
// Powers of a fixed base by a comb (Lim, Lee, "More flexible exponentiation with precomputation",
// CRYPTO 1994; Handbook of Applied Cryptography, algorithm 14.117): the exponent is written as
// Teeth rows of `columns` bits, and one table entry serves a whole column, so that a power costs
// one square and one product per column. Variable time in the exponent.
#pragma once

#include "power.h"

namespace warpint::arith {

// Columns of a comb for exponents of the given width.
WARPINT_HOST_DEVICE constexpr int comb_columns(int exponent_bits, int teeth) {
    return (exponent_bits + teeth - 1) / teeth;
}

// The 2^Teeth entries of N limbs: entry i is the product of x^(2^(columns j)) over the set bits j
// of i, in Montgomery form like x; entry 0 is one.
template <int N, int Teeth, class Limb>
WARPINT_HOST_DEVICE constexpr void comb_table(Limb *table, const Limb *x, int columns,
                                              const MontgomeryContext<N, Limb> &context) {
    copy<N>(table, context.one);
    Limb power[N];
    copy<N>(power, x);
    for (int j = 0; j < Teeth; ++j) {
        copy<N>(table + N * (1 << j), power);
        for (int i = 1; i < 1 << j; ++i) {
            montgomery_multiply<N>(table + N * ((1 << j) + i), table + N * i, power,
                                   context.modulus, context.inverse);
        }
        if (j + 1 < Teeth) {
            for (int k = 0; k < columns; ++k)
                montgomery_square<N>(power, power, context.modulus, context.inverse);
        }
    }
}

// Column k of the exponent: bits k, columns + k, 2 columns + k, ...
template <int Teeth>
WARPINT_HOST_DEVICE constexpr int comb_column(const std::uint32_t *e, int exponent_limbs,
                                              int columns, int k) {
    int index = 0;
    for (int j = 0; j < Teeth; ++j) {
        const int position = j * columns + k;
        if (position < exponent_limbs * 32)
            index |= static_cast<int>(e[position / 32] >> (position % 32) & 1u) << j;
    }
    return index;
}

// x = the base to the power e < 2^(Teeth columns), in Montgomery form. load(entry, i) writes table
// entry i.
template <int N, int Teeth, class Limb, class Load>
WARPINT_HOST_DEVICE constexpr void comb_power(Limb *x, const std::uint32_t *e, int exponent_limbs,
                                              int columns, const Load &load,
                                              const MontgomeryContext<N, Limb> &context) {
    load(x, comb_column<Teeth>(e, exponent_limbs, columns, columns - 1));
    for (int k = columns - 2; k >= 0; --k) {
        montgomery_square<N>(x, x, context.modulus, context.inverse);
        const int index = comb_column<Teeth>(e, exponent_limbs, columns, k);
        if (index != 0) {
            Limb entry[N];
            load(entry, index);
            montgomery_multiply<N>(x, x, entry, context.modulus, context.inverse);
        }
    }
}

} // namespace warpint::arith
