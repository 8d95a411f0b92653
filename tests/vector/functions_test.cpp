// SPDX-License-Identifier: Apache-2.0
// Functions of batches against the same functions of plain numbers; several results; user's
// functions of any number of operands, and their faults; indices; slices of a formula.
#include "support/spaces.h"

#include <ostream>

#include <doctest/doctest.h>
#include <warpint/vector.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#if defined(__CUDACC__)
#include <cuda/std/tuple>
#endif

using namespace warpint;
using test::Number;
using test::some_numbers;

namespace {

#if defined(__CUDACC__)
using cuda::std::tuple;
#else
using std::tuple;
#endif

using Signed = SignedBigInt<70>;

constexpr std::size_t element_count = 70;

// Operands with the values that matter: zeros, ones, tops.
std::vector<Number> first_operand() {
    std::vector<Number> x = some_numbers(element_count, 5);
    x[0] = Number(0);
    x[1] = ~Number(0);
    x[2] = Number(1);
    for (std::size_t i = 3; i < element_count; i += 3)
        x[i] = x[i] >> static_cast<int>(i);
    return x;
}
std::vector<Number> second_operand() {
    std::vector<Number> y = some_numbers(element_count, 7);
    y[0] = Number(0);
    y[1] = Number(1);
    y[2] = Number(2);
    y[3] = ~Number(0);
    y[4] = Number(4);
    for (std::size_t i = 5; i < element_count; i += 4)
        y[i] = (y[i] >> static_cast<int>(i + 20)) * 2u + 1u;
    return y;
}
std::vector<Signed> signed_operand() {
    std::vector<Signed> z(element_count);
    const std::vector<Number> x = some_numbers(element_count, 11);
    for (std::size_t i = 0; i < element_count; ++i) {
        z[i] = Signed(x[i] >> 27);
        if (i % 2 == 0)
            z[i] = -z[i];
    }
    z[1] = Signed(1) << 69; // the least
    z[2] = Signed(-1);
    z[4] = Signed(0);
    return z;
}

// The formula's elements are what plain() gives for each index, of the same type; an exception or
// an empty Optional there is an element without a value.
template <class T>
T unwrapped(const T &x, bool &) {
    return x;
}
template <class T>
T unwrapped(const Optional<T> &x, bool &fault) {
    fault = !x.has_value();
    return x.has_value() ? *x : T{};
}

template <class Tree, class Plain>
void check(const char *what, const Tree &tree, Plain plain) {
    const auto got = eval(tree);
    const std::vector<bool> mask = got.error_mask();
    auto copy = got;
    copy.clear_errors();
    const auto values = copy.to_host();
    using T = typename std::remove_cvref_t<decltype(got)>::value_type;
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < element_count; ++i) {
        bool fault = false;
        T expected{};
        try {
            const auto value = unwrapped(plain(i), fault);
            static_assert(std::is_same_v<std::remove_cvref_t<decltype(value)>, T>);
            if (!fault)
                expected = value;
        } catch (const std::domain_error &) {
            fault = true;
        }
        const bool right = mask[i] == fault && values[i] == expected;
        if (!right) {
            CAPTURE(what);
            CAPTURE(i);
            CHECK(right);
        }
        wrong += !right;
    }
    CHECK(wrong == 0);
}

} // namespace

#define CHECK_SAME(expression)                                                                     \
    check(                                                                                         \
        #expression,                                                                               \
        [&] {                                                                                      \
            [[maybe_unused]] const auto &x = a;                                                    \
            [[maybe_unused]] const auto &y = b;                                                    \
            [[maybe_unused]] const auto &z = c;                                                    \
            return expression;                                                                     \
        }(),                                                                                       \
        [&](std::size_t i) {                                                                       \
            [[maybe_unused]] const Number x = p[i];                                                \
            [[maybe_unused]] const Number y = q[i];                                                \
            [[maybe_unused]] const Signed z = s[i];                                                \
            return expression;                                                                     \
        })

