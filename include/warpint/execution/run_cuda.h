// Running a formula on a GPU: the kernel of the thread-per-number family and its launch.
#pragma once

#include "../limb/config.h"

#if WARPINT_CUDA

#include "cuda_support.h"
#include "evaluate.h"
#include "selection.h"

namespace warpint::execution {

// Loads elements as a warp: the 32 numbers of a warp lie one after another in memory, so the warp
// reads them in whole lines, leaves them in shared memory, and each thread picks up its own. All 32
// lanes must call load() together, also those beyond the end of the batch.
//
// Shared memory is used in vectors of 16 bytes. Vector v of element e lies in slot e V + (v ^
// x(e)), V vectors an element, with x(e) such that both the lines of one element and the same
// vector of 8 elements meet 8 different groups of banks.
struct StagedContext {
    uint4 *staging;         // the warp's shared memory
    std::size_t warp_first; // index of the warp's first element
    unsigned warp_elements; // how many of its 32 elements exist
    unsigned lane;

    template <class T>
    static constexpr bool is_staged = sizeof(T) % 16 == 0 && alignof(T) >= 16 && BigNumber<T>;

    template <unsigned vectors>
    __device__ __forceinline__ static unsigned slot(unsigned element, unsigned vector) {
        constexpr unsigned block = vectors % 8 == 0   ? 8
                                   : vectors % 4 == 0 ? 4
                                   : vectors % 2 == 0 ? 2
                                                      : 1;
        return element * vectors + (vector ^ (element / (8 / block) % block));
    }

    template <class T>
    __device__ __forceinline__ T load(const T *data) const {
        if constexpr (!is_staged<T>) {
            T value{};
            if (lane < warp_elements)
                value = data[warp_first + lane];
            return value;
        } else {
            constexpr unsigned vectors = sizeof(T) / 16;
            const uint4 *const source = reinterpret_cast<const uint4 *>(data + warp_first);
            const unsigned available = warp_elements * vectors;
            __syncwarp();
            WARPINT_UNROLL(vectors, 64)
            for (unsigned k = 0; k < vectors; ++k) {
                const unsigned position = k * 32 + lane;
                if (position < available)
                    staging[slot<vectors>(position / vectors, position % vectors)] =
                        source[position];
            }
            __syncwarp();
            T value;
            WARPINT_UNROLL(vectors, 64)
            for (unsigned v = 0; v < vectors; ++v) {
                const uint4 vector = staging[slot<vectors>(lane, v)];
                value.limbs[4 * v] = vector.x;
                value.limbs[4 * v + 1] = vector.y;
                value.limbs[4 * v + 2] = vector.z;
                value.limbs[4 * v + 3] = vector.w;
            }
            return value;
        }
    }

