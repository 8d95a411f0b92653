// SPDX-License-Identifier: Apache-2.0
// Memory of the emulated runtime, copies and fills.
#include "runtime.h"

#include <cstdlib>
#include <cstring>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(address, bytes) ((void)(address), (void)(bytes))
#endif

struct CUmemPoolHandle_st {
    int device = 0;
    std::uint64_t threshold = 0;
};

using namespace emulator;

namespace {

cudaError_t allocate(void **p, std::size_t bytes, cudaMemoryType type) {
    const Inside inside;
    const Lock lock(runtime().mutex);
    *p = nullptr;
    if (const cudaError_t error =
            failure_of(type == cudaMemoryTypeHost ? emulator::Call::allocate_pinned
                                                  : emulator::Call::allocate);
        error != cudaSuccess)
        return error;
    if (bytes > (std::size_t{1} << 36))
        return done(cudaErrorMemoryAllocation);
    *p = bytes == 0 ? nullptr : std::aligned_alloc(256, (bytes + 255) / 256 * 256);
    if (*p != nullptr) {
        std::memset(*p, 0x5a, bytes);
        ASAN_POISON_MEMORY_REGION(static_cast<char *>(*p) + bytes,
                                  (bytes + 255) / 256 * 256 - bytes);
        runtime().allocations[static_cast<const char *>(*p)] = {bytes, type, current};
    }
    return cudaSuccess;
}
cudaError_t release(void *p) {
    const Lock lock(runtime().mutex);
    if (p == nullptr)
        return cudaSuccess;
    if (runtime().allocations.erase(static_cast<const char *>(p)) == 0)
        return done(cudaErrorInvalidValue);
    std::free(p);
    return cudaSuccess;
}
CUmemPoolHandle_st &pool_of(int device) {
    static CUmemPoolHandle_st pools[16];
    pools[device].device = device;
    return pools[device];
}

} // namespace

