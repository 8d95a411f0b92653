// Running a formula on the CPU: every core takes blocks of elements.
#pragma once

#include "evaluate.h"
#include "parallel.h"

namespace warpint::execution {

// A rough count of limb operations per element, enough to tell a batch worth sharing from one that
// is not.
template <class Tree>
constexpr std::size_t operations_per_element() {
    using Summary = expression::Summary<Tree>;
    const std::size_t words = static_cast<std::size_t>(Summary::widest_bits) / 64 + 1;
    if (Summary::has_power)
        return 64 * words * words * words;
    if (Summary::has_division || Summary::has_product)
        return 8 * words + 2 * words * words;
    return 4 * words;
}

// out[i] = the formula's value for element i; faults, if the formula can fault, gets bit i of word
// i / 32 set for each element without a value (which becomes 0); null if nobody asks. out may be an
// operand of the formula.
template <class T, class Tree>
void run_on_cpu(T *out, [[maybe_unused]] std::uint32_t *faults, std::size_t count,
                const Tree &tree) {
    parallel_for(count, 32, operations_per_element<Tree>(),
                 [&](std::size_t first, std::size_t last) {
                     for (std::size_t group = first; group < last; group += 32) {
                         const std::size_t end = std::min(group + 32, last);
                         std::uint32_t mask = 0;
                         for (std::size_t i = group; i < end; ++i) {
                             bool fault = false;
                             const auto &value = evaluate(tree, DirectContext{i}, fault);
                             if constexpr (expression::Summary<Tree>::can_fault) {
                                 mask |= std::uint32_t{fault} << (i - group);
                                 out[i] = fault ? T{} : stored<T>(value);
                             } else {
                                 out[i] = stored<T>(value);
                             }
                         }
                         if (faults != nullptr)
                             faults[group / 32] = mask;
                     }
                 });
}

} // namespace warpint::execution
