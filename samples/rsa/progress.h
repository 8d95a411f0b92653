// SPDX-License-Identifier: Apache-2.0
// A progress bar on stderr for jobs that last.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace rsa {

class Progress {
public:
    // Draws for a job of `total` bytes (0: unknown) once it has run for a second; and only where
    // stderr is a terminal, unless `always`.
    Progress(std::string what, std::uint64_t total, bool always);
    ~Progress();
    Progress(const Progress &) = delete;
    Progress &operator=(const Progress &) = delete;

    void add(std::uint64_t bytes);

private:
    using Clock = std::chrono::steady_clock;

    void draw(double seconds);

    std::string label;
    std::uint64_t total_bytes;
    std::uint64_t done_bytes = 0;
    bool enabled;
    bool drawn = false;
    Clock::time_point start = Clock::now();
};

} // namespace rsa
