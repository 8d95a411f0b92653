// SPDX-License-Identifier: Apache-2.0
// Formulas over lanes: which formulas may run with several lanes of a warp for each number (those
// of which every operation is in lane_operations.h or lane_functions.h), the width that decides on
// the lanes, and how an element is loaded and evaluated. The same on a host, where the lanes run in
// lock step: tests do that.
#pragma once

#include "evaluate_let.h"
#include "lane_functions.h"

namespace warpint::execution {

// ---- which formulas, and with how many lanes

namespace detail {

// supported: every operation is here. bits: the width that decides on lanes, that of the heaviest
// operation's operands: of a modulus, of the wider factor, of a divisor or half a dividend, of a
// square. takes_roots: a square root is among them; takes_cofactors: an inverse or the like;
// folds: a product modulo a number.
struct LaneShape {
    bool supported = true;
    int bits = 0;
    bool takes_roots = false;
    bool takes_cofactors = false;
    bool folds = false;
};
template <class Operation>
inline constexpr bool is_folded = std::is_same_v<Operation, operation::MultiplyModulo> ||
                                  std::is_same_v<Operation, operation::SquareModulo> ||
                                  std::is_same_v<Operation, operation::MultiplyAddModulo> ||
                                  std::is_same_v<Operation, operation::MultiplySubtractModulo>;
template <class Operation>
inline constexpr bool is_square_root =
    std::is_same_v<Operation, operation::SquareRoot> ||
    std::is_same_v<Operation, operation::SquareRootWithRemainder>;
template <class Operation>
inline constexpr bool has_cofactors = std::is_same_v<Operation, operation::Inverse> ||
                                      std::is_same_v<Operation, operation::ChineseRemainder>;

template <class Tree>
struct lane_shape_of_tree {
    WARPINT_HOST_DEVICE static constexpr LaneShape value() { // of other leaves
        using T = typename Tree::value_type;
        return {AnyNumber<T> || is_lane_modulus<T> || expression::is_shared_exponent<T>, 0};
    }
};
template <class T>
struct lane_shape_of_tree<Elements<T>> {
    WARPINT_HOST_DEVICE static constexpr LaneShape value() {
        return {AnyNumber<T>, (expression::value_bits<T> + 1) / 2};
    }
};
template <class T>
struct lane_shape_of_tree<expression::LimbRows<T>> {
    WARPINT_HOST_DEVICE static constexpr LaneShape value() { return {false, 0}; }
};
template <class Operation, class... Operands>
struct lane_shape_of_tree<expression::Node<Operation, Operands...>> {
    WARPINT_HOST_DEVICE static constexpr LaneShape value() {
        LaneShape r;
        int widest = 0; // of the operands that are numbers
        int last = 0;   // of the last operand
        ((r.supported = r.supported && lane_shape_of_tree<Operands>::value().supported,
          r.bits = expression::larger(r.bits, lane_shape_of_tree<Operands>::value().bits),
          r.takes_roots = r.takes_roots || lane_shape_of_tree<Operands>::value().takes_roots,
          r.takes_cofactors =
              r.takes_cofactors || lane_shape_of_tree<Operands>::value().takes_cofactors,
          r.folds = r.folds || lane_shape_of_tree<Operands>::value().folds,
          last = expression::value_bits<typename Operands::value_type>,
          widest = expression::larger(widest, last)),
         ...);
        r.takes_roots = r.takes_roots || is_square_root<Operation>;
        r.takes_cofactors = r.takes_cofactors || has_cofactors<Operation>;
        r.folds = r.folds || is_folded<Operation>;
        r.supported =
            r.supported && OverLanes<Operation>::template exists<typename Operands::value_type...>;
        if (Operation::runs_user_code || std::is_same_v<Operation, operation::PowerWrapping>) {
            r.bits = expression::larger(r.bits, widest);
        } else if (Operation::work == WorkKind::power) {
            r.bits = expression::larger(r.bits, last);
        } else if (Operation::work == WorkKind::division) {
            r.bits = expression::larger(r.bits, expression::larger(last, (widest + 1) / 2));
        } else if (Operation::work == WorkKind::product ||
                   Operation::work == WorkKind::number_theory) {
            r.bits = expression::larger(r.bits, widest);
        }
        return r;
    }
};

// A named value costs what it is bound to, once.
template <int level, class Bound, class Body>
struct lane_shape_of_tree<expression::Node<operation::Let<level>, Bound, Body>> {
    WARPINT_HOST_DEVICE static constexpr LaneShape value() {
        const LaneShape bound = lane_shape_of_tree<Bound>::value();
        const LaneShape body = lane_shape_of_tree<Body>::value();
        return {bound.supported && body.supported && AnyNumber<typename Bound::value_type>,
                expression::larger(bound.bits, body.bits), bound.takes_roots || body.takes_roots,
                bound.takes_cofactors || body.takes_cofactors, bound.folds || body.folds};
    }
};

// A value that is a number over lanes.
template <class T>
inline constexpr bool is_number_or_bool = AnyNumber<T>;
template <std::size_t... i, class... T>
inline constexpr bool is_number_or_bool<expression::SlotSequence<std::index_sequence<i...>, T...>> =
    (AnyNumber<T> && ...);

} // namespace detail

template <class Tree>
inline constexpr detail::LaneShape lane_shape = [] {
    detail::LaneShape r = detail::lane_shape_of_tree<Tree>::value();
    r.supported = r.supported && detail::is_number_or_bool<typename Tree::value_type>;
    return r;
}();

// Loads each element over L lanes. All lanes of a warp evaluate together; those of elements beyond
// the end evaluate the last one.
template <int L>
struct LanesContext {
    std::size_t index;

