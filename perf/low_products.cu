// SPDX-License-Identifier: Apache-2.0
// Low products beside exact ones over device vectors, M/s on this GPU, checked against one another.
//   nvcc -std=c++20 -arch=sm_90 -O3 --extended-lambda -I INCLUDE perf/low_products.cu -o
//   low_products
// Build it with two INCLUDEs for before and after. ./low_products [bits]: one width only.
#include "rate.h"

#include <warpint/vector.h>

#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

using namespace warpint;

template <int N>
void measure(int only, bool last = false) {
    if (only != 0 && only != N)
        return;
    const std::size_t n = (std::size_t{1} << 30) / N; // 128 MiB an operand
    std::vector<BigInt<N>> x(n), y(n);
    std::mt19937_64 g(N);
    for (std::size_t i = 0; i < n; ++i) {
        for (int k = 0; k < N / 32; ++k) {
            // a part of all ones, of limbs of ones and zeros, the others uniform
            const bool runs = i % 16 == 5;
            x[i].limbs[k] = i % 64 == 1 || i % 64 == 2 ? ~0u
                            : runs                     ? 0u - unsigned(g() & 1)
                                                       : unsigned(g());
            y[i].limbs[k] = i % 64 == 2 || i % 64 == 3 ? ~0u
                            : runs                     ? 0u - unsigned(g() & 1)
                                                       : unsigned(g());
        }
    }
    device_vector<BigInt<N>> a(x), b(y), low(n), kept(n), high(n);
    device_vector<BigInt<2 * N>> exact(n);
    low = mul_low(a, b);
    kept = a * b;
    high = mul_high(a, b);
    exact = a * b;
    long wrong = 0;
    {
        const auto l = low.to_host();
        const auto k = kept.to_host();
        const auto h = high.to_host();
        const auto e = exact.to_host();
        for (std::size_t i = 0; i < n; ++i) {
            bool same = true;
            for (int j = 0; j < N / 32; ++j) {
                same = same && l[i].limbs[j] == e[i].limbs[j] && k[i].limbs[j] == e[i].limbs[j] &&
                       h[i].limbs[j] == e[i].limbs[N / 32 + j];
            }
            wrong += !same;
        }
        // and the exact product by the host
        for (std::size_t i = 0; i < n; i += n / 50)
            wrong += !(e[i] == x[i] * y[i]);
    }
    const double ex = rate(n, [&] { exact = a * b; });
    const double lo = rate(n, [&] { low = mul_low(a, b); });
    const double ke = rate(n, [&] { kept = a * b; });
    const double hi = rate(n, [&] { high = mul_high(a, b); });
    device_vector<BigInt<N>> c(x);
    const double in_place = rate(n, [&] { c *= b; });
    std::printf("%6d bits  exact %8.2f  mul_low %8.2f (%.2f)  stored narrow %8.2f  a *= b %8.2f  "
                "mul_high %8.2f (%.2f)  M/s"
                "  %ld of %zu wrong\n",
                N, ex, lo, lo / ex, ke, in_place, hi, hi / ex, wrong, n);
    std::fflush(stdout);
    (void)last;
}

int main(int argc, char **argv) {
    const int only = argc > 1 ? std::atoi(argv[1]) : 0;
    measure<1536>(only);
    measure<2048>(only);
    measure<3072>(only);
    measure<4096>(only);
    measure<8192>(only);
    measure<16384>(only);
    measure<32768>(only);
}
