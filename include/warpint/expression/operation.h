// SPDX-License-Identifier: Apache-2.0
// What a formula's operations mean for one element. Each operation is a trivially copyable object
// with apply(fault, operands...): the exact value, or fault = true and any value where there is
// none. What planning and lowering need to know of it, it says itself:
//
//   work                      what its cost is dominated by
//   bits<Operands...>         the width that decides how to compute it for operands of these types
//   can_fault<Operands...>    whether apply() ever sets fault for operands of these types
//   role(i)                   what operand i is: a value, a modulus or an exponent
//   runs_user_code            apply() may have effects or throw
//
// A new operation is written here, or beside the functions of its subject, and gets its syntax in
// operators.h or functions.h. That is enough for it to run, an element a thread. What does better
// for some operations names them: lower.h (what is prepared or joined), residue.h (counterparts for
// residues), and in the room execution lane_operations.h and lane_functions.h (numbers over lanes),
// collective.h (elements that a CPU does together) and the files that choose and run kernels.
#pragma once

#include "../limb/user_function.h"
#include "../modular.h"
#include "../number/exact.h"

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

enum class Role { value, modulus, exponent };

// ---- operands that all elements share, as lowering prepares them

// A modulus. exists is false for 0, by which no element has a value.
template <int Bits>
struct SharedModulus {
    number::formula_modulus_t<Bits> modulus;
    bool exists;
};

// An exponent. exists is false for a negative one.
template <int Bits>
struct SharedExponent {
    algorithm::PowerSchedule<Bits> schedule;
    bool exists;
};

// A base and a modulus. exists is false for the modulus 0.
template <int Bits, int ExponentBits>
struct SharedBase {
    FixedBase<Bits, ExponentBits> base;
    bool exists;
};

template <class T>
inline constexpr bool is_shared_modulus = false;
template <int Bits>
inline constexpr bool is_shared_modulus<SharedModulus<Bits>> = true;
template <class T>
inline constexpr bool is_shared_exponent = false;
template <int Bits>
inline constexpr bool is_shared_exponent<SharedExponent<Bits>> = true;

// Bits of what an operand holds.
template <class T>
inline constexpr int value_bits = 0;
template <AnyNumber T>
inline constexpr int value_bits<T> = number::bits_of<T>;
template <ModulusContext T>
inline constexpr int value_bits<T> = T::bits;
template <AnyResidue T>
inline constexpr int value_bits<T> = T::bits;
template <int Bits>
inline constexpr int value_bits<SharedModulus<Bits>> = Bits;
template <int Bits>
inline constexpr int value_bits<SharedExponent<Bits>> = Bits;
template <int Bits, int ExponentBits>
inline constexpr int value_bits<SharedBase<Bits, ExponentBits>> = Bits;

