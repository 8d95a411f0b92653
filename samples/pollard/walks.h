// SPDX-License-Identifier: Apache-2.0
// Many walks, all of which take steps at once: by a kernel on a GPU, else by all cores.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <warpint/vector.h>

#include "device.h"
#include "parallel.h"
#include "solver.h"
#include "walk.h"

namespace pollard {

// Functions of a walk's number, for formulas.
template <class Memory>
struct SetWalk {
    Memory memory;
    WARPINT_HOST_DEVICE bool operator()(std::uint32_t i, const typename Memory::Number &x,
                                        const typename Memory::Number &y) const {
        memory.set_walk(i, x, y);
        return true;
    }
};
template <class Memory>
struct Coordinate {
    Memory memory;
    int at;
    WARPINT_HOST_DEVICE typename Memory::Number operator()(std::uint32_t i) const {
        return memory.load(memory.walk(i), at).value();
    }
};

#if defined(__CUDACC__)
inline constexpr int most_threads = 512; // of a block

// Steps of all walks: thread t of T has walks t, t + T, ... The table comes into shared memory.
template <class Memory>
__global__ void __launch_bounds__(most_threads)
    take_steps(const __grid_constant__ Memory given, std::size_t count, int steps) {
    extern __shared__ std::uint32_t table[];
    for (unsigned i = threadIdx.x; i < step_count * Memory::table_words; i += blockDim.x)
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
#endif

template <int Bits, class Place>
class Walks {
    using Number = BigInt<Bits>;
    using Memory = WalkMemory<Bits, Place::gpu ? 32 : 1>;
    template <class T>
    using Vector = typename Place::template Vector<T>;

public:
    using Numbers = Vector<Number>;
    using Indices = Vector<std::uint32_t>;

    Walks(const Curve<Bits> &curve, const Steps<Bits> &steps, int distinguishing_bits,
          std::size_t walk_count, const Launch &the_launch)
        : count(walk_count), launch(the_launch), table(step_count * Memory::table_words),
          walks((count + 31) / 32 * 32 * Memory::walk_words), ended(count + 1) {
        std::vector<std::uint32_t> words(table.size());
        memory = {curve.p, distinguishing_mask<Bits>(distinguishing_bits), words.data(), nullptr,
                  nullptr};
        for (int j = 0; j != step_count; ++j)
            memory.set_step(j, steps.x[j], steps.y[j]);
        table = words;
        memory.table = table.data();
        memory.walks = walks.data();
        memory.ended = ended.data();
    }
    Walks(const Walks &) = delete;
    Walks &operator=(const Walks &) = delete;

    // How many keep this device busy.
    static std::size_t suitable_count([[maybe_unused]] const Launch &launch) {
#if defined(__CUDACC__)
        if constexpr (Place::gpu) {
            int blocks = 0;
            require(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
                &blocks, take_steps<Memory>, launch.block_threads, shared_bytes));
            return static_cast<std::size_t>(warpint::device_info().multiprocessors) *
                   static_cast<std::size_t>(blocks * launch.block_threads * launch.thread_walks);
        }
#endif
        return 2048;
    }

    // Walks `which` go on at these points. Those of all walks come first.
    void set(const Indices &which, const Numbers &x, const Numbers &y) {
        const Vector<bool> done = map(SetWalk<Memory>{memory}, which, x, y);
    }
    Numbers x(const Indices &which) const {
        return map(Coordinate<Memory>{memory, Memory::x_at}, which);
    }
    Numbers y(const Indices &which) const {
        return map(Coordinate<Memory>{memory, Memory::y_at}, which);
    }

    // Does not wait for a GPU.
    void step(int steps) {
#if defined(__CUDACC__)
        if constexpr (Place::gpu) {
            const auto threads = static_cast<std::size_t>(launch.block_threads);
            const std::size_t each = threads * static_cast<std::size_t>(launch.thread_walks);
            take_steps<<<static_cast<unsigned>((count + each - 1) / each), launch.block_threads,
                         shared_bytes>>>(memory, count, steps);
            require(cudaGetLastError());
            return;
        }
#endif
        sample::parallel_for(count, [&](std::size_t first, std::size_t last) {
            for (int i = 0; i != steps; ++i)
                memory.step(first, last, 1);
        });
    }
    void wait() const { (void)ended.read(0); }

    // Those that have ended since the last call. Waits.
    Indices take_ended() {
        const std::size_t ends = ended.read(0);
        Indices which(ended.view(1, ends));
        ended[0] = 0;
        return which;
    }

private:
#if defined(__CUDACC__)
    static constexpr std::size_t shared_bytes = sizeof(std::uint32_t) * step_count *
                                                Memory::table_words;
    static_assert(shared_bytes <= 48 * 1024, "a kernel has more only where it asks for it");

    static void require(cudaError_t result) {
        if (result != cudaSuccess)
            throw warpint::cuda_error(result, cudaGetErrorString(result));
    }
#endif

    std::size_t count;
    Launch launch;
    Vector<std::uint32_t> table, walks, ended;
    Memory memory;
};

} // namespace pollard
