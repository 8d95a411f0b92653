// SPDX-License-Identifier: Apache-2.0
// What one run of batched tests does: settings from the environment, and the cases divided into
// tasks whose groups share their operands.
//
// Environment, beside WARPINT_TEST_SEED and WARPINT_TEST_SCALE (support/property.h):
//   WARPINT_TEST_LONG_MINUTES=<m>  the long set: per width and group of operations as many elements
//                                  as Subject::long_count says, shared by the cases of that width,
//                                  but at most m minutes. All cases then end early at about the
//                                  same fraction; the table says at which.
//   WARPINT_TEST_PART=<k>/<n>      only the k-th (from 1) of n shares of the elements; the shares
//                                  have no batch in common. Runs with other seeds draw other
//                                  elements too: their counts add up.
//   WARPINT_TEST_WIDTHS=<a>-<b>    only cases whose width is in [a, b].
//   WARPINT_TEST_THREADS=<t>       host threads instead of one per core.
//   WARPINT_TEST_TABLE=1           the table of the long set for the quick set too.
#pragma once

#include "computer.h"

#include "../support/property.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <thread>

namespace batch_test {

struct Settings {
    double minutes = 0; // of the long set; 0 for the quick set
    std::uint64_t part = 0, parts = 1;
    int narrowest = 0, widest = 1 << 30;
    unsigned threads = std::max(1u, std::thread::hardware_concurrency());
    bool table = false;
    std::string error; // a variable that could not be read

    bool is_long() const { return minutes > 0; }
};

inline Settings read_settings() {
    Settings settings;
    if (const char *text = std::getenv("WARPINT_TEST_LONG_MINUTES"))
        settings.minutes = std::strtod(text, nullptr);
    settings.table = settings.is_long() || std::getenv("WARPINT_TEST_TABLE") != nullptr;
    if (const char *text = std::getenv("WARPINT_TEST_PART")) {
        unsigned part = 0, parts = 0;
        if (std::sscanf(text, "%u/%u", &part, &parts) == 2 && part >= 1 && part <= parts) {
            settings.part = part - 1;
            settings.parts = parts;
        } else {
            settings.error = "WARPINT_TEST_PART is not <k>/<n> with 1 <= k <= n";
        }
    }
    if (const char *text = std::getenv("WARPINT_TEST_WIDTHS"))
        if (std::sscanf(text, "%d-%d", &settings.narrowest, &settings.widest) != 2)
            settings.error = "WARPINT_TEST_WIDTHS is not <a>-<b>";
    if (const char *text = std::getenv("WARPINT_TEST_THREADS")) {
        const long threads = std::strtol(text, nullptr, 10);
        if (threads >= 1 && threads <= 4096)
            settings.threads = static_cast<unsigned>(threads);
        else
            settings.error = "WARPINT_TEST_THREADS is not a number of threads";
    }
    return settings;
}

inline std::uint64_t quick_count(const Case &which, const Subject &subject) {
    return static_cast<std::uint64_t>(test::scaled(std::lround(subject.quick_count(which))));
}

/// Cases that are computed for the same operands, in batches.
struct Task {
    std::vector<Case> cases;
    std::vector<std::size_t> record_sizes; // of each case
    bool exhaustive = false;
    std::uint64_t elements = 0;   // of all parts
    std::uint64_t at_least = 0;   // computed whatever the time
    std::uint64_t batch_size = 1; // in elements
    std::uint64_t next = 0;       // the next batch of this part, counted from 0

    // What was reached, by all threads together; guarded by the runner's mutex.
    std::uint64_t reached = 0;
    std::uint64_t comparisons = 0;
    bool failed = false;

    std::uint64_t batches() const { return (elements + batch_size - 1) / batch_size; }
    /// Of `settings`' part.
    std::uint64_t batches(const Settings &settings) const {
        return (batches() + settings.parts - 1 - settings.part) / settings.parts;
    }
    std::uint64_t size_of_batch(std::uint64_t batch) const {
        return std::min(batch_size, elements - batch * batch_size);
    }
    std::uint64_t elements_of_part(const Settings &settings) const {
        const std::uint64_t count = batches(settings);
        if (count == 0)
            return 0;
        const std::uint64_t last = settings.part + (count - 1) * settings.parts;
        return (count - 1) * batch_size + size_of_batch(last);
    }
};

/// The tasks of the chosen widths, narrow ones first. `batch_memory`: bytes that a batch of one
/// case may take.
inline std::vector<Task> make_tasks(const std::vector<Case> &cases, const Subject &subject,
                                    const Settings &settings, std::size_t batch_memory) {
    std::vector<Task> tasks;
    for (const Case &which : cases) {
        if (which.width < settings.narrowest || which.width > settings.widest)
            continue;
        const auto shares = [&](const Task &task) {
            const Case &first = task.cases[0];
            return subject.exhaustive_count(which) == 0 && first.types == which.types &&
                   first.width == which.width && first.detail == which.detail &&
                   subject.kind(first) == subject.kind(which);
        };
        auto task = std::find_if(tasks.begin(), tasks.end(), shares);
        if (task == tasks.end()) {
            tasks.emplace_back();
            task = tasks.end() - 1;
        }
        task->cases.push_back(which);
    }
    std::stable_sort(tasks.begin(), tasks.end(), [](const Task &x, const Task &y) {
        return x.cases[0].width < y.cases[0].width;
    });
    for (Task &task : tasks) {
        const Case &first = task.cases[0];
        std::size_t operand_size = sizeof(Parameters);
        for (const Type &type : first.types)
            operand_size += size_of(type);
        std::size_t element_size = 0;
        for (const Case &which : task.cases) {
            task.record_sizes.push_back(record_size_of(which, subject));
            element_size = std::max(element_size, task.record_sizes.back() + operand_size);
        }
        task.batch_size = std::clamp<std::uint64_t>(batch_memory / element_size, 8, 4096);
        task.elements = task.at_least = subject.exhaustive_count(first);
        task.exhaustive = task.elements > 0;
        if (task.exhaustive)
            continue;
        for (const Case &which : task.cases)
            task.at_least = std::max(task.at_least, quick_count(which, subject));
        task.elements = task.at_least;
        if (settings.is_long()) {
            const auto sharing = std::count_if(tasks.begin(), tasks.end(), [&](const Task &other) {
                return other.cases[0].width == first.width &&
                       subject.kind(other.cases[0]) == subject.kind(first);
            });
            const auto count = static_cast<std::uint64_t>(sharing);
            task.elements =
                std::max(task.elements, (subject.long_count(first) + count - 1) / count);
        }
    }
    return tasks;
}

} // namespace batch_test
