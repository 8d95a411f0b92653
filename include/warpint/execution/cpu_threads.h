// SPDX-License-Identifier: Apache-2.0
// How many threads CPU batches use: the program's number (set_cpu_threads), else the environment's
// (WARPINT_CPU_THREADS), else as many as this process may run at once: the cores that the scheduler
// gives it, and no more than the quotas of its control groups pay for.
#pragma once

#include "../limb/config.h"

#include <atomic>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <thread>

#if defined(__linux__)
#include <sched.h>
#endif

namespace warpint {

namespace execution {

inline constexpr unsigned max_cpu_threads = 4096;

// ---- quotas of control groups (Linux), read with C's functions, which compile in no time

inline constexpr std::size_t longest_path = 4096;

// Whether a list with commas, of [first, last), has the word "cpu".
inline bool lists_cpu(const char *first, const char *last) {
    for (const char *word = std::strstr(first, "cpu"); word != nullptr && word < last;
         word = std::strstr(word + 1, "cpu")) {
        if ((word == first || word[-1] == ',') && (word + 3 == last || word[3] == ','))
            return true;
    }
    return false;
}

// The control group that limits a process's time on CPUs: that of the "cpu" controller of version 1
// where there is one, else that of version 2. Version 0: none.
struct ControlGroup {
    int version = 0;
    char path[longest_path] = ""; // as the kernel names it, from '/' on

    // Takes a line of /proc/self/cgroup into account: hierarchy:controllers:path.
    WARPINT_COLD void note(const char *line) {
        const char *const colon = std::strchr(line, ':');
        const char *const last_colon = colon == nullptr ? nullptr : std::strchr(colon + 1, ':');
        if (last_colon == nullptr)
            return;
        const bool is_first = lists_cpu(colon + 1, last_colon);
        const bool is_second = version != 1 && std::strncmp(line, "0::", 3) == 0;
        const std::size_t length = std::strcspn(last_colon + 1, "\n");
        if ((is_first || is_second) && length < sizeof(path)) {
            version = is_first ? 1 : 2;
            std::memcpy(path, last_colon + 1, length);
            path[length] = 0;
        }
    }
};

// Where a line of /proc/self/mountinfo shows a hierarchy that has the group: the folder where it
// is mounted, and the group's path below it ("" if the mount does not reach the group). The folder
// is "" where the line shows something else.
struct GroupMount {
    char folder[longest_path] = "";
    const char *below = ""; // a part of the group's path

