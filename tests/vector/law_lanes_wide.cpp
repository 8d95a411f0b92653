// SPDX-License-Identifier: Apache-2.0
// The law of batches over lanes on the GPU, 2, 4 and 16 lanes: see law_lanes.h.
#include "law_lanes.h"

TEST_CASE("law over lanes on the device: 2, 4 and 16 lanes") {
    using warpint::BigInt;
    using warpint::SignedBigInt;
    const long before = law::totals().formulas;
    const auto batch =
        law::draw_leaves<law::DeviceVector, BigInt<390>, SignedBigInt<97>, BigInt<131>>(
            "390, signed 97, 131 bits");
    using Target = SignedBigInt<300>;
    law::run_pairs_over_lanes<Target, 2, 24, 12>(batch, law::AllCases{});
#if !defined(WARPINT_CHECKED_ONLY) // compiled but not run: one number of lanes is enough
    law::run_pairs_over_lanes<Target, 4, 24, 16>(batch, law::AllCases{});
    law::run_pairs_over_lanes<Target, 16, 24, 20>(batch, law::AllCases{});
#endif
    CHECK(law::totals().formulas - before >= 70);
    CHECK(law::totals().elements_without_value > 0);
}
