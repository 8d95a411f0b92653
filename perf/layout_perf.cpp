// SPDX-License-Identifier: Apache-2.0
// Formulas over numbers that lie one after another, and over limbs in rows, in the same run.
#include "support.h"

namespace {

using namespace perf;

template <int Bits>
void measure(std::size_t bytes) {
    using T = BigInt<Bits>;
    const std::size_t count = bytes / sizeof(T);
    constexpr std::size_t limbs = T::limb_count;
    const std::vector<T> x = random_batch<Bits>(std::min<std::size_t>(count, 4096), 1);
    std::vector<T> numbers(count);
    for (std::size_t i = 0; i < count; ++i)
        numbers[i] = x[i % x.size()];
    std::vector<std::uint32_t> rows(count * limbs);
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t j = 0; j < limbs; ++j)
            rows[j * count + i] = numbers[i].limbs[j];
    }
    const device_vector<T> a(numbers);
    device_vector<T> c(count, uninitialized);
    device_vector<std::uint32_t> a_rows(rows), c_rows(rows.size(), uninitialized);
    const batch_view<T, Space::device, limb_major> va(a_rows.data(), count),
        vc(c_rows.data(), count);
    const T m = random_batch<Bits>(1, 9, true)[0];
    const double n = static_cast<double>(count);
    const auto check = [&](const char *what, const auto &expected) {
        device_vector<T> back;
        back = vc;
        for (std::size_t i = 0; i < count; i += count / 64 + 1) {
            require(c.read(i) == expected(numbers[i]), what);
            require(back.read(i) == expected(numbers[i]), what);
        }
    };
    const double sum_numbers = seconds([&] { c = a + a; });
    const double sum_rows = seconds([&] { evaluate(va + va, vc); });
    check("a + a", [](const T &y) { return y + y; });
    const double product_numbers = seconds([&] { c = a * a % m; });
    const double product_rows = seconds([&] { evaluate(va * va % m, vc); });
    check("a * a % m", [&](const T &y) { return sqrmod(y, m); });
    const double moved = 3 * n * sizeof(T);
    std::printf("%5d bits: a + a %6.0f GB/s, in rows %6.0f; a * a %% m %8.1f M/s, in rows %8.1f\n",
                Bits, moved * 2 / 3 / sum_numbers / 1e9, moved * 2 / 3 / sum_rows / 1e9,
                n / product_numbers / 1e6, n / product_rows / 1e6);
    std::fflush(stdout);
}

} // namespace

int main() {
    print_machine();
    const std::size_t bytes = device_info().gpu ? std::size_t{1} << 28 : std::size_t{1} << 22;
    measure<128>(bytes);
    measure<256>(bytes);
    measure<512>(bytes);
    measure<1024>(bytes);
    measure<2048>(bytes);
}
