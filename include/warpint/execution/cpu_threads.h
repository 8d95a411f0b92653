// SPDX-License-Identifier: Apache-2.0
// How many threads CPU batches use: the program's number (set_cpu_threads), else the environment's
// (WARPINT_CPU_THREADS), else as many as this process may run at once: the cores that the scheduler
// gives it, and no more than the quotas of its control groups pay for.
#pragma once

#include "../limb/config.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>

#if defined(__linux__)
#include <sched.h>
#endif

namespace warpint {

namespace execution {

inline constexpr unsigned max_cpu_threads = 4096;

// ---- quotas of control groups (Linux)

// The part of a text before the first `end`; it is removed with the `end`.
inline std::string_view take_until(std::string_view &text, char end) {
    const std::size_t length = std::min(text.find(end), text.size());
    const std::string_view part = text.substr(0, length);
    text.remove_prefix(std::min(length + 1, text.size()));
    return part;
}

// Whether a list with commas has this word.
inline bool has_word(std::string_view list, std::string_view word) {
    while (!list.empty()) {
        if (take_until(list, ',') == word)
            return true;
    }
    return false;
}

// The control group that limits a process's time on CPUs: that of the "cpu" controller of version 1
// where there is one, else that of version 2. Version 0: none.
struct ControlGroup {
    int version = 0;
    char path[4096] = ""; // as the kernel names it, from '/' on

