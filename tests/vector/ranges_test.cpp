// SPDX-License-Identifier: Apache-2.0
// Vectors as ranges, spans and users of memory resources; copies on a stream; what a user of
// std::vector writes without thinking.
#include "support/spaces.h"

#include <ostream>

#include <doctest/doctest.h>
#include <warpint/vector.h>

#include <algorithm>
#include <array>
#include <ranges>
#include <span>
#include <sstream>
#include <stdexcept>
#include <type_traits>
#include <vector>

using namespace warpint;
using test::Number;
using test::some_numbers;

static_assert(std::ranges::contiguous_range<host_vector<Number>>);
static_assert(std::ranges::contiguous_range<const host_vector<Number>>);
static_assert(std::ranges::sized_range<host_vector<Number>>);
static_assert(std::is_convertible_v<host_vector<Number> &, std::span<Number>>);
static_assert(std::is_convertible_v<const host_vector<Number> &, std::span<const Number>>);
#if !defined(__CUDACC__)
static_assert(std::ranges::contiguous_range<device_vector<Number>>); // in host memory
#endif

TEST_CASE("a host_vector as a range and as a span") {
    const std::vector<Number> x = some_numbers(50);
    host_vector<Number> v{std::span<const Number>(x)};
    const auto less = [](const Number &a, const Number &b) { return a < b; };
    CHECK(std::equal(v.begin(), v.end(), x.begin(), x.end()));
    std::ranges::sort(v, less);
    CHECK(std::ranges::is_sorted(v, less));
    const std::span<Number> span = v;
    span[3] = Number(8);
    CHECK(v[3] == 8u);
    Number total(0);
#if defined(__clang__) && __clang_major__ < 16 // cannot compile the views of libstdc++
    for (int i = 10; i < 13; ++i)
        total += v[i];
#else
    for (const Number &each : v | std::views::drop(10) | std::views::take(3))
        total += each;
#endif
    CHECK(total == v[10] + v[11] + v[12]);
    const std::array<Number, 2> two = {Number(1), Number(2)};
    v.assign(std::span<const Number>(two));
    CHECK(v.to_host() == std::vector<Number>{Number(1), Number(2)});
}

TEST_CASE_TEMPLATE("what std::vector has", S, TEST_SPACES) {
    using Vector = typename S::template vector<Number>;
    const std::vector<Number> x = some_numbers(20);
    Vector v{std::span<const Number>(x).first(3)};
    v.push_back(Number(9));
    v.reserve(100);
    CHECK(v.capacity() >= 100);
    CHECK(v.size() == 4);
    CHECK(v.front() == x[0]);
    CHECK(v.back() == 9u);
    CHECK(v.cend() - v.cbegin() == 4);
    CHECK(std::vector<Number>(v.rbegin(), v.rend()) ==
          std::vector<Number>{Number(9), x[2], x[1], x[0]});
    CHECK(v.crend() - v.crbegin() == 4);
    CHECK(*v.crbegin() == 9u);
    v.resize(6, Number(5));
    CHECK(v.back() == 5u);
    v.shrink_to_fit();
    CHECK(v.capacity() == 6);
    CHECK(v.at(5) == 5u);
    CHECK(v.data() != nullptr);
    v.front() = Number(3);
    v.back() += 2u;
    CHECK(v.read(0) == 3u);
    CHECK(v.read(5) == 7u);
    v.pop_back();
    v.clear();
    CHECK(v.empty());
    std::ostringstream text;
    text << Vector{1, 20, 300};
    CHECK(text.str() == "{1, 20, 300}");

    // Views: of parts, assigned, copied from, widened from.
    Vector w(x);
    auto part = w.view(5, 3);
    part = w.view(10, 4);
    CHECK(part.size() == 4);
    Vector copied;
    copied = part;
    CHECK(copied[0] == x[10]);
    typename S::template vector<BigInt<200>> wider;
    wider = part;
    CHECK(wider[3] == x[13]);
    wider = w;
    CHECK(wider.size() == 20);
    const typename S::template vector<BigInt<200>> also(part);
    CHECK(also.size() == 4);
}

