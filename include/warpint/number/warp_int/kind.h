// SPDX-License-Identifier: Apache-2.0
// Numbers over lanes as a kind of numbers (number/kinds.h).
#pragma once

#include "../kinds.h"
#include "../modular/modulus.h"
#include "bits.h"

namespace warpint::number {

template <int Bits, int Lanes, lanes::Together mode, bool Signed>
struct kind<BasicWarpInt<Bits, Lanes, mode, Signed>> {
    static constexpr bool together = true;
    using scalar = select_type<Bits, Signed>;
    template <class Scalar>
    using number_t =
        BasicWarpInt<traits<big_t<Scalar>>::bits, Lanes, mode, traits<big_t<Scalar>>::is_signed>;

    WARPINT_HOST_DEVICE static WARPINT_INLINE bool vote(bool condition) {
        return warpint::lanes::MachineGroup<Lanes, mode>{}.vote(condition);
    }
    template <class T>
    WARPINT_HOST_DEVICE static WARPINT_INLINE T choose(bool condition, const T &a, const T &b) {
        return warp_int::select(condition, a, b);
    }
    template <class A, class B>
    WARPINT_HOST_DEVICE static WARPINT_INLINE auto quotient(const A &a, const B &b) {
        return warp_int::quotient<warp_int::Code::called>(a, b);
    }
    template <class A, class B>
    WARPINT_HOST_DEVICE static WARPINT_INLINE auto remainder(const A &a, const B &b) {
        return warp_int::remainder<warp_int::Code::called>(a, b);
    }
    template <class A, class B>
    WARPINT_HOST_DEVICE static WARPINT_INLINE auto product(const A &a, const B &b) {
        return warp_int::multiply_called(a, b);
    }

    // The number that a Modulus holds: every lane reads its own limbs. (A whole number in each lane
    // would go through local memory: a * b % M of 16384 bits 10.8 M a second on an H200.)
    template <ModulusContext M>
    WARPINT_HOST_DEVICE static WARPINT_INLINE number_t<BigInt<M::bits>> modulus(const M &m) {
        using R = number_t<BigInt<M::bits>>;
        constexpr int K = R::limbs_per_lane;
        const typename R::group group;
        const std::uint32_t *const memory = group.as_memory(m.form_modulus());
        R r;
        WARPINT_UNROLL(K, K)
        for (int i = 0; i < K; ++i)
            r.words[i] = group.template load_limb<K>(memory, M::limb_count, i, 0u);
        if (!m.is_odd())
            warpint::lanes::shift_right<K>(group, r.words, r.words, m.shift());
        return r;
    }
};

} // namespace warpint::number
