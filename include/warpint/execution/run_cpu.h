// Running a formula on the CPU: every core takes blocks of elements.
#pragma once

#include "evaluate.h"
#include "parallel.h"

namespace warpint::execution {

// A rough count of limb operations per element, enough to tell a batch worth sharing from one that
// is not.
template <class Tree>
constexpr std::size_t operations_per_element() {
    constexpr expression::Properties properties = expression::properties<Tree>;
    const std::size_t words = static_cast<std::size_t>(properties.widest_bits) / 64 + 1;
    if (properties.runs_user_code)
        return 1000 * words;
    switch (properties.work) {
    case WorkKind::power:
        return 64 * words * words * words;
    case WorkKind::number_theory:
        return 200 * words * words;
    case WorkKind::division:
    case WorkKind::product:
        return 8 * words + 2 * words * words;
    case WorkKind::streaming:
        break;
    }
    return 4 * words;
}

// Elements that one core takes one after another: a word of fault bits.
inline constexpr std::size_t cpu_group = 32;

namespace detail {

template <class Tree, class... T, std::size_t... i>
void run_element([[maybe_unused]] std::index_sequence<i...> positions, const Target<T...> &target,
                 const Tree &tree, std::size_t index, bool &fault) {
    const auto &value = evaluate(tree, DirectContext{index}, fault);
    if (!fault)
        ((place<i>(target).data[index] = stored<T>(result<i, sizeof...(T)>(value))), ...);
}

} // namespace detail

// Results of the formula for elements [0, count). Bit i of word i / 32 of a place's faults is set for
// each element without a value (which becomes 0). Places may be operands of the formula. Returns
// whether any element has no value.
template <class Tree, class... T>
bool run_on_cpu(const Target<T...> &target, std::size_t count, const Tree &tree) {
    using Positions = std::index_sequence_for<T...>;
    std::atomic<bool> any_fault{false};
    parallel_for(count, cpu_group, operations_per_element<Tree>(), [&](std::size_t first,
                                                                       std::size_t last) {
        for (std::size_t group = first; group < last; group += cpu_group) {
            const std::size_t end = std::min(group + cpu_group, last);
            std::uint32_t mask = 0;
            for (std::size_t i = group; i < end; ++i) {
                bool fault = false;
                if constexpr (expression::properties<Tree>.runs_user_code) {
                    try {
                        detail::run_element(Positions{}, target, tree, i, fault);
                    } catch (...) { // a user's function says that there is no value
                        fault = true;
                    }
                } else {
                    detail::run_element(Positions{}, target, tree, i, fault);
                }
                if (fault) {
                    mask |= 1u << (i - group);
                    [&]<std::size_t... k>(std::index_sequence<k...>) {
                        ((place<k>(target).data[i] = T{}), ...);
                    }
                    (Positions{});
                }
            }
            [&]<std::size_t... k>(std::index_sequence<k...>) {
                ((place<k>(target).faults != nullptr
                      ? void(place<k>(target).faults[group / cpu_group] = mask)
                      : void()),
                 ...);
            }
            (Positions{});
            if (mask != 0)
                any_fault.store(true, std::memory_order_relaxed);
        }
    });
    return any_fault.load(std::memory_order_relaxed);
}

} // namespace warpint::execution
