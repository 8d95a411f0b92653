// SPDX-License-Identifier: Apache-2.0
// Formulas all of whose operands travel to shared memory at once (cost.h). Those of products modulo
// m stay there: second factors and modulus are read limb by limb when they are needed, so that the
// registers hold the product only. (thread_per_number family.)
#pragma once

#include "../../limb/config.h"

#if WARPINT_CUDA

#include "evaluate.h"
#include "warp_context.h"

namespace warpint::execution {

// A factor's limbs in ascending order: whole vectors are read at once.
template <class T>
struct StagedFactor {
    StagedNumber<T> number;
    mutable uint4 vector{};

    __device__ __forceinline__ std::uint32_t operator()(int i) const {
        if constexpr (StagedNumber<T>::in_vectors) {
            if (i % 4 == 0) {
                vector = number.area[vector_slot<T::limb_count / 4>(number.lane,
                                                                    static_cast<unsigned>(i) / 4)];
            }
            return i % 4 == 0 ? vector.x : i % 4 == 1 ? vector.y : i % 4 == 2 ? vector.z : vector.w;
        } else {
            return number.limb(i);
        }
    }
};

// A modulus as arith::ModulusLimbs; loaded anew each time it is asked for.
template <class T>
struct StagedModulus {
    StagedNumber<T> number;

    __device__ __forceinline__ void operator()(std::uint32_t *r, int places) const {
        limb::forget_memory();
        number.read(r);
        if (places != 0) {
            WARPINT_UNROLL(T::limb_count, 64)
            for (int i = 0; i < T::limb_count; ++i)
                r[i] = i >= places ? number.limb(i - places) : 0;
        }
    }
};

// The modulus of a folded product: as arith::ModulusLimbs or prepared.
template <class T>
__device__ __forceinline__ StagedModulus<T> fold_modulus(const BatchPointer<T> &, uint4 *area,
                                                         unsigned lane) {
    return {{area, lane}};
}
template <class T, int Bits>
__device__ __forceinline__ const auto &fold_modulus(const ConstantLeaf<SharedModulus<Bits>> &leaf,
                                                    uint4 *, unsigned) {
    return leaf.value.modulus.fold();
}
template <class T>
__device__ __forceinline__ bool modulus_exists(const StagedModulus<T> &m) {
    return !m.number.is_zero();
}
template <int N, class Limb>
__device__ __forceinline__ bool modulus_exists(const arith::PreparedFold<N, Limb> &m) {
    return m.exists();
}

// m = 0 is a fault.
template <arith::FoldTerm term, class T, class Number, class M>
__device__ __forceinline__ T fold_staged(const Number &first, const Number &second,
                                         const Number &third, const Number &fourth,
                                         const M &modulus, bool &fault) {
    using enum arith::FoldTerm;
    using Factor = StagedFactor<T>;
    T r{};
    fault = fault || !modulus_exists(modulus);
    if (!fault) {
        std::uint32_t a[T::limb_count];
        std::uint32_t c[T::limb_count];
        first.read(a);
        if constexpr (term != none)
            third.read(c);
        arith::multiply_modulo_fold<T::limb_count, term>(&r.limbs[0], &a[0], Factor{second}, &c[0],
                                                         Factor{fourth}, modulus);
    }
    return r;
}

// The same of forms of residues.
template <arith::FoldTerm term, class T, class Number, ModulusContext M>
__device__ __forceinline__ T multiply_staged_forms(const Number &first, const Number &second,
                                                   const Number &third, const M &modulus) {
    using Arithmetic = number::FormArithmetic<T>;
    T a;
    T r{};
    first.read(a.limbs);
    number::multiply_forms<M::bits>(&r.limbs[0], &a.limbs[0], StagedFactor<T>{second}, modulus);
    if constexpr (term != arith::FoldTerm::none) {
        T c;
        third.read(c.limbs);
        r = term == arith::FoldTerm::plus ? Arithmetic::sum(r, c, modulus)
                                          : Arithmetic::difference(r, c, modulus);
    }
    return r;
}

// The value of a staged formula. The context's staging has room for all operands. Faults: those of
// the operands and of the operation.
template <class Operation, class... Operands, class Context>
__device__ __forceinline__ auto evaluate_staged(const Node<Operation, Operands...> &tree,
                                                const Context &context, bool &fault) {
    using H = StagedFormula<Node<Operation, Operands...>>;
    return [&]<std::size_t... i>(std::index_sequence<i...>) {
        const auto fetch = [&]<class Operand>(const Operand &operand, int offset) {
            if constexpr (!StagedOperand<Operand>::is_shared) {
                using E = typename Operand::value_type;
                if (operand.faults != nullptr && context.exists())
                    fault = fault || fault_bit(operand.faults, context.index);
                StagedNumber<E>{context.staging + offset, context.lane}.fetch(
                    operand.data + context.warp_first, context.warp_elements);
            }
        };
        (fetch(item<i>(tree.operands), H::template offset<static_cast<int>(i)>), ...);
        limb::wait_for_copies();
        __syncwarp();
        if constexpr (H::folded) {
            using E = typename std::remove_cvref_t<decltype(item<0>(tree.operands))>::value_type;
            constexpr int last = H::operands - 1;
            const auto number = [&](int offset) {
                return StagedNumber<E>{context.staging + offset, context.lane};
            };
            const auto first = number(H::template offset<0>);
            const auto second = number(H::template offset<1>);
            const auto third = number(H::template offset<(last > 2 ? 2 : 0)>);
            E r;
            if constexpr (H::of_forms) {
                r = multiply_staged_forms<H::term, E>(first, second, third, context.modulus());
            } else {
                const auto fourth = number(H::template offset<(last > 3 ? 3 : 1)>);
                const auto &modulus =
                    fold_modulus<E>(item<last>(tree.operands),
                                    context.staging + H::template offset<last>, context.lane);
                r = fold_staged<H::term, E>(first, second, third, fourth, modulus, fault);
            }
            __syncwarp(); // before the result takes the place of an operand
            return r;
        } else {
            const auto read = [&]<class E>(const BatchPointer<E> &, int offset) {
                E value;
                StagedNumber<E>{context.staging + offset, context.lane}.read(value.limbs);
                return value;
            };
            return context.apply(
                static_cast<const Operation &>(tree), fault,
                read(item<i>(tree.operands), H::template offset<static_cast<int>(i)>)...);
        }
    }(std::index_sequence_for<Operands...>{});
}
template <int Bits, class Tree, class Context>
__device__ __forceinline__ auto evaluate_staged(const WithModulus<Bits, Tree> &root,
                                                const Context &context, bool &fault) {
    return evaluate_staged(root.tree, ContextWithModulus<Context, Bits>{context, &root.modulus},
                           fault);
}

} // namespace warpint::execution

#endif
