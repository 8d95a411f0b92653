// Operators and functions that build formulas. They take part in overload resolution when at least
// one operand is a batch (a named vector, a view or a formula) and the others can be captured.
#pragma once

#include "node.h"

#include <utility>

namespace warpint {
namespace expression {

// Specialised by the vector and view types: how an object becomes a leaf. `owning` objects must be
// named.
template <class T>
struct capture_traits {
    static constexpr bool is_batch = is_description<T>::value;
    static constexpr bool owning = false;
};

template <class T>
concept Batch = capture_traits<std::remove_cvref_t<T>>::is_batch &&
    (!capture_traits<std::remove_cvref_t<T>>::owning || std::is_lvalue_reference_v<T>);

// A number or a Modulus beside a batch.
template <class T>
concept Captured = Batch<T> || AnyNumber<T> || ModulusContext<T>;

template <class T>
[[nodiscard]] constexpr auto capture(const T &x) {
    if constexpr (is_description<T>::value) {
        return x;
    } else if constexpr (capture_traits<T>::is_batch) {
        return capture_traits<T>::leaf(x);
    } else {
        return ConstantLeaf<T>{x};
    }
}

template <class T>
using captured_t = decltype(capture(std::declval<const std::remove_cvref_t<T> &>()));

template <class Operation, class... Operands>
[[nodiscard]] constexpr auto describe(const Operands &...operands) {
    return Node<Operation, captured_t<Operands>...>{Operation{}, capture(operands)...};
}

// Operands of a formula: at least one batch; the first named concept keeps numbers and moduli to
// themselves.
template <class... Operands>
concept Formula = (Batch<Operands> || ...) && (Captured<Operands> && ...);

// As Formula, but only the last operand may be a Modulus.
template <class A, class B>
concept NumberFormula = Formula<A, B> && !ModulusContext<A> && !ModulusContext<B>;
template <class A, class B>
concept RemainderFormula = Formula<A, B> && !ModulusContext<A>;

} // namespace expression

#define WARPINT_BINARY_FORMULA(symbol, Name)                                                       \
    template <class A, class B>                                                                    \
    requires expression::NumberFormula<A, B>                                                       \
    [[nodiscard]] constexpr auto operator symbol(A &&a, B &&b) {                                   \
        return expression::describe<expression::operation::Name>(a, b);                            \
    }
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

// a % m: m a number, a Modulus or a batch. In [0, m) for an unsigned m, also where the dividend is
// negative.
template <class A, class B>
requires expression::RemainderFormula<A, B>
[[nodiscard]] constexpr auto operator%(A &&a, B &&b) {
    return expression::describe<expression::operation::Remainder>(a, b);
}

template <expression::Batch A>
[[nodiscard]] constexpr auto operator-(A &&a) {
    return expression::describe<expression::operation::Negate>(a);
}
template <expression::Batch A>
[[nodiscard]] constexpr auto operator~(A &&a) {
    return expression::describe<expression::operation::Complement>(a);
}

// a^e mod m per element; each of a, e and m a number or a batch, m also a Modulus. Any m >= 1.
template <class A, class E, class M>
requires expression::Formula<A, E, M> &&(!ModulusContext<A>)&&(!ModulusContext<E>)
    [[nodiscard]] constexpr auto pow(A &&a, E &&e, M &&m) {
    return expression::describe<expression::operation::Power<AnyNumber<std::remove_cvref_t<E>>>>(
        a, e, m);
}
// a^e modulo 2^width of a.
template <class A, class E>
requires expression::NumberFormula<A, E>
[[nodiscard]] constexpr auto pow(A &&a, E &&e) {
    return expression::describe<expression::operation::PowerWrapping>(a, e);
}

#define WARPINT_UNARY_FORMULA(function, Name)                                                      \
    template <expression::Batch A>                                                                 \
    [[nodiscard]] constexpr auto function(A &&a) {                                                 \
        return expression::describe<expression::operation::Name>(a);                               \
    }
WARPINT_UNARY_FORMULA(popcount, Popcount)
WARPINT_UNARY_FORMULA(bit_width, BitWidth)
WARPINT_UNARY_FORMULA(countl_zero, CountLeadingZeros)
WARPINT_UNARY_FORMULA(countr_zero, CountTrailingZeros)
WARPINT_UNARY_FORMULA(sqr, Square)
#undef WARPINT_UNARY_FORMULA

// A user's function of the elements: map(f, a, b)[i] = f(a[i], b[i]). f takes and returns numbers
// by value; for device_vector in CUDA code it is a __device__ or __host__ __device__ function
// object.
template <class Function, class... Operands>
requires expression::Formula<Operands...> &&(sizeof...(Operands) <= 3)
    [[nodiscard]] constexpr auto map(Function function, Operands &&...operands) {
    using Operation = expression::operation::Map<Function>;
    return expression::Node<Operation, expression::captured_t<Operands>...>{
        Operation{{}, function}, expression::capture(operands)...};
}

} // namespace warpint
