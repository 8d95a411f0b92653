// SPDX-License-Identifier: Apache-2.0
// What CPUs do together (evaluation/cut.h): operations that 32 neighbouring elements do side by
// side in vector registers, wherever they stand in a formula. An operation says so itself, in terms
// of what an engine does: powers, modular products, divisions, square roots and exact products of
// wide numbers (arith/simd/group.h). Everything else is evaluated element by element.
//
// Not together: products, quotients and powers of signed numbers (magnitudes and signs would have
// to be taken apart and joined for every element; unsigned ones and submod() are the fast way),
// differences a b
// - c modulo m with c wider than m, and powers of a FixedBase by its comb (those of one base and
// modulus in a formula are powers side by side, whose comb is not written: it would take a third of
// their products, from 1024 bits on a sixth).
//
// What an engine leaves undone (the modulus 0, doubtful lanes, short tails) is done by the
// operation's own apply(), so that values and faults are those of the formula, bit for bit.
#pragma once

#include "../../arith/simd/group.h"
#include "../../expression/functions.h"
#include "../evaluation/cut.h"
#include "../memory/parallel.h"

namespace warpint::execution {

namespace collective {

using expression::greatest;

// ---- what an engine does for operations

// Unsigned numbers: what engines take.
template <class T>
inline constexpr bool is_unsigned = false;
template <AnyNumber T>
inline constexpr bool is_unsigned<T> = !number::signed_of<T>;

template <class T>
inline constexpr bool is_shared_base = false;
template <int Bits, int ExponentBits>
inline constexpr bool is_shared_base<expression::SharedBase<Bits, ExponentBits>> = true;
template <int Bits, int ExponentBits>
inline constexpr bool is_shared_base<expression::SharedTabledBase<Bits, ExponentBits>> = true;

#if WARPINT_SIMD

// Up to 32 elements side by side, for an operation's together() (expression/operation_traits.h).
// The constants say of which types of operands; the functions compute out[i] for the elements i <
// count that the engine can do, and return the others. An operand is a RowOperand (strips.h).
struct SideBySide {
    static constexpr int elements = static_cast<int>(cpu_group);
    // Without an engine powers of one base take a comb and a third of the products; eight side by
    // side cost as much as one or two.
    static constexpr int min_powers_of_base = 4;

private:
    template <class T>
    static constexpr bool is_modulus = is_unsigned<T> || is_shared_modulus<T> || ModulusContext<T>;
    template <class A, class B>
    static constexpr int widest = greatest(value_bits<A>, value_bits<B>);
    template <class A, class B>
    static constexpr bool are_similar =
        (4 * value_bits<A> >= 3 * value_bits<B>) && (4 * value_bits<B> >= 3 * value_bits<A>);
    template <int least, class A, class B, class M>
    static constexpr bool multiplies_modulo_from =
        is_unsigned<A> && is_unsigned<B> && is_modulus<M> && are_similar<A, B> &&
        are_similar<A, M> && (value_bits<A> >= least) && (widest<A, B> <= simd::largest_bits);
    template <int bits>
    static constexpr bool raises_modulo =
        bits >= simd::min_power_bits && bits <= simd::largest_bits;

public:
    // Of operands that are wide enough to pay and of about one width.
    template <class A, class B>
    static constexpr bool multiplies =
        is_unsigned<A> && is_unsigned<B> && are_similar<A, B> &&
        (value_bits<A> >= simd::min_product_bits) && (widest<A, B> <= simd::largest_bits);
    template <class A, class B, class M>
    static constexpr bool multiplies_modulo =
        multiplies_modulo_from<simd::min_remainder_bits, A, B, M>;
    // a b + c or a b + c d modulo the last.
    template <class A, class B, class C, class M>
    static constexpr bool adds_products_modulo() {
        return multiplies_modulo_from<simd::min_sum_remainder_bits, A, B, M> && is_unsigned<C> &&
               value_bits<C> <= 2 * widest<A, B>;
    }
    template <class A, class B, class C, class D, class M>
    static constexpr bool adds_products_modulo() {
        return multiplies_modulo_from<simd::min_sum_remainder_bits, A, B, M> &&
               multiplies_modulo_from<simd::min_sum_remainder_bits, C, D, M>;
    }
    // a / m, a % m and both.
    template <class A, class M>
    static constexpr bool divides =
        is_unsigned<A> && is_modulus<M> && (value_bits<M> >= simd::min_remainder_bits) &&
        (value_bits<A> >= value_bits<M> + simd::min_quotient_bits(value_bits<M>)) &&
        (value_bits<A> <= simd::largest_bits);
    // Of signed numbers too, whose bits are those of their magnitudes unless they are negative.
    template <class A>
    static constexpr bool takes_root = AnyNumber<A> && (value_bits<A> >= simd::min_root_bits) &&
                                       (value_bits<A> <= simd::largest_bits);
    template <class A, class E, class M>
    static constexpr bool raises =
        is_unsigned<A> && (is_unsigned<E> || is_shared_exponent<E>) && is_modulus<M> &&
        raises_modulo<value_bits<M>> && (value_bits<A> <= 2 * value_bits<M>);
    template <class A, class E, class M>
    static constexpr bool raises_in_constant_time = is_unsigned<E> && raises<A, E, M>;
    template <class Base, class E>
    static constexpr bool raises_base = is_unsigned<E> && raises_modulo<value_bits<Base>>;

