// SPDX-License-Identifier: Apache-2.0
// What a formula's operations mean for one element. Each operation is a trivially copyable object
// with apply(fault, operands...): the exact value, or fault = true and any value where there is
// none. What planning and lowering need to know of it, it says itself:
//
//   work                      what its cost is dominated by
//   bits<Operands...>         the width that decides how to compute it for operands of these types
//   can_fault<Operands...>    whether apply() ever sets fault for operands of these types
//   modulus_is_last           whether its last operand is a modulus
//   exponent                  which operand is an exponent; -1: none
//   runs_user_code            apply() may have effects or throw
//   over_lanes<Operands...>   whether apply() also takes numbers over lanes (number/kinds.h) with
//                             the values of operands of these types
//   inverts                   whether it is the inverse of its first operand: modulo the second, or
//                             of a residue
//   is_product_modulo         whether it is the product of the first two modulo the third
//   is_product                whether it is the exact product of its operands, of one the square
//   low<R>(a, b)              of a product of two: its value modulo R's width
//   residue_work              the same for StaticResidues, where apply() takes them
//   ring_work                 the same for forms of residues and their ring as the modulus
//   in_ring                   whether a number beside a residue becomes one before
//   on_numbers                whether apply() takes no residues
//   wrapped(a, b)             the low bits of its value, for numbers and a target of one width
//   wrap_into(place, a, b)    the same, computed in memory
//   fold_term<operands>       of a product modulo the last operand: what is added to the product of
//                             the first two
//   is_together<Engine, Operands...>
//                             whether an engine does it for neighbouring elements together, with
//                             operands of these types: a CPU side by side
//                             (execution/ways/side_by_side.h); it has
//   together(engine, out, count, operands...)
//                             then, on a host: out[i] for the elements i < count that the engine
//                             can do; returns the others (bit i for element i)
//
// A new operation is written in operation.h, or beside the functions of its subject, and gets its
// syntax in operators.h or functions.h. That is enough for it to run. Its text is the same for
// numbers of all kinds: it calls functions that each kind has. apply() is inlined in device code,
// so that numbers over lanes stay in registers.
//
// What does better for some operations names them in lower.h (what is prepared or joined). The room
// execution names none (the test operation_names).
#pragma once

#include "shared_operand.h"

