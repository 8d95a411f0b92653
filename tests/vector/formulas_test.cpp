// SPDX-License-Identifier: Apache-2.0
// Assignment of formulas to vectors: which formulas compile, sizes, targets that are operands,
// views, faults of elements. What formulas compute is tested in law_*.cpp and vector_wide_test.cpp.
#include "support/oracle.h"
#include "support/property.h"
#include "support/spaces.h"

#include <ostream>

#include <doctest/doctest.h>
#include <warpint/vector.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

using namespace warpint;
using test::Number;
using test::some_numbers;

namespace {

// ---- what must and must not compile

using Host = host_vector<Number>;
using Device = device_vector<Number>;

template <class A, class B>
concept Addable = requires(A &&a, B &&b) { std::forward<A>(a) + std::forward<B>(b); };
template <class A, class B>
concept Reducible = requires(A &&a, B &&b) { std::forward<A>(a) % std::forward<B>(b); };
template <class A>
concept Countable = requires(A &&a) { popcount(std::forward<A>(a)); };
template <class A, class E, class M>
concept Powerable = requires(A &&a, E &&e, M &&m) {
    pow(std::forward<A>(a), std::forward<E>(e), std::forward<M>(m));
};

using DeviceSum = decltype(std::declval<Device &>() + std::declval<Device &>());

// Vectors, named or temporary, views, formulas, numbers.
static_assert(Addable<Device &, Device &> && Addable<const Device &, Device &> &&
              Addable<Device &, int>);
static_assert(Addable<int, Device &> && Addable<Number, Device &> && Addable<DeviceSum, Device &>);
static_assert(Addable<batch_view<Number>, Device &> &&
              Addable<batch_view<const Number>, DeviceSum>);
static_assert(Addable<Device, Device &> && Addable<Device &, Device> && Addable<Device, int>);
static_assert(Addable<DeviceSum, Device> && Addable<Device, DeviceSum>);
static_assert(Addable<Host, Host &> && Addable<Host &, Host>);
static_assert(Countable<Device &> && Countable<Device>);
static_assert(Powerable<Device &, Device &, Device &> && Powerable<Device &, int, Modulus<96>>);
static_assert(Powerable<int, Device &, Number> && Powerable<Number, Number, Device &>);
static_assert(Powerable<Device, Device &, Device &> && Powerable<Device &, Device, Number> &&
              Powerable<Device &, int, Device>);
static_assert(!Powerable<Modulus<96>, Device &, Number> &&
              !Powerable<Device &, Modulus<96>, Number>);
static_assert(Reducible<Device &, Modulus<96>> && !Reducible<Modulus<96>, Device &>);
static_assert(!Addable<Device &, double> && !Addable<Device &, std::string>);
// A formula of host and device vectors together, and a Modulus in a sum, are static_asserts inside;
// requires-expressions do not see them: must_not_compile_batches.cpp has them.

template <class T>
constexpr bool plain = std::is_trivially_copyable_v<expression::lowered_t<T>>;
static_assert(plain<DeviceSum> &&
              plain<decltype(std::declval<DeviceSum>() % std::declval<Device &>())>);
static_assert(plain<decltype(pow(std::declval<Device &>(), 3, std::declval<Modulus<96>>()))>);
static_assert(std::is_trivially_copyable_v<batch_view<Number>> &&
              plain<decltype(~std::declval<Device &>())>);

// A formula carries its numbers to the kernel as bytes, whatever their width.
template <class Scalar>
constexpr bool carries = plain<decltype(std::declval<device_vector<BigInt<4096>> &>() *
                                        std::declval<Scalar>() % std::declval<Scalar>())>;
static_assert(carries<BigInt<4096>> && carries<SignedBigInt<2049>>);

// eval()'s types.
template <class A, class B>
using sum_type = typename decltype(std::declval<A &>() + std::declval<B &>())::value_type;
static_assert(std::is_same_v<sum_type<Device, Device>, BigInt<97>>);
static_assert(
    std::is_same_v<typename decltype(std::declval<Device &>() - 1u)::value_type, SignedBigInt<97>>);
static_assert(std::is_same_v<typename decltype(std::declval<Device &>() *
                                               std::declval<Device &>())::value_type,
                             BigInt<192>>);
static_assert(std::is_same_v<typename decltype(~std::declval<Device &>())::value_type, Number>);
static_assert(std::is_same_v<typename decltype(std::declval<Device &>() << 5)::value_type, Number>);
static_assert(std::is_same_v<typename decltype(std::declval<Device &>() < 5)::value_type, bool>);
static_assert(
    std::is_same_v<typename decltype(pow(std::declval<Device &>(), 3, BigInt<7>(5)))::value_type,
                   BigInt<7>>);

// What std::domain_error's text says; empty if nothing was thrown.
template <class Action>
std::string domain_error_of(Action action) {
    try {
        action();
    } catch (const std::domain_error &error) {
        return error.what();
    }
    return "";
}

} // namespace

