// SPDX-License-Identifier: Apache-2.0
// Formulas bound by memory, as a share of a device-to-device copy of the same bytes in the same
// run.
#include "support.h"

namespace {

using namespace perf;

double copy_bytes_per_second(std::size_t bytes) {
    device_vector<BigInt<1024>> from(bytes / 128), to(bytes / 128, uninitialized);
    const double time = seconds([&] { to = from; });
    return 2 * static_cast<double>(bytes) / time;
}

// Compares up to 64 elements, spread over the batch, with the host's arithmetic.
template <class T, class Expected>
void check_samples(const device_vector<T> &batch, const char *what, const Expected &expected) {
    for (std::size_t i = 0; i < batch.size(); i += batch.size() / 64 + 1)
        require(batch.read(i) == expected(i), what);
}

template <int Bits>
void measure_streams(double copy, std::size_t bytes) {
    const std::size_t count = bytes / sizeof(BigInt<Bits>);
    const std::size_t distinct = std::min<std::size_t>(count, 4096);
    auto a = random_batch<Bits>(distinct, 1);
    auto b = random_batch<Bits>(distinct, 2);
    a.resize(count);
    b.resize(count);
    for (std::size_t i = distinct; i < count; ++i) {
        a[i] = a[i % distinct];
        b[i] = b[(i * 7 + 1) % distinct];
    }
    device_vector<BigInt<Bits>> va(a), vb(b), c(count, uninitialized);
    const double moved = 3 * static_cast<double>(count) * sizeof(BigInt<Bits>);
    const double add = moved / seconds([&] { c = va + vb; });
    check_samples(c, "a + b", [&](std::size_t i) { return a[i] + b[i]; });
    device_vector<bool> flags(count, uninitialized);
    const double less = moved * (2 + 1.0 / sizeof(BigInt<Bits>)) / 3 / seconds([&] { flags = va < vb; });
    check_samples(flags, "a < b", [&](std::size_t i) { return a[i] < b[i]; });
    const double conjunction = moved / seconds([&] { c = va & vb; });
    check_samples(c, "a & b", [&](std::size_t i) { return a[i] & b[i]; });
    const double shift = moved * 2 / 3 / seconds([&] { c = va << 37; });
    check_samples(c, "a << 37", [&](std::size_t i) { return a[i] << 37; });
    std::printf(
        "%5d bits: a + b %6.0f GB/s (%.2f of a copy), a & b %6.0f (%.2f), a << 37 %6.0f (%.2f), "
        "a < b %6.0f (%.2f)\n",
        Bits, add / 1e9, add / copy, conjunction / 1e9, conjunction / copy, shift / 1e9, shift / copy,
        less / 1e9, less / copy);
    std::fflush(stdout);
}

template <int Bits>
void measure_products(std::size_t bytes) {
    const std::size_t count = bytes / sizeof(BigInt<Bits>);
    const auto a = random_batch<Bits>(count, 1);
    const auto b = random_batch<Bits>(count, 2);
    const auto m = random_batch<Bits>(count, 3, true);
    device_vector<BigInt<Bits>> va(a), vb(b), vm(m), c(count, uninitialized);
    device_vector<BigInt<2 * Bits>> wide(count, uninitialized);
    const double n = static_cast<double>(count);
    const double product = n / seconds([&] { wide = va * vb; });
    check_samples(wide, "a * b", [&](std::size_t i) { return a[i] * b[i]; });
    const double modular = n / seconds([&] { c = va * vb % vm; });
    check_samples(c, "a * b % m", [&](std::size_t i) { return a[i] * b[i] % m[i]; });
    // Both full-width, so that the quotient is short: one step of long division.
    const double quotient = n / seconds([&] { c = va / vb; });
    check_samples(c, "a / b", [&](std::size_t i) { return a[i] / b[i]; });
    std::printf("%5d bits: a * b %9.1f M/s, a * b %% m %9.1f M/s, a / b %9.1f M/s\n", Bits,
                product / 1e6, modular / 1e6, quotient / 1e6);
    std::fflush(stdout);
}

} // namespace

int main() {
    print_machine();
    const std::size_t bytes = device_info().gpu ? std::size_t{1} << 30 : std::size_t{1} << 24;
    const double copy = copy_bytes_per_second(bytes);
    std::printf("copy %6.0f GB/s read and written\n", copy / 1e9);
    measure_streams<64>(copy, bytes);
    measure_streams<128>(copy, bytes);
    measure_streams<256>(copy, bytes);
    measure_streams<512>(copy, bytes);
    measure_streams<1024>(copy, bytes);
    measure_streams<2048>(copy, bytes);
    measure_streams<4096>(copy, bytes);
    measure_streams<8192>(copy, bytes);
    measure_products<256>(bytes / 16);
    measure_products<1024>(bytes / 16);
    measure_products<2048>(bytes / 16);
}
