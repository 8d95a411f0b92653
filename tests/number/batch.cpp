// The runner of the batched number tests: draws operands, has batches of them computed on the
// device or the host, and compares every result with GMP on all cores. Settings: plan.h.
//
// With a device the long set computes every batch on the host as well and compares the two: what
// GMP says is worked out once for both.

#include "computer.h"
#include "memory.h"
#include "report.h"

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <sstream>
#include <string>

namespace number_test {

std::vector<Case> &cases() {
    static std::vector<Case> all;
    return all;
}

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

/// A failed element with smaller operands that fail too, in words.
std::string describe(const Case &which, const Operands &failed, const std::string &message,
                     std::uint64_t batch, std::size_t record_size, bool on_device) {
    const auto judge = [&](const Operands &v, bool device) {
        Computer computer(device);
        computer.compute(which, {v}, record_size);
        Checker checker;
        checker.begin(computer.record(0), record_size);
        check_record(checker, which, v);
        return checker.message();
    };
    const bool host_can = !(divides_by_b(which.group) && failed.b.is_zero());
    std::ostringstream text;
    text << name_of(which) << (on_device ? " on the device" : " on the host") << ", batch " << batch
         << ", WARPINT_TEST_SEED=" << test::run_seed()
         << "\n  before shrinking: " << message.substr(0, 600);
    if (on_device && host_can) {
        const std::string host = judge(failed, false);
        text << "\n  on the host: " << (host.empty() ? "correct" : host.substr(0, 600));
    }
    const test::Property property = [&](test::Verdict &verdict, const test::Operands &v) {
        const Operands smaller{v[0], v[1], failed.parameters};
        if (!on_device && divides_by_b(which.group) && v[1].is_zero())
            return;
        const std::string found = judge(smaller, on_device);
        if (!found.empty())
            verdict.fail(found);
    };
    const test::Operands shrunk = test::shrink(property, {failed.a, failed.b});
    const Parameters &p = failed.parameters;
    text << "\n  " << test::judge(property, shrunk).message() << "\n  a " << shrunk[0] << "\n  b "
         << shrunk[1] << "\n  shift " << p.shift << ", position " << p.position << ", count "
         << p.count << ", carry " << p.carry;
    return text.str();
}

/// All tasks of a run, handed out to threads batch by batch.
class Runner {
public:
    Runner(std::vector<Task> tasks, const Settings &settings, bool on_device)
        : tasks_(std::move(tasks)), settings_(settings), on_device_(on_device) {}

    void run() {
        std::vector<std::thread> threads;
        for (unsigned i = 1; i < settings_.threads; ++i)
            threads.emplace_back([this, i] { work(i); });
        work(0);
        for (std::thread &thread : threads)
            thread.join();
    }

    const std::vector<Task> &tasks() const { return tasks_; }
    const std::vector<std::string> &failures() const { return failures_; }
    double seconds() const { return seconds_since(start_); }
    bool checks_both() const { return on_device_ && settings_.is_long(); }
    std::uint64_t uniform() const { return uniform_; }
    std::uint64_t drawn() const { return drawn_; }

private:
    /// A batch of a task: operands, and the number of groups not yet checked.
    struct Batch {
        Task *task;
        std::uint64_t index;
        std::vector<Operands> operands;
        std::uint64_t comparisons = 0;
    };
    /// One group of a batch, being computed.
    struct Step {
        std::shared_ptr<Batch> batch;
        std::size_t group = 0;
    };

