// SPDX-License-Identifier: Apache-2.0
// Field arithmetic and number theory, a thread per number: products and squares modulo a fixed
// prime that stay in registers, and inverses and greatest common divisors from memory to memory.
// Every figure is checked against the host's results, which the tests hold to GMP.
#include "support.h"

#include <warpint/modular.h>
#include <warpint/number_theory.h>

#if defined(__CUDACC__)

namespace {

using namespace perf;

constexpr int rounds = 512;

// The chain that the kernels run: products x <- x y, or squares x <- x^2 + y.
struct Multiply {
    template <class R>
    static __host__ __device__ R run(const R &x, const R &y) {
        return x * y;
    }
};
struct Square {
    template <class R>
    static __host__ __device__ R run(const R &x, const R &y) {
        return sqr(x) + y;
    }
};

template <class Operation, class R>
__host__ __device__ R chain(R x, const R &y) {
    for (int i = 0; i < rounds; ++i)
        x = Operation::run(x, y);
    return x;
}

template <class Operation, class Field, class Number>
__global__ void __launch_bounds__(128) static_chain(Number *r, const Number *a, const Number *b) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    using R = typename Field::Residue;
    r[i] = chain<Operation>(R(a[i]), R(b[i])).value();
}
template <class Operation, int Bits>
__global__ void __launch_bounds__(128)
    modulus_chain(BigInt<Bits> *r, const BigInt<Bits> *a, const BigInt<Bits> *b, Modulus<Bits> m) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    r[i] = chain<Operation>(m(a[i]), m(b[i])).value();
}

struct Inverse {
    static constexpr const char *name = "inverse(a, m)";
    template <int Bits>
    static __host__ __device__ BigInt<Bits> run(const BigInt<Bits> &a, const BigInt<Bits> &m) {
        const auto x = inverse(a, m);
        return x ? *x : BigInt<Bits>(0u);
    }
};
struct Gcd {
    static constexpr const char *name = "gcd(a, b)";
    template <int Bits>
    static __host__ __device__ BigInt<Bits> run(const BigInt<Bits> &a, const BigInt<Bits> &b) {
        return gcd(a, b);
    }
};

template <class Operation, int Bits>
__global__ void __launch_bounds__(128)
    each(BigInt<Bits> *r, const BigInt<Bits> *a, const BigInt<Bits> *b) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    r[i] = Operation::template run<Bits>(a[i], b[i]);
}

constexpr int threads = 128;

template <int Bits>
struct Batch {
    std::vector<BigInt<Bits>> a, b;
    device_vector<BigInt<Bits>> va, vb, r;
    explicit Batch(std::size_t count, bool odd = false)
        : a(random_batch<Bits>(count, 1)), b(random_batch<Bits>(count, 2, odd)), va(a), vb(b),
          r(count, uninitialized) {}
    int blocks() const { return static_cast<int>(a.size()) / threads; }
};

template <class Kernel, class Launch, class Expected, int Bits>
void measure(const char *what, Kernel kernel, Batch<Bits> &batch, double operations,
             const Launch &launch, const Expected &expected) {
    const double time = seconds([&] {
        launch();
        execution::check_cuda(cudaGetLastError(), "launch");
    });
    for (std::size_t i = 0; i < batch.a.size(); i += batch.a.size() / 61 + 1)
        require(batch.r.read(i) == expected(i), what);
    cudaFuncAttributes attributes{};
    execution::check_cuda(cudaFuncGetAttributes(&attributes, kernel), "attributes");
    std::printf("%5d bits  %-44s %9.3f G/s  %3d registers, %zu bytes of local memory\n", Bits, what,
                operations * static_cast<double>(batch.a.size()) / time / 1e9, attributes.numRegs,
                static_cast<std::size_t>(attributes.localSizeBytes));
    std::fflush(stdout);
}

// Field names the residue type: nvcc 13.0 cannot write StaticResidue<p> as an argument of a kernel.
template <class Operation, class Field>
void measure_static(const char *what) {
    using R = typename Field::Residue;
    using Number = BigInt<R::bits>;
    Batch<R::bits> batch(132 * 16 * threads);
    measure(
        what, static_chain<Operation, Field, Number>, batch, rounds,
        [&] {
            static_chain<Operation, Field>
                <<<batch.blocks(), threads>>>(batch.r.data(), batch.va.data(), batch.vb.data());
        },
        [&](std::size_t i) { return chain<Operation>(R(batch.a[i]), R(batch.b[i])).value(); });
}

template <class Operation, int Bits>
void measure_modulus(const char *what, const BigInt<Bits> &value) {
    Batch<Bits> batch(132 * 16 * threads);
    const Modulus<Bits> m(value);
    measure(
        what, modulus_chain<Operation, Bits>, batch, rounds,
        [&] {
            modulus_chain<Operation>
                <<<batch.blocks(), threads>>>(batch.r.data(), batch.va.data(), batch.vb.data(), m);
        },
        [&](std::size_t i) { return chain<Operation>(m(batch.a[i]), m(batch.b[i])).value(); });
}

template <class Operation, int Bits>
void measure_each() {
    Batch<Bits> batch((std::size_t{1} << 20) * 256 / Bits / threads * threads, true);
    measure(
        Operation::name, each<Operation, Bits>, batch, 1,
        [&] {
            each<Operation>
                <<<batch.blocks(), threads>>>(batch.r.data(), batch.va.data(), batch.vb.data());
        },
        [&](std::size_t i) { return Operation::template run<Bits>(batch.a[i], batch.b[i]); });
}

constexpr auto secp256k1 = (BigInt<256>(0u) - (BigInt<256>(1u) << 32)) - 977;
constexpr auto prime25519 = (BigInt<256>(1u) << 255) - 19;
constexpr auto prime256 =
    BigInt<256>::parse("0xa9fb57dba1eea9bc3e660a909d838d726e3bf623d52620282013481d1f6e5377");
constexpr auto prime384 = BigInt<384>::parse("0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf673"
                                             "0d2a0f6b0f6241eabfffeb153ffffb9feffffffffaa"
                                             "ab");

struct Secp256k1 {
    using Residue = StaticResidue<secp256k1>;
};
struct Prime25519 {
    using Residue = StaticResidue<prime25519>;
};
struct Prime256 {
    using Residue = StaticResidue<prime256>;
};
struct Prime384 {
    using Residue = StaticResidue<prime384>;
};

} // namespace

int main() {
    print_machine();
    if (!device_info().gpu) {
        std::puts("no GPU: nothing to measure");
        return 77;
    }
    measure_static<Multiply, Secp256k1>("x * y, secp256k1");
    measure_static<Square, Secp256k1>("x^2 + y, secp256k1");
    measure_static<Multiply, Prime25519>("x * y, 2^255 - 19");
    measure_static<Multiply, Prime256>("x * y, a prime in the type, Montgomery");
    measure_static<Square, Prime256>("x^2 + y, a prime in the type, Montgomery");
    measure_modulus<Multiply>("x * y, a Modulus", prime256);
    measure_static<Multiply, Prime384>("x * y, a prime in the type, Montgomery");
    measure_modulus<Multiply>("x * y, a Modulus", prime384);
    measure_each<Inverse, 256>();
    measure_each<Inverse, 384>();
    measure_each<Gcd, 256>();
    measure_each<Gcd, 512>();
    return 0;
}

#else

int main() {
    std::puts("compiled without CUDA: nothing to measure");
    return 77;
}

#endif
