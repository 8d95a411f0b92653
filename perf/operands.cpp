// SPDX-License-Identifier: Apache-2.0
#include "operands.h"

#include <algorithm>
#include <chrono>
#include <cstring>

#include "host_threads.h"

// What differs on a GPU lies in operands_gpu.cpp; a build without CUDA has only the CPU.
namespace perf {

#if defined(WARPINT_PERF_HAS_GPU)
void fill_on_gpu(const Numbers &numbers, Shape shape, std::uint64_t seed);
void copy_from_gpu(void *to, const void *from, std::size_t bytes);
void spoil_on_gpu(void *memory, std::size_t bytes);
double seconds_on_gpu(int calls, const std::function<void()> &once);
#else
void fill_on_gpu(const Numbers &, Shape, std::uint64_t) {}
void copy_from_gpu(void *, const void *, std::size_t) {}
void spoil_on_gpu(void *, std::size_t) {}
double seconds_on_gpu(int, const std::function<void()> &) {
    return 0;
}
#endif

static std::uint64_t next_seed;

void begin_operands(const std::string &row) {
    next_seed = 0xcbf29ce484222325u; // FNV-1a
    for (const char c : row)
        next_seed = (next_seed ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
}

void fill(Device device, const Numbers &numbers, Shape shape) {
    const std::uint64_t seed = next_seed++;
    if (device == Device::gpu)
        return fill_on_gpu(numbers, shape, seed);
    const int limbs = (numbers.bits + 31) / 32;
    on_all_cores(numbers.count * static_cast<std::size_t>(limbs), 10,
                 [&](std::size_t first, std::size_t last) {
                     for (std::size_t i = first; i < last; ++i)
                         numbers.limbs[i] = operand_limb(i, limbs, numbers.bits, shape, seed);
                 });
}

void spoil(Device device, void *memory, std::size_t bytes) {
    if (bytes == 0)
        return;
    if (device == Device::gpu)
        return spoil_on_gpu(memory, bytes);
    std::memset(memory, 0xa5, bytes);
}

void copy_to_host(Device device, void *to, const void *from, std::size_t bytes) {
    if (device == Device::gpu)
        return copy_from_gpu(to, from, bytes);
    std::memcpy(to, from, bytes);
}

double seconds(Device device, int calls, const std::function<void()> &once) {
    if (device == Device::gpu)
        return seconds_on_gpu(calls, once);
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < calls; ++i)
        once();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::size_t default_count(Device device, double bytes, double work, double patience) {
    const bool gpu = device == Device::gpu;
    const double cores = hardware_threads();
    const double max_bytes = gpu ? 2.7e8 : 3.2e7; // of a vector
    const double rate = gpu ? 8e12 : 3e9 * cores; // 32-bit multiply-adds a second, about
    const double least = gpu ? 4096 : 16 * cores;
    const double count = std::min(max_bytes / bytes, patience * (gpu ? 0.04 : 0.02) * rate / work);
    return static_cast<std::size_t>(std::max(count, least));
}

} // namespace perf
