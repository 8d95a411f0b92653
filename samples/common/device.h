// SPDX-License-Identifier: Apache-2.0
// Where a batch lives and is computed. One program has both: its arithmetic is a template over the
// place, and --device chooses.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>

#include <warpint/vector.h>

#include "command_line.h"
#include "error.h"

namespace sample {

struct OnHost {
    static constexpr bool gpu = false;
    template <class T>
    using Vector = warpint::host_vector<T>;
};

// The GPU, in programs that nvcc compiles. Others have the CPU only, and compile nothing twice.
#if defined(__CUDACC__)
struct OnDevice {
    static constexpr bool gpu = true;
    template <class T>
    using Vector = warpint::device_vector<T>;
};
#else
using OnDevice = OnHost;
#endif

// Not inline: a program of C++ and CUDA files has one of each, which give different answers.
namespace {

// Whether to use the GPU. Throws Error where one is asked for and there is none.
[[maybe_unused]] bool use_gpu(Device device) {
    if (device == Device::cpu)
        return false;
    const bool present = warpint::device_info().gpu;
    if (device == Device::gpu && !present)
        throw Error("no usable GPU here (or a build without CUDA): try --device cpu");
    return present;
}

// What work on this device runs on, in words. Throws as use_gpu() does.
[[maybe_unused]] std::string device_name(Device device) {
    const auto information = warpint::device_info();
    if (use_gpu(device))
        return information.name;
    return "CPU, " + std::to_string(information.cpu_threads) + " threads";
}

// Numbers of this width that keep a GPU busy, in one batch: each is a thread of its own and needs
// more registers, the wider it is.
[[maybe_unused]] std::size_t filling_batch(int bits) {
    constexpr std::size_t threads = 2048; // that a multiprocessor holds at most
    constexpr std::size_t narrow = 256;   // bits of numbers of which it holds about so many
    const auto multiprocessors = static_cast<std::size_t>(warpint::device_info().multiprocessors);
    return multiprocessors * threads * narrow / std::max(narrow, static_cast<std::size_t>(bits));
}

// Calls body(OnDevice{}) where the GPU is to be used, else body(OnHost{}).
template <class Body>
auto on_device(Device device, Body body) {
    return use_gpu(device) ? body(OnDevice{}) : body(OnHost{});
}

} // namespace
} // namespace sample