extern "C" {

cudaError_t cudaMalloc(void **p, std::size_t bytes) {
    return allocate(p, bytes, cudaMemoryTypeDevice);
}
cudaError_t cudaFree(void *p) {
    wait_for_streams(true);
    return release(p);
}
cudaError_t cudaMallocHost(void **p, std::size_t bytes) {
    return allocate(p, bytes, cudaMemoryTypeHost);
}
cudaError_t cudaHostAlloc(void **p, std::size_t bytes, unsigned) {
    return allocate(p, bytes, cudaMemoryTypeHost);
}
cudaError_t cudaMallocManaged(void **p, std::size_t bytes, unsigned) {
    return allocate(p, bytes, cudaMemoryTypeManaged);
}
cudaError_t cudaFreeHost(void *p) {
    return release(p);
}
cudaError_t cudaHostRegister(void *, std::size_t, unsigned) {
    return cudaSuccess;
}
cudaError_t cudaHostUnregister(void *) {
    return cudaSuccess;
}
cudaError_t cudaMallocAsync(void **p, std::size_t bytes, cudaStream_t stream) {
    const Inside inside;
    const cudaError_t error = allocate(p, bytes, cudaMemoryTypeDevice);
    if (error != cudaSuccess)
        return error;
    if (is_captured(stream)) { // it is the graph's, and of what is made of it
        const std::shared_ptr<void> memory(*p, [](void *owned) { (void)release(owned); });
        work(stream, cudaGraphNodeTypeMemAlloc, [memory] { (void)memory; });
    } else {
        work(stream, cudaGraphNodeTypeMemAlloc, [] {});
    }
    return cudaSuccess;
}
cudaError_t cudaMallocFromPoolAsync(void **p, std::size_t bytes, cudaMemPool_t,
                                    cudaStream_t stream) {
    return cudaMallocAsync(p, bytes, stream);
}
cudaError_t cudaFreeAsync(void *p, cudaStream_t stream) {
    const Inside inside;
    if (is_captured(stream)) { // the graph may be launched again; it gives the memory back
        work(stream, cudaGraphNodeTypeMemFree, [] {});
        return cudaSuccess;
    }
    if (is_default(stream) || !streams_are_late()) {
        wait_for_streams(false);
        return release(p);
    }
    work(stream, cudaGraphNodeTypeMemFree, [p] { (void)release(p); });
    return cudaSuccess;
}
cudaError_t cudaMemGetInfo(std::size_t *free, std::size_t *total) {
    *free = std::size_t{3} << 30;
    *total = std::size_t{4} << 30;
    return cudaSuccess;
}
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device) {
    *pool = &pool_of(device);
    return cudaSuccess;
}
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr, void *value) {
    std::memcpy(&pool->threshold, value, sizeof(pool->threshold));
    return cudaSuccess;
}
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void *value) {
    const std::uint64_t x = attribute == cudaMemPoolAttrReleaseThreshold ? pool->threshold : 0;
    std::memcpy(value, &x, sizeof(x));
    return cudaSuccess;
}
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t, const cudaMemAccessDesc *, std::size_t) {
    return cudaSuccess;
}
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t, std::size_t) {
    return cudaSuccess;
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, std::size_t bytes, cudaMemcpyKind,
                            cudaStream_t stream) {
    const Inside inside;
    if (const cudaError_t error = failure_of(emulator::Call::copy); error != cudaSuccess)
        return error;
    work(stream, cudaGraphNodeTypeMemcpy, [=] {
        if (bytes != 0)
            std::memmove(to, from, bytes);
    });
    return cudaSuccess;
}
cudaError_t cudaMemcpy(void *to, const void *from, std::size_t bytes, cudaMemcpyKind kind) {
    return cudaMemcpyAsync(to, from, bytes, kind, nullptr);
}
cudaError_t cudaMemcpyPeerAsync(void *to, int, const void *from, int, std::size_t bytes,
                                cudaStream_t stream) {
    return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream);
}
cudaError_t cudaMemcpy2DAsync(void *to, std::size_t to_pitch, const void *from,
                              std::size_t from_pitch, std::size_t width, std::size_t height,
                              cudaMemcpyKind, cudaStream_t stream) {
    const Inside inside;
    if (const cudaError_t error = failure_of(emulator::Call::copy); error != cudaSuccess)
        return error;
    work(stream, cudaGraphNodeTypeMemcpy, [=] {
        for (std::size_t k = 0; k < height; ++k)
            std::memmove(static_cast<char *>(to) + k * to_pitch,
                         static_cast<const char *>(from) + k * from_pitch, width);
    });
    return cudaSuccess;
}
cudaError_t cudaMemsetAsync(void *to, int value, std::size_t bytes, cudaStream_t stream) {
    const Inside inside;
    if (const cudaError_t error = failure_of(emulator::Call::copy); error != cudaSuccess)
        return error;
    work(stream, cudaGraphNodeTypeMemset, [=] { std::memset(to, value, bytes); });
    return cudaSuccess;
}
cudaError_t cudaMemset(void *to, int value, std::size_t bytes) {
    return cudaMemsetAsync(to, value, bytes, nullptr);
}
cudaError_t cudaGetSymbolAddress(void **p, const void *symbol) {
    *p = address_of(symbol);
    return *p == nullptr ? done(cudaErrorInvalidSymbol) : cudaSuccess;
}
cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, std::size_t bytes,
                               std::size_t offset, cudaMemcpyKind kind) {
    char *const to = address_of(symbol);
    return to == nullptr ? done(cudaErrorInvalidSymbol)
                         : cudaMemcpy(to + offset, from, bytes, kind);
}
cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, std::size_t bytes,
                                 std::size_t offset, cudaMemcpyKind kind) {
    const char *const from = address_of(symbol);
    return from == nullptr ? done(cudaErrorInvalidSymbol)
                           : cudaMemcpy(to, from + offset, bytes, kind);
}
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *a, const void *p) {
    const Lock lock(runtime().mutex);
    std::memset(a, 0, sizeof(*a));
    a->type = cudaMemoryTypeUnregistered;
    a->device = current;
    const char *const at = static_cast<const char *>(p);
    auto next = runtime().allocations.upper_bound(at);
    if (next != runtime().allocations.begin()) {
        const auto &[begin, allocation] = *--next;
        if (at < begin + allocation.bytes) {
            a->type = allocation.type;
            a->device = allocation.device;
            a->devicePointer = a->hostPointer = const_cast<void *>(p);
        }
    }
    return cudaSuccess;
}

} // extern "C"
