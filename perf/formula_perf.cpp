// SPDX-License-Identifier: Apache-2.0
// What a formula costs beside its arithmetic: on the host from operator to result for one element,
// explain(), and on a GPU the launch beside that of an empty kernel. And whether it matters how a
// modulus is written: a plain number, a Modulus, or a vector of copies.
#include "support.h"

#include <cstdint>

namespace {

using namespace warpint;

// Nanoseconds of one call, the best of several runs.
template <class Body>
double nanoseconds(const Body &body, int calls = 20'000) {
    double best = 1e18;
    for (int run = 0; run < 7; ++run) {
        const auto start = std::chrono::steady_clock::now();
        for (int i = 0; i < calls; ++i)
            body();
        const std::chrono::duration<double, std::nano> elapsed =
            std::chrono::steady_clock::now() - start;
        best = std::min(best, elapsed.count() / calls);
    }
    return best;
}

template <class Container>
void measure_small(const char *where) {
    using Vector = Container;
    Vector a(1, BigInt<256>(3)), b(1, BigInt<256>(5)), c(1);
    const BigInt<256> m = ~BigInt<256>(0) - 188;
    const Modulus<256> prepared(m);
    std::printf("%s, one element of 256 bits, ns from operator to result\n", where);
    std::printf("  %-24s %8.0f\n", "c = a + b", nanoseconds([&] { c = a + b; }));
    std::printf("  %-24s %8.0f\n", "c = (a - b) & a", nanoseconds([&] { c = (a - b) & a; }));
    std::printf("  %-24s %8.0f\n", "c = a * b % m", nanoseconds([&] { c = a * b % m; }));
    std::printf("  %-24s %8.0f\n", "c = a * b % Modulus",
                nanoseconds([&] { c = a * b % prepared; }));
    std::printf("  %-24s %8.0f\n", "explain(a + b)",
                nanoseconds([&] { (void)explain(a + b); }, 2000));
    perf::wait_for_device();
}

#if defined(__CUDACC__)
__global__ void empty_kernel() {}

void measure_launches() {
    if (!device_info().gpu)
        return;
    device_vector<BigInt<256>> a(1, 3), b(1, 5), c(1);
    const auto launch = [](const auto &body) {
        double best = 1e18;
        for (int run = 0; run < 20; ++run) { // few enough for the queue not to fill
            perf::wait_for_device();
            const auto start = std::chrono::steady_clock::now();
            for (int i = 0; i < 200; ++i)
                body();
            const std::chrono::duration<double, std::micro> elapsed =
                std::chrono::steady_clock::now() - start;
            best = std::min(best, elapsed.count() / 200);
        }
        return best;
    };
    cudaStream_t stream = nullptr;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    const double empty = launch([] { empty_kernel<<<1, 32>>>(); });
    std::printf("GPU, us on the host for each launch\n");
    std::printf("  %-24s %8.2f\n", "empty kernel", empty);
    std::printf("  %-24s %8.2f\n", "c = a + b", launch([&] { c = a + b; }));
    std::printf("  %-24s %8.2f\n", "evaluate(a + b, c)", launch([&] { evaluate(a + b, c); }));
    std::printf("  %-24s %8.2f\n", "on a stream",
                launch([&] { evaluate(a + b, c, stream); }));
    perf::wait_for_device();
    cudaStreamDestroy(stream);
}
#endif

template <int Bits>
void measure_moduli(std::size_t count) {
    using Number = BigInt<Bits>;
    using Vector = device_vector<Number>;
    const std::vector<Number> x = perf::random_batch<Bits>(count, 1);
    const std::vector<Number> y = perf::random_batch<Bits>(count, 2);
    const Number m = perf::random_batch<Bits>(1, 3, true)[0];
    const Modulus<Bits> prepared(m);
    const Vector a(x), b(y), moduli(count, m);
    Vector c(count);
    const double plain = perf::seconds([&] { c = a * b % m; });
    const bool right = c[count - 1] == mulmod(x[count - 1], y[count - 1], m) &&
                       c[0] == mulmod(x[0], y[0], m);
    const double modulus = perf::seconds([&] { c = a * b % prepared; });
    const double each = perf::seconds([&] { c = a * b % moduli; });
    const double sum = perf::seconds([&] { c = (a * b + a) % m; });
    const double sum_modulus = perf::seconds([&] { c = (a * b + a) % prepared; });
    const auto rate = [&](double time) { return static_cast<double>(count) / time / 1e9; };
    if (!right) {
        std::printf("%6d  wrong results\n", Bits);
        return;
    }
    std::printf("%6d %10.3f %10.3f %10.3f %10.3f %10.3f\n", Bits, rate(plain), rate(modulus),
                rate(each), rate(sum), rate(sum_modulus));
    std::fflush(stdout);
}

} // namespace

int main() {
    measure_small<host_vector<BigInt<256>>>("CPU");
#if defined(__CUDACC__)
    measure_launches();
#endif
    const std::size_t bytes = std::size_t{device_info().gpu ? 256u : 2u} << 20; // of a vector
    std::printf("a * b %% m, 10^9 a second; m a number, a Modulus, a vector; (a * b + a) %% m, m a "
                "number, a Modulus\n");
    measure_moduli<64>(bytes / 8);
    measure_moduli<128>(bytes / 16);
    measure_moduli<256>(bytes / 32);
    measure_moduli<512>(bytes / 64);
    measure_moduli<1024>(bytes / 128);
    measure_moduli<2048>(bytes / 256);
    measure_moduli<4096>(bytes / 512);
}
