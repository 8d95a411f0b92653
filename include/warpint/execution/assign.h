// From a formula and its targets to one launch: checks, plan, lowering, run. Explaining a formula
// takes the same way up to the run.
#pragma once

#include "evaluate_let.h"
#include "evaluate_residues.h"
#include "inverses.h"
#include "inverses_cuda.h"
#include "run_cpu.h"
#include "run_cuda.h"
#include "storage.h"
#include "tuning/rows.h"

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <sstream>
#include <tuple>

namespace warpint {

// How a formula would run here. Sizes in bytes.
struct Explanation {
    execution::KernelFamily family = execution::KernelFamily::cpu_threads;
    execution::WorkKind kind = execution::WorkKind::streaming;
    int widest_bits = 0; // of the values in the formula
    int lanes_per_number = 1;
    int threads_per_block = 0; // GPU; on the CPU the number of threads
    execution::Loading loading = execution::Loading::direct;
    int window = 0;              // of the widest modular power's exponent, in bits; else 0
    int registers = 0;           // per thread; 0 on the CPU
    int local_bytes = 0;         // local memory per thread
    int shared_bytes = 0;        // shared memory per block
    std::size_t workspace = 0;   // memory beside operands and results
    std::size_t bytes_moved = 0; // read and written, for all elements
    std::string reason;

    friend bool operator==(const Explanation &, const Explanation &) = default;

    [[nodiscard]] std::string to_string() const {
        std::ostringstream text;
        text << name(family) << ", " << name(kind) << " of " << widest_bits << " bits, "
             << lanes_per_number << " lane(s) per number, " << threads_per_block
             << (family == execution::KernelFamily::cpu_threads ? " threads"
                                                                : " threads per block");
        if (window > 0)
            text << ", window " << window;
        if (registers > 0) {
            text << ", " << name(loading) << ", " << registers << " registers, " << local_bytes
                 << " B local, " << shared_bytes << " B shared";
        }
        if (workspace > 0)
            text << ", " << workspace << " B workspace";
        text << ", " << bytes_moved << " B moved: " << reason;
        return text.str();
    }
};

namespace execution {

// What the last formula of this thread ran as, noted where it was launched. explain() of the same
// formula says the same.
struct LastRun {
    Plan plan;
    std::size_t size = 0;
    Location location;
    Explanation (*describe)(const Plan &, std::size_t, Location) = nullptr;

