// SPDX-License-Identifier: Apache-2.0
// Functions that nvcc passes to kernels, given to map: function objects and lambdas, with and
// without a side on the host, that hold numbers.
#include <doctest/doctest.h>
#include <warpint/vector.h>

#include <vector>

using namespace warpint;

namespace {

using Number = BigInt<100>;
using Wide = BigInt<200>;

constexpr std::size_t element_count = 70;

host_vector<Number> some_numbers() {
    host_vector<Number> numbers(element_count);
    for (std::size_t i = 0; i < element_count; ++i)
        numbers[i] = Number(i * i * i + 7) << (i % 60);
    return numbers;
}
// What the functions below compute.
void check_products(const device_vector<Wide> &found, const Number &factor) {
    const host_vector<Number> x = some_numbers();
    const std::vector<Wide> values = found.to_host();
    for (std::size_t i = 0; i < element_count; ++i)
        CHECK(values[i] == x[i] * factor);
}

struct Times {
    Number factor;
    __device__ Wide operator()(const Number &x) const { return x * factor; }
};
struct RootOfSquare {
    __device__ Optional<Number> operator()(const Number &x) const {
        if (!is_square(x))
            return {};
        return isqrt(x);
    }
};

} // namespace

// With external linkage, as nvcc wants it of functions with such lambdas.
void map_lambdas(const device_vector<Number> &a);
void map_lambdas(const device_vector<Number> &a) {
    const Number factor = (Number(1) << 99) + 12345;
    device_vector<Wide> r;
    r = map([factor] __device__(const Number &x) -> Wide { return x * factor; }, a);
    check_products(r, factor);
    r = map([factor] __host__ __device__(const Number &x) -> Wide { return x * factor; }, a);
    check_products(r, factor);
    r = map([] __device__(const Number &x) -> Wide { return x * 3u; }, a);
    check_products(r, Number(3));
    r = map([] __host__ __device__(const Number &x) -> Wide { return x * 3u; }, a);
    check_products(r, Number(3));
    // Several in a formula, which keeps them until it runs.
    const auto formula =
        map([factor] __host__ __device__(const Number &x) -> Number { return x ^ factor; }, a) ^
        map([factor] __device__(const Number &x) -> Number { return factor & 0xffu; }, a);
    device_vector<Number> s;
    s = formula;
    const host_vector<Number> x = some_numbers();
    for (std::size_t i = 0; i < element_count; ++i)
        CHECK(Number(s[i]) == ((x[i] ^ factor) ^ (factor & 0xffu)));
    CHECK(count(map([factor] __device__(const Number &y) -> bool { return y > factor; }, a)) == 0);
}

TEST_CASE("map takes lambdas of nvcc that hold numbers") {
    device_vector<Number> a;
    a = some_numbers();
    map_lambdas(a);
}

TEST_CASE("map takes function objects with __device__ alone") {
    device_vector<Number> a;
    a = some_numbers();
    const Number factor = (Number(1) << 98) - 3;
    device_vector<Wide> r;
    r = map(Times{factor}, a);
    check_products(r, factor);
    CHECK(Wide(sum(map(Times{factor}, a.view(3, 1)))) == some_numbers()[3] * factor);

    device_vector<Number> roots;
    roots = map(RootOfSquare{}, a);
    const host_vector<Number> x = some_numbers();
    const std::vector<bool> faults = roots.error_mask();
    bool some = false, all = true;
    for (std::size_t i = 0; i < element_count; ++i) {
        CHECK(faults[i] == !is_square(x[i]));
        some = some || faults[i];
        all = all && faults[i];
        if (!faults[i])
            CHECK(Number(roots[i]) == isqrt(x[i]));
    }
    CHECK(some);
    CHECK(!all);
    roots.clear_errors();
}
