// SPDX-License-Identifier: Apache-2.0
// Powers of one base modulo one modulus, pow(b, e, M), beside powers of many bases modulo one
// modulus, exponents as long as the modulus, thousands a second on this GPU, checked against one
// another and the host.
//   nvcc -std=c++20 -arch=sm_90 -O3 --extended-lambda -I INCLUDE perf/combs.cu -o combs
// Build it with two INCLUDEs for before and after. ./combs [bits]: one width only.
#include "rate.h"

#include <warpint/vector.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

using namespace warpint;

template <int N>
BigInt<N> random_number(std::mt19937_64 &g) {
    BigInt<N> r;
    for (auto &limb : r.limbs)
        limb = static_cast<std::uint32_t>(g());
    return r;
}

template <int N>
void measure(int only, std::size_t full, std::size_t few) {
    if (only != 0 && only != N)
        return;
    std::mt19937_64 g(N);
    for (const bool even : {false, true}) {
        BigInt<N> m = random_number<N>(g);
        m.limbs[0] = even ? m.limbs[0] & ~7u : m.limbs[0] | 1;
        const BigInt<N> b = random_number<N>(g);
        for (const std::size_t n : {full, few}) {
            if (even && n != few)
                continue;
            std::vector<BigInt<N>> x(n), y(n);
            for (std::size_t i = 0; i < n; ++i) {
                x[i] = b;
                y[i] = i == 0   ? BigInt<N>(0)
                       : i == 1 ? BigInt<N>(0) - 1
                       : i == 2 ? BigInt<N>(1) << (N - 1)
                                : random_number<N>(g);
            }
            device_vector<BigInt<N>> a(x), e(y), plain(n), fixed(n);
            cudaDeviceSynchronize();
            const auto begin = std::chrono::steady_clock::now();
            fixed = pow(b, e, m); // with the preparation
            cudaDeviceSynchronize();
            const double first =
                std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
                    .count();
            plain = pow(a, e, m);
            long wrong = 0;
            const auto p = plain.to_host();
            const auto f = fixed.to_host();
            for (std::size_t i = 0; i < n; ++i)
                wrong += !(p[i] == f[i]);
            for (std::size_t i = 0; i < n; i += n / 8 + 1)
                wrong += !(f[i] == pow(b, y[i], m));
            const double one = 1e3 * rate(n, [&] { plain = pow(a, e, m); });
            const double comb = 1e3 * rate(n, [&] { fixed = pow(b, e, m); });
            std::printf("%5d bits%s  %7zu powers  plain %9.2f  one base %9.2f (%.2f) K/s  first "
                        "run %.1f ms  %ld wrong\n    %s\n",
                        N, even ? ", even" : "", n, one, comb, comb / one, first, wrong,
                        explain(pow(b, e, m)).to_string().c_str());
            std::fflush(stdout);
        }
    }
}

int main(int argc, char **argv) {
    const int only = argc > 1 ? std::atoi(argv[1]) : 0;
    measure<1024>(only, 400000, 8000);
    measure<1536>(only, 200000, 4000);
    measure<2048>(only, 100000, 1000);
    measure<3072>(only, 40000, 1000);
    measure<4096>(only, 20000, 1000);
    measure<6144>(only, 10000, 1000);
}