namespace warpint::expression {

// What dominates the work of an element, in the order of their weight. fold: a product modulo a
// number; root: of squares; number_theory: greatest common divisors and what goes as they do;
// cofactor: inverses and the like.
enum class WorkKind { streaming, product, division, fold, root, number_theory, cofactor, power };

constexpr const char *name(WorkKind kind) {
    switch (kind) {
    case WorkKind::streaming:
        return "streaming";
    case WorkKind::product:
        return "product";
    case WorkKind::division:
        return "division";
    case WorkKind::fold:
        return "product modulo a number";
    case WorkKind::root:
        return "square root";
    case WorkKind::number_theory:
        return "number theory";
    case WorkKind::cofactor:
        return "cofactor";
    case WorkKind::power:
        return "power";
    }
    return "unknown";
}

// The greatest of numbers that are 0 or more. (std::max of a list is in <algorithm>, of which no
// header that all programs read needs more: std::min, max and copy come with <vector>.)
template <class... Integers>
WARPINT_HOST_DEVICE constexpr int greatest(Integers... numbers) {
    int found = 0;
    ((found = numbers > found ? numbers : found), ...);
    return found;
}

namespace operation {

// is_together and together(): the engine's condition for Operands..., and its function.
#define WARPINT_TOGETHER(condition, function)                                                      \
    template <class Engine, class... Operands>                                                     \
    static constexpr bool is_together = Engine::template condition;                                \
    template <class Engine, class R, class... Operands>                                            \
    static auto together(const Engine &engine, R *out, int count, const Operands &...operands) {   \
        return engine.function(out, count, operands...);                                           \
    }
// Before apply() of numbers of any kind.
#define WARPINT_APPLY WARPINT_HOST_DEVICE static constexpr WARPINT_DEVICE_INLINE

// A number modulo M, held as the operands are.
template <class M, class... Others>
using modulo_t = number::like_t<BigInt<value_bits<M>>, Others..., M>;

// Bits of the widest of these operands.
template <class... Operands>
inline constexpr int widest_operand = greatest(value_bits<Operands>...);

template <class... Operands>
using last_t =
    typename decltype((std::type_identity<void>{}, ..., std::type_identity<Operands>{}))::type;

// The defaults.
template <WorkKind kind>
struct BasicOperation {
    static constexpr WorkKind work = kind;
    static constexpr WorkKind residue_work = kind;
    static constexpr WorkKind ring_work = kind;
    // Of a factor; of a divisor or half a dividend; of a square; of a modulus, which comes last.
    template <class... Operands>
    static constexpr int bits = [] {
        constexpr int widest = widest_operand<Operands...>;
        int last = 0;
        ((last = value_bits<Operands>), ...);
        if (kind == WorkKind::streaming)
            return 0;
        if (kind == WorkKind::division || kind == WorkKind::fold || kind == WorkKind::root)
            return last > (widest + 1) / 2 ? last : (widest + 1) / 2;
        return kind == WorkKind::power ? last : widest;
    }();
    template <class...>
    static constexpr bool can_fault = false;
    static constexpr bool modulus_is_last = false;
    static constexpr int exponent = -1;
    static constexpr bool raises_by_modulus = false; // to powers as long as its last operand
    static constexpr bool runs_user_code = false;
    template <class...>
    static constexpr bool over_lanes = false;
    static constexpr bool inverts = false;
    static constexpr bool in_ring = false;
    static constexpr bool is_product = false;
    template <class Engine, class...>
    static constexpr bool is_together = false;
    static constexpr bool on_numbers = false;
};
using Streaming = BasicOperation<WorkKind::streaming>;

// Operations on numbers of any kind, and on such numbers and a modulus, which comes last.
template <WorkKind kind>
struct NumberOperation : BasicOperation<kind> {
    static constexpr bool on_numbers = true;
    template <class... Operands>
    static constexpr bool over_lanes = (AnyNumber<Operands> && ...);
};
// Of them those that residues have too, and of these those of a ring.
template <WorkKind kind, WorkKind of_residues>
struct ResidueOperation : NumberOperation<kind> {
    static constexpr bool on_numbers = false;
    static constexpr WorkKind residue_work = of_residues;
};
template <WorkKind kind, WorkKind of_residues>
struct RingOperation : ResidueOperation<kind, of_residues> {
    static constexpr bool in_ring = true;
};
// The last operand is a modulus, or the ring of forms of residues.
template <WorkKind kind, WorkKind of_forms = kind>
struct ModularOperation : BasicOperation<kind> {
    static constexpr WorkKind ring_work = of_forms;
    static constexpr bool modulus_is_last = true;
    template <class... Operands>
    static constexpr bool can_fault = modulus_can_fault<last_t<Operands...>>;
    template <class... Operands>
    static constexpr bool over_lanes = are_numbers_and_modulus<Operands...>;
};
// Of them a product of the first two operands and a term: c or, with five operands, c d.
template <arith::FoldTerm of_one, arith::FoldTerm of_two = of_one>
struct ProductModulo : ModularOperation<WorkKind::fold> {
    template <int operands>
    static constexpr arith::FoldTerm fold_term = operands == 5 ? of_two : of_one;
};

// What dominates an operation's work with operands of these types, and the width that decides it.
template <class Operation, class... Operands>
inline constexpr WorkKind work_of = (AnyResidue<Operands> || ...)        ? Operation::residue_work
                                    : (number::is_ring<Operands> || ...) ? Operation::ring_work
                                                                         : Operation::work;
template <class Operation, class... Operands>
inline constexpr int bits_of = [] {
    if constexpr ((AnyResidue<Operands> || ...)) {
        return widest_operand<Operands...>;
    } else {
        return Operation::template bits<Operands...>;
    }
}();

} // namespace operation

} // namespace warpint::expression
