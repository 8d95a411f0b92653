// SPDX-License-Identifier: Apache-2.0
#include "runner.h"

#include "memory.h"
#include "report.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <memory>
#include <mutex>
#include <sstream>
#include <string>

namespace batch_test {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Elements [first, first + count) of a case. The same for every number of threads and batches of
/// this size. `uniform` and `drawn`: how many of the numbers have uniform bits, and how many come
/// from an operand class at all.
std::vector<Element> draw_elements(const Case &which, const Subject &subject, std::uint64_t batch,
                                   std::uint64_t first, int count, bool on_device,
                                   std::uint64_t &uniform, std::uint64_t &drawn) {
    test::OperandSource source(test::property_seed(
        subject.name(which) + " batch " + std::to_string(batch), which.a().bits));
    const bool exhaustive = subject.exhaustive_count(which) > 0;
    std::vector<Element> elements;
    elements.reserve(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) {
        if (exhaustive)
            elements.push_back(
                subject.exhaustive_element(which, first + static_cast<std::uint64_t>(i)));
        if (!exhaustive || !subject.allows(which, elements.back(), on_device)) {
            elements.resize(static_cast<std::size_t>(i));
            elements.push_back(subject.draw(which, source, on_device));
        }
    }
    uniform = source.drawn(test::OperandClass::uniform);
    drawn = 0;
    for (int i = 0; i < test::operand_class_count; ++i)
        drawn += source.drawn(static_cast<test::OperandClass>(i));
    return elements;
}

/// A failed element with smaller operands that fail too, in words.
std::string describe(const Case &which, const Subject &subject, const Element &failed,
                     const std::string &message, std::uint64_t batch, std::size_t record_size,
                     bool on_device) {
    const auto judge = [&](const Element &v, bool device) {
        Computer computer(device);
        computer.compute(which, {v}, record_size);
        Checker checker;
        checker.begin(computer.record(0), record_size);
        subject.check(checker, which, v);
        return checker.message();
    };
    std::ostringstream text;
    text << subject.name(which) << (on_device ? " on the device" : " on the host") << ", batch "
         << batch << ", WARPINT_TEST_SEED=" << test::run_seed()
         << "\n  before shrinking: " << message.substr(0, 600);
    if (on_device && subject.allows(which, failed, false)) {
        const std::string host = judge(failed, false);
        text << "\n  on the host: " << (host.empty() ? "correct" : host.substr(0, 600));
    }
    const auto count = static_cast<std::size_t>(which.operand_count);
    const auto element = [&](const test::Operands &v) {
        Element made = failed;
        for (std::size_t i = 0; i < count; ++i)
            made.number(i) = v[i];
        return made;
    };
    const auto property = [&](test::Verdict &verdict, const test::Operands &v) {
        const Element smaller = element(v);
        if (!subject.allows(which, smaller, on_device))
            return;
        const std::string found = judge(smaller, on_device);
        if (!found.empty())
            verdict.fail(found);
    };
    test::Operands numbers;
    for (std::size_t i = 0; i < count; ++i)
        numbers.push_back(failed.number(i));
    const test::Operands shrunk = test::shrink(property, numbers);
    text << "\n  " << test::judge(property, shrunk).message();
    for (std::size_t i = 0; i < count; ++i)
        text << "\n  "
             << "abme"[i] << " " << shrunk[i];
    text << "\n  " << subject.describe(which, failed);
    return text.str();
}

/// All tasks of a run, handed out to threads batch by batch.
class Runner {
public:
    Runner(std::vector<Task> tasks, const Subject &subject, const Settings &settings,
           bool on_device)
        : tasks_(std::move(tasks)), subject_(subject), settings_(settings), on_device_(on_device) {}

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
    struct DrawnBatch {
        Task *task;
        std::uint64_t index;
        std::vector<Element> operands;
        std::uint64_t comparisons = 0;
    };
    /// One group of a batch, being computed.
    struct Step {
        std::shared_ptr<DrawnBatch> batch;
        std::size_t group = 0;
    };

