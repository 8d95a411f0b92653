// SPDX-License-Identifier: Apache-2.0
// Reductions of batches and formulas against GMP: sum, product, min, max, count, all, any; sizes
// around warps and blocks, empty batches, elements without a value.
#include "support/batches.h"
#include "support/property.h"
#include "support/spaces.h"

#include <ostream>

#include <doctest/doctest.h>
#include <warpint/vector.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

using namespace warpint;
using test::from_integer;
using test::Integer;
using test::Number;
using test::some_numbers;
using test::to_integer;

namespace {

template <class Vector>
Vector made_of(const std::vector<Integer> &values) {
    std::vector<typename Vector::value_type> numbers;
    for (const Integer &value : values)
        numbers.push_back(from_integer<typename Vector::value_type>(value));
    return Vector(numbers);
}

// Everything at one width and size.
template <class S, int Bits>
void check_reductions(std::size_t size) {
    using Vector = typename S::template vector<BigInt<Bits>>;
    using Signed = typename S::template vector<SignedBigInt<Bits>>;
    test::OperandSource source(test::property_seed("reductions", Bits + static_cast<int>(size)));
    std::vector<Integer> x, y;
    for (std::size_t i = 0; i < size; ++i) {
        x.push_back(i % 3 == 0 ? test::all_ones(Bits) : source.number(Bits));
        y.push_back(source.number(Bits));
    }
    const Vector a = made_of<Vector>(x), b = made_of<Vector>(y);
    const Signed s = made_of<Signed>(y);
    CAPTURE(Bits);
    CAPTURE(size);
    CAPTURE(test::run_seed());

    Integer total, products, signed_total;
    Integer least = x[0], most = x[0], signed_least = test::store_signed(y[0], Bits);
    std::size_t smaller = 0;
    for (std::size_t i = 0; i < size; ++i) {
        total += x[i];
        products += x[i] * y[i];
        signed_total += test::store_signed(y[i], Bits);
        least = x[i] < least ? x[i] : least;
        most = most < x[i] ? x[i] : most;
        const Integer z = test::store_signed(y[i], Bits);
        signed_least = z < signed_least ? z : signed_least;
        smaller += x[i] < y[i] ? 1 : 0;
    }
    static_assert(std::is_same_v<decltype(sum(a)), BigInt<Bits + 64>>);
    static_assert(std::is_same_v<decltype(sum(s)), SignedBigInt<Bits + 64>>);
    static_assert(std::is_same_v<decltype(max(a)), BigInt<Bits>>);
    CHECK(to_integer(sum(a)) == total);
    CHECK(to_integer(sum(a * b)) == products);
    CHECK(to_integer(sum(s)) == signed_total);
    CHECK(to_integer(min(a)) == least);
    CHECK(to_integer(max(a)) == most);
    CHECK(to_integer(min(s)) == signed_least);
    CHECK(count(a < b) == smaller);
    CHECK(all(a < b) == (smaller == size));
    CHECK(any(a < b) == (smaller > 0));
    CHECK(all(a == a));
    CHECK_FALSE(any(a != a));

    // Odd, even, 1, a power of two, narrower than the elements.
    for (int kind = 0; kind < 5; ++kind) {
        Integer m = kind == 0 ? (source.number(Bits) | Integer(1))
                    : kind == 1
                        ? (source.number(Bits) | Integer(2)) - (source.number(Bits) & Integer(1))
                    : kind == 2 ? Integer(1)
                    : kind == 3 ? test::power_of_two(Bits - 1)
                                : test::all_ones(Bits) >> 7;
        m = test::at_least_one(m);
        CAPTURE(m);
        Integer expected = test::modulo(Integer(1), m), unsigned_sum = expected;
        for (std::size_t i = 0; i < size; ++i) {
            expected = test::modulo(expected * x[i], m);
            unsigned_sum = test::modulo(unsigned_sum * (test::store_signed(y[i], Bits) - x[i]), m);
        }
        const BigInt<Bits> modulus = from_integer<BigInt<Bits>>(m);
        CHECK(to_integer(product(a, modulus)) == expected);
        CHECK(to_integer(product(a, Modulus<Bits>(modulus))) == expected);
        CHECK(to_integer(product(s - a, modulus)) == unsigned_sum);
    }
}

} // namespace

TEST_CASE_TEMPLATE("reductions against GMP", S, TEST_ONE_SPACE) {
    for (std::size_t size : {1, 31, 33, 128, 129, 1000})
        check_reductions<S, 96>(size);
#if !defined(__CUDACC__) // compile time
    check_reductions<S, 33>(77);
#endif
    check_reductions<S, 1090>(131);
}

