// SPDX-License-Identifier: Apache-2.0
// Additive walks on a curve: the text of a step, for the threads of a GPU and of a host.
//
// A walk goes from a point W to W + S_j, one of 1024 fixed points that the low bits of W's x
// coordinate choose (E. Teske: On random walks for Pollard's rho method, 2001). It ends at a
// distinguished point, where further bits of x are 0, and waits there (P. van Oorschot, M. Wiener:
// Parallel collision search with cryptanalytic applications, 1999).
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include <warpint/modular.h>
#include <warpint/random.h>

#include "curve.h"

namespace pollard {

inline constexpr int step_bits = 10;
inline constexpr int step_count = 1 << step_bits;

// The points S_j = c_j P + d_j Q, the same in every run.
template <int Bits>
struct Steps {
    std::vector<BigInt<Bits>> c, d, x, y;

    Steps(const Curve<Bits> &curve, const Point<Bits> &p, const Point<Bits> &q) {
        std::mt19937_64 random(1);
        for (int j = 0; j != step_count; ++j) {
            c.push_back(warpint::random_below(curve.n.value(), random));
            d.push_back(warpint::random_below(curve.n.value(), random));
            const auto s = curve.sum(curve.multiple(c[j], p), curve.multiple(d[j], q));
            x.push_back(s.x);
            y.push_back(s.y);
        }
    }
};

// Which step a walk takes at this x.
template <int Bits>
WARPINT_HOST_DEVICE std::uint32_t step_index(const BigInt<Bits> &x) {
    return static_cast<std::uint32_t>(x & BigInt<Bits>(step_count - 1));
}

// The bits of x that are 0 in a distinguished point: `bits` of them.
template <int Bits>
BigInt<Bits> distinguishing_mask(int bits) {
    return ((BigInt<Bits>(1) << bits) - 1) << step_bits;
}

// Walks in memory, and all that their steps need: a kernel takes it by value. Coordinates are
// residues' forms. Lanes records lie side by side: the first word of each, then the second of each.
// So neighbouring threads read neighbouring words.
template <int Bits, int Lanes>
struct WalkMemory {
    using Number = BigInt<Bits>;
    using Residue = warpint::Residue<Bits>;
    using Words = std::uint32_t *;

    static constexpr int limbs = Number::limb_count;
    // Of a walk: x, y, a product that is kept for the second half of a step, and the next step.
    static constexpr int x_at = 0, y_at = limbs, product_at = 2 * limbs, next_at = 3 * limbs;
    static constexpr int walk_words = 3 * limbs + 1;
    static constexpr int table_words = 2 * limbs; // of a point S_j: x, y
    static constexpr std::size_t table_bytes = 4 * step_count * table_words;
    static constexpr std::uint32_t waits = step_count; // in place of the next step

    Modulus<Bits> p;
    Number mask;
    Words table, walks;
    Words ended; // how many walks have ended, then which

    template <int RecordWords, class Word>
    WARPINT_HOST_DEVICE static Word *record(Word *words, std::size_t i) {
        return words + (i / Lanes * RecordWords * Lanes + i % Lanes);
    }
    WARPINT_HOST_DEVICE Words walk(std::size_t i) const { return record<walk_words>(walks, i); }
    WARPINT_HOST_DEVICE Residue load(const std::uint32_t *words, int at) const {
        typename Residue::Form form{};
        for (int i = 0; i != limbs; ++i)
            form.limbs[i] = words[(at + i) * Lanes];
        return Residue::from_form(form, p);
    }
    WARPINT_HOST_DEVICE void store(Words words, int at, const Residue &x) const {
        const auto form = x.form();
        for (int i = 0; i != limbs; ++i)
            words[(at + i) * Lanes] = form.limbs[i];
    }

    void set_step(std::size_t j, const Number &x, const Number &y) const {
        const Words step = record<table_words>(table, j);
        store(step, x_at, p(x));
        store(step, y_at, p(y));
    }

    // Walk i goes on at this point.
    WARPINT_HOST_DEVICE void set_walk(std::size_t i, const Number &x, const Number &y) const {
        store(walk(i), x_at, p(x));
        store(walk(i), y_at, p(y));
        choose_step(i, x);
    }

    // Takes a step of walks first, first + stride, ... below last. They share one inversion: five
    // products and a square each. One that runs into its step's own x leaves the curve, and does
    // not spoil the others.
    WARPINT_HOST_DEVICE void step(std::size_t first, std::size_t last, std::size_t stride) const {
        Residue product = p(1);
        std::size_t i = first;
        for (; i < last; i += stride) {
            const Words w = walk(i);
            if (w[next_at * Lanes] == waits)
                continue;
            store(w, product_at, product);
            product = product * divisor(load(next_step(w), x_at) - load(w, x_at));
        }
        Residue inverse_of_rest = *inverse(product);
        while (i != first) {
            i -= stride;
            const Words w = walk(i);
            if (w[next_at * Lanes] == waits)
                continue;
            const std::uint32_t *const s = next_step(w);
            const Residue x = load(w, x_at), y = load(w, y_at), step_x = load(s, x_at);
            const Residue reciprocal = inverse_of_rest * load(w, product_at);
            inverse_of_rest = inverse_of_rest * divisor(step_x - x);
            const Residue slope = (load(s, y_at) - y) * reciprocal;
            const Residue next_x = sqr(slope) - x - step_x;
            store(w, x_at, next_x);
            store(w, y_at, slope * (x - next_x) - y);
            choose_step(i, next_x.value());
        }
    }

private:
    WARPINT_HOST_DEVICE const std::uint32_t *next_step(const std::uint32_t *w) const {
        return record<table_words, const std::uint32_t>(table, w[next_at * Lanes]);
    }
    WARPINT_HOST_DEVICE Residue divisor(const Residue &difference) const {
        return difference == 0 ? p(1) : difference;
    }
    WARPINT_HOST_DEVICE void choose_step(std::size_t i, const Number &x) const {
        const bool has_ended = (x & mask) == 0;
        walk(i)[next_at * Lanes] = has_ended ? waits : step_index(x);
        if (has_ended)
            note_end(i);
    }
    WARPINT_HOST_DEVICE void note_end(std::size_t i) const {
#if defined(__CUDA_ARCH__)
        const std::uint32_t before = atomicAdd(ended, 1u);
#else
        const std::uint32_t before = __atomic_fetch_add(ended, 1u, __ATOMIC_RELAXED);
#endif
        ended[1 + before] = static_cast<std::uint32_t>(i);
    }
};

} // namespace pollard
