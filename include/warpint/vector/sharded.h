// SPDX-License-Identifier: Apache-2.0
// Formulas of sharded vectors other than by assignment: reductions, several results, gather.
#pragma once

#include "sharded_vector.h"

namespace warpint {

namespace containers {

// Reduces the pieces of this process; the faults are numbered among all elements. thrown: what
// functions threw for the first of them is noted there.
template <class Reducer, class Tree>
execution::Reduced<typename Reducer::Accumulator>
reduce_pieces(const OwnPieces &own, const Reducer &reducer, const Tree &tree,
              const expression::Shards &shards, expression::ThrownText *thrown = nullptr) {
    using Started = execution::StartedReduction<typename Reducer::Accumulator>;
    std::vector<std::optional<Started>> started(own.devices.size());
    run_on_pieces(own, tree, shards, [&](std::size_t i, const auto &part) {
        started[i].emplace(execution::start_reduction(reducer, part, stream_handle{}));
    });
    std::vector<execution::Reduced<typename Reducer::Accumulator>> parts;
    for (std::size_t i = 0; i < started.size(); ++i) {
        parts.push_back(started[i]->finish());
        const std::size_t before = shards.first(own.first + i);
        parts[i].move_behind(before);
        const expression::ThrownText &its = started[i]->thrown();
        if (thrown != nullptr && *thrown == nullptr && its != nullptr)
            *thrown = expression::thrown_at(its, before + its->index);
    }
    return execution::joined(reducer, parts);
}

template <class Tree, bool on_ranks>
struct formula_in_place<Tree, true, on_ranks> {
    template <class Reducer>
    static auto reduced(const Reducer &reducer, const Tree &tree, stream_handle stream) {
        check_no_stream(stream);
        static_assert(expression::check_spaces<Tree>());
        const auto shards = shards_of_formula(tree);
        const device_group group = group_of_formula(tree);
        expression::ThrownText thrown;
        const auto reduced = reduce_pieces({group, 0}, reducer, tree, *shards, &thrown);
        if (thrown != nullptr)
            execution::check_faults(reduced, thrown.get());
        return reduced;
    }
    template <class T>
    static auto target(const Tree &tree) {
        return sharded_batch<T, Space::device>(group_of_formula(tree));
    }
    static auto explained(const Tree &tree) {
        static_assert(expression::check_spaces<Tree>());
        return expression::formula_of_shard(tree, 0, *shards_of_formula(tree));
    }
};

template <class Tree, class... Vectors>
void run_into_pieces(const Tree &tree, stream_handle stream, Vectors &...each) {
    check_no_stream(stream);
    const auto &first = std::get<0>(std::tie(each...));
    const auto run = [&](const expression::Shards &shards) {
        const auto assign_all = [&](const auto &...targets) {
            run_on_pieces(first.own(), tree, shards, [&](std::size_t i, const auto &part) {
                run_formula_at(part, stream, first.own().devices.location(i),
                               Destination<typename Vectors::value_type>(*targets[i])...);
            });
            (each.adopt(targets, shards.sizes), ...);
        };
        assign_all(each.targets_for(shards)...);
    };
    first.with_layout(tree, run, each...);
}

} // namespace containers

// Elements index[i] of a sharded vector. The index is a sharded vector, a formula of them, or
// indices(n); one beyond the source is a fault. The GPUs read each other's memory (wrong_location
// if they cannot), and the assignment waits for them. The source has up to 16 pieces
// (std::length_error). The target must not be the source (wrong_location).
template <class T, Space space, class Index>
    requires(expression::Batch<Index> && !expression::is_shared_residue<T>)
[[nodiscard]] auto gather(const sharded_batch<T, space> &source, Index &&index) {
    return expression::describe(expression::operation::Gather{},
                                expression::ShardedSourceLeaf<T, space>{{source.handle()}},
                                std::forward<Index>(index));
}

template <int Bits, Space space, class Index>
    requires expression::Batch<Index>
[[nodiscard]] auto gather(const sharded_batch<Residue<Bits>, space> &source, Index &&index) {
    return source.context().leaf(gather(source.forms(), std::forward<Index>(index)));
}

} // namespace warpint
