// SPDX-License-Identifier: Apache-2.0
// How the programs of long and low products, of combs and of short numbers measure.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

template <class Run>
double rate(std::size_t n, const Run &run) { // million a second, the best of five
    cudaEvent_t begin, end;
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    run();
    double best = 0;
    int repeats = 3;
    for (int k = 0; k < 6; ++k) {
        cudaEventRecord(begin);
        for (int i = 0; i < repeats; ++i)
            run();
        cudaEventRecord(end);
        cudaEventSynchronize(end);
        float ms = 0;
        cudaEventElapsedTime(&ms, begin, end);
        const double r = double(n) * repeats / ms / 1e3;
        if (k == 0) {
            repeats = ms < 60 ? int(repeats * 60 / (ms + 0.01f)) + 1 : repeats; // 60 ms each
        } else if (r > best) {
            best = r;
        }
    }
    return best;
}
