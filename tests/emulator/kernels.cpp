// SPDX-License-Identifier: Apache-2.0
// Modules, kernels and variables of the emulated runtime, and launches.
#include "runtime.h"

#include <cstring>
#include <string_view>

namespace emulator {

thread_local int calls_inside = 0;

Runtime &runtime() {
    const Inside inside;
    static auto *const one = new Runtime; // objects of static lifetime use it to the end
    return *one;
}

ptx::Function *function_of(const void *host_function) {
    const Inside inside;
    const Lock lock(runtime().mutex);
    const auto found = runtime().kernels.find(host_function);
    if (found == runtime().kernels.end())
        return nullptr;
    Kernel &kernel = found->second;
    if (kernel.function == nullptr && kernel.module != nullptr)
        kernel.function = kernel.module->find(kernel.name);
    return kernel.function;
}
char *address_of(const void *symbol) {
    const Inside inside;
    const Lock lock(runtime().mutex);
    const auto found = runtime().symbols.find(symbol);
    if (found == runtime().symbols.end())
        return nullptr;
    ptx::Variable *variable = found->second.module->variable(found->second.name);
    return variable == nullptr ? nullptr : variable->address;
}

} // namespace emulator

using namespace emulator;

namespace {

struct Configuration {
    dim3 grid, block;
    std::size_t shared = 0;
    void *stream = nullptr;
};
std::vector<Configuration> &configurations() {
    thread_local std::vector<Configuration> all;
    return all;
}

// The images of __cudaRegisterFatBinary: a header, then entries of which the first kind is PTX.
struct FatHeader {
    std::uint32_t magic;
    std::uint16_t version, header_bytes;
    std::uint64_t bytes;
};
struct FatEntry {
    std::uint16_t kind, version;
    std::uint32_t header_bytes;
    std::uint64_t bytes;
    std::uint32_t compressed_bytes;
    std::uint32_t unused[8];
};
struct FatWrapper {
    std::uint32_t magic, version;
    const FatHeader *image;
    void *unused;
};

} // namespace

extern "C" {

void **__cudaRegisterFatBinary(const void *wrapper) {
    const Lock lock(runtime().mutex);
    const FatHeader *const header = static_cast<const FatWrapper *>(wrapper)->image;
    const char *at = reinterpret_cast<const char *>(header) + header->header_bytes;
    const char *const end = at + header->bytes;
    while (at < end) {
        FatEntry entry;
        std::memcpy(&entry, at, sizeof(entry));
        if (entry.kind == 1) {
            if (entry.compressed_bytes != 0)
                ptx::fail("compressed PTX: compile with -no-compress");
            const std::string_view text(at + entry.header_bytes, entry.bytes);
            runtime().modules.push_back(
                std::make_unique<ptx::Module>(text.substr(0, text.find('\0'))));
            return reinterpret_cast<void **>(runtime().modules.back().get());
        }
        at += entry.header_bytes + entry.bytes;
    }
    ptx::fail("an object without PTX");
}
void __cudaRegisterFatBinaryEnd(void **) {}
void __cudaUnregisterFatBinary(void **) {}
char __cudaInitModule(void **) {
    return 1;
}
void __cudaRegisterFunction(void **module, const char *host, char *, const char *name, int, uint3 *,
                            uint3 *, dim3 *, dim3 *, int *) {
    const Lock lock(runtime().mutex);
    runtime().kernels[host] = {reinterpret_cast<ptx::Module *>(module), name, nullptr};
}
void __cudaRegisterVar(void **module, char *host, char *, const char *name, int, std::size_t bytes,
                       int, int) {
    const Lock lock(runtime().mutex);
    runtime().symbols[host] = {reinterpret_cast<ptx::Module *>(module), name, bytes};
}
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared,
                                     CUstream_st *stream) {
    const Inside inside;
    configurations().push_back({grid, block, shared, stream});
    return 0;
}
cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, std::size_t *shared, void *stream) {
    const Configuration c = configurations().back();
    configurations().pop_back();
    *grid = c.grid;
    *block = c.block;
    *shared = c.shared;
    *static_cast<void **>(stream) = c.stream;
    return cudaSuccess;
}

cudaError_t cudaLaunchKernel(const void *host, dim3 grid, dim3 block, void **arguments,
                             std::size_t shared, cudaStream_t stream) {
    const Inside inside;
    ptx::Function *const f = function_of(host);
    if (f == nullptr)
        return done(cudaErrorInvalidDeviceFunction);
    if (const cudaError_t error = failure_of(emulator::Call::launch); error != cudaSuccess)
        return error;
    if (grid.x == 0 || grid.y == 0 || grid.z == 0 || block.x == 0 ||
        std::size_t{block.x} * block.y * block.z > static_cast<std::size_t>(f->max_threads))
        return done(cudaErrorInvalidConfiguration);
    std::vector<std::string> kept;
    for (std::size_t k = 0; k < f->parameter_bytes.size(); ++k)
        kept.emplace_back(static_cast<const char *>(arguments[k]), f->parameter_bytes[k]);
    work(stream, cudaGraphNodeTypeKernel, [=]() mutable {
        std::vector<void *> places;
        for (std::string &each : kept)
            places.push_back(each.data());
        ptx::launch(*f, {grid.x, grid.y, grid.z}, {block.x, block.y, block.z}, places.data(),
                    shared);
    });
    return cudaSuccess;
}
cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *host) {
    *kernel = reinterpret_cast<cudaKernel_t>(const_cast<void *>(host));
    return cudaSuccess;
}
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments,
                               std::size_t shared, cudaStream_t stream) {
    return cudaLaunchKernel(kernel, grid, block, arguments, shared, stream);
}
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *c, const void *host, void **arguments) {
    return cudaLaunchKernel(host, c->gridDim, c->blockDim, arguments, c->dynamicSmemBytes,
                            c->stream);
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *a, const void *host) {
    ptx::Function *const f = function_of(host);
    if (f == nullptr)
        return done(cudaErrorInvalidDeviceFunction);
    std::memset(a, 0, sizeof(*a));
    a->maxThreadsPerBlock = f->max_threads;
    a->numRegs = f->max_threads >= 1024 ? 64 : 128;
    a->localSizeBytes = f->local_bytes;
    a->ptxVersion = a->binaryVersion = f->module->target();
    a->maxDynamicSharedSizeBytes = 227 << 10;
    return cudaSuccess;
}
cudaError_t cudaFuncSetAttribute(const void *host, cudaFuncAttribute, int) {
    return function_of(host) == nullptr ? done(cudaErrorInvalidDeviceFunction) : cudaSuccess;
}
cudaError_t cudaFuncSetCacheConfig(const void *, cudaFuncCache) {
    return cudaSuccess;
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *host,
                                                          int threads, std::size_t) {
    ptx::Function *const f = function_of(host);
    if (f == nullptr)
        return done(cudaErrorInvalidDeviceFunction);
    *blocks = threads == 0 || threads > f->max_threads ? 0
              : 1024 / threads == 0                    ? 1
                                                       : 1024 / threads;
    return cudaSuccess;
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *host,
                                                                   int threads, std::size_t shared,
                                                                   unsigned) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, host, threads, shared);
}

} // extern "C"