namespace operation {

// Whether a modulus of this type may be one by which there is no value. Of one that all elements
// share it is known when the formula is lowered (constants_fault in lower.h).
template <class M>
inline constexpr bool modulus_can_fault = !ModulusContext<M> && !is_shared_modulus<M>;

template <class M>
WARPINT_HOST_DEVICE constexpr bool is_modulus(const M &m) {
    if constexpr (ModulusContext<M>) {
        return true;
    } else if constexpr (is_shared_modulus<M>) {
        return m.exists;
    } else {
        return !number::is_negative(number::as_number(m)) && static_cast<bool>(m);
    }
}
// The modulus as the functions of numbers take it. On input: is_modulus(m).
template <class M>
WARPINT_HOST_DEVICE constexpr decltype(auto) modulus_of(const M &m) {
    if constexpr (ModulusContext<M>) {
        return (m);
    } else if constexpr (is_shared_modulus<M>) {
        return (m.modulus);
    } else {
        return number::as_number(m);
    }
}

// Bits of the widest of these operands.
template <class... Operands>
inline constexpr int widest_operand = [] {
    int widest = 0;
    ((widest = value_bits<Operands> > widest ? value_bits<Operands> : widest), ...);
    return widest;
}();

// The defaults.
template <WorkKind kind>
struct Plain {
    static constexpr WorkKind work = kind;
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
    WARPINT_HOST_DEVICE static constexpr Role role(int) { return Role::value; }
    static constexpr bool runs_user_code = false;
};
using Streaming = Plain<WorkKind::streaming>;

struct Add : Streaming {
    template <class A, class B>
    WARPINT_HOST_DEVICE static constexpr auto apply(bool &, const A &a, const B &b) {
        return exact::add(a, b);
    }
};

struct Subtract : Streaming {
    template <class A, class B>
    WARPINT_HOST_DEVICE static constexpr auto apply(bool &, const A &a, const B &b) {
        return exact::subtract(a, b);
    }
};

struct Multiply : Plain<WorkKind::product> {
    template <class A, class B>
    WARPINT_HOST_DEVICE static constexpr auto apply(bool &, const A &a, const B &b) {
        return number::as_number(a) * number::as_number(b);
    }
};

struct Negate : Streaming {
    template <class A>
    WARPINT_HOST_DEVICE static constexpr auto apply(bool &, const A &a) {
        return exact::negate(a);
    }
};

// Faults: division by zero.
struct Divide : Plain<WorkKind::division> {
    template <class...>
    static constexpr bool can_fault = true;
    template <class A, class B>
    WARPINT_HOST_DEVICE static constexpr exact::quotient_t<A, B> apply(bool &fault, const A &a,
                                                                       const B &b) {
        if (!static_cast<bool>(b)) {
            fault = true;
            return {};
        }
        return exact::divide(a, b);
    }
};

// a % b with a number or a Modulus. Faults: division by zero.
struct Remainder : Plain<WorkKind::division> {
    template <class A, class B>
    static constexpr bool can_fault = modulus_can_fault<B>;
    WARPINT_HOST_DEVICE static constexpr Role role(int operand) {
        return operand == 1 ? Role::modulus : Role::value;
    }
    template <class A, class B>
    WARPINT_HOST_DEVICE static constexpr auto apply(bool &fault, const A &a, const B &b) {
        if constexpr (ModulusContext<B>) {
            return number::as_number(a) % b;
        } else if constexpr (is_shared_modulus<B>) {
            if (!b.exists) {
                fault = true;
                return decltype(number::as_number(a) % b.modulus){};
            }
            return number::as_number(a) % b.modulus;
        } else {
            using R = number::remainder_t<A, B>;
            if (!static_cast<bool>(b)) {
                fault = true;
                return R{};
            }
            return R(number::as_number(a) % number::as_number(b));
        }
    }
};

// Functions modulo the last operand, an unsigned number, a Modulus or a shared one, without values
// wider than the modulus where the function needs none. Faults: modulus <= 0.
#define WARPINT_MODULAR_BINARY(Name, function, kind)                                               \
    struct Name : Plain<WorkKind::kind> {                                                          \
        template <class A, class B, class M>                                                       \
        static constexpr bool can_fault = modulus_can_fault<M>;                                    \
        WARPINT_HOST_DEVICE static constexpr Role role(int operand) {                              \
            return operand == 2 ? Role::modulus : Role::value;                                     \
        }                                                                                          \
        template <class A, class B, class M>                                                       \
        WARPINT_HOST_DEVICE static constexpr auto apply(bool &fault, const A &a, const B &b,       \
                                                        const M &m) {                              \
            using R = BigInt<value_bits<M>>;                                                       \
            if (!is_modulus(m)) {                                                                  \
                fault = true;                                                                      \
                return R{};                                                                        \
            }                                                                                      \
            return R(function(number::as_number(a), number::as_number(b), modulus_of(m)));         \
        }                                                                                          \
    };
WARPINT_MODULAR_BINARY(AddModulo, addmod, division)
WARPINT_MODULAR_BINARY(SubtractModulo, submod, division)
WARPINT_MODULAR_BINARY(MultiplyModulo, mulmod, fold)
#undef WARPINT_MODULAR_BINARY

struct SquareModulo : Plain<WorkKind::fold> {
    template <class A, class M>
    static constexpr bool can_fault = modulus_can_fault<M>;
    WARPINT_HOST_DEVICE static constexpr Role role(int operand) {
        return operand == 1 ? Role::modulus : Role::value;
    }
    template <class A, class M>
    WARPINT_HOST_DEVICE static constexpr auto apply(bool &fault, const A &a, const M &m) {
        using R = BigInt<value_bits<M>>;
        if (!is_modulus(m)) {
            fault = true;
            return R{};
        }
        return R(sqrmod(number::as_number(a), modulus_of(m)));
    }
};

// (a b + c) mod m, (a b - c) mod m and, with four operands before m, (a b + c d) mod m, (a b - c d)
// mod m. Faults: modulus <= 0.
#define WARPINT_MODULAR_PRODUCTS(Name, function)                                                   \
    struct Name : Plain<WorkKind::fold> {                                                          \
        template <class... Operands>                                                               \
        static constexpr bool can_fault = (modulus_can_fault<Operands> || ...);                    \
        template <class A, class B, class C, class M>                                              \
        WARPINT_HOST_DEVICE static constexpr auto apply(bool &fault, const A &a, const B &b,       \
                                                        const C &c, const M &m) {                  \
            using R = BigInt<value_bits<M>>;                                                       \
            if (!is_modulus(m)) {                                                                  \
                fault = true;                                                                      \
                return R{};                                                                        \
            }                                                                                      \
            return R(function(number::as_number(a), number::as_number(b), number::as_number(c),    \
                              modulus_of(m)));                                                     \
        }                                                                                          \
        template <class A, class B, class C, class D, class M>                                     \
        WARPINT_HOST_DEVICE static constexpr auto apply(bool &fault, const A &a, const B &b,       \
                                                        const C &c, const D &d, const M &m) {      \
            using R = BigInt<value_bits<M>>;                                                       \
            if (!is_modulus(m)) {                                                                  \
                fault = true;                                                                      \
                return R{};                                                                        \
            }                                                                                      \
            return R(function(number::as_number(a), number::as_number(b), number::as_number(c),    \
                              number::as_number(d), modulus_of(m)));                               \
        }                                                                                          \
    };
WARPINT_MODULAR_PRODUCTS(MultiplyAddModulo, muladdmod)
WARPINT_MODULAR_PRODUCTS(MultiplySubtractModulo, mulsubmod)
#undef WARPINT_MODULAR_PRODUCTS

template <number::Bitwise which>
struct Bitwise : Streaming {
    template <class A, class B>
    WARPINT_HOST_DEVICE static constexpr auto apply(bool &, const A &a, const B &b) {
        return exact::combine<which>(a, b);
    }
};
using And = Bitwise<number::Bitwise::conjunction>;
using Or = Bitwise<number::Bitwise::disjunction>;
using Xor = Bitwise<number::Bitwise::exclusive>;

// ~ and << keep their operand's width.
struct Complement : Streaming {
    template <class A>
    WARPINT_HOST_DEVICE static constexpr auto apply(bool &, const A &a) {
        return ~number::as_number(a);
    }
};
struct ShiftLeft : Streaming {
    template <class A, class K>
    WARPINT_HOST_DEVICE static constexpr auto apply(bool &, const A &a, const K &k) {
        return number::as_number(a) << k;
    }
};
struct ShiftRight : Streaming {
    template <class A, class K>
    WARPINT_HOST_DEVICE static constexpr auto apply(bool &, const A &a, const K &k) {
        return number::as_number(a) >> k;
    }
};

// Comparisons by mathematical value; the result is a bool.
#define WARPINT_COMPARISON(Name, condition)                                                        \
    struct Name : Streaming {                                                                      \
        template <class A, class B>                                                                \
        WARPINT_HOST_DEVICE static constexpr bool apply(bool &, const A &first, const B &second) { \
            const auto a = number::as_number(first);                                               \
            const auto b = number::as_number(second);                                              \
            return condition;                                                                      \
        }                                                                                          \
    };
WARPINT_COMPARISON(Equal, number::equal(a, b))
WARPINT_COMPARISON(NotEqual, !number::equal(a, b))
WARPINT_COMPARISON(Less, number::less(a, b))
WARPINT_COMPARISON(Greater, number::less(b, a))
WARPINT_COMPARISON(LessEqual, !number::less(b, a))
WARPINT_COMPARISON(GreaterEqual, !number::less(a, b))
#undef WARPINT_COMPARISON

// pow(a, e, m). Faults: m <= 0, e < 0.
struct Power : Plain<WorkKind::power> {
    WARPINT_HOST_DEVICE static constexpr Role role(int operand) {
        return operand == 0 ? Role::value : operand == 1 ? Role::exponent : Role::modulus;
    }
    template <class A, class E, class M>
    static constexpr bool can_fault = modulus_can_fault<M> || [] {
        if constexpr (AnyNumber<E>) {
            return number::signed_of<E>;
        } else {
            return false;
        }
    }();
    template <class A, class E, class M>
    WARPINT_HOST_DEVICE static constexpr BigInt<value_bits<M>> apply(bool &fault, const A &a,
                                                                     const E &e, const M &m) {
        if (!is_modulus(m)) {
            fault = true;
            return {};
        }
        if constexpr (is_shared_exponent<E>) {
            if (!e.exists) {
                fault = true;
                return {};
            }
            return number::power_by_schedule(a, e.schedule, modulus_of(m));
        } else {
            if (number::is_negative(number::as_number(e))) {
                fault = true;
                return {};
            }
            return number::power_by<number::power_method>(a, e, modulus_of(m));
        }
    }
};

// The same with one base and modulus for all elements, by a comb.
struct PowerOfBase : Plain<WorkKind::power> {
    template <class Base, class E>
    static constexpr int bits = value_bits<Base>;
    WARPINT_HOST_DEVICE static constexpr Role role(int operand) {
        return operand == 0 ? Role::value : Role::exponent;
    }
    template <int Bits, int ExponentBits, class E>
    WARPINT_HOST_DEVICE static constexpr BigInt<Bits>
    apply(bool &fault, const SharedBase<Bits, ExponentBits> &base, const E &e) {
        if (!base.exists) {
            fault = true;
            return {};
        }
        return base.base.power(number::as_number(e));
    }
};

// pow(a, e) modulo 2^width of a. Faults: e < 0.
struct PowerWrapping : Plain<WorkKind::power> {
    template <class... Operands>
    static constexpr int bits = widest_operand<Operands...>;
    template <class A, class E>
    static constexpr bool can_fault = number::signed_of<E>;
    template <class A, class E>
    WARPINT_HOST_DEVICE static constexpr number::big_t<A> apply(bool &fault, const A &a,
                                                                const E &e) {
        if (number::is_negative(number::as_number(e))) {
            fault = true;
            return {};
        }
        return pow(number::as_number(a), e);
    }
};

// sqr(a).
struct Square : Plain<WorkKind::product> {
    template <class A>
    WARPINT_HOST_DEVICE static constexpr auto apply(bool &, const A &a) {
        return sqr(number::as_number(a));
    }
};

} // namespace operation

