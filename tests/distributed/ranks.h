// SPDX-License-Identifier: Apache-2.0
// What the tests of distributed vectors share: a group, layouts, and the values of any vector.
#pragma once

#include "direct_transport.h"
#include "support/spaces.h"

#include <doctest/doctest.h>
#include <warpint/distributed.h>

#include <cstddef>
#include <cstdlib>
#include <vector>

namespace test {

template <class T>
using Distributed = warpint::distributed_vector<T>;

/// A group as all of this run are: with one device a rank, or 2, 3, 1, 2 ... with
/// WARPINT_TEST_DEVICES in the environment.
inline warpint::process_group group_of(MPI_Comm ranks = MPI_COMM_WORLD) {
    if (std::getenv("WARPINT_TEST_DEVICES") == nullptr)
        return warpint::process_group(ranks);
    static const int rank = warpint::process_group().rank();
    const std::vector<int> devices(static_cast<std::size_t>(1 + (rank + 1) % 3), 0);
    return warpint::process_group(ranks, warpint::device_group(devices));
}
/// The first group of a run.
inline const warpint::process_group &world() {
    static const warpint::process_group group = [] {
        if (all_groups_direct())
            warpint::message_passing::test_transport = DirectTransport::make;
        return group_of();
    }();
    return group;
}

/// Sizes of pieces of `count` elements: evenly; all on the last place; most on the first and some
/// on the last.
inline std::vector<std::vector<std::size_t>> layouts_of(const warpint::process_group &group,
                                                        std::size_t count) {
    const std::size_t places = group.places();
    std::vector<std::size_t> last(places, 0), first(places, 0);
    last.back() = count;
    first.front() = count - count / 5;
    first.back() += count / 5;
    return {warpint::containers::even_sizes(count, places), last, first};
}
inline std::vector<std::vector<std::size_t>> layouts(std::size_t count) {
    return layouts_of(world(), count);
}

template <class T>
Distributed<T> distributed(const std::vector<T> &values, const std::vector<std::size_t> &sizes) {
    auto v = Distributed<T>::from_root(world(), world().rank() == 0 ? values : std::vector<T>{});
    v.redistribute(sizes);
    return v;
}

/// This rank's elements of a vector.
template <class T>
std::vector<T> local_elements(const Distributed<T> &v) {
    std::vector<T> all;
    for (std::size_t i = 0; i < v.group().devices().size(); ++i) {
        const std::vector<T> piece = v.local(i).to_host();
        all.insert(all.end(), piece.begin(), piece.end());
    }
    return all;
}
/// The same where they lie.
template <class T>
warpint::sharded_vector<T> local_shards(const Distributed<T> &v) {
    const warpint::process_group &group = v.group();
    std::vector<std::size_t> sizes;
    for (std::size_t i = 0; i < group.devices().size(); ++i)
        sizes.push_back(v.local(i).size());
    warpint::sharded_vector<T> shards(group.devices(), warpint::shard_sizes(sizes));
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        if (sizes[i] != 0)
            warpint::evaluate(v.local(i), shards.view(i));
    }
    return shards;
}

/// All elements, and which of them have no value, of a vector of any kind, without faults.
template <class T>
struct Contents {
    std::vector<T> values;
    std::vector<bool> faults;
    friend bool operator==(const Contents &, const Contents &) = default;
};
template <class T>
Contents<T> contents(Distributed<T> v) {
    const std::vector<bool> faults = v.error_mask();
    v.clear_errors();
    return {v.to_all(), faults};
}
template <class T>
Contents<T> contents(warpint::host_vector<T> v) {
    const std::vector<bool> faults = v.error_mask();
    v.clear_errors();
    return {v.to_host(), faults};
}

} // namespace test
