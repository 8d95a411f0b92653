// SPDX-License-Identifier: Apache-2.0
// Powers modulo even numbers, m = 2^k m' with m' odd, beside powers modulo odd ones of the same
// width: thousand a second and the ratio of times, over device vectors, or where g++ compiles this
// in host memory. Checked against single powers on the host.
//   nvcc -std=c++20 -arch=sm_90 -O3 --extended-lambda -I INCLUDE perf/even_moduli.cu -o even_moduli
//   g++ -std=c++20 -O3 -x c++ -I INCLUDE perf/even_moduli.cu -o even_moduli_cpu -pthread
// Build it with two INCLUDEs for before and after. ./even_moduli [bits]: one width only.
#include <warpint/vector.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

using namespace warpint;

void wait() {
#if defined(__CUDACC__)
    cudaDeviceSynchronize();
#endif
}

template <class Run>
double seconds(const Run &run) { // the best of four
    double best = 1e30;
    for (int k = 0; k < 5; ++k) {
        wait();
        const auto begin = std::chrono::steady_clock::now();
        run();
        wait();
        const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
        if (k != 0 && time.count() < best)
            best = time.count();
    }
    return best;
}

template <int N>
BigInt<N> random_number(std::mt19937_64 &g) {
    BigInt<N> r;
    for (auto &limb : r.limbs)
        limb = static_cast<std::uint32_t>(g());
    return r;
}

// k < 0: as many zeros as random even numbers have, one of two elements odd for -2.
template <int N>
BigInt<N> modulus(std::mt19937_64 &g, int k) {
    const BigInt<N> r = random_number<N>(g);
    if (k < 0)
        return (k == -2 ? r : r >> 1 << 1) | BigInt<N>(1) << (N - 1);
    return ((r | BigInt<N>(1)) >> k | BigInt<N>(1)) << k | BigInt<N>(1) << (N - 1);
}

template <int N>
void measure(int only, std::size_t n) {
    if (only != 0 && only != N)
        return;
    std::mt19937_64 g(N);
    std::vector<BigInt<N>> x(n), y(n), z(n);
    for (std::size_t i = 0; i < n; ++i) {
        x[i] = random_number<N>(g);
        y[i] = random_number<N>(g);
    }
    const device_vector<BigInt<N>> a(x), e(y);
    device_vector<BigInt<N>> r(n);
    double odd[3] = {};
    for (const int k : {0, -1, -2, 1, 31, 33, 64, N / 4, N / 2, N - 32, N - 1}) {
        for (auto &m : z)
            m = modulus<N>(g, k);
        const device_vector<BigInt<N>> m(z);
        const Modulus<N> shared(z[0]);
        const double time[3] = {seconds([&] { r = pow(a, e, m); }),
                                seconds([&] { r = pow(a, 65537, m); }),
                                seconds([&] { r = pow(a, e, shared); })};
        long wrong = 0;
        const auto check = [&](const auto &exponent, const auto &one) {
            const auto got = r.to_host();
            for (std::size_t i = 0; i < n; i += n / 64 + 1)
                wrong += !(got[i] == pow(x[i], exponent(i), one(i)));
        };
        check([&](std::size_t i) { return y[i]; }, [&](std::size_t) { return z[0]; });
        r = pow(a, e, m);
        check([&](std::size_t i) { return y[i]; }, [&](std::size_t i) { return z[i]; });
        r = pow(a, 65537, m);
        check([&](std::size_t) { return 65537; }, [&](std::size_t i) { return z[i]; });
        if (k == 0)
            std::printf("%d bits, %zu elements: %s\n", N, n,
                        explain(pow(a, e, m)).to_string().c_str());
        std::printf("  k = ");
        k >= 0 ? std::printf("%4d", k) : std::printf("%s", k == -1 ? "even" : " any");
        const char *const names[3] = {"pow(a, e, m)", "pow(a, 65537, m)", "pow(a, e, M)"};
        for (int i = 0; i < 3; ++i) {
            odd[i] = k == 0 ? time[i] : odd[i];
            std::printf("  %s %10.2f K/s (%.2f)", names[i], double(n) / time[i] / 1e3,
                        time[i] / odd[i]);
        }
        std::printf("  %ld wrong\n", wrong);
        std::fflush(stdout);
    }
}

int main(int argc, char **argv) {
    const int only = argc > 1 ? std::atoi(argv[1]) : 0;
#if defined(__CUDACC__)
    constexpr std::size_t scale = 64;
#else
    constexpr std::size_t scale = 1;
#endif
    measure<256>(only, 16384 * scale);
    measure<512>(only, 4096 * scale);
    measure<1024>(only, 1024 * scale);
    measure<2048>(only, 256 * scale);
    measure<4096>(only, 64 * scale);
}
