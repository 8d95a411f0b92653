// SPDX-License-Identifier: Apache-2.0
// Planning and running the steps of a formula (program.h) on a GPU.
//
// Scratch memory comes from the device's resource, in stream order, all of it before the first
// launch. It is at most an eighth of the GPU's memory: all steps of a longer batch run for a part
// of the elements, then for the next.
#pragma once

#include "../limb/config.h"

#if WARPINT_CUDA

#include "plan/program.h"
#include "ways/inverses_cuda.h"
#include "ways/long_products_cuda.h"
#include "ways/tensor_powers_cuda.h"

#include <array>
#include <optional>

#endif

#include "ways/window.h"

#include <span>

namespace warpint::execution {

// What the types of a step alone say.
struct StepFacts {
    Cost cost;
    int moved_bytes = 0;           // of its operands and results, for each element
    std::size_t value_bytes = 0;   // of a value that it leaves in scratch memory; 0: the last step
    std::size_t scratch_bytes = 0; // for each element: such values, and what its own kernel keeps
    Plan (*plan)(std::size_t count, int device, bool aligned) = nullptr;
};

#if WARPINT_CUDA

// Where the values of a step begin that follows others of so many bytes.
constexpr std::size_t aligned_bytes(std::size_t bytes) {
    return (bytes + 255) / 256 * 256;
}
constexpr std::size_t bytes_of_values(std::size_t value_bytes, std::size_t count) {
    return aligned_bytes(count * value_bytes) + aligned_bytes((count + 31) / 32 * 4);
}

// The plan of all steps for a batch. The device is current.
inline FormulaPlan plan_steps(std::span<const StepFacts> steps, std::size_t count, int device,
                              bool aligned) {
    FormulaPlan plan;
    std::size_t scratch = 0; // of an element
    for (const StepFacts &step : steps)
        scratch += step.scratch_bytes;
    std::size_t part = count;
    if (scratch != 0 && count > 4096 && count > max_scratch_bytes(device) / scratch) {
        part = std::max<std::size_t>(max_scratch_bytes(device) / scratch / 4096, 1) * 4096;
        plan.elements_at_once = part;
    }
    for (const StepFacts &step : steps) {
        Plan planned = step.plan(part, device, aligned);
        planned.kind = step.cost.work;
        planned.widest_bits = step.cost.widest_bits;
        planned.bytes_moved = count * static_cast<std::size_t>(step.moved_bytes);
        if (step.value_bytes != 0) {
            planned.values_bytes = bytes_of_values(step.value_bytes, part);
            plan.before.push_back(planned);
        } else {
            static_cast<Plan &>(plan) = planned;
        }
    }
    return plan;
}

// The last step of a formula that is stored as T...
template <class... T>
struct LastStep {
    template <class Tree>
    static Plan plan(std::size_t count, int device, bool aligned) {
        if constexpr (LongProductStep<Tree, T...>::is_only_way) {
            Plan plan;
            LongProductStep<Tree, T...>::plan(plan, count, device);
            return plan;
        } else {
            return plan_formula<Tree, T...>(count, device, aligned);
        }
    }
    static constexpr int stored_bytes = (static_cast<int>(sizeof(T)) + ... + 0);
    template <class Tree>
    static void complete(Plan &plan, const Tree &tree, std::size_t count, bool separate,
                         int device) {
        if constexpr (has_cuts<Inverses, Tree>)
            plan_bulk_inverses<Tree, T...>(plan, tree, count, separate, device);
        if constexpr (TensorPowers<Tree, T...>::exists)
            TensorPowers<Tree, T...>::plan(plan, tree, count, device);
        if constexpr (LongProductStep<Tree, T...>::exists)
            LongProductStep<Tree, T...>::plan(plan, count, device);
    }
};

template <class Last, class Tree, bool is_last>
constexpr StepFacts step_facts() {
    using Bound = bound_t<Tree>;
    StepFacts facts;
    facts.cost = expression::cost<Bound>;
    if constexpr (is_last) {
        facts.moved_bytes = facts.cost.bytes_moved + Last::stored_bytes;
        facts.plan = &Last::template plan<Bound>;
    } else {
        using T = typename Tree::value_type;
        facts.moved_bytes = facts.cost.bytes_moved + static_cast<int>(sizeof(T));
        facts.value_bytes = sizeof(T);
        facts.plan = &LastStep<T>::template plan<Bound>;
    }
    facts.scratch_bytes = facts.value_bytes;
    if constexpr (has_cuts<Inverses, Bound>)
        facts.scratch_bytes += sizeof(typename BulkInverses<Bound>::Element);
    return facts;
}

template <class Last, class Steps>
inline constexpr std::array<StepFacts, 0> facts_of_steps = {};
template <class Last, class... Trees>
inline constexpr auto facts_of_steps<Last, Program<Trees...>> =
    []<std::size_t... i>(std::index_sequence<i...>) {
        return std::array{step_facts<Last, Trees, i + 1 == sizeof...(Trees)>()...};
    }(std::index_sequence_for<Trees...>{});

template <class Last, class Steps>
inline constexpr std::span<const StepFacts> steps_of = facts_of_steps<Last, Steps>;

// Calls f(k, tree) for each step but the last, k an integral constant.
template <class... Trees, class Function>
void for_each_step_before(const Program<Trees...> &program, const Function &f) {
    [&]<std::size_t... k>(std::index_sequence<k...>) {
        (f(std::integral_constant<std::size_t, k>{}, item<k>(program.steps)), ...);
    }(std::make_index_sequence<sizeof...(Trees) - 1>{});
}
template <class... Trees>
const auto &last_step(const Program<Trees...> &program) {
    return item<sizeof...(Trees) - 1>(program.steps);
}

// Enters into the plan what depends on constants: windows, and whether there is a modulus. faults:
// whether elements may be without a value. separate: an operand lies where the target does.
template <class Last, class... Trees>
void complete_plan(FormulaPlan &plan, const Program<Trees...> &program, std::size_t count,
                   bool faults, bool separate, int device) {
    const std::size_t part = plan.elements_at_once == 0 ? count : plan.elements_at_once;
    std::uint32_t no_word = 0; // stands for the words of all steps
    StepValues nowhere[sizeof...(Trees)];
    for (StepValues &values : nowhere)
        values = {nullptr, faults ? &no_word : nullptr};
    const auto complete = [&]<class Step>(Step, Plan &planned, const auto &tree, bool apart) {
        using Tree = std::remove_cvref_t<decltype(tree)>;
        if constexpr (expression::cost<Tree>.exponent_bits > 0)
            planned.window = window_of(tree, planned, 0);
        Step::complete(planned, tree, part, apart, device);
    };
    for_each_step_before(program, [&]<class Tree>(auto k, const Tree &tree) {
        complete(LastStep<typename Tree::value_type>{}, plan.before[k], bind(tree, nowhere), false);
    });
    complete(Last{}, plan, bind(last_step(program), nowhere), separate);
}

// Runs all steps of a program but the last, and run_last(tree, first, length) with the last for
// elements first .. first + length - 1, by a plan that is complete. faults: whether elements may be
// without a value. memory: for scratch.
template <class... Trees, class RunLast>
void run_steps(const FormulaPlan &plan, const Program<Trees...> &program, std::size_t count,
               bool faults, memory_resource &memory, stream_handle stream,
               const RunLast &run_last) {
    constexpr std::size_t steps = sizeof...(Trees);
    const std::size_t part = plan.elements_at_once == 0 ? count : plan.elements_at_once;
    StepValues values[steps] = {};
    std::optional<Workspace<std::byte>> scratch;
    if constexpr (steps > 1) {
        std::size_t bytes = 0;
        for (const Plan &step : plan.before)
            bytes += step.values_bytes;
        scratch.emplace(memory, bytes, stream);
        std::byte *at = scratch->data();
        for_each_step_before(program, [&]<class Tree>(auto k, const Tree &) {
            values[k].data = at;
            if (faults) {
                values[k].faults = reinterpret_cast<std::uint32_t *>(
                    at + aligned_bytes(part * sizeof(typename Tree::value_type)));
            }
            at += plan.before[k].values_bytes;
        });
    }
    if constexpr (steps == 1) {
        if (part == count) {
            run_last(last_step(program), 0, count); // no copy
            return;
        }
    }
    for (std::size_t first = 0; first < count; first += part) {
        const std::size_t length = std::min(part, count - first);
        for_each_step_before(program, [&]<class Tree>(auto k, const Tree &tree) {
            using T = typename Tree::value_type;
            const auto step = bind(advance(tree, first), values);
            const Target<T> target{
                {{Place<T>{static_cast<T *>(values[k].data), values[k].faults}}}};
            plan.before[k].run(plan.before[k], &target, length, &step, memory, stream);
        });
        run_last(bind(advance(last_step(program), first), values), first, length);
    }
}

#endif

} // namespace warpint::execution
