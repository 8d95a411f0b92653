// SPDX-License-Identifier: Apache-2.0
// Numbers over lanes as a kind of number for the functions of theory/ (theory/kind.h).
#pragma once

#include "../theory/kind.h"
#include "montgomery_ring.h"

namespace warpint::theory {

template <int Bits, int Lanes, Together together>
struct Kind<WarpInt<Bits, Lanes, together>> {
    using Number = WarpInt<Bits, Lanes, together>;

    WARPINT_HOST_DEVICE static bool vote(bool condition) {
        return typename Number::group{}.vote(condition);
    }
    WARPINT_HOST_DEVICE static Number choose(bool condition, const Number &a, const Number &b) {
        return warp_int::select(condition, a, b);
    }
    template <class Function>
    WARPINT_HOST_DEVICE static bool in_ring(Number &x, const Number &m, const Function &function) {
        return function(warp_int::LanesRing<Number>(m), x);
    }
};

} // namespace warpint::theory
