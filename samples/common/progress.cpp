// SPDX-License-Identifier: Apache-2.0
#include "progress.h"

#include <algorithm>
#include <cstdio>
#include <mutex>
#include <utility>

#include <unistd.h>

namespace sample {
namespace {

// Never destroyed: a signal may come while the program ends.
struct Line {
    std::timed_mutex mutex;
    bool drawn = false;
};
Line &line = *new Line;

constexpr const char *clear = "\r\033[K";

} // namespace

void clear_progress() {
    using namespace std::chrono_literals;
    if (line.mutex.try_lock_for(200ms) && line.drawn && isatty(STDERR_FILENO) == 1)
        std::fputs(clear, stderr);
}

Progress::Progress(std::string what, std::uint64_t total_units, std::string unit_name, bool always)
    : label(std::move(what)), unit(std::move(unit_name)), total(total_units),
      enabled(always || isatty(STDERR_FILENO) == 1) {
    if (unit == "B") {
        unit = "MB";
        scale = 1e6;
    }
}

Progress::~Progress() {
    const std::lock_guard lock(line.mutex);
    if (std::exchange(line.drawn, false))
        std::fputs(clear, stderr); // leaves the line to the message that may follow
}

void Progress::add(std::uint64_t units) {
    using namespace std::chrono_literals;
    done += units;
    const Clock::time_point now = Clock::now();
    if (!enabled || now - start < 1s || now - last < 100ms)
        return;
    last = now;
    draw(std::chrono::duration<double>(now - start).count());
}

void Progress::draw(double seconds) {
    constexpr std::size_t width = 40;
    const int digits = scale == 1 ? 0 : 1;
    const double shown = static_cast<double>(done) / scale;
    const std::lock_guard lock(line.mutex);
    line.drawn = true;
    if (total == 0) {
        std::fprintf(stderr, "%s%s %.*f %s, %.*f %s/s", clear, label.c_str(), digits, shown,
                     unit.c_str(), digits, shown / seconds, unit.c_str());
        return;
    }
    const double share = std::min(1.0, static_cast<double>(done) / static_cast<double>(total));
    const std::size_t filled = static_cast<std::size_t>(share * width);
    const std::string bar = std::string(filled, '=') + std::string(width - filled, ' ');
    std::fprintf(stderr, "%s%s [%s] %3.0f%%", clear, label.c_str(), bar.c_str(), 100 * share);
    if (!unit.empty())
        std::fprintf(stderr, "  %.*f %s/s", digits, shown / seconds, unit.c_str());
    if (share > 0)
        std::fprintf(stderr, "  %.0f s left", seconds / share - seconds);
}

} // namespace sample
