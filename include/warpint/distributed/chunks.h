// SPDX-License-Identifier: Apache-2.0
// for_each_chunk: tasks of unequal length, shared between the processes of a group.
//
// The next task is a counter in a window of rank 0. Some MPIs answer those who ask for it only
// while rank 0 calls MPI (Open MPI over TCP). While rank 0 computes, a thread of its own does so,
// where MPI takes calls from several threads (MPI_THREAD_MULTIPLE); elsewhere the others wait until
// rank 0 is ready with its task. With tasks of 600 ms on rank 0 and of 20 ms on two others, 30
// tasks over TCP took 0.8 s with the thread and 17.6 s without it (Open MPI 4.1.4).
#pragma once

#include "group.h"

#include <atomic>
#include <chrono>
#include <concepts>
#include <numeric>
#include <system_error>
#include <thread>
#include <vector>

namespace warpint {
namespace message_passing {

// The number of the next task.
class TaskCounter {
public:
    explicit TaskCounter(const Transport &transport) : transport_{transport} {
        const MPI_Aint bytes = transport.rank() == 0 ? sizeof(std::uint64_t) : 0;
        std::uint64_t *memory = nullptr;
        check_mpi(MPI_Win_allocate(bytes, sizeof(std::uint64_t), MPI_INFO_NULL,
                                   transport.communicator(), &memory, &window_),
                  "MPI_Win_allocate");
        check_mpi(MPI_Win_set_errhandler(window_, MPI_ERRORS_RETURN), "MPI_Win_set_errhandler");
        if (transport.rank() == 0) {
            check_mpi(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window_), "MPI_Win_lock");
            *memory = 0;
            check_mpi(MPI_Win_unlock(0, window_), "MPI_Win_unlock");
        }
        transport.barrier();
        check_mpi(MPI_Win_lock_all(MPI_MODE_NOCHECK, window_), "MPI_Win_lock_all");
        int threads = MPI_THREAD_SINGLE;
        check_mpi(MPI_Query_thread(&threads), "MPI_Query_thread");
        if (transport.rank() == 0 && transport.size() > 1 && threads == MPI_THREAD_MULTIPLE) {
            try {
                progress_ = std::thread([this] { answer(); });
            } catch (const std::system_error &) { // there are no more threads
            }
        }
    }
    ~TaskCounter() { stop(); }
    TaskCounter(const TaskCounter &) = delete;
    TaskCounter &operator=(const TaskCounter &) = delete;

    [[nodiscard]] std::uint64_t next() { return change(1, MPI_SUM); }
    // No rank gets a task below `end` any more.
    void end_at(std::uint64_t end) { (void)change(end, MPI_REPLACE); }
    // On all ranks; waits for all.
    void free() {
        check_mpi(MPI_Win_unlock_all(window_), "MPI_Win_unlock_all");
        transport_.barrier();
        stop();
        check_mpi(MPI_Win_free(&window_), "MPI_Win_free");
    }

private:
    std::uint64_t change(std::uint64_t operand, MPI_Op operation) {
        std::uint64_t former = 0;
        check_mpi(MPI_Fetch_and_op(&operand, &former, MPI_UINT64_T, 0, 0, operation, window_),
                  "MPI_Fetch_and_op");
        check_mpi(MPI_Win_flush(0, window_), "MPI_Win_flush");
        return former;
    }
    // Any call lets MPI work; this one finds nothing.
    void answer() const {
        constexpr int no_tag = 2;
        while (!stopping_.load(std::memory_order_relaxed)) {
            int found = 0;
            if (MPI_Iprobe(MPI_ANY_SOURCE, no_tag, transport_.communicator(), &found,
                           MPI_STATUS_IGNORE) != MPI_SUCCESS)
                return;
            std::this_thread::sleep_for(std::chrono::microseconds(100));
        }
    }
    void stop() {
        stopping_ = true;
        if (progress_.joinable())
            progress_.join();
    }