    /// The next batch to compute: of the task of which the smallest fraction is done. Null at the
    /// end, and when time is up.
    std::shared_ptr<DrawnBatch> take() {
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
        auto batch = std::make_shared<DrawnBatch>();
        batch->task = chosen;
        batch->index = settings_.part + settings_.parts * chosen->next++;
        return batch;
    }

    void draw(DrawnBatch &batch) {
        const Task &task = *batch.task;
        std::uint64_t uniform = 0, drawn = 0;
        batch.operands = draw_elements(
            task.cases[0], subject_, batch.index, batch.index * task.batch_size,
            static_cast<int>(task.size_of_batch(batch.index)), on_device_, uniform, drawn);
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
                 (current.batch ? subject_.name(current.batch->task->cases[0]) + ": " : "") +
                     error.what());
        }
    }

    /// Compares a group of a batch with GMP; after the last group the batch counts.
    void check_step(const Step &step, Computer &computer, Computer &host) {
        DrawnBatch &batch = *step.batch;
        const Case &which = batch.task->cases[step.group];
        const std::size_t record_size = batch.task->record_sizes[step.group];
        computer.finish();
        const std::vector<bool> on_both = checks_both()
                                              ? compute_on_host(which, batch, record_size, host)
                                              : std::vector<bool>(batch.operands.size());
        Checker checker;
        for (std::size_t i = 0; i < batch.operands.size(); ++i) {
            const Element &v = batch.operands[i];
            checker.begin(computer.record(i), record_size);
            subject_.check(checker, which, v);
            if (checker.failed())
                return fail(batch.task, describe(which, subject_, v, checker.message(), batch.index,
                                                 record_size, on_device_));
            if (on_both[i] && std::memcmp(computer.record(i), host.record(i), record_size) != 0)
                return fail(batch.task, describe(which, subject_, v, "differs from the device",
                                                 batch.index, record_size, false));
        }
        batch.comparisons += checker.comparisons();
        if (step.group + 1 == batch.task->cases.size()) {
            const std::lock_guard<std::mutex> lock(mutex_);
            batch.task->reached += batch.operands.size();
            batch.task->comparisons += batch.comparisons;
        }
    }

    /// Returns which elements the host could compute; others stand in for the rest.
    std::vector<bool> compute_on_host(const Case &which, const DrawnBatch &batch,
                                      std::size_t record_size, Computer &host) const {
        std::vector<bool> allowed;
        for (const Element &v : batch.operands)
            allowed.push_back(subject_.allows(which, v, false));
        const auto first = std::find(allowed.begin(), allowed.end(), true);
        if (std::find(first, allowed.end(), false) == allowed.end() && first == allowed.begin()) {
            host.compute(which, batch.operands, record_size);
        } else if (first != allowed.end()) {
            std::vector<Element> operands = batch.operands;
            const Element stand_in = operands[static_cast<std::size_t>(first - allowed.begin())];
            for (std::size_t i = 0; i < operands.size(); ++i)
                if (!allowed[i])
                    operands[i] = stand_in;
            host.compute(which, operands, record_size);
        }
        return allowed;
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
    const Subject &subject_;
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

void run_cases(const std::vector<Case> &cases, const Subject &subject) {
    const Settings settings = read_settings();
    REQUIRE(settings.error == "");
    const bool on_device = has_device();
    const FastMemory memory; // before every number
    const std::size_t batch_memory = std::size_t{1} << (!on_device           ? 20
                                                        : settings.is_long() ? 27
                                                                             : 25);
    Runner runner(make_tasks(cases, subject, settings, batch_memory), subject, settings, on_device);
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
    const Counts counts = count_elements(runner.tasks(), subject, settings);
    int cut = 0;
    if (settings.table)
        cut = print_counts(counts, subject.group_names());
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

} // namespace batch_test
