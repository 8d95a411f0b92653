// SPDX-License-Identifier: Apache-2.0
// Reductions of a vector or a formula to one value. The formula is computed inside the reduction,
// in one launch, or, where its own kernel is faster, before it into scratch memory.
//
// All accept a stream and wait for their result, so they cannot run on a stream that is being
// captured into a graph (std::logic_error). If there are faults, a reduction throws
// std::domain_error with their count and the first index, as reading back does. Other errors are
// those of assignments: size_mismatch, wrong_location, device_bad_alloc, cuda_error.
#pragma once

#include "../execution/reduce.h"
#include "../expression/functions.h"
#include "residue_element.h"

namespace warpint {

namespace containers {

template <class A>
using reduced_value_t = std::remove_cvref_t<typename expression::tree_of_t<A>::value_type>;

// How a formula is reduced, where eval() puts its values of type T, and the formula that explain()
// explains: where it lies in pieces, that of the first piece here (sharded.h, distributed.h).
template <class Tree, bool on_shards = expression::cost<Tree>.on_shards,
          bool on_ranks = expression::cost<Tree>.on_ranks>
struct formula_in_place {
    template <class Reducer>
    static auto reduced(const Reducer &reducer, const Tree &tree, stream_handle stream) {
        return execution::reduce(reducer, tree, stream);
    }
    template <class T>
    static auto target(const Tree &) {
        return batch_vector<T, expression::cost<Tree>.on_host ? Space::host : Space::device>();
    }
    static const Tree &explained(const Tree &tree) { return tree; }
};

template <class Reducer, class Tree>
auto reduce_formula(const Reducer &reducer, const Tree &tree, stream_handle stream) {
    const auto reduced = formula_in_place<Tree>::reduced(reducer, tree, stream);
    execution::check_faults(reduced);
    return reduced;
}

// How it would run.
template <class Reducer, class Tree>
Explanation explain_reduction(const Tree &tree) {
    return execution::explain_formula<execution::ReducesBy<Reducer>>(
        formula_in_place<Tree>::explained(tree));
}

template <class Reducer, class A>
auto reduce(const Reducer &reducer, const A &a, stream_handle stream) {
    const auto reduced = reduce_formula(reducer, expression::tree_of(a), stream);
    return reducer.finish(reduced.value, reduced.count);
}

template <bool largest, class A>
auto extreme(const A &a, stream_handle stream) {
    const execution::ExtremeReducer<reduced_value_t<A>, largest> reducer;
    const auto reduced = reduce_formula(reducer, expression::tree_of(a), stream);
    if (reduced.count == 0) {
        throw std::invalid_argument(largest ? "warpint: max of no elements"
                                            : "warpint: min of no elements");
    }
    return reducer.finish(reduced.value, reduced.count);
}

// The modulus that a formula's residues share (wrong_modulus if there is none).
template <class Tree>
auto shared_modulus_of(const Tree &tree) {
    auto found = expression::common_modulus<Tree::value_type::bits>(tree);
    if (found == nullptr)
        throw wrong_modulus("warpint: the residues have no modulus");
    return found;
}

// Counts the elements that are not 0, and all elements.
template <class A>
execution::Reduced<std::uint64_t> counted(const A &a, stream_handle stream) {
    return reduce_formula(execution::CountReducer<reduced_value_t<A>>{}, expression::tree_of(a),
                          stream);
}

} // namespace containers

// A vector, view or formula whose elements are numbers.
template <class A>
concept NumberBatch =
    expression::Batch<A> && AnyNumber<typename expression::tree_of_t<A>::value_type>;

// The exact sum: a BigInt<N + 64> for elements of N bits, or a SignedBigInt<N + 64> if they are
// signed. It is 0 if there are no elements.
// Example:
//     const device_vector<BigInt<64>> a(1000, BigInt<64>(3)), b(1000, BigInt<64>(5));
//     const auto total = sum(a * b); // 15000
template <NumberBatch A>
[[nodiscard]] auto sum(const A &a, stream_handle stream = {}) {
    return containers::reduce(execution::SumReducer<containers::reduced_value_t<A>>{}, a, stream);
}

// Of residues the sum is a residue, with the modulus of all: 0 if there are no elements.
// wrong_modulus if they have none.
// Example:
//     const Modulus<64> m(BigInt<64>(7));
//     const device_vector<Residue<64>> x(m, 1000, 3);
//     const auto total = sum(x); // 3000 mod 7 = 4
template <expression::ResidueBatch A>
[[nodiscard]] auto sum(const A &a, stream_handle stream = {}) {
    const auto &tree = expression::tree_of(a);
    using R = typename expression::tree_of_t<A>::value_type;
    if constexpr (expression::is_shared_residue<R>) {
        const auto modulus = containers::shared_modulus_of(tree);
        return residue_element<R::bits>((*modulus)(sum(value(tree), stream)), modulus);
    } else {
        return R(sum(value(tree), stream));
    }
}

// The product modulo m, in [0, m). m is a number >= 1, odd or even, or a Modulus. It is 1 mod m if
// there are no elements. m <= 0: std::domain_error.
template <NumberBatch A, ModulusLike M>
[[nodiscard]] auto product(const A &a, const M &m, stream_handle stream = {}) {
    constexpr int bits = number::modulus_bits_v<M>;
    using Reducer = execution::ProductReducer<containers::reduced_value_t<A>, bits>;
    if constexpr (ModulusContext<M>) {
        return containers::reduce(Reducer{m}, a, stream);
    } else {
        return containers::reduce(Reducer{Modulus<bits>(number::modulus_value(m))}, a, stream);
    }
}

// Of residues the product is a residue, with the modulus of all: 1 if there are no elements.
// wrong_modulus if they have none.
template <expression::ResidueBatch A>
[[nodiscard]] auto product(const A &a, stream_handle stream = {}) {
    const auto &tree = expression::tree_of(a);
    using R = typename expression::tree_of_t<A>::value_type;
    if constexpr (expression::is_shared_residue<R>) {
        const auto modulus = containers::shared_modulus_of(tree);
        return residue_element<R::bits>((*modulus)(product(value(tree), *modulus, stream)),
                                        modulus);
    } else {
        return R(product(value(tree), R::modulus(), stream));
    }
}

// The smallest (min) or largest (max) element, of the elements' type. No elements:
// std::invalid_argument.
template <NumberBatch A>
[[nodiscard]] auto min(const A &a, stream_handle stream = {}) {
    return containers::extreme<false>(a, stream);
}
template <NumberBatch A>
[[nodiscard]] auto max(const A &a, stream_handle stream = {}) {
    return containers::extreme<true>(a, stream);
}

// How many elements are not 0: of a condition, how many it holds for.
template <NumberBatch A>
[[nodiscard]] std::size_t count(const A &a, stream_handle stream = {}) {
    return containers::counted(a, stream).value;
}
// Whether no element is 0: whether a condition holds for all. True if there are no elements.
template <NumberBatch A>
[[nodiscard]] bool all(const A &a, stream_handle stream = {}) {
    const auto counted = containers::counted(a, stream);
    return counted.value == counted.count;
}
// Whether an element is not 0: whether a condition holds for any. False if there are no elements.
template <NumberBatch A>
[[nodiscard]] bool any(const A &a, stream_handle stream = {}) {
    return containers::counted(a, stream).value != 0;
}

// Residues have no order, and a product of theirs needs no modulus; these are here for their
// messages.
template <expression::ResidueBatch A, class write_min_value_x_for_the_numbers = void>
BigInt<64> min(const A &, stream_handle = {})
    WARPINT_REFUSED("residues have no order: write min(value(x))");
template <expression::ResidueBatch A, class write_max_value_x_for_the_numbers = void>
BigInt<64> max(const A &, stream_handle = {})
    WARPINT_REFUSED("residues have no order: write max(value(x))");
template <expression::ResidueBatch A, class write_count_value_x_for_the_numbers = void>
std::size_t count(const A &, stream_handle = {})
    WARPINT_REFUSED("write count(value(x)) for how many are not 0");
template <expression::ResidueBatch A, class write_all_value_x_for_the_numbers = void>
bool all(const A &, stream_handle = {})
    WARPINT_REFUSED("write all(value(x)) for whether none is 0");
template <expression::ResidueBatch A, class write_any_value_x_for_the_numbers = void>
bool any(const A &, stream_handle = {})
    WARPINT_REFUSED("write any(value(x)) for whether one is not 0");
template <expression::ResidueBatch A, ModulusLike M,
          class write_product_x_or_product_value_x_m = void>
BigInt<64> product(const A &, const M &, stream_handle = {}) WARPINT_REFUSED(
    "residues have their modulus: write product(x), or product(value(x), m) for another");

template <limb::Advice instead = "write product(v, m): it is computed modulo a number or Modulus m",
          NumberBatch A>
int product(const A &, stream_handle = {})
    WARPINT_REFUSED("write product(v, m): it is computed modulo a number or Modulus m");

// The reductions that explain() tells apart; all and any run as count does.
enum class BatchReduction { sum, product, min, max, count };

namespace containers {

template <BatchReduction reduction, class A>
struct reducer_of {
    using type = execution::CountReducer<A>;
};
template <class A>
struct reducer_of<BatchReduction::sum, A> {
    using type = execution::SumReducer<A>;
};
template <class A>
struct reducer_of<BatchReduction::min, A> {
    using type = execution::ExtremeReducer<A, false>;
};
template <class A>
struct reducer_of<BatchReduction::max, A> {
    using type = execution::ExtremeReducer<A, true>;
};

} // namespace containers

// Explains how a reduction would run here, and why; of sharded and distributed vectors as explain()
// of a formula does. The product is one modulo m.
// Example:
//     const device_vector<BigInt<64>> a(1000, BigInt<64>(3)), b(1000, BigInt<64>(5));
//     const std::string plan = explain<BatchReduction::sum>(a * b).to_string(); // of sum(a * b)
template <BatchReduction reduction, NumberBatch A>
    requires(reduction != BatchReduction::product)
[[nodiscard]] Explanation explain(const A &a) {
    using Reducer =
        typename containers::reducer_of<reduction, containers::reduced_value_t<A>>::type;
    return containers::explain_reduction<Reducer>(expression::tree_of(a));
}
template <BatchReduction reduction, NumberBatch A, ModulusLike M>
    requires(reduction == BatchReduction::product)
[[nodiscard]] Explanation explain(const A &a, const M &) {
    using Reducer =
        execution::ProductReducer<containers::reduced_value_t<A>, number::modulus_bits_v<M>>;
    return containers::explain_reduction<Reducer>(expression::tree_of(a));
}
// Residues are reduced as their numbers.
template <BatchReduction reduction, expression::ResidueBatch A>
    requires(reduction == BatchReduction::sum || reduction == BatchReduction::product)
[[nodiscard]] Explanation explain(const A &a) {
    const auto &tree = expression::tree_of(a);
    using R = typename expression::tree_of_t<A>::value_type;
    if constexpr (reduction == BatchReduction::sum) {
        return explain<reduction>(value(tree));
    } else if constexpr (expression::is_shared_residue<R>) {
        return explain<reduction>(value(tree), *containers::shared_modulus_of(tree));
    } else {
        return explain<reduction>(value(tree), R::modulus());
    }
}
// Others; these are here for their messages.
template <BatchReduction reduction,
          limb::Advice instead =
              "write explain<BatchReduction::product>(v, m) with the number or Modulus m",
          NumberBatch A>
    requires(reduction == BatchReduction::product)
Explanation explain(const A &)
    WARPINT_REFUSED("write explain<BatchReduction::product>(v, m) with the number or Modulus m");
template <BatchReduction reduction,
          limb::Advice instead = "residues have no order: write explain of value(x)",
          expression::ResidueBatch A>
    requires(reduction != BatchReduction::sum && reduction != BatchReduction::product)
Explanation explain(const A &) WARPINT_REFUSED("residues have no order: write explain of value(x)");
template <BatchReduction reduction,
          limb::Advice instead = "write explain<BatchReduction::product>(x), or of value(x) and m",
          expression::ResidueBatch A, ModulusLike M>
    requires(reduction == BatchReduction::product)
Explanation explain(const A &, const M &)
    WARPINT_REFUSED("write explain<BatchReduction::product>(x), or of value(x) and m");

} // namespace warpint
