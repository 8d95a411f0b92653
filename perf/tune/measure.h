// SPDX-License-Identifier: Apache-2.0
// Measures the candidates of formulas on the present GPU. Compiled as CUDA. Every candidate runs
// the library's own code in a kernel with its bounds; all results are compared with those of the
// library's kernel, and some of those with a host's.
#pragma once

#include "choose_rows.h"

#include <warpint/number_theory.h>
#include <warpint/vector.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <random>
#include <tuple>
#include <utility>

namespace perf::tune {

using warpint::BigInt;
using warpint::device_vector;
using warpint::host_vector;

inline void require(cudaError_t status, const char *what) {
    if (status != cudaSuccess)
        throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(status));
}

// What was measured so far, by all series.
class Meter {
public:
    // A series at a width, registered before main.
    struct Task {
        const char *formulas;
        Point point;
        void (*run)(Meter &);
    };
    static std::vector<Task> &tasks() {
        static std::vector<Task> all;
        return all;
    }
    void add(const Measurement &measurement);

    // The shortest of some rounds of launch, each of which repeats until it takes 2 ms, in seconds.
    // Launches of 20 ms and more have one round, and those that take twice `best`, the time of the
    // best candidate so far, none: they count with the call that warms up.
    template <class Launch>
    static double seconds(const Launch &launch, double best);

    std::vector<Measurement> all;
};

namespace detail {

// Whether count bytes differ anywhere: *found is then not 0.
void compare_on_gpu(const void *a, const void *b, std::size_t bytes, unsigned *found);

// Memory of the GPU.
template <class T>
class Memory {
public:
    explicit Memory(std::size_t count) {
        require(cudaMalloc(&data_, count * sizeof(T)), "cudaMalloc");
        require(cudaMemset(data_, 0, count * sizeof(T)), "cudaMemset");
    }
    Memory(const Memory &) = delete;
    Memory &operator=(const Memory &) = delete;
    ~Memory() { cudaFree(data_); }
    [[nodiscard]] T *data() const { return static_cast<T *>(data_); }

private:
    void *data_ = nullptr;
};

class Event {
public:
    Event() { require(cudaEventCreate(&event_), "cudaEventCreate"); }
    Event(const Event &) = delete;
    Event &operator=(const Event &) = delete;
    ~Event() { cudaEventDestroy(event_); }
    [[nodiscard]] cudaEvent_t get() const { return event_; }

private:
    cudaEvent_t event_{};
};

template <int threads, int blocks, int elements, class Tree, class... T>
__global__ void __launch_bounds__(threads, blocks)
    candidate_in_threads(const __grid_constant__ execution::Target<T...> target, std::size_t count,
                         unsigned staging_vectors, const __grid_constant__ Tree tree) {
    execution::compute_in_threads<elements>(target, count, staging_vectors, tree);
}

template <int threads, int blocks, int lanes, class Tree, class... T>
__global__ void __launch_bounds__(threads, blocks)
    candidate_over_lanes(const __grid_constant__ execution::Target<T...> target, std::size_t count,
                         const __grid_constant__ Tree tree) {
    execution::compute_over_lanes<lanes>(target, count, tree);
}

template <Candidate candidate, class Tree, class... T>
const void *kernel_of() {
    if constexpr (candidate.family == KernelFamily::lanes_per_number) {
        return reinterpret_cast<const void *>(
            candidate_over_lanes<candidate.threads, candidate.blocks, candidate.lanes, Tree, T...>);
    } else {
        return reinterpret_cast<const void *>(
            candidate_in_threads<candidate.threads, candidate.blocks, candidate.elements, Tree,
                                 T...>);
    }
}

// How the candidate runs, as the library would plan it.
inline execution::Plan plan_of(const Candidate &candidate, const void *kernel, const Cost &cost,
                               std::size_t count) {
    execution::tuning::Choice choice;
    choice.row.family = candidate.family;
    choice.row.lanes = candidate.lanes;
    choice.row.threads_per_block = candidate.threads;
    choice.row.min_blocks = candidate.blocks;
    choice.row.loading = candidate.loading;
    int device = 0;
    require(cudaGetDevice(&device), "cudaGetDevice");
    execution::Plan plan =
        execution::fit(choice, cost, count, true, execution::kernel_facts(kernel, device));
    plan.kernel = kernel;
    const std::size_t in_block = static_cast<std::size_t>(
        plan.threads_per_block / plan.lanes_per_number * candidate.elements);
    plan.blocks = (count + in_block - 1) / in_block;
    return plan;
}

} // namespace detail

