// SPDX-License-Identifier: Apache-2.0
// A row of the tuning tables: the costs that it applies to, and what it chooses. Tables are by
// architecture (sm_90.h) and known when kernels are compiled.
#pragma once

#include "../../../expression/cost.h"

#include <cstddef>

namespace warpint {

namespace execution {

using expression::Cost;
using expression::name;
using expression::WorkKind;

// Families of kernels: what a leaf loads as.
enum class KernelFamily {
    cpu_threads,       // BigInt, a core's share of the batch one after another
    thread_per_number, // BigInt, a GPU thread each
    lanes_per_number,  // WarpInt, several lanes of a warp each
    block_per_number,  // a GPU block each
};

constexpr const char *name(KernelFamily family) {
    switch (family) {
    case KernelFamily::cpu_threads:
        return "cpu threads";
    case KernelFamily::thread_per_number:
        return "thread per number";
    case KernelFamily::lanes_per_number:
        return "lanes per number";
    case KernelFamily::block_per_number:
        return "block per number";
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

inline constexpr int any_width = 1 << 30;
inline constexpr std::size_t any_count = ~std::size_t{0}; // a batch as large as any

} // namespace execution

// A row of the tuning tables. The first row of a table that applies to a formula is taken.
struct TuningRow {
    // Applies to formulas whose heaviest work is of this kind and of up to max_bits bits, to
    // batches of at least min_count elements. The bits that count are those of a factor, a divisor
    // or half a dividend, a square, a modulus; of formulas that only stream, of the widest value.
    // Rows of divisions apply to products modulo a number and to square roots too, rows of number
    // theory to cofactors.
    execution::WorkKind kind = execution::WorkKind::streaming;
    int max_bits = execution::any_width;
    std::size_t min_count = 0;

    // What the formula's kernel is compiled for.
    execution::KernelFamily family = execution::KernelFamily::thread_per_number;
    int lanes = 1;               // of a number
    int threads_per_block = 128; // a multiple of 32
    int min_blocks = 1;          // per SM, for the compiler
    // Of a thread per number. through_shared is for numbers of more than 256 bits, or of more than
    // 64 and no multiple of 128, that lie on multiples of 16 bytes and fit a block's shared memory;
    // others are loaded directly. Some formulas of one operation are compiled to be transposed.
    execution::Loading loading = execution::Loading::direct;

    const char *measured = "no row applies"; // on which GPU, of a row that was taken

    int min_bits = 0;                             // applies to formulas of at least so many bits
    int max_exponent_bits = execution::any_width; // and exponents of at most so many
    bool odd_limbs = false;                       // and, if true, only of an odd number of limbs
};

namespace execution {

// Whether rows of a kind apply to work: to that kind, and to what has no rows of its own.
WARPINT_HOST_DEVICE constexpr bool covers(WorkKind kind, WorkKind work) {
    return kind == work ||
           (kind == WorkKind::division && (work == WorkKind::fold || work == WorkKind::root)) ||
           (kind == WorkKind::number_theory && work == WorkKind::cofactor);
}

WARPINT_HOST_DEVICE constexpr bool applies(const TuningRow &row, const Cost &cost,
                                           std::size_t count) {
    return covers(row.kind, cost.work) && row.min_bits <= cost.bits && cost.bits <= row.max_bits &&
           count >= row.min_count && cost.exponent_bits <= row.max_exponent_bits &&
           !(row.odd_limbs && (cost.bits + 31) / 32 % 2 == 0);
}

namespace tuning {

// A formula over lanes may be compiled for large and for small batches.
enum class Slot { large, small };

// A GPU, and what the code that it loaded was compiled for, as compute capabilities. Rows go by the
// latter: the kernel has them.
struct Gpu {
    int capability;
    int compiled_for;
    constexpr Gpu(int one) : capability{one}, compiled_for{one} {}
    constexpr Gpu(int of_device, int of_code) : capability{of_device}, compiled_for{of_code} {}
};

// Sums of vectors by columns (columns_cuda.h).
struct ColumnSums {
    int vectors_together; // of 16 bytes, that a thread reads before it adds the first
    int blocks;           // per SM
};

struct Choice {
    TuningRow row;
    Slot slot = Slot::large;
    int architecture = 0;     // whose table it is from
    bool is_measured = false; // on this GPU's architecture
};

} // namespace tuning

} // namespace execution

} // namespace warpint
