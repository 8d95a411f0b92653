// SPDX-License-Identifier: Apache-2.0
// A function for each index on a GPU, and memory for work on a stream.
#pragma once

#include "../../limb/config.h"

#if WARPINT_CUDA

#include "../kernels/for_each.h"
#include "cuda_support.h"
#include "resource.h"

namespace warpint::execution {

// f(0) ... f(count - 1), a thread each.
template <class Function>
void for_each_on_gpu(std::size_t count, const Function &f, cudaStream_t stream) {
    if (count == 0)
        return;
    constexpr std::size_t threads = 256;
    for_each_kernel<<<static_cast<unsigned>((count + threads - 1) / threads),
                      static_cast<unsigned>(threads), 0, stream>>>(count, f);
    check_cuda(cudaGetLastError(), "warpint: kernel launch failed");
}

// Memory of the current device for as long as work on the stream needs it.
template <class T>
class Workspace {
public:
    Workspace(memory_resource &memory, std::size_t count, cudaStream_t stream)
        : memory_{memory}, bytes_{std::max<std::size_t>(count * sizeof(T), 1)}, stream_{stream},
          data_{static_cast<T *>(memory.allocate(bytes_, stream))} {}
    ~Workspace() { memory_.deallocate(data_, bytes_, stream_); }
    Workspace(const Workspace &) = delete;
    Workspace &operator=(const Workspace &) = delete;
    [[nodiscard]] T *data() const { return data_; }

private:
    memory_resource &memory_;
    std::size_t bytes_;
    cudaStream_t stream_;
    T *data_;
};

// Bytes of scratch memory on this device; tests make it less.
inline std::size_t &max_scratch_bytes(int device) {
    static std::size_t most[64];
    static std::once_flag known[64];
    std::call_once(known[device & 63], [&] {
        std::size_t free = 0;
        std::size_t total = 0;
        check_cuda(cudaMemGetInfo(&free, &total), "warpint: cudaMemGetInfo");
        most[device & 63] = total / 8;
    });
    return most[device & 63];
}

} // namespace warpint::execution

#endif
