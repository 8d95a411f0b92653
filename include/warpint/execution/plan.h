// SPDX-License-Identifier: Apache-2.0
// Rows of the tuning tables. The library's own are known when kernels are compiled. Rows that a
// program adds at run time come first and choose among what was compiled.
#pragma once

#include "evaluate.h"

#include <atomic>
#include <mutex>
#include <string>
#include <vector>

namespace warpint {

namespace execution {

// Families of kernels: what a leaf loads as.
enum class KernelFamily {
    cpu_threads,       // BigInt, a core's share of the batch one after another
    thread_per_number, // BigInt, a GPU thread each
    lanes_per_number,  // WarpInt, several lanes of a warp each
};

constexpr const char *name(KernelFamily family) {
    switch (family) {
    case KernelFamily::cpu_threads:
        return "cpu threads";
    case KernelFamily::thread_per_number:
        return "thread per number";
    case KernelFamily::lanes_per_number:
        return "lanes per number";
    }
    return "unknown";
}

// How elements reach the registers of their thread.
enum class Loading {
    direct,         // each thread reads its own number
    through_shared, // a warp reads 32 numbers in whole lines and transposes them in shared memory
};

constexpr const char *name(Loading loading) {
    return loading == Loading::direct ? "numbers loaded directly"
                                      : "numbers transposed in shared memory";
}

// What there is to do for one element, known from the types of formula and target.
struct Work {
    WorkKind kind = WorkKind::streaming;
    int widest_bits = 0; // of the values in the formula
    int bytes_moved = 0; // for each element, read and written
};

inline constexpr int any_width = 1 << 30;

} // namespace execution

// A row of the tuning tables: what it applies to, and what it chooses. The first row that applies
// to a formula is taken: a program's rows, latest first, then the library's.
struct TuningRow {
    // Applies to this kind of work with values of up to max_bits bits, to batches of at least
    // min_count elements, on GPUs of at least this compute capability (10 * major + minor).
    int compute_capability = 75;
    execution::WorkKind kind = execution::WorkKind::streaming;
    int max_bits = execution::any_width;
    std::size_t min_count = 0;

    execution::KernelFamily family = execution::KernelFamily::thread_per_number;
    int lanes = 1;               // of a number
    int threads_per_block = 128; // a multiple of 32, at most what the kernel was compiled for
    int min_blocks = 1; // a multiprocessor shall hold; for the compiler, not looked at later
    execution::Loading loading = execution::Loading::direct;
    int window = 0; // the widest of a shared exponent, in bits; 0: as many as pay

    const char *measured = "added by the program"; // the gain, and on which GPU
};

namespace execution {

// The decision, made once per assignment.
struct Plan {
    KernelFamily family = KernelFamily::cpu_threads;
    int lanes = 1;
    int threads_per_block = 0; // CPU: threads
    Loading loading = Loading::direct;
    int window = 0;       // of the widest modular power, in bits; 0 without one
    int most_window = 0;  // that the row allows; 0: as many as pay
    int shared_bytes = 0; // of a block
    const char *reason = "";
};

// Rows that the program added, latest first. By value: another thread may add one.
class UserRows {
public:
    static UserRows &instance() {
        static auto *const rows = new UserRows; // destructors of static objects may ask
        return *rows;
    }
    void add(const TuningRow &row) {
        const std::lock_guard lock(mutex_);
        rows_.insert(rows_.begin(), row);
        used_.store(true, std::memory_order_release);
    }
    void clear() {
        const std::lock_guard lock(mutex_);
        rows_.clear();
        used_.store(false, std::memory_order_release);
    }
    // The first that applies; false if none does.
    bool find(TuningRow &found, const Work &work, std::size_t count, int capability) const;

private:
    mutable std::mutex mutex_;
    std::vector<TuningRow> rows_;
    std::atomic<bool> used_{false};
};

WARPINT_HOST_DEVICE constexpr bool applies(const TuningRow &row, const Work &work,
                                           std::size_t count) {
    return row.kind == work.kind && work.widest_bits <= row.max_bits && count >= row.min_count;
}

inline bool UserRows::find(TuningRow &found, const Work &work, std::size_t count,
                           int capability) const {
    if (!used_.load(std::memory_order_acquire))
        return false;
    const std::lock_guard lock(mutex_);
    for (const TuningRow &row : rows_) {
        if (row.compute_capability <= capability && applies(row, work, count)) {
            found = row;
            return true;
        }
    }
    return false;
}

template <class Tree, class... T>
WARPINT_HOST_DEVICE constexpr Work work_of() {
    constexpr expression::Properties properties = expression::properties<Tree>;
    Work work;
    work.kind = properties.work;
    work.widest_bits = properties.widest_bits;
    work.bytes_moved = properties.bytes_read + (static_cast<int>(sizeof(T)) + ...);
    return work;
}

} // namespace execution

// Adds a row to the tuning tables of this process: it is looked at before all others. Reductions
// take its loading, for formulas of its kind of work; their blocks are their own.
// std::invalid_argument if threads_per_block is no multiple of 32 in [32, 1024], lanes no power of
// 2 up to 32, a number is negative, or measured is null. What measured points to outlives the row.
inline void add_tuning_row(const TuningRow &row) {
    if (row.threads_per_block < 32 || row.threads_per_block > 1024 ||
        row.threads_per_block % 32 != 0) {
        throw std::invalid_argument(
            "warpint: a tuning row with " + std::to_string(row.threads_per_block) +
            " threads per block; it must be a multiple of 32, at most 1024");
    }
    if (row.lanes < 1 || row.lanes > 32 || (row.lanes & (row.lanes - 1)) != 0 || row.window < 0 ||
        row.max_bits < 1 || row.min_blocks < 1 || row.compute_capability < 0 ||
        row.measured == nullptr) {
        throw std::invalid_argument("warpint: a tuning row with impossible lanes, window or width");
    }
    execution::UserRows::instance().add(row);
}
// Removes all rows that the program has added.
inline void clear_tuning_rows() {
    execution::UserRows::instance().clear();
}

} // namespace warpint