// A user's function that takes numbers over lanes as well as plain ones: see over_lanes() in
// functions.h.
template <class Function>
struct TakesLanes {
    Function function;

    template <class... Values>
    WARPINT_HOST_DEVICE constexpr auto operator()(const Values &...values) const {
        return function(values...);
    }
};

namespace operation {

// What is known of the work in a user's function: that it is worth lanes, if it takes them.
template <class Function>
inline constexpr WorkKind work_of_function = WorkKind::streaming;
template <class Function>
inline constexpr WorkKind work_of_function<TakesLanes<Function>> = WorkKind::division;

// A user's function of the elements. It reports that there is no value by an empty Optional, and on
// the CPU by throwing. on_host: the formula reads host vectors, so no kernel will call the
// function.
template <class Function, bool on_host>
struct Map : Plain<work_of_function<Function>> {
    static constexpr bool runs_user_code = true;
    template <class... Values>
    static constexpr int bits = widest_operand<Values...>;
    template <class T>
    struct Unwrapped {
        using type = T;
        static constexpr bool is_optional = false;
    };
    template <class T>
    struct Unwrapped<Optional<T>> {
        using type = T;
        static constexpr bool is_optional = true;
    };
    template <class... Values>
    using Returned = std::remove_cvref_t<decltype(std::declval<limb::called_as<Function>>()(
        std::declval<const Values &>()...))>;
    template <class... Values>
    static constexpr bool can_fault = Unwrapped<Returned<Values...>>::is_optional;

    Function function;

    template <class... Values>
    WARPINT_HOST_DEVICE constexpr typename Unwrapped<Returned<Values...>>::type
    apply([[maybe_unused]] bool &fault, const Values &...values) const {
        if constexpr (Unwrapped<Returned<Values...>>::is_optional) {
            const auto result = call(values...);
            if (!result.has_value()) {
                fault = true;
                return {};
            }
            return *result;
        } else {
            return call(values...);
        }
    }

private:
    template <class... Values>
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE decltype(auto)
    call(const Values &...values) const {
        if constexpr (on_host) {
            return limb::call_function_of_host(function, values...);
        } else {
            return limb::call_function_that_must_be_host_device(function, values...);
        }
    }
};

} // namespace operation

} // namespace warpint::expression
