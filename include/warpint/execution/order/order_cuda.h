// SPDX-License-Identifier: Apache-2.0
// The order of a batch on a GPU: CUB's radix sort of windows and positions (order.h).
#pragma once

#include "../../limb/config.h"

#if WARPINT_CUDA

#include "../memory/for_each_cuda.h"
#include "order.h"

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>

namespace warpint::execution {

// The machine of order_by_windows() on a stream of the current device, which it waits for where it
// returns a value.
class WindowSorter {
public:
    WindowSorter(memory_resource &memory, std::size_t count, cudaStream_t stream)
        : memory_{memory}, count_{count}, stream_{stream}, windows_{memory, 2 * count, stream},
          positions_{memory, 2 * count, stream}, result_{memory, 1, stream},
          sorted_windows_(windows_.data(), windows_.data() + count),
          sorted_positions_(positions_.data(), positions_.data() + count) {}

    [[nodiscard]] std::uint64_t *windows() { return sorted_windows_.Current(); }
    [[nodiscard]] std::uint32_t *positions() { return sorted_positions_.Current(); }

    template <class Function>
    void for_each(std::size_t count, const Function &f) const {
        for_each_on_gpu(count, f, stream_);
    }

    [[nodiscard]] std::uint64_t varying() {
        const DifferentBits difference{windows()};
        const UnionOfBits join{};
        std::size_t bytes = 0;
        const auto reduce = [&](void *workspace) {
            check_cuda(cub::DeviceReduce::TransformReduce(workspace, bytes, windows(),
                                                          result_.data(), count_, join, difference,
                                                          std::uint64_t{0}, stream_),
                       "warpint: cub::DeviceReduce");
        };
        reduce(nullptr);
        const Workspace<char> workspace(memory_, bytes, stream_);
        reduce(workspace.data());
        return read_result();
    }

    void sort(int first_bit, int last_bit) {
        std::size_t bytes = 0;
        const auto sort_pairs = [&](void *workspace) {
            check_cuda(cub::DeviceRadixSort::SortPairs(workspace, bytes, sorted_windows_,
                                                       sorted_positions_, count_, first_bit,
                                                       last_bit, stream_),
                       "warpint: cub::DeviceRadixSort");
        };
        sort_pairs(nullptr);
        const Workspace<char> workspace(memory_, bytes, stream_);
        sort_pairs(workspace.data());
    }

    [[nodiscard]] bool equal_neighbours() {
        check_cuda(cudaMemsetAsync(result_.data(), 0, sizeof(std::uint64_t), stream_),
                   "warpint: cudaMemsetAsync");
        for_each(count_ - 1,
                 EqualNeighbours{windows(), reinterpret_cast<std::uint32_t *>(result_.data())});
        return read_result() != 0;
    }

private:
    [[nodiscard]] std::uint64_t read_result() const {
        std::uint64_t value = 0;
        check_cuda(
            cudaMemcpyAsync(&value, result_.data(), sizeof(value), cudaMemcpyDeviceToHost, stream_),
            "warpint: copy to the host");
        check_cuda(cudaStreamSynchronize(stream_), "warpint: a sort failed");
        return value;
    }

    memory_resource &memory_;
    std::size_t count_;
    cudaStream_t stream_;
    Workspace<std::uint64_t> windows_;
    Workspace<std::uint32_t> positions_;
    Workspace<std::uint64_t> result_;
    cub::DoubleBuffer<std::uint64_t> sorted_windows_;
    cub::DoubleBuffer<std::uint32_t> sorted_positions_;
};

} // namespace warpint::execution

#endif
