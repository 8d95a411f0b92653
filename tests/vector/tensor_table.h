// SPDX-License-Identifier: Apache-2.0
// The library's table, but powers run in a residue number system in batches of any size: on tensor
// cores, or each by a block, as the test says.
#pragma once

namespace warpint::execution::tuning {

inline bool spreads_powers = false; // each by a block

struct ProgramTable : Sm90 {
    WARPINT_HOST_DEVICE static constexpr int least_tensor_powers(int) { return 0; }
    WARPINT_HOST_DEVICE static int most_spread_powers(int) {
#if WARPINT_DEVICE_PASS
        return 0;
#else
        return spreads_powers ? 1 << 20 : 0;
#endif
    }
};

} // namespace warpint::execution::tuning
