// SPDX-License-Identifier: Apache-2.0
// Reductions as a share of the time that a copy takes to read the same bytes, in the same run.
#include "support.h"

namespace {

using namespace perf;

template <int Bits>
void measure(std::size_t bytes) {
    using T = BigInt<Bits>;
    const std::size_t count = bytes / sizeof(T);
    // Element i: a number made of i, the same on host and device.
    device_vector<T> v(count, uninitialized), w(count, uninitialized);
    evaluate(as<T>(sqr(indices(count) + 0x9e3779b97f4a7c15u) << (Bits / 2)), v);
    const double copy = seconds([&] { w = v; });
    const double n = static_cast<double>(count);
    const double read = n * sizeof(T);
    const double sums = seconds([&] { (void)sum(v); });
    const double largest = seconds([&] { (void)max(v); });
    const double counts = seconds([&] { (void)warpint::count(v == w); });

    require(warpint::count(v == w) == count, "count(v == w)");
    const std::size_t few = std::min<std::size_t>(count, 100'000);
    const auto part = std::as_const(v).view(0, few);
    number::select_type<Bits + 64, false> total{};
    T greatest{};
    const std::vector<T> host = device_vector<T>(part).to_host();
    for (const T &x : host) {
        total += x;
        greatest = max(greatest, x);
    }
    require(sum(part) == total, "sum");
    require(max(part) == greatest, "max");
    std::printf("%5d bits: sum %6.0f GB/s read (%.2f of a copy's rate), max %6.0f, count(a == b) "
                "%6.0f\n",
                Bits, read / sums / 1e9, read / sums / (2 * read / copy), read / largest / 1e9,
                2 * read / counts / 1e9);
    std::fflush(stdout);
}

} // namespace

int main() {
    print_machine();
    const std::size_t bytes = device_info().gpu ? std::size_t{1} << 30 : std::size_t{1} << 24;
    measure<64>(bytes);
    measure<256>(bytes);
    measure<1024>(bytes);
    measure<2048>(bytes);
}
