// SPDX-License-Identifier: Apache-2.0
// The operations of formulas that have operators, products and powers: what each means for one
// element (operation_traits.h).
#pragma once

#include "operation_traits.h"

namespace warpint::expression::operation {

struct Add : RingOperation<WorkKind::streaming, WorkKind::product> {
    template <class A, class B>
    WARPINT_APPLY auto apply(bool &, const A &a, const B &b) {
        return exact::add(a, b);
    }
    template <class R>
    WARPINT_HOST_DEVICE static constexpr R wrapped(const R &a, const R &b) {
        return a + b;
    }
    template <class R, class A, class B>
    WARPINT_INLINE static void wrap_into(R &place, const A &a, const B &b) {
        number::add(place, a, b);
    }
};

struct Subtract : RingOperation<WorkKind::streaming, WorkKind::product> {
    template <class A, class B>
    WARPINT_APPLY auto apply(bool &, const A &a, const B &b) {
        return exact::subtract(a, b);
    }
    template <class R>
    WARPINT_HOST_DEVICE static constexpr R wrapped(const R &a, const R &b) {
        return a - b;
    }
    template <class R, class A, class B>
    WARPINT_INLINE static void wrap_into(R &place, const A &a, const B &b) {
        number::subtract(place, a, b);
    }
};

struct Multiply : RingOperation<WorkKind::product, WorkKind::product> {
    template <class A, class B>
    WARPINT_APPLY auto apply(bool &, const A &a, const B &b) {
        return number::as_number(a) * number::as_number(b);
    }
    template <class A, class B>
        requires(AnyResidue<A> || AnyResidue<B>)
    WARPINT_HOST_DEVICE static constexpr auto apply(bool &, const A &a, const B &b) {
        return a * b;
    }
    static constexpr bool is_product = true;
    template <class R, class A, class B>
    WARPINT_APPLY R low(const A &a, const B &b) {
        return number::low_product<R>(number::as_number(a), number::as_number(b));
    }
    WARPINT_TOGETHER(multiplies<Operands...>, multiply)
};

struct Negate : RingOperation<WorkKind::streaming, WorkKind::product> {
    template <class A>
    WARPINT_APPLY auto apply(bool &, const A &a) {
        return exact::negate(a);
    }
};

// Faults: division by zero, or by a residue without an inverse.
struct Divide : RingOperation<WorkKind::division, WorkKind::cofactor> {
    template <class...>
    static constexpr bool can_fault = true;
    template <class A, class B>
    WARPINT_APPLY auto apply(bool &fault, const A &a, const B &b) {
        return number::guard<number::kind_of<A, B>>(
            fault, static_cast<bool>(b),
            [&]() WARPINT_INLINE_LAMBDA { return exact::divide(a, b); });
    }
    template <class A, class B>
        requires(AnyResidue<A> || AnyResidue<B>)
    WARPINT_HOST_DEVICE static constexpr auto apply(bool &fault, const A &a, const B &b) {
        if constexpr (AnyResidue<B>) {
            return a * number::value_or_fault<number::InThread>(fault, inverse(b));
        } else {
            return a * number::value_or_fault<number::InThread>(fault, inverse(a.like(b)));
        }
    }
    WARPINT_TOGETHER(divides<Operands...>, quotient)
};

// a % b with a number or a Modulus. Faults: division by zero.
struct Remainder : ModularOperation<WorkKind::division> {
    static constexpr bool on_numbers = true;
    template <class A, class B>
    static constexpr bool over_lanes = AnyNumber<A> && (AnyNumber<B> || is_lane_modulus<B>);
    template <class A, class B>
    WARPINT_APPLY auto apply(bool &fault, const A &a, const B &b) {
        using Kind = number::kind_of<A, B>;
        return number::guard<Kind>(fault, divides(b), [&]() WARPINT_INLINE_LAMBDA {
            return number::as_number(a) % modulus_of<Kind>(b);
        });
    }
    WARPINT_TOGETHER(divides<Operands...>, remainder)

private:
    template <class B>
    WARPINT_HOST_DEVICE static constexpr bool divides(const B &b) {
        if constexpr (number::Held<B>) {
            return static_cast<bool>(b); // negative divisors too
        } else {
            return is_modulus(b);
        }
    }
};

// Functions modulo the last operand, an unsigned number, a Modulus or a shared one, without values
// wider than the modulus where the function needs none. Faults: modulus <= 0.
using SumModulo =
    ModularOperation<WorkKind::division, WorkKind::streaming>; // of forms it divides nothing
#define WARPINT_MODULAR_BINARY(Name, function, base)                                               \
    struct Name : base {                                                                           \
        template <class A, class B, class M>                                                       \
        WARPINT_APPLY modulo_t<M, A, B> apply(bool &fault, const A &a, const B &b, const M &m) {   \
            using Kind = number::kind_of<A, B, M>;                                                 \
            return number::guard<Kind>(fault, is_modulus(m), [&]() WARPINT_INLINE_LAMBDA {         \
                return function(number::as_number(a), number::as_number(b), modulus_of<Kind>(m));  \
            });                                                                                    \
        }                                                                                          \
    };
WARPINT_MODULAR_BINARY(AddModulo, addmod, SumModulo)
WARPINT_MODULAR_BINARY(SubtractModulo, submod, SumModulo)
WARPINT_MODULAR_BINARY(ProductOfTwo, mulmod, ProductModulo<arith::FoldTerm::none>)
#undef WARPINT_MODULAR_BINARY

struct MultiplyModulo : ProductOfTwo {
    static constexpr bool is_product_modulo = true;
    WARPINT_TOGETHER(multiplies_modulo<Operands...>, multiply_modulo)
};

struct SquareModulo : ModularOperation<WorkKind::fold> {
    template <class A, class M>
    WARPINT_APPLY modulo_t<M, A> apply(bool &fault, const A &a, const M &m) {
        using Kind = number::kind_of<A, M>;
        return number::guard<Kind>(fault, is_modulus(m), [&]() WARPINT_INLINE_LAMBDA {
            return sqrmod(number::as_number(a), modulus_of<Kind>(m));
        });
    }
    template <class Engine, class A, class M>
    static constexpr bool is_together = Engine::template multiplies_modulo<A, A, M>;
    template <class Engine, class R, class A, class M>
    static auto together(const Engine &engine, R *out, int count, const A &a, const M &m) {
        return engine.multiply_modulo(out, count, a, a, m);
    }
};

// (a b + c) mod m, (a b - c) mod m and, with four operands before m, (a b + c d) mod m, (a b - c d)
// mod m. Faults: modulus <= 0.
#define WARPINT_MODULAR_PRODUCTS(Name, function, term)                                             \
    struct Name : ProductModulo<arith::FoldTerm::term, arith::FoldTerm::term##_product> {          \
        template <class A, class B, class C, class M>                                              \
        WARPINT_APPLY modulo_t<M, A, B, C> apply(bool &fault, const A &a, const B &b, const C &c,  \
                                                 const M &m) {                                     \
            using Kind = number::kind_of<A, B, C, M>;                                              \
            return number::guard<Kind>(fault, is_modulus(m), [&]() WARPINT_INLINE_LAMBDA {         \
                return function(number::as_number(a), number::as_number(b), number::as_number(c),  \
                                modulus_of<Kind>(m));                                              \
            });                                                                                    \
        }                                                                                          \
        template <class A, class B, class C, class D, class M>                                     \
        WARPINT_APPLY modulo_t<M, A, B, C, D> apply(bool &fault, const A &a, const B &b,           \
                                                    const C &c, const D &d, const M &m) {          \
            using Kind = number::kind_of<A, B, C, D, M>;                                           \
            return number::guard<Kind>(fault, is_modulus(m), [&]() WARPINT_INLINE_LAMBDA {         \
                return function(number::as_number(a), number::as_number(b), number::as_number(c),  \
                                number::as_number(d), modulus_of<Kind>(m));                        \
            });                                                                                    \
        }                                                                                          \
    };
