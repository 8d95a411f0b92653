// SPDX-License-Identifier: Apache-2.0
// The device that formulas run on. In CUDA code device vectors lie on the GPU if there is one at
// run time. In plain C++, or without a GPU, they lie in host memory and run on all cores. Host
// vectors, views, exceptions and descriptions are the same types in C++ and CUDA files.
#pragma once

#include "cuda_support.h"
#include "error.h"
#include "parallel.h"
#include "resource.h"

#include <atomic>
#include <cstdint>
#include <string>

namespace warpint {

// Describes the device that formulas of device vectors run on.
struct DeviceInfo {
    bool gpu = false;           // false: the CPU
    std::string name;           // the GPU's name, or "CPU"
    int compute_capability = 0; // 10 * major + minor; 0 for the CPU
    int multiprocessors = 0;
    std::size_t memory_bytes = 0; // of the GPU
    unsigned cpu_threads = 1;     // that CPU batches use
};

namespace execution {

inline std::atomic<std::uint64_t> &launch_counter() {
    static std::atomic<std::uint64_t> counter{0};
    return counter;
}

inline namespace WARPINT_BACKEND {

#if !WARPINT_CUDA
// Of hosts: nothing changes.
struct CurrentDevice {
    explicit CurrentDevice(Location) {}
};
#endif

// The GPU that is current on this thread, or the host if there is none.
inline Location device_location() {
#if WARPINT_CUDA
    static const bool present = [] {
        int count = 0;
        const bool found = cudaGetDeviceCount(&count) == cudaSuccess && count > 0;
        if (!found)
            cudaGetLastError();
        return found;
    }();
    if (present) {
        int device = 0;
        check_cuda(cudaGetDevice(&device), "warpint: cudaGetDevice");
        return Location{device};
    }
#endif
    return Location{};
}

// Where memory for device batches lies: on the GPU that it belongs to; what all GPUs reach (managed
// and pinned memory) on the current one. Throws std::invalid_argument for other host memory, unless
// the GPU reaches that too.
inline Location location_of_memory([[maybe_unused]] const void *memory) {
    const Location current = device_location();
#if WARPINT_CUDA
    if (!current.on_gpu() || memory == nullptr)
        return current;
    cudaPointerAttributes attributes{};
    check_cuda(cudaPointerGetAttributes(&attributes, memory), "warpint: cudaPointerGetAttributes");
    if (attributes.type == cudaMemoryTypeDevice)
        return Location{attributes.device};
    if (attributes.type == cudaMemoryTypeUnregistered) {
        int reached = 0;
        cudaDeviceGetAttribute(&reached, cudaDevAttrPageableMemoryAccess, current.device);
        if (reached == 0) {
            throw std::invalid_argument("warpint: a device view of host memory: copy it to a "
                                        "device_vector, or view it as batch_view<T, Space::host>");
        }
    }
#endif
    return current;
}

// Where vectors of a place get their memory unless they are told.
inline memory_resource *default_resource([[maybe_unused]] Location location) {
#if WARPINT_CUDA
    if (location.on_gpu())
        return device_resource();
#endif
    return host_resource();
}

} // namespace WARPINT_BACKEND
} // namespace execution

// Batches that this process has run on CPUs, one for each formula, and kernels of formulas that it
// has launched on GPUs, one for each step (explain() lists them).
inline std::uint64_t launch_count() {
    return execution::launch_counter().load(std::memory_order_relaxed);
}

inline namespace WARPINT_BACKEND {

// Pinned host memory. Copies between it and a GPU run at the full speed of the bus and beside other
// work. Without a GPU it is ordinary host memory.
// Example:
//     host_vector<BigInt<256>> v(1000, uninitialized, pinned_resource());
inline memory_resource *pinned_resource() {
#if WARPINT_CUDA
    class PinnedResource final : public memory_resource {
        void *allocate(std::size_t bytes, stream_handle) override {
            void *memory = nullptr;
            execution::check_pinned(cudaMallocHost(&memory, bytes));
            return memory;
        }
        void deallocate(void *memory, std::size_t, stream_handle) noexcept override {
            cudaFreeHost(memory);
        }
    };
    static auto *const resource = new PinnedResource; // outlives every vector
    if (execution::device_location().on_gpu())
        return resource;
#endif
    return host_resource();
}

// The device that device_vector uses on this thread: a GPU, or the CPU.
// Example:
//     const std::string name = device_info().name;
inline DeviceInfo device_info() {
    DeviceInfo info{false, "CPU", 0, 0, 0, execution::cpu_threads()};
#if WARPINT_CUDA
    const Location location = execution::device_location();
    if (location.on_gpu()) {
        cudaDeviceProp properties{};
        execution::check_cuda(cudaGetDeviceProperties(&properties, location.device),
                              "warpint: cudaGetDeviceProperties");
        info.gpu = true;
        info.name = properties.name;
        info.compute_capability = properties.major * 10 + properties.minor;
        info.multiprocessors = properties.multiProcessorCount;
        info.memory_bytes = properties.totalGlobalMem;
    }
#endif
    return info;
}

} // namespace WARPINT_BACKEND
} // namespace warpint