    [[nodiscard]] Explanation explanation() const {
        return describe != nullptr ? describe(plan, size, location) : Explanation{};
    }
};
inline LastRun &last_run() {
    thread_local LastRun ran;
    return ran;
}

// The window of a lowered tree's widest modular power, in bits.
template <class Leaf>
constexpr int window_of(const Leaf &, bool) {
    return 0;
}
template <int Bits>
constexpr int window_of(const expression::ConstantLeaf<expression::SharedExponent<Bits>> &leaf,
                        bool) {
    return leaf.value.schedule.window;
}
template <int Bits, int ExponentBits>
constexpr int
window_of(const expression::ConstantLeaf<expression::SharedBase<Bits, ExponentBits>> &, bool) {
    return FixedBase<Bits, ExponentBits>::teeth;
}
template <class Operation, class... Operands>
constexpr int window_of(const expression::Node<Operation, Operands...> &node, bool on_gpu) {
    int window = 0;
    [&]<std::size_t... i>(std::index_sequence<i...>) {
        ((window = std::max(window, window_of(expression::slot<i>(node.operands), on_gpu))), ...);
    }
    (std::index_sequence_for<Operands...>{});
    if constexpr (std::is_same_v<Operation, expression::operation::Power>) {
        using Values = std::tuple<typename Operands::value_type...>;
        using E = std::tuple_element_t<1, Values>;
        constexpr int modulus_bits = expression::value_bits<std::tuple_element_t<2, Values>>;
        if constexpr (AnyNumber<E>) { // exponents that differ
            window = std::max(
                window, number::power_window(number::bits_of<E>, Modulus<modulus_bits>::limb_count,
                                             on_gpu ? number::device_power_table_bytes
                                                    : number::host_power_table_bytes,
                                             on_gpu ? algorithm::PowerMethod::fixed_windows
                                                    : algorithm::PowerMethod::sliding_windows));
        }
    }
    return window;
}

} // namespace execution

inline namespace WARPINT_BACKEND {
namespace execution_backend {

// The number of elements and the place of a formula; throws if its vectors disagree. A formula of
// indices alone runs where it is told to.
struct Extent {
    std::size_t size = 0;
    Location location;
};

template <class Leaf>
inline constexpr bool is_batch_leaf = false;
template <class T, Space space>
inline constexpr bool is_batch_leaf<expression::BatchLeaf<T, space>> = true;

// Whether a leaf reads a batch: element for element, or any of its elements.
template <class Leaf>
inline constexpr bool reads_batch = is_batch_leaf<Leaf>;
template <class T, Space space>
inline constexpr bool reads_batch<expression::SourceLeaf<T, space>> = true;

template <class Tree>
Extent extent_of(const Tree &tree, Location of_indices) {
    Extent extent{0, of_indices};
    bool first_size = true;
    bool first_place = true;
    expression::for_each_leaf(tree, [&](const auto &leaf) {
        using Leaf = std::remove_cvref_t<decltype(leaf)>;
        std::size_t size = 0;
        if constexpr (reads_batch<Leaf>) {
            const expression::BatchState &state = leaf.state();
            size = state.size;
            if (first_place) {
                extent.location = state.location;
                first_place = false;
            } else if (!(state.location == extent.location)) {
                throw wrong_location("warpint: batches on different devices in one formula");
            }
            if constexpr (!is_batch_leaf<Leaf>)
                return; // the indices tell how many elements are gathered
        } else if constexpr (std::is_same_v<Leaf, expression::IndexLeaf>) {
            size = leaf.size;
        } else {
            return;
        }
        if (first_size) {
            extent.size = size;
            first_size = false;
        } else if (size != extent.size) {
            throw size_mismatch("warpint: batches of " + std::to_string(extent.size) + " and " +
                                std::to_string(size) + " elements in one formula");
        }
    });
    return extent;
}

// Where a result goes: the elements of a storage, or of a view (storage null, no room for faults).
template <class T>
struct Destination {
    T *data = nullptr;
    std::size_t size = 0;
    Location location;
    Storage *storage = nullptr;

    explicit Destination(Storage &to)
        : data{static_cast<T *>(to.data)}, size{to.size}, location{to.location}, storage{&to} {}
    Destination(T *to, std::size_t count, Location place)
        : data{to}, size{count}, location{place} {}
};

// The elements of a storage, or of memory at an address, as T.
template <class T>
Destination<T> destination_of(Storage &to) {
    return Destination<T>(to);
}
template <class T>
Destination<T> destination_of(void *to, std::size_t count, Location place) {
    return Destination<T>(static_cast<T *>(to), count, place);
}

// The memory of a batch.
struct Extension {
    std::uintptr_t begin;
    std::uintptr_t end;
    std::size_t element_bytes;
};
inline Extension extension(const void *data, std::size_t size, std::size_t element_bytes) {
    const auto begin = reinterpret_cast<std::uintptr_t>(data);
    return {begin, begin + size * element_bytes, element_bytes};
}
inline bool are_disjoint(const Extension &a, const Extension &b) {
    return a.end <= b.begin || b.end <= a.begin;
}

// An operand may be a target itself, element for element, but not overlap it in any other way. One
// that is gathered from may not overlap it at all.
inline void check_overlap(const Extension &target, const Extension &operand, bool gathered) {
    const bool same =
        !gathered && operand.begin == target.begin && operand.element_bytes == target.element_bytes;
    if (!same && !are_disjoint(target, operand))
        throw wrong_location(gathered
                                 ? "warpint: the target overlaps the batch that is gathered from"
                                 : "warpint: the target overlaps an operand at another offset");
}
// Results of one formula go to different places.
inline void check_disjoint(std::initializer_list<Extension> targets) {
    for (auto a = targets.begin(); a != targets.end(); ++a) {
        for (auto b = a + 1; b != targets.end(); ++b) {
            if (!are_disjoint(*a, *b))
                throw wrong_location("warpint: two results of one formula go to the same place");
        }
    }
}

// Whether no operand lies where the target does.
template <class T, class Tree>
bool is_disjoint(const Destination<T> &to, const Tree &tree) {
    bool disjoint = true;
    expression::for_each_leaf(tree, [&](const auto &leaf) {
        if constexpr (reads_batch<std::remove_cvref_t<decltype(leaf)>>)
            disjoint = disjoint && leaf.state().data != static_cast<const void *>(to.data);
    });
    return disjoint;
}

// Whether all operands lie on multiples of 16 bytes.
template <class Tree>
bool is_aligned(const Tree &tree) {
    bool aligned = true;
    expression::for_each_leaf(tree, [&](const auto &leaf) {
        if constexpr (is_batch_leaf<std::remove_cvref_t<decltype(leaf)>>)
            aligned = aligned && reinterpret_cast<std::uintptr_t>(leaf.state().data) % 16 == 0;
    });
    return aligned;
}

// A formula ready to run: the decision, and the tree made for it.
template <class Tree, class... T>
struct Prepared {
    using Lowered = expression::lowered_t<Tree>;
    static_assert(std::is_trivially_copyable_v<Lowered>);

    execution::Plan plan;
    Lowered tree;
};

// Whether a formula for which is_bulk_inverse holds runs so.
template <class Lowered>
bool inverts_together(const Lowered &tree, [[maybe_unused]] const Extent &extent) {
#if WARPINT_CUDA
    if (extent.location.on_gpu() && extent.size < execution::least_bulk_inverses)
        return false;
#endif
    return execution::SharedInverse<Lowered>::modulus_exists(tree);
}

template <class Tree, class... T>
Prepared<Tree, T...> prepare(const Tree &tree, const Extent &extent,
                             [[maybe_unused]] bool aligned) {
    using Lowered = expression::lowered_t<Tree>;
    execution::Plan plan;
#if WARPINT_CUDA
    if (extent.location.on_gpu()) {
        plan = execution::plan_on_gpu<Lowered, T...>(extent.size, extent.location.device, aligned);
    } else
#endif
    {
        plan.threads_per_block = static_cast<int>(execution::threads_for(
            extent.size, execution::cpu_group, execution::operations_per_element<Lowered>()));
        plan.reason = execution::collective::reason<Lowered>();
    }
    const bool on_gpu = extent.location.on_gpu();
    Prepared<Tree, T...> prepared{plan,
                                  expression::lower_formula(tree, {on_gpu, plan.most_window})};
    if (prepared.plan.window == 0)
        prepared.plan.window = execution::window_of(prepared.tree, on_gpu);
    if constexpr (execution::is_bulk_inverse<Lowered, T...>) {
        if (inverts_together(prepared.tree, extent))
            prepared.plan.reason = "inverses modulo one modulus: one inversion for many elements";
    }
    return prepared;
}

template <class Tree, class... T>
Explanation describe_run(const execution::Plan &plan, std::size_t size,
                         [[maybe_unused]] Location location) {
    using Lowered = expression::lowered_t<Tree>;
    constexpr execution::Work work = execution::work_of<Lowered, T...>();
    Explanation result;
    result.family = plan.family;
    result.kind = work.kind;
    result.widest_bits = expression::properties<Tree>.widest_bits;
    result.lanes_per_number = plan.lanes;
    result.threads_per_block = plan.threads_per_block;
    result.loading = plan.loading;
    result.window = plan.window;
    result.shared_bytes = plan.shared_bytes;
    result.workspace = plan.workspace;
    result.bytes_moved = size * static_cast<std::size_t>(work.bytes_moved);
    result.reason = plan.reason;
#if WARPINT_CUDA
    if (location.on_gpu()) {
        const auto facts = execution::kernel_facts<Lowered, T...>(location.device);
        result.registers = facts.registers;
        result.local_bytes = facts.local_bytes;
    }
#endif
    return result;
}

// Runs the formula into its destinations, all of the formula's size: exactly one launch (none for
// an empty batch).
template <class Tree, class... T>
void assign(const Tree &tree, [[maybe_unused]] stream_handle stream, Destination<T>... to) {
    expression::check_spaces<Tree>();
    static_assert(execution::part_count<typename Tree::value_type> == sizeof...(T),
                  "as many targets as the formula has results: tie(q, r) = divmod(a, b)");
    const Extent extent = extent_of(tree, std::get<0>(std::tie(to...)).location);
    const auto check = [&](const auto &destination) {
        if (destination.size != extent.size) {
            throw size_mismatch("warpint: a formula of " + std::to_string(extent.size) +
                                " elements and a target of " + std::to_string(destination.size));
        }
        if (!(destination.location == extent.location) && extent.size != 0)
            throw wrong_location("warpint: the target is on another device than the formula");
    };
    (check(to), ...);
    expression::for_each_leaf(tree, [&](const auto &leaf) {
        using Leaf = std::remove_cvref_t<decltype(leaf)>;
        if constexpr (reads_batch<Leaf>) {
            const expression::BatchState &state = leaf.state();
            const Extension operand =
                extension(state.data, state.size, sizeof(typename Leaf::element_type));
            (check_overlap(extension(to.data, to.size, sizeof(T)), operand, !is_batch_leaf<Leaf>),
             ...);
        }
    });
    check_disjoint({extension(to.data, to.size, sizeof(T))...});
    if (extent.size == 0) {
        ((to.storage != nullptr ? void(to.storage->may_have_faults = false) : void()), ...);
        return;
    }
    const bool aligned =
        is_aligned(tree) && ((reinterpret_cast<std::uintptr_t>(to.data) % 16 == 0) && ...);
    const Prepared<Tree, T...> ready = prepare<Tree, T...>(tree, extent, aligned);

    bool operand_faults = false;
    expression::for_each_leaf(tree, [&](const auto &leaf) {
        if constexpr (reads_batch<std::remove_cvref_t<decltype(leaf)>>)
            operand_faults = operand_faults || leaf.state().may_have_faults;
    });
    using Lowered = typename Prepared<Tree, T...>::Lowered;
    constexpr expression::Properties properties = expression::properties<Lowered>;
    const bool can_fault = properties.can_fault || operand_faults ||
                           (properties.runs_user_code && !extent.location.on_gpu());
    const execution::Target<T...> target{{{execution::Place<T>{
        to.data, can_fault && to.storage != nullptr ? to.storage->faults : nullptr}}...}};
#if WARPINT_CUDA
    if (extent.location.on_gpu()) {
        const int device = extent.location.device;
        const execution::CurrentDevice current(device);
        // The storages concerned; a view's memory is its owner's business.
        const bool tracked = execution::is_legacy(stream) || !execution::is_capturing(stream);
        const auto each_use = [&](const auto &use) {
            expression::for_each_leaf(tree, [&](const auto &leaf) {
                if constexpr (reads_batch<std::remove_cvref_t<decltype(leaf)>>) {
                    if (leaf.shared != nullptr)
                        use(static_cast<const Storage &>(*leaf.shared), false);
                }
            });
            ((to.storage != nullptr ? use(*to.storage, true) : void()), ...);
        };
        if (tracked) {
            each_use([&](const Storage &storage, bool writes) {
                execution::uses_of(storage).order_before(device, stream, writes);
            });
        }
        bool done = false;
        if constexpr (execution::is_bulk_inverse<Lowered, T...>) {
            if (inverts_together(ready.tree, extent)) {
                execution::run_inverses_on_gpu(target, extent.size, ready.tree,
                                               (!is_disjoint(to, tree) || ...),
                                               *default_resource(extent.location), stream);
                done = true;
            }
        }
        if (!done)
            execution::run_on_gpu(target, extent.size, ready.tree, ready.plan, stream);
        if (tracked) {
            const auto event =
                execution::is_legacy(stream) ? nullptr : execution::record(device, stream);
            each_use([&](const Storage &storage, bool writes) {
                execution::uses_of(storage).order_after(stream, event, writes);
            });
        }
        ((to.storage != nullptr ? void(to.storage->may_have_faults = can_fault) : void()), ...);
        execution::launch_counter().fetch_add(1, std::memory_order_relaxed);
        execution::last_run() = {ready.plan, extent.size, extent.location,
                                 &describe_run<Tree, T...>};
        return;
    }
#endif
    const bool faults = [&] {
        if constexpr (execution::is_bulk_inverse<Lowered, T...>) {
            if (inverts_together(ready.tree, extent))
                return execution::run_inverses_on_cpu(target, extent.size, ready.tree);
        }
        return execution::run_on_cpu(target, extent.size, ready.tree);
    }();
    ((to.storage != nullptr ? void(to.storage->may_have_faults = faults) : void()), ...);
    execution::launch_counter().fetch_add(1, std::memory_order_relaxed);
    execution::last_run() = {ready.plan, extent.size, extent.location, &describe_run<Tree, T...>};
}

template <class Tree, class... T>
Explanation explain(const Tree &tree) {
    expression::check_spaces<Tree>();
    const Extent extent = extent_of(tree, device_location());
#if WARPINT_CUDA
    std::optional<execution::CurrentDevice> current;
    if (extent.location.on_gpu())
        current.emplace(extent.location.device);
#endif
    return describe_run<Tree, T...>(prepare<Tree, T...>(tree, extent, is_aligned(tree)).plan,
                                    extent.size, extent.location);
}

} // namespace execution_backend
} // namespace WARPINT_BACKEND
} // namespace warpint
