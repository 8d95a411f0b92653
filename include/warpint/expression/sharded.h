// SPDX-License-Identifier: Apache-2.0
// Formulas of batches that lie in pieces: one piece (shard) for each member of a group of devices,
// or for each process (rank) of a group of processes. A formula of shards is described as any
// other; what runs is the formula of each shard.
#pragma once

#include "cost.h"
#include "lower.h"

#include <vector>

namespace warpint::expression {

// What the shards of a batch hold now, shared by it and the formulas that name it. Of the shards of
// other processes only the sizes are known.
struct ShardedState {
    std::vector<std::shared_ptr<BatchState>> parts;

    // Leaves no elements, also for formulas.
    void forget() noexcept {
        for (const auto &part : parts)
            part->size = 0;
    }
};

// on_ranks: one piece for each process; otherwise for each member of a group of devices.
template <class T, Space space_, bool on_ranks = false>
struct ShardedLeaf {
    using value_type = T;
    using element_type = T;
    static constexpr Space space = space_;
    std::shared_ptr<const ShardedState> shared;
};
template <class T, Space space, bool on_ranks>
inline constexpr bool is_description<ShardedLeaf<T, space, on_ranks>> = true;
template <class T, Space space, bool on_ranks>
struct cost_of_tree<ShardedLeaf<T, space, on_ranks>> {
    WARPINT_HOST_DEVICE static constexpr Cost value() {
        Cost r = cost_of_elements<T>::value();
        r.on_shards = !on_ranks;
        r.on_ranks = on_ranks;
        return r;
    }
};

// What gather() reads, in the user's tree and in the formula of one shard.
template <class T, Space space>
struct ShardedSourceLeaf : ShardedLeaf<T, space> {
    using value_type = ShardedSource<T>;
};
template <class T, Space space>
struct SourceOfShards : ShardedSourceLeaf<T, space> {};
template <class T, Space space>
inline constexpr bool is_description<ShardedSourceLeaf<T, space>> = true;
template <class T, Space space>
struct cost_of_tree<ShardedSourceLeaf<T, space>> : cost_of_tree<ShardedLeaf<T, space>> {};
template <class T, Space space>
struct cost_of_tree<SourceOfShards<T, space>> : cost_of_tree<BatchLeaf<T, space>> {};
template <class Leaf>
inline constexpr bool is_sharded_source = false;
template <class T, Space space>
inline constexpr bool is_sharded_source<ShardedSourceLeaf<T, space>> = true;

template <class T, Space space>
ConstantLeaf<ShardedSource<T>> lower(const SourceOfShards<T, space> &leaf, const LoweringTarget &) {
    ShardedSource<T> source{};
    for (const auto &part : leaf.shared->parts) {
        source.shards[source.count++] = {static_cast<const T *>(part->data),
                                         part->may_have_faults() ? part->faults : nullptr,
                                         part->size};
        source.size += part->size;
    }
    return {source};
}

} // namespace warpint::expression
