// SPDX-License-Identifier: Apache-2.0
// Formulas over lanes: which formulas may run with several lanes of a warp for each number (those of
// which every operation is in lane_operations.h or lane_functions.h), the width that decides on the
// lanes, and how an element is loaded and evaluated. The same on a host, where the lanes run in lock
// step: tests do that.
#pragma once

#include "evaluate_let.h"
#include "lane_functions.h"

namespace warpint::execution {

// ---- which formulas, and with how many lanes

namespace detail {

// supported: every operation is here. bits: the width that decides on lanes, that of the heaviest
// operation's operands: of a modulus, of the wider factor, of a divisor or half a dividend.
struct LaneShape {
    bool supported = true;
    int bits = 0;
};

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
          last = expression::value_bits<typename Operands::value_type>,
          widest = expression::larger(widest, last)),
         ...);
        r.supported =
            r.supported && OverLanes<Operation>::template exists<typename Operands::value_type...>;
        if (Operation::runs_user_code ||
            std::is_same_v<Operation, operation::PowerWrapping>) {
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
                expression::larger(bound.bits, body.bits)};
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

} // namespace warpint::execution
