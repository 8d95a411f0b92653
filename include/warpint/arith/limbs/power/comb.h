// SPDX-License-Identifier: Apache-2.0
// Powers of a fixed base by combs (Lim, Lee, "More flexible exponentiation with precomputation",
// CRYPTO 1994; Handbook of Applied Cryptography, algorithm 14.117): the exponent is written as
// Teeth rows of `tables` parts of `columns` bits, and one entry of a table serves a column of its
// parts, so that a power costs one square per column and one product per column and table. Table j
// has the entries from j 2^Teeth on. Variable time in the exponent.
#pragma once

#include "power.h"

namespace warpint::arith {

// Columns of combs for exponents of the given width, of so many parts.
WARPINT_HOST_DEVICE constexpr int comb_columns(int exponent_bits, int parts) {
    return (exponent_bits + parts - 1) / parts;
}

// The entries of the tables, N limbs each: entry i of table j is the product of
// x^(2^(columns (tables t + j))) over the set bits t of i, in Montgomery form like x; entry 0 is
// one. They are made in two steps, of which the second is many independent parts. load(entry, i)
// and store(i, entry) read and write entry i of all.

// First the powers of x, entries 0 and 2^t of all tables.
template <int N, int Teeth, class Limb, class Store>
WARPINT_HOST_DEVICE constexpr void comb_powers(const Limb *x, int tables, int columns,
                                               const Store &store,
                                               const MontgomeryContext<N, Limb> &context) {
    Limb power[N]{};
    copy<N>(power, x);
    for (int tooth = 0; tooth < Teeth; ++tooth) {
        for (int table = 0; table < tables; ++table) {
            if (tooth == 0) {
                store(table << Teeth, context.one);
            }
            if (tooth + table != 0) {
                for (int k = 0; k < columns; ++k)
                    montgomery_square<N>(power, power, context.modulus, context.inverse);
            }
            store((table << Teeth) + (1 << tooth), power);
        }
    }
}

// Teeth whose bits of an entry say which part it belongs to: a part has a few dozen entries.
WARPINT_HOST_DEVICE constexpr int comb_part_teeth(int teeth) {
    return teeth > 7 ? teeth - 7 : 0;
}
WARPINT_HOST_DEVICE constexpr int comb_parts(int teeth, int tables) {
    return tables << comb_part_teeth(teeth);
}

// Then the products of a part: those of a table whose upper bits are the part's.
template <int N, int Teeth, class Limb, class Load, class Store>
WARPINT_HOST_DEVICE constexpr void comb_products(int part, const Load &load, const Store &store,
                                                 const MontgomeryContext<N, Limb> &context) {
    constexpr int lower = Teeth - comb_part_teeth(Teeth);
    const int first = part << lower; // among the entries of all tables
    const int table = first >> Teeth << Teeth;
    Limb power[N]{};
    Limb entry[N]{};
    const auto set = [&](int i, int from, int tooth) {
        load(power, table + (1 << tooth));
        load(entry, from);
        montgomery_multiply<N>(entry, entry, power, context.modulus, context.inverse);
        store(i, entry);
    };
    int from = table; // the first entry without its lowest upper bits
    for (int tooth = lower; tooth < Teeth; ++tooth) {
        const int bit = 1 << tooth;
        if (((first - table) & bit) == 0)
            continue;
        if (from == table) {
            from += bit;
        } else {
            set(first, from, tooth);
            from = first;
        }
    }
    for (int tooth = 0; tooth < lower; ++tooth) {
        for (int i = 0; i < 1 << tooth; ++i) {
            if (first + i != table)
                set(first + (1 << tooth) + i, first + i, tooth);
        }
    }
}

// The entry, among those of all tables, that serves column k of table j's parts: bits k, columns
// tables + k, ... of the exponent from bit columns j on. bit(position): a bit of the exponent.
template <int Teeth, class Bit>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE int comb_entry(const Bit &bit, int tables, int columns,
                                                            int table, int k) {
    int index = table << Teeth;
    WARPINT_UNROLL(Teeth, Teeth)
    for (int tooth = 0; tooth < Teeth; ++tooth)
        index |= bit((tooth * tables + table) * columns + k) << tooth;
    return index;
}

// x = the base to the power e < 2^(Teeth tables columns), in Montgomery form. load(entry, i) reads
// entry i of all tables.
template <int N, int Teeth, class Limb, class Load>
WARPINT_HOST_DEVICE constexpr void comb_power(Limb *x, const std::uint32_t *e, int exponent_limbs,
                                              int tables, int columns, const Load &load,
                                              const MontgomeryContext<N, Limb> &context) {
    const auto entry_at = [&](int table, int k) {
        return comb_entry<Teeth>(
            [&](int position) {
                return position < exponent_limbs * 32
                           ? static_cast<int>(e[position / 32] >> (position % 32) & 1u)
                           : 0;
            },
            tables, columns, table, k);
    };
    const auto multiply_by_entry = [&](int table, int k) {
        const int index = entry_at(table, k);
        if (index % (1 << Teeth) != 0) {
            Limb entry[N];
            load(entry, index);
            montgomery_multiply<N>(x, x, entry, context.modulus, context.inverse);
        }
    };
    load(x, entry_at(0, columns - 1));
    for (int table = 1; table < tables; ++table)
        multiply_by_entry(table, columns - 1);
    for (int k = columns - 2; k >= 0; --k) {
        montgomery_square<N>(x, x, context.modulus, context.inverse);
        for (int table = 0; table < tables; ++table)
            multiply_by_entry(table, k);
    }
}

} // namespace warpint::arith
