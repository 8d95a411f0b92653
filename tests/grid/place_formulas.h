// SPDX-License-Identifier: Apache-2.0
// Cells in formulas over vectors.
#pragma once

#include "cells.h"

#include <warpint/vector.h>

namespace grid {

using warpint::device_vector;
using warpint::eval;
using warpint::Modulus;
using warpint::Residue;

/// How a formula is given its moduli: a vector, a number for all elements, or a Modulus.
enum class Form { vector, number, context };

/// The elements of a batch as vectors, `times` times one after another.
class Vectors {
public:
    Vectors(const Batch &batch, std::size_t times) : batch_(batch), times_(times) {}

    template <class T>
    device_vector<T> numbers(std::size_t operand) const {
        const auto *first = static_cast<const T *>(batch_.operands[operand]);
        return repeated<T>([first](std::size_t i) { return first[i]; });
    }
    std::size_t times() const { return times_; }
    device_vector<int> parameters(std::int32_t Parameters::*member) const {
        return repeated<int>([&](std::size_t i) { return batch_.parameters[i].*member; });
    }

private:
    template <class T, class F>
    device_vector<T> repeated(const F &element) const {
        const auto count = static_cast<std::size_t>(batch_.count);
        std::vector<T> values(count * times_);
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = element(i % count);
        return device_vector<T>(values);
    }

    const Batch &batch_;
    std::size_t times_;
};

/// What an element has beside numbers.
struct ParameterVectors {
    device_vector<int> shift, position, count;

