// SPDX-License-Identifier: Apache-2.0
// The GMP side of the law tests: operands, expected values, comparison. The operations are those of
// the list, of exact numbers; there are no types of warpint here.
#include "law_oracle.h"

#include "support/exact.h"
#include "support/property.h"

#include <doctest/doctest.h>

#include <sstream>

namespace law {

namespace {

using test::Exact;

int runs[case_count][case_count];
long formulas = 0;
long elements = 0;
long elements_without_value = 0;

struct Expectation {
    std::vector<Integer> values; // 0 where there is none
    std::vector<bool> faults;    // there is no value
};

// The operation's value in a formula; throws test::NoValue if it has none.
template <class C>
Exact value_of(const Exact &a, const Exact &b, const Exact &c) {
    const Exact value = apply<C>(a, b, c);
    return {value.value(), value.type(), test::Kind::formula};
}
struct Operation {
    const char *name;
    int arity;
    Exact (*value)(const Exact &, const Exact &, const Exact &);
};
template <class... C>
std::array<Operation, sizeof...(C)> operations_of(grid::List<C...>) {
    return {{{C::name, static_cast<int>(C::arity), value_of<C>}...}};
}
const Operation &operation(int index) {
    static const auto all = operations_of(AllCases{});
    return all[static_cast<std::size_t>(index)];
}

Integer decode(const unsigned char *bytes, int count, bool is_signed) {
    Integer value;
    mpz_import(value.raw(), static_cast<std::size_t>(count), -1, 1, 0, 0, bytes);
    return is_signed ? test::store_signed(value, 8 * count) : value;
}

Expectation expect(const Pair &pair, const Columns &columns) {
    Expectation expected;
    const Operation &outer = operation(pair.outer), &inner = operation(pair.inner);
    for (std::size_t i = 0; i < columns[0].values.size(); ++i) {
        const auto leaf = [&](std::size_t k) {
            return Exact(columns[k].values[i], columns[k].shape, test::Kind::formula);
        };
        const Exact a = leaf(0), b = leaf(1), c = leaf(2);
        Integer value(0);
        bool fault = false;
        try {
            const Exact inside = inner.value(a, b, c);
            if (outer.arity < 3) {
                value = (pair.position == 0 ? outer.value(inside, c, c)
                                            : outer.value(c, inside, inside))
                            .value();
            } else {
                value = (pair.position == 0   ? outer.value(inside, a, c)
                         : pair.position == 1 ? outer.value(a, inside, c)
                                              : outer.value(a, c, inside))
                            .value();
            }
        } catch (const test::NoValue &) {
            fault = true;
        }
        expected.values.push_back(value);
        expected.faults.push_back(fault);
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
            result.exact ? expected.values[i] : test::kept(expected.values[i], result.shape);
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
    return test::kept(shape.is_signed && source.one_in(2) ? -value : value, shape);
}

} // namespace

const char *name(int index) {
    return operation(index).name;
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
            values[0] = test::kept(triple.a, a);
            values[1] = test::kept(triple.b, b);
            values[2] = test::kept(triple.m, c);
            break;
        }
        case 1: // the largest, or the smallest
            for (int i = 0; i < 3; ++i) {
                const Shape shape = shapes[i];
                values[i] = test::kept(source.one_in(4)
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
    ++runs[pair.outer][pair.inner];
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
