// SPDX-License-Identifier: Apache-2.0
// Work on all cores of the host.
#pragma once

#include <algorithm>
#include <cstddef>
#include <future>
#include <thread>
#include <vector>

namespace sample {

inline std::size_t hardware_threads() {
    return std::max<std::size_t>(1, std::thread::hardware_concurrency());
}

// Calls body(first, last) on disjoint ranges that cover [0, count), one range per hardware
// thread, and returns when all have. What a body throws is thrown again here. Below
// `min_per_thread` a thread costs more than it saves: fewer take part.
template <class Body>
void parallel_for(std::size_t count, Body body, std::size_t min_per_thread = 32) {
    const std::size_t threads =
        std::min(hardware_threads(), (count + min_per_thread - 1) / min_per_thread);
    if (threads <= 1)
        return body(std::size_t{0}, count);
    std::vector<std::future<void>> running;
    for (std::size_t t = 0; t != threads; ++t)
        running.push_back(
            std::async(std::launch::async, body, count * t / threads, count * (t + 1) / threads));
    for (auto &part : running)
        part.get();
}

} // namespace sample
