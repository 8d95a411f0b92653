// SPDX-License-Identifier: Apache-2.0
// How the elements of a formula of batches in pieces lie, and the formula of one piece.
#pragma once

#include "sharded.h"

#include <cstddef>
#include <type_traits>
#include <vector>

namespace warpint::expression {

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
