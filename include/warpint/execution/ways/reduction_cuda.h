// SPDX-License-Identifier: Apache-2.0
// Reducing a formula on a GPU, in one launch (kernels/reduce.h).
#pragma once

#include "../../limb/config.h"

#if WARPINT_CUDA

#include "../kernels/reduce.h"
#include "../memory/resource.h"
#include "../plan/fit.h"
#include "../plan/kernel_facts.h"
#include "formula_cuda.h"

#include <memory>
#include <tuple>

namespace warpint::execution {

// Memory of reductions on one GPU: the state, then one partial result for each block, and pinned
// memory for the result. A reduction has it for itself until its stream has ended; it is kept for
// the next one, because making it would take longer than most reductions.
class ReductionRoom {
public:
    // Of the current device, with room for so many bytes behind the state and in the result.
    ReductionRoom(int device, std::size_t partial_bytes, std::size_t result_bytes)
        : device_{device}, memory_{DevicePool<Memory>::take(device).value_or(Memory{})} {
        const RelaxedCapture relaxed;
        if (memory_.device == nullptr && memory_.host == nullptr)
            DevicePool<Memory>::expect_one_more(device);
        if (memory_.partial_bytes < partial_bytes) {
            cudaFree(memory_.device);
            memory_.device = nullptr;
            memory_.partial_bytes = 0;
            const std::size_t bytes = std::max(partial_bytes, std::size_t{1} << 18);
            make(cudaMalloc(&memory_.device, state_bytes + bytes), "warpint: cudaMalloc");
            make(cudaMemset(memory_.device, 0, state_bytes), "warpint: cudaMemset");
            memory_.partial_bytes = bytes;
        }
        if (memory_.result_bytes < result_bytes) {
            cudaFreeHost(memory_.host);
            memory_.host = nullptr;
            memory_.result_bytes = 0;
            const std::size_t bytes = std::max(result_bytes, std::size_t{1} << 12);
            const cudaError_t error = cudaMallocHost(&memory_.host, bytes);
            if (error != cudaSuccess)
                free();
            check_pinned(error);
            memory_.result_bytes = bytes;
        }
    }
    // Kept for the next one only by keep(): after an error the state may not be 0.
    ~ReductionRoom() {
        if (!is_kept_)
            free();
    }
    ReductionRoom(const ReductionRoom &) = delete;
    ReductionRoom &operator=(const ReductionRoom &) = delete;
    void keep() noexcept {
        DevicePool<Memory>::give(device_, memory_);
        is_kept_ = true;
    }

    [[nodiscard]] ReductionState *state() const {
        return static_cast<ReductionState *>(memory_.device);
    }
    [[nodiscard]] void *partials() const {
        return static_cast<char *>(memory_.device) + state_bytes;
    }
    [[nodiscard]] void *result() const { return memory_.host; }

private:
    static constexpr std::size_t state_bytes = (sizeof(ReductionState) + 255) / 256 * 256;
    struct Memory {
        void *device = nullptr;
        void *host = nullptr;
        std::size_t partial_bytes = 0;
        std::size_t result_bytes = 0;
    };
    void make(cudaError_t error, const char *what) {
        if (error != cudaSuccess)
            free();
        check_cuda(error, what);
    }
    // CUDA waits for a kernel that uses it.
    void free() const noexcept {
        const RelaxedCapture relaxed;
        cudaFree(memory_.device);
        cudaFreeHost(memory_.host);
        cudaGetLastError(); // of an earlier error is told already
        DevicePool<Memory>::expect_one_less(device_);
    }

    int device_;
    Memory memory_;
    bool is_kept_ = false;
};

// Blocks of a reduction's kernel that a multiprocessor of the current device holds at once.
inline int resident_blocks(const void *kernel, int device, int shared_bytes) {
    return asked_once(std::tuple(kernel, device, shared_bytes), [&] {
        int blocks = 0;
        check_cuda(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
                       &blocks, kernel, reduction_threads, static_cast<std::size_t>(shared_bytes)),
                   "warpint: no kernel for this GPU");
        return blocks;
    });
}

// A reduction on its way on a stream, whose result will lie in its room.
template <class Accumulator>
struct ReductionOnGpu {
    std::unique_ptr<ReductionRoom> room;
    int device = 0;
    cudaStream_t stream = nullptr;
    Accumulator (*read)(const void *result, ReductionFaults &faults) = nullptr;

    // Waits for it.
    Accumulator finish(ReductionFaults &faults) {
        const CurrentDevice current(device);
        check_cuda(cudaStreamSynchronize(stream), "warpint: a reduction failed");
        const Accumulator value = read(room->result(), faults);
        room->keep();
        return value;
    }
};

// As a row of the table says. aligned: whether all operands lie on multiples of
// 16 bytes; the device is current.
template <class Reducer, class Tree>
Plan plan_reduction(std::size_t count, int device, bool aligned) {
    constexpr Cost cost = reduction_cost<Tree>;
    constexpr int warps = reduction_threads / 32;
    constexpr bool reduces = true;
    ReductionKernel kernel;
    const void *const code = reinterpret_cast<const void *>(reduce_kernel<Reducer, Tree>);
    kernel.facts = kernel_facts(code, device);
    kernel.threads = reduction_threads;
    kernel.lanes = counting_lanes<Reducer, Tree>(kernel.facts.gpu.compiled_for);
    kernel.elements = elements_together<Tree>(kernel.facts.gpu.compiled_for);
    kernel.shared_bytes = warps * static_cast<int>(sizeof(typename Reducer::Accumulator)) + 16;
    const tuning::Choice choice = tuning::Known::choose(cost, count, kernel.facts.gpu, reduces);
    Plan plan = fit_reduction(choice, cost, count, aligned, kernel);
    plan.kernel = code;
    const int resident =
        kernel.facts.multiprocessors * resident_blocks(code, device, plan.shared_bytes);
    plan.blocks = std::min(plan.blocks, static_cast<std::size_t>(std::max(1, resident)));
    return plan;
}

// Reduces elements [0, count), count > 0, by a plan of plan_reduction(), on a stream of the current
// device.
template <class Reducer, class Tree>
ReductionOnGpu<typename Reducer::Accumulator>
start_on_gpu(const Reducer &reducer, std::size_t count, const Tree &tree, const Plan &plan,
             int device, cudaStream_t stream) {
    using Accumulator = typename Reducer::Accumulator;
    using Written = ReductionResult<Accumulator>;
    constexpr int warps = reduction_threads / 32;
    auto room =
        std::make_unique<ReductionRoom>(device, plan.blocks * sizeof(Accumulator), sizeof(Written));
    launch(plan, stream, reducer, count, static_cast<unsigned>(plan.shared_bytes / warps / 16),
           room->state(), static_cast<Accumulator *>(room->partials()),
           static_cast<Written *>(room->result()), tree);
    return {std::move(room), device, stream, [](const void *result, ReductionFaults &faults) {
                Written found;
                std::memcpy(static_cast<void *>(&found), result, sizeof(found));
                faults = {found.fault_count, ~found.last_complement};
                return found.value;
            }};
}

} // namespace warpint::execution

#endif