// ---- targets and operands

TEST_CASE_TEMPLATE("numbers of 4096 bits beside a vector", S, TEST_SPACES) {
    using Wide = BigInt<4096>;
    using Vector = typename S::template vector<Wide>;
    const Wide m = (Wide(1) << 4095) + 1, x = ~Wide(0) - 4;
    const Vector a = {0, 1, x, m};
    Vector c = a + m;
    CHECK(c.to_host() == std::vector<Wide>{m, m + 1, x + m, 2});
    c = a * x % m;
    CHECK(c.to_host() == std::vector<Wide>{0, x % m, x * x % m, 0});
    c = a * x; // stored: modulo 2^4096
    CHECK(c.to_host() == std::vector<Wide>{0, x, 25, Wide(0) - (Wide(5) << 4095) - 5});
}

TEST_CASE_TEMPLATE("empty batches", S, TEST_SPACES) {
    using Vector = typename S::template vector<Number>;
    Vector a, b, c(3, Number(1));
    const std::uint64_t before = launch_count();
    c = a + b;
    CHECK(c.empty());
    c = a / b;
    c.check();
    CHECK(c.error_mask().empty());
    CHECK(c.to_host().empty());
    CHECK(eval(a * b).empty());
    evaluate(a % 7, c);
    CHECK(launch_count() == before);
    CHECK(explain(a + b).bytes_moved == 0);
}

TEST_CASE_TEMPLATE("sizes must agree, and nothing is written if they do not", S, TEST_SPACES) {
    using Vector = typename S::template vector<Number>;
    const std::vector<Number> numbers = some_numbers(33);
    const Vector a(numbers), shorter(some_numbers(32));
    Vector target(numbers);
    CHECK_THROWS_AS(target = a + shorter, size_mismatch);
    CHECK_THROWS_AS(target = (a * a) % shorter, size_mismatch);
    CHECK_THROWS_AS(target = pow(a, a, shorter), size_mismatch);
    CHECK_THROWS_AS(target += shorter, size_mismatch);
    CHECK_THROWS_AS(evaluate(shorter + shorter, target), size_mismatch);
    CHECK_THROWS_AS(evaluate(shorter + shorter, target.view()), size_mismatch);
    CHECK_THROWS_AS((void)eval(a - shorter), size_mismatch);
    CHECK_THROWS_AS((void)explain(a - shorter), size_mismatch);
    CHECK_THROWS_AS(throw size_mismatch("is one"), std::invalid_argument);
    CHECK(target.to_host() == numbers);
    target.check();
}

TEST_CASE_TEMPLATE("targets of any size, also an operand", S, TEST_SPACES) {
    using Vector = typename S::template vector<Number>;
    const std::vector<Number> x = some_numbers(77), y = some_numbers(77, 5);
    const Number m = Number::parse("0xfffffffffffffffffffffff1");
    const Vector a(x), b(y);
    std::vector<Number> expected(77);
    for (std::size_t i = 0; i < 77; ++i)
        expected[i] = x[i] * y[i] % m;

    Vector empty;
    empty = a * b % m;
    CHECK(empty.to_host() == expected);
    Vector other(5);
    other = a * b % m;
    CHECK(other.to_host() == expected);
    Vector c(y);
    const Number *const place = c.data();
    c = a * c % m; // may name its target
    CHECK(c.to_host() == expected);
    CHECK(c.data() == place);
    c = b;
    c = c * a % m;
    CHECK(c.to_host() == expected);
    c = c % m;
    CHECK(c.to_host() == expected);
    c = b;
    c *= a;
    c -= a;
    c += 1;
    for (std::size_t i = 0; i < 77; ++i)
        expected[i] = Number(x[i] * y[i]) - x[i] + 1;
    CHECK(c.to_host() == expected);
    c %= 1000u;
    c /= 3;
    for (auto &value : expected)
        value = value % 1000u / 3;
    CHECK(c.to_host() == expected);

    // A narrower and a wider target, a built-in one and a bool one.
    typename S::template vector<BigInt<7>> narrow;
    narrow = a + b;
    typename S::template vector<SignedBigInt<200>> wide;
    wide = a - b;
    typename S::template vector<std::uint64_t> words;
    words = a * 3u;
    typename S::template vector<bool> flags;
    flags = a < b;
    for (std::size_t i = 0; i < 77; i += 19) {
        CHECK(narrow[i] == BigInt<7>(x[i] + y[i]));
        CHECK(wide[i] == SignedBigInt<200>(x[i]) - SignedBigInt<200>(y[i]));
        CHECK(words.to_host()[i] == static_cast<std::uint64_t>(x[i]) * 3u);
        CHECK(flags.to_host()[i] == (x[i] < y[i]));
    }
}

