// SPDX-License-Identifier: Apache-2.0
// A job in stages that overlap: while one stage works on a batch, the others work on the batches
// before and after it.
#pragma once

#include <algorithm>
#include <atomic>
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
template <class Batch>
void run_pipeline(const std::vector<Stage<Batch>> &stages, std::size_t here,
                  std::atomic<bool> &stop) {
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
    for (Batch &batch : batches)
        input[0].push(&batch);

    const auto next = [&](std::size_t stage) -> Queue & { return input[(stage + 1) % count]; };
    std::atomic<std::size_t> failed = 0; // the stages before this one stop
    const auto fail = [&](std::size_t stage) {
        errors[stage] = std::current_exception();
        failed = std::max<std::size_t>(failed, stage + 1);
        stop = true;
        next(stage).close();
    };
    const auto run = [&](std::size_t stage) {
        try {
            for (;;) {
                Batch *const batch = input[stage].pop();
                if (batch == nullptr || stage < failed || !stages[stage](*batch))
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
}

} // namespace sample
