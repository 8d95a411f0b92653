// SPDX-License-Identifier: Apache-2.0
// The functions of the CUDA runtime that the library and its tests use, for GPUs that run PTX on
// the host (ptx.h). A program is linked with this in place of the runtime, from objects that hold
// PTX:
//
//   nvcc -gencode arch=compute_90,code=compute_90 -no-compress -c test.cu -o test.o
//   g++ test.o runtime.o ...
//
// Memory of a GPU is host memory. Work of a stream is done when it is given; that of a stream whose
// work is captured, when its graph is launched. With WARPINT_EMULATED_STREAMS=late the work of
// streams other than the default ones is done as late as it may be: when the host or other work
// waits for it. Then a program that reads a result, or writes over an operand, without waiting for
// it goes wrong. WARPINT_EMULATED_GPUS says how many GPUs there are, 1 if it is not set. They are
// called "PTX on the host", and have the figures of an H200, but 8 multiprocessors. A program can
// make calls fail (failures.h).
#include "failures.h"
#include "ptx.h"

#include <atomic>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime_api.h>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(address, bytes) ((void)(address), (void)(bytes))
#endif

namespace {

struct Kernel {
    ptx::Module *module = nullptr;
    std::string name;
    ptx::Function *function = nullptr;
};
struct Symbol {
    ptx::Module *module = nullptr;
    std::string name;
    std::size_t bytes = 0;
};
struct Node {
    cudaGraphNodeType type;
    std::function<void()> work;
};
struct Allocation {
    std::size_t bytes = 0;
    cudaMemoryType type = cudaMemoryTypeDevice;
    int device = 0;
};

struct Runtime {
    std::recursive_mutex mutex;
    std::vector<std::unique_ptr<ptx::Module>> modules;
    std::map<const void *, Kernel> kernels;
    std::map<const void *, Symbol> symbols;
    std::map<const char *, Allocation> allocations;
    std::set<cudaStream_t> streams;
    long events = 0;
};

thread_local int calls_inside = 0;
// In a call of the runtime that allocates.
struct Inside {
    Inside() { ++calls_inside; }
    ~Inside() { --calls_inside; }
    Inside(const Inside &) = delete;
    Inside &operator=(const Inside &) = delete;
};

Runtime &runtime() {
    const Inside inside;
    static auto *const one = new Runtime; // objects of static lifetime use it to the end
    return *one;
}
using Lock = std::lock_guard<std::recursive_mutex>;

thread_local int current = 0;
thread_local cudaError_t last = cudaSuccess;

// What emulator::fail() and break_down() asked for.
struct Failing {
    std::atomic<bool> active{false};
    std::atomic<bool> paused{false};
    emulator::Call which = emulator::Call::allocate;
    std::atomic<long> before{0};
    long times = 0;
    cudaError_t error = cudaSuccess;
};
Failing failing;
std::atomic<cudaError_t> broken{cudaSuccess};

int gpus() {
    const char *const given = std::getenv("WARPINT_EMULATED_GPUS");
    return given == nullptr ? 1 : std::atoi(given);
}
bool streams_are_late() {
    static const char *const given = std::getenv("WARPINT_EMULATED_STREAMS");
    static const bool late = given != nullptr && std::strcmp(given, "late") == 0;
    return late;
}

// Work of a stream that is still to be done.
class Queue {
public:
    void put(std::function<void()> f) {
        const Lock lock(runtime().mutex);
        waiting.push_back(std::move(f));
        ++given_;
    }
    // How much work was given so far.
    std::uint64_t given() {
        const Lock lock(runtime().mutex);
        return given_;
    }
    bool has_done(std::uint64_t count) {
        const Lock lock(runtime().mutex);
        return done_ >= count;
    }
    // Does the first `count` of all the work that was given, if they are not done yet.
    void run_until(std::uint64_t count) {
        const Inside inside;
        const Lock lock(runtime().mutex);
        while (done_ < count) {
            const std::function<void()> f = std::move(waiting.front());
            waiting.pop_front();
            f();
            ++done_;
        }
    }

private:
    std::deque<std::function<void()>> waiting;
    std::uint64_t given_ = 0, done_ = 0;
};

cudaError_t done(cudaError_t error = cudaSuccess) {
    if (broken != cudaSuccess)
        error = broken;
    if (error != cudaSuccess)
        last = error;
    return error;
}
// The error that a call of this kind is to give now; success if none.
cudaError_t failure_of(emulator::Call which) {
    if (broken != cudaSuccess)
        return done();
    if (!failing.active || failing.paused || failing.which != which)
        return cudaSuccess;
    const long left = failing.before--;
    return left <= 0 && left > -failing.times ? done(failing.error) : cudaSuccess;
}

} // namespace

