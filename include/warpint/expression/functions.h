// SPDX-License-Identifier: Apache-2.0
// Functions of whole vectors. They are lazy and fused, as operators are: pow(a, e, m) of vectors is
// a formula. Each does for an element what the function of that name does for numbers. Where that
// would be an error or have no result (no inverse, a modulus of 0), the element has no value: it is
// a fault.
#pragma once

#include "cost.h"
#include "gather.h"
#include "let.h"
#include "map.h"
#include "operators.h"

#if WARPINT_HOSTED
#include <optional>
#endif

namespace warpint {

// The syntax of an operation: a function of batches.
#define WARPINT_FORMULA_OF_ONE(function, Name, Concept)                                            \
    template <expression::Concept A>                                                               \
    [[nodiscard]] constexpr auto function(A &&a) {                                                 \
        return expression::describe(expression::operation::Name{}, std::forward<A>(a));            \
    }
#define WARPINT_FORMULA_OF_TWO(function, Name, Concept)                                            \
    template <class A, class B>                                                                    \
        requires expression::Concept<A, B>                                                         \
    [[nodiscard]] constexpr auto function(A &&a, B &&b) {                                          \
        return expression::describe(expression::operation::Name{}, std::forward<A>(a),             \
                                    std::forward<B>(b));                                           \
    }
#define WARPINT_FORMULA_OF_THREE(function, Name)                                                   \
    template <class A, class B, class C>                                                           \
        requires expression::Formula<A, B, C>                                                      \
    [[nodiscard]] constexpr auto function(A &&a, B &&b, C &&c) {                                   \
        return expression::describe(expression::operation::Name{}, std::forward<A>(a),             \
                                    std::forward<B>(b), std::forward<C>(c));                       \
    }

// ---- functions that always have a value

// All of a function in formulas, in threads and over lanes: the operation, which calls the function
// of numbers of the same name, and the function of batches. kind: what dominates its work
// (operation_traits.h).
#define WARPINT_FUNCTION_OF_ONE(function, Name, kind)                                              \
    namespace expression::operation {                                                              \
    struct Name : NumberOperation<WorkKind::kind> {                                                \
        template <class A>                                                                         \
        WARPINT_APPLY auto apply(bool &, const A &a) {                                             \
            return function(number::as_number(a));                                                 \
        }                                                                                          \
    };                                                                                             \
    }                                                                                              \
    WARPINT_FORMULA_OF_ONE(function, Name, Batch)
#define WARPINT_FUNCTION_OF_TWO(function, Name, kind)                                              \
    namespace expression::operation {                                                              \
    struct Name : NumberOperation<WorkKind::kind> {                                                \
        template <class A, class B>                                                                \
        WARPINT_APPLY auto apply(bool &, const A &a, const B &b) {                                 \
            using Kind = number::kind_of<A, B>;                                                    \
            return function(number::in_kind<Kind>(a), number::in_kind<Kind>(b));                   \
        }                                                                                          \
    };                                                                                             \
    }                                                                                              \
    WARPINT_FORMULA_OF_TWO(function, Name, NumberFormula)
WARPINT_FUNCTION_OF_ONE(popcount, Popcount, streaming)
WARPINT_FUNCTION_OF_ONE(bit_width, BitWidth, streaming)
WARPINT_FUNCTION_OF_ONE(countl_zero, CountLeadingZeros, streaming)
WARPINT_FUNCTION_OF_ONE(countr_zero, CountTrailingZeros, streaming)
WARPINT_FUNCTION_OF_ONE(abs, Absolute, streaming)
WARPINT_FUNCTION_OF_ONE(is_square, IsSquare, root)
WARPINT_FUNCTION_OF_TWO(mul_low, LowProduct, product)
WARPINT_FUNCTION_OF_TWO(mul_high, HighProduct, product)
WARPINT_FUNCTION_OF_TWO(min, Minimum, streaming)
WARPINT_FUNCTION_OF_TWO(max, Maximum, streaming)
WARPINT_FUNCTION_OF_TWO(gcd, Gcd, number_theory)
WARPINT_FUNCTION_OF_TWO(lcm, Lcm, number_theory)
#undef WARPINT_FUNCTION_OF_ONE
#undef WARPINT_FUNCTION_OF_TWO

namespace expression::operation {

// Some three powers of the number's length.
struct IsProbablePrime : NumberOperation<WorkKind::power> {
    static constexpr bool raises_by_modulus = true;
    template <class A>
    WARPINT_APPLY bool apply(bool &, const A &a) {
        return is_probable_prime(number::as_number(a));
    }
};

// Functions whose second operand is a position.
struct TestBit : NumberOperation<WorkKind::streaming> {
    template <class A, class K>
    WARPINT_APPLY bool apply(bool &, const A &a, const K &k) {
        return test_bit(number::in_kind<number::kind_of<A, K>>(a), number::position_of(k));
    }
};
// Rotation by any number of places, modulo the width.
template <bool left>
struct Rotate : NumberOperation<WorkKind::streaming> {
    template <class A, class K>
    WARPINT_APPLY auto apply(bool &, const A &a, const K &k) {
        const auto number = number::in_kind<number::kind_of<A, K>>(a);
        const int places = static_cast<int>(number::as_number(k) % SignedBigInt<32>(value_bits<A>));
        if constexpr (left) {
            return rotl(number, places);
        } else {
            return rotr(number, places);
        }
    }
};
using RotateLeft = Rotate<true>;
using RotateRight = Rotate<false>;

// Fields of bits.
struct ExtractBits : NumberOperation<WorkKind::streaming> {
    template <class A, class P, class C>
    WARPINT_APPLY auto apply(bool &, const A &a, const P &position, const C &count) {
        return extract_bits(number::in_kind<number::kind_of<A, P, C>>(a),
                            number::position_of(position), number::position_of(count));
    }
};
template <int Count>
struct ExtractField : NumberOperation<WorkKind::streaming> {
    template <class A, class P>
    WARPINT_APPLY auto apply(bool &, const A &a, const P &position) {
        return extract_bits<Count>(number::in_kind<number::kind_of<A, P>>(a),
                                   number::position_of(position));
    }
};

// condition ? a : b, in the narrowest type that holds the values of both.
struct Select : ResidueOperation<WorkKind::streaming, WorkKind::streaming> {
    template <class C, class A, class B>
    WARPINT_APPLY auto apply(bool &, const C &condition, const A &a, const B &b) {
        using Common = number::common_value_t<number::big_t<number::scalar_t<A>>,
                                              number::big_t<number::scalar_t<B>>>;
        using R = number::like_t<Common, A, B, C>;
        return number::choose(static_cast<bool>(condition), number::to<R>(number::as_number(a)),
                              number::to<R>(number::as_number(b)));
    }
    template <class C, AnyResidue R>
    WARPINT_HOST_DEVICE static constexpr R apply(bool &, const C &condition, const R &a,
                                                 const R &b) {
        return number::choose(static_cast<bool>(condition), a, b);
    }
};

// The low bits of a value, as storing it in T keeps them.
template <class T>
struct Cast : Streaming {
    template <class A>
    static constexpr bool over_lanes = BigNumber<T> && AnyNumber<A>;
    template <class A>
    WARPINT_APPLY auto apply(bool &, const A &a) {
        if constexpr (BigNumber<T>) {
            return number::to<number::like_t<T, A>>(number::as_number(a));
        } else {
            return static_cast<T>(a);
        }
    }
};

// ---- functions that may have none

// Faults: a < 0.
struct SquareRoot : NumberOperation<WorkKind::root> {
    template <class A>
    static constexpr bool can_fault = number::signed_of<A>;
    template <class A>
    WARPINT_APPLY auto apply(bool &fault, const A &a) {
        const auto x = number::as_number(a);
        return number::guard<number::kind_of<A>>(fault, !number::is_negative(x),
                                                 [&]() WARPINT_INLINE_LAMBDA { return isqrt(x); });
    }
    WARPINT_TOGETHER(takes_root<Operands...>, square_root)
};

// Its work is divisions of numbers as wide as a. Faults: a < 0, k < 1.
struct Root : NumberOperation<WorkKind::division> {
    template <class A, class K>
    static constexpr int bits = value_bits<A>;
    template <class...>
    static constexpr bool can_fault = true;
    template <class A, class K>
    WARPINT_APPLY auto apply(bool &fault, const A &a, const K &k) {
        using Kind = number::kind_of<A, K>;
        const auto x = number::in_kind<Kind>(a);
        const int degree = number::position_of(k);
        const bool negative = number::is_negative(x);
        return number::guard<Kind>(fault, !negative && degree > 0,
                                   [&]() WARPINT_INLINE_LAMBDA { return iroot(x, degree); });
    }
};

// Faults: an even or negative n.
struct Jacobi : NumberOperation<WorkKind::number_theory> {
    template <class...>
    static constexpr bool can_fault = true;
    template <class A, class N>
    WARPINT_APPLY int apply(bool &fault, const A &a, const N &n) {
        using Kind = number::kind_of<A, N>;
        const auto modulus = number::in_kind<Kind>(n);
        const bool negative = number::is_negative(modulus);
        const bool odd = test_bit(modulus, 0);
        return number::guard<Kind>(fault, !negative && odd, [&]() WARPINT_INLINE_LAMBDA {
            return jacobi(number::in_kind<Kind>(a), modulus);
        });
    }
};

// Modulo a number, or of a residue. Faults: no inverse, modulus <= 0.
struct Inverse : ModularOperation<WorkKind::cofactor> {
    static constexpr bool inverts = true;
    template <class...>
    static constexpr bool can_fault = true;
    template <class A, class M>
    WARPINT_APPLY modulo_t<M, A> apply(bool &fault, const A &a, const M &m) {
        using Kind = number::kind_of<A, M>;
        return number::guard<Kind>(fault, is_modulus(m), [&]() WARPINT_INLINE_LAMBDA {
            return number::value_or_fault<Kind>(
                fault, inverse(number::in_kind<Kind>(a), modulus_of<Kind>(m)));
        });
    }
    template <AnyResidue A>
    WARPINT_HOST_DEVICE static constexpr A apply(bool &fault, const A &a) {
        return number::value_or_fault<number::InThread>(fault, inverse(a));
    }
};

// Of a modulus by which constant-time functions compute.
template <class M>
WARPINT_HOST_DEVICE constexpr bool is_odd_modulus(const M &m) {
    if constexpr (ModulusContext<M>) {
        return m.is_odd();
    } else {
        return test_bit(number::as_number(m), 0);
    }
}

// pow_ct(a, e, m). The modulus is not prepared when the formula is lowered: a plain one may be
// secret. Faults: an even modulus.
struct PowerConstantTime : BasicOperation<WorkKind::power> {
    template <class A, class E, class M>
    static constexpr bool can_fault = true;
    template <class A, class E, class M>
    WARPINT_HOST_DEVICE static constexpr BigInt<value_bits<M>> apply(bool &fault, const A &a,
                                                                     const E &e, const M &m) {
        if (!is_odd_modulus(m)) {
            fault = true;
            return {};
        }
        return pow_ct(a, e, m);
    }
    WARPINT_TOGETHER(raises_in_constant_time<Operands...>, power_in_constant_time)
};

// A root of a modulo a prime. Faults: no root, modulus <= 0.
struct SquareRootModulo : BasicOperation<WorkKind::power> {
    template <class...>
    static constexpr bool can_fault = true;
    template <class A, class P>
    static constexpr bool over_lanes = AnyNumber<A> && is_plain_modulus<P>;
    template <class A, class P>
    WARPINT_APPLY modulo_t<P, A> apply(bool &fault, const A &a, const P &p) {
        using Kind = number::kind_of<A, P>;
        return number::guard<Kind>(fault, is_modulus(p), [&]() WARPINT_INLINE_LAMBDA {
            return number::value_or_fault<Kind>(
                fault, sqrt_mod(number::in_kind<Kind>(a), number::in_kind<Kind>(p)));
        });
    }
};

// x = a mod m, x = b mod n. Faults: no such x, modulus <= 0.
struct ChineseRemainder : NumberOperation<WorkKind::cofactor> {
    template <class...>
    static constexpr bool can_fault = true;
    template <class A, class M, class B, class N>
    WARPINT_APPLY auto apply(bool &fault, const A &a, const M &m, const B &b, const N &n) {
        using Kind = number::kind_of<A, M, B, N>;
        const bool first = is_modulus(m);
        const bool second = is_modulus(n);
        return number::guard<Kind>(fault, first && second, [&]() WARPINT_INLINE_LAMBDA {
            return number::value_or_fault<Kind>(
                fault, crt(number::in_kind<Kind>(a), number::in_kind<Kind>(m),
                           number::in_kind<Kind>(b), number::in_kind<Kind>(n)));
        });
    }
};

// ---- several results

// Quotient and remainder with a = q b + r, as divmod of numbers: the remainder lies in [0, b) for
// an unsigned b, and the quotient of a negative a is then rounded down. Faults: division by zero.
struct DivideWithRemainder : NumberOperation<WorkKind::division> {
    template <class...>
    static constexpr bool can_fault = true;
    template <class A, class B>
    WARPINT_APPLY auto apply(bool &fault, const A &a, const B &b) {
        return number::guard<number::kind_of<A, B>>(
            fault, static_cast<bool>(b), [&]() WARPINT_INLINE_LAMBDA {
                const auto both = exact::divide_with_remainder(a, b);
                return tuple_of(both.quotient, both.remainder);
            });
    }
    WARPINT_TOGETHER(divides<Operands...>, both)
};

// {root, remainder}. Faults: a < 0.
struct SquareRootWithRemainder : NumberOperation<WorkKind::root> {
    template <class A>
    static constexpr bool can_fault = number::signed_of<A>;
    template <class A>
    WARPINT_APPLY auto apply(bool &fault, const A &a) {
        const auto x = number::as_number(a);
        return number::guard<number::kind_of<A>>(fault, !number::is_negative(x),
                                                 [&]() WARPINT_INLINE_LAMBDA {
                                                     const auto both = sqrt_rem(x);
                                                     return tuple_of(both.root, both.remainder);
                                                 });
    }
};

#undef WARPINT_TOGETHER
} // namespace expression::operation

// Applies the function of the same name to each element.
WARPINT_FORMULA_OF_ONE(sqr, Square, Batch)
WARPINT_FORMULA_OF_ONE(isqrt, SquareRoot, Batch)
WARPINT_FORMULA_OF_ONE(is_probable_prime, IsProbablePrime, Batch)
WARPINT_FORMULA_OF_TWO(iroot, Root, NumberFormula)
WARPINT_FORMULA_OF_TWO(jacobi, Jacobi, NumberFormula)
WARPINT_FORMULA_OF_TWO(test_bit, TestBit, NumberFormula)
WARPINT_FORMULA_OF_TWO(rotl, RotateLeft, NumberFormula)
WARPINT_FORMULA_OF_TWO(rotr, RotateRight, NumberFormula)

// Bits [position, position + count) of each element, moved down to bit 0, in the elements' type or
// as BigInt<Count>.
template <class A, class P, class C>
    requires expression::NumberFormula<A, P, C>
[[nodiscard]] constexpr auto extract_bits(A &&a, P &&position, C &&count) {
    return expression::describe(expression::operation::ExtractBits{}, std::forward<A>(a),
                                std::forward<P>(position), std::forward<C>(count));
}
template <int Count, class A, class P>
    requires expression::NumberFormula<A, P>
[[nodiscard]] constexpr auto extract_bits(A &&a, P &&position) {
    return expression::describe(expression::operation::ExtractField<Count>{}, std::forward<A>(a),
                                std::forward<P>(position));
}

// Modular functions of each element. The modulus is a number >= 1, odd or even, a Modulus, or a
// vector of numbers. Elements with m <= 0, without an inverse or without a root are faults.
WARPINT_FORMULA_OF_THREE(addmod, AddModulo)
WARPINT_FORMULA_OF_THREE(submod, SubtractModulo)
WARPINT_FORMULA_OF_THREE(mulmod, MultiplyModulo)
WARPINT_FORMULA_OF_TWO(sqrmod, SquareModulo, RemainderFormula)
WARPINT_FORMULA_OF_TWO(inverse, Inverse, RemainderFormula)
WARPINT_FORMULA_OF_TWO(sqrt_mod, SquareRootModulo, NumberFormula)

// Two results per element, {quotient, remainder} or {root, remainder}. `tie(q, r) = divmod(a, b)`
// stores both in one launch.
WARPINT_FORMULA_OF_TWO(divmod, DivideWithRemainder, NumberFormula)
WARPINT_FORMULA_OF_ONE(sqrt_rem, SquareRootWithRemainder, Batch)

// The power a^e mod m of each element. Each of a, e and m is a number or a vector; m may also be a
// Modulus. Any m >= 1. A negative exponent or m <= 0 is a fault.
// Example:
//     const device_vector<BigInt<256>> base(1000, BigInt<256>(3));
//     device_vector<BigInt<256>> r;
//     r = pow(base, 65537, BigInt<256>(1'000'003)); // one launch
template <class A, class E, class M>
    requires expression::Formula<A, E, M> && (!ModulusContext<std::remove_cvref_t<A>>) &&
             (!ModulusContext<std::remove_cvref_t<E>>)
[[nodiscard]] constexpr auto pow(A &&a, E &&e, M &&m) {
    return expression::describe(expression::operation::Power{}, std::forward<A>(a),
                                std::forward<E>(e), std::forward<M>(m));
}
// The same in constant time: no branch and no memory address depends on a, on e or, as a plain
// number, on m, except for the lowest bit of m. Operands are unsigned and m is odd. A single even
// modulus is a std::domain_error at once; in a vector of moduli, elements with an even one are
// faults. Include <warpint/constant_time.h> too.
template <class A, class E, class M>
    requires expression::Formula<A, E, M> && (!ModulusContext<std::remove_cvref_t<A>>) &&
             (!ModulusContext<std::remove_cvref_t<E>>)
[[nodiscard]] constexpr auto pow_ct(A &&a, E &&e, M &&m) {
    const auto formula =
        expression::describe(expression::operation::PowerConstantTime{}, std::forward<A>(a),
                             std::forward<E>(e), std::forward<M>(m));
    if constexpr (expression::is_constant<expression::captured_t<M>>) {
        if (!expression::operation::is_odd_modulus(expression::item<2>(formula.operands).value))
            number::report_domain_error("warpint: constant-time functions need an odd modulus");
    }
    return formula;
}
// GMP's name of pow, and the square root of real numbers; these are here for their messages.
template <class A, class E, class M, class write_pow_a_e_m = void>
    requires expression::Formula<A, E, M>
int powm(const A &, const E &, const M &) WARPINT_REFUSED("write pow(a, e, m)");
template <expression::Batch A, class isqrt_rounds_down_as_integers_do = void>
int sqrt(const A &) WARPINT_REFUSED("isqrt(a) is the square root, rounded down");
// The power a^e modulo 2^width of each element.
WARPINT_FORMULA_OF_TWO(pow, PowerWrapping, NumberFormula)

// For vectors of residues: the inverses (a fault where there is none), or the numbers in [0, m).
WARPINT_FORMULA_OF_ONE(inverse, Inverse, ResidueBatch)
WARPINT_FORMULA_OF_ONE(value, ValueOfResidue, ResidueBatch)
#undef WARPINT_FORMULA_OF_ONE
#undef WARPINT_FORMULA_OF_TWO
#undef WARPINT_FORMULA_OF_THREE

// The smallest number x >= 0 with x = a mod m and x = b mod n, for each element. Elements without
// one, or with m <= 0 or n <= 0, are faults.
template <class A, class M, class B, class N>
    requires expression::NumberFormula<A, M, B, N>
[[nodiscard]] constexpr auto crt(A &&a, M &&m, B &&b, N &&n) {
    return expression::describe(expression::operation::ChineseRemainder{}, std::forward<A>(a),
                                std::forward<M>(m), std::forward<B>(b), std::forward<N>(n));
}

// Selects a or b for each element, by a condition. Both are computed, so a fault in any operand is
// a fault of the result.
// Example:
//     const device_vector<BigInt<64>> a(10, BigInt<64>(3)), b(10, BigInt<64>(5));
//     device_vector<BigInt<64>> larger;
//     larger = select(a < b, b, a);
template <class C, class A, class B>
    requires expression::NumberFormula<C, A, B>
[[nodiscard]] constexpr auto select(C &&condition, A &&a, B &&b) {
    return expression::describe(expression::operation::Select{}, std::forward<C>(condition),
                                std::forward<A>(a), std::forward<B>(b));
}

// Converts each element to T, keeping its low bits.
template <AnyNumber T, expression::Batch A>
[[nodiscard]] constexpr auto as(A &&a) {
    return expression::describe(expression::operation::Cast<T>{}, std::forward<A>(a));
}

// The numbers 0, 1, 2 ... count - 1, which take no memory.
[[nodiscard]] inline Indices indices(std::size_t count) {
    return {count, 0};
}

// Names a value that a formula uses more than once, so that it is computed only once.
// Example:
//     const device_vector<BigInt<64>> a(10, BigInt<64>(3)), b(10, BigInt<64>(5));
//     device_vector<BigInt<256>> r;
//     r = let(a * b, [](auto x) { return x * x + x; }); // a * b once
template <expression::Batch A, class Function>
[[nodiscard]] constexpr auto let(A &&a, const Function &function) {
    using Value = std::remove_cvref_t<typename expression::captured_t<A>::value_type>;
    const auto body = function(expression::NamedLeaf<Function, Value>{});
    constexpr int level = expression::let_levels<std::remove_const_t<decltype(body)>>;
    return expression::describe(expression::operation::Let<level>{}, std::forward<A>(a),
                                expression::with_level<Function, level>(body));
}

namespace expression {

// A vector or view as operations read it that choose the elements themselves.
template <class V>
[[nodiscard]] constexpr auto source_of(const V &batch) {
    using Leaf = captured_t<const V &>;
    return SourceLeaf<typename Leaf::element_type, Leaf::space>{capture(batch)};
}

} // namespace expression

// Elements index[i] of a vector or view; the index is a vector or formula of numbers. An index
// beyond the source is a fault. The target must not overlap the source (wrong_location otherwise).
template <class V, class Index>
    requires(expression::is_stored_batch<expression::captured_t<V>> && expression::Batch<Index>)
[[nodiscard]] constexpr auto gather(V &&source, Index &&index) {
    return expression::describe(expression::operation::Gather{}, expression::source_of(source),
                                std::forward<Index>(index));
}
template <class V, class Index, class store_the_formula_in_a_vector_first = void>
    requires(expression::Batch<V> && !expression::is_stored_batch<expression::captured_t<V>> &&
             expression::Batch<Index>)
int gather(const V &, Index &&)
    WARPINT_REFUSED("gather reads a vector or view: store the formula in a vector first");

namespace expression {

template <class T>
inline constexpr bool is_std_optional = false;
#if WARPINT_HOSTED
template <class T>
inline constexpr bool is_std_optional<std::optional<T>> = true;
#endif

} // namespace expression

// Applies a function of your own to the elements of any number of vectors: element i of map(f, a,
// b) is f(a[i], b[i]). f takes and returns numbers by value. For a device_vector in CUDA code it
// must be a function object whose operator() is __host__ __device__ or __device__. An empty
// Optional reports a fault; on the CPU so does an exception, and reading the results back throws a
// std::domain_error with the text of the first one. Several results are returned as a
// tuple, or as an Optional of a tuple.
// Example:
//     struct Twice {
//         WARPINT_HOST_DEVICE BigInt<64> operator()(const BigInt<64> &x) const { return x + x; }
//     };
//     const device_vector<BigInt<64>> a(10, BigInt<64>(3));
//     device_vector<BigInt<64>> r;
//     r = map(Twice{}, a);
template <class Function, class... Operands>
    requires expression::Formula<Operands...>
[[nodiscard]] constexpr auto map(Function function, Operands &&...operands) {
    constexpr bool on_host = (expression::cost<expression::captured_t<Operands>>.on_host || ...);
    static_assert(
        limb::is_passed_to_kernels<Function>(),
        "map: the function is copied as bytes to where it runs, so it must be trivially copyable: "
        "let it hold numbers, pointers or a batch_view, not a container, a string or a "
        "std::function");
#if WARPINT_CUDA
    static_assert(on_host || !limb::is_closure_of_host<Function>(),
                  "map: write the lambda as [] __host__ __device__ (...) -> T { ... } and compile "
                  "with nvcc --extended-lambda, or use a function object whose operator() is "
                  "__host__ __device__");
    static_assert(!limb::is_closure_of_unknown_type<Function>(),
                  "map: write the type that a __device__ lambda returns: [] __device__ (...) -> T "
                  "{ ... }");
    static_assert(on_host || !std::is_pointer_v<Function>,
                  "map: a GPU cannot call a pointer to a function of the host: use a function "
                  "object whose operator() is __host__ __device__");
#else // the host does not know whether a __device__ lambda can be called
    static_assert(
        std::is_invocable_v<const Function &,
                            const typename expression::captured_t<Operands>::value_type &...>,
        "map: the function must take one number of each batch, by value or const reference, of the "
        "type that the formula has: a + b of 64 bits has 65, as<BigInt<64>>(a + b) has 64");
    if constexpr (std::is_invocable_v<const Function &, const typename expression::captured_t<
                                                            Operands>::value_type &...>) {
        using Result =
            std::invoke_result_t<const Function &,
                                 const typename expression::captured_t<Operands>::value_type &...>;
        static_assert(!expression::is_std_optional<std::remove_cvref_t<Result>>,
                      "map: the function returns a std::optional: write warpint::Optional");
        static_assert(!std::is_void_v<Result>,
                      "map: the function returns nothing: let it return the element");
        static_assert(!BuiltinFloating<std::remove_cvref_t<Result>>,
                      "map: elements are integers: let the function return one, as in "
                      "BigInt<64>(x), which truncates");
    }
#endif
    return expression::describe(expression::operation::Map<Function, on_host>{{}, function},
                                std::forward<Operands>(operands)...);
}

// Lets the function of map() take numbers over several lanes: map(over_lanes(f), a, b) calls f with
// WarpInts where wide numbers are spread over lanes of a GPU, and with BigInts elsewhere, so f must
// accept both. As in a kernel with Together::warp, f must not branch on a WarpInt's value around
// operations on WarpInts.
template <class Function>
[[nodiscard]] constexpr expression::TakesLanes<Function> over_lanes(Function function) {
    return {function};
}

} // namespace warpint
