// SPDX-License-Identifier: Apache-2.0
// The table of what a run of batched tests reached.
#pragma once

#include "plan.h"

#include <map>

namespace batch_test {

/// Elements reached and wanted, of one group at one width.
struct Count {
    std::uint64_t reached = 0, wanted = 0;
};

/// By width, then by group.
using Counts = std::map<int, std::vector<Count>>;

inline Counts count_elements(const std::vector<Task> &tasks, const Subject &subject,
                             const Settings &settings) {
    Counts counts;
    for (const Task &task : tasks)
        for (const Case &which : task.cases) {
            std::vector<Count> &row = counts[which.width];
            row.resize(subject.group_names().size());
            Count &count = row[static_cast<std::size_t>(which.group)];
            count.reached += task.reached;
            count.wanted += task.elements_of_part(settings);
        }
    return counts;
}

/// Prints a row per width and a column per group, and a line for every width that lacks elements.
/// Returns the number of groups of operations, over all widths, that were cut short.
inline int print_counts(const Counts &counts, const std::vector<const char *> &group_names) {
    std::printf("elements  ");
    for (const char *name : group_names)
        std::printf(" %9.9s ", name);
    std::printf("\n");
    for (const auto &[width, row] : counts) {
        std::printf("%5d bits", width);
        for (const Count &count : row)
            if (count.wanted > 0)
                std::printf(" %9llu%s", static_cast<unsigned long long>(count.reached),
                            count.reached < count.wanted ? "<" : " ");
            else
                std::printf(" %9s ", "-");
        std::printf("\n");
    }
    int cut = 0;
    for (const auto &[width, row] : counts) {
        std::string line;
        for (std::size_t group = 0; group < row.size(); ++group) {
            const auto [reached, wanted] = row[group];
            if (reached >= wanted)
                continue;
            ++cut;
            char text[96];
            std::snprintf(text, sizeof text, "%s %s %.1f%%", line.empty() ? "" : ",",
                          group_names[group],
                          100 * static_cast<double>(reached) / static_cast<double>(wanted));
            line += text;
        }
        if (!line.empty())
            std::printf("cut short at %d bits:%s of what is wanted\n", width, line.c_str());
    }
    return cut;
}

} // namespace batch_test
