// SPDX-License-Identifier: Apache-2.0
// A progress bar on stderr for jobs that last: Boost's.
#pragma once

#include <boost/timer/progress_display.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace sample {

class Progress {
public:
    // For a job of `total` units of work (0: unknown, without a bar). Draws where stderr is a
    // terminal, once the job has run for a second; if `always`, on any stderr and from the start.
    // `results`: the file that results are written to meanwhile; on a terminal, a bar would break
    // their lines, so there is none.
    Progress(std::string what, std::uint64_t total, bool always, const std::string &results = {});
    ~Progress();
    Progress(const Progress &) = delete;
    Progress &operator=(const Progress &) = delete;

    // So many more units are done. What exceeds the total is not drawn.
    void add(std::uint64_t units);

private:
    void draw();

    using Clock = std::chrono::steady_clock;

    std::string label;
    std::uint64_t total;
    std::uint64_t done = 0;
    bool enabled;
    Clock::time_point draw_from;
    std::optional<boost::timer::progress_display> bar;
};

} // namespace sample
