// SPDX-License-Identifier: Apache-2.0
// Where vectors get their memory.
#pragma once

#include "../../expression/batch.h"
#include "cuda_support.h"
#include "error.h"

#include <atomic>
#include <cstring>
#include <new>

namespace warpint {

// A source of memory for vectors. Derive from it to use memory of your own; a resource must outlive
// the vectors made with it. allocate() returns memory aligned to 256 bytes, for use in the order of
// the stream, or throws. deallocate() gets the memory back, with the same number of bytes, in the
// order of the stream.
class memory_resource {
public:
    virtual ~memory_resource() = default;
    virtual void *allocate(std::size_t bytes, stream_handle stream) = 0;
    virtual void deallocate(void *memory, std::size_t bytes, stream_handle stream) noexcept = 0;
};

// Host memory from operator new: what host_vector uses.
inline memory_resource *host_resource() {
    class HostResource final : public memory_resource {
        void *allocate(std::size_t bytes, stream_handle) override {
            return ::operator new(bytes, std::align_val_t{256});
        }
        void deallocate(void *memory, std::size_t, stream_handle) noexcept override {
            ::operator delete(memory, std::align_val_t{256});
        }
    };
    static auto *const resource = new HostResource; // outlives every vector
    return resource;
}

#if WARPINT_CUDA

// Memory of the GPU that is current at each allocation: what device_vector uses. It comes in stream
// order from the device's default pool, or from cudaMalloc where there are no pools.
// device_bad_alloc if there is not enough. The program may set the pool's attributes. If the
// release threshold is still 0 at the first use, it is set to an eighth of the GPU's memory: a pool
// that gives everything back at each synchronisation takes half a millisecond for a vector of 320
// MB, and 4 us otherwise (NVIDIA H200).
inline memory_resource *device_resource() {
    class DeviceResource final : public memory_resource {
        // Whether device memory comes from pools: 0 unknown, 1 yes, 2 no.
        static bool has_pools() {
            static std::atomic<int> known[64];
            int device = 0;
            execution::check_cuda(cudaGetDevice(&device), "warpint: cudaGetDevice");
            std::atomic<int> &state = known[device & 63];
            if (state.load(std::memory_order_relaxed) == 0) {
                int supported = 0;
                cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, device);
                if (supported != 0)
                    keep_some(device);
                state.store(supported != 0 ? 1 : 2, std::memory_order_relaxed);
            }
            return state.load(std::memory_order_relaxed) == 1;
        }
        static void keep_some(int device) {
            cudaMemPool_t pool = nullptr;
            std::uint64_t threshold = 0;
            std::size_t free = 0;
            std::size_t total = 0;
            if (cudaDeviceGetDefaultMemPool(&pool, device) == cudaSuccess &&
                cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold) ==
                    cudaSuccess &&
                threshold == 0 && cudaMemGetInfo(&free, &total) == cudaSuccess) {
                threshold = total / 8;
                cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold);
            }
            cudaGetLastError();
        }
        void *allocate(std::size_t bytes, stream_handle stream) override {
            const execution::RelaxedCapture relaxed;
            void *memory = nullptr;
            if (!has_pools()) {
                execution::check_cuda(cudaMalloc(&memory, bytes), "warpint: cudaMalloc");
                return memory;
            }
            cudaError_t error = cudaMallocAsync(&memory, bytes, stream);
            if (error == cudaErrorMemoryAllocation) {
                // Memory that was freed may not have come back yet.
                cudaGetLastError();
                cudaMemPool_t pool = nullptr;
                int device = 0;
                cudaGetDevice(&device);
                if (cudaStreamSynchronize(stream) == cudaSuccess &&
                    cudaDeviceGetDefaultMemPool(&pool, device) == cudaSuccess)
                    cudaMemPoolTrimTo(pool, 0);
                cudaGetLastError();
                error = cudaMallocAsync(&memory, bytes, stream);
            }
            execution::check_cuda(error, "warpint: cudaMallocAsync");
            return memory;
        }
        void deallocate(void *memory, std::size_t, stream_handle stream) noexcept override {
            const execution::RelaxedCapture relaxed;
            // After an earlier error there is nothing left to report.
            if (has_pools()) {
                cudaFreeAsync(memory, stream);
            } else {
                cudaFree(memory);
            }
        }
    };
    static auto *const resource = new DeviceResource; // outlives every vector
    return resource;
}

#endif

namespace execution {

// Memory for as long as work on the stream needs it.
template <class T>
class Workspace {
public:
    Workspace(memory_resource &memory, std::size_t count, stream_handle stream)
        : memory_{memory}, bytes_{count == 0 ? 1 : count * sizeof(T)}, stream_{stream},
          data_{static_cast<T *>(memory.allocate(bytes_, stream))} {}
    ~Workspace() { memory_.deallocate(data_, bytes_, stream_); }
    Workspace(const Workspace &) = delete;
    Workspace &operator=(const Workspace &) = delete;
    [[nodiscard]] T *data() const { return data_; }

private:
    memory_resource &memory_;
    std::size_t bytes_;
    stream_handle stream_;
    T *data_;
};

} // namespace execution
} // namespace warpint
