// From a formula and a target to one launch: checks, decision, run. Also explains the decision.
#pragma once

#include "backend.h"
#include "run_cpu.h"
#include "run_cuda.h"
#include "selection.h"

#include <sstream>

namespace warpint {

inline namespace WARPINT_BACKEND {

// How a formula would run here. Sizes in bytes.
struct Explanation {
    execution::KernelFamily family = execution::KernelFamily::cpu_threads;
    execution::WorkKind kind = execution::WorkKind::streaming;
    int widest_bits = 0; // of the values in the formula
    int lanes_per_number = 1;
    int threads_per_block = 0;   // GPU; on the CPU the number of threads
    int window = 0;              // exponent window of a full-width modular power, in bits; else 0
    int registers = 0;           // per thread; 0 on the CPU
    int local_bytes = 0;         // local memory per thread
    int shared_bytes = 0;        // shared memory per block
    std::size_t bytes_moved = 0; // read and written, for all elements
    std::string reason;

    [[nodiscard]] std::string to_string() const {
        std::ostringstream text;
        text << execution::name(family) << ", " << execution::name(kind) << " of " << widest_bits
             << " bits, " << lanes_per_number << " lane(s) per number, " << threads_per_block
             << (family == execution::KernelFamily::cpu_threads ? " threads"
                                                                : " threads per block");
        if (window > 0)
            text << ", window " << window;
        if (registers > 0) {
            text << ", " << registers << " registers, " << local_bytes << " B local, "
                 << shared_bytes << " B shared";
        }
        text << ", " << bytes_moved << " B moved: " << reason;
        return text.str();
    }
};

namespace execution_backend {

// The number of elements and the place of a formula; throws if its vectors disagree.
struct Extent {
    std::size_t size = 0;
    Location location;
};

template <class Tree>
Extent extent_of(const Tree &tree) {
    Extent extent;
    bool first = true;
    expression::for_each_vector(tree, [&](const auto &leaf) {
        if (first) {
            extent = Extent{leaf.size, leaf.location};
            first = false;
            return;
        }
        if (leaf.size != extent.size) {
            throw size_mismatch("warpint: batches of " + std::to_string(extent.size) + " and " +
                                std::to_string(leaf.size) + " elements in one formula");
        }
        if (!(leaf.location == extent.location))
            throw wrong_location("warpint: batches on different devices in one formula");
    });
    return extent;
}

// An operand may be the target itself, element for element, but not overlap it in any other way.
template <class T, class Tree>
void check_overlap(const T *out, std::size_t count, const Tree &tree) {
    const auto begin = reinterpret_cast<std::uintptr_t>(out);
    const auto end = begin + count * sizeof(T);
    expression::for_each_vector(tree, [&](const auto &leaf) {
        using Element = typename std::remove_cvref_t<decltype(leaf)>::value_type;
        const auto leaf_begin = reinterpret_cast<std::uintptr_t>(leaf.data);
        const auto leaf_end = leaf_begin + leaf.size * sizeof(Element);
        const bool disjoint = leaf_end <= begin || end <= leaf_begin;
        const bool same = leaf_begin == begin && sizeof(Element) == sizeof(T);
        if (!disjoint && !same)
            throw wrong_location("warpint: the target overlaps an operand at another offset");
    });
}

// Runs the formula into out[0, count): exactly one launch (none for an empty batch). faults points
// to one bit per element, or is null if the formula cannot fault.
template <class T, class Tree>
void assign(T *out, std::uint32_t *faults, std::size_t count, Location location, const Tree &tree,
            [[maybe_unused]] stream_handle stream) {
    const Extent extent = extent_of(tree);
    if (extent.size != count) {
        throw size_mismatch("warpint: a formula of " + std::to_string(extent.size) +
                            " elements and a target of " + std::to_string(count));
    }
    if (!(extent.location == location))
        throw wrong_location("warpint: the target is on another device than the formula");
    check_overlap(out, count, tree);
    if (count == 0)
        return;
#if WARPINT_CUDA
    if (location.on_gpu()) {
        const execution::CurrentDevice current(location.device);
        execution::run_on_gpu(out, faults, count, tree, location.device, stream);
        execution::launch_counter().fetch_add(1, std::memory_order_relaxed);
        return;
    }
#endif
    execution::run_on_cpu(out, faults, count, tree);
    execution::launch_counter().fetch_add(1, std::memory_order_relaxed);
}

template <class T, class Tree>
Explanation explain(const Tree &tree) {
    const Extent extent = extent_of(tree);
    constexpr execution::Workload work = execution::workload_of<Tree, T>();
    Explanation result;
    result.kind = work.kind;
    result.widest_bits = work.widest_bits;
    result.bytes_moved =
        extent.size * (static_cast<std::size_t>(expression::Summary<Tree>::bytes_read) + sizeof(T));
    const int element_limbs = 2 * ((work.widest_bits + 63) / 64);
    if (work.kind == execution::WorkKind::power) {
        using enum algorithm::PowerMethod;
        const bool in_step =
            extent.location.on_gpu() && expression::Summary<Tree>::has_private_power;
        const int table = extent.location.on_gpu() ? number::device_power_table_bytes
                                                   : number::host_power_table_bytes;
        result.window = number::power_window(work.widest_bits, element_limbs, table,
                                             in_step ? fixed_windows : sliding_windows);
    }
#if WARPINT_CUDA
    if (extent.location.on_gpu()) {
        const execution::CurrentDevice current(extent.location.device);
        const execution::LaunchShape shape =
            execution::launch_shape<T, Tree>(extent.location.device);
        result.family = execution::KernelFamily::thread_per_number;
        result.threads_per_block = shape.policy.threads_per_block;
        result.registers = shape.registers;
        result.local_bytes = shape.local_bytes;
        result.shared_bytes = shape.shared_bytes;
        result.reason = std::string("the only family built so far; row of capability ") +
                        std::to_string(shape.policy.compute_capability) + " for " +
                        execution::name(work.kind) + " up to " +
                        std::to_string(shape.policy.max_bits) + " bits, " +
                        (shape.policy.loading == execution::Loading::through_shared
                             ? "numbers transposed in shared memory"
                             : "numbers loaded directly");
        return result;
    }
#endif
    result.family = execution::KernelFamily::cpu_threads;
    result.threads_per_block = static_cast<int>(execution::cpu_threads());
    result.reason = "the batch lies in host memory";
    return result;
}

} // namespace execution_backend
} // namespace WARPINT_BACKEND
} // namespace warpint
