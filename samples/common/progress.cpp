// SPDX-License-Identifier: Apache-2.0
#include "progress.h"

#include <algorithm>
#include <iostream>
#include <utility>

#include <unistd.h>

namespace sample {

Progress::Progress(std::string what, std::uint64_t total_units, bool always)
    : label(std::move(what)), total(total_units),
      enabled(total != 0 && (always || isatty(STDERR_FILENO) == 1)),
      start(Clock::now() + std::chrono::seconds(always ? 0 : 1)) {}

Progress::~Progress() {
    if (bar && done != total)
        std::cerr << std::endl; // for the message that may follow
}

void Progress::add(std::uint64_t units) {
    units = std::min(units, total - done);
    if (!enabled || units == 0)
        return;
    done += units;
    if (bar) {
        *bar += units;
    } else if (Clock::now() >= start) {
        bar.emplace(total, std::cerr, label + "\n");
        *bar += done;
    }
}

} // namespace sample
