// SPDX-License-Identifier: Apache-2.0
// How many threads CPU batches use: what is read of control groups, of text and of pretended
// folders, and set_cpu_threads while loops run. (process_program.cpp has the environment and the
// cores of a process.)

#include <doctest/doctest.h>
#include <warpint/vector.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <future>
#include <limits>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <unistd.h>

using namespace warpint;

namespace {

constexpr unsigned none = execution::max_cpu_threads; // no quota

// The root of a pretended file system.
class Root {
public:
    Root()
        : folder_{std::filesystem::temp_directory_path() /
                  ("warpint_cpu_threads_" + std::to_string(getpid()))} {
        std::filesystem::remove_all(folder_);
        std::filesystem::create_directories(folder_);
    }
    ~Root() { std::filesystem::remove_all(folder_); }
    Root(const Root &) = delete;
    Root &operator=(const Root &) = delete;

    Root &file(const std::string &path, const std::string &text) {
        const std::filesystem::path whole = folder_.string() + path;
        std::filesystem::create_directories(whole.parent_path());
        std::ofstream(whole) << text;
        return *this;
    }
    [[nodiscard]] unsigned cpus() const {
        return execution::cpus_of_quotas(folder_.string().c_str());
    }

private:
    std::filesystem::path folder_;
};

} // namespace

TEST_CASE("cpu threads: quotas") {
    using execution::cpus_of_quota;
    CHECK(cpus_of_quota(100000, 100000) == 1);
    CHECK(cpus_of_quota(100001, 100000) == 2);
    CHECK(cpus_of_quota(150000, 100000) == 2);
    CHECK(cpus_of_quota(1000, 100000) == 1);
    CHECK(cpus_of_quota(1, 1000000) == 1);
    constexpr long long largest = std::numeric_limits<long long>::max();
    CHECK(cpus_of_quota(largest, 1) == none);
    CHECK(cpus_of_quota(largest, largest) == 1);
    CHECK(cpus_of_quota(-1, 100000) == none);
    CHECK(cpus_of_quota(0, 100000) == none);
    CHECK(cpus_of_quota(100000, 0) == none);
    CHECK(cpus_of_quota(100000, -1) == none);
}

TEST_CASE("cpu threads: files of quotas") {
    const auto second = [](const std::string &text) {
        Root root;
        root.file("/sys/fs/cgroup/cpu.max", text);
        return root.file("/proc/self/cgroup", "0::/\n").cpus();
    };
    CHECK(second("400000 100000\n") == 4);
    CHECK(second("400000 100000") == 4);
    for (const char *text : {"max 100000\n", "", "\n", "100000", "100000\n", "x y", "100000 x"})
        CHECK(second(text) == none);
    const auto first = [](const std::string &quota, const std::string &period) {
        Root root;
        root.file("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", quota);
        root.file("/sys/fs/cgroup/cpu/cpu.cfs_period_us", period);
        return root.file("/proc/self/cgroup", "1:cpu:/\n").cpus();
    };
    CHECK(first("400000\n", "50000\n") == 8);
    CHECK(first("-1\n", "100000\n") == none);
    CHECK(first("", "100000\n") == none);
    CHECK(first("400000\n", "") == none);
}

TEST_CASE("cpu threads: the process's control groups") {
    const auto cpus = [](const std::string &groups) {
        Root root;
        root.file("/sys/fs/cgroup/a:b/cpu.max", "200000 100000\n");
        root.file("/sys/fs/cgroup/user.slice/session-1.scope/cpu.max", "300000 100000\n");
        root.file("/sys/fs/cgroup/cpu/docker/abc/cpu.cfs_quota_us", "400000\n");
        root.file("/sys/fs/cgroup/cpu/docker/abc/cpu.cfs_period_us", "100000\n");
        root.file("/sys/fs/cgroup/cpu/x,cpu,/cpu.cfs_quota_us", "100000\n");
        root.file("/sys/fs/cgroup/cpu/x,cpu,/cpu.cfs_period_us", "100000\n");
        return root.file("/proc/self/cgroup", groups).cpus();
    };
    CHECK(cpus("0::/user.slice/session-1.scope\n") == 3);
    CHECK(cpus("0::/user.slice/session-1.scope") == 3);
    CHECK(cpus("0::/\n") == none);
    CHECK(cpus("0::/a:b\n") == 2);
    CHECK(cpus("5:cpuset:/x\n4:cpu,cpuacct:/docker/abc\n0::/y\n") == 4);
    CHECK(cpus("0::/y\n4:cpuacct,cpu:/docker/abc\n") == 4);
    CHECK(cpus("5:cpuset:/docker/abc\n4:cpuacct:/docker/abc\n1:name=cpu:/docker/abc\n") == none);
    CHECK(cpus("3:cpuset:/x,cpu,\n") == none); // a path is no controller
    CHECK(cpus("3:cpu:/docker/abc\n0::/a:b\n") == 2);
    CHECK(cpus("0::" + std::string(5000, '/')) == none);
    for (const char *text : {"", "\n\n::\n:\n", "0", "0:", "::", "a:cpu"})
        CHECK(cpus(text) == none);
}

