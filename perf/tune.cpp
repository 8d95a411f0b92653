// SPDX-License-Identifier: Apache-2.0
// Measures the candidates of kernels over lanes (lanes, threads of a block, window) on the present
// GPU and prints rows for execution/tuning/sm_90.h, the fastest for each width and batch.
// Every candidate's results are checked against the first's, the first's against one thread. The
// only program here that users have no need of: it is how the library's own tables were made.
#include <warpint/number_theory.h>
#include <warpint/vector.h>
#include <warpint/warp_int.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

namespace {

using namespace warpint;

void require(bool condition, const char *what) {
    if (condition)
        return;
    std::printf("WRONG RESULT: %s\n", what);
    std::exit(1);
}

void require(cudaError_t status) {
    require(status == cudaSuccess, cudaGetErrorString(status));
}

// Full-width random numbers, of which the first few thousand differ; odd ones on request.
template <int Bits>
std::vector<BigInt<Bits>> random_batch(std::size_t count, std::uint64_t seed, bool odd = false) {
    std::mt19937_64 generator(seed);
    std::vector<BigInt<Bits>> batch(count);
    for (std::size_t i = 0; i < count; ++i) {
        if (i >= 4096) {
            batch[i] = batch[i % 4096];
            continue;
        }
        for (auto &limb : batch[i].limbs)
            limb = static_cast<std::uint32_t>(generator());
        batch[i] = set_bit(batch[i], Bits - 1);
        if (odd)
            batch[i] = set_bit(batch[i], 0);
    }
    return batch;
}

// The fastest of so many calls of body, in seconds.
template <class Body>
double seconds(const Body &body, int repetitions) {
    cudaEvent_t start{};
    cudaEvent_t stop{};
    require(cudaEventCreate(&start));
    require(cudaEventCreate(&stop));
    float best = 1e30F;
    for (int i = 0; i <= repetitions; ++i) { // the first warms up
        require(cudaEventRecord(start));
        body();
        require(cudaEventRecord(stop));
        require(cudaEventSynchronize(stop));
        float milliseconds = 0;
        require(cudaEventElapsedTime(&milliseconds, start, stop));
        if (i > 0)
            best = std::min(best, milliseconds);
    }
    require(cudaEventDestroy(start));
    require(cudaEventDestroy(stop));
    return static_cast<double>(best) / 1000;
}

// What is tuned: the value of three numbers over lanes.
template <int Window>
struct TunedPower {
    static constexpr const char *kind = "power";
    static constexpr int window = Window;
    template <class W>
    __device__ static W value(const W &a, const W &b, const W &m) {
        W r;
        lanes::power_modulo<W::words_per_lane, Window, W::words_per_lane>(
            typename W::group{}, r.words, a.words, b.words, m.words);
        return r;
    }
    template <int Bits>
    static BigInt<Bits> expected(const BigInt<Bits> &a, const BigInt<Bits> &b,
                                 const BigInt<Bits> &m) {
        return pow(a, b, m);
    }
};
struct TunedModularProduct {
    static constexpr const char *kind = "division";
    static constexpr int window = 0;
    template <class W>
    __device__ static W value(const W &a, const W &b, const W &m) {
        return mulmod(a, b, m);
    }
    template <int Bits>
    static BigInt<Bits> expected(const BigInt<Bits> &a, const BigInt<Bits> &b,
                                 const BigInt<Bits> &m) {
        return a * b % m;
    }
};
struct TunedGcd {
    static constexpr const char *kind = "number_theory";
    static constexpr int window = 0;
    template <class W>
    __device__ static W value(const W &a, const W &b, const W &m) {
        return gcd(a, b) + *inverse(a, m);
    }
    template <int Bits>
    static BigInt<Bits> expected(const BigInt<Bits> &a, const BigInt<Bits> &b,
                                 const BigInt<Bits> &m) {
        return gcd(a, b) + inverse(a, m).value_or(BigInt<Bits>(0));
    }
};

template <class Tuned, int Bits, int L, int Threads, int Blocks>
__global__ void __launch_bounds__(Threads, Blocks)
    tuned_kernel(const BigInt<Bits> *a, const BigInt<Bits> *b, const BigInt<Bits> *m,
                 BigInt<Bits> *r, std::size_t n) {
    using W = WarpInt<Bits, L, Together::warp>;
    if (W::index() / (32 / L) * (32 / L) >= n) // a whole warp leaves
        return;
    const std::size_t i = W::index() < n ? W::index() : n - 1;
    const W value = Tuned::value(W(a + i), W(b + i), W(m + i));
    if (W::index() < n)
        value.store(r + i);
}

struct Candidate {
    double rate = 0;
    int lanes = 0;
    int threads = 0;
    int blocks = 0;
    int window = 0;
};

template <int Bits>
struct Operands {
    device_vector<BigInt<Bits>> a, b, m, r;
    std::vector<BigInt<Bits>> first; // results of the first candidate
};

template <class Tuned, int Bits, int L, int Threads, int Blocks>
void try_one(Operands<Bits> &operands, std::size_t count, Candidate &best) {
    for (const int threads : {Threads, Threads / 2}) {
        const unsigned blocks = WarpInt<Bits, L>::blocks(count, threads);
        const double time = seconds(
            [&] {
                tuned_kernel<Tuned, Bits, L, Threads, Blocks>
                    <<<blocks, static_cast<unsigned>(threads)>>>(
                        operands.a.data(), operands.b.data(), operands.m.data(), operands.r.data(),
                        count);
            },
            3);
        const std::size_t step = count / 64 + 1;
        for (std::size_t i = 0, k = 0; i < count; i += step, ++k) {
            const auto result = operands.r.read(i);
            if (operands.first.size() <= k) {
                if (k < 8) {
                    require(result == Tuned::expected(operands.a.read(i), operands.b.read(i),
                                                      operands.m.read(i)),
                            Tuned::kind);
                }
                operands.first.push_back(result);
            }
            require(operands.first[k] == result, Tuned::kind);
        }
        const double rate = static_cast<double>(count) / time;
        std::printf("# %s %d bits, batch %zu: %d lanes, %d threads, at least %d blocks, window %d: "
                    "%.4g /s\n",
                    Tuned::kind, Bits, count, L, threads, Blocks, Tuned::window, rate);
        std::fflush(stdout);
        if (rate > best.rate)
            best = {rate, L, threads, Blocks * Threads / threads, Tuned::window};
    }
}

template <int Bits>
void tune(std::size_t large) {
    constexpr int half = Bits / 32 / 32;    // lanes of 32 limbs
    constexpr int sixteen = Bits / 32 / 16; // of 16
    constexpr int eight = sixteen < 32 ? 2 * sixteen : 32;
    const DeviceInfo info = device_info();
    Operands<Bits> operands{device_vector<BigInt<Bits>>(random_batch<Bits>(large, 1)),
                            device_vector<BigInt<Bits>>(random_batch<Bits>(large, 2)),
                            device_vector<BigInt<Bits>>(random_batch<Bits>(large, 3, true)),
                            device_vector<BigInt<Bits>>(large, uninitialized),
                            {}};
    const auto print = [&](const char *kind, std::size_t from, const Candidate &best) {
        std::printf("        {%d, %s, %d, %zu, lanes, %d, %d, %d, direct, %d,\n"
                    "         \"%.4g a second at %d bits, batches of %zu, on a %s\"},\n",
                    info.compute_capability, kind, Bits + Bits / 8, from, best.lanes, best.threads,
                    best.blocks, best.window, best.rate, Bits, from != 0 ? from : large,
                    info.name.c_str());
        std::fflush(stdout);
    };
    // Powers: from the largest batch down, rows come in that order.
    for (std::size_t count : {large / 16, std::size_t{8000}, std::size_t{4000}, std::size_t{1000},
                              std::size_t{100}, std::size_t{1}}) {
        if (count > large)
            continue;
        operands.first.clear();
        Candidate best;
        constexpr int window = Bits > 3000 ? 7 : Bits > 1300 ? 6 : 5;
        try_one<TunedPower<window>, Bits, sixteen, 128, 4>(operands, count, best);
        try_one<TunedPower<window>, Bits, eight, 128, 4>(operands, count, best);
        if constexpr (half >= 1) {
            try_one<TunedPower<window>, Bits, half, 128, 3>(operands, count, best);
            try_one<TunedPower<window>, Bits, half, 128, 2>(operands, count, best);
        }
        print("power", count, best);
    }
    operands.first.clear();
    Candidate best;
    try_one<TunedModularProduct, Bits, sixteen, 128, 3>(operands, large, best);
    try_one<TunedModularProduct, Bits, eight, 128, 4>(operands, large, best);
    if constexpr (half >= 1)
        try_one<TunedModularProduct, Bits, half, 128, 2>(operands, large, best);
    print(TunedModularProduct::kind, 0, best);
    operands.first.clear();
    best = {};
    try_one<TunedGcd, Bits, sixteen, 128, 2>(operands, large / 16, best);
    try_one<TunedGcd, Bits, eight, 128, 3>(operands, large / 16, best);
    print(TunedGcd::kind, 0, best);
}

} // namespace

int main(int count, char **arguments) {
    if (!device_info().gpu) {
        std::printf("tune measures on a GPU\n");
        return 77;
    }
    const int bits = count > 1 ? std::stoi(arguments[1]) : 0; // 0: all
    if (bits == 0 || bits == 1024)
        tune<1024>(std::size_t{1} << 21);
    if (bits == 0 || bits == 2048)
        tune<2048>(std::size_t{1} << 20);
    if (bits == 0 || bits == 4096)
        tune<4096>(std::size_t{1} << 19);
}
