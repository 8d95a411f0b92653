// SPDX-License-Identifier: Apache-2.0
// LaneArray: one value per lane on a host, where the lanes of a group run in lock step. Every
// operator acts on all lanes at once, so that the text of an algorithm over lanes is the same as on
// a GPU, where such a value is one register of each lane.
#pragma once

#include "../../limb/lane_row.h"

#include <type_traits>

namespace warpint::lanes {

template <int Lanes, class T>
struct LaneArray {
    T lane[Lanes];

    LaneArray() = default;
    // The same value in all lanes.
    template <class U>
        requires(std::is_arithmetic_v<U>)
    LaneArray(U value) {
        for (int l = 0; l < Lanes; ++l)
            lane[l] = static_cast<T>(value);
    }

    template <class F>
    static LaneArray each(F f) {
        LaneArray r;
        for (int l = 0; l < Lanes; ++l)
            r.lane[l] = static_cast<T>(f(l));
        return r;
    }

#define WARPINT_LANE_OPERATOR(op)                                                                  \
    friend LaneArray operator op(const LaneArray &a, const LaneArray &b) {                         \
        return each([&](int l) { return a.lane[l] op b.lane[l]; });                                \
    }
    WARPINT_LANE_OPERATOR(&)
    WARPINT_LANE_OPERATOR(|)
    WARPINT_LANE_OPERATOR(^)
#undef WARPINT_LANE_OPERATOR
    // In unsigned arithmetic at least as wide as an int.
#define WARPINT_LANE_OPERATOR(op)                                                                  \
    friend LaneArray operator op(const LaneArray &a, const LaneArray &b)                           \
        requires(!std::is_same_v<T, bool>)                                                         \
    {                                                                                              \
        return each([&](int l) { return (a.lane[l] + 0u) op(b.lane[l] + 0u); });                   \
    }
    WARPINT_LANE_OPERATOR(+)
    WARPINT_LANE_OPERATOR(-)
    WARPINT_LANE_OPERATOR(*)
#undef WARPINT_LANE_OPERATOR
#define WARPINT_LANE_COMPARISON(op)                                                                \
    friend LaneArray<Lanes, bool> operator op(const LaneArray &a, const LaneArray &b) {            \
        return LaneArray<Lanes, bool>::each([&](int l) { return a.lane[l] op b.lane[l]; });        \
    }
    WARPINT_LANE_COMPARISON(==)
    WARPINT_LANE_COMPARISON(!=)
    WARPINT_LANE_COMPARISON(<)
    WARPINT_LANE_COMPARISON(>)
    WARPINT_LANE_COMPARISON(<=)
    WARPINT_LANE_COMPARISON(>=)
#undef WARPINT_LANE_COMPARISON

