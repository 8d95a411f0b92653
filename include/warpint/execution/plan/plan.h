// SPDX-License-Identifier: Apache-2.0
// The plan of a formula, made once for an assignment: what is launched is what explain() prints. A
// step (program.h) is planned by choosing a row (tuning/choose.h), which looks at the cost only,
// and fitting it to the kernel that was loaded. None of it depends on the formula's type, so that
// it is compiled once.
#pragma once

#include "../../expression/batch.h"
#include "tuning/row.h"

#include <string>
#include <vector>

namespace warpint {

class memory_resource;

namespace execution {

// How a formula runs. Sizes are in bytes.
struct Execution {
    KernelFamily family = KernelFamily::cpu_threads;
    WorkKind kind = WorkKind::streaming;
    int widest_bits = 0; // of the values in the formula as it was written
    int lanes_per_number = 1;
    int threads_per_block = 0; // GPU; on the CPU the number of threads
    Loading loading = Loading::direct;
    int window = 0;                  // of the widest modular power's exponent, in bits; else 0
    int registers = 0;               // per thread; 0 on the CPU
    int local_bytes = 0;             // local memory per thread
    int shared_bytes = 0;            // shared memory per block
    std::size_t workspace_bytes = 0; // memory that the run takes besides operands and results
    // Of a power: elements that blocks on tensor cores compute; the others run as said above.
    std::size_t tensor_elements = 0;
    std::size_t spread_elements = 0; // or blocks of their own, of small batches
    // Of operands and results in memory, read and written, for all elements. A vector that the
    // formula names twice is loaded twice, the second time from a cache: it counts once.
    std::size_t bytes_moved = 0;

    friend bool operator==(const Execution &, const Execution &) = default;
};

} // namespace execution

// How a formula would run here, and why. A formula of several steps, each a launch: of the last
// step, which stores or reduces the formula, with those before it.
struct Explanation : execution::Execution {
    std::string reason;
    std::vector<Explanation> before; // the steps whose values it reads, as they run
    // Elements for which all steps run before they run for the next: fewer than all where scratch
    // memory would exceed an eighth of the GPU's. 0: all.
    std::size_t elements_at_once = 0;

    friend bool operator==(const Explanation &, const Explanation &) = default;

    // A line for each step.
    [[nodiscard]] std::string to_string() const {
        using std::to_string;
        if (before.empty())
            return of_step();
        std::string text;
        const auto head = [&](std::size_t i) {
            return "step " + to_string(i) + " of " + to_string(before.size() + 1) + ": ";
        };
        for (std::size_t i = 0; i < before.size(); ++i)
            text += head(i + 1) + before[i].of_step() + "\n";
        return text + head(before.size() + 1) + of_step();
    }

private:
    [[nodiscard]] std::string of_step() const {
        using std::to_string;
        std::string text = std::string(name(family)) + ", " + name(kind) + " of " +
                           to_string(widest_bits) + " bits, " + to_string(lanes_per_number) +
                           (lanes_per_number == 1 ? " lane" : " lanes") + " per number, " +
                           to_string(threads_per_block) +
                           (threads_per_block == 1 ? " thread" : " threads") +
                           (family == execution::KernelFamily::cpu_threads ? "" : " per block");
        if (window > 0)
            text += ", window " + to_string(window);
        if (registers > 0) {
            text += std::string(", ") + name(loading) + ", " + to_string(registers) +
                    " registers, " + to_string(local_bytes) + " B local, " +
                    to_string(shared_bytes) + " B shared";
        }
        if (tensor_elements > 0)
            text += ", " + to_string(tensor_elements) + " elements on tensor cores";
        if (spread_elements > 0)
            text += ", " + to_string(spread_elements) + " elements by a block each";
        if (workspace_bytes > 0)
            text += ", " + to_string(workspace_bytes) + " B of workspace";
        if (elements_at_once > 0)
            text += ", " + to_string(elements_at_once) + " elements at a time";
        return text + ", " + to_string(bytes_moved) + " B moved: " + reason;
    }
};

namespace execution {

// What the driver knows of a kernel on a device.
struct KernelFacts {
    tuning::Gpu gpu = 0;
    int registers = 0;
    int local_bytes = 0;
    int max_threads = 0;
    int multiprocessors = 0; // of the device
};

struct Plan : Execution {
    // On a GPU.
    tuning::Choice choice;        // the row, by value
    const void *kernel = nullptr; // of this signature: kernels/formula.h
    std::size_t blocks = 0;
    bool reduces = false; // to one value: only the loading is the row's
    bool sums_columns = false;
    std::size_t round = 0;        // elements on tensor cores at a time
    std::size_t values_bytes = 0; // of scratch memory that holds its values, for later steps
    // Runs the step for elements [0, count) by this plan, on a stream of the current device: the
    // target and the tree are of the types that it was planned for. Null: a reduction.
    void (*run)(const Plan &plan, const void *target, std::size_t count, const void *tree,
                memory_resource &memory, stream_handle stream) = nullptr;

    const char *reason = ""; // empty: the row
};

// Of a formula: of its last step, with those before it.
struct FormulaPlan : Plan {
    std::vector<Plan> before;
    std::size_t elements_at_once = 0; // as Explanation's
};

inline std::string reason_of(const Plan &plan) {
    if (plan.family == KernelFamily::cpu_threads || *plan.reason != '\0')
        return plan.reason;
    const TuningRow &row = plan.choice.row;
    std::string text = plan.reduces ? "the blocks of reductions, loading as " : "";
    const int architecture = plan.choice.architecture;
    text += plan.choice.is_measured ? "" : "not measured here: ";
    text += "the row of compute capability " + std::to_string(architecture / 10) + "." +
            std::to_string(architecture % 10) + " (" + row.measured + ") for " + name(row.kind);
    if (row.max_bits != any_width)
        text += ", up to " + std::to_string(row.max_bits) + " bits";
    if (row.min_count != 0)
        text += ", from " + std::to_string(row.min_count) + " elements";
    if (plan.reduces && plan.loading != row.loading)
        text += "; but its numbers are not transposed: too narrow, too wide, unaligned or over "
                "lanes";
    return text;
}

inline Explanation explanation_of(const Plan &step) {
    Explanation result;
    static_cast<Execution &>(result) = step;
    result.workspace_bytes += step.values_bytes;
    result.reason = reason_of(step);
    return result;
}
inline Explanation explanation_of(const FormulaPlan &plan) {
    Explanation result = explanation_of(static_cast<const Plan &>(plan));
    for (const Plan &step : plan.before)
        result.before.push_back(explanation_of(step));
    result.elements_at_once = plan.elements_at_once;
    return result;
}

// What the last formula or reduction of this thread ran as, noted where it was launched. explain()
// of the same says the same.
inline FormulaPlan &last_run() {
    thread_local FormulaPlan plan;
    return plan;
}

} // namespace execution
} // namespace warpint
