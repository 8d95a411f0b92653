// SPDX-License-Identifier: Apache-2.0
// A program that uses CPU batches where a process is not what it usually is, as its argument says:
// while it ends, after fork(), without threads to be had, with fewer cores than the machine has.
// One process each, with a time limit. Exit code 0: right; 1: wrong, with a reason.

#include <warpint/sharded.h>
#include <warpint/vector.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <pthread.h>
#include <sched.h>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

using namespace warpint;

namespace {

constexpr unsigned seconds = 60; // that any of this may take

// Static destructors may call it: they do not run again.
void require(bool condition, const char *what) {
    if (condition)
        return;
    std::printf("wrong: %s\n", what);
    std::fflush(stdout);
    std::_Exit(1);
}

using Number = BigInt<256>;
constexpr std::size_t many = 100'000; // a loop that is shared

// Loops that are shared: over sums, over powers, which take memory of their thread's own and a
// modulus that it keeps, and over residues.
bool is_right(std::size_t count = many) {
    const Number m = ~Number(0) - 188;
    const host_vector<Number> a(count, Number(7)), b(count, Number(5));
    const host_vector<Number> sums = a + b * 3u;
    const host_vector<Number> powers = pow(a.view(0, 200), b.view(0, 200), m);
    const host_vector<Number> products = a * b % m;
    return sums[0] == 22u && sums[count - 1] == 22u && powers[199] == 16807u &&
           products[count - 1] == 35u;
}

// ---- while the process ends

void at_exit() {
    require(is_right(), "a formula in an atexit handler");
    std::printf("atexit\n");
}

// Its object is made before the first formula, and destroyed after all that formulas made.
struct Last {
    host_vector<Number> kept;
    bool asked = false;
    ~Last() {
        if (!asked)
            return;
        require(is_right(), "a formula in the destructor of a static object");
        require(kept[0] == 22u, "a static vector");
        kept = host_vector<Number>(many, Number(2)) * 3u;
        require(kept[many - 1] == 6u, "a formula into a static vector");
        const device_group group;
        require(group.size() >= 1, "the group of all devices");
        std::printf("static object\n");
    }
};
Last last;

// Its object is destroyed after what the library keeps for the thread.
struct LastOfThread {
    bool asked = false;
    ~LastOfThread() {
        if (asked)
            require(is_right(), "a formula in the destructor of a thread's object");
    }
};
thread_local LastOfThread last_of_thread;

void thread_end() {
    std::thread([] {
        last_of_thread.asked = true;
        require(is_right(), "a formula in a thread");
    }).join();
    last_of_thread.asked = true;
    require(is_right(), "a formula");
}

struct Exit {
    Number operator()(const Number &x) const {
        if (x == 1u)
            std::exit(0);
        return x;
    }
};

// A function of the user ends the process from inside a loop.
void exit_in_loop() {
    last.asked = true;
    last.kept = host_vector<Number>(1, Number(22));
    std::vector<Number> numbers(many, Number(2));
    numbers[many / 2] = 1u;
    host_vector<Number> a(numbers);
    a = map(Exit{}, a);
    require(false, "exit() returned");
}

// ---- after fork()

// Sanitizers have locks of their own, which a child of several threads finds held, and report what
// the parent's other threads own.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool forks_beside_threads = false;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr bool forks_beside_threads = false;
#else
constexpr bool forks_beside_threads = true;
#endif
#else
constexpr bool forks_beside_threads = true;
#endif

// Runs body in a child, which then ends as a process does.
template <class Body>
void in_child(const Body &body) {
    std::fflush(stdout);
    const pid_t child = fork();
    require(child >= 0, "fork()");
    if (child == 0) {
        alarm(seconds);
        try {
            body();
        } catch (const std::exception &error) {
            require(false, error.what());
        }
        std::exit(0);
    }
    int status = 0;
    require(waitpid(child, &status, 0) == child, "waitpid()");
    require(WIFEXITED(status) && WEXITSTATUS(status) == 0, "what a child did");
}

void child() {
    in_child([] { require(is_right(), "a child's first formula"); });
    require(is_right(), "a formula");
    in_child([] {
        require(is_right(), "a formula of a child");
        std::vector<std::thread> threads;
        std::atomic<int> right{0};
        for (int i = 0; i < 3; ++i)
            threads.emplace_back([&] { right += is_right() ? 1 : 0; });
        for (std::thread &thread : threads)
            thread.join();
        require(right == 3, "formulas of a child's threads");
        in_child([] { require(is_right(), "a formula of a child's child"); });
        require(is_right(), "a formula of a child after it");
    });
    in_child([] {}); // one that runs none
    require(is_right(), "a formula of the parent");
}

// fork() while other threads are inside loops, and hold what loops lock.
void child_of_loop() {
    std::atomic<bool> enough{false};
    std::vector<std::thread> threads;
    for (int i = 0; i < 2; ++i) {
        threads.emplace_back([&] {
            while (!enough)
                require(is_right(20'000), "a formula beside forks");
        });
    }
    require(is_right(), "a formula");
    for (int i = 0; i < 20; ++i)
        in_child([] { require(is_right(20'000), "a formula of a child"); });
    enough = true;
    for (std::thread &thread : threads)
        thread.join();
}

struct ThrowAtSeven {
    Number operator()(const Number &x) const {
        if (x == 7u)
            throw std::runtime_error("seven");
        return x;
    }
};

// What loops throw, and elements without a value, in a child as elsewhere.
void throws_as_promised() {
    bool thrown = false;
    try {
        execution::parallel_for(1000, 1, 1'000'000, [](std::size_t first, std::size_t end) {
            if (first <= 500 && 500 < end)
                throw std::runtime_error("500");
        });
    } catch (const std::runtime_error &error) {
        thrown = std::string_view(error.what()) == "500";
    }
    require(thrown, "the exception of a loop");
    std::vector<Number> numbers(many, Number(1));
    numbers[many / 2] = 7u;
    const host_vector<Number> mapped = map(ThrowAtSeven{}, host_vector<Number>(numbers));
    std::vector<bool> expected(many, false);
    expected[many / 2] = true;
    require(mapped.error_mask() == expected, "the element without a value");
    require(is_right(), "a formula after exceptions");
}
void child_throws() {
    throws_as_promised();
    in_child(throws_as_promised);
    throws_as_promised();
}

// Groups of devices start threads of their own.
void child_of_group() {
    const auto runs_all = [](const device_group &group) {
        std::atomic<unsigned> ran{0};
        group.for_each_shard([&](std::size_t i) { ran += 1u << i; });
        return ran == 15;
    };
    const device_group group{0, 0, 0, 0};
    require(runs_all(group), "a group");
    in_child([&] {
        require(runs_all(group), "a group in a child");
        {
            const device_group another{0, 0, 0, 0};
            require(runs_all(another), "a group made in a child");
        }
        const device_group copy = group;
    });
    std::thread([&] {
        in_child([&] { require(runs_all(group), "a group in a thread's child"); });
    }).join();
    {
        device_group gone{0, 0, 0, 0};
        in_child([&] { gone = device_group(); }); // the child destroys it
    }
    require(runs_all(group), "a group after children");
}

// ---- without threads to be had

// Whether a loop runs in so many threads: its first blocks wait until all have come.
bool runs_in(std::size_t threads) {
    std::mutex mutex;
    std::condition_variable one_more;
    std::set<std::thread::id> seen;
    execution::parallel_for(1000, 1, 1'000'000, [&](std::size_t, std::size_t) {
        std::unique_lock lock(mutex);
        seen.insert(std::this_thread::get_id());
        one_more.notify_all();
        one_more.wait_for(lock, std::chrono::seconds(seconds / 4),
                          [&] { return seen.size() >= threads; });
        lock.unlock();
        std::this_thread::yield();
    });
    return seen.size() == threads;
}

void no_threads() {
    // Stacks of 400 MB in an address space of 1 GB more than is in use: two threads.
    std::FILE *const file = std::fopen("/proc/self/statm", "r");
    unsigned long pages = 0;
    if (file == nullptr || std::fscanf(file, "%lu", &pages) != 1) {
        std::puts("skipped: no /proc/self/statm");
        std::exit(77);
    }
    std::fclose(file);
    rlimit limit{};
    require(getrlimit(RLIMIT_AS, &limit) == 0, "getrlimit()");
    limit.rlim_cur = pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE)) + (rlim_t{1} << 30);
    require(setrlimit(RLIMIT_AS, &limit) == 0, "setrlimit()");
    pthread_attr_t attributes;
    require(pthread_attr_init(&attributes) == 0 &&
                pthread_attr_setstacksize(&attributes, std::size_t{400} << 20) == 0 &&
                pthread_setattr_default_np(&attributes) == 0,
            "the size of stacks");

    set_cpu_threads(8);
    require(is_right(), "a formula with fewer threads than were asked for");
    require(runs_in(3), "a loop with two threads beside its own");
    set_cpu_threads(2);
    require(runs_in(2), "a loop with one of them");
    const device_group group(std::vector<int>(8, 0));
    std::atomic<int> ran{0};
    group.for_each_shard([&](std::size_t) { ++ran; });
    require(ran == 8, "a group with fewer threads than shards");
    bool thrown = false;
    try {
        group.for_each_shard([&](std::size_t i) {
            ++ran;
            if (i > 0)
                throw std::runtime_error(std::to_string(i));
        });
    } catch (const std::runtime_error &error) {
        thrown = std::string_view(error.what()) == "1";
    }
    require(thrown && ran == 16, "the first exception of a group");
}

// ---- how many threads

void affinity() {
    cpu_set_t allowed;
    require(sched_getaffinity(0, sizeof(allowed), &allowed) == 0, "sched_getaffinity()");
    std::vector<int> cores;
    for (int core = 0; core < CPU_SETSIZE; ++core) {
        if (CPU_ISSET(core, &allowed))
            cores.push_back(core);
    }
    const unsigned quota = execution::cpus_of_quotas();
    for (std::size_t count : {std::size_t{1}, std::size_t{2}, cores.size()}) {
        if (count > cores.size())
            continue;
        cpu_set_t some;
        CPU_ZERO(&some);
        for (std::size_t i = 0; i < count; ++i)
            CPU_SET(cores[i], &some);
        require(sched_setaffinity(0, sizeof(some), &some) == 0, "sched_setaffinity()");
        in_child([&] {
            const unsigned expected = std::min(static_cast<unsigned>(count), quota);
            require(device_info().cpu_threads == expected, "the cores that the process may use");
            require(runs_in(expected), "a loop on these cores");
        });
    }
}

// What is written to the standard error stream meanwhile.
template <class Body>
std::string errors_of(const Body &body) {
    std::FILE *const file = std::tmpfile();
    require(file != nullptr, "tmpfile()");
    std::fflush(stderr);
    const int former = dup(2);
    dup2(fileno(file), 2);
    body();
    std::fflush(stderr);
    dup2(former, 2);
    close(former);
    std::string text(10'000, '\0');
    std::rewind(file);
    text.resize(std::fread(text.data(), 1, text.size(), file));
    std::fclose(file);
    return text;
}

void environment() {
    unsetenv("WARPINT_CPU_THREADS");
    unsigned usual = 0;
    in_child([] { require(execution::cpu_threads() == execution::usable_cpus(), "no variable"); });
    usual = execution::usable_cpus();
    const auto expect = [&](const char *text, unsigned count, bool is_wrong) {
        setenv("WARPINT_CPU_THREADS", text, 1);
        in_child([&] {
            unsigned found = 0;
            const std::string errors = errors_of([&] {
                std::vector<std::thread> threads;
                for (int i = 0; i < 4; ++i)
                    threads.emplace_back([] { (void)execution::cpu_threads(); });
                for (std::thread &thread : threads)
                    thread.join();
                found = device_info().cpu_threads;
                (void)is_right();
                set_cpu_threads(2);
                set_cpu_threads(0);
                (void)device_info();
            });
            require(found == count, text);
            const std::string start = "warpint: WARPINT_CPU_THREADS is \"";
            if (is_wrong) {
                require(errors.starts_with(start), "a line about the variable");
                require(errors.find('\n') == errors.size() - 1, "one line only");
                require(errors.size() < 300, "a short line");
            } else {
                require(errors.empty(), "nothing to say");
            }
            set_cpu_threads(3);
            require(device_info().cpu_threads == 3, "the program's number comes first");
            require(runs_in(3), "a loop with it");
            set_cpu_threads(0);
            require(device_info().cpu_threads == count, "back to the default");
        });
    };
    expect("1", 1, false);
    expect("3", 3, false);
    expect("5", 5, false);
    expect("", usual, false);
    expect("0", usual, false);
    for (const char *text :
         {"-1", "x", "3x", "3 ", " 3", "1.5", "+3", "4097", "99999999999999999999999", "3,4"})
        expect(text, usual, true);
    expect(std::string(5000, 'y').c_str(), usual, true);
}

void run(std::string_view name) {
    last_of_thread.asked = false; // made now
    set_cpu_threads(4);           // threads on any machine
    if (!forks_beside_threads && (name.starts_with("child") || name == "thread_end")) {
        std::puts("skipped: a sanitizer that does not know fork() beside threads");
        std::exit(77);
    }
    if (name == "atexit") {
        std::atexit(at_exit);
        require(is_right(), "a formula");
        std::atexit(at_exit);
    } else if (name == "atexit_first") {
        std::atexit(at_exit);
    } else if (name == "static_object") {
        last.asked = true;
        last.kept = host_vector<Number>(many, Number(22));
        require(is_right(), "a formula");
    } else if (name == "thread_end") {
        thread_end();
    } else if (name == "exit_in_loop") {
        exit_in_loop();
    } else if (name == "child") {
        child();
    } else if (name == "child_of_loop") {
        child_of_loop();
    } else if (name == "child_throws") {
        child_throws();
    } else if (name == "child_of_group") {
        child_of_group();
    } else if (name == "no_threads") {
        no_threads();
    } else if (name == "affinity") {
        set_cpu_threads(0);
        affinity();
    } else if (name == "environment") {
        set_cpu_threads(0);
        environment();
    } else {
        require(false, "no such case");
    }
}

} // namespace

int main(int argc, char **argv) {
    alarm(seconds);
    try {
        run(argc > 1 ? argv[1] : "");
    } catch (const std::exception &error) {
        require(false, error.what());
    }
    return 0;
}
