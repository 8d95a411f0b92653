// SPDX-License-Identifier: Apache-2.0
// The elements of a batched number test: all values of tiny widths, else operands of every class of
// an OperandSource.
#pragma once

#include "oracle.h"

#include <algorithm>

namespace number_test {

using batch_test::kept;
using test::Integer;
using test::OperandSource;

inline const std::vector<const char *> group_names = {
    "sums",   "products",    "divisions",         "division aliases", "bits",
    "orders", "conversions", "builtin divisions", "functions"};

inline bool divides_by_b(Group group) {
    return group == Group::divisions || group == Group::division_aliases ||
           group == Group::builtin_divisions;
}

/// Pairs of types of at most 6 bits are tested with all values.
inline bool is_exhaustive(const Case &which) {
    return which.a().bits <= 6 && which.b().bits <= 6;
}

inline std::uint64_t exhaustive_count(const Case &which) {
    const std::uint64_t n = static_cast<std::uint64_t>(which.a().bits);
    const std::uint64_t pairs = std::uint64_t{1} << (which.a().bits + which.b().bits);
    switch (group_of(which)) {
    case Group::bits:
        return (std::uint64_t{1} << n) * (n + 3) * n * (n + 3) * 8; // 8 values of b
    case Group::builtin_divisions:
    case Group::functions:
        return pairs * 2 * (n + 3);
    default:
        return pairs * 2;
    }
}

/// Element `index` of all values.
inline Element exhaustive_element(const Case &which, std::uint64_t index) {
    const auto take = [&index](std::uint64_t radix) {
        const std::uint64_t digit = index % radix;
        index /= radix;
        return digit;
    };
    const std::uint64_t n = static_cast<std::uint64_t>(which.a().bits);
    Element v;
    v.a = kept(take(std::uint64_t{1} << n), which.a());
    v.parameters = {};
    if (group_of(which) == Group::bits) {
        v.parameters.shift = static_cast<std::int32_t>(take(n + 3));
        v.parameters.position = static_cast<std::int32_t>(take(n));
        v.parameters.count = static_cast<std::int32_t>(take(n + 3));
        v.b = kept(37 * take(8) + 5 * index, which.b());
    } else {
        v.b = kept(take(std::uint64_t{1} << which.b().bits), which.b());
        v.parameters.carry = static_cast<std::int32_t>(take(2));
        v.parameters.shift = static_cast<std::int32_t>(take(n + 3));
    }
    return v;
}

inline Integer draw_number(OperandSource &source, Type type) {
    return type.is_signed ? source.signed_number(type.bits) : source.number(type.bits);
}

inline Element random_element(const Case &which, OperandSource &source) {
    const Type A = which.a(), B = which.b();
    Element v;
    if (divides_by_b(group_of(which))) {
        test::DivisionPair d = source.division_pair(A.bits, B.bits);
        v.a = kept(A.is_signed && source.one_in(2) ? -d.dividend : d.dividend, A);
        v.b = kept(B.is_signed && source.one_in(2) ? -d.divisor : d.divisor, B);
        if (A.is_signed && source.one_in(8))
            v.a = source.signed_number(A.bits);
        if (B.is_signed && source.one_in(8))
            v.b = source.signed_number(B.bits);
    } else if ((A.is_signed || B.is_signed) && source.one_in(2)) {
        v.a = draw_number(source, A);
        v.b = draw_number(source, B);
    } else { // related bit patterns, read as signed where the type is
        test::OperandPair pair = source.pair(A.bits, B.bits);
        v.a = kept(pair.a, A);
        v.b = kept(pair.b, B);
    }
    if (!divides_by_b(group_of(which)) && source.one_in(6)) // equal, or neighbours
        v.b = kept(v.a + Integer(source.below(3) - 1), B);
    int shift = source.below(A.bits + 70);
    switch (source.below(6)) {
    case 0:
        shift = 32 * source.below(A.bits / 32 + 3);
        break;
    case 1:
        shift = source.below(64);
        break;
    case 2:
        shift = std::max(0, A.bits - 2 + source.below(4));
        break;
    default:
        break;
    }
    v.parameters.shift = shift;
    v.parameters.position = source.one_in(3)
                                ? std::min(A.bits - 1, 32 * source.below(A.bits / 32 + 1))
                                : source.below(A.bits);
    v.parameters.count = source.one_in(3) ? std::min(A.bits + 2, 32 * source.below(A.bits / 32 + 2))
                                          : source.below(A.bits + 3);
    v.parameters.carry = source.below(2);
    return v;
}

} // namespace number_test
