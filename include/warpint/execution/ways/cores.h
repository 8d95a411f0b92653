// SPDX-License-Identifier: Apache-2.0
// Running a formula on the CPU element by element: every core takes blocks of them. What elements
// do together: strips.h.
#pragma once

#include "../../expression/lower.h"
#include "../evaluation/evaluate.h"
#include "../memory/parallel.h"
#include "../memory/thrown.h"

#include <atomic>
#include <ctime>
#include <vector>

namespace warpint::execution {

// A rough count of limb operations per element, enough to tell a batch worth sharing from one that
// is not.
constexpr std::size_t operations_of(const expression::Cost &cost) {
    const std::size_t words = static_cast<std::size_t>(cost.widest_bits) / 64 + 1;
    if (cost.runs_user_code)
        return 1000 * words;
    switch (cost.work) {
    case WorkKind::power:
        return 64 * words * words * words;
    case WorkKind::number_theory:
    case WorkKind::cofactor:
        return 200 * words * words;
    case WorkKind::division:
    case WorkKind::fold:
    case WorkKind::root:
    case WorkKind::product:
        return 8 * words + 2 * words * words;
    case WorkKind::streaming:
        break;
    }
    return 4 * words;
}
template <class Tree>
inline constexpr std::size_t operations_per_element = operations_of(expression::cost<Tree>);

// Whether fewer than 32 elements are shared by many cores: powers, or calls of a user's function.
template <class Tree>
inline constexpr bool is_dear =
    expression::cost<Tree>.runs_user_code || is_dear_work(operations_per_element<Tree>);

// parallel_for() of a formula's elements, each of which is dear. What a function of the user costs
// is not known: its first call is timed, by the calling thread.
template <class Tree>
void for_dear_elements(std::size_t count, const LoopBody &body) {
    if (!expression::cost<Tree>.runs_user_code || count < 2) {
        parallel_for(count, 1, operations_per_element<Tree>, body);
        return;
    }
    // (<chrono> brings streams.)
    const auto nanoseconds = [] {
        std::timespec now{};
        (void)std::timespec_get(&now, TIME_UTC);
        return std::uint64_t{1'000'000'000} * static_cast<std::uint64_t>(now.tv_sec) +
               static_cast<std::uint64_t>(now.tv_nsec);
    };
    const std::uint64_t start = nanoseconds();
    body(0, 1);
    const auto elapsed = static_cast<std::size_t>(nanoseconds() - start);
    const std::size_t operations =
        elapsed > operations_per_element<Tree> ? elapsed : operations_per_element<Tree>;
    parallel_for(count - 1, 1, operations,
                 [&](std::size_t first, std::size_t last) { body(first + 1, last + 1); });
}

// Fault bits while threads share words of them. They are stored when all elements are computed: the
// target's words may be those of an operand.
class SharedFaults {
public:
    explicit SharedFaults(std::size_t count) : words_((count + 31) / 32) {}

    // Of elements `first` and behind it, in one word.
    void note(std::size_t first, std::uint32_t mask) {
        if (mask != 0)
            words_[first / 32].fetch_or(mask << first % 32, std::memory_order_relaxed);
    }
    [[nodiscard]] std::size_t size() const { return words_.size(); }
    [[nodiscard]] std::uint32_t operator[](std::size_t word) const {
        return words_[word].load(std::memory_order_relaxed);
    }

private:
    std::vector<std::atomic<std::uint32_t>> words_;
};

// f(), of a tree with functions of the user: one that throws says that element `index` has no
// value.
template <class Tree, class Function>
void guarded(bool &fault, std::size_t index, const Function &f) {
    if constexpr (expression::cost<Tree>.runs_user_code) {
        try {
            f();
        } catch (...) {
            fault = true;
            ThrownInRun::note(index);
        }
    } else {
        f();
    }
}

// Numbers that do not fit registers. g++ copies them by `rep movs`, which takes some 10 ns, so they
// are read where they lie, and where no operand can lie there, computed where they are stored.
template <class T>
inline constexpr bool is_long_number = false;
template <BigNumber T>
inline constexpr bool is_long_number<T> = T::limb_count >= arith::host_in_memory_limbs;

// Loads elements whether they have a value or not (0 then). Nothing between a value and its store
// may branch: g++ then keeps short numbers in registers (sums of 128 and 256 bits take 3 to 4 ns,
// else 13).
struct FaultlessContext : DirectContext {
    template <class T>
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE std::conditional_t<is_long_number<T>, const T &, T>
    load(const BatchPointer<T> &elements, bool &) const {
        return elements.data[index];
    }
};

// The elements 32 word .. 32 word + 31 for which an operand has no value.
template <class Leaf>
std::uint32_t operand_faults(const Leaf &, std::size_t) {
    return 0;
}
template <class T>
std::uint32_t operand_faults(const BatchPointer<T> &leaf, std::size_t word) {
    return leaf.faults == nullptr ? 0 : leaf.faults[word];
}
template <class Operation, class... Operands>
std::uint32_t operand_faults(const Node<Operation, Operands...> &node, std::size_t word) {
    return expression::with_operands(node, [&](const auto &...operand) {
        return (std::uint32_t{0} | ... | operand_faults(operand, word));
    });
}
template <int Bits, class Tree>
std::uint32_t operand_faults(const WithModulus<Bits, Tree> &whole, std::size_t word) {
    return operand_faults(whole.tree, word);
}

template <class T, class Place, class Value>
WARPINT_INLINE void store_number(Place &&place, const Value &value) {
    if constexpr (is_long_number<T> && sizeof(T) != sizeof(Value)) {
        ::new (static_cast<void *>(&place)) T(stored<T>(value));
    } else {
        place = stored<T>(value);
    }
}
template <class... T, class Value>
WARPINT_INLINE void store_element(const Target<T...> &target, std::size_t index,
                                  const Value &value) {
    [&]<std::size_t... k>(std::index_sequence<k...>) WARPINT_INLINE_LAMBDA {
        (store_number<T>(place<k>(target).data[index], result<k, sizeof...(T)>(value)), ...);
    }(std::index_sequence_for<T...>{});
}
template <class... T>
void clear_element(const Target<T...> &target, std::size_t index) {
    [&]<std::size_t... k>(std::index_sequence<k...>) {
        ((place<k>(target).data[index] = T{}), ...);
    }(std::index_sequence_for<T...>{});
}

// Long sums and differences of which the target keeps the low bits are computed in its width, from
// memory to memory. (Those of unrolled rows and a carry stay in registers.)
template <class Tree, class... T>
inline constexpr bool is_narrow_sum = false;
template <class Operation, class A, class B, BigNumber T>
    requires requires(T &place) { Operation::wrap_into(place, place, place); }
inline constexpr bool is_narrow_sum<Node<Operation, A, B>, T> =
    T::limb_count > 2 * limb::unrolled_words + 1 &&
    number::bits_of<typename Node<Operation, A, B>::value_type> > T::bits;

// Whether no operand lies where an element of type T is stored: those of other sizes do not
// (check_results).
template <class T, class Tree>
inline constexpr bool is_apart = false;
template <class T, class U>
inline constexpr bool is_apart<T, BatchPointer<U>> = sizeof(T) != sizeof(U);
template <class T, class U>
inline constexpr bool is_apart<T, ConstantLeaf<U>> = true;
template <class T>
inline constexpr bool is_apart<T, IndexLeaf> = true;
template <class T, class Operation, class... Operands>
inline constexpr bool is_apart<T, Node<Operation, Operands...>> = (is_apart<T, Operands> && ...);
template <class Tree, class... T>
inline constexpr bool is_computed_in_place = false;
template <class Operation, class... Operands, class T>
inline constexpr bool is_computed_in_place<Node<Operation, Operands...>, T> =
    is_long_number<T> && std::is_same_v<T, typename Node<Operation, Operands...>::value_type> &&
    is_apart<T, Node<Operation, Operands...>>;

template <class Operation, class A, class B, class T>
WARPINT_INLINE void store_narrow_sum(T &place, const Node<Operation, A, B> &sum,
                                     const FaultlessContext &context, bool &fault) {
    const auto &a = evaluate(item<0>(sum.operands), context, fault);
    const auto &b = evaluate(item<1>(sum.operands), context, fault);
    Operation::wrap_into(place, number::as_number(a), number::as_number(b));
}

// Computes and stores element i of a formula. True: it has no value, and what is stored does not
// count.
template <class Tree, class... T>
WARPINT_INLINE bool run_element(const Target<T...> &target, std::size_t i, const Tree &tree) {
    bool fault = false;
    if constexpr (expression::cost<Tree>.runs_user_code) {
        guarded<Tree>(fault, i, [&] {
            const auto &value = evaluate(tree, DirectContext{i}, fault);
            if (!fault)
                store_element(target, i, value);
        });
    } else if constexpr (is_narrow_sum<Tree, T...>) {
        store_narrow_sum(place<0>(target).data[i], tree, FaultlessContext{{i}}, fault);
    } else if constexpr (is_computed_in_place<Tree, T...>) {
        auto *const to = &place<0>(target).data[i];
        ::new (static_cast<void *>(to))
            std::remove_pointer_t<decltype(to)>(evaluate(tree, FaultlessContext{{i}}, fault));
    } else {
        store_element(target, i, evaluate_for<T...>(tree, FaultlessContext{{i}}, fault));
    }
    return fault;
}

// Results of the formula for elements [0, count), one after another. Bit i of word i / 32 of a
// place's faults is set for each element without a value (which becomes 0). Places may be operands
// of the formula. Returns whether any element has no value.
template <class Tree, class... T>
bool run_one_by_one(const Target<T...> &shared_target, std::size_t count, const Tree &shared_tree) {
    constexpr bool runs_user_code = expression::cost<Tree>.runs_user_code;
    constexpr bool can_fault = expression::cost<Tree>.can_fault || runs_user_code;
    [[maybe_unused]] std::uint32_t everywhere = 0;
    if constexpr (expression::has_checked_constant<Tree>)
        everywhere = expression::constants_fault(shared_tree) ? ~std::uint32_t{0} : 0;
    // Those of the operands, of a word. (Functions of the user take them from the operands.)
    const auto faults_before = [everywhere](const Tree &tree, std::size_t group, std::size_t end) {
        if constexpr (runs_user_code)
            return std::uint32_t{0};
        const auto all = static_cast<std::uint32_t>((std::uint64_t{1} << (end - group)) - 1);
        return (operand_faults(tree, group / cpu_group) | everywhere) & all;
    };
    const auto finish = [](const Target<T...> &target, std::size_t group, std::uint32_t mask) {
        for (std::uint32_t left = mask; left != 0; left &= left - 1)
            clear_element(target, group + static_cast<std::size_t>(std::countr_zero(left)));
        set_fault_word(target, group / cpu_group, mask);
    };
    if constexpr (is_dear<Tree>) {
        SharedFaults own(can_fault ? count : 0);
        for_dear_elements<Tree>(count, [&](std::size_t first, std::size_t last) {
            for (std::size_t i = first; i < last; ++i) {
                if (run_element(shared_target, i, shared_tree) && can_fault)
                    own.note(i, 1);
            }
        });
        std::uint32_t any_fault = 0;
        for (std::size_t group = 0; group < count; group += cpu_group) {
            std::uint32_t mask =
                faults_before(shared_tree, group, std::min(group + cpu_group, count));
            if constexpr (can_fault)
                mask |= own[group / cpu_group];
            finish(shared_target, group, mask);
            any_fault |= mask;
        }
        return any_fault != 0;
    } else {
        std::atomic<bool> any_fault{false};
        parallel_for(count, cpu_group, operations_per_element<Tree>,
                     [&](std::size_t first, std::size_t last) {
                         // Copies, which no store to a number can change: pointers stay in
                         // registers.
                         const Tree tree = shared_tree;
                         const Target<T...> target = shared_target;
                         std::uint32_t faults = 0;
                         for (std::size_t group = first; group < last; group += cpu_group) {
                             const std::size_t end = std::min(group + cpu_group, last);
                             std::uint32_t mask = faults_before(tree, group, end);
                             for (std::size_t i = group; i < end; ++i) {
                                 const bool fault = run_element(target, i, tree);
                                 if constexpr (can_fault)
                                     mask |= std::uint32_t{fault} << (i - group);
                             }
                             finish(target, group, mask);
                             faults |= mask;
                         }
                         if (faults != 0)
                             any_fault.store(true, std::memory_order_relaxed);
                     });
        return any_fault.load(std::memory_order_relaxed);
    }
}

} // namespace warpint::execution
