// SPDX-License-Identifier: Apache-2.0
// The same with a kernel, which runs where a GPU is: that it compiles and links is what is tested.

#include <cstdio>
#include <warpint/bigint.h>

using Number = warpint::BigInt<99>;

__global__ void square(Number *number) {
    *number = *number * *number % 1000u;
}

int main() {
    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
        std::puts("consumer_cuda: no GPU");
        return 0;
    }
    Number number = 77, *there = nullptr;
    const bool copied =
        cudaMalloc(&there, sizeof number) == cudaSuccess &&
        cudaMemcpy(there, &number, sizeof number, cudaMemcpyHostToDevice) == cudaSuccess;
    square<<<1, 1>>>(there);
    if (!copied ||
        cudaMemcpy(&number, there, sizeof number, cudaMemcpyDeviceToHost) != cudaSuccess ||
        number != 929) {
        std::puts("wrong square");
        return 1;
    }
    cudaFree(there);
    std::puts("consumer_cuda: correct");
    return 0;
}
