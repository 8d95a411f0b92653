// SPDX-License-Identifier: Apache-2.0
// sort of sharded vectors: a sample sort. Each member takes a sample of its elements; the sample,
// sorted, gives splitters; each member groups its elements by the splitters between which they lie;
// each gets its group from all others and sorts it (Frazer and McKellar, Samplesort: A Sampling
// Approach to Minimal Storage Tree Sorting, JACM 17, 1970).
#pragma once

#include "sharded.h"
#include "sort.h"

namespace warpint {

namespace expression::operation {

// How many splitters are not greater than element `index`, x. Equal numbers are told apart by their
// index, so that groups are even also where many numbers are equal.
struct GroupOfNumber : Streaming {
    template <class T, class Index>
    WARPINT_HOST_DEVICE static constexpr std::uint32_t
    apply(bool &, const GatherSource<T> &splitters, const GatherSource<std::uint64_t> &indices,
          const T &x, const Index &index) {
        std::size_t low = 0;
        std::size_t high = splitters.size;
        const auto &value = number::as_number(x);
        while (low < high) {
            const std::size_t middle = (low + high) / 2;
            const auto &splitter = number::as_number(splitters.data[middle]);
            const bool greater = number::less(value, splitter) ||
                                 (number::equal(value, splitter) && index < indices.data[middle]);
            if (greater) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return static_cast<std::uint32_t>(low);
    }
};

} // namespace expression::operation

namespace containers {

// A number with the index it has in its vector.
template <class T>
struct Splitter {
    T value;
    std::uint64_t index;

    friend bool operator<(const Splitter &a, const Splitter &b) {
        const auto &x = number::as_number(a.value);
        const auto &y = number::as_number(b.value);
        return number::less(x, y) || (!number::less(y, x) && a.index < b.index);
    }
};

// Samples of each group that splitters make: groups are even to about 4%.
inline constexpr std::size_t samples_per_group = 512;

// A multiplicative hash (Knuth, volume 3, section 6.4) spreads positions below count.
inline std::size_t scattered(std::size_t k, std::size_t count) {
    const std::uint64_t hash = (static_cast<std::uint64_t>(k) + 1) * 0x9e3779b97f4a7c15u;
    return static_cast<std::size_t>((hash ^ hash >> 29) % count);
}

// Splitters for groups of about these sizes: one fewer than there are.
template <class T, Space space>
std::vector<Splitter<T>> splitters_of(const sharded_batch<T, space> &vector,
                                      const expression::Shards &shards) {
    const std::size_t groups = shards.sizes.size();
    const std::size_t wanted = samples_per_group * groups;
    std::vector<std::vector<Splitter<T>>> parts(groups);
    vector.group().for_each_shard([&](std::size_t i) {
        const std::size_t here = shards.sizes[i];
        if (here == 0)
            return;
        const double share = static_cast<double>(here) / static_cast<double>(shards.size());
        const std::size_t taken = 1 + static_cast<std::size_t>(share * static_cast<double>(wanted));
        std::vector<std::uint64_t> positions(taken);
        for (std::size_t k = 0; k < taken; ++k)
            positions[k] = scattered(k, here);
        const batch_vector<std::uint64_t, space> index(positions);
        batch_vector<T, space> sample;
        sample = gather(vector.shard(i), index);
        const std::vector<T> values = sample.to_host();
        for (std::size_t k = 0; k < taken; ++k)
            parts[i].push_back({values[k], shards.first(i) + positions[k]});
    });
    std::vector<Splitter<T>> samples;
    for (const auto &part : parts)
        samples.insert(samples.end(), part.begin(), part.end());
    std::sort(samples.begin(), samples.end());
    std::vector<Splitter<T>> splitters;
    for (std::size_t group = 1; group < groups; ++group) {
        const double place =
            static_cast<double>(shards.first(group)) / static_cast<double>(shards.size());
        const auto at = static_cast<std::size_t>(place * static_cast<double>(samples.size()));
        splitters.push_back(samples[std::min(at, samples.size() - 1)]);
    }
    return splitters;
}

// A copy of one shard, grouped by the splitters, and how many elements each group has.
template <class T, Space space>
struct GroupedShard {
    batch_vector<T, space> elements;
    std::vector<std::size_t> sizes;
};
template <class T, Space space>
GroupedShard<T, space> grouped(const batch_vector<T, space> &shard, std::size_t first,
                               const std::vector<Splitter<T>> &splitters) {
    std::vector<T> values;
    std::vector<std::uint64_t> indices_of_values;
    for (const Splitter<T> &splitter : splitters) {
        values.push_back(splitter.value);
        indices_of_values.push_back(splitter.index);
    }
    const batch_vector<T, space> bounds(values);
    const batch_vector<std::uint64_t, space> places(indices_of_values);
    batch_vector<std::uint32_t, space> group;
    using Bounds = expression::SourceLeaf<T, space>;
    using Places = expression::SourceLeaf<std::uint64_t, space>;
    using Elements = expression::BatchLeaf<T, space>;
    group = expression::Node<expression::operation::GroupOfNumber, Bounds, Places, Elements,
                             expression::IndexLeaf>{{},
                                                    {{Bounds{{bounds.handle(), {}}}},
                                                     {Places{{places.handle(), {}}}},
                                                     {Elements{shard.handle(), {}}},
                                                     {expression::IndexLeaf{shard.size(), first}}}};
    GroupedShard<T, space> result{shard, {}};
    for (std::uint32_t k = 0; k <= splitters.size(); ++k)
        result.sizes.push_back(count(group == k));
    sort_by_key(group, result.elements);
    return result;
}

} // namespace containers

// Sorts the elements in ascending order of their values, all members at once; each keeps as many as
// it has. Needs memory for three copies. std::domain_error if elements have no value; then, and out
// of memory, nothing is moved.
template <AnyNumber T, Space space>
void sort(sharded_batch<T, space> &vector) {
    vector.check();
    if (vector.size() < 2)
        return;
    const device_group &group = vector.group();
    const expression::Shards shards = shards_of(*vector.handle());
    const std::size_t members = group.size();
    const auto splitters = containers::splitters_of(vector, shards);

    std::vector<containers::GroupedShard<T, space>> parts(members);
    group.for_each_shard([&](std::size_t i) {
        parts[i] = containers::grouped(vector.shard(i), shards.first(i), splitters);
    });
    std::vector<std::size_t> sizes(members, 0);
    for (const auto &part : parts) {
        for (std::size_t k = 0; k < members; ++k)
            sizes[k] += part.sizes[k];
    }
    sharded_batch<T, space> sorted(group, shard_sizes(sizes));
    const auto targets = sorted.storages(sizes);
    group.for_each_shard([&](std::size_t i) {
        std::size_t filled = 0;
        for (const auto &part : parts) {
            const std::size_t first = std::accumulate(
                part.sizes.begin(), part.sizes.begin() + static_cast<std::ptrdiff_t>(i),
                std::size_t{0});
            execution_backend::copy_range(*targets[i], filled, *part.elements.handle(), first,
                                          part.sizes[i]);
            filled += part.sizes[i];
        }
    });
    parts.clear();
    sorted.adopt(targets);
    group.for_each_shard([&](std::size_t i) { sorted.sort_shard(i); });
    sorted.redistribute(shards.sizes);
    vector.swap(sorted);
}

} // namespace warpint