    template <class T>
    __device__ __forceinline__ void store(T *data, const T &value) const {
        if constexpr (!is_staged<T>) {
            if (lane < warp_elements)
                data[warp_first + lane] = value;
        } else {
            constexpr unsigned vectors = sizeof(T) / 16;
            uint4 *const target = reinterpret_cast<uint4 *>(data + warp_first);
            const unsigned available = warp_elements * vectors;
            __syncwarp();
            WARPINT_UNROLL(vectors, 64)
            for (unsigned v = 0; v < vectors; ++v) {
                staging[slot<vectors>(lane, v)] =
                    make_uint4(value.limbs[4 * v], value.limbs[4 * v + 1], value.limbs[4 * v + 2],
                               value.limbs[4 * v + 3]);
            }
            __syncwarp();
            WARPINT_UNROLL(vectors, 64)
            for (unsigned k = 0; k < vectors; ++k) {
                const unsigned position = k * 32 + lane;
                if (position < available)
                    target[position] =
                        staging[slot<vectors>(position / vectors, position % vectors)];
            }
        }
    }
};

// The policy a kernel was compiled for, and that its launch uses: both sides look up the same
// table, the device side with the architecture it is compiled for, the host side with the one the
// loaded code was compiled for.
template <class Tree, class T>
__host__ __device__ constexpr ThreadPerNumberPolicy policy_for(int compute_capability) {
    constexpr Workload work = workload_of<Tree, T>();
    return select_thread_per_number(work, compute_capability);
}

// out[i] = value of the formula for element i, one thread each. faults as in run_on_cpu (or null),
// one word per warp.
template <class T, class Tree>
__global__ void
__launch_bounds__((policy_for<Tree, T>(WARPINT_COMPILED_CAPABILITY).threads_per_block),
                  (policy_for<Tree, T>(WARPINT_COMPILED_CAPABILITY).min_blocks_per_multiprocessor))
    thread_per_number_kernel(T *out, [[maybe_unused]] std::uint32_t *faults, std::size_t count,
                             const __grid_constant__ Tree tree) {
    constexpr ThreadPerNumberPolicy policy = policy_for<Tree, T>(WARPINT_COMPILED_CAPABILITY);
    const std::size_t index = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    bool fault = false;
    if constexpr (policy.loading == Loading::through_shared) {
        extern __shared__ uint4 shared[];
        constexpr Workload work = workload_of<Tree, T>();
        constexpr unsigned vectors_per_warp =
            staging_bytes_per_warp(work.widest_element_bytes) / 16;
        const unsigned lane = threadIdx.x % 32;
        const std::size_t warp_first = index - lane;
        if (warp_first >= count)
            return;
        const std::size_t remaining = count - warp_first;
        const StagedContext context{shared + threadIdx.x / 32 * vectors_per_warp, warp_first,
                                    remaining < 32 ? static_cast<unsigned>(remaining) : 32u, lane};
        const auto &value = evaluate(tree, context, fault);
        fault = fault && lane < context.warp_elements;
        T result = stored<T>(value);
        if constexpr (expression::Summary<Tree>::can_fault) {
            const unsigned mask = __ballot_sync(0xffffffffu, fault);
            if (lane == 0 && faults != nullptr)
                faults[index / 32] = mask;
            if (fault)
                result = T{};
        }
        context.store(out, result);
    } else {
        if constexpr (expression::Summary<Tree>::can_fault) {
            const std::size_t warp_first = index - threadIdx.x % 32;
            if (warp_first >= count)
                return;
            T result{};
            if (index < count) {
                const auto &value = evaluate(tree, DirectContext{index}, fault);
                if (!fault)
                    result = stored<T>(value);
            }
            const unsigned mask = __ballot_sync(0xffffffffu, fault);
            if (threadIdx.x % 32 == 0 && faults != nullptr)
                faults[index / 32] = mask;
            if (index < count)
                out[index] = result;
        } else {
            if (index >= count)
                return;
            out[index] = stored<T>(evaluate(tree, DirectContext{index}, fault));
        }
    }
}

// The kernel's launch parameters on the current device.
struct LaunchShape {
    ThreadPerNumberPolicy policy;
    int shared_bytes;
    int registers;
    int local_bytes;
};

template <class T, class Tree>
LaunchShape launch_shape(int device) {
    // The code that was loaded may have been compiled for an older architecture than the device's.
    static std::mutex mutex;
    static std::vector<std::pair<int, LaunchShape>> known;
    const std::lock_guard lock(mutex);
    for (const auto &[seen, shape] : known) {
        if (seen == device)
            return shape;
    }
    cudaFuncAttributes attributes{};
    check_cuda(cudaFuncGetAttributes(&attributes, thread_per_number_kernel<T, Tree>),
               "warpint: no kernel for this GPU");
    const ThreadPerNumberPolicy policy = policy_for<Tree, T>(attributes.ptxVersion);
    const Workload work = workload_of<Tree, T>();
    const int shared =
        policy.loading == Loading::through_shared
            ? policy.threads_per_block / 32 * staging_bytes_per_warp(work.widest_element_bytes)
            : 0;
    const LaunchShape shape{policy, shared, attributes.numRegs,
                            static_cast<int>(attributes.localSizeBytes)};
    known.emplace_back(device, shape);
    return shape;
}

// Launches the formula on the stream; the current device is the batch's. Does not synchronise.
template <class T, class Tree>
void run_on_gpu(T *out, std::uint32_t *faults, std::size_t count, const Tree &tree, int device,
                cudaStream_t stream) {
    const LaunchShape shape = launch_shape<T, Tree>(device);
    const std::size_t threads = static_cast<std::size_t>(shape.policy.threads_per_block);
    const std::size_t blocks = (count + threads - 1) / threads;
    thread_per_number_kernel<T, Tree>
        <<<static_cast<unsigned>(blocks), static_cast<unsigned>(threads),
           static_cast<std::size_t>(shape.shared_bytes), stream>>>(out, faults, count, tree);
    check_cuda(cudaGetLastError(), "warpint: kernel launch failed");
}

} // namespace warpint::execution

#endif
