// SPDX-License-Identifier: Apache-2.0
// From a formula and its targets to launches: checks, plan, lowering, run. Explaining a formula
// takes the same way up to the run.
#pragma once

#include "evaluation/evaluate.h"
#include "gathered_text.h"
#include "memory/operands.h"
#include "memory/views.h"
#include "steps_cuda.h"
#include "ways/strips.h"
#include "ways/window.h"

#include <memory>
#include <span>
#include <variant>

namespace warpint::execution::inline WARPINT_BACKEND {

// Where a result goes, and as which elements it is written.
template <class T>
struct Destination : Result {
    explicit Destination(Storage &to) : Result{to.data, to.size, sizeof(T), to.location, &to} {}
    // A view; no room for faults without marks.
    Destination(void *to, std::size_t count, Location place, expression::MemoryMarks *of_vector)
        : Result{to, count, sizeof(T), place, nullptr, 0, of_vector} {}
    // moved: where they have to be written instead, or null.
    [[nodiscard]] T *elements(void *moved) const {
        return static_cast<T *>(moved != nullptr ? moved : data);
    }
};
template <class T>
struct Destination<expression::InLimbRows<T>> : Result {
    LimbRows<T> rows;

    Destination(const LimbRows<T> &to, std::size_t count, Location place)
        : Result{to.limbs, count, sizeof(T), place, nullptr, to.stride}, rows{to} {}
    [[nodiscard]] const LimbRows<T> &elements(void *) const { return rows; }
};

// What the types of a formula or a reduction alone say, so that what plans is compiled once and not
// for every formula.
struct FormulaFacts {
    Cost cost;             // of the tree that runs
    int written_bits = 0;  // of the widest value in the formula as it was written
    int written_bytes = 0; // of its operands and results, for each element
    CpuRun (*cpu_run)(std::size_t count) = nullptr;
    std::span<const StepFacts> steps; // on a GPU; empty: never on one
};

// Host vectors are never on a GPU: no kernel is compiled for their formulas, which may call what
// only hosts can.
template <class Tree>
inline constexpr bool may_run_on_gpu = WARPINT_CUDA && !expression::cost<Tree>.on_host;

// What is done with a formula: it is stored as elements T..., or reduced (reduce.h). Goal::Last is
// the last step on a GPU, Goal::To where its program goes (plan/program.h).
template <class... T>
struct Stores {
    static constexpr bool reduces = false;
    static constexpr int bytes = (static_cast<int>(sizeof(T)) + ... + 0);
#if WARPINT_CUDA
    using To = program::Stored<T...>;
    using Last = LastStep<T...>;
#endif
};

template <class Goal, class Tree>
inline constexpr FormulaFacts formula_facts = [] {
    using Lowered = expression::lowered_t<Tree>;
    FormulaFacts facts;
    facts.cost = expression::cost<Lowered>;
    facts.written_bits = expression::cost<Tree>.widest_bits;
    facts.written_bytes = expression::cost<Tree>.bytes_moved + Goal::bytes;
    facts.cpu_run = &cpu_run < Lowered, Goal::reduces || collective::always_in_rows < Lowered >> ;
#if WARPINT_CUDA
    if constexpr (may_run_on_gpu<Tree>)
        facts.steps = steps_of<typename Goal::Last, program_t<typename Goal::To, Lowered>>;
#endif
    return facts;
}();

// The plan for a batch, on the GPU that is current if the extent is on one. What depends on
// constants is entered when the formula is lowered (complete_plan).
WARPINT_NOINLINE inline FormulaPlan make_plan(const FormulaFacts &facts, const Extent &extent,
                                              std::span<const Operand> operands,
                                              [[maybe_unused]] std::span<const Result> results) {
    FormulaPlan plan;
#if WARPINT_CUDA
    if (extent.location.on_gpu()) {
        plan = plan_steps(facts.steps, extent.size, extent.location.device,
                          are_aligned(results, operands));
    }
#endif
    if (!extent.location.on_gpu()) {
        const CpuRun run = facts.cpu_run(extent.size);
        plan.threads_per_block =
            static_cast<int>(threads_for(extent.size, run.granule, run.operations));
        plan.reason = run.reason;
    }
    if (plan.before.empty()) {
        plan.kind = facts.cost.work;
        plan.widest_bits = facts.written_bits;
        plan.bytes_moved =
            extent.size * static_cast<std::size_t>(facts.written_bytes - repeated_bytes(operands));
    }
    return plan;
}

// Whether elements may be without a value, as far as that is known before constants are.
inline bool can_fault(const FormulaFacts &facts, const Extent &extent) {
    return facts.cost.can_fault || extent.may_have_faults ||
           (facts.cost.runs_user_code && !extent.location.on_gpu());
}

// Enters into the plan what depends on the constants of the lowered tree, where it runs as it is.
template <class Lowered>
void complete_plan_on_cpu([[maybe_unused]] FormulaPlan &plan,
                          [[maybe_unused]] const Lowered &lowered,
                          [[maybe_unused]] std::size_t count) {
    if constexpr (expression::cost<Lowered>.exponent_bits > 0)
        plan.window = window_of(lowered, plan, count);
}

// One run of a formula or a reduction, whatever its type: what is checked before, planned, and
// noted after it. The lists and the facts outlive it. Out of line, once for all formulas.
class FormulaRun {
public:
    // Checks and plans; complete_plan() does the rest. extent: of the operands. Throws
    // size_mismatch or wrong_location, with nothing written.
    WARPINT_NOINLINE FormulaRun(const FormulaFacts &facts, std::span<const Result> results,
                                std::span<const Operand> operands, const Extent &extent,
                                stream_handle stream)
        : results_{results}, operands_{operands}, extent_{checked(extent, results, operands)},
          stream_{stream}, current_(extent_.location), operand_views_(operands, extent_, stream),
          can_fault_{execution::can_fault(facts, extent_)},
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
    [[nodiscard]] FormulaPlan &plan() { return plan_; }
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
        set_faults(results_, faults);
        if (thrown_ != nullptr && faults)
            keep_thrown();
        if (!extent_.location.on_gpu())
            launch_counter().fetch_add(1, std::memory_order_relaxed);
        last_run() = std::move(plan_);
    }

