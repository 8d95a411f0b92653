// SPDX-License-Identifier: Apache-2.0
// Montgomery products and squares in every named form (tests/reference/montgomery_variants.h), on
// one core and, compiled as CUDA, in chains of a thread per number. The forms must give the same
// bits.
//
//   warpint_perf_montgomery [name...]     only the forms named
#include "../tests/reference/montgomery_variants.h"
#include "support.h"

#include <warpint/modular.h>

#include <array>
#include <cstring>
#include <string_view>

namespace {

using namespace perf;
using algorithm::MontgomeryVariant;

constexpr std::array names = {"sos",      "cios",      "fios",   "fips",
                              "two_pass", "alternate", "blocks", "tiles"};

template <int N, class Limb>
struct Operands {
    Limb a[N], b[N], m[N];
    Limb m_inverse;
};

// r = a after `rounds` times a <- a b, or a <- a^2, / R mod m.
template <MontgomeryVariant variant, bool squares, int N, class Limb>
WARPINT_HOST_DEVICE void chain(Limb *r, const Operands<N, Limb> &x, int rounds) {
    Limb a[N];
    for (int i = 0; i < N; ++i)
        a[i] = x.a[i];
    for (int i = 0; i < rounds; ++i) {
        if constexpr (squares) {
            algorithm::montgomery_square_by<variant, N>(a, a, x.m, x.m_inverse);
        } else {
            algorithm::montgomery_multiply_by<variant, N>(a, a, x.b, x.m, x.m_inverse);
        }
    }
    for (int i = 0; i < N; ++i)
        r[i] = a[i];
}

template <int N, class Limb>
Operands<N, Limb> random_operands(std::uint64_t seed) {
    std::mt19937_64 generator(seed);
    Operands<N, Limb> x{};
    for (int i = 0; i < N; ++i) {
        x.a[i] = static_cast<Limb>(generator());
        x.b[i] = static_cast<Limb>(generator());
        x.m[i] = static_cast<Limb>(generator());
    }
    x.m[0] |= 1;
    x.m[N - 1] |= static_cast<Limb>(Limb{1} << (limb::limb_bits<Limb> - 1)); // b, a < m
    x.a[N - 1] &= static_cast<Limb>(x.m[N - 1] >> 1);
    x.b[N - 1] &= static_cast<Limb>(x.m[N - 1] >> 1);
    x.m_inverse = limb::negative_inverse(x.m[0]);
    return x;
}

#if defined(__CUDACC__)

using Limb = std::uint32_t;
constexpr int rounds = 256;
constexpr int threads = 128;

template <MontgomeryVariant variant, bool squares, int N>
__global__ void __launch_bounds__(threads)
    run(Limb *r, Operands<N, Limb> x) { // another a for each thread
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    x.a[0] += i;
    Limb result[N];
    chain<variant, squares, N>(result, x, rounds);
    for (int k = 0; k < N; ++k)
        r[static_cast<std::size_t>(i) * N + k] = result[k];
}

// Chains per second; the first thread's result must be `expected`.
template <MontgomeryVariant variant, bool squares, int N>
double rate(const Operands<N, Limb> &x, const Limb *expected, int &registers) {
    const int blocks = 132 * 16;
    Limb *r = nullptr;
    execution::check_cuda(
        cudaMalloc(reinterpret_cast<void **>(&r), sizeof(Limb) * N * blocks * threads), "memory");
    const double time = seconds(
        [&] {
            run<variant, squares, N><<<blocks, threads>>>(r, x);
            execution::check_cuda(cudaGetLastError(), "launch");
        },
        3);
    Limb first[N];
    execution::check_cuda(cudaMemcpy(first, r, sizeof first, cudaMemcpyDeviceToHost), "copy");
    require(std::memcmp(first, expected, sizeof first) == 0, "a form gives other bits");
    cudaFree(r);
    cudaFuncAttributes attributes{};
    execution::check_cuda(cudaFuncGetAttributes(&attributes, run<variant, squares, N>), "kernel");
    registers = attributes.numRegs;
    return static_cast<double>(rounds) * blocks * threads / time;
}

constexpr const char *unit = "M/s";

#else

using Limb = std::conditional_t<number::has_words, std::uint64_t, std::uint32_t>;
constexpr int rounds = 1000;

template <MontgomeryVariant variant, bool squares, int N>
double rate(const Operands<N, Limb> &x, const Limb *expected, int &registers) {
    Limb r[N];
    const double time = seconds([&] { chain<variant, squares, N>(r, x, rounds); }, 31);
    require(std::memcmp(r, expected, sizeof r) == 0, "a form gives other bits");
    registers = 0;
    return rounds / time;
}

constexpr const char *unit = "M/s, one core";

#endif

template <MontgomeryVariant variant, int Bits>
void measure(int argc, char **argv) {
    constexpr int N = Bits / limb::limb_bits<Limb>;
    const char *const name = names[static_cast<std::size_t>(variant)];
    bool wanted = argc < 2;
    for (int i = 1; i < argc; ++i)
        wanted = wanted || std::string_view(argv[i]) == name;
    // Row forms in registers are unrolled as far as numbers stay there.
    if constexpr (variant == MontgomeryVariant::alternate && WARPINT_CUDA && N > 32) {
        return;
    } else if (wanted) {
        const Operands<N, Limb> x = random_operands<N, Limb>(Bits);
        Limb product[N], square[N];
        chain<MontgomeryVariant::sos, false, N>(product, x, rounds);
        chain<MontgomeryVariant::sos, true, N>(square, x, rounds);
        int registers = 0;
        const double products = rate<variant, false, N>(x, product, registers);
        const double squares = rate<variant, true, N>(x, square, registers);
        std::printf("%5d bits  %-10s product %10.2f, square %10.2f %s", Bits, name, products / 1e6,
                    squares / 1e6, unit);
        if (registers != 0)
            std::printf("  %d registers", registers);
        std::printf("\n");
        std::fflush(stdout);
    }
}

template <int Bits>
void measure_all(int argc, char **argv) {
    using enum MontgomeryVariant;
    measure<sos, Bits>(argc, argv);
    measure<cios, Bits>(argc, argv);
    measure<fios, Bits>(argc, argv);
    measure<fips, Bits>(argc, argv);
    measure<two_pass, Bits>(argc, argv);
    measure<alternate, Bits>(argc, argv);
    measure<blocks, Bits>(argc, argv);
    measure<tiles, Bits>(argc, argv);
}

} // namespace

int main(int argc, char **argv) {
    print_machine();
#if defined(__CUDACC__)
    if (!device_info().gpu) {
        std::puts("no GPU: nothing to measure");
        return 77;
    }
#endif
    measure_all<256>(argc, argv);
    measure_all<1024>(argc, argv);
    measure_all<2048>(argc, argv);
}
