// SPDX-License-Identifier: Apache-2.0
// Residues in shared memory: each block evaluates a polynomial modulo m at one point. The Modulus
// is made once, on the host, and is a parameter of the kernel.
//
//   nvcc -std=c++20 -arch=native -I include samples/kernels/shared_residues.cu && ./a.out
#include <cstdio>
#include <vector>

#include <warpint/modular.h>
#include <warpint/vector.h>

using Number = warpint::BigInt<256>;
using Modulus = warpint::Modulus<256>;
using Residue = warpint::Residue<256>;

constexpr int threads = 128;

// values[block] = the sum of coefficients[i] * points[block]^i modulo m. A residue refers to its
// Modulus, which __grid_constant__ keeps in one place for all threads.
__global__ void evaluate(const Number *coefficients, int count, const Number *points,
                         Number *values, const __grid_constant__ Modulus m) {
    __shared__ Residue sums[threads];
    const int thread = static_cast<int>(threadIdx.x);
    const Residue x = m(points[blockIdx.x]);
    const Residue step = pow(x, blockDim.x);
    Residue power = pow(x, thread);
    Residue sum = m(0);
    for (int i = thread; i < count; i += threads) {
        sum += power * coefficients[i];
        power *= step;
    }
    sums[thread] = sum;
    for (int half = threads / 2; half > 0; half /= 2) {
        __syncthreads();
        if (thread < half)
            sums[thread] += sums[thread + half];
    }
    if (thread == 0)
        values[blockIdx.x] = sums[0].value();
}

int main() {
    if (!warpint::device_info().gpu) {
        std::puts("skipped: no GPU");
        return 77;
    }
    constexpr int count = 1000, points = 5000;
    const Modulus m((Number(1) << 255) - 19u);
    const warpint::device_vector<Number> coefficients =
        warpint::indices(count) * Number(0x9e3779b97f4a7c15u);
    const warpint::device_vector<Number> x = warpint::indices(points) * Number(0xd1b54a32d192ed03u);
    warpint::device_vector<Number> values(points);

    evaluate<<<points, threads>>>(coefficients.data(), count, x.data(), values.data(), m);
    if (const cudaError_t error = cudaGetLastError(); error != cudaSuccess) {
        std::printf("the launch failed: %s\n", cudaGetErrorString(error));
        return 1;
    }

    // Horner's rule over all points at once, a formula for each coefficient.
    const std::vector<Number> host = coefficients.to_host();
    warpint::device_vector<warpint::Residue<256>> horner(m, points), at(m, x);
    for (int i = count - 1; i >= 0; --i)
        horner = horner * at + host[static_cast<std::size_t>(i)];
    const bool same = all(value(horner) == values);
    std::printf("%d values, %s\n", points, same ? "as by Horner's rule" : "WRONG");
    return same ? 0 : 1;
}
