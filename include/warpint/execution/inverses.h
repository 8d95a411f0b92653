// SPDX-License-Identifier: Apache-2.0
// Inverses of many elements modulo one modulus, together: one inversion for a row of elements and
// three products for each (algorithm/divisor/simultaneous_inverse.h). Which formulas these are, and
// their run on the CPU; on GPUs inverses_cuda.h.
#pragma once

#include "../expression/functions.h"
#include "../modular/inverse_all.h"
#include "evaluate_residues.h"
#include "run_cpu.h"

namespace warpint::execution {

// Formulas (lowered) that are an inverse modulo what all elements share. For them:
//   Element            what is inverted and stored
//   Operand            the formula of what is inverted
//   modulus_exists(t)  whether there is a modulus at all
//   ring(t)            for algorithm::inverse_row
//   element(t, context, fault)
template <class Tree>
struct SharedInverse {
    static constexpr bool exists = false;
};

// inverse(a, m).
template <class A, class M, int Bits>
struct SharedInverseOfNumber {
    using Tree = expression::Node<expression::operation::Inverse, A, expression::ConstantLeaf<M>>;
    using Element = BigInt<Bits>;
    using Operand = A;
    static constexpr bool exists = !expression::cost<A>.runs_user_code;

    WARPINT_HOST_DEVICE static constexpr bool modulus_exists(const Tree &tree) {
        return expression::operation::is_modulus(expression::slot<1>(tree.operands).value);
    }
    WARPINT_HOST_DEVICE static constexpr const Modulus<Bits> &modulus(const Tree &tree) {
        return expression::operation::modulus_of(expression::slot<1>(tree.operands).value);
    }
    WARPINT_HOST_DEVICE static constexpr number::NumberRing<Bits> ring(const Tree &tree) {
        return {modulus(tree)};
    }
    template <class Context>
    WARPINT_HOST_DEVICE static constexpr Element element(const Tree &tree, const Context &context,
                                                         bool &fault) {
        const auto &x = evaluate(expression::slot<0>(tree.operands), context, fault);
        using X = std::remove_cvref_t<decltype(x)>;
        if constexpr (!number::signed_of<X> && number::bits_of<X> <= Bits) {
            return number::to<Element>(number::as_number(x)); // the ring reduces it
        } else {
            return Element(number::as_number(x) % modulus(tree));
        }
    }
};
template <class A, int Bits>
struct SharedInverse<expression::Node<expression::operation::Inverse, A,
                                      expression::ConstantLeaf<expression::SharedModulus<Bits>>>>
    : SharedInverseOfNumber<A, expression::SharedModulus<Bits>, Bits> {};
template <class A, int Bits>
struct SharedInverse<
    expression::Node<expression::operation::Inverse, A, expression::ConstantLeaf<Modulus<Bits>>>>
    : SharedInverseOfNumber<A, Modulus<Bits>, Bits> {};

// inverse(x) of residues.
template <class R, class X>
using StoredInverse = expression::Node<expression::operation::FormOfResidue<R>,
                                       expression::Node<expression::operation::ResidueInverse, X>>;
template <int Bits, class X>
struct SharedInverse<expression::WithModulus<Bits, StoredInverse<Residue<Bits>, X>>> {
    using Tree = expression::WithModulus<Bits, StoredInverse<Residue<Bits>, X>>;
    using Element = typename Residue<Bits>::Form;
    using Operand = X;
    static constexpr bool exists = !expression::cost<X>.runs_user_code;

