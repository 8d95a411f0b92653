// SPDX-License-Identifier: Apache-2.0
// What the tests of formulas share whose operations a group of elements does together
// (execution/ways/side_by_side.h): operands, batches of every length, expectations by GMP. They are
// run with the CPU's engine, with WARPINT_CPU_ENGINES=scalar, and, compiled with
// WARPINT_SIMD_EMULATED, with emulated vectors.
#pragma once

#include "support/oracle.h"
#include "support/property.h"

#include <warpint/constant_time.h>
#include <warpint/vector.h>

#include <doctest/doctest.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace test::formulas {

using namespace warpint;
using test::Integer;
using test::OperandSource;

// Values of a batch as the oracle sees them; nothing: the element has none.
using Values = std::vector<std::optional<Integer>>;
using Function = std::function<std::optional<Integer>(std::size_t)>;

template <int Bits>
class Checker {
public:
    using Number = BigInt<Bits>;
    using Vector = host_vector<Number>;

    Checker(OperandSource &source, std::size_t count)
        : a(count), b(count), e(count), m(count), odd(count), result(count), count_{count} {
        for (std::size_t i = 0; i < count; ++i) {
            const test::OperandTriple t = source.triple(Bits, Bits, Bits);
            a[i] = test::from_integer<Number>(t.a);
            b[i] = test::from_integer<Number>(t.b);
            m[i] = test::from_integer<Number>(source.one_in(12) ? Integer(0) : t.m);
            odd[i] = test::from_integer<Number>(t.m | 1);
            e[i] = test::from_integer<Number>(source.exponent(Bits, t.m));
        }
    }

    static Integer value(const Number &x) { return test::to_integer(x); }
    static std::optional<Integer> power(const Number &x, const Integer &y, const Number &z) {
        if (value(z) == 0)
            return {};
        Integer r;
        mpz_powm(r.raw(), value(x).raw(), y.raw(), value(z).raw());
        return r;
    }
    static std::optional<Integer> product(const Integer &x, const Integer &y, const Number &z) {
        if (value(z) == 0)
            return {};
        return test::modulo(x * y, value(z));
    }

    template <class T>
    void expect(const char *what, const host_vector<T> &got, const Function &expected) const {
        const std::vector<bool> missing = got.error_mask();
        for (std::size_t i = 0; i < count_; ++i) {
            const std::optional<Integer> want = expected(i);
            const bool same = missing[i] == !want.has_value() &&
                              test::to_integer(got.data()[i]) == want.value_or(Integer(0));
            if (!same) {
                FAIL_CHECK(std::string(what)
                           << ", element " << i << " of " << count_ << " at " << Bits
                           << " bits; WARPINT_TEST_SEED=" << test::run_seed());
                return;
            }
        }
        CHECK(got.size() == count_);
    }
    void expect(const char *what, const Function &expected) const {
        expect(what, result, expected);
    }

    Vector a, b, e, m, odd, result;

private:
    std::size_t count_;
};

inline constexpr std::size_t counts[] = {1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11,
                                         12, 13, 14, 15, 16, 17, 31, 32, 33, 47, 100};

} // namespace test::formulas
