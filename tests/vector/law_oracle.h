// SPDX-License-Identifier: Apache-2.0
// The law of batches, without warpint: the operations, the types their values have by the contract,
// and the GMP side (law_oracle.cpp). law_cases.h builds the formulas.
#pragma once

#include "support/integer.h"

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace law {

using test::Integer;

// ---- operations

enum class Code {
    add,
    subtract,
    multiply,
    divide,
    remainder,
    conjunction,
    disjunction,
    exclusive,
    shift_left,
    shift_right,
    equal,
    not_equal,
    less,
    greater,
    less_equal,
    greater_equal,
    negate,
    complement,
    is_zero,
    popcount,
    bit_width,
    countl_zero,
    countr_zero,
    square,
    power_wrapping,
    power
};
inline constexpr int code_count = 26;

constexpr int arity(Code code) {
    return code == Code::power ? 3 : code >= Code::negate && code <= Code::square ? 1 : 2;
}

// Width and signedness of a number type.
struct Shape {
    int bits = 0;
    bool is_signed = false;
    friend constexpr bool operator==(const Shape &, const Shape &) = default;
};
inline constexpr Shape shape_of_bool{1, false};
inline constexpr Shape shape_of_int{32, true};

// The smallest type with all values of both.
constexpr Shape common_shape(Shape a, Shape b) {
    if (a.is_signed == b.is_signed)
        return {a.bits > b.bits ? a.bits : b.bits, a.is_signed};
    const int signed_a = a.bits + (a.is_signed ? 0 : 1);
    const int signed_b = b.bits + (b.is_signed ? 0 : 1);
    return {signed_a > signed_b ? signed_a : signed_b, true};
}

// The type that a formula's value has by the contract: + grows by a bit, - is signed, * adds
// widths, / has the dividend's width (a bit more if the divisor is signed: the smallest number /
// -1), % the divisor's, ~ and << and
// >> their operand's, comparisons are bool, bit counts int.
constexpr Shape result_shape(Code code, Shape a, Shape b, Shape c) {
    const Shape common = common_shape(a, b);
    switch (code) {
    case Code::add:
        return {common.bits + 1, common.is_signed};
    case Code::subtract:
        return {common.bits + 1, true};
    case Code::multiply:
        return {a.bits + b.bits, common.is_signed};
    case Code::divide:
        return {a.bits + (b.is_signed ? 1 : 0), common.is_signed};
    case Code::remainder:
        return b;
    case Code::conjunction:
    case Code::disjunction:
    case Code::exclusive:
        return common;
    case Code::shift_left:
    case Code::shift_right:
    case Code::complement:
    case Code::power_wrapping:
        return a;
    case Code::negate:
        return {a.bits + 1, true};
    case Code::popcount:
    case Code::bit_width:
    case Code::countl_zero:
    case Code::countr_zero:
        return shape_of_int;
    case Code::square:
        return {2 * a.bits, false};
    case Code::power:
        return {c.bits, false};
    default:
        return shape_of_bool;
    }
}

// ---- lists of operations

template <Code... codes>
struct CodeList {
    static constexpr int size = sizeof...(codes);
};
template <class Sequence>
struct every_code;
template <std::size_t... i>
struct every_code<std::index_sequence<i...>> {
    using type = CodeList<static_cast<Code>(i)...>;
};
using AllCodes = every_code<std::make_index_sequence<code_count>>::type;

// The outer operations of one source file each. law_total.cpp checks that each operation is in
// exactly one.
using Sums = CodeList<Code::add, Code::subtract, Code::negate, Code::complement>;
using Products = CodeList<Code::multiply, Code::square, Code::divide>;
using Remainders = CodeList<Code::remainder, Code::power_wrapping>;
using Powers = CodeList<Code::power>;
using Bits = CodeList<Code::conjunction, Code::disjunction, Code::exclusive>;
using Shifts = CodeList<Code::shift_left, Code::shift_right, Code::popcount, Code::bit_width,
                        Code::countl_zero, Code::countr_zero>;
using Equalities = CodeList<Code::equal, Code::not_equal, Code::less, Code::is_zero>;
using Orders = CodeList<Code::greater, Code::less_equal, Code::greater_equal>;

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
    Code outer;
    Code inner;
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
const char *name(Code code);
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
