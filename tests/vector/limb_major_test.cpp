// SPDX-License-Identifier: Apache-2.0
// Views of numbers whose limbs lie in rows, as operands and as targets.
#include "support/spaces.h"

#include <doctest/doctest.h>
#include <warpint/vector.h>

#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

using namespace warpint;
using test::Number;
using test::some_numbers;

namespace {

constexpr std::size_t size = 77;

// Rows of limbs in a vector of limbs of a space, stride limbs each, with a mark in every gap.
template <class S, class T>
struct Rows {
    std::size_t stride;
    typename S::template vector<std::uint32_t> limbs;

    explicit Rows(const std::vector<T> &numbers, std::size_t stride_)
        : stride{stride_}, limbs(rows_of(numbers, stride_)) {}
    static std::vector<std::uint32_t> rows_of(const std::vector<T> &numbers, std::size_t stride) {
        std::vector<std::uint32_t> rows(stride * T::limb_count, 0xabcdefu);
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            for (std::size_t j = 0; j < T::limb_count; ++j)
                rows[j * stride + i] = numbers[i].limbs[j];
        }
        return rows;
    }
    batch_view<T, S::space, limb_major> view(std::size_t count = size) {
        return {limbs.data(), count, stride, limbs.location()};
    }
    // The rows are those of these numbers, the gaps are untouched.
    bool hold(const std::vector<T> &numbers) const {
        return limbs.to_host() == rows_of(numbers, stride);
    }
};

template <class T>
std::vector<T> numbers_as(std::uint64_t step) {
    std::vector<T> numbers;
    for (const Number &x : some_numbers(size, step))
        numbers.push_back(T(x * x * x));
    return numbers;
}

template <class S, class T>
void check_rows() {
    CAPTURE(T::bits);
    const std::vector<T> x = numbers_as<T>(3), y = numbers_as<T>(7);
    const typename S::template vector<T> a1(x), b1(y);
    for (const std::size_t stride : {size, size + 1, 2 * size}) {
        CAPTURE(stride);
        Rows<S, T> a(x, stride), b(y, stride);
        const auto va = a.view(), vb = b.view();
        CHECK(eval(va * vb + 3u).to_host() == eval(a1 * b1 + 3u).to_host());
        CHECK(eval(va % b1).to_host() == eval(a1 % b1).to_host()); // beside an ordinary vector
#if !defined(__CUDACC__) // each formula is a kernel to compile
        CHECK(sum(va) == sum(a1));
#endif
        CHECK(typename S::template vector<T>(va).to_host() == x);
        Rows<S, T> c(std::vector<T>(size, T(1)), stride);
        evaluate(va - vb, c.view());
        std::vector<T> expected(size);
        for (std::size_t i = 0; i < size; ++i)
            expected[i] = x[i] - y[i];
        CHECK(c.hold(expected));
        evaluate(c.view() + 1u, c.view()); // in place
        for (T &each : expected)
            each = each + 1u;
        CHECK(c.hold(expected));
        evaluate(a1, c.view()); // a vector into rows
        CHECK(c.hold(x));
        // Rows right behind others are apart from them.
        std::vector<std::uint32_t> both = c.rows_of(x, stride);
        const std::vector<std::uint32_t> others = c.rows_of(y, stride);
        both.insert(both.end(), others.begin(), others.end());
        typename S::template vector<std::uint32_t> limbs(both);
        using View = decltype(c.view());
        const View low(limbs.data(), size, stride, limbs.location());
        const View high(limbs.data() + others.size(), size, stride, limbs.location());
        expected = y;
        for (const auto &[from, to] : {std::pair(high, low), std::pair(low, high)}) {
            for (T &each : expected)
                each = each + 1u;
            evaluate(from + 1u, to);
            CHECK(typename S::template vector<T>(to).to_host() == expected);
        }
        evaluate(select(indices(size) % 2u == 0u, va, T(5)), a.view(), {});
        CHECK(a.view().size() == size);
        std::vector<T> alternating = x;
        for (std::size_t i = 1; i < size; i += 2)
            alternating[i] = T(5);
        CHECK(a.hold(alternating));
    }
}

} // namespace

