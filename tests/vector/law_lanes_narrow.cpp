// SPDX-License-Identifier: Apache-2.0
// The law of batches over lanes on the GPU, 1, 8 and 32 lanes: see law_lanes.h.
#include "law_lanes.h"

TEST_CASE("law over lanes on the device: 1, 8 and 32 lanes") {
    using warpint::BigInt;
    using warpint::SignedBigInt;
    const long before = law::totals().formulas;
    const auto batch =
        law::draw_leaves<law::DeviceVector, BigInt<67>, SignedBigInt<33>, BigInt<40>>(
            "67, signed 33, 40 bits");
    using Target = SignedBigInt<168>;
    law::run_pairs_over_lanes<Target, 8, 24, 4>(batch, law::AllCases{});
#if !defined(WARPINT_CHECKED_ONLY) // compiled but not run: one number of lanes is enough
    law::run_pairs_over_lanes<Target, 1, 24, 0>(batch, law::AllCases{});
    law::run_pairs_over_lanes<Target, 32, 24, 8>(batch, law::AllCases{});
#endif
    CHECK(law::totals().formulas - before >= 70);
    CHECK(law::totals().elements_without_value > 0);
}
