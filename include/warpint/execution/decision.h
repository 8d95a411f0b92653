// SPDX-License-Identifier: Apache-2.0
// The decision how a formula runs, as data: made before a launch, noted after it, printed by
// explain(); and what every assignment does alike. None of it depends on the formula's type, so
// that it is compiled once.
#pragma once

#include "backend.h"
#include "collective.h"
#include "operands.h"
#include "plan.h"

#include <string>

namespace warpint {

// How a formula would run here. Sizes are in bytes.
struct Explanation {
    execution::KernelFamily family = execution::KernelFamily::cpu_threads;
    execution::WorkKind kind = execution::WorkKind::streaming;
    int widest_bits = 0; // of the values in the formula
    int lanes_per_number = 1;
    int threads_per_block = 0; // GPU; on the CPU the number of threads
    execution::Loading loading = execution::Loading::direct;
    int window = 0;       // of the widest modular power's exponent, in bits; else 0
    int registers = 0;    // per thread; 0 on the CPU
    int local_bytes = 0;  // local memory per thread
    int shared_bytes = 0; // shared memory per block
    // Of operands and results in memory, read and written, for all elements. A vector that the
    // formula names twice is loaded twice, the second time from a cache: it counts once.
    std::size_t bytes_moved = 0;
    std::string reason;

    friend bool operator==(const Explanation &, const Explanation &) = default;

    [[nodiscard]] std::string to_string() const {
        using std::to_string;
        std::string text =
            std::string(name(family)) + ", " + name(kind) + " of " + to_string(widest_bits) +
            " bits, " + to_string(lanes_per_number) + " lane(s) per number, " +
            to_string(threads_per_block) +
            (family == execution::KernelFamily::cpu_threads ? " threads" : " threads per block");
        if (window > 0)
            text += ", window " + to_string(window);
        if (registers > 0) {
            text += std::string(", ") + name(loading) + ", " + to_string(registers) +
                    " registers, " + to_string(local_bytes) + " B local, " +
                    to_string(shared_bytes) + " B shared";
        }
        return text + ", " + to_string(bytes_moved) + " B moved: " + reason;
    }
};

namespace execution {

// A decision with what is known of the formula it was made for.
struct Decision {
    Plan plan;
    WorkKind kind = WorkKind::streaming;
    int described_bits = 0; // of the widest value in the formula as it was written
    int bytes_moved = 0;    // for each element
    std::size_t size = 0;
    int registers = 0;
    int local_bytes = 0;
};

inline Explanation explanation_of(const Decision &decision) {
    Explanation result;
    result.family = decision.plan.family;
    result.kind = decision.kind;
    result.widest_bits = decision.described_bits;
    result.lanes_per_number = decision.plan.lanes;
    result.threads_per_block = decision.plan.threads_per_block;
    result.loading = decision.plan.loading;
    result.window = decision.plan.window;
    result.registers = decision.registers;
    result.local_bytes = decision.local_bytes;
    result.shared_bytes = decision.plan.shared_bytes;
    result.bytes_moved = decision.size * static_cast<std::size_t>(decision.bytes_moved);
    result.reason = decision.plan.reason;
    return result;
}

// What the last formula of this thread ran as, noted where it was launched. explain() of the same
// formula says the same.
struct LastRun {
    Decision decision;

    [[nodiscard]] const Plan &plan() const { return decision.plan; }
    [[nodiscard]] Explanation explanation() const { return explanation_of(decision); }
};
inline LastRun &last_run() {
    thread_local LastRun ran;
    return ran;
}

// The window of a lowered tree's widest modular power, in bits. together: elements that an engine
// of a CPU may do together, 0 on a GPU.
template <class Leaf>
int window_of(const Leaf &, bool, std::size_t) {
    return 0;
}
// Of one node, by itself, where no engine does it.
template <class Node>
int own_window(const Node &, bool) {
    return 0;
}
template <class A, class E, class M>
int own_window(const expression::Node<expression::operation::Power, A, E, M> &power, bool on_gpu) {
    using Exponent = typename E::value_type;
    if constexpr (expression::is_shared_exponent<Exponent>) {
        return expression::slot<1>(power.operands).value.schedule.window;
    } else {
        constexpr int modulus_bits = expression::value_bits<typename M::value_type>;
        return number::power_window(number::bits_of<Exponent>, Modulus<modulus_bits>::limb_count,
                                    on_gpu ? number::device_power_table_bytes
                                           : number::host_power_table_bytes,
                                    on_gpu ? algorithm::PowerMethod::fixed_windows
                                           : algorithm::PowerMethod::sliding_windows);
    }
}
template <int Bits, int ExponentBits, class E>
constexpr int own_window(
    const expression::Node<expression::operation::PowerOfBase,
                           expression::ConstantLeaf<expression::SharedBase<Bits, ExponentBits>>, E>
        &,
    bool) {
    return FixedBase<Bits, ExponentBits>::teeth;
}
template <class Operation, class... Operands>
int window_of(const expression::Node<Operation, Operands...> &node, bool on_gpu,
              std::size_t together) {
    using Node = expression::Node<Operation, Operands...>;
    if (!collective::has_collective<Node>)
        together = 0;
    int window = collective::engine_window(node, together);
    if (window == 0)
        window = own_window(node, on_gpu);
    [&]<std::size_t... i>(std::index_sequence<i...>) {
        ((window =
              std::max(window, window_of(expression::slot<i>(node.operands), on_gpu, together))),
         ...);
    }
    (std::index_sequence_for<Operands...>{});
    return window;
}

} // namespace execution
} // namespace warpint
