// The elements of a batched number test: all values of tiny widths, else operands of every class of
// an OperandSource.
#pragma once

#include "oracle.h"

#include "../support/property.h"

#include <algorithm>
#include <array>

namespace number_test {

using test::Integer;
using test::OperandSource;

inline constexpr std::array<const char *, group_count> group_names = {
    "sums",   "products",    "divisions",         "division aliases", "bits",
    "orders", "conversions", "builtin divisions", "functions"};

inline std::string name_of(Type type) {
    return (type.is_signed ? "SignedBigInt<" : "BigInt<") + std::to_string(type.bits) + ">";
}
inline std::string name_of(const Case &which) {
    return std::string(group_names[static_cast<std::size_t>(which.group)]) + " of " +
           name_of(which.a) + ", " + name_of(which.b);
}

inline bool divides_by_b(Group group) {
    return group == Group::divisions || group == Group::division_aliases ||
           group == Group::builtin_divisions;
}

/// Pairs of types of at most 6 bits are tested with all values.
inline bool is_exhaustive(const Case &which) {
    return which.a.bits <= 6 && which.b.bits <= 6;
}

inline std::uint64_t exhaustive_count(const Case &which) {
    const std::uint64_t n = static_cast<std::uint64_t>(which.a.bits);
    const std::uint64_t pairs = std::uint64_t{1} << (which.a.bits + which.b.bits);
    switch (which.group) {
    case Group::bits:
        return (std::uint64_t{1} << n) * (n + 3) * n * (n + 3) * 8; // 8 values of b
    case Group::builtin_divisions:
    case Group::functions:
        return pairs * 2 * (n + 3);
    default:
        return pairs * 2;
    }
}

/// What a number of type `type` keeps of x.
inline Integer kept(const Integer &x, Type type) {
    return type.is_signed ? test::store_signed(x, type.bits) : test::store_unsigned(x, type.bits);
}

/// Element `index` of all values.
inline Operands exhaustive_element(const Case &which, std::uint64_t index) {
    const auto take = [&index](std::uint64_t radix) {
        const std::uint64_t digit = index % radix;
        index /= radix;
        return digit;
    };
    const std::uint64_t n = static_cast<std::uint64_t>(which.a.bits);
    Operands v;
    v.a = kept(take(std::uint64_t{1} << n), which.a);
    v.parameters = {};
    if (which.group == Group::bits) {
        v.parameters.shift = static_cast<std::int32_t>(take(n + 3));
        v.parameters.position = static_cast<std::int32_t>(take(n));
        v.parameters.count = static_cast<std::int32_t>(take(n + 3));
        v.b = kept(37 * take(8) + 5 * index, which.b);
    } else {
        v.b = kept(take(std::uint64_t{1} << which.b.bits), which.b);
        v.parameters.carry = static_cast<std::int32_t>(take(2));
        v.parameters.shift = static_cast<std::int32_t>(take(n + 3));
    }
    return v;
}

inline Integer draw_number(OperandSource &source, Type type) {
    return type.is_signed ? source.signed_number(type.bits) : source.number(type.bits);
}

inline Operands random_element(const Case &which, OperandSource &source) {
    const Type A = which.a, B = which.b;
    Operands v;
    if (divides_by_b(which.group)) {
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
    if (!divides_by_b(which.group) && source.one_in(6)) // equal, or neighbours
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

/// Elements [first, first + count) of a case. The same for every number of threads and batches of
/// this size. `uniform` and `drawn`, where given: how many of the numbers have uniform bits, and
/// how many come from an operand class at all.
inline std::vector<Operands> draw_elements(const Case &which, std::uint64_t batch,
                                           std::uint64_t first, int count, bool on_device,
                                           std::uint64_t *uniform = nullptr,
                                           std::uint64_t *drawn = nullptr) {
    OperandSource source(
        test::property_seed(name_of(which) + " batch " + std::to_string(batch), which.a.bits));
    std::vector<Operands> elements;
    elements.reserve(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) {
        elements.push_back(is_exhaustive(which)
                               ? exhaustive_element(which, first + static_cast<std::uint64_t>(i))
                               : random_element(which, source));
        Operands &v = elements.back();
        if (divides_by_b(which.group)) {
            if (!on_device && v.b.is_zero()) // would throw
                v.b = kept(1, which.b);
            if (on_device && source.one_in(64))
                v.b = Integer(0);
        }
    }
    if (uniform != nullptr)
        *uniform = source.drawn(test::OperandClass::uniform);
    if (drawn != nullptr) {
        *drawn = 0;
        for (int i = 0; i < test::operand_class_count; ++i)
            *drawn += source.drawn(static_cast<test::OperandClass>(i));
    }
    return elements;
}

} // namespace number_test
