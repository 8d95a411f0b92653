// SPDX-License-Identifier: Apache-2.0
// A CUDA graph of formulas: recorded once, launched many times.
//
//   nvcc -std=c++20 -arch=native -I include samples/kernels/graph.cu && ./a.out
#include <cstdio>
#include <stdexcept>

#include <warpint/warpint.h>

using Number = warpint::BigInt<512>;

void require(cudaError_t result) {
    if (result != cudaSuccess)
        throw std::runtime_error(cudaGetErrorString(result));
}

int main() {
    if (!warpint::device_info().gpu) {
        std::puts("skipped: no GPU");
        return 77;
    }
    constexpr std::size_t n = 10'000;
    constexpr int rounds = 100;
    const warpint::Modulus<512> m(~Number(0) - 568u);
    const warpint::device_vector<Number> start = warpint::indices(n) + 2u;
    warpint::device_vector<Number> x = start, y(n, warpint::uninitialized);

    cudaStream_t stream{};
    cudaGraph_t graph{};
    cudaGraphExec_t ready{};
    require(cudaDeviceSynchronize()); // the vectors are there before the stream uses them
    require(cudaStreamCreate(&stream));
    require(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    evaluate(x * x % m, y, stream); // two launches, recorded and not run
    evaluate((y + x) % m, x, stream);
    require(cudaStreamEndCapture(stream, &graph));
    require(cudaGraphInstantiate(&ready, graph, 0));
    for (int i = 0; i != rounds; ++i)
        require(cudaGraphLaunch(ready, stream));
    require(cudaStreamSynchronize(stream));
    require(cudaGraphExecDestroy(ready));
    require(cudaGraphDestroy(graph));
    require(cudaStreamDestroy(stream));

    Number expected = start[7];
    for (int i = 0; i != rounds; ++i)
        expected = (expected * expected + expected) % m;
    const bool right = Number(x[7]) == expected;
    std::printf("%d launches of a graph of two formulas, %s\n", rounds, right ? "right" : "WRONG");
    return right ? 0 : 1;
}
