// SPDX-License-Identifier: Apache-2.0
// One wide number over several lanes of a warp: 2048 bits over 8 threads, 8 limbs in each.
//
//   nvcc -std=c++20 -arch=native -I include samples/kernels/warp_int.cu && ./a.out
#include <cstdio>

#include <warpint/vector.h>
#include <warpint/warp_int.h>

using Number = warpint::BigInt<2048>;
using Wide = warpint::WarpInt<2048, 8>;

// r[i] = gcd(x[i]^65537 mod m[i], y[i])
__global__ void power_and_gcd(const Number *x, const Number *y, const Number *m, Number *r,
                              std::size_t n) {
    const std::size_t i = Wide::index(); // which number of the grid these lanes hold
    if (i >= n)
        return; // the lanes of one number leave together
    const Wide a(x + i), b(y + i), modulus(m + i);
    gcd(pow(a, 65537u, modulus), b).store(r + i);
}

int main() {
    if (!warpint::device_info().gpu) {
        std::puts("skipped: no GPU");
        return 77;
    }
    constexpr std::size_t n = 10'000;
    warpint::device_vector<Number> x = warpint::indices(n) + 3u, y = x * 0x1000'0001u, r(n);
    const warpint::device_vector<Number> m(n, ~Number(0) - 1941u);

    constexpr unsigned threads = 128;
    power_and_gcd<<<Wide::blocks(n, threads), threads>>>(x.data(), y.data(), m.data(), r.data(), n);
    if (const cudaError_t error = cudaGetLastError(); error != cudaSuccess) {
        std::printf("the launch failed: %s\n", cudaGetErrorString(error));
        return 1;
    }

    const bool same = all(r == gcd(pow(x, 65537u, m), y));
    std::printf("%zu numbers of 2048 bits, %s the formula\n", n, same ? "as in" : "NOT as in");
    return same ? 0 : 1;
}
