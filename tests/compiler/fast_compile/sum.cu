// SPDX-License-Identifier: Apache-2.0
// A sum whose carries go through functions marked __forceinline__. With --Ofast-compile=max
// nvcc 13.0 calls them instead, and a carry does not outlive a call. (Sums of 256 bits were wrong
// on an H100.)
#include <warpint/bigint.h>

#include <cstdio>

using Number = warpint::BigInt<96>;

__global__ void add(Number *sum, Number a, Number b) {
    *sum = a + b;
}

int main() {
    Number *sum = nullptr;
    cudaMallocManaged(&sum, sizeof *sum);
    const Number ones = (Number(1) << 64) - Number(1);
    add<<<1, 1>>>(sum, ones, Number(1));
    cudaDeviceSynchronize();
    std::printf("%s sum\n", *sum == Number(1) << 64 ? "right" : "wrong");
}
