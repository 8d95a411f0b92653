// SPDX-License-Identifier: Apache-2.0
// The same work on 1, 2, 4 ... GPUs: products modulo m, a sum, a sort. Without a GPU one run with
// two shards in host memory.
#include "support.h"

#include <warpint/sharded.h>
#include <warpint/sort.h>

#include <numeric>

namespace {

using namespace perf;

using Number = BigInt<1024>;
using Key = BigInt<256>;

// Seconds until all members have done the work of one call.
template <class Body>
double seconds_on(const device_group &group, const Body &body) {
    const auto wait = [&] { group.for_each_shard([](std::size_t) { wait_for_device(); }); };
    body();
    wait();
    double best = 1e9;
    for (int i = 0; i < 5; ++i) {
        const auto start = std::chrono::steady_clock::now();
        body();
        wait();
        best = std::min(
            best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    return best;
}

void measure(const device_group &group, std::size_t count) {
    const std::vector<Number> x = random_batch<1024>(4096, 1);
    std::vector<Number> numbers(count);
    for (std::size_t i = 0; i < count; ++i)
        numbers[i] = x[i % x.size()];
    const Modulus<1024> m(random_batch<1024>(1, 3, true)[0]);
    const sharded_vector<Number> a(group, numbers);
    sharded_vector<Number> c(group, count);
    const double n = static_cast<double>(count);
    const double product = seconds_on(group, [&] { c = a * a % m; });
    for (std::size_t i = 0; i < count; i += count / 64 + 1)
        require(c[i] == sqrmod(numbers[i], m), "a * a % m");
    BigInt<1088> total{};
    for (const Number &each : numbers)
        total += each;
    const double sums = seconds_on(group, [&] { require(sum(a) == total, "sum"); });

    const std::size_t keys = std::min<std::size_t>(4 * count, 10'000'000);
    std::vector<Key> unsorted = random_batch<256>(keys, 4), sorted = unsorted;
    std::sort(sorted.begin(), sorted.end());
    const sharded_vector<Key> from(group, unsorted);
    sharded_vector<Key> v = from;
    const double copy = seconds_on(group, [&] { v = from; });
    const double sorting = seconds_on(group,
                                      [&] {
                                          v = from;
                                          sort(v);
                                      }) -
                           copy;
    require(v.to_host() == sorted, "sort");
    std::printf("%zu shard(s), %zu numbers: a * a %% m %9.1f M/s, sum %7.0f GB/s, sort of 256 bits "
                "%8.1f M/s\n",
                group.size(), count, n / product / 1e6, n * sizeof(Number) / sums / 1e9,
                static_cast<double>(keys) / sorting / 1e6);
    std::fflush(stdout);
}

} // namespace

int main() {
    print_machine();
    if (!device_info().gpu) {
        measure(device_group({0}), 20'000);
        measure(device_group({0, 1}), 20'000);
        return 0;
    }
    const device_group all;
    for (std::size_t count = 1; count <= all.size(); count *= 2) {
        std::vector<int> devices(count);
        std::iota(devices.begin(), devices.end(), 0);
        measure(device_group(devices), 2'500'000);
        measure(device_group(devices), 10'000'000);
    }
}