TEST_CASE_TEMPLATE("views, and overlap at another offset", S, TEST_SPACES) {
    using Vector = typename S::template vector<Number>;
    using View = batch_view<Number, S::space>;
    const std::vector<Number> numbers = some_numbers(40);
    Vector v(numbers);
    const View all = v.view();
    CHECK(all.size() == 40);
    CHECK(all.data() == v.data());
    const View first(v.data(), 39, v.location());
    const View shifted(v.data() + 1, 39, v.location());
    CHECK_THROWS_AS(evaluate(shifted + 1, first), wrong_location);
    CHECK_THROWS_AS(evaluate(first + 1, shifted), wrong_location);
    CHECK_THROWS_AS(evaluate(first * shifted, shifted), wrong_location);
    CHECK(v.to_host() == numbers);
    evaluate(first + 1, first); // itself, element for element
    CHECK(v[0] == numbers[0] + 1);
    CHECK(v[38] == numbers[38] + 1);
    CHECK(v[39] == numbers[39]);
    const View low(v.data(), 20, v.location());
    const View high(v.data() + 20, 20, v.location());
    evaluate(high + 2, low); // beside each other
    CHECK(v[0] == numbers[20] + 1 + 2);
    CHECK(v[19] == numbers[39] + 2);
    evaluate(low + 2, high);
    CHECK(v[20] == numbers[20] + 1 + 2 + 2);
    CHECK(v[39] == numbers[39] + 2 + 2);
    Vector sums;
    sums = low + high;
    CHECK(sums.size() == 20);
    CHECK_THROWS_AS(View(nullptr, 3), std::invalid_argument);
    CHECK_THROWS_AS(View(reinterpret_cast<Number *>(reinterpret_cast<char *>(v.data()) + 1), 3),
                    std::invalid_argument);
    CHECK(View(nullptr, 0).empty());
    CHECK(View().empty());
}

TEST_CASE_TEMPLATE("numbers in a formula are captured by value", S, TEST_SPACES) {
    using Vector = typename S::template vector<Number>;
    const Vector a = {10, 20, 30};
    Number three(3);
    const auto formula = a * three + 1u;
    three = Number(100);
    const Vector result = formula;
    CHECK(result.to_host() == std::vector<Number>{31, 61, 91});
    const auto power = [&] {
        const Modulus<96> m(Number(1000));
        const Number e(3);
        return pow(a, e, m);
    }();
    const Vector cubes = power;
    CHECK(cubes.to_host() == std::vector<Number>{0, 0, 0});
    const Vector negative = (a - 15) % Number(7);
    CHECK(negative.to_host() == std::vector<Number>{2, 5, 1});
}

TEST_CASE_TEMPLATE("powers of bases that all elements share, by tables", S, TEST_SPACES) {
    using Wide = BigInt<1024>;
    using Exponent = BigInt<520>;
    const Wide g = Wide(7) << 900;
    const Wide h = (Wide(0) - 1) / 5u;
    const std::vector<Exponent> exponents = {Exponent(0), Exponent(1), Exponent(0) - 1,
                                             (Exponent(0) - 1) / 3u, Exponent(1) << 519};
    const typename S::template vector<Exponent> e(exponents);
    for (const Wide &m : {(Wide(0) - 1) / 3u, (Wide(1) << 1000) + (Wide(12) << 70)}) {
        const typename S::template vector<Wide> r = pow(g, e, m) * pow(h, e, m) % m;
        const auto values = r.to_host();
        for (std::size_t i = 0; i < exponents.size(); ++i)
            CHECK(values[i] == mulmod(pow(g, exponents[i], m), pow(h, exponents[i], m), m));
    }
}