WARPINT_MODULAR_PRODUCTS(SumOfProducts, muladdmod, plus)
WARPINT_MODULAR_PRODUCTS(DifferenceOfProducts, mulsubmod, minus)
#undef WARPINT_MODULAR_PRODUCTS

struct MultiplyAddModulo : SumOfProducts {
    WARPINT_TOGETHER(adds_products_modulo<Operands...>(), multiply_add_modulo)
};

// Together by products side by side; they are subtracted one by one.
struct MultiplySubtractModulo : DifferenceOfProducts {
private:
    template <class Engine, class A, class B, class C, class M>
    static constexpr bool are_together() {
        return Engine::template adds_products_modulo<A, B, C, M>() &&
               value_bits<C> <= value_bits<M>;
    }
    template <class Engine, class A, class B, class C, class D, class M>
    static constexpr bool are_together() {
        return Engine::template adds_products_modulo<A, B, C, D, M>();
    }

public:
    template <class Engine, class... Operands>
    static constexpr bool is_together = are_together<Engine, Operands...>();
    template <class Engine, class R, class A, class B, class C, class M>
    static auto together(const Engine &engine, R *out, int count, const A &a, const B &b,
                         const C &c, const M &m) {
        R products[Engine::elements]; // out may hold c
        const auto undone = engine.multiply_modulo(products, count, a, b, m);
        for (int i = 0; i < count; ++i) {
            if ((undone >> i & 1u) == 0)
                out[i] = submod(products[i], number::as_number(c.value(i)), modulus_of(m.value(i)));
        }
        return undone;
    }
    template <class Engine, class R, class A, class B, class C, class D, class M>
    static auto together(const Engine &engine, R *out, int count, const A &a, const B &b,
                         const C &c, const D &d, const M &m) {
        R first[Engine::elements];
        R second[Engine::elements];
        const auto undone = engine.multiply_modulo(first, count, a, b, m) |
                            engine.multiply_modulo(second, count, c, d, m);
        for (int i = 0; i < count; ++i) {
            if ((undone >> i & 1u) == 0)
                out[i] = submod(first[i], second[i], modulus_of(m.value(i)));
        }
        return undone;
    }
};

