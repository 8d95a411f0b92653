// SPDX-License-Identifier: Apache-2.0
// A kernel of one's own: big integers are values with operators, in device code too.
//
//   nvcc -std=c++20 -arch=native -I include samples/kernels/own_kernel.cu && ./a.out
#include <cstdio>

#include <warpint/warpint.h>

using warpint::BigInt;
using Number = BigInt<256>;

// r[i] = (x[i] * y[i] + 7) mod m[i]
__global__ void multiply_add(const Number *x, const Number *y, const Number *m, Number *r,
                             std::size_t n) {
    const std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
    if (i < n)
        r[i] = (x[i] * y[i] + 7u) % m[i]; // the product has 512 bits: nothing is lost
}

int main() {
    if (!warpint::device_info().gpu) {
        std::puts("skipped: no GPU");
        return 77;
    }
    constexpr std::size_t n = 1'000'000;
    const warpint::device_vector<Number> m(n, Number(0) - 189u); // 2^256 - 189, a prime
    warpint::device_vector<Number> x = warpint::indices(n) * Number(0x9e3779b97f4a7c15u), y = x * x;
    warpint::device_vector<Number> r(n);

    constexpr unsigned threads = 128;
    multiply_add<<<(n + threads - 1) / threads, threads>>>(x.data(), y.data(), m.data(), r.data(),
                                                           n);
    if (const cudaError_t error = cudaGetLastError(); error != cudaSuccess) {
        std::printf("the launch failed: %s\n", cudaGetErrorString(error));
        return 1;
    }

    // The same as a formula over the vectors, which needs no kernel.
    const bool same = all(r == (x * y + 7) % m);
    std::printf("element 3 is %s, %s the formula\n", to_string(Number(r[3])).c_str(),
                same ? "as in" : "NOT as in");
    return same ? 0 : 1;
}
