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

// Forms of residues as algorithm::inverse_all takes them; make(form) is the residue.
template <class Make>
struct FormRing {
    Make make;

    template <class Form>
    WARPINT_HOST_DEVICE constexpr const Form &load(const Form &x) const {
        return x;
    }
    template <class Form>
    WARPINT_HOST_DEVICE constexpr Form product(const Form &x, const Form &y) const {
        return make.form(make(x) * make(y));
    }
    template <class Form>
    WARPINT_HOST_DEVICE constexpr bool is_zero(const Form &x) const {
        return !static_cast<bool>(x);
    }
    template <class Form>
    WARPINT_HOST_DEVICE constexpr bool invert(Form &x) const {
        const auto found = make(x).inverted();
        x = make.form(*found);
        return found.has_value();
    }
    WARPINT_HOST_DEVICE constexpr auto zero() const { return typename Make::Form{}; }
};
template <int Bits>
struct MakeResidue {
    using Form = typename Residue<Bits>::Form;
    Modulus<Bits> modulus; // its own: nvcc 13 --Ofast-compile=mid loses where a kernel's parameter lies
    WARPINT_HOST_DEVICE constexpr Residue<Bits> operator()(const Form &form) const {
        return Residue<Bits>::from_form(form, modulus);
    }
    WARPINT_HOST_DEVICE constexpr Form form(const Residue<Bits> &x) const { return x.form(); }
};
template <class R>
struct MakeStaticResidue {
    using Form = typename R::Value;
    WARPINT_HOST_DEVICE constexpr R operator()(const Form &form) const {
        R r{};
        r.form = form;
        return r;
    }
    WARPINT_HOST_DEVICE constexpr Form form(const R &x) const { return x.form; }
};

// Formulas (lowered) that are an inverse modulo what all elements share. For them:
//   Element            what is inverted and stored
//   Operand            the formula of what is inverted
//   modulus_exists(t)  whether there is a modulus at all
//   ring(t)            for algorithm::inverse_all
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
    static constexpr bool exists = !expression::properties<A>.runs_user_code;

    WARPINT_HOST_DEVICE static constexpr bool modulus_exists(const Tree &tree) {
        return expression::operation::is_modulus(expression::slot<1>(tree.operands).value);
    }
    WARPINT_HOST_DEVICE static constexpr const Modulus<Bits> &modulus(const Tree &tree) {
        return expression::operation::modulus_of(expression::slot<1>(tree.operands).value);
    }
    WARPINT_HOST_DEVICE static constexpr number::NumberRing<Bits> ring(const Tree &tree) {
        return {modulus(tree), modulus(tree).value()};
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
    static constexpr bool exists = !expression::properties<X>.runs_user_code;

    WARPINT_HOST_DEVICE static constexpr bool modulus_exists(const Tree &) { return true; }
    WARPINT_HOST_DEVICE static constexpr FormRing<MakeResidue<Bits>> ring(const Tree &tree) {
        return {{tree.modulus}};
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
    static constexpr bool exists = !expression::properties<X>.runs_user_code;

    WARPINT_HOST_DEVICE static constexpr bool modulus_exists(const Tree &) { return true; }
    WARPINT_HOST_DEVICE static constexpr FormRing<MakeStaticResidue<R>> ring(const Tree &) {
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

// As run_on_cpu().
template <class Tree, class T>
bool run_inverses_on_cpu(const Target<T> &target, std::size_t count, const Tree &tree) {
    using Bulk = SharedInverse<Tree>;
    constexpr std::size_t row = 8 * cpu_group; // one inversion each
    const auto ring = Bulk::ring(tree);
    T *const out = place<0>(target).data;
    std::uint32_t *const words = place<0>(target).faults;
    std::atomic<bool> any_fault{false};
    parallel_for(
        count, row, operations_per_element<Tree> / 8, [&](std::size_t first, std::size_t last) {
            std::vector<T> elements(row), prefix(row);
            bool faults[row];
            bool exists[row];
            for (std::size_t begin = first; begin < last; begin += row) {
                const std::size_t length = std::min(row, last - begin);
                for (std::size_t i = 0; i < length; ++i) {
                    faults[i] = false;
                    elements[i] = Bulk::element(tree, DirectContext{begin + i}, faults[i]);
                    if (faults[i])
                        elements[i] = T{};
                }
                algorithm::inverse_all(out + begin, elements.data(), length, prefix.data(), exists,
                                       ring);
                for (std::size_t group = 0; group < length; group += cpu_group) {
                    std::uint32_t mask = 0;
                    for (std::size_t i = group; i < std::min(group + cpu_group, length); ++i) {
                        if (!exists[i] || faults[i]) {
                            mask |= 1u << (i - group);
                            out[begin + i] = T{};
                        }
                    }
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
