// SPDX-License-Identifier: Apache-2.0
// A CUDA graph of formulas: recorded once, launched many times.
//
//   nvcc -std=c++20 -arch=native -I include samples/kernels/graph.cu && ./a.out
#include <cstdio>

#include <warpint/warpint.h>

using Number = warpint::BigInt<512>;

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
    cudaDeviceSynchronize(); // the vectors are there before the stream uses them
    if (cudaStreamCreate(&stream) != cudaSuccess ||
        cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal) != cudaSuccess) {
        std::puts("no capture");
        return 1;
    }
    evaluate(x * x % m, y, stream); // two launches, recorded and not run
    evaluate((y + x) % m, x, stream);
    if (cudaStreamEndCapture(stream, &graph) != cudaSuccess ||
        cudaGraphInstantiate(&ready, graph, 0) != cudaSuccess) {
        std::puts("no graph");
        return 1;
    }
    for (int i = 0; i != rounds; ++i)
        cudaGraphLaunch(ready, stream);
    cudaStreamSynchronize(stream);
    cudaGraphExecDestroy(ready);
    cudaGraphDestroy(graph);
    cudaStreamDestroy(stream);

    Number expected = start[7];
    for (int i = 0; i != rounds; ++i)
        expected = (expected * expected + expected) % m;
    const bool right = Number(x[7]) == expected;
    std::printf("%d launches of a graph of two formulas, %s\n", rounds, right ? "right" : "WRONG");
    return right ? 0 : 1;
}
