// SPDX-License-Identifier: Apache-2.0
// What stands between the formulas and the rest of the program: text, random matrices, checks.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <vector>

#include <warpint/random.h>
#include <warpint/text.h>

#include "algebra_width.h"
#include "device.h"
#include "error.h"
#include "formulas.h"
#include "parallel.h"
#include "random_primes.h"
#include "system_random.h"

namespace matrix {

using sample::Error;
using sample::OnDevice;
using sample::OnHost;
using warpint::host_vector;

template <int Bits, class Place>
class AlgebraOfWidth : public Algebra {
    using Number = BigInt<Bits>;
    using HostMatrix = Matrix<Bits, OnHost>;

public:
    explicit AlgebraOfWidth(const Number &modulus) : m(modulus) {}

    std::string modulus() const override { return to_string(m.value()); }
    bool modulus_is_prime() const override { return is_probable_prime(m.value()); }

    int bits() const override { return bit_width(m.value()); }
    std::uint64_t rows() const override { return a.rows; }

    void set_a(const Table &table) override { set(a, table); }
    void set_b(const Table &table) override { set(b, table); }

    void draw(std::uint64_t size, std::uint64_t columns) override {
        a = {size, size, random_numbers(size * size)};
        b = {size, columns, random_numbers(size * columns)};
    }

    void multiply() override {
        matrix::multiply(x, a, b, m);
        x.entries.check(); // waits
    }

    std::uint64_t solve() override {
        const std::uint64_t rank = matrix::solve(x, a, b, m);
        x.entries.check();
        return rank;
    }

    bool product_is_right() const override {
        const HostMatrix column{b.columns, 1, random_numbers(b.columns)};
        return all(product(on_host(a), product(on_host(b), column)).entries ==
                   product(on_host(x), column).entries);
    }

    bool solution_is_right() const override {
        return all(product(on_host(a), on_host(x)).entries == on_host(b).entries);
    }

    std::string text(bool hexadecimal) const override {
        std::string lines;
        std::size_t column = 0;
        for (const std::string &number : to_strings(x.entries, hexadecimal ? 16 : 10)) {
            ++column;
            lines += (hexadecimal ? "0x" : "") + number;
            lines += column % x.columns == 0 ? '\n' : ' ';
        }
        return lines;
    }

private:
    void set(Matrix<Bits, Place> &target, const Table &table) {
        const auto fail = [&](std::size_t index, const std::string &reason) {
            throw Error(table.name + ": row " + std::to_string(index / table.columns + 1) +
                        ", column " + std::to_string(index % table.columns + 1) + ": " + reason);
        };
        host_vector<Number> entries;
        try {
            entries = warpint::parse<Bits>(table.entries, 0);
        } catch (const std::out_of_range &error) {
            fail(sample::parse_line(error) - 1, "not below the modulus");
        } catch (const std::logic_error &error) {
            fail(sample::parse_line(error) - 1, sample::parse_reason(error));
        }
        const auto size = static_cast<std::uint64_t>(entries.size());
        const auto wrong =
            static_cast<std::size_t>(min(select(entries >= m.value(), indices(size), size)));
        if (wrong != entries.size())
            fail(wrong, "not below the modulus");
        target = {table.rows, table.columns, entries};
    }

    host_vector<Number> random_numbers(std::size_t count) const {
        host_vector<Number> numbers(count);
        sample::parallel_for(count, [&](std::size_t first, std::size_t last) {
            sample::SystemRandom generator;
            for (std::size_t i = first; i != last; ++i)
                numbers[i] = random_below(m.value(), generator);
        });
        return numbers;
    }

    static HostMatrix on_host(const Matrix<Bits, Place> &matrix) {
        return {matrix.rows, matrix.columns, matrix.entries};
    }

    // By plain numbers, without formulas.
    HostMatrix product(const HostMatrix &left, const HostMatrix &right) const {
        HostMatrix result{left.rows, right.columns, {}};
        result.entries.resize(result.rows * result.columns);
        sample::parallel_for(result.entries.size(), [&](std::size_t first, std::size_t last) {
            for (std::size_t i = first; i != last; ++i) {
                const std::size_t row = i / right.columns, column = i % right.columns;
                BigInt<2 * Bits + 32> sum = 0;
                for (std::size_t t = 0; t != right.rows; ++t)
                    sum += left.entries[row * left.columns + t] *
                           right.entries[t * right.columns + column];
                result.entries[i] = sum % m.value();
            }
        });
        return result;
    }

    Modulus<Bits> m;
    Matrix<Bits, Place> a, b, x;
};

template <int Bits>
std::unique_ptr<Algebra> algebra_of_width(int bits, const std::string &modulus, bool gpu) {
    const auto m = modulus.empty() ? sample::random_primes<Bits, OnHost>(1, bits)[0]
                                   : BigInt<Bits>::parse(modulus, 10);
    if (gpu)
        return std::make_unique<AlgebraOfWidth<Bits, OnDevice>>(m);
    return std::make_unique<AlgebraOfWidth<Bits, OnHost>>(m);
}

} // namespace matrix
