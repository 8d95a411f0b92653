// SPDX-License-Identifier: Apache-2.0
// let, gather, extract_bits and vectors on streams.
#include "support/spaces.h"

#include <ostream>

#include <doctest/doctest.h>
#include <warpint/vector.h>

#include <cstdint>
#include <iomanip>
#include <sstream>
#include <stdexcept>
#include <type_traits>
#include <vector>

using namespace warpint;
using test::Number;
using test::some_numbers;

#if !defined(__CUDACC__)
namespace {

// Counts its calls.
struct Counted {
    static inline int calls = 0;
    Number operator()(const Number &x) const {
        ++calls;
        return x;
    }
};

} // namespace

TEST_CASE("what let names is computed once") {
    const host_vector<Number> a(some_numbers(20));
    const auto formula = let(map(Counted{}, a), [](auto x) { return x * x + x; });
    Counted::calls = 0;
    const auto r = eval(formula);
    CHECK(Counted::calls == 20);
    for (std::size_t i = 0; i < 20; ++i)
        CHECK(r[i] == a[i] * a[i] + a[i]);
}
#endif

TEST_CASE_TEMPLATE("let", S, TEST_ONE_SPACE) {
    using Vector = typename S::template vector<Number>;
    const std::vector<Number> x = some_numbers(100), y = some_numbers(100, 5);
    const Vector a(x), b(y);
    // A let in a let, both values in the inner formula; as an operand; in a reduction.
    const auto r = eval(
        let(a + b, [&](auto s) { return let(s * s, [&](auto t) { return t - s + b; }) + s; }) + 1);
    const auto values = r.to_host();
    for (std::size_t i = 0; i < 100; ++i) {
        const auto s = BigInt<97>(x[i]) + y[i];
        CHECK(values[i] == s * s + y[i] + 1);
    }
    CHECK(all(let(a - b, [](auto d) { return d * d >= d; })));
    // Its faults are the formula's.
    std::vector<Number> divisors(100, Number(7));
    divisors[31] = Number(0);
    const Vector d(divisors);
    const auto quotients = eval(let(a / d, [](auto q) { return q + q; }));
    CHECK(quotients.error_mask()[31]);
    CHECK_FALSE(quotients.error_mask()[30]);
    const Modulus<96> m(Number(1000003u));
    const typename S::template vector<Residue<96>> residues(m, a);
    CHECK(all(let(residues * residues, [](auto q) { return q * q; }) == pow(residues, 4)));
}

TEST_CASE_TEMPLATE("gather", S, TEST_ONE_SPACE) {
    using Vector = typename S::template vector<Number>;
    const std::vector<Number> x = some_numbers(100);
    Vector a(x);
    // Reversed, and more often than there are elements.
    const auto reversed = eval(gather(a, 99 - indices(100)) + a).to_host();
    for (std::size_t i = 0; i < 100; ++i)
        CHECK(reversed[i] == BigInt<97>(x[99 - i]) + x[i]);
    const auto repeated = eval(gather(a.view(10, 3), indices(1000) % 3u)).to_host();
    REQUIRE(repeated.size() == 1000);
    for (std::size_t i = 0; i < 1000; ++i)
        CHECK(repeated[i] == x[10 + i % 3]);
    // Indices beyond the source, negative ones, and elements without a value.
    const typename S::template vector<std::int64_t> index{0, 99, 100, -1, INT64_MAX, 5};
    Vector d(x);
    d.write(5, Number(0));
    const Vector inverse_of = Number(1u) / d;
    auto got = eval(gather(inverse_of, index));
    CHECK(got.error_mask() == std::vector<bool>{false, false, true, true, true, true});
    const Vector none;
    CHECK(eval(gather(none, index)).error_mask() == std::vector<bool>(6, true));
    // Read while written.
    CHECK_THROWS_AS(a = gather(a, 99 - indices(100)), wrong_location);
    CHECK(a.to_host() == x);
    const Modulus<96> m(Number(97u));
    const typename S::template vector<Residue<96>> residues(m, a);
    CHECK(all(gather(residues, 99 - indices(100)) == gather(a, 99 - indices(100))));
}

TEST_CASE_TEMPLATE("extract_bits", S, TEST_ONE_SPACE) {
    using Vector = typename S::template vector<Number>;
    const std::vector<Number> x = some_numbers(100);
    const Vector a(x);
    const auto fields = eval(extract_bits(a, indices(100), 12));
    static_assert(std::is_same_v<std::remove_cvref_t<decltype(fields)>, Vector>);
    const auto narrow = eval(extract_bits<12>(a, indices(100)));
    static_assert(std::is_same_v<std::remove_cvref_t<decltype(narrow)>,
                                 typename S::template vector<BigInt<12>>>);
    const auto values = fields.to_host();
    for (std::size_t i = 0; i < 100; ++i)
        CHECK(values[i] == ((x[i] >> static_cast<int>(i)) & Number(0xfff)));
    CHECK(all(fields == narrow));
}

TEST_CASE_TEMPLATE("vectors on streams", S, TEST_ONE_SPACE) {
    typename S::template vector<Number> a{Number(1), Number(255), Number(0)};
    std::ostringstream out;
    out << a << std::hex << std::showbase << a << std::dec << eval(Number(1) / a);
    CHECK(out.str() == "{1, 255, 0}{0x1, 0xff, 0}{1, 0, none}");
    out.str("");
    out << typename S::template vector<int>{} << typename S::template vector<int>{-5};
    CHECK(out.str() == "{}{-5}");
}
