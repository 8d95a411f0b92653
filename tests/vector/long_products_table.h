// SPDX-License-Identifier: Apache-2.0
// The library's table, but products of any width are made by transforms.
#pragma once

namespace warpint::execution::tuning {

struct ProgramTable : Sm90 {
    WARPINT_HOST_DEVICE static constexpr bool is_transformed(int limbs, bool, bool) {
        return limbs > 0;
    }
};

} // namespace warpint::execution::tuning
