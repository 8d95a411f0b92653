// SPDX-License-Identifier: Apache-2.0
// The kernel that tells a host without this library's types how to launch a formula's kernel.
#pragma once

#include "formula.h"

#if WARPINT_CUDA

namespace warpint::execution {

// What a generated program reads: 64 bits each.
struct GeneratedWords {
    static constexpr int capacity = 96;
    unsigned long long at[capacity];
};

// What it writes for the host: integers, and from these offsets on the bytes of the kernel's
// parameters.
inline constexpr int generated_integers = 32;
inline constexpr int generated_target_offset = 256;
inline constexpr int generated_tree_offset = 512;

// A row, as integers.
WARPINT_HOST_DEVICE constexpr void write_row(int *to, const TuningRow &row) {
    to[0] = row.family == KernelFamily::lanes_per_number;
    to[1] = row.lanes;
    to[2] = row.threads_per_block;
    to[3] = row.loading == Loading::through_shared;
}

// By one thread. Program: a rtc::Program.
template <class Program>
__global__ void describe_kernel(const __grid_constant__ GeneratedWords words, char *out) {
    using Tree = typename Program::Tree;
    using Result = typename Program::Result;
    constexpr Cost cost = gpu_cost<Tree, Result>;
    constexpr TuningRow large = compiled_row<Tree, tuning::Slot::large, Result>;
    constexpr TuningRow small = compiled_row<Tree, tuning::Slot::small, Result>;
    constexpr bool has_small = has_small_kernel<Tree, Result>;
    constexpr int most = 1 << 30;
    int *const to = reinterpret_cast<int *>(out);
    to[0] = 1; // the version of this list
    to[1] = static_cast<int>(sizeof(Target<Result>));
    to[2] = static_cast<int>(sizeof(Tree));
    to[3] = cost.can_fault;
    to[4] = !has_small               ? 0
            : large.min_count < most ? static_cast<int>(large.min_count)
                                     : most; // fewer elements take the small kernel
    to[5] = tuning::Known::elements_of_thread(WARPINT_COMPILED_CAPABILITY, cost);
    to[6] = cost.staged_bytes;
    to[7] = cost.transposed_bytes == 0 ? 0 : staging_bytes_per_warp(cost.transposed_bytes);
    to[8] = default_shared_bytes;
    write_row(to + 12, large);
    write_row(to + 16, small);
    *reinterpret_cast<Target<Result> *>(out + generated_target_offset) = Program::target(words);
    *reinterpret_cast<Tree *>(out + generated_tree_offset) = Program::tree(words);
}

} // namespace warpint::execution

#endif
