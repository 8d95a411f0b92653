// SPDX-License-Identifier: Apache-2.0
// Threads that stay: for work on all cores that comes again and again, in pieces so short that new
// threads would take as long to start.
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "parallel.h"

namespace sample {

class Workers {
public:
    // With the calling thread, one for each hardware thread; fewer where the system gives no more.
    Workers() {
        const std::size_t others = hardware_threads() - 1;
        threads.reserve(others);
        try {
            while (threads.size() != others)
                threads.emplace_back([this] { work(); });
        } catch (const std::system_error &) { // those that there are do it all
        }
    }
    ~Workers() {
        {
            const std::lock_guard lock(mutex);
            ended = true;
        }
        begin.notify_all();
        for (std::thread &thread : threads)
            thread.join();
    }
    Workers(const Workers &) = delete;
    Workers &operator=(const Workers &) = delete;

    // Calls body(first, last) on disjoint ranges that cover [0, count), in all threads and this
    // one, and returns when all are done. A thread that is held up takes fewer ranges. What a body
    // throws is thrown again here, once; ranges are left out then. One call at a time.
    void run(std::size_t count, const std::function<void(std::size_t, std::size_t)> &body) {
        constexpr std::size_t ranges_per_thread = 8, least_range = 16;
        {
            const std::lock_guard lock(mutex);
            job = {&body, count,
                   std::max(count / (ranges_per_thread * (threads.size() + 1)), least_range)};
            next = 0;
            error = nullptr;
            running = threads.size();
            ++jobs;
        }
        begin.notify_all();
        take_ranges();
        std::unique_lock lock(mutex);
        end.wait(lock, [this] { return running == 0; });
        if (error)
            std::rethrow_exception(error);
    }

private:
    struct Job {
        const std::function<void(std::size_t, std::size_t)> *body;
        std::size_t count;
        std::size_t range;
    };

    void take_ranges() {
        try {
            for (;;) {
                const std::size_t first = next.fetch_add(job.range);
                if (first >= job.count)
                    return;
                (*job.body)(first, std::min(job.count, first + job.range));
            }
        } catch (...) {
            next = job.count;
            const std::lock_guard lock(mutex);
            error = std::current_exception();
        }
    }

    void work() {
        std::uint64_t done = 0; // jobs
        std::unique_lock lock(mutex);
        for (;;) {
            begin.wait(lock, [&] { return ended || jobs != done; });
            if (ended)
                return;
            ++done;
            lock.unlock();
            take_ranges();
            lock.lock();
            if (--running == 0)
                end.notify_one();
        }
    }

    std::mutex mutex;
    std::condition_variable begin, end;
    Job job{};
    std::atomic<std::size_t> next = 0;
    std::size_t running = 0;
    std::uint64_t jobs = 0;
    bool ended = false;
    std::exception_ptr error;
    std::vector<std::thread> threads; // last: they use the others
};

} // namespace sample
