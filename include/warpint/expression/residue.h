// SPDX-License-Identifier: Apache-2.0
// Residues in formulas. A StaticResidue is a value like a number. Residues of a Modulus are held by
// their vectors as forms, with one Modulus for all; the formula carries it once, and operations
// stay in the form from the loads to the store. Lowered, they are the modular operations of
// numbers, on forms, whose modulus is a ring (number::FormRing): such formulas are planned, staged
// and run over lanes as those of numbers are.
//
//   x * y + 3, x / y, -x, sqr(x), pow(x, e), inverse(x)   residues
//   x == y, x != y                                        bool
//   value(x)                                              the number in [0, m)
//
// Numbers beside residues are converted: one for all elements when the formula is lowered, others
// where they are used.
#pragma once

#include "../number/modular/forms.h"
#include "node.h"

namespace warpint {

template <int Bits>
class residue_element; // vector/residue_element.h

namespace expression {

#if WARPINT_HOSTED
// The modulus that a vector's residues have now. Its formulas share it.
template <int Bits>
struct ResidueState {
    std::shared_ptr<const Modulus<Bits>> modulus;
};
#endif

// Residues that refer to a Modulus.
template <class T>
inline constexpr bool is_shared_residue = false;
template <int Bits>
inline constexpr bool is_shared_residue<Residue<Bits>> = true;
// Residues that share one.
template <class T>
inline constexpr bool is_residue_element = false;
template <int Bits>
inline constexpr bool is_residue_element<residue_element<Bits>> = true;

namespace operation {

// In the tree that runs: a form as a residue of the formula's modulus, which evaluate()
// (execution/evaluation/evaluate.h) hands to of(): for functions of users.
template <int Bits>
struct ResidueOfForm : Streaming {
    WARPINT_HOST_DEVICE static Residue<Bits> apply(bool &, const typename Residue<Bits>::Form &);
    static constexpr bool takes_modulus = true;
    WARPINT_HOST_DEVICE static constexpr WARPINT_INLINE Residue<Bits>
    of(const typename Residue<Bits>::Form &form, const Modulus<Bits> &modulus) {
        return Residue<Bits>::from_form(form, modulus);
    }
};
#if WARPINT_HOSTED
// In the user's tree, with the modulus: the residue that a form or a number stands for.
template <int Bits>
struct StoredResidue : ResidueOfForm<Bits> {
    std::shared_ptr<const ResidueState<Bits>> state;
};
template <int Bits>
struct ReducedNumber : BasicOperation<WorkKind::product> {
    template <AnyNumber A>
    static Residue<Bits> apply(bool &, const A &);
    std::shared_ptr<const ResidueState<Bits>> state;
};
#endif
template <class Operation>
concept HasModulus = requires(const Operation &operation) { operation.state->modulus; };

// The form of a number, and the number in [0, m) that a form stands for; the last operand is the
// ring.
struct FormOfNumber : ModularOperation<WorkKind::fold> {
    template <class... Operands>
    static constexpr int bits = widest_operand<Operands...>;
    template <class A, int Bits>
    WARPINT_HOST_DEVICE static constexpr WARPINT_DEVICE_INLINE auto
    apply(bool &, const A &a, const number::FormRing<Bits> &ring) {
        return number::form_of_number(a, ring);
    }
};
struct ValueOfForm : ModularOperation<WorkKind::fold> {
    template <class A, int Bits>
    WARPINT_HOST_DEVICE static constexpr WARPINT_DEVICE_INLINE auto
    apply(bool &, const A &a, const number::FormRing<Bits> &ring) {
        return number::value_of_form(a, ring);
    }
};

// A StaticResidue from what lies in memory.
template <class T>
struct StaticResidueOfForm : Streaming {
    WARPINT_HOST_DEVICE static constexpr T apply(bool &, const typename T::Value &form) {
        return T::from_form(form);
    }
};

// What is stored in a vector of residues T: the form. Numbers are reduced (T is a StaticResidue
// then).
template <class T>
struct FormOfResidue : Streaming {
    template <class A>
    WARPINT_HOST_DEVICE static constexpr auto apply(bool &, const A &a) {
        if constexpr (is_shared_residue<T>) {
            return a.form();
        } else {
            return T(a).form;
        }
    }
};

// The number in [0, m) that a residue stands for.
struct ValueOfResidue : BasicOperation<WorkKind::product> {
    template <class A>
    WARPINT_HOST_DEVICE static constexpr auto apply(bool &, const A &a) {
        return a.value();
    }
};

} // namespace operation

// An operation of the tree that runs whose residue is of the formula's modulus.
template <class Operation>
concept TakesModulus = Operation::takes_modulus;

// In the tree that runs: the residue R of which an operand is the form.
template <class R, class Operand>
constexpr auto residue_of_form(const Operand &form) {
    if constexpr (is_shared_residue<R>) {
        return make_node(operation::ResidueOfForm<R::bits>{}, form);
    } else {
        return make_node(operation::StaticResidueOfForm<R>{}, form);
    }
}

#if WARPINT_HOSTED
// A residue for all elements.
template <int Bits>
auto capture_residue(const typename Residue<Bits>::Form &form,
                     std::shared_ptr<const Modulus<Bits>> modulus) {
    operation::StoredResidue<Bits> operation;
    operation.state =
        std::make_shared<const ResidueState<Bits>>(ResidueState<Bits>{std::move(modulus)});
    return make_node(operation, ConstantLeaf<typename Residue<Bits>::Form>{form});
}
template <int Bits>
auto capture_residue(const Residue<Bits> &x) {
    return capture_residue<Bits>(x.form(), std::make_shared<const Modulus<Bits>>(x.modulus()));
}
template <int Bits>
auto capture_residue(const residue_element<Bits> &x) {
    return capture_residue<Bits>(x.form(), x.shared_modulus());
}
#endif

// ---- the modulus of a formula

// The width that all those of 1 and more have; 0: there are none; -1: they differ, or one is -1.
template <std::size_t count>
WARPINT_HOST_DEVICE constexpr int common_width(const int (&widths)[count]) {
    int common = 0;
    for (const int bits : widths) {
        if (common != 0 && bits != 0 && bits != common)
            return -1;
        common = bits != 0 ? bits : common;
    }
    return common;
}

// Bits of the residues of a Modulus in a tree; 0 without any, -1 if they have several widths.
template <class Tree>
inline constexpr int residue_bits = 0;
template <class Operation, class... Operands>
inline constexpr int residue_bits<Node<Operation, Operands...>> =
    common_width({operation::HasModulus<Operation>
                      ? value_bits<typename Node<Operation, Operands...>::value_type>
                      : 0,
                  residue_bits<Operands>...});
template <class... Trees>
inline constexpr bool residues_of_one_width = common_width({residue_bits<Trees>...}) >= 0;

// Whether all types of residues among these are one.
template <class... Values>
inline constexpr bool one_residue_type = true;
template <class A, class... Rest>
inline constexpr bool one_residue_type<A, Rest...> =
    (!AnyResidue<A> ||
     ((!AnyResidue<Rest> || std::is_same_v<std::remove_cvref_t<A>, std::remove_cvref_t<Rest>>) &&
      ...)) &&
    one_residue_type<Rest...>;

#if WARPINT_HOSTED
template <int Bits, class Leaf>
void find_modulus(const Leaf &, std::shared_ptr<const Modulus<Bits>> &) {}
template <int Bits, class Operation, class... Operands>
void find_modulus(const Node<Operation, Operands...> &node,
                  std::shared_ptr<const Modulus<Bits>> &found) {
    if constexpr (operation::HasModulus<Operation>) {
        const auto &modulus = static_cast<const Operation &>(node).state->modulus;
        if (modulus != nullptr && found != nullptr && modulus != found &&
            modulus->value() != found->value()) {
            throw wrong_modulus("warpint: residues of different moduli in one formula");
        }
        if (modulus != nullptr)
            found = modulus;
    }
    with_operands(node, [&](const auto &...operand) { (find_modulus<Bits>(operand, found), ...); });
}

// The modulus of all residues in the formula; null if they have none. Throws wrong_modulus if they
// differ.
template <int Bits, class Tree>
std::shared_ptr<const Modulus<Bits>> common_modulus(const Tree &tree) {
    static_assert(residue_bits<Tree> >= 0, "residues of moduli of different widths in one formula");
    std::shared_ptr<const Modulus<Bits>> found;
    find_modulus<Bits>(tree, found);
    return found;
}
// The same check, of a formula that does not run because it has no elements.
template <class Tree>
void check_one_modulus(const Tree &tree) {
    if constexpr (constexpr int bits = residue_bits<Tree>; bits > 0)
        (void)common_modulus<bits>(tree);
}
#endif

// In the tree that runs: the ring of the formula's residues.
template <int Bits>
struct FormulaModulus {
    using value_type = number::FormRing<Bits>;
};

// A lowered tree of residues beside their modulus.
template <int Bits, class Tree>
struct WithModulus {
    using value_type = typename Tree::value_type;
    number::form_modulus_t<Bits> modulus;
    Tree tree;
};

} // namespace expression
} // namespace warpint