template <class Launch>
double Meter::seconds(const Launch &launch, double best) {
    const detail::Event start;
    const detail::Event stop;
    const auto timed = [&](int calls) {
        require(cudaEventRecord(start.get()), "cudaEventRecord");
        for (int i = 0; i < calls; ++i)
            launch();
        require(cudaEventRecord(stop.get()), "cudaEventRecord");
        require(cudaEventSynchronize(stop.get()), "a candidate");
        float milliseconds = 0;
        require(cudaEventElapsedTime(&milliseconds, start.get(), stop.get()),
                "cudaEventElapsedTime");
        return static_cast<double>(milliseconds) / 1000 / calls;
    };
    const double first = timed(1); // warms up
    if (first > std::max(2 * best, 0.02))
        return first;
    const int calls = static_cast<int>(std::clamp(0.002 / std::max(first, 1e-6), 1.0, 100.0));
    const int rounds = first > 0.02 ? 1 : 3;
    double shortest = timed(calls);
    for (int i = 1; i < rounds; ++i)
        shortest = std::min(shortest, timed(calls));
    return shortest;
}

// The operands of formulas in one space. m is odd, w twice as wide.
template <template <class> class Vector, int Bits>
struct Operands {
    Vector<BigInt<Bits>> a, b, c, m;
    Vector<BigInt<2 * Bits>> w;
    BigInt<Bits> exponent; // shared by all
};

// Full-width random numbers, of which the first few thousand differ.
template <int Bits>
host_vector<BigInt<Bits>> random_batch(std::size_t count, std::uint64_t seed, bool odd = false) {
    std::mt19937_64 generator(seed);
    host_vector<BigInt<Bits>> batch(count);
    for (std::size_t i = 0; i < count; ++i) {
        if (i >= 4096) {
            batch[i] = static_cast<BigInt<Bits>>(batch[i % 4096]);
            continue;
        }
        BigInt<Bits> x;
        for (auto &limb : x.limbs)
            limb = static_cast<std::uint32_t>(generator());
        x = set_bit(x, Bits - 1);
        batch[i] = odd ? set_bit(x, 0) : x;
    }
    return batch;
}

template <template <class> class Vector, int Bits>
Operands<Vector, Bits> operands(std::size_t count) {
    Operands<Vector, Bits> made{Vector<BigInt<Bits>>(random_batch<Bits>(count, 1)),
                                Vector<BigInt<Bits>>(random_batch<Bits>(count, 2)),
                                Vector<BigInt<Bits>>(random_batch<Bits>(count, 3)),
                                Vector<BigInt<Bits>>(random_batch<Bits>(count, 4, true)),
                                Vector<BigInt<2 * Bits>>(random_batch<2 * Bits>(count, 5)),
                                {}};
    made.exponent = random_batch<Bits>(1, 6)[0];
    return made;
}

template <class Tree, class Vector>
void assign_formula(const Tree &tree, std::tuple<Vector> &to) {
    std::get<0>(to) = tree;
}
template <class Tree, class A, class B>
void assign_formula(const Tree &tree, std::tuple<A, B> &to) {
    tie(std::get<0>(to), std::get<1>(to)) = tree;
}

// A point of short streams with the bytes of its formula; others as they are.
constexpr Point with_bytes(Point point, int bytes_moved) {
    point.bytes_moved = point.bytes_moved != 0 ? bytes_moved : 0;
    return point;
}

// Measures all candidates of a point for a formula, which is asked for operands of either space, in
// a batch; T: what it is stored as.
template <Point point, class... T, template <template <class> class, int> class Room, int Bits,
          class Formula>
