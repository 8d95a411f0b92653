// SPDX-License-Identifier: Apache-2.0
// How many threads CPU batches use: what is read of control groups, of text and of pretended
// folders, and set_cpu_threads while loops run. (process_program.cpp has the environment and the
// cores of a process.)

#include <doctest/doctest.h>
#include <warpint/vector.h>

#include <atomic>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <future>
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

const std::string mount_2 =
    "22 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda1 rw\n"
    "30 22 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n";
const std::string mount_1 =
    "22 1 254:0 / / rw,relatime - ext4 /dev/vda1 rw\n"
    "31 22 0:26 / /sys/fs/cgroup ro - tmpfs tmpfs ro,mode=755\n"
    "32 31 0:27 / /sys/fs/cgroup/cpuset rw shared:5 - cgroup cgroup rw,cpuset\n"
    "33 31 0:28 / /sys/fs/cgroup/cpu,cpuacct rw shared:6 - cgroup cgroup rw,cpu,cpuacct\n"
    "34 31 0:29 / /sys/fs/cgroup/unified rw shared:7 - cgroup2 cgroup2 rw\n";

} // namespace

TEST_CASE("cpu threads: quotas") {
    using execution::cpus_of_quota;
    CHECK(cpus_of_quota("100000 100000\n") == 1);
    CHECK(cpus_of_quota("100001 100000\n") == 2);
    CHECK(cpus_of_quota("150000 100000") == 2);
    CHECK(cpus_of_quota("1000 100000") == 1);
    CHECK(cpus_of_quota("1 1000000") == 1);
    CHECK(cpus_of_quota("400000\n50000\n") == 8); // two files of version 1
    CHECK(cpus_of_quota("9223372036854775807 1") == none);
    CHECK(cpus_of_quota("9223372036854775807 9223372036854775807") == 1);
    for (const char *text : {"max 100000\n", "-1\n100000\n", "", "\n", "100000", "100000\n",
                             "0 100000", "100000 0", "100000 -1", "x y", "100000 x"})
        CHECK(cpus_of_quota(text) == none);
}

TEST_CASE("cpu threads: the process's control group") {
    const auto is = [](const std::string &text, int version, const std::string &path) {
        execution::ControlGroup group;
        for (std::size_t first = 0; first < text.size(); first = text.find('\n', first) + 1) {
            group.note(text.c_str() + first);
            if (text.find('\n', first) == text.npos)
                break;
        }
        CHECK(group.version == version);
        CHECK(group.path == path);
    };
    is("0::/user.slice/session-1.scope\n", 2, "/user.slice/session-1.scope");
    is("0::/\n", 2, "/");
    is("0::/a:b\n", 2, "/a:b");
    is("0::/no newline", 2, "/no newline");
    is("5:cpuset:/x\n4:cpu,cpuacct:/docker/abc\n0::/y\n", 1, "/docker/abc");
    is("0::/y\n4:cpuacct,cpu:/docker/abc\n", 1, "/docker/abc");
    is("5:cpuset:/x\n4:cpuacct:/z\n1:name=systemd:/s\n0::/y\n", 2, "/y");
    is("5:cpuset:/x\n", 0, "");
    is("", 0, "");
    is("0::" + std::string(5000, '/'), 0, "");
    is("\n\n::\n:\n", 0, "");
}

TEST_CASE("cpu threads: mounts") {
    const auto is = [](int version, const std::string &path, const char *line, const char *folder,
                       const char *below) {
        execution::ControlGroup group;
        group.version = version;
        std::strcpy(group.path, path.c_str());
        const execution::GroupMount mount(group, line);
        CHECK(std::string(mount.folder) == folder);
        CHECK(std::string(mount.below) == below);
    };
    const char *const two = "30 22 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw";
    is(2, "/a/b", two, "/sys/fs/cgroup", "/a/b");
    is(1, "/a/b", two, "", "");
    const char *const one =
        "33 31 0:28 / /cg/cpu rw shared:6 master:7 - cgroup none rw,cpuacct,cpu";
    is(1, "/a", one, "/cg/cpu", "/a");
    is(2, "/a", one, "", "");
    is(1, "/a", "33 31 0:28 / /cg/set rw - cgroup none rw,cpuset", "", "");
    // A container sees a part of the hierarchy.
    const char *const part = "30 22 0:26 /docker/ab /cg rw - cgroup2 cgroup2 rw";
    is(2, "/docker/ab", part, "/cg", "");
    is(2, "/docker/ab/c", part, "/cg", "/c");
    is(2, "/docker/abc", part, "/cg", "");
    is(2, "/", part, "/cg", "");
    is(2, "/", "30 22 0:26 /../.. /cg rw - cgroup2 cgroup2 rw", "/cg", "");
    for (const char *line :
         {"", " ", "30", "30 22 0:26 / /cg rw", "30 22 0:26 / cg rw - cgroup2 x rw",
          "30 22 0:26 / /cg rw - cgroup2x x rw", " - cgroup2 - - - - - "})
        is(2, "/", line, "", "");
}

TEST_CASE("cpu threads: folders of control groups") {
    CHECK(Root().cpus() == none);
    CHECK(Root().file("/proc/self/cgroup", "0::/a\n").cpus() == none);
    const auto version_2 = [](const char *group) {
        Root root;
        root.file("/proc/self/cgroup", std::string("0::") + group + "\n");
        root.file("/proc/self/mountinfo", mount_2);
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
        root.file("/proc/self/mountinfo", mount_1);
        root.file("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1\n");
        root.file("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n");
        root.file("/sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_quota_us", quota);
        root.file("/sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_period_us", "50000\n");
        root.file("/sys/fs/cgroup/unified/u/cpu.max", "100000 100000\n");
        return root.cpus();
    };
    CHECK(version_1("/a", "200000\n") == 4);
    CHECK(version_1("/a/below", "200000\n") == 4);
    CHECK(version_1("/a", "-1\n") == none);
    CHECK(version_1("/", "200000\n") == none);
    // The root of a namespace of control groups has the files of its group.
    CHECK(Root()
              .file("/proc/self/cgroup", "0::/\n")
              .file("/proc/self/mountinfo", mount_2)
              .file("/sys/fs/cgroup/cpu.max", "250000 100000\n")
              .cpus() == 3);
    // A container of version 1 without one: the path is the host's, the mount its own part.
    CHECK(Root()
              .file("/proc/self/cgroup", "2:cpu:/docker/f00\n")
              .file("/proc/self/mountinfo",
                    "33 31 0:28 /docker/f00 /sys/fs/cgroup/cpu ro - cgroup cgroup rw,cpu\n")
              .file("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "120000\n")
              .file("/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n")
              .cpus() == 2);
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
