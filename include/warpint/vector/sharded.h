// SPDX-License-Identifier: Apache-2.0
// Formulas of sharded vectors other than by assignment: reductions, several results, evaluate,
// explain.
#pragma once

#include "reduce.h"
#include "sharded_vector.h"

namespace warpint {

namespace containers {

template <class... T, class Tree>
Explanation explain_shard(expression::Types<T...> targets, const Tree &tree) {
    static_assert(expression::check_spaces<Tree>());
    return explain_as(targets, expression::formula_of_shard(tree, 0, *shards_of_formula(tree)));
}

template <class Reducer, class Tree>
Explanation explain_reduction_of_shard(const Tree &tree) {
    static_assert(expression::check_spaces<Tree>());
    return execution_backend::explain_reduction<Reducer>(
        expression::formula_of_shard(tree, 0, *shards_of_formula(tree)));
}

// Reduces the pieces of this process; the faults are numbered among all elements.
template <class Reducer, class Tree>
execution_backend::Reduced<typename Reducer::Accumulator>
reduce_pieces(const OwnPieces &own, const Reducer &reducer, const Tree &tree,
              const expression::Shards &shards) {
    using Started = execution_backend::StartedReduction<typename Reducer::Accumulator>;
    std::vector<std::optional<Started>> started(own.devices.size());
    run_on_pieces(own, tree, shards, [&](std::size_t i, const auto &part) {
        started[i].emplace(execution_backend::start_reduction(reducer, part, stream_handle{}));
    });
    std::vector<execution_backend::Reduced<typename Reducer::Accumulator>> parts;
    for (std::size_t i = 0; i < started.size(); ++i) {
        parts.push_back(started[i]->finish());
        parts[i].move_behind(shards.first(own.first + i));
    }
    return execution_backend::joined(reducer, parts);
}

template <class Reducer, class Tree>
execution_backend::Reduced<typename Reducer::Accumulator>
reduce_shards(const Reducer &reducer, const Tree &tree, stream_handle stream) {
    check_no_stream(stream);
    static_assert(expression::check_spaces<Tree>());
    const auto shards = shards_of_formula(tree);
    const device_group group = group_of_formula(tree);
    const auto reduced = reduce_pieces({group, 0}, reducer, tree, *shards);
    execution_backend::check_faults(reduced);
    return reduced;
}

// Runs a formula of several results on the pieces of this process, into storages of elements
// written as these types.
template <class... Written, class Tree, class... Targets>
void assign_pieces(expression::Types<Written...>, const OwnPieces &own, const Tree &tree,
                   const expression::Shards &shards, const Targets &...targets) {
    run_on_pieces(own, tree, shards, [&](std::size_t i, const auto &part) {
        execution::Operand room[execution::leaf_count<std::remove_cvref_t<decltype(part)>>];
        const std::span<const execution::Operand> operands{room,
                                                           execution::list_operands(room, part)};
        execution_backend::assign(
            part, operands, execution::extent_of(operands, own.devices.location(i)),
            stream_handle{}, execution_backend::Destination<Written>(*targets[i])...);
    });
}

} // namespace containers

// Several sharded vectors that one formula fills, in one launch on each member of their group.
template <class... Vectors>
class TiedShards {
public:
    explicit TiedShards(Vectors &...vectors) : vectors_{vectors...} {}
    TiedShards(const TiedShards &) = delete;

    // Runs the formula. The vectors must be different ones on the formula's group (wrong_location).
    template <class Tree>
    requires(expression::is_description<Tree>::value) void operator=(const Tree &tree) {
        run(tree);
    }
    template <class Tree>
    void run(const Tree &tree, stream_handle stream = {}) {
        containers::check_no_stream(stream);
        std::apply(
            [&](Vectors &...vector) {
                run_into(containers::formula_of_parts<typename Vectors::value_type...>(tree),
                         vector...);
                (vector.context().take(tree), ...);
            },
            vectors_);
    }

private:
    template <class Tree, class... Elements>
    static void run_into(const Tree &tree, Elements &...each) {
        const auto &first = std::get<0>(std::tie(each...));
        const expression::Shards shards = first.shards_for(tree);
        containers::check_different({static_cast<const void *>(&each)...});
        check_groups(shards, {&each.group()...});
        const expression::Types<
            typename containers::written_as<typename Elements::value_type>::type...>
            written;
        const auto assign_all = [&](const auto &...targets) {
            containers::assign_pieces(written, first.own(), tree, shards, targets...);
            (each.adopt(targets), ...);
        };
        assign_all(each.targets_for(shards)...);
    }
    static void check_groups(const expression::Shards &shards,
                             std::initializer_list<const device_group *> groups) {
        for (const device_group *group : groups) {
            if (group->locations() != shards.locations)
                throw wrong_location("warpint: a result on a different group from its formula");
        }
    }

    std::tuple<Vectors &...> vectors_;
};
template <class... T, Space... space>
[[nodiscard]] TiedShards<sharded_batch<T, space>...> tie(sharded_batch<T, space> &...vectors) {
    return TiedShards<sharded_batch<T, space>...>(vectors...);
}

// Elements index[i] of a sharded vector. The index is a sharded vector, a formula of them, or
// indices(n); one beyond the source is a fault. The GPUs read each other's memory (wrong_location
// if they cannot), and the assignment waits for them. The source has up to 16 pieces
// (std::length_error). The target must not be the source (wrong_location).
template <class T, Space space, class Index>
requires(expression::Batch<Index> && !expression::is_shared_residue<T>)
    [[nodiscard]] auto gather(const sharded_batch<T, space> &source, Index &&index) {
    using Source = expression::ShardedSourceLeaf<T, space>;
    using Node =
        expression::Node<expression::operation::Gather, Source, expression::captured_t<Index>>;
    return Node{{},
                {{Source{{source.handle()}}}, {expression::capture(std::forward<Index>(index))}}};
}

template <int Bits, Space space, class Index>
requires expression::Batch<Index>
[[nodiscard]] auto gather(const sharded_batch<Residue<Bits>, space> &source, Index &&index) {
    return source.context().leaf(gather(source.forms(), std::forward<Index>(index)));
}

// Runs the formula into a vector whose shards are laid out like the formula's (size_mismatch and
// wrong_location otherwise).
template <class Tree, class T, Space space>
requires(expression::is_description<Tree>::value) void evaluate(const Tree &tree,
                                                                sharded_batch<T, space> &out) {
    out.run_in_place(tree);
}
template <expression::BareBatch Batch, class T, Space space>
void evaluate(const Batch &batch, sharded_batch<T, space> &out) {
    out.run_in_place(expression::capture(batch));
}

// Explains how the formula would run into such a vector, on the first member of its group.
template <class Tree, class T, Space space>
requires(expression::is_description<Tree>::value &&expression::cost<Tree>.on_shards)
    [[nodiscard]] Explanation explain(const Tree &tree, const sharded_batch<T, space> &) {
    return containers::explain_shard(expression::Types<T>{}, tree);
}

} // namespace warpint
