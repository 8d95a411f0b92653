// SPDX-License-Identifier: Apache-2.0
// From a formula to one value: checks, lowering, and the reduction on either side.
#pragma once

#include "assign.h"
#include "column_sum_cuda.h"
#include "evaluation/reducer.h"
#include "reduce_cuda.h"
#include "run_rows.h"

namespace warpint {
namespace execution {

namespace detail {

// What a core has folded.
template <class Reducer>
struct ReductionOfCore {
    typename Reducer::Accumulator value;
    ReductionFaults faults;
};
// A sink of rows (evaluation/cut_row.h) that folds.
template <class Reducer>
struct ReduceInto {
    const Reducer *reducer;
    ReductionOfCore<Reducer> *own;

    template <class Evaluate>
    void put(std::size_t index, const Evaluate &evaluate, bool &fault) const {
        const auto &value = evaluate(fault);
        if (fault) {
            put_nothing(index);
        } else {
            reducer->add(own->value, value);
        }
    }
    void put_nothing(std::size_t index) const { own->faults.note(index); }
};

} // namespace detail

// Folds the formula's values for elements [0, count) into result: every core reduces blocks.
template <class Reducer, class Tree>
ReductionFaults reduce_on_cpu(typename Reducer::Accumulator &result, const Reducer &reducer,
                              std::size_t count, const Tree &tree) {
    std::mutex mutex;
    ReductionFaults faults;
    result = reducer.identity();
    const auto reduce = [&](std::size_t granule, const auto &run) {
        parallel_for(
            count, granule, operations_per_element<Tree>, [&](std::size_t first, std::size_t last) {
                detail::ReductionOfCore<Reducer> own{reducer.identity(), {}};
                run(rows::sink_for<Tree>(detail::ReduceInto<Reducer>{&reducer, &own}), first, last);
                const std::lock_guard lock(mutex);
                reducer.combine(result, own.value);
                faults.join(own.faults);
            });
    };
    if constexpr (has_cuts<collective::Cuts, Tree>) {
        const auto formula = cut_formula<collective::Cuts>(tree);
        using Formula = std::remove_const_t<decltype(formula)>;
        reduce(rows::length<Formula>, [&](const auto &sink, std::size_t first, std::size_t last) {
            using Sink = std::remove_cvref_t<decltype(sink)>;
            const auto core = std::make_unique<rows::RowsOfCore<Formula, Sink>>(formula);
            core->run(sink, first, last, [](std::size_t, std::uint32_t) {});
        });
    } else {
        reduce(cpu_group, [&](const auto &sink, std::size_t first, std::size_t last) {
            for (std::size_t i = first; i < last; ++i) {
                const auto value = [&](bool &none) -> decltype(auto) {
                    return evaluate(tree, DirectContext{i}, none);
                };
                bool fault = false;
                sink.put(i, value, fault);
            }
        });
    }
    return faults;
}

} // namespace execution

inline namespace WARPINT_BACKEND {
namespace execution_backend {

// The accumulator of all elements of the formula that have a value, the number of all elements, and
// those without a value.
template <class Accumulator>
struct Reduced {
    Accumulator value;
    std::size_t count;
    execution::ReductionFaults faults = {};

    // The result as of elements that stand behind `before` others.
    void move_behind(std::size_t before) {
        if (faults.count != 0)
            faults.first += before;
    }
};

// Throws std::domain_error if elements have no value.
template <class Accumulator>
void check_faults(const Reduced<Accumulator> &reduced, const expression::Thrown *thrown = nullptr) {
    if (reduced.faults.count != 0) {
        execution::throw_without_value(reduced.faults.count, reduced.count, reduced.faults.first,
                                       thrown);
    }
}

// The results of pieces, in their order, as one.
template <class Reducer, class Accumulator>
Reduced<Accumulator> joined(const Reducer &reducer,
                            const std::vector<Reduced<Accumulator>> &pieces) {
    Reduced<Accumulator> all{reducer.identity(), 0};
    for (const Reduced<Accumulator> &piece : pieces) {
        reducer.combine(all.value, piece.value);
        if (piece.faults.count != 0)
            all.faults.join(piece.faults);
        all.count += piece.count;
    }
    return all;
}

// A reduction that may still be on its way.
template <class Accumulator>
class StartedReduction {
public:
    explicit StartedReduction(const Reduced<Accumulator> &reduced,
                              std::shared_ptr<const expression::Thrown> thrown = {})
        : reduced_{reduced}, thrown_{std::move(thrown)} {}
#if WARPINT_CUDA
    StartedReduction(const Reduced<Accumulator> &reduced,
                     execution::ReductionOnGpu<Accumulator> &&started)
        : reduced_{reduced}, started_{std::move(started)} {}
#endif
    // Waits for it; once.
    [[nodiscard]] Reduced<Accumulator> finish() {
#if WARPINT_CUDA
        if (started_.room != nullptr)
            reduced_.value = started_.finish(reduced_.faults);
#endif
        return reduced_;
    }
    [[nodiscard]] const expression::Thrown *thrown() const {
        return thrown_.get();
    }

private:
    Reduced<Accumulator> reduced_;
    std::shared_ptr<const expression::Thrown> thrown_; // as MemoryMarks'
#if WARPINT_CUDA
    execution::ReductionOnGpu<Accumulator> started_;
#endif
};

template <class Reducer, class Tree>
inline constexpr FormulaFacts reduction_facts = [] {
    FormulaFacts facts = facts_on_cpu<Tree>();
#if WARPINT_CUDA
    if constexpr (may_run_on_gpu<Tree>)
        facts.plan_on_gpu = &execution::plan_reduction<Reducer, expression::lowered_t<Tree>>;
#endif
    return facts;
}();

#if WARPINT_CUDA
// Whether a GPU sums these numbers by columns.
template <class T>
bool is_column_sum(const execution::BatchPointer<T> &lowered, const Extent &extent,
                   std::span<const execution::Operand> operands) {
    return extent.location.on_gpu() && lowered.faults == nullptr &&
           extent.size <= execution::max_summed_by_columns && execution::are_aligned({}, operands);
}
#endif

// The tree that is reduced. Completes the plan.
template <class Reducer, class Tree>
expression::lowered_t<Tree>
lower_reduction(const Tree &tree, const expression::LoweringTarget &target, const Extent &extent,
                [[maybe_unused]] std::span<const execution::Operand> operands,
                execution::Plan &plan) {
    using Lowered = expression::lowered_t<Tree>;
    const Lowered lowered = expression::lower_formula(tree, target);
    if constexpr (expression::cost<Lowered>.exponent_bits > 0)
        plan.window = execution::window_of(lowered, plan, target.on_gpu ? 0 : extent.size);
#if WARPINT_CUDA
    if constexpr (execution::sums_columns<Reducer, Lowered>) {
        if (is_column_sum(lowered, extent, operands)) {
            execution::plan_column_sum<typename Lowered::value_type>(plan, extent.size,
                                                                     extent.location.device);
        }
    }
#endif
    return lowered;
}

// How start_reduction() would run.
template <class Reducer, class Tree>
Explanation explain_reduction(const Tree &tree) {
    static_assert(expression::check_spaces<Tree>());
    execution::Operand room[execution::leaf_count<Tree>];
    const std::span<const execution::Operand> operands{room, execution::list_operands(room, tree)};
    const Extent extent = execution::extent_of(operands, device_location());
    const CurrentDevice current(extent.location);
    execution::Plan plan = make_plan(reduction_facts<Reducer, Tree>, extent, operands, {});
    lower_reduction<Reducer>(tree, {extent.location.on_gpu(), plan.choice.row.window}, extent,
                             operands, plan);
    return execution::explanation_of(plan);
}

// Starts a reduction on the stream of a GPU, or makes it on the host. It is to be finished before
// its operands change.
template <class Reducer, class Tree>
StartedReduction<typename Reducer::Accumulator>
start_reduction(const Reducer &reducer, const Tree &tree, stream_handle stream) {
    using Started = StartedReduction<typename Reducer::Accumulator>;
    static_assert(std::is_trivially_copyable_v<Reducer>);
    static_assert(expression::check_spaces<Tree>());
    execution::Operand room[execution::leaf_count<Tree>];
    const std::span<const execution::Operand> operands{room, execution::list_operands(room, tree)};
    const Extent extent = execution::extent_of(operands, device_location());
    Reduced<typename Reducer::Accumulator> reduced{reducer.identity(), extent.size};
    FormulaRun run(reduction_facts<Reducer, Tree>, {}, operands, extent, stream);
    if (run.is_empty()) {
        expression::check_one_modulus(tree);
        return Started(reduced);
    }
    const auto lowered =
        lower_reduction<Reducer>(tree, run.lowering(), run.extent(), operands, run.plan());
#if WARPINT_CUDA
    if constexpr (may_run_on_gpu<Tree>) {
        if (extent.location.on_gpu()) {
            const int device = extent.location.device;
            if (!execution::is_legacy(stream) && execution::is_capturing(stream)) {
                throw std::logic_error("warpint: a reduction returns its value, so that a stream "
                                       "that records a graph cannot take it");
            }
            // It has ended when it is finished: nothing has to wait for it.
            const execution::OrderedWork ordered = run.ordered_work();
            run.end(false);
            if constexpr (execution::sums_columns<Reducer, expression::lowered_t<Tree>>) {
                if (is_column_sum(lowered, extent, operands)) {
                    return Started(reduced,
                                   execution::start_column_sum(lowered.data, extent.size,
                                                               run.plan(), device, stream));
                }
            }
            return Started(reduced, execution::start_on_gpu(reducer, extent.size, lowered,
                                                            run.plan(), device, stream));
        }
    }
#endif
    [[maybe_unused]] const thrown_t<Tree> thrown;
    reduced.faults = execution::reduce_on_cpu(reduced.value, reducer, extent.size, lowered);
    run.end(false);
    if constexpr (expression::cost<Tree>.runs_user_code) {
        return Started(reduced, thrown.first());
    } else {
        return Started(reduced);
    }
}

template <class Reducer, class Tree>
Reduced<typename Reducer::Accumulator> reduce(const Reducer &reducer, const Tree &tree,
                                              stream_handle stream) {
    auto started = start_reduction(reducer, tree, stream);
    const auto reduced = started.finish();
    if (started.thrown() != nullptr)
        check_faults(reduced, started.thrown());
    return reduced;
}

} // namespace execution_backend
} // namespace WARPINT_BACKEND
} // namespace warpint
