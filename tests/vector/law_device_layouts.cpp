// SPDX-License-Identifier: Apache-2.0
// The law of batches on the device, with operands that are gathered or lie in rows of limbs: see
// law_cases.h.
#include "law_cases.h"

TEST_CASE("law on the device: gathered operands and rows of limbs") {
    law::run_layouts<law::DeviceVector>(
        grid::List<grid::Sum, grid::Product, grid::Remainder, grid::Equal>{});
}