TEST_CASE_TEMPLATE("numbers in rows of limbs", S, TEST_ONE_SPACE) {
    check_rows<S, BigInt<131>>();
#if !defined(__CUDACC__)
    check_rows<S, BigInt<256>>();
    check_rows<S, SignedBigInt<96>>();
#endif
}

TEST_CASE_TEMPLATE("what has no value is 0 in rows", S, TEST_ONE_SPACE) {
    std::vector<Number> divisors(size, Number(5));
    divisors[0] = divisors[40] = divisors[76] = Number(0);
    const typename S::template vector<Number> divisor(divisors);
    const typename S::template vector<Number> ten(size, Number(10));
    Rows<S, Number> c(some_numbers(size), size);
    evaluate(ten / divisor, c.view());
    std::vector<Number> expected(size, Number(2));
    expected[0] = expected[40] = expected[76] = Number(0);
    CHECK(c.hold(expected));
#if !defined(__CUDACC__)
    // A power, and an inverse modulo one number, as they run into a vector.
    const Number m = ~Number(0) - 16;
    const std::vector<Number> x = some_numbers(size);
    Rows<S, Number> a(x, size);
    evaluate(pow(a.view(), 65537u, m), c.view());
    CHECK(c.hold(eval(pow(typename S::template vector<Number>(x), 65537u, m)).to_host()));
    evaluate(inverse(a.view(), m), c.view());
    CHECK(c.hold(eval(as<Number>(inverse(typename S::template vector<Number>(x), m))).to_host()));
#endif
}

TEST_CASE_TEMPLATE("bad views of rows", S, TEST_ONE_SPACE) {
    using View = batch_view<Number, S::space, limb_major>;
    Rows<S, Number> rows(some_numbers(size), 2 * size);
    std::uint32_t *const limbs = rows.limbs.data();
    const Location here = rows.limbs.location();
    CHECK_THROWS_WITH_AS(View(limbs, 10, 9, here),
                         "warpint: rows of 9 limbs cannot hold 10 numbers", std::invalid_argument);
    CHECK_THROWS_AS(View(nullptr, 10, 10, here), std::invalid_argument);
    CHECK_THROWS_AS(
        View(reinterpret_cast<std::uint32_t *>(reinterpret_cast<char *>(limbs) + 2), 1, 1, here),
        std::invalid_argument);
    CHECK(View(nullptr, 0, 0, here).empty());
    CHECK_THROWS_AS(evaluate(rows.view() + 1u, rows.view(size - 1)), size_mismatch);
    // The second half of each row is other numbers, but lies between those of the first.
    const View second(limbs + size, size, 2 * size, here);
    CHECK_THROWS_AS(evaluate(rows.view() + 1u, second), wrong_location);
    // The same address with rows of another length, and as ordinary numbers.
    const View closer(limbs, size, size, here);
    CHECK_THROWS_AS(evaluate(rows.view() + 1u, closer), wrong_location);
    const batch_view<Number, S::space> plain(reinterpret_cast<Number *>(limbs), size, here);
    CHECK_THROWS_AS(evaluate(rows.view() + 1u, plain), wrong_location);
    CHECK_THROWS_AS(evaluate(plain + 1u, closer), wrong_location);
    // Behind the last limb of the last number is free.
    const std::size_t behind = 2 * size * (Number::limb_count - 1) + size;
    const View tail(limbs + behind, size / 3, size / 3, here);
    evaluate(as<Number>(indices(size / 3)), tail);
    CHECK(rows.limbs[behind + 5] == 5u);
    CHECK(rows.hold(some_numbers(size)) == false);
}
