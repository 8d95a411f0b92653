// SPDX-License-Identifier: Apache-2.0
// From a formula to one value: checks, lowering, and the reduction on either side.
#pragma once

#include "assign.h"
#include "evaluation/reducer.h"
#include "ways/columns_cuda.h"
#include "ways/reduction_cuda.h"
#include "ways/strips.h"

namespace warpint::execution {

// What a core has folded.
template <class Reducer>
struct ReductionOfCore {
    typename Reducer::Accumulator value;
    ReductionFaults faults;
};
// A sink of strips (evaluation/cut_strip.h) that folds.
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

// Folds the formula's values for elements [0, count) into result: every core reduces blocks.
template <class Reducer, class Tree>
ReductionFaults reduce_on_cpu(typename Reducer::Accumulator &result, const Reducer &reducer,
                              std::size_t count, const Tree &tree) {
    std::mutex mutex;
    ReductionFaults faults;
    result = reducer.identity();
    const CpuRun shape = cpu_run<Tree, true>(count);
    const auto reduce = [&](const auto &run) {
        const auto body = [&](std::size_t first, std::size_t last) {
            ReductionOfCore<Reducer> own{reducer.identity(), {}};
            run(rows::sink_for<Tree>(ReduceInto<Reducer>{&reducer, &own}), first, last);
            const std::lock_guard lock(mutex);
            reducer.combine(result, own.value);
            faults.join(own.faults);
        };
        if constexpr (is_dear<Tree> && !has_cuts<collective::Cuts, Tree>) {
            for_dear_elements<Tree>(count, body);
        } else {
            parallel_for(count, shape.granule, shape.operations, body);
        }
    };
    if constexpr (has_cuts<collective::Cuts, Tree>) {
        const auto formula = cut_formula<collective::Cuts>(tree);
        using Formula = std::remove_const_t<decltype(formula)>;
        reduce([&](const auto &sink, std::size_t first, std::size_t last) {
            using Sink = std::remove_cvref_t<decltype(sink)>;
            const auto core = std::make_unique<rows::StripsOfCore<Formula, Sink>>(formula);
            core->run(sink, first, last, [](std::size_t, std::uint32_t) {});
        });
    } else {
        reduce([&](const auto &sink, std::size_t first, std::size_t last) {
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

inline namespace WARPINT_BACKEND {

// The accumulator of all elements of the formula that have a value, the number of all elements, and
// those without a value.
template <class Accumulator>
struct Reduced {
    Accumulator value;
    std::size_t count;
    ReductionFaults faults = {};

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
        throw_without_value(reduced.faults.count, reduced.count, reduced.faults.first, thrown);
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
                              expression::ThrownText thrown = {})
        : reduced_{reduced}, thrown_{std::move(thrown)} {}
#if WARPINT_CUDA
    StartedReduction(const Reduced<Accumulator> &reduced, ReductionOnGpu<Accumulator> &&started)
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
    // What functions threw for the first of its elements; or null.
    [[nodiscard]] const expression::ThrownText &thrown() const { return thrown_; }
    void note_thrown(const expression::ThrownText &thrown) {
        thrown_ = expression::first_thrown(thrown_, thrown);
    }

private:
    Reduced<Accumulator> reduced_;
    expression::ThrownText thrown_;
#if WARPINT_CUDA
    ReductionOnGpu<Accumulator> started_;
#endif
};

#if WARPINT_CUDA
// The last step of a reduction.
template <class Reducer>
struct ReducingStep {
    template <class Tree>
    static Plan plan(std::size_t count, int device, bool aligned) {
        Plan plan = plan_reduction<Reducer, Tree>(count, device, aligned);
        if constexpr (sums_columns<Reducer, Tree>)
            plan.sums_columns = aligned && count <= execution::max_summed_by_columns;
        return plan;
    }
    static constexpr int stored_bytes = 0;
    template <class Tree>
    static void complete(Plan &plan, const Tree &tree, std::size_t count, bool, int device) {
        if constexpr (sums_columns<Reducer, Tree>) {
            plan.sums_columns = plan.sums_columns && tree.faults == nullptr;
            if (plan.sums_columns) {
                plan_column_sum<typename Tree::value_type>(plan, count, device);
            }
        }
    }
    template <class Tree>
    static auto start(const Reducer &reducer, std::size_t count, const Tree &tree, const Plan &plan,
                      int device, stream_handle stream) {
        if constexpr (sums_columns<Reducer, Tree>) {
            if (plan.sums_columns)
                return start_column_sum(tree.data, count, plan, device, stream);
        }
        return start_on_gpu(reducer, count, tree, plan, device, stream);
    }
};
#endif

// Goal of a formula that is reduced (assign.h).
template <class Reducer>
struct ReducesBy {
    static constexpr bool reduces = true;
    static constexpr int bytes = 0;
#if WARPINT_CUDA
    using To = program::Reduced<counts_numbers<Reducer>>;
    using Last = ReducingStep<Reducer>;
#endif
};

// Starts a reduction on the stream of a GPU, or makes it on the host. It is to be finished before
// its operands change.
template <class Reducer, class Tree>
StartedReduction<typename Reducer::Accumulator>
start_reduction(const Reducer &reducer, const Tree &tree, stream_handle stream) {
    using Goal = ReducesBy<Reducer>;
    using Started = StartedReduction<typename Reducer::Accumulator>;
    static_assert(std::is_trivially_copyable_v<Reducer>);
    static_assert(expression::check_spaces<Tree>());
    Operand room[leaf_count<Tree>];
    const std::span<const Operand> operands{room, list_operands(room, tree)};
    const Extent extent = extent_of(operands, device_location());
    Reduced<typename Reducer::Accumulator> reduced{reducer.identity(), extent.size};
    FormulaRun run(formula_facts<Goal, Tree>, {}, operands, extent, stream);
    if (run.is_empty()) {
        expression::check_one_modulus(tree);
        return Started(reduced);
    }
    const auto lowered = expression::lower_formula(tree, run.lowering());
#if WARPINT_CUDA
    if constexpr (may_run_on_gpu<Tree>) {
        if (extent.location.on_gpu()) {
            const int device = extent.location.device;
            if (is_capturing(stream)) {
                throw std::logic_error("warpint: a reduction returns its value, so that a stream "
                                       "that records a graph cannot take it");
            }
            if (expression::constants_fault(lowered))
                run.note_constants_fault();
            const auto program = program_of<typename Goal::To>(lowered);
            using Last = typename Goal::Last;
            complete_plan<Last>(run.plan(), program, extent.size, run.can_fault(), false, device);
            OrderedWork ordered = run.ordered_work();
            std::optional<Started> whole;
            std::vector<Reduced<typename Reducer::Accumulator>> parts;
            run_steps(run.plan(), program, extent.size, run.can_fault(),
                      *default_resource(extent.location), stream,
                      [&](const auto &last, std::size_t first, std::size_t length) {
                          Started started(
                              {reducer.identity(), length},
                              Last::start(reducer, length, last, run.plan(), device, stream));
                          if (length == extent.size) {
                              whole.emplace(std::move(started));
                          } else {
                              parts.push_back(started.finish());
                              parts.back().move_behind(first);
                          }
                      });
            ordered.is_waited_for(); // when it is finished
            run.end(false);
            if (!whole)
                whole.emplace(joined(reducer, parts));
            whole->note_thrown(run.thrown());
            return std::move(*whole);
        }
    }
#endif
    [[maybe_unused]] const thrown_t<Tree> thrown;
    complete_plan_on_cpu(run.plan(), lowered, extent.size);
    if (extent.may_have_faults)
        run.note_thrown(gathered_text(lowered, operands, extent.size));
    reduced.faults = reduce_on_cpu(reduced.value, reducer, extent.size, lowered);
    if constexpr (expression::cost<Tree>.runs_user_code)
        run.note_thrown(thrown.first());
    run.end(false);
    return Started(reduced, run.thrown());
}

template <class Reducer, class Tree>
Reduced<typename Reducer::Accumulator> reduce(const Reducer &reducer, const Tree &tree,
                                              stream_handle stream) {
    auto started = start_reduction(reducer, tree, stream);
    const auto reduced = started.finish();
    if (started.thrown() != nullptr)
        check_faults(reduced, started.thrown().get());
    return reduced;
}

} // namespace WARPINT_BACKEND
} // namespace warpint::execution
