// SPDX-License-Identifier: Apache-2.0
#include "soak/identities.h"

TEST_CASE("soak: wide residues") {
    soak::try_residues<1024>();
    soak::try_residues<2048>();
}
