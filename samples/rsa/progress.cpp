// SPDX-License-Identifier: Apache-2.0
#include "progress.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include <unistd.h>

namespace rsa {

Progress::Progress(std::string what, std::uint64_t total, bool always)
    : label(std::move(what)), total_bytes(total), enabled(always || isatty(STDERR_FILENO) == 1) {}

Progress::~Progress() {
    if (drawn)
        std::fputs("\r\033[K", stderr); // leaves the line to the message that may follow
}

void Progress::add(std::uint64_t bytes) {
    done_bytes += bytes;
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    if (enabled && seconds >= 1)
        draw(seconds);
}

void Progress::draw(double seconds) {
    constexpr std::size_t width = 40;
    const double done = static_cast<double>(done_bytes);
    const double megabytes = done / 1e6;
    drawn = true;
    if (total_bytes == 0) {
        std::fprintf(stderr, "\r\033[K%s %.1f MB, %.1f MB/s", label.c_str(), megabytes,
                     megabytes / seconds);
        return;
    }
    const double share = std::min(1.0, done / static_cast<double>(total_bytes));
    const std::size_t filled = static_cast<std::size_t>(share * width);
    const std::string bar = std::string(filled, '=') + std::string(width - filled, ' ');
    std::fprintf(stderr, "\r\033[K%s [%s] %3.0f%%  %.1f MB/s  %.0f s left", label.c_str(),
                 bar.c_str(), 100 * share, megabytes / seconds, seconds / share - seconds);
}

} // namespace rsa