    /// The next batch to compute: of the task of which the smallest fraction is done. Null at the
    /// end, and when time is up.
    std::shared_ptr<Batch> take() {
        const std::lock_guard<std::mutex> lock(mutex_);
        const bool late = settings_.is_long() && seconds() > 60 * settings_.minutes;
        Task *chosen = nullptr;
        double least = 2;
        for (Task &task : tasks_) {
            const std::uint64_t count = task.batches(settings_);
            if (task.failed || task.next >= count ||
                (late && task.next * task.batch_size >= task.at_least))
                continue;
            const double done = static_cast<double>(task.next) / static_cast<double>(count);
            if (done < least) {
                least = done;
                chosen = &task;
            }
        }
        if (chosen == nullptr)
            return nullptr;
        auto batch = std::make_shared<Batch>();
        batch->task = chosen;
        batch->index = settings_.part + settings_.parts * chosen->next++;
        return batch;
    }

    void draw(Batch &batch) {
        const Task &task = *batch.task;
        std::uint64_t uniform = 0, drawn = 0;
        batch.operands = draw_elements(task.cases[0], batch.index, batch.index * task.batch_size,
                                       static_cast<int>(task.size_of_batch(batch.index)),
                                       on_device_, &uniform, &drawn);
        uniform_ += uniform;
        drawn_ += drawn;
    }

    /// Computes and checks batches until there are none: one group is checked while the device
    /// computes the next.
    void work(unsigned thread) {
        Step current;
        try {
            choose_device(thread);
            Computer computers[2] = {Computer(on_device_), Computer(on_device_)};
            Computer host(false);
            Step previous;
            for (int turn = 0;; turn = 1 - turn) {
                current.group = current.batch ? current.group + 1 : 0;
                if (!current.batch || current.group == current.batch->task->cases.size()) {
                    current = {take(), 0};
                    if (current.batch)
                        draw(*current.batch);
                }
                if (current.batch) {
                    const Task &task = *current.batch->task;
                    computers[turn].start(task.cases[current.group], current.batch->operands,
                                          task.record_sizes[current.group]);
                }
                if (previous.batch)
                    check_step(previous, computers[1 - turn], host);
                if (!current.batch)
                    return;
                previous = current;
            }
        } catch (const std::exception &error) {
            fail(current.batch ? current.batch->task : nullptr,
                 (current.batch ? name_of(current.batch->task->cases[0]) + ": " : "") +
                     error.what());
        }
    }

    /// Compares a group of a batch with GMP; after the last group the batch counts.
    void check_step(const Step &step, Computer &computer, Computer &host) {
        Batch &batch = *step.batch;
        const Case &which = batch.task->cases[step.group];
        const std::size_t record_size = batch.task->record_sizes[step.group];
        computer.finish();
        if (checks_both())
            compute_on_host(which, batch, record_size, host);
        Checker checker;
        for (std::size_t i = 0; i < batch.operands.size(); ++i) {
            const Operands &v = batch.operands[i];
            checker.begin(computer.record(i), record_size);
            check_record(checker, which, v);
            if (checker.failed())
                return fail(batch.task, describe(which, v, checker.message(), batch.index,
                                                 record_size, on_device_));
            if (!checks_both() || (divides_by_b(which.group) && v.b.is_zero()))
                continue;
            if (std::memcmp(computer.record(i), host.record(i), record_size) != 0)
                return fail(batch.task, describe(which, v, "differs from the device", batch.index,
                                                 record_size, false));
        }
        batch.comparisons += checker.comparisons();
        if (step.group + 1 == batch.task->cases.size()) {
            const std::lock_guard<std::mutex> lock(mutex_);
            batch.task->reached += batch.operands.size();
            batch.task->comparisons += batch.comparisons;
        }
    }

    /// Division by 0 would throw: 1 stands in for it.
    static void compute_on_host(const Case &which, const Batch &batch, std::size_t record_size,
                                Computer &host) {
        const auto would_throw = [&which](const Operands &v) {
            return divides_by_b(which.group) && v.b.is_zero();
        };
        if (std::none_of(batch.operands.begin(), batch.operands.end(), would_throw))
            return host.compute(which, batch.operands, record_size);
        std::vector<Operands> operands = batch.operands;
        for (Operands &v : operands)
            if (would_throw(v))
                v.b = kept(1, which.b);
        host.compute(which, operands, record_size);
    }

