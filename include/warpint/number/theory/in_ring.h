// SPDX-License-Identifier: Apache-2.0
// Numbers of a thread in the ring modulo another (ring.h). Those over lanes are in
// number/warp_int/montgomery_ring.h.
#pragma once

#include "../machine.h"
#include "montgomery_ring.h"

namespace warpint::theory {

template <int N>
struct InRing<BigInt<N>> {
    template <class Function>
    WARPINT_HOST_DEVICE static constexpr bool run(BigInt<N> &x, const BigInt<N> &m,
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
                    arith::copy<L>(element.limbs, in);
                    const bool is_true = function(ring, element);
                    arith::copy<L>(out, element.limbs);
                    return is_true;
                },
            number::cleared_output<count, room>(r.limbs),
            number::copied_input<count, room>(x.limbs), number::copied_input<count, room>(m.limbs));
        x = r;
        return result;
    }
};

} // namespace warpint::theory
