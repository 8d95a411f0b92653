// SPDX-License-Identifier: Apache-2.0
// The rows that the threads of a warp invert at the same time. Where few of them have an element
// without an inverse, and are multiplied again, the warp does so together, one row after another:
// in lock step all would wait for these.
#pragma once

#include "cut_strip.h"

namespace warpint::execution {

// `neighbours` of arith::inverse_strip for rows of 32 elements, which begin one element after
// another. All threads of the warp call together. Warp has
//   int lane()
//   std::uint32_t ballot(bool)                    bit i: the condition in lane i
//   std::uint32_t of_lane(std::uint32_t x, int i) lane i's x, i modulo 32
//   synchronize()                                 what lanes wrote is seen by all
template <int k, class Row, class Warp>
struct StripsOfWarp {
    static constexpr bool exist = true;
    // A row that the warp multiplies takes 8 products instead of 32 to 64.
    static constexpr int max_rows = 6;
    using Inverses = StripOfInverses<k, Row>;
    using T = typename Inverses::T;
    Warp warp;

    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE bool any(bool condition) const {
        return warp.ballot(condition) != 0;
    }
    template <class Ring, class Divisors>
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE bool
    multiply(Inverses &own, const Ring &ring, const Divisors &divisors,
             arith::RowProduct<T> &product) const {
        const std::uint32_t wanted = warp.ballot(product.wanted);
        std::uint32_t more = wanted;
        WARPINT_UNROLL(max_rows, max_rows)
        for (int i = 0; i < max_rows; ++i)
            more &= more - 1;
        if (more != 0)
            return false;
        WARPINT_UNROLL(1, 0)
        for (int owner = 0; wanted >> owner != 0; ++owner) {
            if ((wanted >> owner & 1u) != 0)
                multiply_row(owner, own, ring, divisors, product);
            if (owner == 31)
                break;
        }
        return true;
    }

private:
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE T of_lane(const T &x, int source) const {
        T r{};
        WARPINT_UNROLL(T::limb_count, arith::register_limbs)
        for (int i = 0; i < T::limb_count; ++i)
            r.limbs[i] = warp.of_lane(x.limbs[i], source);
        return r;
    }
    // The row of lane `owner`: each lane takes an element, and products of neighbours are joined,
    // of 2, 4, ... 32.
    template <class Ring, class Divisors>
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void
    multiply_row(int owner, Inverses &own, const Ring &ring, const Divisors &divisors,
                 arith::RowProduct<T> &product) const {
        const int lane = warp.lane();
        Row row = own.row;
        row.begin = row.begin - static_cast<std::size_t>(lane) + static_cast<std::size_t>(owner);
        WARPINT_UNROLL(k + 1, k + 1)
        for (int cut = 0; cut <= k; ++cut)
            row.missing[cut][0] = warp.of_lane(row.missing[cut][0], owner);
        Inverses inverses{row};
        bool out = inverses.is_left_out(lane);
        T x{};
        if (!out) {
            x = inverses.load(lane, out);
            out = out || divisors.divide(x, true);
        }
        bool found = false;
        if (warp.of_lane(product.annihilates ? 1u : 0u, owner) != 0) {
            const T c = of_lane(product.annihilator, owner);
            found = !out && ring.is_zero(ring.product(c, x));
            out = out || found;
        }
        T running = ring.product(ring.one(), out ? ring.one() : x);
        WARPINT_UNROLL(1, 0)
        for (int step = 1; step < 32; step *= 2) {
            const T below = of_lane(running, lane - step);
            const T joined = ring.product(below, running);
            if (lane >= step)
                running = joined;
        }
        const T before = of_lane(running, lane - 1);
        if (!out)
            inverses.set_prefix(lane, lane == 0 ? ring.one() : before);
        const std::uint32_t left_out = warp.ballot(out);
        const bool found_any = any(found);
        const T whole = of_lane(running, 31);
        if (lane == owner) {
            own.row.missing[k][0] = left_out;
            product.value = whole;
            product.found_any = found_any;
            product.is_empty = left_out == 0xffffffffu;
            product.gave_up = ring.is_zero(whole); // of divisors of 0
            product.all = true;
            product.wanted = false;
        }
        warp.synchronize();
    }
};

} // namespace warpint::execution