TEST_CASE_TEMPLATE("functions of one and two batches", S, TEST_ONE_SPACE) {
    const std::vector<Number> p = first_operand(), q = second_operand();
    const std::vector<Signed> s = signed_operand();
    const typename S::template vector<Number> a(p), b(q);
    const typename S::template vector<Signed> c(s);
    CHECK_SAME(abs(x));
    CHECK_SAME(abs(z));
    CHECK_SAME(min(x, y));
    CHECK_SAME(max(x, z));
    CHECK_SAME(min(z, 5));
    CHECK_SAME(mul_low(x, y));
    CHECK_SAME(mul_high(x, y));
    CHECK_SAME(gcd(x, y));
    CHECK_SAME(gcd(x, z));
    CHECK_SAME(lcm(x, y));
    CHECK_SAME(lcm(z, 6u));
    CHECK_SAME(jacobi(x, y | 1u));
    CHECK_SAME(jacobi(z, y)); // even ones have none
    CHECK_SAME(jacobi(z, Number(9907)));
    CHECK_SAME(isqrt(x));
    CHECK_SAME(isqrt(z));
    CHECK_SAME(iroot(x, 3));
    CHECK_SAME(iroot(x, 2u));
    CHECK_SAME(iroot(z, 5));
    CHECK_SAME(iroot(x, y >> 90)); // some of degree 0
    CHECK_SAME(iroot(x, z));
    CHECK_SAME(iroot(Number(1) << 90, popcount(x)));
    CHECK_SAME(iroot(x * y, 7));
    CHECK_SAME(is_square(x));
    CHECK_SAME(is_square(z));
    CHECK_SAME(is_square(x * x));
    CHECK_SAME(is_square(z * z));
    CHECK_SAME(test_bit(x, 5));
    CHECK_SAME(rotl(x, 7));
    CHECK_SAME(rotr(x, 95));
    CHECK_SAME(is_probable_prime(x >> 70));
    CHECK_SAME(popcount(x));
    CHECK_SAME(pow(x, y));
}

TEST_CASE_TEMPLATE("modular functions", S, TEST_ONE_SPACE) {
    const std::vector<Number> p = first_operand(), q = second_operand();
    const std::vector<Signed> s = signed_operand();
    const typename S::template vector<Number> a(p), b(q);
    const typename S::template vector<Signed> c(s);
    CHECK_SAME(addmod(x, z, y));
    CHECK_SAME(submod(x, z, y));
    CHECK_SAME(mulmod(x, z, y));
    CHECK_SAME(sqrmod(z, y));
    CHECK_SAME(inverse(x, y));
    CHECK_SAME(inverse(z, y));
    CHECK_SAME(inverse(x, Number(1000003)));
    CHECK_SAME(inverse(x, Number(0)));
    CHECK_SAME(inverse(x, Number(1)));
    CHECK_SAME(inverse(x, Modulus<96>(Number(6))));
    CHECK_SAME(sqrt_mod(x, Number(1000033)));
    CHECK_SAME(sqrt_mod(z, y & 7u)); // 0, 1, 2, composites
    CHECK_SAME(crt(x, y, z, Number(12)));
    CHECK_SAME(crt(x, y & 15u, y, 10u));
    CHECK_SAME(addmod(x, y, 7));
    CHECK_SAME(mulmod(x, y, -7));
    CHECK_SAME(mulmod(x, y, z)); // z < 0 and z = 0 are no moduli
    CHECK_SAME(pow(x, y, z));
}

