// SPDX-License-Identifier: Apache-2.0
// What CPUs do together (cut.h): operations that 32 neighbouring elements do side by side in vector
// registers, wherever they stand in a formula. These are powers, modular products, exact products
// and squares of wide numbers (simd/group.h). Everything else is evaluated element by element.
//
// Not together: products and powers of signed numbers (magnitudes and signs would have to be taken
// apart and joined for every element; unsigned ones and submod() are the fast way), differences a b
// - c modulo m with c wider than m, and powers of a FixedBase by its comb (those of one base and
// modulus in a formula are powers side by side, whose comb is not written: it would take a third of
// their products).
//
// What an engine leaves undone (even moduli, doubtful lanes, short tails) is done by the
// operation's own apply(), so that values and faults are those of the formula, bit for bit.
#pragma once

#include "../expression/functions.h"
#include "../simd/group.h"
#include "cut.h"
#include "parallel.h"

namespace warpint::execution {

namespace collective {

using expression::is_constant;
using expression::is_shared_exponent;
using expression::is_shared_modulus;
using expression::larger;
using expression::Node;
using expression::slot;
using expression::value_bits;
namespace operation = expression::operation;

// ---- which operations a group does together

// Unsigned numbers: what engines take.
template <class T>
inline constexpr bool is_plain = false;
template <AnyNumber T>
inline constexpr bool is_plain<T> = !number::signed_of<T>;
template <class T>
inline constexpr bool is_prepared_modulus = is_shared_modulus<T> || ModulusContext<T>;

template <class T>
inline constexpr bool is_shared_base = false;
template <int Bits, int ExponentBits>
inline constexpr bool is_shared_base<expression::SharedBase<Bits, ExponentBits>> = true;

// Wide enough to pay, and operands of about one width.
template <class A, class B>
inline constexpr bool are_similar =
    4 * value_bits<A> >= 3 * value_bits<B> && 4 * value_bits<B> >= 3 * value_bits<A>;

// Specialised for the operations that are done together: runs<Values...> says for which operands,
// run() computes out[i] for the elements i < count that it can and returns the others.
template <class Operation>
struct Method {
    template <class... Values>
    static constexpr bool runs = false;
};

#if WARPINT_SIMD

template <class R>
simd::Target target_of(R *out) {
    return {out, sizeof(R), R::bits};
}

template <>
struct Method<operation::Power> {
    template <class A, class E, class M>
    static constexpr bool
        runs = is_plain<A> &&
               (is_plain<E> || is_shared_exponent<E>)&&(is_plain<M> ||
                                                        is_prepared_modulus<M>)&&value_bits<M> >=
                   simd::least_power_bits &&value_bits<M> <= simd::largest_bits &&value_bits<A> <=
                   2 * value_bits<M>;
    template <class R, class A, class E, class M>
    static std::uint32_t run(R *out, int count, const A &a, const E &e, const M &m) {
        constexpr auto exponents = E::is_shared ? simd::Exponents::shared : simd::Exponents::any;
        return simd::power<R::bits, simd::Timing::variable, exponents>(
            target_of(out), a.operand(), e.operand(), m.operand(), count);
    }
};

// In constant time as the operation is.
template <>
struct Method<operation::PowerConstantTime> {
    template <class A, class E, class M>
    static constexpr bool runs = is_plain<E> &&Method<operation::Power>::runs<A, E, M>;
    template <class R, class A, class E, class M>
    static std::uint32_t run(R *out, int count, const A &a, const E &e, const M &m) {
        return simd::power<R::bits, simd::Timing::constant>(target_of(out), a.operand(),
                                                            e.operand(), m.operand(), count);
    }
};

// One base modulo one modulus. Without an engine a comb, which takes a third of the products of a
// power; eight powers side by side cost as much as one or two.
template <>
struct Method<operation::PowerOfBase> {
    static constexpr int least_elements = 4;
    template <class B, class E>
    static constexpr bool runs =
        is_plain<E> &&value_bits<B> >= simd::least_power_bits &&value_bits<B> <= simd::largest_bits;
    template <class R, class B, class E>
    static std::uint32_t run(R *out, int count, const B &b, const E &e) {
        const auto &shared = b.value(0);
        if (count < least_elements || !shared.exists)
            return ~std::uint32_t{0};
        const R base = shared.base.base();
        const R modulus = shared.base.modulus().value();
        return simd::power<R::bits>(target_of(out), {base.limbs, 0, R::bits}, e.operand(),
                                    {modulus.limbs, 0, R::bits}, count);
    }
};

template <>
struct Method<operation::MultiplyModulo> {
    template <class A, class B, class M>
    static constexpr bool runs =
        is_plain<A> &&is_plain<B> &&
        (is_plain<M> ||
         is_prepared_modulus<M>)&&are_similar<A, B> &&are_similar<A, M> &&value_bits<A> >=
            simd::least_remainder_bits &&larger(value_bits<A>, value_bits<B>) <= simd::largest_bits;
    template <class R, class A, class B, class M>
    static std::uint32_t run(R *out, int count, const A &a, const B &b, const M &m) {
        return simd::multiply_modulo<larger(A::bits, B::bits)>(target_of(out), a.operand(),
                                                               b.operand(), m.operand(), count);
    }
};
template <>
struct Method<operation::SquareModulo> {
    template <class A, class M>
    static constexpr bool runs = Method<operation::MultiplyModulo>::runs<A, A, M>;
    template <class R, class A, class M>
    static std::uint32_t run(R *out, int count, const A &a, const M &m) {
        return simd::multiply_modulo<A::bits>(target_of(out), a.operand(), a.operand(), m.operand(),
                                              count);
    }
};

template <class... Values>
inline constexpr bool runs_product_sum = false;
template <class A, class B, class C, class M>
inline constexpr bool runs_product_sum<A, B, C, M> =
    Method<operation::MultiplyModulo>::runs<A, B, M> &&is_plain<C> &&value_bits<C> <=
    2 * larger(value_bits<A>, value_bits<B>);
template <class A, class B, class C, class D, class M>
inline constexpr bool runs_product_sum<A, B, C, D, M> =
    Method<operation::MultiplyModulo>::runs<A, B, M>
        &&Method<operation::MultiplyModulo>::runs<C, D, M>;
template <>
struct Method<operation::MultiplyAddModulo> {
    template <class... Values>
    static constexpr bool runs = runs_product_sum<Values...>;
    template <class R, class A, class B, class C, class M>
    static std::uint32_t run(R *out, int count, const A &a, const B &b, const C &c, const M &m) {
        return simd::multiply_add_modulo<larger(A::bits, B::bits)>(
            target_of(out), a.operand(), b.operand(), c.operand(), m.operand(), count);
    }
    template <class R, class A, class B, class C, class D, class M>
    static std::uint32_t run(R *out, int count, const A &a, const B &b, const C &c, const D &d,
                             const M &m) {
        constexpr int bits = larger(larger(A::bits, B::bits), larger(C::bits, D::bits));
        return simd::multiply_add_modulo<bits>(target_of(out), a.operand(), b.operand(),
                                               c.operand(), d.operand(), m.operand(), count);
    }
};

// By remainders side by side; the subtraction modulo m one by one.
template <class... Values>
inline constexpr bool runs_product_difference = runs_product_sum<Values...>;
template <class A, class B, class C, class M>
inline constexpr bool runs_product_difference<A, B, C, M> =
    runs_product_sum<A, B, C, M> &&value_bits<C> <= value_bits<M>;
template <>
struct Method<operation::MultiplySubtractModulo> {
    template <class... Values>
    static constexpr bool runs = runs_product_difference<Values...>;
    template <class R, class A, class B, class C, class M>
    static std::uint32_t run(R *out, int count, const A &a, const B &b, const C &c, const M &m) {
        R products[cpu_group]; // out may hold c
        const std::uint32_t undone =
            Method<operation::MultiplyModulo>::run(products, count, a, b, m);
        for (int i = 0; i < count; ++i) {
            if ((undone >> i & 1u) == 0)
                out[i] = submod(products[i], number::as_number(c.value(i)),
                                operation::modulus_of(m.value(i)));
        }
        return undone;
    }
    template <class R, class A, class B, class C, class D, class M>
    static std::uint32_t run(R *out, int count, const A &a, const B &b, const C &c, const D &d,
                             const M &m) {
        R first[cpu_group];
        R second[cpu_group];
        const std::uint32_t undone = Method<operation::MultiplyModulo>::run(first, count, a, b, m) |
                                     Method<operation::MultiplyModulo>::run(second, count, c, d, m);
        for (int i = 0; i < count; ++i) {
            if ((undone >> i & 1u) == 0)
                out[i] = submod(first[i], second[i], operation::modulus_of(m.value(i)));
        }
        return undone;
    }
};
template <>
struct Method<operation::Multiply> {
    template <class A, class B>
    static constexpr bool runs = is_plain<A> &&is_plain<B> &&are_similar<A, B> &&value_bits<A> >=
                                 simd::least_product_bits &&
                                     larger(value_bits<A>, value_bits<B>) <= simd::largest_bits;
    template <class R, class A, class B>
    static std::uint32_t run(R *out, int count, const A &a, const B &b) {
        return simd::multiply<larger(A::bits, B::bits)>(target_of(out), a.operand(), b.operand(),
                                                        count);
    }
};
template <>
struct Method<operation::Square> {
    template <class A>
    static constexpr bool runs = Method<operation::Multiply>::runs<A, A>;
    template <class R, class A>
    static std::uint32_t run(R *out, int count, const A &a) {
        return simd::multiply<A::bits>(target_of(out), a.operand(), a.operand(), count);
    }
};

#endif

// True where engines may be used in this process.
inline bool has_engine() {
#if WARPINT_SIMD
    return simd::engine() != simd::Engine::scalar;
#else
    return false;
#endif
}

// Whether a node is done together, and whether there is such a node in a tree.
template <class Tree>
inline constexpr bool is_collective = false;
template <class Operation, class... Operands>
inline constexpr bool is_collective<Node<Operation, Operands...>> =
    Method<Operation>::template runs<typename Operands::value_type...>;

template <class Node>
struct TogetherOf {
    static constexpr bool exists = is_collective<Node>;
    static constexpr CutTogether<Node> cut(const Node &node) { return {node}; }
};
struct ByEngine {
    template <class Node>
    using of = TogetherOf<Node>;
};
// What is cut out of formulas on CPUs.
struct Cuts {
    template <class Node>
    using of = std::conditional_t<execution::detail::InverseOf<Node>::exists,
                                  execution::detail::InverseOf<Node>, TogetherOf<Node>>;
};

template <class Tree>
inline constexpr bool has_collective = has_cuts<ByEngine, Tree>;

// Whether a formula is always evaluated in rows, so that its operations are compiled once. Without
// an engine its operations run element by element then; beside a power the copies that this costs
// are nothing.
template <class Tree>
inline constexpr bool always_in_rows = has_cuts<Inverses, Tree> ||
                                       (has_collective<Tree> &&
                                        expression::cost<Tree>.work == WorkKind::power);

// The elements from which an engine, if there is one, takes a formula's groups. Fewer than half its
// lanes are faster one by one: 1 to 3 products of 256 bits modulo m take 0.33 to 0.59 us, 0.46 to
// 0.80 us in a group.
template <class Tree>
inline constexpr std::size_t least_grouped = !has_cuts<Cuts, Tree>  ? ~std::size_t{0}
                                             : always_in_rows<Tree> ? 0
                                                                    : 4;

// In words, for explain(), of `count` elements of a formula with this least_grouped.
inline const char *reason([[maybe_unused]] std::size_t least, [[maybe_unused]] std::size_t count) {
    constexpr const char *one_by_one = "the batch lies in host memory";
#if WARPINT_SIMD
    if (count >= least && has_engine()) {
        return simd::engine() == simd::Engine::avx512_ifma
                   ? "the batch lies in host memory; 8 or 16 elements side by side (AVX-512 IFMA)"
                   : "the batch lies in host memory; 8 or 16 elements side by side (emulated)";
    }
#endif
    return one_by_one;
}

// The window of a power's exponents, in bits, where an engine does such powers of `count` elements
// together; 0 where it does not. What types do not say is taken to be as it mostly is: exponents as
// long as their type, odd moduli.
template <class Node>
int engine_window(const Node &, std::size_t) {
    return 0;
}
#if WARPINT_SIMD
template <class Operand>
bool may_be_odd(const Operand &modulus) {
    using M = typename Operand::value_type;
    if constexpr (!is_constant<Operand>) {
        return true;
    } else if constexpr (is_shared_modulus<M>) {
        return modulus.value.exists && test_bit(modulus.value.modulus.value(), 0);
    } else {
        return test_bit(number::modulus_value(modulus.value), 0);
    }
}
template <class A, class E, class M>
int engine_window(const Node<operation::Power, A, E, M> &power, std::size_t count) {
    using Exponent = typename E::value_type;
    if constexpr (is_collective<Node<operation::Power, A, E, M>>) {
        constexpr int bits = value_bits<typename M::value_type>;
        if (!has_engine() || count < simd::least_power_elements ||
            !may_be_odd(slot<2>(power.operands)))
            return 0;
        if constexpr (is_shared_exponent<Exponent>) {
            const auto &schedule = slot<1>(power.operands).value.schedule;
            return simd::power_window<bits>(algorithm::ExponentShape{schedule.bits, schedule.ones});
        } else if constexpr (is_constant<E>) { // one too long for a schedule
            const auto &e = slot<1>(power.operands).value;
            return simd::power_window<bits>(
                algorithm::exponent_shape(e.limbs, Exponent::limb_count));
        } else {
            return simd::power_window<bits>(value_bits<Exponent>);
        }
    }
    return 0;
}
template <class B, class E>
int engine_window(const Node<operation::PowerOfBase, B, E> &power, std::size_t count) {
    using Method = Method<operation::PowerOfBase>;
    using Base = typename B::value_type;
    if constexpr (is_collective<Node<operation::PowerOfBase, B, E>>) {
        const auto &shared = slot<0>(power.operands).value;
        if (has_engine() && count >= Method::least_elements && shared.exists &&
            shared.base.modulus().is_odd())
            return simd::power_window<value_bits<Base>>(value_bits<typename E::value_type>);
    }
    return 0;
}
#endif

} // namespace collective
} // namespace warpint::execution