    explicit ParameterVectors(const Vectors &vectors)
        : shift(vectors.parameters(&Parameters::shift)),
          position(vectors.parameters(&Parameters::position)),
          count(vectors.parameters(&Parameters::count)) {}
};

/// A case calls this by the type of its parameters.
template <class Function, class A, class B>
auto map_over_lanes(const Function &function, const A &a, const B &b, const ParameterVectors &) {
    return map(warpint::over_lanes(function), a, b);
}

/// Stores a formula's results as a kernel would. Of elements that come several times the last one
/// that differs from the first is stored, so that it is seen.
template <class... V>
void store_vectors(const Batch &batch, V &...results) {
    std::vector<bool> missing;
    const auto note = [&](auto &vector) {
        const std::vector<bool> mask = vector.error_mask();
        missing.resize(mask.size());
        for (std::size_t i = 0; i < mask.size(); ++i)
            missing[i] = missing[i] || mask[i];
        vector.clear_errors();
        return vector.to_host();
    };
    const auto values = std::make_tuple(note(results)...);
    const auto count = static_cast<std::size_t>(batch.count);
    std::apply(
        [&](const auto &...each) {
            for (std::size_t i = 0; i < missing.size(); ++i) {
                const std::size_t first = i % count;
                const bool same = missing[i] == missing[first] && ((each[i] == each[first]) && ...);
                if (i >= count && same)
                    continue;
                Results out(batch.records + first * batch.record_size);
                store_part(out, "exists", !missing[i]);
                (store_part(out, "value", static_cast<typename V::value_type>(each[i])), ...);
            }
        },
        values);
}
/// Where residues leave their form: in the formula, or in a second one that reads what the first
/// has stored.
enum class Leaves { at_once, after_storing };

template <Leaves leaves, class Tree>
void run_and_store(const Batch &batch, const Tree &formula) {
    if constexpr (warpint::AnyResidue<typename Tree::value_type>) {
        if constexpr (leaves == Leaves::at_once) {
            auto result = eval(value(formula));
            store_vectors(batch, result);
        } else {
            const device_vector<typename Tree::value_type> stored = formula;
            auto result = eval(value(stored)); // no value where there is no residue
            store_vectors(batch, result);
        }
    } else if constexpr (!warpint::expression::is_description<Tree>) {
        auto result = formula; // a vector
        store_vectors(batch, result);
    } else {
        auto result = eval(formula);
        if constexpr (requires { std::tuple_size<decltype(result)>::value; }) {
            std::apply([&](auto &...each) { store_vectors(batch, each...); }, result);
        } else {
            store_vectors(batch, result);
        }
    }
}

template <class C, int N, bool is_signed, Form form>
struct NumberFormula {
    static auto make(const Batch &batch, const Vectors &vectors) {
        return make(batch, vectors, std::make_index_sequence<C::arity>{});
    }

private:
    template <std::size_t... I>
    static auto make(const Batch &batch, const Vectors &vectors, std::index_sequence<I...>) {
        return C::apply(operand<I>(batch, vectors)..., ParameterVectors(vectors));
    }
    template <std::size_t I>
    static auto operand(const Batch &batch, const Vectors &vectors) {
        constexpr Role role = C::roles[I];
        using T = stored_t<N, is_signed, role>;
        if constexpr (role == Role::m && form == Form::number) {
            return *static_cast<const T *>(batch.operands[I]);
        } else if constexpr (role == Role::m && form == Form::context) {
            return Modulus<N>(*static_cast<const T *>(batch.operands[I]));
        } else {
            return vectors.numbers<T>(I);
        }
    }
};

/// Residues of one Modulus.
template <class C, int N>
struct ResidueFormula {
    static auto make(const Batch &batch, const Vectors &vectors) {
        const Modulus<N> modulus(
            *static_cast<const warpint::BigInt<N> *>(batch.operands[C::arity]));
        return make(modulus, vectors, std::make_index_sequence<C::arity>{});
    }

private:
    template <std::size_t... I>
    static auto make(const Modulus<N> &modulus, const Vectors &vectors, std::index_sequence<I...>) {
        return C::apply(operand<I>(modulus, vectors)..., ParameterVectors(vectors));
    }
    template <std::size_t I>
    static auto operand(const Modulus<N> &modulus, const Vectors &vectors) {
        const auto numbers = vectors.numbers<warpint::BigInt<N>>(I);
        if constexpr (is_residue(C::roles[I])) {
            return device_vector<Residue<N>>(modulus, numbers);
        } else {
            return numbers;
        }
    }
};

/// Residues of a modulus in their type.
template <class C, int N, class Field>
struct StaticFormula {
    static auto make(const Batch &, const Vectors &vectors) {
        return make(vectors, std::make_index_sequence<C::arity>{});
    }

private:
    template <std::size_t... I>
    static auto make(const Vectors &vectors, std::index_sequence<I...>) {
        return C::apply(operand<I>(vectors)..., ParameterVectors(vectors));
    }
    template <std::size_t I>
    static auto operand(const Vectors &vectors) {
        const auto numbers = vectors.numbers<warpint::BigInt<N>>(I);
        if constexpr (is_residue(C::roles[I])) {
            return device_vector<Field>(numbers);
        } else {
            return numbers;
        }
    }
};

/// From how many elements on a formula runs in another kernel; 0: in one, whatever the number.
template <class Tree, class Result>
constexpr std::size_t large_batch_of() {
#ifdef __CUDACC__
    using Lowered = warpint::expression::lowered_t<Tree>;
    if constexpr (warpint::execution::has_cuts<warpint::execution::Inverses, Lowered>)
        return warpint::execution::tuning::min_bulk_inverses(
            warpint::expression::cost<Lowered>.bits);
    constexpr auto cost = warpint::execution::gpu_cost<Lowered, Result>;
    using Tables = warpint::execution::tuning::Known;
    if (Tables::has_small(cost))
        return Tables::row(90, cost, warpint::execution::tuning::Slot::large).min_count;
#endif
    return 0;
}
template <class Formula, Leaves leaves>
constexpr std::size_t large_batch() {
    using Tree =
        decltype(Formula::make(std::declval<const Batch &>(), std::declval<const Vectors &>()));
    using T = std::remove_cvref_t<typename Tree::value_type>;
    if constexpr (!warpint::expression::is_description<Tree>) {
        return 0; // a vector
    } else if constexpr (!warpint::AnyResidue<T>) {
        return large_batch_of<Tree, T>();
    } else if constexpr (leaves == Leaves::at_once) {
        using Value = decltype(value(std::declval<const Tree &>()));
        return large_batch_of<Value, typename Value::value_type>();
    } else {
        using Stored = decltype(warpint::expression::describe(
            warpint::expression::operation::FormOfResidue<T>{}, std::declval<const Tree &>()));
        return large_batch_of<Stored, typename Stored::value_type>();
    }
}

template <class Formula, Leaves leaves, bool large>
std::size_t run_formula(const Batch &batch) {
    const std::size_t times =
        large ? large_batch<Formula, leaves>() / static_cast<std::size_t>(batch.count) + 1 : 1;
    run_and_store<leaves>(batch, Formula::make(batch, Vectors(batch, times)));
    return batch.record_size;
}

template <class C, int N, bool is_signed, class Formula, Leaves leaves = Leaves::at_once>
void add_formula(const std::string &kind, std::initializer_list<Moduli> moduli, int extra = 0) {
    add_cells<C, N, is_signed>("formula", kind, moduli, run_formula<Formula, leaves, false>,
                               nullptr, extra);
    if constexpr (large_batch<Formula, leaves>() > 0)
        add_cells<C, N, is_signed>(large_batches, kind, moduli, run_formula<Formula, leaves, true>,
                                   nullptr, extra);
}

// ---- the cells of a width

namespace detail {

template <int N, bool is_signed, Part part>
void add_number_formulas(const char *kind) {
    for_each_case<part>(GridCases{}, [&]<class C>() {
        if constexpr ((C::places & formulas_only) != 0 && (!is_signed || C::takes_signed)) {
            add_formula<C, N, is_signed, NumberFormula<C, N, is_signed, Form::vector>>(
                kind, {Moduli::each});
            if constexpr (has_role<C>(Role::m) && !is_signed) {
                add_formula<C, N, false, NumberFormula<C, N, false, Form::number>>(
                    "one modulus", {Moduli::odd, Moduli::even});
                add_formula<C, N, false, NumberFormula<C, N, false, Form::context>>(
                    "Modulus", {Moduli::odd, Moduli::even});
            }
        }
    });
}
/// Residues that leave their form at once, and those that are stored before, where a formula gives
/// residues.
template <class C, int N, class Formula>
void add_residue_formula(const std::string &kind, std::initializer_list<Moduli> moduli, int extra) {
    add_formula<C, N, false, Formula>(kind, moduli, extra);
    using Tree =
        decltype(Formula::make(std::declval<const Batch &>(), std::declval<const Vectors &>()));
    if constexpr (warpint::AnyResidue<typename Tree::value_type>)
        add_formula<C, N, false, Formula, Leaves::after_storing>(kind + ", stored", moduli, extra);
}

} // namespace detail

template <int N, Part part>
void add_formulas() {
    detail::add_number_formulas<N, false, part>("BigInt");
    detail::add_number_formulas<N, true, part>("SignedBigInt");
}
template <int N, Part part>
void add_residue_formulas() {
    for_each_case<part>(ResidueCases{}, [&]<class C>() {
        if constexpr ((C::places & formulas_only) != 0)
            detail::add_residue_formula<C, N, ResidueFormula<C, N>>("Residue",
                                                                    {Moduli::odd, Moduli::even}, 1);
    });
}
template <int N, Part part>
void add_static_formulas() {
    for_each_case<part>(ResidueCases{}, [&]<class C>() {
        if constexpr ((C::places & formulas_only) != 0) {
            detail::add_residue_formula<C, N, StaticFormula<C, N, Field<N, Moduli::constant>>>(
                "StaticResidue", {Moduli::constant}, 0);
            add_formula<C, N, false, StaticFormula<C, N, Field<N, Moduli::folded>>>(
                "StaticResidue", {Moduli::folded});
        }
    });
}

} // namespace grid
