// SPDX-License-Identifier: Apache-2.0
// The collective of CPU formulas: operations that 32 neighbouring elements do together, wherever
// they stand in a formula. Powers, modular products, exact products and squares of wide numbers run
// side by side in vector registers (simd/group.h); inverses modulo a shared modulus by one
// inversion (Montgomery's trick). Everything else is evaluated element by element, as without.
//
// Not together: products and powers of signed numbers (magnitudes and signs would have to be taken
// apart and joined for every element; unsigned ones and submod() are the fast way), differences a b
// - c modulo m with c wider than m, and powers of a FixedBase by its comb (those of one base and
// modulus in a formula are powers side by side, whose comb is not written: it would take a third of
// their products).
//
// A Group mirrors a lowered formula. prepare() runs through it from the leaves up and computes what
// its collective nodes give for the whole group; value() is then the formula's value for one
// element. What an engine leaves undone (even moduli, doubtful lanes, short tails) is done by the
// operation's own apply(), so that values and faults are those of the formula, bit for bit.
#pragma once

#include "../expression/functions.h"
#include "../modular/inverse_all.h"
#include "../simd/group.h"
#include "evaluate.h"

#include <memory>

namespace warpint::execution {

// Elements that one core takes one after another: a word of fault bits.
inline constexpr std::size_t cpu_group = 32;

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
// run() computes out[i] for the elements i < count that it can and returns the others. Where
// finds_faults, it also takes the faults and adds those of elements that have no value.
template <class Operation>
struct Method {
    template <class... Values>
    static constexpr bool runs = false;
};
struct ByEngine {
    static constexpr bool needs_engine = true;
    static constexpr bool finds_faults = false;
};

// One inversion and three products each (P. L. Montgomery 1987; algorithm/divisor/
// simultaneous_inverse.h), on any machine.
template <>
struct Method<operation::Inverse> {
    static constexpr bool needs_engine = false;
    static constexpr bool finds_faults = true;
    template <class A, class M>
    static constexpr bool runs =
        is_plain<A> &&is_prepared_modulus<M> &&value_bits<A> <= value_bits<M>;
    template <class R, class A, class M>
    static std::uint32_t run(R *out, int count, std::uint32_t &faults, const A &a, const M &m) {
        const auto &modulus = m.value(0);
        if (!operation::is_modulus(modulus))
            return ~std::uint32_t{0};
        R x[cpu_group]{};
        R scratch[cpu_group]{};
        bool exists[cpu_group]{};
        for (int i = 0; i < count; ++i)
            x[i] = number::to<R>(number::as_number(a.value(i)));
        inverse_all_in_place(x, static_cast<std::size_t>(count), operation::modulus_of(modulus),
                             scratch, exists);
        for (int i = 0; i < count; ++i) {
            out[i] = x[i];
            faults |= static_cast<std::uint32_t>(!exists[i]) << i;
        }
        return 0;
    }
};

#if WARPINT_SIMD

template <class R>
simd::Target target_of(R *out) {
    return {out, sizeof(R), R::bits};
}

template <>
struct Method<operation::Power> : ByEngine {
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
struct Method<operation::PowerConstantTime> : ByEngine {
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
struct Method<operation::PowerOfBase> : ByEngine {
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
struct Method<operation::MultiplyModulo> : ByEngine {
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
struct Method<operation::SquareModulo> : ByEngine {
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
struct Method<operation::MultiplyAddModulo> : ByEngine {
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
struct Method<operation::MultiplySubtractModulo> : ByEngine {
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
struct Method<operation::Multiply> : ByEngine {
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
struct Method<operation::Square> : ByEngine {
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
template <class Tree>
inline constexpr bool has_collective = false;
template <class Operation, class... Operands>
inline constexpr bool
    has_collective<Node<Operation, Operands...>> = is_collective<Node<Operation, Operands...>> ||
                                                   (has_collective<Operands> || ...);

// What let() names is known element by element only.
template <int level, class... Operands>
inline constexpr bool has_collective<Node<operation::Let<level>, Operands...>> = false;

// Whether all its collective nodes need an engine.
template <class Tree>
inline constexpr bool only_by_engine = true;
template <class Operation, class... Operands>
inline constexpr bool only_by_engine<Node<Operation, Operands...>> = [] {
    if constexpr (is_collective<Node<Operation, Operands...>>) {
        return Method<Operation>::needs_engine && (only_by_engine<Operands> && ...);
    } else {
        return (only_by_engine<Operands> && ...);
    }
}();

// Whether none of its collective nodes needs an engine.
template <class Tree>
inline constexpr bool only_without_engine = true;
template <class Operation, class... Operands>
inline constexpr bool only_without_engine<Node<Operation, Operands...>> = [] {
    if constexpr (is_collective<Node<Operation, Operands...>>) {
        return !Method<Operation>::needs_engine && (only_without_engine<Operands> && ...);
    } else {
        return (only_without_engine<Operands> && ...);
    }
}();

// Whether a formula is always evaluated in groups, so that its operations are compiled once.
// Without an engine the operations themselves run element by element then; beside a power the
// copies that this costs are nothing.
template <class Tree>
inline constexpr bool always_in_groups = has_collective<Tree> &&
                                         (!only_by_engine<Tree> ||
                                          expression::cost<Tree>.work == WorkKind::power);

// The elements from which an engine, if there is one, takes a formula's groups. Fewer than half its
// lanes are faster one by one: 1 to 3 products of 256 bits modulo m take 0.33 to 0.59 us, 0.46 to
// 0.80 us in a group.
template <class Tree>
inline constexpr std::size_t least_grouped = !has_collective<Tree>    ? ~std::size_t{0}
                                             : always_in_groups<Tree> ? 0
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

// ---- groups

// The elements first .. first + count - 1, count <= 32, first a multiple of 32.
struct Range {
    std::size_t first;
    int count;
};

// A tree without collective nodes: as DirectContext evaluates it.
template <class Tree, bool = has_collective<Tree>, bool = is_collective<Tree>>
class Group {
public:
    explicit Group(const Tree &tree) : tree_{tree} {}
    void prepare(const Range &) {}
    [[nodiscard]] decltype(auto) value(std::size_t index, bool &fault) const {
        return evaluate(tree_, DirectContext{index}, fault);
    }

private:
    const Tree &tree_;
};

// One operand of a collective node, for the whole group: where it lies, or copied.
template <class Operand>
class Column {
    using Value = typename Operand::value_type;
    using Number = BigInt<value_bits<Value>>;
    static constexpr bool is_stored = std::is_same_v<Operand, Elements<Number>>;

public:
    static constexpr int bits = value_bits<Value>;
    static constexpr bool is_shared = is_constant<Operand>; // one value for all elements