    WARPINT_COLD GroupMount(const ControlGroup &group, const char *line) {
        char root[longest_path];
        char where[longest_path];
        char type[16];
        char options[longest_path];
        const char *const second_part = std::strstr(line, " - ");
        if (second_part == nullptr ||
            std::sscanf(line, "%*s %*s %*s %4095s %4095s", root, where) != 2 || where[0] != '/' ||
            std::sscanf(second_part, " - %15s %*s %4095s", type, options) != 2 ||
            std::strcmp(type, group.version == 2 ? "cgroup2" : "cgroup") != 0 ||
            (group.version == 1 && !lists_cpu(options, options + std::strlen(options))))
            return;
        std::strcpy(folder, where);
        const std::size_t length = std::strcmp(root, "/") == 0 ? 0 : std::strlen(root);
        if (std::strncmp(group.path, root, length) == 0 && group.path[length] == '/')
            below = group.path + length;
    }
};

// CPUs that "quota period" is worth, rounded up; max_cpu_threads without a quota ("max", negative,
// or no numbers).
WARPINT_COLD inline unsigned cpus_of_quota(const char *text) {
    long long quota = 0;
    long long period = 0;
    if (std::sscanf(text, "%lld %lld", &quota, &period) != 2 || quota <= 0 || period <= 0 ||
        quota / period >= max_cpu_threads)
        return max_cpu_threads;
    return static_cast<unsigned>((quota - 1) / period + 1);
}

// Appends the first line of a file to a text that has room for `room` characters; nothing if there
// is no such file.
WARPINT_COLD inline void append_line(char *text, std::size_t room, const char *folder,
                                     const char *file) {
    char path[3 * longest_path];
    std::snprintf(path, sizeof(path), "%s/%s", folder, file);
    std::FILE *const opened = std::fopen(path, "r");
    if (opened == nullptr)
        return;
    const std::size_t length = std::strlen(text);
    if (std::fgets(text + length, static_cast<int>(room - length), opened) == nullptr)
        text[length] = 0;
    std::fclose(opened);
}

// CPUs that this process's control group and those around it pay for: the least of their quotas.
// root: of the file system, "" for the machine's own.
WARPINT_COLD inline unsigned cpus_of_quotas(const char *root = "") {
    char path[3 * longest_path];
    char line[3 * longest_path];
    unsigned cpus = max_cpu_threads;
    ControlGroup group;
    std::snprintf(path, sizeof(path), "%s/proc/self/cgroup", root);
    if (std::FILE *const groups = std::fopen(path, "r"); groups != nullptr) {
        while (std::fgets(line, sizeof(line), groups) != nullptr)
            group.note(line);
        std::fclose(groups);
    }
    std::snprintf(path, sizeof(path), "%s/proc/self/mountinfo", root);
    std::FILE *const mounts = group.version == 0 ? nullptr : std::fopen(path, "r");
    if (mounts == nullptr)
        return cpus;
    while (std::fgets(line, sizeof(line), mounts) != nullptr) {
        const GroupMount mount(group, line);
        if (mount.folder[0] == 0)
            continue;
        const std::size_t shortest = std::strlen(root) + std::strlen(mount.folder);
        std::snprintf(path, sizeof(path), "%s%s%s", root, mount.folder, mount.below);
        for (std::size_t length = std::strlen(path); length >= shortest;
             length = static_cast<std::size_t>(std::strrchr(path, '/') - path)) {
            path[length] = 0;
            char text[128] = "";
            append_line(text, sizeof(text), path,
                        group.version == 2 ? "cpu.max" : "cpu.cfs_quota_us");
            if (group.version == 1)
                append_line(text, sizeof(text), path, "cpu.cfs_period_us");
            const unsigned here = cpus_of_quota(text);
            cpus = here < cpus ? here : cpus;
        }
    }
    std::fclose(mounts);
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
    const unsigned known = std::thread::hardware_concurrency(); // or 0
    return known == 0 ? 1 : known;
}

// CPUs that this process may use at once.
inline unsigned usable_cpus() {
    const unsigned cores = usable_cores(), quota = cpus_of_quotas();
    return quota < cores ? quota : cores;
}

// The number that WARPINT_CPU_THREADS gives: 0 for none, more than max_cpu_threads for a text that
// is no number up to max_cpu_threads.
WARPINT_COLD inline unsigned cpu_threads_from(const char *text) {
    unsigned number = 0;
    for (; *text != 0; ++text) {
        if (*text < '0' || *text > '9')
            return max_cpu_threads + 1;
        number = 10 * number + static_cast<unsigned>(*text - '0');
        if (number > max_cpu_threads)
            number = max_cpu_threads + 1; // as long as the text may be
    }
    return number;
}

// 0: not chosen, not known yet. Constants at first, without a destructor: they may be read at any
// time.
inline std::atomic<unsigned> chosen_cpu_threads{0};
inline std::atomic<unsigned> default_cpu_threads{0};

WARPINT_COLD inline unsigned find_default_cpu_threads() {
    const char *const variable = std::getenv("WARPINT_CPU_THREADS");
    const char *const text = variable == nullptr ? "" : variable;
    const unsigned wanted = cpu_threads_from(text);
    const bool is_number = wanted <= max_cpu_threads;
    unsigned count = wanted != 0 && is_number ? wanted : usable_cpus();
    if (count > max_cpu_threads)
        count = max_cpu_threads;
    unsigned known = 0;
    if (!default_cpu_threads.compare_exchange_strong(known, count))
        return known; // another thread was faster
    if (!is_number) {
        std::fprintf(
            stderr,
            "warpint: WARPINT_CPU_THREADS is \"%.80s%s\", which is no number from 1 to %u: "
            "%u threads are used\n",
            text, std::strlen(text) > 80 ? "..." : "", max_cpu_threads, count);
    }
    return count;
}

// Lowers the default to `most` threads, at least 1. A number of the environment stays.
WARPINT_COLD inline void limit_default_cpu_threads(unsigned most) {
    const char *const variable = std::getenv("WARPINT_CPU_THREADS");
    const unsigned wanted = cpu_threads_from(variable == nullptr ? "" : variable);
    if (wanted != 0 && wanted <= max_cpu_threads)
        return;
    unsigned count = default_cpu_threads.load();
    if (count == 0)
        count = find_default_cpu_threads();
    most = most == 0 ? 1 : most;
    while (most < count && !default_cpu_threads.compare_exchange_weak(count, most)) {
    }
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
// the first use, and a process_group lowers it to the process's share of the cores of its machine.
// For the whole process; any thread may call it at any time, and loops that run
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
