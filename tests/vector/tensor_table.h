// SPDX-License-Identifier: Apache-2.0
// The library's table, but powers run on tensor cores in batches of any size.
#pragma once

namespace warpint::execution::tuning {

struct ProgramTable : Sm90 {
    WARPINT_HOST_DEVICE static constexpr int least_tensor_powers(int) { return 0; }
};

} // namespace warpint::execution::tuning
