// SPDX-License-Identifier: Apache-2.0
// One number from its digits, read by a group of threads (group_columns.h): neighbours are joined,
// high chunk^m + low, all pairs of a level together (Brent and Zimmermann, Modern Computer
// Arithmetic, 1.7.1). Variable time.
#pragma once

#include "to_digits_group.h"

namespace warpint::arith {

namespace detail {

// x = the value of `length` digits of `bits` bits each, x of count + 1 limbs, which are enough.
template <class Group, class Limb>
WARPINT_HOST_DEVICE void read_by_bits(const Group &group, Limb *x, int count, const char *digits,
                                      int length, int bits) {
    constexpr int width = limb::limb_bits<Limb>;
    group.for_each(count + 1, [&](int i) {
        Limb limb = 0;
        for (int j = i * width / bits; j < length && j * bits < (i + 1) * width; ++j) {
            const int value = digit_value(digits[length - 1 - j]);
            const int shift = j * bits - i * width;
            limb = static_cast<Limb>(limb | (shift < 0 ? static_cast<Limb>(value >> -shift)
                                                       : static_cast<Limb>(Limb(value) << shift)));
        }
        x[i] = limb;
    });
    group.sync();
}

// Where a level's pieces lie: the lower halves in `low`, the upper ones in `high`, each where it
// lies in the whole number; zeros stand beside the upper ones.
template <class Limb>
struct Halves {
    Limb *low;
    Limb *high;
    WARPINT_HOST_DEVICE void put(int i, int half, Limb limb) const {
        const bool upper = (i / half & 1) != 0;
        low[i] = limb;
        high[i] = upper ? limb : Limb{0};
    }
};

// The value of `length` digits, at most those of the tree, in count = leaf << levels limbs; the
// tree is cut at `levels`, the lowest that holds them. Returns where it lies.
template <class Group, class Limb>
WARPINT_HOST_DEVICE const Limb *join_leaves(const Group &group, const RadixTree<Limb> &tree,
                                            int levels, const char *digits, int length,
                                            Limb *memory) {
    const int count = tree.leaf << levels;
    const Halves<Limb> halves{memory, memory + count};
    Limb *const joined = halves.high + count + count / 2;
    const GroupColumns<Limb> sums(joined + count, count);
    // Zeros above the last piece.
    group.for_each(count / 2, [&](int i) { halves.high[count + i] = 0; });
    group.for_each(count, [&](int j) {
        const int end = length - j * tree.chunk.digits;
        const int first = end < tree.chunk.digits ? 0 : end - tree.chunk.digits;
        joined[j] =
            end <= 0 ? Limb{0} : digits_to_limb<Limb>(digits + first, end - first, tree.base);
    });
    group.sync();
    group.for_each(1 << levels, [&](int leaf) {
        const Limb *const chunks = joined + leaf * tree.leaf;
        Limb *const x = halves.low + leaf * tree.leaf;
        for (int k = 0; k < tree.leaf; ++k) {
            Limb carry = chunks[tree.leaf - 1 - k];
            for (int i = 0; i < k; ++i)
                x[i] = limb::multiply_add(x[i], tree.chunk.power, Limb{0}, carry);
            x[k] = carry;
        }
        for (int i = 0; i < tree.leaf; ++i)
            halves.put(leaf * tree.leaf + i, tree.leaf, x[i]);
    });
    group.sync();
    for (int level = 0; level < levels; ++level) {
        const int half = tree.leaf << level;
        add_columns(
            group, sums, count, tree.power(level), halves.high, [half](int q) { return q + half; },
            [half](int first, int last) {
                if (first / (2 * half) != last / (2 * half))
                    return ColumnRange{0, half};
                const int least = first % (2 * half) - half + 1;
                const int most = last % (2 * half) + 1;
                return ColumnRange{least < 0 ? 0 : least, most < half ? most : half};
            });
        group.sync();
        group.for_each(count, [&](int q) {
            const int t = q % (2 * half);
            joined[q] = limb_of_column(sums, q, t, t == 2 * half - 1, [&](int place) {
                return place < half ? halves.low[q - t + place] : Limb{0};
            });
        });
        group.sync();
        group.for_each(count, [&](int q) {
            halves.put(q, 2 * half, static_cast<Limb>(joined[q] + carry_into(sums.state, q)));
        });
        group.sync();
    }
    return halves.low;
}

} // namespace detail

// Limbs of the group's memory for from_digits_group.
template <class Limb>
WARPINT_HOST_DEVICE constexpr int from_digits_memory(const RadixTree<Limb> &tree) {
    if (tree.leaf == 0)
        return tree.limbs + 1;
    const int count = tree.chunks();
    return 3 * count + count / 2 + GroupColumns<Limb>::room(count);
}

// number = the value of `length` digits, negated if negative, in tree.limbs limbs of `bits` bits
// altogether, two's complement if is_signed (negative only then); zero bits or copies of the sign
// above them. On input every character is a digit of the base and the first one is not '0'; length
// may be 0 (value 0). Returns, to all threads, whether the number holds the value; if not, it is
// zero. memory has from_digits_memory(tree) limbs, which the group shares; the caller puts a sync()
// between two calls with the same memory.
template <class Group, class Limb, class Size>
WARPINT_HOST_DEVICE bool from_digits_group(const Group &group, Limb *number, int bits,
                                           bool is_signed, bool negative, const char *digits,
                                           Size length, const RadixTree<Limb> &tree, Limb *memory) {
    constexpr int width = limb::limb_bits<Limb>;
    const int n = tree.limbs;
    const Limb *x = memory;
    int count = n + 1;
    bool fits = length <= static_cast<Size>(max_digits(n * width, tree.base));
    if (fits && tree.leaf == 0) {
        detail::read_by_bits(group, memory, n, digits, static_cast<int>(length),
                             bits_per_digit(tree.base));
    } else if (fits) {
        int levels = 0;
        while (static_cast<Size>(tree.leaf * tree.chunk.digits) << levels < length)
            ++levels;
        count = tree.leaf << levels;
        x = detail::join_leaves(group, tree, levels, digits, static_cast<int>(length), memory);
    }
    if (fits) {
        // Values below 2^limit fit, and, negative, 2^limit too.
        const int limit = is_signed ? bits - 1 : bits;
        fits = group.first_of(count, [&](int i) {
            return (i + 1) * width > limit &&
                   (i * width >= limit ? x[i] : static_cast<Limb>(x[i] >> (limit - i * width))) !=
                       0;
        }) == count;
        if (!fits && negative) {
            fits = group.first_of(count, [&](int i) {
                return x[i] !=
                       (i == limit / width ? static_cast<Limb>(Limb{1} << limit % width) : Limb{0});
            }) == count;
        }
    }
    group.for_each(n, [&](int i) {
        number[i] = fits ? detail::limb_with_sign(x, count, i, negative) : Limb{0};
    });
    return fits;
}

} // namespace warpint::arith
