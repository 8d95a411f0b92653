// From a workload and a compute capability to a policy: the one place that reads the tuning tables.
#pragma once

#include "tuning/thread_per_number.h"

namespace warpint::execution {

// Shared memory that a block may use without asking the driver for more.
inline constexpr int default_shared_bytes = 48 * 1024;

// Shared memory a warp needs to transpose 32 elements of this size.
WARPINT_HOST_DEVICE constexpr int staging_bytes_per_warp(int element_bytes) {
    return 32 * ((element_bytes + 15) / 16 * 16);
}

WARPINT_HOST_DEVICE constexpr ThreadPerNumberPolicy
select_thread_per_number(const Workload &work, int compute_capability) {
    ThreadPerNumberPolicy chosen{0, WorkKind::streaming, tuning::any_width, 128,
                                 1, Loading::direct};
    const auto table = tuning::thread_per_number();
    for (const auto &row : table.rows) {
        if (row.compute_capability <= compute_capability && row.kind == work.kind &&
            work.widest_bits <= row.max_bits) {
            chosen = row;
            break;
        }
    }
    if (chosen.loading == Loading::through_shared &&
        chosen.threads_per_block / 32 * staging_bytes_per_warp(work.widest_element_bytes) >
            default_shared_bytes) {
        chosen.loading = Loading::direct;
    }
    return chosen;
}

} // namespace warpint::execution
