// SPDX-License-Identifier: Apache-2.0
// Operations of public test vectors: arithmetic, powers, RSA, text.

#include "operations.h"
#include "widths.h"

#include <warpint/modular.h>

#include <cstdlib>
#include <stdexcept>

namespace vectors_test {

using test::from_integer;
using test::to_integer;

namespace {

int shift_count(const Integer &n) {
    return static_cast<int>(n.to_long());
}

} // namespace

void run_add(const Integer &a, const Integer &b, const Integer &r) {
    at_width({a, b, r}, [&]<typename T>() {
        expect_equal(to_integer(from_integer<T>(a) + from_integer<T>(b)), r, "a + b");
        expect_equal(to_integer(from_integer<T>(r) - from_integer<T>(b)), a, "r - b");
    });
}

void run_multiply(const Integer &a, const Integer &b, const Integer &r) {
    at_width({a, b}, [&]<typename T>() {
        const T x = from_integer<T>(a), y = from_integer<T>(b);
        expect_equal(to_integer(x * y), r, "a * b");
        if (a == b) {
            expect_equal(to_integer(sqr(x)), r, "sqr(a)");
        }
        T low = x;
        low *= y;
        expect_equal(to_integer(low), test::stored<T>(r), "a *= b");
    });
}

void run_divide(const Integer &a, const Integer &b, const Integer &q, const Integer &r) {
    if (b.is_zero()) {
        throw NotRun{"divisor 0"};
    }
    at_width({a, b, q}, [&]<typename T>() {
        const T x = from_integer<T>(a), y = from_integer<T>(b);
        expect_equal(to_integer(x / y), q, "a / b");
        expect_equal(to_integer(x % y), r, "a % b");
        const auto both = divmod(x, y);
        expect_equal(to_integer(both.quotient), q, "quotient");
        expect_equal(to_integer(both.remainder), r, "remainder");
    });
}

void run_divide_euclid(const Integer &a, const Integer &b, const Integer &q) {
    const Integer divisor = abs(b);
    at_width({a, -divisor, q}, [&]<typename T>() {
        const auto both = divmod(from_integer<T>(a), from_integer<BigInt<T::bits>>(divisor));
        const Integer quotient = to_integer(both.quotient);
        expect_equal(b.sign() < 0 ? -quotient : quotient, q, "quotient");
        expect_equal(to_integer(both.remainder), a - q * b, "remainder");
    });
}

void run_modulo(const Integer &a, const Integer &m, const Integer &r) {
    at_width({a, m}, [&]<typename T>() {
        const auto modulus = from_integer<BigInt<T::bits>>(m);
        expect_equal(to_integer(from_integer<T>(a) % modulus), r, "a % m");
    });
}

void run_modular_product(const Integer &a, const Integer &b, const Integer &m, const Integer &r) {
    at_width({a, b, m}, [&]<typename T>() {
        const T x = from_integer<T>(a), y = from_integer<T>(b);
        const auto modulus = from_integer<BigInt<T::bits>>(m);
        expect_equal(to_integer(mulmod(x, y, modulus)), r, "mulmod(a, b, m)");
        expect_equal(to_integer(x * y % modulus), r, "a * b % m");
        if (a == b) {
            expect_equal(to_integer(sqrmod(x, modulus)), r, "sqrmod(a, m)");
        }
    });
}

void run_power_modulo(const Integer &a, const Integer &e, const Integer &m, const Integer &r) {
    at_width({a, e, m}, [&]<typename T>() {
        using Unsigned = BigInt<T::bits>;
        expect_equal(to_integer(pow(from_integer<T>(a), from_integer<Unsigned>(e),
                                    from_integer<Unsigned>(m))),
                     r, "pow(a, e, m)");
    });
}

void run_power(const Integer &a, const Integer &e, const Integer &r) {
    at_width({a, e, r}, [&]<typename T>() {
        expect_equal(to_integer(pow(from_integer<T>(a), from_integer<BigInt<64>>(e))), r,
                     "pow(a, e)");
    });
}

void run_shift_left(const Integer &a, const Integer &n, const Integer &r) {
    at_width({a, r}, [&]<typename T>() {
        expect_equal(to_integer(from_integer<T>(a) << shift_count(n)), r, "a << n");
    });
}

void run_shift_right_truncating(const Integer &a, const Integer &n, const Integer &r) {
    at_width({a}, [&]<typename T>() {
        const T x = from_integer<T>(a);
        const int count = shift_count(n);
        expect_equal(to_integer(a.sign() < 0 ? -(-x >> count) : x >> count), r, "a >> n");
    });
}

void run_compare(const Integer &a, const Integer &b, const std::string &what, bool r) {
    at_width({a, b}, [&]<typename T>() {
        const T x = from_integer<T>(a), y = from_integer<T>(b);
        expect((what == "cmp_EQ" ? x == y : what == "cmp_LT" ? x < y : x <= y) == r, "comparison");
    });
}

void run_rsa(const Record &record, const char *plain, const char *transformed) {
    const Integer n = record.number("n");
    run_power_modulo(record.number(plain), record.number("d"), n, record.number(transformed));
    run_power_modulo(record.number(transformed), record.number("e"), n, record.number(plain));
    if (record.has("p") && record.has("q")) {
        run_multiply(record.number("p"), record.number("q"), n);
    }
}

void run_out_of_range(const Integer &value, const Integer &n) {
    at_width({value, n}, [&]<typename T>() {
        expect(from_integer<T>(value) >= from_integer<T>(n) - 1, "value out of range");
    });
}

void run_from_radix(const Record &record, int base) {
    const std::string &input = record.text("input");
    if (input.empty()) {
        throw NotRun{"the empty text is an error here"};
    }
    const std::string &output = record.text("output");
    const Integer expected = output.empty() ? Integer(0) : Integer(output, 16);
    at_width({expected}, [&]<typename T>() {
        expect_equal(to_integer(T::parse(input, base)), expected, "parse");
    });
}

void run_from_radix_invalid(const Record &record) {
    const int base = std::atoi(record.text("radix").c_str());
    if (base != 10 && base != 16) {
        throw NotRun{"the source does not know this base; it is one here"};
    }
    bool refused = false;
    try {
        static_cast<void>(BigInt<128>::parse(record.text("input"), base));
    } catch (const std::invalid_argument &) {
        refused = true;
    }
    expect(refused, "parse accepts invalid text");
}

} // namespace vectors_test