    template <class R, class A, class B>
    static std::uint32_t multiply(R *out, int count, const A &a, const B &b) {
        return simd::multiply<greatest(A::bits, B::bits)>(target_of(out), a.operand(), b.operand(),
                                                          count);
    }
    template <class R, class A, class B, class M>
    static std::uint32_t multiply_modulo(R *out, int count, const A &a, const B &b, const M &m) {
        return simd::multiply_modulo<greatest(A::bits, B::bits)>(target_of(out), a.operand(),
                                                                 b.operand(), m.operand(), count);
    }
    template <class R, class A, class B, class C, class M>
    static std::uint32_t multiply_add_modulo(R *out, int count, const A &a, const B &b, const C &c,
                                             const M &m) {
        return simd::multiply_add_modulo<greatest(A::bits, B::bits)>(
            target_of(out), a.operand(), b.operand(), c.operand(), m.operand(), count);
    }
    template <class R, class A, class B, class C, class D, class M>
    static std::uint32_t multiply_add_modulo(R *out, int count, const A &a, const B &b, const C &c,
                                             const D &d, const M &m) {
        constexpr int bits = greatest(A::bits, B::bits, C::bits, D::bits);
        return simd::multiply_add_modulo<bits>(target_of(out), a.operand(), b.operand(),
                                               c.operand(), d.operand(), m.operand(), count);
    }
    template <class R, class A, class M>
    static std::uint32_t quotient(R *out, int count, const A &a, const M &m) {
        const simd::Target target = target_of(out);
        return simd::divide<A::bits>(&target, nullptr, a.operand(), m.operand(), count);
    }
    template <class R, class A, class M>
    static std::uint32_t remainder(R *out, int count, const A &a, const M &m) {
        const simd::Target target = target_of(out);
        return simd::divide<A::bits>(nullptr, &target, a.operand(), m.operand(), count);
    }
    template <class R, class A, class M>
    static std::uint32_t both(R *out, int count, const A &a, const M &m) {
        const simd::Target quotient = part_of<0>(out);
        const simd::Target remainder = part_of<1>(out);
        return simd::divide<A::bits>(&quotient, &remainder, a.operand(), m.operand(), count);
    }
    template <class R, class A>
    static std::uint32_t square_root(R *out, int count, const A &a) {
        return simd::square_root<A::bits, number::signed_of<R>>(target_of(out), a.operand(), count);
    }
    template <class R, class A, class E, class M>
    static std::uint32_t power(R *out, int count, const A &a, const E &e, const M &m) {
        constexpr auto exponents = E::is_shared ? simd::Exponents::shared : simd::Exponents::any;
        return simd::power<R::bits, simd::Timing::variable, exponents>(
            target_of(out), a.operand(), e.operand(), m.operand(), count);
    }
    template <class R, class A, class E, class M>
    static std::uint32_t power_in_constant_time(R *out, int count, const A &a, const E &e,
                                                const M &m) {
        return simd::power<R::bits, simd::Timing::constant>(target_of(out), a.operand(),
                                                            e.operand(), m.operand(), count);
    }
    // One base modulo one modulus.
    template <class R, class Base, class E>
    static std::uint32_t power_of_base(R *out, int count, const Base &b, const E &e) {
        const auto &shared = b.value(0);
        if (count < min_powers_of_base || !shared.exists)
            return ~std::uint32_t{0};
        const R base = shared.base.base();
        const R modulus = shared.base.modulus().value();
        return simd::power<R::bits>(target_of(out), {base.limbs, 0, R::bits}, e.operand(),
                                    {modulus.limbs, 0, R::bits}, count);
    }

private:
    template <class R>
    static simd::Target target_of(R *out) {
        return {out, sizeof(R), R::bits};
    }
    // Of results of several parts.
    template <int k, class R>
    static simd::Target part_of(R *out) {
        auto &part = item<k>(*out);
        return {&part, sizeof(R), std::remove_cvref_t<decltype(part)>::bits};
    }
};

#else

struct SideBySide {};

#endif

// True where engines may be used in this process.
inline bool has_engine() {
#if WARPINT_SIMD
    return simd::engine() != simd::Engine::scalar;
#else
    return false;
#endif
}
// Elements that make a core as fast as more of them do, of numbers of so many bits.
inline std::size_t elements_at_once([[maybe_unused]] int bits) {
#if WARPINT_SIMD
    return simd::elements_at_once(bits);
#else
    return 1;
#endif
}

struct ByEngine {
    template <class Node>
    using of = TogetherBy<SideBySide, std::conditional_t<WARPINT_SIMD != 0, Node, void>>;
};
// What is cut out of formulas on CPUs.
struct Cuts {
    template <class Node>
    using of = std::conditional_t<InverseOf<Node>::exists, InverseOf<Node>, ByEngine::of<Node>>;
};

// Whether there is a node in a tree that is done together.
template <class Tree>
inline constexpr bool has_collective = has_cuts<ByEngine, Tree>;

// Whether a formula is always evaluated in rows, so that its operations are compiled once. Without
// an engine its operations run element by element then; beside a power the copies that this costs
// are nothing.
template <class Tree>
inline constexpr bool always_in_rows =
    has_cuts<Inverses, Tree> ||
    (has_collective<Tree> && expression::cost<Tree>.work == WorkKind::power);

// The elements from which an engine, if there is one, takes a formula's groups. Fewer than half its
// lanes are faster one by one: 1 to 3 products of 256 bits modulo m take 0.33 to 0.59 us, 0.46 to
// 0.80 us in a group.
template <class Tree>
inline constexpr std::size_t min_grouped = !has_cuts<Cuts, Tree>  ? ~std::size_t{0}
                                           : always_in_rows<Tree> ? 0
                                                                  : 4;

// In words, for explain(), of `count` elements of a formula with this min_grouped.
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

// ---- the window of a power

template <class Operand>
bool may_exist(const Operand &modulus) {
    using M = typename Operand::value_type;
    if constexpr (!is_constant<Operand>) {
        return true;
    } else if constexpr (is_shared_modulus<M>) {
        return modulus.value.exists;
    } else {
        return static_cast<bool>(number::modulus_value(modulus.value));
    }
}

// The window of a power's exponents, in bits, where an engine does such powers of `count` elements
// together; 0 where it does not. Powers of a base that all elements share have no modulus:
// SharedBase knows it. What types do not say is taken to be as it mostly is: exponents as long as
// their type.
template <class Node>
int engine_window([[maybe_unused]] const Node &power, [[maybe_unused]] std::size_t count) {
#if WARPINT_SIMD
    if constexpr (TogetherBy<SideBySide, Node>::exists && Node::exponent >= 0) {
        const auto &e = item<Node::exponent>(power.operands);
        using E = std::remove_cvref_t<decltype(e)>;
        using Exponent = typename E::value_type;
        if (!has_engine())
            return 0;
        if constexpr (!Node::modulus_is_last) {
            const auto &shared = item<0>(power.operands).value;
            constexpr int bits = value_bits<std::remove_cvref_t<decltype(shared)>>;
            if (count >= SideBySide::min_powers_of_base && shared.exists)
                return simd::power_window<bits>(value_bits<Exponent>);
        } else {
            const auto &m = item<2>(power.operands);
            constexpr int bits = value_bits<typename std::remove_cvref_t<decltype(m)>::value_type>;
            if (count < simd::min_power_elements || !may_exist(m))
                return 0;
            if constexpr (is_shared_exponent<Exponent>) {
                const auto &schedule = e.value.schedule;
                return simd::power_window<bits>(arith::ExponentShape{schedule.bits, schedule.ones});
            } else if constexpr (is_constant<E>) { // one too long for a schedule
                return simd::power_window<bits>(
                    arith::exponent_shape(e.value.limbs, Exponent::limb_count));
            } else {
                return simd::power_window<bits>(value_bits<Exponent>);
            }
        }
    }
#endif
    return 0;
}

} // namespace collective
} // namespace warpint::execution
