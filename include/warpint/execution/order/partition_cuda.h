// SPDX-License-Identifier: Apache-2.0
// Numbers of one GPU by the parts that splitters make of them (order.h), in two passes: how many
// each part has, then each number to its part. Within a part the order is any.
#pragma once

#include "../../limb/config.h"

#if WARPINT_CUDA

#include "../kernels/partition.h"
#include "../memory/resource.h"
#include "order.h"

namespace warpint::execution {

// How many of numbers[0, count), which are those of `run`, each part has; their copies, part by
// part, go to `to`. On the legacy stream of the current device, which ends later than this.
template <AnyNumber T>
std::vector<std::size_t> partition_on_gpu(const T *numbers, std::size_t count, std::size_t run,
                                          const std::vector<PlacedNumber<T>> &splitters, T *to,
                                          memory_resource &memory) {
    const std::size_t parts = splitters.size() + 1;
    std::vector<std::size_t> sizes(parts, 0);
    if (count == 0)
        return sizes;
    const Workspace<PlacedNumber<T>> device_splitters(memory, splitters.size(), nullptr);
    const Workspace<unsigned long long> device_sizes(memory, 2 * parts, nullptr);
    unsigned long long *const device_next = device_sizes.data() + parts;
    constexpr std::size_t in_block = std::size_t{partition_threads} * partition_together;
    const auto blocks = static_cast<unsigned>((count + in_block - 1) / in_block);
    const std::size_t shared = (parts + 1) * (sizeof(unsigned long long) + sizeof(unsigned));
    check_cuda(cudaMemcpyAsync(device_splitters.data(), splitters.data(),
                               splitters.size() * sizeof(PlacedNumber<T>), cudaMemcpyHostToDevice,
                               nullptr),
               "warpint: a sort failed");
    check_cuda(
        cudaMemsetAsync(device_sizes.data(), 0, 2 * parts * sizeof(unsigned long long), nullptr),
        "warpint: cudaMemsetAsync");
    const auto run_kernel = [&](auto kernel, unsigned long long *next) {
        kernel<<<blocks, partition_threads, shared>>>(numbers, count, run, device_splitters.data(),
                                                      static_cast<unsigned>(splitters.size()), next,
                                                      device_sizes.data(), to);
        check_cuda(cudaGetLastError(), "warpint: kernel launch failed");
    };
    run_kernel(partition_kernel<T, false>, device_sizes.data());
    run_kernel(partition_kernel<T, true>, device_next);
    std::vector<unsigned long long> found(parts);
    check_cuda(cudaMemcpy(found.data(), device_sizes.data(), parts * sizeof(found[0]),
                          cudaMemcpyDeviceToHost),
               "warpint: a sort failed");
    for (std::size_t p = 0; p < parts; ++p)
        sizes[p] = static_cast<std::size_t>(found[p]);
    return sizes;
}

} // namespace warpint::execution

#endif
