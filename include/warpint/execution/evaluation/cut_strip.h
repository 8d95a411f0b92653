// SPDX-License-Identifier: Apache-2.0
// A row of elements of a formula with cuts (cut.h): the values of the cuts, and what is left of the
// formula.
#pragma once

#include "../plan/tuning/all_gpus.h"
#include "cut_kinds.h"

namespace warpint::execution {

template <int k, class Formula>
using cut_t = std::remove_cvref_t<decltype(item<k>(std::declval<Formula>().cut))>;

// What is done with the value of an element, which value(fault) gives: put(index, value, fault).
// Here it is stored.
template <class... T>
struct StoreInto {
    const Target<T...> &target;

    template <class Evaluate>
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void put(std::size_t index, const Evaluate &value,
                                                          bool &fault) const {
        const auto &x = value(fault);
        [&]<std::size_t... p>(std::index_sequence<p...>) {
            ((place<p>(target).data[index] =
                  fault ? T{} : T(stored<T>(result<p, sizeof...(T)>(x)))),
             ...);
        }(std::index_sequence_for<T...>{});
    }
    WARPINT_HOST_DEVICE constexpr void put_nothing(std::size_t index) const {
        bool fault = true;
        put(index, [](bool &) { return Tuple<T...>{}; }, fault);
    }
};

// The elements of a row: begin, begin + stride, ... as many of `length` as are less than count.
template <class Formula_, int length, class Sink>
struct CutStrip {
    using Formula = Formula_;
    using Last = typename cut_t<Formula::cuts - 1, Formula>::Element;
    static constexpr int words = (length + 31) / 32;

    const Formula &formula;
    Sink sink;
    const typename Formula::Scratch &scratch;
    std::size_t begin;
    std::size_t stride;
    std::size_t count;
    std::size_t scratch_begin; // the element of the formula that lies first in scratch memory
    // For each cut the bits of the elements that it has no value for; of the last, of those that
    // the formula has none for.
    std::uint32_t missing[Formula::cuts][words] = {};

    WARPINT_HOST_DEVICE constexpr std::size_t index(int i) const {
        return begin + static_cast<std::size_t>(i) * stride;
    }
    template <int k>
    WARPINT_HOST_DEVICE constexpr auto &scratch_of(std::size_t at) const {
        return item<k>(scratch)[at - scratch_begin];
    }
    WARPINT_HOST_DEVICE static constexpr int word(int i) { return words == 1 ? 0 : i / 32; }
    template <int k>
    WARPINT_HOST_DEVICE constexpr bool is_missing(int i) const {
        return (missing[k][word(i)] >> (i % 32) & 1u) != 0;
    }
    template <int k>
    WARPINT_HOST_DEVICE constexpr void note(int i, bool fault) {
        missing[k][word(i)] |= std::uint32_t{fault} << (i % 32);
    }
    // The bits of the elements 32 at ... that have no value.
    template <int k>
    WARPINT_HOST_DEVICE constexpr void note_word(int at, std::uint32_t faults) {
        missing[k][at] = faults;
    }
    // The value of cut k for element i, which may not exist; with that of the last cut the formula
    // is evaluated.
    template <int k>
    WARPINT_HOST_DEVICE constexpr void put(int i, const typename cut_t<k, Formula>::Element &x,
                                           bool exists);
};

// Evaluates element i of a row. last: the value of the last cut, where the rest is evaluated.
template <class Row_>
struct CutContext : DirectContext {
    using Row = Row_;
    const Row *row;
    int i;
    const typename Row::Last *last;