    friend LaneArray operator~(const LaneArray &a) {
        return each([&](int l) { return ~(a.lane[l] + 0u); });
    }
    friend LaneArray operator!(const LaneArray &a) {
        return each([&](int l) { return !a.lane[l]; });
    }
    friend LaneArray operator<<(const LaneArray &a, int count) {
        return each([&](int l) { return (a.lane[l] + 0u) << count; });
    }
    friend LaneArray operator>>(const LaneArray &a, int count) {
        return each([&](int l) { return a.lane[l] >> count; });
    }
    friend LaneArray operator/(const LaneArray &a, int b)
        requires std::is_same_v<T, int>
    {
        return each([&](int l) { return a.lane[l] / b; });
    }
    friend LaneArray operator%(const LaneArray &a, int b)
        requires std::is_same_v<T, int>
    {
        return each([&](int l) { return a.lane[l] % b; });
    }
    LaneArray &operator&=(const LaneArray &b) { return *this = *this & b; }
    LaneArray &operator|=(const LaneArray &b) { return *this = *this | b; }
    LaneArray &operator^=(const LaneArray &b) { return *this = *this ^ b; }
    LaneArray &operator+=(const LaneArray &b) { return *this = *this + b; }
    LaneArray &operator-=(const LaneArray &b) { return *this = *this - b; }
};

// For assertions: whether the condition holds in all lanes.
template <int Lanes>
bool holds(const LaneArray<Lanes, bool> &condition) {
    bool all = true;
    for (int l = 0; l < Lanes; ++l)
        all = all && condition.lane[l];
    return all;
}

// What the functions of limb/ do, in every lane.

template <int Lanes, class Pair>
using HalfArray = LaneArray<Lanes, typename limb::half_limb<Pair>::type>;
template <int Lanes, class Limb>
using PairArray = LaneArray<Lanes, limb::double_limb_t<Limb>>;

template <int Lanes, class Pair>
HalfArray<Lanes, Pair> low_half(const LaneArray<Lanes, Pair> &pair) {
    return HalfArray<Lanes, Pair>::each([&](int l) { return limb::low_half(pair.lane[l]); });
}
template <int Lanes, class Pair>
HalfArray<Lanes, Pair> high_half(const LaneArray<Lanes, Pair> &pair) {
    return HalfArray<Lanes, Pair>::each([&](int l) { return limb::high_half(pair.lane[l]); });
}
template <int Lanes, class Limb>
PairArray<Lanes, Limb> join_halves(const LaneArray<Lanes, Limb> &low,
                                   const LaneArray<Lanes, Limb> &high) {
    return PairArray<Lanes, Limb>::each(
        [&](int l) { return limb::join_halves(low.lane[l], high.lane[l]); });
}
template <int Lanes, class Limb>
PairArray<Lanes, Limb> multiply_pair(const LaneArray<Lanes, Limb> &a, Limb b) {
    return PairArray<Lanes, Limb>::each([&](int l) { return limb::multiply_pair(a.lane[l], b); });
}
template <int Lanes, class Limb>
LaneArray<Lanes, Limb> funnel_left(const LaneArray<Lanes, Limb> &high,
                                   const LaneArray<Lanes, Limb> &low, int shift) {
    return LaneArray<Lanes, Limb>::each(
        [&](int l) { return limb::funnel_left(high.lane[l], low.lane[l], shift); });
}
template <int Lanes, class Limb>
LaneArray<Lanes, Limb> funnel_right(const LaneArray<Lanes, Limb> &high,
                                    const LaneArray<Lanes, Limb> &low, int shift) {
    return LaneArray<Lanes, Limb>::each(
        [&](int l) { return limb::funnel_right(high.lane[l], low.lane[l], shift); });
}
template <int Lanes, class Limb>
LaneArray<Lanes, int> countl_zero(const LaneArray<Lanes, Limb> &a) {
    return LaneArray<Lanes, int>::each([&](int l) { return limb::countl_zero(a.lane[l]); });
}
template <int Lanes, class Limb>
LaneArray<Lanes, int> countr_zero(const LaneArray<Lanes, Limb> &a) {
    return LaneArray<Lanes, int>::each([&](int l) { return limb::countr_zero(a.lane[l]); });
}
template <int Lanes, class Limb>
LaneArray<Lanes, int> popcount(const LaneArray<Lanes, Limb> &a) {
    return LaneArray<Lanes, int>::each([&](int l) { return limb::popcount(a.lane[l]); });
}

using limb::countl_zero;
using limb::countr_zero;
using limb::funnel_left;
using limb::funnel_right;
using limb::high_half;
using limb::join_halves;
using limb::low_half;
using limb::multiply_pair;
using limb::popcount;

// limb::PairChain in every lane. A factor or summand may be one limb for all lanes.
template <int Lanes, class Limb>
class LaneChain {
public:
    using Word = LaneArray<Lanes, Limb>;
    using Pair = PairArray<Lanes, Limb>;

    Word add(const Word &a, const Word &b) {
        return Word::each([&](int l) { return chain_[l].add(a.lane[l], b.lane[l]); });
    }
    Word add_next(const Word &a, const Word &b) {
        return Word::each([&](int l) { return chain_[l].add_next(a.lane[l], b.lane[l]); });
    }
    Word end(const Word &a) {
        return Word::each([&](int l) { return chain_[l].end(a.lane[l]); });
    }
    Word subtract(const Word &a, const Word &b) {
        return Word::each([&](int l) { return chain_[l].subtract(a.lane[l], b.lane[l]); });
    }
    Word subtract_next(const Word &a, const Word &b) {
        return Word::each([&](int l) { return chain_[l].subtract_next(a.lane[l], b.lane[l]); });
    }
    Word subtract_end(const Word &a) {
        return Word::each([&](int l) { return chain_[l].subtract_end(a.lane[l]); });
    }
    Pair multiply_add(const Word &a, const Word &b, const Pair &pair) {
        return Pair::each(
            [&](int l) { return chain_[l].multiply_add(a.lane[l], b.lane[l], pair.lane[l]); });
    }
    Pair multiply_add_next(const Word &a, const Word &b, const Pair &pair) {
        return Pair::each(
            [&](int l) { return chain_[l].multiply_add_next(a.lane[l], b.lane[l], pair.lane[l]); });
    }

    Pair add_to_low(const Pair &pair, const Word &b) {
        return Pair::each([&](int l) { return chain_[l].add_to_low(pair.lane[l], b.lane[l]); });
    }
    Pair end_in_high(const Pair &pair) {
        return Pair::each([&](int l) { return chain_[l].end_in_high(pair.lane[l]); });
    }

private:
    limb::PairChain<Limb> chain_[Lanes];
};

} // namespace warpint::lanes
