// SPDX-License-Identifier: Apache-2.0
// The library's table of rows, but the environment says from how many elements for each
// multiprocessor a round of powers runs on tensor cores: WARPINT_LEAST, 0 always, 1000 never; and
// up to how many each has a block: WARPINT_SPREAD, 0 never.
#pragma once

#include <cstdlib>

namespace warpint::execution::tuning {

struct ProgramTable : Sm90 {
    WARPINT_HOST_DEVICE static int least_tensor_powers([[maybe_unused]] int bits) {
#if WARPINT_DEVICE_PASS
        return 0;
#else
        const char *const least = std::getenv("WARPINT_LEAST");
        return least != nullptr ? std::atoi(least) : Sm90::least_tensor_powers(bits);
#endif
    }
    WARPINT_HOST_DEVICE static int most_spread_powers([[maybe_unused]] int bits) {
#if WARPINT_DEVICE_PASS
        return 0;
#else
        const char *const most = std::getenv("WARPINT_SPREAD");
        return most != nullptr ? std::atoi(most) : Sm90::most_spread_powers(bits);
#endif
    }
};

} // namespace warpint::execution::tuning
