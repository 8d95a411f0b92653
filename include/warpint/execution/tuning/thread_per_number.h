// Tuning table of the thread-per-number family, newest GPU first; the first row that applies is
// taken. Numbers measured on an H200 (compute capability 9.0) are in perf/results/; older rows
// start from its values.
#pragma once

#include "../policy.h"

namespace warpint::execution::tuning {

inline constexpr int any_width = 1 << 30;

struct ThreadPerNumberTable {
    ThreadPerNumberPolicy rows[8];
};

// Returned by value, because both sides read it in constant expressions.
WARPINT_HOST_DEVICE constexpr ThreadPerNumberTable thread_per_number() {
    return {{
        // capability, kind, up to bits, threads, min blocks, loading
        {75, WorkKind::streaming, 320, 256, 1, Loading::direct},
        {75, WorkKind::streaming, 2300, 64, 8, Loading::through_shared},
        {75, WorkKind::streaming, 4400, 64, 1, Loading::through_shared},
        {75, WorkKind::streaming, any_width, 128, 1, Loading::direct},
        {75, WorkKind::product, any_width, 128, 1, Loading::direct},
        {75, WorkKind::division, any_width, 128, 1, Loading::direct},
        {75, WorkKind::power, 1024, 128, 1, Loading::direct},
        {75, WorkKind::power, any_width, 128, 4, Loading::direct},
    }};
}

} // namespace warpint::execution::tuning
