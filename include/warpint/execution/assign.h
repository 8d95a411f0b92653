// SPDX-License-Identifier: Apache-2.0
// From a formula and its targets to one launch: checks, plan, lowering, run. Explaining a formula
// takes the same way up to the run.
#pragma once

#include "evaluation/evaluate_let.h"
#include "evaluation/evaluate_residues.h"
#include "operands.h"
#include "run_cuda.h"
#include "run_rows.h"
#include "run_rows_cuda.h"
#include "views.h"
#include "window.h"

#include <memory>
#include <span>
#include <variant>

namespace warpint {
inline namespace WARPINT_BACKEND {
namespace execution_backend {

using execution::Extent;

// Where a result goes, and as which elements it is written.
template <class T>
struct Destination : execution::Result {
    explicit Destination(Storage &to)
        : execution::Result{to.data, to.size, sizeof(T), to.location, &to} {}
    // A view; no room for faults without marks.
    Destination(void *to, std::size_t count, Location place, expression::MemoryMarks *of_vector)
        : execution::Result{to, count, sizeof(T), place, nullptr, 0, of_vector} {}
    // moved: where they have to be written instead, or null.
    [[nodiscard]] T *elements(void *moved) const {
        return static_cast<T *>(moved != nullptr ? moved : data);
    }
};
template <class T>
struct Destination<expression::InLimbRows<T>> : execution::Result {
    expression::LimbRows<T> rows;

    Destination(const expression::LimbRows<T> &to, std::size_t count, Location place)
        : execution::Result{to.limbs, count, sizeof(T), place, nullptr, to.stride}, rows{to} {}
    [[nodiscard]] const expression::LimbRows<T> &elements(void *) const { return rows; }
};

#if WARPINT_CUDA
// Whether a batch of a formula that GPUs evaluate in rows is.
template <class Lowered>
bool runs_in_rows(const Lowered &tree, const Extent &extent) {
    const auto formula = execution::cut_formula<execution::GpuCuts>(tree);
    return extent.size >= execution::min_in_rows<std::remove_const_t<decltype(formula)>> &&
           execution::moduli_exist(formula);
}
#endif

// What the types of a formula or a reduction alone say. What plans and runs looks at this and not
// at the types: it is compiled once and not for every formula.
struct FormulaFacts {
    execution::Cost cost;        // of the tree that runs
    int written_bits = 0;        // of the widest value in the formula as it was written
    int written_bytes = 0;       // of its operands and results, for each element
    std::size_t min_grouped = 0; // elements that a CPU does together
#if WARPINT_CUDA
    // The plan for a GPU, which is current; null: never on one.
    execution::Plan (*plan_on_gpu)(std::size_t count, int device, bool aligned) = nullptr;
#endif
};

// Host vectors are never on a GPU: no kernel is compiled for their formulas, which may call what
// only hosts can.
template <class Tree>
inline constexpr bool may_run_on_gpu = WARPINT_CUDA && !expression::cost<Tree>.on_host;

template <class Tree, class... T>
constexpr FormulaFacts facts_on_cpu() {
    using Lowered = expression::lowered_t<Tree>;
    FormulaFacts facts;
    facts.cost = expression::cost<Lowered>;
    facts.written_bits = expression::cost<Tree>.widest_bits;
    facts.written_bytes = (expression::cost<Tree>.bytes_moved + ... + static_cast<int>(sizeof(T)));
    facts.min_grouped = execution::collective::min_grouped<Lowered>;
    return facts;
}
template <class Tree, class... T>
inline constexpr FormulaFacts formula_facts = [] {
    FormulaFacts facts = facts_on_cpu<Tree, T...>();
#if WARPINT_CUDA
    if constexpr (may_run_on_gpu<Tree>) {
        using Lowered = expression::lowered_t<Tree>;
        facts.plan_on_gpu = &execution::plan_formula<Lowered, T...>;
    }
#endif
    return facts;
}();

// The plan for a batch, on the GPU that is current if the extent is on one; its window is known
// when the formula is lowered (lower_as_planned).
WARPINT_NOINLINE inline execution::Plan
make_plan(const FormulaFacts &facts, const Extent &extent,
          std::span<const execution::Operand> operands,
          [[maybe_unused]] std::span<const execution::Result> results) {
    execution::Plan plan;
#if WARPINT_CUDA
    if (extent.location.on_gpu()) {
        plan = facts.plan_on_gpu(extent.size, extent.location.device,
                                 execution::are_aligned(results, operands));
    }
#endif
    if (!extent.location.on_gpu()) {
        plan.threads_per_block = static_cast<int>(execution::threads_for(
            extent.size, execution::cpu_group, execution::operations_of(facts.cost)));
        plan.reason = execution::collective::reason(facts.min_grouped, extent.size);
    }
    plan.kind = facts.cost.work;
    plan.widest_bits = facts.written_bits;
    plan.bytes_moved = extent.size * static_cast<std::size_t>(facts.written_bytes -
                                                              execution::repeated_bytes(operands));
    return plan;
}

// The tree that runs. What of the plan depends on its constants is entered into the plan.
template <class Tree, class... T>
expression::lowered_t<Tree>
lower_as_planned(const Tree &tree, const expression::LoweringTarget &target,
                 [[maybe_unused]] const Extent &extent, [[maybe_unused]] bool in_place,
                 [[maybe_unused]] execution::Plan &plan) {
    using Lowered = expression::lowered_t<Tree>;
    constexpr bool inverts = execution::has_cuts<execution::Inverses, Lowered>;
    constexpr bool has_cuts = execution::has_cuts<execution::GpuCuts, Lowered>;
    if constexpr (expression::cost<Lowered>.exponent_bits == 0 && !has_cuts) {
        return expression::lower_formula(tree, target);
    } else {
        const auto lowered = expression::lower_formula(tree, target);
        if constexpr (expression::cost<Lowered>.exponent_bits > 0)
            plan.window = execution::window_of(lowered, plan, target.on_gpu ? 0 : extent.size);
        if constexpr (has_cuts) {
            constexpr const char *reason =
                inverts ? "inverses modulo one modulus: one inversion for many elements"
                        : "the threads of a block together";
            if (inverts && !extent.location.on_gpu())
                plan.reason = reason;
#if WARPINT_CUDA
            if constexpr (may_run_on_gpu<Tree> && execution::runs_in_gpu_rows<Lowered>) {
                if (extent.location.on_gpu() && runs_in_rows(lowered, extent)) {
                    using Formula = execution::cut_formula_t<execution::GpuCuts, Lowered>;
                    plan.reason = reason;
                    execution::plan_rows<Formula, T...>(plan, extent.size, in_place,
                                                        extent.location.device);
                }
            }
#endif
        }
        return lowered;
    }
}

// One run of a formula or a reduction, whatever its type: what is checked before, planned, and
// noted after it. The lists and the facts outlive it. Out of line, once for all formulas.
class FormulaRun {
public:
    // Checks and plans; lowering completes the plan. extent: of the operands. Throws
    // size_mismatch or wrong_location, with nothing written.
    WARPINT_NOINLINE FormulaRun(const FormulaFacts &facts,
                                std::span<const execution::Result> results,
                                std::span<const execution::Operand> operands, const Extent &extent,
                                stream_handle stream)
        : results_{results}, operands_{operands}, extent_{checked(extent, results, operands)},
          stream_{stream}, current_(extent_.location), operand_views_(operands, extent_, stream),
          can_fault_{facts.cost.can_fault || extent_.may_have_faults ||
                     (facts.cost.runs_user_code && !extent_.location.on_gpu())} {
        if (!is_empty())
            plan_ = make_plan(facts, extent_, operands, results);
    }
    WARPINT_NOINLINE ~FormulaRun() = default;
    FormulaRun(const FormulaRun &) = delete;
    FormulaRun &operator=(const FormulaRun &) = delete;
    [[nodiscard]] const Extent &extent() const { return extent_; }
    [[nodiscard]] bool is_empty() const { return extent_.size == 0; }
    // What to lower for.
    [[nodiscard]] expression::LoweringTarget lowering() const {
        return operand_views_.target(extent_.location.on_gpu(), plan_.choice.row.window);
    }
    [[nodiscard]] execution::Plan &plan() { return plan_; }
    // A constant leaves every element without a value.
    void note_constants_fault() { can_fault_ = true; }
    // Whether results may have elements without a value, and where the formula marks them: asked
    // when that is known.
    [[nodiscard]] bool can_fault() const { return can_fault_; }
    [[nodiscard]] std::uint32_t *fault_words(const Storage *storage) {
        if (storage == nullptr)
            return result_view().words();
        return can_fault_ ? storage->faults : nullptr;
    }
    // Where the formula writes a result that has to move; null: to its place.
    [[nodiscard]] void *moved_elements(const Storage *storage) {
        return storage == nullptr ? result_view().elements() : nullptr;
    }
    // After the launch. faults: whether results may have elements without a value.
    WARPINT_NOINLINE void end(bool faults) {
        if (result_view_.is_prepared())
            result_view_.store(faults);
        execution::set_faults(results_, faults);
        execution::launch_counter().fetch_add(1, std::memory_order_relaxed);
        execution::last_run() = plan_;
    }

    [[nodiscard]] bool is_in_place() const { return execution::is_in_place(results_, operands_); }
#if WARPINT_CUDA
    [[nodiscard]] execution::OrderedWork ordered_work() const {
        return execution::OrderedWork(extent_.location.device, stream_, operands_, results_);
    }
#endif

private:
    static const Extent &checked(const Extent &extent, std::span<const execution::Result> results,
                                 std::span<const execution::Operand> operands) {
        execution::check_results(results, operands, extent);
        if (extent.size == 0)
            execution::set_faults(results, false);
        return extent;
    }
    // Of the result, a view; not prepared if it needs none.
    const ResultView &result_view() {
        if (!result_view_.is_prepared() && ResultView::is_needed_for(results_[0]))
            result_view_.prepare(results_[0], can_fault_, extent_.location, stream_);
        return result_view_;
    }

    std::span<const execution::Result> results_;
    std::span<const execution::Operand> operands_;
    Extent extent_;
    stream_handle stream_;
    CurrentDevice current_;
    OperandViews operand_views_;
    bool can_fault_;
    execution::Plan plan_;
    ResultView result_view_;
};

#if WARPINT_CUDA

template <class Lowered, class... T>
void run_on_gpu(const execution::Target<T...> &target, const Extent &extent, const Lowered &tree,
                const execution::Plan &plan, stream_handle stream) {
    if constexpr (execution::runs_in_gpu_rows<Lowered>) {
        if (runs_in_rows(tree, extent)) {
            execution::run_rows_on_gpu(target, extent.size,
                                       execution::cut_formula<execution::GpuCuts>(tree), plan,
                                       *default_resource(extent.location), stream);
            return;
        }
    }
    execution::run_on_gpu(target, extent.size, tree, plan, stream);
}

#endif

// What keeps the texts of exceptions in a run of the formula: nothing without functions of users.
template <class Tree>
using thrown_t = std::conditional_t<expression::cost<Tree>.runs_user_code, execution::ThrownInRun,
                                    std::monostate>;

// Runs the formula, whose operands are listed with their extent, into its destinations, all of the
// formula's size: exactly one launch (none for an empty batch).
template <class Tree, class... T>
void assign(const Tree &tree, std::span<const execution::Operand> operands, const Extent &extent,
            stream_handle stream, const Destination<T> &...to) {
    static_assert(expression::check_spaces<Tree>());
    static_assert(execution::part_count<typename Tree::value_type> == sizeof...(T),
                  "as many targets as the formula has results: tie(q, r) = divmod(a, b)");
    static_assert(std::is_trivially_copyable_v<expression::lowered_t<Tree>> ||
                  expression::cost<Tree>.runs_user_code); // map() looks at a user's function
    const execution::Result results[] = {to...};
    FormulaRun run(formula_facts<Tree, T...>, results, operands, extent, stream);
    if (run.is_empty()) {
        expression::check_one_modulus(tree);
        return;
    }
    const auto lowered = lower_as_planned<Tree, T...>(tree, run.lowering(), run.extent(),
                                                      run.is_in_place(), run.plan());
    if constexpr (expression::has_checked_constant<expression::lowered_t<Tree>>) {
        if (expression::constants_fault(lowered))
            run.note_constants_fault();
    }
    const execution::Target<T...> target{{{execution::Place<T>{
        to.elements(run.moved_elements(to.storage)), run.fault_words(to.storage)}}...}};
    bool faults = run.can_fault();
    [[maybe_unused]] const thrown_t<Tree> thrown;
    if (!run.extent().location.on_gpu()) {
        faults = execution::run_on_cpu(target, run.extent().size, lowered);
    } else {
#if WARPINT_CUDA
        if constexpr (may_run_on_gpu<Tree>) {
            execution::OrderedWork work = run.ordered_work();
            run_on_gpu(target, run.extent(), lowered, run.plan(), stream);
            work.done();
        }
#endif
    }
    run.end(faults);
    if constexpr (expression::cost<Tree>.runs_user_code) {
        for (const execution::Result &result : results) {
            if (result.storage != nullptr && result.storage->marks != nullptr)
                result.storage->marks->thrown = thrown.first();
        }
    }
}

// How a formula would run. results: where they would go; none: to new vectors. A vector of another
// size or place is replaced by a new one. Throws as assign() does.
template <class Tree, class... T>
Explanation explain_formula(const Tree &tree, std::span<const execution::Result> results = {}) {
    static_assert(expression::check_spaces<Tree>());
    execution::Operand room[execution::leaf_count<Tree>];
    const std::span<const execution::Operand> operands{room, execution::list_operands(room, tree)};
    const Extent extent =
        execution::extent_of(operands, results.empty() ? device_location() : results[0].location);
    if (!results.empty() && results[0].storage != nullptr &&
        !(results[0].size == extent.size && results[0].location == extent.location))
        results = {};
    execution::check_results(results, operands, extent);
    const CurrentDevice current(extent.location);
    execution::Plan plan = make_plan(formula_facts<Tree, T...>, extent, operands, results);
    if (extent.size == 0) {
        expression::check_one_modulus(tree);
    } else {
        lower_as_planned<Tree, T...>(tree, {extent.location.on_gpu(), plan.choice.row.window},
                                     extent, execution::is_in_place(results, operands), plan);
    }
    return execution::explanation_of(plan);
}

} // namespace execution_backend
} // namespace WARPINT_BACKEND
} // namespace warpint
