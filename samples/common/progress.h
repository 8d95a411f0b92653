// SPDX-License-Identifier: Apache-2.0
// A progress bar on stderr for jobs that last. Debian has no C++ library of progress bars.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace sample {

// Takes the bar off the terminal, for good: the program is about to end.
void clear_progress();

class Progress {
public:
    // Draws for a job of `total` units of work (0: unknown) once it has run for a second; and only
    // where stderr is a terminal, unless `always`. `unit` is the word behind rates: "keys". Of "B",
    // for bytes, megabytes are shown; of "", no rate.
    Progress(std::string what, std::uint64_t total, std::string unit, bool always);
    ~Progress();
    Progress(const Progress &) = delete;
    Progress &operator=(const Progress &) = delete;

    void add(std::uint64_t units);

private:
    using Clock = std::chrono::steady_clock;

    void draw(double seconds);

    std::string label;
    std::string unit;
    double scale = 1; // units in one that is shown
    std::uint64_t total;
    std::uint64_t done = 0;
    bool enabled;
    Clock::time_point start = Clock::now();
    Clock::time_point last{};
};

} // namespace sample