template <number::Bitwise which>
struct Bitwise : NumberOperation<WorkKind::streaming> {
    template <class A, class B>
    WARPINT_APPLY auto apply(bool &, const A &a, const B &b) {
        return exact::combine<which>(a, b);
    }
    template <class R>
    WARPINT_HOST_DEVICE static constexpr R wrapped(const R &a, const R &b) {
        return exact::combine<which>(a, b);
    }
};
using And = Bitwise<number::Bitwise::conjunction>;
using Or = Bitwise<number::Bitwise::disjunction>;
using Xor = Bitwise<number::Bitwise::exclusive>;

// ~ and << keep their operand's width.
struct Complement : NumberOperation<WorkKind::streaming> {
    template <class A>
    WARPINT_APPLY auto apply(bool &, const A &a) {
        return ~number::as_number(a);
    }
};
// Whether a is 0, as a bool.
struct Not : NumberOperation<WorkKind::streaming> {
    template <class A>
    WARPINT_APPLY bool apply(bool &, const A &a) {
        return !static_cast<bool>(a);
    }
};
struct ShiftLeft : NumberOperation<WorkKind::streaming> {
    template <class A, class K>
    WARPINT_APPLY auto apply(bool &, const A &a, const K &k) {
        return number::in_kind<number::kind_of<A, K>>(a) << k;
    }
};
struct ShiftRight : NumberOperation<WorkKind::streaming> {
    template <class A, class K>
    WARPINT_APPLY auto apply(bool &, const A &a, const K &k) {
        return number::in_kind<number::kind_of<A, K>>(a) >> k;
    }
};

// Comparisons by mathematical value; the result is a bool.
#define WARPINT_COMPARISON(Name, symbol, ...)                                                      \
    struct Name : __VA_ARGS__ {                                                                    \
        template <class A, class B>                                                                \
        WARPINT_APPLY bool apply(bool &, const A &a, const B &b) {                                 \
            return number::as_number(a) symbol number::as_number(b);                               \
        }                                                                                          \
    };
WARPINT_COMPARISON(Equal, ==, RingOperation<WorkKind::streaming, WorkKind::product>)
WARPINT_COMPARISON(NotEqual, !=, RingOperation<WorkKind::streaming, WorkKind::product>)
WARPINT_COMPARISON(Less, <, NumberOperation<WorkKind::streaming>)
WARPINT_COMPARISON(Greater, >, NumberOperation<WorkKind::streaming>)
WARPINT_COMPARISON(LessEqual, <=, NumberOperation<WorkKind::streaming>)
WARPINT_COMPARISON(GreaterEqual, >=, NumberOperation<WorkKind::streaming>)
#undef WARPINT_COMPARISON

