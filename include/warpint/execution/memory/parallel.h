// SPDX-License-Identifier: Apache-2.0
// All cores for a loop over elements: a pool of threads that take blocks from a shared counter.
#pragma once

#include "../../limb/config.h"
#include "cpu_threads.h"
#include "thrown.h"

#include <atomic>
#include <concepts>
#include <condition_variable>
#include <cstddef>
#include <cstdlib>
#include <exception>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <type_traits>
#include <utility>

#if __has_include(<unistd.h>)
#include <unistd.h>
#endif

namespace warpint::execution {

// Elements that one core takes one after another: a word of fault bits. Of work so dear that a few
// elements make a block, fewer (cores.h).
inline constexpr std::size_t cpu_group = 32;
// What a block of a loop should cost, in limb operations: enough that taking it costs nothing.
inline constexpr std::size_t operations_per_block = 100'000;
// Whether fewer than 32 elements, each of so many operations, are worth a block.
constexpr bool is_dear_work(std::size_t operations) {
    return operations * cpu_group > operations_per_block;
}

// This process among others: a child after fork() has another number than its parent.
inline long this_process() {
#if __has_include(<unistd.h>)
    return static_cast<long>(::getpid());
#else
    return 0;
#endif
}

// What is called with arguments of these types, without its own type. The body outlives it.
template <class... Arguments>
class Call {
public:
    template <class Body>
        requires(!std::is_same_v<Body, Call>)
    Call(const Body &body) : call_{&call<Body>}, body_{&body} {}
    void operator()(Arguments... arguments) const { call_(body_, arguments...); }

private:
    template <class Body>
    static void call(const void *body, Arguments... arguments) {
        (*static_cast<const Body *>(body))(arguments...);
    }

    void (*call_)(const void *, Arguments...);
    const void *body_;
};
// A loop's body, body(first, last).
using LoopBody = Call<std::size_t, std::size_t>;

// A process's workers, started when they are wanted. One loop runs at a time; the caller works
// along, alone if there are no workers.
class ThreadPool {
public:
    // The pool of this process. It is never destroyed: destructors of static objects and functions
    // of atexit() may run loops, after the workers have ended in the calling thread. A child after
    // fork() has no workers, and what another thread had locked stays locked in it: it gets a pool
    // of its own.
    static ThreadPool &instance() {
        ThreadPool *pool = current().load(std::memory_order_acquire);
        while (pool == nullptr || pool->process_ != this_process()) {
            auto *const own = new ThreadPool(pool);
            if (current().compare_exchange_strong(pool, own, std::memory_order_acq_rel))
                return *own;
            delete own; // another thread was faster
        }
        return *pool;
    }

    ThreadPool(const ThreadPool &) = delete;
    ThreadPool &operator=(const ThreadPool &) = delete;

    // True on a thread that is inside a loop, and on workers: a loop started there runs on that
    // thread alone.
    static bool &inside() {
        thread_local bool value = false;
        return value;
    }

    // Calls body(first, last) for blocks of `block` elements that cover [0, count), on `threads`
    // threads, or as many as the system gives. If a call throws, no further blocks are taken and
    // the first exception is thrown again here. While the loop of another thread has the workers,
    // the calling thread computes alone: it must not wait for that loop, whose body may be waiting
    // for this thread.
    WARPINT_NOINLINE void run(unsigned threads, std::size_t count, std::size_t block,
                              const LoopBody &body) {
        const std::unique_lock one_loop(loop_mutex_, std::try_to_lock);
        if (!one_loop.owns_lock()) {
            body(0, count);
            return;
        }
        if (!stopped_)
            keep_workers(threads - 1);
        {
            const std::lock_guard lock(mutex_);
            body_ = &body;
            thrown_ = ThrownInRun::current();
            count_ = count;
            block_ = block;
            next_.store(0, std::memory_order_relaxed);
            busy_ = started_;
            ++generation_;
        }
        wake_.notify_all();
        inside() = true;
        work();
        inside() = false;
        std::unique_lock lock(mutex_);
        done_.wait(lock, [this] { return busy_ == 0; });
        if (failure_ != nullptr)
            std::rethrow_exception(std::exchange(failure_, nullptr));
    }

private:
    explicit ThreadPool(const ThreadPool *of_parent) : of_parent_{of_parent} {}

    static std::atomic<ThreadPool *> &current() {
        static std::atomic<ThreadPool *> pool{nullptr};
        return pool;
    }

    // Ends the workers while their code is still there and what they keep can be given back. If a
    // loop runs, because its body calls exit() or another thread goes on, they end with the
    // process.
    static void stop() {
        ThreadPool *const pool = current().load(std::memory_order_acquire);
        if (pool == nullptr || pool->process_ != this_process() || inside())
            return;
        const std::unique_lock one_loop(pool->loop_mutex_, std::try_to_lock);
        if (!one_loop.owns_lock())
            return;
        pool->stopped_ = true;
        pool->keep_workers(0);
    }
    static void stop_at_exit() {
        static std::atomic<bool> asked{false};
        if (!asked.exchange(true))
            (void)std::atexit(stop);
    }

