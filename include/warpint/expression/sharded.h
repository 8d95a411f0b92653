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
inline constexpr Cost cost_of_tree<ShardedLeaf<T, space, on_ranks>> = [] {
    Cost r = cost_of_tree<BatchPointer<T>>;
    r.on_shards = !on_ranks;
    r.on_ranks = on_ranks;
    return r;
}();

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
inline constexpr Cost cost_of_tree<ShardedSourceLeaf<T, space>> =
    cost_of_tree<ShardedLeaf<T, space>>;
template <class T, Space space>
inline constexpr Cost cost_of_tree<SourceOfShards<T, space>> = cost_of_tree<BatchLeaf<T, space>>;
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

// ---- how the elements lie

// How the elements of a formula lie: so many in each shard, in that order.
struct Shards {
    std::vector<std::size_t> sizes;
    std::vector<Location> locations;

    [[nodiscard]] std::size_t size() const {
        std::size_t all = 0;
        for (const std::size_t each : sizes)
            all += each;
        return all;
    }
    // Elements before shard i.
    [[nodiscard]] std::size_t first(std::size_t i) const {
        std::size_t before = 0;
        for (std::size_t k = 0; k < i; ++k)
            before += sizes[k];
        return before;
    }
    friend bool operator==(const Shards &, const Shards &) = default;
};

inline Shards shards_of(const ShardedState &state) {
    Shards shards;
    for (const auto &part : state.parts) {
        shards.sizes.push_back(part->size);
        shards.locations.push_back(part->location);
    }
    return shards;
}

// The formula of one shard: of its parts of the batches, and of its indices.
template <class Tree>
auto formula_of_shard(const Tree &tree, std::size_t shard, const Shards &shards) {
    return map_leaves(tree, [&]<class Leaf>(const Leaf &leaf) {
        if constexpr (is_sharded_source<Leaf>) {
            return SourceOfShards<typename Leaf::element_type, Leaf::space>{leaf};
        } else if constexpr (requires { leaf.shared->parts; }) {
            return BatchLeaf<typename Leaf::element_type, Leaf::space>{leaf.shared->parts[shard],
                                                                       {}};
        } else if constexpr (std::is_same_v<Leaf, IndexLeaf>) {
            return IndexLeaf{shards.sizes[shard], leaf.first + shards.first(shard)};
        } else {
            return leaf;
        }
    });
}

} // namespace warpint::expression