TEST_CASE_TEMPLATE("select, as, positions by batches", S, TEST_ONE_SPACE) {
    const std::vector<Number> p = first_operand(), q = second_operand();
    const std::vector<Signed> s = signed_operand();
    const typename S::template vector<Number> a(p), b(q);
    const typename S::template vector<Signed> c(s);
    check("select", select(a < b, a, c), [&](std::size_t i) {
        using R = SignedBigInt<97>;
        return p[i] < q[i] ? R(p[i]) : R(s[i]);
    });
    check("select by numbers", select(a & 1u, 5u, b),
          [&](std::size_t i) { return test_bit(p[i], 0) ? Number(5) : q[i]; });
    check("as narrower", as<BigInt<9>>(a * b),
          [&](std::size_t i) { return BigInt<9>(p[i] * q[i]); });
    check("as signed", as<SignedBigInt<96>>(a),
          [&](std::size_t i) { return SignedBigInt<96>(p[i]); });
    check("as int", as<int>(c), [&](std::size_t i) { return static_cast<int>(s[i]); });
    check("as bool", as<bool>(a), [&](std::size_t i) { return static_cast<bool>(p[i]); });
    check("test_bit", test_bit(a, b & 127u),
          [&](std::size_t i) { return test_bit(p[i], static_cast<int>(q[i] & 127u)); });
    check("test_bit far away", test_bit(a, b),
          [&](std::size_t i) { return q[i] < 96u && test_bit(p[i], static_cast<int>(q[i])); });
    check("rotl", rotl(a, b),
          [&](std::size_t i) { return rotl(p[i], static_cast<int>(q[i] % 96u)); });
    check("rotr", rotr(a, c),
          [&](std::size_t i) { return rotr(p[i], static_cast<int>(s[i] % 96)); });
    check("index", indices(element_count) * a,
          [&](std::size_t i) { return std::uint64_t{i} * p[i]; });
    check("built-in elements", typename S::template vector<std::uint64_t>(element_count, 5u) - a,
          [&](std::size_t i) { return SignedBigInt<97>(5) - SignedBigInt<97>(p[i]); });
    check("int elements", typename S::template vector<int>(element_count, -5) * 3,
          [&](std::size_t) { return SignedBigInt<64>(-15); });
    check("bool elements", typename S::template vector<bool>(element_count, true) + a,
          [&](std::size_t i) { return BigInt<97>(p[i]) + 1u; });
}

// ---- several results

namespace {

struct SumAndLess {
    WARPINT_HOST_DEVICE tuple<BigInt<97>, bool> operator()(const Number &x, const Number &y) const {
        return {BigInt<97>(x) + y, x < y};
    }
};
struct OfOne {
    WARPINT_HOST_DEVICE Number operator()(const Number &x) const { return x + 1u; }
};
struct OfFour {
    WARPINT_HOST_DEVICE Number operator()(const Number &x, const Number &y, const Signed &z,
                                          int k) const {
        return x ^ (y + Number(z)) ^ static_cast<unsigned>(k);
    }
};
struct OfSix {
    WARPINT_HOST_DEVICE tuple<Number, int, std::uint64_t>
    operator()(const Number &x, const Number &y, const Signed &z, int k, bool flag,
               std::uint64_t i) const {
        return {flag ? x : y, k + (z < 0 ? 1 : 0), i * i};
    }
};
struct OddOnly {
    WARPINT_HOST_DEVICE Optional<Number> operator()(const Number &x) const {
        return test_bit(x, 0) ? Optional<Number>(x) : Optional<Number>();
    }
};
struct PartsOfOdd {
    using Parts = tuple<Number, bool>;
    WARPINT_HOST_DEVICE Optional<Parts> operator()(const Number &x) const {
        return test_bit(x, 0) ? Optional<Parts>(Parts(x + 1u, x < Number(1000)))
                              : Optional<Parts>();
    }
};

} // namespace

