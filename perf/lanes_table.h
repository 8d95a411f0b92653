// SPDX-License-Identifier: Apache-2.0
// The library's table without transforms: long products run over lanes.
#pragma once

namespace warpint::execution::tuning {

struct ProgramTable : Sm90 {
    WARPINT_HOST_DEVICE static constexpr bool is_transformed(int, bool, bool) { return false; }
};

} // namespace warpint::execution::tuning