TEST_CASE_TEMPLATE("insert and erase do what std::vector's do, and keep faults", S, TEST_SPACES) {
    using Vector = typename S::template vector<Number>;
    const std::vector<Number> x = some_numbers(70);
    Vector divisor(x);
    divisor[40] = 0;
    divisor[69] = 0;
    Vector v = Vector(x) / divisor;   // 1, but for two faults
    std::vector<int> expected(70, 1); // -1: a fault
    expected[40] = expected[69] = -1;
    const auto check = [&](auto returned, std::vector<int>::iterator as_returned) {
        CHECK(returned - v.begin() == as_returned - expected.begin());
        REQUIRE(v.size() == expected.size());
        const std::vector<bool> faults = v.error_mask();
        Vector values = v;
        values.clear_errors();
        const std::vector<Number> numbers = values.to_host();
        for (std::size_t i = 0; i < expected.size(); ++i) {
            CHECK(faults[i] == (expected[i] == -1));
            CHECK(numbers[i] == (expected[i] == -1 ? 0 : expected[i]));
        }
    };
    const auto at = [&](std::ptrdiff_t i) { return v.cbegin() + i; };
    const auto there = [&](std::ptrdiff_t i) { return expected.begin() + i; };
    const std::vector<int> more = {8, 9, 10};
    check(v.insert(at(3), 7), expected.insert(there(3), 7));
    check(v.insert(at(42), 33, v.read(3)), expected.insert(there(42), 33, 7)); // behind the fault
    check(v.insert(at(0), {5, 6}), expected.insert(there(0), {5, 6}));
    check(v.insert(v.cend(), more.begin(), more.end()),
          expected.insert(expected.end(), more.begin(), more.end()));
    check(v.erase(at(5)), expected.erase(there(5)));
    check(v.erase(at(10), at(40)), expected.erase(there(10), there(40)));
    check(v.erase(at(10), at(20)), expected.erase(there(10), there(20))); // and the first fault
    check(v.erase(at(2), at(2)), there(2));
    CHECK_THROWS_AS(v.erase(v.cend()), std::out_of_range);
    check(v.begin(), expected.begin());
    v.erase(v.cbegin(), v.cend());
    CHECK(v.empty());
    v.insert(v.cend(), 4);
    CHECK(v.to_host() == std::vector<Number>(1, Number(4)));

    const Modulus<64> seven(BigInt<64>(7)), eleven(BigInt<64>(11));
    using Residues = typename S::template vector<Residue<64>>;
    Residues r(seven, {1, 2, 3});
    r.insert(r.cbegin() + 1, 12);
    r.insert(r.cend(), 2, seven(-1));
    r.erase(r.cbegin());
    CHECK_THROWS_AS(r.insert(r.cbegin(), eleven(1)), wrong_modulus);
    Residues empty;
    empty.insert(empty.cend(), r.begin(), r.end());
    CHECK(eval(value(empty)).to_host() == std::vector<BigInt<64>>{5, 2, 3, 6, 6});
    CHECK(empty.modulus().value() == 7u);
}

TEST_CASE_TEMPLATE("a formula is assigned to a part of a vector", S, TEST_SPACES) {
    using Vector = typename S::template vector<Number>;
    Vector v = {1, 2, 3, 4, 5};
    const Vector w = {10, 20, 30};
    v.view(1, 3) = w * 2u - 1u;
    CHECK(v.to_host() == std::vector<Number>{1, 19, 39, 59, 5});
    v.view(2, 2) = v.view(2, 2) / Vector{0, 1};
    CHECK(v.error_mask() == std::vector<bool>{false, false, true, false, false});
    v.view(0, 3) = w; // a vector's elements, and a view's
    v.view(3, 2) = w.view(1, 2);
    CHECK(v.to_host() == std::vector<Number>{10, 20, 30, 20, 30});
    const auto named = v.view(0, 1);
    named = indices(1) + 8u;
    CHECK(v[0] == 8u);
    CHECK_THROWS_AS(v.view(0, 2) = w + w, size_mismatch);
    CHECK(v[0] == 8u);
    static_assert(std::is_trivially_copyable_v<batch_view<Number>> &&
                  std::is_copy_assignable_v<batch_view<Number>>);
    static_assert(std::is_assignable_v<batch_view<Number>, Number> &&
                  !std::is_assignable_v<batch_view<Number>, BigInt<97>>);
}

