// SPDX-License-Identifier: Apache-2.0
// Work on all cores of the host, for what is not warpint's: operands and peers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <thread>
#include <vector>

namespace perf {

inline unsigned hardware_threads() {
    return std::max(1U, std::thread::hardware_concurrency());
}

// Calls body(first, last) on disjoint ranges that cover [0, count), one for each hardware thread at
// most.
template <class Body>
void on_all_cores(std::size_t count, const Body &body) {
    const std::size_t threads = std::min<std::size_t>(hardware_threads(), count);
    std::vector<std::thread> others;
    for (std::size_t t = 1; t < threads; ++t)
        others.emplace_back(body, count * t / threads, count * (t + 1) / threads);
    if (threads > 0)
        body(std::size_t{0}, count / threads);
    for (std::thread &other : others)
        other.join();
}

} // namespace perf
