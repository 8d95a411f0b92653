// SPDX-License-Identifier: Apache-2.0
// Formulas of batches that lie in pieces, one piece (shard) for each member of a group of devices.
// A formula of shards is described as any other; what runs is the formula of each shard.
#pragma once

#include "properties.h"

#include <vector>

namespace warpint::expression {

// What the shards of a batch hold now, shared by it and the formulas that name it.
struct ShardedState {
    std::vector<std::shared_ptr<const BatchState>> parts;
};

template <class T, Space space_>
struct ShardedLeaf {
    using value_type = T;
    using element_type = T;
    static constexpr Space space = space_;
    std::shared_ptr<const ShardedState> shared;
};
template <class T, Space space>
struct is_description<ShardedLeaf<T, space>> : std::true_type {};
template <class T, Space space>
struct properties_of_tree<ShardedLeaf<T, space>> {
    WARPINT_HOST_DEVICE static constexpr Properties value() {
        Properties r = properties_of_elements<T>::value();
        r.on_shards = true;
        return r;
    }
};

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
        if constexpr (requires { leaf.shared->parts; }) {
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
