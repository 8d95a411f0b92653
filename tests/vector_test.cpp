// Containers of numbers and the assignment of formulas to them: construction, copies, elements,
// errors, launches. What formulas compute is tested in law_*.cpp and vector_wide_test.cpp.
#include "support/oracle.h"

#include <ostream>

#include <doctest/doctest.h>
#include <warpint/vector.h>

#include <cstdint>
#include <list>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#if defined(__CUDACC__)
#include <thrust/device_vector.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#endif

using namespace warpint;

namespace {

#if !defined(__CUDACC__)
struct OnHost {
    static constexpr Space space = Space::host;
    template <class T>
    using vector = host_vector<T>;
    static bool iterable() { return true; }
};
#endif
struct OnDevice {
    static constexpr Space space = Space::device;
    template <class T>
    using vector = device_vector<T>;
    // Whether elements can be reached through iterators here.
    static bool iterable() {
#if defined(__CUDACC__)
        return device_info().gpu; // Thrust's iterators need one
#else
        return true;
#endif
    }
};

// CUDA builds run formulas on the device only, to keep compile time down.
#if defined(__CUDACC__)
#define TEST_SPACES OnDevice
#else
#define TEST_SPACES OnHost, OnDevice
#endif

using Number = BigInt<96>;

std::vector<Number> some_numbers(std::size_t count, std::uint64_t step = 0x9e3779b97f4a7c15u) {
    std::vector<Number> numbers(count);
    Number x(step);
    for (auto &number : numbers) {
        x = x * 0x2545f4914f6cdd1du + step;
        number = x;
    }
    return numbers;
}

// ---- what must and must not compile

using Host = host_vector<Number>;
using Device = device_vector<Number>;

template <class A, class B>
concept Addable = requires(A &&a, B &&b) {
    std::forward<A>(a) + std::forward<B>(b);
};
template <class A, class B>
concept Reducible = requires(A &&a, B &&b) {
    std::forward<A>(a) % std::forward<B>(b);
};
template <class A>
concept Countable = requires(A &&a) {
    popcount(std::forward<A>(a));
};
template <class A, class E, class M>
concept Powerable = requires(A &&a, E &&e, M &&m) {
    pow(std::forward<A>(a), std::forward<E>(e), std::forward<M>(m));
};

using DeviceSum = decltype(std::declval<Device &>() + std::declval<Device &>());

// Named vectors, views, formulas, numbers: yes. Temporary vectors: no, their elements would be
// gone.
static_assert(Addable<Device &, Device &> && Addable<const Device &, Device &> &&
              Addable<Device &, int>);
static_assert(Addable<int, Device &> && Addable<Number, Device &> && Addable<DeviceSum, Device &>);
static_assert(Addable<batch_view<Number>, Device &> &&
              Addable<batch_view<const Number>, DeviceSum>);
static_assert(!Addable<Device, Device &> && !Addable<Device &, Device> && !Addable<Device, int>);
static_assert(!Addable<DeviceSum, Device> && !Addable<Device, DeviceSum>);
static_assert(!Addable<Host, Host &> && !Addable<Host &, Host>);
static_assert(Countable<Device &> && !Countable<Device>);
static_assert(Powerable<Device &, Device &, Device &> && Powerable<Device &, int, Modulus<96>>);
static_assert(Powerable<int, Device &, Number> && Powerable<Number, Number, Device &>);
static_assert(!Powerable<Device, Device &, Device &> && !Powerable<Device &, Device, Number> &&
              !Powerable<Device &, int, Device>);
static_assert(Reducible<Device &, Modulus<96>> && !Reducible<Modulus<96>, Device &> &&
              !Addable<Device &, Modulus<96>>);
static_assert(!Addable<Device &, double> && !Addable<Device &, std::string>);
// A formula of host and device vectors together is a static_assert inside the assignment;
// requires-expressions do not see it, so it is not tested here.

template <class T>
constexpr bool plain = std::is_trivially_copyable_v<T>;
static_assert(plain<DeviceSum> &&
              plain<decltype(std::declval<DeviceSum>() % std::declval<Device &>())>);
static_assert(plain<decltype(pow(std::declval<Device &>(), 3, std::declval<Modulus<96>>()))>);
static_assert(plain<batch_view<Number>> && plain<decltype(~std::declval<Device &>())>);

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

// ---- containers

TEST_CASE_TEMPLATE("constructors", S, TEST_SPACES) {
    using Vector = typename S::template vector<Number>;
    const std::vector<Number> numbers = some_numbers(37);

    CHECK(Vector().size() == 0);
    CHECK(Vector().empty());
    CHECK(Vector().to_host().empty());
    CHECK(Vector(0).empty());
    CHECK(Vector(5).to_host() == std::vector<Number>(5, Number(0)));
    CHECK(Vector(5, Number(7)).to_host() == std::vector<Number>(5, Number(7)));
    CHECK(Vector(5, 7).to_host() == std::vector<Number>(5, Number(7)));
    CHECK(Vector(3, uninitialized).size() == 3);
    CHECK(Vector{numbers[0], numbers[1]}.to_host() == std::vector<Number>{numbers[0], numbers[1]});
    CHECK(Vector{5}.to_host() == std::vector<Number>{Number(5)});
    CHECK(Vector(numbers).to_host() == numbers);
    CHECK(Vector(numbers.begin(), numbers.end()).to_host() == numbers);
    CHECK(Vector(numbers.data(), numbers.data() + 3).size() == 3);
    CHECK(Vector(numbers.begin(), numbers.begin()).empty());

    const std::list<Number> list(numbers.begin(), numbers.end());
    CHECK(Vector(list.begin(), list.end()).to_host() == numbers);
    const std::vector<std::uint32_t> words = {1, 2, 0xffffffffu};
    CHECK(Vector(words.begin(), words.end()).to_host() ==
          std::vector<Number>{Number(1), Number(2), Number(0xffffffffu)});
    std::istringstream text("10 20 30");
    CHECK(Vector(std::istream_iterator<int>(text), std::istream_iterator<int>()).size() == 3);

    typename S::template vector<int> integers(4, 9);
    CHECK(integers.to_host() == std::vector<int>(4, 9));
    typename S::template vector<bool> flags(3, true);
    CHECK(flags.to_host() == std::vector<bool>(3, true));
    typename S::template vector<SignedBigInt<109>> negative(2, -5);
    CHECK(negative.to_host() == std::vector<SignedBigInt<109>>(2, SignedBigInt<109>(-5)));
    CHECK_THROWS_AS(Vector(~std::size_t{0} / 4), std::exception);
}

TEST_CASE_TEMPLATE("assign, resize, clear", S, TEST_SPACES) {
    using Vector = typename S::template vector<Number>;
    const std::vector<Number> numbers = some_numbers(100);
    Vector v(7, Number(1));
    v.assign(numbers.begin(), numbers.end());
    CHECK(v.to_host() == numbers);
    v.assign(3, Number(8));
    CHECK(v.to_host() == std::vector<Number>(3, Number(8)));
    v = numbers;
    v.resize(130);
    std::vector<Number> longer = numbers;
    longer.resize(130, Number(0));
    CHECK(v.to_host() == longer);
    v.resize(40);
    CHECK(v.to_host() == std::vector<Number>(numbers.begin(), numbers.begin() + 40));
    v.resize(0);
    CHECK(v.empty());
    v.resize(2);
    CHECK(v.to_host() == std::vector<Number>(2, Number(0)));
    v.clear();
    CHECK(v.size() == 0);
    v.assign(numbers.begin(), numbers.begin());
    CHECK(v.empty());
}

TEST_CASE_TEMPLATE("copies and moves", S, TEST_SPACES) {
    using Vector = typename S::template vector<Number>;
    const std::vector<Number> numbers = some_numbers(50);
    Vector a(numbers);
    Vector copy(a);
    CHECK(copy.to_host() == numbers);
    CHECK(copy.data() != a.data());
    Vector assigned;
    assigned = a;
    CHECK(assigned.to_host() == numbers);
    Vector &self = assigned;
    assigned = self;
    CHECK(assigned.to_host() == numbers);

    const Number *const place = a.data();
    Vector moved(std::move(a));
    CHECK(moved.data() == place);
    CHECK(a.empty()); // a moved-from vector is empty, and may be used again
    Vector target(3, Number(1));
    target = std::move(moved);
    CHECK(target.data() == place);
    CHECK(target.to_host() == numbers);
    CHECK(moved.empty());
    a = numbers;
    CHECK(a.to_host() == numbers);
    CHECK_THROWS_AS(a = target + moved, size_mismatch);
    CHECK(a.to_host() == numbers);
    moved = target + a;
    CHECK(moved.size() == 50);
    a.swap(moved);
    CHECK(moved.to_host() == numbers);
}

TEST_CASE("conversions between host and device") {
    const std::vector<Number> numbers = some_numbers(65);
    const host_vector<Number> host(numbers);
    const device_vector<Number> device(host);
    CHECK(device.to_host() == numbers);
    host_vector<Number> back(device);
    CHECK(back.to_host() == numbers);
    back.assign(5, Number(2));
    device_vector<Number> other;
    other = back;
    CHECK(other.size() == 5);
    back = device;
    CHECK(back.to_host() == numbers);
    other = host_vector<Number>();
    CHECK(other.empty());

    device_vector<Number> faulty = {1, 2, 3};
    const device_vector<Number> zeros = {1, 0, 1};
    faulty = faulty / zeros;
    CHECK_THROWS_AS(back = faulty, std::domain_error);
    CHECK_THROWS_AS(host_vector<Number>{faulty}, std::domain_error);
}

TEST_CASE_TEMPLATE("elements", S, TEST_SPACES) {
    using Vector = typename S::template vector<Number>;
    Vector v = {1, 2, 3, 4};
    v[2] = Number(77);
    CHECK(static_cast<Number>(v[2]) == Number(77));
    const Number x = v[2];
    CHECK(x == 77);
    v[0] = v[3];
    CHECK(v[0] == v[3]);
    CHECK(v[0] == Number(4));
    CHECK(v[0] == 4);
    const Vector &constant = v;
    CHECK(constant[1] == Number(2));
    CHECK(v.to_host() == std::vector<Number>{Number(4), Number(2), Number(77), Number(4)});

    if (!S::iterable()) {
        MESSAGE("no GPU: iterators are not tried");
        return;
    }
    CHECK(v.end() - v.begin() == 4);
    Number sum(0);
    for (const Number element : v)
        sum += element;
    CHECK(sum == 87);
    CHECK(std::vector<Number>(constant.begin(), constant.end()) == v.to_host());
    CHECK(Vector(v.begin() + 1, v.end()).to_host() ==
          std::vector<Number>{Number(2), Number(77), Number(4)});
}

// ---- assignment of formulas

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

TEST_CASE_TEMPLATE("one launch per assignment", S, TEST_SPACES) {
    using Vector = typename S::template vector<Number>;
    const Vector a(some_numbers(100)), b(some_numbers(100, 17)), m(some_numbers(100, 99));
    Vector c;
    std::uint64_t before = launch_count();
    c = a + b;
    CHECK(launch_count() == before + 1);
    c = (a * b + c) % m;
    CHECK(launch_count() == before + 2);
    const auto lazy = (a - b) * c;
    CHECK(launch_count() == before + 2);
    c = lazy;
    CHECK(launch_count() == before + 3);
    const auto exact = eval(lazy);
    CHECK(launch_count() == before + 4);
    evaluate(a + b, c);
    CHECK(launch_count() == before + 5);
    c += a;
    CHECK(launch_count() == before + 6);
    CHECK(exact.size() == 100);
    const Vector constructed = a + b;
    CHECK(launch_count() == before + 7);
    Vector wrong(99);
    CHECK_THROWS_AS(evaluate(a + b, wrong), size_mismatch);
    CHECK(launch_count() == before + 7);
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
    CHECK(result.to_host() == std::vector<Number>{Number(31), Number(61), Number(91)});
    const auto power = [&] {
        const Modulus<96> m(Number(1000));
        const Number e(3);
        return pow(a, e, m);
    }();
    const Vector cubes = power;
    CHECK(cubes.to_host() == std::vector<Number>{Number(0), Number(0), Number(0)});
    const Vector negative = (a - 15) % Number(7);
    CHECK(negative.to_host() == std::vector<Number>{Number(2), Number(5), Number(1)});
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

TEST_CASE_TEMPLATE("sizes around warps and blocks", S, TEST_SPACES) {
    using Vector = typename S::template vector<Number>;
    for (std::size_t count : {1, 2, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257, 1000}) {
        CAPTURE(count);
        const std::vector<Number> x = some_numbers(count), y = some_numbers(count, 11);
        std::vector<Number> z = y;
        for (std::size_t i = 0; i < count; i += 5)
            z[i] = Number(0);
        const Vector a(x), b(y), d(z);
        Vector sum(count + 1, Number(1)), quotient;
        sum = a * b + 1u;
        quotient = a % d;
        const std::vector<bool> mask = quotient.error_mask();
        quotient.clear_errors();
        const std::vector<Number> sums = sum.to_host(), quotients = quotient.to_host();
        REQUIRE(sums.size() == count);
        REQUIRE(mask.size() == count);
        bool right = true;
        for (std::size_t i = 0; i < count; ++i) {
            right = right && sums[i] == Number(x[i] * y[i]) + 1 && mask[i] == (i % 5 == 0) &&
                    quotients[i] == (i % 5 == 0 ? Number(0) : x[i] % z[i]);
        }
        CHECK(right);
    }
}

TEST_CASE_TEMPLATE("a large batch", S, TEST_SPACES) {
    constexpr std::size_t count = 300'001;
    std::vector<std::uint64_t> x(count), y(count);
    std::uint64_t state = 1;
    for (std::size_t i = 0; i < count; ++i) {
        x[i] = state = state * 0x5851f42d4c957f2du + 1;
        y[i] = state = state * 0x5851f42d4c957f2du + 1;
    }
    y[299'999] = y[123'456] = 0;
    using Vector = typename S::template vector<BigInt<64>>;
    const Vector a(x.begin(), x.end()), b(y.begin(), y.end());
    Vector products = a * b + a;
    Vector averages = (a + b) >> 1;
    Vector remainders = a % b;
    const std::vector<bool> mask = remainders.error_mask();
    remainders.clear_errors();
    const auto p = products.to_host(), v = averages.to_host(), r = remainders.to_host();
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < count; ++i) {
        wrong += p[i] != x[i] * y[i] + x[i];
        wrong += v[i] != (x[i] & y[i]) + ((x[i] ^ y[i]) >> 1);
        wrong += r[i] != (y[i] == 0 ? 0 : x[i] % y[i]);
        wrong += mask[i] != (y[i] == 0);
    }
    CHECK(wrong == 0);
}

TEST_CASE_TEMPLATE("explain", S, TEST_SPACES) {
    using Vector = typename S::template vector<BigInt<256>>;
    const Vector a(1000, 1), b(1000, 3);
    const std::uint64_t before = launch_count();
    const Explanation sum = explain(a + b);
    CHECK(launch_count() == before);
    CHECK(sum.kind == execution::WorkKind::streaming);
    CHECK(sum.widest_bits == 257);
    CHECK(sum.lanes_per_number >= 1);
    CHECK(sum.threads_per_block >= 1);
    CHECK(sum.window == 0);
    CHECK(sum.bytes_moved == 1000 * (32 + 32 + 36));
    CHECK(!sum.reason.empty());
    CHECK(!sum.to_string().empty());
    CHECK(explain(a * b).kind == execution::WorkKind::product);
    CHECK(explain(a * b).widest_bits == 512);
    CHECK(explain(a / b).kind == execution::WorkKind::division);
    const Explanation power = explain(pow(a, b, BigInt<256>(7)));
    CHECK(power.kind == execution::WorkKind::power);
    CHECK(power.window >= 1);
    const bool gpu = S::space == Space::device && device_info().gpu;
    CHECK((sum.family == execution::KernelFamily::cpu_threads) == !gpu);
    CHECK((sum.registers > 0) == gpu);
    if (gpu)
        CHECK(sum.threads_per_block % 32 == 0);
}

TEST_CASE("device_info") {
    const DeviceInfo info = device_info();
    CHECK(!info.name.empty());
    CHECK(info.cpu_threads >= 1);
    CHECK(info.gpu == (info.compute_capability > 0));
    CHECK(info.gpu == (info.multiprocessors > 0));
    MESSAGE("device batches run on: ", info.name);
}

// ---- CUDA

#if defined(__CUDACC__)

TEST_CASE("a formula under stream capture is one kernel") {
    if (!device_info().gpu) {
        MESSAGE("no GPU: stream capture is not tried");
        return;
    }
    using Vector = device_vector<BigInt<131>>;
    const std::size_t count = 1000;
    Vector a(count, 5), b(count, 7), out(count);
    cudaStream_t stream = nullptr;
    REQUIRE(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) == cudaSuccess);
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    cudaGraph_t graph = nullptr;
    REQUIRE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal) == cudaSuccess);
    evaluate((a * a - b) / b, out, stream);
    REQUIRE(cudaStreamEndCapture(stream, &graph) == cudaSuccess);

    std::size_t node_count = 0;
    REQUIRE(cudaGraphGetNodes(graph, nullptr, &node_count) == cudaSuccess);
    CHECK(node_count == 1);
    std::vector<cudaGraphNode_t> nodes(node_count);
    REQUIRE(cudaGraphGetNodes(graph, nodes.data(), &node_count) == cudaSuccess);
    int kernels = 0;
    for (cudaGraphNode_t node : nodes) {
        cudaGraphNodeType type{};
        REQUIRE(cudaGraphNodeGetType(node, &type) == cudaSuccess);
        kernels += type == cudaGraphNodeTypeKernel;
    }
    CHECK(kernels == 1);

    cudaGraphExec_t executable = nullptr;
    REQUIRE(cudaGraphInstantiate(&executable, graph, 0) == cudaSuccess);
    for (unsigned value : {5u, 100u}) {
        a.assign(count, BigInt<131>(value));
        b[3] = BigInt<131>(value == 5 ? 7 : 0); // and a fault in the second replay
        REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
        REQUIRE(cudaGraphLaunch(executable, stream) == cudaSuccess);
        REQUIRE(cudaStreamSynchronize(stream) == cudaSuccess);
        const std::vector<bool> mask = out.error_mask();
        CHECK(mask[3] == (value == 100));
        CHECK(!mask[4]);
        CHECK(static_cast<BigInt<131>>(out[4]) == (value * value - 7) / 7);
        CHECK(static_cast<BigInt<131>>(out[count - 1]) == (value * value - 7) / 7);
    }
    cudaGraphExecDestroy(executable);
    cudaGraphDestroy(graph);
    cudaStreamDestroy(stream);
}