TEST_CASE_TEMPLATE("formulas are exact until they are stored", S, TEST_SPACES) {
    using Vector = typename S::template vector<Number>;
    const Number top = ~Number(0);
    const Vector a(40, top), b(40, top - 1), zero(40, Number(0));
    const Number m(1000003);
    using test::Integer;
    const Integer x = test::to_integer(top), y = test::to_integer(top - 1), modulus(1000003);
    const Vector sum = (a + b) % m;
    CHECK(test::to_integer(static_cast<Number>(sum[39])) == test::modulo(x + y, modulus));
    const Vector difference = (zero - b) % m;
    CHECK(test::to_integer(static_cast<Number>(difference[0])) ==
          test::modulo(Integer(0) - y, modulus));
    const Vector products = (a * b + a * a) % m;
    CHECK(test::to_integer(static_cast<Number>(products[7])) ==
          test::modulo(x * y + x * x, modulus));
    for (bool less : eval(a + b < a).to_host())
        CHECK(!less);
    for (bool less : eval(zero - a < zero).to_host())
        CHECK(less);
}

// ---- faults

TEST_CASE_TEMPLATE("elements without a value", S, TEST_SPACES) {
    using Vector = typename S::template vector<Number>;
    const std::vector<Number> x = some_numbers(100);
    std::vector<Number> y = some_numbers(100, 3);
    y[40] = y[63] = y[99] = Number(0);
    const Vector a(x), b(y);
    Vector c = a / b;
    const std::string message = domain_error_of([&] { c.check(); });
    CHECK(message.find("3 ") != std::string::npos);
    CHECK(message.find("40") != std::string::npos);
    CHECK(domain_error_of([&] { (void)c.to_host(); }) == message);
    CHECK_THROWS_AS((void)static_cast<Number>(c[40]), std::domain_error);
    CHECK_THROWS_AS((void)static_cast<Number>(c[99]), std::domain_error);
    CHECK(static_cast<Number>(c[39]) == x[39] / y[39]);
    CHECK(static_cast<Number>(c[41]) == x[41] / y[41]);
    const std::vector<bool> mask = c.error_mask();
    CHECK(mask.size() == 100);
    const Vector copy = c; // carries the faults along
    CHECK(copy.error_mask() == mask);
    CHECK(domain_error_of([&] { copy.check(); }) == message);
    c.clear_errors();
    c.check();
    CHECK(c.error_mask() == std::vector<bool>(100, false));
    const std::vector<Number> values = c.to_host();
    for (std::size_t i = 0; i < 100; ++i) {
        const bool bad = i == 40 || i == 63 || i == 99;
        CHECK(mask[i] == bad);
        CHECK(values[i] == (bad ? Number(0) : x[i] / y[i]));
    }
    CHECK_THROWS_AS(copy.check(), std::domain_error);

    // The next formula starts afresh, whether it can fault or not.
    c = a / b;
    c = a / 3u;
    c.check();
    c = a / b;
    c = a + b;
    c.check();
    CHECK(c[40] == x[40]);
    // A fault inside a formula is the element's fault, whatever stands around it.
    c = (a / b) * 0u + 5u;
    CHECK(c.error_mask() == mask);
    CHECK(c[0] == 5);
    const auto flags = eval(a % b == 0u);
    CHECK(flags.error_mask() == mask);
    c = pow(a, 3, b);
    CHECK(c.error_mask() == mask);
    const typename S::template vector<SignedBigInt<9>> e = {1, -1, 0};
    const Vector two(3, Number(2));
    c = pow(two, e, Number(5));
    CHECK(c.error_mask() == std::vector<bool>{false, true, false});
    CHECK(c[2] == 1);
    c = two / Number(0);
    CHECK(c.error_mask() == std::vector<bool>{true, true, true});
    CHECK(domain_error_of([&] { c.check(); }) != "");
    c.resize(2);
    c.assign(2, Number(1));
    c.check();
}

