// What one run of the batched number tests does: settings from the environment, and the cases
// divided into tasks whose groups share their operands.
//
// Environment, beside WARPINT_TEST_SEED and WARPINT_TEST_SCALE (support/property.h):
//   WARPINT_TEST_LONG_MINUTES=<m>  the long set: per width and group of operations 10^7 elements
//                                  (10^6 where a group divides, takes roots or draws random
//                                  numbers), shared by the pairs of types of that width, but at
//                                  most m minutes. All cases then end early at about the same
//                                  fraction; the table says at which.
//   WARPINT_TEST_PART=<k>/<n>      only the k-th (from 1) of n shares of the elements; the shares
//                                  have no batch in common. Runs with other seeds draw other
//                                  elements too: their counts add up.
//   WARPINT_TEST_WIDTHS=<a>-<b>    only pairs whose wider type has a to b bits.
//   WARPINT_TEST_THREADS=<t>       host threads instead of one per core.
//   WARPINT_TEST_TABLE=1           the table of the long set for the quick set too.
#pragma once

#include "elements.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <thread>

namespace number_test {

/// Type that decides in which row of the table a pair is.
inline int width_of(const Case &which) {
    return std::max(which.a.bits, which.b.bits);
}

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

/// Elements of a case in the quick set at scale 1, fewer of those that take longer.
inline std::uint64_t quick_count(const Case &which) {
    const double limbs = 1 + static_cast<double>(width_of(which)) / 256;
    const bool linear = which.group == Group::sums || which.group == Group::bits ||
                        which.group == Group::orders || which.group == Group::conversions;
    const double count = 3000 / std::pow(limbs, linear ? 1.1 : 1.6);
    return static_cast<std::uint64_t>(std::max(12L, std::lround(count)));
}

/// Groups of one kind take the same operands, and equally many in the long set.
enum class Kind { linear, dividing, functions };

inline Kind kind_of(Group group) {
    if (divides_by_b(group))
        return Kind::dividing;
    return group == Group::functions ? Kind::functions : Kind::linear;
}

/// Elements of a group at a width in the long set.
inline std::uint64_t long_count(Group group) {
    return kind_of(group) == Kind::linear ? 10000000 : 1000000;
}

/// Groups of one pair of types that are computed for the same operands, in batches.
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

/// The tasks of the chosen widths, narrow pairs first. `batch_memory`: bytes that a batch of one
/// group may take.
inline std::vector<Task> make_tasks(const std::vector<Case> &cases, const Settings &settings,
                                    std::size_t batch_memory,
                                    std::size_t (*record_size)(const Case &)) {
    std::vector<Task> tasks;
    for (const Case &which : cases) {
        if (width_of(which) < settings.narrowest || width_of(which) > settings.widest)
            continue;
        const auto shares = [&which](const Task &task) {
            const Case &first = task.cases[0];
            return !is_exhaustive(which) && first.a == which.a && first.b == which.b &&
                   kind_of(first.group) == kind_of(which.group);
        };
        auto task = std::find_if(tasks.begin(), tasks.end(), shares);
        if (task == tasks.end()) {
            tasks.emplace_back();
            task = tasks.end() - 1;
        }
        task->cases.push_back(which);
    }
    std::stable_sort(tasks.begin(), tasks.end(), [](const Task &x, const Task &y) {
        return width_of(x.cases[0]) < width_of(y.cases[0]);
    });
    for (Task &task : tasks) {
        const Case &first = task.cases[0];
        std::size_t element_size = 0;
        for (const Case &which : task.cases) {
            task.record_sizes.push_back(record_size(which));
            element_size = std::max(element_size, task.record_sizes.back() + which.a_size +
                                                      which.b_size + sizeof(Parameters));
        }
        task.batch_size = std::clamp<std::uint64_t>(batch_memory / element_size, 8, 4096);
        task.exhaustive = is_exhaustive(first);
        if (task.exhaustive) {
            task.elements = task.at_least = exhaustive_count(first);
            continue;
        }
        for (const Case &which : task.cases)
            task.at_least = std::max(task.at_least, quick_count(which));
        if (!settings.is_long())
            task.at_least =
                static_cast<std::uint64_t>(test::scaled(static_cast<long>(task.at_least)));
        task.elements = task.at_least;
        if (settings.is_long()) {
            const auto pairs = std::count_if(tasks.begin(), tasks.end(), [&](const Task &other) {
                return width_of(other.cases[0]) == width_of(first) &&
                       kind_of(other.cases[0].group) == kind_of(first.group);
            });
            const std::uint64_t count = static_cast<std::uint64_t>(pairs);
            task.elements = std::max(task.elements, (long_count(first.group) + count - 1) / count);
        }
    }
    return tasks;
}

} // namespace number_test
