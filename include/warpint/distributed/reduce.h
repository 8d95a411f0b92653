// SPDX-License-Identifier: Apache-2.0
// Reductions of distributed vectors, and where eval() puts their formulas.
#pragma once

#include "vector.h"

#include "../vector/sharded.h"

namespace warpint {

namespace containers {

// The names by which ranks know that they call the same reduction.
template <class Reducer>
inline constexpr const char *name_of_reducer = "reduction";
template <class T>
inline constexpr const char *name_of_reducer<execution::SumReducer<T>> = "sum";
template <class T, int bits>
inline constexpr const char *name_of_reducer<execution::ProductReducer<T, bits>> = "product";
template <class T>
inline constexpr const char *name_of_reducer<execution::ExtremeReducer<T, false>> = "min";
template <class T>
inline constexpr const char *name_of_reducer<execution::ExtremeReducer<T, true>> = "max";
template <class T>
inline constexpr const char *name_of_reducer<execution::CountReducer<T>> = "count";

template <class Tree>
struct formula_in_place<Tree, false, true> {
    // Each rank reduces its pieces; all combine the results of all, in the order of ranks.
    template <class Reducer>
    static auto reduced(const Reducer &reducer, const Tree &tree, stream_handle stream) {
        using Reduced = execution::Reduced<typename Reducer::Accumulator>;
        static_assert(expression::check_spaces<Tree>());
        const process_group &group = group_of_ranks(tree);
        const message_passing::Call call(name_of_reducer<Reducer>, sizeof(Reduced));
        expression::ThrownText thrown;
        const std::vector<Reduced> parts = group.together(call, [&] {
            check_no_stream(stream);
            const auto shards = shards_of_formula(tree, "distributed");
            return reduce_pieces({group.devices(), group.place()}, reducer, tree, *shards, &thrown);
        });
        const auto reduced = execution::joined(reducer, parts);
        if (reduced.faults.count != 0)
            execution::check_faults(reduced, thrown_on_ranks(group, thrown).get());
        return reduced;
    }
    template <class T>
    static auto target(const Tree &) {
        return distributed_batch<T, Space::device>();
    }
    static auto explained(const Tree &tree) {
        static_assert(expression::check_spaces<Tree>());
        return expression::formula_of_shard(tree, group_of_ranks(tree).place(),
                                            *shards_of_formula(tree, "distributed"));
    }
};

} // namespace containers

} // namespace warpint
