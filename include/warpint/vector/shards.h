// SPDX-License-Identifier: Apache-2.0
// The layout of a formula's shards, and their group.
#pragma once

#include "device_group.h"

#include "../execution/storage.h"

#include <optional>

namespace warpint {

namespace containers {

// The sizes of shards that share `count` elements as evenly as possible: the first shards may have
// one more.
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

// The layout of the elements of a formula of sharded vectors: that of its vectors, which must all
// have the same. A source that is gathered from does not count, unless there are only indices
// beside it: then it gives the group. Null if there are indices only. Throws size_mismatch for
// batches of different sizes, wrong_location for groups or sizes of shards that differ. kind: of
// the vectors, for the messages.
template <class Tree>
std::unique_ptr<const expression::Shards> shards_of_formula(const Tree &tree,
                                                            const std::string &kind = "sharded") {
    std::unique_ptr<expression::Shards> found;
    expression::for_each_leaf(tree, [&]<class Leaf>(const Leaf &leaf) {
        if constexpr (requires { leaf.shared->parts; } && !expression::is_sharded_source<Leaf>) {
            auto shards = std::make_unique<expression::Shards>(shards_of(*leaf.shared));
            if (found == nullptr) {
                found = std::move(shards);
                return;
            }
            execution::check_same_size(found->size(), shards->size());
            if (found->locations != shards->locations) {
                throw wrong_location("warpint: " + kind +
                                     " vectors of different groups in one formula");
            }
            if (found->sizes != shards->sizes) {
                throw wrong_location("warpint: " + kind +
                                     " vectors with shards of different sizes in one formula: "
                                     "redistribute one of them");
            }
        }
    });
    std::unique_ptr<expression::Shards> source;
    std::optional<std::size_t> indices;
    expression::for_each_leaf(tree, [&]<class Leaf>(const Leaf &leaf) {
        if constexpr (std::is_same_v<Leaf, expression::IndexLeaf>) {
            execution::check_same_size(
                found != nullptr ? found->size() : indices.value_or(leaf.size), leaf.size);
            indices = leaf.size;
        } else if constexpr (expression::is_sharded_source<Leaf>) {
            source = std::make_unique<expression::Shards>(shards_of(*leaf.shared));
        }
    });
    if (found == nullptr && source != nullptr && indices) {
        source->sizes = even_sizes(*indices, source->sizes.size());
        return source;
    }
    return found;
}

// The group of a formula that names a sharded vector.
template <class Tree>
device_group group_of_formula(const Tree &tree) {
    std::shared_ptr<const expression::ShardedState> state;
    bool is_source = true;
    expression::for_each_leaf(tree, [&]<class Leaf>(const Leaf &leaf) {
        if constexpr (requires { leaf.shared->parts; }) {
            if (is_source)
                state = leaf.shared;
            is_source = is_source && expression::is_sharded_source<Leaf>;
        }
    });
    return static_cast<const GroupedState &>(*state).group;
}

// Waits for the sources that a formula gathers from, because each GPU reads the memory of others.
// Returns whether it gathers.
template <class Tree>
bool wait_for_sources(const device_group &group, const Tree &tree) {
    std::vector<std::shared_ptr<const expression::ShardedState>> sources;
    expression::for_each_leaf(tree, [&]<class Leaf>(const Leaf &leaf) {
        if constexpr (expression::is_sharded_source<Leaf>)
            sources.push_back(leaf.shared);
    });
    for (const auto &source : sources) {
        if (source->parts.size() > expression::most_gathered_shards) {
            throw std::length_error("warpint: gather from " + std::to_string(source->parts.size()) +
                                    " shards; it takes up to " +
                                    std::to_string(expression::most_gathered_shards));
        }
        for (const auto &part : source->parts) {
            for (const Location &place : group.locations())
                execution_backend::check_reaches(place, part->location);
            execution_backend::wait_for_writes(static_cast<const execution::Storage &>(*part));
        }
    }
    return !sources.empty();
}

// Calls body(i) for every shard i of a formula, on the members of its group. If a formula gathers
// from shards, no later work on them overtakes it.
template <class Tree, class Body>
void run_on_shards(const device_group &group, const Tree &tree, const Body &body) {
    const bool gathers = wait_for_sources(group, tree);
    group.for_each_shard([&](std::size_t i) {
        body(i);
        if (gathers)
            execution_backend::wait_for_device(group.location(i));
    });
}

} // namespace containers

} // namespace warpint