TEST_CASE_TEMPLATE("several results in one launch", S, TEST_ONE_SPACE) {
    const std::vector<Number> p = first_operand(), q = second_operand();
    const std::vector<Signed> s = signed_operand();
    const typename S::template vector<Number> a(p), b(q);
    const typename S::template vector<Signed> c(s);
    typename S::template vector<Number> n;
    typename S::template vector<BigInt<97>> sum(3);
    typename S::template vector<bool> less;
    std::uint64_t before = launch_count();
    tie(sum, less) = map(SumAndLess{}, a, b);
    CHECK(launch_count() == before + 1);
    const auto sums = sum.to_host();
    const auto lesses = less.to_host();
    typename S::template vector<int> k;
    typename S::template vector<std::uint64_t> squares;
    before = launch_count();
    tie(n, k, squares) = map(OfSix{}, a, b, c, 7, a < b, indices(element_count));
    CHECK(launch_count() == before + 1);
    CHECK_THROWS_AS(tie(n, k, n) = map(OfSix{}, a, b, c, 7, a < b, indices(element_count)),
                    wrong_location);
    const auto ns = n.to_host();
    const auto ks = k.to_host();
    const auto ss = squares.to_host();
    for (std::size_t i = 0; i < element_count; ++i) {
        CHECK(sums[i] == BigInt<97>(p[i]) + q[i]);
        CHECK(lesses[i] == (p[i] < q[i]));
        CHECK(ns[i] == (p[i] < q[i] ? p[i] : q[i]));
        CHECK(ks[i] == 7 + (s[i] < 0));
        CHECK(ss[i] == i * i);
    }
    check("map of one", map(OfOne{}, a), [&](std::size_t i) { return p[i] + 1u; });
    check("map of four", map(OfFour{}, a, b, c, 9),
          [&](std::size_t i) { return OfFour{}(p[i], q[i], s[i], 9); });
    check("map inside a formula", map(OfOne{}, a * b % Number(97)) * 2u,
          [&](std::size_t i) { return (p[i] * q[i] % Number(97) + 1u) * 2u; });
    check("an empty Optional", map(OddOnly{}, a), [&](std::size_t i) { return OddOnly{}(p[i]); });
    // Several results or none.
    tie(sum, less) = map(PartsOfOdd{}, a);
    const std::vector<bool> even = sum.error_mask();
    CHECK(less.error_mask() == even);
    for (std::size_t i = 0; i < element_count; ++i) {
        CHECK(even[i] == !test_bit(p[i], 0));
        if (!even[i]) {
            CHECK(sum.read(i) == p[i] + 1u);
            CHECK(less.read(i) == (p[i] < Number(1000)));
        }
    }
    before = launch_count();
    const auto both = eval(sqrt_rem(a));
    CHECK(launch_count() == before + 1);
    const auto roots = std::get<0>(both).to_host(), rests = std::get<1>(both).to_host();
    const auto bad = eval(sqrt_rem(c));
    const std::vector<bool> mask = std::get<1>(bad).error_mask();
    const auto divided = eval(divmod(c, b - 5));
    const auto rest_first = eval(divmod(c, b));
    const auto quotient_faults = std::get<0>(divided).error_mask();
    for (std::size_t i = 0; i < element_count; ++i) {
        CHECK(roots[i] == sqrt_rem(p[i]).root);
        CHECK(rests[i] == sqrt_rem(p[i]).remainder);
        CHECK(mask[i] == (s[i] < 0));
        CHECK(quotient_faults[i] == (q[i] == 5u));
        if (!quotient_faults[i]) {
            const auto expected = divmod(SignedBigInt<98>(s[i]), SignedBigInt<98>(q[i]) - 5);
            CHECK(std::get<0>(divided).read(i) == expected.quotient);
            CHECK(std::get<1>(divided).read(i) == expected.remainder);
        }
        if (q[i] != 0u) {
            CHECK(std::get<0>(rest_first).read(i) == divmod(s[i], q[i]).quotient);
            CHECK(std::get<1>(rest_first).read(i) == divmod(s[i], q[i]).remainder);
            CHECK(std::get<0>(rest_first).read(i) * q[i] + std::get<1>(rest_first).read(i) == s[i]);
        }
    }
}

TEST_CASE("powers of one base in tables modulo nothing have no value") {
    const host_vector<BigInt<64>> e{1u, 2u, 3u};
    const host_vector<BigInt<1024>> powers = pow(BigInt<1024>(3u), e, BigInt<1024>(0u));
    CHECK(powers.error_mask() == std::vector<bool>(3, true));
}