#if !defined(__CUDACC__)
namespace {

// On hosts, numbers that are read where they lie and computed where they are stored, element by
// element as numbers.
template <int Bits>
void check_long_numbers() {
    using A = BigInt<Bits>;
    constexpr std::size_t n = 70; // not a whole number of groups
    test::OperandSource source(test::property_seed("long numbers in memory", Bits));
    host_vector<A> a(n), b(n);
    host_vector<BigInt<Bits / 2>> half(n);
    for (std::size_t i = 0; i < n; ++i) {
        const auto triple = source.triple(Bits, Bits, Bits / 2);
        a[i] = test::from_integer<A>(triple.a);
        b[i] = test::from_integer<A>(triple.b);
        if (i % 7 != 3)
            half[i] = test::from_integer<BigInt<Bits / 2>>(triple.m);
    }
    const auto compare = [&](const auto &got, const auto &expected) {
        using T = typename std::remove_cvref_t<decltype(got)>::value_type;
        for (std::size_t i = 0; i < n; ++i)
            REQUIRE(got[i] == T(expected(i)));
    };
    const std::vector<A> x = a.to_host(), y = b.to_host();
    const auto sum = [&](std::size_t i) { return BigInt<Bits + 1>(x[i]) + y[i]; };
    const auto difference = [&](std::size_t i) { return SignedBigInt<Bits + 1>(x[i]) - y[i]; };
    compare(host_vector<BigInt<Bits + 1>>(a + b), sum);
    compare(host_vector<BigInt<Bits + 70>>(a + b), sum);
    compare(host_vector<SignedBigInt<Bits + 1>>(a - b), difference);
    compare(host_vector<SignedBigInt<2 * Bits>>(a - b), difference);
    compare(host_vector<SignedBigInt<Bits>>(a - b), difference);
    compare(host_vector<BigInt<Bits + 2>>(a + b + a),
            [&](std::size_t i) { return BigInt<Bits + 2>(sum(i)) + x[i]; });
    compare(host_vector<BigInt<2 * Bits>>(a * b), [&](std::size_t i) { return x[i] * y[i]; });
    compare(host_vector<BigInt<2 * Bits>>(sqr(a)), [&](std::size_t i) { return sqr(x[i]); });
    compare(host_vector<BigInt<Bits + 64>>(a ^ b), [&](std::size_t i) { return x[i] ^ y[i]; });
    compare(host_vector<BigInt<Bits + 64>>(a), [&](std::size_t i) { return x[i]; });
    compare(host_vector<BigInt<Bits - 40>>(as<BigInt<Bits - 40>>(a >> 3)),
            [&](std::size_t i) { return x[i] >> 3; });
    compare(host_vector<A>(max(a, b)), [&](std::size_t i) { return max(x[i], y[i]); });

    // Without a value where the divisor is 0.
    auto rest = eval(a % half);
    const std::vector<bool> faults = rest.error_mask();
    rest.clear_errors();
    for (std::size_t i = 0; i < n; ++i) {
        REQUIRE(faults[i] == (half[i] == 0));
        REQUIRE(rest[i] == (faults[i] ? BigInt<Bits / 2>(0) : x[i] % half[i]));
    }

    // Products of which the target keeps less.
    const std::vector<BigInt<Bits / 2>> z = half.to_host();
    compare(host_vector<A>(a * b), [&](std::size_t i) { return x[i] * y[i]; });
    compare(host_vector<BigInt<Bits + 40>>(a * half), [&](std::size_t i) { return x[i] * z[i]; });
    compare(host_vector<SignedBigInt<Bits / 2>>(half * a),
            [&](std::size_t i) { return x[i] * z[i]; });
    compare(host_vector<A>(a * -3), [&](std::size_t i) { return x[i] * -3; });
    compare(host_vector<A>(mul_low(a, 3u)), [&](std::size_t i) { return x[i] * 3u; });
    compare(host_vector<A>(mul_low(half, a)), [&](std::size_t i) { return x[i] * z[i]; });

    // Into operands.
    host_vector<A> changed = a;
    changed *= 5u;
    compare(changed, [&](std::size_t i) { return x[i] * 5u; });
    changed = a * b;
    changed += 7u;
    changed -= half;
    compare(changed, [&](std::size_t i) { return A(x[i] * y[i]) + 7u - z[i]; });
    changed = a;
    changed = changed * changed;
    compare(changed, [&](std::size_t i) { return x[i] * x[i]; });
    b = a + b;
    compare(b, sum);
    a = (a << 1) ^ (b >> 1);
    compare(a, [&](std::size_t i) { return (x[i] << 1) ^ (b[i] >> 1); });
    b = std::as_const(b);
    compare(b, sum);
}

} // namespace

TEST_CASE("long numbers are read and computed where they lie") {
    check_long_numbers<1248>();
    check_long_numbers<1280>();
    check_long_numbers<2020>();
    check_long_numbers<4096>();
}
#endif
