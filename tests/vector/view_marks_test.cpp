// SPDX-License-Identifier: Apache-2.0
// Views of vectors have their vectors' marks of elements without a value, wherever they begin.
#include "support/spaces.h"

#include <doctest/doctest.h>
#include <warpint/modular.h>
#include <warpint/vector.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

using namespace warpint;
using test::Number;
using Mask = std::vector<bool>;

namespace {

constexpr std::size_t element_count = 100;
const std::vector<std::size_t> marked = {0, 31, 33, 34, 70, 99};

Mask mask_of_marked() {
    Mask mask(element_count, false);
    for (const std::size_t i : marked)
        mask[i] = true;
    return mask;
}
Mask part(const Mask &mask, std::size_t first, std::size_t count) {
    const auto begin = mask.begin() + static_cast<std::ptrdiff_t>(first);
    return Mask(begin, begin + static_cast<std::ptrdiff_t>(count));
}

// Parts of a vector: whole words of marks, parts of words, across words, to the end, one element.
struct Part {
    std::size_t first;
    std::size_t count;
};
const std::vector<Part> parts = {{0, 100}, {0, 32}, {32, 64}, {32, 68}, {1, 31},
                                 {31, 3},  {33, 1}, {5, 90},  {71, 29}, {64, 7}};

template <class S>
struct Operands {
    using Vector = typename S::template vector<Number>;
    Vector ten = Vector(element_count, Number(10));
    Vector divisor = Vector(element_count, Number(5));
    Operands() {
        for (const std::size_t i : marked)
            divisor.write(i, Number(0));
    }
    // 2 in all elements but the marked ones.
    [[nodiscard]] Vector quotient() const { return ten.view() / divisor.view(); }
};

} // namespace

TEST_CASE_TEMPLATE("what is computed from a view has the marks of its vector", S, TEST_SPACES) {
    using Vector = typename S::template vector<Number>;
    const Mask mask = mask_of_marked();
    const Operands<S> from;
    Vector v(element_count);
    const auto view = std::as_const(v).view(5, 60); // before there are marks
    const auto formula = view + 1u;
    v = from.ten.view() / from.divisor.view(); // where v lies already
    REQUIRE(v.error_mask() == mask);
    for (const Part &each : parts) {
        const std::size_t first = each.first, count = each.count;
        CAPTURE(first);
        CAPTURE(count);
        const Mask expected = part(mask, first, count);
        const auto some = std::as_const(v).view(first, count);
        const Vector next = some + 1u;
        CHECK(next.error_mask() == expected);
        const Vector both = v.view(first, count) / some; // two operands
        CHECK(both.error_mask() == expected);
        CHECK(Vector(some).error_mask() == expected);
        const bool any = std::find(expected.begin(), expected.end(), true) != expected.end();
        if (any) {
            CHECK_THROWS_AS((void)sum(some), std::domain_error);
        } else {
            CHECK(sum(some) == 2 * count);
        }
    }
    CHECK(v.data() + 5 == view.data());
    CHECK(Vector(formula).error_mask() == part(mask, 5, 60));
    const typename S::template vector<std::uint64_t> index = {1, 25, 26, 28};
    const Vector gathered = gather(view, index);
    CHECK(gathered.error_mask() == Mask{false, false, true, true});

    const batch_view<const Number, S::space> foreign(v.data(), element_count, v.location());
    CHECK(Vector(foreign + 1u).error_mask() == Mask(element_count, false));
    v.clear_errors();
    CHECK(Vector(view + 1u).error_mask() == Mask(60, false));
}