    explicit Column(const Operand &operand) : operand_{operand}, group_{operand} {
        if constexpr (is_constant<Operand> && !is_shared_base<Value>)
            numbers_[0] = number_of(operand.value);
    }
    // Bit i of `faults` is set where element i has no value.
    void prepare(const Range &range, std::uint32_t &faults) {
        if constexpr (is_stored) {
            const auto all = static_cast<std::uint32_t>((std::uint64_t{1} << range.count) - 1);
            if (operand_.faults != nullptr)
                faults |= operand_.faults[range.first / 32] & all;
            data_ = operand_.data + range.first;
        } else if constexpr (!is_constant<Operand>) {
            group_.prepare(range);
            for (int i = 0; i < range.count; ++i) {
                if (!take(i, range.first + static_cast<std::size_t>(i))) {
                    numbers_[i] = Number{};
                    faults |= std::uint32_t{1} << i;
                }
            }
        }
    }
    // Element i, as the operation takes it.
    [[nodiscard]] const auto &value(int i) const {
        if constexpr (is_stored) {
            return data_[i];
        } else if constexpr (is_constant<Operand>) {
            return operand_.value;
        } else {
            return numbers_[i];
        }
    }
#if WARPINT_SIMD
    [[nodiscard]] simd::Operand operand() const {
        if constexpr (is_stored) {
            return {data_, sizeof(Number), bits};
        } else {
            return {numbers_, is_constant<Operand> ? 0 : sizeof(Number), bits};
        }
    }
#endif

private:
    bool take(int i, std::size_t index) {
        bool fault = false;
        if constexpr (expression::cost<Operand>.runs_user_code) {
            try {
                numbers_[i] = number_of(group_.value(index, fault));
            } catch (...) { // a user's function says that there is no value
                return false;
            }
        } else {
            numbers_[i] = number_of(group_.value(index, fault));
        }
        return !fault;
    }
    template <class T>
    static Number number_of(const T &value) {
        if constexpr (is_shared_exponent<T>) {
            Number r;
            algorithm::copy<Number::limb_count>(r.limbs, value.schedule.limbs);
            return r;
        } else if constexpr (is_shared_modulus<T>) {
            return value.exists ? value.modulus.value() : Number{};
        } else if constexpr (ModulusContext<T>) {
            return value.value();
        } else {
            return number::to<Number>(number::as_number(value));
        }
    }

