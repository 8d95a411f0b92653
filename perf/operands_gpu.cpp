// SPDX-License-Identifier: Apache-2.0
// Compiled as CUDA: operands on the GPU, and its clock.
#include "operands.h"

#include <optional>
#include <stdexcept>
#include <string>

namespace perf {

void require(cudaError_t status, const char *what) {
    if (status != cudaSuccess)
        throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(status));
}

namespace {

__global__ void fill_kernel(Numbers numbers, int limbs, Shape shape, std::uint64_t seed) {
    const std::uint64_t total = numbers.count * static_cast<std::uint64_t>(limbs);
    const std::uint64_t step = std::uint64_t{gridDim.x} * blockDim.x;
    for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < total;
         i += step)
        numbers.limbs[i] = operand_limb(i, limbs, numbers.bits, shape, seed);
}

class Event {
public:
    Event() { require(cudaEventCreate(&event_), "cudaEventCreate"); }
    Event(const Event &) = delete;
    Event &operator=(const Event &) = delete;
    ~Event() { cudaEventDestroy(event_); }
    [[nodiscard]] cudaEvent_t get() const { return event_; }

private:
    cudaEvent_t event_{};
};

} // namespace

void fill_on_gpu(const Numbers &numbers, Shape shape, std::uint64_t seed) {
    fill_kernel<<<2048, 256>>>(numbers, (numbers.bits + 31) / 32, shape, seed);
    require(cudaGetLastError(), "fill");
}

void copy_from_gpu(void *to, const void *from, std::size_t bytes) {
    require(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost), "cudaMemcpy");
}

void spoil_on_gpu(void *memory, std::size_t bytes) {
    require(cudaMemset(memory, 0xa5, bytes), "cudaMemset");
}

double seconds_on_gpu(int calls, const std::function<void()> &once) {
    const Event start;
    const Event stop;
    require(cudaEventRecord(start.get()), "cudaEventRecord");
    for (int i = 0; i < calls; ++i)
        once();
    require(cudaEventRecord(stop.get()), "cudaEventRecord");
    require(cudaEventSynchronize(stop.get()), "a benchmark");
    float milliseconds = 0;
    require(cudaEventElapsedTime(&milliseconds, start.get(), stop.get()), "cudaEventElapsedTime");
    return static_cast<double>(milliseconds) / 1000;
}

std::optional<std::string> gpu_name() {
    int count = 0;
    cudaDeviceProp properties{};
    if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0 ||
        cudaGetDeviceProperties(&properties, 0) != cudaSuccess)
        return std::nullopt;
    return properties.name;
}

} // namespace perf
