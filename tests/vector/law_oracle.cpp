// SPDX-License-Identifier: Apache-2.0
// The GMP side of the law tests: operands, expected values, comparison. No warpint types here.
#include "law_oracle.h"

#include "support/property.h"

#include <doctest/doctest.h>

#include <sstream>

namespace law {

namespace {

int runs[code_count][code_count];
long formulas = 0;
long elements = 0;
long elements_without_value = 0;

// Bits [0, width) of a's two's complement form, as an unsigned number.
Integer pattern(const Integer &a, Shape shape) {
    return test::store_unsigned(a, shape.bits);
}

Integer stored(const Integer &a, Shape shape) {
    return shape.is_signed ? test::store_signed(a, shape.bits)
                           : test::store_unsigned(a, shape.bits);
}

struct Expectation {
    std::vector<Integer> values; // 0 where there is none
    std::vector<bool> faults;    // there is no value
};

struct Operand {
    Integer value;
    Shape shape;
};

// The operation's value; false if it has none. Shapes matter where the contract says so: for ~, <<,
// pow(a, e), the bit counts, and for what sign a remainder has.
bool apply(Code code, const std::array<Operand, 3> &operands, Integer &result) {
    const Integer &a = operands[0].value;
    const Integer &b = operands[1].value;
    const Integer &c = operands[2].value;
    const Shape shape = operands[0].shape;
    // Shift counts beyond the width, and negative ones, leave nothing of the operand but its sign.
    const bool shifts_all = b.sign() < 0 || b >= Integer(shape.bits);
    switch (code) {
    case Code::add:
        result = a + b;
        return true;
    case Code::subtract:
        result = a - b;
        return true;
    case Code::multiply:
        result = a * b;
        return true;
    case Code::divide:
        if (b.is_zero())
            return false;
        result = a / b;
        return true;
    case Code::remainder:
        if (b.is_zero())
            return false;
        result = operands[1].shape.is_signed ? a % b : test::modulo(a, b);
        return true;
    case Code::conjunction:
        result = a & b;
        return true;
    case Code::disjunction:
        result = a | b;
        return true;
    case Code::exclusive:
        result = a ^ b;
        return true;
    case Code::shift_left:
        result =
            shifts_all ? Integer(0) : stored(a << static_cast<std::size_t>(b.to_long()), shape);
        return true;
    case Code::shift_right:
        result = shifts_all ? Integer(a.sign() < 0 ? -1 : 0)
                            : a >> static_cast<std::size_t>(b.to_long());
        return true;
    case Code::equal:
        result = a == b ? 1 : 0;
        return true;
    case Code::not_equal:
        result = a != b ? 1 : 0;
        return true;
    case Code::less:
        result = a < b ? 1 : 0;
        return true;
    case Code::greater:
        result = a > b ? 1 : 0;
        return true;
    case Code::less_equal:
        result = a <= b ? 1 : 0;
        return true;
    case Code::greater_equal:
        result = a >= b ? 1 : 0;
        return true;
    case Code::negate:
        result = -a;
        return true;
    case Code::complement:
        result = stored(~a, shape);
        return true;
    case Code::is_zero:
        result = a.is_zero() ? 1 : 0;
        return true;
    case Code::popcount:
        result = pattern(a, shape).popcount();
        return true;
    case Code::bit_width:
        result = pattern(a, shape).bit_width();
        return true;
    case Code::countl_zero:
        result = shape.bits - pattern(a, shape).bit_width();
        return true;
    case Code::countr_zero:
        result = a.is_zero() ? shape.bits : pattern(a, shape).trailing_zeros();
        return true;
    case Code::square:
        result = a * a;
        return true;
    case Code::power_wrapping:
        if (b.sign() < 0)
            return false;
        result =
            stored(test::power_modulo(pattern(a, shape), b, test::power_of_two(shape.bits)), shape);
        return true;
    case Code::power:
        if (b.sign() < 0 || c.sign() <= 0)
            return false;
        result = test::power_modulo(a, b, c);
        return true;
    }
    return false;
}

Integer decode(const unsigned char *bytes, int count, bool is_signed) {
    Integer value;
    mpz_import(value.raw(), static_cast<std::size_t>(count), -1, 1, 0, 0, bytes);
    return is_signed ? test::store_signed(value, 8 * count) : value;
}

Expectation expect(const Pair &pair, const Columns &columns) {
    Expectation expected;
    const Shape nested =
        result_shape(pair.inner, columns[0].shape, columns[1].shape, columns[2].shape);
    for (std::size_t i = 0; i < columns[0].values.size(); ++i) {
        const Operand a{columns[0].values[i], columns[0].shape};
        const Operand b{columns[1].values[i], columns[1].shape};
        const Operand c{columns[2].values[i], columns[2].shape};
        Operand inside{Integer(0), nested};
        Integer value;
        bool good = apply(pair.inner, {a, b, c}, inside.value);
        if (good) {
            const std::array<Operand, 3> operands =
                arity(pair.outer) < 3
                    ? (pair.position == 0 ? std::array<Operand, 3>{inside, c, c}
                                          : std::array<Operand, 3>{c, inside, inside})
                : pair.position == 0 ? std::array<Operand, 3>{inside, a, c}
                : pair.position == 1 ? std::array<Operand, 3>{a, inside, c}
                                     : std::array<Operand, 3>{a, c, inside};
            good = apply(pair.outer, operands, value);
        }
        expected.values.push_back(good ? value : Integer(0));
        expected.faults.push_back(!good);
    }
    return expected;
}

// What is wrong with the first wrong element; empty if all are right.
std::string first_failure(const Pair &pair, const Columns &columns, const Expectation &expected,
                          const Result &result) {
    const std::size_t count = columns[0].values.size();
    const std::size_t element_bytes = static_cast<std::size_t>(result.element_bytes);
    if (result.faults.size() != count || result.bytes.size() != count * element_bytes)
        return "the result has another size";
    for (std::size_t i = 0; i < count; ++i) {
        const Integer got = decode(result.bytes.data() + i * element_bytes, result.element_bytes,
                                   result.shape.is_signed);
        const Integer wanted =
            result.exact ? expected.values[i] : stored(expected.values[i], result.shape);
        const bool flagged = result.faults[i];
        if (got == wanted && flagged == expected.faults[i])
            continue;
        std::ostringstream text;
        text << "element " << i << " of " << count << " (" << name(pair.outer) << " of "
             << name(pair.inner) << ")\n  a " << columns[0].values[i] << "\n  b "
             << columns[1].values[i] << "\n  c " << columns[2].values[i] << "\n  got " << got
             << (flagged ? " (flagged)" : "") << "\n  expected " << wanted
             << (expected.faults[i] ? " (flagged)" : "");
        return text.str();
    }
    return "";
}

Integer draw_one(test::OperandSource &source, Shape shape) {
    return shape.is_signed ? source.signed_number(shape.bits) : source.number(shape.bits);
}

Integer small(test::OperandSource &source, Shape shape) {
    const int bound = 1 << (shape.bits < 7 ? shape.bits : 7);
    const Integer value(source.below(bound));
    return stored(shape.is_signed && source.one_in(2) ? -value : value, shape);
}

} // namespace

const char *name(Code code) {
    static const char *const names[code_count] = {
        "+",           "-",   "*",        "/",         "%",        "&",         "|",
        "^",           "<<",  ">>",       "==",        "!=",       "<",         ">",
        "<=",          ">=",  "negate",   "~",         "popcount", "bit_width", "countl_zero",
        "countr_zero", "sqr", "pow(a,e)", "pow(a,e,m)"};
    return names[static_cast<int>(code)];
}

std::size_t element_count() {
    return static_cast<std::size_t>(test::scaled(601));
}

Columns draw(const std::string &batch, Shape a, Shape b, Shape c, std::size_t count) {
    test::OperandSource source(test::property_seed("law " + batch, a.bits));
    const Shape shapes[3] = {a, b, c};
    Columns columns;
    for (int i = 0; i < 3; ++i)
        columns[std::size_t(i)].shape = shapes[i];
    for (std::size_t element = 0; element < count; ++element) {
        Integer values[3];
        switch (source.below(6)) {
        case 0: // related to each other
        {
            test::OperandTriple triple = source.triple(a.bits, b.bits, c.bits);
            values[0] = stored(triple.a, a);
            values[1] = stored(triple.b, b);
            values[2] = stored(triple.m, c);
            break;
        }
        case 1: // the largest, or the smallest
            for (int i = 0; i < 3; ++i) {
                const Shape shape = shapes[i];
                values[i] = stored(source.one_in(4)
                                       ? Integer(0)
                                       : test::all_ones(shape.bits - (shape.is_signed ? 1 : 0)),
                                   shape);
                if (shape.is_signed && source.one_in(2))
                    values[i] = -test::power_of_two(shape.bits - 1);
            }
            break;
        case 2: // shift counts and exponents that matter
            for (int i = 0; i < 3; ++i)
                values[i] = small(source, shapes[i]);
            break;
        default:
            for (int i = 0; i < 3; ++i) {
                values[i] =
                    source.one_in(4) ? small(source, shapes[i]) : draw_one(source, shapes[i]);
                if (source.one_in(20))
                    values[i] = 0;
            }
            break;
        }
        for (int i = 0; i < 3; ++i)
            columns[std::size_t(i)].values.push_back(values[i]);
    }
    return columns;
}

Column constant(Shape shape, const Integer &value, std::size_t count) {
    return Column{shape, std::vector<Integer>(count, value)};
}

void verify(const std::string &batch, const Pair &pair, const Columns &columns,
            const Result &result) {
    const Expectation expected = expect(pair, columns);
    const std::string failure = first_failure(pair, columns, expected, result);
    for (const bool fault : expected.faults)
        elements_without_value += fault;
    elements += static_cast<long>(expected.faults.size());
    INFO("outer ", std::string(name(pair.outer)), ", inner ", std::string(name(pair.inner)),
         " as operand ", pair.position, ", batch ", batch,
         ", WARPINT_TEST_SEED=", test::run_seed());
    CHECK(failure == "");
    ++runs[static_cast<int>(pair.outer)][static_cast<int>(pair.inner)];
    ++formulas;
}

int pairs_run() {
    int pairs = 0;
    for (const auto &row : runs) {
        for (int count : row)
            pairs += count > 0;
    }
    return pairs;
}

Totals totals() {
    return {formulas, elements, elements_without_value};
}

} // namespace law