    const Transport &transport_;
    MPI_Win window_ = MPI_WIN_NULL;
    std::atomic<bool> stopping_{false};
    std::thread progress_;
};

// Results as bytes.
template <class Result>
concept ContiguousResult = requires(Result result) {
    typename Result::value_type;
    result.resize(std::size_t{1});
    { result.data() } -> std::same_as<typename Result::value_type *>;
    requires std::is_trivially_copyable_v<typename Result::value_type>;
};
template <class Result>
concept SentResult = std::is_trivially_copyable_v<Result> || ContiguousResult<Result>;

struct ResultHeader {
    std::uint64_t task;
    std::uint64_t bytes;
};
inline void append_bytes(std::vector<char> &to, const void *bytes, std::size_t count) {
    const char *const first = static_cast<const char *>(bytes);
    to.insert(to.end(), first, first + count);
}
template <SentResult Result>
void append_result(std::vector<char> &to, std::uint64_t task, const Result &result) {
    const void *data = &result;
    std::size_t bytes = sizeof(Result);
    if constexpr (!std::is_trivially_copyable_v<Result>) {
        data = result.data();
        bytes = result.size() * sizeof(typename Result::value_type);
    }
    const ResultHeader header{task, bytes};
    append_bytes(to, &header, sizeof(header));
    append_bytes(to, data, bytes);
}
template <SentResult Result>
void take_results(const std::vector<char> &from, std::vector<Result> &results) {
    for (std::size_t at = 0; at < from.size();) {
        ResultHeader header{};
        std::memcpy(&header, from.data() + at, sizeof(header));
        at += sizeof(header);
        if constexpr (std::is_same_v<Result, bool>) { // its std::vector has no memory to copy to
            results[header.task] = from[at] != 0;
        } else if constexpr (std::is_trivially_copyable_v<Result>) {
            std::memcpy(&results[header.task], from.data() + at, sizeof(Result));
        } else if (header.bytes != 0) {
            Result &result = results[header.task];
            result.resize(header.bytes / sizeof(typename Result::value_type));
            std::memcpy(result.data(), from.data() + at, header.bytes);
        }
        at += header.bytes;
    }
}

} // namespace message_passing

// Calls f(first, last) for chunks of [0, n), of `chunk` each but the last, on whichever rank is
// free: long and short ones share the ranks well. Each rank computes one chunk at a time; its CPU
// threads and GPUs are f's. Returns the results in the order of chunks, the same on all ranks: a
// std::vector of what f returns, which is trivially copyable (numbers are), or a std::string or
// std::vector of such (not of bool); nothing if f returns nothing. Collective; f must not use the
// group.
//
// If f throws on one rank, no further chunks begin, and that rank throws the exception when the
// others have ended theirs; those throw remote_error. std::invalid_argument for chunks of 0.
// Example of a program: src/docs/guide/mpi.md.
template <class F>
auto for_each_chunk(const process_group &group, std::size_t n, std::size_t chunk, F &&f) {
    using Result = std::remove_cvref_t<decltype(f(n, n))>;
    constexpr bool returns = !std::is_void_v<Result>;
    if constexpr (returns) {
        static_assert(message_passing::SentResult<Result>,
                      "the function must return something trivially copyable, a std::vector or "
                      "std::string of such, or nothing");
    }
    group.prepare([&] {
        if (chunk == 0)
            throw std::invalid_argument("warpint: for_each_chunk with chunks of 0");
    });
    const std::size_t tasks = n / chunk + (n % chunk != 0 ? 1 : 0);
    const message_passing::Call call("for_each_chunk", n, chunk);
    (void)group.agree(call, 0);

    std::vector<char> own;
    std::exception_ptr failure;
    group.send([&] {
        message_passing::TaskCounter counter(group.transport());
        for (std::uint64_t task = counter.next(); task < tasks; task = counter.next()) {
            const process_group::Task running(group);
            const std::size_t first = task * chunk;
            const std::size_t last = std::min(n, first + chunk);
            try {
                if constexpr (returns) {
                    message_passing::append_result(own, task, f(first, last));
                } else {
                    f(first, last);
                }
            } catch (...) {
                failure = std::current_exception();
                counter.end_at(tasks);
                break;
            }
        }
        counter.free();
    });
    const std::vector<std::size_t> bytes = group.together(call, [&] {
        if (failure != nullptr)
            std::rethrow_exception(failure);
        return own.size();
    });
    if constexpr (returns) {
        std::vector<Result> results;
        std::vector<char> all;
        group.together(call, [&] {
            results.resize(tasks);
            all.resize(std::accumulate(bytes.begin(), bytes.end(), std::size_t{0}));
        });
        group.send([&] { group.transport().gather_all(own.data(), bytes, all.data()); });
        group.alone([&] { message_passing::take_results(all, results); });
        return results;
    }
}

} // namespace warpint
