// SPDX-License-Identifier: Apache-2.0
// From a formula and its targets to one launch: checks, plan, lowering, run. Explaining a formula
// takes the same way up to the run.
#pragma once

#include "decision.h"
#include "evaluate_let.h"
#include "evaluate_residues.h"
#include "inverses.h"
#include "inverses_cuda.h"
#include "plan_cuda.h"
#include "run_cpu.h"
#include "run_cuda.h"
#include "tuning/rows.h"
#include "view_marks.h"

namespace warpint {
inline namespace WARPINT_BACKEND {
namespace execution_backend {

using execution::Extent;

template <class Tree>
Extent extent_of(const Tree &tree, Location of_indices) {
    return execution::extent_of(execution::OperandList<Tree>(tree), of_indices);
}

// Where a result goes: the elements of a storage, or of a view (storage null; no room for faults
// without marks).
template <class T>
struct Destination {
    T *data = nullptr;
    std::size_t size = 0;
    Location location;
    Storage *storage = nullptr;
    expression::MemoryMarks *marks = nullptr; // of a view of a vector

    explicit Destination(Storage &to)
        : data{static_cast<T *>(to.data)}, size{to.size}, location{to.location}, storage{&to} {}
    Destination(T *to, std::size_t count, Location place, expression::MemoryMarks *of_vector)
        : data{to}, size{count}, location{place}, marks{of_vector} {}
};

// The rows of a view.
template <class T>
struct Destination<expression::InLimbRows<T>> {
    expression::LimbRows<T> data;
    std::size_t size = 0;
    Location location;
    Storage *storage = nullptr;
    expression::MemoryMarks *marks = nullptr;
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
Destination<T> destination_of(void *to, std::size_t count, Location place,
                              expression::MemoryMarks *of_vector) {
    return Destination<T>(static_cast<T *>(to), count, place, of_vector);
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

// What a formula's types alone say. What decides looks at this and not at the types: it is compiled
// once and not for every formula.
struct FormulaFacts {
    execution::Work work;
    int described_bits;     // of the widest value in the formula as it was written
    std::size_t operations; // of limbs, for each element
    const char *(*cpu_reason)(); // how CPUs run it
#if WARPINT_CUDA
    execution::KernelTraits kernel{}; // null: never on a GPU
#endif
};

// The decision for a batch, on the GPU that is current if the extent is on one. aligned: whether all
// operands and results lie on multiples of 16 bytes.
inline execution::Decision decide(const FormulaFacts &facts, const Extent &extent,
                                  [[maybe_unused]] bool aligned) {
    execution::Decision decision;
    decision.work = facts.work;
    decision.described_bits = facts.described_bits;
    decision.size = extent.size;
#if WARPINT_CUDA
    if (extent.location.on_gpu()) {
        const auto [plan, kernel] = execution::plan_on_gpu(
            facts.kernel, extent.location.device, facts.work, extent.size, aligned);
        decision.plan = plan;
        decision.registers = kernel.registers;
        decision.local_bytes = kernel.local_bytes;
        return decision;
    }
#endif
    decision.plan.threads_per_block = static_cast<int>(
        execution::threads_for(extent.size, execution::cpu_group, facts.operations));
    decision.plan.reason = facts.cpu_reason();
    return decision;
}

// Host vectors are never on a GPU: no kernel is compiled for their formulas, which may call what only
// hosts can.
template <class Tree>
inline constexpr bool may_run_on_gpu = WARPINT_CUDA && !expression::properties<Tree>.on_host;

template <class Tree, class... T>
FormulaFacts facts_of() {
    using Lowered = expression::lowered_t<Tree>;
    constexpr execution::Work work = execution::work_of<Lowered, T...>();
    constexpr std::size_t operations = execution::operations_per_element<Lowered>();
    FormulaFacts facts{work, expression::properties<Tree>.widest_bits, operations,
                                  &execution::collective::reason<Lowered>};
#if WARPINT_CUDA
    if constexpr (may_run_on_gpu<Tree>)
        facts.kernel = execution::kernel_traits<Lowered, T...>();
#endif
    return facts;
}

template <class Tree, class... T>
Prepared<Tree> prepare(const Tree &tree, const Extent &extent, bool aligned) {
    const execution::Decision decision =
        decide(facts_of<Tree, T...>(), extent, aligned);
    const bool on_gpu = extent.location.on_gpu();
    Prepared<Tree> prepared{decision,
                            expression::lower_formula(tree, {on_gpu, decision.plan.most_window})};
    execution::Plan &plan = prepared.decision.plan;
    if constexpr (expression::properties<Tree>.power_bits > 0) {
        if (plan.window == 0)
            plan.window = execution::window_of(prepared.tree, on_gpu);
    }
    if constexpr (execution::is_bulk_inverse<expression::lowered_t<Tree>, T...>) {
        if (inverts_together(prepared.tree, extent))
            plan.reason = "inverses modulo one modulus: one inversion for many elements";
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

#if WARPINT_CUDA

template <class Lowered, class... T>
void run_on_gpu(const execution::Target<T...> &target, const Extent &extent, const Lowered &tree,
                const execution::Plan &plan, [[maybe_unused]] bool in_place, stream_handle stream) {
    if constexpr (execution::is_bulk_inverse<Lowered, T...>) {
        if (inverts_together(tree, extent)) {
            execution::run_inverses_on_gpu(target, extent.size, tree, in_place,
                                           *default_resource(extent.location), stream);
            return;
        }
    }
    execution::run_on_gpu(target, extent.size, tree, plan, stream);
}

#endif

// Runs the formula into its destinations, all of the formula's size: exactly one launch (none for
// an empty batch).
template <class Tree, class... T>
void assign(const Tree &tree, [[maybe_unused]] stream_handle stream, Destination<T>... to) {
    expression::check_spaces<Tree>();
    static_assert(execution::part_count<typename Tree::value_type> == sizeof...(T),
                  "as many targets as the formula has results: tie(q, r) = divmod(a, b)");
    using Lowered = typename Prepared<Tree>::Lowered;
    const execution::Result results[] = {
        {to.data, to.size, sizeof(T), to.location, to.storage, stride_of(to.data), to.marks}...};
    const execution::OperandList<Tree> operands(tree);
    const execution::Assignment assignment(results, operands);
    if (assignment.is_empty())
        return;
    const Extent &extent = assignment.extent();
#if WARPINT_CUDA
    const execution::CurrentDevice current(extent.location);
#endif
    if (has_view_marks(operands)) { // rare
        Tree marked = tree;
        const OperandMarks words(execution::OperandList<Tree>(marked), extent.location, stream);
        assign(marked, stream, to...);
        return;
    }
    const Prepared<Tree> ready = prepare<Tree, T...>(tree, extent, assignment.is_aligned());
    constexpr expression::Properties properties = expression::properties<Lowered>;
    const bool can_fault = properties.can_fault || expression::constants_fault(ready.tree) ||
                           assignment.operands_may_have_faults() ||
                           (properties.runs_user_code && !extent.location.on_gpu());
    ResultMarks view_words(results, can_fault, extent.location, stream);
    const execution::Target<T...> target{{{execution::Place<T>{
        to.data, can_fault ? view_words.fault_words(to.storage, to.marks) : nullptr}}...}};
    bool faults = can_fault;
    if (!extent.location.on_gpu()) {
        faults = run_on_cpu<Lowered>(target, extent, ready.tree);
    } else {
#if WARPINT_CUDA
        if constexpr (may_run_on_gpu<Tree>) {
            execution::OrderedWork work(extent.location.device, stream, operands, results);
            run_on_gpu(target, extent, ready.tree, ready.decision.plan, assignment.is_in_place(),
                       stream);
            work.done();
        }
#endif
    }
    view_words.store(faults);
    assignment.finish(ready.decision, faults);
}

template <class Tree, class... T>
Explanation explain(const Tree &tree) {
    expression::check_spaces<Tree>();
    const execution::OperandList<Tree> operands(tree);
    const Extent extent = execution::extent_of(operands, device_location());
#if WARPINT_CUDA
    const execution::CurrentDevice current(extent.location);
#endif
    return execution::explanation_of(
        prepare<Tree, T...>(tree, extent, execution::are_aligned({}, operands)).decision);
}

} // namespace execution_backend
} // namespace WARPINT_BACKEND
} // namespace warpint
