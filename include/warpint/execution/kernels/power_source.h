// SPDX-License-Identifier: Apache-2.0
// What the kernels of powers (powers.h) are given of a formula that is one power of numbers, and
// where they run.
#pragma once

#include "../../limb/config.h"

#if WARPINT_CUDA

#include "../evaluation/tensor_power.h"
#include "powers.h"

namespace warpint::execution {

// GPUs that have integer matrix instructions, and double precision at half the rate of single:
// measured on 9.0 only. (8.6, 8.9 and 12.0 have it at 1/64.)
WARPINT_HOST_DEVICE constexpr bool has_tensor_powers(int capability) {
    return capability == 80 || capability == 90;
}

// A modulus that all elements share; 0 if there is none.
template <class M>
WARPINT_HOST_DEVICE BigInt<value_bits<M>> shared_modulus(const M &modulus) {
    if constexpr (ModulusContext<M>) {
        return number::modulus_value(modulus);
    } else {
        return modulus.exists ? number::modulus_value(modulus.modulus) : BigInt<value_bits<M>>{};
    }
}

// How many bits an operand's numbers have, and where they are; 0 bits: no operand of the kernels.
template <class Leaf>
struct TensorOperand {
    static constexpr int bits = 0;
};
template <BigNumber T>
struct TensorOperand<BatchPointer<T>> {
    static constexpr int bits = T::bits;
    WARPINT_HOST_DEVICE static PowerOperand<bits> of(const BatchPointer<T> &leaf) {
        return {reinterpret_cast<const std::uint32_t *>(leaf.data), leaf.faults, {}};
    }
};
template <BigNumber T>
struct TensorOperand<ConstantLeaf<T>> {
    static constexpr int bits = T::bits;
    WARPINT_HOST_DEVICE static PowerOperand<bits> of(const ConstantLeaf<T> &leaf) {
        return {nullptr, nullptr, number::to<BigInt<bits>>(leaf.value)};
    }
};
template <class M>
    requires(ModulusContext<M> || is_shared_modulus<M>)
struct TensorOperand<ConstantLeaf<M>> {
    static constexpr int bits = value_bits<M>;
    WARPINT_HOST_DEVICE static PowerOperand<bits> of(const ConstantLeaf<M> &leaf) {
        return {nullptr, nullptr, shared_modulus(leaf.value)};
    }
};
template <int Bits>
struct TensorOperand<ConstantLeaf<SharedExponent<Bits>>> {
    static constexpr int bits = Bits;
    WARPINT_HOST_DEVICE static PowerOperand<bits>
    of(const ConstantLeaf<SharedExponent<Bits>> &leaf) {
        PowerOperand<bits> exponent;
        arith::copy<BigInt<Bits>::limb_count>(exponent.same.limbs, leaf.value.schedule.limbs);
        return exponent;
    }
};

// Whether there is a value by what all elements share, and the exponent is long enough.
template <class Leaf>
WARPINT_HOST_DEVICE bool suits_tensor_power(const Leaf &) {
    return true;
}
template <class M>
    requires(ModulusContext<M> || is_shared_modulus<M>)
WARPINT_HOST_DEVICE bool suits_tensor_power(const ConstantLeaf<M> &modulus) {
    const auto value = shared_modulus(modulus.value);
    return (value.limbs[0] & 1u) != 0 && value > 2u;
}
template <int Bits>
WARPINT_HOST_DEVICE bool suits_tensor_power(const ConstantLeaf<SharedExponent<Bits>> &exponent) {
    return exponent.value.exists &&
           exponent.value.schedule.bits >= tuning::min_exponent_of_tensor_powers;
}

// What the kernels are given of a power.
template <class Tree>
struct TensorSource {
    static constexpr bool exists = false;
};
template <class Operation, class A, class E, class M>
    requires(is_tensor_power<Node<Operation, A, E, M>> && TensorOperand<A>::bits > 0 &&
             TensorOperand<E>::bits > 0 && TensorOperand<M>::bits > 0)
struct TensorSource<Node<Operation, A, E, M>> {
    static constexpr bool exists = true;
    using Tree = Node<Operation, A, E, M>;
    using Operands = PowerOperands<TensorOperand<A>::bits, TensorOperand<E>::bits,
                                   TensorOperand<M>::bits, false>;

    WARPINT_HOST_DEVICE static bool suits(const Tree &tree) {
        return suits_tensor_power(item<1>(tree.operands)) &&
               suits_tensor_power(item<2>(tree.operands));
    }
    WARPINT_HOST_DEVICE static Operands of(const Tree &tree) {
        return {TensorOperand<A>::of(item<0>(tree.operands)),
                TensorOperand<E>::of(item<1>(tree.operands)),
                TensorOperand<M>::of(item<2>(tree.operands)),
                {}};
    }
};
} // namespace warpint::execution

#endif
