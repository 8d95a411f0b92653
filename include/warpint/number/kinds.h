// SPDX-License-Identifier: Apache-2.0
// The kinds of numbers: how a value is held. A BigInt, a SignedBigInt or a built-in integer is held
// by a thread; what other kinds there are is said beside their types (number/warp_int/kind.h). A
// text over the functions below serves all kinds: a formula's operation, a function of
// number/theory/, a public function. It finds the operators and functions of a kind by their
// operands. Where numbers run together it branches and loops only on what vote() says, and
// evaluates a condition that asks a number before && or ||, never behind it (number/theory/ring.h).
#pragma once

#include "lengths.h"
#include "optional.h"
#include "storage.h"

namespace warpint::number {

//   together            all numbers of a warp run together: nothing may branch on the value of one
//   scalar              the type that holds the same values in a thread
//   number_t<Scalar>    the type that holds the values of Scalar in this kind
//   functions           where numbers run together: what the functions below call
struct InThread {
    static constexpr bool together = false;
    template <class Scalar>
    using number_t = Scalar;
};
template <class T>
struct kind : InThread {
    using scalar = T;
};

template <class T>
concept RunsTogether = kind<T>::together;
// A number of any kind.
template <class T>
concept Held = AnyNumber<T> || RunsTogether<T>;

template <class T>
using scalar_t = typename kind<T>::scalar;

// The kind of an operation on these operands. A number that a thread holds may stand beside others:
// all threads hold the same one then.
template <class... Operands>
struct kind_of : InThread {};
template <class First, class... Rest>
    requires(sizeof...(Rest) != 0 && !RunsTogether<First>)
struct kind_of<First, Rest...> : kind_of<Rest...> {};
template <RunsTogether First, class... Rest>
struct kind_of<First, Rest...> : kind<First> {};

// The type that holds the values of Scalar as these operands are held.
template <class Scalar, class... Operands>
using like_t = typename kind_of<Operands...>::template number_t<Scalar>;

// Two operands of one kind that runs together, one of which a thread may hold.
template <class A, class B>
concept OperandsTogether =
    (RunsTogether<A> && (AnyNumber<B> || std::is_same_v<B, like_t<scalar_t<B>, A>>)) ||
    (AnyNumber<A> && RunsTogether<B>);

// Numbers of one kind, any of which a thread may hold.
template <class... T>
concept OfOneKind =
    ((Held<T> && (AnyNumber<T> || std::is_same_v<T, like_t<scalar_t<T>, T...>>)) && ...);

// A number of any kind with a width of its own.
template <class T>
concept HeldBig = BigNumber<T> || RunsTogether<T>;
// Operands of a op= b, and of a op b: one of these is a number with a width.
template <class A, class B>
concept ChangedBy =
    Variable<A> && ((BigNumber<A> && AnyNumber<B>) || (RunsTogether<A> && OperandsTogether<A, B>));
template <class A, class B>
concept HeldOperands = ChangedBy<A, B> || ChangedBy<B, A>;

// Whether T is a residue: specialised beside the types of residues.
template <class T>
inline constexpr bool is_residue = false;
// What ++ and -- count.
template <class T>
concept Counted = Variable<T> && (HeldBig<T> || is_residue<T>);

// The value of x in number type R (modulo its width), as to() of numbers in a thread.
template <RunsTogether R, Held T>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE R to(const T &x) {
    if constexpr (std::is_same_v<R, T>) {
        return x;
    } else {
        return R(x);
    }
}
template <RunsTogether T>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE const T &as_number(const T &x) {
    return x;
}
template <RunsTogether T>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE bool is_negative(const T &x) {
    return x.is_negative();
}
// |x|, unsigned, and x = -x where the condition holds, as of numbers in a thread.
template <RunsTogether T>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE auto magnitude(const T &x) {
    return kind<T>::functions::magnitude(x);
}
template <RunsTogether T>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void negate_if(T &x, bool condition) {
    x = kind<T>::functions::negate_if(x, condition);
}

// x as a number of a kind, at its own width.
template <class Kind, Held T>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE decltype(auto) in_kind(const T &x) {
    if constexpr (Kind::together && !RunsTogether<T>) {
        return to<typename Kind::template number_t<T>>(x);
    } else {
        return as_number(x);
    }
}

// Whether a condition holds for any of the numbers that run together with one of type T.
template <class T>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE bool vote(bool condition) {
    if constexpr (RunsTogether<T>) {
        return kind<T>::functions::vote(condition);
    } else {
        return condition;
    }
}
// condition ? a : b.
template <class T>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE T choose(bool condition, const T &a, const T &b) {
    if constexpr (RunsTogether<T>) {
        return kind<T>::functions::choose(condition, a, b);
    } else {
        return condition ? a : b;
    }
}

// One of two numbers that both stay, without a copy where they are plain. (Of copies ptxas keeps
// the limbs in registers, where an index is a chain of selects: gcd_ext of 256 bits was 0.73 as
// fast.)
template <class T>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE decltype(auto) one_of(bool condition, const T &a,
                                                                   const T &b) {
    if constexpr (RunsTogether<T>) {
        return choose(condition, a, b);
    } else {
        return (condition ? a : b);
    }
}

// a / b, a % b and a b of unsigned numbers, for texts with several of them that spend little of
// their time there. Operators of numbers that run together are inlined; these are called.
template <Held A, Held B>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE auto quotient_of(const A &a, const B &b) {
    if constexpr (RunsTogether<A>) {
        return kind<A>::functions::quotient(a, b);
    } else {
        return a / b;
    }
}
template <Held A, Held B>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE auto remainder_of(const A &a, const B &b) {
    if constexpr (RunsTogether<A>) {
        return kind<A>::functions::remainder(a, b);
    } else {
        return a % b;
    }
}
template <Held A, Held B>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE auto product_of(const A &a, const B &b) {
    if constexpr (RunsTogether<A>) {
        return kind<A>::functions::product(a, b);
    } else {
        return product_by_length(a, b);
    }
}

// a b modulo R's width, as low_product() of numbers in a thread.
template <RunsTogether R, Held A, Held B>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE R low_product(const A &a, const B &b) {
    return kind<R>::functions::template low_product<R>(a, b);
}

// A position or count: a number of any type, clamped to an int where it lies beyond every width, -1
// for negative ones.
template <Held K>
WARPINT_HOST_DEVICE constexpr int position_of(const K &k) {
    const auto &position = number::as_number(k);
    constexpr int most = (1 << 30) - 1;
    const bool negative = number::is_negative(position);
    const bool beyond = most < position;
    const int low = static_cast<int>(position);
    return negative ? -1 : beyond ? most : low;
}

// f() where there is a value, else a fault. A thread does not call f then; numbers that run
// together call it all the same, and its result is any value.
template <class Kind, class Function>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE auto guard(bool &fault, bool exists,
                                                        const Function &f) {
    if constexpr (Kind::together) {
        fault = fault || !exists;
    } else {
        if (!exists) {
            fault = true;
            return decltype(f()){};
        }
    }
    return f();
}
template <class Kind, class R>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE R value_or_fault(bool &fault,
                                                              const Optional<R> &result) {
    return guard<Kind>(fault, result.has_value(), [&]() WARPINT_INLINE_LAMBDA { return *result; });
}

} // namespace warpint::number
