// SPDX-License-Identifier: Apache-2.0
// Operators that build formulas. At least one operand is a vector, a view or a formula; the others
// may be numbers. Inside a formula, + grows by a bit, - is signed and * adds widths; ~ and << keep
// their operand's width.
#pragma once

#include "../limb/refused.h"
#include "residue.h"

#include <utility>
#if WARPINT_HOSTED
#include <vector>
#endif

namespace warpint {
namespace expression {

// Specialised by the vector and view types: how an object becomes a leaf.
template <class T>
struct capture_traits {
    static constexpr bool is_batch = is_description<T>;
};

// A vector, a view or a formula, named or not; a formula shares what it reads.
template <class T>
concept Batch = capture_traits<std::remove_cvref_t<T>>::is_batch;

// A vector or a view by itself.
template <class T>
concept BareBatch = Batch<T> && !is_description<std::remove_cvref_t<T>>;

// An element of a device_vector, which stands for its value.
template <class T>
inline constexpr bool is_element = false;

// A number, a residue or a Modulus beside a batch.
template <class T>
concept Captured = Batch<T> || AnyNumber<T> || ModulusContext<T> || AnyResidue<T> ||
                   is_residue_element<std::remove_cvref_t<T>> || is_element<std::remove_cvref_t<T>>;

template <class T>
[[nodiscard]] constexpr auto capture(T &&x) {
    using Operand = std::remove_cvref_t<T>;
    if constexpr (is_description<Operand>) {
        return Operand(std::forward<T>(x));
    } else if constexpr (capture_traits<Operand>::is_batch) {
        return capture_traits<Operand>::leaf(x);
    } else if constexpr (LiteralNumber<Operand>) {
        return ConstantLeaf<number::big_t<Operand>>{x};
    } else if constexpr (is_shared_residue<Operand> || is_residue_element<Operand>) {
        return capture_residue(x);
    } else if constexpr (is_element<Operand>) {
        return ConstantLeaf<typename Operand::value_type>{x.value()};
    } else {
        return ConstantLeaf<Operand>{x};
    }
}

template <class T>
using captured_t = decltype(capture(std::declval<T>()));

// The same where it runs at once: a formula itself.
template <Batch A>
[[nodiscard]] constexpr decltype(auto) tree_of(const A &a) {
    if constexpr (is_description<A>) {
        return (a);
    } else {
        return capture(a);
    }
}
template <class A>
using tree_of_t = std::remove_cvref_t<decltype(tree_of(std::declval<const A &>()))>;

// The formula operation(operands...).
template <class Operation, class... Operands>
[[nodiscard]] constexpr auto describe(const Operation &operation, Operands &&...operands) {
    constexpr bool of_residues = (AnyResidue<typename captured_t<Operands>::value_type> || ...);
    static_assert(residues_of_one_width<captured_t<Operands>...>,
                  "a formula has residues of one modulus: store value(x) of the others in a vector "
                  "of numbers first, and then combine that");
    static_assert(!Operation::in_ring ||
                      one_residue_type<typename captured_t<Operands>::value_type...>,
                  "residues of different moduli do not combine: store value(x) of one in a vector "
                  "of numbers first, and then combine that");
    static_assert(!of_residues || !Operation::on_numbers,
                  "residues have no order, no bits and no remainder: write value(x) for the "
                  "numbers of a vector x of residues");
    return Node<Operation, captured_t<Operands>...>(std::in_place, operation, [&] {
        return Tuple<captured_t<Operands>...>{{capture(std::forward<Operands>(operands))}...};
    });
}

// Operands of a formula: at least one batch.
template <class... Operands>
concept Formula = (Batch<Operands> || ...) && (Captured<Operands> && ...);

// As Formula, but no operand is a Modulus.
template <class... Operands>
concept NumberFormula =
    Formula<Operands...> && !(ModulusContext<std::remove_cvref_t<Operands>> || ...);
template <class A, class B>
concept RemainderFormula = Formula<A, B> && !ModulusContext<std::remove_cvref_t<A>>;

// A batch of residues.
template <class A>
concept ResidueBatch = Batch<A> && AnyResidue<typename captured_t<A>::value_type>;

} // namespace expression

#define WARPINT_BINARY_FORMULA(symbol, Name)                                                       \
    template <class A, class B>                                                                    \
        requires expression::NumberFormula<A, B>                                                   \
    [[nodiscard]] constexpr auto operator symbol(A &&a, B &&b) {                                   \
        return expression::describe(expression::operation::Name{}, std::forward<A>(a),             \
                                    std::forward<B>(b));                                           \
    }
// Element by element. The result is a formula, which runs when it is assigned.
WARPINT_BINARY_FORMULA(+, Add)
WARPINT_BINARY_FORMULA(-, Subtract)
WARPINT_BINARY_FORMULA(*, Multiply)
WARPINT_BINARY_FORMULA(/, Divide)
WARPINT_BINARY_FORMULA(&, And)
WARPINT_BINARY_FORMULA(|, Or)
WARPINT_BINARY_FORMULA(^, Xor)
WARPINT_BINARY_FORMULA(<<, ShiftLeft)
WARPINT_BINARY_FORMULA(>>, ShiftRight)
WARPINT_BINARY_FORMULA(==, Equal)
WARPINT_BINARY_FORMULA(!=, NotEqual)
WARPINT_BINARY_FORMULA(<, Less)
WARPINT_BINARY_FORMULA(>, Greater)
WARPINT_BINARY_FORMULA(<=, LessEqual)
WARPINT_BINARY_FORMULA(>=, GreaterEqual)
#undef WARPINT_BINARY_FORMULA

// There is no batch of floating-point numbers; these are here for their message.
#define WARPINT_REFUSED_FLOATING(symbol)                                                           \
    template <class A, class B, class write_BigInt_256_x_for_a_floating_point_x = void>            \
        requires((expression::Batch<A> && BuiltinFloating<std::remove_cvref_t<B>>) ||              \
                 (BuiltinFloating<std::remove_cvref_t<A>> && expression::Batch<B>))                \
    int operator symbol(const A &, const B &) WARPINT_REFUSED(                                     \
        "a batch cannot be combined with a floating-point number x: write BigInt<256>(x)");
WARPINT_REFUSED_FLOATING(+)
WARPINT_REFUSED_FLOATING(-)
WARPINT_REFUSED_FLOATING(*)
WARPINT_REFUSED_FLOATING(/)
#undef WARPINT_REFUSED_FLOATING

// The remainder of each element by a number, a Modulus or a vector. For an unsigned m it lies in
// [0, m), also where the dividend is negative.
template <class A, class B>
    requires expression::RemainderFormula<A, B>
[[nodiscard]] constexpr auto operator%(A &&a, B &&b) {
    return expression::describe(expression::operation::Remainder{}, std::forward<A>(a),
                                std::forward<B>(b));
}

template <expression::Batch A>
[[nodiscard]] constexpr auto operator-(A &&a) {
    return expression::describe(expression::operation::Negate{}, std::forward<A>(a));
}
template <expression::Batch A>
[[nodiscard]] constexpr auto operator~(A &&a) {
    return expression::describe(expression::operation::Complement{}, std::forward<A>(a));
}
// Whether each element is 0: of bools and conditions the negation.
template <expression::Batch A>
[[nodiscard]] constexpr auto operator!(A &&a) {
    return expression::describe(expression::operation::Not{}, std::forward<A>(a));
}

// && and || ask for one condition, not for one of each element; these are here for their messages.
#define WARPINT_REFUSED_CONDITION(symbol, text)                                                    \
    template <limb::Advice instead = text, class A, class B>                                       \
        requires(expression::Batch<A> || expression::Batch<B>)                                     \
    int operator symbol(const A &, const B &) WARPINT_REFUSED(text);
WARPINT_REFUSED_CONDITION(&&, "write (a < b) & (c < d) for conditions of batches")
WARPINT_REFUSED_CONDITION(||, "write (a < b) | (c < d) for conditions of batches")
#undef WARPINT_REFUSED_CONDITION

#if WARPINT_HOSTED
// A std::vector beside a batch: std::vector has no operators; these are here for their message.

namespace expression {

template <class T>
inline constexpr bool is_std_vector = false;
template <BigNumber T, class Allocator>
inline constexpr bool is_std_vector<std::vector<T, Allocator>> = true;

// Kinds of operands.
struct IsStdVector {
    template <class T>
    static constexpr bool holds = is_std_vector<T>;
};
struct IsBatch {
    template <class T>
    static constexpr bool holds = Batch<T>;
};

} // namespace expression

// These are templates, so that functions that are none are preferred.
#define WARPINT_DEVICE_VECTOR "device_vector<T>(v), or host_vector<T>(v), of a std::vector<T> v"
#define WARPINT_WITH_STD_VECTOR(symbol)                                                            \
    template <class...>                                                                            \
    int operator symbol(limb::Refused<expression::IsStdVector>,                                    \
                        limb::WriteInstead<expression::IsBatch, WARPINT_DEVICE_VECTOR>)            \
        WARPINT_REFUSED(WARPINT_DEVICE_VECTOR);                                                    \
    template <class...>                                                                            \
    int operator symbol(limb::WriteInstead<expression::IsBatch, WARPINT_DEVICE_VECTOR>,            \
                        limb::Refused<expression::IsStdVector>)                                    \
        WARPINT_REFUSED(WARPINT_DEVICE_VECTOR)
WARPINT_WITH_STD_VECTOR(+);
WARPINT_WITH_STD_VECTOR(-);
WARPINT_WITH_STD_VECTOR(*);
WARPINT_WITH_STD_VECTOR(/);
WARPINT_WITH_STD_VECTOR(%);
#undef WARPINT_WITH_STD_VECTOR
#undef WARPINT_DEVICE_VECTOR
#endif

} // namespace warpint