    // Takes a line of /proc/self/cgroup into account.
    void note(std::string_view line) {
        const std::string_view hierarchy = take_until(line, ':');
        const std::string_view controllers = take_until(line, ':');
        const bool is_first = has_word(controllers, "cpu");
        const bool is_second = version != 1 && hierarchy == "0" && controllers.empty();
        if ((is_first || is_second) && line.size() < sizeof(path)) {
            version = is_first ? 1 : 2;
            path[line.copy(path, line.size())] = 0;
        }
    }
};

// Where a line of /proc/self/mountinfo shows a hierarchy that has the group: the folder where it
// is mounted, and the group's path below it ("" if the mount does not reach the group). The folder
// is empty where the line shows something else.
struct GroupMount {
    std::string_view folder;
    std::string_view below;
};
inline GroupMount mount_of(const ControlGroup &group, std::string_view line) {
    constexpr std::string_view separator = " - ";
    for (int field = 0; field < 3; ++field) // numbers of the mount and of the device
        take_until(line, ' ');
    const std::string_view root = take_until(line, ' ');
    const std::string_view folder = take_until(line, ' ');
    const std::size_t optional_fields = line.find(separator);
    if (optional_fields == line.npos || !folder.starts_with('/'))
        return {};
    line.remove_prefix(optional_fields + separator.size());
    const std::string_view type = take_until(line, ' ');
    take_until(line, ' '); // the device's name
    if (group.version == 2 ? type != "cgroup2" : type != "cgroup" || !has_word(line, "cpu"))
        return {};
    std::string_view below = group.path;
    if (root != "/") {
        const bool is_inside = below.starts_with(root);
        below.remove_prefix(is_inside ? root.size() : below.size());
        if (!below.starts_with('/'))
            below = {};
    }
    return {folder, below};
}

// CPUs that "quota period" is worth, rounded up; max_cpu_threads without a quota ("max", negative,
// or no numbers).
inline unsigned cpus_of_quota(const char *text) {
    long long quota = 0;
    long long period = 0;
    if (std::sscanf(text, "%lld %lld", &quota, &period) != 2 || quota <= 0 || period <= 0 ||
        quota / period >= max_cpu_threads)
        return max_cpu_threads;
    return static_cast<unsigned>((quota - 1) / period + 1);
}

// A text file, line by line; none if there is no such file. What is longer comes in pieces.
class Lines {
public:
    explicit Lines(const char *path) : file_{std::fopen(path, "r")} {}
    ~Lines() {
        if (file_ != nullptr)
            std::fclose(file_);
    }
    Lines(const Lines &) = delete;
    Lines &operator=(const Lines &) = delete;
    // The next line; it is gone with the call after this one.
    bool next(std::string_view &line) {
        if (file_ == nullptr || std::fgets(text_, sizeof(text_), file_) == nullptr)
            return false;
        std::string_view rest = text_;
        line = take_until(rest, '\n');
        return true;
    }

private:
    std::FILE *file_;
    char text_[8192];
};

// The quota of the group whose files are in this folder.
WARPINT_COLD inline unsigned cpus_of_folder(std::string_view folder, int version) {
    constexpr const char *files_of_1[] = {"cpu.cfs_quota_us", "cpu.cfs_period_us"};
    char text[128] = "";
    std::size_t length = 0;
    for (int file = 0; file < (version == 2 ? 1 : 2); ++file) {
        char path[8192];
        std::snprintf(path, sizeof(path), "%.*s/%s", static_cast<int>(folder.size()), folder.data(),
                      version == 2 ? "cpu.max" : files_of_1[file]);
        Lines lines(path);
        std::string_view line;
        if (lines.next(line))
            length += line.copy(text + length, std::min<std::size_t>(line.size(), 60));
        text[length++] = ' ';
    }
    return cpus_of_quota(text);
}

// CPUs that this process's control group and those around it pay for: the least of their quotas.
// root: of the file system, "" for the machine's own.
WARPINT_COLD inline unsigned cpus_of_quotas(const char *root = "") {
    char path[8192];
    std::string_view line;
    ControlGroup group;
    std::snprintf(path, sizeof(path), "%s/proc/self/cgroup", root);
    for (Lines lines(path); lines.next(line);)
        group.note(line);
    unsigned cpus = max_cpu_threads;
    if (group.version == 0)
        return cpus;
    std::snprintf(path, sizeof(path), "%s/proc/self/mountinfo", root);
    for (Lines lines(path); lines.next(line);) {
        const GroupMount mount = mount_of(group, line);
        if (mount.folder.empty())
            continue;
        std::snprintf(path, sizeof(path), "%s%.*s%.*s", root, static_cast<int>(mount.folder.size()),
                      mount.folder.data(), static_cast<int>(mount.below.size()),
                      mount.below.data());
        const std::size_t shortest = std::strlen(root) + mount.folder.size();
        for (std::string_view folder = path; folder.size() >= shortest;
             folder = folder.substr(0, folder.rfind('/')))
            cpus = std::min(cpus, cpus_of_folder(folder, group.version));
    }
    return cpus;
}

// ---- the number of threads

// Cores that the calling thread, and threads that it starts, may run on.
WARPINT_COLD inline unsigned usable_cores() {
#if defined(__linux__)
    unsigned long mask[1024] = {}; // more cores than a kernel can be built for
    int cores = 0;
    if (sched_getaffinity(0, sizeof(mask), reinterpret_cast<cpu_set_t *>(mask)) == 0) {
        for (const unsigned long word : mask)
            cores += std::popcount(word);
    }
    if (cores > 0)
        return static_cast<unsigned>(cores);
#endif
    return std::max(1u, std::thread::hardware_concurrency());
}

// CPUs that this process may use at once.
inline unsigned usable_cpus() {
    return std::min(usable_cores(), cpus_of_quotas());
}

// The number that WARPINT_CPU_THREADS gives: 0 for none, more than max_cpu_threads for a text that
// is no number up to max_cpu_threads.
inline unsigned cpu_threads_from(std::string_view text) {
    unsigned number = 0;
    for (const char digit : text) {
        if (digit < '0' || digit > '9')
            return max_cpu_threads + 1;
        number = std::min(10 * number + static_cast<unsigned>(digit - '0'), max_cpu_threads + 1);
    }
    return number;
}

// 0: not chosen, not known yet. Constants at first, without a destructor: they may be read at any
// time.
inline std::atomic<unsigned> chosen_cpu_threads{0};
inline std::atomic<unsigned> default_cpu_threads{0};

WARPINT_COLD inline unsigned find_default_cpu_threads() {
    const char *const variable = std::getenv("WARPINT_CPU_THREADS");
    const std::string_view text = variable == nullptr ? "" : variable;
    const unsigned wanted = cpu_threads_from(text);
    const bool is_number = wanted <= max_cpu_threads;
    const unsigned count =
        wanted != 0 && is_number ? wanted : std::min(usable_cpus(), max_cpu_threads);
    unsigned known = 0;
    if (!default_cpu_threads.compare_exchange_strong(known, count))
        return known; // another thread was faster
    if (!is_number) {
        constexpr std::size_t most_shown = 80;
        const bool cut = text.size() > most_shown;
        std::fprintf(stderr,
                     "warpint: WARPINT_CPU_THREADS is \"%.*s%s\", which is no number from 1 to %u: "
                     "%u threads are used\n",
                     static_cast<int>(cut ? most_shown : text.size()), text.data(),
                     cut ? "..." : "", max_cpu_threads, count);
    }
    return count;
}

// Threads that a CPU batch uses.
inline unsigned cpu_threads() {
    unsigned count = chosen_cpu_threads.load(std::memory_order_relaxed);
    if (count == 0)
        count = default_cpu_threads.load(std::memory_order_relaxed);
    return count != 0 ? count : find_default_cpu_threads();
}

} // namespace execution

// How many threads CPU batches use from now on, the calling one included; where the system gives
// fewer, fewer. 0: the default again, which is the number in the environment variable
// WARPINT_CPU_THREADS if there is one, else the cores that this process may use (on Linux those of
// sched_getaffinity, as many as the CPU quotas of its control groups allow); it is found once, at
// the first use. For the whole process; any thread may call it at any time, and loops that run
// already keep their threads. device_info().cpu_threads says the number. Throws
// std::invalid_argument above 4096.
inline void set_cpu_threads(unsigned count) {
    if (count > execution::max_cpu_threads) {
        throw std::invalid_argument("warpint: " + std::to_string(count) +
                                    " CPU threads; there may be " +
                                    std::to_string(execution::max_cpu_threads));
    }
    execution::chosen_cpu_threads.store(count, std::memory_order_relaxed);
}

} // namespace warpint
