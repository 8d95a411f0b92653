// SPDX-License-Identifier: Apache-2.0
// How the shards of a formula lie, and on which group.
#pragma once

#include "device_group.h"

namespace warpint {

namespace containers {

// `count` elements, as even as can be: the first shards have one more.
inline std::vector<std::size_t> even_sizes(std::size_t count, std::size_t shards) {
    std::vector<std::size_t> sizes(shards, count / shards);
    for (std::size_t i = 0; i < count % shards; ++i)
        ++sizes[i];
    return sizes;
}

inline void check_no_stream(stream_handle stream) {
    if (stream != nullptr) {
        throw std::invalid_argument("warpint: a stream belongs to one GPU: formulas of sharded "
                                    "vectors run on the default stream of each");
    }
}

// How the elements of a formula of sharded vectors lie: as those of its vectors, which all lie
// alike. Null if there are indices only. Throws size_mismatch for batches of different sizes,
// wrong_location for groups or sizes of shards that differ.
template <class Tree>
std::unique_ptr<const expression::Shards> shards_of_formula(const Tree &tree) {
    std::unique_ptr<const expression::Shards> found;
    expression::for_each_leaf(tree, [&]<class Leaf>(const Leaf &leaf) {
        if constexpr (requires { leaf.shared->parts; }) {
            auto shards = std::make_unique<const expression::Shards>(shards_of(*leaf.shared));
            if (found == nullptr) {
                found = std::move(shards);
                return;
            }
            execution::check_same_size(found->size(), shards->size());
            if (found->locations != shards->locations)
                throw wrong_location("warpint: sharded vectors of different groups in one formula");
            if (found->sizes != shards->sizes) {
                throw wrong_location(
                    "warpint: sharded vectors with shards of different sizes in one "
                    "formula: redistribute one of them");
            }
        }
    });
    if (found != nullptr) {
        expression::for_each_leaf(tree, [&]<class Leaf>(const Leaf &leaf) {
            if constexpr (std::is_same_v<Leaf, expression::IndexLeaf>)
                execution::check_same_size(found->size(), leaf.size);
        });
    }
    return found;
}

// The group of a formula that names a sharded vector.
template <class Tree>
device_group group_of_formula(const Tree &tree) {
    std::shared_ptr<const expression::ShardedState> state;
    expression::for_each_leaf(tree, [&]<class Leaf>(const Leaf &leaf) {
        if constexpr (requires { leaf.shared->parts; })
            state = leaf.shared;
    });
    return static_cast<const GroupedState &>(*state).group;
}

} // namespace containers

} // namespace warpint
