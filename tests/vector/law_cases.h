// SPDX-License-Identifier: Apache-2.0
// The law of batches: a formula is exact until it is stored. These tests take every operation, put
// every operation into each of its operands, and hold each element of the result to the value the
// formula has in GMP's integers.
//
// A test program runs groups of outer operations (law_oracle.h), each with all inner operations.
// The types of formulas are pinned too: test::FormulaType states the widths by the contract, and
// every formula built here is checked against it at compile time. The GMP side (law_oracle.cpp)
// shares no code with warpint.
#pragma once

#include "law_oracle.h"
#include "support/oracle.h"

#include <warpint/vector.h>

#include <doctest/doctest.h>

namespace law {

// ---- formulas

template <class T>
constexpr Shape shape_of() {
    if constexpr (warpint::ModulusContext<T>) {
        return {T::bits, false};
    } else if constexpr (warpint::BuiltinInteger<T>) {
        return {std::is_same_v<T, bool> ? 1 : static_cast<int>(8 * sizeof(T)), std::is_signed_v<T>};
    } else {
        return {T::bits, T::is_signed};
    }
}

// ---- batches

#if defined(__CUDACC__)
template <class T>
using HostVector = warpint::device_vector<T>;
#else
template <class T>
using HostVector = warpint::host_vector<T>;
#endif
template <class T>
using DeviceVector = warpint::device_vector<T>;

// Three leaves: vectors, numbers or a Modulus, and the same values for the oracle.
template <class A, class B, class C>
struct Leaves {
    std::string name;
    Columns columns;
    A a;
    B b;
    C c;
};

template <template <class> class Vector, class T>
Vector<T> vector_of(const Column &column) {
    std::vector<T> values(column.values.size());
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = test::from_integer<T>(column.values[i]);
    return Vector<T>(values);
}

template <template <class> class Vector, class A, class B, class C>
Leaves<Vector<A>, Vector<B>, Vector<C>> draw_leaves(const std::string &name) {
    Columns columns = draw(name, shape_of<A>(), shape_of<B>(), shape_of<C>(), element_count());
    Vector<A> a = vector_of<Vector, A>(columns[0]);
    Vector<B> b = vector_of<Vector, B>(columns[1]);
    Vector<C> c = vector_of<Vector, C>(columns[2]);
    return {name, std::move(columns), std::move(a), std::move(b), std::move(c)};
}

template <class T>
Integer constant_value(const T &value) {
    if constexpr (warpint::ModulusContext<T>) {
        return test::to_integer(value.value());
    } else {
        return test::to_integer(value);
    }
}

// A vector beside two constants.
template <template <class> class Vector, class A, class B, class C>
Leaves<Vector<A>, B, C> draw_leaves_beside(const std::string &name, const B &b, const C &c) {
    Columns columns = draw(name, shape_of<A>(), shape_of<B>(), shape_of<C>(), element_count());
    columns[1] = constant(shape_of<B>(), constant_value(b), element_count());
    columns[2] = constant(shape_of<C>(), constant_value(c), element_count());
    Vector<A> a = vector_of<Vector, A>(columns[0]);
    return {name, std::move(columns), std::move(a), b, c};
}

// ---- one formula

template <class Outer, class Inner, int position, class Batch>
auto build(const Batch &batch) {
    const grid::Parameters none{};
    const auto nested = apply<Inner>(batch.a, batch.b, batch.c);
    if constexpr (Outer::arity == 1) {
        return Outer::apply(nested, none);
    } else if constexpr (Outer::arity == 2) {
        if constexpr (position == 0) {
            return Outer::apply(nested, batch.c, none);
        } else {
            return Outer::apply(batch.c, nested, none);
        }
    } else if constexpr (position == 0) {
        return Outer::apply(nested, batch.a, batch.c, none);
    } else if constexpr (position == 1) {
        return Outer::apply(batch.a, nested, batch.c, none);
    } else {
        return Outer::apply(batch.a, batch.c, nested, none);
    }
}

// The same of types alone.
using test::FormulaType;
template <class C>
constexpr FormulaType type_of_case(FormulaType a, FormulaType b, FormulaType c) {
    return apply<C>(a, b, c);
}
using TypeOfCase = FormulaType (*)(FormulaType, FormulaType, FormulaType);
constexpr Shape pair_shape(TypeOfCase outer, std::size_t arity, TypeOfCase inner, int position,
                           FormulaType a, FormulaType b, FormulaType c) {
    const FormulaType nested = inner(a, b, c);
    if (arity < 3)
        return (position == 0 ? outer(nested, c, c) : outer(c, nested, nested)).type;
    return (position == 0   ? outer(nested, a, c)
            : position == 1 ? outer(a, nested, c)
                            : outer(a, c, nested))
        .type;
}

template <class T>
constexpr FormulaType leaf_type() {
    if constexpr (warpint::AnyNumber<T> || warpint::ModulusContext<T>) {
        return FormulaType{shape_of<T>()};
    } else {
        return FormulaType{shape_of<typename T::value_type>()};
    }
}

template <class Vector>
Result read(Vector &vector, bool exact) {
    using T = typename Vector::value_type;
    Result result;
    result.shape = shape_of<T>();
    result.element_bytes = static_cast<int>(sizeof(T));
    result.exact = exact;
    result.faults = vector.error_mask();
    vector.clear_errors();
    const auto values = vector.to_host();
    if constexpr (std::is_same_v<T, bool>) {
        result.bytes.assign(values.begin(), values.end());
    } else {
        const auto *bytes = reinterpret_cast<const unsigned char *>(values.data());
        result.bytes.assign(bytes, bytes + values.size() * sizeof(T));
    }
    return result;
}

// What explain() said of a formula is what ran.
inline void check_ran_as(const warpint::Explanation &explained) {
    CHECK(warpint::execution::explanation_of(warpint::execution::last_run()) == explained);
}

// What the formula is stored in: eval()'s own type, or a number type.
struct Exact {};

template <class Vector, class Batch, class Tree>
void store_and_verify(const Batch &batch, const Pair &pair, const Tree &tree) {
    static Vector result; // one for many formulas: stale faults and elements would show
    if (result.empty())
        result.resize(element_count());
    const warpint::Explanation explained = explain(tree, result);
    result = tree;
    check_ran_as(explained);
    verify(batch.name, pair, batch.columns, read(result, false));
}

template <template <class> class Vector, class Target, class Outer, class Inner, int position,
          class A, class B, class C>
void run_formula(const Leaves<A, B, C> &batch) {
    const auto tree = build<Outer, Inner, position>(batch);
    using Value = typename std::remove_const_t<decltype(tree)>::value_type;
    static_assert(shape_of<Value>() == pair_shape(type_of_case<Outer>, Outer::arity,
                                                  type_of_case<Inner>, position, leaf_type<A>(),
                                                  leaf_type<B>(), leaf_type<C>()),
                  "the formula's value has another type than the contract says");
    static_assert(std::is_trivially_copyable_v<
                  warpint::expression::lowered_t<std::remove_const_t<decltype(tree)>>>);
    const Pair pair{index_of<Outer>, index_of<Inner>, position};
    if constexpr (std::is_same_v<Target, Exact>) {
        const warpint::Explanation explained = explain(tree);
        auto result = eval(tree);
        check_ran_as(explained);
        verify(batch.name, pair, batch.columns, read(result, true));
    } else {
        store_and_verify<Vector<Target>>(batch, pair, tree);
    }
}

// ---- all pairs

// Which positions of the inner operation are tried: all, one per pair in turn, or that of every
// third pair (of all pairs in the long set).
enum class Positions { all, alternating, alternating_other, sampled };
#if defined(WARPINT_LONG_TESTS)
inline constexpr int sampling = 1;
#else
inline constexpr int sampling = 3;
#endif

template <class Outer, class Inner>
constexpr bool wanted(Positions positions, int position) {
    constexpr int outer = index_of<Outer>, inner = index_of<Inner>;
    if (positions == Positions::all)
        return true;
    if (positions == Positions::sampled && (outer + 2 * inner) % sampling != 0)
        return false;
    const int turn = outer + inner + (positions == Positions::alternating);
    return position == turn % static_cast<int>(Outer::arity);
}

template <template <class> class Vector, class Target, Positions positions, class Outer,
          class Inner, class Batch>
void run_pair(const Batch &batch) {
    if constexpr (wanted<Outer, Inner>(positions, 0))
        run_formula<Vector, Target, Outer, Inner, 0>(batch);
    if constexpr (Outer::arity > 1 && wanted<Outer, Inner>(positions, 1)) {
        run_formula<Vector, Target, Outer, Inner, 1>(batch);
    }
    if constexpr (Outer::arity > 2 && wanted<Outer, Inner>(positions, 2)) {
        run_formula<Vector, Target, Outer, Inner, 2>(batch);
    }
}

template <template <class> class Vector, class Target, Positions positions, class Outer,
          class... Inner, class Batch>
void run_inner(grid::List<Inner...>, const Batch &batch) {
    (run_pair<Vector, Target, positions, Outer, Inner>(batch), ...);
}

template <template <class> class Vector, class Target, Positions positions, class Inner,
          class... Outer, class Batch>
void run_pairs(grid::List<Outer...>, const Batch &batch) {
    (run_inner<Vector, Target, positions, Outer>(Inner{}, batch), ...);
}

// ---- the batches of the tests

// Mixed widths; every position; evaluated exactly.
template <class Outer>
void run_mixed_widths(Outer outer) {
    using warpint::BigInt;
    const auto batch =
        draw_leaves<HostVector, BigInt<64>, BigInt<33>, BigInt<96>>("64, 33, 96 bits");
    run_pairs<HostVector, Exact, Positions::all, AllCases>(outer, batch);
}

// Full widths that are no multiples of 32, stored in a narrower number: every third pair.
template <class Outer>
void run_full_widths(Outer outer) {
    using warpint::BigInt;
    const auto batch =
        draw_leaves<HostVector, BigInt<131>, BigInt<131>, BigInt<256>>("131, 131, 256 bits");
    run_pairs<HostVector, BigInt<109>, Positions::sampled, AllCases>(outer, batch);
}

// A vector beside constants, built-in ones too.
using InnerBesideConstants = grid::List<grid::Sum, grid::Difference, grid::Remainder,
                                        grid::ShiftLeftByOperand, grid::PowerModulo>;
template <class Outer>
void run_constants(Outer outer) {
    using warpint::BigInt;
    using warpint::SignedBigInt;
    const auto unsigned_ones = draw_leaves_beside<HostVector, BigInt<64>>(
        "64 bits, unsigned, BigInt<50>", 37u, BigInt<50>(1234567890123456ull));
    run_pairs<HostVector, SignedBigInt<300>, Positions::alternating, InnerBesideConstants>(
        outer, unsigned_ones);
    const auto signed_ones = draw_leaves_beside<HostVector, SignedBigInt<40>>(
        "signed 40 bits, int, BigInt<109>", -7,
        BigInt<109>::parse("0x1fffffffffffffffffffffffffff"));
    run_pairs<HostVector, SignedBigInt<300>, Positions::alternating_other, InnerBesideConstants>(
        outer, signed_ones);
}

// A Modulus, which stands beside a batch only as the last operand of % and pow.
template <class... Inner>
void run_modulus(grid::List<Inner...>) {
    using warpint::BigInt;
    using Target = warpint::SignedBigInt<300>;
    using Batch = Leaves<HostVector<BigInt<64>>, HostVector<BigInt<33>>, warpint::Modulus<96>>;
    for (const char *text :
         {"0xffffffffffffffffffffffff", "0xf00000000000000000000000", "1", "97"}) {
        const warpint::Modulus<96> m(BigInt<96>::parse(text));
        auto drawn =
            draw_leaves<HostVector, BigInt<64>, BigInt<33>, BigInt<96>>("64, 33 bits, Modulus<96>");
        drawn.columns[2] = constant(Shape{96, false}, constant_value(m), element_count());
        const Batch batch{drawn.name, drawn.columns, drawn.a, drawn.b, m};
        (run_formula<HostVector, Target, grid::Remainder, Inner, 0>(batch), ...);
        (run_formula<HostVector, Target, grid::PowerModulo, Inner, 0>(batch), ...);
        (run_formula<HostVector, Target, grid::PowerModulo, Inner, 1>(batch), ...);
    }
}

// Operands that lie otherwise: gathered by indices, and in rows of limbs. Every third pair.
template <template <class> class Vector, class Outer>
void run_layouts(Outer outer) {
    using warpint::BigInt;
    using B = BigInt<67>;
    auto drawn = draw_leaves<Vector, BigInt<64>, B, BigInt<96>>(
        "64 bits gathered, 67 in rows of limbs, 96 bits");
    const std::size_t count = drawn.a.size();
    std::vector<BigInt<64>> source(count);
    std::vector<std::uint32_t> index(count), rows(count * B::limb_count);
    for (std::size_t i = 0; i < count; ++i) {
        index[i] = static_cast<std::uint32_t>(count - 1 - i);
        source[index[i]] = test::from_integer<BigInt<64>>(drawn.columns[0].values[i]);
        const B b = test::from_integer<B>(drawn.columns[1].values[i]);
        for (std::size_t limb = 0; limb < B::limb_count; ++limb)
            rows[limb * count + i] = b.limbs[limb];
    }
    Vector<std::uint32_t> held_rows(rows);
    const auto gathered = gather(Vector<BigInt<64>>(source), Vector<std::uint32_t>(index));
    constexpr warpint::Space space =
        std::is_same_v<Vector<B>, DeviceVector<B>> ? warpint::Space::device : warpint::Space::host;
    const warpint::batch_view<const B, space, warpint::limb_major> in_rows(held_rows.data(), count);
    const Leaves<std::remove_const_t<decltype(gathered)>, std::remove_const_t<decltype(in_rows)>,
                 Vector<BigInt<96>>>
        batch{drawn.name, drawn.columns, gathered, in_rows, drawn.c};
    run_pairs<Vector, BigInt<109>, Positions::sampled, AllCases>(outer, batch);
}

// Signed operands among unsigned ones, stored in a wider number. Narrower as CUDA, where every limb
// takes its time to compile.
template <class Outer>
void run_on_device(Outer outer) {
    using warpint::BigInt;
    using warpint::SignedBigInt;
#if defined(__CUDACC__)
#if defined(WARPINT_CHECKED_ONLY) // compiled but not run: every operation inside some others
    constexpr Positions on_device = Positions::sampled;
#else
    constexpr Positions on_device = Positions::alternating;
#endif
    const auto batch = draw_leaves<DeviceVector, BigInt<40>, SignedBigInt<17>, BigInt<31>>(
        "40, signed 17, 31 bits");
    run_pairs<DeviceVector, SignedBigInt<168>, on_device, AllCases>(outer, batch);
#else
    const auto batch = draw_leaves<DeviceVector, BigInt<64>, SignedBigInt<33>, BigInt<40>>(
        "64, signed 33, 40 bits");
    run_pairs<DeviceVector, SignedBigInt<288>, Positions::alternating, AllCases>(outer, batch);
#endif
}

} // namespace law
