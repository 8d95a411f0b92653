// SPDX-License-Identifier: Apache-2.0
// Elliptic curves in Montgomery's form, b y^2 = x^3 + a x^2 + x, modulo n: what a reader of this
// sample came for. Points have no y: X : Z stands for x = X / Z (Montgomery, "Speeding the Pollard
// and elliptic curve methods of factorization", Mathematics of Computation 48, 1987).
#pragma once

#include <cstdint>

#include <warpint/bigint.h>
#include <warpint/modular.h>

#if defined(__CUDACC__)
#include <cuda/std/tuple>
#else
#include <tuple>
#endif

namespace ecm {

#if defined(__CUDACC__)
using cuda::std::tuple;
#else
using std::tuple;
#endif

using warpint::BigInt;
using warpint::Modulus;
using warpint::Residue;

template <int Bits>
struct Point {
    Residue<Bits> x, z;
};

template <int Bits>
WARPINT_HOST_DEVICE Point<Bits> doubled(const Point<Bits> &p, const Residue<Bits> &a24) {
    const auto sum = sqr(p.x + p.z), difference = sqr(p.x - p.z);
    const auto t = sum - difference; // 4 X Z
    return {sum * difference, t * (difference + a24 * t)};
}

// p + q, where difference = p - q.
template <int Bits>
WARPINT_HOST_DEVICE Point<Bits> added(const Point<Bits> &p, const Point<Bits> &q,
                                      const Point<Bits> &difference) {
    const auto u = (p.x - p.z) * (q.x + q.z), v = (p.x + p.z) * (q.x - q.z);
    return {difference.z * sqr(u + v), difference.x * sqr(u - v)};
}

// k p and (k + 1) p, k > 0. The bits of k are the same for all curves: threads do not diverge.
template <int Bits>
struct Ladder {
    Point<Bits> low, high;

    template <int K>
    WARPINT_HOST_DEVICE Ladder(const BigInt<K> &k, const Point<Bits> &p, const Residue<Bits> &a24)
        : low(p), high(doubled(p, a24)) {
        // The point that is doubled comes first, so that sum and double stand once for both bits:
        // less code for the GPU's instruction cache.
        bool swapped = false;
        for (int i = bit_width(k) - 2; i >= 0; --i) {
            if (test_bit(k, i) != swapped) {
                swap();
                swapped = !swapped;
            }
            const Point<Bits> sum = added(low, high, p);
            low = doubled(low, a24);
            high = sum;
        }
        if (swapped)
            swap();
    }

private:
    WARPINT_HOST_DEVICE void swap() {
        const Point<Bits> first = low;
        low = high;
        high = first;
    }
};

// Stage 1: a part of the prime powers up to B1, multiplied together, times the point.
template <int Bits>
struct Multiply {
    Modulus<Bits> n;
    BigInt<4096> k;

    WARPINT_HOST_DEVICE tuple<BigInt<Bits>, BigInt<Bits>>
    operator()(const BigInt<Bits> &x, const BigInt<Bits> &z, const BigInt<Bits> &a24) const {
        const Ladder<Bits> ladder(k, {n(x), n(z)}, n(a24));
        return {ladder.low.x.value(), ladder.low.z.value()};
    }
};

// Stage 2: the point times each prime q in a part of (B1, B2]. Every q is giant 210 + baby or giant
// 210 - baby with a baby step below 105, and q p is the point at infinity modulo a prime divisor of
// n exactly when giant 210 p and baby p have the same x there. The differences X Z' - X' Z of all q
// are multiplied together.
inline constexpr int giant_step = 210;
inline constexpr int baby_steps = 24; // numbers below 105 without a factor of 210

struct Steps {
    static constexpr int count = 256;
    std::uint32_t first;       // giant step
    std::uint32_t baby[count]; // of each giant step the baby steps with a prime: bit i for the i-th
};

template <int Bits>
struct MultiplyDifferences {
    Modulus<Bits> n;
    Steps steps;

    WARPINT_HOST_DEVICE BigInt<Bits> operator()(const BigInt<Bits> &x, const BigInt<Bits> &z,
                                                const BigInt<Bits> &a24,
                                                const BigInt<Bits> &before) const {
        const Point<Bits> p{n(x), n(z)};
        const auto a = n(a24);
        Point<Bits> baby[baby_steps];
        Residue<Bits> baby_product[baby_steps];
        const Point<Bits> two = doubled(p, a);
        Point<Bits> last = p, next = added(two, p, p); // 1 p and 3 p
        for (int j = 1, i = 0; j < giant_step / 2; j += 2) {
            if (j % 3 != 0 && j % 5 != 0 && j % 7 != 0) {
                baby[i] = last;
                baby_product[i] = last.x * last.z;
                ++i;
            }
            const Point<Bits> after = added(next, two, last);
            last = next;
            next = after;
        }

        auto product = n(before);
        const Point<Bits> step = Ladder<Bits>(BigInt<32>(giant_step), p, a).low;
        Ladder<Bits> giant(BigInt<32>(steps.first), step, a); // giant 210 p, and the one after
        for (int k = 0; k != Steps::count; ++k) {
            const auto giant_product = giant.low.x * giant.low.z;
            for (int i = 0; i != baby_steps; ++i) {
                if ((steps.baby[k] >> i & 1u) != 0)
                    product = product * ((giant.low.x - baby[i].x) * (giant.low.z + baby[i].z) -
                                         giant_product + baby_product[i]);
            }
            const Point<Bits> after = added(giant.high, step, giant.low);
            giant.low = giant.high;
            giant.high = after;
        }
        return product.value();
    }
};

} // namespace ecm