TEST_CASE("cpu threads: groups within groups") {
    CHECK(Root().cpus() == none);
    CHECK(Root().file("/proc/self/cgroup", "0::/a\n").cpus() == none);
    const auto version_2 = [](const char *group) {
        Root root;
        root.file("/proc/self/cgroup", std::string("0::") + group + "\n");
        root.file("/sys/fs/cgroup/a/cpu.max", "300000 100000\n");
        root.file("/sys/fs/cgroup/a/b/cpu.max", "max 100000\n");
        root.file("/sys/fs/cgroup/a/c/cpu.max", "150000 100000\n");
        root.file("/sys/fs/cgroup/a/d/cpu.max", "900000 100000\n");
        root.file("/sys/fs/cgroup/e/cpu.stat", "nr_periods 0\n");
        return root.cpus();
    };
    CHECK(version_2("/a") == 3);
    CHECK(version_2("/a/b") == 3); // the group around it pays
    CHECK(version_2("/a/c") == 2);
    CHECK(version_2("/a/d") == 3);
    CHECK(version_2("/a/d/not/there") == 3);
    CHECK(version_2("/e") == none);
    CHECK(version_2("/") == none);
    const auto version_1 = [](const char *group, const char *quota) {
        Root root;
        root.file("/proc/self/cgroup",
                  std::string("3:cpuset:/\n2:cpu,cpuacct:") + group + "\n0::/u\n");
        root.file("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n");
        root.file("/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
        root.file("/sys/fs/cgroup/cpu/a/cpu.cfs_quota_us", quota);
        root.file("/sys/fs/cgroup/cpu/a/cpu.cfs_period_us", "50000\n");
        return root.cpus();
    };
    CHECK(version_1("/a", "200000\n") == 4);
    CHECK(version_1("/a/below", "200000\n") == 4);
    CHECK(version_1("/a", "-1\n") == none);
    CHECK(version_1("/", "200000\n") == none);
    // The root of a namespace of control groups has the files of its group, and so has the part of
    // a hierarchy that a container sees, although the path is the host's.
    for (const char *group : {"/", "/docker/f00", "/../.."}) {
        CHECK(Root()
                  .file("/proc/self/cgroup", std::string("0::") + group + "\n")
                  .file("/sys/fs/cgroup/cpu.max", "250000 100000\n")
                  .cpus() == 3);
        CHECK(Root()
                  .file("/proc/self/cgroup", std::string("2:cpu:") + group + "\n")
                  .file("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "120000\n")
                  .file("/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n")
                  .cpus() == 2);
    }
}

TEST_CASE("cpu threads: the number in the environment") {
    using execution::cpu_threads_from;
    CHECK(cpu_threads_from("") == 0);
    CHECK(cpu_threads_from("0") == 0);
    CHECK(cpu_threads_from("1") == 1);
    CHECK(cpu_threads_from("007") == 7);
    CHECK(cpu_threads_from("4096") == 4096);
    for (const char *text :
         {"4097", "18446744073709551617", "-1", "+1", " 1", "1 ", "1.0", "0x1", "one"})
        CHECK(cpu_threads_from(text) > execution::max_cpu_threads);
}

TEST_CASE("cpu threads: the program's number") {
    const unsigned usual = device_info().cpu_threads;
    CHECK(usual >= 1);
    CHECK(execution::usable_cpus() >= 1);
    CHECK(execution::usable_cores() >= 1);
    const host_vector<BigInt<256>> a(100'000, BigInt<256>(3));
    for (const unsigned count : {1u, 2u, 5u, 3u, 4096u, 1u}) {
        set_cpu_threads(count);
        CHECK(device_info().cpu_threads == count);
        CHECK(explain(a * a).threads_per_block == static_cast<int>(count));
    }
    CHECK_THROWS_AS(set_cpu_threads(4097), std::invalid_argument);
    CHECK_THROWS_WITH_AS(set_cpu_threads(-5),
                         "warpint: -5 CPU threads; there may be 1 to 4096, and 0 is the default",
                         std::invalid_argument);
    CHECK_THROWS_AS(set_cpu_threads(static_cast<unsigned>(-1)), std::invalid_argument);
    CHECK(device_info().cpu_threads == 1); // as before
    set_cpu_threads(0);
    CHECK(device_info().cpu_threads == usual);
}

TEST_CASE("cpu threads: set while loops run") {
    std::atomic<bool> enough{false};
    std::atomic<int> loops{0};
    std::atomic<int> wrong{0};
    std::vector<std::thread> threads;
    for (unsigned t = 0; t < 3; ++t) {
        threads.emplace_back([&, t] {
            const host_vector<BigInt<96>> a(30'000, BigInt<96>(t + 2));
            while (!enough) {
                const host_vector<BigInt<192>> squares = a * a;
                wrong += squares.to_host() ==
                                 std::vector<BigInt<192>>(30'000, BigInt<192>((t + 2) * (t + 2)))
                             ? 0
                             : 1;
                ++loops;
            }
        });
    }
    for (unsigned i = 0; i < 300 || loops < 100; ++i) {
        set_cpu_threads(i % 6);
        std::this_thread::yield();
    }
    enough = true;
    for (std::thread &thread : threads)
        thread.join();
    set_cpu_threads(0);
    CHECK(wrong == 0);
}

TEST_CASE("cpu threads: a program's own loop") {
    struct Range {
        std::size_t first, last;
    };
    for (const unsigned threads : {1u, 3u}) {
        set_cpu_threads(threads);
        for (const std::size_t count : {0u, 1u, 64u, 65u, 1000u}) {
            std::vector<std::atomic<int>> seen(count);
            std::mutex mutex;
            std::vector<Range> ranges;
            for_each_block(count, 64, [&](std::size_t first, std::size_t last) {
                for (std::size_t i = first; i < last; ++i)
                    ++seen[i];
                const std::lock_guard lock(mutex);
                ranges.push_back({first, last});
            });
            CHECK(ranges.size() == (count + 63) / 64);
            for (const Range &each : ranges) {
                CHECK(each.first % 64 == 0);
                CHECK(each.last == std::min(each.first + 64, count));
            }
            CHECK(std::all_of(seen.begin(), seen.end(), [](const auto &n) { return n == 1; }));
        }
        // Inside itself, and beside formulas.
        std::atomic<std::size_t> calls{0};
        for_each_block(10, 1, [&](std::size_t, std::size_t) {
            const host_vector<BigInt<256>> v(10'000, BigInt<256>(3));
            for_each_block(100, 7, [&](std::size_t first, std::size_t last) {
                if (last - first <= 7 && sum(v) == 30'000u)
                    ++calls;
            });
        });
        CHECK(calls == 150);
        CHECK_THROWS_WITH_AS(for_each_block(1000, 1,
                                            [](std::size_t first, std::size_t) {
                                                if (first == 500)
                                                    throw std::runtime_error("500");
                                            }),
                             "500", std::runtime_error);
        CHECK_THROWS_AS(for_each_block(3, 0, [](std::size_t, std::size_t) {}),
                        std::invalid_argument);
        constexpr std::size_t most = ~std::size_t{0};
        std::size_t whole = 0;
        for_each_block(most, most,
                       [&](std::size_t first, std::size_t last) { whole += last - first; });
        CHECK(whole == most);
        std::atomic<std::size_t> in_parts{0}, parts{0};
        for_each_block(most, std::size_t{1} << 60, [&](std::size_t first, std::size_t last) {
            in_parts += last - first;
            ++parts;
        });
        CHECK(in_parts == most);
        CHECK(parts == 16);
    }
    set_cpu_threads(0);
}

TEST_CASE("cpu threads: a loop whose body waits for a thread that runs a formula") {
    set_cpu_threads(2);
    const host_vector<BigInt<96>> table(30'000, BigInt<96>(3));
    const auto sum_elsewhere = [&table](const BigInt<96> &x) {
        return std::async(std::launch::async, [&] { return BigInt<96>(sum(table) + x); }).get();
    };
    const host_vector<BigInt<96>> x(2000, BigInt<96>(1));
    // Shared among threads, because a user's function may cost anything.
    const host_vector<BigInt<96>> found = map(std::cref(sum_elsewhere), x);
    set_cpu_threads(0);
    CHECK(found.to_host() == std::vector<BigInt<96>>(2000, BigInt<96>(90'001)));
}