    // Of residues in what is left of the formula, and in the operands of its cuts.
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE const auto &modulus() const {
        return row->formula.rest.modulus;
    }
};
template <int k, class T, class Context>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE T evaluate(const CutLeaf<k, T> &,
                                                        const Context &context, bool &fault) {
    if constexpr (k + 1 == Context::Row::Formula::cuts) {
        return *context.last;
    } else {
        fault = fault || context.row->template is_missing<k>(context.i);
        return context.row->template scratch_of<k>(context.index);
    }
}

// Evaluates what is left of a formula for element i of a row, with the value of its last cut;
// fault: there is none. Returns whether the element has no value. On hosts the sink may be one that
// only hosts can call.
WARPINT_ON_EITHER_SIDE
template <class Row>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE bool
evaluate_rest(const Row &row, int i, const typename Row::Last &x, bool fault) {
    const std::size_t at = row.index(i);
    const CutContext<Row> context{{at}, &row, i, &x};
    const auto value = [&](bool &none) -> decltype(auto) {
        return evaluate(row.formula.rest, context, none);
    };
    row.sink.put(at, value, fault);
    return fault;
}
WARPINT_ON_EITHER_SIDE
template <class Formula, int length, class Sink>
template <int k>
WARPINT_HOST_DEVICE constexpr void
CutStrip<Formula, length, Sink>::put(int i, const typename cut_t<k, Formula>::Element &x,
                                     bool exists) {
    if constexpr (k + 1 < Formula::cuts) {
        scratch_of<k>(index(i)) = x;
        note<k>(i, !exists);
    } else {
        note<k>(i, evaluate_rest(*this, i, x, !exists));
    }
}

// An inverse of a row as arith::inverse_strip takes it.
template <int k, class Row_>
struct StripOfInverses {
    using Row = Row_;
    using Cut = cut_t<k, typename Row::Formula>;
    using T = typename Cut::Element;
    static constexpr bool divides = requires(const Cut &cut) { cut.divides_in_ring; };
    Row &row;

    [[nodiscard]] WARPINT_HOST_DEVICE constexpr const auto &cut() const {
        return item<k>(row.formula.cut);
    }
    [[nodiscard]] WARPINT_HOST_DEVICE constexpr CutContext<Row> context(int i) const {
        return {{row.index(i)}, &row, i, nullptr};
    }
    [[nodiscard]] WARPINT_HOST_DEVICE constexpr T load(int i, bool &fault) const {
        fault = row.index(i) >= row.count;
        if (fault)
            return T{};
        return cut().element(context(i), fault);
    }
    [[nodiscard]] WARPINT_HOST_DEVICE constexpr T prefix(int i) const {
        const std::size_t index = row.index(i);
        return index < row.count ? row.template scratch_of<k>(index) : T{};
    }
    WARPINT_HOST_DEVICE constexpr void set_prefix(int i, const T &x) {
        const std::size_t index = row.index(i);
        if (index < row.count)
            row.template scratch_of<k>(index) = x;
    }
    WARPINT_HOST_DEVICE constexpr void leave_out(int i) { row.template note<k>(i, true); }
    [[nodiscard]] WARPINT_HOST_DEVICE constexpr bool is_left_out(int i) const {
        return row.template is_missing<k>(i);
    }
    template <class Ring>
        requires divides
    [[nodiscard]] WARPINT_HOST_DEVICE constexpr T begin_division(const Ring &ring,
                                                                 const T &inverse) const {
        return cut().divides_in_ring ? ring.scaled(inverse) : inverse;
    }
    template <class Ring>
        requires divides
    [[nodiscard]] WARPINT_HOST_DEVICE constexpr T times_numerator(const Ring &ring, int i,
                                                                  const T &x, bool &fault) const {
        if (!cut().divides_in_ring)
            return x;
        const auto &y = evaluate(cut().numerator, context(i), fault);
        return ring.product(x, number::to<T>(number::as_number(y)));
    }
    WARPINT_HOST_DEVICE constexpr void store(int i, const T &x, bool exists) {
        if (row.index(i) >= row.count)
            return;
        if constexpr (divides) {
            T quotient = x;
            bool fault = !exists;
            if (exists && !cut().divides_in_ring) {
                const auto &y = evaluate(cut().numerator, context(i), fault);
                quotient = cut().operation.apply(fault, x, y, cut().shared.value);
            }
            row.template put<k>(i, quotient, !fault);
        } else {
            row.template put<k>(i, x, exists);
        }
    }
};

} // namespace warpint::execution
