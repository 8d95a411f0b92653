// Which machine batches run on. In CUDA code device batches lie on the GPU if there is one at run
// time; in plain C++, or without a GPU, they lie in host memory and run on all cores. The two
// builds of the same templates live in different inline namespaces, so that a program may link
// both.
#pragma once

#include "cuda_support.h"
#include "error.h"
#include "parallel.h"
#include "policy.h"

#include <atomic>
#include <cstdint>
#include <cstring>
#include <string>

#if WARPINT_CUDA
#define WARPINT_BACKEND cuda_backend
#else
#define WARPINT_BACKEND cpu_backend
#endif

namespace warpint {

// What device batches run on.
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

} // namespace execution

// Number of batches run so far by this process, on CPU and GPU together: one per assignment of a
// formula.
inline std::uint64_t launch_count() {
    return execution::launch_counter().load(std::memory_order_relaxed);
}

inline namespace WARPINT_BACKEND {

#if WARPINT_CUDA
// A CUDA stream; the default is the legacy default stream.
using stream_handle = cudaStream_t;
#else
// Without CUDA there is one stream, in program order.
using stream_handle = std::nullptr_t;
#endif

namespace execution_backend {

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
        execution::check_cuda(cudaGetDevice(&device), "warpint: cudaGetDevice");
        return Location{device};
    }
#endif
    return Location{};
}

// Memory for `bytes` bytes, aligned to 256 or more. Uninitialised.
inline void *allocate(Location location, std::size_t bytes) {
    if (bytes == 0)
        return nullptr;
#if WARPINT_CUDA
    if (location.on_gpu()) {
        const execution::CurrentDevice current(location.device);
        void *memory = nullptr;
        execution::check_cuda(cudaMalloc(&memory, bytes), "warpint: cudaMalloc");
        return memory;
    }
#endif
    (void)location;
    return ::operator new (bytes, std::align_val_t{256});
}

inline void deallocate(Location location, void *memory) noexcept {
    if (memory == nullptr)
        return;
#if WARPINT_CUDA
    if (location.on_gpu()) {
        cudaFree(memory); // after an earlier error there is nothing left to report
        return;
    }
#endif
    (void)location;
    ::operator delete (memory, std::align_val_t{256});
}

inline void fill_zero(Location location, void *memory, std::size_t bytes,
                      [[maybe_unused]] stream_handle stream = nullptr) {
    if (bytes == 0)
        return;
#if WARPINT_CUDA
    if (location.on_gpu()) {
        const execution::CurrentDevice current(location.device);
        execution::check_cuda(cudaMemsetAsync(memory, 0, bytes, stream),
                              "warpint: cudaMemsetAsync");
        return;
    }
#endif
    (void)location;
    std::memset(memory, 0, bytes);
}

// Copies between any two places. Returns after the copy if either is host memory; between GPUs it
// is in stream order on the default stream.
inline void copy(Location to_location, void *to, Location from_location, const void *from,
                 std::size_t bytes) {
    if (bytes == 0)
        return;
#if WARPINT_CUDA
    if (to_location.on_gpu() || from_location.on_gpu()) {
        const execution::CurrentDevice current(to_location.on_gpu() ? to_location.device
                                                                    : from_location.device);
        if (to_location.on_gpu() && from_location.on_gpu()) {
            execution::check_cuda(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, nullptr),
                                  "warpint: copy");
        } else {
            execution::check_cuda(cudaMemcpy(to, from, bytes, cudaMemcpyDefault), "warpint: copy");
        }
        return;
    }
#endif
    (void)to_location;
    (void)from_location;
    std::memcpy(to, from, bytes);
}

} // namespace execution_backend

// What device_vector uses from here on this thread.
inline DeviceInfo device_info() {
    DeviceInfo info;
    info.cpu_threads = execution::cpu_threads();
    info.name = "CPU";
#if WARPINT_CUDA
    const Location location = execution_backend::device_location();
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
