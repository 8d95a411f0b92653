// SPDX-License-Identifier: Apache-2.0
#include "progress.h"
#include "files.h"

#include <algorithm>
#include <iostream>
#include <utility>

#include <unistd.h>

namespace sample {

Progress::Progress(std::string what, std::uint64_t total_units, bool always,
                   const std::string &results)
    : label(std::move(what)), total(total_units),
      enabled(total != 0 && (always || isatty(STDERR_FILENO) == 1) &&
              !(is_standard_output(results) && isatty(STDOUT_FILENO) == 1)),
      draw_from(Clock::now() + std::chrono::seconds(1)) {
    if (enabled && always)
        draw();
}

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
    } else if (Clock::now() >= draw_from) {
        draw();
    }
}

void Progress::draw() {
    bar.emplace(total, std::cerr, label + "\n");
    if (done != 0)
        *bar += done;
}

} // namespace sample
