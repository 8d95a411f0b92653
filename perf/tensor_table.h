// SPDX-License-Identifier: Apache-2.0
// The library's table of rows, but the environment says from how many elements for each
// multiprocessor a round of powers runs on tensor cores: WARPINT_LEAST, 0 always, 1000 never; and
// up to how many each has a block: WARPINT_SPREAD, 0 never.
#pragma once

#include <cstdlib>

namespace warpint::execution::tuning {

struct ProgramTable : Sm90 {
    WARPINT_HOST_DEVICE static int least_tensor_powers(int bits) {
        return row("WARPINT_LEAST", Sm90::least_tensor_powers(bits));
    }
    WARPINT_HOST_DEVICE static int most_spread_powers(int bits) {
        return row("WARPINT_SPREAD", Sm90::most_spread_powers(bits));
    }

private:
    WARPINT_HOST_DEVICE static int row([[maybe_unused]] const char *name,
                                       [[maybe_unused]] int otherwise) {
#if WARPINT_DEVICE_PASS
        return 0;
#else
        const char *const value = std::getenv(name);
        return value != nullptr ? std::atoi(value) : otherwise;
#endif
    }
};

} // namespace warpint::execution::tuning
