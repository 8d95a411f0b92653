// SPDX-License-Identifier: Apache-2.0
// Two streams: while one computes, the other copies. Numbers go through pinned host memory.
//
//   nvcc -std=c++20 -arch=native -I include samples/kernels/streams.cu && ./a.out
#include <cstdio>
#include <optional>
#include <stdexcept>

#include <warpint/warpint.h>

void require(cudaError_t result) {
    if (result != cudaSuccess)
        throw std::runtime_error(cudaGetErrorString(result));
}

using Number = warpint::BigInt<1024>;
using HostNumbers = warpint::host_vector<Number>;
using DeviceNumbers = warpint::device_vector<Number>;

// A part of the work, on a stream of its own.
struct Lane {
    cudaStream_t stream{};
    DeviceNumbers in, out;
    explicit Lane(std::size_t n) : in(n, warpint::uninitialized), out(n, warpint::uninitialized) {
        require(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    }
    ~Lane() { cudaStreamDestroy(stream); }
    Lane(const Lane &) = delete;
    Lane &operator=(const Lane &) = delete;
};

int main() {
    if (!warpint::device_info().gpu) {
        std::puts("skipped: no GPU");
        return 77;
    }
    constexpr std::size_t part = 50'000, parts = 8;
    const warpint::Modulus<1024> m(~Number(0) - 104u);
    HostNumbers input(part, warpint::uninitialized, warpint::pinned_resource());
    for (std::size_t i = 0; i != part; ++i)
        input[i] = Number(i) * 0x9e3779b97f4a7c15u;
    std::optional<HostNumbers> results[parts];
    for (auto &each : results)
        each.emplace(part, warpint::uninitialized, warpint::pinned_resource());

    Lane first(part), second(part);
    require(cudaDeviceSynchronize()); // the vectors are there before the streams use them
    for (std::size_t i = 0; i != parts; ++i) {
        Lane &lane = i % 2 == 0 ? first : second;
        copy_async(input, lane.in, lane.stream);
        evaluate(pow(lane.in + static_cast<unsigned>(i), 65537u, m), lane.out, lane.stream);
        copy_async(lane.out, *results[i], lane.stream);
    }
    require(cudaStreamSynchronize(first.stream));
    require(cudaStreamSynchronize(second.stream));
    first.out.check();
    second.out.check();

    bool right = true;
    for (std::size_t i = 0; i != parts; ++i)
        right &= (*results[i])[i] == pow(input[i] + static_cast<unsigned>(i), 65537u, m);
    std::printf("%zu powers in %zu parts over 2 streams, %s\n", part * parts, parts,
                right ? "right" : "WRONG");
    return right ? 0 : 1;
}
