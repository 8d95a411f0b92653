// SPDX-License-Identifier: Apache-2.0
// The law of batches, with operands that are gathered or lie in rows of limbs: see law_cases.h.
#include "law_cases.h"

TEST_CASE("law: gathered operands and rows of limbs") {
    law::run_layouts<law::HostVector>(law::AllCases{});
}
