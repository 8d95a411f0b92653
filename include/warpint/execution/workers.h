// SPDX-License-Identifier: Apache-2.0
// A thread for each of several devices, so that what waits for one device does not keep the others
// waiting.
#pragma once

#include "parallel.h"

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace warpint::execution {

class Workers {
public:
    // One worker needs no thread: it is the caller.
    explicit Workers(std::size_t count) : team_{std::make_unique<Team>(count)} {
        if (count <= 1)
            return;
        try {
            team_->threads.reserve(count);
            while (team_->threads.size() < count) {
                team_->threads.emplace_back(
                    [team = team_.get(), i = team_->threads.size()] { team->serve(i); });
            }
        } catch (const std::system_error &) { // there are no more threads: the caller does the rest
        } catch (...) {
            team_->stop();
            throw;
        }
    }
    ~Workers() {
        if (has_threads()) {
            team_->stop();
        } else {
            (void)team_.release(); // its threads are the parent's
        }
    }
    Workers(const Workers &) = delete;
    Workers &operator=(const Workers &) = delete;

    [[nodiscard]] std::size_t size() const { return team_->failures.size(); }

    // Calls body(i) on worker i, all at once, and waits for all of them; in the caller, one after
    // another, for workers without a thread, and for all in a child after fork(). Throws the first
    // exception, by the number of its worker, when all have ended. Not to be called by a body.
    template <class Body>
    void run(const Body &body) {
        const auto call = [](const void *context, std::size_t i) {
            (*static_cast<const Body *>(context))(i);
        };
        if (has_threads()) {
            team_->run(call, &body);
        } else {
            std::vector<std::exception_ptr> failures(size());
            for (std::size_t i = 0; i < size(); ++i)
                failures[i] = failure_of(call, &body, i);
            throw_first(failures);
        }
    }

private:
    using Call = void (*)(const void *, std::size_t);

    static std::exception_ptr failure_of(Call call, const void *context, std::size_t i) {
        try {
            call(context, i);
        } catch (...) {
            return std::current_exception();
        }
        return nullptr;
    }
    // Leaves the list without exceptions.
    static void throw_first(std::vector<std::exception_ptr> &failures) {
        std::exception_ptr first;
        for (std::exception_ptr &failure : failures) {
            if (first == nullptr)
                first = failure;
            failure = nullptr;
        }
        if (first != nullptr)
            std::rethrow_exception(first);
    }

    // What the threads share.
    struct Team {
        explicit Team(std::size_t count) : failures(count) {}

        void run(Call call, const void *context) {
            const std::lock_guard one_at_a_time(run_mutex);
            {
                const std::lock_guard lock(mutex);
                body = call;
                body_context = context;
                busy = threads.size();
                ++generation;
            }
            wake.notify_all();
            for (std::size_t i = threads.size(); i < failures.size(); ++i)
                failures[i] = failure_of(call, context, i);
            std::unique_lock lock(mutex);
            done.wait(lock, [this] { return busy == 0; });
            throw_first(failures);
        }
        void serve(std::size_t i) {
            std::size_t seen = 0;
            std::unique_lock lock(mutex);
            for (;;) {
                wake.wait(lock, [&] { return stopping || generation != seen; });
                if (stopping)
                    return;
                seen = generation;
                lock.unlock();
                failures[i] = failure_of(body, body_context, i);
                lock.lock();
                if (--busy == 0)
                    done.notify_all();
            }
        }
        void stop() {
            {
                const std::lock_guard lock(mutex);
                stopping = true;
            }
            wake.notify_all();
            for (std::thread &thread : threads)
                thread.join();
        }

        std::mutex run_mutex;
        std::mutex mutex;
        std::condition_variable wake;
        std::condition_variable done;
        std::vector<std::thread> threads;
        std::vector<std::exception_ptr> failures;
        Call body = nullptr;
        const void *body_context = nullptr;
        std::size_t generation = 0;
        std::size_t busy = 0;
        bool stopping = false;
    };

    // In a child after fork() there are none, and what they had locked stays locked.
    [[nodiscard]] bool has_threads() const { return process_ == this_process(); }

    const long process_ = this_process();
    std::unique_ptr<Team> team_;
};

} // namespace warpint::execution
