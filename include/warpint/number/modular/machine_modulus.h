// SPDX-License-Identifier: Apache-2.0
// Moduli as operands of number::on_machine_limbs (number/machine.h): the constants of Montgomery
// arithmetic in the limbs that this machine computes with.
#pragma once

#include "../../arith/limbs/power/power.h"
#include "../machine.h"

namespace warpint::number {

namespace detail {

template <int N, class Limb>
using MachineContext = arith::MontgomeryContext<machine_limbs<N, Limb>, Limb>;

template <class M, class Limb>
struct OpenedOddPart : NothingToStore {
    MachineContext<M::limb_count, Limb> context;

    template <class Operand>
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE explicit OpenedOddPart(const Operand &operand) {
        constexpr int n = M::limb_count;
        const auto &stored = operand.modulus->odd_part();
        load_limbs<n>(context.modulus, stored.modulus);
        load_limbs<n>(context.one, stored.one);
        load_limbs<n>(context.r_squared, stored.r_squared);
        context.inverse = operand.modulus->template limb_inverse<Limb>();
    }
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE const MachineContext<M::limb_count, Limb> &
    argument() const {
        return context;
    }
};
template <class M>
struct OpenedOddPart<M, std::uint32_t> : NothingToStore {
    const M *modulus;

    template <class Operand>
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE explicit OpenedOddPart(const Operand &operand)
        : modulus{operand.modulus} {}
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE const typename M::Context &argument() const {
        return modulus->odd_part();
    }
};

template <int N, int Room, class Limb>
struct OpenedContext : NothingToStore {
    MachineContext<Room, Limb> context;

    template <class Operand>
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE explicit OpenedContext(const Operand &operand)
        : context{} {
        load_limbs<N, Room>(context.modulus, operand.limbs);
    }
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE MachineContext<Room, Limb> &argument() {
        return context;
    }
};

template <int N, class Limb>
struct OpenedConstants {
    MachineContext<N, Limb> context;

    template <class Operand>
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE explicit OpenedConstants(const Operand &operand) {
        load_limbs<N>(context.modulus, operand.context->modulus);
    }
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE MachineContext<N, Limb> &argument() {
        return context;
    }
    template <class Operand>
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void close(const Operand &operand) const {
        store_limbs<N>(operand.context->one, context.one);
        store_limbs<N>(operand.context->r_squared, context.r_squared);
        operand.context->inverse = static_cast<std::uint32_t>(context.inverse);
    }
};
template <int N>
struct OpenedConstants<N, std::uint32_t> : NothingToStore {
    MachineContext<N, std::uint32_t> *stored;

    template <class Operand>
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE explicit OpenedConstants(const Operand &operand)
        : stored{operand.context} {}
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE MachineContext<N, std::uint32_t> &
    argument() const {
        return *stored;
    }
};

template <class M>
struct OddPart {
    template <class Limb>
    using opened = OpenedOddPart<M, Limb>;
    const M *modulus;
};
template <int N, int Room>
struct NewContext {
    template <class Limb>
    using opened = OpenedContext<N, Room, Limb>;
    const std::uint32_t *limbs;
};
template <int N>
struct Constants {
    template <class Limb>
    using opened = OpenedConstants<N, Limb>;
    MachineContext<N, std::uint32_t> *context;
};

} // namespace detail

// The constants of a Modulus' odd part: `const arith::MontgomeryContext<N, Limb> &`.
template <class M>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE detail::OddPart<M> odd_part(const M &modulus) {
    return {&modulus};
}
// A context of the function, its modulus N stored limbs with zeros above up to Room: for the body
// to prepare. `arith::MontgomeryContext<N, Limb> &`.
template <int N, int Room>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE detail::NewContext<N, Room>
new_context(const std::uint32_t *modulus) {
    return {modulus};
}
// A stored context with its modulus, whose other members the body computes. The same argument.
template <int N>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE detail::Constants<N>
constants_of(arith::MontgomeryContext<N, std::uint32_t> &context) {
    return {&context};
}

} // namespace warpint::number