    WARPINT_HOST_DEVICE static constexpr bool modulus_exists(const Tree &) { return true; }
    // With a Modulus of its own: nvcc 13 --Ofast-compile=mid loses where a kernel's parameter lies.
    WARPINT_HOST_DEVICE static constexpr auto ring(const Tree &tree) {
        using Make = number::MakeResidue<Bits, Modulus<Bits>>;
        return number::FormRing<Make>{Make{tree.modulus}};
    }
    template <class Context>
    WARPINT_HOST_DEVICE static constexpr Element element(const Tree &tree, const Context &context,
                                                         bool &fault) {
        const auto &inverse = expression::slot<0>(tree.tree.operands);
        return evaluate(expression::slot<0>(inverse.operands),
                        ContextWithModulus<Context, Bits>{context, &tree.modulus}, fault)
            .form();
    }
};
template <class R, class X>
requires(!expression::is_shared_residue<R>) struct SharedInverse<StoredInverse<R, X>> {
    using Tree = StoredInverse<R, X>;
    using Element = typename R::Value;
    using Operand = X;
    static constexpr bool exists = !expression::cost<X>.runs_user_code;

    WARPINT_HOST_DEVICE static constexpr bool modulus_exists(const Tree &) { return true; }
    WARPINT_HOST_DEVICE static constexpr number::FormRing<number::MakeStaticResidue<R>>
    ring(const Tree &) {
        return {};
    }
    template <class Context>
    WARPINT_HOST_DEVICE static constexpr Element element(const Tree &tree, const Context &context,
                                                         bool &fault) {
        const auto &inverse = expression::slot<0>(tree.operands);
        return evaluate(expression::slot<0>(inverse.operands), context, fault).form;
    }
};

// Whether a formula's inverses are computed together: its only result is stored as it is.
template <class Tree, class... T>
inline constexpr bool is_bulk_inverse = false;
template <class Tree, class T>
requires(SharedInverse<Tree>::exists) inline constexpr bool is_bulk_inverse<Tree, T> =
    std::is_same_v<typename SharedInverse<Tree>::Element, T>;

// A row of elements on a CPU, for algorithm::inverse_row.
template <class Element>
struct CpuRow {
    using T = Element;
    static constexpr std::size_t length = 8 * cpu_group;

    const T *elements;
    T *products;
    T *out;
    bool faults[length];                       // elements without a value
    std::uint32_t missing[length / cpu_group]; // bits of those without an inverse

    WARPINT_HOST_DEVICE constexpr const T &load(int i, bool &fault) const {
        fault = faults[i];
        return elements[i];
    }
    WARPINT_HOST_DEVICE constexpr const T &prefix(int i) const { return products[i]; }
    WARPINT_HOST_DEVICE constexpr void set_prefix(int i, const T &x) { products[i] = x; }
    WARPINT_HOST_DEVICE constexpr void store(int i, const T &x, bool exists) {
        out[i] = x;
        if (!exists)
            missing[i / 32] |= std::uint32_t{1} << (i % 32);
    }
};

// As run_on_cpu().
template <class Tree, class T>
bool run_inverses_on_cpu(const Target<T> &target, std::size_t count, const Tree &tree) {
    using Bulk = SharedInverse<Tree>;
    using Row = CpuRow<T>;
    const auto ring = Bulk::ring(tree);
    T *const out = place<0>(target).data;
    std::uint32_t *const words = place<0>(target).faults;
    std::atomic<bool> any_fault{false};
    parallel_for(count, Row::length, operations_per_element<Tree> / 8,
                 [&](std::size_t first, std::size_t last) {
                     number::LearnedDivisors divisors(ring);
                     std::vector<T> elements(Row::length), products(Row::length);
                     Row row{elements.data(), products.data(), nullptr, {}, {}};
                     for (std::size_t begin = first; begin < last; begin += Row::length) {
                         const std::size_t length = std::min(Row::length, last - begin);
                         for (std::size_t i = 0; i < length; ++i) {
                             row.faults[i] = false;
                             elements[i] =
                                 Bulk::element(tree, DirectContext{begin + i}, row.faults[i]);
                         }
                         std::fill(std::begin(row.missing), std::end(row.missing), 0u);
                         row.out = out + begin;
                         algorithm::inverse_row(row, static_cast<int>(length), ring, divisors);
                         for (std::size_t group = 0; group < length; group += cpu_group) {
                             const std::uint32_t mask = row.missing[group / cpu_group];
                             if (words != nullptr)
                                 words[(begin + group) / cpu_group] = mask;
                             if (mask != 0)
                                 any_fault.store(true, std::memory_order_relaxed);
                         }
                     }
                 });
    return any_fault.load(std::memory_order_relaxed);
}

} // namespace warpint::execution
