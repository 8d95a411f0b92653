// SPDX-License-Identifier: Apache-2.0
// A job in stages that overlap: while one stage works on a batch, the others work on the batches
// before and after it.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace sample {

// Does its part of the work on a batch. False: the job ends before this batch.
template <class Batch>
using Stage = std::function<bool(Batch &)>;

// Passes batches through the stages, in order; each stage works on one at a time, in a thread of
// its own. Stage number `here` runs in the calling thread. There is one batch more than there are
// stages: the last stage gives it back to the first, which finds in it what it held before, so
// that memory is taken once.
//
// The first stage ends the job by returning false. What a stage throws ends it too: the stages
// before stop, those behind finish the batches that they have, and then it is thrown here. If
// several threw, the last of them counts, since its batch is the first in order. `stop` becomes
// true at once, for a first stage that waits for its input; it is false on input.
//
// Returns for how many seconds each stage worked, which shows the one that the others wait for.
template <class Batch>
std::vector<double> run_pipeline(const std::vector<Stage<Batch>> &stages, std::size_t here,
                                 std::atomic<bool> &stop) {
    using Clock = std::chrono::steady_clock;
    class Queue {
    public:
        void push(Batch *batch) {
            const std::lock_guard lock(mutex);
            waiting.push_back(batch);
            changed.notify_one();
        }
        // Null once it is closed and empty.
        Batch *pop() {
            std::unique_lock lock(mutex);
            changed.wait(lock, [this] { return closed || !waiting.empty(); });
            if (waiting.empty())
                return nullptr;
            Batch *const batch = waiting.front();
            waiting.pop_front();
            return batch;
        }
        void close() {
            const std::lock_guard lock(mutex);
            closed = true;
            changed.notify_one();
        }

    private:
        std::mutex mutex;
        std::condition_variable changed;
        std::deque<Batch *> waiting;
        bool closed = false;
    };

    const std::size_t count = stages.size();
    std::vector<Batch> batches(count + 1);
    std::vector<Queue> input(count); // of each stage; of the first: batches to fill
    std::vector<std::exception_ptr> errors(count);
    std::vector<double> busy(count);
    for (Batch &batch : batches)
        input[0].push(&batch);

    const auto next = [&](std::size_t stage) -> Queue & { return input[(stage + 1) % count]; };
    std::atomic<std::size_t> failed = 0; // the stages before this one stop
    const auto fail = [&](std::size_t stage) {
        errors[stage] = std::current_exception();
        for (std::size_t before = failed;
             before <= stage && !failed.compare_exchange_weak(before, stage + 1);)
            ;
        stop = true;
        next(stage).close();
    };
    const auto run = [&](std::size_t stage) {
        try {
            for (;;) {
                Batch *const batch = input[stage].pop();
                if (batch == nullptr || stage < failed)
                    break;
                const auto start = Clock::now();
                const bool goes_on = stages[stage](*batch);
                busy[stage] += std::chrono::duration<double>(Clock::now() - start).count();
                if (!goes_on)
                    break;
                next(stage).push(batch);
            }
            next(stage).close();
        } catch (...) {
            fail(stage);
        }
    };

    std::vector<std::thread> threads;
    threads.reserve(count);
    for (std::size_t stage = 0; stage != count; ++stage) {
        if (stage == here)
            continue;
        try {
            threads.emplace_back(run, stage);
        } catch (...) { // no more threads
            fail(stage);
        }
    }
    run(here);
    for (std::thread &thread : threads)
        thread.join();
    for (std::size_t stage = count; stage != 0; --stage) {
        if (errors[stage - 1])
            std::rethrow_exception(errors[stage - 1]);
    }
    return busy;
}

} // namespace sample
