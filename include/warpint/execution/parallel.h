// SPDX-License-Identifier: Apache-2.0
// All cores for a loop over elements: a pool of threads that take blocks from a shared counter.
#pragma once

#include "../limb/config.h"

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <type_traits>
#include <utility>

namespace warpint::execution {

// Threads that a CPU batch uses: the cores this process may run on.
inline unsigned cpu_threads() {
    static const unsigned count = std::max(1u, std::thread::hardware_concurrency());
    return count;
}

// A fixed set of workers, started at the first use. One loop runs at a time; the caller works
// along.
class ThreadPool {
public:
    static ThreadPool &instance() {
        static ThreadPool pool;
        return pool;
    }

    ThreadPool(const ThreadPool &) = delete;
    ThreadPool &operator=(const ThreadPool &) = delete;

    ~ThreadPool() {
        {
            const std::lock_guard lock(mutex_);
            stopping_ = true;
        }
        wake_.notify_all();
        for (unsigned i = 1; i < cpu_threads(); ++i)
            workers_[i - 1].join();
    }

    // True on a thread that is inside a loop: a loop started there runs on that thread alone.
    static bool &inside() {
        thread_local bool value = false;
        return value;
    }

    // Calls body(context, first, last) for blocks of `block` elements that cover [0, count). If a
    // call throws, no further blocks are taken and the first exception is thrown again here.
    WARPINT_NOINLINE void run(std::size_t count, std::size_t block,
                              void (*body)(const void *, std::size_t, std::size_t),
                              const void *context) {
        const std::lock_guard one_loop(loop_mutex_);
        {
            const std::lock_guard lock(mutex_);
            body_ = body;
            context_ = context;
            count_ = count;
            block_ = block;
            next_.store(0, std::memory_order_relaxed);
            busy_ = cpu_threads() - 1;
            ++generation_;
        }
        wake_.notify_all();
        work();
        std::unique_lock lock(mutex_);
        done_.wait(lock, [this] { return busy_ == 0; });
        if (failure_ != nullptr)
            std::rethrow_exception(std::exchange(failure_, nullptr));
    }

private:
    ThreadPool() : workers_{new std::thread[cpu_threads() - 1]} {
        for (unsigned i = 1; i < cpu_threads(); ++i)
            workers_[i - 1] = std::thread([this] { serve(); });
    }

    void work() {
        inside() = true;
        try {
            for (;;) {
                const std::size_t first = next_.fetch_add(block_, std::memory_order_relaxed);
                if (first >= count_)
                    break;
                body_(context_, first, std::min(first + block_, count_));
            }
        } catch (...) {
            next_.store(count_, std::memory_order_relaxed);
            const std::lock_guard lock(mutex_);
            if (failure_ == nullptr)
                failure_ = std::current_exception();
        }
        inside() = false;
    }

    void serve() {
        std::size_t seen = 0;
        for (;;) {
            {
                std::unique_lock lock(mutex_);
                wake_.wait(lock, [&] { return stopping_ || generation_ != seen; });
                if (stopping_)
                    return;
                seen = generation_;
            }
            work();
            {
                const std::lock_guard lock(mutex_);
                if (--busy_ == 0)
                    done_.notify_all();
            }
        }
    }

    std::mutex loop_mutex_;
    std::mutex mutex_;
    std::condition_variable wake_;
    std::condition_variable done_;
    std::unique_ptr<std::thread[]> workers_; // one less than cpu_threads()
    void (*body_)(const void *, std::size_t, std::size_t) = nullptr;
    const void *context_ = nullptr;
    std::size_t count_ = 0;
    std::size_t block_ = 1;
    std::atomic<std::size_t> next_{0};
    std::size_t busy_ = 0;
    std::size_t generation_ = 0;
    std::exception_ptr failure_;
    bool stopping_ = false;
};

// Whether a loop over a batch, estimated in limb operations, is longer than waking other threads.
inline bool worth_sharing(std::size_t count, std::size_t granule,
                          std::size_t operations_per_element) {
    constexpr std::size_t worth_waking = 200'000;
    return count > granule &&
           count >= worth_waking / std::max<std::size_t>(1, operations_per_element) &&
           cpu_threads() > 1 && !ThreadPool::inside();
}

// Threads that parallel_for() offers a loop to.
inline unsigned threads_for(std::size_t count, std::size_t granule,
                            std::size_t operations_per_element) {
    return worth_sharing(count, granule, operations_per_element) ? cpu_threads() : 1;
}

// A loop's body, body(first, last), without its type. It outlives the loop.
class LoopBody {
public:
    template <class Body>
    requires(!std::is_same_v<Body, LoopBody>) LoopBody(const Body &body)
        : call_{&call<Body>}, body_{&body} {}
    void operator()(std::size_t first, std::size_t last) const { call_(body_, first, last); }
    [[nodiscard]] auto function() const { return call_; }
    [[nodiscard]] const void *context() const { return body_; }

private:
    template <class Body>
    static void call(const void *body, std::size_t first, std::size_t last) {
        (*static_cast<const Body *>(body))(first, last);
    }

    void (*call_)(const void *, std::size_t, std::size_t);
    const void *body_;
};

// Calls body(first, last) over [0, count) in blocks of a multiple of `granule` elements; on the
// calling thread alone if the whole is not worth sharing.
WARPINT_NOINLINE inline void parallel_for(std::size_t count, std::size_t granule,
                                          std::size_t operations_per_element, LoopBody body) {
    constexpr std::size_t operations_per_block = 100'000;
    const std::size_t each = std::max<std::size_t>(1, operations_per_element);
    if (!worth_sharing(count, granule, operations_per_element)) {
        if (count > 0)
            body(0, count);
        return;
    }
    const std::size_t wanted =
        std::max<std::size_t>(1, std::min(operations_per_block / each, count / cpu_threads()));
    const std::size_t block = (wanted + granule - 1) / granule * granule;
    ThreadPool::instance().run(count, block, body.function(), body.context());
}

} // namespace warpint::execution