    [[nodiscard]] bool is_in_place() const { return execution::is_in_place(results_, operands_); }
#if WARPINT_CUDA
    [[nodiscard]] OrderedWork ordered_work() const {
        return OrderedWork(extent_.location.device, stream_, operands_, results_);
    }
#endif

private:
    static const Extent &checked(const Extent &extent, std::span<const Result> results,
                                 std::span<const Operand> operands) {
        check_results(results, operands, extent);
        if (extent.size == 0)
            set_faults(results, false);
        return extent;
    }
    // Elements of a batch that is gathered from have other places in the formula: gathered_text.h.
    WARPINT_COLD static expression::ThrownText thrown_in(std::span<const Operand> operands,
                                                         std::size_t size) {
        expression::ThrownText first;
        for (const Operand &operand : operands) {
            if (!operand.any_element) {
                first = expression::first_thrown(first, thrown_of(operand, size));
            }
        }
        return first;
    }
    WARPINT_COLD void keep_thrown() const {
        for (const Result &result : results_) {
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

    std::span<const Result> results_;
    std::span<const Operand> operands_;
    Extent extent_;
    stream_handle stream_;
    CurrentDevice current_;
    OperandViews operand_views_;
    bool can_fault_;
    expression::ThrownText thrown_;
    FormulaPlan plan_;
    ResultView result_view_;
};

// What keeps the texts of exceptions in a run of the formula: nothing without functions of users.
template <class Tree>
using thrown_t =
    std::conditional_t<expression::cost<Tree>.runs_user_code, ThrownInRun, std::monostate>;

// Runs the formula, whose operands are listed with their extent, into its destinations, all of the
// formula's size: one launch or as many as it has steps (none for an empty batch).
template <class Tree, class... T>
void assign(const Tree &tree, std::span<const Operand> operands, const Extent &extent,
            stream_handle stream, const Destination<T> &...to) {
    static_assert(expression::check_spaces<Tree>());
    static_assert(part_count<typename Tree::value_type> == sizeof...(T),
                  "as many targets as the formula has results: tie(q, r) = divmod(a, b)");
    static_assert(std::is_trivially_copyable_v<expression::lowered_t<Tree>> ||
                  expression::cost<Tree>.runs_user_code); // map() looks at a user's function
    using Goal = Stores<T...>;
    const Result results[] = {to...};
    FormulaRun run(formula_facts<Goal, Tree>, results, operands, extent, stream);
    if (run.is_empty()) {
        expression::check_one_modulus(tree);
        return;
    }
    const auto lowered = expression::lower_formula(tree, run.lowering());
    if (expression::constants_fault(lowered))
        run.note_constants_fault();
    const Target<T...> target{
        {{Place<T>{to.elements(run.moved_elements(to.storage)), run.fault_words(to.storage)}}...}};
    bool faults = run.can_fault();
    [[maybe_unused]] const thrown_t<Tree> thrown;
    const std::size_t count = run.extent().size;
    if (!run.extent().location.on_gpu()) {
        complete_plan_on_cpu(run.plan(), lowered, count);
        if (run.extent().may_have_faults)
            run.note_thrown(gathered_text(lowered, operands, count));
        faults = run_on_cpu(target, count, lowered);
    } else {
#if WARPINT_CUDA
        if constexpr (may_run_on_gpu<Tree>) {
            const auto program = program_of<typename Goal::To>(lowered);
            complete_plan<typename Goal::Last>(run.plan(), program, count, faults,
                                               run.is_in_place(), run.extent().location.device);
            OrderedWork work = run.ordered_work();
            memory_resource &memory = *default_resource(run.extent().location);
            run_steps(run.plan(), program, count, faults, memory, stream,
                      [&](const auto &last, std::size_t first, std::size_t length) {
                          const auto here = advance(target, first);
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

// How a formula would run. results: where they would go; none: to new vectors, or to one value. A
// vector of another size or place is replaced by a new one. Throws as assign() does.
template <class Goal, class Tree>
Explanation explain_formula(const Tree &tree, std::span<const Result> results = {}) {
    static_assert(expression::check_spaces<Tree>());
    Operand room[leaf_count<Tree>];
    const std::span<const Operand> operands{room, list_operands(room, tree)};
    const Extent extent =
        extent_of(operands, results.empty() ? device_location() : results[0].location);
    if (!results.empty() && results[0].storage != nullptr &&
        !(results[0].size == extent.size && results[0].location == extent.location))
        results = {};
    check_results(results, operands, extent);
    const CurrentDevice current(extent.location);
    constexpr const FormulaFacts &facts = formula_facts<Goal, Tree>;
    FormulaPlan plan = make_plan(facts, extent, operands, results);
    if (extent.size == 0) {
        expression::check_one_modulus(tree);
        return explanation_of(plan);
    }
    const auto lowered = expression::lower_formula(tree, {extent.location.on_gpu()});
    if (!extent.location.on_gpu()) {
        complete_plan_on_cpu(plan, lowered, extent.size);
    } else {
#if WARPINT_CUDA
        if constexpr (may_run_on_gpu<Tree>) {
            complete_plan<typename Goal::Last>(
                plan, program_of<typename Goal::To>(lowered), extent.size,
                can_fault(facts, extent) || expression::constants_fault(lowered),
                is_in_place(results, operands), extent.location.device);
        }
#endif
    }
    return explanation_of(plan);
}

} // namespace warpint::execution::inline WARPINT_BACKEND
