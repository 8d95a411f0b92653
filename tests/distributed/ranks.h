// SPDX-License-Identifier: Apache-2.0
// What the tests of distributed vectors share: a group, layouts, and the values of any vector.
#pragma once

#include "direct_transport.h"
#include "support/spaces.h"

#include <doctest/doctest.h>
#include <warpint/distributed.h>

#include <cstddef>
#include <vector>

namespace test {

template <class T>
using Distributed = warpint::distributed_vector<T>;

/// All processes of this run. The first group of a run.
inline const warpint::process_group &world() {
    static const warpint::process_group group = [] {
        if (all_groups_direct())
            warpint::message_passing::test_transport = DirectTransport::make;
        return warpint::process_group();
    }();
    return group;
}

/// Sizes of pieces of `count` elements: evenly; all on the last rank; most on the first and some on
/// the last.
inline std::vector<std::vector<std::size_t>> layouts(std::size_t count) {
    const std::size_t ranks = static_cast<std::size_t>(world().size());
    std::vector<std::size_t> last(ranks, 0), first(ranks, 0);
    last.back() = count;
    first.front() = count - count / 5;
    first.back() += count / 5;
    return {warpint::containers::even_sizes(count, ranks), last, first};
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