namespace {

struct Doubled {
    __host__ __device__ BigInt<256> operator()(const BigInt<256> &x) const { return x + x + 1; }
};
struct Sum {
    __host__ __device__ BigInt<256> operator()(const BigInt<256> &x, const BigInt<256> &y) const {
        return x + y;
    }
};
struct Before {
    __host__ __device__ bool operator()(const BigInt<256> &x, const BigInt<256> &y) const {
        return x < y;
    }
};

// sort, transform and reduce over any device range, against std algorithms.
template <class Iterator>
void check_thrust(Iterator first, Iterator last, std::vector<BigInt<256>> numbers) {
    std::sort(numbers.begin(), numbers.end());
    thrust::sort(first, last, Before{});
    std::vector<BigInt<256>> got(numbers.size());
    thrust::copy(first, last, got.begin());
    CHECK(got == numbers);
    BigInt<256> total(0);
    for (auto &number : numbers) {
        number = Doubled{}(number);
        total += number;
    }
    thrust::transform(first, last, first, Doubled{});
    thrust::copy(first, last, got.begin());
    CHECK(got == numbers);
    CHECK(thrust::reduce(first, last, BigInt<256>(0), Sum{}) == total);
}

} // namespace

TEST_CASE("Thrust algorithms") {
    if (!device_info().gpu) {
        MESSAGE("no GPU: Thrust is not tried");
        return;
    }
    std::vector<BigInt<256>> numbers;
    for (const Number &x : some_numbers(1537))
        numbers.push_back(x * x * 0xfedcba987654321u);
    device_vector<BigInt<256>> ours(numbers);
    check_thrust(ours.begin(), ours.end(), numbers);

    thrust::device_vector<BigInt<256>> theirs(numbers.begin(), numbers.end());
    const device_vector<BigInt<256>> from_thrust(theirs.begin(), theirs.end());
    CHECK(from_thrust.to_host() == numbers);
    check_thrust(theirs.begin(), theirs.end(), numbers);

    const thrust::device_vector<BigInt<256>> to_thrust(from_thrust.begin(), from_thrust.end());
    CHECK(to_thrust.size() == numbers.size());
    CHECK(static_cast<BigInt<256>>(to_thrust[1536]) == numbers[1536]);
    // Their memory in our formulas.
    const batch_view<const BigInt<256>> view(thrust::raw_pointer_cast(to_thrust.data()),
                                             to_thrust.size());
    const device_vector<BigInt<256>> sum = view + 1u;
    CHECK(sum[0] == numbers[0] + 1);
}

#endif
