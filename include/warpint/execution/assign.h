// SPDX-License-Identifier: Apache-2.0
// From a formula and its targets to launches: checks, plan, lowering, run. Explaining a formula
// takes the same way up to the run.
#pragma once

#include "evaluation/evaluate_let.h"
#include "evaluation/evaluate_residues.h"
#include "gathered_text.h"
#include "memory/operands.h"
#include "memory/views.h"
#include "steps_cuda.h"
#include "ways/strips.h"
#include "ways/window.h"

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

// What the types of a formula or a reduction alone say, so that what plans is compiled once and not
// for every formula.
struct FormulaFacts {
    execution::Cost cost;  // of the tree that runs
    int written_bits = 0;  // of the widest value in the formula as it was written
    int written_bytes = 0; // of its operands and results, for each element
    execution::CpuRun (*cpu_run)(std::size_t count) = nullptr;
    std::span<const StepFacts> steps; // on a GPU; empty: never on one
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
    facts.cpu_run = &execution::cpu_run<Lowered>;
    return facts;
}
template <class Tree, class... T>
inline constexpr FormulaFacts formula_facts = [] {
    FormulaFacts facts = facts_on_cpu<Tree, T...>();
#if WARPINT_CUDA
    if constexpr (may_run_on_gpu<Tree>) {
        using Steps =
            execution::program_t<execution::program::Stored<T...>, expression::lowered_t<Tree>>;
        facts.steps = steps_of<LastStep<T...>, Steps>;
    }
#endif
    return facts;
}();

// The plan for a batch, on the GPU that is current if the extent is on one. What depends on
// constants is entered when the formula is lowered (complete_plan).
WARPINT_NOINLINE inline execution::FormulaPlan
make_plan(const FormulaFacts &facts, const Extent &extent,
          std::span<const execution::Operand> operands,
          [[maybe_unused]] std::span<const execution::Result> results) {
    execution::FormulaPlan plan;
#if WARPINT_CUDA
    if (extent.location.on_gpu()) {
        plan = plan_steps(facts.steps, extent.size, extent.location.device,
                          execution::are_aligned(results, operands));
    }
#endif
    if (!extent.location.on_gpu()) {
        const execution::CpuRun run = facts.cpu_run(extent.size);
        plan.threads_per_block =
            static_cast<int>(execution::threads_for(extent.size, run.granule, run.operations));
        plan.reason = run.reason;
    }
    if (plan.before.empty()) {
        plan.kind = facts.cost.work;
        plan.widest_bits = facts.written_bits;
        plan.bytes_moved =
            extent.size *
            static_cast<std::size_t>(facts.written_bytes - execution::repeated_bytes(operands));
    }
    return plan;
}

// Whether elements may be without a value, as far as that is known before constants are.
inline bool can_fault(const FormulaFacts &facts, const Extent &extent) {
    return facts.cost.can_fault || extent.may_have_faults ||
           (facts.cost.runs_user_code && !extent.location.on_gpu());
}
// Whether a constant of the lowered tree leaves every element without a value.
template <class Lowered>
bool constant_faults([[maybe_unused]] const Lowered &lowered) {
    if constexpr (expression::has_checked_constant<Lowered>) {
        return expression::constants_fault(lowered);
    } else {
        return false;
    }
}

// Enters into the plan what depends on the constants of the lowered tree, where it runs as it is.
template <class Lowered>
void complete_plan_on_cpu([[maybe_unused]] execution::FormulaPlan &plan,
                          [[maybe_unused]] const Lowered &lowered,
                          [[maybe_unused]] std::size_t count) {
    if constexpr (expression::cost<Lowered>.exponent_bits > 0)
        plan.window = execution::window_of(lowered, plan, count);
}

