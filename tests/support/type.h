// SPDX-License-Identifier: Apache-2.0
// The type of a number, at run time and at compile time, and the types of formulas by the contract.
#pragma once

namespace test {

struct Type {
    int bits;
    bool is_signed;
    friend constexpr bool operator==(const Type &, const Type &) = default;
};
inline constexpr Type bool_type{1, false};
inline constexpr Type int_type{32, true};

/// The smallest type with all values of both.
constexpr Type common_type(Type a, Type b) {
    if (a.is_signed == b.is_signed)
        return {a.bits > b.bits ? a.bits : b.bits, a.is_signed};
    const int bits_a = a.bits + (a.is_signed ? 0 : 1);
    const int bits_b = b.bits + (b.is_signed ? 0 : 1);
    return {bits_a > bits_b ? bits_a : bits_b, true};
}

/// The type of a formula: an expression of these has the type that its value has. + grows by a bit,
/// - is signed, * adds widths, / has the dividend's width (a bit more if the divisor is signed: the
/// smallest number / -1), % the divisor's, ~ and << and >> their operand's.
struct FormulaType {
    Type type;

    friend constexpr FormulaType operator+(FormulaType a, FormulaType b) {
        const Type common = common_type(a.type, b.type);
        return {{common.bits + 1, common.is_signed}};
    }
    friend constexpr FormulaType operator-(FormulaType a, FormulaType b) {
        return {{common_type(a.type, b.type).bits + 1, true}};
    }
    friend constexpr FormulaType operator*(FormulaType a, FormulaType b) {
        return {{a.type.bits + b.type.bits, a.type.is_signed || b.type.is_signed}};
    }
    friend constexpr FormulaType operator/(FormulaType a, FormulaType b) {
        return {{a.type.bits + (b.type.is_signed ? 1 : 0), a.type.is_signed || b.type.is_signed}};
    }
    friend constexpr FormulaType operator%(FormulaType, FormulaType b) { return b; }
#define TEST_FORMULA_TYPE(op)                                                                      \
    friend constexpr FormulaType operator op(FormulaType a, FormulaType b) {                       \
        return {common_type(a.type, b.type)};                                                      \
    }
    TEST_FORMULA_TYPE(&)
    TEST_FORMULA_TYPE(|)
    TEST_FORMULA_TYPE(^)
#undef TEST_FORMULA_TYPE
    friend constexpr FormulaType operator<<(FormulaType a, FormulaType) { return a; }
    friend constexpr FormulaType operator>>(FormulaType a, FormulaType) { return a; }
    constexpr FormulaType operator-() const { return {{type.bits + 1, true}}; }
    constexpr FormulaType operator~() const { return *this; }
    constexpr FormulaType operator!() const { return {bool_type}; }
#define TEST_FORMULA_TYPE(op)                                                                      \
    friend constexpr FormulaType operator op(FormulaType, FormulaType) { return {bool_type}; }
    TEST_FORMULA_TYPE(==)
    TEST_FORMULA_TYPE(!=)
    TEST_FORMULA_TYPE(<)
    TEST_FORMULA_TYPE(<=)
    TEST_FORMULA_TYPE(>)
    TEST_FORMULA_TYPE(>=)
#undef TEST_FORMULA_TYPE
#define TEST_FORMULA_TYPE(function)                                                                \
    friend constexpr FormulaType function(FormulaType) { return {int_type}; }
    TEST_FORMULA_TYPE(popcount)
    TEST_FORMULA_TYPE(bit_width)
    TEST_FORMULA_TYPE(countl_zero)
    TEST_FORMULA_TYPE(countr_zero)
#undef TEST_FORMULA_TYPE
    friend constexpr FormulaType sqr(FormulaType a) { return {{2 * a.type.bits, false}}; }
    friend constexpr FormulaType pow(FormulaType a, FormulaType) { return a; }
    friend constexpr FormulaType pow(FormulaType, FormulaType, FormulaType m) {
        return {{m.type.bits, false}};
    }
};

} // namespace test
