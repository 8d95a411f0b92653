// SPDX-License-Identifier: Apache-2.0
// The functions of the CUDA runtime that the library and its tests use, for GPUs that run PTX on
// the host (ptx.h). A program is linked with the emulator in place of the runtime, from objects
// that hold PTX:
//
//   nvcc -gencode arch=compute_90,code=compute_90 -no-compress -c test.cu -o test.o
//   g++ test.o libwarpint_test_emulator.a ...
//
// Memory of a GPU is host memory. Work of a stream is done when it is given; that of a stream whose
// work is captured, when its graph is launched. With WARPINT_EMULATED_STREAMS=late the work of
// streams other than the default ones is done as late as it may be: when the host or other work
// waits for it. Then a program that reads a result, or writes over an operand, without waiting for
// it goes wrong. WARPINT_EMULATED_GPUS says how many GPUs there are, 1 if it is not set. They are
// called "PTX on the host", and have the figures of an H200, but 8 multiprocessors. A program can
// make calls fail (failures.h).
//
// What the parts share: kernels.cpp, devices.cpp, memory.cpp, streams.cpp, failures.cpp.
#pragma once

#include "failures.h"
#include "ptx.h"

#include <cstdint>
#include <cuda_runtime_api.h>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace emulator {

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

extern thread_local int calls_inside;
// In a call of the runtime that allocates.
struct Inside {
    Inside() { ++calls_inside; }
    ~Inside() { --calls_inside; }
    Inside(const Inside &) = delete;
    Inside &operator=(const Inside &) = delete;
};

Runtime &runtime();
using Lock = std::lock_guard<std::recursive_mutex>;

// The GPU that is current.
extern thread_local int current;
int gpus();

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

// Returns the error, which is the last one now, or that of break_down().
cudaError_t done(cudaError_t error = cudaSuccess);
// The error that a call of this kind is to give now; success if none.
cudaError_t failure_of(Call which);

bool is_default(cudaStream_t stream);
bool is_captured(cudaStream_t stream);
// WARPINT_EMULATED_STREAMS=late.
bool streams_are_late();
// Waits for all streams, or for those that the legacy stream waits for.
void wait_for_streams(bool all);
// Does the work of a stream, or keeps it for later or for the graph.
void work(cudaStream_t stream, cudaGraphNodeType type, std::function<void()> f);

// Null if there is none.
ptx::Function *function_of(const void *host_function);
char *address_of(const void *symbol);

} // namespace emulator

struct CUstream_st {
    int device = 0;
    unsigned flags = 0;
    bool captures = false;
    std::vector<emulator::Node> nodes;
    unsigned long long id = 0;
    std::shared_ptr<emulator::Queue> queue = std::make_shared<emulator::Queue>();

    void wait() const { queue->run_until(queue->given()); }
};
