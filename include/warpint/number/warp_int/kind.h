// SPDX-License-Identifier: Apache-2.0
// What the functions of number/kinds.h do for numbers over lanes.
#pragma once

#include "../kinds.h"
#include "../modular/modulus.h"
#include "bits.h"

namespace warpint::warp_int {

template <int Lanes, Together mode>
struct LaneFunctions {
    WARPINT_HOST_DEVICE static WARPINT_INLINE bool vote(bool condition) {
        return warpint::lanes::MachineGroup<Lanes, mode>{}.vote(condition);
    }
    template <class T>
    WARPINT_HOST_DEVICE static WARPINT_INLINE T choose(bool condition, const T &a, const T &b) {
        return select(condition, a, b);
    }
    template <class T>
    WARPINT_HOST_DEVICE static WARPINT_INLINE auto magnitude(const T &x) {
        return warp_int::magnitude(x);
    }
    template <class T>
    WARPINT_HOST_DEVICE static WARPINT_INLINE T negate_if(const T &x, bool condition) {
        return warp_int::negate_if(x, condition);
    }
    template <class A, class B>
    WARPINT_HOST_DEVICE static WARPINT_INLINE auto quotient(const A &a, const B &b) {
        return warp_int::quotient<Code::called>(a, b);
    }
    template <class A, class B>
    WARPINT_HOST_DEVICE static WARPINT_INLINE auto remainder(const A &a, const B &b) {
        return warp_int::remainder<Code::called>(a, b);
    }
    template <class A, class B>
    WARPINT_HOST_DEVICE static WARPINT_INLINE auto product(const A &a, const B &b) {
        return multiply_outlined(a, b);
    }
    template <class R, class A, class B>
    WARPINT_HOST_DEVICE static WARPINT_INLINE R low_product(const A &a, const B &b) {
        return warp_int::low_product<R>(a, b);
    }

    // The number that a Modulus holds: every lane reads its own limbs. (A whole number in each lane
    // would go through local memory: a * b % M of 16384 bits 10.8 M a second on an H200.)
    template <ModulusContext M>
    WARPINT_HOST_DEVICE static WARPINT_INLINE WarpInt<M::bits, Lanes, mode> modulus(const M &m) {
        using R = WarpInt<M::bits, Lanes, mode>;
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

} // namespace warpint::warp_int
