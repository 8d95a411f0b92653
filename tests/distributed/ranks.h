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

/// All processes of this run, as its groups are: with one device each, or 2, 3, 1, 2 ... with
/// WARPINT_TEST_DEVICES in the environment.
inline warpint::process_group group_of_all() {
    if (std::getenv("WARPINT_TEST_DEVICES") == nullptr)
        return warpint::process_group();
    const warpint::process_group ranks;
    const auto devices = static_cast<std::size_t>(1 + (ranks.rank() + 1) % 3);
    return warpint::process_group(MPI_COMM_WORLD,
                                  warpint::device_group(std::vector<int>(devices, 0)));
}
/// The first group of a run.
inline const warpint::process_group &world() {
    static const warpint::process_group group = [] {
        if (all_groups_direct())
            warpint::message_passing::test_transport = DirectTransport::make;
        return group_of_all();
    }();
    return group;
}

/// Sizes of pieces of `count` elements: evenly; all on the last place; most on the first and some
/// on the last.
inline std::vector<std::vector<std::size_t>> layouts(std::size_t count) {
    const std::size_t places = world().places();
    std::vector<std::size_t> last(places, 0), first(places, 0);
    last.back() = count;
    first.front() = count - count / 5;
    first.back() += count / 5;
    return {warpint::containers::even_sizes(count, places), last, first};
}

template <class T>
Distributed<T> distributed(const std::vector<T> &values, const std::vector<std::size_t> &sizes) {
    auto v = Distributed<T>::from_root(world(), world().rank() == 0 ? values : std::vector<T>{});
    v.redistribute(sizes);
    return v;
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
