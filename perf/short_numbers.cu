// SPDX-License-Identifier: Apache-2.0
// Numbers that are shorter than their type on a GPU: milliseconds of batches of BITS bits where all
// numbers fill the type, where all have 64 bits, and where only the modulus or divisor is short.
//   nvcc -std=c++20 -arch=sm_90 -O3 --extended-lambda -DBITS=4096 -I include perf/short_numbers.cu
//   ./a.out 16384
#include "rate.h"

#include <warpint/warpint.h>

#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

using namespace warpint;
using Number = BigInt<BITS>;
using Batch = device_vector<Number>;

namespace {

struct Operands {
    Batch x, y, z; // z is odd
};

template <class Run>
void row(const char *name, const Operands &full, const Operands &few, const Run &run) {
    const auto milliseconds = [&](const Operands &a, const Operands &b) {
        const std::size_t n = a.x.size();
        return static_cast<double>(n) / rate(n, [&] { run(a.x, a.y, b.z); }) / 1e3;
    };
    const double all = milliseconds(full, full);
    const double all_short = milliseconds(few, few);
    const double last_short = milliseconds(full, few);
    std::printf("%-16s %9.3f ms, all short %9.3f (%.2f), the last short %9.3f (%.2f)\n", name, all,
                all_short, all / all_short, last_short, all / last_short);
}

} // namespace

int main(int argc, char **argv) {
    const std::size_t n = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 16384;
    std::mt19937_64 generator(5);
    const auto drawn = [&](auto draw) {
        std::vector<Number> x(n), y(n), z(n);
        for (std::size_t i = 0; i < n; ++i) {
            x[i] = draw();
            y[i] = draw();
            z[i] = draw() | Number(1);
        }
        return Operands{Batch(x), Batch(y), Batch(z)};
    };
    const Operands full = drawn([&] { return random_bits<BITS>(generator); });
    const Operands few = drawn([&] { return Number(random_bits<64>(generator)); });
    Batch r(n);
    std::printf("%d bits, %zu numbers\n", BITS, n);
    row("x * y % z", full, few, [&](auto &x, auto &y, auto &z) { r = x * y % z; });
    row("x % z", full, few, [&](auto &x, auto &, auto &z) { r = x % z; });
    row("gcd(x, z)", full, few, [&](auto &x, auto &, auto &z) { r = gcd(x, z); });
    row("inverse(x, z)", full, few, [&](auto &x, auto &, auto &z) { r = inverse(x, z); });
    row("isqrt(x)", full, few, [&](auto &x, auto &, auto &) { r = isqrt(x); });
    row("pow(x, y, z)", full, few, [&](auto &x, auto &y, auto &z) { r = pow(x, y, z); });
    std::size_t primes = 0;
    row("is_prime(z)", full, few,
        [&](auto &, auto &, auto &z) { primes += count(is_probable_prime(z)); });
    std::printf("(%zu primes)\n", primes);
}
