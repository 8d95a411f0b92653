// SPDX-License-Identifier: Apache-2.0
// The carry chain of one lane's row: sums, differences and products on pairs of limbs. A pair is
// one value of twice the width, an aligned register pair of a GPU: where the two limbs are separate
// variables, ptxas moves them about at the ends of loops.
//
//   PairChain<Limb> chain;
//   p = chain.multiply_add(a, b, p);        // begins the chain
//   q = chain.multiply_add_next(c, b, q);   // with the carry of the link before
//   carry = chain.end(0);
//
// Nothing that touches the machine's carry flag may stand between the links. Multiplications
// without carry and shuffles may. Constant time.
#pragma once

#include "arithmetic.h"
#include "ptx.h"

namespace warpint::limb {

// The two limbs of a pair.
template <class Pair>
struct half_limb;
template <>
struct half_limb<std::uint16_t> {
    using type = std::uint8_t;
};
template <>
struct half_limb<std::uint32_t> {
    using type = std::uint16_t;
};
template <>
struct half_limb<std::uint64_t> {
    using type = std::uint32_t;
};

template <class Pair>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE typename half_limb<Pair>::type low_half(Pair pair) {
    return static_cast<typename half_limb<Pair>::type>(pair);
}
template <class Pair>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE typename half_limb<Pair>::type high_half(Pair pair) {
    using Limb = typename half_limb<Pair>::type;
    return static_cast<Limb>(pair >> limb_bits<Limb>);
}
template <class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE double_limb_t<Limb> join_halves(Limb low, Limb high) {
    using Pair = double_limb_t<Limb>;
    return static_cast<Pair>(static_cast<Pair>(static_cast<Pair>(high) << limb_bits<Limb>) | low);
}
// a b. In assembly, as a factor that a loop does not change may be extended before the loop, where
// nvcc forgets that its upper half is zero and multiplies that too.
template <class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE double_limb_t<Limb> multiply_pair(Limb a, Limb b) {
    using Pair = double_limb_t<Limb>;
    if constexpr (ptx::exists<Limb>) {
        if (!__builtin_is_constant_evaluated())
            return ptx::mul_pair(a, b);
    }
    return static_cast<Pair>(static_cast<Pair>(a) * b);
}

template <class Limb>
class PairChain {
public:
    using Pair = double_limb_t<Limb>;
    static constexpr bool in_flag = ptx::exists<Limb>;

    // a + b; begins a chain. Then a + b + carry.
    WARPINT_HOST_DEVICE WARPINT_INLINE Limb add(Limb a, Limb b) {
        if constexpr (in_flag)
            return ptx::add_cc(a, b);
        carry_ = 0;
        return add_carry(a, b, carry_);
    }
    WARPINT_HOST_DEVICE WARPINT_INLINE Limb add_next(Limb a, Limb b) {
        if constexpr (in_flag)
            return ptx::addc_cc(a, b);
        return add_carry(a, b, carry_);
    }
    // a + carry; ends a chain of sums or products.
    WARPINT_HOST_DEVICE WARPINT_INLINE Limb end(Limb a) {
        if constexpr (in_flag)
            return ptx::addc(a, 0);
        return static_cast<Limb>(a + carry_);
    }

    // a - b; begins a chain of differences. Then a - b - borrow.
    WARPINT_HOST_DEVICE WARPINT_INLINE Limb subtract(Limb a, Limb b) {
        if constexpr (in_flag)
            return ptx::sub_cc(a, b);
        carry_ = 0;
        return sub_borrow(a, b, carry_);
    }
    WARPINT_HOST_DEVICE WARPINT_INLINE Limb subtract_next(Limb a, Limb b) {
        if constexpr (in_flag)
            return ptx::subc_cc(a, b);
        return sub_borrow(a, b, carry_);
    }
    // a - borrow; ends a chain of differences.
    WARPINT_HOST_DEVICE WARPINT_INLINE Limb subtract_end(Limb a) {
        if constexpr (in_flag)
            return ptx::subc(a, 0);
        return static_cast<Limb>(a - carry_);
    }

    // pair + a b; begins a chain. Then pair + a b + carry.
    WARPINT_HOST_DEVICE WARPINT_INLINE Pair multiply_add(Limb a, Limb b, Pair pair) {
        if constexpr (in_flag)
            return ptx::mad_pair_cc(a, b, pair);
        carry_ = 0;
        return add_product(a, b, pair);
    }
    WARPINT_HOST_DEVICE WARPINT_INLINE Pair multiply_add_next(Limb a, Limb b, Pair pair) {
        if constexpr (in_flag)
            return ptx::madc_pair_cc(a, b, pair);
        return add_product(a, b, pair);
    }

    // The pair with b added to its low limb; begins a chain, whose carry is not yet in the high
    // limb.
    WARPINT_HOST_DEVICE WARPINT_INLINE Pair add_to_low(Pair pair, Limb b) {
        if constexpr (in_flag)
            return ptx::add_low_cc(pair, b);
        return join_halves(add(low_half(pair), b), high_half(pair));
    }
    // The pair with the carry added to its high limb; ends a chain.
    WARPINT_HOST_DEVICE WARPINT_INLINE Pair end_in_high(Pair pair) {
        if constexpr (in_flag)
            return ptx::addc_high(pair);
        return join_halves(low_half(pair), end(high_half(pair)));
    }

private:
    WARPINT_HOST_DEVICE WARPINT_INLINE Pair add_product(Limb a, Limb b, Pair pair) {
        // a b + carry < B^2, so the carries of the two sums exclude each other.
        const Pair product = static_cast<Pair>(multiply_pair(a, b) + carry_);
        const Pair sum = static_cast<Pair>(product + pair);
        carry_ = static_cast<Limb>(sum < product);
        return sum;
    }

    Limb carry_; // unused where the machine's flag is the carry
};

} // namespace warpint::limb
