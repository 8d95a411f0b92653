// SPDX-License-Identifier: Apache-2.0
// warpint::sort beside thrust::sort, 10^7 numbers of 256 bits; numbers that agree in their leading
// bits, which take sort() more passes; keys with values. On the CPU beside std::sort.
#include "support.h"

#include <warpint/sort.h>

#if defined(__CUDACC__)
#include <thrust/execution_policy.h>
#include <thrust/sort.h>
#endif

namespace {

using namespace perf;

using Number = BigInt<256>;

struct Before {
    WARPINT_HOST_DEVICE bool operator()(const Number &a, const Number &b) const { return a < b; }
};

// Seconds of sorting a fresh copy, without the copy.
template <class Sort>
double sorting(const device_vector<Number> &from, device_vector<Number> &v, const Sort &sort) {
    const double copy = seconds([&] { v = from; }, 3);
    return seconds(
               [&] {
                   v = from;
                   sort();
               },
               3) -
           copy;
}

void measure(const char *what, const std::vector<Number> &numbers) {
    const device_vector<Number> from(numbers);
    device_vector<Number> v = from;
    std::vector<Number> expected = numbers;
    std::sort(expected.begin(), expected.end());
    const double n = static_cast<double>(numbers.size());
    const double ours = sorting(from, v, [&] { sort(v); });
    require(v.to_host() == expected, "sort");
    double others = 0;
#if defined(__CUDACC__)
    if (device_info().gpu) {
        others =
            sorting(from, v, [&] { thrust::sort(thrust::device, v.begin(), v.end(), Before{}); });
        require(v.to_host() == expected, "thrust::sort");
    }
#endif
    if (others == 0) {
        const auto start = std::chrono::steady_clock::now();
        std::vector<Number> again = numbers;
        std::sort(again.begin(), again.end());
        others = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    }
    device_vector<std::uint64_t> positions(numbers.size());
    const double with_values = sorting(from, v, [&] {
        evaluate(indices(numbers.size()), positions);
        sort_by_key(v, positions);
    });
    require(v.to_host() == expected, "sort_by_key");
    std::printf("%-36s sort %8.1f M/s, %s %8.1f M/s, sort_by_key %8.1f M/s\n", what, n / ours / 1e6,
                device_info().gpu ? "thrust::sort" : "std::sort", n / others / 1e6,
                n / with_values / 1e6);
    std::fflush(stdout);
}

} // namespace

int main() {
    print_machine();
    const std::size_t count = device_info().gpu ? 10'000'000 : 300'000;
    std::vector<Number> numbers = random_batch<256>(count, 7);
    measure("256 random bits", numbers);
    for (Number &x : numbers)
        x = x >> 100;
    measure("the leading 100 bits 0", numbers);
    for (Number &x : numbers)
        x = (Number(1) << 200) + (x & Number(0xffffffffffffu));
    measure("different in the low 48 bits", numbers);
    for (std::size_t i = 0; i < count; ++i)
        numbers[i] = (Number(i % 3) << 250) + (Number(i * 0x9e3779b97f4a7c15u) << 100);
    measure("three leading windows, then random", numbers);
}