TEST_CASE_TEMPLATE("what is stored through a view marks its vector", S, TEST_SPACES) {
    using Vector = typename S::template vector<Number>;
    const Mask mask = mask_of_marked();
    const Operands<S> from;
    for (const Part &each : parts) {
        const std::size_t first = each.first, count = each.count;
        CAPTURE(first);
        CAPTURE(count);
        Vector v(element_count, Number(7));
        evaluate(from.ten.view(first, count) / from.divisor.view(first, count),
                 v.view(first, count));
        Mask expected(element_count, false);
        for (std::size_t i = first; i < first + count; ++i)
            expected[i] = mask[i];
        CHECK(v.error_mask() == expected);
        v.clear_errors();
        CHECK(v[first] == (mask[first] ? 0u : 2u));
        if (first > 0) {
            CHECK(v[first - 1] == 7u);
        }

        v = from.quotient(); // writing ends marks, in that part only
        evaluate(from.ten.view(first, count) + 1u, v.view(first, count));
        for (std::size_t i = 0; i < element_count; ++i)
            expected[i] = mask[i] && (i < first || i >= first + count);
        CHECK(v.error_mask() == expected);

        v = from.quotient(); // in place
        evaluate(v.view(first, count) + 1u, v.view(first, count));
        CHECK(v.error_mask() == mask);
        if (!mask[first]) {
            CHECK(v[first] == 3u);
        }
    }
    Vector v(element_count, Number(7));
    evaluate(from.ten.view() + 1u, v.view());
    CHECK(v.error_mask() == Mask(element_count, false));
    Vector w = std::move(v); // the view of a vector that was moved shows the same memory
    const auto view = w.view(1, 64);
    v = std::move(w);
    evaluate(from.ten.view(1, 64) / from.divisor.view(1, 64), view);
    CHECK(part(v.error_mask(), 1, 64) == part(mask, 1, 64));
    Vector taken(3, Number(1)); // assign() takes them too
    const Vector quotient = from.quotient();
    taken.assign(quotient.view(1, 64));
    CHECK(taken.error_mask() == part(mask, 1, 64));
}

TEST_CASE_TEMPLATE("op= and a number through a view", S, TEST_ONE_SPACE) {
    using Vector = typename S::template vector<Number>;
    const Vector one = {1, 0, 1};
    Vector v = {10, 20, 30, 40, 50};
    v.view(1, 3) /= one;
    CHECK(v.error_mask() == Mask{false, false, true, false, false});
    const auto view = v.view(2, 2);
    CHECK((view += 5u).data() == view.data()); // what is computed from a fault is one
    CHECK(v.error_mask() == Mask{false, false, true, false, false});
    view = v[1]; // ends the fault
    CHECK(v.to_host() == std::vector<Number>{10, 20, 20, 20, 50});
    v.view(0, 1) = 7;
    v.view(3, 2) *= v.view(3, 2);
    v.view(1, 2) <<= 2;
    v.view(5, 0) = 9u;
    CHECK(v.to_host() == std::vector<Number>{7, 80, 80, 400, 2500});
    v.view() %= 77u;
    CHECK(v.to_host() == std::vector<Number>{7, 3, 3, 400 % 77, 2500 % 77});
    typename S::template vector<std::uint32_t> rows(2 * Number::limb_count, 1u);
    const batch_view<Number, S::space, limb_major> limbs(rows.data(), 2);
    limbs = Number(5);
    limbs -= v.view(1, 2);
    CHECK(Vector(limbs).to_host() == std::vector<Number>{2, 2});
    using Element = StaticResidue<BigInt<64>(97)>;
    typename S::template vector<Element> residues(3);
    residues.view(0, 2) = Element(90);
    residues.view(1, 2) += 9;
    CHECK(residues.to_host() == std::vector<Element>{Element(90), Element(2), Element(9)});

    host_vector<Number> h = {1, 2, 3, 4};
    const auto middle = std::as_const(h).view(1, 2);
    CHECK(std::vector<Number>(middle.rbegin(), middle.rend()) == std::vector<Number>{3, 2});
}

// The limbs of numbers anywhere in a vector of words.
TEST_CASE_TEMPLATE("views of numbers that are not aligned for their type", S, TEST_ONE_SPACE) {
    using T = BigInt<256>;
    std::vector<T> numbers;
    std::vector<std::uint32_t> limbs(1, 77u);
    for (const Number &x : test::some_numbers(101)) {
        numbers.push_back(T(x) * x);
        limbs.insert(limbs.end(), numbers.back().limbs, numbers.back().limbs + T::limb_count);
    }
    limbs.push_back(78u);
    typename S::template vector<std::uint32_t> words(limbs);
    const batch_view<T, S::space> view(words.data() + 1, 101);
    typename S::template vector<T> v(view);
    CHECK(v.to_host() == numbers);
    CHECK(sum(view) == sum(v));
    evaluate(view * v % (T(1) << 255), view);
    const std::vector<std::uint32_t> after = words.to_host();
    bool right = true;
    for (std::size_t i = 0; i < 101; ++i) {
        const T expected = numbers[i] * numbers[i] % (T(1) << 255);
        right = right && std::equal(expected.limbs, expected.limbs + T::limb_count,
                                    after.data() + 1 + i * T::limb_count);
    }
    CHECK(right);
    CHECK(after.front() == 77u);
    CHECK(after.back() == 78u);
}
