// SPDX-License-Identifier: Apache-2.0
// From a formula and its targets to one launch: checks, plan, lowering, run. Explaining a formula
// takes the same way up to the run.
#pragma once

#include "evaluate_let.h"
#include "evaluate_residues.h"
#include "inverses.h"
#include "inverses_cuda.h"
#include "operands.h"
#include "run_cpu.h"
#include "run_cuda.h"
#include "tuning/rows.h"

#include <optional>
#include <sstream>
#include <tuple>

namespace warpint {

// How a formula would run here. Sizes in bytes.
struct Explanation {
    execution::KernelFamily family = execution::KernelFamily::cpu_threads;
    execution::WorkKind kind = execution::WorkKind::streaming;
    int widest_bits = 0; // of the values in the formula
    int lanes_per_number = 1;
    int threads_per_block = 0; // GPU; on the CPU the number of threads
    execution::Loading loading = execution::Loading::direct;
    int window = 0;              // of the widest modular power's exponent, in bits; else 0
    int registers = 0;           // per thread; 0 on the CPU
    int local_bytes = 0;         // local memory per thread
    int shared_bytes = 0;        // shared memory per block
    std::size_t workspace = 0;   // memory beside operands and results
    std::size_t bytes_moved = 0; // read and written, for all elements
    std::string reason;

    friend bool operator==(const Explanation &, const Explanation &) = default;

    [[nodiscard]] std::string to_string() const {
        std::ostringstream text;
        text << name(family) << ", " << name(kind) << " of " << widest_bits << " bits, "
             << lanes_per_number << " lane(s) per number, " << threads_per_block
             << (family == execution::KernelFamily::cpu_threads ? " threads"
                                                                : " threads per block");
        if (window > 0)
            text << ", window " << window;
        if (registers > 0) {
            text << ", " << name(loading) << ", " << registers << " registers, " << local_bytes
                 << " B local, " << shared_bytes << " B shared";
        }
        if (workspace > 0)
            text << ", " << workspace << " B workspace";
        text << ", " << bytes_moved << " B moved: " << reason;
        return text.str();
    }
};

namespace execution {

// A decision with what is known of the formula it was made for.
struct Decision {
    Plan plan;
    Work work;
    int described_bits = 0; // of the widest value in the formula as it was written
    std::size_t size = 0;
    int registers = 0;
    int local_bytes = 0;
};

inline Explanation explanation_of(const Decision &decision) {
    Explanation result;
    result.family = decision.plan.family;
    result.kind = decision.work.kind;
    result.widest_bits = decision.described_bits;
    result.lanes_per_number = decision.plan.lanes;
    result.threads_per_block = decision.plan.threads_per_block;
    result.loading = decision.plan.loading;
    result.window = decision.plan.window;
    result.registers = decision.registers;
    result.local_bytes = decision.local_bytes;
    result.shared_bytes = decision.plan.shared_bytes;
    result.workspace = decision.plan.workspace;
    result.bytes_moved = decision.size * static_cast<std::size_t>(decision.work.bytes_moved);
    result.reason = decision.plan.reason;
    return result;
}

// What the last formula of this thread ran as, noted where it was launched. explain() of the same
// formula says the same.
struct LastRun {
    Decision decision;

