// SPDX-License-Identifier: Apache-2.0
// What the functions of this room ask of a kind of number: one in a thread, as here, or one over
// lanes (warp_int/theory_kind.h). Their texts are written once, with the operators and functions that all
// kinds have; ring.h says how a text branches where numbers run together.
#pragma once

#include "../number/machine.h"
#include "montgomery_ring.h"

namespace warpint::theory {

// T: an unsigned number.
//
//   vote(c)          whether c holds for any number that runs together with this one
//   choose(c, a, b)  c ? a : b without a branch; in a thread it may be one
//   in_ring(x, m, f) runs f(ring, element) in the ring modulo m, odd and > 1. The element starts as
//                    x < m, not yet entered, and x becomes what f leaves in it. Returns f's bool.
template <class T>
struct Kind;

template <int N>
struct Kind<BigInt<N>> {
    WARPINT_HOST_DEVICE static constexpr WARPINT_INLINE bool vote(bool condition) {
        return condition;
    }
    WARPINT_HOST_DEVICE static constexpr WARPINT_INLINE BigInt<N>
    choose(bool condition, const BigInt<N> &a, const BigInt<N> &b) {
        return condition ? a : b;
    }

    template <class Function>
    WARPINT_HOST_DEVICE static constexpr bool in_ring(BigInt<N> &x, const BigInt<N> &m,
                                                      const Function &function) {
        constexpr int count = BigInt<N>::limb_count;
        constexpr int room = 2 * ((N + 63) / 64); // even, so that hosts may use 64-bit words
        constexpr int window = WARPINT_DEVICE_PASS || N <= 512 ? 4 : 5;
        BigInt<N> r{};
        const bool result = number::on_machine_limbs(
            [&function]<class Limb>(Limb *out, const Limb *in, const Limb *modulus)
                WARPINT_INLINE_LAMBDA {
                    constexpr int L = number::machine_limbs<room, Limb>;
                    const MontgomeryRing<L, window, Limb> ring(modulus);
                    typename MontgomeryRing<L, window, Limb>::element element{};
                    algorithm::copy<L>(element.limbs, in);
                    const bool is_true = function(ring, element);
                    algorithm::copy<L>(out, element.limbs);
                    return is_true;
                },
            number::cleared_output<count, room>(r.limbs),
            number::copied_input<count, room>(x.limbs), number::copied_input<count, room>(m.limbs));
        x = r;
        return result;
    }
};

} // namespace warpint::theory
