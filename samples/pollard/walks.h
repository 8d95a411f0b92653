// SPDX-License-Identifier: Apache-2.0
// Many walks, all of which take steps at once: by a kernel on a GPU, else by all cores.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include <warpint/vector.h>

#include "device.h"
#include "solver.h"
#include "walk.h"

namespace pollard {

// The walks `which` go on at the points (x, y).
template <class Memory>
struct SetWalks {
    Memory memory;
    const std::uint32_t *which;
    const typename Memory::Number *x, *y;
    WARPINT_HOST_DEVICE void operator()(std::size_t i) const {
        memory.set_walk(which[i], x[i], y[i]);
    }
};

// (x, y) = where the walks `which` are.
template <class Memory>
struct GetWalks {
    Memory memory;
    const std::uint32_t *which;
    typename Memory::Number *x, *y;
    WARPINT_HOST_DEVICE void operator()(std::size_t i) const {
        x[i] = memory.load(memory.walk(which[i]), Memory::x_at).value();
        y[i] = memory.load(memory.walk(which[i]), Memory::y_at).value();
    }
};

// The work on the threads of a host.
struct OnCores {
    template <class Memory>
    static std::size_t suitable_count(const Launch &launch) {
        const auto each = static_cast<std::size_t>(launch.thread_walks);
        return std::max<std::size_t>(2048, each * warpint::device_info().cpu_threads);
    }
    template <class Memory>
    static void step(const Memory &memory, std::size_t count, int steps, const Launch &launch) {
        warpint::for_each_block(count, static_cast<std::size_t>(launch.thread_walks),
                                [&](std::size_t first, std::size_t last) {
                                    for (int i = 0; i != steps; ++i)
                                        memory.step(first, last, 1);
                                });
    }
    // Calls f(i) for i in [0, count).
    template <class F>
    static void for_each(std::size_t count, const F &f) {
        warpint::for_each_block(count, 64, [&](std::size_t first, std::size_t last) {
            for (std::size_t i = first; i != last; ++i)
                f(i);
        });
    }
};

#if defined(__CUDACC__)
inline constexpr int most_block_threads = 512;

// Thread t of T has walks t, t + T, ... Shared memory holds the table of steps.
template <class Memory>
__global__ void __launch_bounds__(most_block_threads)
    step_walks(const __grid_constant__ Memory given, std::size_t count, int steps) {
    extern __shared__ std::uint32_t table[];
    for (int i = static_cast<int>(threadIdx.x); i < step_count * Memory::table_words;
         i += static_cast<int>(blockDim.x))
        table[i] = given.table[i];
    __syncthreads();
    // Of a copy the compiler sees that the modulus is odd, and leaves out what is for even ones.
    Memory memory = given;
    if (!memory.p.is_odd())
        return;
    memory.table = table;
    const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
    const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    for (int i = 0; i < steps; ++i)
        memory.step(thread, count, threads);
}

template <class F>
__global__ void call_for_each(const __grid_constant__ F f, std::size_t count) {
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < count)
        f(i);
}

// The same on a GPU. Does not wait for it.
struct OnGpu {
    template <class Memory>
    static std::size_t suitable_count(const Launch &launch) {
        static_assert(Memory::table_bytes <= 48 * 1024, "more shared memory must be asked for");
        int blocks = 0; // of a multiprocessor
        require(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
            &blocks, step_walks<Memory>, launch.block_threads, Memory::table_bytes));
        return static_cast<std::size_t>(warpint::device_info().multiprocessors * blocks) *
               block_walks(launch);
    }
    template <class Memory>
    static void step(const Memory &memory, std::size_t count, int steps, const Launch &launch) {
        const unsigned grid = blocks(count, block_walks(launch));
        const auto block = static_cast<unsigned>(launch.block_threads);
        step_walks<<<grid, block, Memory::table_bytes>>>(memory, count, steps);
        require(cudaGetLastError());
    }
    template <class F>
    static void for_each(std::size_t count, const F &f) {
        if (count == 0)
            return;
        call_for_each<<<blocks(count, 128), 128>>>(f, count);
        require(cudaGetLastError());
    }

private:
    static std::size_t block_walks(const Launch &launch) {
        return static_cast<std::size_t>(launch.block_threads) *
               static_cast<std::size_t>(launch.thread_walks);
    }
    static unsigned blocks(std::size_t count, std::size_t each) {
        return static_cast<unsigned>((count + each - 1) / each);
    }
    static void require(cudaError_t result) {
        if (result != cudaSuccess)
            throw warpint::cuda_error(result, cudaGetErrorString(result));
    }
};
#else
using OnGpu = OnCores;
#endif

template <int Bits, class Place>
class Walks {
    using Number = BigInt<Bits>;
    using Memory = WalkMemory<Bits, Place::gpu ? 32 : 1>;
    using Work = std::conditional_t<Place::gpu, OnGpu, OnCores>;
    using Words = typename Place::template Vector<std::uint32_t>;

public:
    using Numbers = typename Place::template Vector<Number>;
    using Indices = Words;

    Walks(const Curve<Bits> &curve, const Steps<Bits> &steps, int distinguishing_bits,
          std::size_t walk_count, const Launch &the_launch)
        : count(walk_count), launch(the_launch), walks((count + 31) / 32 * 32 * Memory::walk_words),
          ended(count + 1) {
        std::vector<std::uint32_t> words(step_count * Memory::table_words);
        memory = {curve.p, distinguishing_mask<Bits>(distinguishing_bits), words.data(),
                  walks.data(), ended.data()};
        for (std::size_t j = 0; j != step_count; ++j)
            memory.set_step(j, steps.x[j], steps.y[j]);
        table = words;
        memory.table = table.data();
    }
    Walks(const Walks &) = delete;
    Walks &operator=(const Walks &) = delete;

    // How many keep the device busy.
    static std::size_t suitable_count(const Launch &launch) {
        return Work::template suitable_count<Memory>(launch);
    }

    // The walks `which` go on at the points (x, y). All walks are set before the first step.
    void set(const Indices &which, const Numbers &x, const Numbers &y) {
        Work::for_each(which.size(), SetWalks<Memory>{memory, which.data(), x.data(), y.data()});
    }
    // (x, y) = where the walks `which` are.
    void get(const Indices &which, Numbers &x, Numbers &y) const {
        x.resize(which.size());
        y.resize(which.size());
        Work::for_each(which.size(), GetWalks<Memory>{memory, which.data(), x.data(), y.data()});
    }

    // Does not wait for a GPU; wait() does.
    void step(int steps) { Work::step(memory, count, steps, launch); }
    void wait() const { (void)ended.read(0); }

    // Those that have ended since the last call, in any order. Waits.
    Indices take_ended() {
        Indices which(ended.view(1, ended.read(0)));
        ended[0] = 0;
        return which;
    }

private:
    std::size_t count;
    Launch launch;
    Words table, walks, ended;
    Memory memory;
};

} // namespace pollard