TEST_CASE_TEMPLATE("an element in expressions and functions", S, TEST_SPACES) {
    using Vector = typename S::template vector<Number>;
    Vector d = {12, 18, 35};
    const Number x(8), m(101);
    d[0] += 1u;
    CHECK(d[0] == 13u);
    d[0] -= 1u;
    d[1] *= 2u;
    CHECK(d[1] == 36u);
    d[1] >>= 1;
    CHECK(d[0] + d[1] == 30u);
    CHECK(x < d[0]);
    CHECK(+d[0] == 12u);
    CHECK(-d[0] == -Number(12));
    CHECK(~d[0] == ~Number(12));
    CHECK(gcd(d[0], d[1]) == 6u);
    CHECK(gcd(d[0], x) == 4u);
    CHECK(gcd(x, d[0]) == 4u);
    CHECK(lcm(d[0], x) == 24u);
    CHECK(pow(d[0], d[1], m) == pow(Number(12), Number(18), m));
    CHECK(pow<3>(d[0], warpint::Modulus<96>(m)) == pow(Number(12), 3, m));
    CHECK(mulmod(d[0], d[1], m) == 14u);
    CHECK(d[0] * d[1] % m == 14u);
    CHECK(divmod(d[2], d[0]).remainder == 11u);
    CHECK(isqrt(d[2]) == 5u);
    CHECK(is_square(d[2]) == false);
    CHECK(iroot(d[2], 3) == 3u);
    CHECK(popcount(d[2]) == 3);
    CHECK(bit_width(d[2]) == 6);
    CHECK(test_bit(d[2], 1));
    CHECK(jacobi(d[0], m) == jacobi(Number(12), m));
    CHECK(*inverse(d[0], m) * d[0] % m == 1u);
    CHECK(is_probable_prime(d[0]) == false);
    CHECK(to_string(d[0]) == "12");
    CHECK(max(d[0], d[1]) == 18u);
    CHECK(abs(d[0]) == 12u);
    CHECK(sqr(d[0]) == 144u);
    using std::swap;
    swap(d[0], d[1]);
    CHECK(d[0] == 18u);
    auto &&first = d[0], &&second = d[1]; // also where they are variables
    swap(first, second);
    CHECK((d[0] == 12u && d[1] == 18u));
    std::ranges::swap(first, second);
    CHECK((d[0] == 18u && d[1] == 12u));
    std::ostringstream text;
    text << d[0];
    CHECK(text.str() == "18");
    Number total(0);
    for (auto each : d)
        total += Number(each);
    CHECK(total == 18u + 12u + 35u);
}

TEST_CASE_TEMPLATE("copies on a stream", S, TEST_SPACES) {
    using Vector = typename S::template vector<Number>;
    const std::vector<Number> x = some_numbers(100);
    host_vector<Number> pinned(100, uninitialized, pinned_resource());
    std::copy(x.begin(), x.end(), pinned.begin());
    Vector v(3, Number(1));
    const auto formula = v + 1u;
    copy_async(pinned, v);
    CHECK(v.to_host() == x);
    CHECK(eval(formula)[99] == x[99] + 1u);
    Vector divisors(100, Number(1));
    divisors.write(7, Number(0));
    v = v / divisors;
    host_vector<Number> back(100, uninitialized, pinned_resource());
    copy_async(v, back);
    (void)v.error_mask(); // waits for the default stream
    CHECK(back.error_mask() == v.error_mask());
    CHECK(back.error_mask()[7]);
    Vector again;
    copy_async(back, again);
    CHECK(again.error_mask() == v.error_mask());
    copy_async(again, again);
    CHECK(again.size() == 100);
    const Vector none;
    copy_async(none, again);
    CHECK(again.empty());
    again.check();
}