TEST_CASE_TEMPLATE("reductions of many elements", S, TEST_ONE_SPACE) {
    const std::size_t size = 1'000'003;
    CHECK(sum(select(indices(size) >= 0, typename S::template vector<std::uint32_t>(size, 3u),
                     0u)) == 3u * BigInt<64>(size));
    typename S::template vector<std::uint64_t> all_ones(size, ~std::uint64_t{0});
    CHECK(sum(all_ones) == BigInt<128>(~std::uint64_t{0}) * size);
    all_ones.write(777'777, 5);
    CHECK(min(all_ones) == 5);
    CHECK(max(as<std::int64_t>(all_ones)) == 5);
    CHECK(count(all_ones == 5u) == 1);
    CHECK(product(all_ones, 3u) == 0u);
    CHECK(product(all_ones, ~std::uint64_t{0} - 4) ==
          pow(BigInt<64>(4u), size - 1, ~std::uint64_t{0} - 4) * 5u % (~std::uint64_t{0} - 4));
}

// On a GPU sums of vectors by columns of limbs, comparisons counted over lanes.
TEST_CASE_TEMPLATE("reductions of wide numbers", S, TEST_ONE_SPACE) {
    using Vector = typename S::template vector<BigInt<2090>>;
    using Signed = typename S::template vector<SignedBigInt<2090>>;
    test::OperandSource source(test::property_seed("wide reductions", 2090));
    std::vector<Integer> few;
    for (std::size_t i = 0; i < 50; ++i)
        few.push_back(i % 4 == 0 ? test::all_ones(2090) : source.number(2090));
    for (const std::size_t size : {std::size_t{1}, std::size_t{3}, std::size_t{33},
                                   std::size_t{1000}, std::size_t{20'011}}) {
        CAPTURE(size);
        std::vector<Integer> x;
        Integer total, signed_total, most, least = test::all_ones(2090), signed_least = least;
        for (std::size_t i = 0; i < size; ++i) {
            x.push_back(few[(i * i + 7) % few.size()]);
            const Integer z = test::store_signed(x[i], 2090);
            total += x[i];
            signed_total += z;
            most = most < x[i] ? x[i] : most;
            least = x[i] < least ? x[i] : least;
            signed_least = z < signed_least ? z : signed_least;
        }
        const Vector a = made_of<Vector>(x);
        Vector b = a;
        CHECK(to_integer(sum(a)) == total);
        CHECK(to_integer(max(a)) == most);
        CHECK(to_integer(min(a)) == least);
        const Signed s = made_of<Signed>(x);
        CHECK(to_integer(sum(s)) == signed_total);
        CHECK(to_integer(min(s)) == signed_least);
        if (size > 1) { // that does not begin at a multiple of 16 bytes
            CHECK(to_integer(sum(a.view(1, size - 1))) == total - x[0]);
        }
        b.write(size / 2, b[size / 2] ^ 1u);
        CHECK(count(a == b) == size - 1);
        CHECK_FALSE(all(b == a));
    }
    Vector a(100, BigInt<2090>(6)), b(100, BigInt<2090>(3));
    b.write(37, BigInt<2090>(0));
    a = a / b;
    CHECK_THROWS_AS((void)sum(a), std::domain_error);
    CHECK_THROWS_AS((void)count(a == a), std::domain_error);
    CHECK_THROWS_AS((void)max(a), std::domain_error);
}

TEST_CASE_TEMPLATE("reductions of no elements", S, TEST_ONE_SPACE) {
    const typename S::template vector<Number> none;
    CHECK(sum(none) == 0);
    CHECK(product(none, Number(7)) == 1);
    CHECK(product(none, Number(8)) == 1);
    CHECK(product(none, Number(1)) == 0);
    CHECK(all(none != none));
    CHECK_FALSE(any(none == none));
    CHECK(count(none) == 0);
    CHECK_THROWS_AS((void)min(none), std::invalid_argument);
    CHECK_THROWS_AS((void)max(none), std::invalid_argument);
}

TEST_CASE_TEMPLATE("reductions and elements without a value", S, TEST_ONE_SPACE) {
    using Vector = typename S::template vector<Number>;
    const std::size_t size = 1000;
    std::vector<Number> divisors(size, Number(3));
    divisors[123] = divisors[124] = divisors[900] = Number(0);
    const Vector a(some_numbers(size)), d(divisors);
    const std::string message = "3 of 1000 elements have no value, the first is element 123";
    const auto says = [&](auto reduction) {
        try {
            reduction();
        } catch (const std::domain_error &error) {
            return std::string(error.what()).find(message) != std::string::npos;
        }
        return false;
    };
    CHECK(says([&] { (void)sum(a / d); }));
    CHECK(says([&] { (void)product(a / d, Number(5)); }));
    CHECK(says([&] { (void)min(a % d); }));
    CHECK(says([&] { (void)max(a % d); }));
    CHECK(says([&] { (void)count(a / d); }));
    CHECK(says([&] { (void)all(a / d != 0); }));
    CHECK(says([&] { (void)any(a / d == 0); }));
    // Elements that have had none since an earlier formula.
    Vector q = a / d;
    CHECK(says([&] { (void)sum(q + 1); }));
    q.clear_errors();
    CHECK_NOTHROW((void)sum(q));

    const Vector other(size + 1);
    CHECK_THROWS_AS((void)sum(a + other), size_mismatch);
    CHECK_THROWS_AS((void)product(a, Number(0)), std::domain_error);
    CHECK_THROWS_AS((void)product(a, -3), std::domain_error);
}

TEST_CASE_TEMPLATE("reductions run once and read what their vectors hold", S, TEST_ONE_SPACE) {
    using Vector = typename S::template vector<Number>;
    Vector a(some_numbers(100));
    const auto doubled = a + a;
    const auto before = launch_count();
    const auto first = sum(doubled);
    CHECK(launch_count() == before + 1);
    a = {Number(1), Number(2), Number(3)};
    CHECK(sum(doubled) == 12);
    CHECK(first != 12);
    CHECK(sum(a.view()) == 6);
    CHECK(sum(a.view(1, 2)) == 5);
    CHECK(sum(popcount(a)) == 4);
    CHECK(sum(Vector(some_numbers(3)) * 0) == 0);
}

TEST_CASE_TEMPLATE("explain() of a reduction is the plan that runs", S, TEST_ONE_SPACE) {
    using Vector = typename S::template vector<Number>;
    using Wide = BigInt<2048>;
    const std::size_t size = 1000;
    const Vector a(some_numbers(size)), b(some_numbers(size));
    const typename S::template vector<Wide> x(size, Wide(3)), y(size, Wide(5));
    const Modulus<64> m(BigInt<64>(1000003u));
    const execution::FormulaPlan &last = execution::last_run();
    // What is reduced is computed where the formula's number is.
    const auto runs_as = [&](const Explanation &plan, const auto &reduced) {
        (void)reduced();
        CHECK(execution::explanation_of(last) == plan);
        CHECK(plan.threads_per_block >= 1);
        CHECK(!plan.reason.empty());
        return plan;
    };
    constexpr std::size_t bytes = sizeof(Number);
    const Explanation of_sum =
        runs_as(explain<BatchReduction::sum>(a * b), [&] { return sum(a * b); });
    CHECK(of_sum.kind == execution::WorkKind::product);
    CHECK(of_sum.widest_bits == 2 * Number::bits);
    CHECK(of_sum.bytes_moved == size * 2 * bytes); // read only
    const Explanation of_vector = runs_as(explain<BatchReduction::sum>(a), [&] { return sum(a); });
    CHECK(of_vector.bytes_moved == size * bytes);
    CHECK(runs_as(explain<BatchReduction::sum>(a.view(1, 10)), [&] {
              return sum(a.view(1, 10));
          }).bytes_moved == 10 * bytes);
    CHECK(runs_as(explain<BatchReduction::sum>(a + a), [&] { return sum(a + a); }).bytes_moved ==
          size * bytes);
    runs_as(explain<BatchReduction::product>(a, m), [&] { return product(a, m); });
    runs_as(explain<BatchReduction::product>(a * b, Number(5)),
            [&] { return product(a * b, Number(5)); });
    runs_as(explain<BatchReduction::min>(a), [&] { return min(a); });
    runs_as(explain<BatchReduction::max>(a ^ b), [&] { return max(a ^ b); });
    runs_as(explain<BatchReduction::count>(a < b), [&] { return count(a < b); });
    runs_as(explain<BatchReduction::count>(a), [&] { return all(a); });
    const typename S::template vector<Residue<64>> residues(m, size, 3);
    runs_as(explain<BatchReduction::sum>(residues), [&] { return sum(residues); });
    runs_as(explain<BatchReduction::product>(residues * 2), [&] { return product(residues * 2); });
    const typename S::template vector<StaticResidue<BigInt<64>(97u)>> of_type(size, 3);
    runs_as(explain<BatchReduction::sum>(of_type), [&] { return sum(of_type); });
    runs_as(explain<BatchReduction::product>(of_type), [&] { return product(of_type); });
    // Wide comparisons are counted over lanes.
    runs_as(explain<BatchReduction::count>(x == y), [&] { return count(x == y); });
    const auto power = pow(x, ~Wide(0), Wide(1000003u));
    // On a GPU the power is a step before.
    const auto of_power = [&] {
        const Explanation all =
            runs_as(explain<BatchReduction::max>(power), [&] { return max(power); });
        CHECK(all.before.size() == (x.location().on_gpu() ? 1 : 0));
        return all.before.empty() ? all : all.before[0];
    };
    CHECK(of_power().window > 0);
    CHECK(explain<BatchReduction::sum>(Vector()).bytes_moved == 0);
    const bool on_gpu = a.location().on_gpu();
    CHECK((of_sum.family == execution::KernelFamily::cpu_threads) == !on_gpu);
    CHECK((of_sum.registers > 0) == on_gpu);
    CHECK(max(power) == pow(Wide(3), ~Wide(0), Wide(1000003u)));
}
