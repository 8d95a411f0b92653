// What a formula's operations mean for one element. Each operation is a stateless (or trivially
// copyable) object with a static apply(fault, operands...): the exact value, or fault = true and
// any value where there is none. can_fault says whether it ever sets fault for operands of these
// types.
#pragma once

#include "../modular.h"
#include "../number/exact.h"

namespace warpint::expression {

namespace operation {

struct NeverFaults {
    template <class...>
    static constexpr bool can_fault = false;
};

struct Add : NeverFaults {
    template <class A, class B>
    WARPINT_HOST_DEVICE static constexpr auto apply(bool &, const A &a, const B &b) {
        return exact::add(a, b);
    }
};

struct Subtract : NeverFaults {
    template <class A, class B>
    WARPINT_HOST_DEVICE static constexpr auto apply(bool &, const A &a, const B &b) {
        return exact::subtract(a, b);
    }
};

struct Multiply : NeverFaults {
    template <class A, class B>
    WARPINT_HOST_DEVICE static constexpr auto apply(bool &, const A &a, const B &b) {
        return number::as_number(a) * number::as_number(b);
    }
};

struct Negate : NeverFaults {
    template <class A>
    WARPINT_HOST_DEVICE static constexpr auto apply(bool &, const A &a) {
        return exact::negate(a);
    }
};

// Faults: division by zero.
struct Divide {
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
struct Remainder {
    template <class A, class B>
    static constexpr bool can_fault = !ModulusContext<B>;
    template <class A, class B>
    WARPINT_HOST_DEVICE static constexpr auto apply(bool &fault, const A &a, const B &b) {
        if constexpr (ModulusContext<B>) {
            return number::as_number(a) % b;
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

template <number::Bitwise which>
struct Bitwise : NeverFaults {
    template <class A, class B>
    WARPINT_HOST_DEVICE static constexpr auto apply(bool &, const A &a, const B &b) {
        return exact::combine<which>(a, b);
    }
};
using And = Bitwise<number::Bitwise::conjunction>;
using Or = Bitwise<number::Bitwise::disjunction>;
using Xor = Bitwise<number::Bitwise::exclusive>;

// ~ and << keep their operand's width.
struct Complement : NeverFaults {
    template <class A>
    WARPINT_HOST_DEVICE static constexpr auto apply(bool &, const A &a) {
        return ~number::as_number(a);
    }
};
struct ShiftLeft : NeverFaults {
    template <class A, class K>
    WARPINT_HOST_DEVICE static constexpr auto apply(bool &, const A &a, const K &k) {
        return number::as_number(a) << k;
    }
};
struct ShiftRight : NeverFaults {
    template <class A, class K>
    WARPINT_HOST_DEVICE static constexpr auto apply(bool &, const A &a, const K &k) {
        return number::as_number(a) >> k;
    }
};

// Comparisons by mathematical value; the result is a bool.
#define WARPINT_COMPARISON(Name, condition)                                                        \
    struct Name : NeverFaults {                                                                    \
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

// pow(a, e, m), with one exponent for all elements or one each: threads that share the exponent
// need not keep in step and take sliding windows. Faults: m <= 0, e < 0.
template <bool SharedExponent>
struct Power {
    static constexpr algorithm::PowerMethod method =
        SharedExponent ? algorithm::PowerMethod::sliding_windows : number::power_method;

    template <class A, class E, class M>
    static constexpr bool can_fault = !ModulusContext<M> || number::signed_of<E>;
    template <class A, class E, class M>
    WARPINT_HOST_DEVICE static constexpr BigInt<number::modulus_bits_v<M>>
    apply(bool &fault, const A &a, const E &e, const M &m) {
        if constexpr (!ModulusContext<M>) {
            const auto modulus = number::as_number(m);
            if (number::is_negative(modulus) || !static_cast<bool>(modulus)) {
                fault = true;
                return {};
            }
        }
        if (number::is_negative(number::as_number(e))) {
            fault = true;
            return {};
        }
        return number::power_by<method>(a, e, m);
    }
};

// pow(a, e) modulo 2^width of a. Faults: e < 0.
struct PowerWrapping {
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

// The bit functions, and sqr.
#define WARPINT_UNARY(Name, function)                                                              \
    struct Name : NeverFaults {                                                                    \
        template <class A>                                                                         \
        WARPINT_HOST_DEVICE static constexpr auto apply(bool &, const A &a) {                      \
            return function(number::as_number(a));                                                 \
        }                                                                                          \
    };
WARPINT_UNARY(Popcount, popcount)
WARPINT_UNARY(BitWidth, bit_width)
WARPINT_UNARY(CountLeadingZeros, countl_zero)
WARPINT_UNARY(CountTrailingZeros, countr_zero)
WARPINT_UNARY(Square, sqr)
#undef WARPINT_UNARY

// A user's function of the elements.
template <class Function>
struct Map : NeverFaults {
    Function function;
    template <class... Values>
    WARPINT_HOST_DEVICE constexpr auto apply(bool &, const Values &...values) const {
        return function(values...);
    }
};

} // namespace operation

} // namespace warpint::expression