    [[nodiscard]] const Plan &plan() const { return decision.plan; }
    [[nodiscard]] Explanation explanation() const { return explanation_of(decision); }
};
inline LastRun &last_run() {
    thread_local LastRun ran;
    return ran;
}

// The window of a lowered tree's widest modular power, in bits.
template <class Leaf>
constexpr int window_of(const Leaf &, bool) {
    return 0;
}
template <int Bits>
constexpr int window_of(const expression::ConstantLeaf<expression::SharedExponent<Bits>> &leaf,
                        bool) {
    return leaf.value.schedule.window;
}
template <int Bits, int ExponentBits>
constexpr int
window_of(const expression::ConstantLeaf<expression::SharedBase<Bits, ExponentBits>> &, bool) {
    return FixedBase<Bits, ExponentBits>::teeth;
}
template <class Operation, class... Operands>
constexpr int window_of(const expression::Node<Operation, Operands...> &node, bool on_gpu) {
    int window = 0;
    [&]<std::size_t... i>(std::index_sequence<i...>) {
        ((window = std::max(window, window_of(expression::slot<i>(node.operands), on_gpu))), ...);
    }
    (std::index_sequence_for<Operands...>{});
    if constexpr (std::is_same_v<Operation, expression::operation::Power>) {
        using Values = std::tuple<typename Operands::value_type...>;
        using E = std::tuple_element_t<1, Values>;
        constexpr int modulus_bits = expression::value_bits<std::tuple_element_t<2, Values>>;
        if constexpr (AnyNumber<E>) { // exponents that differ
            window = std::max(
                window, number::power_window(number::bits_of<E>, Modulus<modulus_bits>::limb_count,
                                             on_gpu ? number::device_power_table_bytes
                                                    : number::host_power_table_bytes,
                                             on_gpu ? algorithm::PowerMethod::fixed_windows
                                                    : algorithm::PowerMethod::sliding_windows));
        }
    }
    return window;
}

} // namespace execution

inline namespace WARPINT_BACKEND {
namespace execution_backend {

using execution::Extent;

template <class Tree>
Extent extent_of(const Tree &tree, Location of_indices) {
    return execution::extent_of(execution::OperandList<Tree>(tree), of_indices);
}

// Where a result goes: the elements of a storage, or of a view (storage null, no room for faults).
template <class T>
struct Destination {
    T *data = nullptr;
    std::size_t size = 0;
    Location location;
    Storage *storage = nullptr;

    explicit Destination(Storage &to)
        : data{static_cast<T *>(to.data)}, size{to.size}, location{to.location}, storage{&to} {}
    Destination(T *to, std::size_t count, Location place)
        : data{to}, size{count}, location{place} {}
};

// The rows of a view.
template <class T>
struct Destination<expression::InLimbRows<T>> {
    expression::LimbRows<T> data;
    std::size_t size = 0;
    Location location;
    Storage *storage = nullptr;
};
template <class T>
constexpr std::size_t stride_of(T *) {
    return 0;
}
template <class T>
constexpr std::size_t stride_of(const expression::LimbRows<T> &rows) {
    return rows.stride;
}

// The elements of a storage, or of memory at an address, as T.
template <class T>
Destination<T> destination_of(Storage &to) {
    return Destination<T>(to);
}
template <class T>
Destination<T> destination_of(void *to, std::size_t count, Location place) {
    return Destination<T>(static_cast<T *>(to), count, place);
}

// A formula ready to run: the decision, and the tree made for it.
template <class Tree>
struct Prepared {
    using Lowered = expression::lowered_t<Tree>;
    static_assert(std::is_trivially_copyable_v<Lowered>);

    execution::Decision decision;
    Lowered tree;
};

// Whether a formula for which is_bulk_inverse holds runs so. On a CPU operations inside it that a
// group computes together come first (collective.h).
template <class Lowered>
bool inverts_together(const Lowered &tree, [[maybe_unused]] const Extent &extent) {
#if WARPINT_CUDA
    if (extent.location.on_gpu()) {
        return extent.size >= execution::least_bulk_inverses &&
               execution::SharedInverse<Lowered>::modulus_exists(tree);
    }
#endif
    using Inverse = execution::SharedInverse<Lowered>;
    return !execution::collective::has_collective<typename Inverse::Operand> &&
           Inverse::modulus_exists(tree);
}

template <class Tree, class... T>
Prepared<Tree> prepare(const Tree &tree, const Extent &extent, [[maybe_unused]] bool aligned) {
    using Lowered = expression::lowered_t<Tree>;
    execution::Decision decision;
    constexpr execution::Work work = execution::work_of<Lowered, T...>();
    decision.work = work;
    decision.described_bits = expression::properties<Tree>.widest_bits;
    decision.size = extent.size;
    execution::Plan &plan = decision.plan;
#if WARPINT_CUDA
    if (extent.location.on_gpu()) {
        plan = execution::plan_on_gpu<Lowered, T...>(extent.size, extent.location.device, aligned);
        const auto facts = execution::kernel_facts<Lowered, T...>(extent.location.device);
        decision.registers = facts.registers;
        decision.local_bytes = facts.local_bytes;
    } else
#endif
    {
        plan.threads_per_block = static_cast<int>(execution::threads_for(
            extent.size, execution::cpu_group, execution::operations_per_element<Lowered>()));
        plan.reason = execution::collective::reason<Lowered>();
    }
    const bool on_gpu = extent.location.on_gpu();
    Prepared<Tree> prepared{decision,
                            expression::lower_formula(tree, {on_gpu, plan.most_window})};
    execution::Plan &made = prepared.decision.plan;
    if (made.window == 0)
        made.window = execution::window_of(prepared.tree, on_gpu);
    if constexpr (execution::is_bulk_inverse<Lowered, T...>) {
        if (inverts_together(prepared.tree, extent))
            made.reason = "inverses modulo one modulus: one inversion for many elements";
    }
    return prepared;
}

template <class Lowered, class... T>
bool run_on_cpu(const execution::Target<T...> &target, const Extent &extent, const Lowered &tree) {
    if constexpr (execution::is_bulk_inverse<Lowered, T...>) {
        if (inverts_together(tree, extent))
            return execution::run_inverses_on_cpu(target, extent.size, tree);
    }
    return execution::run_on_cpu(target, extent.size, tree);
}

// Runs the formula into its destinations, all of the formula's size: exactly one launch (none for
// an empty batch).
template <class Tree, class... T>
void assign(const Tree &tree, [[maybe_unused]] stream_handle stream, Destination<T>... to) {
    expression::check_spaces<Tree>();
    static_assert(execution::part_count<typename Tree::value_type> == sizeof...(T),
                  "as many targets as the formula has results: tie(q, r) = divmod(a, b)");
    const execution::Result results[] = {
        {to.data, to.size, sizeof(T), to.location, to.storage, stride_of(to.data)}...};
    const execution::OperandList<Tree> operands(tree);
    const Extent extent = execution::extent_of(operands, results[0].location);
    execution::check_results(results, operands, extent);
    if (extent.size == 0) {
        execution::set_faults(results, false);
        return;
    }
    const Prepared<Tree> ready =
        prepare<Tree, T...>(tree, extent, execution::are_aligned(results, operands));
    using Lowered = typename Prepared<Tree>::Lowered;
    constexpr expression::Properties properties = expression::properties<Lowered>;
    const bool can_fault = properties.can_fault || expression::constants_fault(ready.tree) ||
                           execution::may_have_faults(operands) ||
                           (properties.runs_user_code && !extent.location.on_gpu());
    const execution::Target<T...> target{{{execution::Place<T>{
        to.data, can_fault && to.storage != nullptr ? to.storage->faults : nullptr}}...}};
    bool faults = can_fault;
#if WARPINT_CUDA
    if (extent.location.on_gpu()) {
        const int device = extent.location.device;
        const execution::CurrentDevice current(device);
        execution::OrderedWork work(device, stream, operands, results);
        bool done = false;
        if constexpr (execution::is_bulk_inverse<Lowered, T...>) {
            if (inverts_together(ready.tree, extent)) {
                execution::run_inverses_on_gpu(target, extent.size, ready.tree,
                                               execution::is_in_place(results, operands),
                                               *default_resource(extent.location), stream);
                done = true;
            }
        }
        if (!done)
            execution::run_on_gpu(target, extent.size, ready.tree, ready.decision.plan, stream);
        work.done();
    } else
#endif
        faults = run_on_cpu<Lowered>(target, extent, ready.tree);
    execution::set_faults(results, faults);
    execution::launch_counter().fetch_add(1, std::memory_order_relaxed);
    execution::last_run().decision = ready.decision;
}

template <class Tree, class... T>
Explanation explain(const Tree &tree) {
    expression::check_spaces<Tree>();
    const execution::OperandList<Tree> operands(tree);
    const Extent extent = execution::extent_of(operands, device_location());
#if WARPINT_CUDA
    std::optional<execution::CurrentDevice> current;
    if (extent.location.on_gpu())
        current.emplace(extent.location.device);
#endif
    return execution::explanation_of(
        prepare<Tree, T...>(tree, extent, execution::are_aligned({}, operands)).decision);
}

} // namespace execution_backend
} // namespace WARPINT_BACKEND
} // namespace warpint
