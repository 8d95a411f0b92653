// SPDX-License-Identifier: Apache-2.0
// How many threads CPU batches use: the program's number (set_cpu_threads), else the environment's
// (WARPINT_CPU_THREADS), else as many as this process may run at once: the cores that the scheduler
// gives it, and no more than the quotas of its control groups pay for.
#pragma once

#include "../../limb/config.h"

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

// CPUs that a quota is worth in each period, rounded up; max_cpu_threads without a quota.
constexpr unsigned cpus_of_quota(long long quota, long long period) {
    if (quota <= 0 || period <= 0 || quota / period >= max_cpu_threads)
        return max_cpu_threads;
    return static_cast<unsigned>((quota - 1) / period + 1);
}

// The numbers, two at most, that a file begins with. Returns how many.
WARPINT_COLD inline int read_numbers(const char *folder, const char *file, long long &first,
                                     long long &second) {
    char path[3 * 4096];
    std::snprintf(path, sizeof(path), "%s/%s", folder, file);
    std::FILE *const opened = std::fopen(path, "r");
    if (opened == nullptr)
        return 0;
    const int count = std::fscanf(opened, "%lld %lld", &first, &second);
    std::fclose(opened);
    return count;
}

// CPUs that the control group of a folder pays for: its quota in version 2, else in version 1.
WARPINT_COLD inline unsigned cpus_of_group(const char *folder) {
    long long quota = 0, period = 0, none = 0;
    const bool has_quota = read_numbers(folder, "cpu.max", quota, period) == 2 ||
                           (read_numbers(folder, "cpu.cfs_quota_us", quota, none) == 1 &&
                            read_numbers(folder, "cpu.cfs_period_us", period, none) == 1);
    return has_quota ? cpus_of_quota(quota, period) : max_cpu_threads;
}

// CPUs that this process's control groups and those around them pay for: the least of their quotas.
// They are looked for where systems mount them: /sys/fs/cgroup, and for version 1 "cpu" in it. A
// container that has only a part of the hierarchy there has its own group at the top.
// root: of the file system, "" for the machine's own.
WARPINT_COLD inline unsigned cpus_of_quotas(const char *root = "") {
    char folder[2 * 4096];
    char line[4096]; // hierarchy:controllers:path, without controllers in version 2
    unsigned cpus = max_cpu_threads;
    std::snprintf(folder, sizeof(folder), "%s/proc/self/cgroup", root);
    std::FILE *const groups = std::fopen(folder, "r");
    if (groups == nullptr)
        return cpus;
    while (std::fgets(line, sizeof(line), groups) != nullptr) {
        char *const controllers = std::strchr(line, ':');
        char *const path = controllers == nullptr ? nullptr : std::strchr(controllers + 1, ':');
        if (path == nullptr)
            continue;
        *controllers = *path = ','; // ",cpuacct,cpu,": around each name
        const char *const cpu = std::strstr(controllers, ",cpu,");
        const bool is_second = path == controllers + 1;
        if (!is_second && (cpu == nullptr || cpu >= path))
            continue;
        path[std::strcspn(path, "\n")] = 0;
        std::snprintf(folder, sizeof(folder), "%s/sys/fs/cgroup%s%s", root, is_second ? "" : "/cpu",
                      path + 1);
        const std::size_t top = std::strlen(folder) - std::strlen(path + 1);
        for (;;) {
            const unsigned here = cpus_of_group(folder);
            cpus = here < cpus ? here : cpus;
            char *const last_part = std::strrchr(folder + top, '/');
            if (last_part == nullptr)
                break;
            *last_part = 0;
        }
    }
    std::fclose(groups);
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
// std::invalid_argument for a negative number and above 4096.
inline void set_cpu_threads(long long count) {
    if (count < 0 || count > execution::max_cpu_threads) {
        throw std::invalid_argument(
            "warpint: " + std::to_string(count) + " CPU threads; there may be 1 to " +
            std::to_string(execution::max_cpu_threads) + ", and 0 is the default");
    }
    execution::chosen_cpu_threads.store(static_cast<unsigned>(count), std::memory_order_relaxed);
}

} // namespace warpint