    template <class T>
    WARPINT_HOST_DEVICE WARPINT_INLINE auto load(const Elements<T> &elements, bool &fault) const {
        if (elements.faults != nullptr)
            fault = fault || fault_bit(elements.faults, index);
        if constexpr (BigNumber<T>) {
            return lane_number_t<L, T>(elements.data + index);
        } else {
            return elements.data[index];
        }
    }
    template <class Operation, class... Values>
    WARPINT_HOST_DEVICE WARPINT_INLINE auto apply(const Operation &operation, bool &fault,
                                                  const Values &...values) const {
        if constexpr ((WarpNumber<Values> || ...)) {
            if constexpr (Operation::runs_user_code) { // it may have a state
                return OverLanes<Operation>::template apply<L>(operation, fault, values...);
            } else {
                return OverLanes<Operation>::template apply<L>(fault, values...);
            }
        } else {
            return operation.apply(fault, values...);
        }
    }
};

// A wide number that all elements share: every lane reads its own limbs.
template <class T, int L>
WARPINT_HOST_DEVICE WARPINT_INLINE decltype(auto) evaluate(const expression::ConstantLeaf<T> &leaf,
                                                           const LanesContext<L> &, bool &) {
    if constexpr (BigNumber<T> && expression::value_bits < T >> 64 * L) {
        using R = lane_number_t<L, T>;
        return R(R::group::as_memory(&leaf.value));
    } else {
        return static_cast<const T &>(leaf.value);
    }
}

// ---- the value modulo the width of its target

// How an operation is computed modulo the width of R from its operands modulo that width: sums and
// bitwise operations, which as exact values would be a bit wider than their operands and so lie
// differently over the lanes.
namespace detail {

template <class Operation>
struct ModuloOverLanes {
    static constexpr bool exists = false;
};
#define WARPINT_MODULO_OVER_LANES(Operation, expression)                                           \
    template <>                                                                                    \
    struct ModuloOverLanes<operation::Operation> {                                                 \
        static constexpr bool exists = true;                                                       \
        template <class R>                                                                         \
        WARPINT_HOST_DEVICE static WARPINT_INLINE R apply(const R &a, const R &b) {                \
            return expression;                                                                     \
        }                                                                                          \
    };
WARPINT_MODULO_OVER_LANES(Add, warp_int::add(a, b))
WARPINT_MODULO_OVER_LANES(Subtract, warp_int::subtract(a, b))
WARPINT_MODULO_OVER_LANES(And, a &b)
WARPINT_MODULO_OVER_LANES(Or, a | b)
WARPINT_MODULO_OVER_LANES(Xor, a ^ b)
#undef WARPINT_MODULO_OVER_LANES

} // namespace detail

// The value of a formula that is a number, as R over lanes: its low bits if R is narrower.
template <class R, class Tree, class Context>
WARPINT_HOST_DEVICE WARPINT_INLINE R evaluate_modulo(const Tree &tree, const Context &context,
                                                     bool &fault) {
    return warp_int::to<R>(evaluate(tree, context, fault));
}
template <class R, class Operation, class A, class B, class Context>
requires(detail::ModuloOverLanes<Operation>::exists) WARPINT_HOST_DEVICE WARPINT_INLINE R
    evaluate_modulo(const expression::Node<Operation, A, B> &node, const Context &context,
                    bool &fault) {
    const R a = evaluate_modulo<R>(expression::slot<0>(node.operands), context, fault);
    const R b = evaluate_modulo<R>(expression::slot<1>(node.operands), context, fault);
    return detail::ModuloOverLanes<Operation>::apply(a, b);
}

} // namespace warpint::execution
