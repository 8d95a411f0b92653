// SPDX-License-Identifier: Apache-2.0
// The tree by which a group of threads converts one number (to_digits_group.h,
// from_digits_group.h): a leaf is a few chunks of digits, which one thread converts, and on each
// level above two neighbours are split or joined at the power chunk^(leaf 2^level), all pairs of a
// level together. The powers and a reciprocal are constants of the tree, which a host computes
// beforehand.
#pragma once

#include "../division/divide_recursive.h"
#include "radix.h"

namespace warpint::arith {

// A tree for numbers of `limbs` limbs. Trivially copyable, so that it goes to kernels by value.
// For bases that are powers of two there is no tree: leaf is 0.
template <class Limb>
struct RadixTree {
    int limbs = 0;
    int base = 10;
    RadixChunk<Limb> chunk{};
    int leaf = 0;   // chunks in a leaf
    int levels = 0; // above the leaves
    const Limb *constants = nullptr;

    // Limbs by which fractions are longer than the chunks that they hold.
    static constexpr int guards = sizeof(Limb) >= 4 ? 1 : 2;

    [[nodiscard]] WARPINT_HOST_DEVICE constexpr int chunks() const { return leaf << levels; }
    // chunk^(leaf 2^level), level < levels, in leaf << level limbs.
    [[nodiscard]] WARPINT_HOST_DEVICE constexpr const Limb *power(int level) const {
        return constants + leaf * ((1 << level) - 1);
    }
    [[nodiscard]] WARPINT_HOST_DEVICE constexpr int powers_limbs() const { return chunks() - leaf; }
    // floor(B^(limbs + chunks + guards) / chunk^chunks), below B^(chunks + guards), filled up with
    // zeros.
    [[nodiscard]] WARPINT_HOST_DEVICE constexpr const Limb *reciprocal() const {
        return constants + powers_limbs();
    }
    [[nodiscard]] WARPINT_HOST_DEVICE constexpr int reciprocal_limbs() const {
        return leaf == 0 ? 0 : limbs + chunks() + guards;
    }
};

// The tree with the fewest chunks that holds all numbers of `limbs` limbs; its leaves have
// min_leaf to max_leaf chunks, max_leaf >= 2 min_leaf - 1 >= 3, or fewer if they are the
// whole tree. Without constants.
template <class Limb>
constexpr RadixTree<Limb> radix_tree(int limbs, int base, int min_leaf = 4, int max_leaf = 9) {
    RadixTree<Limb> tree;
    tree.limbs = limbs;
    tree.base = base;
    if (bits_per_digit(base) != 0)
        return tree;
    tree.chunk = radix_chunk<Limb>(base);
    const int digits = static_cast<int>(max_digits(limbs * limb::limb_bits<Limb>, base));
    const int chunks = (digits + tree.chunk.digits - 1) / tree.chunk.digits;
    for (int levels = 0;; ++levels) {
        const int leaf = (chunks + (1 << levels) - 1) >> levels;
        if (leaf > max_leaf)
            continue;
        if (levels > 0 && leaf < min_leaf)
            return tree;
        if (tree.leaf == 0 || leaf << levels <= tree.chunks()) {
            tree.leaf = leaf;
            tree.levels = levels;
        }
    }
}

namespace detail {

// Limbs cut out of words, low ones first: out[j] for j < count, zero beyond the words.
template <class Limb, class Word>
constexpr void cut_words(Limb *out, int count, const Word *words, int length) {
    constexpr int each = static_cast<int>(sizeof(Word) / sizeof(Limb));
    for (int j = 0; j < count; ++j) {
        out[j] = j / each < length
                     ? static_cast<Limb>(words[j / each] >> (j % each * limb::limb_bits<Limb>))
                     : Limb{0};
    }
}

} // namespace detail

// Words of scratch for radix_tree_constants.
template <class Word, class Limb>
constexpr int radix_tree_scratch(const RadixTree<Limb> &tree) {
    const int limbs = tree.limbs + tree.chunks() + tree.guards;
    const int words = limbs * static_cast<int>(sizeof(Limb)) / static_cast<int>(sizeof(Word)) + 4;
    return 5 * words + division_scratch<Word>(words);
}

// Writes the tree's powers (powers_limbs() limbs) to out and, if asked for, its reciprocal behind
// them (reciprocal_limbs()). Computes with words, which are at least as long as limbs. The tree has
// leaves. Variable time.
template <class Word, class Limb>
constexpr void radix_tree_constants(const RadixTree<Limb> &tree, bool with_reciprocal, Limb *out,
                                    Word *scratch) {
    constexpr int word_bits = limb::limb_bits<Word>;
    static_assert(sizeof(Word) >= sizeof(Limb));
    const int numerator_bits = limb::limb_bits<Limb> * (tree.limbs + tree.chunks() + tree.guards);
    const int room = numerator_bits / word_bits + 4;
    Word *power = scratch;
    Word *other = power + room;
    Word *const numerator = other + room;
    Word *const quotient = numerator + room + 2;
    Word *const rest = quotient + room;
    int length = 1;
    power[0] = 1;
    for (int i = 0; i < tree.leaf; ++i) {
        Word carry = 0;
        for (int k = 0; k < length; ++k)
            power[k] = limb::multiply_add(power[k], Word{tree.chunk.power}, Word{0}, carry);
        if (carry != 0)
            power[length++] = carry;
    }
    for (int level = 0; level < tree.levels; ++level) {
        const int limbs = tree.leaf << level;
        detail::cut_words(out, limbs, power, length);
        out += limbs;
        if (level + 1 == tree.levels && !with_reciprocal)
            return;
        multiply_any(other, power, length, power, length, rest);
        length *= 2;
        length -= other[length - 1] == 0;
        Word *const former = power;
        power = other;
        other = former;
    }
    if (!with_reciprocal)
        return;
    // 2^numerator_bits / power, both shifted so that the divisor has two words and its top bit set.
    int shift = limb::countl_zero(power[length - 1]);
    detail::shift_left_row(power, power, length, shift);
    if (length == 1) {
        power[1] = power[0];
        power[0] = 0;
        length = 2;
        shift += word_bits;
    }
    const int top = (numerator_bits + shift) / word_bits;
    const int words = (top + 1 < length ? length : top + 1) + 1;
    for (int k = 0; k < words; ++k)
        numerator[k] = 0;
    numerator[top] = static_cast<Word>(Word{1} << ((numerator_bits + shift) % word_bits));
    divide_any(quotient, numerator, words - length, power, length,
               reciprocal(power[length - 1], power[length - 2]), rest);
    detail::cut_words(out, tree.reciprocal_limbs(), quotient, words - length);
}

} // namespace warpint::arith