    const Operand &operand_;
    Group<Operand> group_;
    const Number *data_ = nullptr; // of stored elements
    Number numbers_[is_stored || is_constant<Operand> ? 1 : cpu_group];
};

// A node of its own with collective nodes below.
template <class Operation, class... Operands>
class Group<Node<Operation, Operands...>, true, false> {
    using Tree = Node<Operation, Operands...>;
    using Positions = std::index_sequence_for<Operands...>;

public:
    explicit Group(const Tree &tree) : Group(tree, Positions{}) {}
    void prepare(const Range &range) { prepare(range, Positions{}); }
    [[nodiscard]] auto value(std::size_t index, bool &fault) const {
        return value(index, fault, Positions{});
    }

private:
    template <std::size_t... i>
    Group(const Tree &tree, std::index_sequence<i...>)
        : tree_{tree}, operands_{{Group<Operands>(slot<i>(tree.operands))}...} {}
    template <std::size_t... i>
    void prepare(const Range &range, std::index_sequence<i...>) {
        (static_cast<expression::Slot<i, Group<Operands>> &>(operands_).value.prepare(range), ...);
    }
    template <std::size_t... i>
    [[nodiscard]] auto value(std::size_t index, bool &fault, std::index_sequence<i...>) const {
        return tree_.apply(fault, slot<i>(operands_).value(index, fault)...);
    }

    const Tree &tree_;
    expression::Slots<Group<Operands>...> operands_;
};

// A collective node.
template <class Operation, class... Operands>
class Group<Node<Operation, Operands...>, true, true> {
    using Tree = Node<Operation, Operands...>;
    using Positions = std::index_sequence_for<Operands...>;

public:
    using Value = typename Tree::value_type;

    explicit Group(const Tree &tree) : Group(tree, Positions{}) {}

    void prepare(const Range &range) { prepare(range, values_); }
    // The same with the values at `out`; there they stay unspecified where there is none.
    void prepare(const Range &range, Value *out) {
        first_ = range.first;
        prepare(range, out, Positions{});
    }
    [[nodiscard]] const Value &value(std::size_t index, bool &fault) const {
        fault = fault || (faults_ >> (index - first_) & 1u) != 0;
        return values_[index - first_];
    }
    [[nodiscard]] std::uint32_t faults() const { return faults_; }

private:
    template <std::size_t... i>
    Group(const Tree &tree, std::index_sequence<i...>)
        : tree_{tree}, columns_{{Column<Operands>(slot<i>(tree.operands))}...} {}

    template <std::size_t... i>
    void prepare(const Range &range, Value *out, std::index_sequence<i...>) {
        faults_ = 0;
        (static_cast<expression::Slot<i, Column<Operands>> &>(columns_).value.prepare(range,
                                                                                      faults_),
         ...);
        std::uint32_t undone = ~std::uint32_t{0};
        if ((!Method<Operation>::needs_engine || has_engine()) &&
            (has_number(slot<i>(tree_.operands)) && ...)) {
            if constexpr (Method<Operation>::finds_faults) {
                undone = Method<Operation>::run(out, range.count, faults_, slot<i>(columns_)...);
            } else {
                undone = Method<Operation>::run(out, range.count, slot<i>(columns_)...);
            }
        }
        undone &= static_cast<std::uint32_t>((std::uint64_t{1} << range.count) - 1) & ~faults_;
        for (; undone != 0; undone &= undone - 1) {
            const int k = std::countr_zero(undone);
            bool fault = false;
            const Value value = tree_.apply(fault, slot<i>(columns_).value(k)...);
            if (fault) {
                faults_ |= std::uint32_t{1} << k;
            } else {
                out[k] = value;
            }
        }
    }

    // A shared exponent that is negative has none: each element faults by itself.
    template <class Operand>
    static bool has_number(const Operand &operand) {
        if constexpr (is_constant<Operand>) {
            if constexpr (is_shared_exponent<typename Operand::value_type>)
                return operand.value.exists;
        }
        return true;
    }

    const Tree &tree_;
    expression::Slots<Column<Operands>...> columns_;
    std::size_t first_ = 0;
    std::uint32_t faults_ = 0;
    Value values_[cpu_group];
};

} // namespace collective
} // namespace warpint::execution
