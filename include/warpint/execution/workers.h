// SPDX-License-Identifier: Apache-2.0
// A thread for each of several devices, so that what waits for one device does not keep the others
// waiting.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace warpint::execution {

class Workers {
public:
    // One worker needs no thread: it is the caller.
    explicit Workers(std::size_t count) : failures_(count) {
        for (std::size_t i = 0; count > 1 && i < count; ++i)
            threads_.emplace_back([this, i] { serve(i); });
    }
    ~Workers() {
        {
            const std::lock_guard lock(mutex_);
            stopping_ = true;
        }
        wake_.notify_all();
        for (std::thread &thread : threads_)
            thread.join();
    }
    Workers(const Workers &) = delete;
    Workers &operator=(const Workers &) = delete;

    [[nodiscard]] std::size_t size() const { return failures_.size(); }

    // Calls body(i) on worker i, all at once, and waits for all of them. Throws the first
    // exception, by the number of its worker, when all have ended. Not to be called by a body.
    template <class Body>
    void run(const Body &body) {
        if (threads_.empty()) {
            for (std::size_t i = 0; i < size(); ++i)
                body(i);
            return;
        }
        const std::lock_guard one_at_a_time(run_mutex_);
        std::unique_lock lock(mutex_);
        body_ = [](const void *context, std::size_t i) {
            (*static_cast<const Body *>(context))(i);
        };
        context_ = &body;
        busy_ = size();
        ++generation_;
        wake_.notify_all();
        done_.wait(lock, [this] { return busy_ == 0; });
        std::exception_ptr first;
        for (std::exception_ptr &failure : failures_) {
            if (first == nullptr)
                first = failure;
            failure = nullptr;
        }
        if (first != nullptr)
            std::rethrow_exception(first);
    }

private:
    void serve(std::size_t i) {
        std::size_t seen = 0;
        std::unique_lock lock(mutex_);
        for (;;) {
            wake_.wait(lock, [&] { return stopping_ || generation_ != seen; });
            if (stopping_)
                return;
            seen = generation_;
            lock.unlock();
            std::exception_ptr failure;
            try {
                body_(context_, i);
            } catch (...) {
                failure = std::current_exception();
            }
            lock.lock();
            failures_[i] = failure;
            if (--busy_ == 0)
                done_.notify_all();
        }
    }

    std::mutex run_mutex_;
    std::mutex mutex_;
    std::condition_variable wake_;
    std::condition_variable done_;
    std::vector<std::thread> threads_;
    std::vector<std::exception_ptr> failures_;
    void (*body_)(const void *, std::size_t) = nullptr;
    const void *context_ = nullptr;
    std::size_t generation_ = 0;
    std::size_t busy_ = 0;
    bool stopping_ = false;
};

} // namespace warpint::execution
