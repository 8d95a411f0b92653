// SPDX-License-Identifier: Apache-2.0
// CUDA runtime calls with their errors as exceptions.
#pragma once

#include "../../limb/config.h"

#if WARPINT_CUDA

#include "../../expression/batch.h"
#include "error.h"

#include <cuda_runtime.h>

#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace warpint::execution {

inline void check_cuda(cudaError_t error, const char *what) {
    if (error == cudaSuccess)
        return;
    cudaGetLastError(); // a launch error is reported once
    if (error == cudaErrorMemoryAllocation)
        throw device_bad_alloc();
    throw cuda_error(static_cast<int>(error), std::string(what) + ": " + cudaGetErrorString(error));
}

// Of a request for pinned memory, which is the host's.
inline void check_pinned(cudaError_t error) {
    if (error == cudaErrorMemoryAllocation) {
        cudaGetLastError();
        throw std::bad_alloc();
    }
    check_cuda(error, "warpint: cudaMallocHost");
}

// Makes a device current for a scope and restores the former one.
class CurrentDevice {
public:
    explicit CurrentDevice(int device) { change_to(device); }
    // Of a host, nothing changes.
    explicit CurrentDevice(Location location) {
        if (location.on_gpu())
            change_to(location.device);
    }
    ~CurrentDevice() {
        if (changed_)
            cudaSetDevice(former_);
    }
    CurrentDevice(const CurrentDevice &) = delete;
    CurrentDevice &operator=(const CurrentDevice &) = delete;

private:
    void change_to(int device) {
        check_cuda(cudaGetDevice(&former_), "warpint: cudaGetDevice");
        if (former_ != device) {
            check_cuda(cudaSetDevice(device), "warpint: cudaSetDevice");
            changed_ = true;
        }
    }

    int former_ = 0;
    bool changed_ = false;
};

// ask(), asked once for each key.
template <class Key, class Ask>
auto asked_once(const Key &key, const Ask &ask) {
    using Answer = std::pair<Key, decltype(ask())>;
    static auto &mutex = *new std::mutex;          // destructors of static objects may ask
    static auto &known = *new std::vector<Answer>; // of few keys
    const std::lock_guard lock(mutex);
    for (const Answer &answer : known) {
        if (answer.first == key)
            return answer.second;
    }
    known.reserve(known.size() + 1); // before ask(), whose answer may be a stream
    known.emplace_back(key, ask());
    return known.back().second;
}

inline bool is_legacy(cudaStream_t stream) {
    return stream == nullptr || stream == cudaStreamLegacy;
}
// True while the stream records a CUDA graph, which the legacy one never does.
inline bool is_capturing(cudaStream_t stream) {
    if (is_legacy(stream))
        return false;
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    if (cudaStreamIsCapturing(stream, &status) != cudaSuccess) {
        cudaGetLastError();
        return false;
    }
    return status != cudaStreamCaptureStatusNone;
}

// Lets this thread allocate for a scope while some stream records a graph.
class RelaxedCapture {
public:
    RelaxedCapture() { cudaThreadExchangeStreamCaptureMode(&mode_); }
    ~RelaxedCapture() { cudaThreadExchangeStreamCaptureMode(&mode_); }
    RelaxedCapture(const RelaxedCapture &) = delete;
    RelaxedCapture &operator=(const RelaxedCapture &) = delete;

private:
    cudaStreamCaptureMode mode_ = cudaStreamCaptureModeRelaxed;
};

// What was given back on GPUs, to be taken again, by the GPU; never destroyed.
template <class T>
class DevicePool {
public:
    static std::optional<T> take(int device) {
        const std::lock_guard lock(pool().mutex);
        std::vector<T> &kept = pool().kept[device & 63];
        if (kept.empty())
            return std::nullopt;
        const T last = kept.back();
        kept.pop_back();
        return last;
    }
    static void give(int device, const T &x) noexcept {
        const std::lock_guard lock(pool().mutex);
        pool().kept[device & 63].push_back(x);
    }
    // Before one is made, so that there is room when it is given back.
    static void expect_one_more(int device) {
        const std::lock_guard lock(pool().mutex);
        const std::size_t made = pool().made[device & 63] + 1;
        std::vector<T> &kept = pool().kept[device & 63];
        if (made > kept.capacity())
            kept.reserve(2 * made);
        pool().made[device & 63] = made;
    }
    // Of one that will not be given back.
    static void expect_one_less(int device) noexcept {
        const std::lock_guard lock(pool().mutex);
        --pool().made[device & 63];
    }

private:
    struct Pool {
        std::mutex mutex;
        std::vector<T> kept[64];
        std::size_t made[64] = {};
    };
    static Pool &pool() {
        static auto *const one = new Pool; // outlives every vector
        return *one;
    }
};

} // namespace warpint::execution

#endif