// One run of a formula or a reduction, whatever its type: what is checked before, planned, and
// noted after it. The lists and the facts outlive it. Out of line, once for all formulas.
class FormulaRun {
public:
    // Checks and plans; complete_plan() does the rest. extent: of the operands. Throws
    // size_mismatch or wrong_location, with nothing written.
    WARPINT_NOINLINE FormulaRun(const FormulaFacts &facts,
                                std::span<const execution::Result> results,
                                std::span<const execution::Operand> operands, const Extent &extent,
                                stream_handle stream)
        : results_{results}, operands_{operands}, extent_{checked(extent, results, operands)},
          stream_{stream}, current_(extent_.location), operand_views_(operands, extent_, stream),
          can_fault_{execution_backend::can_fault(facts, extent_)},
          thrown_{extent_.may_have_faults ? thrown_in(operands, extent_.size) : nullptr} {
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
        return operand_views_.target(extent_.location.on_gpu());
    }
    [[nodiscard]] execution::FormulaPlan &plan() { return plan_; }
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
    // What functions threw for the first of the operands' elements, and for the first of this
    // run's.
    [[nodiscard]] const expression::ThrownText &thrown() const { return thrown_; }
    void note_thrown(const expression::ThrownText &thrown) {
        thrown_ = expression::first_thrown(thrown_, thrown);
    }
    // After the launch, once. faults: whether results may have elements without a value.
    WARPINT_NOINLINE void end(bool faults) {
        if (result_view_.is_prepared())
            result_view_.store(faults);
        execution::set_faults(results_, faults);
        if (thrown_ != nullptr && faults)
            keep_thrown();
        if (!extent_.location.on_gpu())
            execution::launch_counter().fetch_add(1, std::memory_order_relaxed);
        execution::last_run() = std::move(plan_);
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
    // Elements of a batch that is gathered from have other places in the formula: gathered_text.h.
    WARPINT_COLD static expression::ThrownText
    thrown_in(std::span<const execution::Operand> operands, std::size_t size) {
        expression::ThrownText first;
        for (const execution::Operand &operand : operands) {
            if (!operand.any_element) {
                first =
                    expression::first_thrown(first, execution_backend::thrown_of(operand, size));
            }
        }
        return first;
    }
    WARPINT_COLD void keep_thrown() const {
        for (const execution::Result &result : results_) {
            if (result.storage != nullptr && result.storage->marks != nullptr) {
                result.storage->marks->thrown = thrown_;
            } else if (result.marks != nullptr) { // a view: what its vector shows first
                const std::size_t i =
                    thrown_->index + first_mark(*result.marks, result.data, result.element_bytes);
                result.marks->thrown = expression::first_thrown(result.marks->thrown,
                                                                expression::thrown_at(thrown_, i));
            }
        }
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
    expression::ThrownText thrown_;
    execution::FormulaPlan plan_;
    ResultView result_view_;
};

// What keeps the texts of exceptions in a run of the formula: nothing without functions of users.
template <class Tree>
using thrown_t = std::conditional_t<expression::cost<Tree>.runs_user_code, execution::ThrownInRun,
                                    std::monostate>;

// Runs the formula, whose operands are listed with their extent, into its destinations, all of the
// formula's size: one launch or as many as it has steps (none for an empty batch).
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
    const auto lowered = expression::lower_formula(tree, run.lowering());
    if (constant_faults(lowered))
        run.note_constants_fault();
    const execution::Target<T...> target{{{execution::Place<T>{
        to.elements(run.moved_elements(to.storage)), run.fault_words(to.storage)}}...}};
    bool faults = run.can_fault();
    [[maybe_unused]] const thrown_t<Tree> thrown;
    const std::size_t count = run.extent().size;
    if (!run.extent().location.on_gpu()) {
        complete_plan_on_cpu(run.plan(), lowered, count);
        if (run.extent().may_have_faults)
            run.note_thrown(gathered_text(lowered, operands, count));
        faults = execution::run_on_cpu(target, count, lowered);
    } else {
#if WARPINT_CUDA
        if constexpr (may_run_on_gpu<Tree>) {
            const auto program = execution::program_of<execution::program::Stored<T...>>(lowered);
            complete_plan<LastStep<T...>>(run.plan(), program, count, faults, run.is_in_place(),
                                          run.extent().location.device);
            execution::OrderedWork work = run.ordered_work();
            memory_resource &memory = *default_resource(run.extent().location);
            run_steps(run.plan(), program, count, faults, memory, stream,
                      [&](const auto &last, std::size_t first, std::size_t length) {
                          const auto here = execution::advance(target, first);
                          run.plan().run(run.plan(), &here, length, &last, memory, stream);
                      });
            work.done();
        }
#endif
    }
    if constexpr (expression::cost<Tree>.runs_user_code)
        run.note_thrown(thrown.first());
    run.end(faults);
}

// How what these facts are of would run, on the device that is current.
// complete_on_gpu(plan, lowered, faults) enters what is known of the lowered tree.
template <class Tree, class Complete>
Explanation explain_planned(const FormulaFacts &facts, const Tree &tree, const Extent &extent,
                            std::span<const execution::Operand> operands,
                            std::span<const execution::Result> results,
                            const Complete &complete_on_gpu) {
    execution::FormulaPlan plan = make_plan(facts, extent, operands, results);
    if (extent.size == 0) {
        expression::check_one_modulus(tree);
        return execution::explanation_of(plan);
    }
    const auto lowered = expression::lower_formula(tree, {extent.location.on_gpu()});
    if (extent.location.on_gpu()) {
        complete_on_gpu(plan, lowered, can_fault(facts, extent) || constant_faults(lowered));
    } else {
        complete_plan_on_cpu(plan, lowered, extent.size);
    }
    return execution::explanation_of(plan);
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
    return explain_planned(
        formula_facts<Tree, T...>, tree, extent, operands, results,
        [&]([[maybe_unused]] execution::FormulaPlan &plan, [[maybe_unused]] const auto &lowered,
            [[maybe_unused]] bool faults) {
#if WARPINT_CUDA
            if constexpr (may_run_on_gpu<Tree>) {
                complete_plan<LastStep<T...>>(
                    plan, execution::program_of<execution::program::Stored<T...>>(lowered),
                    extent.size, faults, execution::is_in_place(results, operands),
                    extent.location.device);
            }
#endif
        });
}

} // namespace execution_backend
} // namespace WARPINT_BACKEND
} // namespace warpint
