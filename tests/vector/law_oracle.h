// SPDX-License-Identifier: Apache-2.0
// The law of batches: the operations, and the GMP side (law_oracle.cpp). law_cases.h builds the
// formulas.
#pragma once

#include "grid/cases.h"
#include "support/integer.h"

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace law {

using test::Integer;

using Shape = test::Type;

// ---- operations: those of the list grid/numbers.def that have a flag of the law

template <std::uint64_t group>
using CasesOf = decltype(grid::cases_of<group, false>(grid::NumberCases{}));
using AllCases = CasesOf<grid::in_law>;
// The outer operations of one source file each.
using Sums = CasesOf<grid::law_sums>;
using Products = CasesOf<grid::law_products>;
using Remainders = CasesOf<grid::law_remainders>;
using Powers = CasesOf<grid::law_powers>;
using Bits = CasesOf<grid::law_bits>;
using Shifts = CasesOf<grid::law_shifts>;
using Equalities = CasesOf<grid::law_equalities>;
using Orders = CasesOf<grid::law_orders>;

template <class... C>
constexpr int size_of(grid::List<C...>) {
    return sizeof...(C);
}
inline constexpr int case_count = size_of(AllCases{});
// No operation is in two groups.
static_assert(size_of(Sums{}) + size_of(Products{}) + size_of(Remainders{}) + size_of(Powers{}) +
                  size_of(Bits{}) + size_of(Shifts{}) + size_of(Equalities{}) + size_of(Orders{}) ==
              case_count);

// Where an operation stands among all.
template <class C, class... All>
constexpr int index_in(grid::List<All...>) {
    int index = 0;
    bool found = false;
    ((found = found || std::is_same_v<C, All>, index += found ? 0 : 1), ...);
    return index;
}
template <class C>
inline constexpr int index_of = index_in<C>(AllCases{});

// An operation of as many of these operands as it takes.
template <class C, class A, class B, class X>
constexpr auto apply(const A &a, const B &b, const X &c) {
    const grid::Parameters none{};
    if constexpr (C::arity == 1) {
        return C::apply(a, none);
    } else if constexpr (C::arity == 2) {
        return C::apply(a, b, none);
    } else {
        return C::apply(a, b, c, none);
    }
}

// ---- operands and results, independent of types (law_oracle.cpp)

// The values of one leaf of the formula, one per element.
struct Column {
    Shape shape;
    std::vector<Integer> values;
};
using Columns = std::array<Column, 3>;

// outer(..., inner(a, b, c), ...) with the inner operation as operand `position`. The other operand
// of a binary operation is c; those of pow(a, e, m) are a, then c.
struct Pair {
    int outer;
    int inner;
    int position;
};

// What a batch holds, as bytes.
struct Result {
    std::vector<unsigned char> bytes;
    int element_bytes = 0;
    Shape shape;
    bool exact = false; // an eval(): nothing may be lost
    std::vector<bool> faults;
};

// Values for three leaves of these shapes: adversarial, related, small and zero ones.
Columns draw(const std::string &name, Shape a, Shape b, Shape c, std::size_t count);
// A constant leaf.
Column constant(Shape shape, const Integer &value, std::size_t count);
// How many elements a batch has.
std::size_t element_count();
const char *name(int index);
// Holds every element of the result to the pair's value and counts the pair; reports the first
// wrong element.
void verify(const std::string &batch, const Pair &pair, const Columns &columns,
            const Result &result);
// What this process has verified so far.
struct Totals {
    long formulas, elements, elements_without_value;
};
int pairs_run();
Totals totals();

} // namespace law