    // Starts or ends workers, so that there are `count`, or as many as the system gives. On input:
    // loop_mutex_ is held, no loop runs.
    void keep_workers(std::size_t count) {
        if (count == started_)
            return;
        stop_at_exit();
        {
            const std::lock_guard lock(mutex_);
            wanted_ = count;
        }
        wake_.notify_all();
        for (; started_ > count; --started_)
            workers_[started_ - 1].join();
        if (workers_ == nullptr)
            workers_.reset(new std::thread[max_cpu_threads]);
        try {
            for (; started_ < count; ++started_) {
                workers_[started_] = std::thread(
                    [this, number = started_, seen = generation_] { serve(number, seen); });
            }
        } catch (const std::system_error &) { // there are no more threads
        }
    }

    void work() {
        ThrownInRun::current() = thrown_;
        try {
            for (;;) {
                const std::size_t first = next_.fetch_add(block_, std::memory_order_relaxed);
                if (first >= count_)
                    break;
                (*body_)(first, std::min(first + block_, count_));
            }
        } catch (...) {
            next_.store(count_, std::memory_order_relaxed);
            const std::lock_guard lock(mutex_);
            if (failure_ == nullptr)
                failure_ = std::current_exception();
        }
    }

    // seen: the last loop before this worker.
    void serve(std::size_t number, std::size_t seen) {
        inside() = true;
        for (;;) {
            {
                std::unique_lock lock(mutex_);
                wake_.wait(lock, [&] { return number >= wanted_ || generation_ != seen; });
                if (number >= wanted_)
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

    const long process_ = this_process();
    // Left as it is, since its threads are none of this process; leak checkers find it here.
    [[maybe_unused]] const ThreadPool *const of_parent_;
    std::mutex loop_mutex_; // held for a whole loop
    bool stopped_ = false;
    std::unique_ptr<std::thread[]> workers_; // max_cpu_threads, of which so many are started
    std::size_t started_ = 0;
    std::mutex mutex_; // of what follows
    std::condition_variable wake_;
    std::condition_variable done_;
    std::size_t wanted_ = 0; // workers with this number and above end
    const LoopBody *body_ = nullptr;
    ThrownInRun *thrown_ = nullptr; // of the thread that started the loop
    std::size_t count_ = 0;
    std::size_t block_ = 1;
    std::atomic<std::size_t> next_{0};
    std::size_t busy_ = 0;
    std::size_t generation_ = 0; // loops so far
    std::exception_ptr failure_;
};

// Threads that parallel_for() offers a loop to. More than one if the whole, estimated in limb
// operations, takes longer than waking other threads.
inline unsigned threads_for(std::size_t count, std::size_t granule,
                            std::size_t operations_per_element) {
    constexpr std::size_t worth_waking = 200'000;
    const bool is_long =
        count > granule && count >= worth_waking / std::max<std::size_t>(1, operations_per_element);
    return is_long && !ThreadPool::inside() ? cpu_threads() : 1;
}

// Calls body(first, last) over [0, count) in blocks of a multiple of `granule` elements; on the
// calling thread alone if the whole is not worth sharing.
WARPINT_NOINLINE inline void parallel_for(std::size_t count, std::size_t granule,
                                          std::size_t operations_per_element, LoopBody body) {
    const std::size_t each = std::max<std::size_t>(1, operations_per_element);
    const unsigned threads = threads_for(count, granule, operations_per_element);
    if (threads == 1) {
        if (count > 0)
            body(0, count);
        return;
    }
    const std::size_t wanted =
        std::max<std::size_t>(1, std::min(operations_per_block / each, count / threads));
    const std::size_t block = (wanted + granule - 1) / granule * granule;
    ThreadPool::instance().run(threads, count, block, body);
}

} // namespace warpint::execution

namespace warpint {

// Calls body(first, last) for the ranges of at most `block` >= 1 elements that make up [0, count):
// first is a multiple of block. They run on the threads that formulas use (set_cpu_threads), in any
// order, several at once; the calling thread takes part, and returns when all have ended. Choose
// blocks that take some 10 us or more. Inside such a loop, and while another thread's formula or
// loop has the threads, the calling thread runs them alone, in their order. If a body throws, no
// further blocks are started, and the first exception is thrown again here. block = 0:
// std::invalid_argument. For loops of a program's own over host memory; a formula or map() over a
// host_vector needs none.
// Example:
//     std::vector<BigInt<256>> v(1000, BigInt<256>(5));
//     for_each_block(v.size(), 64, [&](std::size_t first, std::size_t last) {
//         for (std::size_t i = first; i < last; ++i)
//             v[i] = isqrt(v[i]);
//     });
template <class Body>
    requires std::invocable<const Body &, std::size_t, std::size_t>
void for_each_block(std::size_t count, std::size_t block, const Body &body) {
    if (block == 0)
        throw std::invalid_argument("warpint: for_each_block in blocks of 0 elements");
    const std::size_t blocks = count / block + (count % block != 0);
    const auto run = [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i)
            body(i * block, i + 1 < blocks ? (i + 1) * block : count);
    };
    if (blocks <= 1 || execution::ThreadPool::inside() || execution::cpu_threads() == 1) {
        run(0, blocks);
    } else {
        execution::ThreadPool::instance().run(execution::cpu_threads(), blocks, 1, run);
    }
}

} // namespace warpint
