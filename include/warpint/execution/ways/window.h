// SPDX-License-Identifier: Apache-2.0
// The window of a lowered formula's widest modular power, in bits, asked of the functions that size
// the tables where the power runs.
#pragma once

#include "../../arith/lanes/tuning.h"
#include "../plan/plan.h"
#include "side_by_side.h"

namespace warpint::execution {

// Of one node, by itself, where no engine of a CPU does it.
template <class Node>
int own_window([[maybe_unused]] const Node &power, [[maybe_unused]] const Plan &plan) {
    if constexpr (Node::exponent < 0) {
        return 0;
    } else if constexpr (!Node::modulus_is_last) {
        using Shared = typename std::remove_cvref_t<decltype(item<0>(power.operands))>::value_type;
        using Base = decltype(Shared::base);
        if constexpr (expression::is_shared_tabled_base<Shared>) {
            return plan.family == KernelFamily::cpu_threads ? Base::HostComb::teeth
                                                            : Base::KernelComb::teeth;
        } else {
            return Base::teeth;
        }
    } else {
        const auto &e = item<Node::exponent>(power.operands);
        const auto &m = item<2>(power.operands);
        using Exponent = typename std::remove_cvref_t<decltype(e)>::value_type;
        constexpr int modulus_bits =
            value_bits<typename std::remove_cvref_t<decltype(m)>::value_type>;
        if constexpr (is_shared_exponent<Exponent>) {
            return e.value.schedule.window;
        } else {
            constexpr int bits = number::bits_of<Exponent>;
            if (plan.family == KernelFamily::lanes_per_number) {
                const int limbs = (modulus_bits + 31) / 32;
                return lanes::power_window((limbs + 2 * plan.lanes_per_number - 1) /
                                               (2 * plan.lanes_per_number) * 2,
                                           bits);
            }
            const bool on_gpu = plan.family != KernelFamily::cpu_threads;
            return number::power_window(
                bits, Modulus<modulus_bits>::limb_count,
                on_gpu ? number::device_power_table_bytes : number::host_power_table_bytes,
                on_gpu ? arith::PowerMethod::fixed_windows : arith::PowerMethod::sliding_windows);
        }
    }
}

// together: elements that an engine of a CPU may do together, 0 on a GPU.
template <class Leaf>
int window_of(const Leaf &, const Plan &, std::size_t) {
    return 0;
}
template <class Operation, class... Operands>
int window_of(const Node<Operation, Operands...> &node, const Plan &plan, std::size_t together) {
    using Node = expression::Node<Operation, Operands...>;
    if (!collective::has_collective<Node>)
        together = 0;
    int window = collective::engine_window(node, together);
    if (window == 0)
        window = own_window(node, plan);
    expression::with_operands(node, [&](const auto &...operand) {
        ((window = std::max(window, window_of(operand, plan, together))), ...);
    });
    return window;
}
template <int Bits, class Tree>
int window_of(const WithModulus<Bits, Tree> &whole, const Plan &plan, std::size_t together) {
    return window_of(whole.tree, plan, together);
}

} // namespace warpint::execution