// pow(a, e, m). Faults: m <= 0, e < 0.
struct Power : BasicOperation<WorkKind::power> {
    static constexpr bool modulus_is_last = true;
    static constexpr int exponent = 1;
    template <class A, class E, class M>
    static constexpr bool can_fault = modulus_can_fault<M> || exponent_can_fault<E>;
    template <class A, class E, class M>
    static constexpr bool over_lanes =
        AnyNumber<A> && (AnyNumber<E> || is_shared_exponent<E>) && is_lane_modulus<M>;
    template <class A, class E, class M>
    WARPINT_APPLY modulo_t<M, A, E> apply(bool &fault, const A &a, const E &e, const M &m) {
        using Kind = number::kind_of<A, E, M>;
        return number::guard<Kind>(fault, is_modulus(m), [&]() WARPINT_INLINE_LAMBDA {
            return raise<Kind>(fault, e, [&](const auto &exponent) WARPINT_INLINE_LAMBDA {
                if constexpr (Kind::together && (ModulusContext<M> || is_shared_modulus<M>)) {
                    // What depends on the modulus alone is known: the power of a residue.
                    using Forms =
                        number::FormArithmetic<number::like_t<number::form_t<value_bits<M>>, A, E>>;
                    const auto &context = modulus_of(m);
                    return Forms::value(
                        Forms::power(Forms::of(number::as_number(a), context), exponent, context),
                        context);
                } else {
                    return pow(number::as_number(a), exponent, modulus_of<Kind>(m));
                }
            });
        });
    }
    WARPINT_TOGETHER(raises<Operands...>, power)
};

// The same with one base and modulus for all elements, by a comb.
struct PowerOfBase : BasicOperation<WorkKind::power> {
    template <class Base, class E>
    static constexpr int bits = value_bits<Base>;
    static constexpr int exponent = 1;
    template <class Base, class E>
    static constexpr bool over_lanes = is_shared_tabled_base<Base>;
    template <int Bits, int ExponentBits, class E>
    WARPINT_HOST_DEVICE static constexpr BigInt<Bits>
    apply(bool &fault, const SharedBase<Bits, ExponentBits> &base, const E &e) {
        if (!base.exists) {
            fault = true;
            return {};
        }
        return base.base.power(number::as_number(e));
    }
    template <int Bits, int ExponentBits, class E>
    WARPINT_APPLY auto apply(bool &fault, const SharedTabledBase<Bits, ExponentBits> &base,
                             const E &e) {
        // Without a modulus there are no tables, for any element.
        fault = fault || !base.exists;
        if constexpr (number::kind_of<E>::together) {
            using R = number::like_t<BigInt<Bits>, E>;
            return base.exists ? power_of_base(base.base, e) : R(0);
        } else {
            return base.exists ? base.base.power(number::as_number(e)) : BigInt<Bits>{};
        }
    }
    WARPINT_TOGETHER(raises_base<Operands...>, power_of_base)
};

// pow(a, e), of a number modulo 2^width of a. Faults: e < 0.
struct PowerWrapping : ResidueOperation<WorkKind::power, WorkKind::power> {
    template <class... Operands>
    static constexpr int bits = widest_operand<Operands...>;
    template <class A, class E>
    static constexpr bool can_fault = number::signed_of<E>;
    template <class A, class E>
    WARPINT_APPLY auto apply(bool &fault, const A &a, const E &e) {
        using Kind = number::kind_of<A, E>;
        return number::guard<Kind>(
            fault, !number::is_negative(number::as_number(e)),
            [&]() WARPINT_INLINE_LAMBDA { return pow(number::in_kind<Kind>(a), e); });
    }
    template <AnyResidue A, class E>
    WARPINT_HOST_DEVICE static constexpr A apply(bool &fault, const A &a, const E &e) {
        const auto number = number::as_number(e);
        if (number::is_negative(number)) {
            fault = true;
            return a.zero();
        }
        const auto exponent = number::to<BigInt<number::bits_of<E>>>(number);
        const int width = arith::bit_width<decltype(exponent)::limb_count>(exponent.limbs);
        if (width != 0 && width <= number::short_exponent_bits) // does not leave the form
            return number::short_power(a, exponent.limbs[0], width);
        return a.raised(exponent);
    }
};

// sqr(a).
struct Square : RingOperation<WorkKind::product, WorkKind::product> {
    template <class A>
    WARPINT_APPLY auto apply(bool &, const A &a) {
        return sqr(number::as_number(a));
    }
    static constexpr bool is_product = true;
    template <class Engine, class A>
    static constexpr bool is_together = Engine::template multiplies<A, A>;
    template <class Engine, class R, class A>
    static auto together(const Engine &engine, R *out, int count, const A &a) {
        return engine.multiply(out, count, a, a);
    }
};

} // namespace warpint::expression::operation