void measure(Meter &meter, const char *name, const Formula &formula,
             const Room<device_vector, Bits> &on_gpu, std::size_t count) {
    const auto expression = formula(on_gpu);
    using Lowered = warpint::expression::lowered_t<std::remove_const_t<decltype(expression)>>;
    constexpr Cost cost = execution::gpu_cost<Lowered, T...>;
    static_assert(cost.work == point.work);
    constexpr Point measured = with_bytes(point, cost.bytes_moved);
    static_assert(cost.fold_operands == point.fold_operands, "a staged fold, or none");

    // Right by the library's kernel, which a host agrees with.
    std::tuple<device_vector<T>...> expected{device_vector<T>(count)...};
    std::tuple<device_vector<T>...> results{device_vector<T>(count)...};
    assign_formula(expression, expected);
    const std::size_t checked = std::min<std::size_t>(count, 8);
    const auto on_host = operands<host_vector, Bits>(checked);
    std::tuple<host_vector<T>...> by_host{host_vector<T>(checked)...};
    assign_formula(formula(on_host), by_host);
    const auto agrees = [&]<std::size_t... i>(std::index_sequence<i...>) {
        (std::get<i>(expected).clear_errors(), ...); // elements without a value are 0
        (std::get<i>(by_host).clear_errors(), ...);
        bool same = true;
        for (std::size_t k = 0; k < checked; ++k)
            same = same && ((std::get<i>(expected).read(k) == std::get<i>(by_host).read(k)) && ...);
        return same;
    };
    constexpr std::index_sequence_for<T...> all;
    if (!agrees(all))
        throw std::runtime_error(std::string("a wrong result of ") + name);
    require(cudaDeviceSynchronize(), name);

    const detail::Memory<std::uint32_t> faults(count / 32 + 1);
    const detail::Memory<unsigned> differs(1);
    execution::Target<T...> target;
    [&]<std::size_t... i>(std::index_sequence<i...>) {
        target = {{execution::Place<T>{std::get<i>(results).data(),
                                       cost.can_fault ? faults.data() : nullptr}...}};
    }(all);
    const Lowered tree = warpint::expression::lower_formula(expression, {true});

    struct Known {
        const void *kernel;
        int shared_bytes;
        double rate;
    };
    std::vector<Known> known; // candidates that run as another one does
    double best = std::numeric_limits<double>::infinity(); // seconds
    const auto try_candidate = [&]<Candidate candidate>() {
        const void *const kernel = detail::kernel_of<candidate, Lowered, T...>();
        const execution::Plan plan = detail::plan_of(candidate, kernel, cost, count);
        for (const Known &one : known) {
            if (one.kernel == kernel && one.shared_bytes == plan.shared_bytes) {
                meter.add({measured, name, count, candidate, one.rate});
                return;
            }
        }
        ((require(cudaMemset(std::get<device_vector<T>>(results).data(), 0xa5, count * sizeof(T)),
                  "cudaMemset")),
         ...);
        const unsigned vectors =
            static_cast<unsigned>(plan.shared_bytes / (plan.threads_per_block / 32) / 16);
        const auto launch = [&] {
            if constexpr (candidate.family == KernelFamily::lanes_per_number) {
                execution::launch(plan, nullptr, target, count, tree);
            } else {
                execution::launch(plan, nullptr, target, count, vectors, tree);
            }
        };
        const double seconds = Meter::seconds(launch, best);
        best = std::min(best, seconds);
        const double rate = static_cast<double>(count) / seconds;
        require(cudaMemset(differs.data(), 0, sizeof(unsigned)), "cudaMemset");
        [&]<std::size_t... i>(std::index_sequence<i...>) {
            (detail::compare_on_gpu(std::get<i>(results).data(), std::get<i>(expected).data(),
                                    count * sizeof(T), differs.data()),
             ...);
        }(all);
        unsigned found = 0;
        require(cudaMemcpy(&found, differs.data(), sizeof found, cudaMemcpyDeviceToHost), name);
        if (found != 0)
            throw std::runtime_error(std::string("a candidate's wrong result of ") + name);
        known.push_back({kernel, plan.shared_bytes, rate});
        meter.add({measured, name, count, candidate, rate});
    };
    constexpr Candidates tried = candidates(measured);
    [&]<std::size_t... k>(std::index_sequence<k...>) {
        (try_candidate.template operator()<tried.all[k]>(), ...);
    }(std::make_index_sequence<static_cast<std::size_t>(tried.count)>{});
}

} // namespace perf::tune