    /// Each thread works with one of the devices.
    void choose_device([[maybe_unused]] unsigned thread) const {
#ifdef __CUDACC__
        if (!on_device_)
            return;
        int count = 1;
        check(cudaGetDeviceCount(&count), "cudaGetDeviceCount");
        check(cudaSetDevice(static_cast<int>(thread % static_cast<unsigned>(count))),
              "cudaSetDevice");
        // Waiting threads leave their core to others; where that cannot be set, they do not.
        cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync);
        cudaGetLastError();
#endif
    }

    /// A task that failed once is left alone.
    void fail(Task *task, const std::string &message) {
        const std::lock_guard<std::mutex> lock(mutex_);
        if (task == nullptr || !task->failed) {
            failures_.push_back(message);
            std::printf("FAILED: %s\n", message.c_str());
            std::fflush(stdout);
        }
        if (task != nullptr)
            task->failed = true;
    }

    std::vector<Task> tasks_;
    const Settings settings_;
    const bool on_device_;
    const Clock::time_point start_ = Clock::now();
    std::mutex mutex_; // of the tasks' progress, and failures_
    std::vector<std::string> failures_;
    std::atomic<std::uint64_t> uniform_{0}, drawn_{0};
};

std::string where(bool both) {
#ifdef __CUDACC__
    if (has_device()) {
        cudaDeviceProp properties{};
        check(cudaGetDeviceProperties(&properties, 0), "cudaGetDeviceProperties");
        return std::string(both ? "device threads and host, " : "device threads, ") +
               properties.name;
    }
#endif
    return both ? "" : "host";
}

} // namespace

TEST_CASE("every operation on numbers of many widths, against GMP") {
    const Settings settings = read_settings();
    REQUIRE(settings.error == "");
    const bool on_device = has_device();
    std::optional<FastMemory> memory; // before every number
    if (settings.is_long())
        memory.emplace();
    const std::size_t batch_memory = std::size_t{1} << (!on_device           ? 20
                                                        : settings.is_long() ? 27
                                                                             : 25);
    Runner runner(make_tasks(cases(), settings, batch_memory, &record_size_of), settings,
                  on_device);
    REQUIRE(!runner.tasks().empty());
    runner.run();

    for (const std::string &failure : runner.failures())
        FAIL_CHECK(failure);
    std::uint64_t count = 0, elements = 0, comparisons = 0, exhaustive = 0;
    for (const Task &task : runner.tasks()) {
        count += task.cases.size();
        elements += task.cases.size() * task.reached;
        comparisons += task.comparisons;
        exhaustive += task.exhaustive;
        if (!task.failed && task.batches(settings) > 0)
            CHECK(task.comparisons > 0);
    }
    const Counts counts = count_elements(runner.tasks(), settings);
    int cut = 0;
    if (settings.table)
        cut = print_counts(counts);
    std::printf("%s, %s set, part %llu of %llu, seed %llu: %llu cases (%llu of them exhaustive), "
                "%llu elements, %llu results compared, %.0f%% of the operands drawn are not "
                "uniform; cut short: %d groups of a width; %.1f s on %u threads\n",
                where(runner.checks_both()).c_str(), settings.is_long() ? "long" : "quick",
                static_cast<unsigned long long>(settings.part + 1),
                static_cast<unsigned long long>(settings.parts),
                static_cast<unsigned long long>(test::run_seed()),
                static_cast<unsigned long long>(count), static_cast<unsigned long long>(exhaustive),
                static_cast<unsigned long long>(elements),
                static_cast<unsigned long long>(comparisons),
                100 - 100 * static_cast<double>(runner.uniform()) /
                          static_cast<double>(std::max<std::uint64_t>(1, runner.drawn())),
                cut, runner.seconds(), settings.threads);
}

} // namespace number_test
