// SPDX-License-Identifier: Apache-2.0
// The rows that a program adds to the tuning tables at run time.
#pragma once

#include "row.h"

#include <atomic>
#include <mutex>
#include <span>
#include <stdexcept>
#include <string>

namespace warpint {
namespace execution {

// Rows that the program added, latest first.
class UserRows {
public:
    static UserRows &instance() {
        static auto *const rows = new UserRows; // destructors of static objects may ask
        return *rows;
    }
    void add(const TuningRow &row) {
        const std::lock_guard lock(mutex_);
        auto *const more = new TuningRow[count_ + 1];
        more[0] = row;
        for (std::size_t i = 0; i < count_; ++i)
            more[i + 1] = rows_[i];
        set(more, count_ + 1);
    }
    void clear() {
        const std::lock_guard lock(mutex_);
        set(nullptr, 0);
    }
    // What f makes of the rows; none is added meanwhile.
    template <class Function>
    auto read(const Function &f) const {
        if (!used_.load(std::memory_order_acquire))
            return f(std::span<const TuningRow>{});
        const std::lock_guard lock(mutex_);
        return f(std::span<const TuningRow>{rows_, count_});
    }

private:
    void set(const TuningRow *rows, std::size_t count) {
        delete[] rows_;
        rows_ = rows;
        count_ = count;
        used_.store(count != 0, std::memory_order_release);
    }

    mutable std::mutex mutex_;
    const TuningRow *rows_ = nullptr; // an array: a vector of its own would cost every program time
    std::size_t count_ = 0;
    std::atomic<bool> used_{false};
};

} // namespace execution

// Adds a row to the tuning tables of this process: it is looked at before all others. Rows are for
// GPUs and change nothing on CPUs, as explain() says there. Reductions take its loading and its
// window, if lanes is 0 or 1; their blocks are their own. std::invalid_argument if
// threads_per_block is no multiple of 32 in [32, 1024], lanes no power of 2 up to 32 (or 0), a
// number is negative, min_bits is above max_bits, the family is cpu_threads, or measured is null. A
// formula that the row applies to, but that has no
// kernel of its lanes, throws std::invalid_argument when it runs; the message has the lanes that
// there are. What measured points to outlives the row.
inline void add_tuning_row(const TuningRow &row) {
    if (row.threads_per_block < 32 || row.threads_per_block > 1024 ||
        row.threads_per_block % 32 != 0) {
        throw std::invalid_argument(
            "warpint: a tuning row with " + std::to_string(row.threads_per_block) +
            " threads per block; it must be a multiple of 32, at most 1024");
    }
    if (row.lanes < 0 || row.lanes > 32 || (row.lanes & (row.lanes - 1)) != 0 || row.window < 0 ||
        row.max_bits < 1 || row.min_bits < 0 || row.min_blocks < 1 || row.compute_capability < 0 ||
        row.max_exponent_bits < 0 || row.measured == nullptr) {
        throw std::invalid_argument("warpint: a tuning row with impossible lanes, window or width");
    }
    if (row.min_bits > row.max_bits) {
        throw std::invalid_argument("warpint: a tuning row with min_bits " +
                                    std::to_string(row.min_bits) + " above max_bits " +
                                    std::to_string(row.max_bits) + " applies to nothing");
    }
    if (row.family == execution::KernelFamily::cpu_threads)
        throw std::invalid_argument("warpint: a tuning row of CPU threads; rows are for GPUs");
    execution::UserRows::instance().add(row);
}
// Removes all rows that the program has added.
inline void clear_tuning_rows() {
    execution::UserRows::instance().clear();
}

} // namespace warpint
