// SPDX-License-Identifier: Apache-2.0
// The digits of one number, written by a group of threads (group_columns.h): Bernstein's scaled
// remainder tree (D. J. Bernstein, "Scaled remainder trees", 2004) for the moduli chunk^m. A node
// that stands for m chunks with the value v has the fraction v / chunk^m, to m + guards limbs, from
// below. Its upper half begins with the same limbs; its lower half is what follows the point in the
// product with chunk^(m/2): one middle product a pair, no quotient to correct. Variable time.
//
// Errors. Fractions are known modulo 1 and are too small by less than U of their last limb's units.
// The root has U <= limbs + 3, a lower half U' <= U + m/2 + 2 (U from the parent, as chunk < B; one
// column of the product below the last limb is computed, those below it, of at most m/2 products
// each, are not), an upper one U' <= 2. After the last chunk of a leaf guards limbs are left, too
// small by less than (U + leaf) / B^guards < 1/4. So a chunk read off is right or one too small,
// and it is the latter if and only if what stands behind it is truly close to 0 but reads as close
// to 1: the chunk below tells which.
#pragma once

#include "group_columns.h"
#include "radix_tree.h"

namespace warpint::arith {

namespace detail {

// Limb i of x, which has count limbs, or of -x.
template <class Limb>
WARPINT_HOST_DEVICE constexpr Limb limb_with_sign(const Limb *x, int count, int i, bool negative) {
    const Limb own = i < count ? x[i] : Limb{0};
    if (!negative)
        return own;
    int k = (i < count ? i : count) - 1;
    while (k >= 0 && x[k] == 0)
        --k;
    return static_cast<Limb>(k >= 0 ? ~own : Limb{0} - own);
}

template <class Limb>
WARPINT_HOST_DEVICE constexpr int fraction_limbs(const RadixTree<Limb> &tree) {
    return tree.chunks() + (tree.guards << tree.levels);
}
template <class Limb>
WARPINT_HOST_DEVICE constexpr int fraction_columns(const RadixTree<Limb> &tree) {
    return tree.chunks() + ((tree.guards + 1) << tree.levels);
}

// The fraction of the whole number x, to chunks + guards limbs.
template <class Group, class Limb>
WARPINT_HOST_DEVICE void root_fraction(const Group &group, const RadixTree<Limb> &tree,
                                       const Limb *x, Limb *fraction,
                                       const GroupColumns<Limb> &sums) {
    const int n = tree.limbs;
    const int length = tree.chunks() + tree.guards; // of the reciprocal and of the fraction
    const int columns = length + 1;                 // the first one for its carry
    add_columns(
        group, sums, columns, x, tree.reciprocal(), [n](int q) { return n - 1 + q; },
        [n, length](int first, int) {
            const int least = n + first - length;
            return ColumnRange{least < 0 ? 0 : least, n};
        });
    group.sync();
    group.for_each(columns, [&](int q) {
        const Limb limb = limb_of_column(sums, q, q, q == columns - 1, [](int) { return Limb{0}; });
        if (q > 0)
            fraction[q - 1] = limb;
    });
    group.sync();
    group.for_each(columns - 1, [&](int i) {
        fraction[i] = static_cast<Limb>(fraction[i] + carry_into(sums.state, i + 1));
    });
    group.sync();
}

// The fractions of the children of a level, from those of their parents: both of 2^(levels - level)
// halves.
template <class Group, class Limb>
WARPINT_HOST_DEVICE void split_fractions(const Group &group, const RadixTree<Limb> &tree, int level,
                                         const Limb *parents, Limb *children,
                                         const GroupColumns<Limb> &sums) {
    const int half = tree.leaf << level;
    const int parent = 2 * half + tree.guards; // limbs of fractions
    const int child = half + tree.guards;
    const int columns = child + 1; // the first one for its carry
    const int pairs = 1 << (tree.levels - 1 - level);
    add_columns(
        group, sums, pairs * columns, tree.power(level), parents,
        [=](int q) { return q / columns * parent + half - 1 + q % columns; },
        [half](int, int) { return ColumnRange{0, half}; });
    group.for_each(pairs * child, [&](int i) {
        const int pair = i / child;
        children[(2 * pair + 1) * child + i % child] = parents[pair * parent + half + i % child];
    });
    group.sync();
    group.for_each(pairs * columns, [&](int q) {
        const int t = q % columns;
        const Limb limb = limb_of_column(sums, q, t, t == columns - 1, [](int) { return Limb{0}; });
        if (t > 0)
            children[2 * (q / columns) * child + t - 1] = limb;
    });
    group.sync();
    group.for_each(pairs * child, [&](int i) {
        Limb &limb = children[2 * (i / child) * child + i % child];
        limb =
            static_cast<Limb>(limb + carry_into(sums.state, i / child * columns + i % child + 1));
    });
    group.sync();
}

// The chunks of all leaves, from their fractions, which are destroyed, to `chunks`; `read` has as
// much room.
template <class Group, class Limb>
WARPINT_HOST_DEVICE void chunks_of_leaves(const Group &group, const RadixTree<Limb> &tree,
                                          Limb *fractions, Limb *read, CarryState *state,
                                          Limb *chunks) {
    const int length = tree.leaf + tree.guards;
    const Limb power = tree.chunk.power;
    group.for_each(1 << tree.levels, [&](int leaf) {
        Limb *const fraction = fractions + leaf * length;
        for (int k = 0; k < tree.leaf; ++k) {
            Limb chunk = 0;
            for (int i = k; i < length; ++i)
                fraction[i] = limb::multiply_add(fraction[i], power, Limb{0}, chunk);
            const int j = (leaf + 1) * tree.leaf - 1 - k;
            read[j] = chunk;
            // Close to 1, or to 0 and too small.
            const bool doubtful = fraction[length - 1] >> (limb::limb_bits<Limb> - 2) == 3;
            state[j] = doubtful ? CarryState::propagates : CarryState::none;
        }
    });
    group.sync();
    group.for_each(tree.chunks(), [&](int j) {
        if (state[j] == CarryState::none)
            return;
        const Limb below = j == 0 ? Limb{0} : read[j - 1];
        state[j] = below < power / 2    ? CarryState::generates
                   : below == power - 1 ? CarryState::propagates
                                        : CarryState::none;
    });
    group.sync();
    group.for_each(tree.chunks(), [&](int j) {
        const Limb chunk = static_cast<Limb>(read[j] + carry_into(state, j + 1));
        chunks[j] = chunk == power ? Limb{0} : chunk;
    });
    group.sync();
}

// Writes the digits of x so that they end before last; returns their number.
template <class Group, class Limb>
WARPINT_HOST_DEVICE int write_by_bits(const Group &group, char *last, const Limb *x, int count,
                                      int bits) {
    const int width = limb::limb_bits<Limb>;
    const auto digit = [=](int j) {
        const int index = j * bits / width;
        const Limb high = index + 1 < count ? x[index + 1] : Limb{0};
        return static_cast<int>(limb::funnel_right(high, x[index], j * bits % width)) &
               ((1 << bits) - 1);
    };
    const int most = (count * width + bits - 1) / bits;
    const int zeros = group.first_of(most, [&](int j) { return digit(most - 1 - j) != 0; });
    const int length = zeros == most ? 1 : most - zeros;
    group.for_each(length, [&](int j) { *(last - 1 - j) = digit_character(digit(j)); });
    return length;
}
template <class Group, class Limb>
WARPINT_HOST_DEVICE int write_chunks(const Group &group, char *last, const Limb *chunks,
                                     const RadixTree<Limb> &tree) {
    const int most = tree.chunks();
    const int zeros = group.first_of(most, [&](int j) { return chunks[most - 1 - j] != 0; });
    const int top = zeros == most ? 0 : most - 1 - zeros;
    const int digits = tree.chunk.digits;
    group.for_each(top + 1, [&](int j) {
        limb_to_digits(last - j * digits, chunks[j], j < top ? digits : 1, tree.base);
    });
    int length = top * digits + 1;
    for (Limb rest = chunks[top]; rest >= static_cast<Limb>(tree.base);
         rest = static_cast<Limb>(rest / static_cast<Limb>(tree.base)))
        ++length;
    return length;
}

} // namespace detail

// Limbs of the group's memory for to_digits_group.
template <class Limb>
WARPINT_HOST_DEVICE constexpr int to_digits_memory(const RadixTree<Limb> &tree) {
    if (tree.leaf == 0)
        return tree.limbs;
    return tree.limbs + 2 * detail::fraction_limbs(tree) +
           GroupColumns<Limb>::room(detail::fraction_columns(tree));
}

// Writes the digits of a number of tree.limbs limbs, two's complement if is_signed, so that they
// end before last: lower case, '-' before those of a negative number, "0" for zero. Returns their
// number, to all threads. The room before last must hold max_digits(bits, base) of them and the
// sign. memory has to_digits_memory(tree) limbs, which the group shares; the caller puts a sync()
// between two calls with the same memory.
template <class Group, class Limb>
WARPINT_HOST_DEVICE int to_digits_group(const Group &group, char *last, const Limb *number,
                                        bool is_signed, const RadixTree<Limb> &tree, Limb *memory) {
    const int n = tree.limbs;
    const bool negative = is_signed && number[n - 1] >> (limb::limb_bits<Limb> - 1) != 0;
    Limb *const x = memory;
    group.for_each(n, [&](int i) { x[i] = detail::limb_with_sign(number, n, i, negative); });
    group.sync();
    int length = 0;
    if (tree.leaf == 0) {
        length = detail::write_by_bits(group, last, x, n, bits_per_digit(tree.base));
    } else {
        Limb *fractions = x + n;
        Limb *others = fractions + detail::fraction_limbs(tree);
        const GroupColumns<Limb> sums(others + detail::fraction_limbs(tree),
                                      detail::fraction_columns(tree));
        detail::root_fraction(group, tree, x, fractions, sums);
        for (int level = tree.levels - 1; level >= 0; --level) {
            detail::split_fractions(group, tree, level, fractions, others, sums);
            Limb *const children = others;
            others = fractions;
            fractions = children;
        }
        detail::chunks_of_leaves(group, tree, fractions, sums.low, sums.state, sums.middle);
        length = detail::write_chunks(group, last, sums.middle, tree);
    }
    if (negative) {
        group.for_each(1, [&](int) { *(last - 1 - length) = '-'; });
        ++length;
    }
    return length;
}

} // namespace warpint::arith