struct CUstream_st {
    int device = 0;
    unsigned flags = 0;
    bool captures = false;
    std::vector<Node> nodes;
    unsigned long long id = 0;
    std::shared_ptr<Queue> queue = std::make_shared<Queue>();

    void wait() const { queue->run_until(queue->given()); }
};
// What was given to a stream before; without one it is done.
struct CUevent_st {
    std::shared_ptr<Queue> queue;
    std::uint64_t count = 0;

    void wait() const {
        if (queue != nullptr)
            queue->run_until(count);
    }
};
struct CUgraph_st {
    std::vector<Node> nodes;
};
struct CUgraphNode_st {
    cudaGraphNodeType type;
};
struct CUgraphExec_st {
    std::vector<Node> nodes;
};
struct CUmemPoolHandle_st {
    int device = 0;
    std::uint64_t threshold = 0;
};

namespace {

bool is_default(cudaStream_t stream) {
    return stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread;
}
bool is_captured(cudaStream_t stream) {
    return !is_default(stream) && stream->captures;
}
// Waits for all streams, or for those that the legacy stream waits for.
void wait_for_streams(bool all) {
    const Lock lock(runtime().mutex);
    for (const cudaStream_t each : runtime().streams) {
        if (all || each->flags != cudaStreamNonBlocking)
            each->wait();
    }
}
// Does the work of a stream, or keeps it for later or for the graph.
void work(cudaStream_t stream, cudaGraphNodeType type, std::function<void()> f) {
    if (is_captured(stream)) {
        stream->nodes.push_back({type, std::move(f)});
    } else if (is_default(stream)) {
        wait_for_streams(false);
        f();
    } else if (streams_are_late()) {
        stream->queue->put(std::move(f));
    } else {
        f();
    }
}
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
CUmemPoolHandle_st &pool_of(int device) {
    static CUmemPoolHandle_st pools[16];
    pools[device].device = device;
    return pools[device];
}

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

namespace emulator {

void fail(Call which, long before, long times, cudaError_t error) {
    failing.which = which;
    failing.before = before;
    failing.times = times;
    failing.error = error;
    failing.active = true;
}
bool stop_failing() {
    failing.active = false;
    return failing.before < 0;
}
void pause_failing(bool pause) {
    failing.paused = pause;
}
void break_down(cudaError_t error) {
    broken = error;
}
Held held() {
    const Lock lock(runtime().mutex);
    Held all;
    for (const auto &[begin, allocation] : runtime().allocations)
        ++(allocation.type == cudaMemoryTypeHost ? all.pinned_memory : all.device_memory);
    all.streams = static_cast<long>(runtime().streams.size());
    all.events = runtime().events;
    return all;
}
bool is_inside() {
    return calls_inside != 0;
}

} // namespace emulator

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

// ---- errors

cudaError_t cudaGetLastError() {
    const cudaError_t error = broken != cudaSuccess ? broken.load() : last;
    last = cudaSuccess;
    return error;
}
cudaError_t cudaPeekAtLastError() {
    return last;
}
const char *cudaGetErrorName(cudaError_t error) {
    return error == cudaSuccess ? "cudaSuccess" : "cudaError of the emulated runtime";
}
const char *cudaGetErrorString(cudaError_t error) {
    return error == cudaSuccess                      ? "no error"
           : error == cudaErrorMemoryAllocation      ? "out of memory"
           : error == cudaErrorInvalidDeviceFunction ? "invalid device function"
           : error == cudaErrorInvalidValue          ? "invalid argument"
           : error == cudaErrorInvalidConfiguration  ? "invalid configuration argument"
           : error == cudaErrorStreamCaptureUnsupported
               ? "operation not permitted when stream is capturing"
               : "an error of the emulated runtime";
}

// ---- devices

cudaError_t cudaGetDeviceCount(int *count) {
    *count = gpus();
    return *count == 0 ? done(cudaErrorNoDevice) : cudaSuccess;
}
cudaError_t cudaGetDevice(int *device) {
    *device = current;
    return cudaSuccess;
}
cudaError_t cudaSetDevice(int device) {
    if (device < 0 || device >= gpus())
        return done(cudaErrorInvalidDevice);
    current = device;
    return cudaSuccess;
}
cudaError_t cudaSetDeviceFlags(unsigned) {
    return cudaSuccess;
}
cudaError_t cudaDeviceSynchronize() {
    wait_for_streams(true);
    return done();
}
cudaError_t cudaDriverGetVersion(int *version) {
    *version = 13000;
    return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int *version) {
    *version = 13000;
    return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int) {
    switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock:
        *value = 1024;
        break;
    case cudaDevAttrMaxBlockDimX:
        *value = 1024;
        break;
    case cudaDevAttrMaxGridDimX:
        *value = 0x7fffffff;
        break;
    case cudaDevAttrMaxSharedMemoryPerBlock:
        *value = 48 << 10;
        break;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
        *value = 227 << 10;
        break;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
        *value = 228 << 10;
        break;
    case cudaDevAttrReservedSharedMemoryPerBlock:
        *value = 1 << 10;
        break;
    case cudaDevAttrMaxRegistersPerMultiprocessor:
        *value = 65536;
        break;
    case cudaDevAttrMaxRegistersPerBlock:
        *value = 65536;
        break;
    case cudaDevAttrMaxThreadsPerMultiProcessor:
        *value = 2048;
        break;
    case cudaDevAttrMaxBlocksPerMultiprocessor:
        *value = 32;
        break;
    case cudaDevAttrMultiProcessorCount:
        *value = 8;
        break;
    case cudaDevAttrWarpSize:
        *value = 32;
        break;
    case cudaDevAttrL2CacheSize:
        *value = 50 << 20;
        break;
    case cudaDevAttrClockRate:
        *value = 1'980'000;
        break;
    case cudaDevAttrComputeCapabilityMajor:
        *value = 9;
        break;
    case cudaDevAttrComputeCapabilityMinor:
        *value = 0;
        break;
    case cudaDevAttrMemoryPoolsSupported:
        *value = 1;
        break;
    case cudaDevAttrUnifiedAddressing:
        *value = 1;
        break;
    default:
        *value = 0;
    }
    return cudaSuccess;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp *p, int device) {
    if (device < 0 || device >= gpus())
        return done(cudaErrorInvalidDevice);
    std::memset(p, 0, sizeof(*p));
    std::snprintf(p->name, sizeof(p->name), "PTX on the host");
    p->major = 9;
    p->totalGlobalMem = std::size_t{4} << 30;
    p->sharedMemPerBlock = 48 << 10;
    p->sharedMemPerBlockOptin = 227 << 10;
    p->sharedMemPerMultiprocessor = 228 << 10;
    p->regsPerBlock = p->regsPerMultiprocessor = 65536;
    p->warpSize = 32;
    p->maxThreadsPerBlock = 1024;
    p->maxThreadsPerMultiProcessor = 2048;
    p->multiProcessorCount = 8;
    p->l2CacheSize = 50 << 20;
    return cudaSuccess;
}
cudaError_t cudaDeviceGetPCIBusId(char *text, int length, int device) {
    std::snprintf(text, static_cast<std::size_t>(length), "0000:%02x:00.0", device);
    return cudaSuccess;
}
cudaError_t cudaDeviceCanAccessPeer(int *can, int, int) {
    *can = 1;
    return cudaSuccess;
}
cudaError_t cudaDeviceEnablePeerAccess(int, unsigned) {
    return cudaSuccess;
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

// ---- memory

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

// ---- streams, events, graphs

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags) {
    static unsigned long long next = 3;
    const Inside inside;
    if (const cudaError_t error = failure_of(emulator::Call::create); error != cudaSuccess)
        return error;
    const Lock lock(runtime().mutex);
    *stream = new CUstream_st{current, flags, false, {}, next++};
    runtime().streams.insert(*stream);
    return cudaSuccess;
}
cudaError_t cudaStreamCreate(cudaStream_t *stream) {
    return cudaStreamCreateWithFlags(stream, 0);
}
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int) {
    return cudaStreamCreateWithFlags(stream, flags);
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    stream->wait();
    {
        const Lock lock(runtime().mutex);
        runtime().streams.erase(stream);
    }
    delete stream;
    return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    if (is_captured(stream))
        return done(cudaErrorStreamCaptureUnsupported);
    if (is_default(stream)) {
        wait_for_streams(false);
    } else {
        stream->wait();
    }
    return done();
}
cudaError_t cudaStreamQuery(cudaStream_t stream) {
    return is_default(stream) || stream->queue->has_done(stream->queue->given())
               ? cudaSuccess
               : done(cudaErrorNotReady);
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
    const Inside inside;
    if (!is_captured(stream))
        work(stream, cudaGraphNodeTypeWaitEvent, [of_now = *event] { of_now.wait(); });
    return cudaSuccess;
}
cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long *id) {
    *id = stream == nullptr || stream == cudaStreamLegacy ? 1
          : stream == cudaStreamPerThread                 ? 2
                                                          : stream->id;
    return cudaSuccess;
}
cudaError_t cudaStreamGetDevice(cudaStream_t stream, int *device) {
    *device = is_default(stream) ? current : stream->device;
    return cudaSuccess;
}
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned *flags) {
    *flags = is_default(stream) ? 0 : stream->flags;
    return cudaSuccess;
}
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus *status) {
    *status = !is_default(stream) && stream->captures ? cudaStreamCaptureStatusActive
                                                      : cudaStreamCaptureStatusNone;
    return cudaSuccess;
}
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode *mode) {
    thread_local cudaStreamCaptureMode own = cudaStreamCaptureModeGlobal;
    std::swap(own, *mode);
    return cudaSuccess;
}
cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode) {
    if (is_default(stream))
        return done(cudaErrorStreamCaptureUnsupported);
    stream->captures = true;
    return cudaSuccess;
}
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph) {
    const Inside inside;
    stream->captures = false;
    *graph = new CUgraph_st{std::move(stream->nodes)};
    stream->nodes.clear();
    return cudaSuccess;
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *executable, cudaGraph_t graph,
                                 unsigned long long) {
    const Inside inside;
    *executable = new CUgraphExec_st{graph->nodes};
    return cudaSuccess;
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
    const Inside inside;
    work(stream, cudaGraphNodeTypeGraph, [nodes = executable->nodes] {
        for (const Node &node : nodes)
            node.work();
    });
    return cudaSuccess;
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
    delete graph;
    return cudaSuccess;
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) {
    delete executable;
    return cudaSuccess;
}
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, std::size_t *count) {
    if (nodes != nullptr) {
        for (std::size_t k = 0; k < std::min(*count, graph->nodes.size()); ++k)
            nodes[k] = reinterpret_cast<cudaGraphNode_t>(&graph->nodes[k].type);
    }
    *count = graph->nodes.size();
    return cudaSuccess;
}
cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType *type) {
    *type = node->type;
    return cudaSuccess;
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned) {
    const Inside inside;
    if (const cudaError_t error = failure_of(emulator::Call::create); error != cudaSuccess)
        return error;
    const Lock lock(runtime().mutex);
    *event = new CUevent_st;
    ++runtime().events;
    return cudaSuccess;
}
cudaError_t cudaEventCreate(cudaEvent_t *event) {
    return cudaEventCreateWithFlags(event, 0);
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
    const Lock lock(runtime().mutex);
    --runtime().events;
    delete event;
    return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    *event = {};
    if (!is_default(stream) && !stream->captures)
        *event = {stream->queue, stream->queue->given()};
    return cudaSuccess;
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    event->wait();
    return done();
}
cudaError_t cudaEventQuery(cudaEvent_t event) {
    return event->queue == nullptr || event->queue->has_done(event->count)
               ? cudaSuccess
               : done(cudaErrorNotReady);
}
cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t, cudaEvent_t) {
    *milliseconds = 1;
    return cudaSuccess;
}

} // extern "C"