TEST_CASE("a user's function that throws on the CPU") {
    const std::vector<Number> p = first_operand();
    host_vector<Number> a(p);
    const auto careful = [](const Number &x) {
        if (!test_bit(x, 0))
            throw std::runtime_error("even");
        return x * 1u;
    };
    a = map(careful, a); // in place
    const std::vector<bool> mask = a.error_mask();
    const std::size_t first =
        static_cast<std::size_t>(std::find(mask.begin(), mask.end(), true) - mask.begin());
    REQUIRE(first < element_count);
    const auto text = [](const auto &action) -> std::string {
        try {
            action();
        } catch (const std::domain_error &error) {
            return error.what();
        }
        return "";
    };
    const auto expected = [&](const std::string &end) {
        return "warpint: " + std::to_string(std::count(mask.begin(), mask.end(), true)) + " of " +
               std::to_string(element_count) + " elements have no value, the first is element " +
               std::to_string(first) + end;
    };
    CHECK(text([&] { a.check(); }) == expected(": even"));
    const host_vector<Number> copied = a;
    CHECK(text([&] { (void)copied.to_host(); }) == expected(": even"));
    host_vector<Number> by_stream;
    copy_async(copied, by_stream);
    CHECK(text([&] { by_stream.check(); }) == expected(": even"));
    CHECK(text([&] { (void)sum(map(careful, host_vector<Number>(p))); }) == expected(": even"));
    // In a batch of all cores, beside faults that nothing was thrown for, in rows of inverses, and
    // where the element was written.
    host_vector<std::uint64_t> many(100'000, 1u), results;
    many[70'000] = many[80'000] = 0u;
    many[60'000] = 7u;
    const auto picky = [](std::uint64_t x) -> Optional<std::uint64_t> {
        if (x == 0)
            throw std::runtime_error("zero");
        return x == 7 ? Optional<std::uint64_t>() : Optional<std::uint64_t>(x);
    };
    results = map(picky, many);
    CHECK(text([&] { results.check(); }) ==
          "warpint: 3 of 100000 elements have no value, the first is element 60000; element 70000: "
          "zero");
    results = inverse(map(picky, many), 1'000'003u);
    CHECK(text([&] { results.check(); }).ends_with("60000; element 70000: zero"));
    results.write(70'000, 1u);
    CHECK(text([&] { results.check(); }).ends_with("the first is element 60000"));
    results = map([](std::uint64_t x) { return x + 1; }, many);
    CHECK(text([&] { results.check(); }) == "");
    // Through a view; and what is stored there later has another reason.
    host_vector<std::uint64_t> few(3, 1u);
    few.view(1, 2) = map(picky, many.view(69'999, 2));
    CHECK(text([&] { few.check(); }).ends_with("the first is element 2: zero"));
    few.view(2, 1) = indices(1) / many.view(70'000, 1);
    CHECK(text([&] { few.check(); }).ends_with("the first is element 2"));
    // What is computed from them, inserted before them, or refers to them knows it too.
    results = map(picky, many.view(69'999, 3));
    CHECK(text([&] { results[1] += 1u; }) ==
          "warpint: element 1 has no value: write(1, x) gives it one; element 1: zero");
    host_vector<std::uint64_t> next = results + 1u;
    CHECK(text([&] { next.check(); }).ends_with("the first is element 1: zero"));
    CHECK(text([&] { (void)sum(next.view(1, 2) * 2u); }).ends_with("element 0: zero"));
    next.insert(next.begin(), 2, 5u);
    next += indices(5) / host_vector<std::uint64_t>{0, 1, 1, 1, 1};
    CHECK(text([&] { next.check(); }).ends_with("the first is element 0; element 3: zero"));
    next.erase(next.begin() + 3);
    CHECK(text([&] { next.check(); }).ends_with("the first is element 0"));
    host_vector<std::uint64_t> shorter = map(picky, host_vector<std::uint64_t>{7, 0});
    shorter.pop_back(); // what threw is gone
    CHECK(text([&] { shorter.check(); }).ends_with("the first is element 0"));
    results.write(1, 1u);
    next = results / host_vector<std::uint64_t>{1, 0, 1}; // has another reason
    CHECK(text([&] { next.check(); }).ends_with("the first is element 1"));
    // Gathered, from a vector and a view, into the index, and where it is not.
    results = map(picky, many.view(69'998, 4)); // element 2
    host_vector<std::uint64_t> order{3, 2, 0, 2};
    next = gather(results, order) + 1u;
    CHECK(text([&] { next.check(); }).ends_with("the first is element 1: zero"));
    next = gather(results.view(1, 3), order + 8u - 9u) / host_vector<std::uint64_t>{0, 1, 1, 1};
    CHECK(text([&] { next.check(); }).ends_with("the first is element 0; element 1: zero"));
    CHECK(text([&] { (void)sum(gather(results, indices(4))); }).ends_with("element 2: zero"));
    order = gather(results, order);
    CHECK(text([&] { order.check(); }).ends_with("the first is element 1: zero"));
    next = gather(results, host_vector<std::uint64_t>{1, 4});
    CHECK(text([&] { next.check(); }).ends_with("the first is element 1"));
    // By an index that let() names, in a let() in another, and by residues.
    const host_vector<std::uint64_t> twice{6, 4, 0, 4};
    next = let(twice / 2u, [&](auto x) { return gather(results, x) + x; });
    CHECK(text([&] { next.check(); }).ends_with("the first is element 1: zero"));
    next = let(twice + 2u, [&](auto x) {
        return let(x - 2u, [&](auto y) { return gather(results, y / 2u) * x + y; });
    });
    CHECK(text([&] { next.check(); }).ends_with("the first is element 1: zero"));
    next = let(twice / host_vector<std::uint64_t>{2, 0, 2, 2},
               [&](auto x) { return gather(results, x) + x; });
    CHECK(text([&] { next.check(); }).ends_with("the first is element 1; element 3: zero"));
    const Modulus<32> five(BigInt<32>(5u));
    const host_vector<Residue<32>> residues(five, std::vector<BigInt<32>>{8u, 7u, 5u, 7u});
    next = gather(results, value(residues));
    CHECK(text([&] { next.check(); }).ends_with("the first is element 1: zero"));
    a.clear_errors();
    const auto values = a.to_host();
    for (std::size_t i = 0; i < element_count; ++i) {
        CHECK(mask[i] == !test_bit(p[i], 0));
        CHECK(values[i] == (mask[i] ? Number(0) : p[i]));
    }
}

TEST_CASE_TEMPLATE("indices alone go where they are stored", S, TEST_ONE_SPACE) {
    typename S::template vector<std::uint64_t> v(1000, 7u), w;
    evaluate(indices(1000), v);
    w = indices(77) * 2u;
    CHECK(v.location() == w.location());
    CHECK(v[999] == 999u);
    CHECK(w[76] == 152u);
    CHECK(w.size() == 77);
    CHECK_THROWS_AS(w = indices(5) + v, size_mismatch);
    evaluate(indices(10) + 1u, v.view(990, 10));
    CHECK(v[990] == 1u);
    CHECK(eval(indices(0)).empty());
    host_vector<std::uint64_t> host = indices(3);
    CHECK(host.to_host() == std::vector<std::uint64_t>{0, 1, 2});
}

// ---- slices

namespace {

// A leaf's part [first, first + size).
struct Slice {
    std::size_t first;
    std::size_t size;

    template <class T, Space space>
    auto operator()(const expression::BatchLeaf<T, space> &leaf) const {
        expression::BatchState part = leaf.state();
        part.data = static_cast<T *>(part.data) + first;
        part.size = size;
        part.faults = nullptr;
        part.marks = nullptr;
        return expression::BatchLeaf<T, space>{nullptr, part};
    }
    expression::IndexLeaf operator()(const expression::IndexLeaf &leaf) const {
        return {size, leaf.first + first};
    }
    template <class T>
    auto operator()(const expression::ConstantLeaf<T> &leaf) const {
        return leaf;
    }
};

} // namespace

TEST_CASE_TEMPLATE("a formula on slices of its leaves", S, TEST_ONE_SPACE) {
    using Vector = typename S::template vector<Number>;
    const Vector a(first_operand()), b(second_operand());
    const auto tree = (a * b + indices(element_count) * 3u) % Number(1000003) + map(OfOne{}, b);
    const Vector whole = tree;
    Vector pieces(element_count);
    std::size_t launches = 0;
    for (std::size_t first = 0; first < element_count; first += 33, ++launches) {
        const std::size_t size = first + 33 < element_count ? 33 : element_count - first;
        const auto part = expression::map_leaves(tree, Slice{first, size});
        static_assert(std::is_same_v<decltype(part), decltype(tree)>);
        evaluate(part, pieces.view(first, size));
    }
    CHECK(launches == 3);
    CHECK(pieces.to_host() == whole.to_host());
}
